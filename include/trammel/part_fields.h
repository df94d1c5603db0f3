/** @file
 * Fields of all kinds of parts, as lists.
 *
 * Each kind is one list. From it come its struct (trammel/parts.h) and the table that readers, the
 * JSON Schema, the reference page and the checks of ranges and units use (src/parts), so that they
 * cannot drift apart. A line of a list is
 *     F(S, STORE, member, "key", properties ..)
 * with the key of the model file and the member of the struct, whose dots are underscores. Stores
 * are D1 one number, D3 .. D144 a list of numbers, INT a count, T1 a text, T2 .. T64 texts, LIST
 * numbers without a fixed length, GROUP a key that only holds others, PARTS parts of their own.
 * S is for the table. A number of a built system is LIVE (trm_system_set makes it count from the
 * next run on) or DERIVED (likewise, and others follow from it); all else needs a new build. */
#ifndef TRM_PART_FIELDS_H
#define TRM_PART_FIELDS_H

/** Numbers without a fixed count; they belong to the caller. */
typedef struct trm_numbers {
  const double *list;
  int           count;
} trm_numbers;

/** Fields that several kinds have. */
#define TRM_FIELDS_ORIENTATION(F, S, what)                                                         \
  F(S, GROUP, orientation, "orientation", IS_MAP, .fallback = "axes of " what,                     \
    .not_both = "quaternion|vector|angles|x",                                                      \
    .meaning = "Orientation against the axes of " what ": one of quaternion, vector, angles, or "  \
               "the directions of one or two axes.")                                               \
  F(S, D4, orientation_quaternion, "orientation.quaternion", NUMBERS("4"), DERIVED, UNIT("1"),     \
    .meaning = "Unit quaternion, scalar first.")                                                   \
  F(S, D3, orientation_vector, "orientation.vector", NUMBERS("3"), DERIVED, UNIT("rad"),           \
    .meaning = "Rotation vector: axis times angle.")                                               \
  F(S, D3, orientation_angles, "orientation.angles", NUMBERS("3"), DERIVED, UNIT("rad"),           \
    .meaning = "Three angles about the axes of sequence, each about the axis turned so far.")      \
  F(S, T1, orientation_sequence, "orientation.sequence", WORD(SEQUENCES), .fallback = "zxz",       \
    .meaning = "Axes of the angles.")                                                              \
  F(S, D3, orientation_x, "orientation.x", NUMBERS("3"), DERIVED,                                  \
    .meaning = "Direction of the x axis.")                                                         \
  F(S, D3, orientation_y, "orientation.y", NUMBERS("3"), DERIVED,                                  \
    .meaning = "Direction of the y axis; of a second direction the part across the first counts.") \
  F(S, D3, orientation_z, "orientation.z", NUMBERS("3"), DERIVED,                                  \
    .meaning = "Direction of the z axis.")
