"""What the pages share: runs of the program, files of runs, tables, pages."""

import csv
import datetime
import json
import math
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import h5py


class Failed(Exception):
    """A run that did not come to its end: the sentence of the program."""


class Kit:
    def __init__(self, root, build):
        self.root, self.program, self.bench_folder = root, build / "trammel", build / "bench"
        self.pages = root / "docs/reproduction"
        self.images = self.pages / "images"
        self.images.mkdir(parents=True, exist_ok=True)
        self.headlines = {}
        self.help = self.call("run", "--help")

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reproduce-"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    # ---- the program ------------------------------------------------------------------

    def call(self, *words):
        run = subprocess.run([str(self.program), *map(str, words)], capture_output=True, text=True)
        if run.returncode != 0:
            text = run.stderr.strip() or run.stdout.strip()
            raise Failed(text.splitlines()[0] if text else f"exit code {run.returncode}")
        return run.stdout

    def json(self, *words):
        quiet = () if words[0] == "spectrum" else ("--quiet",)
        return json.loads(self.call(*words, "--json", *quiet))

    def has_integrator(self, name):
        return re.search(rf"--integrator NAME[^-]*\b{name}\b", self.help) is not None

    def file(self, name, *words):
        """A run file, named as its curves shall be called in pictures."""
        path = self.folder / f"{name}.h5"
        self.call("run", *words, "--out", path, "--quiet")
        return path

    def table(self, name, *words):
        """Samples of a run: lists by the names of the columns."""
        path = self.folder / f"{name}.csv"
        self.call("run", *words, "--csv", path, "--quiet")
        with open(path, newline="") as text:
            rows = list(csv.reader(text))
        return {column: [float(row[i]) for row in rows[1:]] for i, column in enumerate(rows[0])}

    def steps(self, path):
        """History of steps in a run file: lists by name."""
        with h5py.File(path) as run:
            names = [name.decode() for name in run["step_names"][:]]
            values = run["steps"][:]
        return {name: [float(row[i]) for row in values] for i, name in enumerate(names)}

    def plot(self, name, files, signals, *words):
        """A picture by `trammel plot`; returns the line that shows it."""
        out = self.images / f"{name}.svg"
        self.call("plot", *files, *signals, "--out", out, "--quiet", *words)
        return out.name

    def bench_program(self, name, *words):
        """Lines of a program of bench/ as dictionaries; none if it is not there."""
        path = self.bench_folder / name
        if not path.exists():
            return []
        run = subprocess.run([path, *map(str, words)], capture_output=True, text=True, check=True)
        rows = []
        for line in run.stdout.splitlines():
            first, *rest = line.split()
            rows.append({"what": first, **{k: number(v) for k, v in (w.split("=", 1) for w in rest)}})
        return rows

    # ---- headlines: figures that a test computes again -----------------------------------

    def headline(self, page, name, value, shown, words, path, factor, over=None):
        """`words` for the program give JSON with the value at `path`, divided by that at `over`,
        within the factor; `shown` is how it stands in the page."""
        self.headlines[f"{page}: {name}"] = {
            "page": page, "value": value, "shown": shown, "command": [str(word) for word in words],
            "path": path, "over": over, "factor": factor}

    def save_headlines(self, names):
        path = self.pages / "headlines.json"
        old = json.loads(path.read_text()) if path.exists() else {}
        kept = {k: v for k, v in old.items() if v["page"] not in names}
        path.write_text(json.dumps({**kept, **self.headlines}, indent=1, sort_keys=True) + "\n")

    # ---- where and when -------------------------------------------------------------------

    def origin(self):
        def git(*words):
            return subprocess.run(["git", "-C", self.root, *words], capture_output=True,
                                  text=True).stdout.strip()
        changed = git("status", "--porcelain", "--", "src", "apps", "include", "models")
        commit = (git("rev-parse", "--short=10", "HEAD") or "unknown") + (
            " with changes" if changed else "")
        date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
        return f"Run of {date}, commit {commit}, {processor()}, {platform.system()}."


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def at(tree, path):
    """A value inside JSON: `coordinates.x`, `rows.0.scd`."""
    for part in path.split("."):
        tree = tree[int(part)] if isinstance(tree, list) else tree[part]
    return tree


# ---- text ---------------------------------------------------------------------------------

def short(value, digits=3):
    """A number for a table; text and None as they are."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{digits}g}"
    mantissa, _, power = text.partition("e")
    return f"{mantissa}e{int(power)}" if power else text


class Page:
    def __init__(self, kit, name, title, source):
        self.kit, self.name, self.lines = kit, name, []
        self.say(f"# {title}")
        self.say(f"Source: {source}")
        self.say(f"Written by `make reproduce`, not by hand. {kit.origin()}")
        self.say("*Paper*: what the paper prints. *Ours*: from this run. Commands can be typed as they "
                 "stand, with `build/` in front of `trammel`.")

    def say(self, *sentences):
        self.lines += [*sentences, ""]

    def part(self, title):
        self.say(f"## {title}")

    def command(self, *lines):
        self.say(*("    " + line for line in lines))

    def points(self, lines):
        self.say(*("- " + line for line in lines))

    def table(self, header, rows, digits=3):
        self.say("| " + " | ".join(header) + " |", "|" + "---|" * len(header),
                 *("| " + " | ".join(short(cell, digits) for cell in row) + " |" for row in rows))

    def figure(self, words, image):
        self.say(f"![{words}](images/{image})")

    def close(self):
        text = "\n".join(self.lines).rstrip() + "\n"
        (self.kit.pages / f"{self.name}.md").write_text(text)
        return True


def order(errors, steps):
    """Observed order between the last two."""
    if len(errors) < 2 or not (errors[-1] > 0 and errors[-2] > 0):
        return math.nan
    return math.log(errors[-2] / errors[-1]) / math.log(steps[-2] / steps[-1])


def largest_difference(a, b, names):
    """Largest distance of two tables of samples, euclidean over the named columns."""
    return max(math.sqrt(sum((a[n][i] - b[n][i]) ** 2 for n in names)) for i in range(len(a["t"])))


def note(text):
    print(f"  {text}", file=sys.stderr)
