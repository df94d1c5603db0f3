"""run_case.py - what tests of run files share."""

import h5py

from program import Case

PLAIN = ("trammel", "model", "integrator", "formulation", "solver", "time")
UNKNOWNS = ("coordinates", "velocities", "accelerations", "multipliers", "states", "variables",
            "outputs", "energy")
COUNTERS = ("steps", "rejected_error", "rejected_newton", "newton_iterations", "residuals",
            "jacobians", "factorizations", "solves", "lu_entries", "step_min", "step_max",
            "violation")


class RunCase(Case):
    def record(self, *words, name="run.h5"):
        """Run with --out; returns the JSON and the file, opened by h5py."""
        path = self.path(name)
        run = self.result("run", *words, "--out", path)
        file = h5py.File(path, "r")
        self.addCleanup(file.close)
        return run, file

    def check_same_end(self, full, rest):
        """Every unknown of the end, to the last bit."""
        for key in PLAIN + UNKNOWNS:
            self.assertEqual(full[key], rest[key], key)

    def check_remaining(self, full, rest, since):
        """Counters of the remaining part, as the history of the whole run tells them."""
        with h5py.File(full, "r") as file:
            steps = file["steps"][:]
        names = ["t", "h", "accepted", "limit", "list", "index", "error", "iterations"]
        column = {name: steps[:, i] for i, name in enumerate(names)}
        after = column["t"] >= since
        accepted = after & (column["accepted"] == 1)
        rejected = after & (column["accepted"] == 0)
        self.assertEqual(rest["steps"], accepted.sum())
        # of the local error, at a stop, by friction
        is_error = (column["limit"] == 1) | (column["limit"] == 7) | (column["limit"] == 8)
        self.assertEqual(rest["rejected_error"], (rejected & is_error).sum())
        self.assertEqual(rest["rejected_newton"], (rejected & ~is_error).sum())
        self.assertEqual(rest["newton_iterations"], column["iterations"][after].sum())
        self.assertEqual(rest["step_min"], column["h"][accepted].min())
        self.assertEqual(rest["step_max"], column["h"][accepted].max())


def words_of(dataset):
    return [text.decode() for text in dataset[:]]
