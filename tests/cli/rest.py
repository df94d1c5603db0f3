"""rest.py - results of `static` and `modes`."""

import math
import pathlib
import tempfile

from program import Case, call

STATIC_KEYS = ["trammel", "model", "status", "analysis", "method", "time", "newton_iterations",
               "residuals", "factorizations", "unbalanced", "moved", "states_held", "neutral",
               "unstable", "coordinates", "velocities", "accelerations", "multipliers", "states",
               "variables", "inputs", "outputs", "energy", "violation", "units"]
MODES_KEYS = ["trammel", "model", "status", "analysis", "method", "time", "modes", "notes"]

FREE = """trammel: 1
equations:
  coordinates: {x: 0, z: 0}
  kinetic: 0.5*(x'^2 + 2*z'^2)
  potential: 5*x^2 + 2*9.81*z
"""


class Static(Case):
    def test_object_of_an_equilibrium(self):
        out = self.result("static", "chain", "--set", "links=3")
        self.assertEqual(list(out), STATIC_KEYS)
        self.assertEqual((out["status"], out["analysis"], out["time"]), ("ok", "static", 0))
        self.assertEqual(set(out["velocities"].values()), {0})
        self.assertEqual(set(out["accelerations"].values()), {0})
        # Newton ends at rounding
        self.assertAlmostEqual(out["outputs"]["tip.z"], -3, delta=1e-10)
        self.assertAlmostEqual(out["outputs"]["tip.x"], 0, delta=1e-10)
        self.assertAlmostEqual(out["energy"]["potential"], -9.81 * 4.5, delta=1e-9)
        self.assertEqual((out["neutral"], out["unstable"]), (0, 0))

    def test_parameters_change_it(self):
        out = self.result("static", "stiff-spring", "--set", "eps2=0.1")
        self.assertAlmostEqual(out["coordinates"]["y"], 1.1, delta=1e-10)

    def test_summary(self):
        run = call("static", "servo")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"^servo: at rest, t = 0 s\n  found by +newton, \d+ Newton steps")
        self.assertRegex(run.stdout, r"(?m)^  states +s1 +1$")
        self.assertEqual(call("static", "servo", "--quiet").stdout, "")

    def test_free_body_is_named(self):
        with open(self.path("free.yaml"), "w") as file:
            file.write(FREE)
        run = call("static", self.path("free.yaml"))
        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.assertRegex(run.stderr, r"coordinate 'z': .* nothing holds 'z' against 19.62 N")
        self.assertEqual(run.stderr.count("\n"), 1)

    def test_wrong_words(self):
        self.fails(2, r"'guess' is not a method", "static", "pendulum", "--method", "guess")
        self.fails(2, r"unknown option '--csv'", "static", "pendulum", "--csv", "x.csv")


    def test_friction_is_named_where_it_might_hold(self):
        run = call("static", "block-on-slope")
        self.assertEqual(run.returncode, 3)
        self.assertIn("nothing holds 'block.x' against 6.71 N: this direction is free, without a "
                      "spring or a constraint; friction is not counted here: a run shows whether it "
                      "holds", run.stderr)
        path = pathlib.Path(self.path("slide.yaml"))
        for model, static in (("regularized", 0.3), ("bristle", 0.3), ("regularized", 0)):
            path.write_text(f"""trammel: 1
gravity: [2, 0, -9.81]
bodies: {{a: {{mass: 2, inertia: [1, 1, 1]}}}}
joints:
  l: {{type: translational, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0],
      friction: {{static: {static}, model: {model}}}}}
""", encoding="utf-8")
            run = call("static", str(path))
            self.assertEqual(run.returncode, 3)
            self.assertEqual("friction is not counted" in run.stderr, static > 0, run.stderr)


