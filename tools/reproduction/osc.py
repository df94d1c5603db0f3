"""Page of [OSC]: stiff pendulum, bushings, BDF in four forms, eigenvalues, smooth linearization."""

import math

import chart
import kit
import papers

SOURCE = ("[OSC], Yen and Petzold, *Numerical Solution of Nonlinear Oscillatory Multibody Dynamic Systems*, "
          "University of Minnesota, TR 95-066, 1995.")
FORMS = {"CS": "cs", "CM": "cm", "LG": "si2", "LM": "lm"}

ERRATA = [
    "F1, (6c): `0 = z' - r w^2 + (r - 1)/e^2 - sin theta`; printed is plus `r w^2`.",
    "F2, (6d): `0 = w' + (2 z w - cos theta)/r`; printed is minus.",
    "F3, (4): the damping is `C B^T v`.",
    "F4, (13): the energy has a factor 1/2.",
    "F5, (15) to (19): `f^s = -B K q~`, `Lambda = + M^-1 (I - ..)`, `f~ = gamma^B + B^T Lambda f^n`, and gamma^B begins with "
    "`B^T M^-1 G^T`.",
    "F6: the start after (11) reads q = (0, 0, 0, 0.99989, -1.4852e-2, 0), v = (0, 0, 0, -6.75e-5, -4.5444e-3, 0); ours is projected "
    "onto the constraints.",
    "F7: places of the bushing of (11), masses and gravity are not printed; (+-1/2, 0), 1 and 9.81 are our choice.",
]


# ---- figures -------------------------------------------------------------------------------------

def motion_part(k, page):
    page.part("Figures 1, 3 and 5: motions")
    page.command("trammel run stiff-spring --set y0=0.1 --end 10 --integrator radau --tolerance 1e-9 --outputs 2000 --out cartesian.h5",
                 "trammel plot cartesian.h5 x y --out cartesian.svg")
    exact = ("--integrator", "radau", "--tolerance", 1e-9)
    cartesian = k.file("cartesian", "stiff-spring", "--set", "y0=0.1", "--end", 10, *exact, "--outputs", 2000)
    polar = k.file("polar", "stiff-spring-polar", *exact, "--outputs", 2000)
    bushing = k.file("bushing", "bushing-osc", *exact, "--outputs", 2000)
    for name, file, signals, title in (("cartesian", cartesian, ["x", "y"], "Fig. 1: stiff pendulum, Cartesian"),
                                       ("polar", polar, ["r", "theta"], "Fig. 3: stiff pendulum, polar"),
                                       ("bushing", bushing, ["x", "y", "theta"], "Fig. 5: bushing (10)")):
        page.figure(title, k.plot(f"osc-{name}", [file], signals, "--title", title))


def branches_of(k, name, model, end, samples, *words):
    file = k.file(name, model, "--end", end, "--integrator", "radau", "--tolerance", 1e-9, "--outputs", samples, *words)
    return k.json("modes", file, "--along", "--count", 12)["branches"]


def extremes(branches, part):
    values = [abs(v) for b in branches for v in b[part]]
    return min(values), max(values)


