"""Page of the machines of [HHT]: belt, track and vehicle, hht against bdf and radau."""

import csv
import json
import math
import resource
import subprocess

import chart
import kit

SOURCE = ("[HHT], Negrut, Rampalli, Ottarsson and Sajdak, *On an implementation of the HHT method in the "
          "context of index 3 DAE of multibody dynamics*, Figs. 1-11 and Table 1.")
LIMIT = 300   # seconds of CPU of a run
TOLERANCES = ("1e-3", "1e-4", "1e-5", "1e-6")
METHODS = {"hht si2": ("hht", "si2"), "hht index3": ("hht", "index3"), "bdf si2": ("bdf", "si2"),
           "bdf index3": ("bdf", "index3"), "radau": ("radau", "index3")}
SAMPLES = 100

# start, end, further words, outputs that are compared with their scales, ratio of the paper, and its settings
MACHINES = {
    "belt": {
        "words": ("--end", "0.005"), "outputs": {"alternator.reaction": 300.0, "alternator.speed": 200.0,
                                                "crank.speed": 80.0, "arm": 0.1},
        "paper": 2.65, "bdf": ("bdf", "si2", "1e-4", ()), "hht": ("hht", "si2", "1e-5", ())},
    "track": {
        "words": ("--end", "0.05"), "outputs": {"shoe8.speed": 0.1, "rise": 0.1, "idler.load": 3e5},
        "paper": 5.2, "bdf": ("bdf", "si2", "1e-2", ("--max-order", "1")),
        "hht": ("hht", "index3", "1e-5", ())},
    "vehicle": {
        "words": ("--at", "static", "--end", "0.1"),
        "outputs": {"ball_joint": 500.0, "engine.pitch": 0.02, "height": 0.02, "load1": 800.0},
        "paper": 3.0, "bdf": ("bdf", "si2", "1e-4", ()), "hht": ("hht", "si2", "1e-5", ())},
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


class Run:
    """One run: its counters, and its samples of the compared outputs."""

    def __init__(self, k, model, method, tolerance, more=()):
        integrator, form = method
        table = k.folder / "race.csv"
        words = [str(k.program), "run", model, *MACHINES[model]["words"], "--integrator", integrator,
                 "--formulation", form, "--tolerance", tolerance, "--outputs", str(SAMPLES), "--csv",
                 str(table), "--json", "--quiet", *more]
        self.words, self.fault, self.error = words, None, math.nan
        table.unlink(missing_ok=True)
        try:
            done = subprocess.run(words, capture_output=True, text=True, preexec_fn=limit)
            self.found = json.loads(done.stdout)
        except json.JSONDecodeError:
            self.fault = f"no end within {LIMIT} s"
            return
        if self.found["status"] != "ok":
            self.fault = self.found["message"]
            return
        with open(table, newline="") as text:
            rows = list(csv.reader(text))
        places = {name: rows[0].index(name) for name in MACHINES[model]["outputs"]}
        self.samples = {name: [float(row[i]) for row in rows[1:]] for name, i in places.items()}

    def compare(self, model, truth):
        """Largest rms error of the outputs, each as part of its scale."""
        if self.fault is None:
            self.error = max(math.sqrt(sum((a - b) ** 2 for a, b in zip(self.samples[name], truth.samples[name]))
                                       / len(truth.samples[name])) / scale
                             for name, scale in MACHINES[model]["outputs"].items())

    def row(self, name, tolerance):
        if self.fault is not None:
            return [name, tolerance, self.fault[:60], *["-"] * 8]
        f = self.found
        orders = " ".join(f"{key}:{value}" for key, value in f.get("orders", {}).items()) or "-"
        return [name, tolerance, f["steps"], f["rejected_error"], f["rejected_newton"], f["newton_iterations"],
                round(f["jacobians"] / max(1, f["newton_iterations"]), 2), f["factorizations"], orders,
                f["cpu_seconds"], self.error]


def time_at(runs, error):
    """CPU of a method at an error, by straight lines between its runs in logarithms; None: not reached."""
    points = sorted((r.error, r.found["cpu_seconds"]) for r in runs if r.fault is None and r.error > 0)
    for (e0, c0), (e1, c1) in zip(points, points[1:]):
        if e0 <= error <= e1:
            part = (math.log(error) - math.log(e0)) / (math.log(e1) - math.log(e0)) if e1 > e0 else 0.0
            return math.exp(math.log(c0) + part * (math.log(c1) - math.log(c0)))
    return None


def ratios_part(k, page, model, race):
    """Time of bdf over that of hht: at one tolerance, at the paper's settings, at equal error."""
    rows = []
    for tolerance in TOLERANCES:
        ours, theirs = race["hht si2", tolerance], race["bdf si2", tolerance]
        if ours.fault is None and theirs.fault is None:
            rows.append([f"same tolerance, {tolerance}", theirs.found["cpu_seconds"] / ours.found["cpu_seconds"],
                         theirs.error / ours.error if ours.error > 0 else math.nan])
    settings = MACHINES[model]
    pair = {}
    for side in ("bdf", "hht"):
        integrator, form, tolerance, more = settings[side]
        pair[side] = Run(k, model, (integrator, form), tolerance, more)
        pair[side].compare(model, race["truth"])
    if all(run.fault is None for run in pair.values()):
        rows.append([f"the paper's settings: bdf {settings['bdf'][2]}"
                     f"{' order 1' if settings['bdf'][3] else ''}, hht {settings['hht'][1]} {settings['hht'][2]}",
                     pair["bdf"].found["cpu_seconds"] / pair["hht"].found["cpu_seconds"],
                     pair["bdf"].error / pair["hht"].error])
    else:
        rows.append(["the paper's settings", pair["bdf"].fault or pair["hht"].fault, math.nan])
    for name in METHODS:
        if name == "hht si2":
            continue
        runs = [race[name, t] for t in TOLERANCES]
        for tolerance in ("1e-4", "1e-5"):
            ours = race["hht si2", tolerance]
            cost = None if ours.fault is not None else time_at(runs, ours.error)
            if cost is not None:
                rows.append([f"equal error {kit.short(ours.error)}: {name} over hht si2",
                             cost / ours.found["cpu_seconds"], 1.0])
    page.say(f"Time of `bdf` (or the method named) over that of `hht`; the paper's ratio is {settings['paper']}.")
    page.table(["compared at", "ratio of CPU", "ratio of errors"], rows)


def race_part(k, page, model):
    page.part(model.capitalize())
    words = " ".join(MACHINES[model]["words"])
    page.command(f"trammel run {model} {words} --integrator bdf --formulation si2 --tolerance 1e-4")
    truth = Run(k, model, ("radau", "index3"), "1e-7")
    by = "radau at 1e-7"
    if truth.fault is not None:
        truth, by = Run(k, model, ("hht", "si2"), "1e-7"), "hht at 1e-7"
    if truth.fault is not None:
        page.say(f"No reference: {truth.fault}.")
        return
    race, rows, curves = {"truth": truth}, [], []
    for name, method in METHODS.items():
        for tolerance in TOLERANCES:
            run = race[name, tolerance] = Run(k, model, method, tolerance)
            run.compare(model, truth)
            rows.append(run.row(name, tolerance))
        points = [(r.error, r.found["cpu_seconds"]) for r in (race[name, t] for t in TOLERANCES)
                  if r.fault is None and r.error > 0]
        if points:
            curves.append(chart.Series(name, *zip(*points)))
    outputs = ", ".join(f"`{name}`" for name in MACHINES[model]["outputs"])
    page.say(f"Errors are the largest of the rms errors of {outputs}, each over its usual size, at {SAMPLES} times, "
             f"against {by}. `hht`, `bdf` and `radau` test positions and states, none tests velocities. CPU is that "
             "of the time loop.")
    page.table(["method", "tolerance", "steps", "rejected", "Newton failed", "iterations", "Jacobians an iteration",
                "factorizations", "orders", "CPU [s]", "error"], rows)
    page.figure(f"work and precision, {model}", chart.draw(
        k.images / f"machines-{model}.svg", curves, "error", "CPU [s]", f"{model}: work and precision",
        xlog=True, ylog=True))
    ratios_part(k, page, model, race)


def write(k):
    page = kit.Page(k, "machines", "The machines of paper HHT: the race", SOURCE)
    page.say("Data of the paper's models are not published; ours have its counts ([guide](../guide/machines.md)). Runs are the "
             "first part of the usual ones, so that all methods can be compared at one error: later landings of single "
             "segments and shoes differ from run to run. GSTIFF itself was not run; `bdf` stands in for it.")
    for model in MACHINES:
        race_part(k, page, model)
    return page.close()
