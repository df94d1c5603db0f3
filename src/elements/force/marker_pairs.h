/* marker_pairs.h - a force between two markers that evaluates itself: plug-ins, bushings, linear
 * beams. The law computes force and torque on B from both markers; this file adds them to the
 * equations of the two bodies with all derivatives. Equations: head of marker_pairs.c. */
#ifndef TRMI_MARKER_PAIRS_H
#define TRMI_MARKER_PAIRS_H
#include "elements/body/carrier.h"
#include "elements/force/force_types.h"
#include "trammel/plugin.h"

/* A marker and its body. */
typedef struct trmi_pair_side {
  trmi_carrier_kind kind;
  int       body, v;
  trmi_vec3 s;
  double    E[9], m[4]; /* axes and quaternion of the marker, trmi_marker_quats */
} trmi_pair_side;

/* Results of a law, ground axes; columns of the derivative as in trammel/plugin.h. Those of a
 * marker on the ground are not used. */
typedef struct trmi_pair_load {
  trmi_vec3 force, torque;             /* on B at its marker                  */
  double    potential, potential_rate; /* of the part that has one            */
  double    damping_power;             /* of the part that is a damper        */
  double    derivative[6][TRM_PLUGIN_COLUMNS];
} trmi_pair_load;

/* Quantities of a pair for expressions, six numbers each. */
typedef enum trmi_pair_part {
  TRMI_PAIR_LOAD,        /* force and torque on B at its marker, ground axes */
  TRMI_PAIR_DEFORMATION,
  TRMI_PAIR_RATE,        /* of the deformation                               */
  TRMI_PAIR_PARTS
} trmi_pair_part;

/* In the arena of the assembly, as the first member of the data of a law. */
typedef struct trmi_pair trmi_pair;
struct trmi_pair {
  trmi_pair_side sides[2]; /* A, B */
  char           object[80];
  /* Fill pair->load; the derivative only on request. */
  trm_status (*law)(trmi_pair *pair, const trm_plugin_input *at, bool wants_derivative,
                    trm_error *err);
  void (*close)(trmi_pair *pair); /* may be NULL */
  /* Accept a step that ends at this state (otherwise status `as`)? Begin a step. Both may be
   * NULL. */
  trm_status (*test)(trmi_pair *pair, const trm_plugin_input *at, trm_status as, trm_error *err);
  trm_status (*begin)(trmi_pair *pair, const trm_plugin_input *at, trm_error *err);
  /* Deformation or rate, with derivatives like those of a law unless NULL; may be NULL. */
  trm_status (*measure)(trmi_pair *pair, const trm_plugin_input *at, trmi_pair_part part,
                        double values[6], double derivative[6][TRM_PLUGIN_COLUMNS],
                        trm_error *err);
  bool           has_time;        /* its load depends on time                          */
  bool           wants_quat;      /* `q` is set before a call                          */
  double         q[4];            /* rotates the axes of A into those of B, continuous */
  trmi_pair_load load;
  int            entries, time_entries; /* of K and of C; of Q_T */
  bool           is_mapped;       /* one of its markers maps, elements/body/carrier.h */
};

/* Add the contributor of all pairs of a mechanism, with room for `most`. NULL: out of memory. */
typedef struct trmi_pairs trmi_pairs;
trmi_pairs *trmi_pairs_create(trmi_assembly *a, const trmi_carriers *carriers, int most);
/* Add a pair with carriers (`body`) and markers set in its sides; kinds and velocities come from
 * the carriers. `close` is called when the assembly is freed. */
void trmi_pairs_add(trmi_pairs *pairs, trmi_pair *pair);

/* Ends and name from the action; the pair is added to those of the mechanism, or closed if out of
 * memory. */
void trmi_pair_add(trmi_mechanism *m, const trmi_force *a, trmi_pair *pair);
/* Six numbers of the pair of an action as two vectors of nodes; has_time as of the pair. */
void trmi_pair_nodes(trmi_mechanism *m, const trmi_force *a, trmi_pair_part part, bool has_time,
                     trmi_nodes3 out[2]);

#endif