def eigenvalue_part(k, page):
    page.part("Figures 2, 4 and 6: eigenvalues along the motion")
    page.say("The paper shows pictures and the value 1/e of the fast pair. Largest parts of all pairs [1/s], and the range of the "
             "fastest imaginary part, 2 s of motion, 1000 samples a second and more. *Prototype*: an independent program.")
    page.command("trammel modes cartesian.h5 --along --out eigenvalues.svg")
    rows = []
    for name, model, eps2, end, samples in (("Cartesian", "stiff-spring", 1e-3, 2, 2000),
                                            ("polar", "stiff-spring-polar", 1e-3, 2, 2000),
                                            ("Cartesian", "stiff-spring", 1e-5, 2, 4000),
                                            ("polar", "stiff-spring-polar", 1e-5, 2, 4000)):
        branches = branches_of(k, f"{name}-{eps2}", model, end, samples, "--set", f"eps2={eps2}", "--set", "y0=0.1")
        fast = [b for b in branches if max(map(abs, b["im"])) > 0.5 / math.sqrt(eps2)]
        slow = [b for b in branches if b not in fast]
        low, high = extremes(fast, "im")
        rows.append([name, eps2, 1 / math.sqrt(eps2), f"{low:.2f} to {high:.2f}", extremes(slow, "re")[1],
                     extremes(slow, "im")[1], papers.OSC_EIGENVALUES_PROTOTYPE[name, eps2]])
    page.table(["coordinates", "e^2", "paper, fast pair", "ours, fast pair", "other pair: largest real part", "imaginary part",
                "prototype: fast; real, imaginary"], rows, 4)
    branches = branches_of(k, "bushing-values", "bushing-osc", 1, 2000)
    ranges = sorted((min(map(abs, b["im"])), max(map(abs, b["im"]))) for b in branches)
    page.say("Bushing (10), Fig. 6, imaginary parts [1/s]: " + ", ".join(f"{a:.2f} to {b:.2f}" for a, b in ranges) +
             f" (prototype {papers.OSC_BUSHING_PROTOTYPE}).")
    page.figure("eigenvalues of the bushing", chart.draw(
        k.images / "osc-bushing-values.svg",
        [chart.Series(f"pair {i + 1}", b["t"], [abs(v) for v in b["im"]], marks=False) for i, b in enumerate(branches)],
        "time [s]", "imaginary part [1/s]", "Fig. 6: eigenvalues of the bushing (10)"))
    page.say("The fast pair of both coordinates is the same, the other one is not: off equilibrium such values depend on the "
             "coordinates. They say what a Newton matrix sees.")


# ---- BDF -----------------------------------------------------------------------------------------

def low_orders_part(k, page):
    page.part("Section 2: bushing (10) by low orders")
    page.say("The paper reports severe problems of Newton's method with low-order BDF on (10) and prints no numbers. Ours, 1 s, "
             "tolerance 1e-4: energy at the end over that at the start, which should stay.")
    page.command("trammel run bushing-osc --integrator bdf --max-order 2 --tolerance 1e-4")
    rows = []
    for order in (1, 2, 5):
        for tested in ("positions", "velocities"):
            run = k.json("run", "bushing-osc", "--integrator", "bdf", "--max-order", order, "--tolerance", 1e-4, "--error-in", tested)
            rows.append([order, tested, run["steps"], run["rejected_error"], run["rejected_newton"],
                         run["newton_iterations"] / run["steps"], run["energy"]["final"] / run["energy"]["initial"]])
    page.table(["largest order", "error in", "steps", "rejected", "Newton failures", "iterations a step", "energy left"], rows)
    page.say("No Newton failure: iterations start from the points of earlier steps and use the exact tangent. Low orders damp the "
             "vibration away, and what it does to the slow motion with it.")


def form_rows(k, stiffness, tolerances, end, tested):
    rows = []
    for tolerance in tolerances:
        for name, form in FORMS.items():
            run = k.json("run", "bushing-pendulum", "--set", f"k={stiffness}", "--end", end, "--integrator", "bdf", "--formulation",
                         form, "--tolerance", tolerance, "--error-in", tested)
            rows.append((name, tolerance, run))
    return rows


