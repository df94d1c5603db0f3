/* beam_arc.c - nodes of a beam along an arc of a circle.
 *
 * With the axis a of unit length through the centre c and r = from - c the section at the angle phi
 * is that of the first end rotated about the axis,
 *   x = c + R(phi a) r,   t = R(phi a) t_0,   y = R(phi a) y_0,   t_0 = +-a x r/|a x r|        (1)
 * with the sign of the angle. This equals transport along the circle without rotation about it. The
 * twist is added about t in proportion to phi. */
#include "elements/flex/beam_line.h"
#include "core/fail.h"
#include "math/so3.h"

/* Below this part of the distance to the centre the radius is only rounding. */
static const double least_radius = 1e-12;

trm_status trmi_beam_arc_place(const trmi_beam_arc *arc, int nnodes, double *q, trm_error *err) {
  const trmi_vec3 r = v3_sub(arc->from, arc->centre);
  const double size = v3_norm(arc->axis);
  if (!(size > 0.0) || !isfinite(size)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the axis of the arc is zero");
  }
  const trmi_vec3 a = v3_scale(1.0 / size, arc->axis), across = v3_cross(a, r);
  const double radius = v3_norm(across);
  if (!(radius > least_radius * (v3_norm(arc->from) + v3_norm(arc->centre)))) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the arc begins on its axis: its radius is zero");
  }
  if (!(fabs(arc->angle) > 0.0)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the angle of the arc is zero");
  }
  const trmi_vec3 t = v3_scale((arc->angle > 0.0 ? 1.0 : -1.0) / radius, across);
  trmi_vec3 y;
  if (!trmi_beam_section_y(t, arc->y, &y)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "y has the direction of the line");
  }
  for (int i = 0; i < nnodes; i++) {
    const double part = (double)i / (nnodes - 1), phi = part * arc->angle;
    const double turn[3] = {phi * a.x, phi * a.y, phi * a.z};
    double p[4], R[9];
    trmi_so3_exp(turn, p);
    trmi_quat_matrix(p, R);
    trmi_beam_node_pose(v3_add(arc->centre, m3_mul(R, r)), m3_mul(R, t), m3_mul(R, y),
                        part * arc->twist, q + 7 * i); /* (1) */
  }
  return TRM_OK;
}
