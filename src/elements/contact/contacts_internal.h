/* contacts_internal.h - shared by the files of the contributor. */
#ifndef TRMI_CONTACTS_INTERNAL_H
#define TRMI_CONTACTS_INTERNAL_H
#include "elements/contact/contacts.h"
#include <math.h>

/* Memory of a point between steps. */
typedef struct trmi_contact_memory {
  double    v_minus;  /* speed of approach                                          */
  double    closed;   /* number of steps at whose ends it was closed, since it was open */
  trmi_vec3 n, t;     /* a normal and a tangent to it, body axes of side 1          */
} trmi_contact_memory;

/* The places of one crowd, head of places.c. */
typedef struct trmi_contact_pool {
  const trmi_contact_crowd *crowd;
  int        first;          /* its first place among all contacts                  */
  double    *memory;         /* memory                                     [nmemory] */
  int        nmemory;
  double    *kept;           /* the same at the start of a step, see trmi_pools_return */
  double    *time;           /* part of it: of the last step; NaN: there was none   */
  double    *has_grown;      /*             1: since the last step, else 0          */
  double   (*centre)[3];     /*             remembered positions of shapes   [nitems] */
  double    *skin;           /*             permitted displacements from there [nitems] */
  double   (*pair)[5];       /* owner of a place, < 0: none, and its feature  [places] */
  double   (*turn)[9];       /*             remembered orientations, NULL: not needed
                                                                              [nitems] */
  double    *before;         /* scratch: skins before they grew             [nitems] */
  struct trmi_contact_box *boxes; /* scratch                                [nitems] */
  struct trmi_contact_near *near; /* scratch                            [2 places]   */
} trmi_contact_pool;

typedef struct trmi_contacts {
  const trmi_carriers *carriers;
  trmi_contact        *list;       /* declared pairs, and places of crowds          */
  int                  count;
  int                 *first;      /* of each contact of the model, and the end     */
  trmi_contact_pool   *pools;
  int                  npools;
  int                  epoch;      /* of patterns: changes when a pair comes or goes */
  int                  npoints;    /* of all contacts                               */
  int                  gap, slip;  /* numbers of the first gap and slip             */
  double               length;
  trmi_contact_memory *memory;     /*                                     [npoints] */
  trmi_contact_memory *kept;       /* the same at the start of a step, as that of pools   */
  bool                 has_kept;
  int                  kept_epoch;
  double              *limit;      /* scratch: lim of (1) in friction_law.c; infinite: open.
                                      Of sliding, spin, rolling               [3 npoints] */
  double              *bent;       /* scratch: |z| at the start of the step   [3 npoints] */
  double              *grip;       /* scratch: of sliding, over its limit then; infinite: open,
                                      or the coefficient does not fall           [npoints] */
  int                  columns;    /* velocities of a carrier, at most              */
  double              *product;    /* scratch: of maps of markers         [6 columns] */
  double              *turned;     /*                               [columns columns] */
} trmi_contacts;

/* An active point: load on its side 0, opposite on side 1. */
typedef struct trmi_contact_state {
  trmi_touch          touch;
  trmi_normal_force   normal;
  trmi_vec3           n_ref, t_ref[2]; /* memory in ground axes                     */
  trmi_vec3           t[2];            /* axes of sliding                           */
  trmi_friction_force slide, spin, roll;
  double              arm[3];          /* of torques, and of speeds of rolling      */
  trmi_vec3           force, torque;   /* at touch.x, ground axes                   */
  bool                has_friction;
  int                 nz;              /* states of a point                         */
  double              rate[TRMI_CONTACT_STATES]; /* of them                         */
} trmi_contact_state;

/* Does an end of a contact lie on a body whose velocities are not the six of a marker? */
static inline bool trmi_contact_is_mapped(const trmi_contacts *o, const trmi_contact *c) {
  return o->carriers->list[c->carrier[0]].map != NULL ||
         o->carriers->list[c->carrier[1]].map != NULL;
}

/* Is it unused or certainly open? Then it has no force, and bristles relax. */
static inline bool trmi_contact_is_idle(const trmi_contacts *o, const trmi_contact *c, int point) {
  return point >= c->used || trmi_touch_is_far(&c->points[point], o->carriers->poses);
}

