"""doctor.py - what `check` finds in mechanisms with redundant, missing and contradicting parts, and
what a run says about them; mechanisms that are driven completely."""

import csv
import json
import math

from program import Case, call, checked, models_to_run

FOUR_BAR = """\
trammel: 1
name: four bar
gravity: [0, 0, -9.81]
bodies:
  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0.5], angular_velocity: [0, 1, 0],
          velocity: [0.5, 0, 0]}
  rod: {mass: 1, inertia: [0.01, 0.1, 0.1], at: [1, 0, 1]}
  rocker: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [2, 0, 0.5]}
joints:
  a: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  b: {type: revolute, bodies: [crank, rod], at: [0, 0, 1], axis: [0, 1, 0]}
  c: {type: revolute, bodies: [rod, rocker], at: [2, 0, 1], axis: [0, 1, 0]}
  d: {type: TYPE, bodies: [ground, rocker], at: [2, 0, 0], axis: [0, 1, 0]}
simulate: {end: 1}
"""

FLAT = """\
trammel: 1
bodies:
  a: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [0.5, 0, 0]}
  b: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [2, 0, 0]}
  c: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [2.5, 0, 0]}
joints:
  j1: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  j2: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 1, 0]}
  j3: {type: revolute, bodies: [b, c], at: [3, 0, 0], axis: [0, 1, 0]}
  j4: {type: TYPE, bodies: [ground, c], at: [2, 0, 0], axis: [0, 1, 0]}
simulate: {end: 5}
"""

CRANK = """\
trammel: 1
name: slider crank
parameters: {omega: 5 rad/s}
bodies:
  crank: {mass: 0.36, inertia: [1e-5, 2.727e-3, 2.727e-3], at: [0.075, 0, 0]}
  rod: {mass: 0.15, inertia: [1e-5, 1e-3, 1e-3], at: [0.3, 0, 0]}
  block: {mass: 0.08, inertia: [1e-4, 1e-4, 1e-4], at: [0.45, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  knee: {type: spherical, bodies: [crank, rod], at: [0.15, 0, 0]}
  wrist: {type: revolute, bodies: [rod, block], at: [0.45, 0, 0], axis: [0, 1, 0]}
  guide: {type: translational, bodies: [ground, block], at: [0.45, 0, 0], axis: [1, 0, 0]}
motions:
  drive: {joint: pin, position: omega*time}
outputs: {slide: block.x}
simulate: {end: 2, integrator: kinematic, outputs: 100}
"""

TYPED = "trammel: 1\nequations:\n  coordinates: {x: 0, y: 0.8}\n  kinetic: 0.5*(x'^2 + y'^2)\n"


# Shipped models with more constraints than freedoms to take: known numbers of redundant rows.
REDUNDANT = {"bricard": 1, "four-bar": 3, "four-bars": 8}


