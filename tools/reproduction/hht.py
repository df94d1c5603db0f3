"""Page of [HHT]: orders, estimate of the error, what a tolerance gives, conditioning."""

import math

import chart
import kit
import papers

SOURCE = ("[HHT], Negrut, Rampalli, Ottarsson and Sajdak, *On an implementation of the HHT method in the "
          "context of index 3 DAE of multibody dynamics*.")
FORMS = ("si2", "index3", "paper")
QUANTITIES = ("position", "velocity", "acceleration", "multiplier")


def study(k, model, form, steps, *words):
    """Errors by quantity over steps: lists; None where the runs fail."""
    try:
        rows = k.json("converge", *model, "--formulation", form, "--steps", steps, *words)["rows"]
    except kit.Failed as failed:
        kit.note(f"{model[0]} {form}: {failed}")
        return None
    return {name: [row["errors"][name] for row in rows] for name in (*QUANTITIES, "state")}


def halved(first, count, pattern="{}"):
    values = [first / 2 ** i for i in range(count)]
    return values, ",".join(pattern.format(*([repr(v)] if "2" not in pattern else [repr(v), repr(2 * v)]))
                            for v in values)


def orders_part(k, page):
    page.part("Orders over the step")
    page.say("The paper calls the method second order and leaves the proof for index 3 open. Largest errors "
             "over the run against `explicit` at 1e-13, alpha = -0.3; orders from the last two steps.")
    page.command("trammel converge double-pendulum --formulation paper --steps 0.01,0.005,0.0025,0.00125")
    cases = [
        ("pendulum, 2 s", ("pendulum", "--end", 2), 0.01, False),
        ("double pendulum, rotations", ("double-pendulum",), 0.01, False),
        ("double pendulum, angles: M(q)", ("double-pendulum", "--set", "coordinates=angles"), 0.01, False),
        ("pendulum, steps h, 2h in turn", ("pendulum", "--end", 2), 0.01, True),
        ("double pendulum, h, 2h in turn", ("double-pendulum",), 0.01, True),
    ]
    rows, curves = [], []
    for words, model, first, alternates in cases:
        steps, text = halved(first, 4)
        if alternates:
            text = ",".join(f"{h!r}:{2 * h!r}" for h in steps)
        for form in FORMS:
            errors = study(k, model, form, text)
            if errors is None:
                rows.append([words, form, "fails", *["-"] * 4])
                continue
            rows.append([words, form, errors["position"][-1],
                         *(round(kit.order(errors[q], steps), 2) for q in QUANTITIES)])
            if words.startswith("pendulum") and form != "index3":
                curves.append(chart.Series(f"{form}, {'h, 2h' if alternates else 'h'}", steps,
                                           errors["multiplier"]))
            if words.startswith("double pendulum, angles"):
                command = ["converge", *model, "--formulation", form, "--steps", repr(steps[-1])]
                k.headline("hht", f"error of {form}, angles", errors["position"][-1],
                           kit.short(errors["position"][-1]), command, "rows.0.errors.position", 1.3)
    page.table(["problem", "form", f"error of q, h = {steps[-1]:g}", "order q", "v", "acc", "lam"], rows)
    page.say("`paper` is the printed method. Two things differ from what the paper says. Where M depends on q "
             "its equation (10) is first order: the inertia term must be weighted like the forces, or M acc "
             "solved at the end of the step as `si2` and `index3` do. And any change of the step makes it "
             "first order, with errors of the multiplier that jump from step to step; the paper sees these "
             "as \"spikes in accelerations and reaction forces\" and puts them down to index 3. Index 2 "
             "with a rescaled acceleration, `si2`, cures both. Two rows need a word: `index3` has acc and lam off by O(h) in "
             "the first steps of a start with jerk, and acc of `paper` is the method's own, which is that of the "
             "equations alpha h later.")
    page.figure("error of the multiplier over the step", chart.draw(
        k.images / "hht-orders.svg", curves, "step [s]", "largest error of lam [N/m]",
        "Pendulum: multiplier, constant and changing steps", xlog=True, ylog=True))
    states_part(k, page)


def states_part(k, page):
    rows = []
    steps, text = halved(0.01, 3)
    for form in FORMS:
        errors = study(k, ("servo",), form, text)
        if errors:
            rows.append([form, errors["state"][-1], round(kit.order(errors["state"], steps), 2),
                         round(kit.order(errors["position"], steps), 2)])
    page.say("First-order states, problem `servo`: the rule (9a) is second order only at rho = 1/2; `paper` has "
             "rho = gamma = 0.8.")
    page.table(["form", f"error of x, h = {steps[-1]:g}", "order x", "order q"], rows)


