"""inputs.py - inputs of models: --input, run files, restart, other ways to write a model."""

from program import Case, call

CART = ("run", "pushed-cart", "--end", "1", "--integrator", "radau", "--tolerance", "1e-10")


class Inputs(Case):
    def test_the_input_of_the_command_line_acts_from_the_start(self):
        still = self.result(*CART, "--input", "push=0")
        self.assertEqual(still["coordinates"], {"x": 0.0, "phi": 0.0})
        self.assertEqual(still["inputs"], {"push": 0.0})
        given, same = self.result(*CART, "--input", "push=1"), self.result(*CART)
        self.assertEqual(given["coordinates"], same["coordinates"])  # bits: 1 N is in the file
        twice = self.result(*CART, "--input", "push=2", "--verify")
        # the mass centre moves with push/(M + m): x + m/(M + m) l sin(phi) = push t^2/(2 1.5)
        bob = 0.5 * (twice["outputs"]["bob"] - twice["coordinates"]["x"]) / 1.5
        self.assertAlmostEqual(twice["coordinates"]["x"] + bob, 2 / 3.0, delta=1e-8)
        self.assertEqual(twice["verify"]["status"], "ok")
        self.assertLess(twice["verify"]["outputs"]["bob"]["error"], 1e-6)  # the same input again

    def test_a_rate_goes_on_until_the_end(self):
        run = self.result(*CART, "--input", "push=1,3")
        self.assertAlmostEqual(run["inputs"]["push"], 4.0, delta=1e-14)
        other = self.result(*CART, "--set", "inputs.push.value=1", "--set", "inputs.push.rate=3")
        self.assertEqual(run["coordinates"], other["coordinates"])

    def test_what_cannot_be_set_is_named(self):
        for words, sentence in (
                (("--input", "psh=1"), "there is no input 'psh'; the nearest is 'push'"),
                (("--input", "push"), "'push' is not of the form NAME=VALUE[,RATE]"),
                (("--input", "push=1,"), "'' is not a finite decimal number"),
                (("--input", "push=1e999"), "not a finite decimal number")):
            run = call(*CART, *words)
            self.assertEqual(run.returncode, 2)
            self.assertIn(sentence, run.stderr)
        run = call("run", "pendulum", "--input", "push=1")
        self.assertIn("there is no input 'push': the system has none", run.stderr)

    def test_run_files_hold_inputs_and_restart_to_the_same_bits(self):
        words = ("run", "pushed-cart", "--input", "push=1,3", "--checkpoint-steps", "2")
        whole, rest = self.path("whole.h5"), self.path("rest.h5")
        end = self.result(*words, "--out", whole)
        again = self.result("run", "--restart", whole, "--from", "2", "--out", rest)
        self.assertGreater(again["resumed_from"], 0.5)
        for key in ("coordinates", "velocities", "inputs"):
            self.assertEqual(again[key], end[key])
        self.assertAlmostEqual(end["inputs"]["push"], 1 + 3 * 4.0, delta=1e-13)
        table = self.path("a.csv")
        self.assertEqual(call("export", whole, "--out", table).returncode, 0)
        header, rows = self.read_table(table)
        push = [name.split(" ")[0] for name in header].index("push")
        for row in rows:
            self.assertAlmostEqual(row[push], 1 + 3 * row[0], delta=1e-13)

    def test_an_input_may_jump_where_a_run_goes_on(self):
        words = ("run", "pushed-cart", "--input", "push=0", "--checkpoint-steps", "5")
        whole = self.path("whole.h5")
        self.result(*words, "--out", whole, "--step", "0.01")
        # 0.5 s at rest, then 3.5 s with a force
        run = self.result("run", "--restart", whole, "--from", "0.5", "--input", "push=3")
        self.assertAlmostEqual(run["resumed_from"], 0.5, delta=1e-12)
        bob = 0.5 * (run["outputs"]["bob"] - run["coordinates"]["x"]) / 1.5
        self.assertAlmostEqual(run["coordinates"]["x"] + bob, 3.5 ** 2, delta=1e-3)

    def test_a_model_with_inputs_can_be_written(self):
        for language, start in (("yaml", "inputs:"), ("c", 'trm_add_input(m, "push", &def')):
            text = call("models", "--show", "pushed-cart", "--as", language).stdout
            self.assertIn(start, text)
        path = self.path("cart.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(call("models", "--show", "pushed-cart", "--as", "yaml").stdout)
        again = self.result(CART[0], path, *CART[2:])
        self.assertEqual(again["coordinates"], self.result(*CART)["coordinates"])