class Doctor(Case):
    def write(self, text, name="model.yaml"):
        path = self.path(name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def test_a_plane_loop_of_hinges_has_three_rows_too_many(self):
        check = self.result("check", self.write(FOUR_BAR.replace("TYPE", "revolute")))
        self.assertEqual((check["freedoms"], check["rank"], check["freedoms_by_count"]), (1, 17, -2))
        self.assertEqual(check["reactions_not_unique"], ["a", "b", "c", "d"])
        self.assertEqual(sum(entry["rows"] for entry in check["redundant"]), 3)
        (only,) = check["dependent_sets"]
        self.assertEqual((only["joints"], only["rows"]), (["a", "b", "c", "d"], 3))
        self.assertRegex(only["hint"], r"^release 'd\.y', 'd.e1', 'd.e2' of joint 'd'; it becomes a "
                                       r"point_on_line joint$")
        self.assertEqual(len(check["warnings"]), 1)

    def test_what_the_hint_says_is_enough(self):
        check = self.result("check", self.write(FOUR_BAR.replace("TYPE", "point_on_line")))
        self.assertEqual((check["freedoms"], check["constraints"], check["rank"]), (1, 17, 17))
        self.assertEqual((check["dependent_sets"], check["warnings"]), ([], []))

    def test_a_flat_loop_is_a_singular_pose(self):
        check = self.result("check", self.write(FLAT.replace("TYPE", "revolute")))
        self.assertEqual((check["freedoms"], check["constraints"] - check["rank"]), (2, 4))
        self.assertEqual(sum(entry["rows"] for entry in check["redundant"]), 4)
        (only,) = check["dependent_sets"]
        self.assertEqual((only["rows"], only["relax"]), (4, "j4"))
        self.assertRegex(only["hint"], r"^release 'j4\.y', 'j4.e1', 'j4.e2' of joint 'j4'; it becomes "
                                       r"a point_on_line joint$")
        self.assertRegex(check["warnings"][1], "^1 of these constraint rows is dependent in this "
                                               "pose only: the start is a singular pose")

    def test_what_the_hint_says_leaves_only_the_pose(self):
        check = self.result("check", self.write(FLAT.replace("TYPE", "point_on_line")))
        self.assertEqual((check["freedoms"], check["constraints"], check["rank"]), (2, 17, 16))
        (only,) = check["dependent_sets"]
        self.assertEqual((only["rows"], only["relax"], only["hint"]), (1, None, ""))
        self.assertRegex(check["warnings"][1], "in this pose only: .* singular pose")

    def test_hinges_that_miss_each_other_are_named(self):
        door = ("trammel: 1\ngravity: [0, -9.81, 0]\n"
                "bodies: {door: {mass: 20, inertia: [5, 1.5, 6], at: [0.4, 0, 0.5]}}\njoints:\n"
                "  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                "  high: {type: revolute, bodies: [ground, door], at: [MISS, 0, 1], axis: [0, 0, 1]}\n"
                "simulate: {end: 0.1}\n")
        said = "the constraints of joint 'high', joint 'low' are dependent but for"
        path = self.write(door.replace("MISS", "0"))
        self.assertNotIn(said, call("check", path, "--json").stdout)
        path = self.write(door.replace("MISS", "1e-5"))
        self.assertIn(said, call("check", path, "--json").stdout)
        self.assertIn(said, call("run", path).stderr)
        for method in ("hht", "alpha", "bdf", "tdg", "radau", "explicit"):  # it stands still
            for tolerance in ("1e-4", "1e-8"):
                run = call("run", path, "--integrator", method, "--tolerance", tolerance)
                self.assertNotIn("the energy balance", run.stderr, f"{method} {tolerance}")
        path = self.write(door.replace("MISS", "1e-7"))  # neither a hinge nor a lock
        done = call("run", path)
        self.assertEqual(done.returncode, 3)
        self.assertIn(said, done.stderr)

    def test_a_ball_joint_takes_two_of_them(self):
        check = self.result("check", self.write(FOUR_BAR.replace("TYPE", "spherical")))
        self.assertEqual((check["freedoms"], check["constraints"] - check["rank"]), (1, 1))

    def test_a_redundant_mechanism_runs_with_one_line_that_names_its_joints(self):
        path = self.write(FOUR_BAR.replace("TYPE", "revolute"))
        run = call("run", path, "--json")
        self.assertEqual(run.returncode, 0)
        (line,) = run.stderr.splitlines()
        self.assertRegex(line, r"3 of 20 constraint rows are redundant.*'a'.*'b'.*'c'.*'d'")
        self.assertEqual(call("run", path, "--json", "--quiet").stderr, "")
        tree = call("run", self.write(FOUR_BAR.replace("TYPE", "spherical"), "ball.yaml"), "--json")
        self.assertRegex(tree.stderr, r"1 of 18 constraint rows is redundant")

    def test_moves_of_bodies_are_told_as_a_whole(self):
        check = self.result("check", self.write(FOUR_BAR.replace("TYPE", "revolute")))
        moved = check["moved_objects"]
        self.assertAlmostEqual(moved["body 'rocker'"]["turning"], 1.0, delta=1e-12)
        self.assertAlmostEqual(moved["body 'rod'"]["speed"], 1.0, delta=1e-12)
        self.assertAlmostEqual(check["moved"]["rod.vx"], 1.0, delta=1e-12)

    def test_contradictions_stop_with_the_names(self):
        for constraints, words in (
                ("{rod: x^2 + y^2 - 1, wall: x - 1.2}", "cannot be closed together"),
                ("{rod: x - time, wall: 2*x - 3*time}", "the rates that"),
                ("{rod: x - time^2, wall: 2*x - 3*time^2}", "the accelerations that")):
            path = self.write(TYPED + f"  constraints: {constraints}\nsimulate: {{end: 1}}\n")
            for command in ("run", "check"):
                error = self.fails_with(3, command, path)
                self.assertIn(words, error)
                self.assertIn("constraint 'rod'", error)
                self.assertIn("constraint 'wall'", error)

    def test_contradictions_on_the_way_stop_the_run(self):
        path = self.write(TYPED + "  constraints:\n    rod: x - time\n    wall: 2*x - 2*time - "
                          "0.1*step(time, 0.5, 0, 0.6, 1)\nsimulate: {end: 1}\n")
        self.assertEqual(call("run", path, "--end", "0.4").returncode, 0)
        for words in ((), ("--integrator", "explicit"), ("--integrator", "tdg"),
                      ("--integrator", "radau"), ("--step", "0.01")):
            error = self.fails_with(3, "run", path, "--quiet", *words)
            self.assertRegex(error, "constraint 'wall', constraint 'rod' (ask for )?contradict each other")

    def test_what_has_no_mass_is_named(self):
        path = self.write("trammel: 1\nequations:\n  coordinates: {x: 0, y: 0}\n"
                          "  kinetic: 0.5*x'^2\nsimulate: {end: 1}\n")
        self.assertIn("moves with 'y' alone", self.fails_with(3, "run", path))
        path = self.write("trammel: 1\nequations:\n  coordinates: {x: 0, y: 0, z: 0}\n"
                          "  kinetic: 0.5*y'^2\n  constraints: {tie: x - z}\nsimulate: {end: 1}\n")
        self.assertRegex(self.fails_with(3, "run", path), "moves with '[xz]', '[xz]' alone")

    def test_what_has_no_mass_is_reported(self):
        path = self.write("trammel: 1\nbodies: {d: {mass: 1, inertia: [0, 0.1, 0.1], at: [0.5, 0, 0]}}\n"
                          "joints: {h: {type: spherical, bodies: [ground, d], at: [0, 0, 0]}}\n"
                          "simulate: {end: 1}\n")
        run = call("check", path)
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stdout, "freedoms 3 = coordinates 6 - independent constraints 3")
        self.assertRegex(run.stdout, "warning +.* the mass that moves with 'd.wx' alone is negligible .* type: point")
        self.assertIn("moves with 'd.wx' alone", run.stderr)
        error = json.loads(call("check", path, "--json").stdout)
        self.assertEqual((error["status"], error["code"]), ("error", "TRM_ERR_SINGULAR"))

    def test_gravity_in_another_unit_is_asked_about(self):
        text = FOUR_BAR.replace("TYPE", "point_on_line")
        for gravity, unit, times in (("9810", "", "1000"), ("9.81", "units: N-t-s-mm\n", "0.001"),
                                     ("386", "", "39.36"), ("9810", "units: N-t-s-mm\n", None),
                                     ("0", "", None), ("1.62", "", None), ("24.8", "", None)):
            with self.subTest(gravity=gravity, unit=unit):
                path = self.write(text.replace("-9.81", "-" + gravity).replace("name:", unit + "name:"))
                said = [w for w in self.result("check", path)["warnings"] if "gravity" in w]
                self.assertEqual(len(said), times is not None)
                for sentence in said:
                    self.assertIn(f", {times} times that of the earth: is it in", sentence)

    def fails_with(self, code, *words):
        run = call(*words)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stderr.splitlines()[0]

    def test_a_singular_pose_names_what_became_dependent(self):
        path = self.write(TYPED.replace("x: 0, y: 0.8", "phi: 0.2, psi: {guess: -0.3}").replace("x'", "phi'")
                          .replace("y'", "psi'") +
                          "  constraints: {line: 0.3*sin(phi) + 0.2*sin(psi), "
                          "drive: phi - 0.2 - time}\nsimulate: {end: 2}\n")
        for integrator in ("hht", "kinematic"):
            error = self.fails_with(3, "run", path, "--integrator", integrator)
            self.assertRegex(error, "singular")
            self.assertIn("'line'", error)

    def test_no_shipped_model_raises_a_false_alarm(self):
        for name in models_to_run():
            with self.subTest(model=name):
                check = self.object_of(checked(name))
                alarms = check["warnings"]
                if name in REDUNDANT:  # and nothing else is said of them
                    self.assertEqual(sum(j["rows"] for j in check["redundant"]), REDUNDANT[name])
                    alarms = [a for a in alarms if "constraint row" not in a]
                self.assertEqual(alarms, [])
                self.assertIn(check["recommended"]["integrator"],
                              ("hht", "explicit", "radau", "kinematic"))
                self.assertTrue(check["recommended"]["reason"])

    def test_a_run_begins_with_the_method_that_is_recommended(self):
        for name in ("pendulum", "slider-crank", "bricard", "tippe-top", "block-with-stop"):
            with self.subTest(model=name):
                said = self.result("check", name)["recommended"]
                run = self.result("run", name)
                self.assertEqual(said["integrator"], run["integrators"][0]["integrator"])
                self.assertTrue(said["taken"])
                self.assertIn(f"auto takes '{said['integrator']}': {said['reason']}",
                              [note["text"] for note in run["notes"]])
        named = self.result("check", "spinning-beam")["recommended"]  # the model names hht
        self.assertEqual((named["integrator"], named["tolerance"], named["taken"]), ("radau", 1e-5, False))

    def test_kinematic_refuses_what_is_free(self):
        self.fails(2, r"1 freedom is left, for example of '.*hht", "run", "pendulum",
                   "--integrator", "kinematic", status="TRM_ERR_INPUT")
        self.fails(2, r"state 's1'.*hht", "run", "servo", "--integrator", "kinematic")

    def test_text_for_people(self):
        run = call("check", self.write(FOUR_BAR.replace("TYPE", "revolute")))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for pattern in (r"^  by count +-2", r"^  redundant +3 rows of joint 'd'$",
                        r"^  dependent +joint 'a', joint 'b', joint 'c', joint 'd': 3 rows too many$",
                        r"^  hint +release '", r"^  not unique +reaction of joint 'a'$",
                        r"^  moved +body 'rod' +by 1 m/s$",
                        r"^  recommended +--integrator explicit: nothing is faster than about ",
                        r"^ +a run begins with it, as no method is named$"):
            self.assertRegex(run.stdout, "(?m)" + pattern)


