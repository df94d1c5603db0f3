#!/usr/bin/env python3
"""test_as_c PROGRAM --source DIR --library "A.a B.a" --libraries "klu .."

Every shipped model file as a C program, `trammel models --show NAME --as c`, and as one plain file,
`--as yaml`; random mechanisms too. All have the bits of the run from the file itself."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "random"))
from mechanism import Mechanism  # pylint: disable=wrong-import-position

SEEDS = range(1, 21)
# whole runs take minutes; test_machine_runs.py compares their plain files
LARGE = ("belt", "capstan", "dominoes", "engine", "stack", "track", "vehicle")


def call(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=600, **more)


def file_models(program):
    names = [line.split()[0] for line in call([program, "models"]).stdout.splitlines()]
    for name in names:
        if name not in LARGE and call([program, "models", "--show", name]).stdout.find("\ntrammel: 1") >= 0:
            yield name


def from_file(program, name):
    run = call([program, "run", name, "--json", "--quiet"])
    result = json.loads(run.stdout)
    if run.returncode != 0:
        return [result["message"]]
    values = [("time", [result["time"]])]
    values += [(key, list(result[long].values()))
               for key, long in (("q", "coordinates"), ("v", "velocities"))]
    return [f"{key} {number:.17g}" for key, numbers in values for number in numbers]


def from_yaml(program, name, folder):
    path = os.path.join(folder, os.path.basename(name) + ".again.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(call([program, "models", "--show", name, "--as", "yaml"]).stdout)
    return from_file(program, path)


def from_c(options, name, folder):
    made = os.path.join(folder, os.path.basename(name) + ".program")
    source = made + ".c"
    with open(source, "w", encoding="utf-8") as file:
        file.write(call([options.program, "models", "--show", name, "--as", "c"]).stdout)
    built = call([options.compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-O0",
                  *options.flags.split(), f"-I{options.source}/include", source,
                  *options.library.split(), *("-l" + n for n in options.libraries.split()),
                  "-o", made])
    if built.returncode != 0:
        return [built.stderr]
    run = call([made], cwd=os.path.join(options.source, "models"))
    os.remove(made)
    return (run.stdout + run.stderr).splitlines()


def compare(options, name, folder):
    c, file = from_c(options, name, folder), from_file(options.program, name)
    again = from_yaml(options.program, name, folder)
    if again != file:
        return f"{name}: as one file {set(again) ^ set(file)}"
    for a, b in zip(c + ["nothing"], file + ["nothing"]):
        if a != b:
            return f"{name}: from C '{a}', from its file '{b}'"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    for name in ("source", "compiler", "library", "libraries"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--flags", default="")
    options = parser.parse_args()
    names = [*file_models(options.program),
             *(f"{options.source}/tests/data/model/{name}.yaml" for name in ("odd-names", "bands"))]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        for seed in SEEDS:
            names.append(os.path.join(folder, f"seed-{seed}.yaml"))
            with open(names[-1], "w", encoding="utf-8") as file:
                file.write(Mechanism(seed).text())
        faults = [f for f in pool.map(lambda n: compare(options, n, folder), names) if f]
    print("\n".join(faults))
    print(f"{len(names)} models, {len(faults)} differ")
    return 1 if faults or len(names) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