#define TRM_FIELDS_SECTION(F, S)                                                                   \
  F(S, D1, E, "E", NUMBER, DERIVED, UNIT("N/m^2"), POSITIVE, .meaning = "Young's modulus.")        \
  F(S, D1, G, "G", NUMBER, DERIVED, UNIT("N/m^2"), POSITIVE, .meaning = "Shear modulus.")          \
  F(S, D1, area, "area", NUMBER, DERIVED, UNIT("m^2"), POSITIVE,                                   \
    .meaning = "Area of the section.")                                                             \
  F(S, D1, Iy, "Iy", NUMBER, DERIVED, UNIT("m^4"), POSITIVE,                                       \
    .meaning = "Second moment of area about the y axis of the section.")                           \
  F(S, D1, Iz, "Iz", NUMBER, DERIVED, UNIT("m^4"), POSITIVE, .meaning = "About its z axis.")       \
  F(S, D1, J, "J", NUMBER, DERIVED, UNIT("m^4"), POSITIVE, .meaning = "Torsion constant.")         \
  F(S, D1, shear_y, "shear_y", NUMBER, DERIVED, UNIT("1"), INITIAL(1), POSITIVE,                   \
    .meaning = "Part of the area that carries shear along y.")                                     \
  F(S, D1, shear_z, "shear_z", NUMBER, DERIVED, UNIT("1"), INITIAL(1), POSITIVE,                   \
    .meaning = "And along z.")                                                                     \
  F(S, GROUP, section, "section", IS_MAP,                                                          \
    .one_of = "rectangle|ellipse|tube|box|I|channel|polygon",                                      \
    .meaning = "Instead of area, Iy, Iz, J, shear_y and shear_z: the shape of the section. Its "   \
               "centroid is on the line.")                                                         \
  F(S, D3, section_rectangle, "section.rectangle", NUMBERS("2"), DERIVED, UNIT("m"), POSITIVE,     \
    .meaning = "Width along y and height along z.")                                                \
  F(S, D3, section_ellipse, "section.ellipse", NUMBERS("2"), DERIVED, UNIT("m"), POSITIVE,         \
    .meaning = "Or its width and height.")                                                         \
  F(S, D3, section_tube, "section.tube", NUMBERS("2"), DERIVED, UNIT("m"), NOT_NEGATIVE,           \
    .meaning = "Or the outer and inner diameter of a round tube; an inner one of 0 is a bar.")     \
  F(S, D3, section_box, "section.box", NUMBERS("3"), DERIVED, UNIT("m"), POSITIVE,                 \
    .meaning = "Or width, height and wall thickness of a rectangular tube.")                       \
  F(S, D4, section_I, "section.I", NUMBERS("4"), DERIVED, UNIT("m"), POSITIVE,                     \
    .meaning = "Or width, height, thickness of the web and of the flanges of an I; its web is "    \
               "along z.")                                                                         \
  F(S, D4, section_channel, "section.channel", NUMBERS("4"), DERIVED, UNIT("m"), POSITIVE,         \
    .meaning = "Or the same of a channel, which is open to positive y.")                           \
  F(S, LIST, section_polygon, "section.polygon", MATRIX("2+x2"), DERIVED, UNIT("m"),               \
    .meaning = "Or the corners (y, z) of a polygon, from any origin.")

/** The mechanism as a whole. */
#define TRM_FIELDS_WORLD(F, S)                                                                     \
  F(S, D3, gravity, "gravity", NUMBERS("3"), LIVE, UNIT("m/s^2"), INITIAL(0), .fallback = "none",  \
    .meaning = "Acceleration of free fall, ground axes.")

/** Bodies. */
#define TRM_FIELDS_OF_BODIES(F, S)                                                                 \
  F(S, D1, mass, "mass", NUMBER, DERIVED, UNIT("kg"), POSITIVE,                                    \
    .meaning = "Mass; it or density is needed.")                                                   \
  F(S, D1, density, "density", NUMBER, DERIVED, UNIT("kg/m^3"), POSITIVE,                          \
    .meaning = "Instead of mass, inertia and com: they follow from the shape.")                    \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Origin of the body at the start, ground axes.")                                    \
  F(S, D3, velocity, "velocity", NUMBERS("3"), LIVE, UNIT("m/s"), INITIAL(0),                      \
    .meaning = "Velocity of the origin at the start, ground axes.")                                \
  F(S, T1, start, "start", WORD("given|guess"), .fallback = "given",                               \
    .meaning = "guess: the assembly moves this body before any that is given.")                    \
  F(S, T1, color, "color", TEXT, .fallback = "chosen",                                             \
    .meaning = "Name of a colour, or #rrggbb in quotes.")                                          \
  F(S, PARTS, markers, "markers", OF_KINDS(TRMI_MARKERS),                                          \
    .meaning = "Points with axes on the body, known as crank.end.")                                \
  F(S, PARTS, shape, "shape", ONE_OF_KINDS(TRMI_SHAPES),                                           \
    .meaning = "Its shape in pictures; with `density` also its volume.")                          \
  F(S, PARTS, shapes, "shapes", OF_KINDS(TRMI_SHAPES), .meaning = "Several shapes by name.")
#define TRM_FIELDS_BODY(F, S)                                                                      \
  TRM_FIELDS_OF_BODIES(F, S)                                                                       \
  F(S, D6, inertia, "inertia", NUMBERS("3|6"), DERIVED, UNIT("kg*m^2"),                            \
    .meaning = "Ixx, Iyy, Izz, or also Ixy, Ixz, Iyz (entries of the matrix), about the centre "   \
               "of mass, body axes.")                                                              \
  F(S, D3, com, "com", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                               \
    .meaning = "Centre of mass, from the origin of the body, body axes.")                          \
  TRM_FIELDS_ORIENTATION(F, S, "the ground")                                                       \
  F(S, D3, angular_velocity, "angular_velocity", NUMBERS("3"), LIVE, UNIT("rad/s"), INITIAL(0),    \
    .meaning = "Angular velocity at the start, body axes.")
