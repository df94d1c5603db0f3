"""Part of alpha.md: the slider crank of [ALPHA] 4.3 once more, built from bodies, joints and beam elements."""

import math

import chart
import kit

# crank with its inertia about the pin; block without extent; the rod bends, stretches and shears
MODEL = """trammel: 1
parameters:
  {l1: 0.15 m, l2: 0.30 m, J1: 0.002727 kg*m^2, m2: 0.151104 kg, side: 8 mm, E: 2e11 N/m^2, thin: 1e-6 kg*m^2}
bodies:
  crank: {mass: 1 kg, inertia: [J1, J1, J1], at: [0, 0, 0], markers: {end: {at: [l1, 0, 0]}}}
  slider: {mass: 0.075552 kg, inertia: [thin, thin, thin], at: [l1 + l2, 0, 0]}
beams:
  rod: {markers: [crank.end, slider], elements: 4, nodes: 3, y: [0, 1, 0], E: E, G: E/2.6, area: side^2,
        Iy: side^4/12, Iz: side^4/12, J: side^4/6, shear_y: 5/6, shear_z: 5/6, mass: m2/l2}
joints:
  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  knee: {type: spherical, bodies: [crank, rod.first], at: [l1, 0, 0]}
  wrist: {type: universal, bodies: [rod.last, slider], at: [l1 + l2, 0, 0], axis: [0, 1, 0], axis2: [0, 0, 1]}
  guide: {type: translational, bodies: [ground, slider], at: [l1 + l2, 0, 0], axis: [1, 0, 0]}
forces: {push: {type: joint, joint: pin, value: 'if(time < 0.3, 0.2, 0)'}}
outputs:
  phi1: pin.angle
  phi2: atan2(slider.y - crank.end.y, slider.x - crank.end.x)
  bow: ((slider.x - crank.end.x)*(rod.5.y - crank.end.y) - (slider.y - crank.end.y)*(rod.5.x - crank.end.x))/l2
simulate: {end: 1}
"""
RUNS = (("alpha, rho = 0.5, h = 1/2000", ("--integrator", "alpha", "--rho", 0.5, "--step", 1 / 2000)),
        ("alpha, rho = 0.5, h = 1/4000", ("--integrator", "alpha", "--rho", 0.5, "--step", 1 / 4000)),
        ("tdg, h = 1/2000", ("--integrator", "tdg", "--step", 1 / 2000)))


def frequencies(k, model, count):
    return k.json("modes", model, "--count", count)["modes"]


def size(part):
    return math.hypot(*part) if isinstance(part, list) else abs(part)


def bending(modes):
    """[rad/s], of modes that bend the rod in the plane."""
    found = []
    for mode in modes:
        largest = {axis: max(size(part) for name, part in mode["shape"].items()
                             if name.startswith("rod.") and name.endswith(axis)) for axis in (".vy", ".vz", ".wx", ".wz")}
        if largest[".vy"] > largest[".vz"] and largest[".wz"] > 0.5 and mode["frequency_hz"] > 1:
            found.append(2 * math.pi * mode["frequency_hz"])
    return found


def part(k, page, hermite):
    """`hermite`: the four numbers of the model of Hermite elements."""
    page.part("The same mechanism from parts")
    path = k.folder / "crank-of-parts.yaml"
    path.write_text(MODEL)
    sizes = k.json("check", path)
    page.say("A rigid crank, a block, joints and four geometrically exact beam elements of three nodes in place of the Hermite "
             f"elements in a floating frame: other coordinates ({sizes['coordinates']} with {sizes['constraints']} constraints), "
             "another theory of the beam, with shear and stretch, the same mechanism.")
    columns = []
    for _, words in RUNS:
        push, end = k.json("run", path, *words, "--end", 0.3), k.json("run", path, *words)
        columns.append([push["energy"]["final"], push["outputs"]["phi1"], end["outputs"]["phi1"], end["outputs"]["phi2"]])
    page.table(["", "Hermite elements", *(name for name, _ in RUNS)],
               [[name, value, *(column[i] for column in columns)] for i, (name, value) in enumerate(hermite.items())], 7)
    ours = bending(frequencies(k, path, 16))
    others = [2 * math.pi * m["frequency_hz"] for m in frequencies(k, "slider-crank-hermite", 8) if m["frequency_hz"] > 1]
    page.say("Frequencies of the rod at the start, in rad/s, by `trammel modes`:")
    page.table(["", *(str(i + 1) for i in range(3))],
               [["Hermite elements", *others[:3]], ["beam elements", *ours[:3]]], 5)
    worst = max(abs(columns[-1][i] / value - 1) for i, value in enumerate(hermite.values()))
    page.say(f"Two independent models agree to {worst:.0e} in the motion with steps that resolve the rod, and to "
             f"{abs(ours[0] / others[0] - 1):.0e} in its lowest frequency; the higher ones differ by what four elements of either "
             "kind are worth.")
    figure(k, page, path)


def figure(k, page, path):
    words = ("--integrator", "alpha", "--rho", 0.5, "--step", 1 / 2000, "--end", 0.1, "--outputs", 200)
    parts, hermite = k.table("parts", path, *words), k.table("hermite", "slider-crank-hermite", *words)
    page.figure("middle of the rod, both models", chart.draw(
        k.images / "alpha-crank-parts.svg",
        [chart.Series("Hermite elements", hermite["t"], hermite["w2"], marks=False),
         chart.Series("from parts", parts["t"], parts["bow"], marks=False, dashed=True)],
        "time [s]", "deflection [m]", "Fig. 7: middle of the rod, two models"))
    page.say(f"Their deflections in the middle differ by {kit.short(max(abs(a - b) for a, b in zip(parts['bow'], hermite['w2'])))} m "
             f"at most in this time, of {kit.short(max(map(abs, hermite['w2'])))} m.")
