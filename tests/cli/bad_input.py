"""bad_input.py - help, and sentences for what cannot be done."""

from program import Case, call, models

COMMANDS = ("run", "check", "static", "modes", "converge", "bench", "models", "plot", "export",
            "explain", "schema")


class Help(Case):
    def test_without_words_help_goes_to_stderr(self):
        run = call()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("trammel run MODEL", run.stderr)

    def test_help_lists_the_commands(self):
        for word in ("--help", "-h", "help"):
            run = call(word)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            for command in COMMANDS:
                self.assertIn(f"trammel {command} ", run.stdout)

    def test_every_command_has_help(self):
        for command in COMMANDS:
            texts = {call(*words).stdout for words in
                     ((command, "--help"), (command, "-h"), ("help", command))}
            self.assertEqual(len(texts), 1)
            text = texts.pop()
            self.assertTrue(text.startswith(f"usage: trammel {command} "))
            self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))

    def test_help_of_run_names_every_option(self):
        text = call("run", "--help").stdout
        for option in ("--end --tolerance --step --step-max --step-min --step-first "
                       "--max-iterations --newton-tolerance --constraint-tolerance "
                       "--checkpoint-steps --outputs --output-step --integrator --formulation "
                       "--solver --alpha --rho --alpha-m --alpha-f --beta --gamma --set --csv "
                       "--json --quiet").split():
            self.assertRegex(text, rf"(?m)^  {option}\b")

    def test_version(self):
        run = call("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^trammel \d+\.\d+\.\d+\n$")

    def test_models_have_one_line_each(self):
        lines = call("models").stdout.splitlines()
        self.assertIn("pendulum", models())
        self.assertIn("chain", models())
        for line in lines:
            self.assertRegex(line, r"^[a-z0-9-]+ +\S.*$")

    def test_a_model_is_described_with_its_parameters(self):
        run = call("models", "pendulum")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"(?m)^pendulum: .+$")
        self.assertRegex(run.stdout, r"(?m)^  length=\S+ +\S.*$")
        self.assertEqual(call("models", "--show", "pendulum").stdout, run.stdout)

    def test_choices_of_a_parameter_are_shown(self):
        self.assertIn("revolute|spherical", call("models", "chain").stdout)


