"""beams.py - arcs, and beams without mass, against Castigliano's theorem."""

import json
import math

from model_case import Files
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
        says = "hook.2.* its beam has no mass, which only 'static' allows: give it a density or a mass"
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


CANTILEVER = """trammel: 1
beams:
  arm:
    points: [[0, 0, 0], [1, 0, 0]]
    fix: first
    elements: 4
    nodes: 4
    E: 2.1e11
    G: 8.1e10
    section: SECTION
    density: 7850
    damping: 1e-3
forces: {pull: {type: force, body: arm.last, force: [0, 0, 1], point: [0, 0, 0], torque: [TORQUE, 0, 0]}}
outputs: {z: arm.last.z, twist: 2*arm.last.q1}
simulate: {end: 2, outputs: 20}
"""


class Sections(Files):
    def arm(self, section, torque="0"):
        with open(self.path("arm.yaml"), "w") as file:
            file.write(CANTILEVER.replace("SECTION", section).replace("TORQUE", torque)
                       .replace(", point: [0, 0, 0]", ""))
        return self.path("arm.yaml")

    def test_sections_bend_as_their_moments_say(self):
        outside, inside = 0.05**4, 0.046**4
        for section, Iy, area in (("{rectangle: [40 mm, 20 mm]}", 0.04 * 0.02**3 / 12, 8e-4 * 5 / 6),
                                  ("{tube: [50 mm, 46 mm]}", math.pi * (outside - inside) / 64, None)):
            out = self.result("static", self.arm(section))["outputs"]
            area = area or math.pi * (0.05**2 - 0.046**2) / 4 * 0.5  # a thin tube, to 1e-3 of shear
            z = 1 / (3 * E * Iy) + 1 / (G * area)
            self.assertAlmostEqual(out["z"] / z, 1, delta=2e-5, msg=section)

    def test_a_channel_twists_unless_it_is_pushed_in_its_shear_centre(self):
        section = "{channel: [50 mm, 100 mm, 3 mm, 3 mm]}"
        free = self.result("static", self.arm(section))["outputs"]["twist"]
        file = self.path("arm.h5")
        self.result("run", self.arm(section), "--out", file)
        found = json.loads(call("stress", file, "--json").stdout)["beams"]["arm"]["section"]
        centre, J = found["shear_centre"][0], found["J"]
        # a unit force at the centroid is one at the shear centre and a torque of -y there
        self.assertAlmostEqual(free / (-centre / (G * J)), 1, delta=1e-3)
        held = self.result("static", self.arm(section, str(centre)))["outputs"]["twist"]
        self.assertLess(abs(held), 1e-6 * abs(free))

    def test_stress_of_a_cantilever_is_at_the_clamp(self):
        file = self.path("arm.h5")
        self.result("run", self.arm("{rectangle: [40 mm, 20 mm]}"), "--out", file, "--end", "0.4")
        found = json.loads(call("stress", file, "--json", "--top", "3").stdout)["beams"]["arm"]
        hottest = found["hot_spots"][0]
        at_rest = 6 / (0.04 * 0.02**2)  # F L/W
        self.assertEqual((hottest["element"], hottest["along"], found["points"]), (1, 0, 8))
        self.assertEqual(abs(hottest["place"][1]), 0.01)
        # suddenly loaded, it swings to nearly twice the static moment
        self.assertTrue(1.5 * at_rest < hottest["mises"] < 2.1 * at_rest, hottest)
        text = call("stress", file, "--top", "1").stdout
        self.assertIn("beam 'arm': 4 elements, 8 points", text)
        self.assertIn("J ", text)

    def test_bad_sections_are_named(self):
        for section, words in (
                ("{rectangle: [1, 2], tube: [1, 0]}", "one of"),
                ("{tube: [1, 2]}", "inner diameter"),
                ("{polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]}", "cross"),
                ("{rectangle: [0, 1]}", "greater than 0"),
                ("{circle: [1]}", "circle"),
                ("{rectangle: [1, 1]}\n    area: 3", "give 'section' or 'area', not both"),
                ("{rectangle: [1, 1]}\n    stiffness: [1, 1, 1, 1, 1, 1]", "'stiffness', not both")):
            lines = self.lines("check", self.arm(section))
            self.assertIn(words, " ".join(lines), section)
        text = open(self.arm("{rectangle: [1, 1]}")).read().replace("    G: 8.1e10\n", "")
        with open(self.path("arm.yaml"), "w") as file:
            file.write(text)
        self.assertIn("needs E and G", " ".join(self.lines("check", self.path("arm.yaml"))))

    def test_a_force_of_type_beam_takes_symmetric_sections(self):
        model = """trammel: 1
bodies: {load: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0]}}
forces:
  arm: {type: beam, bodies: [ground, load], points: [[0, 0, 0], [1, 0, 0]], E: 2.1e11, G: 8.1e10, section: SECTION}
  pull: {type: force, body: load, force: [0, 0, 1]}
outputs: {z: load.z}
simulate: {end: 1}
"""
        path = self.path("two.yaml")
        for section, words in (("{rectangle: [40 mm, 20 mm]}", None),
                               ("{channel: [40 mm, 20 mm, 2 mm, 2 mm]}", "not symmetric")):
            with open(path, "w") as file:
                file.write(model.replace("SECTION", section))
            if words is not None:
                self.assertIn(words, " ".join(self.lines("static", path)))
                continue
            z = 1 / (3 * E * 0.04 * 0.02**3 / 12) + 1 / (G * 8e-4 * 5 / 6)
            self.assertAlmostEqual(self.result("static", path)["outputs"]["z"] / z, 1, delta=1e-6)
