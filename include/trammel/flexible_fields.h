/** @file
 * Fields of flexible bodies from meshes and of their interfaces; see trammel/part_fields.h. */
#ifndef TRM_FLEXIBLE_FIELDS_H
#define TRM_FLEXIBLE_FIELDS_H
#include "trammel/part_fields.h"

/** Words of elements that the program meshes with. */
#define TRM_SOLID_ELEMENTS "C3D20|C3D20R|C3D10|C3D8I|C3D15|C3D4|C3D6"

/** Nodes of a mesh by a set, by numbers or by geometry. */
#define TRM_FIELDS_NODES(F, S)                                                                     \
  F(S, T1, nodes, "nodes", TEXT,                                                                   \
    .meaning = "Its nodes: a node set of the mesh, or a physical group of Gmsh. Meshes made here " \
               "have XMIN and XMAX, a box also YMIN, YMAX, ZMIN and ZMAX.")                        \
  F(S, LIST, numbers, "numbers", ANY_NUMBERS, .meaning = "Or the numbers of its nodes.")           \
  F(S, GROUP, cylinder, "cylinder", IS_MAP, .meaning = "Or the nodes on a cylinder.")              \
  F(S, D3, cylinder_from, "cylinder.from", NUMBERS("3"), UNIT("m"), REQUIRED,                      \
    .meaning = "Middle of one end, body axes.")                                                    \
  F(S, D3, cylinder_to, "cylinder.to", NUMBERS("3"), UNIT("m"), REQUIRED,                          \
    .meaning = "Middle of the other end.")                                                         \
  F(S, D1, cylinder_radius, "cylinder.radius", NUMBER, UNIT("m"), REQUIRED, POSITIVE,              \
    .meaning = "Its radius.")                                                                      \
  F(S, GROUP, box, "box", IS_MAP, .meaning = "Or the nodes inside of a box.")                      \
  F(S, D3, box_from, "box.from", NUMBERS("3"), UNIT("m"), REQUIRED,                                \
    .meaning = "Its corner with the smallest x, y and z, body axes.")                              \
  F(S, D3, box_to, "box.to", NUMBERS("3"), UNIT("m"), REQUIRED, .meaning = "The opposite corner.") \
  F(S, GROUP, plane, "plane", IS_MAP, .meaning = "Or the nodes on a plane.")                       \
  F(S, D3, plane_at, "plane.at", NUMBERS("3"), UNIT("m"), REQUIRED,                                \
    .meaning = "A point of it, body axes.")                                                        \
  F(S, D3, plane_normal, "plane.normal", NUMBERS("3"), REQUIRED, .meaning = "Its normal.")         \
  F(S, D1, tolerance, "tolerance", NUMBER, UNIT("m"), POSITIVE,                                    \
    .fallback = "2 % of the radius of a cylinder, 1e-5 of the mesh",                               \
    .meaning = "Distance from the cylinder, box or plane within which nodes count.")

/** Interfaces: nodes that move as one frame, or whose mean motion is one. */
#define TRM_FIELDS_INTERFACE(F, S)                                                                 \
  TRM_FIELDS_NODES(F, S)                                                                           \
  F(S, T1, type, "type", WORD("rigid|average"), .fallback = "rigid",                               \
    .meaning = "rigid: its nodes move as one rigid body; average: it follows their mean motion "   \
               "and leaves them free to deform.")                                                  \
  F(S, D3, at, "at", NUMBERS("3"), UNIT("m"), .fallback = "the centroid of its nodes",             \
    .meaning = "Its origin, body axes.")                                                           \
  F(S, PARTS, shape, "shape", ONE_OF_KINDS(TRMI_SHAPES),                                           \
    .meaning = "Its shape for contacts and pictures, in body axes from its origin; without mass.") \
  F(S, PARTS, shapes, "shapes", OF_KINDS(TRMI_SHAPES), .meaning = "Several shapes by name.")

