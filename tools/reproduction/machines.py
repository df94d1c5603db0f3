"""Page of the machines of [HHT]: belt, track and vehicle, hht against bdf, radau and IDA."""

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
AGAIN = 4.0   # a run shorter than this is timed twice, the smaller time counts; timed runs have one sample, because a
              # hundred samples of `track` cost as much as its steps
TOLERANCES = ("1e-3", "1e-4", "1e-5", "1e-6", "1e-7")
METHODS = {"hht si2": ("hht", "si2"), "hht index3": ("hht", "index3"), "bdf si2": ("bdf", "si2"),
           "bdf index3": ("bdf", "index3"), "radau": ("radau", "index3")}
BEST = {"hht": ("hht si2", "hht index3"), "bdf": ("bdf si2", "bdf index3")}
SAMPLES = 100
HEADER = ["method", "tolerance", "steps", "rejected", "Newton failed", "iterations", "Jacobians an iteration",
          "factorizations", "orders", "CPU [s]", "counted [s]", "error"]

# A row of the paper's settings: what is compared, then integrator, form, tolerance and further words of both sides.
# `paper`: its ratio; `settings`: what the paper prints of the integrators; `outputs` with their usual sizes.
MACHINES = {
    "belt": {
        "words": ("--end", "0.005"), "parts": "0.005", "ida": "0.005",
        "outputs": {"alternator.reaction": 300.0, "alternator.speed": 200.0, "crank.speed": 80.0, "arm": 0.1},
        "paper": 2.65,
        "settings": [["ERROR", "1e-4", "1e-5"], ["KMAX", "not printed", "-"], ["MAXIT", "not printed", "not printed"],
                     ["HMAX", "not printed", "not printed"], ["formulation", "not printed", "index 3, the paper's subject"],
                     ["units", "N, kg, ms, mm", "the same"], ["CPU [s]", "1286", "485"]],
        "pairs": [("as printed, index 3", ("bdf", "index3", "1e-4", ()), ("hht", "index3", "1e-5", ())),
                  ("as printed, bdf as SI2 GSTIFF is described: velocities tested",
                   ("bdf", "si2", "1e-4", ("--error-in", "velocities")), ("hht", "index3", "1e-5", ())),
                  ("both a hundred times smaller, as one is 1 mm there",
                   ("bdf", "index3", "1e-6", ()), ("hht", "index3", "1e-7", ()))]},
    "track": {
        "words": ("--end", "0.05"), "parts": "0.05",
        "outputs": {"shoe8.speed": 0.1, "rise": 0.1, "idler.load": 3e5}, "paper": 5.2,
        "settings": [["ERROR", "1e-2", "1e-5"], ["KMAX", "1", "-"], ["MAXIT", "10", "10"],
                     ["HMAX", "not printed", "not printed"], ["formulation", "stabilized index 2", "index 3"],
                     ["CPU [s]", "8988", "1713"]],
        "pairs": [("as printed", ("bdf", "si2", "1e-2", ("--max-order", "1", "--max-iterations", "10")),
                   ("hht", "index3", "1e-5", ("--max-iterations", "10"))),
                  ("as printed, velocities tested",
                   ("bdf", "si2", "1e-2", ("--max-order", "1", "--max-iterations", "10", "--error-in", "velocities")),
                   ("hht", "index3", "1e-5", ("--max-iterations", "10")))]},
    "vehicle": {
        "words": ("--at", "static", "--end", "0.25", "--step-max", "0.02"), "parts": "0.1",
        "outputs": {"ball_joint": 500.0, "engine.pitch": 0.02, "height": 0.02, "load1": 800.0}, "paper": 3.0,
        "settings": [["ERROR", "1e-4", "1e-5"], ["KMAX", "not printed", "-"], ["MAXIT", "not printed", "not printed"],
                     ["HMAX", "5e-4", "5e-4"], ["formulation", "index 3, 927 equations", "index 3, 532 equations"],
                     ["units", "lbf, lbm, inch, s", "the same"], ["CPU [s]", "367.08", "122.47"]],
        "pairs": [("as printed", ("bdf", "index3", "1e-4", ("--step-max", "5e-4")),
                   ("hht", "index3", "1e-5", ("--step-max", "5e-4"))),
                  ("the same with si2", ("bdf", "si2", "1e-4", ("--step-max", "5e-4")),
                   ("hht", "si2", "1e-5", ("--step-max", "5e-4")))]},
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def rms_error(model, samples, truth):
    """Largest rms error of the outputs, each as part of its usual size."""
    return max(math.sqrt(sum((a - b) ** 2 for a, b in zip(samples[name], truth[name])) / len(truth[name])) / scale
               for name, scale in MACHINES[model]["outputs"].items())


class Run:
    """One run: its counters, and its samples of the compared outputs."""

    def __init__(self, k, model, method, tolerance, more=()):
        integrator, form = method
        table = k.folder / "race.csv"
        words = [str(k.program), "run", model, *MACHINES[model]["words"], "--integrator", integrator,
                 "--formulation", form, "--tolerance", tolerance, "--json", "--quiet", *more]
        self.model, self.integrator = model, integrator
        self.fault, self.error, self.counted = None, math.nan, math.nan
        table.unlink(missing_ok=True)
        if not self.simulate([*words, "--outputs", str(SAMPLES), "--csv", str(table)]):
            return
        with open(table, newline="") as text:
            rows = list(csv.reader(text))
        places = {name: rows[0].index(name) for name in MACHINES[model]["outputs"]}
        self.samples = {name: [float(row[i]) for row in rows[1:]] for name, i in places.items()}
        sampled, times = self.found, []
        while not self.fault and len(times) < (2 if sampled["cpu_seconds"] < AGAIN else 1):
            if self.simulate([*words, "--outputs", "1"]):
                times.append(self.found["cpu_seconds"])
        self.found = {**sampled, "cpu_seconds": min(times, default=sampled["cpu_seconds"])}

    def simulate(self, words):
        try:
            done = subprocess.run(words, capture_output=True, text=True, preexec_fn=limit)
            self.found = json.loads(done.stdout)
        except json.JSONDecodeError:
            self.fault = f"no end within {LIMIT} s"
            return False
        if self.found["status"] != "ok":
            self.fault = self.found["message"]
        return self.fault is None

    def compare(self, truth, prices):
        """Error, and work by counts: evaluations, factorizations and solves times what one costs alone."""
        if self.fault is None:
            self.error = rms_error(self.model, self.samples, truth.samples)
        if self.fault is None and prices and self.integrator in ("hht", "bdf"):
            self.counted = 1e-6 * sum(self.found[count] * prices[what] for count, what in (
                ("residuals", "residual"), ("jacobians", "blocks"), ("factorizations", "factor"), ("solves", "solve")))

    def seconds(self):
        return self.found["cpu_seconds"]

    def row(self, name, tolerance):
        if self.fault is not None:
            return [name, tolerance, self.fault[:60], *["-"] * 9]
        f = self.found
        orders = " ".join(f"{key}:{value}" for key, value in f.get("orders", {}).items()) or "-"
        return [name, tolerance, f["steps"], f["rejected_error"], f["rejected_newton"], f["newton_iterations"],
                round(f["jacobians"] / max(1, f["newton_iterations"]), 2), f["factorizations"], orders,
                self.seconds(), self.counted, self.error]


class IdaRun:
    """A run of SUNDIALS IDA on our equations, by bench_machines."""

    def __init__(self, model, line, samples, truth):
        self.fault, self.error, self.counted, self.line = None, math.nan, math.nan, line
        if not samples:
            self.fault = f"failed at {line['reached']:.3g} s"
            return
        self.error = rms_error(model, {name: [row[name] for row in samples] for name in MACHINES[model]["outputs"]},
                               truth.samples)

    def seconds(self):
        return self.line["seconds"]

    def row(self, name):
        line = self.line
        if self.fault is not None:
            return [name, kit.short(line["tolerance"]), self.fault, *["-"] * 9]
        orders = " ".join(part for part in line["orders"].split(",") if not part.endswith(":0"))
        return [name, kit.short(line["tolerance"]), int(line["steps"]), int(line["rejected"]), int(line["failed"]),
                int(line["iterations"]), round(line["jacobians"] / max(1.0, line["iterations"]), 2),
                int(line["jacobians"]), orders, line["seconds"], "-", self.error]


def ida_runs(k, model, truth):
    """Runs of IDA by name: positions and states tested, and velocities too."""
    end = MACHINES[model].get("ida")
    if end is None:
        return {}
    lines = k.bench_program("bench_machines", "ida", model, end, SAMPLES, *MACHINES[model]["outputs"], "--",
                            *TOLERANCES)
    names = {0.0: "IDA", 1.0: "IDA, velocities tested"}
    runs = {name: [] for name in names.values()}
    for line in (line for line in lines if line["what"] == "ida"):
        samples = [s for s in lines if s["what"] == "sample" and s["tolerance"] == line["tolerance"]
                   and s["velocities"] == line["velocities"]]
        runs[names[line["velocities"]]].append(IdaRun(model, line, samples, truth))
    return runs


def at_error(runs, error, measure):
    """CPU or counted work of a method at an error, by straight lines between its runs in logarithms; NaN: not
    reached."""
    points = sorted((r.error, measure(r)) for r in runs if r.fault is None and r.error > 0)
    for (e0, c0), (e1, c1) in zip(points, points[1:]):
        if e0 <= error <= e1:
            part = (math.log(error) - math.log(e0)) / (math.log(e1) - math.log(e0)) if e1 > e0 else 0.0
            return math.exp(math.log(c0) + part * (math.log(c1) - math.log(c0)))
    return math.nan


MEASURES = (lambda run: run.seconds(), lambda run: run.counted)


def ratios(theirs, ours):
    """Ratios of CPU, counted work and errors of two runs."""
    return [*(measure(theirs) / measure(ours) for measure in MEASURES),
            theirs.error / ours.error if ours.error > 0 else math.nan]


def tolerance_rows(race):
    for form in ("si2", "index3"):
        for tolerance in TOLERANCES:
            ours, theirs = race[f"hht {form}", tolerance], race[f"bdf {form}", tolerance]
            if ours.fault is None and theirs.fault is None:
                yield [f"same tolerance, {tolerance}, {form}", *ratios(theirs, ours)]


def paper_rows(k, model, race):
    """The paper's settings, and the rows of these runs."""
    rows, runs = [], []
    for name, *sides in MACHINES[model]["pairs"]:
        pair = []
        for integrator, form, tolerance, more in sides:
            run = Run(k, model, (integrator, form), tolerance, more)
            run.compare(race["truth"], race["prices"])
            runs.append(run.row(f"{integrator} {form} {' '.join(more)}".rstrip(), tolerance))
            pair.append(run)
        fault = pair[0].fault or pair[1].fault
        rows.append([f"the paper's settings: {name}", *([fault[:60], math.nan, math.nan] if fault else ratios(*pair))])
    return rows, runs


def best_at(race, method, error, measure):
    """Least work of the forms of a method at an error; NaN: none has it."""
    found = [at_error([race[name, t] for t in TOLERANCES], error, measure) for name in BEST[method]]
    return min((x for x in found if not math.isnan(x)), default=math.nan)


def equal_rows(race):
    """At the errors of hht: each method, the best bdf, and IDA, over the best hht."""
    errors = sorted({race["hht index3", t].error for t in TOLERANCES if race["hht index3", t].fault is None},
                    reverse=True)
    for error in errors:
        ours = [best_at(race, "hht", error, measure) for measure in MEASURES]
        sides = {"best bdf over best hht": [best_at(race, "bdf", error, m) for m in MEASURES]}
        sides |= {f"{name} over best hht": [at_error([race[name, t] for t in TOLERANCES], error, m) for m in MEASURES]
                  for name in METHODS}
        sides |= {f"{name} over best hht": [at_error(runs, error, m) for m in MEASURES]
                  for name, runs in race["ida"].items()}
        for name, theirs in sides.items():
            cells = [a / b for a, b in zip(theirs, ours)]
            if not math.isnan(cells[0]):
                yield [f"equal error {kit.short(error)}: {name}", *cells, 1.0]


def ratios_part(k, page, model, race):
    """Time of bdf over that of hht: at one tolerance, at the paper's settings, at equal error."""
    settings, runs = paper_rows(k, model, race)
    page.say("The paper's settings:")
    page.table(["", "GSTIFF", "HHT"], MACHINES[model]["settings"])
    page.say("Ours at these settings:")
    page.table(HEADER, runs)
    page.say(f"`bdf`, or the method named, over `hht`; the paper's ratio of CPU is {MACHINES[model]['paper']}.")
    page.table(["compared at", "ratio of CPU", "of counted work", "of errors"],
               [*tolerance_rows(race), *settings, *equal_rows(race)])


def prices_of(k, model):
    """Microseconds of one residual, blocks, factorization and solve alone, by bench_machines."""
    lines = k.bench_program("bench_machines", "parts", model, MACHINES[model]["parts"], "hht", "si2", "1e-5")
    return {line["part"]: line["alone"] for line in lines if line["what"] == "part"}


def truth_part(k, page, model):
    """The converged run, and how far the one before it is off."""
    truth, by = Run(k, model, ("radau", "index3"), "1e-8"), "radau at 1e-8"
    if truth.fault is not None:
        truth, by = Run(k, model, ("radau", "index3"), "1e-7"), "radau at 1e-7"
    if truth.fault is not None:
        page.say(f"No reference: {truth.fault}.")
        return None
    outputs = ", ".join(f"`{name}`" for name in MACHINES[model]["outputs"])
    page.say(f"Errors are the largest of the rms errors of {outputs}, each over its usual size, at {SAMPLES} times, "
             f"against {by}. `hht`, `bdf` and `radau` test positions and states, not velocities unless a row says so. CPU "
             "is that of the time loop of a run with one sample. *Counted*: numbers of residuals, Jacobians, "
             "factorizations and solves, each times what one costs alone (`bench_machines parts`): the machine was busy, "
             "counts do not mind; for `hht` and `bdf`, whose matrices are the same.")
    return truth


def race_part(k, page, model):
    page.part(model.capitalize())
    words = " ".join(MACHINES[model]["words"])
    page.command(f"trammel run {model} {words} --integrator bdf --formulation si2 --tolerance 1e-4")
    truth = truth_part(k, page, model)
    if truth is None:
        return
    race, rows, curves = {"truth": truth, "prices": prices_of(k, model)}, [], []
    for name, method in METHODS.items():
        for tolerance in TOLERANCES:
            run = race[name, tolerance] = Run(k, model, method, tolerance)
            run.compare(truth, race["prices"])
            rows.append(run.row(name, tolerance))
    race["ida"] = ida_runs(k, model, truth)
    rows += [run.row(name) for name, runs in race["ida"].items() for run in runs]
    page.table(HEADER, rows)
    for name, runs in [*((m, [race[m, t] for t in TOLERANCES]) for m in METHODS), *race["ida"].items()]:
        points = [(r.error, r.seconds()) for r in runs if r.fault is None and r.error > 0]
        if points:
            curves.append(chart.Series(name, *zip(*points)))
    page.figure(f"work and precision, {model}", chart.draw(
        k.images / f"machines-{model}.svg", curves, "error", "CPU [s]", f"{model}: work and precision",
        xlog=True, ylog=True))
    ratios_part(k, page, model, race)


def write(k):
    page = kit.Page(k, "machines", "The machines of paper HHT: the race", SOURCE)
    page.say("Data of the paper's models are not published; ours have its counts ([guide](../guide/machines.md)). Runs are the "
             "first part of the usual ones, so that all methods can be compared at one error: later landings of single "
             "segments and shoes differ from run to run. GSTIFF itself was not run; `bdf` stands in for it, and on the belt "
             "IDA of SUNDIALS on the same equations (`bench/ida_system.c`: index 2, exact Jacobian, KLU).")
    for model in MACHINES:
        race_part(k, page, model)
    return page.close()
