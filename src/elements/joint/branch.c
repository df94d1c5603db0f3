/* branch.c - second roots of perpendicular rows.
 *
 * Rows x_A . z_B = y_A . z_B = 0 keep the z axes of the markers parallel, z_A . z_B = 1 or -1, and
 * with x_A . y_B = 0 also x_A . x_B = 1 or -1. The roots with -1 are half a turn away from the
 * intended ones. No motion leads from one to the other, but Newton's method may reach them in a
 * long step. So the signs not fixed by the rows are tested:
 *   z_A . z_B > 0,   x_A . x_B > 0                                                         (1)
 * Rows of one perpendicular pair alone (universal, perpendicular), of distances, planes and of
 * constant velocity joints (rows_twist.c) have connected roots: nothing to test. */
#include "elements/joint/rows.h"

trmi_held trmi_rows_hold(const trmi_row *rows, int nrows) {
  bool is_across[3][3] = {{false}};
  for (int i = 0; i < nrows; i++) {
    if (rows[i].kind == TRMI_ROW_DOT) is_across[rows[i].a][rows[i].b] = true;
  }
  if (!is_across[0][2] || !is_across[1][2]) return TRMI_HOLDS_NONE;
  return is_across[0][1] ? TRMI_HOLDS_ALL : TRMI_HOLDS_Z;
}

/* p u conj(p): u + 2 p_0 (v x u) + 2 v x (v x u) */
static trmi_vec3 turned(const double *p, trmi_vec3 u) {
  if (p == NULL) return u;
  const trmi_vec3 v = v3_load(p + 1), once = v3_cross(v, u);
  return v3_add(u, v3_scale(2.0, v3_add(v3_scale(p[0], once), v3_cross(v, once))));
}

/* (1) for axis k */
static bool is_along(const trmi_link *link, const double *p_A, const double *p_B, int k) {
  return v3_dot(turned(p_A, m3_row(link->E_a, k)), turned(p_B, m3_row(link->E_b, k))) > 0.0;
}

bool trmi_link_is_flipped(const trmi_link *link, trmi_held held, const double *p_A,
                          const double *p_B) {
  if (held == TRMI_HOLDS_NONE) return false;
  if (!is_along(link, p_A, p_B, 2)) return true;
  return held == TRMI_HOLDS_ALL && !is_along(link, p_A, p_B, 0);
}