def table_part(k, page):
    page.part("Tables 1 and 2: forms of BDF on the bushing pendulum (11)")
    page.say("Steps / function evaluations / Jacobians / error failures / convergence failures. The paper: DASSL, which tests "
             "velocities; ours with velocities, then positions only. Table 1: k = 1e3, c = 10; the paper does not print the end, ours is "
             "0.5 s. Table 2: k = 1e6, 0.1 s.")
    page.command("trammel run bushing-pendulum --integrator bdf --formulation cm --tolerance 1e-4 --error-in velocities")
    for number, stiffness, tolerances, end, listed in ((1, 1e3, (1e-3, 1e-4, 1e-5, 1e-6), 0.5, papers.OSC_TABLE_1),
                                                       (2, 1e6, (1e-4,), 0.1, papers.OSC_TABLE_2)):
        tested = {words: form_rows(k, stiffness, tolerances, end, words) for words in ("velocities", "positions")}
        rows = []
        for i, (name, tolerance, run) in enumerate(tested["velocities"]):
            rows.append([name, tolerance, " / ".join(map(str, listed[name, tolerance])), counts(run),
                         counts(tested["positions"][i][2])])
            if name == "CM" and tolerance == 1e-4:
                k.headline("osc", f"steps of CM, table {number}", run["steps"], counts(run),
                           ["run", "bushing-pendulum", "--set", f"k={stiffness}", "--end", end, "--integrator", "bdf",
                            "--formulation", "cm", "--tolerance", tolerance, "--error-in", "velocities"], "steps", 1.15)
        page.table([f"Table {number}", "tolerance", "paper", "ours, velocities tested", "ours, positions"], rows)
    page.say("The convergence failures of the paper are not there in any form, and so CM has nothing to gain: all forms have one root, "
             "only positions and velocities are carried on, and the forms differ in the path to it. The 20 steps of CM at k = 1e6 are "
             "below what its own error test allows with velocities in it: 16 periods of a vibration of 1000 rad/s lie in 0.1 s.")


def counts(run):
    return (f"{run['steps']} / {run['residuals']} / {run['jacobians']} / {run['rejected_error']} / {run['rejected_newton']}")


def figure_7_part(k, page):
    page.part("Figure 7: time steps at k = 1e5")
    page.command("trammel run bushing-pendulum --set k=1e5 --integrator bdf --formulation cm --tolerance 1e-4 --error-in velocities "
                 "--out cm.h5")
    curves, rows = [], []
    for name, form in FORMS.items():
        file = k.file(f"steps-{name}", "bushing-pendulum", "--set", "k=1e5", "--integrator", "bdf", "--formulation", form,
                      "--tolerance", 1e-4, "--error-in", "velocities")
        steps = k.steps(file)
        taken = [(t, h) for t, h, a in zip(steps["t"], steps["h"], steps["accepted"]) if a]
        curves.append(chart.Series(name, [t for t, _ in taken], [h for _, h in taken], marks=False))
        rows.append([name, len(taken), max(h for _, h in taken)])
    page.figure("time steps", chart.draw(k.images / "osc-steps.svg", curves, "time [s]", "step [s]",
                                         "Fig. 7: steps at k = 1e5, tolerance 1e-4", ylog=True))
    page.table(["form", "steps, 0.5 s", "largest step [s]"], rows)
    page.say("In the paper CM takes much larger steps than the others; ours take the same ones, for the reason above.")


# ---- slow motion ---------------------------------------------------------------------------------

def angle(run):
    return run["outputs"]["theta"]


def damped_part(k, page):
    page.part("Section 3: damped solutions of (22)")
    page.say("(22) in coordinates of the force is the polar form. The paper proposes to solve it by damped methods with large steps. "
             "theta at 10 s; *exact*: `explicit` at 1e-12. Start (0.9, 0.1), so that the vibration has 4 J at e^2 = 1e-3 and 4e4 J at 1e-7.")
    page.command("trammel run stiff-spring-polar --set eps2=1e-5 --integrator bdf --tolerance 1e-3")
    rows = []
    for eps2 in (1e-3, 1e-5, 1e-7):
        words = ("--set", f"eps2={eps2}")
        row = [eps2, exact_angle(k, eps2)]
        for model, extra in (("stiff-spring-polar", ()), ("stiff-spring", ("--set", "y0=0.1", "--end", 10))):
            for method, tolerance in (("bdf", 1e-3), ("hht", 1e-3)):
                run = k.json("run", model, *words, *extra, "--integrator", method, *(("--formulation", "si2") if extra else ()),
                             "--tolerance", tolerance)
                row.append(f"{float(angle_of(run)):.3f} ({run['steps']})")
        rows.append(row)
    page.table(["e^2", "exact", "polar: bdf 1e-3 (steps)", "hht 1e-3", "Cartesian: bdf 1e-3", "hht 1e-3"], rows, 5)
    page.say("The vibration that is damped away takes a part of the slow motion with it: 1/r^2 has a larger mean than 1. The error "
             "does not fall with e; coordinates of the force do not help.")


