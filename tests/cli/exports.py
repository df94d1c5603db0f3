"""exports.py - results of `export`, read back by real readers, and of `explain`;
files that are damaged or foreign."""

import os
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

from pictures import RunFiles
from program import call, is_sanitized

OCTAVE = shutil.which("octave-cli")


class Export(RunFiles):
    def export(self, source, name, *words):
        path = self.path(name)
        run = call("export", source, "--out", path, *words)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"samples of \d+ signals")
        return path

    def test_csv_is_the_table_of_the_run(self):
        table, source = self.path("run.csv"), self.path("run.h5")
        run = call("run", "servo", "--end", "0.5", "--outputs", "30", "--quiet", "--csv", table,
                   "--out", source)
        self.assertEqual(run.returncode, 0, run.stderr)
        header, rows = self.read_table(table)
        names, numbers = self.read_table(self.export(source, "e.csv"))
        self.assertEqual(names[:len(header)], header)
        self.assertEqual([row[:len(header)] for row in numbers], rows)

    def octave(self, script):
        if OCTAVE is None:
            self.fail("octave-cli is missing: tools/setup test installs it")
        run = subprocess.run([OCTAVE, "--no-init-file", "--quiet", "--eval", script],
                             capture_output=True, text=True, cwd=self.folder, timeout=120)
        return run.stdout

    def test_mat_is_read_by_octave_to_the_same_numbers(self):
        self.export(self.chain(), "e.mat")
        self.export(self.chain(), "e.csv")
        text = self.octave("""
            s = load('e.mat');
            c = dlmread('e.csv', ',', 1, 0);
            head = strsplit(fgetl(fopen('e.csv')), ',');
            worst = max(abs(s.t - c(:, 1)));
            for i = 1:numel(s.names)
              worst = max(worst, max(abs(s.signals.(s.fields{i}) - c(:, i + 1))));
            end
            printf('%g %d %d %s %s %s\\n', worst, isequal(s.names', head(2:end)), ...
                   numel(fieldnames(s.signals)) == numel(head) - 1, s.model, ...
                   s.fields{strcmp(s.names, 'd(link1.vx)')}, s.units{strcmp(s.names, 'link1.vx')});
            """)
        self.assertEqual(text.split(), ["0", "1", "1", "chain", "d_link1_vx", "m/s"])

    def test_vtu_is_read_by_meshio_to_the_same_numbers(self):
        import meshio  # tools/setup test installs it
        pvd = self.export(self.chain(), "e.pvd")
        header, rows = self.read_table(self.export(self.chain(), "e.csv"))
        frames = [(float(d.get("timestep")), d.get("file"))
                  for d in ElementTree.parse(pvd).getroot().iter("DataSet")]
        self.assertEqual([t for t, _ in frames], [row[0] for row in rows])
        bodies = ["link1", "link2", "link3", "tip"]
        for (_, name), row in zip(frames, rows):
            def value(signal):
                return row[header.index(signal)] if signal in header else None
            mesh = meshio.read(self.path(name))
            self.assertEqual({c.type: len(c.data) for c in mesh.cells}, {"vertex": 4, "line": 2})
            for i, body in enumerate(bodies):
                self.assertEqual(list(mesh.points[i]), [value(f"{body}.{a}") for a in "xyz"])
                turn = [value(f"{body}.q{k}") for k in range(4)]
                self.assertEqual(list(mesh.point_data["quaternion"][i]),
                                 turn if turn[0] is not None else [1, 0, 0, 0])
                rate = [value(f"{body}.w{a}") or 0 for a in "xyz"]
                self.assertEqual(list(mesh.point_data["angular_velocity"][i]), rate)

    def test_frames_are_chosen_evenly(self):
        pvd = self.export(self.chain(), "e.pvd", "--frames", "6")
        times = [float(d.get("timestep")) for d in ElementTree.parse(pvd).getroot().iter("DataSet")]
        self.assertEqual(len(os.listdir(self.path("e"))), 6)
        for k, t in enumerate(times):
            self.assertAlmostEqual(t, 0.1 * k, delta=1e-12)

    def test_points_in_a_plane_have_no_height(self):
        source = self.run_file("plane", "pendulum", "--end", "0.2", "--outputs", "2")
        self.export(source, "e.pvd")
        import meshio
        mesh = meshio.read(self.path("e/e_000000.vtu"))
        self.assertEqual(mesh.points.shape, (1, 3))
        self.assertEqual(mesh.points[0][2], 0)

    def test_what_cannot_be_exported_gets_a_sentence(self):
        self.fails(2, r"--out: is missing", "export", self.chain())
        self.fails(2, r"\.csv, \.mat or \.pvd", "export", self.chain(), "--out", "e.xlsx")
        self.fails(2, r"has no points", "export", self.crank(), "--out", "e.pvd")
        self.fails(4, r"cannot write", "export", self.chain(), "--out", "/no/folder/e.csv")
        self.fails(2, r"RUN.h5 is missing", "export", "--out", "e.csv")

    def test_a_full_disk_gets_a_sentence(self):
        for ending in ("csv", "mat"):
            link = self.path("full." + ending)
            os.symlink("/dev/full", link)
            run = call("export", self.chain(), "--out", link)
            self.assertEqual(run.returncode, 4)
            self.assertRegex(run.stderr, r"^trammel: .*cannot write .*No space left")
            self.assertEqual(run.stderr.count("\n"), 1)


