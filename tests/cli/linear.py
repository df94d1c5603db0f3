"""linear.py - results of `linear`, `diff` and `static --sweep`."""

import cmath
import math
import xml.etree.ElementTree as ElementTree

from program import Case, call

LINEAR_KEYS = ["trammel", "model", "status", "analysis", "time", "states", "inputs", "outputs",
               "A", "B", "C", "D", "poles", "zeros", "units"]
SVG = "{http://www.w3.org/2000/svg}"

QUARTER = """trammel: 1
name: quarter car
parameters: {P: 0, ks: 16000}
inputs: {road: 0}
equations:
  coordinates: {body: 0, wheel: 0}
  mass: {body: 250, wheel: 40}
  potential: 0.5*ks*(body - wheel)^2
  forces: {body: "-1000*(body' - wheel') - P", wheel: "1000*(body' - wheel') + 160000*(road - wheel)"}
outputs: {ride: body, travel: body - wheel}
simulate: {end: 1}
"""


def ride(hertz):
    s = 2j * math.pi * hertz
    b = 1000 * s + 16000
    return 160000 * b / ((250 * s * s + b) * (40 * s * s + b + 160000) - b * b)


class Models(Case):
    def quarter(self, text=QUARTER):
        with open(self.path("q.yaml"), "w") as file:
            file.write(text)
        return self.path("q.yaml")


