"""restarts.py - runs that continue from a checkpoint of their run file."""

import h5py

import program
from program import call, strict
from run_case import RunCase


class Restart(RunCase):
    METHODS = [("--integrator", "hht"), ("--integrator", "hht", "--formulation", "index3"),
               ("--integrator", "hht", "--formulation", "paper"),
               ("--integrator", "alpha", "--rho", "0.8"), ("--integrator", "explicit"),
               ("--integrator", "explicit", "--formulation", "dopri5"),
               ("--step", "1e-4"), ("--step", "1e-4,2e-4", "--integrator", "alpha"),
               ("--solver", "klu"), ("--solver", "dense"), ("--integrator", "hht", "--solver", "dense"),
               ("--tolerance", "1e-7")]

    def restart(self, words, end, name="run.h5"):
        full, _ = self.record(*words, "--end", end, "--checkpoint-steps", "2", name=name)
        path = self.path(name)
        rest = self.result("run", "--restart", path, "--from", repr(float(end) / 2))
        self.assertGreater(rest["resumed_from"], 0)
        self.assertLessEqual(rest["resumed_from"], float(end) / 2)
        self.assertLess(rest["steps"], full["steps"])
        self.check_same_end(full, rest)
        self.check_remaining(path, rest, rest["resumed_from"])
        return full

    def test_every_method_goes_on_to_the_same_bits(self):
        for number, words in enumerate(self.METHODS):
            with self.subTest(method=words):
                self.restart(("slider-crank", *words), "0.02", name=f"{number}.h5")

    def test_every_model_goes_on_to_the_same_bits(self):
        # test_typed_runs restarts all of them in the build with sanitizers, too
        for name in program.models_to_run()[::3 if program.is_sanitized() else 1]:
            with self.subTest(model=name):
                # parabolas of the shipped ones need few steps
                end = program.usual_end(name) / (2 if program.is_shipped(name) else 10)
                self.restart((name, "--tolerance", "1e-7"), repr(end), name=f"{name}.h5")

    def test_the_last_checkpoint_is_taken(self):
        _, file = self.record("slider-crank", "--end", "0.02", "--checkpoint-steps", "10")
        steps = file["steps"][:]
        accepted = steps[steps[:, 2] == 1]
        rest = self.result("run", "slider-crank", "--restart", self.path("run.h5"))
        self.assertEqual(rest["resumed_from"], accepted[(len(accepted) - 1) // 10 * 10, 0])

    def test_a_restart_can_be_restarted(self):
        words = ("slider-crank", "--end", "0.02", "--checkpoint-steps", "5")
        full, _ = self.record(*words)
        a, b = self.path("run.h5"), self.path("b.h5")
        self.result("run", "--restart", a, "--from", "0.005", "--out", b)
        with h5py.File(b, "r") as file:
            self.assertLessEqual(file["resumed_from"][()], 0.005)
            self.assertGreater(file["samples"][0, 0], file["resumed_from"][()])
        last = self.result("run", "--restart", b, "--from", "0.015")
        self.assertGreater(last["resumed_from"], 0.014)
        self.check_same_end(full, last)

    def test_samples_and_end_may_be_others(self):
        # with a fixed step, as the choice of the first step looks at the end
        words = ("slider-crank", "--checkpoint-steps", "10", "--step", "1e-4")
        self.record(*words, "--end", "0.01", "--outputs", "7")
        longer, file = self.record(*words, "--end", "0.02", "--output-step", "1e-3", name="b.h5")
        rest = self.result("run", "--restart", self.path("run.h5"), "--from", "0.005", "--end",
                           "0.02", "--output-step", "1e-3", "--out", self.path("c.h5"))
        self.check_same_end(longer, rest)
        with h5py.File(self.path("c.h5"), "r") as part:
            count = len(part["samples"])
            self.assertTrue((part["samples"][:] == file["samples"][-count:]).all())
            self.assertGreater(part["samples"][0, 0], rest["resumed_from"])
            self.assertLessEqual(part["samples"][0, 0], rest["resumed_from"] + 1e-3)

    def test_what_differs_is_told(self):
        self.record("chain", "--end", "0.2", "--set", "links=3", "--checkpoint-steps", "5")
        path = self.path("run.h5")
        for words, pattern in (
                (("pendulum",), r"is a run of 'chain', not of 'pendulum'"),
                (("--set", "links=4"), r"was run with links=3, not 4"),
                (("--set", "nonesuch=4"), r"nonesuch=\(no such parameter\)"),
                (("--tolerance", "1e-4"), r"was run with --tolerance 1e-05, not 0\.0001"),
                (("--step", "0.1"), r"was run without --step"),
                (("--integrator", "hht"), r"was run with --integrator auto, not hht"),
                (("--formulation", "si2"), r"was run with --formulation dop853, not si2"),
                (("--alpha", "-0.1"), r"was run without --alpha"),
                (("--checkpoint-steps", "7"), r"--checkpoint-steps 5, not 7"),
                (("--out", path), r"is the file to continue from")):
            run = call("run", *words, "--restart", path)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, pattern)
            self.assertEqual(len(run.stderr.splitlines()), 1)

    def test_the_same_words_are_accepted(self):
        words = ("chain", "--end", "0.2", "--set", "links=3", "--tolerance", "1e-6",
                 "--formulation", "si2", "--checkpoint-steps", "10")
        full, _ = self.record(*words)
        rest = self.result("run", *words, "--restart", self.path("run.h5"), "--set", "links=3.0")
        self.check_same_end(full, rest)

    def test_samples_go_on_to_the_same_bits(self):
        for method in self.METHODS:
            steps = () if "--step" in method else ("--tolerance", "1e-9")
            _, file = self.record("slider-crank", *method, *steps, "--end", "0.02", "--outputs",
                                  "100", "--checkpoint-steps", "20")
            whole = file["samples"][:]
            for since in ("0.0075", "0.012"):
                again = self.path("again.h5")
                self.result("run", "--restart", self.path("run.h5"), "--from", since, "--out", again)
                with h5py.File(again, "r") as rest:
                    after = rest["samples"][:]
                self.assertEqual(after.tolist(), whole[len(whole) - len(after):].tolist(), method)

    def test_notes_on_the_start_are_not_repeated(self):
        def about_start(run):
            return [note["text"] for note in run["notes"] if "given for the start" in note["text"]]
        # the rod of the pendulum asks for another velocity than is given
        model = self.path("rod.yaml")
        with open(model, "w") as file:
            file.write("trammel: 1\n"
                       "bodies: {rod: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0], "
                       "velocity: [1, 0, 1]}}\n"
                       "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], "
                       "axis: [0, 1, 0]}}\n"
                       "simulate: {end: 1, checkpoint_steps: 2}\n")
        full, _ = self.record(model)
        rest = self.result("run", "--restart", self.path("run.h5"))
        self.assertEqual((len(about_start(full)), about_start(rest)), (1, []))

    def test_before_the_first_checkpoint_the_start_counts_as_one(self):
        for words in (("pendulum", "--end", "0.01"), ("slider-crank", "--end", "0.02", "--checkpoint-steps", "20"),
                      ("spinning-beam", "--end", "0.1", "--tolerance", "1e-3")):
            with self.subTest(words=words):
                full, _ = self.record(*words)
                run = call("run", "--restart", self.path("run.h5"), "--from", "0", "--json")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("has no checkpoint that early: the run begins at its start", run.stderr)
                rest = strict(run.stdout)
                self.assertIsNone(rest["resumed_from"])
                self.assertEqual(rest["steps"], full["steps"])
                self.check_same_end(full, rest)

    def test_a_file_without_checkpoint(self):
        # inputs may have been set since the start, and a rest of a run has no start
        self.record("pushed-cart", "--end", "0.01", "--input", "push=1")
        run = call("run", "--restart", self.path("run.h5"))
        self.assertEqual(run.returncode, 4)
        self.assertIn("has no checkpoint yet", run.stderr)
        self.record("slider-crank", "--end", "0.02", "--checkpoint-steps", "20")
        rest = self.path("rest.h5")
        self.result("run", "--restart", self.path("run.h5"), "--out", rest)
        run = call("run", "--restart", rest, "--from", "1e-9")
        self.assertIn(run.returncode, (2, 4))
        self.assertRegex(run.stderr, r"has no checkpoint yet|has its first checkpoint at t = ")

    def test_an_equilibrium_is_no_start_of_the_model(self):
        # the rest of a run from rest began at the values of the model, without a word
        self.record("quarter-car", "--at", "static", "--end", "0.02")
        run = call("run", "--restart", self.path("run.h5"))
        self.assertEqual(run.returncode, 4)
        self.assertIn("has no checkpoint yet", run.stderr)

    def test_a_damaged_checkpoint_is_passed_over(self):
        full, _ = self.record("slider-crank", "--end", "0.02", "--checkpoint-steps", "20")
        path = self.path("run.h5")
        with open(path, "r+b") as file:
            data = file.read()
            file.seek(data.rindex(b"TRMPOINT") + 100)
            file.write(bytes([data[data.rindex(b"TRMPOINT") + 100] ^ 8]))
        run = call("run", "--restart", path, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"note: the checkpoint at t = \S+ s in '.*' is damaged: "
                                     r"continuing from the one before it")
        rest = strict(run.stdout)
        self.check_same_end(full, rest)
        self.check_remaining(path, rest, rest["resumed_from"])
