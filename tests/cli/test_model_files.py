#!/usr/bin/env python3
"""test_model_files PROGRAM SOURCE - model files given to the program: faults with their places,
settings, includes, units, shipped models, restarts, the published schema."""

import json
import math
import os
import re
import subprocess
import sys
import unittest

import jsonschema
import yaml

import program
from broken import BEGINNINGS, CONTRADICTIONS, FAULTS
from model_case import PENDULUM, Files
from model_restarts import Restart
from program import call, is_sanitized, is_shipped, models, strict

SOURCE = ""  # set below
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "broken")

MECHANISM = """\
trammel: 1
gravity: [0, 0, -9.81]
bodies: {rod: {mass: 1, inertia: [1e-3, 0.1, 0.1], at: [0.5, 0, 1]}}
joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 1], axis: [0, 1, 0]}}
simulate: {end: 0.1, tolerance: 1e-6}
"""

BLOCK = """\
trammel: 1
units: UNITS
bodies: {block: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], at: [0.11 m, 0 m, 0 m]}}
joints: {slide: {type: translational, bodies: [ground, block], axis: [1, 0, 0], at: [0, 0, 0]}}
forces:
  spring: {type: spring, bodies: [ground, block], points: [[0, 0, 0], [0.11 m, 0 m, 0 m]],
           stiffness: 800 N/m, length: 0.1 m, damping: 3 N*s/m}
simulate: {end: 0.5 s, tolerance: 1e-6, outputs: 256}
"""


