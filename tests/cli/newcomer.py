"""newcomer.py - mistakes of the first day, and what the program says of them."""

import math
import os

from program import Case, call, is_sanitized

ARM = """trammel: 1
gravity: [0, 0, -9.81]
bodies: {arm: {mass: 1, inertia: [1, 1, 1], at: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}}
simulate: {end: 0.1}
"""
ROD = """trammel: 1
beams: {rod: {points: [[0, 0, 0], [1, 0, 0]], E: 2e11, G: 8e10, area: 1e-4, Iy: 1e-9, Iz: 1e-9, J: 2e-9,
              density: 7800}}
forces: {push: {type: force, body: rod.last, force: [0, 0, 1]}}
"""


class Newcomer(Case):
    def model(self, text, name="m.yaml"):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def says(self, sentence, text, *words, code=2):
        run = call(*(words or ("check",)), self.model(text))
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertIn(sentence, run.stderr)

    def warnings(self, text):
        return self.result("check", self.model(text))["warnings"]

    def test_an_expression_that_commas_have_cut(self):
        for law in ("STEP(time,0,0,1,1)", "STEP(time, 0, 0, 1, 1)", "HAVSIN(time, 0, 0, 0, 1)"):
            self.says(": a comma inside {..} ends a value: put the expression before it in quotes",
                      ARM + f"motions: {{m: {{joint: hinge, position: {law}}}}}\n")
        # the same key twice stays what it is
        self.says("'mass' is given twice, first in line 3", ARM.replace("mass: 1,", "mass: 1, mass: 2,"))

    def test_the_same_in_a_repeated_block(self):
        self.says(": a comma inside {..} ends a value: put the expression before it in quotes",
                  ARM + "repeat: {a: {count: 3, outputs: {o<i>: mod(<i>, 2)}}}\n")

    def test_a_file_that_is_missing_is_the_only_fault(self):
        run = call("check", self.model("trammel: 1\ninclude: none.yaml\n"))
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertIn("none.yaml': No such file or directory", run.stderr)

    def test_a_sweep_of_nothing(self):
        run = call("static", "winch", "--sweep", "nosuch=0..4,2")
        self.assertIn("the model gives no value 'nosuch'\n", run.stderr)

    def test_decimal_commas(self):
        self.says("decimals are written with a point, 2.5", ARM.replace("mass: 1,", "mass: 2,5,"))
        self.says("',' is allowed only between the arguments of a function; decimals are written with a "
                  "point", ARM + "parameters:\n  a: 2,5\n")

    def test_a_parameter_that_is_defined_by_itself(self):
        self.says("parameter 'a' is defined by itself", ARM + "parameters: {a: a + 1}\n")
        self.says("parameters a -> b -> a depend on each other", ARM + "parameters: {a: b, b: a}\n")

    def test_paths_without_their_section(self):
        model = self.model(ARM)
        for given, says in (("arm.mass=2", "no value 'arm.mass'; did you mean 'bodies.arm.mass'?"),
                            ("hinge.axis=[1, 0, 0]", "did you mean 'joints.hinge.axis'?"),
                            ("mass=2", "no parameter 'mass'; did you mean 'bodies.arm.mass'?"),
                            ("arm=2", "values of this part are 'bodies.arm.KEY'"),
                            ("qqq.qqq=2", "no value 'qqq.qqq'\n")):
            run = call("check", model, "--set", given)
            self.assertEqual(run.returncode, 2)
            self.assertIn(says, run.stderr)

    def test_a_model_without_its_ending(self):
        self.model(ARM, "crane.yaml")
        os.mkdir(self.path("sub"))
        self.model(ARM, "sub/crane.yaml")
        for name, code, says in (("crane", 2, "no built-in model 'crane', but a file 'crane.yaml'"),
                                 ("sub/crane", 4, "no such file, but 'sub/crane.yaml'")):
            run = call("run", name, cwd=self.folder)
            self.assertEqual(run.returncode, code)
            self.assertIn(says, run.stderr)

    def test_a_body_that_turns_without_inertia(self):
        text = ARM.replace("inertia: [1, 1, 1]", "inertia: [0, 0, 0]").replace("revolute", "spherical")
        self.says("it can turn about this axis but has no inertia: give it an inertia, a joint that holds "
                  "it, or 'type: point'", text.replace(", axis: [0, 1, 0]", ""), "run", code=3)

    def test_degrees_that_are_radians(self):
        turned = ARM.replace("at: [0.5, 0, 0]}", "at: [0.5, 0, 0], orientation: {angles: [90, 0, 0]}, "
                             "markers: {tip: {orientation: {vector: [0, 45, 0]}}}}")
        self.assertEqual(self.warnings(turned), [
            "body 'arm': its orientation.angles of 90 is in rad, 14.3 turns: degrees are written as "
            "'90 deg'", "marker 'arm.tip': its orientation.vector of 45 is in rad, 7.16 turns: degrees "
            "are written as '45 deg'"])
        for good in ("90 deg", "10*pi", "6.28", "2*9"):
            self.assertEqual(self.warnings(turned.replace("[90,", f"[{good},").replace("45,", "4,")), [])
        limits = ARM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], start: 30, limits: {lower: -90, upper: "
                             "90 deg, stiffness: 10}")
        said = self.warnings(limits.replace("start: 30, ", ""))
        self.assertTrue(any("joint 'hinge': its limits.lower of -90 is in rad" in w for w in said), said)
        self.assertTrue(any("joint 'hinge': its start of 30 is in rad" in w
                            for w in self.warnings(limits)))
        slide = limits.replace("revolute", "translational")  # metres
        self.assertFalse(any("is in rad" in w for w in self.warnings(slide.replace("90 deg", "90"))))

    def test_a_spring_in_another_unit(self):
        text = ARM + ("forces: {s: {type: spring, bodies: [ground, arm], points: [[0, 0, 1], [1, 0, 0]], "
                      "stiffness: 1, length: LENGTH}}\n")
        self.assertEqual(self.warnings(text.replace("LENGTH", "1400")), [
            "force 's': its free length is 1400, and its ends are 1.41421 apart at the start: is one of "
            "them in another unit?"])
        for length in ("1400 mm", "0", "0.2", "10"):
            self.assertEqual(self.warnings(text.replace("LENGTH", length)), [])

    def test_a_bushing_whose_markers_are_apart(self):
        text = ("trammel: 1\nunits: N-kg-ms-mm\ngravity: [0, 0, -0.00981]\nbodies: {ground: {markers: {foot: "
                "{at: [0, 0, -200]}}}, box: {mass: 400, inertia: [1e6, 1e6, 1e6]}}\n"
                "forces: {mount: {type: bushing, markers: [ground.foot, box], stiffness: [160, 1e6]}}\n")
        # 160 N/mm over 200 mm is 32 kN; 400 kg weigh 3924 N
        self.assertIn("force 'mount': its markers are 200 apart at the start, so that it acts with 3.2e+04, 8.15 times "
                      "the weight of the model: a bushing has no length, give both markers the same place",
                      self.warnings(text))
        for good in (text.replace("-200", "-20"),                           # within its weight
                     text.replace("[160, 1e6]", "[160, 160, 0, 0, 0, 0]"),  # free along the line
                     text.replace("[160, 1e6]", "[160, 1e6], preload: [0, 0, 32e3, 0, 0, 0]")):
            self.assertFalse([w for w in self.warnings(good) if "apart" in w], good)

    def test_a_misspelt_part_before_a_dot(self):
        drive = ARM + "motions: {motor: {joint: hinge, position: time}}\n"
        self.says("'motr.torque' is not known; did you mean 'motor.torque'?",
                  drive + "outputs: {torque: motr.torque}\n")
        self.says("'hnge.force.x' is not known; did you mean 'hinge.force.x'?",
                  drive + "outputs: {load: hnge.force.x}\n")
        self.says("'qqqq.torque' is not known\n", drive + "outputs: {torque: qqqq.torque}\n")

    def test_numbers_that_a_force_does_not_have(self):
        for law, has in (("type: spring, points: [[0, 0, 1], [1, 0, 0]], stiffness: 1", "length, rate, force"),
                         ("type: torsion, at: [0, 0, 0], stiffness: 1", "angle, rate, torque"),
                         ("type: bushing, at: [0, 0, 0], stiffness: 1",
                          "x, y, z, rx, ry, rz, force.x .., torque.x .., A.force.x .., B.force.x ..")):
            self.says(f"force 'f' has no 'tension'; it has {has}\n", ARM + f"forces: {{f: {{{law}, bodies: [ground, arm]}}}}\n"
                      "outputs: {o: f.tension}\n")
        self.says("force 'f' has no 'tension'; it has torque\n",
                  ARM + "forces: {f: {type: joint, joint: hinge, value: 1}}\noutputs: {o: f.tension}\n")

    def test_zero_has_no_sign(self):
        run = call("static", self.model(ARM.replace("at: [0.5, 0, 0]", "at: [0, 0, -1]") +
                                        "outputs: {side: -abs(arm.vy)}\n"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(" side ", run.stdout)
        self.assertNotRegex(run.stdout, r"(?m) -0( |$)")

    def test_results_in_the_place_of_a_model(self):
        self.assertEqual(call("run", self.model(ARM), "--out", self.path("r.h5")).returncode, 0)
        run = call("run", self.path("r.h5"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("this is an HDF5 file, perhaps results of a run, and not a model", run.stderr)

    def test_bodies_without_weight(self):
        for text, says in ((ARM, "[0, 0, -9.81] m/s^2"),
                           (ARM.replace("-9.81", "0"), "none: bodies have no weight")):
            self.assertIn("  gravity      " + says, call("check", self.model(text)).stdout)
        self.assertIn("gravity      none", call("run", self.model(ARM.replace("-9.81", "0"))).stdout)
        self.assertNotIn("gravity", call("run", self.model(ARM)).stdout)
        self.assertNotIn("gravity", call("run", "pendulum").stdout)  # it is typed in its equations

    def test_a_beam_that_nothing_holds(self):
        says = ("beam 'rod': there is no equilibrium: nothing holds it; clamp an end by 'fix: first', or "
                "give it a joint or a spring")
        self.says(says, ROD, "static", code=3)
        if not is_sanitized():  # another five seconds of the same
            self.says(says, ROD.replace("forces", "gravity: [0, 0, -9.81]\nforces"), "static", code=3)
        self.assertEqual(call("static", self.model(ROD.replace("area", "fix: first, area"))).returncode, 0)

    def test_coordinates_of_joints(self):
        model = self.model(ARM)
        top = self.result("run", model, "--set", "outputs.a=hinge.angle", "--measure", "max(a)",
                          "--measure", "max(hinge.angle)")
        self.assertGreater(top["measures"]["max(a)"], 0)
        self.assertEqual(top["measures"]["max(a)"], top["measures"]["max(hinge.angle)"])
        call("run", model, "--out", self.path("m.h5"), "--quiet")
        run = call("plot", self.path("m.h5"), "hinge.angle")
        self.assertIn("does not hold hinge.angle: the run is made again", run.stderr)
        self.assertIn("hinge.angle", run.stdout)

    def test_units_in_places_of_their_own(self):
        spring = ARM + ("parameters: {k: 4 N/m}\nforces: {s: {type: spring, bodies: [ground, arm], points: "
                        "[[0, 0, 1], [1, 0, 0]], stiffness: LAW}}\n")
        self.says("an operator is missing before 'N': a unit stands behind a number, and a name has its own",
                  spring.replace("LAW", "k N/m"))
        self.says("'sec' is not a unit; did you mean 's'?", ARM.replace("0.1", "0.1 sec"))
        self.says("'K' is not known; did you mean 'k'?", spring.replace("LAW", "2*K"))
        model = self.model(spring.replace("LAW", "k"))
        for words, says in ((("static", "--sweep", "k=1 N/m..4 N,3"), "--sweep: '4 N' is not a number of N/m"),
                            (("static", "--sweep", "s.stiffness=1 mm..4,3"), "'1 mm' is not a number of N/m"),
                            (("static", "--sweep", "k=1..4"), "'1..4' is not a range such as 0..400,40"),
                            (("run", "--outputs", "angle"), "it is how many samples there are; a new output is "
                             "--set outputs.NAME=EXPRESSION")):
            run = call(words[0], model, *words[1:])
            self.assertEqual(run.returncode, 2)
            self.assertIn(says, run.stderr)
        plain = self.result("linear", "pushed-cart", "--frequencies", "1..100,5")
        self.assertEqual(self.result("linear", "pushed-cart", "--frequencies", "1 Hz..0.1 kHz,5"), plain)

    def test_names_of_run_files(self):
        for name, notes in (("x.mat", 1), ("x.csv", 1), ("x.h5", 0), ("run", 0)):
            run = call("run", self.model(ARM), "--out", self.path(name))
            self.assertEqual(run.returncode, 0)
            self.assertEqual(run.stderr.count("writes a run file (HDF5), whatever its name is"), notes)

    def test_a_resumed_run_says_where_it_began(self):
        file = self.path("p.h5")
        call("run", "pendulum", "--end", "2", "--checkpoint-steps", "2", "--out", file, "--quiet")
        out = self.result("run", "--restart", file, "--from", "1", "--end", "3")
        text = call("run", "--restart", file, "--from", "1", "--end", "3").stdout
        self.assertIn(f"  resumed      from t = {out['resumed_from']:.12g} s", text)
        self.assertNotIn("resumed", call("run", "pendulum", "--end", "1").stdout)

    def test_words_of_other_programs(self):
        for word, ours in (("hinge", "revolute"), ("ball", "spherical"), ("prismatic", "translational"),
                           ("weld", "fixed")):
            self.says(f"'{word}' is not a word for joints.hinge.type; did you mean '{ours}'?",
                      ARM.replace("revolute", word))
        self.says("'Nm' is not a unit; did you mean 'N*m'?", ARM + "parameters: {T: 3 Nm}\n")
        self.says("'rk4' is not a word for simulate.integrator; did you mean 'explicit'?",
                  ARM.replace("end: 0.1", "end: 0.1, integrator: rk4"))

    def test_names_of_beams(self):
        self.says("beam 'rod' has no node 'end': its nodes are rod.first, rod.last and rod.1 to rod.17",
                  ROD.replace("rod.last", "rod.end"))
        self.says("beam 'rod' has no 'moment'; it has nodes (first.x, last.vz, 3.x ..), loads of clamps "
                  "(first.force.x", ROD + "outputs: {m: rod.moment}\n")

    def test_files_and_arguments(self):
        model = self.model(ARM)
        self.refuses(4, "is not a run file, which 'trammel run MODEL --out F.h5' writes", "plot", model)
        self.refuses(4, "no such file, but '.*m.yaml': did you mean", "run", self.path("m.yml"))
        self.refuses(2, "one argument too many: 's'; a number with its unit is put in quotes", "run",
                     model, "--end", "2", "s")

    def test_states_are_shown_and_have_no_energy(self):
        text = call("run", self.model("trammel: 1\nequations: {states: {p: {value: 1, rate: -p}}}\n"
                                      "simulate: {end: 1}\n")).stdout
        self.assertRegex(text, r"(?m)^  states +p +0\.367")
        self.assertNotIn("energy", text)

    def test_a_motion_that_jolts_what_rests(self):
        text = ARM + "motions: {m: {joint: hinge, velocity: SPEED}}\n"
        jolt = "motion 'm' moves with 2 from the first instant on, a jolt to the rest"
        self.assertIn(jolt, call("run", self.model(text.replace("SPEED", "2")), "--at", "static").stderr)
        soft = text.replace("SPEED", '"STEP(time, 0, 0, 0.1, 2)"')
        self.assertNotIn("jolt", call("run", self.model(soft), "--at", "static").stderr)

    def test_a_table_beyond_its_ends(self):
        text = ("trammel: 1\ntables: {f: {x: [0, 0.5, 1], y: [0, 1, 3], interpolation: KIND}}\n"
                "equations: {coordinates: {x: 0}, mass: {x: 1}, forces: {x: f(time) + f(time/4)}}\n"
                "outputs: {p: f(x - 2)}\nsimulate: {end: 2}\n")
        for kind in ("linear", "akima"):
            notes = self.result("run", self.model(text.replace("KIND", kind)))["notes"]
            said = [n["text"] for n in notes if n["text"].startswith("table")]
            self.assertEqual(len(said), 2, said)  # each once, however often it is used
            self.assertIn("table 'f': it is used before its first point, 0, and continues straight", said[0])
            self.assertIn("table 'f': it is used beyond its last point, 1, and continues", said[1])
        # within its points, and where it ends with the slope zero, there is nothing to say
        for good in (text.replace("end: 2", "end: 1").replace("x - 2", "time"),
                     text.replace("[0, 1, 3]", "[0, 0, 0]")):
            notes = self.result("run", self.model(good.replace("KIND", "linear")))["notes"]
            self.assertFalse([n for n in notes if n["text"].startswith("table")])


class Winch(Case):
    def test_the_largest_tension_is_the_closed_form(self):
        peak = 500 * 9.81 + 0.5 * math.sqrt(200e3 * 500)
        for integrator in ("hht", "alpha", "bdf", "explicit"):
            out = self.result("run", "winch", "--integrator", integrator, "--measure", "min(rope)")
            # the ground gives way by 50 um, so that the load begins to rise before the tension is its
            # weight: 0.2 %
            self.assertAlmostEqual(out["measures"]["peak"] / peak, 1, delta=5e-3)
            self.assertGreaterEqual(out["measures"]["min(rope)"], -1e-6)  # rounding of k times 1 m
        self.assertEqual(out["units"]["outputs"], {"height": "m", "rope": "N", "torque": "N m"})

    def test_levels_have_units(self):
        times = [self.result("run", "winch", "--measure", f"c=crossing({signal}, {level})")["measures"]["c"]
                 for signal, level in (("height", "0.25"), ("height", "250 mm"), ("rope", "6000"),
                                       ("rope", "6 kN"))]
        self.assertEqual((times[0], times[2]), (times[1], times[3]))
        for level in ("5 m", "5 qq", "x"):
            self.refuses(2, "the unit of the level is not that of 'rope', N|a number, such as 3 or 20 mm",
                         "run", "winch", "--measure", f"crossing(rope, {level})")