#define TRM_FIELDS_MARKER(F, S)                                                                    \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Its origin, body axes.")                                                           \
  TRM_FIELDS_ORIENTATION(F, S, "the body")

/** Joints. */
/** Of joints between bodies. */
#define TRM_FIELDS_ENDS(F, S)                                                                      \
  F(S, T2, bodies, "bodies", TEXTS("2"),                                                           \
    .meaning = "The two bodies; angle, displacement and reaction are those of the second against " \
               "the first.")                                                                       \
  F(S, T2, markers, "markers", TEXTS("2"),                                                         \
    .meaning = "Or two markers, body.marker; the axis is their z axis.")
#define TRM_FIELDS_PLACE(F, S)                                                                     \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"),                                             \
    .meaning = "Place of the joint at the start, ground axes. With bodies it may only be left "    \
               "out by fixed and orientation, where it is the origin of the second body, and "     \
               "where an end has a place of its own: an interface, a node of a beam, a point, "    \
               "a marker.")
#define TRM_FIELDS_AXIS(F, S)                                                                      \
  F(S, D3, axis, "axis", NUMBERS("3"), DERIVED,                                                    \
    .meaning = "Direction of its axis at the start, ground axes; needed with bodies by joints "    \
               "that have one.")                                                                   \
  F(S, D3, x, "x", NUMBERS("3"), DERIVED, .fallback = "chosen",                                    \
    .meaning = "Direction of the x axis of its markers at the start, ground axes.")
#define TRM_FIELDS_AXIS2(F, S)                                                                     \
  F(S, D3, axis2, "axis2", NUMBERS("3"), DERIVED,                                                  \
    .meaning = "Direction of the axis on the second body at the start, ground axes; of a "         \
               "universal joint axis and axis2 are the arms of its cross.")
#define TRM_FIELDS_POINTS(F, S)                                                                    \
  F(S, D6, points, "points", MATRIX("2x3"), DERIVED, UNIT("m"),                                    \
    .meaning = "Points of the bodies at the start, ground axes.")
#define TRM_FIELDS_LENGTH(F, S)                                                                    \
  F(S, D1, length, "length", NUMBER, DERIVED, UNIT("m"),                                           \
    .fallback = "as it is at the start", POSITIVE,                                                 \
    .meaning = "The length that is kept.")
#define TRM_FIELDS_LIMITS(F, S)                                                                    \
  F(S, GROUP, limits, "limits", IS_MAP, .meaning = "Stops of the coordinate of the joint.")        \
  F(S, T1, limits_coordinate, "limits.coordinate", TEXT, .fallback = ANY_COORDINATE,               \
    .meaning = "Which coordinate, see the table of joints.")                                       \
  F(S, D1, limits_lower, "limits.lower", NUMBER, LIVE, EITHER_UNIT("m", "rad"),                    \
    .fallback = "none",                                                                            \
    .meaning = "Lower stop, in rad or m.")                                                         \
  F(S, D1, limits_upper, "limits.upper", NUMBER, LIVE, EITHER_UNIT("m", "rad"),                    \
    .fallback = "none",                                                                            \
    .meaning = "Upper stop.")                                                                      \
  F(S, D1, limits_stiffness, "limits.stiffness", NUMBER, LIVE, EITHER_UNIT("N/m", "N*m"),          \
    REQUIRED,                                                                                      \
    POSITIVE,                                                                                      \
    .meaning = "Stiffness of the stops.")                                                          \
  F(S, D1, limits_damping, "limits.damping", NUMBER, LIVE, EITHER_UNIT("N*s/m", "N*m*s"),          \
    INITIAL(0),                                                                                    \
    NOT_NEGATIVE,                                                                                  \
    .meaning = "Damping of the stops.")                                                            \
  F(S, D1, limits_depth, "limits.depth", NUMBER, LIVE, EITHER_UNIT("m", "rad"),                    \
    .fallback = "a thousandth of the range", POSITIVE,                                             \
    .meaning = "Penetration at which stiffness and damping act in full.")
