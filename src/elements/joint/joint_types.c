/* joint_types.c - the registry of joints.
 *
 * Axis z of the markers is the axis of the joint; rows are those of rows.h between marker A and
 * marker B. A new joint is one entry here; its `build` creates rows that rows.h does not provide
 * from nodes (docs/dev/add-an-element.md). */
#include "elements/joint/joint_types.h"
#include <string.h>

#define SAME_POINT {.kind = TRMI_ROW_POINT}
#define PERPENDICULAR(i, j) {.kind = TRMI_ROW_DOT, .a = (i), .b = (j)}
#define IN_PLANE(i) {.kind = TRMI_ROW_ALONG, .a = (i)}
#define SAME_DISTANCE {.kind = TRMI_ROW_DISTANCE}
#define EQUAL_TURN {.kind = TRMI_ROW_TWIST}

enum { AXIS_X, AXIS_Y, AXIS_Z };

/* Coordinates. ANGLES: B is rotated about x of A, then about the new y, then about the new z, so
 * z_B = (s2, -s1 c2, c1 c2) in axes of A and x_A = (c2 c3, -c2 s3, s2) in axes of B. ARMS: about z
 * of A, then about z of B, zero where x of A is z of B and x of B is z of A. */
#define SLIDE(text, axis) {.name = (text), .kind = TRMI_DISPLACEMENT, .a = (axis), .v = TRMI_TO_B}
#define DISPLACEMENT SLIDE("displacement", AXIS_Z)
#define ACROSS SLIDE("x", AXIS_X), SLIDE("y", AXIS_Y)
#define ANGLE {.name = "angle", .kind = TRMI_ROTATION, .a = AXIS_Y, .v = AXIS_X, .a2 = AXIS_X, \
               .v2 = AXIS_X}
#define ANGLE_1 {.name = "angle1", .kind = TRMI_ROTATION, .a = AXIS_Y, .v = AXIS_Z, \
                 .is_negative = true, .a2 = AXIS_Z, .v2 = AXIS_Z}
#define ANGLE_2 {.name = "angle2", .kind = TRMI_ELEVATION, .a = AXIS_X, .v = AXIS_Z}
#define ANGLE_3 {.name = "angle3", .kind = TRMI_ROTATION, .a = AXIS_X, .v = AXIS_Y, \
                 .is_negative = true, .a2 = AXIS_X, .v2 = AXIS_X}
#define ANGLES ANGLE_1, ANGLE_2, ANGLE_3
#define ARMS {.name = "angle1", .kind = TRMI_ROTATION, .a = AXIS_Y, .v = AXIS_Z, .a2 = AXIS_X, \
              .v2 = AXIS_Z}, \
             {.name = "angle2", .kind = TRMI_ROTATION, .a = AXIS_Z, .v = AXIS_Y, \
              .is_negative = true, .a2 = AXIS_Z, .v2 = AXIS_X}
#define ROUND(text) {.name = (text), .kind = TRMI_ROTATION, .a = AXIS_Y, .v = TRMI_TO_B, \
                     .a2 = AXIS_X, .v2 = TRMI_TO_B}
/* Of a wheel with axis z of B: heading, elevation of its axis above the plane, angle about its
 * axis. */
#define HEADING {.name = "heading", .kind = TRMI_ROTATION, .a = AXIS_X, .v = AXIS_Z, \
                 .is_negative = true, .a2 = AXIS_Y, .v2 = AXIS_Z}
#define LEAN {.name = "lean", .kind = TRMI_ELEVATION, .a = AXIS_Z, .v = AXIS_Z}
#define SPIN                                                                              \
  {                                                                                       \
    .name = "spin", .kind = TRMI_ROTATION, .a = AXIS_Z, .v = AXIS_Y, .is_negative = true, \
    .a2 = AXIS_Z, .v2 = AXIS_X                                                            \
  }

