/** @file
 * Fields of the shapes of bodies, in pictures, volumes and contacts; see trammel/part_fields.h. */
#ifndef TRM_SHAPE_FIELDS_H
#define TRM_SHAPE_FIELDS_H
#include "trammel/part_fields.h"

/** Shapes of bodies. */
#define TRM_FIELDS_BOX(F, S)                                                                       \
  F(S, D3, size, "size", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED, POSITIVE,                     \
    .meaning = "Lengths of its edges.")                                                            \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Its middle, body axes.")                                                           \
  F(S, D1, rounding, "rounding", NUMBER, DERIVED, UNIT("m"), INITIAL(0), NOT_NEGATIVE,             \
    .meaning = "Radius of its edges and corners in contacts; its volume does not count it.")
#define TRM_FIELDS_CYLINDER(F, S)                                                                  \
  F(S, D3, from, "from", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED,                               \
    .meaning = "Middle of one end, body axes.")                                                    \
  F(S, D3, to, "to", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED,                                   \
    .meaning = "Middle of the other end.")                                                         \
  F(S, D1, radius, "radius", NUMBER, DERIVED, UNIT("m"), REQUIRED, POSITIVE,                       \
    .meaning = "Its radius.")                                                                      \
  F(S, D1, rounding, "rounding", NUMBER, DERIVED, UNIT("m"), INITIAL(0), NOT_NEGATIVE,             \
    .meaning = "Radius of its rims in contacts; its volume does not count it.")
#define TRM_FIELDS_SPHERE(F, S)                                                                    \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Its middle, body axes.")                                                           \
  F(S, D1, radius, "radius", NUMBER, DERIVED, UNIT("m"), REQUIRED, POSITIVE,                       \
    .meaning = "Its radius.")
#define TRM_FIELDS_CAPSULE(F, S)                                                                   \
  F(S, D3, from, "from", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED,                               \
    .meaning = "Middle of one half sphere, body axes.")                                            \
  F(S, D3, to, "to", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED,                                   \
    .meaning = "Middle of the other.")                                                             \
  F(S, D1, radius, "radius", NUMBER, DERIVED, UNIT("m"), REQUIRED, POSITIVE,                       \
    .meaning = "Its radius.")
#define TRM_FIELDS_LINE(F, S)                                                                      \
  F(S, LIST, points, "points", MATRIX("nx3"), DERIVED, UNIT("m"), REQUIRED,                        \
    .meaning = "The points, body axes.")
#define TRM_FIELDS_SURFACE(F, S)                                                                   \
  F(S, D1, radius, "radius", NUMBER, DERIVED, UNIT("m"), INITIAL(0), NOT_NEGATIVE,                 \
    .meaning = "Radius around its corners, edges and faces in contacts, where it is larger by as " \
               "much; its volume does not count it.")
#define TRM_FIELDS_MESH(F, S)                                                                      \
  F(S, T1, file, "file", TEXT,                                                                     \
    .meaning = "The file, STL or OBJ, relative to this one; it, or points and triangles, are "     \
               "needed.")                                                                          \
  F(S, LIST, points, "points", MATRIX("nx3"), UNIT("m"),                                           \
    .meaning = "Instead of a file its points, body axes.")                                         \
  F(S, LIST, triangles, "triangles", MATRIX("nx3"), UNIT("1"),                                     \
    .meaning = "And its triangles: numbers of three points each, from 0, counterclockwise from "   \
               "outside.")                                                                         \
  F(S, D1, scale, "scale", NUMBER, DERIVED, INITIAL(1), POSITIVE,                                  \
    .meaning = "Length of one in the file, or among the points.")                                  \
  TRM_FIELDS_SURFACE(F, S)
#define TRM_FIELDS_HULL(F, S)                                                                      \
  F(S, LIST, points, "points", MATRIX("nx3"), REQUIRED, UNIT("m"),                                 \
    .meaning = "The points that it surrounds, body axes; four at least.")                          \
  TRM_FIELDS_SURFACE(F, S)
