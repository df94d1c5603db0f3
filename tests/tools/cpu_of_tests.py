#!/usr/bin/env python3
"""cpu_of_tests BUILD [-R PATTERN] [-LE LABEL] [-j N] [--out FILE] - CPU seconds of every test.

Runs the tests of a build as ctest does and counts user and system time of each with all processes
that it starts, which other work on the machine changes little; half their sum is the time that
two quiet cores take. The longest come first; exit code 1 if a test fails."""

import argparse
import concurrent.futures
import ctypes
import json
import os
import re
import resource
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36  # processes without a parent come to us, so that they are counted


def tests_of(options):
    listed = subprocess.run(["ctest", "--test-dir", options.build, "--show-only=json-v1"],
                            capture_output=True, text=True, check=True)
    for test in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        labels = properties.get("LABELS", [])
        if re.search(options.R, test["name"]) and not (options.LE and options.LE in labels):
            yield test["name"], test["command"], properties


def wait_for_all():
    """Ends when no child is left, or after the second that a browser may take to end."""
    end = time.monotonic() + 1
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.02)
        except ChildProcessError:
            return


def child(command, properties, pipe):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
    begun = time.monotonic()
    run = subprocess.run(command, cwd=properties.get("WORKING_DIRECTORY"), capture_output=True,
                         text=True, errors="replace", env={**os.environ, **environment})
    passed = run.returncode in (0, properties.get("SKIP_RETURN_CODE", 0))
    wall = time.monotonic() - begun
    wait_for_all()
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = "" if passed else (run.stdout + run.stderr)[-3000:]
    with os.fdopen(pipe, "w") as file:
        print(json.dumps([use.ru_utime + use.ru_stime, wall, passed, said]), file=file)


def measure(test):
    name, command, properties = test
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            child(command, properties, into)
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out) as file:
        cpu, wall, passed, said = json.loads(file.readline())  # others may hold its end open
    os.waitpid(pid, 0)
    print(f"{cpu:8.2f} s CPU {wall:8.2f} s  {name}{'' if passed else ': failed'}\n{said}", end="", flush=True)
    return name, cpu, wall, passed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("-R", default="")
    parser.add_argument("-LE", default="")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--out")
    options = parser.parse_args()
    tests = sorted(tests_of(options), key=lambda t: -float(t[2].get("COST", 0)))
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        found = sorted(pool.map(measure, tests), key=lambda row: -row[1])
    print("\nthe longest:")
    for name, cpu, wall, _ in found[:40]:
        print(f"{cpu:8.2f} s CPU {wall:8.2f} s  {name}")
    failed = [name for name, _, _, passed in found if not passed]
    print(f"{sum(row[1] for row in found):8.2f} s CPU, {len(found)} tests, {len(failed)} failed")
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(found, file)
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