CARTESIAN = """trammel: 1
equations:
  coordinates:
    x: {{value: {x!r}, velocity: {vx!r}, kind: length}}
    y: {{value: {y!r}, velocity: {vy!r}, kind: length}}
  kinetic: 0.5*(x'^2 + y'^2)
  potential: -9.81*x
  constraints: {{rod: x^2 + y^2 - 0.25}}
simulate: {{end: {h!r}}}
"""
ANGLE = """trammel: 1
equations:
  coordinates: {{phi: {{value: {phi!r}, velocity: {vphi!r}, kind: angle}}}}
  kinetic: 0.125*phi'^2
  potential: -4.905*cos(phi)
simulate: {{end: {h!r}}}
"""


def estimates(k, model, form, h, count, unknowns):
    """Estimates of the local error of q in a run of equal steps: length, not rms."""
    path = k.file(f"estimate-{form}", model, "--formulation", form, "--tolerance", 1, "--step-first", h,
                  "--step-max", h, "--newton-tolerance", 1e-14, "--end", (count + 3) * h)
    s = k.steps(path)
    kept = [e * math.sqrt(unknowns) for e, step in zip(s["error"], s["h"]) if abs(step / h - 1) < 1e-6]
    return kept[:count + 1]


def estimator_rows(k, model, text, columns, h, poses):
    """Rows t, true, ours, paper, ratios at several instants of the motion."""
    exact = k.table("exact", model, "--integrator", "explicit", "--tolerance", 1e-13, "--output-step", h,
                    "--end", max(poses) * h + h)
    ours, paper = (estimates(k, model, form, h, max(poses), len(columns) // 2) for form in ("si2", "paper"))
    rows = []
    for n in poses:
        pose = k.folder / "pose.yaml"
        pose.write_text(text.format(h=h, **{key: exact[name][n] for name, key in columns.items()}))
        rms = k.json("converge", pose, "--newton-tolerance", 1e-14, "--steps", h)["rows"][0]["errors"]["rms"]
        true = math.hypot(*rms.values())
        rows.append([f"{n * h:g}", true, ours[n], paper[n], ours[n] / true, paper[n] / true])
    return rows


def estimator_part(k, page):
    h, poses = 0.005, (20, 40, 60, 80, 100, 120)
    page.part("Estimate of the local error against the true one")
    page.say(f"Pendulum, steps of {h:g} s. True: one step of `hht` from exact values at that instant, with the "
             "auxiliary acceleration that a running sequence has, against `explicit` at 1e-13. Ours: "
             "C h^2 (a' - a), C = 1/12 + alpha^2/4. Paper: (26), beta - 1/(6 (1 + alpha)), of the printed "
             "method. Both from runs of equal steps.")
    header = ["t [s]", "true", "our estimate", "paper's (26)", "ours / true", "paper / true"]
    start = k.folder / "angle.yaml"
    start.write_text(ANGLE.format(h=1.0, phi=0.0, vphi=-3.39))
    free = estimator_rows(k, start, ANGLE, {c: c for c in ("phi", "vphi")}, h, poses)
    page.say("In the angle, without a constraint [rad]:")
    page.table(header, free)
    bound = estimator_rows(k, "pendulum", CARTESIAN, {c: c for c in ("x", "y", "vx", "vy")}, h, poses)
    page.say("In Cartesian coordinates, with the constraint [m]:")
    page.table(header, bound)
    ratios = [row[3] / row[2] for row in free + bound]
    page.say(f"Without a constraint ours is {min(r[4] for r in free):.3f} to {max(r[4] for r in free):.3f} of the "
             f"true error; it is worst where the true error passes zero. The paper's is {sum(ratios) / len(ratios):.2f} "
             "times ours: its derivation takes "
             "the values at the start of a step as consistent, but in a running sequence the acceleration of "
             "the method is the one alpha h later. With the constraint both contain the part along the "
             "rod, which the constraint takes away again, and are too large by that.")


def adaptive_part(k, page):
    page.part("What a tolerance gives: pendulum of 10 s, error-controlled")
    page.say("No such table is in the paper; *prototype* is an independent program of the same method. Errors are "
             "the largest at 2000 equal times.")
    page.command("trammel run pendulum --end 10 --tolerance 1e-5")
    common = ("pendulum", "--end", 10, "--outputs", 2000)
    exact = k.table("exact", *common, "--integrator", "explicit", "--tolerance", 1e-13)
    rows, curves = [], {}
    for form in ("si2", "paper"):
        for tolerance, listed in papers.PENDULUM_PROTOTYPE.items():
            words = (*common, "--tolerance", tolerance, "--formulation", form)
            run = k.table("run", *words)
            summary = k.json("run", *words)
            q = kit.largest_difference(run, exact, ("x", "y"))
            lam = kit.largest_difference(run, exact, ("lam",))
            curves.setdefault(form, []).append((summary["steps"], q))
            shown = listed if form == "si2" else ("-",) * 3
            rows.append([form, tolerance, summary["steps"], shown[0], q, shown[1], lam, shown[2]])
            if form == "si2" and tolerance in (1e-4, 1e-6):
                k.headline("hht", f"steps at {tolerance:g}", summary["steps"], str(summary["steps"]),
                           ["run", *words], "steps", 1.15)
    page.table(["form", "tolerance", "steps", "prototype", "error of q [m]", "prototype", "error of lam",
                "prototype"], rows)
    last = {row[0]: row for row in rows if row[1] == 1e-8}
    worse = last["paper"][6] / last["si2"][6]
    page.say("The step control is a little bolder than the prototype's: fewer steps and, by the same curve, "
             "larger errors. Errors go like tolerance^(2/3). `paper` takes more steps at the same tolerance, "
             "since (26) is too large, and for its steps its positions are as good. Its multiplier is not: with more steps "
             f"it has {worse:.1f} times the error at 1e-8. That is the order one of changing steps.")
    page.figure("error over steps", chart.draw(
        k.images / "hht-adaptive.svg",
        [chart.Series(form, *zip(*points)) for form, points in curves.items()] +
        [chart.Series("prototype", *zip(*[(v[0], v[1]) for v in papers.PENDULUM_PROTOTYPE.values()]),
                      dashed=True)],
        "steps", "largest error of position [m]", "Pendulum, 10 s: error over steps", xlog=True, ylog=True))


def cell(value):
    """Above 1e16 double precision cannot tell."""
    return "> 1e16" if value > 1e16 else value


def condition_part(k, page):
    page.part("Conditioning of the Newton matrix over the step")
    rows = k.bench_program("bench_condition")
    if not rows:
        page.say("Left out: `bench_condition` was not built.")
        return
    page.say("The paper weighs (a) positions as unknowns, (b) accelerations as unknowns, (c) the same with the "
             "constraints divided by beta h^2, and chooses (c); it shows no numbers. Ours are condition numbers "
             "(2-norm, LAPACK) of the matrix that `hht`, form `index3`, gives to its solver in the fourth step "
             "of a run with `--scaling a`, `b` and `c` (the default), taken by `bench/bench_condition.c`.")
    models = list(dict.fromkeys(row["model"] for row in rows))
    for scaling in "abc":
        page.say(f"Scaling ({scaling}):")
        of = {(row["model"], row["h"]): row for row in rows}
        page.table(["h [s]", *(f"{m}, {of[m, rows[0]['h']]['unknowns']:.0f} unknowns" for m in models)],
                   [[h, *(cell(of[m, h][scaling]) for m in models)] for h in dict.fromkeys(
                       row["h"] for row in rows)], 2)
    page.say("The paper is right: (a) grows like h^-4, (b) like h^-2, (c) stays where it is, and for the slider "
             "crank falls until the steps resolve its fastest mode. One remark: the three matrices are "
             "diagonal scalings of each other, so a solver that equilibrates rows and columns sees no "
             "difference; what (c) gives is that none has to.")
    page.figure("condition over the step", chart.draw(
        k.images / "hht-condition.svg",
        [chart.Series(f"({s}) {m}", *zip(*[(r["h"], r[s]) for r in rows if r["model"] == m and r[s] < 1e16]),
                      dashed=m == "chain") for s in "abc" for m in ("slider-crank", "chain")],
        "step [s]", "condition number", "Index-3 Newton matrix, three scalings", xlog=True, ylog=True))


def write(k):
    page = kit.Page(k, "hht", "HHT on index 3: orders, errors, conditioning", SOURCE)
    orders_part(k, page)
    estimator_part(k, page)
    adaptive_part(k, page)
    condition_part(k, page)
    page.part("Tables and figures of the paper")
    page.table(["of the paper", "here"], [
        ["Figs. 1-5, poly-V accessory belt", "[machines](machines.md); its data are not published"],
        ["Figs. 6, 7, track of a vehicle", "[machines](machines.md), shoe 8; its data are not published"],
        ["Figs. 8-11, all-terrain vehicle", "[machines](machines.md), reaction at the ball joint; its data are not published"],
        ["Table 1, stresses of its frame", "node, value and instant of the hottest nodes: [guide](../guide/machines.md)"],
        ["HHT beside GSTIFF, all figures", "`bdf` on the [machines](machines.md); IDA on the [slider crank](crank.md)"]])
    page.say("Equation (14) as printed lacks the factor 1/(1 + alpha) on M and on (M acc)_q; `paper` has it.")
    return page.close()