#define TRM_FIELDS_START(F, S)                                                                     \
  F(S, D6, start, "start", NUMBER_OR_NUMBERS("2|3|4|5"), DERIVED, .fallback = "as it is drawn",    \
    .meaning = "Its coordinate at the start, in rad or m; of several a list, in the order of the " \
               "table of joints.")                                                                 \
  F(S, D6, start_rate, "start_rate", NUMBER_OR_NUMBERS("2|3|4|5"), DERIVED,                        \
    .fallback = "as its bodies move", .meaning = "Rate of the coordinate at the start, likewise.")
/** Of joints at a point, with an axis, between points. */
#define TRM_FIELDS_AT_POINT(F, S)                                                                  \
  TRM_FIELDS_ENDS(F, S) TRM_FIELDS_PLACE(F, S) TRM_FIELDS_AXIS(F, S) TRM_FIELDS_START(F, S)        \
  TRM_FIELDS_LIMITS(F, S) TRM_FIELDS_FRICTION(F, S)
#define TRM_FIELDS_FIXED(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_REVOLUTE(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_TRANSLATIONAL(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_CYLINDRICAL(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_SPHERICAL(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_PLANAR(F, S)                                                                    \
  TRM_FIELDS_AT_POINT(F, S)                                                                        \
  F(S, D1, offset, "offset", NUMBER, DERIVED, UNIT("m"), INITIAL(0),                               \
    .meaning = "Distance from the plane, along its normal.")
#define TRM_FIELDS_UNIVERSAL(F, S) TRM_FIELDS_AT_POINT(F, S) TRM_FIELDS_AXIS2(F, S)
#define TRM_FIELDS_CONSTANT_VELOCITY(F, S) TRM_FIELDS_AT_POINT(F, S) TRM_FIELDS_AXIS2(F, S)
#define TRM_FIELDS_SCREW(F, S)                                                                     \
  TRM_FIELDS_AT_POINT(F, S)                                                                        \
  F(S, D1, pitch, "pitch", NUMBER, LIVE, UNIT("m"),                                                \
    .meaning = "Displacement along the axis in one turn.")
#define TRM_FIELDS_DISTANCE(F, S)                                                                  \
  TRM_FIELDS_AT_POINT(F, S) TRM_FIELDS_POINTS(F, S) TRM_FIELDS_LENGTH(F, S)
#define TRM_FIELDS_REVOLUTE_SPHERICAL(F, S)                                                        \
  TRM_FIELDS_AT_POINT(F, S) TRM_FIELDS_POINTS(F, S) TRM_FIELDS_LENGTH(F, S)                        \
  F(S, D1, offset, "offset", NUMBER, DERIVED, UNIT("m"), .fallback = "as it is at the start",      \
    .meaning = "Displacement of the ball along the axis.")
#define TRM_FIELDS_POINT_ON_LINE(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_POINT_ON_PLANE(F, S) TRM_FIELDS_PLANAR(F, S)
#define TRM_FIELDS_PARALLEL(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_PERPENDICULAR(F, S) TRM_FIELDS_AT_POINT(F, S) TRM_FIELDS_AXIS2(F, S)
#define TRM_FIELDS_ORIENTATION_JOINT(F, S) TRM_FIELDS_AT_POINT(F, S)
#define TRM_FIELDS_GEAR(F, S)                                                                      \
  F(S, T3, joints, "joints", TEXTS("2"), .meaning = "The joints whose coordinates are tied.")      \
  F(S, T3, coordinates, "coordinates", TEXTS("2"), .fallback = "angles, or the only ones",         \
    .meaning = "Name of a coordinate for each of the joints.")                                     \
  F(S, D1, ratio, "ratio", NUMBER, LIVE,                                                           \
    .meaning = "Change of the first coordinate over that of the second.")
#define TRM_FIELDS_RACK(F, S)                                                                      \
  F(S, T3, joints, "joints", TEXTS("2"),                                                           \
    .meaning = "The joint that slides and the joint of the pinion.")                               \
  F(S, D1, radius, "radius", NUMBER, LIVE, UNIT("m"), POSITIVE, .meaning = "Of the pinion.")