class BadInput(Case):
    def test_unknown_command_names_the_nearest(self):
        run = call("rum", "pendulum")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"^trammel: unknown command 'rum', .*'run'\n$")

    def test_unknown_model_names_the_nearest(self):
        self.fails(2, r"no built-in model 'pendulun'.*'pendulum'", "run", "pendulun")
        self.fails(2, r"no built-in model 'chian'.*'chain'", "check", "chian")
        run = call("models", "heavy-topp")
        self.assertEqual(run.returncode, 2)
        self.assertIn("'heavy-top'", run.stderr)

    def test_missing_model_file(self):
        self.fails(4, r"^trammel: cannot read 'pendulum\.yaml': No such file", "run",
                   "pendulum.yaml")
        self.fails(4, r"cannot read '/'", "check", "/")

    def test_missing_model(self):
        self.fails(2, r"MODEL is missing", "run")

    def test_too_many_models(self):
        self.fails(2, r"too many: 'chain'", "run", "pendulum", "chain")

    def test_unknown_option_names_the_nearest(self):
        self.fails(2, r"unknown option '--tolerence'.*'--tolerance'", "run", "pendulum",
                   "--tolerence", "1")
        self.fails(2, r"unknown option '--outs'.*'--out'", "run", "pendulum", "--outs", "x.h5")
        self.fails(2, r"unknown option '--csv'", "check", "pendulum", "--csv", "x")
        self.fails(2, r"unknown option '-q'", "run", "pendulum", "-q")

    def test_missing_value(self):
        self.fails(2, r"--end: the value T is missing", "run", "pendulum", "--end")
        self.fails(2, r"--end: the value T is missing", "run", "pendulum", "--end", "--quiet")
        self.fails(2, r"--csv: the value FILE is missing", "run", "pendulum", "--csv=")
        self.fails(2, r"--quiet: takes no value", "run", "pendulum", "--quiet=1")

    def test_numbers_are_read_strictly(self):
        for text in ("nan", "inf", "-inf", "1e999", "1.0x", "1 ", " 1", "0x10", "", "1,2", "one"):
            if text:
                self.fails(2, r"--end: '.*' is not a finite", "run", "pendulum", "--end", text)
        self.fails(2, r"--max-iterations: 2.5 is not a whole", "run", "pendulum",
                   "--max-iterations", "2.5")

    def test_ranges(self):
        for option, text in (("--tolerance", "1e-30"), ("--tolerance", "-1"), ("--tolerance", "0"),
                             ("--step", "0"), ("--step", "-0.1"), ("--alpha", "0.1"),
                             ("--alpha", "-0.5"), ("--rho", "1.5"), ("--rho", "-0.1"),
                             ("--step-max", "0"), ("--outputs", "0"), ("--outputs", "-3"),
                             ("--max-iterations", "0"), ("--checkpoint-steps", "0"),
                             ("--newton-tolerance", "-1e-9"), ("--constraint-tolerance", "0")):
            self.fails(2, rf"{option}: \S+ is out of range: it must be ", "run", "pendulum",
                       option, text)

    def test_end_before_the_start(self):
        self.fails(2, r".", "run", "pendulum", "--end", "-1")

    def test_step_and_tolerance_exclude_each_other(self):
        self.fails(2, r"--step and --tolerance cannot be given together", "run", "pendulum",
                   "--step", "0.01", "--tolerance", "1e-5")

    def test_other_pairs_exclude_each_other(self):
        for a, b in ((("--outputs", "5"), ("--output-step", "0.1")),
                     (("--alpha", "-0.1"), ("--rho", "0.5"))):
            self.fails(2, rf"{a[0]} and {b[0]} cannot be given together", "run", "pendulum", *a, *b)
        self.fails(2, r"--step-min 1 is larger than --step-max 0.5", "run", "pendulum",
                   "--step-min", "1", "--step-max", "0.5")

    def test_four_coefficients_or_none(self):
        self.fails(2, r"2 are given: give all four or none", "run", "pendulum", "--alpha-m", "0",
                   "--beta", "0.3")

    def test_lists_of_steps(self):
        for text in ("0.1,", ",0.1", "0.1,,0.2", "0.1;0.2"):
            self.fails(2, r"--step: '.*' is not a finite", "run", "pendulum", "--step", text)
        self.fails(2, r"more than 8 steps", "run", "pendulum", "--step", ",".join(["0.1"] * 9))
        self.fails(2, r"a list of fixed steps is needed", "converge", "pendulum")
        self.fails(2, r"--steps: 'x' is not", "converge", "pendulum", "--steps", "0.1:x")

    def test_lists_of_bench(self):
        for text in ("1e-4,", ",1e-4", "1e-4,,1e-5", "1e-4:1e-5", "x"):
            self.fails(2, r"--tolerances: '.*' is not a finite", "bench", "pendulum",
                       "--tolerances", text)
        self.fails(2, r"--tolerances: 0 is out of range", "bench", "pendulum", "--tolerances",
                   "1e-4,0")
        self.fails(2, r"more than 32 tolerances", "bench", "pendulum", "--tolerances",
                   ",".join(["1e-4"] * 33))
        self.fails(2, r"--integrators: a name in the list is empty", "bench", "pendulum",
                   "--integrators", "hht,,alpha")
        self.fails(2, r"nonesuch", "bench", "pendulum", "--integrators", "hht,nonesuch", "--end",
                   "1e9")
        self.fails(2, r"--repeats: 0 is out of range", "bench", "pendulum", "--repeats", "0")
        self.fails(2, r"unknown option '--tolerance', the nearest one is '--tolerances'", "bench",
                   "pendulum", "--tolerance", "1e-4")

    def test_settings(self):
        self.fails(2, r"'length' is not of the form PATH=VALUE", "run", "pendulum", "--set",
                   "length")
        self.fails(2, r"parameter 'lenght'.*length", "run", "pendulum", "--set", "lenght=1")
        for text in ("nan", "inf", "-1", "0", "abc", "1x"):
            self.fails(2, r"parameter 'length'", "run", "pendulum", "--set", f"length={text}")
        self.fails(2, r"revolute\|spherical", "check", "chain", "--set", "joint=magnetic")

    def test_unknown_methods(self):
        for option in ("--integrator", "--formulation", "--solver"):
            self.fails(2, r"nonesuch", "run", "pendulum", option, "nonesuch")

    def test_bad_input_leaves_no_file(self):
        table = self.path("a.csv")
        self.fails(2, r"parameter 'length'", "run", "pendulum", "--csv", table, "--set",
                   "length=nan")
        self.fails(2, r"nonesuch", "run", "pendulum", "--csv", table, "--integrator", "nonesuch")

    def test_bad_input_leaves_an_old_file_alone(self):
        table = self.path("a.csv")
        with open(table, "w") as file:
            file.write("old\n")
        self.assertEqual(call("run", "pendulum", "--csv", table, "--set", "x=1").returncode, 2)
        with open(table) as file:
            self.assertEqual(file.read(), "old\n")