class Kinematic(Case):
    """Slider crank in space with one redundant row."""

    def setUp(self):
        super().setUp()
        self.model = self.path("crank.yaml")
        with open(self.model, "w", encoding="ascii") as file:
            file.write(CRANK)

    def test_the_slide_is_its_closed_form_at_every_sample(self):
        table = self.path("crank.csv")
        for extra, count in ((), 101), (("--step", "0.09", "--output-step", "0.01"), 201):
            run = self.result("run", self.model, "--csv", table, *extra)
            self.assertEqual(run["integrator"], "kinematic")
            with open(table, encoding="ascii") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), count)
            for row in rows:
                angle = 5 * float(row["t"])
                slide = 0.15 * math.cos(angle) + math.sqrt(0.09 - (0.15 * math.sin(angle)) ** 2)
                # constraints count as satisfied at 1e-14
                self.assertAlmostEqual(float(row["slide"]), slide, delta=1e-13)

    def test_a_restart_ends_at_the_same_bits(self):
        file = self.path("crank.h5")
        whole = self.result("run", self.model, "--out", file, "--checkpoint-steps", "7")
        rest = self.result("run", "--restart", file, "--from", "1")
        self.assertLess(rest["steps"], whole["steps"])
        for key in ("coordinates", "velocities", "accelerations", "multipliers", "outputs"):
            self.assertEqual(whole[key], rest[key])

    def test_check_recommends_it(self):
        check = self.result("check", self.model)
        self.assertEqual((check["freedoms"], check["recommended"]["integrator"]), (0, "kinematic"))