class Broken(Files):
    def test_every_file_has_its_fault(self):
        files = sorted(name[:-5] for name in os.listdir(FOLDER) if name.endswith(".yaml"))
        self.assertEqual(files, sorted([*FAULTS, *CONTRADICTIONS]))
        self.assertGreaterEqual(len(files), 100)

    def refuse(self, code, name, folder):
        """The lines of a run that fails and writes nothing."""
        out, table = self.path("run.h5"), self.path("run.csv")
        run = call("run", name, "--out", out, "--csv", table, cwd=folder)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertFalse(os.path.exists(out) or os.path.exists(table))
        return run.stderr.splitlines()

    def test_each_fault_is_told_at_its_place(self):
        for name, (line, column, sentence) in FAULTS.items():
            with self.subTest(file=name):
                lines = self.refuse(2, f"{name}.yaml", FOLDER)
                whole = f"trammel: {name}.yaml:{line}:{column}: {sentence}"
                if name in BEGINNINGS:
                    lines = [text[:len(whole)] for text in lines]
                self.assertEqual(lines, [whole])

    def test_what_cannot_be_assembled_is_named(self):
        for name, (thing, reason) in CONTRADICTIONS.items():
            with self.subTest(file=name):
                lines = self.refuse(3, f"{name}.yaml", FOLDER)
                self.assertTrue(lines[0].startswith(f"trammel: {name}.yaml: {thing}: the start "
                                                    "cannot be assembled"), lines[0])
                self.assertIn(reason, lines[0])
                self.assertEqual([line[:6] for line in lines[1:]], ["hint: "])

    def test_json_has_the_first_fault(self):
        if is_sanitized():
            self.skipTest("the same files as in the test of sentences, in other words")
        for name, (line, column, sentence) in FAULTS.items():
            for command in ("run", "check"):
                if command == "check" and name == "plugin_not_a_library":
                    continue  # it opens none
                run = call(command, f"{name}.yaml", "--json", cwd=FOLDER)
                self.assertEqual(run.returncode, 2)
                error = strict(run.stdout)
                self.assertEqual(list(error), program.ERROR_KEYS)
                self.assertEqual((error["status"], error["code"]), ("error", "TRM_ERR_INPUT"))
                self.assertTrue(error["message"].startswith(f"{name}.yaml:{line}:{column}: "))
                self.assertIn(sentence, error["message"])

    def test_settings_of_a_mechanism(self):
        path = self.write("m.yaml", MECHANISM)
        words = ("bodies.rod.mass=2", "gravity.3=-2", "joints.pin.at.1=1")
        usual = self.result("run", path)
        other = self.result("run", path, "--set", *words)
        self.assertEqual(usual["energy"]["initial"], 9.81)  # mass 1, height 1
        self.assertEqual(other["energy"]["initial"], 2 * 2)
        self.assertLess(usual["velocities"]["rod.vx"], 0)   # the pin is on the left of the rod,
        self.assertGreater(other["velocities"]["rod.vx"], 0)  # then on the right
        line = self.lines("check", path, "--set", "bodies.rdo.mass=2")[0]
        self.assertTrue(line.startswith("trammel: --set:1:1: "), line)
        self.assertIn("did you mean 'bodies.rod.mass'?", line)

    def test_lists_as_settings(self):
        path = self.write("m.yaml", MECHANISM)
        other = self.result("run", path, "--set", "gravity=[0, 0, -4]", "--out", self.path("m.h5"),
                            "--checkpoint-steps", "1")
        self.assertEqual(other["energy"]["initial"], 4)     # mass 1, height 1
        again = self.result("run", "--restart", self.path("m.h5"))
        self.assertEqual(other["coordinates"], again["coordinates"])
        for words, sentence in (
                ("gravity=[0, 0]", "--set:1:9: gravity must have 3 numbers, not 2"),
                ("gravity=[0, 0, 1 kg]", "--set:1:16: the value has the dimension kg"),
                ("gravity=[0, 0", "--set:1:9: this '[' is never closed"),
                ("gravity=[0, 0, 0 ", "--set:1:9: this '[' is never closed"),
                ("gravity=[0, [0, 0]", "--set:"),
                ("gravity=3", "--set:1:9: gravity must be a list of 3 numbers"),
                ("gravitation=[0, 0, 1]", "--set:1:1: the model has no parameter 'gravitation'")):
            lines = self.lines("check", path, "--set", words)
            self.assertEqual(len(lines), 1, lines)
            self.assertTrue(lines[0].startswith("trammel: " + sentence), lines)
        lines = self.lines("check", path, "--set", "bodies.rod.mass=2", "gravity=[0, 0] ")
        self.assertEqual(lines, ["trammel: --set:2:9: gravity must have 3 numbers, not 2"])

    def test_a_start_that_was_changed_is_told(self):
        path = self.write("m.yaml", MECHANISM)
        self.assertNotIn("do not fit", call("run", path).stderr)
        run = call("run", path, "--set", "bodies.rod.velocity=[0, 3, 0]")  # along the pin
        self.assertEqual(run.returncode, 0)
        self.assertIn("note: the velocities given for the start do not fit the constraints and "
                      "were changed, that of body 'rod' by 3: ", run.stderr)
        # a ball joint 0.5 from the middle of the rod: places off along the rod
        text = MECHANISM.replace("{rod: {", "{ground: {markers: {m: {at: [0, 0, 1]}}}, "
                                 "rod: {markers: {m: {at: [-0.5, 0, 0]}}, ").replace(
            "revolute, bodies: [ground, rod], at: [0, 0, 1], axis: [0, 1, 0]",
            "spherical, markers: [ground.m, rod.m]")
        path = self.write("m.yaml", text)
        note = "places given for the start do not fit the constraints and were changed, that of"
        for change, is_told in (("at.1=0.52", True), ("at.1=0.5002", False)):  # as if rounded
            run = call("run", path, "--set", f"bodies.rod.{change}")
            self.assertEqual((run.returncode, note in run.stderr), (0, is_told), run.stderr)
            if is_told:
                self.assertIn(f"{note} body 'rod' by 0.02: ", run.stderr)
        run = call("run", self.write("m.yaml", text.replace("at: [0.5, 0, 1]",
                                                            "at: [0.52, 0, 1], start: guess")))
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_words_that_are_not_near(self):
        path = self.write("m.yaml", MECHANISM)
        lines = self.lines("run", path, "--set", "simulate.integrator=quick")
        self.assertEqual(lines, ["trammel: --set:1:21: 'quick' is not a word for "
                                 "simulate.integrator; known are "
                                 "(hht|alpha|explicit|tdg|radau|bdf|smooth|kinematic|auto)"])

    def test_a_library_without_the_function(self):
        library = os.path.join(os.path.dirname(program.PROGRAM), "plugins", "spring_plugin.so")
        self.assertTrue(os.path.exists(library))
        path = self.write("m.yaml", MECHANISM + "forces: {own: {type: plugin, body: rod, "
                          f"library: {library}, function: none}}}}\n")
        lines = self.lines("run", path, "--plugins")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"\Atrammel: \S*m\.yaml:6:.*'none'")

    def test_twenty_of_many(self):
        keys = "".join(f"  key{i}: 1\n" for i in range(30))
        path = self.write("m.yaml", PENDULUM + "extra:\n" + keys + "more: 1\n")
        self.assertEqual(len(self.lines("run", path)), 2)
        path = self.write("m.yaml", PENDULUM.replace(
            "simulate: {", "simulate: {" + ", ".join(f"k{i}: 1" for i in range(30)) + ", "))
        lines = self.lines("run", path)
        self.assertEqual(len(lines), 21)
        self.assertEqual(lines[-1], "trammel: and 10 more")

    def test_every_command_refuses(self):
        path = os.path.join(FOLDER, "loop.yaml")
        for words in (("run", path), ("check", path), ("bench", path),
                      ("converge", path, "--steps", "0.1,0.05")):
            self.assertIn("length -> half -> length", self.lines(*words)[0])

    def test_no_end(self):
        path = self.write("m.yaml", PENDULUM.replace("end: 1, ", ""))
        self.assertIn("sets no end time", self.lines("run", path)[0])
        self.assertEqual(self.result("check", path)["freedoms"], 1)
        self.assertEqual(self.result("run", path, "--end", "0.5")["time"], 0.5)


