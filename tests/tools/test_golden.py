#!/usr/bin/env python3
"""test_golden PROGRAM ROOT - the golden record finds what it must find.

Records two runs, compares them, then changes the record in one place after the other."""

import json
import pathlib
import subprocess
import sys
import tempfile


def golden(root, folder, program, *words):
    run = subprocess.run([sys.executable, "-B", f"{root}/tools/golden", *words[:1],
                          str(pathlib.Path(program).parent), *words[1:], "--folder", folder],
                         capture_output=True, text=True, timeout=600)
    return run.returncode, run.stdout + run.stderr


CHANGES = [
    ("exit code 0 instead of 3", lambda r: r.update(exit=3)),
    ("message gone: trammel: note: once", lambda r: r["messages"].append("trammel: note: once")),
    ("numbers differ, worst steps", lambda r: r["values"][""].update(steps=r["values"][""]["steps"] + 1)),
    ("numbers differ, worst coordinates", lambda r: change_coordinate(r)),
    ("gone: coordinates/lost", lambda r: r["values"]["coordinates"].update(lost=[1.0, -9])),
    ("integrator: 'hht' instead of", lambda r: r["texts"].update(integrator="euler")),
]


def change_coordinate(line):
    name, kept = next(iter(line["values"]["coordinates"].items()))
    line["values"]["coordinates"][name] = [kept[0] + 3 * 10.0 ** kept[1], kept[1]]


def main():
    program, root = sys.argv[1:3]
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("unit-pendulum hht", "seed 3 radau"):
            code, said = golden(root, folder, program, "record", "--only", name, "--reason", "test")
            if code != 0:
                faults.append(f"record {name}: {said}")
        code, said = golden(root, folder, program, "compare", "--only", "unit-pendulum hht")
        if code != 0:
            faults.append(f"the record differs from itself: {said}")
        file = pathlib.Path(folder, "shipped.jsonl")
        text = file.read_text(encoding="utf-8")
        for expected, change in CHANGES:
            line = json.loads(text.splitlines()[0])
            change(line)
            file.write_text(json.dumps(line) + "\n", encoding="utf-8")
            code, said = golden(root, folder, program, "compare", "--only", "unit-pendulum hht")
            if code != 1 or expected not in said:
                faults.append(f"not found: {expected!r}; it says {said!r}")
    for fault in faults:
        print(fault)
    print(f"{len(CHANGES)} changes of a record, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
