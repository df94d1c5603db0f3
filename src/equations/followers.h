/* followers.h - markers in expressions whose motion other contributors compute.
 *
 * A marker on a body without exactly six velocities (assembly/map.h) is a follower: expressions
 * treat it as a body of its own, with a position, a quaternion and six velocities after those of
 * the system. Rows and columns of followers exist only on the tape; here they are converted to
 * those of the bodies. Equations: head of followers.c. */
#ifndef TRMI_FOLLOWERS_H
#define TRMI_FOLLOWERS_H
#include "assembly/map.h"
#include "equations/equations_internal.h"

typedef struct trmi_follower {
  const trmi_map *map;
  int             v; /* first velocity of its body */
  /* Position and quaternion, velocities (1) of assembly/map.h, at the present position of its
   * carrier. */
  void (*pose)(const void *self, double q[7], double v[6]);
  const void     *self;
} trmi_follower;

/* While compiling, from `read` of the extension on: declares follower number i. */
void trmi_follow(trmi_compiler *b, int i, const trmi_follower *follower);

/* After the tape is built. */
trm_status trmi_followers_plan(trmi_equations *eq, trm_error *err);

/* Separate numbers for an instance, which then declares its followers. */
void trmi_followers_own(trmi_equations *eq, trmi_arena *arena);

/* A state with followers after the unknowns of the system; valid until the next call. */
const trm_state *trmi_followers_extend(trmi_equations *eq, const trm_state *s);
/* motion += rows of the tape: where those of followers act */
void trmi_followers_fold(const trmi_equations *eq, const double *rows, double *motion);
/* See trmi_contributor_ops. */
int trmi_followers_pattern(const trmi_equations *eq, trm_pattern *p, trm_block block);
trm_status trmi_followers_blocks(trmi_equations *eq, const trm_state *s,
                                 const trm_block_request *request, trm_error *err);

#endif
