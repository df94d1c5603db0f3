#!/usr/bin/env python3
"""test_foreign.py PROGRAM - files that other programs read: load cases run by CalculiX, exports
read by VTK. `tools/setup long` installs both; where one is missing its test says so and fails."""

import math
import os
import shutil
import subprocess
import sys
import unittest
from xml.etree import ElementTree

import program
from model_case import Files
from program import call

CELLS = (6, 2, 2)
SIZE = (0.6, 0.06, 0.04)
MATERIAL = {"E": 7e10, "nu": 0.33, "density": 2700}
# corners and middles of an element of C3D20, in halves of a cell
ORDER = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2),
         (1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
         (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
# an arm that turns about its root and carries a mass at its tip
MODEL = """trammel: 1
gravity: [0, 0, -9.81]
bodies: {tip: {mass: 2, inertia: [0.01, 0.01, 0.01], at: [0.65, 0.03, 0.02]}}
flexible:
  arm:
    mesh: FOLDER/arm.inp
    material: {E: 7e10, nu: 0.33, density: 2700}
    interfaces:
      root: {nodes: ROOT, type: rigid}
      end: {nodes: END, type: rigid}
    modes: {fixed: 12, inertia: exact}
    damping: 0.3
    stress: {nodes: all}
    angular_velocity: [0, 0, 60]
    velocity: [1.8, 0, 0]
joints:
  hinge: {type: revolute, bodies: [ground, arm.root], at: [0, 0.03, 0.02], axis: [0, 0, 1]}
  hold: {type: fixed, bodies: [arm.end, tip], at: [0.6, 0.03, 0.02]}
motions: {drive: {joint: hinge, position: 60*time}}
# vibrations, whose inertia is not in the load case, have died out at the end
simulate: {end: 1, outputs: 5, integrator: radau, tolerance: 1e-9}
"""


def arm():
    """Nodes by number and elements of a box of C3D20."""
    numbers, nodes, elements = {}, {}, []
    for x in range(CELLS[0]):
        for y in range(CELLS[1]):
            for z in range(CELLS[2]):
                element = []
                for step in ORDER:
                    key = (2 * x + step[0], 2 * y + step[1], 2 * z + step[2])
                    number = numbers.setdefault(key, len(numbers) + 1)
                    nodes[number] = tuple(SIZE[k] * key[k] / (2 * CELLS[k]) for k in range(3))
                    element.append(number)
                elements.append(element)
    return nodes, elements


def wrapped(words, count=12):
    rows = [", ".join(map(str, words[i:i + count])) for i in range(0, len(words), count)]
    return ",\n".join(rows) + "\n"


class Foreign(Files):
    def setUp(self):
        super().setUp()
        self.nodes, elements = arm()
        self.faces = {name: [n for n, x in self.nodes.items() if abs(x[0] - at) < 1e-9]
                      for name, at in (("ROOT", 0), ("END", SIZE[0]))}
        text = "*NODE, NSET=NALL\n"
        text += "".join(f"{n}, {x:.12g}, {y:.12g}, {z:.12g}\n" for n, (x, y, z) in self.nodes.items())
        text += "*ELEMENT, TYPE=C3D20, ELSET=EALL\n"
        for k, element in enumerate(elements, 1):
            text += wrapped([k, *element], 11)
        for name, list_ in self.faces.items():
            text += f"*NSET, NSET={name}\n" + wrapped(list_)
        self.mesh = text
        self.write("arm.inp", text)
        folder = os.path.dirname(self.path("arm.inp"))
        self.file = self.path("arm.h5")
        self.result("run", self.write("arm.yaml", MODEL.replace("FOLDER", folder)), "--out", self.file)

    def table(self):
        """Stress of all nodes at the last sample: xx yy zz xy xz yz mises, from our own table."""
        out = self.path("own.csv")
        names = ",".join(f"arm.node{n}" for n in self.nodes)
        run = call("export", self.file, "--out", out, "--stress", "--nodes", names)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(out, encoding="utf-8") as lines:
            last = [float(x) for x in list(lines)[-1].split(",")]
        return {n: last[1 + 7 * k:8 + 7 * k] for k, n in enumerate(self.nodes)}

    # ---- CalculiX ----------------------------------------------------------------------------

    def deck(self):
        """The mesh, its material and ties, and the load case as we wrote it; the root is held."""
        cards = self.path("loads.inp")
        run = call("stress", self.file, "--quiet", "--loads", cards, "--at", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(cards, encoding="utf-8") as file:
            text = file.read()
        root, end = len(self.nodes) + 1, len(self.nodes) + 2  # next to the nodes of the mesh
        self.assertIn(f"\n{root}, ", text)
        self.assertIn(f"\n{end}, ", text)
        nodes, steps = text.split("*STEP", 1)
        # moments belong on a rotational node in CalculiX; forces on the root are its reaction
        turn = end + 1
        lines = []
        for line in steps.split("\n"):
            fields = line.split(", ")
            if len(fields) == 3 and fields[0] == str(root):
                continue
            if len(fields) == 3 and fields[0] == str(end) and int(fields[1]) > 3:
                line = f"{turn}, {int(fields[1]) - 3}, {fields[2]}"
            lines.append(line)
        steps = "\n".join(lines).replace("*END STEP", "*EL PRINT, ELSET=EALL\nS\n*NODE FILE\nU\n"
                                         "*EL FILE\nS\n*END STEP").replace(", OP=NEW", "")
        at = [sum(self.nodes[n][k] for n in self.faces["END"]) / len(self.faces["END"])
              for k in range(3)]
        return (self.mesh + nodes + f"*NODE\n{turn}, {at[0]:.12g}, {at[1]:.12g}, {at[2]:.12g}\n"
                + "*MATERIAL, NAME=AL\n*ELASTIC\n{E}, {nu}\n*DENSITY\n{density}\n".format(**MATERIAL)
                + "*SOLID SECTION, ELSET=EALL, MATERIAL=AL\n"
                + f"*RIGID BODY, NSET=END, REF NODE={end}, ROT NODE={turn}\n"
                + "*BOUNDARY\nROOT, 1, 3\n*STEP" + steps)

    def test_calculix_finds_the_same_stress(self):
        solver = shutil.which("ccx")
        self.assertIsNotNone(solver, "CalculiX is missing: tools/setup long installs calculix-ccx")
        self.write("job.inp", self.deck())
        folder = os.path.dirname(self.path("job.inp"))
        run = subprocess.run([solver, "job"], cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertIn("Job finished", run.stdout, run.stdout[-2000:])
        theirs = self.read_frd(self.path("job.frd"))
        ours = self.table()
        # rigid ends are singular; so are the elements next to them
        cell = SIZE[0] / CELLS[0]
        inner = [n for n, x in self.nodes.items() if cell + 1e-9 < x[0] < SIZE[0] - cell - 1e-9]
        top = max(self.mises(theirs[n]) for n in inner)
        self.assertGreater(top, 1e6)
        worst = max(abs(a - b) for n in inner for a, b in zip(theirs[n], ours[n]))
        print(f"CalculiX: stress to {worst / top:.1e} of the highest, {top:.3g} Pa")
        self.assertLess(worst, 5e-3 * top)

    def mises(self, s):
        xx, yy, zz, xy, xz, yz = s[:6]
        return math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2)
                         + 3 * (xy ** 2 + xz ** 2 + yz ** 2))

    def read_frd(self, path):
        """Nodal stress in our order from a result file: xx yy zz xy yz zx there."""
        found, inside = {}, False
        with open(path, encoding="ascii", errors="replace") as lines:
            for line in lines:
                if line.startswith(" -4"):
                    inside = line.split()[1] == "STRESS"
                elif inside and line.startswith(" -1"):
                    v = [float(line[13 + 12 * k:25 + 12 * k]) for k in range(6)]
                    found[int(line[3:13])] = [v[0], v[1], v[2], v[3], v[5], v[4]]
        self.assertTrue(found, "no stress in the result of CalculiX")
        return found

    # ---- VTK ---------------------------------------------------------------------------------

    def test_vtk_reads_points_cells_displacement_and_stress(self):
        try:
            from vtkmodules.util.numpy_support import vtk_to_numpy
            from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
        except ImportError:
            self.fail("VTK is missing: tools/setup long installs python3-vtk9")
        out = self.path("e.pvd")
        self.assertEqual(call("export", self.file, "--out", out, "--stress").returncode, 0)
        names = [d.get("file") for d in ElementTree.parse(out).iter("DataSet")
                 if "_arm_" in d.get("file")]
        self.assertEqual(len(names), 6)
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(self.path(names[-1]))
        reader.Update()
        grid = reader.GetOutput()
        self.assertEqual(grid.GetNumberOfPoints(), len(self.nodes))
        self.assertEqual(grid.GetNumberOfCells(), CELLS[0] * CELLS[1] * CELLS[2])
        self.assertEqual({grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}, {25})
        data = {grid.GetPointData().GetArrayName(i): vtk_to_numpy(grid.GetPointData().GetArray(i))
                for i in range(grid.GetPointData().GetNumberOfArrays())}
        points = vtk_to_numpy(grid.GetPoints().GetData())
        own = self.table()
        top = max(s[6] for s in own.values())
        for point, number in enumerate(data["node"].ravel()):
            s = own[int(number)]
            for k, there in enumerate((0, 1, 2, 3, 5, 4)):  # VTK has yz before xz
                self.assertAlmostEqual(data["stress"][point][k], s[there], delta=1e-6 * top)
            self.assertAlmostEqual(data["mises"].ravel()[point], s[6], delta=1e-6 * top)
            # a place less its displacement is where the rigid frame carries the node
            x = self.nodes[int(number)]
            rigid = points[point] - data["displacement"][point]
            across = math.hypot(rigid[0], rigid[1] - 0.03)
            self.assertAlmostEqual(across, math.hypot(x[0], x[1] - 0.03), delta=2e-4)
        self.check_volumes(grid)
        self.assertLess(abs(data["displacement"]).max(), 1e-2)
        self.assertGreater(abs(data["displacement"]).max(), 1e-6)

    def check_volumes(self, grid):
        """Cells in VTK's order are the right way out: their volumes add up."""
        from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
        from vtkmodules.util.numpy_support import vtk_to_numpy
        size = vtkCellSizeFilter()
        size.SetInputData(grid)
        size.Update()
        volume = vtk_to_numpy(size.GetOutput().GetCellData().GetArray("Volume")).sum()
        self.assertAlmostEqual(volume / (SIZE[0] * SIZE[1] * SIZE[2]), 1, delta=1e-3)


if __name__ == "__main__":
    program.PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
