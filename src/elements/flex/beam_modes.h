/* beam_modes.h - vibrations of a free beam as sums of its strains, for the integrator `smooth`. */
#ifndef TRMI_BEAM_MODES_H
#define TRMI_BEAM_MODES_H
#include "core/arena.h"
#include "elements/flex/beam.h"

/* Maximum number of strains: their matrix is dense. */
enum { TRMI_BEAM_STRAINS = 600 };

typedef struct trmi_beam_modes {
  int     count;    /* modes from the requested frequency on, slow ones first */
  int     nstrains; /* 6 at each Gauss point, element by element             */
  double *omega2;   /* (3)                                  [count]          */
  double *rows;     /* (4): eta = rows e                    [count nstrains] */
} trmi_beam_modes;

/* Nodes and sections of the free beam. */
typedef struct trmi_free_beam {
  const trmi_beam *elements;
  int              count;
  const double    *q;       /* of the first node, 7 numbers each */
  size_t           stride;  /* bytes from node to node           */
} trmi_free_beam;

/* Modes with at least the angular frequency `least`. TRM_ERR_INPUT: it has more strains than
 * TRMI_BEAM_STRAINS, no mass or no rotary inertia; TRM_ERR_MEMORY. */
TRM_CHECKED trm_status trmi_beam_modes_find(const trmi_free_beam *beam, double least,
                                            trmi_arena *arena, trmi_beam_modes *out,
                                            trm_error *err);

/* Values of six modes from `first` on, and their derivatives along increments of all nodes,
 * [6 x 6 nnodes]; NULL: omitted. */
typedef struct trmi_beam_modes_out {
  int     first, nnodes;
  double *eta;
  double *derivatives;
} trmi_beam_modes_out;

/* Add the share of an element, number `element`, at a state. TRM_RETRY_DOMAIN: see beam.h. */
TRM_CHECKED trm_status trmi_beam_modes_add(const trmi_beam_modes *modes, const trmi_beam *beam,
                                           int element, const trmi_beam_state *at,
                                           const trmi_beam_modes_out *out);

#endif
