"""stress.py - hot spots of runs, as a user sees them."""

import json
import os
import resource
from xml.etree import ElementTree

from model_case import PENDULUM, Files
from program import call

BOX = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
9, 2, 0, 0
10, 2, 1, 0
11, 2, 0, 1
12, 2, 1, 1
*ELEMENT, TYPE=C3D8I, ELSET=ALL
1, 1, 2, 3, 4, 5, 6, 7, 8
2, 2, 9, 10, 3, 6, 11, 12, 7
*NSET, NSET=LEFT
1, 4, 5, 8
"""
MODEL = """trammel: 1
gravity: [0, 0, -9.81]
flexible:
  block:
    mesh: FOLDER/block.inp
    material: {E: 1e6, nu: 0.3, density: 1000}
    interfaces: {root: {nodes: LEFT, type: average}}
    modes: {fixed: 3}
    stress: {top: 3}
joints: {weld: {type: fixed, bodies: [ground, block.root], at: [0, 0.5, 0.5]}}
simulate: {end: 1, outputs: 50}
"""
# two of them, every number with its unit
TWINS = """trammel: 1
units: UNITS
gravity: [0, 0, -9.81 m/s^2]
flexible:
""" + "".join(f"""  {name}:
    mesh: FOLDER/block.inp
    length: m
    at: [0, {y} m, 0]
    material: {{E: 1e6 Pa, nu: 0.3, density: 1000 kg/m^3}}
    interfaces: {{root: {{nodes: LEFT, type: average}}}}
    modes: {{fixed: 3}}
""" for name, y in (("left", 0), ("right", 3))) + """joints:
  a: {type: fixed, bodies: [ground, left.root], at: [0, 0.5 m, 0.5 m]}
  b: {type: fixed, bodies: [ground, right.root], at: [0, 3.5 m, 0.5 m]}
