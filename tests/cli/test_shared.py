#!/usr/bin/env python3
"""test_shared STATIC SHARED SOURCE PLUGINS - the program linked with the shared libraries does what the
one with the archives does, to the bit: models, run files, restart, exports, plots, plug-ins, meshes."""

import pathlib
import subprocess
import sys
import tempfile

MODEL = """trammel: 1
bodies:
  a: {density: 1000, shape: {mesh: {file: %s/tests/data/model/tetrahedron.stl}}, at: [1, 0, 0]}
forces:
  s: {type: plugin, body: a, library: %s/spring_plugin.so, function: spring, parameters: [13, 3, .4]}
simulate: {end: .5}
"""
FLEXIBLE = """trammel: 1
flexible:
  b:
    mesh: %s/tests/data/model/bricks.inp
    length: mm
    material: {E: 2.1e11, nu: 0.3, density: 7850}
    interfaces: {a: {nodes: LEFT}}
    modes: {fixed: 3}
    angular_velocity: [1, 2, 3]
simulate: {end: 1e-4}
"""
COMMANDS = [
    ["models"],
    ["models", "--show", "quarter-car"],
    ["schema"],
    ["schema", "reference"],
    ["check", "slider-crank-typed", "--json"],
    ["run", "slider-crank", "--end", "0.02", "--csv", "crank.csv", "--out", "crank.h5", "--quiet"],
    ["run", "--restart", "crank.h5", "--end", "0.03", "--out", "more.h5", "--csv", "more.csv",
     "--quiet"],
    ["run", "quarter-car", "--integrator", "radau", "--csv", "car.csv", "--quiet"],
    ["run", "outside.yaml", "--plugins", "--csv", "outside.csv", "--quiet"],
    ["modal", "bricks.yaml"],
    ["modal", "bricks.yaml", "--json"],
    ["run", "bricks.yaml", "--csv", "bricks.csv", "--quiet"],
    ["modes", "pendulum", "--at", "static"],
    ["static", "chain", "--set", "links=4"],
    ["plot", "crank.h5", "phi1", "--out", "crank.svg"],
    ["plot", "crank.h5", "phi1"],
    ["export", "crank.h5", "--out", "crank.mat"],
    ["run", "pendulum", "--tolerance", "2"],
    ["run", "pendulun"],
    ["spectrum", "--integrator", "hht"],
]
FILES = ["bricks.csv", "crank.csv", "more.csv", "car.csv", "outside.csv", "crank.svg", "crank.mat"]


def outcome(program, source, plugins):
    """Codes and texts of all commands, and the bytes of the files they write."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "outside.yaml").write_text(MODEL % (source, plugins))
        (pathlib.Path(folder) / "bricks.yaml").write_text(FLEXIBLE % source)
        found = []
        for command in COMMANDS:
            run = subprocess.run([program, *command], cwd=folder, capture_output=True, text=True,
                                 timeout=300)
            found.append((" ".join(command), (run.returncode, run.stdout, run.stderr)))
        for name in FILES:
            path = pathlib.Path(folder) / name
            found.append((name, path.read_bytes() if path.exists() else None))
        return found


def main():
    static, shared, source, plugins = sys.argv[1:5]
    one, two = (outcome(str(pathlib.Path(p).resolve()), source, plugins) for p in (static, shared))
    failures = 0
    for (what, a), (_, b) in zip(one, two):
        wanted = 2 if what.startswith(("run pendulun", "run pendulum")) else 0
        if a != b:
            print(f"{what}: with archives {a!r:.500}\n  with shared libraries {b!r:.500}")
        elif a is None or (isinstance(a, tuple) and a[0] != wanted):
            print(f"{what}: {a}")
        else:
            continue
        failures += 1
    needs = subprocess.run(["readelf", "-d", shared], capture_output=True, text=True).stdout
    if "libtrammel.so" not in needs or "libtrammel-io.so" not in needs:
        print("the shared program does not use the shared libraries")
        failures += 1
    print(f"{len(one)} comparisons, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