BODIES = """\
trammel: 1
gravity: [0, 0, -9.81]
bodies:
  crooked: {mass: 2, inertia: [0.3, 0.4, 0.5, 0.01, 0.02, 0.03], com: [0.1, 0.2, 0.3], at: [1, 2, 3],
            orientation: {angles: [0.3, 0.2, 0.1]}}
  dot: {type: point, mass: 3, at: [-1, 0, 0]}
joints: {ball: {type: spherical, bodies: [ground, crooked], at: [0, 0, 0]}}
simulate: {end: 1}
"""


class MassProperties(Case):
    def examine(self, text, *words):
        with open(self.path("m.yaml"), "w") as file:
            file.write(text)
        return self.result("check", self.path("m.yaml"), *words)

    def test_parts_are_counted(self):
        wanted = {"newton-cradle": (5, 5, 4, 0), "slider-crank-rigid": (3, 4, 0, 0),
                  "ball-on-floor": (1, 0, 1, 0), "chain": (10, 10, 0, 0)}
        for model, counts in wanted.items():
            out = self.result("check", model)
            found = tuple(out[key] for key in ("parts", "joints", "contacts", "modes"))
            self.assertEqual(found, counts, model)

    def test_bodies_have_what_they_were_given(self):
        out = self.examine(BODIES)
        self.assertEqual(list(out["bodies"]), ["crooked", "dot"])
        body = out["bodies"]["crooked"]
        # sums of squares of size one: rounding
        self.assertAlmostEqual(body["mass"], 2, delta=1e-14)
        for found, given in zip(body["inertia"], [0.3, 0.4, 0.5, 0.01, 0.02, 0.03]):
            self.assertAlmostEqual(found, given, delta=1e-14)
        offset = [a - b for a, b in zip(body["centre"], [1, 2, 3])]
        self.assertAlmostEqual(math.hypot(*offset), math.hypot(0.1, 0.2, 0.3), delta=1e-14)
        self.assertEqual(out["bodies"]["dot"], {"mass": 3, "centre": [-1, 0, 0], "inertia": [0] * 6})

    def test_masses_whose_unit_does_not_fit_to_the_force(self):
        # N-kg-ms-mm: a force of 1 N gives 1 kg not 1 mm/ms^2, but a thousandth of it
        out = self.examine("trammel: 1\nunits: N-kg-ms-mm\nbodies:\n  a: {mass: 2, inertia: [3, 4, 5], at: [1, 0, 0]}\n"
                           "  b: {type: point, mass: 6, at: [-1, 0, 0]}\nsimulate: {end: 1}\n")
        for body, mass, inertia in ((out["bodies"]["a"], 2, [3, 4, 5]), (out["bodies"]["b"], 6, [0, 0, 0]),
                                    (out["total"], 8, [3, 4 + 6, 5 + 6])):
            self.assertAlmostEqual(body["mass"], mass, delta=1e-12)  # rounding of the factor
            for found, given in zip(body["inertia"], inertia):
                self.assertAlmostEqual(found, given, delta=1e-12)

    def test_the_total_is_that_of_a_dumbbell(self):
        out = self.examine("trammel: 1\nbodies:\n"
                           "  a: {mass: 1, inertia: [.1, .2, .3], at: [3, 0, 0]}\n"
                           "  b: {mass: 3, inertia: [.1, .2, .3], at: [-1, 0, 0], orientation: "
                           "{vector: [0, 0, pi/2]}}\nsimulate: {end: 1}\n")["total"]
        self.assertEqual((out["mass"], out["centre"]), (4, [0, 0, 0]))
        for found, wanted in zip(out["inertia"], [.1 + .2, .2 + .1 + 12, .3 + .3 + 12, 0, 0, 0]):
            self.assertAlmostEqual(found, wanted, delta=1e-13)

    def test_a_beam_counts(self):
        out = self.examine("trammel: 1\nbeams: {rod: {points: [[0, 0, 0], [2, 0, 0]], fix: first, "
                           "elements: 3, E: 2e11, G: 8e10, area: 1e-4, Iy: 1e-9, Iz: 1e-9, J: 2e-9, "
                           "density: 7800}}\nsimulate: {end: 1}\n")
        total, mass = out["total"], 7800 * 1e-4 * 2
        self.assertAlmostEqual(total["mass"], mass, delta=1e-12)
        self.assertAlmostEqual(total["centre"][0], 1, delta=1e-12)
        rotary = 7800 * 1e-9 * 2  # of the sections
        self.assertAlmostEqual(total["inertia"][1], mass * 4 / 12 + rotary, delta=1e-10)

    def test_what_hangs_on_nothing_is_named(self):
        self.assertEqual(self.examine(BODIES)["warnings"],
                         ["body 'dot' is not connected: no joint and no force acts on it"])
        held = BODIES + "forces: {f: {type: force, body: dot, force: [0, 0, \"STEP(time, .5, 0, 1, 1)\"]}}\n"
        self.assertEqual(self.examine(held)["warnings"], [])

    def test_large_tolerances_and_far_motions(self):
        text = BODIES.replace("end: 1", "end: 1, tolerance: 1").replace("dot: {", "dot: {enabled: false, ")
        self.assertIn("the tolerance is 1: a step may be wrong by that part of 1 m or 1 rad",
                      self.examine(text)["warnings"][0])
        far = ("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
               "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
               "motions: {m: {joint: j, position: 0.5 + time}}\nsimulate: {end: 1}\n")
        self.assertIn("motion 'm' asks for 0.5 rad at the start, and the bodies are given at 0 rad: "
                      "assembly moves them", self.examine(far)["warnings"])
        self.assertIn("motion 'm' asks for 500 mm at the start, and the bodies are given at 0 mm: "
                      "assembly moves them", self.examine(
                          far.replace("1\n", "1\nunits: N-t-s-mm\n", 1).replace("revolute", "translational")
                          .replace("0.5", "500"))
                      ["warnings"])

    def test_text(self):
        with open(self.path("m.yaml"), "w") as file:
            file.write(BODIES)
        run = call("check", self.path("m.yaml"))
        self.assertRegex(run.stdout, r"(?m)^  masses +mass \[kg\], centre of mass \[m\], inertia about")
        self.assertRegex(run.stdout, r"(?m)^ +body 'dot' +3  \[-1, 0, 0\]  \[0, 0, 0\]$")
        self.assertRegex(run.stdout, r"(?m)^ +total, ground axes +5 ")