#define TRM_FIELDS_PLANE(F, S)                                                                     \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "A point of it, body axes.")                                                        \
  F(S, D3, normal, "normal", NUMBERS("3"), DERIVED, .fallback = "[0, 0, 1]",                       \
    .meaning = "Its normal, body axes; the half space behind it is inside the body.")
#define TRM_FIELDS_TORUS(F, S)                                                                     \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Its middle, body axes.")                                                           \
  F(S, D3, axis, "axis", NUMBERS("3"), DERIVED, .fallback = "[0, 0, 1]",                           \
    .meaning = "Its axis, body axes.")                                                             \
  F(S, D1, radius, "radius", NUMBER, DERIVED, UNIT("m"), REQUIRED, POSITIVE,                       \
    .meaning = "Radius of the circle in the middle of its tube.")                                  \
  F(S, D1, tube, "tube", NUMBER, DERIVED, UNIT("m"), REQUIRED, POSITIVE,                           \
    .meaning = "Radius of the tube.")
#define TRM_FIELDS_ELLIPSOID(F, S)                                                                 \
  F(S, D3, radii, "radii", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED, POSITIVE,                   \
    .meaning = "Half of its length along each axis.")                                              \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Its middle, body axes.")
#define TRM_FIELDS_PROFILE(F, S)                                                                   \
  F(S, LIST, outline, "outline", MATRIX("nx3"), REQUIRED, UNIT("m"),                               \
    .meaning = "Its points, each with x, y and the radius of the arc to the next point: 0 for a "  \
               "line, negative for a hollow arc. Arcs are half circles at most.")                  \
  F(S, INT, copies, "copies", COUNT, INITIAL(1), BETWEEN(1, 10000),                                \
    .meaning = "Teeth: the points are repeated so often around the origin, each time turned by "   \
               "an equal part of a full turn, counterclockwise.")                                  \
  F(S, D1, height, "height", NUMBER, DERIVED, UNIT("m"), REQUIRED, POSITIVE,                       \
    .meaning = "Its length along the axis.")                                                       \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Origin of the outline, at half its height, body axes.")                            \
  F(S, D3, axis, "axis", NUMBERS("3"), DERIVED, .fallback = "[0, 0, 1]",                           \
    .meaning = "Its axis, body axes.")                                                             \
  F(S, D3, x, "x", NUMBERS("3"), DERIVED, .fallback = "that of the body, or y",                    \
    .meaning = "Direction of the x axis of the outline, body axes.")
#define TRM_FIELDS_TERRAIN(F, S)                                                                   \
  F(S, LIST, points, "points", MATRIX("nx3"), REQUIRED, UNIT("m"),                                 \
    .meaning = "Its points x, y, z, one for each node of a rectangular grid, in any order; lines " \
               "of the grid need not be equally far apart.")                                       \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Origin of the points, body axes.")

/** Their kinds. */
#define TRM_KINDS_OF_SHAPES(K)                                                                     \
  K(box, BOX, "box", "A box along the axes of the body.")                                          \
  K(cylinder, CYLINDER, "cylinder", "A cylinder.")                                                 \
  K(sphere, SPHERE, "sphere", "A sphere.")                                                         \
  K(capsule, CAPSULE, "capsule", "A cylinder with half spheres as ends.")                          \
  K(torus, TORUS, "torus", "A ring, such as a tyre.")                                              \
  K(ellipsoid, ELLIPSOID, "ellipsoid", "An ellipsoid along the axes of the body.")                 \
  K(profile, PROFILE, "profile", "An outline of lines and arcs, extruded.")                        \
  K(plane, PLANE, "plane", "A plane; the body fills the half space behind it. It has no volume.")  \
  K(terrain, TERRAIN, "terrain", "A smooth surface through heights z over a grid; the body fills " \
    "the space below. Beyond its borders it continues straight. It has no volume.")                \
  K(line, LINE, "line", "A line through points; it has no volume.")                                \
  K(hull, HULL, "hull", "The convex hull of points.")                                              \
  K(mesh, MESH, "mesh", "A surface of triangles, from a file or by its points.")

#endif
