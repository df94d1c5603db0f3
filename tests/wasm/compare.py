#!/usr/bin/env python3
"""compare.py TRAMMEL COMMAND.. - the time loop alone gives the results of the program.

COMMAND is the program of tests/wasm/loop.c: `node build-wasm/loop.js`, or a native build. Every
number of positions and velocities at the end must agree to 1e-12 of the largest of its list. Sines
and powers of another C library differ by rounding: where the program itself changes by more when
its tolerance changes by 1e-15 of itself (bdf, in steps that fast vibrations hold at order 2), ten
times that is allowed."""

import json
import os
import subprocess
import sys

SWING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "swing.yaml")
RUNS = [(name, method, tolerance, end)
        for name, end in (("pendulum", "2"), ("pushed-cart", "2"), ("swing", "0.5"),
                          ("slider-crank", "0.01"))
        for method, tolerance in (("hht", "1e-6"), ("alpha", "1e-6"), ("radau", "1e-9"),
                                  ("tdg", "1e-6"), ("explicit", "1e-9"),
                                  ("bdf", "1e-6"))]
LIMIT, SHAKE = 1e-12, 1e-15
LISTS = (("coordinates", "q"), ("velocities", "v"))


def call(words):
    run = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {run.returncode}: {run.stderr}{run.stdout}")
    return run.stdout


def run(program, model, method, tolerance, end):
    return json.loads(call([program, "run", model, "--integrator", method, "--tolerance", tolerance,
                            "--end", end, "--json"]))


def distance(found, wanted):
    """Largest difference of two lists over the largest number, or over one."""
    if len(found) != len(wanted):
        return float("inf")
    return max(abs(a - b) for a, b in zip(found, wanted)) / max(1.0, *map(abs, wanted))


def rounding(program, words, result):
    """What a change of the tolerance by rounding does to each list."""
    model, method, tolerance, end = words
    shaken = [run(program, model, method, repr(float(tolerance) * (1.0 + k * SHAKE)), end)
              for k in (1, 3)]
    return {key: max(distance(list(other[key].values()), list(result[key].values()))
                     for other in shaken) for key, _ in LISTS}


def main():
    program, command = sys.argv[1], sys.argv[2:]
    worst, failed, excused = 0.0, 0, 0
    for name, method, tolerance, end in RUNS:
        words = (SWING if name == "swing" else name, method, tolerance, end)
        result = run(program, *words)
        lines = [line.split() for line in call([*command, name, *words[1:]]).splitlines()]
        for key, letter in LISTS:
            off = distance([float(value) for kind, value in lines if kind == letter],
                           list(result[key].values()))
            if off <= LIMIT:
                worst = max(worst, off)
                continue
            allowed = 10 * rounding(program, words, result)[key]
            excused += off <= allowed
            failed += off > allowed
            print(f"{name} {method}: {key} differ by {off:.2e}, rounding allows {allowed:.1e}")
    print(f"{len(RUNS)} runs, largest difference {worst:.1e}, limit {LIMIT}; {excused} lists differ "
          f"by rounding, {failed} by more")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
