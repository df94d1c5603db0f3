"""model_restarts.py - runs of model files that continue without the file, or with the same."""

import os

from model_case import PENDULUM, Files


class Restart(Files):
    def setUp(self):
        super().setUp()
        self.model = self.write("pendulum.yaml", PENDULUM)
        self.run_file = self.path("run.h5")
        self.full = self.result("run", self.model, "--set", "gravity=5", "--out", self.run_file,
                                "--checkpoint-steps", "2")

    def test_goes_on_without_the_file(self):
        os.remove(self.model)
        rest = self.result("run", "--restart", self.run_file)
        for key in ("coordinates", "velocities", "outputs", "multipliers", "model"):
            self.assertEqual(rest[key], self.full[key])
        self.assertIsNotNone(rest["resumed_from"])

    def test_goes_on_with_the_same_file(self):
        for words in ((self.model,), (self.model, "--set", "gravity=5"),
                      ("--set", "gravity=5.0")):
            rest = self.result("run", *words, "--restart", self.run_file)
            self.assertEqual(rest["coordinates"], self.full["coordinates"])

    def test_a_restart_is_recorded(self):
        again = self.path("again.h5")
        self.result("run", "--restart", self.run_file, "--out", again, "--from", "0.3")
        rest = self.result("run", "--restart", again)
        self.assertEqual(rest["coordinates"], self.full["coordinates"])

    def test_refuses_another_text(self):
        self.write("pendulum.yaml", PENDULUM.replace("-gravity*y", "-2*gravity*y"))
        line = self.lines("run", self.model, "--restart", self.run_file)[0]
        self.assertIn("line 7 was '  potential: -gravity*y', is '  potential: -2*gravity*y'", line)
        self.write("pendulum.yaml", PENDULUM + "# more\n")
        line = self.lines("run", self.model, "--restart", self.run_file)[0]
        self.assertIn("line 11 was '', is '# more'", line)

    def test_refuses_other_settings_and_models(self):
        line = self.lines("run", "--set", "gravity=6", "--restart", self.run_file)[0]
        self.assertIn("was run with gravity=5, not 6", line)
        line = self.lines("run", "--set", "length=6", "--restart", self.run_file)[0]
        self.assertIn("was run with length=(what the file says), not 6", line)
        line = self.lines("run", "pendulum", "--restart", self.run_file)[0]
        self.assertIn("is a run of a model file, not of 'pendulum'", line)

    def test_files_and_tables_are_in_it(self):
        self.write("parts/k.csv", "x,f\n-1,-2\n1,2\n")
        self.write("parts/base.yaml", "tables: {k: {file: k.csv, x: x, y: f}}\n")
        model = self.write("spring.yaml", "trammel: 1\ninclude: parts/base.yaml\nequations:\n"
                           "  coordinates: {x: 0.5}\n  kinetic: 0.5*x'^2\n  forces: {x: -k(x)}\n"
                           "simulate: {end: 5, checkpoint_steps: 5}\n")
        full = self.result("run", model, "--out", self.path("spring.h5"))
        rest = self.result("run", model, "--restart", self.path("spring.h5"))
        self.assertEqual(rest["coordinates"], full["coordinates"])
        self.write("parts/k.csv", "x,f\n-1,-2\n1,3\n")
        self.assertIn("'1,3'", self.lines("run", model, "--restart", self.path("spring.h5"))[0])
        for name in ("spring.yaml", "parts/base.yaml", "parts/k.csv"):
            os.remove(self.path(name))
        rest = self.result("run", "--restart", self.path("spring.h5"))
        self.assertEqual(rest["coordinates"], full["coordinates"])

    def test_meshes_are_found_from_any_folder(self):
        corners = {"a": "0 0 0", "b": ".1 0 0", "c": "0 .1 0", "d": "0 0 .1"}
        faces = "".join("facet normal 0 0 0\nouter loop\n" + "".join(
            f"vertex {corners[k]}\n" for k in face) + "endloop\nendfacet\n"
            for face in ("acb", "abd", "adc", "bcd"))
        self.write("job/parts/rock.stl", f"solid rock\n{faces}endsolid rock\n")
        self.write("job/m.yaml", "trammel: 1\ngravity: [0, 0, -9.81]\n"
                   "bodies: {rock: {density: 1000, shape: {mesh: {file: parts/rock.stl}}}}\n"
                   "simulate: {end: 1, checkpoint_steps: 1}\n")
        job, out = self.path("job"), self.path("rock.h5")
        full = self.result("run", "m.yaml", "--out", out, cwd=job)
        for folder in (job, self.folder, "/"):
            rest = self.result("run", "--restart", out, cwd=folder)
            self.assertEqual(rest["coordinates"], full["coordinates"])
        again = self.result("run", os.path.join(job, "m.yaml"), "--restart", out)
        self.assertEqual(again["coordinates"], full["coordinates"])
        os.rename(job, self.path("moved"))  # with its parts: found where one is
        rest = self.result("run", "--restart", out, cwd=self.path("moved"))
        self.assertEqual(rest["coordinates"], full["coordinates"])
        line = self.lines("run", "--restart", out)[0]
        self.assertIn(f"{os.path.realpath(self.folder)}/job/parts/rock.stl", line)
