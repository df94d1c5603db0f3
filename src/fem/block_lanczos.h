/* block_lanczos.h - the lowest vibrations of a mesh whose interfaces are held. */
#ifndef TRMI_BLOCK_LANCZOS_H
#define TRMI_BLOCK_LANCZOS_H
#include "fem/progress.h"
#include "fem/support.h"

enum { TRMI_FIXED_MODES_MAX = 1000 };

typedef struct trmi_fixed_modes {
  int     count;
  double *omega2; /* ascending [count]                  */
  double *fields; /* mass-normal        [count][3 n]    */
  int     solves; /* fields that were solved for        */
  bool    is_cut; /* the next one, which was not wanted, has the frequency of the last */
} trmi_fixed_modes;

typedef struct trmi_fixed_modes_def {
  trmi_support   *support;
  const trmi_fem *fem;
  int             wanted;   /* how many at most, up to TRMI_FIXED_MODES_MAX                  */
  double          limit;    /* only those with a square of the frequency below this; INFINITY: all
                               that are wanted                                               */
  trmi_progress   progress; /* `done` is the part of the modes that were found               */
} trmi_fixed_modes_def;

/* @return TRM_OK, TRM_ERR_BALANCE, TRM_ERR_SINGULAR or TRM_ERR_MEMORY */
trm_status trmi_block_lanczos(const trmi_fixed_modes_def *def, trmi_arena *arena,
                              trmi_fixed_modes *modes, trm_error *err);

#endif
