"""program.py - how the tests call the program and what they expect of it."""

import atexit
import csv
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""   # set by test_program.py
TIMEOUT = 120  # seconds, generous for builds with sanitizers

RUN_KEYS = ["trammel", "model", "status", "integrator", "formulation", "solver", "time", "steps",
            "resumed_from", "rejected_error", "rejected_newton", "newton_iterations", "residuals",
            "jacobians", "factorizations", "solves", "lu_entries", "cpu_seconds",
            "cpu_setup_seconds", "step_min", "step_max", "coordinates", "velocities",
            "accelerations", "multipliers", "states", "variables", "inputs", "outputs",
            "measures", "energy",
            "errors", "violation", "units", "notes"]
BENCH_KEYS = RUN_KEYS + ["tolerance", "attempted", "scd", "mescd"]
ERROR_KEYS = ["status", "code", "message", "object", "time", "step"]
CHECK_KEYS = ["freedoms", "rank", "coordinates", "constraints", "redundant",
              "reactions_not_unique", "assembled", "moved", "warnings", "freedoms_by_count",
              "dependent_sets", "moved_objects", "frequency_min_hz", "frequency_max_hz",
              "frequency_note", "recommended", "bodies", "total",
              "parts", "joints", "contacts", "modes"]
# models of hundreds of bodies, whose runs take minutes; test_machine_runs.py looks at more of them
LARGE = {"belt": 2e-4, "capstan": 2e-3, "dominoes": 2e-3, "engine": 2e-5, "stack": 0.02,
         "track": 0.01, "vehicle": 5e-3}
KINDS = ["position", "velocity", "acceleration", "multiplier", "state", "variable"]


def call(*words, **more):
    """Run the program; text in and out."""
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=TIMEOUT,
                          **more)


def wait_for(path):
    """Until a file is there, however busy the machine is."""
    end = time.monotonic() + TIMEOUT
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise AssertionError(f"{path} has not been written in {TIMEOUT} s")
        time.sleep(0.01)


def shared_folder():
    """A folder for files that several tests read; it goes when the tests end."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def strict(text):
    """JSON without NaN or Infinity."""
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    return json.loads(text, parse_constant=refuse)


@functools.lru_cache(None)
def is_sanitized():
    """Is it the program with sanitizers? There a start takes 50 ms, most of the time of these tests.
    Sanitizers look at what the program does with memory: what does the same once more, to look at
    other words that it prints, is left to the program without them."""
    with open(PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


@functools.lru_cache(None)
def models():
    return [line.split()[0] for line in call("models").stdout.splitlines()]


def models_to_run():
    """All models; without the large ones, which do the same with memory for minutes, where
    sanitizers look."""
    return [name for name in models() if not (is_sanitized() and name in LARGE)]


@functools.lru_cache(None)
def about(name):
    """What the program says of a model."""
    return call("models", name).stdout


@functools.lru_cache(None)
def checked(name):
    """What `check` finds in a built-in model."""
    return call("check", name, "--json")


def usual_end(name):
    """End of the usual run of a built-in problem or shipped model [s]; of large ones the time that
    some dozens of steps take."""
    shown = about(name)
    if name in LARGE:
        return LARGE[name]
    found = re.search(r"usual end: (\S+) s", shown) or re.search(r"\bend: *([-+.0-9eE]+)", shown)
    return float(found.group(1))


def is_shipped(name):
    """A model file inside the program, not a problem written in C."""
    return not about(name).startswith(f"{name}:")


class Summary(unittest.TextTestResult):
    """The slowest tests and the numbers of all results at the end."""
    passed = 0

    def startTestRun(self):
        self.seconds = {}

    def startTest(self, test):
        super().startTest(test)
        self.begun = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.seconds[test.id().removeprefix("__main__.")] = time.monotonic() - self.begun

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def stopTestRun(self):
        slowest = sorted(self.seconds.items(), key=lambda item: -item[1])[:12]
        for name, seconds in slowest:
            self.stream.writeln(f"{seconds:7.1f} s  {name}")


def run_suite(suite):
    """Run tests, print a closing line; the exit code."""
    result = unittest.TextTestRunner(verbosity=2, resultclass=Summary).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{os.path.basename(sys.argv[0]).removesuffix('.py')}: {result.passed} passed, "
          f"{failed} failed, {len(result.skipped)} skipped", flush=True)
    return 0 if result.wasSuccessful() else 1


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def result(self, *words, **more):
        """The JSON object of a command that must succeed."""
        return self.object_of(call(*words, "--json", **more))

    def object_of(self, run):
        """The JSON object of a run that must have succeeded."""
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count("\n"), 1)
        return strict(run.stdout)

    def refuses(self, code, pattern, *words):
        """The program ends with this code and says so; files of the test may be there."""
        run = call(*words)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertRegex(run.stderr, pattern)

    def fails(self, code, pattern, *words, status=None):
        """The command fails with this exit code and one line that matches; with
        --json the same on stdout. Nothing is left in the folder."""
        if not is_sanitized():
            self.says(code, pattern, *words)
        run = call(*words, "--json", cwd=self.folder)
        self.assertEqual(run.returncode, code, run.stderr)
        error = strict(run.stdout)
        self.assertEqual(list(error), ERROR_KEYS)
        self.assertEqual(error["status"], "error")
        names = {2: "TRM_ERR_INPUT", 4: "TRM_ERR_IO"}
        self.assertEqual(error["code"], status or names[code])
        self.assertTrue(error["message"])
        self.assertEqual(os.listdir(self.folder), [])
        return error

    def says(self, code, pattern, *words):
        """The command fails with this exit code and one line that matches, and perhaps a hint."""
        run = call(*words, cwd=self.folder)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        lines = run.stderr.splitlines()
        self.assertTrue(lines[0].startswith("trammel: "), run.stderr)
        self.assertRegex(lines[0], pattern)
        self.assertLessEqual(len(lines), 2, run.stderr)
        if len(lines) == 2:
            self.assertTrue(lines[1].startswith("hint: "), run.stderr)

    def read_table(self, path):
        """Header and rows of a table; every row is complete."""
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        header, rows = rows[0], rows[1:]
        self.assertEqual(len(set(header)), len(header), header)
        for row in rows:
            self.assertEqual(len(row), len(header))
        return header, [[float(cell) for cell in row] for row in rows]
