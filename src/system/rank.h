/* rank.h - number of independent constraints at a state, and the dependent ones. */
#ifndef TRMI_RANK_H
#define TRMI_RANK_H
#include "system/system.h"
#include "trammel/sim.h"

/* Rank of [G; A] at a state. Results live in `arena`. */
trm_status trmi_rank_find(trm_system *sys, const trm_state *s, trmi_arena *arena, trm_rank *rank,
                          trm_error *err);

/* A relation y^T [G; A] = 0 among as few rows as possible: leave out any of them, and the others
 * are independent. */
typedef struct trmi_relation {
  int     n;
  int    *row; /* [n] */
  double *y;   /* [n] */
} trmi_relation;

typedef struct trmi_relations {
  int            count; /* rows - rank                                                    */
  trmi_relation *list;  /* together they span all relations                     [count]   */
  double         smallest; /* smallest pivot that counts, for rows of length one: distance of the
                              pose from a further relation; 1 if there are no rows */
} trmi_relations;

/* The rank with its relations. Pivots up to `tolerance` count as zero: 0 means the usual tolerance,
 * far above rounding; larger ones also find nearly dependent rows. */
trm_status trmi_rank_relate(trm_system *sys, const trm_state *s, double tolerance,
                            trmi_arena *arena, trm_rank *rank, trmi_relations *relations,
                            trm_error *err);

/* One sentence that names the constraints whose reactions are not unique, at most `size`
 * bytes; empty if there are none. `is_right`: nothing depends on these reactions. */
void trmi_rank_sentence(const trm_system *sys, const trm_rank *rank, bool is_right, char *text,
                        size_t size);

#endif
