"""stress.py - hot spots of runs, as a user sees them."""

import json
import os

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


class Stress(Files):
    def setUp(self):
        super().setUp()
        self.write("block.inp", BOX)
        # run files keep the path of a mesh as it was written
        text = MODEL.replace("FOLDER", os.path.dirname(self.path("block.inp")))
        self.model = self.write("block.yaml", text)
        self.file = self.path("block.h5")
        self.result("run", self.model, "--out", self.file)

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
