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
   .row_names = {"x", "y", "z", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE,
   .slip = TRMI_SLIP_ABOUT},
  {.name = "translational", .ends = TRMI_ENDS_AXIS, .nrows = 5,
   .meaning = "B slides along an axis of A without turning.",
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z), PERPENDICULAR(AXIS_X, AXIS_Y)},
   .row_names = {"x", "y", "e1", "e2", "e3"}, .coordinates = TRMI_HAS_DISPLACEMENT,
   .slip = TRMI_SLIP_ALONG},
  {.name = "cylindrical", .ends = TRMI_ENDS_AXIS, .nrows = 4,
   .meaning = "B turns about and slides along an axis of A.",
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE | TRMI_HAS_DISPLACEMENT,
   .slip = TRMI_SLIP_SCREW},
  {.name = "spherical", .ends = TRMI_ENDS_POINT, .meaning = "A and B share a point.", .nrows = 1,
   .rows = {SAME_POINT}, .row_names = {"x", "y", "z"}, .slip = TRMI_SLIP_BALL},
  {.name = "planar", .ends = TRMI_ENDS_AXIS, .nrows = 3, .keys = "offset",
   .meaning = "B slides on a plane of A, whose normal is the axis.",
   .rows = {IN_PLANE(AXIS_Z), PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"z", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE, .slip = TRMI_SLIP_PLANE,
   .check = trmi_check_offset},
  {.name = "universal", .ends = TRMI_ENDS_ACROSS, .nrows = 2, .keys = "axis2",
   .meaning = "A and B share a point; an axis of A and one of B, the arms of a cross, stay "
              "perpendicular.",
   .rows = {SAME_POINT, PERPENDICULAR(AXIS_Z, AXIS_Z)}, .row_names = {"x", "y", "z", "e1"},
   .slip = TRMI_SLIP_BALL},
  {.name = "constant_velocity", .ends = TRMI_ENDS_BENT, .nrows = 2, .keys = "axis2",
   .meaning = "A and B share a point and turn about their axes by the same angle.",
   .rows = {SAME_POINT, EQUAL_TURN}, .row_names = {"x", "y", "z", "e1"}, .slip = TRMI_SLIP_BALL},
  {.name = "screw", .ends = TRMI_ENDS_AXIS, .nrows = 4, .keys = "pitch", .node_rows = 1,
   .meaning = "B turns about an axis of A and moves along it by the pitch in each turn.",
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "e1", "e2"}, .coordinates = TRMI_HAS_ANGLE | TRMI_HAS_DISPLACEMENT,
   .slip = TRMI_SLIP_SCREW, .memories = 1, .check = trmi_check_screw, .build = trmi_build_screw},
  {.name = "distance", .ends = TRMI_ENDS_POINTS, .nrows = 1, .keys = "points|length",
   .meaning = "A point of A and a point of B keep their distance.", .rows = {SAME_DISTANCE},
   .row_names = {"d"}, .check = trmi_check_distance},
  {.name = "revolute_spherical", .ends = TRMI_ENDS_AXIS_POINTS, .nrows = 2,
   .keys = "points|length|offset",
   .meaning = "A massless rod that turns about an axis of A and carries a ball on B.",
   .rows = {IN_PLANE(AXIS_Z), SAME_DISTANCE}, .row_names = {"z", "d"}, .check = trmi_check_rod},
  {.name = "point_on_line", .ends = TRMI_ENDS_AXIS, .nrows = 2,
   .meaning = "A point of B stays on a line of A.", .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y)},
   .row_names = {"x", "y"}, .coordinates = TRMI_HAS_DISPLACEMENT, .slip = TRMI_SLIP_ALONG},
  {.name = "point_on_plane", .ends = TRMI_ENDS_AXIS, .nrows = 1, .keys = "offset",
   .meaning = "A point of B stays on a plane of A, whose normal is the axis.",
   .rows = {IN_PLANE(AXIS_Z)}, .row_names = {"z"}, .slip = TRMI_SLIP_PLANE,
   .check = trmi_check_offset},
  {.name = "parallel", .ends = TRMI_ENDS_AXIS, .nrows = 2,
   .meaning = "An axis of B stays parallel to one of A.",
   .rows = {PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"e1", "e2"}, .coordinates = TRMI_HAS_ANGLE},
  {.name = "perpendicular", .ends = TRMI_ENDS_ACROSS, .nrows = 1, .keys = "axis2",
   .meaning = "An axis of B stays perpendicular to one of A.",
   .rows = {PERPENDICULAR(AXIS_Z, AXIS_Z)}, .row_names = {"e1"}},
  {.name = "orientation", .ends = TRMI_ENDS_POINT, .nrows = 3,
   .meaning = "B does not turn against A.",
   .rows = {PERPENDICULAR(AXIS_X, AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"e1", "e2", "e3"}},
  {.name = "gear", .ends = TRMI_ENDS_NONE, .keys = "joints|ratio|coordinates", .node_rows = 1,
   .memories = 1, .meaning = "The angle of a joint follows that of another by a ratio.",
   .build = trmi_build_gear},
  {.name = "rack", .ends = TRMI_ENDS_NONE, .keys = "joints|radius", .node_rows = 1, .memories = 1,
   .meaning = "The displacement of a joint follows the angle of another, that of a pinion.",
   .build = trmi_build_rack},
  {.name = "coupler", .ends = TRMI_ENDS_NONE, .keys = "joints|ratios|coordinates", .node_rows = 1,
   .memories = 1, .meaning = "A sum of coordinates of two or three joints keeps its value.",
   .build = trmi_build_coupler},
  {.name = "constraint", .ends = TRMI_ENDS_NONE, .keys = "equals", .node_rows = 1,
   .meaning = "An expression of positions is held at zero.", .build = trmi_build_constraint},
  {.name = "curve", .ends = TRMI_ENDS_POINT, .keys = "path", .node_rows = 3, .scalars = 1,
   .meaning = "A point of B stays on a curve of A.", .build = trmi_build_curve},
  {.name = "rolling", .ends = TRMI_ENDS_WHEEL, .keys = "radius|normal", .node_rows = 1,
   .rolling_rows = 2, .meaning = "A wheel on B rolls on a plane of A and does not slip.",
   .build = trmi_build_rolling},
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
