/* modal_body.h - flexible bodies with modal coordinates: a floating frame with arbitrary motion,
 * small strains, markers at interfaces. Equations: heads of modal_body.c, modal_blocks.c and
 * modal_marker.c. */
#ifndef TRMI_MODAL_BODY_H
#define TRMI_MODAL_BODY_H
#include "assembly/assembly.h"
#include "elements/body/carrier.h"
#include "elements/flex/packed.h"
#include "fem/modal_arrays.h"

/* Modes sorted by classes of symmetry; NULL: unsorted. */
typedef struct trmi_mode_order {
  const int *number; /* mode at a place   [width] */
  const int *place;  /* of a mode         [width] */
} trmi_mode_order;

/* mode_classes.c; entries up to `zero` are none. @return false: out of memory */
bool trmi_mode_classes(const trmi_modal_arrays *in, double zero, trmi_arena *arena,
                       trmi_mode_order *order);

/* Constant arrays of a body for its motion. Rows of modes, except omega2, are padded with zeros to
 * `width` numbers, a multiple of eight. */
typedef struct trmi_modal_inertia {
  int     n, width;
  double  mass, mc[3], J0[9];
  bool    has_D;               /* false: the frame is in mean axes, D = 0 */
  const double *omega2;        /* [n]    */
  double *damping;             /* D' of a'_j, 2 zeta omega           [width]   */
  double *D;                   /* [3 width]  */
  double *B0;                  /* [3 width]  */
  double *J1;                  /* of the pairs 11 22 33 12 13 23 [6 width] */
  trmi_mode_order order;
  trmi_packed J2[TRMI_AXIS_PAIRS], G[3]; /* of the same pairs; antisymmetric; in that order */
  double *J2_own;              /* diagonals of J2 [6 width] */
  bool    has_trace;           /* J2_11 + J2_22 + J2_33 = 2 */
} trmi_modal_inertia;

/* An interface at one instant: see modal_marker.c. */
typedef struct trmi_modal_marker {
  int       n;
  trmi_vec3 s0;
  int       width;      /* of rows of modes: padded with zeros to a multiple of eight */
  double   *F, *S;      /* [3 width], S behind F */
  const trmi_packed *H; /* of both [6]; NULL: none */
  const double *Fe, *Se; /* at the state: F - H a, or F and S themselves */
  double   *bent, *F1, *S1; /* room for Fe and Se; -H a' [3 width]; without H there is none */
  double   *xy;         /* room for a, a' and, with H, products [2 width] or [14 width] */
  trmi_map *map;
  bool      has_old_J;  /* of the map: J of a state before */
  int       carrier;
  double    R[9], E[9], T[9], p[4]; /* of the body; exp(th); T(th); quaternion of the marker */
  trmi_vec3 s, th;      /* place, rotation vector               */
  trmi_vec3 w, W;       /* of the body, in its axes and those of the marker */
  trmi_vec3 s1, th1;    /* Fe a', Se a'                          */
  trmi_vec3 s2, th2;    /* -a'.H a' of both                      */
  trmi_vec3 u;          /* T th'                                 */
} trmi_modal_marker;

/* Arrays of an interface and its scratch; false: out of memory. */
bool trmi_modal_marker_take(trmi_modal_marker *m, const trmi_modal_interface *at,
                            trmi_arena *arena);
/* Separate scratch for a marker that already has its arrays. */
bool trmi_modal_marker_room(trmi_modal_marker *m, trmi_arena *arena);
/* Evaluate a marker at a state of its body: q = (x, p, a), v = (x', w, a'); fills pose and bias; J
 * on request. */
void trmi_modal_marker_move(trmi_modal_marker *m, const double *q, const double *v,
                            trmi_pose *pose);
/* Set a map to that of the marker, whose address must not change. */
void trmi_modal_marker_connect(trmi_modal_marker *m);

/* The body at a state: products that values and blocks share; modal_moment.c. */
typedef struct trmi_modal_moment {
  double    R[9], J[9];
  trmi_vec3 mc, w, D1;      /* D1: D a'                           */
  double    Ja1[8];         /* Ja a' of the six pairs, zeros      */
  trmi_vec3 B1;             /* B a'                               */
  double   *Ja;             /* dJ/da of the six pairs   [6 width] */
  double   *B;              /* [3 width]                          */
  double   *G1;             /* G_i a'                   [3 width] */
  double   *J21;            /* J2 a' of the six pairs   [6 width] */
  double   *x, *y;          /* scratch: two vectors, their products [2 width] [6 width] */
  double   *sorted;         /* x in the order of the arrays         [2 width] */
  double   *state;          /* their state: p, a, w, a' [7 + 2 n] */
  bool      is_known;       /* they are                           */
  bool      has_G1, has_J21; /* these, too                        */
} trmi_modal_moment;

