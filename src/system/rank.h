/* rank.h - how many constraints are independent at a state, and which are not. */
#ifndef TRMI_RANK_H
#define TRMI_RANK_H
#include "system/system.h"
#include "trammel/sim.h"

/* Rank of [G; A] at a state. Results live in `arena`. */
trm_status trmi_rank_find(trm_system *sys, const trm_state *s, trmi_arena *arena, trm_rank *rank,
                          trm_error *err);

/* One sentence that names the redundant constraints, at most `size` bytes; empty
 * if there are none. */
void trmi_rank_sentence(const trm_system *sys, const trm_rank *rank, char *text, size_t size);

#endif