/* clang-format off */
static const trmi_joint_type types[] = {
  {.name = "fixed", .ends = TRMI_ENDS_POINT, .nrows = 4,
   .rows = {SAME_POINT, PERPENDICULAR(AXIS_X, AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "z", "e1", "e2", "e3"}},
  {.name = "revolute", .ends = TRMI_ENDS_AXIS, .nrows = 3,
   .rows = {SAME_POINT, PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "z", "e1", "e2"}, .coordinates = {ANGLE},
   .slip = TRMI_SLIP_ABOUT},
  {.name = "translational", .ends = TRMI_ENDS_AXIS, .nrows = 5,
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z), PERPENDICULAR(AXIS_X, AXIS_Y)},
   .row_names = {"x", "y", "e1", "e2", "e3"}, .coordinates = {DISPLACEMENT},
   .slip = TRMI_SLIP_ALONG},
  {.name = "cylindrical", .ends = TRMI_ENDS_AXIS, .nrows = 4,
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "e1", "e2"}, .coordinates = {ANGLE, DISPLACEMENT},
   .slip = TRMI_SLIP_SCREW},
  {.name = "spherical", .ends = TRMI_ENDS_POINT, .nrows = 1,
   .rows = {SAME_POINT}, .row_names = {"x", "y", "z"}, .coordinates = {ANGLES},
   .slip = TRMI_SLIP_BALL},
  {.name = "planar", .ends = TRMI_ENDS_AXIS, .nrows = 3,
   .rows = {IN_PLANE(AXIS_Z), PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"z", "e1", "e2"}, .coordinates = {ACROSS, ANGLE}, .slip = TRMI_SLIP_PLANE,
   .check = trmi_check_offset},
  {.name = "universal", .ends = TRMI_ENDS_ACROSS, .nrows = 2,
   .rows = {SAME_POINT, PERPENDICULAR(AXIS_Z, AXIS_Z)}, .row_names = {"x", "y", "z", "e1"},
   .coordinates = {ARMS}, .slip = TRMI_SLIP_BALL},
  {.name = "constant_velocity", .ends = TRMI_ENDS_BENT, .nrows = 2,
   .rows = {SAME_POINT, EQUAL_TURN}, .row_names = {"x", "y", "z", "e1"},
   .coordinates = {ANGLE_1, ANGLE_2}, .slip = TRMI_SLIP_BALL},
  {.name = "screw", .ends = TRMI_ENDS_AXIS, .nrows = 4, .node_rows = 1,
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"x", "y", "e1", "e2"}, .coordinates = {ANGLE, DISPLACEMENT}, .is_tied = true,
   .slip = TRMI_SLIP_SCREW, .memories = 1, .check = trmi_check_screw, .build = trmi_build_screw},
  {.name = "distance", .ends = TRMI_ENDS_POINTS, .nrows = 1, .rows = {SAME_DISTANCE},
   .row_names = {"d"}, .check = trmi_check_distance,
   .coordinates = {ROUND("azimuth"), {.name = "elevation", .kind = TRMI_ELEVATION, .a = AXIS_Z,
                                      .v = TRMI_TO_B}, ANGLES}},
  {.name = "revolute_spherical", .ends = TRMI_ENDS_AXIS_POINTS, .nrows = 2,
   .rows = {IN_PLANE(AXIS_Z), SAME_DISTANCE}, .row_names = {"z", "d"}, .check = trmi_check_rod,
   .coordinates = {ROUND("angle"), ANGLES}},
  {.name = "point_on_line", .ends = TRMI_ENDS_AXIS, .nrows = 2,
   .rows = {IN_PLANE(AXIS_X), IN_PLANE(AXIS_Y)}, .row_names = {"x", "y"},
   .coordinates = {DISPLACEMENT, ANGLES}, .slip = TRMI_SLIP_ALONG},
  {.name = "point_on_plane", .ends = TRMI_ENDS_AXIS, .nrows = 1,
   .rows = {IN_PLANE(AXIS_Z)}, .row_names = {"z"}, .coordinates = {ACROSS, ANGLES},
   .slip = TRMI_SLIP_PLANE, .check = trmi_check_offset},
  {.name = "parallel", .ends = TRMI_ENDS_AXIS, .nrows = 2,
   .rows = {PERPENDICULAR(AXIS_X, AXIS_Z), PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"e1", "e2"}, .coordinates = {ACROSS, SLIDE("z", AXIS_Z), ANGLE}},
  {.name = "perpendicular", .ends = TRMI_ENDS_ACROSS, .nrows = 1,
   .rows = {PERPENDICULAR(AXIS_Z, AXIS_Z)}, .row_names = {"e1"},
   .coordinates = {ACROSS, SLIDE("z", AXIS_Z), ARMS}},
  {.name = "orientation", .ends = TRMI_ENDS_POINT, .nrows = 3,
   .rows = {PERPENDICULAR(AXIS_X, AXIS_Y), PERPENDICULAR(AXIS_X, AXIS_Z),
            PERPENDICULAR(AXIS_Y, AXIS_Z)},
   .row_names = {"e1", "e2", "e3"}, .coordinates = {ACROSS, SLIDE("z", AXIS_Z)}},
  {.name = "gear", .ends = TRMI_ENDS_NONE, .node_rows = 1, .memories = 1,
   .build = trmi_build_gear},
  {.name = "rack", .ends = TRMI_ENDS_NONE, .node_rows = 1, .memories = 1,
   .build = trmi_build_rack},
  {.name = "coupler", .ends = TRMI_ENDS_NONE, .node_rows = 1, .memories = 1,
   .build = trmi_build_coupler},
  {.name = "constraint", .ends = TRMI_ENDS_NONE, .node_rows = 1, .build = trmi_build_constraint},
  {.name = "curve", .ends = TRMI_ENDS_POINT, .node_rows = 3, .scalars = 1,
   .build = trmi_build_curve, .coordinates = {{.name = "parameter", .kind = TRMI_OWN}, ANGLES}},
  {.name = "rolling", .ends = TRMI_ENDS_WHEEL, .node_rows = 1, .rolling_rows = 2,
   .coordinates = {ACROSS, HEADING, LEAN, SPIN}, .build = trmi_build_rolling},
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

int trmi_coordinate_count(const trmi_joint_type *type) {
  int count = 0;
  while (count < TRMI_COORDINATES_MAX && type->coordinates[count].name != NULL) count++;
  return count;
}

int trmi_coordinate_find(const trmi_joint_type *type, const char *name, size_t length) {
  const int count = trmi_coordinate_count(type);
  for (int k = 0; k < count; k++) {
    const char *known = type->coordinates[k].name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return k;
  }
  return -1;
}

int trmi_coordinate_named(const trmi_joint_type *type, const char *name) {
  return trmi_coordinate_find(type, name, strlen(name));
}

bool trmi_coordinate_is_hinge(const trmi_coordinate *c) {
  return c->kind == TRMI_ROTATION && strcmp(c->name, "angle") == 0 && c->v != TRMI_TO_B;
}
