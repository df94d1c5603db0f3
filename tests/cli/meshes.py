"""meshes.py - meshes and interfaces that cannot be: each gets one sentence with names."""

import os
import resource

from model_case import Files
from program import call, is_sanitized
from stress import BOX

MODEL = """trammel: 1
flexible:
  block:
    mesh: block.inp
    material: {E: 1e9, nu: 0.3, density: 1000}
    interfaces: {root: {nodes: LEFT}}
joints: {weld: {type: fixed, bodies: [ground, block.root], at: [0, 0.5, 0.5]}}
simulate: {end: 0.01}
"""
ROOT = "{root: {nodes: LEFT}}"
MATERIAL = "    material: {E: 1e9, nu: 0.3, density: 1000}\n"
LOOSE = BOX.replace("12, 2, 1, 1\n", "12, 2, 1, 1\n" + "".join(
    f"{20 + k}, {x}, {y}, {z}\n" for k, (x, y, z) in enumerate(
        (x, y, z) for z in (5, 6) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))))).replace(
    "*NSET", "3, 20, 21, 22, 23, 24, 25, 26, 27\n*NSET")
STEEL = "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000, 0.3\n*DENSITY\n7.85e-9\n*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n"


class BadMeshes(Files):
    def refused(self, words, mesh=BOX, model=MODEL):
        self.write("block.inp", mesh)
        lines = self.lines("check", self.write("block.yaml", model), "--cache", "none")
        self.assertEqual(len(lines), 1, lines)  # nothing follows from what could not be made
        self.assertIn("flexible body 'block': ", lines[0])
        self.assertRegex(lines[0], words)

    def test_parts_that_hang_together_by_nothing(self):
        self.refused(r"the mesh has 2 parts that share no node; node 20 is not connected with node 1",
                     mesh=LOOSE)

    def test_nodes_of_interfaces(self):
        for words, interfaces in (
                (r"interface 'root' has 3 nodes, all on a line", "{root: {numbers: [1, 2, 9], type: average}}"),
                (r"interface 'root' has 2 nodes: it needs three", "{root: {numbers: [1, 2]}}"),
                (r"interfaces 'root' and 'other' share node 4",
                 "{root: {nodes: LEFT}, other: {numbers: [3, 4, 7]}}"),
                (r"interface 'root': the mesh has no node set 'RIGHT'; it has LEFT",
                 "{root: {nodes: RIGHT}}"),
                (r"interface 'root': the mesh has no node 99", "{root: {numbers: [1, 2, 99]}}"),
                (r"no node is within 0.01 of its cylinder; the nearest, node \d+, is ",
                 "{root: {cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.5}}}"),
                (r"no node is within .* of its plane; the nearest, node 1, is 3 away",
                 "{root: {plane: {at: [-3, 0, 0], normal: [1, 0, 0]}}}"),
                (r"no node is within .* of its box", "{root: {box: {from: [3, 3, 3], to: [4, 4, 4]}}}")):
            self.refused(words, model=MODEL.replace(ROOT, interfaces))

    def test_geometry_finds_the_nodes_of_a_set(self):
        self.write("block.inp", BOX)
        for interface in ("{nodes: LEFT}", "{numbers: [1, 4, 5, 8]}",
                          "{plane: {at: [0, 9, 9], normal: [2, 0, 0]}}",
                          "{box: {from: [-1, -1, -1], to: [0.5, 2, 2]}}",
                          "{cylinder: {from: [-1, 0.5, 0.5], to: [0.1, 0.5, 0.5], radius: 0.70710678}}"):
            model = self.write("block.yaml", MODEL.replace("{nodes: LEFT}", interface))
            found = self.result("modal", model, "--cache", "none")["flexible"]["block"]
            self.assertEqual(found["interfaces"]["root"]["nodes"], 4, interface)
            self.assertEqual(found["interfaces"]["root"]["at"], [0, 0.5, 0.5])

    def test_elements_and_materials(self):
        self.refused(r"elements that are inside out .*: 2 \(C3D8I\)",
                     mesh=BOX.replace("2, 2, 9, 10, 3, 6, 11, 12, 7", "2, 6, 11, 12, 7, 2, 9, 10, 3"))
        self.refused(r"element 1 has no material: give `material`", model=MODEL.replace(MATERIAL, ""))
        self.refused(r"the mesh has no element set 'LID'", model=MODEL.replace(
            MATERIAL, MATERIAL + "    materials: {LID: {E: 1, nu: 0, density: 1}}\n"))
        # tonnes and millimetres, read as metres
        self.refused(r"material 'STEEL' .* a density of 7.85e-09 kg/m\^3, which no material has: is "
                     r"`length`, the unit of the file, right\?", mesh=BOX + STEEL,
                     model=MODEL.replace(MATERIAL, ""))
        self.write("block.inp", BOX + STEEL)
        model = self.write("block.yaml", MODEL.replace(MATERIAL, "    length: mm\n"))
        self.assertEqual(call("check", model, "--cache", "none").returncode, 0)

    def test_too_little_memory(self):
        if is_sanitized():
            self.skipTest("sanitizers take memory of their own")
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
        model = self.write("large.yaml", MODEL.replace(
            "mesh: block.inp", "box: {size: [1, 1, 1], cells: [24, 24, 24]}").replace("LEFT", "XMIN"))
        run = call("check", model, "--cache", "none", preexec_fn=limit)
        self.assertIn(run.returncode, (2, 3))
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertRegex(run.stderr, r"the memory of this machine is not enough to factor the stiffness "
                         r"matrix of \d+ unknowns: use a coarser mesh|out of memory")
        self.assertEqual(os.listdir(self.folder), ["large.yaml"])
