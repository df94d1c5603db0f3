/* beam_line.h - positions of the nodes of a beam along a line through points, and how its sections
 * are turned there. Equations: head of beam_line.c. */
#ifndef TRMI_BEAM_LINE_H
#define TRMI_BEAM_LINE_H
#include "core/arena.h"
#include "math/vec.h"

typedef struct trmi_beam_line {
  const double *points;  /* x, y, z of each, ground axes           [3 npoints] */
  int           npoints; /* at least 2                                         */
  trmi_vec3     y;       /* of the first section, ground axes; zero: chosen    */
  double        twist;   /* of the last section against the first        [rad] */
} trmi_beam_line;

/* Poses (x_n, p) of `nnodes` nodes, at least 2, from the first point to the last: at the points
 * if there are as many, else at equal distances along the line. x of a section is the direction
 * of the line.
 * @param scratch  where numbers are kept that are not needed later
 * @param q        receives the poses [7 nnodes]
 * @return TRM_OK, TRM_ERR_INPUT: points coincide, or y has the direction of the line;
 *         TRM_ERR_MEMORY */
TRM_CHECKED trm_status trmi_beam_line_place(const trmi_beam_line *line, int nnodes,
                                            trmi_arena *scratch, double *q, trm_error *err);

#endif
