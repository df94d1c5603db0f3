"""studies.py - results of `converge` and `check`."""

import math

from program import CHECK_KEYS, KINDS, Case, call


class Converge(Case):
    def test_hht_is_of_second_order(self):
        out = self.result("converge", "pendulum", "--end", "2", "--integrator", "hht",
                          "--formulation", "si2", "--steps", "0.01,0.005,0.0025")
        self.assertEqual(list(out), ["rows"])
        rows = out["rows"]
        self.assertEqual([row["step"] for row in rows], [0.01, 0.005, 0.0025])
        for row in rows:
            self.assertEqual(list(row), ["step", "errors", "orders"])
            for part in ("errors", "orders"):
                self.assertEqual(list(row[part]), [*KINDS, "rms"])
                self.assertEqual(list(row[part]["rms"]), ["x", "y"])
                self.assertIsNone(row[part]["state"])
                self.assertIsNone(row[part]["variable"])
        self.assertEqual({rows[0]["orders"][kind] for kind in KINDS}, {None})
        for row in rows[1:]:
            for kind in KINDS[:4]:
                # asymptotic order 2; the next term changes it by a few percent
                self.assertGreater(row["orders"][kind], 1.85, kind)
                self.assertLess(row["orders"][kind], 2.2, kind)
            for order in row["orders"]["rms"].values():
                self.assertGreater(order, 1.8)

    def test_orders_follow_from_the_errors(self):
        rows = self.result("converge", "unit-pendulum", "--steps", "0.02,0.005")["rows"]
        for kind in KINDS[:4]:
            errors = [row["errors"][kind] for row in rows]
            order = math.log(errors[0] / errors[1]) / math.log(4)
            self.assertAlmostEqual(rows[1]["orders"][kind], order, delta=1e-12)

    def test_numbers_have_17_digits(self):
        run = call("converge", "pendulum", "--end", "1", "--steps", "0.1", "--json")
        self.assertIn('"step": 0.10000000000000001,', run.stdout)

    def test_alternating_steps(self):
        rows = self.result("converge", "pendulum", "--end", "2", "--steps",
                           "0.01:0.02,0.005:0.01")["rows"]
        self.assertEqual([row["pattern"] for row in rows], [[0.01, 0.02], [0.005, 0.01]])
        self.assertEqual([row["step"] for row in rows], [0.01, 0.005])
        for kind in ("position", "multiplier"):
            self.assertGreater(rows[1]["orders"][kind], 1.8, kind)

    def test_rotations_are_compared_by_their_angle(self):
        rows = self.result("converge", "double-pendulum", "--end", "0.2", "--steps",
                           "0.004,0.002")["rows"]
        self.assertLess(rows[1]["errors"]["position"], 1e-3)
        self.assertGreater(rows[1]["orders"]["position"], 1.8)
        for order in rows[1]["orders"]["rms"].values():
            self.assertGreater(order, 1.7)

    def test_table_for_people(self):
        run = call("converge", "pendulum", "--end", "1", "--steps", "0.02,0.01")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        lines = run.stdout.splitlines()
        self.assertRegex(lines[1], r"^step.*position order.*velocity order")
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[2], r"^0\.02 .* - ")
        self.assertRegex(lines[3], r"^0\.01 ")


class Check(Case):
    def test_json_has_the_keys_of_the_contract_in_order(self):
        check = self.result("check", "pendulum")
        self.assertEqual(list(check), CHECK_KEYS)
        self.assertEqual([check[key] for key in CHECK_KEYS[:4]], [1, 1, 2, 1])
        self.assertEqual((check["redundant"], check["reactions_not_unique"]), ([], []))
        self.assertIs(check["assembled"], True)
        self.assertEqual(check["warnings"], [])

    def test_freedoms_of_a_chain(self):
        for joint, rows in (("revolute", 5), ("spherical", 3)):
            check = self.result("check", "chain", "--set", "links=4", "--set", f"joint={joint}")
            self.assertEqual((check["coordinates"], check["constraints"]), (24, 4 * rows))
            self.assertEqual(check["freedoms"], check["coordinates"] - check["rank"])
            redundant = sum(entry["rows"] for entry in check["redundant"])
            self.assertEqual(redundant, check["constraints"] - check["rank"])
            self.assertEqual(check["freedoms"], 24 - 4 * rows)

    def test_text_for_people(self):
        run = call("check", "chain", "--set", "links=2")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"^chain: freedoms \d+ = coordinates 12 - ")
