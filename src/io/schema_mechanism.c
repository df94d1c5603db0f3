/* schema_mechanism.c - the keys of mechanisms: gravity, bodies, joints, motions, forces, beams. */
#include "force/force.h"
#include "io/schema_words.h"
#include "joint/types.h"

/* A vector or a point. */
#define VECTOR .types = NUMBERS, .sizes = "3"

#define BODY "bodies.*."
#define MARKER BODY "markers.*."
#define JOINT "joints.*."
#define LIMIT JOINT "limits."
#define FRICTION JOINT "friction."
#define MOTION "motions.*."
#define FORCE "forces.*."
#define BEAM "beams.*."
#define REPEAT "repeat.*."

/* Types are those of the registries. */
static const char *joint_at(int i) {
  const trmi_joint_type *type = trmi_joint_type_at(i);
  return type != NULL ? type->name : NULL;
}

static const char *force_at(int i) {
  const trmi_force_type *type = trmi_force_type_at(i);
  return type != NULL ? type->name : NULL;
}

/* Which coordinate a part means that does not say. */
#define COORDINATE "angle or displacement, or the only one"

/* clang-format off */

/* Rows of an orientation: of bodies, markers and frames of forces. */
#define ORIENTATION(prefix, what) \
  {.path = prefix "orientation", .types = MAP, .fallback = "axes of " what, \
   .not_both = "quaternion|vector|angles|x", \
   .meaning = "Orientation against the axes of " what ": one of quaternion, vector, angles, or " \
              "the directions of one or two axes."}, \
  {.path = prefix "orientation.quaternion", .types = NUMBERS, .sizes = "4", .unit = "1", \
   .meaning = "Unit quaternion, scalar first."}, \
  {.path = prefix "orientation.vector", VECTOR, .unit = "rad", \
   .meaning = "Rotation vector: axis times angle."}, \
  {.path = prefix "orientation.angles", VECTOR, .unit = "rad", \
   .meaning = "Three angles about the axes of sequence, each about the axis turned so far."}, \
  {.path = prefix "orientation.sequence", .types = WORD, .fallback = "zxz", \
   .choices = "xyx|xyz|xzx|xzy|yxy|yxz|yzx|yzy|zxy|zxz|zyx|zyz", \
   .meaning = "Axes of the angles."}, \
  {.path = prefix "orientation.x", VECTOR, .meaning = "Direction of the x axis."}, \
  {.path = prefix "orientation.y", VECTOR, \
   .meaning = "Direction of the y axis; of a second direction the part across the first counts."}, \
  {.path = prefix "orientation.z", VECTOR, .meaning = "Direction of the z axis."}

/* Rows of a shape: `shape` and each of `shapes`. */
#define SHAPE(prefix) \
  {.path = prefix ".box", .types = MAP, .meaning = "A box along the axes of the body."}, \
  {.path = prefix ".box.size", VECTOR, .unit = "m", .is_required = true, POSITIVE, \
   .meaning = "Lengths of its edges."}, \
  {.path = prefix ".box.at", VECTOR, .unit = "m", .fallback = "[0, 0, 0]", \
   .meaning = "Its middle, body axes."}, \
  {.path = prefix ".cylinder", .types = MAP, .meaning = "A cylinder."}, \
  {.path = prefix ".cylinder.from", VECTOR, .unit = "m", .is_required = true, \
   .meaning = "Middle of one end, body axes."}, \
  {.path = prefix ".cylinder.to", VECTOR, .unit = "m", .is_required = true, \
   .meaning = "Middle of the other end."}, \
  {.path = prefix ".cylinder.radius", .types = NUMBER, .unit = "m", .is_required = true, POSITIVE, \
   .meaning = "Its radius."}, \
  {.path = prefix ".sphere", .types = MAP, .meaning = "A sphere."}, \
  {.path = prefix ".sphere.at", VECTOR, .unit = "m", .fallback = "[0, 0, 0]", \
   .meaning = "Its middle, body axes."}, \
  {.path = prefix ".sphere.radius", .types = NUMBER, .unit = "m", .is_required = true, POSITIVE, \
   .meaning = "Its radius."}, \
  {.path = prefix ".capsule", .types = MAP, .meaning = "A cylinder with half spheres as ends."}, \
  {.path = prefix ".capsule.from", VECTOR, .unit = "m", .is_required = true, \
   .meaning = "Middle of one half sphere, body axes."}, \
  {.path = prefix ".capsule.to", VECTOR, .unit = "m", .is_required = true, \
   .meaning = "Middle of the other."}, \
  {.path = prefix ".capsule.radius", .types = NUMBER, .unit = "m", .is_required = true, POSITIVE, \
   .meaning = "Its radius."}, \
  {.path = prefix ".line", .types = MAP, .meaning = "A line through points; it has no volume."}, \
  {.path = prefix ".line.points", .types = MATRIX, .sizes = "nx3", .unit = "m", \
   .is_required = true, .meaning = "The points, body axes."}, \
  {.path = prefix ".mesh", .types = MAP, .meaning = "A surface of triangles from a file."}, \
  {.path = prefix ".mesh.file", .types = TEXT, .is_required = true, \
   .meaning = "The file, relative to this one."}, \
  {.path = prefix ".mesh.scale", .types = NUMBER, .fallback = "1", POSITIVE, \
   .meaning = "Length of one in the file."}
