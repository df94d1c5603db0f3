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

    def test_a_motion_that_jumps(self):
        text = ("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {p: {type: translational, "
                "bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
                "motions: {drive: {joint: p, position: %s}}\nsimulate: {end: 1}\n")
        for law, jump in (("'if(time > 0.5, 0.2, 0)'", "0.2 at 0.5 s"), ("'mod(time, 0.3)'", "0.3 at 0.3 s")):
            run = call("run", self.model(text % law))
            self.assertIn(f"motion 'drive' prescribes a position that jumps by {jump}", run.stderr)

    def test_a_word_in_the_place_of_a_number(self):
        self.says("simulate.tolerance must be a number, such as 1e-5, and 'fine' is no parameter",
                  ARM.replace("end: 0.1", "end: 0.1, tolerance: fine"))
        self.says("simulate.end must be a number, such as 2 s, and 'long' is no parameter",
                  ARM.replace("end: 0.1", "end: long"))
        named = "parameters: {fine: 1e-6}\n" + ARM.replace("end: 0.1", "end: 0.1, tolerance: fine")
        self.assertEqual(call("run", self.model("trammel: 1\n" + named.replace("trammel: 1\n", ""))).returncode, 0)
        self.refuses(2, "'fine' is not a finite decimal number, such as 0.25 or 1e-5", "run", "pendulum",
                     "--tolerance", "fine")

    def test_commands_and_options_of_other_programs(self):
        for word, ours in (("rnu", "run"), ("simulate", "run"), ("eigen", "modes"), ("validate", "check"),
                           ("linearize", "linear"), ("statics", "static")):
            self.refuses(2, f"unknown command '{word}', the nearest one is '{ours}'", word, "pendulum")
        self.refuses(2, "unknown command 'qqqq'; 'trammel help' lists them", "qqqq")
        self.refuses(2, "unknown option '-o', the nearest one is '--out'", "run", "pendulum", "-o", "x.h5")

    def test_units_that_are_nearly_ours(self):
        for text, says in (("3 kgm2", "'kgm2' is not a unit; did you mean 'kg*m^2'?"),
                           ("3 m2", "'m2' is not a unit; did you mean 'm^2'?"),
                           ("3 U/min", "'U' is not a unit; did you mean 'rpm'?"),
                           ("3 1/min", "revolutions in a minute are rpm"),
                           ("3 µm", "'µm' is not a unit; did you mean 'um'?"),
                           ("3 degC", "temperatures are plain numbers"),
                           ("sind(30)", "'sind' is not a function or a table: write sin(30 deg)")):
            self.says(says, ARM + f"parameters: {{p: {text}}}\n")
        self.assertEqual(call("check", self.model(ARM + "parameters: {p: 2.7 kg/dm^3}\n")).returncode, 0)

    def test_colons_and_braces(self):
        block = ARM.replace("bodies: {arm: {mass: 1, inertia: [1, 1, 1], at: [0.5, 0, 0]}}",
                            "bodies:\n  arm:\n    MASS\n    inertia: [1, 1, 1]\n    at: [0.5, 0, 0]")
        self.assertEqual(call("check", self.model(block.replace("MASS", "mass: 1"))).returncode, 0)
        for text in ("mass 1", "mass:1", "mass = 1"):
            self.says("m.yaml:5:5: a key and its value have ': ' between them, a colon and a blank",
                      block.replace("MASS", text))
        self.says("m.yaml:6:13: a second ': ' in this line, or a line that is indented too far",
                  block.replace("MASS", "mass: 1").replace("    inertia:", "     inertia:"))
        self.says("a '}' that closes nothing", ARM.replace("end: 0.1}", "end: 0.1}}"))

    def test_lists_of_numbers(self):
        for text, says in (("axis: y", "must be a list of 3 numbers, not a single value; lists are written as [0, 0, 1]"),
                           ("axis: [0 1 0]", "must have 3 numbers, not 1: commas separate them"),
                           ("axis: [0; 1; 0]", "must have 3 numbers, not 1: commas separate them"),
                           ("axis: [0, 1]", "must have 3 numbers, not 2\n")):
            self.says(says, ARM.replace("axis: [0, 1, 0]", text))

    def test_names_that_are_parts(self):
        self.says("body 'arm' is not a number: say what of it, after a dot; it has x, y, z",
                  ARM + "outputs: {o: arm}\n")
        self.says("joint 'hinge' has no 'rate'; it has angle (with a prime its rate), force.x",
                  ARM + "outputs: {o: hinge.rate}\n")
        for word in ("world", "base", "earth"):
            self.says(f"there is no body or marker '{word}'; did you mean 'ground'?", ARM.replace("ground", word))

    def test_an_inertia_shows_its_numbers(self):
        self.says("larger than the sum of the other two; given are 1, 1, 5",
                  ARM.replace("inertia: [1, 1, 1]", "inertia: [1, 1, 5]"))

    def test_a_density_in_another_unit(self):
        text = ARM.replace("mass: 1, inertia: [1, 1, 1],", "density: DENSITY, shape: {box: {size: [1, 1, 1]}},")
        self.assertEqual(self.warnings(text.replace("DENSITY", "7.85")), [
            "body 'arm': its density of 7.85 is 7.85 kg/m^3: is it in another unit? Units are written as "
            "'7.85 g/cm^3'"])
        for good in ("7.85 g/cm^3", "7850", "2 kg/m^3", "20"):
            self.assertEqual(self.warnings(text.replace("DENSITY", good)), [])
        # a wrong unit is that of all densities
        both = text.replace("DENSITY", "7.85").replace("bodies: {", "bodies: {other: {density: 900, shape: {box: "
                                                       "{size: [1, 1, 1]}}}, ")
        self.assertFalse([w for w in self.warnings(both) if "density" in w])

    def test_a_law_that_feeds_energy(self):
        law = ARM + "forces: {servo: {type: joint, joint: hinge, value: LAW}}\n"
        says = "force 'servo': its law grows with its own rate at the start, like a negative damping"
        for bad in ("\"5*(1 - hinge.angle) + 2*hinge.angle'\"", "hinge.angle'", "\"3*atan(hinge.angle'*1 s)\""):
            self.assertTrue([w for w in self.warnings(law.replace("LAW", bad)) if w.startswith(says)], bad)
        for good in ("\"5*(1 - hinge.angle) - 2*hinge.angle'\"", "3", "-hinge.angle", "\"-tanh(hinge.angle'*1 s)\"",
                     "\"2*hinge.angle', damping: 3\"".replace('"', "")):
            self.assertFalse([w for w in self.warnings(law.replace("LAW", good)) if "rate" in w], good)

    def test_units_inside_of_step(self):
        text = ARM + "motions: {m: {joint: hinge, velocity: \"LAW\"}}\n"
        for law in ("STEP(time, 0, 0, 2, 3 m/s)", "if(time > 1, 3 mm, 0)"):
            self.says("not 1/s", text.replace("LAW", law))
        for law in ("STEP(time, 0, 0, 2, 30 rpm)", "STEP(time, 0, 0, 2, 3)", "if(time > 1, 3 rad/s, 0)"):
            self.assertEqual(call("check", self.model(text.replace("LAW", law))).returncode, 0, law)

    def test_tables_with_names_of_workbooks(self):
        run = call("run", self.model(ARM), "--csv", self.path("x.xlsx"))
        self.assertEqual(run.returncode, 0)
        self.assertIn("--csv writes text with commas, whatever its name is", run.stderr)
        self.assertNotIn("whatever", call("run", self.model(ARM), "--csv", self.path("x.csv")).stderr)

    def test_typographic_quotes(self):
        letters = "is not read here; write '\"'"
        for text, says in ((ARM + "outputs: {o: “arm.x + 1”}\n", f"'“' (U+201C) {letters}"),
                           (ARM + "outputs: {o: „arm.x“}\n", f"'„' (U+201E) {letters}"),
                           (ARM + "outputs: {o: «arm.x»}\n", f"'«' (U+00AB) {letters}"),
                           (ARM.replace("[ground, arm]", "[“ground”, arm]"), "there is no body or marker '“ground”': "
                            "typographic quotes are letters here, write \" or '"),
                           (ARM.replace("revolute", "‘revolute’"), "is not a word for joints.hinge.type: typographic quotes"),
                           (ARM.replace("{arm:", "{“arm”:"), "do not begin with a digit: typographic quotes")):
            self.says(says, text)
        self.assertEqual(call("check", self.model(ARM + "name: “arm”\n")).returncode, 0)  # a text is free

    def test_two_motions_in_a_loop(self):
        self.says("motion 'one' and motion 'two' drive the same freedom and ask it for different speeds: leave one of them "
                  "out", FOUR_BAR + "motions: {one: {joint: a, velocity: 2}, two: {joint: d, velocity: 2}}\n", code=3)

    def test_places_in_another_unit(self):
        ask = "is one of the two places in another unit?"
        box = ARM.replace("mass: 1, inertia: [1, 1, 1], at: [0.5, 0, 0]", "density: 2700, shape: {box: {size: [1, 0.1, "
                          "0.1]}}, at: [AT, 0, 0]")
        self.assertEqual(self.warnings(box.replace("AT", "500")), [
            f"body 'arm': it is 500 away from its joint 'hinge', 1.72e+03 times its radius of gyration: {ask}"])
        self.assertEqual(self.warnings(box.replace("AT", "50")), [])
        # half the arms of the others are 0.2 m long
        far = FOUR_BAR.replace("a: {type: revolute, bodies: [ground, crank], at: [0, 0, 0]",
                               "a: {type: revolute, bodies: [ground, crank], at: [0, 0, 100]")
        said = [w for w in self.warnings(far) if ask in w]
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], "^body 'crank': it is .* away from its joint 'a', .* times as far as any other body")
        self.assertFalse([w for w in self.warnings(FOUR_BAR) if ask in w])

    def test_ends_of_forces_in_another_unit(self):
        ask = "is one of the two places in another unit?"
        spring = ARM + "forces: {s: {type: spring, bodies: [ground, arm], points: [[0, 0, 1], [0.5, 0, AT]], stiffness: 1}}\n"
        self.assertEqual(self.warnings(spring.replace("AT", "1000")), [
            "body 'arm': it is 1000 away from an end of force 's', 2e+03 times as far as from any joint or other force: " + ask])
        # another force out there says that it is meant, and so does a long body
        two = spring.replace("AT", "1000").replace("forces: {", "forces: {o: {type: force, body: arm, force: [1, 0, 0], "
                                                   "at: [0.5, 0, 20]}, ")
        for good in (spring.replace("AT", "20"), two, spring.replace("AT", "1000").replace("[1, 1, 1]", "[1e4, 1e4, 1e4]")):
            self.assertFalse([w for w in self.warnings(good) if ask in w], good)

    def test_friction_that_cannot_be_meant(self):
        hinge = "axis: [0, 1, 0], friction: {%s}"
        for keys, says in (("radius: 10, static: 0.1", ["joint 'hinge': its friction.radius of 10 is 10 times as long as "
                                                        "anything that moves: is it in another unit?"]),
                           ("radius: 10 mm", ["joint 'hinge': its friction has neither 'static', 'dynamic' nor 'viscous': "
                                              "it does nothing"]),
                           ("radius: 10 mm, static: 0", []), ("viscous: 0.1", []), ("radius: 2, static: 0.1", [])):
            self.assertEqual(self.warnings(ARM.replace("axis: [0, 1, 0]", hinge % keys)), says)

    def test_motions_in_degrees(self):
        text = ARM + "motions: {m: {joint: hinge, position: \"LAW\"}}\n"
        says = "motion 'm': the 90 in its position is in rad, 14.3 turns: degrees are written as '90 deg'"
        for bad in ("90*STEP(time, 0, 0, 1, 1)", "STEP(time, 0, 0, 1, 90)", "0*0.5 + 90 * sin(2*pi*time)", "STEP5(time, 0, 0, 2, -90)",
                    "HAVSIN(time, 0, 0, max(1, 2), 90 )", "(0*2 + 90*sin(time))", "-STEP(time, 0, 0, 1, 90)"):
            self.assertEqual(self.warnings(text.replace("LAW", bad)), [says], bad)
        for good in ("90 deg*STEP(time, 0, 0, 1, 1)", "STEP(time, 0, 0, 1, 90 deg)", "90*time", "STEP(time, 0, 0, 90, 1)",
                     "sin(90*time)", "STEP(time, 0, 0, 1, 1.90)", "(90)*1e-3*time", "STEP(time, 0, 0, 1, 0.5*pi)",
                     "0.1*STEP(time, 30, 0, 60, 1)", "100*STEP(time, 0, 0, 1, 1)",
                     # converted by hand
                     "90*sin(2*time)*pi/180", "pi/180*90*sin(2*time)", "pi/180 * STEP(time, 0, 0, 1, 90)",
                     "STEP(time, 0, 0, 1, 90) * pi/180", "STEP(time, 0, 0, 1, pi/180*90)", "STEP(time, 0, 0, 1, 2*pi*30)",
                     "(0*15 + 90*sin(time))*pi/180", "pi/180*(0*2 + (3*0 - STEP5(time, 0, 0, 1, 90)))", "90*sin(time)/57.3"):
            self.assertEqual(self.warnings(text.replace("LAW", good)), [], good)
        slide = text.replace("revolute", "translational").replace("LAW", "90*STEP(time, 0, 0, 1, 1)")
        self.assertEqual(self.warnings(slide), [])

    def test_ratios_with_units(self):
        text = """trammel: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0]}}
joints:
  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}
  q: {type: cylindrical, bodies: [ground, b], at: [0, 1, 0], axis: [1, 0, 0]}
  tie: {KEYS}
simulate: {end: 1}
"""
        gear, pair = "type: gear, joints: [p, q], ", "type: coupler, joints: [p, q], "
        slide = "coordinates: [angle, displacement], "
        for keys, says in ((gear + "ratio: 3 mm", "m, not 1"), (gear + slide + "ratio: 3 mm", "m, not 1/m"),
                           (pair + "coordinates: [angle, angle], ratios: [1, 2 kg]", "kg, not 1"),
                           (pair + slide + "ratios: [1, 2 m]", "m, not 1/m"), (pair + slide + "ratios: [2 m, 1 m]", "m, not 1")):
            self.says(f"joint 'tie': the value has the dimension {says}", text.replace("KEYS", keys))
        for keys in (gear + "ratio: 3", gear + "ratio: 360 deg", gear + slide + "ratio: 3/(1 mm)", gear + slide + "ratio: 300",
                     pair + slide + "ratios: [2 mm, -1]", pair + slide + "ratios: [1, -2/(1 mm)]",
                     pair + slide + "ratios: [0.02, -1]"):
            self.assertEqual(call("check", self.model(text.replace("KEYS", keys))).returncode, 0, keys)

    def test_blanks_around_the_sign_of_a_setting(self):
        plain = self.result("run", "pendulum", "--set", "mass=3")
        spaced = self.result("run", "pendulum", "--set", " mass = 3 ")
        self.assertEqual(plain["energy"], spaced["energy"])
        self.assertEqual(call("run", "pushed-cart", "--input", "push = 2").returncode, 0)
        self.refuses(2, "is not of the form PATH=VALUE", "run", "pendulum", "--set", "mass")

    def test_values_of_an_event_in_the_wrong_place(self):
        self.says("events.e.do must be a word, not a mapping; the values that change at an event stand under 'set'",
                  ARM + "equations: {discrete: {n: 0}, events: {e: {every: 0.01, do: {n: n + 1}}}}\n")

    def test_sections_and_keys_of_other_programs(self):
        for section, ours in (("states", "equations.states"), ("controllers", "equations.states"),
                              ("flexible_bodies", "flexible"), ("springs", "forces")):
            self.says(f"unknown key '{section}' in the model; did you mean '{ours}'?", ARM + f"{section}: {{a: 1}}\n")
        self.says("unknown key 'speed' in motions.m; did you mean 'velocity'?",
                  ARM + "motions: {m: {joint: hinge, speed: 2}}\n")

    def test_functions_of_other_programs(self):
        for text, says in (("der(hinge.angle)", "'der' is not a function or a table: write x', with a prime"),
                           ("integral(hinge.angle)", "write a state, equations.states: {i: {value: 0, rate: x}}"),
                           ("sgn(hinge.angle)", "'sgn' is not a function or a table: write sign(x)"),
                           ('"sat(hinge.angle, -1, 1)"', "write min(max(x, low), high)")):
            self.says(says, ARM + f"outputs: {{o: {text}}}\n")

    def test_outputs_and_inputs_in_other_places(self):
        text = ARM + "outputs: {angle: hinge.angle}\ninputs: {push: 0}\nforces: {f: {type: joint, joint: hinge, value: LAW}}\n"
        self.says("'angle' is an output, which only outputs after it can use: write here what it is",
                  text.replace("LAW", "-3*angle"))
        run = call("run", self.model(text.replace("LAW", "push")), "--set", "push=2")
        self.assertIn("'push' is an input, not a parameter: it is set by --input push=VALUE", run.stderr)

    def test_a_loop_of_signals_without_a_solution(self):
        text = ARM + "equations: {variables: {u: LOOP}}\nforces: {f: {type: joint, joint: hinge, value: u}}\n"
        self.says("variable 'u' drops out of its own equation, u = u + ..", text.replace("LOOP", "u - 3*hinge.angle"))
        self.assertEqual(call("check", self.model(text.replace("LOOP", "0.5*u - 3*hinge.angle"))).returncode, 0)


