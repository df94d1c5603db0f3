#!/usr/bin/env python3
"""test_guide PROGRAM [OWN_SYSTEM] - what the pages of this folder say is true.

    (commands of ```sh blocks are run by tests/tools/check_examples.py)
    the ```c block of own-system.md is own_system.c, character by character, and not above 100 lines
    the ```c block of plugins.md is spring_plugin.c, character by character
    the ```text block of own-system.md is what OWN_SYSTEM prints, numbers to two of their last digit
    what equations.md and mechanisms.md say that PROGRAM prints (an indented block after
     `<!-- said by: WORDS -->`) it prints
    the tables of tolerances in first-steps.md and tolerance.md are what PROGRAM computes, errors and
    steps to a factor; errors of hht fall like tolerance^(2/3)"""

import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FACTOR = 1.4  # by which figures may have changed before the page has to be


def blocks(page, kind):
    text = (HERE / page).read_text()
    for m in re.finditer(rf"^```{kind}\n(.*?)^```", text, re.S | re.M):
        yield text.count("\n", 0, m.start()) + 2, m.group(1)


def says_the_same(a, b):
    """Equal texts, but for numbers that differ by no more than two of their last digit."""
    number = re.compile(r"(-?\d+\.?\d*)")
    parts = [number.split(text) for text in (a, b)]
    if len(parts[0]) != len(parts[1]):
        return False
    for k, (x, y) in enumerate(zip(*parts)):
        if k % 2 == 0 and x.split() != y.split():
            return False
        if k % 2 == 1 and abs(float(x) - float(y)) > 2.1 * 0.1 ** len(x.partition(".")[2]):
            return False
    return True


def example_failures(own_system):
    source = (HERE / "own_system.c").read_text()
    code = [text for _, text in blocks("own-system.md", "c")]
    if code != [source]:
        yield "own-system.md: the code is not that of own_system.c"
    if [text for _, text in blocks("plugins.md", "c")] != [(HERE / "spring_plugin.c").read_text()]:
        yield "plugins.md: the code is not that of spring_plugin.c"
    if source.count("\n") > 100:
        yield "own_system.c: more than 100 lines"
    if own_system is None:
        return
    run = subprocess.run([own_system], capture_output=True, text=True, timeout=300)
    said = "".join(text for _, text in blocks("own-system.md", "text"))
    if run.returncode != 0 or not says_the_same(run.stdout, said):
        yield f"own-system.md: the program ends with {run.returncode} and prints\n{run.stdout}"


def motion(program, folder, *options):
    """Samples of the pendulum (x, y) and the number of steps."""
    table = pathlib.Path(folder) / "motion.csv"
    run = subprocess.run([program, "run", "pendulum", "--outputs", "1000", "--csv", str(table),
                          "--json", *options], capture_output=True, text=True, check=True)
    with open(table, newline="") as file:
        samples = [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]
    return samples, int(re.search(r'"steps": (\d+)', run.stdout).group(1))


def figure_failures(program):
    text = (HERE / "first-steps.md").read_text()
    tables = re.findall(r"^\| `(\w+)`, tolerance .*?\n\|[-|]+\n((?:\|.*\n)+)", text, re.M)
    if [name for name, _ in tables] != ["hht", "explicit"]:
        yield "first-steps.md: a table of tolerances is missing"
    with tempfile.TemporaryDirectory() as folder:
        exact, _ = motion(program, folder, "--integrator", "explicit", "--tolerance", "1e-13")
        for name, rows in tables:
            for row in rows.splitlines():
                tolerance, error, steps = (cell.split()[0] for cell in row.strip("|").split("|"))
                samples, count = motion(program, folder, "--integrator", name, "--tolerance",
                                        tolerance)
                found = 1000 * max(abs(a - b) for p, q in zip(samples, exact) for a, b in zip(p, q))
                for what, said, is_now in (("error", float(error), found), ("steps", float(steps), count)):
                    if not said / FACTOR <= is_now <= said * FACTOR:
                        yield f"first-steps.md: {name} at {tolerance}: {what} {said:g}, now {is_now:g}"