class Explain(RunFiles):
    KEYS = ["trammel", "model", "status", "integrator", "formulation", "tolerance", "cpu_seconds",
            "cpu_setup_seconds", "cpu_seconds_per_step", "steps", "step_min", "step_min_time",
            "step_median", "step_max", "orders", "newton_iterations", "events", "limited_by",
            "rejected", "clusters", "unknowns", "cause", "culprit", "advice"]
    LIMITS = ["first", "error", "newton", "domain", "event", "growth", "maximum", "stop", "slip"]

    def test_numbers_are_those_of_the_run(self):
        path = self.path("r.h5")
        run = self.result("run", "slider-crank", "--end", "0.02", "--integrator", "hht", "--out", path)
        why = self.result("explain", path)
        self.assertEqual(list(why), self.KEYS)
        self.assertEqual(list(why["limited_by"]), self.LIMITS)
        for key in ("model", "integrator", "formulation", "steps", "cpu_seconds",
                    "cpu_setup_seconds", "newton_iterations"):
            self.assertEqual(why[key], run[key], key)
        self.assertEqual(why["status"], "ok")
        self.assertEqual(why["step_min"], run["step_min"])
        self.assertEqual(why["step_max"], run["step_max"])
        self.assertEqual(sum(why["limited_by"].values()), run["steps"])
        self.assertEqual(why["orders"], {"2": run["steps"]})
        self.assertEqual(why["rejected"]["error"], run["rejected_error"])
        self.assertEqual(why["rejected"]["newton"], run["rejected_newton"])
        self.assertTrue(why["step_min"] <= why["step_median"] <= why["step_max"])
        charged = sum(sum(u["steps"].values()) for u in why["unknowns"])
        self.assertEqual(charged, why["limited_by"]["error"])

    def test_the_fastest_mode_holds_the_explicit_method(self):
        why = self.result("explain", self.crank_explicit())
        self.assertEqual((why["cause"], why["culprit"]), ("stiff", "q4"))
        self.assertRegex(" ".join(why["advice"]), "--integrator hht")

    def test_the_slider_crank_follows_its_fast_modes(self):
        why = self.result("explain", self.crank())
        self.assertEqual((why["cause"], why["culprit"]), ("fast", "q4"))

    def test_the_servo_is_limited_by_its_controller(self):
        path = self.run_file("servo", "servo")
        why = self.result("explain", path)
        self.assertEqual(why["culprit"], "s1")
        self.assertEqual(why["cause"], "accuracy")

    def test_the_longest_step_is_blamed(self):
        path = self.run_file("short", "pendulum", "--step-max", "1e-3", "--tolerance", "1e-3")
        why = self.result("explain", path)
        self.assertEqual((why["cause"], why["culprit"]), ("maximum", None))
        self.assertRegex(why["advice"][0], "--step-max 0.001")

    def test_the_advice_on_the_tolerance_is_right(self):
        words = ("heavy-top", "--integrator", "hht", "--end", "1")
        path = self.run_file("top", *words, "--tolerance", "1e-6")
        why = self.result("explain", path)
        self.assertEqual(why["cause"], "accuracy")
        factor = float(why["advice"][0].split("about ")[1].split()[0])
        looser = self.result("run", *words, "--tolerance", "1e-5")
        # a run is more than one step: the law of the error is an estimate
        self.assertAlmostEqual(why["steps"] / looser["steps"], factor, delta=0.15 * factor)

    def test_radau_shows_its_orders(self):
        path = self.run_file("radau", "slider-crank", "--integrator", "radau", "--tolerance", "1e-7",
                             "--end", "0.05")
        why = self.result("explain", path)
        self.assertEqual(sum(why["orders"].values()), why["steps"])
        self.assertGreater(len(why["orders"]), 1)
        self.assertRegex(call("explain", path).stdout, r"(?m)^  orders +5 in \d+ steps, 9 in \d+ steps")

    def test_bdf_shows_its_orders_in_both_places(self):
        path = self.path("bdf.h5")
        run = self.result("run", "heavy-top", "--integrator", "bdf", "--end", "0.2", "--out", path)
        self.assertEqual(sum(run["orders"].values()), run["steps"])
        self.assertGreater(len(run["orders"]), 2)
        self.assertEqual(self.result("explain", path)["orders"], run["orders"])
        self.assertNotIn("orders", self.result("run", "heavy-top", "--end", "0.2"))

    def test_text_for_people(self):
        run = call("explain", self.crank_explicit())
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for pattern in (r"^\S+crank-explicit.h5: slider-crank, explicit dop853, tolerance 0.0001\n",
                        r"(?m)^  CPU  +\S+ s in \d+ steps", r"(?m)^  limited by   error \d+",
                        r"(?m)^    q4  +\d+ +\d+  \S+ s at t = ",
                        r"(?m)^  rejected +\d+ of \d+ attempts", r"(?m)^  cause +stiff: q4$",
                        r"(?m)^  advice +\S"):
            self.assertRegex(run.stdout, pattern)
        self.assertTrue(all(len(line) <= 200 for line in run.stdout.splitlines()))

    def test_fixed_steps_are_explained_too(self):
        path = self.run_file("fixed", "pendulum", "--step", "0.01", "--end", "1")
        why = self.result("explain", path)
        self.assertEqual((why["cause"], why["limited_by"]["first"]), ("fixed", 100))
        self.assertIsNone(why["tolerance"])

    def test_a_failed_run_says_why(self):
        path = self.path("failed.h5")
        run = call("run", "slider-crank", "--step", "0.05", "--max-iterations", "2", "--out", path)
        self.assertEqual(run.returncode, 3, run.stderr)
        sentence = run.stderr.splitlines()[0]
        why = self.result("explain", path)
        self.assertEqual(why["status"], "error")
        text = call("explain", path).stdout
        words = re.search(r"(?m)^  failed +(.*?)(  \[t =.*)?$", text).group(1)
        self.assertIn(words, sentence)