#define SHAPES "box|cylinder|sphere|capsule|line|mesh"

/* Material and section: of beams and of forces of the type beam. */
#define SECTION(prefix) \
  {.path = prefix "E", .types = NUMBER, .unit = "N/m^2", POSITIVE, .meaning = "Young's modulus."}, \
  {.path = prefix "G", .types = NUMBER, .unit = "N/m^2", POSITIVE, .meaning = "Shear modulus."}, \
  {.path = prefix "area", .types = NUMBER, .unit = "m^2", POSITIVE, \
   .meaning = "Area of the section."}, \
  {.path = prefix "Iy", .types = NUMBER, .unit = "m^4", POSITIVE, \
   .meaning = "Second moment of area about the y axis of the section."}, \
  {.path = prefix "Iz", .types = NUMBER, .unit = "m^4", POSITIVE, .meaning = "About its z axis."}, \
  {.path = prefix "J", .types = NUMBER, .unit = "m^4", POSITIVE, .meaning = "Torsion constant."}, \
  {.path = prefix "shear_y", .types = NUMBER, .unit = "1", .fallback = "1", POSITIVE, \
   .meaning = "Part of the area that carries shear along y."}, \
  {.path = prefix "shear_z", .types = NUMBER, .unit = "1", .fallback = "1", POSITIVE, \
   .meaning = "And along z."}