#define TRM_FIELDS_COUPLER(F, S)                                                                   \
  F(S, T3, joints, "joints", TEXTS("2|3"), .meaning = "The joints whose coordinates are tied.")    \
  F(S, T3, coordinates, "coordinates", TEXTS("2|3"), .fallback = "the only ones",                  \
    .meaning = "Name of a coordinate for each of the joints.")                                     \
  F(S, D3, ratios, "ratios", NUMBERS("2|3"), LIVE,                                                 \
    .meaning = "Factors of the coordinates; their sum keeps its value.")
#define TRM_FIELDS_CONSTRAINT(F, S)                                                                \
  F(S, D1, equals, "equals", EXPRESSION, .meaning = "Expression that is held at zero.")
#define TRM_FIELDS_CURVE(F, S)                                                                     \
  TRM_FIELDS_AT_POINT(F, S)                                                                        \
  F(S, GROUP, path, "path", IS_MAP,                                                                \
    .meaning = "A point of the second body stays on a curve of the first.")                        \
  F(S, T1, path_x, "path.x", TEXT, REQUIRED,                                                       \
    .meaning = "Name of the table of x over the parameter of the curve, axes of "                  \
               "the first marker.")                                                                \
  F(S, T1, path_y, "path.y", TEXT, .fallback = "0", .meaning = "Table of y.")                      \
  F(S, T1, path_z, "path.z", TEXT, .fallback = "0", .meaning = "Table of z.")                      \
  F(S, D1, path_start, "path.start", NUMBER, LIVE, .fallback = "the nearest point",                \
    .meaning = "Parameter of the curve at the start.")
#define TRM_FIELDS_ROLLING(F, S)                                                                   \
  TRM_FIELDS_AT_POINT(F, S)                                                                        \
  F(S, D1, radius, "radius", NUMBER, LIVE, UNIT("m"), POSITIVE, .meaning = "Of the wheel.")        \
  F(S, D3, normal, "normal", NUMBERS("3"), DERIVED, .fallback = "[0, 0, 1]",                       \
    .meaning = "Normal of the plane at the start, ground axes; `at` is the middle of the wheel, "  \
               "the plane touches it.")

/** Motions. */
#define TRM_FIELDS_MOTION(F, S)                                                                    \
  F(S, T1, joint, "joint", TEXT, .meaning = "Name of the joint.")                                  \
  F(S, D1, of, "of", EXPRESSION,                                                                   \
    .meaning = "Or an expression of positions that follows the law, if it is not a coordinate of " \
               "a joint: DM(plate, ground).")                                                      \
  F(S, T1, coordinate, "coordinate", TEXT, .fallback = ANY_COORDINATE,                             \
    .meaning = "Which coordinate of the joint, see the table of joints.")                          \
  F(S, D1, position, "position", EXPRESSION, .meaning = "Angle or displacement over the time.")    \
  F(S, D1, velocity, "velocity", EXPRESSION, .meaning = "Or its rate.")                            \
  F(S, D1, acceleration, "acceleration", EXPRESSION, .meaning = "Or the rate of that.")            \
  F(S, D1, start, "start", NUMBER, LIVE, EITHER_UNIT("m", "rad"),                                  \
    .fallback = "as it is at the start",                                                           \
    .meaning = "velocity, acceleration: angle or displacement at the start.")                      \
  F(S, D1, start_velocity, "start_velocity", NUMBER, LIVE, EITHER_UNIT("m/s", "rad/s"),            \
    .fallback = "as it is at the start",                                                           \
    .meaning = "acceleration: rate at the start.")

/** Forces. */
#define TRM_FIELDS_FORCE_ENDS(F, S)                                                                \
  F(S, T2, bodies, "bodies", TEXTS("2"), .meaning = "The two bodies.")                             \
  F(S, T2, markers, "markers", TEXTS("2"), .meaning = "Or two markers, body.marker.")
#define TRM_FIELDS_FORCE_ONE(F, S)                                                                 \
  F(S, T1, marker, "marker", TEXT, .meaning = "One marker, on which it acts.")                     \
  F(S, T1, body, "body", TEXT, .meaning = "Or one body, on which it acts.")
