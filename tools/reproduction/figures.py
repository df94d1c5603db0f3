"""Page of the curves that [HHT] draws of its machines: hht beside bdf, and the stresses of its Table 1."""

import csv
import json
import subprocess

import chart
import kit
import machines

PSI = 6894.757   # pascals in one lbf/inch^2

# Runs of both methods, and the curves: figure of the paper, column, unit, what the paper says of the difference.
RUNS = {
    "belt": {
        "words": ("--outputs", "400"), "hht": ("si2", "1e-5"), "bdf": ("si2", "1e-4"), "time": "200 ms, the paper's",
        "curves": [("Figs. 2, 3", "alternator.reaction", "N", 0.03), ("Figs. 4, 5", "alternator.speed", "rad/s", 0.01)]},
    "track": {
        "words": ("--end", "1.5", "--outputs", "300"), "hht": ("index3", "1e-5"), "bdf": ("si2", "1e-4"),
        "time": "1.5 s of the paper's 14 s",
        "curves": [("Fig. 7", "shoe8.speed", "m/s", None), ("Fig. 7", "shoe8.acceleration", "m/s^2", None)]},
    "vehicle": {
        "words": ("--at", "static", "--outputs", "400"), "hht": ("index3", "1e-5"), "bdf": ("index3", "1e-4"),
        "time": "2 s, the paper's",
        "curves": [("Fig. 9", "ball_joint", "N", None), ("Figs. 10, 11", "engine.wy", "rad/s", 0.016)]},
}


class Curves:
    """Samples of one run, and its file."""

    def __init__(self, k, model, method):
        form, tolerance = RUNS[model][method]
        table, self.file = k.folder / f"{model}-{method}.csv", k.folder / f"{model}-{method}.h5"
        words = [str(k.program), "run", model, *RUNS[model]["words"], "--integrator", method, "--formulation", form,
                 "--tolerance", tolerance, "--csv", str(table), "--out", str(self.file), "--json", "--quiet"]
        self.command = " ".join(["trammel", *words[1:-6]])
        self.found = json.loads(subprocess.run(words, capture_output=True, text=True).stdout)
        if self.found["status"] != "ok":
            raise kit.Failed(self.found["message"])
        with open(table, newline="") as text:
            rows = list(csv.reader(text))
        self.of = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])
                   if name == "t" or any(name == curve[1] for curve in RUNS[model]["curves"])}


def difference_row(ours, theirs, curve):
    """Largest and rms difference of the two, over the largest value."""
    figure, name, _, bound = curve
    a, b = ours.of[name], theirs.of[name]
    peak = max(map(abs, a))
    most = max(abs(x - y) for x, y in zip(a, b)) / peak
    rms = (sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)) ** 0.5 / peak
    peaks = abs(max(map(abs, b)) - peak) / peak
    verdict = "not decidable: the paper gives no number" if bound is None else (
        "reproduced" if most <= bound else "peaks agree, single instants do not" if peaks <= bound else "refuted")
    return [figure, f"`{name}`", "-" if bound is None else f"{100 * bound:g} %",
            *(f"{100 * value:.3g} %" for value in (most, rms, peaks)), verdict]


def stress_part(k, page, runs):
    page.part("Table 1: hot spots of the frame")
    page.command("trammel run vehicle --at static --out car.h5", "trammel stress car.h5 --top 10")
    spots = {m: k.json("stress", run.file, "--top", "10")["flexible"]["frame"]["hot_spots"] for m, run in runs.items()}
    theirs = {spot["node"]: spot for spot in spots["bdf"]}
    rows = []
    for i, spot in enumerate(spots["hht"]):
        other = theirs.get(spot["node"])
        off = "not among its ten" if other is None else f"{100 * (spot['mises'] / other['mises'] - 1):.2g} %"
        rows.append([i + 1, spot["node"], spot["mises"] / PSI, spot["time"], off])
    page.table(["", "node", "von Mises, hht [lbf/inch^2]", "at [s]", "hht over bdf"], rows, digits=5)
    page.say("The paper's: point 23956 with 300 738 (GSTIFF) and 300 768 (HHT) lbf/inch^2 at 1.104 s down to point 23007 with "
             "170 191 and 170 375 at 1.1 s: the same ten points and instants, -0.41 % to 0.44 % apart. Its frame, with other "
             "points and a stress beyond the strength of most steels, is not published: values cannot be compared, that both "
             "methods agree can.")


def machine_part(k, page, model):
    page.part({"belt": "Figures 1 to 5: belt", "track": "Figures 6 and 7: track",
               "vehicle": "Figures 8 to 11: vehicle"}[model])
    runs = {method: Curves(k, model, method) for method in ("hht", "bdf")}
    page.command(*(run.command for run in runs.values()))
    page.say(f"{RUNS[model]['time']}. " + ", ".join(
        f"`{m}` {run.found['steps']} steps, {run.found['cpu_seconds']:.3g} s" for m, run in runs.items()) + ".")
    page.table(["of the paper", "curve", "difference of the two: paper, below", "ours, largest", "ours, rms",
                "ours, of the peaks", "verdict"], [difference_row(runs["hht"], runs["bdf"], curve)
                                                    for curve in RUNS[model]["curves"]])
    for _, name, unit, _ in RUNS[model]["curves"]:
        page.figure(f"{name} of the {model}", chart.draw(
            k.images / f"figures-{model}-{name.replace('.', '-')}.svg",
            [chart.Series(method, run.of["t"], run.of[name], marks=False, dashed=method == "bdf")
             for method, run in runs.items()], "t [s]", f"{name} [{unit}]", f"{model}: {name}"))
    return runs


def write(k):
    page = kit.Page(k, "figures", "The machines of paper HHT: its figures and Table 1", machines.SOURCE)
    page.say("What the paper draws: one integrator beside the other. Ours: `hht` and `bdf` at the paper's tolerances. Differences "
             "are over the largest value of the curve. Figs. 1, 6 and 8 are pictures of the models: `trammel models --show`, and "
             "the [page](../guide/page.md). How fast they are: [machines](machines.md).")
    for model in RUNS:
        runs = machine_part(k, page, model)
    stress_part(k, page, runs)
    return page.close()