class Modes(Case):
    def test_a_start_that_is_no_equilibrium_is_named(self):
        for words in (("modes", "pendulum"), ("linear", "pushed-cart")):
            at_start, at_rest = call(*words), call(*words, "--at", "static")
            self.assertRegex(at_start.stderr, r"note: the start is no equilibrium: .*'v\w+' has an "
                                              r"acceleration of -")
            self.assertNotIn("the start is no equilibrium", at_rest.stderr)

    def test_object_of_modes(self):
        out = self.result("modes", "oscillators", "--set", "masses=3", "--count", "2")
        self.assertEqual(list(out), MODES_KEYS)
        self.assertEqual(len(out["modes"]), 2)
        for r, mode in enumerate(out["modes"], 1):
            self.assertEqual(list(mode), ["frequency_hz", "damping", "eigenvalue", "shape"])
            w = 20 * math.sin(r * math.pi / 8)
            self.assertAlmostEqual(mode["frequency_hz"], w / (2 * math.pi), delta=1e-12)
            self.assertEqual(mode["damping"], 0)
            self.assertEqual(mode["eigenvalue"][0], 0)
            self.assertEqual(list(mode["shape"]), ["vx1", "vx2", "vx3"])
        self.assertAlmostEqual(out["modes"][0]["shape"]["vx1"], math.sqrt(0.5), delta=1e-10)

    def test_two_free_bodies_have_six_rigid_modes_whichever_way_they_point(self):
        path = pathlib.Path(self.path("pair.yaml"))
        for turn, shift in ((0.0, 0.0), (0.5, 1.0), (1.1, -2.0), (2.3, 0.3), (3.0, 2.7)):
            path.write_text(f"""trammel: 1
bodies:
  a: {{mass: 1, inertia: [0.1, 0.2, 0.25], at: [{shift}, 0.3, {turn}], orientation: {{vector: [{turn}, 0.4, {shift}]}}}}
  b: {{mass: 2, inertia: [0.3, 0.2, 0.25], at: [{shift} + 0.6, -0.2, 0.1]}}
forces:
  mount: {{type: bushing, bodies: [a, b], at: [{shift}, 0.3, {turn}], stiffness: [100, 3], damping: [1, 0.01]}}
simulate: {{end: 1}}
""", encoding="utf-8")
            for words in ((), ("--set", "units=mm-t-s-N"), ("--set", "forces.mount.damping=0")):
                modes = self.result("modes", str(path), "--count", "40", *words)["modes"]
                still = [m for m in modes if m["frequency_hz"] == 0]
                self.assertEqual((len(still), len(modes)), (6, 12), (turn, words))

    def test_complex_shapes_with_states(self):
        modes = self.result("modes", "servo", "--at", "static")["modes"]
        swing = modes[1]
        self.assertGreater(swing["eigenvalue"][1], 4)
        self.assertEqual(list(swing["shape"]), ["vx", "vy", "s1", "s2"])
        self.assertEqual([len(part) for part in swing["shape"].values()], [2] * 4)

    def test_state_to_linearize_about(self):
        w = {}
        for at in ("start", "static", "0.1"):
            out = self.result("modes", "unit-pendulum", "--at", at)
            self.assertEqual(out["time"], 0.1 if at == "0.1" else 0)
            w[at] = out["modes"][0]["eigenvalue"]
        self.assertAlmostEqual(w["static"][1], 1, delta=1e-12)
        self.assertNotEqual(w["start"], w["static"])
        self.assertNotEqual(w["start"], w["0.1"])
        self.assertEqual(self.result("modes", "unit-pendulum")["modes"][0]["eigenvalue"], w["start"])

    def test_table(self):
        run = call("modes", "heavy-top", "--at", "static")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        lines = run.stdout.splitlines()
        self.assertRegex(lines[0], r"^heavy-top: 3 modes at t = 0 s, dense$")
        self.assertRegex(lines[2], r"^ +1 +0 +0 +0 +top\.wy 1$")
        self.assertRegex(lines[3], r"^ +2 +0\.4946385")

    def test_branches_along_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path, picture = f"{folder}/run.h5", f"{folder}/modes.svg"
            self.result("run", "quarter-car", "--end", "0.3", "--outputs", "60", "--out", path)
            out = self.result("modes", path, "--along", "--count", "3", "--out", picture)
            self.assertEqual(len(out["branches"]), 3)
            for branch in out["branches"]:
                self.assertEqual(list(branch), ["branch", "t", "re", "im", "mac"])
                self.assertEqual(len(branch["t"]), 61)
                self.assertIsNone(branch["mac"][0])
                self.assertGreater(min(branch["mac"][1:]), 0.9)
            first = self.result("modes", "quarter-car", "--count", "3")["modes"]
            self.assertEqual([b["im"][0] for b in out["branches"]],
                             [m["eigenvalue"][1] for m in first])
            self.assertIn("imaginary part", pathlib.Path(picture).read_text())
            same = self.result("run", "quarter-car", "--end", "0.3", "--outputs", "60",
                               "--modes-every", "1")
            self.assertEqual([b["im"] for b in same["branches"][:3]],
                             [b["im"] for b in out["branches"]])
            rest = ("run", "quarter-car", "--end", "0.1", "--at", "static", "--outputs", "5",
                    "--integrator", "hht")
            same = self.result(*rest, "--modes-every", "1", "--out", path)
            again = self.result("modes", path, "--along")  # from a recorded state: not to the bit
            for one, other in zip(again["branches"][0]["re"], same["branches"][0]["re"], strict=True):
                self.assertAlmostEqual(one, other, delta=1e-8)
            text = call("modes", path, "--along").stdout
            self.assertRegex(text, r"(?m)^quarter-car: eigenvalues along the motion, \d+ branches$")

    def test_what_cannot_be_followed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/run.h5"
            self.result("run", "pushed-cart", "--end", "0.5", "--input", "push=5", "--out", path)
            self.fails(2, r"does not come again.*run --modes-every", "modes", path, "--along")
            self.fails(2, r"is for one state", "modes", path, "--along", "--at", "static")
        self.fails(2, r"is for --along", "modes", "pendulum", "--out", "p.svg")
        self.fails(2, r"is for --modes-every", "run", "pendulum", "--modes-out", "p.svg")

    def test_large_models_are_sparse(self):
        out = self.result("modes", "oscillators", "--set", "masses=1000", "--count", "3")
        self.assertEqual((out["method"], len(out["modes"])), ("sparse", 3))

    def test_wrong_words(self):
        self.fails(2, r"'soon' is neither start, static nor a time", "modes", "pendulum", "--at",
                   "soon")
        self.fails(2, r"'qr' is not a method", "modes", "pendulum", "--method", "qr")
        self.fails(2, r"--count: 0 is out of range", "modes", "pendulum", "--count", "0")
        self.fails(2, r"not after the start", "modes", "pendulum", "--at", "-1")
