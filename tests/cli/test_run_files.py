#!/usr/bin/env python3
"""test_run_files.py PATH_TO_TRAMMEL [--kills N] [--flips N] [--sanitized | --plain] [CASE[.TEST]..]
- run files as a user sees them: read by h5py and Octave, killed, restarted, damaged, on a full
disk. So many runs are killed: 24, or 4 of a program with sanitizers, whose memory is not measured;
200 for the proof. So many bytes are flipped: 60, or 8; 1000 for the proof."""

import os
import random
import resource
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True  # no __pycache__ in the sources

import h5py
import numpy

import program
from program import call, strict
from restarts import Restart
from run_case import COUNTERS, words_of, RunCase

KILLS, FLIPS, SANITIZED = 24, 60, False


class Layout(RunCase):
    """What stands in a file, read by others."""

    def test_samples_are_those_of_the_table(self):
        table = self.path("a.csv")
        run, file = self.record("slider-crank", "--end", "0.02", "--outputs", "300", "--csv", table)
        header, rows = self.read_table(table)
        names = words_of(file["names"])
        self.assertEqual(names[:len(header)], header)
        self.assertEqual(file["samples"].shape, (301, len(names)))
        self.assertTrue((file["samples"][:, :len(header)] == numpy.array(rows)).all())
        self.assertEqual(file["samples"][-1, names.index("x3")], run["coordinates"]["x3"])

    def test_facts(self):
        run, file = self.record("chain", "--end", "0.2", "--set", "links=3", "--tolerance", "1e-6",
                                "--integrator", "alpha", "--rho", "0.7")
        text = {key: file[key][()].decode() for key in
                ("format", "trammel", "model", "integrator", "formulation", "solver", "status")}
        self.assertEqual(text["format"], "trammel run 1")
        self.assertEqual((text["model"], text["status"]), ("chain", "ok"))
        for key in ("trammel", "integrator", "formulation", "solver"):
            self.assertEqual(text[key], run[key])
        parameters = dict(zip(words_of(file["parameters"]), words_of(file["parameter_values"])))
        self.assertEqual(parameters["links"], "3")
        self.assertIn("joint", parameters)
        options = dict(zip(words_of(file["options"]), words_of(file["option_values"])))
        self.assertEqual((options["integrator"], options["rho"]), ("alpha", "0.7"))
        self.assertEqual(float(options["tolerance"]), 1e-6)
        self.assertEqual(float(options["end"]), 0.2)
        self.assertTrue(numpy.isnan(file["resumed_from"][()]))

    def test_counters_and_steps(self):
        run, file = self.record("slider-crank", "--end", "0.02", "--integrator", "hht")
        counters = dict(zip(words_of(file["counter_names"]), file["counters"][:]))
        for key, value in run.items():
            if key in counters and not key.startswith("cpu"):
                self.assertEqual(counters[key], value, key)
        self.assertEqual(words_of(file["step_names"]),
                         ["t", "h", "accepted", "limit", "list", "index", "error", "iterations",
                          "violation_position", "violation_velocity", "order"])
        steps = file["steps"][:]
        accepted = steps[steps[:, 2] == 1]
        self.assertEqual(len(accepted), run["steps"])
        self.assertEqual(len(steps) - len(accepted), run["rejected_error"] + run["rejected_newton"])
        self.assertTrue((numpy.abs(accepted[:-1, 0] + accepted[:-1, 1] - accepted[1:, 0])
                         <= 1e-15).all())
        self.assertEqual(set(steps[:, 10]), {2})
        self.assertEqual(accepted[:, 8].max(), run["violation"]["position"])
        self.assertEqual(accepted[:, 9].max(), run["violation"]["velocity"])

    def test_every_signal_has_a_unit_and_a_group(self):
        _, file = self.record("rolling-disc", "--end", "0.1")
        count = len(file["names"])
        for key in ("labels", "groups", "units", "objects", "kinds", "lists"):
            self.assertEqual(len(file[key]), count)
        units = dict(zip(words_of(file["names"]), words_of(file["units"])))
        self.assertEqual((units["t"], units["kinetic"], units["power"]), ("s", "J", "W"))
        self.assertEqual(len(set(words_of(file["names"]))), count)

    def test_loads_are_those_that_expressions_name(self):
        named = ["pin.force.x", "pin.force.z", "c.force.z", "c.point.x", "drive.torque"]
        settings = [f"outputs.out{i}={name}" for i, name in enumerate(named)]
        model = self.path("cam.yaml")
        with open(model, "w") as file:
            file.write(call("models", "--show", "cam-follower").stdout.replace("shaft", "pin"))
        options = [word for setting in settings for word in ("--set", setting)]
        _, file = self.record(model, "--end", "0.4", *options)
        names, groups = words_of(file["names"]), words_of(file["groups"])
        for i, name in enumerate(named):
            load, output = names.index(name), names.index(f"out{i}")
            self.assertEqual((groups[load], groups[output]), ("loads", "outputs"))
            self.assertEqual(words_of(file["units"])[load], words_of(file["units"])[output])
            values = file["samples"][:, load]
            self.assertTrue((values == file["samples"][:, output]).all(), name)
            self.assertTrue(name == "c.point.x" or abs(values).max() > 0, name)

    def test_very_many_loads_are_not_recorded(self):
        for links, is_recorded in ((100, True), (200, False)):
            _, file = self.record("chain-elements", "--set", f"links={links}", "--end", "0.01")
            self.assertEqual("loads" in words_of(file["groups"]), is_recorded)

    def test_octave_reads_the_same(self):
        run, file = self.record("slider-crank", "--end", "0.02")
        script = ('run = load("run.h5"); k = find(strcmp(cellstr(run.names), "x3"));'
                  'printf("%.17g\\n", run.samples(k, end), size(run.samples), rows(run.names),'
                  'run.counters(1)); printf("%s\\n", run.model, run.status)')
        octave = subprocess.run(["octave-cli", "--no-init-file", "--eval", script], text=True,
                                capture_output=True, cwd=self.folder, timeout=program.TIMEOUT)
        self.assertEqual(octave.returncode, 0, octave.stderr)
        lines = octave.stdout.split()
        rows, columns = file["samples"].shape
        self.assertEqual(float(lines[0]), run["coordinates"]["x3"])
        self.assertEqual([int(x) for x in lines[1:5]], [columns, rows, columns, run["steps"]])
        self.assertEqual(lines[5:], ["slider-crank", "ok"])

    def test_without_out_nothing_is_written(self):
        call("run", "pendulum", "--end", "1", cwd=self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_recording_changes_no_bit(self):
        for model, end, samples, words in (
                ("slider-crank", "0.02", "1000", ()),
                ("slider-crank", "0.02", "1000", ("--integrator", "hht")),
                ("slider-crank", "0.02", "1000", ("--integrator", "radau")),
                ("slider-crank-hermite", "1", "50", ("--integrator", "radau")),  # an event
                ("spinning-beam", "0.5", "1000", ("--integrator", "bdf")),
                ("double-pendulum", "1", "1000", ("--integrator", "hht"))):
            plain = self.result("run", model, "--end", end, "--outputs", "1", *words)
            run, _ = self.record(model, "--end", end, "--outputs", samples, *words)
            self.check_same_end(plain, run)
            for key in COUNTERS:
                self.assertEqual(plain[key], run[key], f"{model} {words}: {key}")

    def test_an_error_is_told_in_the_file(self):
        path = self.path("a.h5")
        run = call("run", "pendulum", "--step-min", "0.1", "--step-first", "0.1", "--tolerance",
                   "1e-14", "--out", path, "--json")
        self.assertEqual(run.returncode, 3)
        with h5py.File(path, "r") as file:
            self.assertEqual(file["status"][()], b"error")
            self.assertEqual(file["error"][()].decode(), strict(run.stdout)["message"])
            self.assertEqual(file["error_place"][0], strict(run.stdout)["time"])


class Kill(RunCase):
    """Runs that are killed, at moments that differ from test to test by their number only."""
    RUNS = [("chain", "--set", "links=8", "--integrator", "hht", "--tolerance", "1e-7"),
            ("chain", "--set", "links=4", "--integrator", "explicit", "--tolerance", "1e-8"),
            ("slider-crank", "--integrator", "hht", "--tolerance", "1e-7"),
            ("slider-crank", "--integrator", "explicit", "--tolerance", "1e-9"),
            ("slider-crank-modal", "--integrator", "hht", "--tolerance", "1e-7")]

    def full_run(self, number, seconds):
        """A run that takes about so long, uninterrupted: its words, JSON and file."""
        words, end = self.RUNS[number], 0.005
        while True:
            begin = time.monotonic()
            more = ("--end", repr(end), "--outputs", "400", "--checkpoint-steps", "25")
            path = self.path(f"full{number}.h5")
            full = self.result("run", *words, *more, "--out", path)
            took = time.monotonic() - begin
            if took > 0.6 * seconds and self.has_checkpoint(path):
                return (*words, *more), full, path, took
            end *= 2

    @staticmethod
    def has_checkpoint(path):
        with open(path, "rb") as file:
            return b"TRMPOINT" in file.read()

    def start(self, words, path):
        """Start a run and wait for its first checkpoint."""
        run = subprocess.Popen([program.PROGRAM, "run", *words, "--out", path, "--json"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        begin = time.monotonic()
        while time.monotonic() - begin < program.TIMEOUT:
            if os.path.exists(path) and self.has_checkpoint(path):
                return run
            self.assertTrue(run.poll() is None or run.returncode == 0)
            time.sleep(0.001)
        self.fail("no checkpoint")

    def check_killed(self, path, full):
        """The file opens and has the samples of the full run, as far as it got."""
        with h5py.File(path, "r") as file, h5py.File(full, "r") as whole:
            for key in ("samples", "steps"):
                part = file[key][:]
                numpy.testing.assert_array_equal(part, whole[key][:len(part)])
            return file["status"][()] == b"unfinished"

    def test_killed_runs_go_on_to_the_same_bits(self):
        chance = random.Random(KILLS)
        fulls = [self.full_run(i, 0.5) for i in range(len(self.RUNS))]
        killed = missed = 0
        patience = 0.8  # longest wait, as a part of the time a run takes; less where it is faster now
        while killed < KILLS:
            words, full, full_path, took = fulls[killed % len(fulls)]
            path = self.path(f"killed{killed}-{missed}.h5")  # nothing may be there before
            run = self.start(words, path)
            time.sleep(chance.uniform(0, patience * took))
            run.kill()
            run.communicate()
            if not self.check_killed(path, full_path):
                missed += 1  # it had ended
                patience *= 0.7
                self.assertLess(missed, 2 * KILLS)
                os.remove(path)
                continue
            killed += 1
            patience = min(0.8, 1.1 * patience)
            rest = self.result("run", "--restart", path)
            since = rest["resumed_from"]
            self.assertGreater(since, 0)
            self.assertLess(rest["steps"], full["steps"])
            self.check_same_end(full, rest)
            self.check_remaining(full_path, rest, since)
            # all counters: as from the same checkpoint of the file that was never interrupted
            same = self.result("run", "--restart", full_path, "--from", repr(since))
            self.assertEqual(same["resumed_from"], since)
            for key in COUNTERS:
                self.assertEqual(rest[key], same[key], key)
            os.remove(path)
        print(f"{killed} runs killed and restarted; {missed} more had ended before the kill")

    def test_samples_of_a_second_ago_are_in_the_file(self):
        path, table = self.path("a.h5"), self.path("a.csv")
        run = subprocess.Popen([program.PROGRAM, "run", "slider-crank", "--end", "1000",
                                "--output-step", "1e-3", "--out", path, "--csv", table, "--quiet"])
        program.wait_for(path)
        time.sleep(1.5)
        with open(table, "rb") as file:
            before = file.read().count(b"\n") - 1
        time.sleep(1.0)
        run.kill()
        run.wait()
        with h5py.File(path, "r") as file:
            self.assertGreaterEqual(len(file["samples"]), before)
        self.assertGreater(before, 10)

    def open_running(self, path):
        """HDF5 asks for the size of a file first and reads its head then; a run that writes in
        between makes it call the file truncated, once. A reader tries again."""
        for _ in range(20):
            try:
                return h5py.File(path, "r")
            except OSError as error:
                self.assertIn("truncated file", str(error))
                time.sleep(0.05)
        return h5py.File(path, "r")

    def test_a_running_run_can_be_read(self):
        path = self.path("a.h5")
        run = subprocess.Popen([program.PROGRAM, "run", "slider-crank", "--end", "1000",
                                "--output-step", "1e-3", "--out", path, "--quiet"])
        try:
            program.wait_for(path)
            time.sleep(1.2)
            with self.open_running(path) as file:
                first = len(file["samples"])
            time.sleep(1.2)
            with self.open_running(path) as file:
                self.assertGreater(len(file["samples"]), first)
                self.assertEqual(file["status"][()], b"unfinished")
            second = call("run", "pendulum", "--out", path)
            self.assertEqual(second.returncode, 4)
            self.assertIn("another run is writing it", second.stderr)
        finally:
            run.kill()
            run.wait()

    def test_ctrl_c_closes_the_file_and_tells_how_to_go_on(self):
        path = self.path("a.h5")
        run = subprocess.Popen([program.PROGRAM, "run", "slider-crank", "--end", "1000", "--out",
                                path], stderr=subprocess.PIPE, text=True)
        program.wait_for(path)
        time.sleep(1.0)
        run.send_signal(subprocess.signal.SIGINT)
        _, text = run.communicate(timeout=program.TIMEOUT)
        self.assertIn(f"hint: continue with 'trammel run --restart {path}'", text)
        with h5py.File(path, "r") as file:
            self.assertEqual(file["status"][()], b"error")
            end = file["steps"][-1, 0] + 0.001
        rest = self.result("run", "--restart", path, "--end", repr(end))
        self.assertGreater(rest["resumed_from"], 0)


class Damage(RunCase):
    """One sentence for every file that cannot be used."""

    def check_sentence(self, path):
        """Every command that reads run files: one sentence and nothing else, or it works."""
        codes = set()
        for words in (("run", "--quiet", "--restart", path), ("plot", path, "x3"),
                      ("export", path, "--out", self.path("a.csv")), ("explain", path)):
            run = call(*words)
            self.assertIn(run.returncode, (0, 2, 4), (words, run.stderr))
            if run.returncode != 0:
                self.assertEqual(run.stdout, "")
                self.assertRegex(run.stderr, r"\Atrammel: .+\n\Z")
            codes.add(run.returncode)
        return codes

    def test_flipped_bytes(self):
        self.record("slider-crank", "--end", "0.01", "--checkpoint-steps", "20")
        path = self.path("run.h5")
        with open(path, "rb") as file:
            data = file.read()
        chance = random.Random(4)
        codes = set()
        for k in range(FLIPS):
            damaged = bytearray(data)
            # every other one where the file begins: there is what all commands read
            damaged[chance.randrange(len(data) if k % 2 else 5000)] ^= chance.randrange(1, 256)
            with open(path, "wb") as file:
                file.write(damaged)
            codes |= self.check_sentence(path)
        self.assertLessEqual({0, 4}, codes)

    def test_files_that_are_cut_off(self):
        self.record("slider-crank", "--end", "0.01")
        path = self.path("run.h5")
        for size in (os.path.getsize(path) - 1, 100000, 4096, 48, 10, 0):
            os.truncate(path, size)
            self.assertEqual(self.check_sentence(path), {4})

    def test_files_of_others(self):
        with h5py.File(self.path("other.h5"), "w") as file:
            file["x"] = [1.0, 2.0]
        for path in (self.path("other.h5"), program.PROGRAM, __file__, self.folder, "/dev/null",
                     self.path("none.h5")):
            self.assertEqual(self.check_sentence(path), {4})


class Files(RunCase):
    """Places that cannot be written, or not for long."""

    def check_full(self, run, path, reason):
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertRegex(run.stderr, rf"\Atrammel: .*cannot write '.*': {reason}.*\n\Z")
        with h5py.File(path, "r") as file:
            self.assertEqual(file["status"][()], b"error")
            self.assertIn(reason, file["error"][()].decode())
            samples = file["samples"][:]
            self.assertGreater(len(samples), 1000)
            self.assertTrue((numpy.diff(samples[:, 0]) > 0).all())
            self.assertTrue(numpy.isfinite(samples).all())

    def test_places_that_cannot_be_written(self):
        for path in ("/nonexistent/a.h5", self.folder, "/dev/full"):
            run = call("run", "pendulum", "--out", path)
            self.assertEqual(run.returncode, 4)
            self.assertRegex(run.stderr, r"\Atrammel: pendulum: cannot write '.*': .*\n\Z")

    def test_bad_input_leaves_no_file_and_an_old_one_alone(self):
        path = self.path("a.h5")
        self.fails(2, r"parameter 'length'", "run", "pendulum", "--out", path, "--set", "length=nan")
        with open(path, "w") as file:
            file.write("old\n")
        self.assertEqual(call("run", "pendulum", "--out", path, "--set", "x=1").returncode, 2)
        with open(path) as file:
            self.assertEqual(file.read(), "old\n")

    def test_a_limit_on_the_size_of_files(self):
        path = self.path("a.h5")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        run = call("run", "pendulum", "--end", "1000", "--output-step", "0.01", "--out", path,
                   preexec_fn=limit)
        self.check_full(run, path, "File too large")

    def test_a_full_file_system(self):
        place = self.path("small")
        os.mkdir(place)
        if os.geteuid() != 0 or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place],
                capture_output=True).returncode != 0:
            self.skipTest("a small file system needs the rights of root")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        path = os.path.join(place, "a.h5")
        run = call("run", "pendulum", "--end", "1000", "--output-step", "0.01", "--out", path)
        self.check_full(run, path, "No space left on device")

    def peak_memory(self, *words):
        """Largest memory of a run [kB]: what the kernel last told before its end."""
        run = subprocess.Popen([program.PROGRAM, "run", *words, "--quiet"])
        peak = 0
        while run.poll() is None:
            with open(f"/proc/{run.pid}/status") as file:
                told = [line.split()[1] for line in file if line.startswith("VmHWM")]
            peak = int(told[0]) if told else peak
            time.sleep(0.002)
        self.assertEqual(run.returncode, 0)
        return peak

    def test_memory_does_not_grow_with_the_run(self):
        if SANITIZED:
            self.skipTest("sanitizers keep memory that was freed")
        # how many rows wait for the writer depends on what else runs: the smallest of three
        peaks = [min(self.peak_memory("pendulum", "--end", end, "--output-step", "0.01", "--out",
                                      self.path("a.h5")) for _ in range(3))
                 for end in ("300", "3000")]
        print(f"peak memory {peaks[0]} kB, of a run 10 times longer {peaks[1]} kB")
        # the list of chunks of HDF5, 35 bytes for each, and pages of the allocator
        self.assertLess(peaks[1], 1.05 * peaks[0] + 512)


CASES = (Layout, Restart, Kill, Damage, Files)


def main():
    global KILLS, FLIPS, SANITIZED
    words = [word for word in sys.argv[1:] if word not in ("--sanitized", "--plain")]
    SANITIZED = "--sanitized" in sys.argv
    KILLS, FLIPS = (4, 8) if SANITIZED else (KILLS, FLIPS)
    if "--kills" in words:
        KILLS = int(words.pop(words.index("--kills") + 1))
        words.remove("--kills")
    if "--flips" in words:
        FLIPS = int(words.pop(words.index("--flips") + 1))
        words.remove("--flips")
    if not words:
        sys.exit(__doc__)
    program.PROGRAM = os.path.abspath(words[0])
    load = unittest.defaultTestLoader
    suite = unittest.TestSuite(load.loadTestsFromTestCase(case) for case in CASES)
    if words[1:]:
        suite = load.loadTestsFromNames(words[1:], sys.modules[__name__])
    sys.exit(program.run_suite(suite))


if __name__ == "__main__":
    main()
