/* alpha_scaling.c - the three scalings of the Newton matrix that [HHT] compares.
 *
 * Matrices (1) and (2) of alpha_newton.c are those of scaling "c": accelerations are the unknowns,
 * and rows of constraints are over beta h^2 or gamma h. All entries keep their size as h goes to
 * zero. Other scalings may be passed to the solver, (2) of linear.c:
 *   "b"  rows of constraints as they are: times beta h^2 where they are g, gamma h where they are
 *        G v + g_t or A v + b                                                               (1)
 *   "a"  as "b", with positions and states as unknowns of the first matrix, velocities and states
 *        as those of the second: columns over beta h^2, those of the second and of states over
 *        gamma h                                                                            (2)
 * Their condition numbers grow like h^-2 and h^-4. Corrections differ only by rounding, which
 * iterative refinement removes as long as the matrix is not numerically singular. Derivation:
 * docs/theory/03-alpha.md, section 5. */
#include "integ/alpha.h"
#include <string.h>

static char scaling_of(const trmi_alpha *ga) {
  const char *name = ga->ctx.options->scaling;
  return name == NULL || strcmp(name, "auto") == 0 ? 'c' : name[0];
}

bool trmi_alpha_is_scaled(const trmi_alpha *ga) {
  return scaling_of(ga) != 'c';
}

void trmi_alpha_scale(const trmi_alpha *ga, double h, trmi_matrix *matrix) {
  const trmi_places at = trmi_places_of(ga->ctx.sys);
  const double gh = ga->gamma * h;
  const double own = matrix == &ga->index3_matrix ? ga->beta * h * h : gh; /* of v and lam */
  const bool is_a = scaling_of(ga) == 'a';
  double *row = matrix->lin.row_scale, *col = matrix->lin.col_scale;
  for (int i = 0; i < at.n; i++) row[i] = col[i] = 1.0;
  for (int i = at.lam; i < at.x; i++) row[i] = i < at.mu ? own : gh; /* (1) */
  for (int i = at.v; i < at.lam && is_a; i++) col[i] = 1.0 / own;    /* (2) */
  for (int i = at.x; i < at.w && is_a; i++) col[i] = 1.0 / gh;
}