typedef struct trmi_modal_body {
  trmi_modal_inertia inertia;
  trmi_vec3 gravity;
  bool      is_fast;        /* it rotates so fast that couplings of modes are not weak */
  int       q, v;
  const double *q0, *v0;    /* at the start; NULL: set elsewhere [7 + n], [6 + n] */
  trmi_carriers *carriers;
  int       nmarkers;
  trmi_modal_marker *markers;
  trmi_modal_moment now;    /* scratch */
  double   *moved;          /* state of the markers [13 + 2 n] */
  bool      has_moved;      /* `moved` is valid    */
  double   *rows;           /* scratch [6 width] */
  double   *full;           /* scratch: a block with weak entries [6 + n 6 + n] */
} trmi_modal_body;

/* Create from the arrays of a reduction; false: out of memory. `damping` is the ratio of each
 * mode. */
bool trmi_modal_inertia_make(const trmi_modal_arrays *arrays, const double *damping,
                             trmi_arena *arena, trmi_modal_inertia *out);
/* Allocate the products of n modes; false: out of memory. */
bool trmi_modal_moment_take(trmi_modal_moment *z, int n, trmi_arena *arena);
/* Three padded rows times a padded vector. */
trmi_vec3 trmi_modal_times(const trmi_modal_inertia *in, const double *A, const double *x);

/* Products that are not always needed: energies need neither, only blocks with weak entries J21. */
typedef struct trmi_modal_wish {
  bool G1, J21;
} trmi_modal_wish;
/* Compute products at a state into body->now, unless already there. */
void trmi_modal_body_at(trmi_modal_body *body, const double *q, const double *v,
                        trmi_modal_wish wish);

/* Memory for all variable data, including markers without their maps; false: out of memory. */
bool trmi_modal_body_room(trmi_modal_body *body, trmi_arena *arena);
/* Add its rows of the equations of motion [6 + n]; products are at the state. */
void trmi_modal_body_motion(trmi_modal_body *body, const trm_state *s, double *rows);

/* G_i u of all three [3 width]. */
void trmi_modal_turn(trmi_modal_body *body, const double *u, double *out);

/* modal_blocks.c: blocks of one body, all but M in the order of arrows (system.h). If the request
 * omits weak entries and the body is not fast, entries of two modes are not written. */
void trmi_modal_body_blocks(trmi_modal_body *body, const trm_state *s,
                            const trm_block_request *request, double **places);

/* Create the contributor of all modal bodies, with room for `count`, in the arena of elements of
 * the assembly; NULL: out of memory. */
typedef struct trmi_modal_bodies trmi_modal_bodies;
trmi_modal_bodies *trmi_modal_bodies_create(trmi_assembly *a, trmi_carriers *carriers, int count,
                                            trmi_vec3 gravity);
/* Definition of a body; arrays outlive it. */
typedef struct trmi_modal_part {
  const trmi_modal_arrays *arrays;
  const double *damping;    /* ratio of each mode [n] */
  bool          is_fast;    /* Newton's matrix needs all couplings of modes */
  int           q, v;
  const double *q0, *v0;
} trmi_modal_part;
const trmi_modal_body *trmi_modal_bodies_at(const trmi_modal_bodies *bodies, int i);
/* modal_twin.c: loads on body i at a state, rows of x, w and the modes [6 + n]: its inertia,
 * stiffness and damping minus its weight. @return a twin of the body in the arena, whose markers
 * are at the state, so that threads may share the bodies; NULL: out of memory */
const trmi_modal_body *trmi_modal_bodies_react(const trmi_modal_bodies *bodies, int i,
                                               const trm_state *s, trmi_arena *arena,
                                               double *rows);
/* Add it, and a carrier for each of its interfaces. @return its first carrier, -1: it has none, or
 * no memory */
int trmi_modal_bodies_add(trmi_modal_bodies *bodies, const trmi_modal_part *part);

#endif
