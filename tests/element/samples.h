/* samples.h - one sample of every element, on the same two bodies. The tests of this folder fail
 * for an element of the registries that has none.
 *
 * `text` is added to the model as it stands, the element is called `s`. Bodies a and b are free
 * and have markers a.m and b.m; p is a point mass. */
#ifndef TRM_TEST_SAMPLES_H
#define TRM_TEST_SAMPLES_H

typedef struct element_sample {
  const char *section; /* "joints", "forces", "beams" or "contacts"              */
  const char *type;
  const char *text;
  enum { FREE, FIXED } hold; /* FIXED: holds on to the ground or to components in ground axes: a
                                rigid motion of all bodies changes it              */
} element_sample;

static const char sample_bodies[] =
    "trammel: 1\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [.3, .5, .6, .02, -.03, .05], com: [.1, -.05, .2],\n"
    "      at: [.1, .2, -.3], orientation: {vector: [.3, -.5, .7]},\n"
    "      markers: {m: {at: [.3, .1, -.2], orientation: {vector: [.5, .1, -.3]}}},\n"
    "      shapes: {ball: {sphere: {at: [.3, .2, -.1], radius: 1.5}},\n"
    "               box: {box: {size: [.4, .3, .2], at: [.2, .1, 0], rounding: .05}},\n"
    "               rod: {capsule: {from: [-.2, .1, 0], to: [.3, .2, .15], radius: 1.1}},\n"
    "               peg: {capsule: {from: [.641, .247, .268], to: [1.205, .34, .452],\n"
    "                               radius: 1.1}},\n"
    "               tin: {cylinder: {from: [.1, 0, 0], to: [.2, .25, .3], radius: .4}},\n"
    "               egg: {ellipsoid: {at: [.1, 0, .2], radii: [1.3, .9, .7]}},\n"
    "               tyre: {torus: {at: [0, .1, 0], axis: [.2, .9, .1], radius: .7, tube: .6}},\n"
    "               floor: {plane: {at: [.3, .1, .8], normal: [.2, -.3, .9]}}}}\n"
    "  b: {mass: .8, inertia: [.2, .3, .4], at: [1, .3, .4],\n"
    "      orientation: {vector: [-.2, .4, .1]},\n"
    "      markers: {m: {at: [-.2, .3, .1], orientation: {vector: [.2, -.6, .4]}}},\n"
    "      shapes: {ball: {sphere: {at: [-.2, .1, .2], radius: 1.8}},\n"
    "               pole: {capsule: {from: [-.2, .3, 0], to: [.2, -.1, .1], radius: .5}},\n"
    "               crate: {box: {size: [2.4, 2.2, 2], at: [1.5, 0, 0], rounding: .9}},\n"
    "               disc: {profile: {outline: [[.5, -.4, .4], [.5, .4, 0], [-.4, .4, -3],\n"
    "                                          [-.4, -.4, 0]], height: .3, at: [.1, .2, 0],\n"
    "                                axis: [.1, .3, 1]}},\n"
    "               hills: {terrain: {at: [.2, .1, .9], points: [[-3, -3, .1], [0, -3, -.1],\n"
    "                                 [3, -3, 0], [-3, 3, .2], [0, 3, .3], [3, 3, -.1]]}},\n"
    "               wall: {plane: {at: [.3, 0, 1.5], normal: [-.1, .2, .9]}}}}\n"
    "  p: {type: point, mass: .4, at: [-.7, .5, .2], shape: {sphere: {radius: 2}}}\n"
    "outputs: {x: a.m.x}\n";

#define BEAM_LINE "points: [[1, 0, 0], [1.4, .3, .1], [1.9, .4, .5]], y: [.2, 1, .3], twist: .6"

