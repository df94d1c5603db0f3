"""losses.py - nothing is lost: outputs over inputs, signals at any moment, kills."""

import os
import random
import signal
import subprocess
import time

import h5py
import numpy

import program
from program import Case, call, strict

MODEL = """trammel: 1
include: [part.yaml]
tables: {push: {file: push.csv, x: 1, y: 2, interpolation: linear}}
equations:
  coordinates: {x: {value: 1}}
  kinetic: 0.5*x'^2
  potential: 0.5*k*x^2
  forces: {x: push(time)}
simulate: {end: 1}
"""
PART = "parameters: {k: 4}\n"
PUSH = "0, 0\n1, 1\n2, 0\n"
WAIT = 1.0  # seconds until a program runs for sure, on a busy machine with sanitizers


class SameFile(Case):
    """An output that is an input, or the other output, is refused; nothing is lost."""

    def setUp(self):
        super().setUp()
        for name, text in (("m.yaml", MODEL), ("part.yaml", PART), ("push.csv", PUSH)):
            with open(self.path(name), "w") as file:
                file.write(text)
        run = call("run", "m.yaml", "--out", "old.h5", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)

    def contents(self):
        found = {}
        for name in sorted(os.listdir(self.folder)):
            with open(self.path(name), "rb") as file:
                found[name] = file.read()
        return found

    def refused(self, pattern, *words):
        before = self.contents()
        run = call(*words, cwd=self.folder)
        self.assertEqual(run.returncode, 2, (words, run.stderr))
        self.assertRegex(run.stderr, rf"\Atrammel: .*{pattern}.*: give another name\n\Z")
        self.assertEqual(self.contents(), before, words)

    def test_inputs_and_links_to_them(self):
        for i, name in enumerate(("m.yaml", "part.yaml", "push.csv")):
            os.link(self.path(name), self.path(f"hard{i}"))
            os.symlink(name, self.path(f"soft{i}"))
            for option in ("--out", "--csv"):
                for path in (name, f"./{name}", f"hard{i}", f"soft{i}"):
                    self.refused(rf"{option}: '{path}' is .*'{name}'", "run", "m.yaml", option, path)

    def test_meshes_and_libraries(self):
        with open(self.path("mesh.stl"), "w") as file:
            file.write("solid s\n" + "".join(
                f"facet normal 0 0 0\nouter loop\n{''.join(f'vertex {v}' + chr(10) for v in f)}"
                "endloop\nendfacet\n" for f in (("0 0 0", "0 1 0", "1 0 0"),
                ("0 0 0", "1 0 0", "0 0 1"), ("0 0 0", "0 0 1", "0 1 0"),
                ("1 0 0", "0 1 0", "0 0 1"))) + "endsolid s\n")
        with open(self.path("solid.yaml"), "w") as file:
            file.write("trammel: 1\nbodies:\n  b: {density: 1000, shape: {mesh: {file: mesh.stl}}}\n"
                       "simulate: {end: 0.1}\n")
        run = call("run", "solid.yaml", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        os.symlink("mesh.stl", self.path("link"))
        self.refused(r"--csv: 'link' is .*'mesh\.stl'", "run", "solid.yaml", "--csv", "link")
        plugin = os.path.join(os.path.dirname(program.PROGRAM), "plugins", "spring_plugin.so")
        with open(plugin, "rb") as source, open(self.path("own.so"), "wb") as file:
            file.write(source.read())
        with open(self.path("plug.yaml"), "w") as file:
            file.write("trammel: 1\nbodies:\n  ground: {markers: {o: {at: [0, 0, 0]}}}\n"
                       "  b: {mass: 1, inertia: [1, 1, 1], at: [1, 0, 0], markers: {o: {}}}\n"
                       "forces:\n  s: {type: plugin, library: own.so, function: spring_exact, "
                       "markers: [ground.o, b.o], parameters: [1000, 20, 0.3]}\n"
                       "simulate: {end: 0.1}\n")
        run = call("run", "plug.yaml", "--plugins", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.refused(r"--out: 'own\.so' is .*own\.so'", "run", "plug.yaml", "--out", "own.so")

    def test_outputs_that_meet(self):
        os.symlink("new.h5", self.path("ahead"))
        os.symlink(".", self.path("here"))
        for out, table in (("a.h5", "a.h5"), ("./a.h5", "a.h5"), ("a.h5", "here/a.h5"),
                           ("new.h5", "ahead"), ("ahead", self.path("new.h5")),
                           ("old.h5", "./old.h5")):
            before = sorted(os.listdir(self.folder))
            run = call("run", "m.yaml", "--out", out, "--csv", table, cwd=self.folder)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, rf"\Atrammel: .*--csv: '{table}' is also the file of --out, "
                                         rf"'{out}': give another name\n\Z")
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_run_files(self):
        os.link(self.path("old.h5"), self.path("old.svg"))
        os.symlink("old.h5", self.path("old.csv"))
        self.refused(r"'old\.svg' is .*'old\.h5'", "plot", "old.h5", "x", "--out", "old.svg")
        self.refused(r"'old\.csv' is .*'old\.h5'", "export", "old.h5", "--out", "old.csv")
        for option in ("--out", "--csv"):
            self.refused(rf"{option}: 'old\.csv' is the file to continue from", "run", "--restart",
                         "old.h5", option, "old.csv")
            self.refused(rf"{option}: 'part\.yaml' is .*'part\.yaml'", "run", "m.yaml", "--restart",
                         "old.h5", option, "part.yaml")

    def test_other_names_work(self):
        run = call("run", "m.yaml", "--out", "new.h5", "--csv", "new.csv", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = call("run", "m.yaml", "--out", "new.h5", "--csv", "/dev/null", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        # a built-in model is no file
        with open(self.path("pendulum"), "w") as file:
            file.write("old")
        run = call("run", "pendulum", "--end", "0.01", "--csv", "pendulum", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.read_table(self.path("pendulum"))
        self.assertEqual([name for name in os.listdir(self.folder) if name[0] == "."], [])

    def test_an_older_file_survives_a_run_that_cannot_begin(self):
        before = self.contents()
        for words in (("--out", "old.h5", "--csv", "/nonexistent/a.csv"),
                      ("--out", "old.h5", "--csv", "/dev/full"),
                      ("--csv", "push.csv", "--out", "/nonexistent/a.h5")):
            run = call("run", "pendulum", *words, cwd=self.folder)
            self.assertEqual(run.returncode, 4, run.stderr)
            self.assertEqual(self.contents(), before)


class Signals(Case):
    """Ctrl-C and SIGTERM end a run, whatever it does."""

    def start(self, *words, **more):
        run = subprocess.Popen([program.PROGRAM, "run", *words], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(run.kill)
        return run

    def check_stopped(self, run, has_json=False):
        out, err = run.communicate(timeout=program.TIMEOUT)
        self.assertEqual(run.returncode, 3, err)
        self.assertRegex(err, r"stopped on request")
        if has_json:
            self.assertEqual(list(strict(out)), program.ERROR_KEYS)
            self.assertEqual(strict(out)["code"], "TRM_ERR_STOPPED")

    def test_during_set_up(self):
        # set-up of so many links, or on a fast machine the run after it
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.start("chain", "--set", "links=10000", "--set", "joint=revolute", "--end",
                             "100", "--json")
            time.sleep(WAIT)
            run.send_signal(number)
            self.check_stopped(run, has_json=True)

    def test_between_samples(self):
        run = self.start("pendulum", "--end", "0.1", "--step", "0.1", "--outputs", "1000000000",
                         "--json")
        time.sleep(WAIT)
        run.send_signal(signal.SIGTERM)
        self.check_stopped(run, has_json=True)

    def test_while_it_waits_for_a_reader(self):
        path = self.path("pipe")
        os.mkfifo(path)
        run = self.start("pendulum", "--end", "1000", "--step", "1e-4", "--output-step", "1e-3",
                         "--csv", path, "--json")
        reader = os.open(path, os.O_RDONLY)  # and never reads
        self.addCleanup(os.close, reader)
        time.sleep(WAIT)
        run.send_signal(signal.SIGTERM)
        self.check_stopped(run, has_json=True)

    def test_a_second_signal_of_another_kind_ends_at_once(self):
        path = self.path("pipe")
        os.mkfifo(path)
        run = self.start("pendulum", "--end", "1000", "--step", "1e-4", "--output-step", "1e-3",
                         "--csv", path)
        reader = os.open(path, os.O_RDONLY)
        self.addCleanup(os.close, reader)
        time.sleep(WAIT)
        run.send_signal(signal.SIGINT)
        time.sleep(0.1)
        run.send_signal(signal.SIGTERM)
        self.check_stopped(run)


class ShortKill(Case):
    """Runs of a tenth of a second, killed at any moment: the file opens, and its samples with
    those of the restart are all samples, to the last bit."""
    KILLS = 20
    WORDS = ("slider-crank", "--integrator", "explicit", "--tolerance", "1e-9", "--outputs", "100",
             "--checkpoint-steps", "20", "--quiet")

    def full_run(self):
        path, end = self.path("full.h5"), 0.02
        while True:
            words = (*self.WORDS, "--end", repr(end))
            begin = time.monotonic()
            run = call("run", *words, "--out", path)
            took = time.monotonic() - begin
            self.assertEqual(run.returncode, 0, run.stderr)
            if took > 0.08:
                return words, path, took
            end *= 2

    @staticmethod
    def samples(path):
        with h5py.File(path, "r") as file:
            return file["samples"][:]

    def check(self, path, full):
        """Of a file that a kill has left; returns whether it was restarted."""
        part, whole = self.samples(path), self.samples(full)
        numpy.testing.assert_array_equal(part, whole[:len(part)])
        rest = self.path("rest.h5")
        run = call("run", "--restart", path, "--out", rest, "--quiet")
        if run.returncode != 0:
            self.assertRegex(run.stderr, r"has no checkpoint yet|first checkpoint at t")
            return False
        after = self.samples(rest)
        # no sample is missing in between, and all that both have are the same
        self.assertGreaterEqual(len(part) + len(after), len(whole))
        numpy.testing.assert_array_equal(after, whole[len(whole) - len(after):])
        return True

    def test_samples_and_restart_are_all_samples(self):
        words, full, took = self.full_run()
        chance = random.Random(1)
        left = restarted = 0
        for i in range(self.KILLS):
            path = self.path(f"killed{i % 2}.h5")
            if i % 2 == 0 and os.path.exists(path):
                os.remove(path)  # the odd ones replace an older file
            had_old = os.path.exists(path)
            run = subprocess.Popen([program.PROGRAM, "run", *words, "--out", path],
                                   stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, took))
            run.kill()
            run.wait()
            self.assertTrue(os.path.exists(path) or not had_old)
            if os.path.exists(path):
                left += 1
                restarted += self.check(path, full)
        print(f"{left} files of {self.KILLS} killed runs, {restarted} restarted")
