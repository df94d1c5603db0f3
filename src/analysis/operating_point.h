/* operating_point.h - a state of a system with all data for an analysis: the assembled start, or a
 * state given by the caller. */
#ifndef TRMI_OPERATING_POINT_H
#define TRMI_OPERATING_POINT_H
#include "system/consistent.h"

typedef struct trmi_operating_point {
  trm_system     *sys;            /* the system it uses: an instance of           */
  trm_system     *origin;         /* the system it was opened for, or that itself */
  trmi_arena      arena;          /* of the analysis                              */
  trm_state       s;
  trmi_consistent c;
  bool            has_consistent; /* memory must be freed                         */
  bool            bordered;       /* constraints are redundant                    */
  int             freedoms;       /* of positions, nv - rank G                    */
  int             mobilities;     /* of velocities, nv - rank [G; A]              */
} trmi_operating_point;

/* Definition of an operating point. */
typedef struct trmi_operating_point_spec {
  const trm_state *at;     /* NULL: the start, assembled as for a simulation       */
  const trm_state *from;   /* start values instead of those of the system, or NULL */
  bool             renews_values; /* inputs and discrete values are not those of `from` */
  double           start;  /* its time [s], NaN: as the system says                */
  const char      *solver; /* NULL: "auto"                                         */
  bool lends_mass; /* a start without accelerations is accepted: see system/lent_mass.c */
  trm_allocator    allocator;
} trmi_operating_point_spec;

/* `sys` is a system, or an instance of one that has a state to be given with `at`. */
trm_status trmi_operating_point_open(trmi_operating_point *base, trm_system *sys,
                                     const trmi_operating_point_spec *spec, trm_error *err);
void trmi_operating_point_close(trmi_operating_point *base);

/* An analysis cannot retry: a request for a smaller step becomes an error. */
trm_status trmi_operating_point_final(trm_error *err, trm_status status);

#endif
