/* operating_point.h - a state of a system with all that an analysis needs there: the assembled
 * start, or a state given by the caller. */
#ifndef TRMI_OPERATING_POINT_H
#define TRMI_OPERATING_POINT_H
#include "system/consistent.h"

typedef struct trmi_operating_point {
  trm_system     *sys;            /* where it works: an instance of               */
  trm_system     *origin;         /* the system it was opened for, or that itself */
  trmi_arena      arena;          /* of the analysis                              */
  trm_state       s;
  trmi_consistent c;
  bool            has_consistent; /* there is something to free                   */
  bool            bordered;       /* constraints are redundant                    */
  int             freedoms;       /* of positions, nv - rank G                    */
  int             mobilities;     /* of velocities, nv - rank [G; A]              */
} trmi_operating_point;

/* What to open. */
typedef struct trmi_operating_point_spec {
  const trm_state *at;     /* NULL: the start, assembled as for a simulation       */
  const trm_state *from;   /* start values instead of those of the system, or NULL */
  bool             renews_values; /* inputs and discrete values are not those of `from` */
  double           start;  /* its time [s], NaN: as the system says                */
  const char      *solver; /* NULL: "auto"                                         */
  bool lends_mass; /* a start without accelerations is good: see system/lent_mass.c */
  trm_allocator    allocator;
} trmi_operating_point_spec;

/* `sys` is a system, or an instance of one that has a state to be given with `at`. */
trm_status trmi_operating_point_open(trmi_operating_point *base, trm_system *sys,
                                     const trmi_operating_point_spec *spec, trm_error *err);
void trmi_operating_point_close(trmi_operating_point *base);

/* An analysis retries nothing: what asks for a smaller step becomes an error. */
trm_status trmi_operating_point_final(trm_error *err, trm_status status);

#endif
