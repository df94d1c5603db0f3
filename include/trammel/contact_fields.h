/** @file
 * Fields of contacts and of friction; see trammel/part_fields.h. */
#ifndef TRM_CONTACT_FIELDS_H
#define TRM_CONTACT_FIELDS_H
#include "trammel/part_fields.h"

/** Friction of joints. */
#define TRM_FIELDS_FRICTION(F, S)                                                                  \
  F(S, GROUP, friction, "friction", IS_MAP, .meaning = "Dry friction in the joint.")               \
  F(S, T1, friction_model, "friction.model", WORD("regularized|bristle"),                          \
    .fallback = "regularized",                                                                     \
    .meaning = "regularized: a joint at rest creeps slower than velocity; bristle: it sticks, "    \
               "by states, as friction of contacts does.")                                         \
  F(S, D1, friction_static, "friction.static", NUMBER, LIVE, UNIT("1"), .fallback = "dynamic",     \
    NOT_NEGATIVE, .meaning = "Coefficient at rest.")                                               \
  F(S, D1, friction_dynamic, "friction.dynamic", NUMBER, LIVE, UNIT("1"), .fallback = "static",    \
    NOT_NEGATIVE, .meaning = "Coefficient in motion.")                                             \
  F(S, D1, friction_velocity, "friction.velocity", NUMBER, LIVE, UNIT("m/s"),                      \
    .fallback = "1 mm/s",                                                                          \
    POSITIVE, .meaning = "Speed of sliding below which the joint counts as at rest; of a joint "   \
                         "that turns, at its radius. bristle: around which the coefficient falls " \
                         "from static to dynamic.")                                                \
  F(S, D1, friction_depth, "friction.depth", NUMBER, LIVE, UNIT("m"), POSITIVE,                    \
    .fallback = "10 um",                                                                           \
    .meaning = "bristle: displacement at which it breaks away; of a joint that turns, at its "     \
               "radius.")                                                                          \
  F(S, D1, friction_time, "friction.time", NUMBER, LIVE, UNIT("s"), POSITIVE,                      \
    .fallback = "2 sqrt(depth/(static g))", .meaning = "bristle: time of its damping.")            \
  F(S, D1, friction_viscous, "friction.viscous", NUMBER, LIVE, INITIAL(0), NOT_NEGATIVE,           \
    .meaning = "Force or torque for each unit of speed.")                                          \
  F(S, D1, friction_radius, "friction.radius", NUMBER, LIVE, UNIT("m"), POSITIVE,                  \
    .meaning = "Arm of the friction of a joint that turns; of one that slides, arm by which "      \
               "torques load it.")                                                                 \
  F(S, D1, friction_length, "friction.length", NUMBER, LIVE, UNIT("m"),                            \
    .fallback = "none", POSITIVE,                                                                  \
    .meaning = "Length of the bearing along the axis, of revolute, cylindrical, screw and "        \
               "translational joints: torques across the axis load its ends. Without it they "     \
               "load nothing, as in a bearing that aligns itself.")                                \
  F(S, D1, friction_preload, "friction.preload", NUMBER, LIVE, UNIT("N"), INITIAL(0),              \
    NOT_NEGATIVE,                                                                                  \
    .meaning = "Constant normal force.")

