"""slips.py - slips of the pen in a model and on the command line, and what the program says of them."""

from newcomer import ARM, Newcomer as Words
from program import Case, call

FOUR_BAR = """trammel: 1
bodies:
  crank: {mass: 1, inertia: [1e-2, 1e-2, 1e-2], at: [0, 0, 0.1]}
  rod: {mass: 1, inertia: [1e-2, 1e-2, 1e-2], at: [0.2, 0, 0.25]}
  rocker: {mass: 1, inertia: [1e-2, 1e-2, 1e-2], at: [0.4, 0, 0.15]}
joints:
  a: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  b: {type: revolute, bodies: [crank, rod], at: [0, 0, 0.2], axis: [0, 1, 0]}
  c: {type: revolute, bodies: [rod, rocker], at: [0.4, 0, 0.3], axis: [0, 1, 0]}
  d: {type: revolute, bodies: [ground, rocker], at: [0.4, 0, 0], axis: [0, 1, 0]}
simulate: {end: 0.1}
"""
LIFT = """trammel: 1
gravity: [0, 0, -9.81]
bodies:
  belt: {mass: 20, inertia: [1, 1, 1], at: [0, 0, 0.05], shapes: {top: {box: {size: [2, 0.4, 0.1], rounding: 2 mm}}}}
  part: {density: 500, at: [-0.5, 0, 0.15], shape: {box: {size: [0.1, 0.1, 0.1], rounding: 2 mm}}}
joints: {slide: {type: translational, bodies: [ground, belt], at: [0, 0, 0], axis: [1, 0, 0]}}
contacts: {lies: {between: [part, belt], stiffness: 1e7, restitution: 0.1, friction: {static: 0.5}}}
simulate: {end: 0.1}
"""
BAR = """trammel: 1
flexible:
  bar: {box: {size: [1, 0.03, 0.03], cells: [6, 1, 1]}, material: {E: 2e9, nu: 0.35, density: 1000},
        interfaces: {root: {nodes: XMIN}}, modes: {fixed: 2}, damping: 0.01}
joints: {pin: {type: revolute, bodies: [ground, bar.root], at: [0, 0.015, 0.015], axis: [0, 1, 0]}}
simulate: {end: 0.1}
"""


