"""slips.py - slips of the pen in a model and on the command line, and what the program says of them."""

from newcomer import ARM, Newcomer as Words
from program import Case, call


class Slips(Case):
    model, says, warnings = Words.model, Words.says, Words.warnings

    def test_limits_in_the_wrong_order(self):
        for joint, says in (("revolute", "its lower limit, 1.0472 rad, is not below the upper one, -1.5 rad"),
                            ("translational", "its lower limit, 1.0472, is not below the upper one, -1.5")):
            self.says(f"joint 'hinge': {says}", ARM.replace("revolute", joint).replace(
                "axis: [0, 1, 0]", "axis: [0, 1, 0], limits: {lower: 1.0472, upper: -1.5, stiffness: 10}"))

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