class Limits(Files):
    """Texts of a few hundred kilobytes whose equations would fill any memory."""

    def refuses(self, sentence, equations):
        path = self.write("large.yaml", "trammel: 1\nequations:\n" + equations)
        run = call("run", path, "--end", "1")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, sentence)

    def test_thousands_of_constraints_on_one_coordinate(self):
        rows = "".join(f"    c{i}: x - {i}\n" for i in range(20000))
        self.refuses(r"20000 constraints on 1 coordinates: at most 52",
                     f"  coordinates: {{x: 1}}\n  mass: {{x: 1}}\n  constraints:\n{rows}")

    def test_full_matrices_of_thousands_of_rows(self):
        names = [f"x{i}" for i in range(10000)]
        start = f"  coordinates: {{{', '.join(f'{name}: 0' for name in names)}}}\n"
        speeds = [f"{name}'" for name in names]
        self.refuses("need more than 5000000 operations or entries",
                     start + f"  kinetic: ({'+'.join(speeds)})^2\n")
        squares = "+".join(f"{speed}^2" for speed in speeds)
        self.refuses("need more than 5000000 operations or entries",
                     start + f"  kinetic: {squares}\n  potential: exp({'+'.join(names)})\n")


class Commands(Files):
    def setUp(self):
        super().setUp()
        self.model = self.write("pendulum.yaml", PENDULUM)

    def test_run_is_that_of_the_problem_in_c(self):
        words = ("--integrator", "explicit", "--tolerance", "1e-12", "--end", "1")
        typed = self.result("run", self.model, *words, "--set", "equations.potential=-gravity*x",
                            "equations.coordinates.y.velocity=-1.695")
        built_in = self.result("run", "pendulum", *words)
        self.assertEqual(typed["model"], "Pendulum of a file")
        for name, value in built_in["coordinates"].items():
            self.assertAlmostEqual(typed["coordinates"][name], value, delta=1e-9)  # error of both

    def test_options_of_the_command_line_win(self):
        path = self.write("a.yaml", PENDULUM.replace(
            "tolerance: 1e-6", "integrator: alpha, rho: 0.7, step: 0.01"))
        run = self.result("run", path)
        self.assertEqual((run["integrator"], run["steps"]), ("alpha", 100))
        self.assertEqual(self.result("run", path, "--step", "0.02")["steps"], 50)
        self.assertEqual(self.result("run", path, "--end", "0.5")["steps"], 50)
        run = self.result("run", path, "--integrator", "explicit", "--tolerance", "1e-8")
        self.assertEqual((run["integrator"], run["formulation"]), ("explicit", "dop853"))
        self.assertEqual(self.result("run", path, "--integrator", "hht")["steps"], 100)
        self.assertEqual(self.result("run", path, "--alpha", "-0.1", "--integrator",
                                     "hht")["steps"], 100)

    def test_samples_of_the_file(self):
        path = self.write("a.yaml", PENDULUM.replace("end: 1", "end: 1, outputs: 7"))
        call("run", path, "--csv", self.path("a.csv"))
        self.assertEqual(len(self.read_table(self.path("a.csv"))[1]), 8)
        call("run", path, "--csv", self.path("a.csv"), "--output-step", "0.25")
        self.assertEqual(len(self.read_table(self.path("a.csv"))[1]), 5)

    def test_converge_and_bench(self):
        rows = self.result("converge", self.model, "--integrator", "alpha", "--steps",
                           "0.02,0.01")["rows"]
        self.assertAlmostEqual(rows[1]["orders"]["position"], 2, delta=0.2)  # second order
        rows = self.result("bench", self.model, "--tolerances", "1e-5", "--repeats", "1")["rows"]
        self.assertEqual([row["integrator"] for row in rows],
                         ["hht", "alpha", "explicit", "tdg", "radau", "bdf"])
        self.assertTrue(all(row["status"] == "ok" for row in rows))

    def test_set(self):
        for words, x in ((("length=2",), 2), (("parameters.length=2*0.2 m",), 0.4),
                         (("equations.coordinates.x=-length",), -0.5)):
            moved = self.result("run", self.model, "--end", "1e-9", "--set", *words)
            self.assertAlmostEqual(moved["coordinates"]["x"], x, delta=1e-6)
        run = self.result("run", self.model, "--set", "simulate.end=0.25", "--set", "length=1")
        self.assertEqual(run["time"], 0.25)
        lines = self.lines("run", self.model, "--set", "lenght=1")
        self.assertEqual(lines, ["trammel: --set:1:1: the model has no parameter 'lenght'; "
                                 "did you mean 'length'?"])
        error = strict(call("run", self.model, "--set", "lenght=1", "--json").stdout)
        self.assertTrue(error["message"].startswith("--set:1:1: "))
        lines = self.lines("run", self.model, "--set", "length=1 +", "--set", "simulate.end=1 m")
        self.assertRegex(lines[0], r"^trammel: --set:1:\d+: ")
        self.assertRegex(lines[1], r"^trammel: --set:2:14: .*dimension m")

    def test_a_name_is_a_model_before_it_is_a_file(self):
        self.write("pendulum", "not a model\n")
        self.assertEqual(call("check", "pendulum", cwd=self.folder).returncode, 0)
        self.write("mine", PENDULUM)
        self.assertEqual(call("check", "mine", cwd=self.folder).returncode, 0)
        self.assertIn("no built-in model 'yours'", call("check", "yours").stderr)

    def test_includes(self):
        main = self.write("main.yaml", "trammel: 1\ninclude: parts/base.yaml\n"
                                       "parameters: {length: 1}\n")
        self.write("parts/base.yaml", PENDULUM.replace("length: 0.5, ", ""))
        self.assertEqual(self.result("check", main)["freedoms"], 1)
        self.write("parts/base.yaml", PENDULUM)
        self.assertEqual(self.result("check", main)["freedoms"], 1)  # its length is replaced

    def test_sets_of_units(self):
        # the same pendulum in four sets; what comes out is in the units of the model
        base = PENDULUM.replace("end: 1,", "end: 0.3 s,").replace("length: 0.5", "length: 500 mm")
        ends = []
        for units, metre in (("SI", 1), ("N-kg-ms-mm", 1000), ("lbf-lbm-in-s", 1 / 0.0254),
                             ("mm-t-s-N", 1000)):
            text = base.replace("name:", f"units: {units}\nname:").replace("0.5*(", "0.5 kg*(")
            text = text.replace("9.81 m/s^2", "9.81 N").replace(
                "coordinates: {x: length, y: 0}", "coordinates: {x: {value: length, scale: 1 m}, "
                "y: {value: 0 m, scale: 1 m}}")
            run = self.result("run", self.write("u.yaml", text), "--integrator", "explicit",
                              "--tolerance", "1e-11")
            ends.append(run["coordinates"]["x"] / metre)
        for end in ends[1:]:
            self.assertAlmostEqual(end, ends[0], delta=1e-8)  # error of the runs

    def test_results_name_their_units(self):
        # [length, time, force] of each set; the spring has a mode of 20 rad/s
        hertz, names = [], {"SI": ("m", "s", "N"), "N-kg-ms-mm": ("mm", "ms", "N"),
                            "lbf-lbm-in-s": ("in", "s", "lbf"), "g-mm-s": ("mm", "s", "g mm/s^2")}
        for units, (length, time, force) in names.items():
            model = self.write("block.yaml", BLOCK.replace("UNITS", units))
            energy = {"N": f"N {length}", "lbf": "lbf in"}.get(force, "g mm^2/s^2")
            torque, energy = energy, "J" if units == "SI" else energy
            power = {"SI": "W", "g-mm-s": "g mm^2/s^3"}.get(units, f"{energy}/{time}")
            half = 500 if time == "ms" else 0.5
            out = call("run", model, "--out", self.path("block.h5")).stdout
            self.assertIn(f", t = {half} {time}\n", out)
            self.assertRegex(out, rf"  steps +\d+, from \S+ to \S+ {time}\n")
            self.assertRegex(out, rf"  energy +\S+ {re.escape(energy)} at the start, ")
            out = call("static", model).stdout
            self.assertIn(f": at rest, t = 0 {time}\n", out)
            self.assertIn(f" {force} or {torque} at most\n", out)

            # frequencies are in Hz, eigenvalues in the unit of the model
            modes = self.result("modes", model)["modes"]
            second = 1000 if time == "ms" else 1
            self.assertAlmostEqual(modes[0]["eigenvalue"][0] * second, -0.75, delta=1e-12)
            hertz.append(modes[0]["frequency_hz"])
            check = self.result("check", model)
            hertz += [check["frequency_min_hz"], check["frequency_max_hz"]]
            out = call("modes", model).stdout
            self.assertRegex(out, rf"frequency \[Hz\] +damping +eigenvalue \[1/{time}\]")
            self.assertRegex(out, r"\n +1 +3\.183098862 ")
            self.assertIn("  vibrations   3.183 to 3.183 Hz", call("check", model).stdout)

            # the run file and what is made of it
            listed = self.result("plot", self.path("block.h5"))["runs"][0]["signals"]
            found = {signal["name"]: signal["unit"] for signal in listed}
            for name, unit in {"t": time, "block.x": length, "block.vx": f"{length}/{time}",
                               "d(block.vx)": f"{length}/{time}^2", "block.wx": f"rad/{time}",
                               "d(block.wx)": f"rad/{time}^2", "slide.x": force,
                               "slide.e1": torque, "kinetic": energy, "power": power}.items():
                self.assertEqual(found[name], unit, name)
            out = call("plot", self.path("block.h5"), "block.x").stdout
            self.assertIn(f"time [{time}]", out)
            peaks = self.result("plot", self.path("block.h5"), "block.x", "--spectrum")["curves"]
            # half a second has room for one and a half periods only
            self.assertAlmostEqual(peaks[0]["peaks"][0]["frequency"], 3.18, delta=0.1)
            out = call("explain", self.path("block.h5")).stdout
            self.assertRegex(out, rf"from \S+ {time} \(at t = \S+ {time}\) to \S+ {time},")
            out = call("run", model, "--end=-1").stderr
            self.assertIn(f"the end -1 {time} is not after the start 0 {time}", out)
        for f in hertz:  # 20 rad/s of the damped spring; rounding of the units and eigenvalues
            self.assertAlmostEqual(f, hertz[0], delta=1e-12 * hertz[0])
        self.assertAlmostEqual(hertz[0], 20 / (2 * math.pi), delta=1e-12 * hertz[0])

    def test_times_of_errors_and_plots_have_units(self):
        model = self.write("root.yaml", """trammel: 1
units: N-kg-ms-mm
equations:
  states: {x: {value: 1, residual: "x' + 2e-3/sqrt(x)"}}
simulate: {end: 900}
""")
        self.assertRegex(call("run", model).stderr, r"\[t = [34]\d\d\S* ms, h = \S+ ms\]")
        # runs in different units share the time axis of the first
        for name, units in (("a.h5", "N-kg-ms-mm"), ("b.h5", "SI")):
            call("run", self.write("block.yaml", BLOCK.replace("UNITS", units)), "--out",
                 self.path(name))
        out = call("plot", self.path("a.h5"), self.path("b.h5"), "kinetic").stdout
        self.assertRegex(out, r"\n +0 +100 +200 +300 +400 +500\n +time \[ms\]")


