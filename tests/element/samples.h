/* samples.h - one sample of every element, on the same two bodies. The tests of this folder fail
 * for an element of the registries that has none.
 *
 * `text` is added to the model as it stands, the element is called `s`. Bodies a and b are free
 * and have markers a.m and b.m; p is a point mass. */
#ifndef TRM_TEST_SAMPLES_H
#define TRM_TEST_SAMPLES_H

typedef struct element_sample {
  const char *section; /* "joints" or "forces"                                   */
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
    "      markers: {m: {at: [.3, .1, -.2], orientation: {vector: [.5, .1, -.3]}}}}\n"
    "  b: {mass: .8, inertia: [.2, .3, .4], at: [1, .3, .4],\n"
    "      orientation: {vector: [-.2, .4, .1]},\n"
    "      markers: {m: {at: [-.2, .3, .1], orientation: {vector: [.2, -.6, .4]}}}}\n"
    "  p: {type: point, mass: .4, at: [-.7, .5, .2]}\n"
    "outputs: {x: a.m.x}\n";

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
  {"forces", "force",
   "forces: {s: {type: force, marker: a.m, frame: b.m, force: [a.m.x*b.vy, 1 + b.wz, 2],\n"
   "             torque: [sin(time), a.q1, b.m.z^2]}}\n", FIXED},
  {"forces", "spring",
   "forces: {s: {type: spring, markers: [a.m, b.m], stiffness: 13, damping: 3, length: .4}}\n",
   FREE},
};
enum { SAMPLES = (int)(sizeof samples / sizeof *samples) };

#endif
