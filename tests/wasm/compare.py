#!/usr/bin/env python3
"""compare.py TRAMMEL COMMAND.. - the time loop alone gives the results of the program.

COMMAND is the program of tests/wasm/loop.c: `node build-wasm/loop.js`, or a native build. Every
number of positions and velocities at the end must agree to 1e-12 of the largest of its list."""

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
LIMIT = 1e-12


def call(words):
    run = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {run.returncode}: {run.stderr}{run.stdout}")
    return run.stdout


def main():
    program, command = sys.argv[1], sys.argv[2:]
    worst, failed = 0.0, 0
    for name, method, tolerance, end in RUNS:
        model = SWING if name == "swing" else name
        run = json.loads(call([program, "run", model, "--integrator", method, "--tolerance",
                               tolerance, "--end", end, "--json"]))
        lines = [line.split() for line in call([*command, name, method, tolerance, end]).splitlines()]
        for key, letter in (("coordinates", "q"), ("velocities", "v")):
            wanted = list(run[key].values())
            found = [float(value) for kind, value in lines if kind == letter]
            size = max(1.0, *(abs(value) for value in wanted))
            off = max(abs(a - b) for a, b in zip(found, wanted)) / size
            worst = max(worst, off)
            if len(found) == len(wanted) and off <= LIMIT:
                continue
            failed += 1
            print(f"{name} {method}: {key} differ by {off:.2e} of {size:.3g}")
    print(f"{len(RUNS)} runs, largest difference {worst:.1e}, limit {LIMIT}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
