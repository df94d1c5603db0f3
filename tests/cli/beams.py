"""beams.py - arcs, and beams without mass, against Castigliano's theorem."""

import math

from program import Case, call

E, G, W, R, F = 2.1e11, 8.1e10, 0.02, 1.0, 1e-3
I, J, A = W**4 / 12, 0.141 * W**4, W * W
HOOK = f"""trammel: 1
parameters: {{R: 1 m, F: 1e-3 N}}
beams:
  hook:
    arc: {{from: [0, 0, 0], centre: [0, R, 0], axis: [0, 0, 1], angle: 90 deg}}
    fix: first
    elements: 8
    nodes: 4
    E: {E}
    G: {G}
    area: {A}
    Iy: {I}
    Iz: {I}
    J: {J}
    density: 0
forces:
  pull: {{type: force, body: hook.last, force: FORCE}}
outputs: {{x: hook.last.x - R, y: hook.last.y - R, z: hook.last.z, m: hook.first.torque.z}}
simulate: {{end: 1}}
"""


class Beams(Case):
    def hook(self, force="[0, F, 0]", text=HOOK):
        with open(self.path("hook.yaml"), "w") as file:
            file.write(text.replace("FORCE", force))
        return self.path("hook.yaml")

    def test_a_quarter_of_a_circle(self):
        # a load along the tangent of the tip, in the plane; without mass
        out = self.result("static", self.hook())["outputs"]
        bend, pull, shear = F * R**3 / (E * I), F * R / (E * A), F * R / (G * A)
        y = bend * (3 * math.pi / 4 - 2) + (pull + shear) * math.pi / 4
        x = -bend / 2 + pull / 2 - shear / 2
        # rotations of 1e-7 make the linear answer wrong by as much, elements of order 6 by 1e-7
        self.assertAlmostEqual(out["y"] / y, 1, delta=1e-6)
        self.assertAlmostEqual(out["x"] / x, 1, delta=1e-6)
        self.assertAlmostEqual(out["m"] / (F * R), -1, delta=1e-6)
        # across the plane: bending and twist
        z = F * R**3 * (math.pi / 4 / (E * I) + (3 * math.pi / 4 - 2) / (G * J)) + shear * math.pi / 2
        out = self.result("static", self.hook("[0, 0, F]"))["outputs"]
        self.assertAlmostEqual(out["z"] / z, 1, delta=1e-6)

    def test_an_arc_is_the_line_through_its_points(self):
        nodes = [[math.sin(k * math.pi / 48), 1 - math.cos(k * math.pi / 48), 0] for k in range(25)]
        arc = HOOK[HOOK.index("arc:"):HOOK.index("    fix:")]
        points = self.result("static", self.hook(text=HOOK.replace(arc, f"points: {nodes}\n")))
        out = self.result("static", self.hook())
        for name, value in out["outputs"].items():
            # directions at points are those of cubics: 1e-7 of a load of 1e-3
            self.assertAlmostEqual(points["outputs"][name], value, delta=1e-10, msg=name)
        back = HOOK.replace("axis: [0, 0, 1], angle: 90", "axis: [0, 0, -1], angle: -90")
        self.assertEqual(self.result("static", self.hook(text=back))["outputs"]["y"],
                         out["outputs"]["y"])

    def test_arcs_that_are_none(self):
        for old, new, says in (
                ("axis: [0, 0, 1]", "axis: [0, 0, 0]", "beam 'hook': the axis of the arc is zero"),
                ("centre: [0, R, 0]", "centre: [0, 0, 1]", "the arc begins on its axis"),
                ("angle: 90 deg", "angle: 0", "the angle of the arc is zero"),
                ("angle: 90 deg", "angle: 90", "angle: 90 is out of range"),
                (", angle: 90 deg", "", "beams.hook.arc has no 'angle'"),
                ("    fix:", "    points: [[0, 0, 0], [1, 0, 0]]\n    fix:",
                 "has 'arc' and 'points': give one of them")):
            run = call("check", self.hook(text=HOOK.replace(old, new)))
            self.assertEqual(run.returncode, 2, run.stdout)
            self.assertIn(says, run.stderr)

    def test_a_beam_without_mass_is_for_static_alone(self):
        model = self.hook()
        says = "hook.2.* its beam has no mass, which is for 'static' alone: give it a density or a mass"
        for words in (("run", model), ("check", model), ("modes", model, "--at", "static"),
                      ("run", model, "--at", "static")):
            self.refuses(3, says, *words)
        # with a body at its end, and against the same beam with mass
        body = ("bodies: {weight: {mass: 2, inertia: [1, 1, 1], at: [1, 1, 0]}}\ngravity: [0, -9.81, 0]\n"
                "joints: {weld: {type: fixed, bodies: [hook.last, weight]}}\n")
        light = self.result("static", self.hook(text=HOOK + body))
        heavy = self.result("static", self.hook(text=HOOK.replace("density: 0", "density: 1e-9") + body))
        for name, value in light["outputs"].items():
            self.assertAlmostEqual(heavy["outputs"][name], value, delta=1e-7, msg=name)