#define TRM_FIELDS_FORCE_AT(F, S)                                                                  \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), .fallback = "origin of the body",           \
    .meaning = "Place at the start, ground axes. With bodies it may only be left out where an end "\
               "has a place of its own: an interface, a node of a beam, a point, a marker.")
#define TRM_FIELDS_FORCE_POINTS(F, S)                                                              \
  F(S, D6, points, "points", MATRIX("2x3"), DERIVED, UNIT("m"),                                    \
    .meaning = "Points of the bodies at the start, ground axes; with bodies.")
#define TRM_FIELDS_FRAME(F, S)                                                                     \
  F(S, T1, frame, "frame", TEXT, .fallback = "ground",                                             \
    .meaning = "Body or marker whose axes force and torque are in; ground: they do not turn.")
#define TRM_FIELDS_FORCE_VECTOR(F, S)                                                              \
  F(S, D3, force, "force", EXPRESSIONS("3"), UNIT("N"), .fallback = "[0, 0, 0]",                   \
    .meaning = "Components of the force.")
#define TRM_FIELDS_TORQUE_VECTOR(F, S)                                                             \
  F(S, D3, torque, "torque", EXPRESSIONS("3"), UNIT("N*m"), .fallback = "[0, 0, 0]",               \
    .meaning = "Components of the torque.")
#define TRM_FIELDS_STIFF(F, S)                                                                     \
  F(S, T1, vibrations, "vibrations", WORD("resolved|averaged"), .fallback = "resolved",            \
    .meaning = "averaged: they are fast, and the integrator `smooth` averages them.")
/** A law along a length or about an angle. */
#define TRM_FIELDS_LAW(F, S, unit_stiffness, unit_damping, unit_preload)                           \
  F(S, D1, stiffness, "stiffness", NUMBER, LIVE, unit_stiffness, INITIAL(0),                       \
    .meaning = "Stiffness.")                                                                       \
  F(S, D1, damping, "damping", NUMBER, LIVE, unit_damping, INITIAL(0), .meaning = "Damping.")      \
  F(S, D1, preload, "preload", NUMBER, LIVE, unit_preload, INITIAL(0),                             \
    .meaning = "Constant force or torque.")                                                        \
  TRM_FIELDS_STIFF(F, S)                                                                           \
  F(S, D1, value, "value", EXPRESSION,                                                             \
    .meaning = "A law in addition to stiffness and damping, of NAME.length, NAME.rate and "     \
               "other quantities; positive values push apart or increase the angle.")
#define TRM_FIELDS_FORCE(F, S)                                                                     \
  TRM_FIELDS_FORCE_ONE(F, S) TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_AT(F, S)                 \
  TRM_FIELDS_FRAME(F, S) TRM_FIELDS_FORCE_VECTOR(F, S) TRM_FIELDS_TORQUE_VECTOR(F, S)
#define TRM_FIELDS_TORQUE(F, S)                                                                    \
  TRM_FIELDS_FORCE_ONE(F, S) TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_AT(F, S)                 \
  TRM_FIELDS_FRAME(F, S) TRM_FIELDS_TORQUE_VECTOR(F, S)
#define TRM_FIELDS_GENERAL(F, S)                                                                   \
  TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_AT(F, S) TRM_FIELDS_FRAME(F, S)                     \
  TRM_FIELDS_FORCE_VECTOR(F, S) TRM_FIELDS_TORQUE_VECTOR(F, S)
#define TRM_FIELDS_SPRING(F, S)                                                                    \
  TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_POINTS(F, S)                                        \
  TRM_FIELDS_LAW(F, S, UNIT("N/m"), UNIT("N*s/m"), UNIT("N"))                                      \
  F(S, D1, length, "length", NUMBER, DERIVED, UNIT("m"),                                           \
    .fallback = "as it is at the start", NOT_NEGATIVE,                                             \
    .meaning = "Length without load.")
#define TRM_FIELDS_TORSION(F, S)                                                                   \
  TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_AT(F, S)                                            \
  F(S, D3, axis, "axis", NUMBERS("3"), DERIVED, .fallback = "[0, 0, 1]",                           \
    .meaning = "Its axis at the start, ground axes.")                                              \
  TRM_FIELDS_ORIENTATION(F, S, "the ground")                                                       \
  TRM_FIELDS_LAW(F, S, UNIT("N*m"), UNIT("N*m*s"), UNIT("N*m"))                                    \
  F(S, D1, angle, "angle", NUMBER, DERIVED, UNIT("rad"), .fallback = "as it is at the start",      \
    .meaning = "Angle without load.")