/** Distributed loads: pressure on faces, heat in elements. */
#define TRM_FIELDS_BODY_LOAD(F, S)                                                                 \
  F(S, D1, pressure, "pressure", EXPRESSION, UNIT("N/m^2"),                                        \
    .meaning = "Pressure on all faces of the surface whose nodes are chosen: pushes inwards, "     \
               "turns with the body. Of time, positions, velocities, states and variables.")       \
  F(S, D1, temperature, "temperature", EXPRESSION, UNIT("1"),                                      \
    .meaning = "Or the rise of the temperature, in the unit that `expansion` is per. Likewise.")   \
  TRM_FIELDS_NODES(F, S)                                                                           \
  F(S, T1, elements, "elements", TEXT, .fallback = "all elements",                                 \
    .meaning = "Element set that is heated.")                                                      \
  F(S, D3, gradient, "gradient", NUMBERS("3"), UNIT("1/m"),                                        \
    .fallback = "the same temperature everywhere",                                                 \
    .meaning = "Along x, y and z: the temperature rises by `temperature` times gradient . (x - "   \
               "at), body axes.")                                                                  \
  F(S, D3, at, "at", NUMBERS("3"), UNIT("m"), INITIAL(0),                                          \
    .meaning = "Point with no rise of the temperature where there is a gradient, body axes.")

/** The material of an element set. */
#define TRM_FIELDS_MATERIAL(F, S)                                                                  \
  F(S, D1, E, "E", NUMBER, UNIT("N/m^2"), REQUIRED, POSITIVE, .meaning = "Young's modulus.")       \
  F(S, D1, nu, "nu", NUMBER, UNIT("1"), REQUIRED, BETWEEN(-0.99, 0.4999),                          \
    .meaning = "Poisson's ratio.")                                                                 \
  F(S, D1, density, "density", NUMBER, UNIT("kg/m^3"), REQUIRED, POSITIVE, .meaning = "Density.")  \
  F(S, D1, expansion, "expansion", NUMBER, UNIT("1"), .fallback = "none: it cannot be heated",     \
    .meaning = "Thermal expansion, per degree.")

