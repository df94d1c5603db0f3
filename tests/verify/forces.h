/* forces.h - what the tests of forces share. */
#ifndef TRM_TEST_FORCES_H
#define TRM_TEST_FORCES_H
#include "verify/mechanics.h"

#define TWO_BODIES                                                                     \
  "trammel: 1\n"                                                                       \
  "bodies:\n"                                                                          \
  "  a: {mass: 1.3, inertia: [.3, .5, .6], at: [.1, .2, -.3], velocity: [.1, 0, .2],\n" \
  "      orientation: {vector: [.3, -.5, .7]}, angular_velocity: [.2, -.4, .3],\n"     \
  "      markers: {m: {at: [.3, .1, -.2], orientation: {vector: [.3, .1, -.3]}}}}\n"   \
  "  b: {mass: .8, inertia: [.2, .3, .4], at: [1, .3, .4], velocity: [-.2, .1, 0],\n"  \
  "      orientation: {vector: [-.2, .4, .1]}, angular_velocity: [.5, .2, -.6],\n"     \
  "      markers: {m: {at: [-.2, .3, .1], orientation: {vector: [.2, -.4, .4]}}}}\n"

/* ---- bushing ------------------------------------------------------------------------------- */

#define HELD(force) \
  "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nforces: {s: {" force "}}\n"
#define FULL                                                                            \
  "[[9, 1, 0, 0, .2, 0], [0, 8, 0, .5, 0, 0], [0, 2, 7, 0, 0, .1],\n"                   \
  " [.1, 0, .3, 3, 0, 0], [0, 0, 0, -.4, 2, 0], [0, .6, 0, 0, 0, 1]]"

#endif