#define TRM_FIELDS_JOINT_FORCE(F, S)                                                               \
  F(S, T1, joint, "joint", TEXT, .meaning = "Name of the joint it acts in.")                       \
  F(S, T1, coordinate, "coordinate", TEXT, .fallback = ANY_COORDINATE,                             \
    .meaning = "Which of its coordinates, see the table of joints.")                               \
  TRM_FIELDS_LAW(F, S, EITHER_UNIT("N/m", "N*m"), EITHER_UNIT("N*s/m", "N*m*s"),                   \
                 EITHER_UNIT("N", "N*m"))
#define TRM_FIELDS_BUSHING(F, S)                                                                   \
  TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_AT(F, S) TRM_FIELDS_STIFF(F, S)                     \
  F(S, D3, axis, "axis", NUMBERS("3"), DERIVED, .fallback = "[0, 0, 1]",                           \
    .meaning = "Its z axis at the start, ground axes.")                                            \
  TRM_FIELDS_ORIENTATION(F, S, "the ground")                                                       \
  F(S, D36, stiffness, "stiffness", NUMBER_NUMBERS_OR_MATRIX("2|6|6x6"), LIVE,                     \
    .meaning = "Of x, y, z and about x, y, z, or a full matrix; one number is the same for x, y "  \
               "and z, a second one for all rotations.")                                           \
  F(S, D36, damping, "damping", NUMBER_NUMBERS_OR_MATRIX("2|6|6x6"), LIVE, .fallback = "0",        \
    .meaning = "Likewise, for rates.")                                                             \
  F(S, D6, preload, "preload", NUMBERS("6"), LIVE, .fallback = "0",                                \
    .meaning = "Forces and torques at zero deformation.")
#define TRM_FIELDS_BEAM_FORCE(F, S)                                                                \
  TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_POINTS(F, S)                                        \
  TRM_FIELDS_ORIENTATION(F, S, "the ground")                                                       \
  F(S, D144, stiffness, "stiffness", MATRIX("12x12"), LIVE,                                        \
    .meaning = "Position and rotation of both ends; instead of the section.")                      \
  F(S, D144, damping, "damping", NUMBER_OR_MATRIX("12x12"), LIVE, .fallback = "0",                 \
    .meaning = "A factor of the stiffness, or a matrix for rates.")                                \
  F(S, D1, length, "length", NUMBER, DERIVED, UNIT("m"),                                           \
    .fallback = "as it is at the start", NOT_NEGATIVE,                                             \
    .meaning = "Length without load.")                                                             \
  TRM_FIELDS_STIFF(F, S) TRM_FIELDS_SECTION(F, S)
#define TRM_FIELDS_PLUGIN_FORCE(F, S)                                                              \
  TRM_FIELDS_FORCE_ONE(F, S) TRM_FIELDS_FORCE_ENDS(F, S) TRM_FIELDS_FORCE_AT(F, S)                 \
  F(S, T1, library, "library", TEXT, .meaning = "Shared library, relative to this file.")          \
  F(S, T1, function, "function", TEXT, .meaning = "Name of the function in it.")                   \
  F(S, LIST, parameters, "parameters", ANY_NUMBERS, LIVE, .meaning = "Numbers given to it.")

/** All kinds: K(name, LIST, "type", "meaning") with the name of the struct, the list of its fields
 * and the word of the key `type`. */
#define TRM_KINDS_OF_BODIES(K)                                                                     \
  K(body, BODY, "rigid", "A rigid body.")                                                          \
  K(point, OF_BODIES, "point", "A point mass, which does not turn.")
