"""language.py - what model files and expressions say to a new user."""

from program import Case, call

TYPED = """trammel: 1
equations:
  coordinates: {x: 0, y: 0}
  mass: {x: 1, y: 1}
  forces: {x: %s}
outputs: {o: x}
simulate: {end: 1, tolerance: 1e-10}
"""

PLACES = """trammel: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], markers: {pin: {at: [0.1, 0, 0.2]}}}
  bob: {type: point, mass: 1, at: [0.3, 0, 0]}
beams: {strip: {points: [[0.1, 0, 0.2], [0.4, 0, 0.2]], elements: 1, E: 1e9, G: 4e8, density: 1e3, section: {rectangle: [0.01, 0.02]}}}
flexible:
  rod:
    at: [0.1, 0, 0]
    box: {size: [0.1, 0.01, 0.01], cells: [2, 1, 1]}
    material: {E: 1e9, nu: 0.3, density: 1000}
    interfaces: {big: {nodes: XMIN}, small: {nodes: XMAX}}
    modes: {fixed: 0, inertia: false}
simulate: {end: 0.01}
"""


class Files(Case):
    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)


class Language(Files):
    def complaint(self, text, *words):
        run = call("check", self.write("m.yaml", text), *words)
        self.assertEqual(run.returncode, 2, run.stdout)
        return run.stderr.splitlines()[0]

    def test_rounding_functions_in_numbers(self):
        model = self.write("m.yaml", TYPED % "0")
        for text, value in (("floor(2.7)", 2), ("floor(-2.1)", -3), ("ceil(2.1)", 3),
                            ("ceil(-2.9)", -2), ("round(2.5)", 3), ("round(-2.5)", -2),
                            ("mod(7, 3)", 1), ("mod(-1, 3)", 2), ("mod(1, -3)", -2)):
            out = self.result("run", model, "--set", f"outputs.v={text}", "--end", "0.1")
            self.assertEqual(out["outputs"]["v"], value, text)

    def test_jumps_of_rounding_functions_are_events(self):
        # a force that rises from zero in each quarter of a second: speed 4 * 0.25^2/2
        out = self.result("run", self.write("m.yaml", TYPED % '"mod(time, 0.25)"'))
        self.assertAlmostEqual(out["velocities"]["vx"], 0.125, delta=1e-9)
        # stairs 0, 1, 2, 3: speed (0 + 1 + 2 + 3)/4, in as few steps as a constant would take
        out = self.result("run", self.write("m.yaml", TYPED % "floor(4*time)"))
        self.assertAlmostEqual(out["velocities"]["vx"], 1.5, delta=1e-9)
        self.assertLess(out["rejected_error"], 20)
        # of a coordinate: it falls with 1 to -1 in a second, then with 2 until 1.5 s
        out = self.result("run", self.write("m.yaml", TYPED % '"floor(x)"'), "--end", "1.5", "--set",
                          "equations.coordinates.x=-0.5")
        self.assertAlmostEqual(out["coordinates"]["x"], -1 - 0.5 - 0.5 ** 2, delta=1e-8)

    def test_if_of_adams(self):
        out = self.result("run", self.write("m.yaml", TYPED % '"IF(time - 0.5: 1, 7, 3)"'))
        self.assertAlmostEqual(out["velocities"]["vx"], 2, delta=1e-9)
        for x, value in (("-2", 5), ("0", 6), ("0.1", 7)):
            out = self.result("run", self.write("m.yaml", TYPED % "0"), "--set",
                              f"outputs.v=if({x}: 5, 6, 7)", "--end", "0.1")
            self.assertEqual(out["outputs"]["v"], value)
        self.assertIn("needs three values after the ':', not 2",
                      self.complaint(TYPED % '"IF(time: 1, 2)"'))
        self.assertIn("':' is allowed only in IF(x: a, b, c)", self.complaint(TYPED % '"(3): 4"'))

    def test_ends_with_a_place_of_their_own_need_no_other(self):
        joint, mount = "joints: {j: {type: revolute, axis: [0, 0, 1]", "forces: {j: {type: bushing, stiffness: [9, 1]"
        for kind, bodies, place in ((joint, "[crank, rod.big]", "[0.1, 0.005, 0.005]"),
                                    (joint, "[rod.big, crank]", "[0.1, 0.005, 0.005]"),
                                    (mount, "[crank, rod.small]", "[0.2, 0.005, 0.005]"),
                                    (joint, "[crank.pin, strip.first]", "[0.1, 0, 0.2]"),
                                    (joint, "[crank, strip.last]", "[0.4, 0, 0.2]"),
                                    (mount, "[ground, crank.pin]", "[0.1, 0, 0.2]"),
                                    (joint.replace("revolute, axis: [0, 0, 1]", "spherical"),
                                     "[crank, bob]", "[0.3, 0, 0]")):
            runs = [self.result("run", self.write("m.yaml", f"{PLACES}{kind}, bodies: {bodies}{at}}}}}\n"))
                    for at in ("", f", at: {place}")]
            for key in "coordinates", "velocities", "multipliers":
                for name, value in runs[0][key].items():  # the mean of nodes rounds
                    self.assertAlmostEqual(value, runs[1][key][name], delta=1e-9, msg=(bodies, name))
        self.assertIn("the two ends of joint 'j' are 0.195 apart: the point 'at' is needed",
                      self.complaint(f"{PLACES}{joint}, bodies: [crank.pin, rod.big]}}}}\n"))
        self.assertIn("joint 'j': with bodies the point 'at' is needed",
                      self.complaint(f"{PLACES}{joint}, bodies: [ground, crank]}}}}\n"))

    def test_typed_energies_are_energies(self):
        head = ("trammel: 1\nparameters: {m: 2 kg, l: 0.8 m, g: 9.81 m/s^2, k: 3 N/m, bare: 2}\n"
                "equations: {coordinates: {phi: 60 deg, x: 1 m}, mass: {x: 1, phi: 1}, ")
        says = "the value has the dimension"
        for energies, dimension in (
                ("kinetic: 0.5*m*l*phi'^2", "kg*m/s^2, not N*m"),
                ("kinetic: 1/2*m*phi'^2*l^2 + m*x'/2*l/2", None),
                ("kinetic: m*x'^2/2 + m*x'", None),
                ("potential: -m*g*cos(phi)", "kg*m/s^2, not N*m"),
                ("potential: k*x/2", "N, not N*m")):
            line = self.complaint(head + energies + "}\nsimulate: {end: 1}\n")
            self.assertIn(f"{says} {dimension}" if dimension else "joins", line)
        for good in ("kinetic: 0.5*m*l^2*phi'^2, potential: -m*g*l*cos(phi) + k*x^2/2", "kinetic: 0.5*x'^2",
                     "kinetic: bare*phi'^2/2, potential: -2*9.81*l*cos(phi)", "potential: 0.5*9.81*m*x"):
            self.result("check", self.write("e.yaml", head + good + "}\nsimulate: {end: 1}\n"))

    def test_t_is_the_time(self):
        self.assertIn("'t' is not known; did you mean 'time'?", self.complaint(TYPED % "sin(t)"))

    def test_a_list_that_commas_have_cut(self):
        text = ("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                "forces: {f: {type: force, body: b, force: [0, STEP(time,0,0,1,1), 0]}}\n")
        self.assertRegex(self.complaint(text), r":3:47: forces.f.force: a comma inside \[\.\.\] ends "
                         r"a value: put the expression that begins with 'STEP\(time' in quotes")

    def test_known_keys_are_listed_all(self):
        line = self.complaint(TYPED % "0", "--set", "simulate.qqqq=3")
        self.assertIn("no value 'simulate.qqqq'", line)
        line = self.complaint((TYPED % "0").replace("end: 1", "end: 1, qqqq: 2"))
        self.assertIn("known are start, end, tolerance", line)
        self.assertTrue(line.endswith("max_steps"), line)

    def test_nothing_is_suggested_where_nothing_is_near(self):
        for words, says in ((("qqqq",), "unknown command 'qqqq'; 'trammel help' lists them"),
                            (("run", "pendulum", "--qqqq"), "unknown option '--qqqq'; --help lists"),
                            (("run", "qqqq"), "no built-in model 'qqqq'; 'trammel models' lists")):
            run = call(*words)
            self.assertEqual(run.returncode, 2)
            self.assertIn(says, run.stderr)
            self.assertNotIn("nearest", run.stderr)

    def test_disabled_parts_are_not_there(self):
        text = ("trammel: 1\ngravity: [0, 0, -10]\n"
                "bodies: {b: {mass: 2, inertia: [1, 1, 1]}, c: {enabled: false}}\n"
                "joints: {j: {type: fixed, bodies: [ground, b], at: [0, 0, 0], enabled: true}}\n"
                "outputs: {z: b.vz}\nsimulate: {end: 1}\n")
        model = self.write("m.yaml", text)
        self.assertEqual(self.result("check", model)["freedoms"], 0)
        out = self.result("run", model, "--set", "joints.j.enabled=false")
        self.assertAlmostEqual(out["outputs"]["z"], -10, delta=1e-9)
        self.assertIn("'maybe' is not a word for joints.j.enabled",
                      self.complaint(text.replace("enabled: true", "enabled: maybe")))

    def test_values_of_an_included_file_can_be_replaced(self):
        self.write("base.yaml", TYPED % "k*x" + "parameters: {k: 1, c: 2}\n")
        main = self.write("main.yaml", "trammel: 1\ninclude: base.yaml\nparameters: {k: 3}\n"
                          "outputs: {p: k + c}\nsimulate: {end: 0.5}\n")
        out = self.result("run", main)
        self.assertEqual((out["outputs"]["p"], out["outputs"]["o"], out["time"]), (5, 0, 0.5))
        self.write("other.yaml", "parameters: {k: 4}\n")
        run = call("check", self.write("two.yaml", "trammel: 1\ninclude: [base.yaml, other.yaml]\n"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("'k' is already in", run.stderr)

    def test_set_makes_outputs_and_measures(self):
        out = self.result("run", self.write("m.yaml", TYPED % "2"), "--set", "outputs.speed=x'",
                          "--set", "measures.top=max(speed)")
        self.assertAlmostEqual(out["outputs"]["speed"], 2, delta=1e-9)
        self.assertAlmostEqual(out["measures"]["top"], 2, delta=1e-9)
        model = self.write("n.yaml", (TYPED % "2").replace("outputs: {o: x}\n", ""))
        self.assertEqual(list(self.result("run", model, "--set", "outputs.v=y")["outputs"]), ["v"])

    def test_equations_and_tables_are_repeated(self):
        model = self.write("m.yaml", """trammel: 1
parameters: {n: 3}
repeat:
  row:
    count: n
    tables: {f<i>: {x: [0, 1], y: [<i>, <i>], interpolation: linear}}
    equations:
      coordinates: {x<i>: 0}
      mass: {x<i>: 1}
      forces: {x<i>: f<i>(time)}
      events: {hit<i>: {when: x<i> - 1, do: silent}}
    outputs: {v<i>: "x<i>'"}
simulate: {end: 1}
""")
        out = self.result("run", model)
        for i in (1, 2, 3):
            self.assertAlmostEqual(out["outputs"][f"v{i}"], i, delta=1e-9)
        self.assertIn("equations.potential is a single value: only names can be repeated",
                      self.complaint("trammel: 1\nrepeat: {r: {count: 2, equations: {potential: 1}}}"
                                     "\nequations: {coordinates: {x: 0}, mass: {x: 1}}\n"))


MOUNT = """trammel: 1
units: N-kg-ms-mm
gravity: [0, 0, -0.00981]
bodies: {b: {mass: 2, inertia: [1, 2, 3]}, c: {mass: 1, inertia: [1, 1, 1], at: [10, 5, 0]}}
joints: {w: {type: fixed, bodies: [b, c]}}
forces: {m: {type: bushing, bodies: [ground, b], at: [0, 0, 0], stiffness: STIFFNESS, damping: DAMPING}}
outputs: {v: b.vz, f: m.force.z, d: b.z, ratio: b.z/c.x, e: m.force.z*b.z, power: p}
equations: {variables: {p: m.force.z*b.vz}}
simulate: {end: 10}
"""


class Units(Files):
    def mount(self, stiffness, damping):
        return self.write("m.yaml", MOUNT.replace("STIFFNESS", stiffness).replace("DAMPING", damping))

    def test_times_of_options_have_units(self):
        model = self.mount("5", "0.1")
        plain = self.result("run", model, "--end", "2", "--step", "0.5,0.25")
        named = self.result("run", model, "--end", "2 ms", "--step", "500 us,250 us")
        for key in ("time", "steps", "coordinates", "velocities"):
            self.assertEqual(plain[key], named[key], key)
        self.assertEqual(self.result("run", model, "--end", "0.002 s")["time"], 2)
        self.assertEqual(self.result("run", "pendulum", "--end", "500 ms")["time"], 0.5)

    def test_units_that_do_not_fit(self):
        for words, says in ((("--end", "5 m"), r"--end: '5 m' is not a number of s"),
                            (("--end", "5 qq"), r"'5 qq' is not a finite decimal number, or one with"),
                            (("--step", "1 ms,0.002"), r"some of its numbers have a unit"),
                            (("--tolerance", "1 s"), r"'1 s' is not a finite decimal number")):
            self.fails(2, says, "run", "pendulum", *words)

    def test_a_mass_times_an_acceleration_is_not_always_a_force(self):
        head = ("trammel: 1\nunits: UNITS\nparameters: {f: 100 N, rho: 2 kg/m, v: 3 m/s, c: \"TERM\"}\n"
                "bodies: {b: {mass: 1 kg, inertia: [1, 1, 1]}}\nsimulate: {end: 1 ms}\n")
        spring = ("forces: {s: {type: spring, bodies: [ground, b], points: [[0, 0, 1], [0, 0, 0]], "
                  "stiffness: 3 N/m, preload: rho*v^2}}\n")
        cases = (("f - rho*v^2", "", r"'-' joins a force and a mass times .* is 1000 forces"),
                 ("max(f, rho*v^2)", "", r"'max' joins a force and a mass"),
                 ("if(f > rho*v^2, 1, 2)", "", r"'>' compares a force and a mass"),
                 ("f", spring, r"has the dimension kg\*m/s\^2, not N, and in the units"))
        for term, more, says in cases:
            text = head.replace("TERM", term) + more
            self.result("check", self.write("si.yaml", text.replace("UNITS", "SI")))
            run = call("check", self.write("mm.yaml", text.replace("UNITS", "N-kg-ms-mm")))
            self.assertEqual(run.returncode, 2)
            self.assertRegex(run.stderr, says)

    def test_outputs_and_variables_have_units(self):
        call("run", self.mount("5", "0.1"), "--end", "1", "--outputs", "3", "--quiet", "--out",
             self.path("m.h5"))
        signals = self.result("plot", self.path("m.h5"))["runs"][0]["signals"]
        units = {signal["name"]: signal["unit"] for signal in signals}
        self.assertEqual([units[name] for name in ("v", "f", "d", "ratio", "e", "p")],
                         ["mm/ms", "N", "mm", "", "N mm", "N mm/ms"])

    def test_units_in_json(self):
        model = self.mount("5", "0.1")
        run = self.result("run", model, "--measure", "top=max(v)", "--measure", "when=crossing(v, -1)",
                          "--measure", "rms(b.vz)", "--measure", "final(b.q0)")
        for out in run, self.result("static", self.mount("[5, 70]", "[0.1, 3]")):
            units = out["units"]
            self.assertEqual((units["length"], units["time"], units["energy"]), ("mm", "ms", "N mm"))
            self.assertEqual(units["outputs"], {"v": "mm/ms", "f": "N", "d": "mm", "ratio": "",
                                                "e": "N mm", "power": "N mm/ms"})
            self.assertEqual(units["variables"], {"p": "N mm/ms"})
        self.assertEqual(run["units"]["measures"], {"top": "mm/ms", "when": "ms", "rms(b.vz)": "mm/ms",
                                                    "final(b.q0)": ""})
        text = call("run", model, "--measure", "max(f)").stdout
        self.assertRegex(text, r"(?m)^  outputs +v +\S+ mm/ms$")
        self.assertRegex(text, r"(?m)^  measures +max\(f\) +\S+ N$")

    def test_an_isotropic_bushing_takes_one_number(self):
        for short, long in ((("5", "0.1"), ("[5, 5, 5, 0, 0, 0]", "[0.1, 0.1, 0.1, 0, 0, 0]")),
                            (("[5, 70]", "[0.1, 3]"),
                             ("[5, 5, 5, 70, 70, 70]", "[0.1, 0.1, 0.1, 3, 3, 3]"))):
            runs = [self.result("run", self.mount(*values)) for values in (short, long)]
            for key in ("steps", "coordinates", "velocities", "outputs"):
                self.assertEqual(runs[0][key], runs[1][key])

    def test_fixed_and_orientation_need_no_place(self):
        model = self.mount("[5, 70]", "[0.1, 3]")
        free = self.result("run", model)
        placed = self.result("run", self.write("p.yaml", open(model).read().replace(
            "bodies: [b, c]}", "bodies: [b, c], at: [10, 5, 0]}")))
        self.assertEqual(free["coordinates"], placed["coordinates"])
        self.assertEqual(self.result("check", model, "--set", "joints.w.type=orientation")["rank"], 3)