const trmi_schema_row trmi_schema_mechanism[] = {
  {.path = "gravity", VECTOR, .unit = "m/s^2", .fallback = "none",
   .meaning = "Acceleration of free fall, ground axes."},

  {.path = "bodies", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Rigid bodies by name; `ground` is the body that does not move and may have markers "
              "here. Expressions know crank.x, crank.q0, crank.wx and the markers, crank.end.z."},
  {.path = "bodies.*", .types = MAP, .not_both = "mass|density", .meaning = "One body."},
  {.path = BODY "type", .types = WORD, .choices = "rigid|point", .fallback = "rigid",
   .meaning = "point: a point mass, which does not turn."},
  {.path = BODY "mass", .types = NUMBER, .unit = "kg", POSITIVE,
   .meaning = "Mass; it or density is needed."},
  {.path = BODY "inertia", .types = NUMBERS, .sizes = "3|6", .unit = "kg*m^2",
   .meaning = "Ixx, Iyy, Izz, or also Ixy, Ixz, Iyz (entries of the matrix), about the centre of "
              "mass, body axes."},
  {.path = BODY "com", VECTOR, .unit = "m", .fallback = "[0, 0, 0]",
   .meaning = "Centre of mass, from the origin of the body, body axes."},
  {.path = BODY "density", .types = NUMBER, .unit = "kg/m^3", POSITIVE,
   .meaning = "Instead of mass, inertia and com: they follow from the shape."},
  {.path = BODY "at", VECTOR, .unit = "m", .fallback = "[0, 0, 0]",
   .meaning = "Origin of the body at the start, ground axes."},
  ORIENTATION(BODY, "the ground"),
  {.path = BODY "velocity", VECTOR, .unit = "m/s", .fallback = "[0, 0, 0]",
   .meaning = "Velocity of the origin at the start, ground axes."},
  {.path = BODY "angular_velocity", VECTOR, .unit = "rad/s", .fallback = "[0, 0, 0]",
   .meaning = "Angular velocity at the start, body axes."},
  {.path = BODY "start", .types = WORD, .choices = "given|guess", .fallback = "given",
   .meaning = "guess: the assembly moves this body before any that is given."},
  {.path = BODY "markers", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Points with axes on the body, known as crank.end."},
  {.path = BODY "markers.*", .types = MAP, .meaning = "One marker."},
  {.path = MARKER "at", VECTOR, .unit = "m", .fallback = "[0, 0, 0]",
   .meaning = "Its origin, body axes."},
  ORIENTATION(MARKER, "the body"),
  {.path = BODY "shape", .types = MAP, .one_of = SHAPES,
   .meaning = "What the body looks like; with density also its volume."},
  SHAPE(BODY "shape"),
  {.path = BODY "shapes", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Several shapes by name."},
  {.path = BODY "shapes.*", .types = MAP, .one_of = SHAPES, .meaning = "One shape."},
  SHAPE(BODY "shapes.*"),
  {.path = BODY "color", .types = TEXT, .fallback = "chosen",
   .meaning = "Name of a colour, or #rrggbb in quotes."},

  {.path = "joints", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Joints by name. Expressions know their coordinates and reactions, pin.angle, "
              "pin.force.z."},
  {.path = "joints.*", .types = MAP, .not_both = "bodies|markers|joints",
   .meaning = "One joint: between two bodies at a place, between two markers, or between joints."},
  {.path = JOINT "type", .types = WORD, .is_required = true, .choice_at = joint_at,
   .meaning = "What it leaves free."},
  {.path = JOINT "bodies", .types = TEXTS, .sizes = "2",
   .meaning = "The two bodies; angle, displacement and reaction are those of the second against "
              "the first."},
  {.path = JOINT "markers", .types = TEXTS, .sizes = "2",
   .meaning = "Or two markers, body.marker; the axis is their z axis."},
  {.path = JOINT "at", VECTOR, .unit = "m",
   .meaning = "Place of the joint at the start, ground axes; needed with bodies."},
  {.path = JOINT "axis", VECTOR,
   .meaning = "Direction of its axis at the start, ground axes; needed with bodies by joints that "
              "have one."},
  {.path = JOINT "axis2", VECTOR,
   .meaning = "universal, constant_velocity, perpendicular: direction of the axis on the second "
              "body at the start, ground axes; of a universal joint axis and axis2 are the arms of "
              "its cross."},
  {.path = JOINT "points", .types = MATRIX, .sizes = "2x3", .unit = "m",
   .meaning = "distance, revolute_spherical: points of the bodies at the start, ground axes."},
  {.path = JOINT "x", VECTOR, .fallback = "chosen",
   .meaning = "Direction of the x axis of its markers at the start, ground axes."},
  {.path = JOINT "joints", .types = TEXTS, .sizes = "2|3",
   .meaning = "gear, rack, coupler: the joints whose coordinates are tied."},
  {.path = JOINT "coordinates", .types = TEXTS, .sizes = "2|3",
   .fallback = "the only ones, of a gear angles",
   .meaning = "gear, coupler: name of a coordinate for each of the joints."},
  {.path = JOINT "ratio", .types = NUMBER,
   .meaning = "gear: change of the first coordinate over that of the second."},
  {.path = JOINT "ratios", .types = NUMBERS, .sizes = "2|3",
   .meaning = "coupler: factors of the coordinates; their sum keeps its value."},
  {.path = JOINT "radius", .types = NUMBER, .unit = "m", POSITIVE,
   .meaning = "rack: of the pinion; rolling: of the wheel."},
  {.path = JOINT "pitch", .types = NUMBER, .unit = "m",
   .meaning = "screw: way along the axis in one turn."},
  {.path = JOINT "length", .types = NUMBER, .unit = "m", .fallback = "as it is at the start",
   POSITIVE, .meaning = "distance, revolute_spherical: the length that is kept."},
  {.path = JOINT "offset", .types = NUMBER, .unit = "m", .fallback = "0",
   .meaning = "planar, point_on_plane: distance from the plane, along its normal; "
              "revolute_spherical: way of the ball along the axis, by default as it is."},
  {.path = JOINT "equals", .types = EXPRESSION,
   .meaning = "constraint: expression that is held at zero."},
  {.path = JOINT "path", .types = MAP,
   .meaning = "curve: a point of the second body stays on a curve of the first."},
  {.path = JOINT "path.x", .types = TEXT, .is_required = true,
   .meaning = "Name of the table of x over the parameter of the curve, axes of the first marker."},
  {.path = JOINT "path.y", .types = TEXT, .fallback = "0", .meaning = "Table of y."},
  {.path = JOINT "path.z", .types = TEXT, .fallback = "0", .meaning = "Table of z."},
  {.path = JOINT "path.start", .types = NUMBER, .fallback = "the nearest point",
   .meaning = "Parameter of the curve at the start."},
  {.path = JOINT "normal", VECTOR, .fallback = "[0, 0, 1]",
   .meaning = "rolling: normal of the plane at the start, ground axes; `at` is the middle of the "
              "wheel, the plane touches it."},
  {.path = JOINT "limits", .types = MAP, .meaning = "Stops of the coordinate of the joint."},
  {.path = LIMIT "coordinate", .types = TEXT, .fallback = COORDINATE,
   .meaning = "Which coordinate, see the table of joints."},
  {.path = LIMIT "lower", .types = NUMBER, .fallback = "none",
   .meaning = "Lower stop, in rad or m."},
  {.path = LIMIT "upper", .types = NUMBER, .fallback = "none", .meaning = "Upper stop."},
  {.path = LIMIT "stiffness", .types = NUMBER, .is_required = true, POSITIVE,
   .meaning = "Stiffness of the stops."},
  {.path = LIMIT "damping", .types = NUMBER, .fallback = "0", NOT_NEGATIVE,
   .meaning = "Damping of the stops."},
  {.path = LIMIT "depth", .types = NUMBER, .fallback = "a thousandth of the range", POSITIVE,
   .meaning = "Penetration at which stiffness and damping act in full."},
  {.path = JOINT "friction", .types = MAP, .meaning = "Dry friction in the joint."},
  {.path = FRICTION "static", .types = NUMBER, .unit = "1", .fallback = "dynamic", NOT_NEGATIVE,
   .meaning = "Coefficient at rest."},
  {.path = FRICTION "dynamic", .types = NUMBER, .unit = "1", .fallback = "static", NOT_NEGATIVE,
   .meaning = "Coefficient in motion."},
  {.path = FRICTION "velocity", .types = NUMBER, .unit = "m/s", .fallback = "1 mm/s", POSITIVE,
   .meaning = "Speed of sliding below which the joint counts as at rest; of a joint that turns, "
              "at its radius."},
  {.path = FRICTION "viscous", .types = NUMBER, .fallback = "0", NOT_NEGATIVE,
   .meaning = "Force or torque for each unit of speed."},
  {.path = FRICTION "radius", .types = NUMBER, .unit = "m", POSITIVE,
   .meaning = "Arm of the friction of a joint that turns; of one that slides, arm by which torques "
              "load it."},
  {.path = FRICTION "length", .types = NUMBER, .unit = "m", .fallback = "none", POSITIVE,
   .meaning = "Length of the bearing along the axis, of revolute, cylindrical, screw and "
              "translational joints: torques across the axis load its ends. Without it they load "
              "nothing, as in a bearing that aligns itself."},
  {.path = FRICTION "preload", .types = NUMBER, .unit = "N", .fallback = "0", NOT_NEGATIVE,
   .meaning = "Normal force that is always there."},

  {.path = "motions", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Prescribed motion of joints by name; drive.force is what it takes."},
  {.path = "motions.*", .types = MAP, .one_of = "position|velocity|acceleration",
   .meaning = "One motion."},
  {.path = MOTION "joint", .types = TEXT, .meaning = "Name of the joint."},
  {.path = MOTION "of", .types = EXPRESSION,
   .meaning = "Or an expression of positions that follows the law, for what is no coordinate of "
              "a joint: DM(plate, ground)."},
  {.path = MOTION "coordinate", .types = TEXT, .fallback = COORDINATE,
   .meaning = "Which coordinate of the joint, see the table of joints."},
  {.path = MOTION "position", .types = EXPRESSION,
   .meaning = "Angle or displacement over the time."},
  {.path = MOTION "velocity", .types = EXPRESSION, .meaning = "Or its rate."},
  {.path = MOTION "acceleration", .types = EXPRESSION, .meaning = "Or the rate of that."},
  {.path = MOTION "start", .types = NUMBER, .fallback = "as it is at the start",
   .meaning = "velocity, acceleration: angle or displacement at the start."},
  {.path = MOTION "start_velocity", .types = NUMBER, .fallback = "as it is at the start",
   .meaning = "acceleration: rate at the start."},

  {.path = "forces", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Forces and torques by name, those of springs and bushings too. Expressions know "
              "strut.length, strut.rate and strut.force (positive: it pushes apart), "
              "mount.force.x, mount.A.torque.z (on the second body) and the deformations mount.x "
              "to mount.rz."},
  {.path = "forces.*", .types = MAP, .not_both = "bodies|markers|marker|body",
   .meaning = "One force: on a body, or between two of them (on the second, back on the first)."},
  {.path = FORCE "type", .types = WORD, .is_required = true, .choice_at = force_at,
   .meaning = "Its law."},
  {.path = FORCE "bodies", .types = TEXTS, .sizes = "2", .meaning = "The two bodies."},
  {.path = FORCE "markers", .types = TEXTS, .sizes = "2",
   .meaning = "Or two markers, body.marker."},
  {.path = FORCE "points", .types = MATRIX, .sizes = "2x3", .unit = "m",
   .meaning = "Points of the bodies at the start, ground axes; with bodies."},
  {.path = FORCE "marker", .types = TEXT, .meaning = "One marker, on which it acts."},
  {.path = FORCE "body", .types = TEXT, .meaning = "Or one body, on which it acts."},
  {.path = FORCE "at", VECTOR, .unit = "m", .fallback = "origin of the body",
   .meaning = "Place at the start, ground axes; needed with bodies."},
  {.path = FORCE "axis", VECTOR, .fallback = "[0, 0, 1]",
   .meaning = "torsion: its axis at the start, ground axes."},
  {.path = FORCE "frame", .types = TEXT, .fallback = "ground",
   .meaning = "Body or marker whose axes force and torque are in; ground: they do not turn."},
  {.path = FORCE "force", .types = EXPRESSIONS, .sizes = "3", .unit = "N",
   .fallback = "[0, 0, 0]", .meaning = "force, general: components."},
  {.path = FORCE "torque", .types = EXPRESSIONS, .sizes = "3", .unit = "N*m",
   .fallback = "[0, 0, 0]", .meaning = "torque, general: components."},
  {.path = FORCE "value", .types = EXPRESSION,
   .meaning = "spring, torsion, joint: a law beside stiffness and damping, of NAME.length, "
              "NAME.rate and all else; positive values push apart or turn on."},
  {.path = FORCE "joint", .types = TEXT, .meaning = "joint: name of the joint it acts in."},
  {.path = FORCE "coordinate", .types = TEXT, .fallback = COORDINATE,
   .meaning = "joint: which of its coordinates, see the table of joints."},
  {.path = FORCE "stiffness", .types = NUMBER | NUMBERS | MATRIX, .sizes = "6|6x6|12x12",
   .meaning = "spring, torsion: one number; bushing: x, y, z and about x, y, z, or a full matrix; "
              "beam: 12x12, position and rotation of both ends."},
  {.path = FORCE "damping", .types = NUMBER | NUMBERS | MATRIX, .sizes = "6|6x6|12x12",
   .fallback = "0", .meaning = "Likewise, for rates; beam: a number is a factor of the stiffness."},
  {.path = FORCE "length", .types = NUMBER, .unit = "m", .fallback = "as it is at the start",
   NOT_NEGATIVE, .meaning = "spring, beam: length without load."},
  {.path = FORCE "angle", .types = NUMBER, .unit = "rad", .fallback = "as it is at the start",
   .meaning = "torsion: angle without load."},
  {.path = FORCE "preload", .types = NUMBER | NUMBERS, .sizes = "6", .fallback = "0",
   .meaning = "spring, torsion: a number; bushing: forces and torques at zero deformation."},
  ORIENTATION(FORCE, "the ground"),
  SECTION(FORCE),
  {.path = FORCE "library", .types = TEXT, .meaning = "plugin: shared library, relative to this "
                                                      "file."},
  {.path = FORCE "function", .types = TEXT, .meaning = "plugin: name of the function in it."},
  {.path = FORCE "parameters", .types = NUMBERS, .meaning = "plugin: numbers given to it."},

  {.path = "beams", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Flexible beams by name, with large displacements and rotations."},
  {.path = "beams.*", .types = MAP, .one_of = "markers|points", .not_both = "mass|density",
   .meaning = "One beam; its section has stiffness, or E, G, area, Iy, Iz and J. Its nodes are "
              "bodies rod.1, rod.2 .. for joints, forces and expressions; rod.first and rod.last "
              "are the ends. Expressions know rod.element2.force.x and .moment.x, in axes of the "
              "section in the middle of an element."},
  {.path = BEAM "markers", .types = TEXTS, .sizes = "2",
   .meaning = "The markers it lies between at the start, on a straight line: from, to."},
  {.path = BEAM "points", .types = MATRIX, .sizes = "nx3", .unit = "m",
   .meaning = "Or the points of a smooth line it follows at the start, ground axes. Points in the "
              "number of nodes are the nodes."},
  {.path = BEAM "fix", .types = WORD, .choices = "first|last|both", .fallback = "none",
   .meaning = "Ends that are clamped: to the body of the marker there, with points to the ground. "
              "Expressions know the reaction, rod.first.force.x."},
  {.path = BEAM "elements", .types = COUNT, .fallback = "8", BETWEEN(1, 100000),
   .meaning = "Number of elements."},
  {.path = BEAM "nodes", .types = COUNT, .fallback = "3", BETWEEN(2, 4),
   .meaning = "Nodes of an element, 2 to 4."},
  {.path = BEAM "y", VECTOR, .fallback = "chosen",
   .meaning = "Direction of the y axis of its first section at the start, ground axes. The others "
              "follow along the line without turning about it."},
  {.path = BEAM "twist", .types = NUMBER, .unit = "rad", .fallback = "0",
   .meaning = "Angle by which the section turns from the first end to the last."},
  {.path = BEAM "stiffness", .types = NUMBERS | MATRIX, .sizes = "6|6x6",
   .meaning = "Of the section: EA, GAy, GAz, GJ, EIy, EIz, or a full matrix in this order."},
  SECTION(BEAM),
  {.path = BEAM "mass", .types = NUMBER, .unit = "kg/m", POSITIVE,
   .meaning = "Mass of a unit of length; it or density is needed."},
  {.path = BEAM "density", .types = NUMBER, .unit = "kg/m^3", POSITIVE,
   .meaning = "Instead of mass: times area."},
  {.path = BEAM "inertia", VECTOR, .unit = "kg*m", .fallback = "mass*EI/EA", POSITIVE,
   .meaning = "Inertia of a unit of length about the axes of the section."},
  {.path = BEAM "damping", .types = NUMBER, .unit = "s", .fallback = "0", NOT_NEGATIVE,
   .meaning = "Damping of strain rates, as a factor of the stiffness."},
  {.path = BEAM "load", VECTOR, .unit = "N/m", .fallback = "[0, 0, 0]",
   .meaning = "Force on a unit of length, ground axes."},
  {.path = BEAM "follower", VECTOR, .unit = "N/m", .fallback = "[0, 0, 0]",
   .meaning = "Force on a unit of length, axes of the section, which it follows."},
  {.path = BEAM "velocity", VECTOR, .unit = "m/s", .fallback = "[0, 0, 0]",
   .meaning = "Velocity of its first end at the start, ground axes."},
  {.path = BEAM "angular_velocity", VECTOR, .unit = "rad/s", .fallback = "[0, 0, 0]",
   .meaning = "Angular velocity of the whole beam at the start, ground axes."},
  {.path = BEAM "color", .types = TEXT, .fallback = "chosen",
   .meaning = "Name of a colour, or #rrggbb in quotes."},

  {.path = "repeat", .types = NAMES, .names = TRMI_NAME_PART,
   .meaning = "Blocks of parts that are copied, for chains and rows of equal things. In names and "
              "texts of a block <i>, <i+1>, <2*i-n>, without blanks, stands for its number."},
  {.path = "repeat.*", .types = MAP, .meaning = "One block."},
  {.path = REPEAT "count", .types = COUNT, .unit = "1", .is_required = true, BETWEEN(0, 1e6),
   .meaning = "Number of copies."},
  {.path = REPEAT "index", .types = TEXT, .fallback = "i",
   .meaning = "Name of the index; it stands in <..> only, beside whole parameters."},
  {.path = REPEAT "from", .types = COUNT, .unit = "1", .fallback = "1", BETWEEN(-1e6, 1e6),
   .meaning = "Index of the first copy."},
  {.path = REPEAT "bodies", .types = PARTS, .meaning = "Bodies, with keys as in bodies."},
  {.path = REPEAT "beams", .types = PARTS, .meaning = "Beams."},
  {.path = REPEAT "joints", .types = PARTS, .meaning = "Joints."},
  {.path = REPEAT "motions", .types = PARTS, .meaning = "Motions."},
  {.path = REPEAT "forces", .types = PARTS, .meaning = "Forces."},
  {.path = REPEAT "outputs", .types = PARTS, .meaning = "Outputs."},
  {.path = NULL},
};
/* clang-format on */