#define TRM_KINDS_OF_MARKERS(K) K(marker, MARKER, NULL, "One marker.")
#define TRM_KINDS_OF_JOINTS(K)                                                                     \
  K(fixed, FIXED, "fixed", "B moves with A.")                                                      \
  K(revolute, REVOLUTE, "revolute", "B turns about an axis of A.")                                 \
  K(translational, TRANSLATIONAL, "translational", "B slides along an axis of A without turning.") \
  K(cylindrical, CYLINDRICAL, "cylindrical", "B turns about and slides along an axis of A.")       \
  K(spherical, SPHERICAL, "spherical", "A and B share a point.")                                   \
  K(planar, PLANAR, "planar", "B slides on a plane of A, whose normal is the axis.")               \
  K(universal, UNIVERSAL, "universal",                                                             \
    "A and B share a point; an axis of A and one of B, the arms of a cross, stay perpendicular.")  \
  K(constant_velocity, CONSTANT_VELOCITY, "constant_velocity",                                     \
    "A and B share a point and turn about their axes by the same angle.")                          \
  K(screw, SCREW, "screw",                                                                         \
    "B turns about an axis of A and moves along it by the pitch in each turn.")                    \
  K(distance, DISTANCE, "distance", "A point of A and a point of B keep their distance.")          \
  K(revolute_spherical, REVOLUTE_SPHERICAL, "revolute_spherical",                                  \
    "A massless rod that turns about an axis of A and carries a ball on B.")                       \
  K(point_on_line, POINT_ON_LINE, "point_on_line", "A point of B stays on a line of A.")           \
  K(point_on_plane, POINT_ON_PLANE, "point_on_plane",                                              \
    "A point of B stays on a plane of A, whose normal is the axis.")                               \
  K(parallel, PARALLEL, "parallel", "An axis of B stays parallel to one of A.")                    \
  K(perpendicular, PERPENDICULAR, "perpendicular",                                                 \
    "An axis of B stays perpendicular to one of A.")                                               \
  K(orientation, ORIENTATION_JOINT, "orientation", "B does not turn against A.")                   \
  K(gear, GEAR, "gear", "The angle of a joint follows that of another by a ratio.")                \
  K(rack, RACK, "rack",                                                                            \
    "The displacement of a joint follows the angle of another, that of a pinion.")                 \
  K(coupler, COUPLER, "coupler", "A sum of coordinates of two or three joints keeps its value.")   \
  K(constraint, CONSTRAINT, "constraint", "An expression of positions is held at zero.")           \
  K(curve, CURVE, "curve", "A point of B stays on a curve of A.")                                  \
  K(rolling, ROLLING, "rolling", "A wheel on B rolls on a plane of A and does not slip.")
#define TRM_KINDS_OF_MOTIONS(K) K(motion, MOTION, NULL, "One motion.")
#define TRM_KINDS_OF_FORCES(K)                                                                     \
  K(force, FORCE, "force", "A force and a torque at a marker, in the axes of `frame`.")            \
  K(torque, TORQUE, "torque", "A torque on a body, in the axes of `frame`.")                       \
  K(general, GENERAL, "general",                                                                   \
    "Force and torque between two bodies, on the second and back on the first at the same point, " \
    "in the axes of `frame`. A first body that is a point feels the force, but not its moment "    \
    "about it.")                                                                                   \
  K(spring, SPRING, "spring",                                                                      \
    "A spring and damper along the line between two points; positive forces push apart.")          \
  K(torsion, TORSION, "torsion",                                                                   \
    "A spring and damper about the z axis of the first marker, over full turns; positive torques " \
    "increase the angle.")                                                                         \
  K(joint_force, JOINT_FORCE, "joint",                                                             \
    "A force along or torque about the coordinate of a joint; positive values increase it.")       \
  K(bushing, BUSHING, "bushing",                                                                   \
    "Springs and dampers for all six deformations of the second marker against the first, in the " \
    "axes of the first; for rotations below a full turn.")                                         \
  K(beam_force, BEAM_FORCE, "beam",                                                                \
    "A straight linear beam without mass between two markers, along the x axis of the first; its " \
    "deformations are small, its ends may move far.")                                              \
  K(plugin_force, PLUGIN_FORCE, "plugin",                                                          \
    "Force and torque from a function of a shared library, include/trammel/plugin.h.")
#define TRM_KINDS_OF_BEAMS(K) K(beam, BEAM, NULL, "One beam.")
#define TRM_KINDS_OF_WORLDS(K) K(world, WORLD, NULL, "The mechanism as a whole.")

#endif
