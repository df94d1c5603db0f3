/* mechanism.h - Newton matrices of mechanisms that no problem of ours has: nets, trees,
 * ladders, rows of beams.
 *
 *   [ A   G^T ]   bodies, with springs and beams between them                (1)
 *   [ G T  0  ]   joints
 *
 * Positions and numbers are random but of the size they have in a step of 1e-3 s; only the
 * graph matters. A mechanism is built body by body and joint by joint, then given to a plan. */
#ifndef MECHANISM_H
#define MECHANISM_H
#include "linalg/plan.h"
#include <stdint.h>

enum { MECHANISM_GROUND = -1 };

/* A sparse block that grows. */
typedef struct mechanism_entries {
  trmi_sparse block;
  int         capacity;
} mechanism_entries;

typedef struct mechanism {
  uint64_t seed;
  bool     is_symmetric; /* no gyroscopic terms, T = I                  */
  int      nbody, njoint, nrow, capacity;
  double (*R)[9];        /* orientation of the bodies                   */
  double  *T;            /* of (1)                           [nbody 9]  */
  int     *rows;         /* of each joint                               */
  mechanism_entries A, G;
  /* for the plan */
  int           *first_rotation, *first_unknown;
  unsigned char *is_constraint;
  trmi_term      terms[3];
} mechanism;

void mechanism_init(mechanism *m, bool is_symmetric);
void mechanism_free(mechanism *m);

/* Add a body; a joint of 3 to 5 rows; a spring in six directions of this stiffness, times
 * beta h^2. Bodies are numbered from 0; MECHANISM_GROUND stands for the ground. */
int  mechanism_body(mechanism *m);
void mechanism_joint(mechanism *m, int rows, int body_a, int body_b);
void mechanism_spring(mechanism *m, double stiffness, int body_a, int body_b);

/* Whole mechanisms of about n bodies, or n x n. */
void mechanism_chain(mechanism *m, int n);
void mechanism_tree(mechanism *m, int n);
void mechanism_ladder(mechanism *m, int n);
void mechanism_beam(mechanism *m, int n);
void mechanism_net_joints(mechanism *m, int n);
void mechanism_net_rods(mechanism *m, int n);
void mechanism_net_bushings(mechanism *m, int n);

/* A number in -1 .. 1. */
double mechanism_random(mechanism *m);

/* Describe (1) as a plan. The mechanism must outlive it. */
trm_status mechanism_plan(mechanism *m, trmi_arena *arena, trmi_plan *plan, trm_error *err);

#endif