static const element_sample samples[] = {
  {"joints", "fixed", "joints: {s: {type: fixed, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "revolute", "joints: {s: {type: revolute, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "translational", "joints: {s: {type: translational, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "cylindrical", "joints: {s: {type: cylindrical, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "spherical", "joints: {s: {type: spherical, markers: [p, b.m]}}\n", FREE},
  {"joints", "planar", "joints: {s: {type: planar, markers: [b.m, a.m]}}\n", FREE},
  {"joints", "revolute",
   "joints: {s: {type: revolute, bodies: [ground, b], at: [.5, .1, .2], axis: [.2, -.5, .4]}}\n"
   "motions: {drive: {joint: s, position: 0.3*sin(2*time)}}\n", FIXED},
  {"joints", "cylindrical",
   "joints: {s: {type: cylindrical, markers: [b.m, a.m]}}\n"
   "motions: {drive: {joint: s, coordinate: displacement, velocity: 0.3*sin(2*time)}}\n", FIXED},
  {"joints", "universal", "joints: {s: {type: universal, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "constant_velocity",
   "joints: {s: {type: constant_velocity, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "screw", "joints: {s: {type: screw, markers: [a.m, b.m], pitch: .7}}\n", FREE},
  {"joints", "distance", "joints: {s: {type: distance, markers: [a.m, p]}}\n", FREE},
  {"joints", "revolute_spherical",
   "joints: {s: {type: revolute_spherical, markers: [a.m, b.m], length: 1.2}}\n", FREE},
  {"joints", "point_on_line", "joints: {s: {type: point_on_line, markers: [a.m, p]}}\n", FREE},
  {"joints", "point_on_plane",
   "joints: {s: {type: point_on_plane, markers: [b.m, p], offset: .2}}\n", FREE},
  {"joints", "parallel", "joints: {s: {type: parallel, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "perpendicular", "joints: {s: {type: perpendicular, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "orientation", "joints: {s: {type: orientation, markers: [a.m, b.m]}}\n", FREE},
  {"joints", "gear",
   "joints: {r1: {type: parallel, markers: [a.m, b.m]}, r2: {type: parallel, markers: [b, a]},\n"
   "         s: {type: gear, joints: [r1, r2], ratio: -1.7}}\n", FREE},
  {"joints", "rack",
   "joints: {r1: {type: point_on_line, markers: [a.m, b.m]},\n"
   "         r2: {type: parallel, markers: [b.m, a.m]},\n"
   "         s: {type: rack, joints: [r1, r2], radius: .3}}\n", FREE},
  {"joints", "coupler",
   "joints: {s: {type: coupler, joints: [r1, r2, r3], ratios: [1, -2, .7],\n"
   "             coordinates: [displacement, angle, angle]},\n"
   "         r1: {type: cylindrical, markers: [a.m, b.m]},\n"
   "         r2: {type: planar, markers: [b.m, a.m]}, r3: {type: parallel, markers: [a, b]}}\n",
   FREE},
  {"joints", "constraint",
   "joints: {s: {type: constraint, equals: 'a.m.x*b.q1 - .3*p.z^2 + DM(a.m, b.m)*sin(time)'}}\n",
   FIXED},
  {"joints", "curve",
   "tables: {cx: {x: [0, 1, 2, 3], y: [0, 1, 1.5, .5], interpolation: cubic},\n"
   "         cz: {x: [0, 1, 2, 3], y: [.3, 0, -.4, 1], interpolation: cubic}}\n"
   "joints: {s: {type: curve, markers: [a.m, b.m], path: {x: cx, z: cz, start: 1.3}}}\n", FREE},
  {"joints", "rolling", "joints: {s: {type: rolling, markers: [a.m, b.m], radius: .4}}\n", FREE},
  /* motions on angles of every sort */
  {"joints", "universal",
   "joints: {s: {type: universal, markers: [a.m, b.m]}}\n"
   "motions: {drive1: {joint: s, coordinate: angle1, position: 0.3*sin(2*time)},\n"
   "          drive2: {joint: s, coordinate: angle2, velocity: 0.3*sin(2*time)}}\n", FIXED},
  {"joints", "distance",
   "joints: {s: {type: distance, markers: [a.m, b.m]}}\n"
   "motions: {drive1: {joint: s, coordinate: elevation, position: 0.3*sin(2*time)},\n"
   "          drive2: {joint: s, coordinate: azimuth, position: 0.3*sin(2*time)},\n"
   "          drive3: {joint: s, coordinate: angle2, acceleration: 0.3*sin(2*time)}}\n", FIXED},
  /* stops and friction: speeds of rest, and depths, of the size of what happens */
  {"joints", "revolute",
   "joints: {s: {type: revolute, markers: [a.m, b.m],\n"
   "             limits: {lower: .1, upper: .4, stiffness: 7, damping: 2, depth: .3},\n"
   "             friction: {static: .6, dynamic: .4, radius: .2, velocity: .1, viscous: .3}}}\n",
   FREE},
  {"joints", "revolute",
   "joints: {s: {type: revolute, markers: [a.m, b.m],\n"
   "             friction: {dynamic: .4, radius: .2, length: .3, velocity: .8}}}\n", FREE},
  {"joints", "cylindrical",
   "joints: {s: {type: cylindrical, markers: [a.m, b.m],\n"
   "             friction: {dynamic: .4, radius: .2, length: .5, velocity: .8}}}\n", FREE},
  {"joints", "translational",
   "joints: {s: {type: translational, markers: [b.m, a.m],\n"
   "             friction: {dynamic: .4, radius: .2, length: .4, velocity: .8}}}\n", FREE},
  {"joints", "translational",
   "joints: {s: {type: translational, markers: [b.m, a.m],\n"
   "             limits: {upper: -.5, stiffness: 7, damping: 2, depth: .3},\n"
   "             friction: {dynamic: .4, radius: .2, velocity: .8, preload: 2}}}\n", FREE},
  {"joints", "screw",
   "joints: {s: {type: screw, markers: [b.m, a.m], pitch: .7,\n"
   "             limits: {coordinate: displacement, lower: .5, stiffness: 7, depth: .3},\n"
   "             friction: {static: .4, radius: .2, velocity: .8}}}\n", FREE},
  {"joints", "spherical",
   "joints: {s: {type: spherical, markers: [a.m, b.m],\n"
   "             friction: {static: .4, radius: .2, velocity: .3}}}\n", FREE},
  {"joints", "planar",
   "joints: {s: {type: planar, markers: [a.m, b.m],\n"
   "             friction: {static: .4, dynamic: .3, velocity: 1.5}}}\n", FREE},
#define STICKS "friction: {model: bristle, static: .6, dynamic: .4, depth: .7, time: .3, "
  {"joints", "revolute",
   "joints: {s: {type: revolute, markers: [a.m, b.m], " STICKS "velocity: 2, radius: .2}}}\n",
   FREE},
  {"joints", "cylindrical",
   "joints: {s: {type: cylindrical, markers: [a.m, b.m],\n"
   "             " STICKS "velocity: .1, radius: .2, viscous: .3}}}\n", FREE}, /* it slides */
  {"joints", "spherical",
   "joints: {s: {type: spherical, markers: [a.m, b.m], " STICKS "velocity: 3, radius: .2}}}\n",
   FREE},
  {"joints", "planar",
   "joints: {s: {type: planar, markers: [a.m, b.m], " STICKS "velocity: 1.5, preload: 2}}}\n",
   FREE},
  {"joints", "revolute",
   "joints: {s: {type: revolute, bodies: [a, b], at: [.5, .1, .2], axis: [.2, -.5, .4]}}\n"
   "motions: {drive: {joint: s, acceleration: 2*sin(2*time), start: 9, start_velocity: .3}}\n",
   FREE},
  {"forces", "force",
   "forces: {s: {type: force, marker: a.m, frame: b.m, force: [a.m.x*b.vy, 1 + b.wz, 2],\n"
   "             torque: [sin(time), a.q1, b.m.z^2]}}\n", FIXED},
  {"forces", "spring",
   "forces: {s: {type: spring, markers: [a.m, b.m], stiffness: 13, damping: 3, length: .4}}\n",
   FREE},
  {"forces", "spring",
   "forces: {s: {type: spring, markers: [p, b.m], stiffness: 3, length: .4, preload: 2,\n"
   "             value: -.3*s.length^3 - .2*s.rate*s.length}}\n", FREE},
  {"forces", "spring",
   "forces: {s: {type: spring, markers: [p, a.m], stiffness: 3, length: 0}}\n", FREE},
  {"forces", "force",
   "forces: {s: {type: force, markers: [a.m, b.m], frame: a.m, force: [1, b.m.vx, 2],\n"
   "             torque: [.3, -.2, .1]}}\n", FIXED},
  {"forces", "force",
   "forces: {s: {type: force, body: b, at: [.3, .2, .1], frame: b, force: [1, .5, -2]}}\n", FREE},
  {"forces", "torque",
   "forces: {s: {type: torque, bodies: [a, b], at: [0, 0, 0], frame: b.m,\n"
   "             torque: [.3, b.wx, .1]}}\n", FREE},
  {"forces", "general",
   "forces: {s: {type: general, markers: [a.m, b.m], frame: a.m,\n"
   "             force: [1, b.wx, 2], torque: [.3, -.2*a.wy, .1]}}\n", FREE},
  {"forces", "torsion",
   "forces: {s: {type: torsion, markers: [a.m, b.m], stiffness: 2, damping: .5, angle: .3,\n"
   "             preload: .2, value: -.1*s.angle^3}}\n", FREE},
  {"forces", "joint",
   "joints: {drive: {type: cylindrical, markers: [a.m, b.m]}}\n"
   "forces: {s: {type: joint, joint: drive, coordinate: displacement, stiffness: 3, damping: .4,\n"
   "             value: .3*drive.angle},\n"
   "         t: {type: joint, joint: drive, coordinate: angle, stiffness: 3, value: -s.force}}\n",
   FREE},
  {"forces", "bushing",
   "forces: {s: {type: bushing, markers: [a.m, b.m], stiffness: [9, 8, 7, 3, 2, 1],\n"
   "             damping: [.9, .8, .7, .3, .2, .1], preload: [1, -2, 1, .2, .1, -.3]}}\n", FREE},
  {"forces", "bushing", /* small rotations: series */
   "forces: {s: {type: bushing, bodies: [a, b], at: [.5, .2, .1], stiffness: [9, 8, 7, 3, 2, 1],\n"
   "             damping: [.9, .8, .7, 3, 2, .1]}}\n", FREE},
  {"forces", "bushing", /* a matrix that has no potential */
   "forces: {s: {type: bushing, markers: [b.m, a.m], stiffness:\n"
   "             [[9, 1, 0, 0, .2, 0], [0, 8, 0, .5, 0, 0], [0, 2, 7, 0, 0, .1],\n"
   "              [.1, 0, .3, 3, 0, 0], [0, 0, 0, -.4, 2, 0], [0, .6, 0, 0, 0, 1]]}}\n", FREE},
  {"forces", "beam",
   "forces: {s: {type: beam, markers: [a.m, b.m], E: 20, G: 8, area: .5, Iy: .2, Iz: .1,\n"
   "             J: .3, shear_y: .8, damping: .1}}\n", FREE},
  {"beams", "2", "beams: {s: {" BEAM_LINE ", nodes: 2, elements: 3, mass: 1.2, damping: .1,\n"
                 "            stiffness: [9, 4, 5, 2, 1.5, 1.1], inertia: [.3, .1, .2]}}\n", FREE},
  {"beams", "3", "beams: {s: {" BEAM_LINE ", nodes: 3, elements: 2, density: 2, area: .7,\n"
                 "            E: 9, G: 4, Iy: .2, Iz: .3, J: .4, follower: [.3, -.7, .9]}}\n",
   FREE},
  {"beams", "4", "beams: {s: {" BEAM_LINE ", nodes: 4, elements: 2, mass: .8, damping: .05,\n"
                 "            stiffness: [[9, .1, .2, .3, 0, .5], [.1, 4, .6, 0, .2, .1],\n"
                 "                        [.2, .6, 5, .2, 0, .3], [.3, 0, .2, 2, .4, 0],\n"
                 "                        [0, .2, 0, .4, 1.5, .1], [.5, .1, .3, 0, .1, 1.1]],\n"
                 "            load: [.4, 1, -.6], follower: [.3, -.7, .9]}}\n", FIXED},
  {"forces", "plugin",
   "forces: {s: {type: plugin, markers: [a.m, b.m], function: spring_exact,\n"
   "             library: " TEST_PLUGINS "spring_plugin.so, parameters: [13, 3, .4]}}\n", FREE},
  {"forces", "plugin",
   "forces: {s: {type: plugin, markers: [p, b.m], function: spring,\n"
   "             library: " TEST_PLUGINS "spring_plugin.so, parameters: [13, 3, .4]}}\n", FREE},
  {"forces", "plugin",
   "forces: {s: {type: plugin, markers: [a.m, b.m], function: busy,\n"
   "             library: " TEST_PLUGINS "odd_plugin.so}}\n", FIXED},
  {"forces", "plugin",
   "forces: {s: {type: plugin, marker: b.m, function: busy,\n"
   "             library: " TEST_PLUGINS "odd_plugin.so}}\n", FIXED},
  {"contacts", "contact",
   "contacts: {s: {between: [a.ball, b.ball], stiffness: .7, damping: .2}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.floor, p], stiffness: .3, exponent: 2, restitution: .6}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [p, b.ball], stiffness: .6, exponent: 1.2,\n"
   "               impact: {damping: .7, depth: 3}}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [b.ball, a.ball], stiffness: .2, restitution: .8}}\n", FREE},
#define BENT "friction: {static: .6, dynamic: .4, velocity: 8, depth: .7, time: .3}"
  {"contacts", "contact",
   "contacts: {s: {between: [a.box, b.ball], stiffness: .5, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [b.ball, a.rod], stiffness: .3, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.tin, b.ball], stiffness: .5, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.box, b.wall], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [b.wall, a.rod], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.tin, b.wall], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [b.wall, a.tyre], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.egg, b.wall], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.egg, b.ball], stiffness: .4, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [p, b.disc], stiffness: .4, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.peg, b.disc], stiffness: .4, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [p, b.hills], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.box, b.hills], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.rod, b.pole], stiffness: .3, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.rod, b.crate], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.box, b.crate], stiffness: .1, damping: .1, " BENT "}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.ball, b.ball], stiffness: .7, damping: .2,\n"
   "               friction: {static: .6, dynamic: .4, velocity: .8, model: regularized,\n"
   "                          torsion: .3, rolling: .2}}}\n", FREE},
  {"contacts", "contact",
   "contacts: {s: {between: [a.ball, b.ball], stiffness: .7, damping: .2,\n"
   "               friction: {static: .6, dynamic: .1, velocity: .1, depth: .7, time: .3}}}\n",
   FREE}, /* it slides */
  {"contacts", "contact",
   "contacts: {s: {between: [b.ball, a.tyre], stiffness: .2, restitution: .8,\n"
   "               friction: {static: .6, dynamic: .4, velocity: 8, depth: .7, time: .3,\n"
   "                          torsion: .3, rolling: .2}}}\n", FREE}, /* it sticks */
};
enum { SAMPLES = (int)(sizeof samples / sizeof *samples) };

#endif
