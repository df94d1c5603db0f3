/* reduction.h - a mesh reduced to a few modes and their inertia. */
#ifndef TRMI_REDUCTION_H
#define TRMI_REDUCTION_H
#include "fem/modal_arrays.h"
#include "fem/progress.h"
#include "fem/solid_loads.h"
#include "fem/stress_modes.h"
#include "fem/support.h"

typedef struct trmi_reduction_def {
  const trmi_solid_mesh *mesh;
  trmi_fem              *fem;  /* without K for a while, if that can be made again */
  int                    ninterfaces;
  const trmi_interface  *interfaces;
  int    fixed;    /* fixed-interface modes at most */
  double up_to;    /* [Hz], only those below; INFINITY: no limit */
  bool   inertia;  /* static modes of the twelve inertia loads */
  bool   is_exact; /* all of them, however close to others, as of distributed loads */
  int    nloads;   /* distributed loads, a static mode each */
  const trmi_solid_load *loads;
  trmi_stiffening stiffening;
  trmi_progress progress;
} trmi_reduction_def;

/* Facts about a reduction. */
typedef struct trmi_mesh_reduction {
  int     nfixed, nconstraint, nstatic, ndropped; /* fields of each kind; dependent ones */
  double *fixed;       /* frequencies of fixed-interface modes [Hz] [nfixed] */
  bool    is_pair_cut; /* the next of them has the frequency of the last */
  double  rigid_ratio; /* highest frequency of the rigid motions over the first of the modes */
  int     nplanes;     /* of symmetry, about which every mode is even or odd */
  double *phi;         /* modes: mass-normal, orthogonal to rigid motion [arrays.n][3 nodes] */
  trmi_modal_arrays arrays;
} trmi_mesh_reduction;

/* All memory is the arena's.
 * @return TRM_OK, TRM_ERR_INPUT, TRM_ERR_SINGULAR, TRM_ERR_BALANCE or TRM_ERR_MEMORY */
trm_status trmi_reduce(const trmi_reduction_def *def, trmi_arena *arena, trmi_mesh_reduction *out,
                       trm_error *err);

/* Inertia of modes phi and their motion at interfaces (modal_inertia.c). */
trm_status trmi_modal_arrays_make(const trmi_reduction_def *def, int n, const double *phi,
                                  trmi_arena *arena, trmi_modal_arrays *out, trm_error *err);

/* The same of a mass with rotations, after its displacements alone were taken (modal_turning.c); D,
 * L and N [6 n n] are those of `out`. */
typedef struct trmi_modal_lists {
  double *D, *L, *N;
} trmi_modal_lists;
trm_status trmi_modal_arrays_turn(const trmi_reduction_def *def, const double *phi,
                                  const trmi_modal_lists *lists, trmi_arena *scratch,
                                  trmi_modal_arrays *out, trm_error *err);

/* Distributed loads in modes phi (modal_loads.c). */
trm_status trmi_modal_loads_make(const trmi_reduction_def *def, const double *phi,
                                 trmi_arena *arena, trmi_modal_arrays *out, trm_error *err);

/* Geometric stiffness of modes phi (modal_stiffening.c), after omega2. */
trm_status trmi_modal_stiffening_make(const trmi_reduction_def *def, const double *phi,
                                      trmi_arena *arena, trmi_modal_arrays *out, trm_error *err);

/* Displacement and stress of modes phi [n][3 nodes], and the stress of heat, at the surface
 * (stress_modes.c).
 * @param has_inner  at the nodes inside too
 * @return TRM_OK or TRM_ERR_MEMORY */
trm_status trmi_stress_modes_make(const trmi_reduction_def *def, int n, const double *phi,
                                  bool has_inner, trmi_arena *arena, trmi_stress_modes *out,
                                  trm_error *err);

#endif