class Jobs(Case):
    """A part on a conveyor, and a bar from a mesh, with mistakes."""
    model, says, warnings = Words.model, Words.says, Words.warnings

    def changed(self, model, old, new):
        self.assertIn(old, model)
        return model.replace(old, new)

    def test_names_in_contacts(self):
        for other, says in (("bellt", "there is no body 'bellt'; did you mean 'belt'?"),
                            ("belt.surface", "body 'belt' has no shape 'surface'; it has 'top'"),
                            ("part.top", "body 'part' has no shape 'top'; it has 'shape'")):
            self.says(f"contact 'lies': {says}", self.changed(LIFT, "[part, belt]", f"[part, {other}]"))

    def test_values_of_another_kind(self):
        for old, new, says in (
                ("between: [part, belt]", "between: part", "not a single value; lists are written as [a, b]"),
                ("friction: {static: 0.5}", "friction: 0.5", "contacts.lies.friction must be a mapping of keys, not a single "
                 "value; it is written as {key: value}, with the keys model, static, dynamic"),
                ("{lies: {between: [part, belt], stiffness: 1e7, restitution: 0.1, friction: {static: 0.5}}}",
                 "[{between: [part, belt]}]", "contacts must be a mapping of names, not a list: each entry begins with its name")):
            self.says(says, self.changed(LIFT, old, new))
        self.says("material must be a mapping of keys, not a single value; it is written as {key: value}, with the keys E, nu, "
                  "density, expansion", self.changed(BAR, "{E: 2e9, nu: 0.35, density: 1000}", "steel"))

    def test_doubtful_friction(self):
        for new, says in (("static: 0.3, dynamic: 0.5", "its friction.dynamic, 0.5, is larger than its friction.static, 0.3: are "
                           "they exchanged?"),
                          ("static: 30", "its friction.static of 30 is 30 times the normal force: is it in percent?"),
                          ("static: 0.3, depth: 10", "its friction.depth of 10 is 10 m: is it in another unit? Units are "
                           "written as '10 um'")):
            self.assertEqual(self.warnings(self.changed(LIFT, "static: 0.5", new)), [f"contact 'lies': {says}"])
        self.assertEqual(self.warnings(self.changed(LIFT, "static: 0.5", "static: 0.5, dynamic: 0.4, depth: 10 um")), [])

    def test_contacts_between_the_same_two(self):
        twice = self.changed(LIFT, "contacts: {", "contacts: {again: {between: [belt, part], stiffness: 1e7}, ")
        self.assertEqual(self.warnings(twice), ["contact 'lies': it is between the same two as contact 'again': both push"])

    def test_an_overlap_is_told_once(self):
        said = self.warnings(self.changed(LIFT, "at: [-0.5, 0, 0.15]", "at: [-0.5, 0, 0.149]"))
        self.assertEqual(len(said), 1, said)  # of four corners
        self.assertIn("impact of part on belt: closed at the start by 0.001 m", said[0])

    def test_materials_and_damping(self):
        for old, new, says in (("E: 2e9", "E: 210", "its E of 210 is 210 N/m^2: is it in another unit?"),
                               ("density: 1000", "density: 7.85", "its density of 7.85 is 7.85 kg/m^3: is it in another unit?"),
                               ("damping: 0.01", "damping: 5", "its damping of 5 is 5 times the critical one: is it in percent?"),
                               ("damping: 0.01", "damping: [[50, 0.01], [90, 5]]", "its damping of 5 is 5 times the critical")):
            said = self.warnings(self.changed(BAR, old, new))
            self.assertEqual([says in w for w in said], [True], said)
        self.assertEqual(self.warnings(BAR), [])
        self.assertEqual(self.warnings(self.changed(BAR, "damping: 0.01", "damping: [[50, 0.01], [90, 0.1]]")), [])
        self.says("its damping must be a ratio that is not negative, such as 0.05 for 5 %, or bands",
                  self.changed(BAR, "damping: 0.01", "damping: 1%"))
        for old, new in (("density: 1000}", "density: 1000, expansion: 1e-5 kg}"), ("cells: [6,", "cells: [6 kg,")):
            self.says("flexible body 'bar': the value has the dimension kg, not 1", self.changed(BAR, old, new))
        self.says("'length' is the unit of a mesh file, and it has none", self.changed(BAR, "damping: 0.01", "length: mm"))

    def test_modes_are_counted(self):
        self.assertRegex(call("check", self.model(BAR + "outputs: {o: bar.mode99}\n")).stderr,
                         r"flexible body 'bar' has no 'mode99'; it has mode1 \.\. mode[0-9]+, x, y, z")

    def test_units_and_signs_of_other_programs(self):
        for text, says in (("9.81 m/s2", "'s2' is not known; did you mean the unit 's^2'?"),
                           ("0.1 N*m/A", "'A' is not known; as a unit: electrical units are not converted"),
                           ("24 V", "'V' is not a unit that is known: electrical units are not converted"),
                           ("3 kgs", "'kgs' is not a unit; did you mean 'kg', or 'kg*s'?"),
                           ("3 mms", "'mms' is not a unit; did you mean 'mm'?"),
                           ("3 Nm", "'Nm' is not a unit; did you mean 'N*m'?"),
                           ("1/2 pi", "an operator is missing before 'pi': write 2*pi"),
                           ("e^2", "'e' is not known; powers of it are written as exp(2)"),
                           ("dot(hinge.angle)", "'dot' is not a function or a table: write x', with a prime"),
                           ("'time < 1 ? 2 : 3'", "'?' has no meaning in an expression; a choice is written as if(x > 0, a, b)"),
                           ("'hinge.angle\"'", "'\"' has no meaning in an expression; rates have single primes, x' and x''"),
                           ("if(time > 1 & time < 2, 1, 0)", "'&' has no meaning in an expression; write and")):
            self.says(says, ARM + f"outputs:\n  o: {text}\n")
        # a name that is near to the word is meant before a unit
        self.says("'m3' is not known; did you mean 'm2'?", ARM + "parameters: {m2: 1}\noutputs: {o: 2*m3}\n")

    def test_keys_of_other_programs(self):
        for old, new, says in (("end: 0.1", "time: 0.1", "'time' in simulate; did you mean 'end'?"),
                               ("end: 0.1", "end: 0.1, dt: 1e-3", "'dt' in simulate; did you mean 'step'?"),
                               ("axis: [0, 1, 0]", "axis: [0, 1, 0], limits: {min: 0, upper: 1}",
                                "'min' in joints.hinge.limits; did you mean 'lower'?"),
                               ("inertia: [1, 1, 1]", "inertia: [1, 1, 1], fixed: true",
                                "unknown key 'fixed' in bodies.arm; a body that stays in place has a joint of type fixed, or "
                                "is 'ground' itself, which may have shapes and markers; known are type, ")):
            self.says(says, self.changed(ARM, old, new))
        self.says("'angle' in motions.m; did you mean 'position'?", ARM + "motions: {m: {joint: hinge, angle: time}}\n")
        self.says("'period' in events.e; did you mean 'every'?",
                  ARM + "equations: {discrete: {n: 0}, events: {e: {period: 1, set: {n: 1}}}}\n")
        self.says("'cable' is not a word for forces.f.type; did you mean 'spring'?",
                  ARM + "forces: {f: {type: cable, bodies: [ground, arm]}}\n")

    def test_a_missing_colon(self):
        self.says("m.yaml:2:1: a ':' is missing after a key", ARM.replace("gravity:", "name arm\ngravity:"))
        self.says("'b {mass' cannot be a name: is a ': ' missing before the bracket?",
                  "trammel: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b {mass: 2}\n")

    def test_an_event_after_the_end(self):
        for first, at in (("", "10"), (", first: 0.2", "0.2")):
            late = ARM + f"equations: {{discrete: {{n: 0}}, events: {{tick: {{every: 10 s{first}, set: {{n: n + 1}}}}}}}}\n"
            says = f"event 'tick' never happens: its first time, {at} s, is after the end of the run, 0.1 s"
            self.assertEqual(self.warnings(late), [says])
            self.assertEqual([note["text"] for note in self.result("run", self.model(late))["notes"]
                              if "tick" in note["text"]], [says])
            # at the end itself it happens
            self.assertNotIn("tick", call("run", self.model(late), "--end", at).stderr)

    def test_an_event_without_end(self):
        often = ARM + "equations: {discrete: {n: 0}, events: {tick: {every: 1 ns, set: {n: n + 1}}}}\n"
        self.assertEqual(self.warnings(often), ["event 'tick' happens 1e+08 times in this run, every 1e-09 s: is that in "
                                                "another unit?"])
        self.assertEqual(self.warnings(often.replace("1 ns", "1 us")), [])

    def test_two_gears_between_the_same_joints(self):
        gears = """trammel: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1], at: [0, 1, 0]}}
joints:
  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}
  q: {type: revolute, bodies: [ground, b], at: [0, 1, 0], axis: [1, 0, 0]}
  one: {type: gear, joints: [p, q], ratio: 3}
  two: {type: gear, joints: [q, p], ratio: -3}
simulate: {end: 1}
"""
        self.assertIn("joint 'two': it ties the same two joints as 'one': with another ratio neither can move",
                      self.warnings(gears))
        self.assertEqual(self.warnings(self.changed(gears, "  two: {type: gear, joints: [q, p], ratio: -3}\n", "")), [])

    def test_a_motion_that_jumps_by_every_method(self):
        jump = ARM + "motions: {m: {joint: hinge, position: 'if(time > 0.05, 60 deg, 0)'}}\n"
        for method in ("auto", "hht", "radau", "bdf", "explicit"):
            run = self.result("run", self.model(jump), "--integrator", method, "--end", "0.1")
            self.assertEqual([note["text"] for note in run["notes"] if "jumps" in note["text"]],
                             ["motion 'm' prescribes a position that jumps by 1.05 at 0.05 s: the bodies follow at once, and "
                              "forces and torques do not show the impulse; round the corner of its law, by STEP or a table "
                              "with interpolation: akima"])
        smooth = self.result("run", self.model(jump.replace("if(time > 0.05, 60 deg, 0)", "STEP(time, 0.04, 0, 0.06, 1)")))
        self.assertNotIn("jumps", str(smooth["notes"]))

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
