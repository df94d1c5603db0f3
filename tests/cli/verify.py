"""verify.py - run --verify: the error of each output, by a second run."""

import os

from program import Case, call

CRANK = ("slider-crank", "--end", "0.02")
METHODS = (("hht",), ("alpha",), ("tdg",), ("radau",), ("bdf",), ("explicit",),
           ("explicit", "--formulation", "dopri5"))
KEYS = ["status", "tolerance", "step", "steps", "samples", "outputs", "coordinates", "motion",
        "warnings"]
# A push of its velocity by 1/T, T = 2 s, moves it in this time by sinh(8)/8 = 186.3.
UNSTABLE = """trammel: 1
equations: {coordinates: {x: {value: 0.01}}, mass: {x: 1}, forces: {x: 16*x}}
outputs: {y: 1 + 1e-9*x}
simulate: {end: 2}
"""
PULSE = """trammel: 1
equations: {coordinates: {x: {value: 0}}, mass: {x: 1}, forces: {x: "exp(-((time - 0.975)/0.001)^2)"}}
simulate: {end: 2}
"""


class Verify(Case):
    def differences(self, first, second, names):
        """Largest difference of the columns of two tables, and its time."""
        tables = []
        for words in (first, second):
            path = self.path("a.csv")
            run = call("run", *words, "--csv", path, "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
            tables.append(self.read_table(path))
        (header, a), (_, b) = tables
        self.assertEqual(len(a), len(b))
        found = {}
        for name in names:
            k = header.index(name)
            found[name] = max((abs(p[k] - q[k]), -p[0]) for p, q in zip(a, b))
        return found, max(abs(row[header.index(names[0])]) for row in a)

    def check(self, words, first, second, key="coordinates"):
        verify = self.result("run", *words, *first, "--verify")["verify"]
        self.assertEqual(list(verify), KEYS)
        self.assertEqual((verify["status"], verify["samples"]), ("ok", 101))
        names = list(verify[key])
        found, size = self.differences((*words, *first), (*words, *second), names)
        for name in names:
            error, t = found[name]
            # samples of the second run lie at the same times, by another way of saying so
            self.assertAlmostEqual(verify[key][name]["error"], error, delta=1e-9 * error + 1e-14)
            if error > 1e-12:
                self.assertAlmostEqual(verify[key][name]["time"], -t, delta=1e-9)
        self.assertEqual(verify[key][names[0]]["size"], size)
        return verify

    def test_every_method_with_a_tolerance(self):
        for method in METHODS:
            words = (*CRANK, "--integrator", *method)
            verify = self.check(words, ("--tolerance", "1e-6"), ("--tolerance", "1e-7"))
            self.assertAlmostEqual(verify["tolerance"], 1e-7, delta=1e-20)
            self.assertIsNone(verify["step"])
            self.assertEqual(verify["steps"], self.result("run", *words, "--tolerance",
                                                          "1e-7")["steps"])

    def test_every_method_with_fixed_steps(self):
        for method in METHODS:
            verify = self.check((*CRANK, "--integrator", *method), ("--step", "2e-5"),
                                ("--step", "1e-5"))
            self.assertEqual((verify["tolerance"], verify["step"]), (None, 1e-5))

    def test_outputs_of_a_model(self):
        words = ("chain", "--set", "links=3", "--end", "1")
        verify = self.check(words, (), ("--tolerance", "1e-6"), key="outputs")
        self.assertEqual(list(verify["outputs"]), ["tip.x", "tip.y", "tip.z"])
        self.assertEqual(verify["warnings"], [])

    def test_the_run_itself_is_the_same_and_alone_in_the_file(self):
        path = self.path("a.h5")
        plain = self.result("run", *CRANK, "--out", path)
        size = os.path.getsize(path)
        run = self.result("run", *CRANK, "--verify", "--out", self.path("b.h5"))
        self.assertEqual(list(run), list(plain) + ["verify"])
        for key in plain:
            if not key.startswith("cpu"):
                self.assertEqual(run[key], plain[key], key)
        self.assertAlmostEqual(os.path.getsize(self.path("b.h5")), size, delta=0.2 * size)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.h5", "b.h5"])

    def test_what_cannot_be_trusted_is_said(self):
        words = ("run", "double-pendulum", "--integrator", "hht", "--end", "30", "--verify")
        warnings = self.result(*words)["verify"]["warnings"]
        self.assertEqual(len(warnings), 3)
        for name, sentence in zip(("tip.x", "tip.y", "tip.z"), warnings):
            self.assertRegex(sentence, rf"^'{name}' changes by \S+ at t = \S+ s with a tenth of "
                                       r"the tolerance, \S+ % of its largest value, and by more "
                                       r"than 1 % from t = \S+ s on: trust no more digits")
        run = call(*words)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(run.stderr.count("trammel: note: 'tip."), 3)
        self.assertRegex(run.stdout, r"(?m)^  verify       against tolerance 1e-06, \d+ steps, at "
                                     r"101 samples: largest difference\n"
                                     r" +tip\.x +\S+  at t = \S+ s, of")
        self.assertEqual(call(*words, "--quiet").stderr, "")
        short = self.result("run", "double-pendulum", "--end", "1", "--verify")["verify"]
        self.assertEqual(short["warnings"], [])

    def written(self, text):
        path = self.path("m.yaml")
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_an_unstable_motion_is_said(self):
        path = self.written(UNSTABLE)
        for method in ("hht", "alpha"):
            verify = self.result("run", path, "--integrator", method, "--verify")["verify"]
            motion = verify["motion"]
            self.assertEqual(motion["most"], "vx")
            self.assertGreater(motion["error"], 5 * motion["errors"])
            # the steps of a pushed run may differ a little: errors of 4 % of those of the first run
            self.assertAlmostEqual(motion["growth"], 186.3, delta=0.05 * 186.3)
            self.assertEqual(len(verify["warnings"]), 1)   # the output hardly changes
            self.assertRegex(verify["warnings"][0], r"^local errors add up to \S+ of the scale, but coordinate 'x' "
                             r"moves by \S+ at t = 2 s with a tenth of the tolerance: the motion is unstable, it "
                             r"magnifies a change of its start 1[789]\d(\.\d)? times, .* not to be trusted from t = (1\.|2 )")
            # errors double every .17 s, and at the end are 1.1 % of the motion
            self.assertGreater(motion["from"], 1.9)
        # a double pendulum forgets in a minute where it began
        chaos = self.result("run", "double-pendulum", "--integrator", "radau", "--end", "60", "--verify")["verify"]
        self.assertEqual(["unstable" in text for text in chaos["warnings"]], 4 * [True])
        # free and oscillating motion is not
        for force in ("0", "-16*x"):
            text = UNSTABLE.replace("16*x", force)
            verify = self.result("run", self.written(text), "--integrator", "hht", "--verify")["verify"]
            self.assertEqual((verify["motion"]["growth"], verify["warnings"]), (None, []))

    def test_a_pulse_that_only_one_run_sees_is_no_instability(self):
        verify = self.result("run", self.written(PULSE), "--step", "0.05", "--verify")["verify"]
        self.assertAlmostEqual(verify["motion"]["growth"], 1.0, delta=1e-5)
        self.assertRegex(verify["warnings"][-1], r"with half of the step: the motion magnifies a change of its start "
                         r"only 1 times, so look for branches, jumps, short pulses and friction that breaks away from t = 0\.9\d s on")

    def test_a_second_run_that_fails_is_said(self):
        run = self.result("run", "pendulum", "--integrator", "hht", "--end", "3", "--tolerance",
                          "1e-4", "--step-first", "0.018", "--step-min", "0.018", "--verify")
        self.assertEqual((run["status"], run["verify"]["status"]), ("ok", "error"))
        self.assertRegex(run["verify"]["warnings"][0], r"^the second run failed at t = \S+ s, ")

    def test_what_does_not_fit(self):
        self.fails(2, r"--verify: cannot be given with --restart", "run", "--restart", "a.h5",
                   "--verify")
        self.fails(2, r"--verify: a tenth of the tolerance 1e-15 is below 1e-15", "run", "pendulum",
                   "--tolerance", "1e-15", "--verify", "--out", "a.h5")
