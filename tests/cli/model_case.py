"""model_case.py - what tests of model files share."""

import os

from program import Case, call

PENDULUM = """\
trammel: 1
name: Pendulum of a file
parameters: {length: 0.5, gravity: 9.81 m/s^2}
equations:
  coordinates: {x: length, y: 0}
  kinetic: 0.5*(x'^2 + y'^2)
  potential: -gravity*y
  constraints: {rod: x^2 + y^2 - length^2}
outputs: {angle: "atan2(x, y)"}
simulate: {end: 1, tolerance: 1e-6, checkpoint_steps: 10}
"""


class Files(Case):
    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def lines(self, *words):
        """The lines of a command that must fail as bad input."""
        run = call(*words)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        return run.stderr.splitlines()
