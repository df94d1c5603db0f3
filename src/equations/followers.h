/* followers.h - markers in expressions whose motion others compute.
 *
 * A marker on a body with other velocities than six (assembly/map.h) is a follower: expressions see
 * it as a body of its own, with a position, a quaternion and six velocities behind those of the
 * system. Rows and columns of followers exist on the tape only; here they become those of the
 * bodies. Equations: head of followers.c. */
#ifndef TRMI_FOLLOWERS_H
#define TRMI_FOLLOWERS_H
#include "assembly/map.h"
#include "equations/equations_internal.h"

typedef struct trmi_follower {
  const trmi_map *map;
  int             v; /* first velocity of its body */
  /* Position and quaternion, velocities (1) of assembly/map.h, where its carrier is. */
  void (*pose)(const void *self, double q[7], double v[6]);
  const void     *self;
} trmi_follower;

/* While compiling, from `read` of the extension on: what follower number i is. */
void trmi_follow(trmi_compiler *b, int i, const trmi_follower *follower);

/* Once the tape is made. */
trm_status trmi_followers_plan(trmi_equations *eq, trm_error *err);

/* Own numbers for an instance, which then says what its followers are. */
void trmi_followers_own(trmi_equations *eq, trmi_arena *arena);

/* A state with followers behind the unknowns of the system; valid until the next call. */
const trm_state *trmi_followers_extend(trmi_equations *eq, const trm_state *s);
/* motion += rows of the tape: where those of followers act */
void trmi_followers_fold(const trmi_equations *eq, const double *rows, double *motion);
/* As trmi_contributor_ops has them. */
int trmi_followers_pattern(const trmi_equations *eq, trm_pattern *p, trm_block block);
trm_status trmi_followers_blocks(trmi_equations *eq, const trm_state *s,
                                 const trm_block_request *request, trm_error *err);

#endif