FOUR = """\
trammel: 1
bodies:
  a: {mass: 1, inertia: [.1, .1, .1], at: [0, 0, 0.1]}
  b: {mass: 1, inertia: [.1, .1, .1], at: [0.2, 0, 0.2]}
  c: {mass: 1, inertia: [.1, .1, .1], at: [0.4, 0, 0.1]}
joints:
  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  q: {type: revolute, bodies: [a, b], at: [0, 0, 0.2], axis: [0, 1, 0]}
  r: {type: spherical, bodies: [b, c], at: [0.4, 0, 0.2]}
  s: {type: cylindrical, bodies: [ground, c], at: [0.4, 0, 0], axis: [0, 1, 0]}
motions: {one: {joint: p, velocity: 1}, two: {joint: s, coordinate: angle, velocity: SPEED}}
simulate: {end: 1}
"""
STRAIGHT = """\
trammel: 1
bodies:
  crank: {mass: 1, inertia: [.1, .1, .1], at: [0.1, 0, 0]}
  rod: {mass: 1, inertia: [.1, .1, .1], at: [0.4, 0, 0]}
  slide: {mass: 1, inertia: [.1, .1, .1], at: [0.6, 0, 0]}
joints:
  p: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  q: {type: spherical, bodies: [crank, rod], at: [0.2, 0, 0]}
  r: {type: universal, bodies: [rod, slide], at: [0.6, 0, 0], axis: [0, 1, 0], axis2: [0, 0, 1]}
  s: {type: translational, bodies: [ground, slide], at: [0.6, 0, 0], axis: [1, 0, 0]}
motions: {push: {joint: s, position: "POSITION"}}
simulate: {end: 1}
"""
BLADE = """\
trammel: 1
parameters: {Om: 20}
bodies:
  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, Om]}
  blade: {mass: 1, inertia: [1e-9, 0.08, 0.08], at: [0.5, 0, 0], velocity: [0, 0.5*Om, 0],
          angular_velocity: [0, 0, Om]}
joints:
  shaft: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1]}
  flap: {type: revolute, bodies: [hub, blade], at: [0, 0, 0], axis: [0, 1, 0]}
motions: {drive: {joint: shaft, velocity: Om}}
forces: {k: {type: joint, joint: flap, stiffness: 10}}
simulate: {end: 1}
"""


