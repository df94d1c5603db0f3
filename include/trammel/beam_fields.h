/** @file
 * Fields of beams, as a list: see trammel/part_fields.h. */
#ifndef TRM_BEAM_FIELDS_H
#define TRM_BEAM_FIELDS_H
#include "trammel/part_fields.h"

/** Beams. */
#define TRM_FIELDS_BEAM(F, S)                                                                      \
  F(S, T2, markers, "markers", TEXTS("2"),                                                         \
    .meaning = "The markers it lies between at the start, on a straight line: from, to.")          \
  F(S, LIST, points, "points", MATRIX("2+x3"), DERIVED, UNIT("m"),                                 \
    .meaning = "Or the points of a smooth line it follows at the start, ground axes. If "          \
               "there are as many points as nodes, they are the nodes.")                           \
  F(S, GROUP, arc, "arc", IS_MAP,                                                                  \
    .meaning = "Or an arc of a circle it follows at the start.")                                   \
  F(S, D3, arc_from, "arc.from", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED,                       \
    .meaning = "Its first end, ground axes.")                                                      \
  F(S, D3, arc_centre, "arc.centre", NUMBERS("3"), DERIVED, UNIT("m"), REQUIRED,                   \
    .meaning = "A point of the axis of the circle, ground axes.")                                  \
  F(S, D3, arc_axis, "arc.axis", NUMBERS("3"), DERIVED, REQUIRED,                                  \
    .meaning = "Direction of that axis, ground axes.")                                             \
  F(S, D1, arc_angle, "arc.angle", NUMBER, DERIVED, UNIT("rad"), REQUIRED,                         \
    BETWEEN(-6.3, 6.3),                                                                            \
    .meaning = "Angle about the axis from the first end to the last, up to a full turn.")          \
  F(S, T1, fix, "fix", WORD("first|last|both"), .fallback = "none",                                \
    .meaning = "Ends that are clamped: to the body of the marker there, with points to the "       \
               "ground. Expressions know the reaction, rod.first.force.x.")                        \
  F(S, INT, elements, "elements", COUNT, INITIAL(8), BETWEEN(1, 100000),                           \
    .meaning = "Number of elements.")                                                              \
  F(S, INT, nodes, "nodes", COUNT, INITIAL(3), BETWEEN(2, 4),                                      \
    .meaning = "Nodes of an element, 2 to 4.")                                                     \
  F(S, D3, y, "y", NUMBERS("3"), DERIVED, .fallback = "chosen",                                    \
    .meaning = "Direction of the y axis of its first section at the start, ground axes. The "      \
               "others follow along the line without turning about it.")                           \
  F(S, D1, twist, "twist", NUMBER, DERIVED, UNIT("rad"), INITIAL(0),                               \
    .meaning = "Angle by which the section turns from the first end to the last.")                 \
  F(S, D36, stiffness, "stiffness", NUMBERS_OR_MATRIX("6|6x6"), LIVE,                              \
    .meaning = "Of the section: EA, GAy, GAz, GJ, EIy, EIz, or a full matrix in this order.")      \
  TRM_FIELDS_SECTION(F, S)                                                                         \
  F(S, D1, mass, "mass", NUMBER, DERIVED, UNIT("kg/m"), NOT_NEGATIVE,                              \
    .meaning = "Mass of a unit of length; it or density is needed. Zero is for static alone.")     \
  F(S, D1, density, "density", NUMBER, DERIVED, UNIT("kg/m^3"), NOT_NEGATIVE,                      \
    .meaning = "Instead of mass: times area.")                                                     \
  F(S, D3, inertia, "inertia", NUMBERS("3"), DERIVED, UNIT("kg*m"),                                \
    .fallback = "mass*EI/EA", POSITIVE,                                                            \
    .meaning = "Inertia of a unit of length about the axes of the section.")                       \
  F(S, D1, damping, "damping", NUMBER, LIVE, UNIT("s"), INITIAL(0), NOT_NEGATIVE,                  \
    .meaning = "Damping of strain rates, as a factor of the stiffness.")                           \
  F(S, D1, averaged, "averaged", NUMBER, UNIT("Hz"), POSITIVE, .fallback = "none",                 \
    .meaning = "Vibrations of the free beam from this frequency on are averaged by the "           \
               "integrator `smooth`; others ignore it.")                                           \
  F(S, D3, load, "load", NUMBERS("3"), LIVE, UNIT("N/m"), INITIAL(0),                              \
    .meaning = "Force on a unit of length, ground axes.")                                          \
  F(S, D3, follower, "follower", NUMBERS("3"), LIVE, UNIT("N/m"), INITIAL(0),                      \
    .meaning = "Force on a unit of length, axes of the section, which it follows.")                \
  F(S, D3, velocity, "velocity", NUMBERS("3"), LIVE, UNIT("m/s"), INITIAL(0),                      \
    .meaning = "Velocity of its first end at the start, ground axes.")                             \
  F(S, D3, angular_velocity, "angular_velocity", NUMBERS("3"), LIVE, UNIT("rad/s"), INITIAL(0),    \
    .meaning = "Angular velocity of the whole beam at the start, ground axes.")                    \
  F(S, D1, radius, "radius", NUMBER, DERIVED, UNIT("m"), POSITIVE,                                 \
    .fallback = "that of a round section of its area",                                             \
    .meaning = "Its radius in contacts and pictures.")                                             \
  F(S, T1, color, "color", TEXT, .fallback = "chosen",                                             \
    .meaning = "Name of a colour, or #rrggbb in quotes.")

#endif
