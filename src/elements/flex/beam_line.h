/* beam_line.h - poses of the nodes of a beam along a line through points or along an arc.
 * Equations: heads of beam_line.c and beam_arc.c. */
#ifndef TRMI_BEAM_LINE_H
#define TRMI_BEAM_LINE_H
#include "core/arena.h"
#include "math/vec.h"
#include <stdbool.h>

typedef struct trmi_beam_line {
  const double *points;  /* x, y, z of each, ground axes           [3 npoints] */
  int           npoints; /* at least 2                                         */
  trmi_vec3     y;       /* of the first section, ground axes; zero: chosen    */
  double        twist;   /* of the last section relative to the first    [rad] */
} trmi_beam_line;

/* Poses (x_n, p) of `nnodes` nodes, at least 2, from the first point to the last: at the points if
 * there are as many, otherwise at equal distances along the line. x of a section is the direction
 * of the line.
 * @param scratch arena for temporary numbers
 * @param q        receives the poses [7 nnodes]
 * @return TRM_OK, TRM_ERR_INPUT: points coincide, or y has the direction of the line;
 *         TRM_ERR_MEMORY */
TRM_CHECKED trm_status trmi_beam_line_place(const trmi_beam_line *line, int nnodes,
                                            trmi_arena *scratch, double *q, trm_error *err);

/* An arc of a circle instead of points. */
typedef struct trmi_beam_arc {
  trmi_vec3 from, centre, axis; /* first end, a point of the axis, its direction: ground axes */
  double    angle;              /* about the axis, from the first end to the last       [rad] */
  trmi_vec3 y;                  /* as of lines                                                */
  double    twist;
} trmi_beam_arc;

/* The same for an arc: nodes at equal angles. TRM_ERR_INPUT: the axis is zero, the first end lies
 * on it, the angle is zero, or y has the direction of the line. */
TRM_CHECKED trm_status trmi_beam_arc_place(const trmi_beam_arc *arc, int nnodes, double *q,
                                           trm_error *err);

/* Axis y of a section across its line: the part of the requested y perpendicular to t, or of a
 * ground axis if y is zero. False: y has the direction of t. */
bool trmi_beam_section_y(trmi_vec3 t, trmi_vec3 y, trmi_vec3 *across);

/* Pose of a node at x with axes t, y and t x y, turned by `angle` about t. */
void trmi_beam_node_pose(trmi_vec3 x, trmi_vec3 t, trmi_vec3 y, double angle, double q[7]);

#endif