class BadFiles(RunFiles):
    """Files that are no run files, or damaged ones: one sentence each, no crash."""

    def commands(self, path):
        return (("plot", path), ("plot", path, "q1", "--out", self.path("o.svg")),
                ("plot", path, "q1", "--spectrum", "--json"), ("explain", path),
                ("explain", path, "--json"), ("export", path, "--out", self.path("o.csv")),
                ("export", path, "--out", self.path("o.mat")))

    def check(self, path, codes):
        for words in self.commands(path):
            run = call(*words, errors="replace")
            self.assertIn(run.returncode, codes, (words, run.stderr))
            if run.returncode == 0:
                continue
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertTrue(run.stderr.startswith("trammel: "), run.stderr)

    def test_files_that_are_not_there(self):
        for path in (self.path("none.h5"), self.folder, "/dev/null", "/no/folder/a.h5"):
            self.check(path, {4})

    def test_foreign_files(self):
        for name, data in (("empty", b""), ("text", b"t,x\n0,1\n" * 100),
                           ("zeros", bytes(5000)), ("png", b"\x89PNG\r\n\x1a\n" + bytes(100)),
                           ("head", b"\x89HDF\r\n\x1a\n"),
                           ("half", b"\x89HDF\r\n\x1a\n" + bytes(range(256)) * 40)):
            path = self.path(name + ".h5")
            with open(path, "wb") as file:
                file.write(data)
            self.check(path, {4})

    def test_files_cut_short(self):
        with open(self.crank(), "rb") as file:
            data = file.read()
        for part in (0.001, 0.01, 0.1, 0.5, 0.9, 0.999):
            path = self.path("cut.h5")
            with open(path, "wb") as file:
                file.write(data[:int(part * len(data))])
            self.check(path, {0, 2, 4})

    def test_bytes_changed_at_random(self):
        with open(self.chain(), "rb") as file:
            data = file.read()
        places = random.Random(4)
        for _ in range(10 if is_sanitized() else 40):  # test_run_damage damages many more
            changed = bytearray(data)
            for _ in range(places.choice((1, 1, 10))):
                changed[places.randrange(len(data))] ^= 1 << places.randrange(8)
            path = self.path("changed.h5")
            with open(path, "wb") as file:
                file.write(changed)
            self.check(path, {0, 2, 4})
