#!/usr/bin/env python3
"""test_as_c PROGRAM --source DIR --library "A.a B.a" --libraries "klu .."

Every shipped model file as a C program: `trammel models --show NAME --as c` is compiled and run, and
its state at the end has the bits of the run from the file."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile


def call(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=600, **more)


def file_models(program):
    names = [line.split()[0] for line in call([program, "models"]).stdout.splitlines()]
    for name in names:
        if call([program, "models", "--show", name]).stdout.find("\ntrammel: 1") >= 0:
            yield name


def from_file(program, name):
    run = call([program, "run", name, "--json", "--quiet"])
    result = json.loads(run.stdout)
    values = [("time", [result["time"]])]
    values += [(key, list(result[long].values()))
               for key, long in (("q", "coordinates"), ("v", "velocities"), ("lam", "multipliers"))]
    return [f"{key} {number:.17g}" for key, numbers in values for number in numbers]


def from_c(options, name, folder):
    source, made = os.path.join(folder, name + ".c"), os.path.join(folder, name)
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
    # reactions of a model without any are not printed, nonholonomic ones only by the file
    file = file[:len(c)] if len(file) > len(c) and c == file[:len(c)] else file
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
    names = list(file_models(options.program))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [f for f in pool.map(lambda n: compare(options, n, folder), names) if f]
    print("\n".join(faults))
    print(f"{len(names)} models, {len(faults)} differ")
    return 1 if faults or len(names) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