simulate: {end: 0.5 s, outputs: 50}
"""


class Stress(Files):
    def setUp(self):
        super().setUp()
        self.write("block.inp", BOX)
        # run files keep the path of a mesh as it was written
        text = MODEL.replace("FOLDER", os.path.dirname(self.path("block.inp")))
        self.model = self.write("block.yaml", text)
        self.file = self.path("block.h5")
        self.result("run", self.model, "--out", self.file)

    def test_heat_counts(self):
        """A block that hangs on an average and is heated slowly expands freely: next to no stress,
        in all that reads the run. Without heat it would be that of the strain, 0.4 of `held`."""
        heated = MODEL.replace("density: 1000}", "density: 1000, expansion: 1e-3}").replace(
            "1e6", "1e9").replace(
            "    stress:", "    loads: {warm: {temperature: 100*time}}\n    stress:").replace(
            "-9.81", "0")
        heated = heated.replace("FOLDER", os.path.dirname(self.path("block.inp")))
        file = self.path("heated.h5")
        self.result("run", self.write("heated.yaml", heated), "--out", file)
        held = 1e9 * 1e-3 * 100 / 0.4
        found = json.loads(call("stress", file, "--json").stdout)["flexible"]["block"]
        self.assertTrue(all(spot["mises"] < 1e-2 * held for spot in found["hot_spots"]))
        table = self.path("heated.csv")
        call("export", file, "--out", table, "--stress", "--nodes", "block.node9")
        with open(table, encoding="utf-8") as lines:
            last = list(lines)[-1].split(",")
        self.assertTrue(all(abs(float(x)) < 1e-2 * held for x in last[1:]), last)
        page = call("report", file, "--out", self.path("heated.html"))
        if "built without the page" not in page.stderr:  # npm's registry was not there
            self.assertEqual(page.returncode, 0, page.stderr)

    def test_loads_at_interfaces_are_written(self):
        """A table, and cards with the same numbers; weight and support are in balance."""
        names = {form: self.path("loads." + form) for form in ("csv", "inp", "bdf")}
        # by radau: the residual of hht is what Newton's method leaves at 1e-5, some 1e-8
        self.result("run", self.model, "--integrator", "radau", "--out", self.file)
        for name in names.values():
            call("stress", self.file, "--quiet", "--loads", name, "--at", "1")
        with open(names["csv"], encoding="utf-8") as lines:
            head, last = [line.strip().split(",") for line in lines]
        row = dict(zip(head, map(float, last)))
        # 2000 kg in mean axes: the support carries mass times the acceleration of the centre
        self.assertLess(row["block.residual"], 1e-9)
        self.assertTrue(5e3 < row["block.root.force.z"] < 4e4, row)
        with open(names["inp"], encoding="utf-8") as lines:
            cards = [line.strip().split(", ") for line in lines if line.startswith("13, ")]
        forces = [float(c[2]) for c in cards if len(c) == 3]
        with open(names["inp"], encoding="utf-8") as lines:  # CalculiX reads 20 characters a field
            fields = [f for line in lines if line[:2] != "**" for f in line.strip().split(",")]
        self.assertLessEqual(max(len(f.strip()) for f in fields), 20)
        keys = [f"block.root.{kind}.{axis}" for kind in ("force", "moment") for axis in "xyz"]
        for given, key in zip(forces, keys):
            self.assertAlmostEqual(given, row[key], delta=1e-11 * 1e5)
        self.assertEqual(len(forces), 6)
        with open(names["bdf"], encoding="utf-8") as lines:
            text = lines.read()
        force = text[text.index("FORCE*"):].split("\n")[1].split(",")[1:]
        for given, key in zip(force, keys):
            self.assertAlmostEqual(float(given), row[key], delta=1e-8 * 1e5)

    def test_an_older_file_of_loads_stays_where_writing_fails(self):
        name = self.path("old.csv")
        with open(name, "w", encoding="utf-8") as old:
            old.write("old")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        run = call("stress", self.file, "--loads", name, preexec_fn=limit)
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("cannot write", run.stderr)
        with open(name, encoding="utf-8") as lines:
            self.assertEqual(lines.read(), "old")

    def test_mistakes_of_loads_are_refused(self):
        for name, more, sentence in (("loads.txt", (), "must end in .csv, .inp, .bdf, .nas or .dat"),
                                     ("loads.csv", ("--at", "1,x"), "--at needs up to 1000 times"),
                                     ("loads.csv", ("--at", "1,"), "--at needs up to 1000 times"),
                                     ("loads.csv", ("--at", "3"), "the run has samples from 0 to 1"),
                                     ("block.inp", (), "is a file that the model uses")):
            run = call("stress", self.file, "--loads", self.path(name), *more)
            self.assertEqual(run.returncode, 2)
            self.assertIn(sentence, run.stderr)
        run = call("stress", self.file, "--at", "1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--at: is for --loads", run.stderr)
        with open(self.path("block.inp"), encoding="utf-8") as lines:
            self.assertEqual(lines.read(), BOX)

    def cards(self, units, at):
        """Data lines of the load cases of two blocks, in a model with these units."""
        text = TWINS.replace("FOLDER", os.path.dirname(self.path("block.inp"))).replace("UNITS", units)
        file, table = self.path("twins.h5"), self.path("twins.inp")
        self.result("run", self.write("twins.yaml", text), "--out", file, "--tolerance", "1e-8")
        run = call("stress", file, "--quiet", "--loads", table, "--at", at)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(table, encoding="utf-8") as lines:
            return [line.strip().split(", ") for line in lines if not line.startswith("*")]

    def test_load_cases_are_in_the_units_of_the_mesh(self):
        """Whatever the units of the model are; nodes of all bodies come first, with different numbers."""
        plain, other = self.cards("SI", "0.5"), self.cards("lbf-kg-ms-cm", "500")
        self.assertEqual([card[0] for card in plain[:3]], ["13", "14", "13"])
        largest = max(abs(float(card[2])) for card in plain if len(card) == 3)
        self.assertGreater(largest, 1e3)
        for one, two in zip(plain, other, strict=True):
            self.assertEqual(one[:2] if len(one) < 4 else one[0], two[:2] if len(two) < 4 else two[0])
            if one[1] == "CENTRIF":
                self.assertAlmostEqual(float(one[2]), float(two[2]), delta=1e-4)
                continue   # the direction is that of rounding
            for a, b in zip(one[2:], two[2:]):
                self.assertAlmostEqual(float(a), float(b), delta=1e-3 * (largest if len(one) == 3 else 1.0))

    def test_hot_spots_are_listed(self):
        found = json.loads(call("stress", self.file, "--json").stdout)["flexible"]["block"]
        spots = found["hot_spots"]
        self.assertEqual(found["samples"], 51)
        self.assertTrue(1 <= len(spots) <= 3)
        self.assertTrue(all(a["mises"] >= b["mises"] for a, b in zip(spots, spots[1:])))
        # 2000 kg at 1 m bend a section of 1/6 m^3: 1.2e5 N/m^2 at rest, up to twice that in motion
        self.assertTrue(1e5 < spots[0]["mises"] < 3e5, spots[0])
        self.assertEqual(spots[0]["place"][0], 0)
        self.assertLess(found["bound"], 1e-4 * spots[0]["mises"])
        text = call("stress", self.file, "--top", "1").stdout
        self.assertIn(f"{spots[0]['node']:>10}", text)

    def test_modes_of_another_mesh_are_refused(self):
        self.write("block.inp", BOX.replace("12, 2, 1, 1", "12, 2.5, 1, 1"))
        self.assertIn("did its mesh change?", self.lines("stress", self.file)[0])
        self.write("block.inp", BOX)
        self.assertEqual(call("stress", self.file).returncode, 0)

    def test_bad_input_is_named(self):
        plain = self.write("pendulum.yaml", PENDULUM)
        self.result("run", plain, "--out", self.path("plain.h5"))
        self.assertIn("has no flexible bodies", self.lines("stress", self.path("plain.h5"))[0])
        self.result("run", "pendulum", "--out", self.path("built.h5"))
        self.assertIn("run of a built-in problem", self.lines("stress", self.path("built.h5"))[0])
        os.remove(self.path("block.inp"))
        self.assertIn("block.inp", self.lines("stress", self.file)[0])

    def test_stress_is_exported_for_paraview(self):
        import meshio  # tools/setup test installs it
        text = open(self.model).read().replace("{top: 3}", "{top: 3, nodes: all}")
        model = self.write("all.yaml", text)
        self.result("run", model, "--out", self.file, "--outputs", "4")
        out = self.path("e.pvd")
        self.assertEqual(call("export", self.file, "--out", out, "--stress").returncode, 0)
        listed = [(d.get("part"), d.get("file")) for d in ElementTree.parse(out).iter("DataSet")]
        self.assertEqual([part for part, _ in listed], ["0", "1"] * 5)
        table = self.path("e.csv")
        nodes = ",".join(f"block.node{k}" for k in range(1, 13))
        run = call("export", self.file, "--out", table, "--stress", "--nodes", nodes)
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = [[float(x) for x in line.split(",")] for line in open(table).readlines()[1:]]
        largest = [0] * 12
        for row, (_, name) in zip(rows, listed[1::2]):
            mesh = meshio.read(self.path(name))
            self.assertEqual({c.type: len(c.data) for c in mesh.cells}, {"hexahedron": 2})
            for point, number in enumerate(mesh.point_data["node"].ravel()):
                own = row[1 + 7 * (number - 1):8 + 7 * (number - 1)]
                size = 1e-6 * max(map(abs, own)) + 1e-9
                stress = mesh.point_data["stress"][point]
                for k, there in enumerate((0, 1, 2, 3, 5, 4)):  # VTK has yz before xz
                    self.assertAlmostEqual(stress[k], own[there], delta=size)
                self.assertAlmostEqual(mesh.point_data["mises"].ravel()[point], own[6], delta=size)
                largest[number - 1] = max(largest[number - 1], own[6])
            # the frame floats, but the weld holds the mean of the left face
            left = [k for k, number in enumerate(mesh.point_data["node"].ravel())
                    if number in (1, 4, 5, 8)]
            for k, x in enumerate((0, 0.5, 0.5)):
                self.assertAlmostEqual(sum(mesh.points[p][k] for p in left) / 4, x, delta=1e-6)
        maxima = meshio.read(self.path("e/e_block_max.vtu"))
        for point, number in enumerate(maxima.point_data["node"].ravel()):
            self.assertAlmostEqual(maxima.point_data["mises_max"].ravel()[point] / largest[number - 1], 1,
                                   delta=1e-5)  # single precision

    def test_cells_are_those_of_vtk(self):
        import meshio
        meshio._mesh.topological_dimension.setdefault("wedge15", 3)  # it forgets this one
        for element, word in (("C3D20", "hexahedron20"), ("C3D10", "tetra10"), ("C3D15", "wedge15"),
                              ("C3D4", "tetra"), ("C3D6", "wedge")):
            text = open(self.model).read().replace("{top: 3}", "{nodes: all}").replace(
                "mesh: " + self.path("block.inp"),
                f"box: {{size: [2, 1, 1], cells: [2, 1, 1], element: {element}}}")
            model = self.write("cells.yaml", text.replace("LEFT", "XMIN"))
            self.result("run", model, "--out", self.file, "--outputs", "1", "--end", "0.01")
            run = call("export", self.file, "--out", self.path("c.pvd"), "--stress")
            self.assertEqual(run.returncode, 0, run.stderr)
            mesh = meshio.read(self.path("c/c_block_max.vtu"))
            self.assertEqual([c.type for c in mesh.cells], [word])
            for cell in mesh.cells[0].data:  # middle nodes lie between corners, in VTK's order
                x = mesh.points[cell]
                if word == "hexahedron20":
                    pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4),
                             (1, 5), (2, 6), (3, 7)]
                elif word == "tetra10":
                    pairs = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
                elif word == "wedge15":
                    pairs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
                else:
                    pairs = []
                for k, (a, b) in enumerate(pairs):
                    middle = x[len(x) - len(pairs) + k]
                    self.assertLess(abs(middle - (x[a] + x[b]) / 2).max(), 1e-7, (word, k))

    def test_surfaces_are_triangles_unless_all_nodes_are_wanted(self):
        import meshio
        run = call("export", self.file, "--out", self.path("s.pvd"), "--stress", "--frames", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        mesh = meshio.read(self.path("s/s_block_000001.vtu"))
        self.assertEqual({c.type: len(c.data) for c in mesh.cells}, {"triangle": 20})

    def test_expressions_know_the_stress_of_nodes(self):
        text = open(self.model).read() + (
            "outputs: {s: block.node1.mises, xx: block.node1.xx, yz: block.node1.yz}\n")
        model = self.write("named.yaml", text)
        self.result("run", model, "--out", self.file, "--csv", self.path("n.csv"))
        call("export", self.file, "--out", self.path("e.csv"), "--stress", "--nodes", "block.node1")
        table = [line.split(",") for line in open(self.path("n.csv")).read().splitlines()]
        columns = {name: [float(row[k]) for row in table[1:]] for k, name in enumerate(table[0])}
        rows = [[float(x) for x in line.split(",")] for line in open(self.path("e.csv")).readlines()[1:]]
        top = max(row[7] for row in rows)
        for k, row in enumerate(rows):  # nine digits are written
            self.assertAlmostEqual(columns["s"][k], row[7], delta=1e-8 * top)
            self.assertAlmostEqual(columns["xx"][k], row[1], delta=1e-8 * top)
            self.assertAlmostEqual(columns["yz"][k], row[6], delta=1e-8 * top)
        for word in ("node99.mises", "node1.size", "node1.2.mises"):
            model = self.write("named.yaml", text.replace("node1.mises", word))
            self.assertIn(f"has no '{word}'", self.lines("check", model)[0])

    def test_bad_exports_of_stress_are_named(self):
        def line(*words):
            return self.lines("export", self.file, "--out", *words)[0]
        self.assertIn("no flexible body has stress at 'block.node99'",
                      line(self.path("x.csv"), "--stress", "--nodes", "block.node1,block.node99"))
        self.assertFalse(os.path.exists(self.path("x.csv")))
        self.assertIn("for a list of nodes", line(self.path("x.csv"), "--stress"))
        self.assertIn("as .pvd, or as .csv", line(self.path("x.mat"), "--stress"))
        self.assertIn("needs --stress", line(self.path("x.csv"), "--nodes", "block.node1"))
        self.write("block.inp", BOX.replace("12, 2, 1, 1", "12, 2.5, 1, 1"))
        self.assertIn("did its mesh change?", line(self.path("x.pvd"), "--stress"))