/** Contacts. */
#define TRM_FIELDS_CONTACT(F, S)                                                                   \
  F(S, T2, between, "between", TEXTS("2"), REQUIRED,                                               \
    .meaning = "The two that touch: a body with all its shapes, one shape, ground.floor (a "       \
               "single `shape` is ball.shape), or a group; a group with itself: any two of its "   \
               "bodies. Forces are those on the second.")                                          \
  F(S, D1, stiffness, "stiffness", NUMBER, LIVE, REQUIRED, POSITIVE,                               \
    .meaning = "Normal force at a penetration of one, in N/m^exponent: N = stiffness "             \
               "p^exponent (1 + damping p').")                                                     \
  F(S, D1, exponent, "exponent", NUMBER, LIVE, UNIT("1"), INITIAL(1.5), BETWEEN(1, 10),            \
    .meaning = "Exponent of the penetration.")                                                     \
  F(S, D1, restitution, "restitution", NUMBER, LIVE, UNIT("1"), BETWEEN(0.01, 1),                  \
    .fallback = "1 without damping",                                                               \
    .meaning = "Speed after an impact over the speed before, the same at every speed above "       \
               "2 cm/s; slower ones come to rest.")                                                \
  F(S, D1, damping, "damping", NUMBER, LIVE, UNIT("s/m"), NOT_NEGATIVE, .fallback = "0",           \
    .meaning = "Instead of restitution: part of the force for each unit of speed; slow impacts "   \
               "bounce more than fast ones.")                                                      \
  F(S, GROUP, impact, "impact", IS_MAP,                                                            \
    .meaning = "Instead of both: damping as in the function IMPACT.")                              \
  F(S, D1, impact_damping, "impact.damping", NUMBER, LIVE, UNIT("N*s/m"), REQUIRED, NOT_NEGATIVE,  \
    .meaning = "Force for each unit of speed where it is full.")                                   \
  F(S, D1, impact_depth, "impact.depth", NUMBER, LIVE, UNIT("m"), REQUIRED, POSITIVE,              \
    .meaning = "Penetration at which it is full.")                                                 \
  F(S, GROUP, friction, "friction", IS_MAP, .meaning = "Dry friction.")                            \
  F(S, T1, friction_model, "friction.model", WORD("bristle|regularized"), .fallback = "bristle",   \
    .meaning = "bristle: it sticks; regularized: cheaper, but bodies at rest creep slower "        \
               "than velocity.")                                                                   \
  F(S, D1, friction_static, "friction.static", NUMBER, LIVE, UNIT("1"), .fallback = "dynamic",     \
    POSITIVE, .meaning = "Coefficient at rest.")                                                   \
  F(S, D1, friction_dynamic, "friction.dynamic", NUMBER, LIVE, UNIT("1"), .fallback = "static",    \
    POSITIVE, .meaning = "Coefficient in motion.")                                                 \
  F(S, D1, friction_velocity, "friction.velocity", NUMBER, LIVE, UNIT("m/s"), POSITIVE,            \
    .fallback = "1 mm/s",                                                                          \
    .meaning = "Speed of sliding around which the coefficient falls from static to dynamic; "      \
               "regularized: below which it counts as at rest.")                                   \
  F(S, D1, friction_depth, "friction.depth", NUMBER, LIVE, UNIT("m"), POSITIVE,                    \
    .fallback = "10 um",                                                                           \
    .meaning = "bristle: displacement at which it breaks away; 0.1 mm for rubber, 2 mm for tyre.") \
  F(S, D1, friction_time, "friction.time", NUMBER, LIVE, UNIT("s"), POSITIVE,                      \
    .fallback = "2 sqrt(depth/(static g))",                                                        \
    .meaning = "bristle: time of its damping.")                                                    \
  F(S, D1, friction_torsion, "friction.torsion", NUMBER, LIVE, UNIT("m"), POSITIVE,                \
    .fallback = "none",                                                                            \
    .meaning = "Arm of the friction against turning about the normal, that of the area of "        \
               "contact.")                                                                         \
  F(S, D1, friction_rolling, "friction.rolling", NUMBER, LIVE, UNIT("m"), POSITIVE,                \
    .fallback = "none",                                                                            \
    .meaning = "Arm of rolling resistance: its torque over the normal force.")                     \
  F(S, D1, impact_tolerance, "impact_tolerance", NUMBER, LIVE, UNIT("1"), BETWEEN(1e-6, 0.1),      \
    .fallback = "that of the simulation, 1e-3",                                                    \
    .meaning = "Error of the speed in a step of an impact, as part of the speed before.")          \
  F(S, T64, except, "except", ANY_TEXTS, .fallback = "none",                                       \
    .meaning = "Of groups: bodies that never touch, two names each with a blank between them, "    \
               "[arm hand, 'link* rail']; * stands for any letters.")                              \
  F(S, T1, joined, "joined", WORD("skip|touch"), .fallback = "skip",                               \
    .meaning = "Of groups: bodies that a joint connects do not touch each other, or do.")          \
  F(S, T1, pins, "pins", WORD("along|free"), .fallback = "along",                                  \
    .meaning = "Capsules and cylinders that lie along a profile at the start, up to 2 deg, stay "  \
               "so; free: they may turn. Others may always.")                                      \
  F(S, INT, places, "places", COUNT, BETWEEN(1, 1e6),                                              \
    .fallback = "8 for each shape and 16, or all pairs",                                           \
    .meaning = "Of groups: how many pairs of shapes may be near each other at the same time.")

/** Groups of shapes. */
#define TRM_FIELDS_SHAPE_GROUP(F, S)                                                               \
  F(S, T64, members, "members", ANY_TEXTS, REQUIRED,                                               \
    .meaning = "Bodies with all their shapes, or single shapes, cup.wall; in names * stands for "  \
               "any letters: [ball*, cup.wall].")                                                  \
  F(S, T64, except, "except", ANY_TEXTS, .fallback = "none",                                       \
    .meaning = "Names likewise of those that do not belong to it.")

/** Their kinds. */
#define TRM_KINDS_OF_CONTACTS(K) K(contact, CONTACT, NULL, "One contact.")
#define TRM_KINDS_OF_GROUPS(K) K(group, SHAPE_GROUP, NULL, "One group.")

#endif
