/* types.c - the registry of joints.
 *
 * Axis z of the markers is the axis of the joint; rows are those of rows.h, of marker A with
 * marker B. A new joint is one entry here; rows that rows.h does not have are made of nodes by its
 * `build` (docs/dev/add-an-element.md). */
#include "joint/types.h"
#include <string.h>

#define SAME_POINT {.kind = TRMI_ROW_POINT}
#define PERPENDICULAR(i, j) {.kind = TRMI_ROW_DOT, .a = (i), .b = (j)}
#define IN_PLANE(i) {.kind = TRMI_ROW_ALONG, .a = (i)}
#define SAME_DISTANCE {.kind = TRMI_ROW_DISTANCE}
#define EQUAL_TURN {.kind = TRMI_ROW_TWIST, .a = 0, .b = 1, .a2 = 1, .b2 = 0}

enum { AXIS_X, AXIS_Y, AXIS_Z };

/* clang-format off */
static const trmi_joint_type types[] = {
  {.name = "fixed", .ends = TRMI_ENDS_POINT, .meaning = "B moves with A.", .nrows = 4,
   .rows = {SAME_POINT, PERPENDICULAR(AXIS_X, AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "z", "e1", "e2", "e3"}},
  {.name = "revolute", .ends = TRMI_ENDS_AXIS, .meaning = "B turns about an axis of A.", .nrows = 3,
   .rows = {SAME_POINT, PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "z", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE},
  {.name = "translational", .ends = TRMI_ENDS_AXIS, .nrows = 5,
   .meaning = "B slides along an axis of A without turning.",
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z), PERPENDICULAR(AXIS_X, AXIS_Y)},
   .row_names = {"x", "y", "e1", "e2", "e3"}, .coordinates = TRMI_HAS_DISPLACEMENT},
  {.name = "cylindrical", .ends = TRMI_ENDS_AXIS, .nrows = 4,
   .meaning = "B turns about and slides along an axis of A.",
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE | TRMI_HAS_DISPLACEMENT},
  {.name = "spherical", .ends = TRMI_ENDS_POINT, .meaning = "A and B share a point.", .nrows = 1,
   .rows = {SAME_POINT}, .row_names = {"x", "y", "z"}},
  {.name = "planar", .ends = TRMI_ENDS_AXIS, .nrows = 3,
   .meaning = "B slides on a plane of A, whose normal is the axis.",
   .rows = {IN_PLANE(AXIS_Z), PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"z", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE},
};
/* clang-format on */

const trmi_joint_type *trmi_joint_type_at(int i) {
  return i >= 0 && i < (int)(sizeof types / sizeof *types) ? &types[i] : NULL;
}

const trmi_joint_type *trmi_joint_type_find(const char *name) {
  for (int i = 0; trmi_joint_type_at(i) != NULL; i++) {
    if (strcmp(types[i].name, name) == 0) return &types[i];
  }
  return NULL;
}
