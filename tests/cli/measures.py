"""measures.py - outputs reduced over a run, ranges of steps, and runs that begin at rest."""

import math
import re

import h5py

from program import Case, call

OSCILLATOR = """\
trammel: 1
gravity: [0, 0, -9.81]
bodies: {b: {type: point, mass: 2}}
forces:
  s: {type: spring, bodies: [ground, b], points: [[0, 0, 1], [0, 0, 0]], stiffness: 100, length: 1}
outputs: {z: b.z, load: s.force}
measures: {peak: min(load), level: mean(z), when: "crossing(z, -0.1)"}
simulate: {end: 2, tolerance: 1e-9}
"""
SAG = 2 * 9.81 / 100


class Measures(Case):
    def model(self):
        with open(self.path("m.yaml"), "w", encoding="utf-8") as file:
            file.write(OSCILLATOR)
        return self.path("m.yaml")

    def test_times_and_levels_are_expressions_of_parameters(self):
        text = """trammel: 1
parameters: {T: 300 ms, k: 0.5, L: 200 mm, m: 2 kg}
units: {length: mm}
equations: {coordinates: {x: {value: 0, velocity: 1000, kind: length}}, mass: {x: 1}}
measures: {half: "at(x, T/2)", plain: "at(x, 2*0.1)", far: "crossing(x, 2*L)", bare: "crossing(x, max(k, 3))"}
simulate: {end: 2*T}
"""
        model = self.path("m.yaml")
        with open(model, "w") as file:
            file.write(text)
        out = self.result("run", model, "--measure", "third=at(x, T/3)")["measures"]
        for name, value in (("half", 150), ("plain", 200), ("far", 0.4), ("bare", 0.003), ("third", 100)):
            self.assertAlmostEqual(out[name], value, delta=1e-9 * value)
        out = self.result("run", model, "--set", "T=0.6")["measures"]
        self.assertAlmostEqual(out["half"], 300, delta=1e-6)
        for measure in ("at(x, m)", "at(x, soon)", "at(x, )", "at(x, time)"):
            self.refuses(2, "a time, such as 0.5 or 20 ms is expected after the comma", "run", model,
                         "--measure", measure)
        self.refuses(2, "the unit of the level is not that of 'x', mm", "run", model, "--measure",
                     "crossing(x, m)")

    def test_json_has_them_by_name(self):
        run = self.result("run", self.model(), "--measure", "max(z)", "--measure", "low=min(z)",
                          "--measure", "crossing(z, 1)", "--measure", "at(z, 100 ms)")
        w = math.sqrt(50)
        got = run["measures"]
        self.assertEqual(list(got), ["peak", "level", "when", "max(z)", "low", "crossing(z, 1)",
                                     "at(z, 100 ms)"])
        # tolerance 1e-9 of hht: the error at the end goes like its power 2/3
        near = lambda name, value: self.assertAlmostEqual(got[name], value, delta=1e-4, msg=name)
        near("peak", -2 * 2 * 9.81)
        near("level", -SAG * (1 - math.sin(w * 2) / (w * 2)))
        near("when", math.acos(1 - 0.1 / SAG) / w)
        near("max(z)", 0)
        near("low", -2 * SAG)
        near("at(z, 100 ms)", -SAG * (1 - math.cos(w * 0.1)))
        self.assertIsNone(got["crossing(z, 1)"])

    def write(self, text):
        with open(self.path("w.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path("w.yaml")

    def test_a_counter_reaches_a_level(self):
        model = self.write("trammel: 1\nequations:\n  states: {x: {value: 0, rate: 1}}\n"
                           "  discrete: {n: 0}\n"
                           "  events: {tick: {every: 0.125, set: {n: n + 1}}}\n"
                           "outputs: {count: n}\nsimulate: {end: 1}\n"
                           "measures: {third: 'crossing(count, 3)', between: 'crossing(count, 3.5)', "
                           "last: 'crossing(count, 8)', never: 'crossing(count, 9)', "
                           "start: 'crossing(count, 0)'}\n")
        for method in ("hht", "bdf", "tdg", "radau", "explicit"):
            got = self.result("run", model, "--integrator", method)["measures"]
            self.assertEqual(got, {"third": 0.375, "between": 0.5, "last": 1, "never": None,
                                   "start": None}, method)

    def test_signals_faster_than_the_steps(self):
        # a body in free flight takes a few steps; its output has 64 waves, corners and jumps
        model = self.write("trammel: 1\nbodies: {b: {type: point, mass: 1, velocity: [1, 0, 0]}}\n"
                           "outputs: {wave: sin(40*b.x), jump: 'if(sin(7*b.x) > 0, 1, 0)'}\n"
                           "measures: {most: max(wave), level: rms(wave), size: mean(abs(wave)), "
                           "first: 'crossing(wave, -0.5)', share: mean(jump)}\n"
                           "simulate: {end: 10}\n")
        high = sum(min((2 * k + 1) * math.pi / 7, 10) - 2 * k * math.pi / 7 for k in range(12))
        half = math.pi / 40
        rest = 10 - 127 * half
        for method in ("hht", "bdf", "tdg", "radau", "explicit"):
            run = self.result("run", model, "--integrator", method)
            self.assertLess(run["steps"], 20)
            got = run["measures"]
            self.assertAlmostEqual(got["most"], 1, delta=1e-12)
            self.assertAlmostEqual(got["level"], math.sqrt(0.5 - math.sin(800) / 1600), delta=1e-9)
            self.assertAlmostEqual(got["size"], (127 * 2 / 40 + (1 - math.cos(40 * rest)) / 40) / 10,
                                   delta=1e-5)
            self.assertAlmostEqual(got["first"], math.pi * 7 / 6 / 40, delta=1e-12)
            self.assertAlmostEqual(got["share"], high / 10, delta=3e-4)  # 1/4096 for a jump

    def test_the_summary_shows_them(self):
        run = call("run", self.model(), "--measure", "crossing(z, 1)")
        self.assertRegex(run.stdout, r"measures +peak +-39\.2")
        self.assertRegex(run.stdout, r"crossing\(z, 1\) +never")

    def test_faults_are_told_at_their_place(self):
        path = self.model()
        for words, sentence in (
                (("--set", "measures.peak=max(laod)"),
                 "--set:1:15: measure 'peak': there is no output 'laod'; the nearest is 'load'"),
                (("--set", "measures.peak=3"), "--set:1:15: '3' is not a measure: write max(load)"),
                (("--measure", "at(z, 9)"), "--measure: 'at(z, 9)': 9 s is outside of the run"),
                (("--measure", "peak=max(z)"), "the measure 'peak' is given twice")):
            for command in ("run", "check") if words[0] == "--set" else ("run",):
                run = call(command, path, *words)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn(sentence, run.stderr)

    def test_a_resumed_run_has_those_of_the_whole(self):
        path, out = self.model(), self.path("run.h5")
        whole = self.result("run", path, "--checkpoint-steps", "5", "--out", out)
        half = self.result("run", "--restart", out, "--from", "1")
        self.assertLess(half["steps"], whole["steps"])
        self.assertEqual(half["measures"], whole["measures"])

    def test_other_units(self):
        with open(self.path("ms.yaml"), "w", encoding="utf-8") as file:
            file.write("trammel: 1\nunits: N-kg-ms-mm\nequations:\n  coordinates: {x: 1}\n"
                       "  kinetic: 0.5*x'^2\noutputs: {t: time}\nsimulate: {end: 50}\n")
        run = self.result("run", self.path("ms.yaml"), "--measure", "at(t, 20 ms)", "--measure",
                          "at(t, 0.02 s)", "--measure", "at(t, 20)")
        for value in run["measures"].values():
            self.assertAlmostEqual(value, 20, delta=1e-9)  # rounding


ARM = """\
trammel: 1
gravity: [0, 0, -9.81]
bodies: {arm: {mass: 2, inertia: [0, 0, 0], at: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}}
outputs: {turned: hinge.angle, pull: sqrt(hinge.force.x^2 + hinge.force.z^2)}
simulate: {end: 1, tolerance: 1e-9}
"""


class NamedQuantities(Case):
    """Measures of what is no output."""

    def model(self, more=""):
        with open(self.path("m.yaml"), "w", encoding="utf-8") as file:
            file.write(ARM + more)
        return self.path("m.yaml")

    def test_they_are_those_of_the_outputs(self):
        # a released point on a rod pulls with 3 m g where it is lowest
        run = self.result("run", self.model("measures: {fast: max(hinge.angle'), low: min(arm.z),\n"
                                            "  far: max(abs(pull)/2)}\n"),
                          "--measure", "max(turned)", "--measure", "max(hinge.angle)",
                          "--measure", "when=crossing(atan2(-arm.z, arm.x), 0.5)",
                          "--measure", "final(time)", "--measure", "max(pull)")
        got, units = run["measures"], run["units"]["measures"]
        self.assertEqual(got["max(turned)"], got["max(hinge.angle)"])
        self.assertAlmostEqual(got["fast"], math.sqrt(2 * 9.81 / 0.5), delta=1e-4)
        self.assertAlmostEqual(got["low"], -0.5, delta=1e-4)
        self.assertAlmostEqual(got["max(pull)"], 3 * 2 * 9.81, delta=1e-3)
        self.assertEqual(got["far"], got["max(pull)"] / 2)
        self.assertEqual(got["final(time)"], 1.0)
        self.assertEqual((units["fast"], units["max(hinge.angle)"], units["when"], units["low"]),
                         ("1/s", "", "s", "m"))
        # coordinates stay what they are, the others are outputs
        self.assertEqual(list(run["outputs"]), ["turned", "pull", "hinge.angle'", "abs(pull)/2",
                                                "hinge.angle", "atan2(-arm.z, arm.x)", "time"])
        self.assertRegex(call("run", self.path("m.yaml"), "--measure", "max(hinge.angle)").stdout,
                         r"max\(hinge.angle\) +3\.14")

    def test_a_coupler_loads_its_first_coordinate(self):
        # 2 xa + xb stays: xb = -2 xa, and F moves a with F/(ma + 4 mb)
        for ratios in ("[2, 1]", "[1, 0.5]", "[-4, -2]"):
            with open(self.path("c.yaml"), "w", encoding="utf-8") as file:
                file.write(f"""trammel: 1
bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}, b: {{mass: 3, inertia: [1, 1, 1]}}}}
joints:
  sa: {{type: translational, bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}}
  sb: {{type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}}
  c: {{type: coupler, joints: [sa, sb], ratios: {ratios}}}
forces: {{f: {{type: force, body: a, force: [13, 0, 0]}}}}
outputs: {{xa: a.x, xb: b.x, load: c.load}}
simulate: {{end: 1}}
""")
            run = self.result("run", self.path("c.yaml"))
            for name, value in (("xa", 0.5), ("xb", -1), ("load", -12)):
                self.assertAlmostEqual(run["outputs"][name], value, delta=1e-9, msg=ratios)
            self.assertEqual(run["units"]["outputs"]["load"], "N")

    def test_units_of_what_joints_do(self):
        with open(self.path("u.yaml"), "w", encoding="utf-8") as file:
            file.write("""trammel: 1
units: N-kg-ms-mm
bodies: {a: {mass: 1 kg, inertia: [1e6, 1e6, 1e6]}, b: {mass: 1 kg, inertia: [1e6, 1e6, 1e6]}}
joints:
  pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], friction: {static: 0.1, radius: 10 mm}}
  rail: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],
         limits: {upper: 20 mm, stiffness: 1 N/mm}}
  mesh: {type: coupler, joints: [pin, rail], ratios: [20 mm, 1]}
equations:
  states: {s: {value: 0 N*m, rate: 1 N*m/s}, pace: {value: 0 m/s, rate: 1 m/s^2}}
  coordinates: {phi: {value: 0 rad, kind: angle}, x: {value: 0 mm, kind: length}}
  mass: {phi: 1 kg*m^2, x: 1 kg}
  constraints: {drive: phi - 2 rad/s*time, slide: x - 3 mm/s*time}
outputs: {f: pin.friction, k: rail.stop, m: mesh.load}
simulate: {end: 1}
""")
        run = call("run", self.path("u.yaml"), "--out", self.path("u.h5"), "--quiet")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        with h5py.File(self.path("u.h5")) as file:
            units = dict(zip(file["names"].asstr(), file["units"].asstr()))
        for name, unit in (("f", "N mm"), ("k", "N"), ("m", "N mm"), ("mesh.r1", "N mm"),
                           ("pin.friction", "N mm"), ("rail.stop", "N"), ("mesh.load", "N mm"),
                           ("drive", "N mm"), ("slide", "N"), ("s", "N mm"), ("d(s)", "N mm/ms"),
                           ("pace", "mm/ms"), ("d(pace)", "")):
            self.assertEqual(units[name], unit, name)

    def test_the_motion_is_the_same(self):
        plain = self.result("run", self.model())
        run = self.result("run", self.model(), "--measure", "max(hinge.angle)")
        for key in "steps", "coordinates", "velocities", "energy":
            self.assertEqual(run[key], plain[key])

    def test_a_resumed_run_has_them(self):
        out, words = self.path("run.h5"), ("--measure", "top=max(hinge.angle)")
        whole = self.result("run", self.model(), *words, "--checkpoint-steps", "2", "--out", out)
        for again in ((), words):
            half = self.result("run", "--restart", out, "--from", "0.5", *again)
            self.assertEqual(half["measures"], whole["measures"])
        run = call("run", "--restart", out, "--measure", "max(arm.x)")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--measure: '" + out + "' was run without 'max(arm.x)': what is measured is "
                      "decided when a run begins", run.stderr)

    def test_faults(self):
        for words, sentence in (
                (("--measure", "max(hinge.angel)"), "--measure: joint 'hinge' has no 'angel'; it has angle"),
                (("--set", "measures.a=max(hinge.angel)"), "--set:1:16: joint 'hinge' has no 'angel'"),
                (("--measure", "max(hinge)"), "--measure: there is no output 'hinge'"),
                (("--measure", "max(arm.x < 0)"), "--measure: an output is a number, not a condition"),
                (("--measure", "max(arm.x) + 1"), "'max(arm.x) + 1' is not a measure"),
                (("--measure", "max(arm.x)*max(arm.z)"), "is not a measure"),
                (("--measure", "max(arm.x + arm.y + arm.z + arm.vx + arm.vy + arm.vz)"),
                 "needs a name: add it to outputs, and measure that")):
            run = call("run", self.model(), *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
            self.assertIn(sentence, run.stderr)

    def test_outputs_use_those_before_them(self):
        model = self.model().replace("m.yaml", "n.yaml")
        with open(model, "w", encoding="utf-8") as file:
            file.write(ARM.replace("outputs: {", "outputs: {half: turned/2, ").replace(
                "half: turned/2, turned: hinge.angle", "turned: hinge.angle, half: turned/2"))
        out = self.result("run", model)
        self.assertEqual(out["outputs"]["half"], out["outputs"]["turned"] / 2)
        self.assertEqual(out["units"]["outputs"]["half"], "")  # a bare number may be anything
        late = ARM.replace("outputs: {", "outputs: {half: turned/2, ")
        with open(model, "w", encoding="utf-8") as file:
            file.write(late)
        self.assertIn("'turned' is an output, which only outputs after it can use", call("run", model).stderr)


class StepRange(Case):
    def test_steps_that_events_or_the_end_cut_are_left_out_of_the_range(self):
        with open(self.path("m.yaml"), "w") as file:
            file.write("trammel: 1\nequations:\n  coordinates: {x: 1}\n  mass: {x: 1}\n"
                       "  forces: {x: -x}\n  events: {tick: {when: time - 0.50001, do: silent}}\n"
                       "simulate: {end: 2}\n")
        model = self.path("m.yaml")
        words = ("run", model, "--integrator", "hht")
        shown = re.search(r"steps +\d+, from (\S+) to (\S+) s", call(*words).stdout)
        out = self.result(*words)
        self.assertLess(out["step_min"], 0.9 * float(shown.group(1)))
        self.assertAlmostEqual(out["step_max"], float(shown.group(2)), delta=1e-3)
        self.assertIn("steps        4, from 0.3 to 0.3 s",
                      call("run", model, "--step", "0.3", "--end", "1").stdout)


class AtStatic(Case):
    def test_it_rests_where_static_says(self):
        rest = self.result("static", "chain", "--set", "links=4")
        run = self.result("run", "chain", "--set", "links=4", "--at", "static", "--end", "1")
        for name, value in rest["coordinates"].items():
            self.assertAlmostEqual(run["coordinates"][name], value, delta=1e-9, msg=name)
        self.assertLess(max(map(abs, run["velocities"].values())), 1e-9)
        texts = [note["text"] for note in run["notes"] if not note["text"].startswith("auto takes")]
        self.assertEqual(len(texts), 1, texts)  # and nothing about the balance of rounding
        self.assertRegex(texts[0], r"begins at rest: \w+ found the equilibrium in \d+ iterations?")

    def test_it_moves_on_from_there(self):
        # a spring at rest under its load, then a push from 0.5 s on: half a period later
        with open(self.path("m.yaml"), "w", encoding="utf-8") as file:
            file.write(OSCILLATOR.replace("outputs:", "  f: {type: force, body: b, force: "
                                          "[0, 0, \"if(time < 0.5, 0, 10)\"]}\noutputs:"))
        run = self.result("run", self.path("m.yaml"), "--at", "static", "--measure", "max(z)",
                          "--measure", "at(z, 0.4)")
        # tolerance 1e-9 of hht: the error at the end goes like its power 2/3
        self.assertAlmostEqual(run["measures"]["max(z)"], -SAG + 2 * 10 / 100, delta=1e-4)
        self.assertAlmostEqual(run["measures"]["at(z, 0.4)"], -SAG, delta=1e-9)

    def test_bad_words(self):
        run = call("run", "pendulum", "--at", "rest")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--at: 'rest' is neither start nor static", run.stderr)
        out = self.path("run.h5")
        call("run", "pendulum", "--end", "1", "--checkpoint-steps", "5", "--out", out)
        run = call("run", "--restart", out, "--at", "static", "--end", "2")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--at: a run that is resumed begins at its checkpoint", run.stderr)