/** Flexible bodies. */
#define TRM_FIELDS_FLEXIBLE(F, S)                                                                  \
  F(S, T1, mesh, "mesh", TEXT,                                                                     \
    .meaning = "File of the mesh, relative to this one: .inp (Abaqus, CalculiX), .msh (Gmsh 4.1 "  \
               "as text), .bdf, .nas or .dat (Nastran).")                                          \
  F(S, GROUP, matrices, "matrices", IS_MAP,                                                        \
    .meaning = "Or stiffness and mass as another program wrote them, in units of N, s and "        \
               "`length`, of nodes with three displacements and perhaps three rotations.")         \
  F(S, T1, matrices_stiffness, "matrices.stiffness", TEXT, REQUIRED,                               \
    .meaning = "File of the stiffness matrix: Matrix Market, Abaqus, CalculiX .sti or DMIG.")      \
  F(S, T1, matrices_mass, "matrices.mass", TEXT, REQUIRED,                                         \
    .meaning = "File of the mass matrix, likewise; DMIG may have both in one file.")               \
  F(S, T1, matrices_nodes, "matrices.nodes", TEXT, REQUIRED,                                       \
    .meaning = "Table of nodes: number, x, y, z on each line.")                                    \
  F(S, T1, matrices_dofs, "matrices.dofs", TEXT,                                                   \
    .fallback = "x, y, z of each node, in the order of the table",                                 \
    .meaning = "What the rows of Matrix Market or CalculiX are: node.direction on each line.")     \
  F(S, GROUP, box, "box", IS_MAP, .meaning = "Or a box from the origin along x, y and z.")         \
  F(S, D3, box_size, "box.size", NUMBERS("3"), UNIT("m"), REQUIRED, POSITIVE,                      \
    .meaning = "Lengths of its edges.")                                                            \
  F(S, D3, box_cells, "box.cells", NUMBERS("3"), UNIT("1"), REQUIRED, POSITIVE,                    \
    .meaning = "Cells along x, y and z.")                                                          \
  F(S, T1, box_element, "box.element", WORD(TRM_SOLID_ELEMENTS), .fallback = "C3D20",              \
    .meaning = "Type of its elements.")                                                            \
  F(S, GROUP, rod, "rod", IS_MAP, .meaning = "Or a round bar from the origin along x.")            \
  F(S, D3, rod_size, "rod.size", NUMBERS("2"), UNIT("m"), REQUIRED, POSITIVE,                      \
    .meaning = "Length and diameter.")                                                             \
  F(S, D3, rod_cells, "rod.cells", NUMBERS("2"), UNIT("1"), REQUIRED, POSITIVE,                    \
    .meaning = "Cells along it and across it.")                                                    \
  F(S, T1, rod_element, "rod.element", WORD(TRM_SOLID_ELEMENTS), .fallback = "C3D20",              \
    .meaning = "Type of its elements.")                                                            \
  F(S, GROUP, tube, "tube", IS_MAP, .meaning = "Or a round tube from the origin along x.")         \
  F(S, D3, tube_size, "tube.size", NUMBERS("3"), UNIT("m"), REQUIRED, POSITIVE,                    \
    .meaning = "Length, outer and inner diameter.")                                                \
  F(S, D3, tube_cells, "tube.cells", NUMBERS("3"), UNIT("1"), REQUIRED, POSITIVE,                  \
    .meaning = "Cells along it, across its wall and around.")                                      \
  F(S, T1, tube_element, "tube.element", WORD(TRM_SOLID_ELEMENTS), .fallback = "C3D20",            \
    .meaning = "Type of its elements.")                                                            \
  F(S, GROUP, frame, "frame", IS_MAP,                                                              \
    .meaning = "Or a ladder frame of rectangular tube: two rails along x, cross members along y.") \
  F(S, D3, frame_size, "frame.size", NUMBERS("2"), UNIT("m"), REQUIRED, POSITIVE,                  \
    .meaning = "Length along x and width along y, from the origin.")                               \
  F(S, D3, frame_tube, "frame.tube", NUMBERS("3"), UNIT("m"), REQUIRED, POSITIVE,                  \
    .meaning = "Width, height along z and wall thickness of all tubes.")                           \
  F(S, D3, frame_cells, "frame.cells", NUMBERS("3"), UNIT("1"), REQUIRED, POSITIVE,                \
    .meaning = "Bays between cross members, cells along a bay, cells between the rails.")          \
  F(S, T1, frame_element, "frame.element", WORD(TRM_SOLID_ELEMENTS), .fallback = "C3D20",          \
    .meaning = "Type of its elements.")                                                            \
  F(S, T1, length, "length", TEXT, .fallback = "that of the model",                                \
    .meaning = "Unit of length of the mesh file, mm. Materials of an .inp or .bdf file are in "    \
               "units of N, s and this length.")                                                   \
  F(S, GROUP, material, "material", IS_MAP, .fallback = "that of the mesh file",                   \
    .also = TRMI_MATERIALS,                                                                        \
    .meaning = "Material of all elements that `materials` does not name. Materials of element "    \
               "sets may also be given here: material: {LID: {E: .., nu: .., density: ..}}.")      \
  F(S, D1, material_E, "material.E", NUMBER, UNIT("N/m^2"), REQUIRED, POSITIVE,                    \
    .meaning = "Young's modulus.")                                                                 \
  F(S, D1, material_nu, "material.nu", NUMBER, UNIT("1"), REQUIRED, BETWEEN(-0.99, 0.4999),        \
    .meaning = "Poisson's ratio.")                                                                 \
  F(S, D1, material_density, "material.density", NUMBER, UNIT("kg/m^3"), REQUIRED, POSITIVE,       \
    .meaning = "Density.")                                                                         \
  F(S, D1, material_expansion, "material.expansion", NUMBER, UNIT("1"),                            \
    .fallback = "none: it cannot be heated", .meaning = "Thermal expansion, per degree.")          \
  F(S, PARTS, materials, "materials", OF_KINDS(TRMI_MATERIALS),                                    \
    .meaning = "Materials by the names of element sets, before `material` and the mesh file.")     \
  F(S, PARTS, interfaces, "interfaces", OF_KINDS(TRMI_INTERFACES),                                 \
    .meaning = "Frames on the body for joints, forces and measures, known as rod.big.")            \
  F(S, PARTS, loads, "loads", OF_KINDS(TRMI_BODY_LOADS),                                           \
    .meaning = "Distributed loads, each with a static mode so that its static answer is exact; "   \
               "their values are known as rod.heat.")                                              \
  F(S, GROUP, modes, "modes", IS_MAP, .meaning = "Modes of its deformation.")                      \
  F(S, INT, modes_fixed, "modes.fixed", COUNT, INITIAL(20), BETWEEN(0, 1000),                      \
    .meaning = "Number of vibrations with all interfaces held, at most.")                          \
  F(S, D1, modes_up_to, "modes.up_to", NUMBER, UNIT("Hz"), POSITIVE, .fallback = "no limit",       \
    .meaning = "And only those below this frequency.")                                             \
  F(S, T1, modes_inertia, "modes.inertia", WORD("true|false|exact"), .fallback = "true",           \
    .meaning = "Also the static deformations under the twelve inertia loads of a moving frame, "   \
               "of which gravity is one; exact keeps parts of them that hardly move "              \
               "but have stress.")                                                                 \
  F(S, T1, modes_stiffening, "modes.stiffening", WORD("off|rotation|full"), .fallback = "off",     \
    .meaning = "Stiffening by loads. off: none, strains are linear; rotation: by centrifugal "     \
               "loads, right for a body that turns freely; full: by loads at interfaces as well.") \
  F(S, D1, modes_averaged, "modes.averaged", NUMBER, UNIT("Hz"), POSITIVE, .fallback = "none",     \
    .meaning = "Modes from this frequency on are vibrations for the integrator `smooth`.")         \
  F(S, T64, damping, "damping", TEXT_OR_MATRIX("1+x2"), .fallback = "bands",                       \
    .meaning = "Damping ratio of all modes, or bands: 0.01 below 100 Hz, 0.1 to 1 kHz, 1 above; "  \
               "or rows [frequency, ratio], [[100 Hz, 0.01], [1 kHz, 0.1], [inf, 1]]: a ratio "    \
               "holds below its frequency, the last one also above.")                              \
  F(S, GROUP, stress, "stress", IS_MAP, .meaning = "Settings of `trammel stress`.")                \
  F(S, T1, stress_nodes, "stress.nodes", WORD("surface|all"), .fallback = "surface",               \
    .meaning = "Nodes whose stress is known: those of the surface, or all.")                       \
  F(S, INT, stress_top, "stress.top", COUNT, INITIAL(20), BETWEEN(1, 100000),                      \
    .meaning = "Number of hot spots that are listed.")                                             \
  F(S, D3, at, "at", NUMBERS("3"), DERIVED, UNIT("m"), INITIAL(0),                                 \
    .meaning = "Origin of the mesh at the start, ground axes.")                                    \
  TRM_FIELDS_ORIENTATION(F, S, "the ground")                                                       \
  F(S, D3, velocity, "velocity", NUMBERS("3"), LIVE, UNIT("m/s"), INITIAL(0),                      \
    .meaning = "Velocity of the origin at the start, ground axes.")                                \
  F(S, D3, angular_velocity, "angular_velocity", NUMBERS("3"), LIVE, UNIT("rad/s"), INITIAL(0),    \
    .meaning = "Angular velocity at the start, body axes.")                                        \
  F(S, T1, color, "color", TEXT, .fallback = "chosen",                                             \
    .meaning = "Name of a colour, or #rrggbb in quotes.")

/** Kinds, as in trammel/part_fields.h. */
#define TRM_KINDS_OF_INTERFACES(K) K(interface, INTERFACE, NULL, "One interface.")
#define TRM_KINDS_OF_BODY_LOADS(K) K(body_load, BODY_LOAD, NULL, "One distributed load.")
#define TRM_KINDS_OF_MATERIALS(K) K(material, MATERIAL, NULL, "One material.")
#define TRM_KINDS_OF_FLEXIBLE(K) K(flexible, FLEXIBLE, NULL, "One flexible body.")

#endif
