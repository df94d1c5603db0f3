"""cache.py - reduced meshes that the program keeps, as a user meets them."""

import json
import os
import resource

import h5py
import numpy

from program import Case, call

MODEL = "satellite"


class Cache(Case):
    def files(self, name):
        folder = self.path(name)
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def call(self, *words, home=None, **more):
        """With a user cache folder of its own."""
        env = dict(os.environ)
        env.pop("XDG_CACHE_HOME", None)
        env.update({"XDG_CACHE_HOME": self.path("xdg")} if home is None else home)
        run = call(*words, env=env, **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def numbers(self, run):
        found = json.loads(run.stdout)
        return {key: found[key] for key in ("steps", "coordinates", "velocities", "energy")}

    def test_it_is_in_the_folder_of_the_user(self):
        fresh = self.call("run", MODEL, "--end", "0.02", "--json", "--cache", "none")
        self.assertEqual(self.files("xdg"), [])
        first = self.call("run", MODEL, "--end", "0.02", "--json")
        kept = self.files("xdg/trammel")
        self.assertEqual(len(kept), 1)  # both panels are the same mesh
        second = self.call("run", MODEL, "--end", "0.02", "--json")
        self.assertEqual(self.numbers(fresh), self.numbers(first))
        self.assertEqual(self.numbers(fresh), self.numbers(second))
        self.assertEqual(first.stderr + second.stderr, "")
        self.assertEqual(self.files("xdg/trammel"), kept)

    def test_stiffened_bodies_are_kept_too(self):
        words = ("run", MODEL, "--end", "0.02", "--json")
        stiffened = words + ("--set", "flexible.left.modes.stiffening=full")
        runs = [self.call(*stiffened, "--cache", "none")] + [self.call(*stiffened) for _ in "12"]
        self.assertEqual(len(self.files("xdg/trammel")), 2)  # one panel has it, the other has not
        for run in runs[1:]:
            self.assertEqual(self.numbers(runs[0]), self.numbers(run))
        self.assertNotEqual(self.numbers(runs[0]), self.numbers(self.call(*words)))

    def test_without_xdg_it_is_in_the_home(self):
        # a relative XDG_CACHE_HOME is none, says its specification
        self.call("check", MODEL, home={"HOME": self.path("home"), "XDG_CACHE_HOME": "there"})
        self.assertEqual(len(self.files("home/.cache/trammel")), 1)
        # without any folder nothing is kept
        env = {"HOME": "", "PATH": os.environ["PATH"]}
        self.assertEqual(call("check", MODEL, env=env).returncode, 0)

    def test_every_command_that_reads_a_model_has_it(self):
        run, folder = self.path("a.h5"), self.path("kept")
        for words in (("run", MODEL, "--end", "0.02", "--checkpoint-steps", "1", "--out", run),
                      ("stress", run), ("run", "--restart", run, "--end", "0.03"), ("modal", MODEL), ("check", MODEL),
                      ("models", MODEL, "--as", "yaml")):
            self.call(*words, "--cache", folder)
            self.assertEqual(self.files("xdg"), [], words)
            self.assertEqual(len(self.files("kept")), 1, words)
            os.remove(os.path.join(folder, self.files("kept")[0]))

    def test_modal_says_where(self):
        found = json.loads(self.call("modal", MODEL, "--json").stdout)["flexible"]["left"]
        self.assertEqual(found["cache"],
                         os.path.join(self.path("xdg/trammel"), self.files("xdg/trammel")[0]))
        found = json.loads(self.call("modal", MODEL, "--json", "--cache", "none").stdout)
        self.assertIsNone(found["flexible"]["left"]["cache"])

    def test_reduced_bodies_are_written(self):
        found = json.loads(self.call("modal", MODEL, "--json", "--out", self.path("a.modal.h5")).stdout)
        self.call("modal", MODEL, "--quiet", "--out", self.path("b.modal.h5"))
        with open(self.path("a.modal.h5"), "rb") as first, open(self.path("b.modal.h5"), "rb") as second:
            self.assertEqual(first.read(), second.read())
        with h5py.File(self.path("a.modal.h5")) as file:
            self.assertEqual(sorted(file), sorted(found["flexible"]))
            for name, body in found["flexible"].items():
                group, modes = file[name], len(body["modes"])
                self.assertEqual(list(group["frequency"]), [mode["frequency_hz"] for mode in body["modes"]])
                self.assertEqual(list(group["damping"]), [mode["damping"] for mode in body["modes"]])
                self.assertEqual(sorted(group["interfaces"]), sorted(body["interfaces"]))
                self.assertAlmostEqual(group["mass"][0], body["mass"], delta=1e-12 * body["mass"])  # rounding
                N, D = group["N"], group["D"]
                # modes are mass-normal and in mean axes, to rounding
                self.assertLess(abs(N[0] + N[1] + N[2] - numpy.eye(modes)).max(), 1e-12)
                self.assertLess(abs(D[:]).max(), 1e-10 * body["mass"] ** 0.5)
                self.assertEqual(group["surface/displacement"].shape[1:], (3, modes))

    def test_files_that_cannot_be_written(self):
        run = call("modal", MODEL, "--out", self.path("a.csv"))
        self.assertEqual((run.returncode, "must end in .h5" in run.stderr), (2, True))
        run = call("modal", MODEL, "--out", self.path("none/a.h5"))
        self.assertEqual((run.returncode, "cannot write" in run.stderr), (4, True))
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        path = self.path("full.h5")
        run = call("modal", MODEL, "--cache", "none", "--out", path, preexec_fn=limit)
        self.assertIn(f"cannot write '{path}': File too large", run.stderr)
        self.assertEqual((run.returncode, os.path.exists(path)), (4, False))

    def test_a_full_disk_is_a_note(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        full = self.call("run", MODEL, "--end", "0.02", "--json", preexec_fn=limit)
        self.assertEqual(self.numbers(full), self.numbers(self.call("run", MODEL, "--end", "0.02", "--json")))
        self.assertRegex(full.stderr, r"\Atrammel: note: flexible body 'left': the reduction is not "
                         r"kept in the cache as '.*\.modal': File too large; the next run reduces "
                         r"the mesh again\n\Z")
        self.assertEqual(len(self.files("xdg/trammel")), 1)  # of the second run; no draft is left

    def test_a_damaged_file_is_a_note(self):
        self.call("check", MODEL)
        path = os.path.join(self.path("xdg/trammel"), self.files("xdg/trammel")[0])
        with open(path, "r+b") as file:
            file.truncate(1000)
        self.assertRegex(self.call("check", MODEL).stderr, r"note: .* it is damaged; the mesh is "
                         r"reduced anew\n\Z")
        self.assertEqual(self.call("check", MODEL).stderr, "")
        self.assertGreater(os.path.getsize(path), 1000)
