/* support.h - static solutions of a mesh with fixed interfaces.
 *
 * Nodes of a rigid interface move as one body with its reference point; an averaging interface only
 * has the mean motion of its nodes (average.c). Fields are displacements of all nodes [3 n]. */
#ifndef TRMI_SUPPORT_H
#define TRMI_SUPPORT_H
#include "fem/solid_matrices.h"

typedef struct trmi_interface {
  const char *name;
  bool        is_rigid;
  int         count;
  const int  *nodes; /* behind them, of a rigid one, their rotations */
  int         turning; /* how many of these */
  double      at[3]; /* its reference point */
} trmi_interface;

typedef struct trmi_support trmi_support;

/* Checks interfaces and factors the stiffness of what is free. All memory is the arena's, but for
 * that of MUMPS, which trmi_support_free gives back. The stiffness of `fem` is released before the
 * factors take their memory; constraint modes make it again.
 * @return TRM_OK, TRM_ERR_INPUT (nodes on a line, shared nodes, loose parts), TRM_ERR_SINGULAR or
 *         TRM_ERR_MEMORY */
trm_status trmi_support_create(const trmi_solid_mesh *mesh, trmi_fem *fem, int ninterfaces,
                               const trmi_interface *interfaces, trmi_arena *arena,
                               trmi_support **support, trm_error *err);
void trmi_support_free(trmi_support *support);

/* Number of free displacements with all interfaces fixed. */
int trmi_support_freedoms(const trmi_support *support);

/* Loads [count][3 n] become displacements with all interfaces held; those of a body without any are
 * balanced by its inertia. */
trm_status trmi_support_solve(trmi_support *support, int count, double *fields, trm_error *err);

/* Six static fields of each interface: one unit displacement or rotation of its reference point,
 * all else held. [6 ninterfaces][3 n]; without interfaces the six rigid motions [6][3 n] */
trm_status trmi_support_constraint_modes(trmi_support *support, double *fields, trm_error *err);

/* Mean motion of nodes: rows [6][3 n] with (u, theta) = rows . field at the reference point.
 * @return false: the nodes lie on a line */
bool trmi_average_rows(const trmi_solid_mesh *mesh, const trmi_interface *interface, double *rows);

/* Rigid motion about a point: three translations, three rotations [6][3 n]. */
void trmi_rigid_fields(const trmi_solid_mesh *mesh, const double about[3], double *fields);

#endif