class Slips(Case):
    model, says, warnings = Words.model, Words.says, Words.warnings

    def test_limits_in_the_wrong_order(self):
        for joint, says in (("revolute", "its lower limit, 1.0472 rad, is not below the upper one, -1.5 rad"),
                            ("translational", "its lower limit, 1.0472, is not below the upper one, -1.5")):
            self.says(f"joint 'hinge': {says}", ARM.replace("revolute", joint).replace(
                "axis: [0, 1, 0]", "axis: [0, 1, 0], limits: {lower: 1.0472, upper: -1.5, stiffness: 10}"))

    def test_two_orientations_at_once(self):
        for keys, says in (("quaternion: [1, 0, 0, 0], z: [1, 0, 0]", "its orientation has 'quaternion' and 'z'"),
                           ("vector: [1, 0, 0], y: [1, 0, 0]", "its orientation has 'vector' and 'y'"),
                           ("vector: [1, 0, 0], sequence: zxz", "its orientation has 'vector' and 'sequence'"),
                           ("sequence: zxz", "is for 'angles', which are missing")):
            self.says(says, "trammel: 1\nsimulate: {end: 0.1}\nbodies: {b: {mass: 1, inertia: [1, 1, 1], "
                      "orientation: {%s}}}\n" % keys)

    def test_places_of_what_has_markers(self):
        text = ("trammel: 1\nsimulate: {end: 0.1}\nbodies: {ground: {markers: {g: {}}}, "
                "b: {mass: 1, inertia: [1, 1, 1], markers: {m: {}}}}\n")
        for key in ("at: [1, 0, 0]", "axis: [1, 0, 0]", "x: [1, 0, 0]"):
            self.says("joint 'j': markers have a place and axes of their own; this key is for bodies",
                      text + "joints: {j: {type: revolute, markers: [ground.g, b.m], %s}}\n" % key)
        self.says("this key is for bodies", text + "joints: {j: {type: universal, "
                  "markers: [ground.g, b.m], axis2: [1, 0, 0]}}\n")
        self.says("joint 'j': 'x' is the direction across the 'axis', which is missing",
                  text + "joints: {j: {type: spherical, bodies: [ground, b], at: [0, 0, 0], x: [1, 0, 0]}}\n")
        self.says("force 'f': markers have a place of their own; this key is for bodies",
                  text + "forces: {f: {type: bushing, markers: [ground.g, b.m], stiffness: 3, "
                  "orientation: {z: [1, 0, 0]}}}\n")
        for kind in ("torsion", "bushing"):
            self.says("force 'f': give 'axis' or 'orientation', not both",
                      text + "forces: {f: {type: %s, bodies: [ground, b], at: [0, 0, 0], stiffness: 3, "
                      "axis: [1, 0, 0], orientation: {z: [0, 1, 0]}}}\n" % kind)

    def test_a_stiffness_of_another_exponent(self):
        text = ("trammel: 1\nsimulate: {end: 0.1}\nbodies: {ground: {shapes: {floor: {plane: {}}}}, ball: {mass: 1, "
                "inertia: [1, 1, 1], at: [0, 0, 1], shape: {sphere: {radius: 0.1}}}}\n"
                "contacts: {c: {between: [ball, ground], stiffness: %s, exponent: %s}}\n")
        for stiffness, exponent in (("3e7 N/m^1.5", 2), ("3e7 N/m^1.5", 1), ("3e7 N/mm^1.5", 1.2), ("3e7 N/m^2", 1.5)):
            self.says(f"with an exponent of {exponent} its stiffness is in N/m^{exponent}",
                      text % (stiffness, exponent))
        for stiffness, exponent in (("3e7 N/m^1.5", 1.5), ("3 kN/mm^1.2", 1.2), ("3e7", 1.7), ("3e7 N/m", 1)):
            self.assertEqual(call("check", self.model(text % (stiffness, exponent))).returncode, 0)

    def test_damping_of_a_flexible_body_by_a_parameter(self):
        text = BAR.replace("trammel: 1\n", "trammel: 1\nparameters: {z: 0.02}\n")
        run = call("check", self.model(text.replace("damping: 0.01", "damping: z/2")))
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_numbers_of_lists_in_brackets(self):
        self.refuses(2, "numbers of a list are counted from 1 and follow a dot: gravity.3", "run",
                     "slider-crank-rigid", "--set", "gravity[2]=-1")

    def test_discrete_values_are_held_where_a_model_is_linearized(self):
        says = "note: discrete values keep their values here: u, sum, last; a controller that changes them at events"
        for command in ("linear", "modes"):
            self.assertIn(says, call(command, "sampled-controller").stderr)
            self.assertNotIn("discrete", call(command, "pendulum").stderr)

    def test_a_fast_state_is_no_stiff_part(self):
        said = call("run", "robot-arm", "--integrator", "explicit").stderr
        self.assertIn("fastest is 't6' of state 't6'): its stability, not the accuracy, sets the step; --integrator hht "
                      "takes longer steps", said)

    def test_words_in_the_wrong_place(self):
        self.refuses(2, "a command comes first: 'trammel run door.yaml', or check, static, modes", "door.yaml")
        self.refuses(2, "unknown option '--plot': a run is kept by --out F.h5 and drawn by 'trammel plot F.h5 SIGNAL..'",
                     "run", "pendulum", "--plot", "phi")
        self.refuses(2, "one argument too many: 'a.xlsx'; --out FILE names the file to write", "export", "a.h5", "a.xlsx")
        self.refuses(2, "unknown option '--endtime', the nearest one is '--end'", "run", "pendulum", "--endtime", "5")
        self.says("there is no joint 'hinging'\n", ARM + "motions: {m: {joint: hinging, position: time}}\n")
        self.says("there is no joint 'hinges_1'; did you mean 'hinge'?",
                  ARM + "motions: {m: {joint: hinges_1, position: time}}\n")