def angle_of(run):
    if "theta" in run["outputs"]:
        return run["outputs"]["theta"]
    return run["coordinates"]["theta"]


def exact_angle(k, eps2):
    return angle_of(k.json("run", "smooth-pendulum", "--set", f"eps2={eps2}", "--integrator", "explicit", "--tolerance", 1e-12,
                           "--outputs", 1))


def smooth_part(k, page):
    page.part("Section 3: smooth linearization")
    page.say("The paper proposes to linearize about a smooth solution and to treat the vibration by modal analysis, and stops there. "
             "Ours is `smooth` (docs/theory/16-smooth.md): slow steps with the mean force and inertia of frozen actions. Error of theta "
             "at 10 s, of the second mass at 6 s; evaluations of the equations of motion, without samples. *Prototype*: special programs in "
             "polar coordinates, and in Cartesian ones without large vibrations.")
    page.command("trammel run smooth-pendulum --set eps2=1e-5 --step 0.4546", "trammel run smooth-rod --set k=1e6 --step 0.0883")
    rows = []
    for eps2, listed in papers.OSC_SMOOTH_PENDULUM_PROTOTYPE.items():
        words = ["run", "smooth-pendulum", "--set", f"eps2={eps2}", "--step", 0.4546, "--output-step", 10]
        run = k.json(*words)
        rows.append(["pendulum, e^2 = " + kit.short(eps2), run["residuals"], abs(angle_of(run) - exact_angle(k, eps2)), listed])
    for stiffness, listed in papers.OSC_SMOOTH_ROD_PROTOTYPE.items():
        words = ("run", "smooth-rod", "--set", f"k={stiffness}", "--output-step", 6)
        run = k.json(*words, "--step", 0.0883)
        exact = k.json(*words, "--integrator", "explicit", "--tolerance", 1e-12)
        error = max(abs(run["coordinates"][c] - exact["coordinates"][c]) for c in ("second.x", "second.y"))
        rows.append(["two masses, k = " + kit.short(stiffness), run["residuals"], error, listed])
    page.table(["model", "evaluations", "error", "prototype: evaluations, error; resolved"], rows, 2)
    rows = []
    for size in (0.003, 0.01, 0.03, 0.1):
        words = ("bushing", "smooth-bushing", "--set", f"size={size}", "--outputs", 100)
        exact = k.table(*words, "--integrator", "explicit", "--tolerance", 1e-12)
        largest = max(map(abs, exact["theta"]))
        try:
            ours = k.table(*words)
            error = max(abs(a - b) for a, b in zip(ours["theta"], exact["theta"]))
            rows.append([size, f"{100 * error / largest:.1f} %", papers.OSC_SMOOTH_BUSHING_PROTOTYPE.get(size, "-")])
        except kit.Failed as failure:
            rows.append([size, "refused: " + str(failure).split("  [t")[0].split(": ", 2)[-1], papers.OSC_SMOOTH_BUSHING_PROTOTYPE.get(size, "-")])
    page.say("Bushing (10) with dx, dy stiff, theta slow; largest error of theta over its largest value, 1 s:")
    page.table(["deformation at the start", "ours", "prototype"], rows)
    page.say("The deformation of 0.1 in Fig. 5 is too large for any linearization: with 28 against 100 and 112 rad/s the beat of the two "
             "fast modes is as slow as theta.")


def write(k):
    if not k.has_integrator("bdf"):
        return False
    page = kit.Page(k, "osc", "Oscillatory systems", SOURCE)
    page.part("Errata of the source")
    page.points(ERRATA)
    motion_part(k, page)
    eigenvalue_part(k, page)
    low_orders_part(k, page)
    table_part(k, page)
    figure_7_part(k, page)
    damped_part(k, page)
    smooth_part(k, page)
    return page.close()