class Shipped(Files):
    def names(self):
        return [name for name in models() if is_shipped(name)]

    def test_files_of_the_tree_are_in_the_program(self):
        folder = os.path.join(SOURCE, "models")
        files = sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".yaml"))
        self.assertEqual(sorted(self.names()), files)
        for name in files:
            own, *included = call("models", "--show", name).stdout.split("#-- file: ")
            texts = {f"{name}.yaml": own, **dict(part.split("\n", 1) for part in included)}
            for path, text in texts.items():   # what it includes follows it
                with open(os.path.join(folder, path), encoding="utf-8") as file:
                    self.assertEqual(text, file.read())

    def test_a_shipped_model_runs_away_from_the_tree(self):
        run = subprocess.run([program.PROGRAM, "run", "stiff-spring", "--json", "--end", "0.1"],
                             cwd="/", capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_published_texts_are_those_of_the_program(self):
        for words, path in ((("schema",), "docs/schema/trammel-1.json"),
                            (("schema", "reference"), "docs/guide/reference.md")):
            with open(os.path.join(SOURCE, path)) as file:
                self.assertEqual(call(*words).stdout, file.read(),
                                 f"write it anew: trammel {' '.join(words)} > {path}")
        self.assertEqual(call("schema", "page").returncode, 2)

    def test_schema_accepts_all_models(self):
        schema = json.loads(call("schema").stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        texts = [call("models", "--show", name).stdout for name in self.names()]
        with open(os.path.join(SOURCE, "tests", "data", "model", "mechanism.yaml")) as file:
            texts.append(file.read())
        for text in texts + [PENDULUM]:
            validator.validate(yaml.safe_load(text))

    def test_what_setting_a_key_means_is_published(self):
        schema = json.loads(call("schema").stdout)["properties"]
        page = call("schema", "reference").stdout
        spring = schema["forces"]["additionalProperties"]["properties"]
        equations = schema["equations"]["properties"]
        self.assertEqual(schema["gravity"]["x-change"], "live")
        self.assertEqual(spring["value"]["x-change"], "live as a number")
        self.assertEqual(equations["kinetic"]["x-change"], "structural")
        self.assertEqual(equations["discrete"]["additionalProperties"]["x-change"], "live")
        self.assertNotIn("x-change", schema["simulate"]["properties"]["end"])
        for key, change in (("bodies.*.mass", "derived"), ("beams.*.elements", "structural"),
                            ("equations.states.*.value", "live"), ("outputs.*", "structural")):
            line = next(line for line in page.splitlines() if line.startswith(f"| `{key}` |"))
            self.assertEqual(line.replace("\\|", "").split("|")[4].strip(), change, key)

    def test_schema_refuses_what_it_can_see(self):
        schema = json.loads(call("schema").stdout)
        validator = jsonschema.Draft202012Validator(schema)
        for name in ("unknown_key", "unknown_section", "unknown_option", "later_version",
                     "list_for_names", "missing_value", "no_equations", "no_version", "range",
                     "word", "body_inertia", "body_name", "body_unknown_key", "beam_nodes",
                     "beam_points", "bushing_stiffness", "gravity", "joint_bodies", "joint_type",
                     "joint_without_type", "mass_and_density", "motion_of_two",
                     "motion_without_law", "points_of_two_lengths", "shape_radius"):
            with open(os.path.join(FOLDER, f"{name}.yaml")) as file:
                with self.assertRaises(jsonschema.ValidationError, msg=name):
                    validator.validate(yaml.safe_load(file.read().replace("e-6", ".0e-6")))


if __name__ == "__main__":
    program.PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
    load, main = unittest.defaultTestLoader, sys.modules[__name__]
    sys.exit(program.run_suite(load.loadTestsFromNames(sys.argv[3:], main) if sys.argv[3:]
                               else load.loadTestsFromModule(main)))