def said_failures(program, page):
    """Messages that a page quotes, for models that stand on it."""
    text = (HERE / page).read_text()
    with tempfile.TemporaryDirectory() as folder:
        for _, model in blocks(page, "yaml"):
            name = re.match(r"# ([\w-]+\.yaml)\n", model).group(1)
            (pathlib.Path(folder) / name).write_text(model)
        quotes = re.findall(r"^<!-- said by: (.*) -->\n\n((?:    .*\n)+)", text, re.M)
        if not quotes:
            yield f"{page}: no message is quoted"
        for words, said in quotes:
            run = subprocess.run([program, *words.split()], capture_output=True, text=True,
                                 cwd=folder, timeout=60)
            if run.stderr.split() != said.split():
                yield f"{page}: `{words}` says\n{run.stderr}"


def samples_of(program, folder, model, *options):
    """Columns of a run by name, and the number of steps."""
    table = pathlib.Path(folder) / "samples.csv"
    run = subprocess.run([program, "run", model, "--outputs", "1000", "--csv", str(table), "--json",
                          *options], capture_output=True, text=True, check=True)
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [float(row[name]) for row in rows] for name in rows[0]}
    return columns, int(re.search(r'"steps": (\d+)', run.stdout).group(1))


def largest(run, exact, *names):
    return max(abs(a - b) for name in names for a, b in zip(run[name], exact[name]))


def relative(run, exact, name):
    """rms of the error over rms of the motion"""
    off = sum((a - b) ** 2 for a, b in zip(run[name], exact[name]))
    return (off / sum(b * b for b in exact[name])) ** 0.5


MEASURES = {  # of the columns between tolerance and steps
    "pendulum": (lambda run, exact: largest(run, exact, "x", "y"),
                 lambda run, exact: largest(run, exact, "lam")),
    "slider-crank": (lambda run, exact: relative(run, exact, "q1"),
                     lambda run, exact: relative(run, exact, "q4")),
}


def tolerance_failures(program):
    text = (HERE / "tolerance.md").read_text()
    tables = re.findall(r"^\| ([\w-]+), `(\w+)`, tolerance .*?\n\|[-|]+\n((?:\|.*\n)+)", text, re.M)
    if len(tables) != 4:
        yield f"tolerance.md: {len(tables)} tables of tolerances, not 4"
    exact = {}
    with tempfile.TemporaryDirectory() as folder:
        for model, integrator, rows in tables:
            if model not in exact:
                exact[model], _ = samples_of(program, folder, model, "--integrator", "explicit",
                                             "--tolerance", "1e-12")
            first = []  # errors of the first column
            for row in rows.splitlines():
                tolerance, *said = (float(cell) for cell in row.strip("|").split("|"))
                run, steps = samples_of(program, folder, model, "--integrator", integrator,
                                        "--tolerance", repr(tolerance))
                found = [measure(run, exact[model]) for measure in MEASURES[model]] + [steps]
                first.append((tolerance, found[0]))
                for column, (old, new) in enumerate(zip(said, found)):
                    if not old / FACTOR <= new <= old * FACTOR:
                        yield (f"tolerance.md: {model} by {integrator} at {tolerance:g}: column "
                               f"{column + 2} says {old:g}, now {new:g}")
            if integrator != "hht":
                continue
            (loose, coarse), (tight, fine) = first[1], first[-1]
            power = math.log(coarse / fine) / math.log(loose / tight)
            if not 0.6 < power < 0.8:
                yield f"tolerance.md: {model}: error like tolerance^{power:.2f}, not ^(2/3)"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = str(pathlib.Path(sys.argv[1]).resolve())
    own_system = str(pathlib.Path(sys.argv[2]).resolve()) if len(sys.argv) == 3 else None
    failures = [*example_failures(own_system), *figure_failures(program),
                *said_failures(program, "equations.md"),
                *said_failures(program, "mechanisms.md"), *tolerance_failures(program)]
    for sentence in failures:
        print(sentence)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