/* Are bristles of a point bent? Of an open one they are left from its last touch. */
static inline bool trmi_contact_is_bent(const trmi_contact *c, int point, const trm_state *s) {
  const double least = 1e-9; /* of the limit */
  const int nz = trmi_contact_states(c);
  for (int i = 0; i < nz; i++) {
    if (fabs(s->x[c->x + point * nz + i]) > least) return true;
  }
  return false;
}

/* contact_point.c: rates of the velocities of a marker, in its own columns. */
void trmi_contact_rates(const trmi_carrier *carrier, const double *vd, double out[6]);

/* contact_point.c: evaluate an active point; false: it is open, and only touch and rates are
 * set. */
bool trmi_contact_evaluate(const trmi_contacts *o, const trmi_contact *c, int point,
                           const trm_state *s, trmi_contact_state *at);

/* Changes by a column of touch.c, or by one of the states. */
typedef struct trmi_contact_change {
  trmi_touch_change touch;
  double            N;
  trmi_vec3         force, torque;
  double            rate[TRMI_CONTACT_STATES];
} trmi_contact_change;
/* That of the force along the normal, N rho n. */
trmi_vec3 trmi_contact_push_change(const trmi_contact_state *at, const trmi_contact_change *d);
trmi_contact_change trmi_contact_column(const trmi_contact_state *at, int side, bool is_velocity,
                                        int k);
trmi_contact_change trmi_contact_state_column(const trmi_contact_state *at, int k);

/* Generalized forces in the six columns of side 0, then of side 1; their changes. */
void trmi_contact_loads(const trmi_contact_state *at, double Q[2][6]);
void trmi_contact_change_loads(const trmi_contact_state *at, const trmi_contact_change *d, int side,
                               double Q[2][6], double dQ[2][6]);

/* A new pair: its present closing speed, and axes of its normal unless it `returns` to bristles of
 * its own. */
void trmi_contact_begin(const trmi_contacts *o, const trmi_contact *c, int point, bool returns,
                        trmi_contact_memory *memory);
/* Axes of sliding after a step, with at->touch known: they follow the normal without rotating about
 * it, and begin with that of the last open state. `is_bent`: there are bristles, perhaps of the
 * last touch, that must keep their direction. */
void trmi_contact_remember(const trmi_contact *c, trmi_contact_state *at, bool is_bent,
                           trmi_contact_memory *memory);

/* places.c: room for the pairs of a crowd; false: out of memory. */
bool trmi_pool_make(trmi_contact_pool *pool, trmi_arena *arena);
/* At a state of an attempt: pairs that come unexpectedly near get places. */
trm_status trmi_pools_cover(trmi_contacts *o, const trm_state *s, trm_error *err);
/* At the end of a step: find the pairs that may touch in the next ones. */
trm_status trmi_pools_renew(trmi_contacts *o, const trm_state *s, trm_error *err);
/* After memory was loaded. */
void trmi_pools_restore(trmi_contacts *o);
/* After an attempt was rejected: remove the pairs that came near in it. */
void trmi_pools_return(trmi_contacts *o);

/* contact_bristles.c: `begin_step`, `cut_states`, `match_states`,
 * `sliding_error`; may bristles be bent so at the end of a step? */
trm_status trmi_contact_begin_step(void *self, const trm_state *s, double h, trm_error *err);
bool trmi_contact_cut_states(void *self, const double *x, double *change);
bool trmi_contact_match_states(void *self, const trm_state *s, double slope, double *change,
                               bool *is_new);
double trmi_contact_sliding_error(void *self, const trm_state *s, double *off, double tolerance);
trm_status trmi_contact_test_bristles(const trmi_contacts *o, const trm_state *s, trm_error *err);

/* contact_blocks.c: `pattern`, `nodes` and `blocks` of trmi_contributor_ops. */
int trmi_contact_pattern(const void *self, trm_pattern *p, trm_block block);
void trmi_contact_nodes(const void *self, trm_pattern *p);
trm_status trmi_contact_blocks(void *self, const trm_state *s, const trm_block_request *request,
                               trm_error *err);

/* contact_quantities.c: `quantities`. */
trm_status trmi_contact_quantities(void *self, int set, const trm_state *s, const bool wanted[2],
                                   double values[6], double *derivatives, trm_error *err);

#endif