class Drives(Case):
    def model(self, text):
        with open(self.path("m.yaml"), "w") as file:
            file.write(text)
        return self.path("m.yaml")

    def test_two_drives_on_one_freedom_are_named(self):
        warnings = self.result("check", self.model(FOUR.replace("SPEED", "1")))["warnings"]
        self.assertIn("motion 'one' and motion 'two' drive the same freedom: leave one of them out",
                      warnings)
        for words in ("check",), ("run",):
            self.refuses(3, "motion 'one' and motion 'two' drive the same freedom and ask it for "
                       "different speeds: leave one of them out", *words,
                       self.model(FOUR.replace("SPEED", "1.1")))

    def test_a_dead_centre_is_named(self):
        for position in ("-0.1*time", "0.05*(cos(2*time) - 1)"):
            self.refuses(3, "singular, a dead centre of motion 'push': the joints do not let it move "
                       "from here; begin next to this pose, or drive another joint", "check",
                       self.model(STRAIGHT.replace("POSITION", position)))
        # a drive that is at rest at the start contradicts nothing yet
        warnings = self.result("check", self.model(
            STRAIGHT.replace("POSITION", "STEP5(time, 0, 0, 1, -0.1)")))["warnings"]
        self.assertRegex(warnings[-1], "the start is a singular pose, a dead centre of motion 'push'")

    def test_a_drive_of_what_nothing_frees_is_no_dead_centre(self):
        text = STRAIGHT.replace("POSITION", "-0.1*time").replace("type: spherical", "type: fixed")
        run = call("check", self.model(text))
        self.assertEqual(run.returncode, 3)
        self.assertNotIn("dead centre", run.stderr)

    def test_modes_and_check_say_what_rotation_would_add(self):
        model = self.model(BLADE)
        turning = "body 'blade' turns with 20 rad/s, and modes leave out part of the stiffness that"
        self.assertIn(turning, self.result("modes", model)["notes"][0])
        self.assertIn(turning, call("modes", model).stdout)
        self.assertIn(turning, self.result("check", model)["frequency_note"])
        self.assertIn(turning, call("check", model).stdout)
        self.assertIn("motion 'drive' asks for 20 rad/s, and at rest the stiffness that this rotation "
                      "adds is left out", self.result("modes", model, "--at", "static")["notes"][0])
        still = self.model(BLADE.replace("Om: 20", "Om: 0"))
        self.assertEqual(self.result("modes", still)["notes"], [])
        self.assertIsNone(self.result("check", still)["frequency_note"])
        # a wheel that spins about its axis looks the same at every instant
        wheel = BLADE[:BLADE.index("  blade")] + BLADE[BLADE.index("joints"):BLADE.index("  flap")] + (
            "forces: {k: {type: joint, joint: shaft, stiffness: 10}}\nsimulate: {end: 1}\n")
        self.assertEqual(self.result("modes", self.model(wheel))["notes"], [])