class Linear(Models):
    def test_object(self):
        out = self.result("linear", self.quarter())
        self.assertEqual(list(out), LINEAR_KEYS)
        self.assertEqual(out["states"], ["body", "wheel", "vbody", "vwheel"])
        self.assertEqual((out["inputs"], out["outputs"]), (["road"], ["ride", "travel"]))
        self.assertEqual(out["A"][2], [-64, 64, -4, 4])
        self.assertEqual([len(out[key]) for key in "ABCD"], [4, 4, 2, 2])
        self.assertEqual(len(out["poles"]), 4)
        self.assertAlmostEqual(out["zeros"]["ride"]["road"][0][0], -16, delta=1e-9)

    def test_frequency_response_is_that_of_the_closed_form(self):
        out = self.result("linear", self.quarter(), "--frequencies", "0.1..100,31")
        hertz, values = out["response"]["frequency_hz"], out["response"]["outputs"]["ride"]["road"]
        self.assertEqual((len(hertz), len(values)), (31, 31))
        self.assertEqual(hertz[0], 0.1)
        self.assertAlmostEqual(hertz[10] / hertz[0], 10, delta=1e-12)
        for f, (re_, im) in zip(hertz, values):
            self.assertLess(abs(complex(re_, im) - ride(f)), 1e-9 * abs(ride(f)))

    def test_times_in_other_units(self):
        scaled = QUARTER.replace("inputs:", "units: {length: m, mass: kg, time: ms, force: N}\n"
                                 "inputs:")
        out = self.result("linear", self.quarter(scaled), "--frequencies", "1..10,2")
        self.assertEqual(out["response"]["frequency_hz"], [1, 10])

    def test_bode_plot_is_read_back(self):
        path = self.path("bode.svg")
        run = call("linear", self.quarter(), "--frequencies", "0.1..100,301", "--out", path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        root = ElementTree.parse(path).getroot()
        texts = [text.text for text in root.iter(SVG + "text")]
        for text in ("quarter car", "ride / road", "travel / road", "magnitude", "phase [deg]",
                     "frequency [Hz]"):
            self.assertIn(text, texts)
        curves = {}
        for group in root.iter(SVG + "g"):
            if group.get("class") == "series":
                points = [tuple(map(float, pair.split(","))) for line in group
                          for pair in line.get("points").split()]
                curves.setdefault(group.get("data-name"), []).append(points)
        size, phase = curves["ride / road"]
        for points, value in ((size, lambda f: math.log10(abs(ride(f)))),
                              (phase, lambda f: self.unwrapped(f))):
            self.assertEqual(len(points), 301)
            wanted = [value(0.1 * 1000 ** (k / 300)) for k in range(301)]
            # a linear map of logarithms, written with two decimals
            left, right = points[0][0], points[-1][0]
            top, low = min(p[1] for p in points), max(p[1] for p in points)
            for k, (x, y) in enumerate(points):
                self.assertAlmostEqual(x, left + (right - left) * k / 300, delta=0.011)
                part = (wanted[k] - min(wanted)) / (max(wanted) - min(wanted))
                self.assertAlmostEqual(y, low + (top - low) * part, delta=0.021)

    def test_a_bode_plot_has_one_axis_for_each_unit(self):
        text = QUARTER.replace("inputs: {road: 0}", "inputs: {road: 0 mm, push: 0 N}").replace(
            "- P\"", "- P + push\"").replace("{body: 0, wheel: 0}", "{body: 0 m, wheel: 0 m}")
        out = self.result("linear", self.quarter(text))["units"]
        self.assertEqual((out["inputs"], out["outputs"]),
                         ({"road": "m", "push": "N"}, {"ride": "m", "travel": "m"}))
        path = self.path("bode.svg")
        run = call("linear", self.quarter(text), "--out", path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        texts = [item.text for item in ElementTree.parse(path).getroot().iter(SVG + "text")]
        self.assertEqual([t for t in texts if t is not None and t.startswith("magnitude")],
                         ["magnitude", "magnitude [m/N]"])

    @staticmethod
    def unwrapped(f):
        angle = cmath.phase(ride(f))
        return angle - 2 * math.pi if angle > 1 else angle

    def test_about_a_state(self):
        rest = self.result("linear", "pendulum", "--at", "static")
        start = self.result("linear", "pendulum")
        self.assertEqual((rest["inputs"], rest["B"]), ([], [[], []]))
        self.assertNotEqual(rest["A"], start["A"])
        self.assertEqual(self.result("linear", "pendulum", "--at", "0.5")["time"], 0.5)

    def test_outputs_that_bend_within_micrometres(self):
        model = self.quarter("trammel: 1\ninputs: {V: 1e-6}\nequations:\n"
                             "  coordinates: {x: {value: 0, kind: length}}\n  mass: {x: 1e-9}\n"
                             "  forces: {x: -1e-3*x + 1e-9*V}\n"
                             "outputs: {capacity: 1e-12/(2e-6 - x), bent: tanh(V/1e-6), way: x, "
                             "root: sqrt(1e-8 - x)}\n")
        out = self.result("linear", model)
        self.assertAlmostEqual(out["C"][0][0], 0.25, delta=1e-9)
        self.assertEqual(out["C"][2][0], 1)
        self.assertAlmostEqual(out["C"][3][0], -5000, delta=1e-3)
        self.assertAlmostEqual(out["D"][1][0], 1e6 / math.cosh(1) ** 2, delta=1e-3)

    def test_text(self):
        run = call("linear", self.quarter())
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"^quarter car: 4 states, 1 input, 2 outputs at t = 0 s\n")
        self.assertRegex(run.stdout, r"(?m)^  poles \[1/s\]\n    -1.67638458 \+- 7.5144104i +1.2253")
        self.assertRegex(run.stdout, r"(?m)^  zeros of ride / road\n    -16 *$")

    def test_faults(self):
        for words, pattern in ((("--frequencies", "1,2"), r"'1,2' is not a range such as 0.1..100,200: from, "
                                r"to and how many"),
                               (("--frequencies", "0..2,3"), r"not from 0 to 2"),
                               (("--frequencies", "1..2,0.5"), r"0.5 is not a whole number"),
                               (("--at", "there"), r"neither start, static nor a time"),
                               (("--out", "x.txt"), r"\.svg")):
            self.fails(2, pattern, "linear", "pendulum", *words)
        self.fails(2, r"needs 'inputs' and 'outputs'; the model has 0 and 0", "linear", "pendulum",
                   "--out", "x.svg")


class Sweep(Models):
    def test_each_row_is_the_equilibrium_of_its_load(self):
        out = self.result("static", self.quarter(), "--sweep", "P=0..400,40")
        self.assertEqual((out["analysis"], out["sweep"], len(out["rows"])), ("static", "P", 41))
        for k, row in enumerate(out["rows"]):
            self.assertEqual(row["value"], 10 * k)
            # the spring and the tyre carry P
            self.assertAlmostEqual(row["outputs"]["travel"], -10 * k / 16000, delta=1e-15)
            self.assertAlmostEqual(row["coordinates"]["wheel"], -10 * k / 160000, delta=1e-15)

    def test_a_parameter_of_a_force_is_swept(self):
        for start in ("0 N", "1 N"):  # a force of zero leaves terms out, which come back
            model = self.quarter("trammel: 1\nparameters: {P: %s}\n"
                                 "bodies: {m: {type: point, mass: 1}}\n"
                                 "joints: {g: {type: point_on_line, bodies: [ground, m], "
                                 "at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                                 "forces: {s: {type: joint, joint: g, stiffness: 100}, "
                                 "load: {type: force, body: m, force: [0, 0, -P]}}\n"
                                 "outputs: {z: m.z}\n" % start)
            for row in self.result("static", model, "--sweep", "P=0..20,4")["rows"]:
                self.assertAlmostEqual(row["outputs"]["z"], -row["value"] / 100, delta=1e-12)

    def test_inputs_and_discrete_values_are_swept(self):
        model = self.quarter("trammel: 1\nparameters: {P: 1}\ninputs: {pull: 1, push: 2*P}\n"
                             "equations:\n  coordinates: {x: 0}\n  mass: {x: 1}\n"
                             "  discrete: {d: 3, e: P}\n"
                             "  forces: {x: pull + 10*push + 100*d + 1000*e - x}\n"
                             "outputs: {x: x}\n")
        for name, wanted in (("inputs.pull.value", lambda v: v + 1320),
                             ("equations.discrete.d", lambda v: 1021 + 100 * v),
                             ("P", lambda v: 301 + 1020 * v)):
            for row in self.result("static", model, "--sweep", name + "=0..4,4")["rows"]:
                self.assertAlmostEqual(row["outputs"]["x"], wanted(row["value"]), delta=1e-9,
                                       msg=name)

    def test_ends_with_units(self):
        model = self.quarter("trammel: 1\nunits: {length: mm, force: kN}\ngravity: [0, 0, 0]\n"
                             "parameters: {P: 0 N, Q: 0, w: 1 Hz}\nbodies: {m: {type: point, mass: 1}}\n"
                             "joints: {g: {type: point_on_line, bodies: [ground, m], "
                             "at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                             "forces: {j: {type: joint, joint: g, stiffness: 100 N/m}, "
                             "load: {type: force, body: m, force: [0, 0, \"-P - Q*(w/(1 Hz))\"]}}\n"
                             "outputs: {z: m.z}\n")
        rows = self.result("static", model, "--sweep", "P=0 N..20 N,4")["rows"]
        self.assertEqual([row["value"] for row in rows], [0, 0.005, 0.01, 0.015, 0.02])  # kN
        self.assertAlmostEqual(rows[-1]["outputs"]["z"], -200, delta=1e-9)  # mm
        for words in ("P=0..0.02,4", "P=0 N..0.02,4", "P= 0 N .. 2e-2 kN , 4", "Q=0 N..20 N,4"):
            self.assertEqual(self.result("static", model, "--sweep", words)["rows"], rows)
        self.assertEqual(self.result("static", model, "--sweep", "w=1 Hz..60 rad/s,1")["rows"][1]["value"], 60)
        for words, sentence in (("P=0 N..20 mm,4", "--sweep: '20 mm' is not a number of N"),
                                ("Q=0 N..20 mm,4", "--sweep: '20 mm' is not a number of N"),
                                ("w=0 N..2 Hz,4", "--sweep: '0 N' is not a number of 1/s"),
                                ("P=0 Nn..2 N,4", "'0 Nn' is not a finite decimal number, or one with a unit "
                                                  "such as N"),
                                ("P=0 N..2 N,4 N", "is not a range such as 0..400,40 or 0 N..400 N,40")):
            run = call("static", model, "--sweep", words)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(sentence, run.stderr)

    def test_it_follows_the_branch_it_is_on(self):
        # x (x^2 - 1) = P: from the right branch down to the fold at -2/sqrt(27), then to the left
        model = self.quarter("trammel: 1\nparameters: {P: 0}\nequations:\n"
                             "  coordinates: {x: {value: 1}}\n  mass: {x: 1}\n"
                             "  forces: {x: \"P - x*(x^2 - 1)\"}\noutputs: {x: x}\n")
        rows = self.result("static", model, "--sweep", "P=0..-0.38,19")["rows"]
        self.assertTrue(all(row["outputs"]["x"] > 0.57 for row in rows))
        rows = self.result("static", model, "--sweep", "P=0..-0.6,30")["rows"]
        self.assertLess(rows[-1]["outputs"]["x"], -1.2)
        for row in rows:
            x = row["outputs"]["x"]
            self.assertAlmostEqual(x * (x * x - 1), row["value"], delta=1e-9)

    def test_text_and_faults(self):
        model = self.quarter()
        run = call("static", model, "--sweep", "P=0..400,2")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        lines = run.stdout.splitlines()
        self.assertRegex(lines[1], r"^ +P +ride +travel  unstable$")
        self.assertEqual([line.split()[0] for line in lines[2:]], ["0", "200", "400"])
        for sweep, words in (("P", "is not of the form P=V1..V2,N"),
                             ("Q=0..1,2", "no value 'Q'"), ("P=0..1", "is not a range")):
            run = call("static", model, "--sweep", sweep)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(words, run.stderr)


class Diff(Models):
    def test_largest_differences_and_their_times(self):
        model = self.quarter()
        for name, more in (("a", ()), ("b", ("--set", "ks=17000"))):
            run = call("run", model, "--set", "P=100", "--out", self.path(name + ".h5"), "--csv",
                       self.path(name + ".csv"), "--outputs", "50", "--quiet", *more)
            self.assertEqual(run.returncode, 0, run.stderr)
        header, a = self.read_table(self.path("a.csv"))
        _, b = self.read_table(self.path("b.csv"))
        out = self.result("diff", self.path("a.h5"), self.path("b.h5"))
        self.assertEqual((out["times"], out["only_in_first"], out["only_in_second"]), (51, 0, 0))
        for name in ("body", "travel", "kinetic"):
            k = header.index(name)
            largest = max(abs(x[k] - y[k]) for x, y in zip(a, b))
            when = max(zip(a, b), key=lambda pair: abs(pair[0][k] - pair[1][k]))[0][0]
            self.assertEqual(out["signals"][name]["difference"], largest)
            self.assertEqual(out["signals"][name]["time"], when)
        run = call("diff", self.path("a.h5"), self.path("b.h5"))
        self.assertRegex(run.stdout, r"common signals at 51 common times of 51 and 51\n")
        same = self.result("diff", self.path("a.h5"), self.path("a.h5"))
        self.assertEqual({entry["difference"] for entry in same["signals"].values()}, {0})

    def test_faults(self):
        self.fails(2, r"two run files are compared", "diff", "a.h5")
        self.fails(4, r"none.h5", "diff", "none.h5", "other.h5")
        model = self.quarter()
        for name, end, samples in (("a", "1", "7"), ("b", "2", "13")):
            call("run", model, "--end", end, "--outputs", samples, "--out",
                 self.path(name + ".h5"), "--quiet")
        out = self.result("diff", self.path("a.h5"), self.path("b.h5"))
        self.assertEqual(out["times"], 1)  # the start
