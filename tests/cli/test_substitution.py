#!/usr/bin/env python3
"""test_substitution.py PATH_TO_TRAMMEL [FIRST [COUNT]] - random typed models, each run twice: as typed,
and with every subexpression as a variable. Steps, events and results are the same to rounding. Where
they are not, a start value moved by 1e-14 must have a hundredth of the effect: two events 4e-15 s
apart, say.
FIRST and COUNT choose the seeds."""

import json
import os
import random
import subprocess
import sys
import tempfile

METHODS = ("hht", "alpha", "tdg", "radau", "explicit")
LIMIT = 1e-9  # of rounding, over some hundred steps


class Model:
    """A random model as trees: a leaf is a text, else (format, arguments)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.nq, self.nx = r.randint(1, 3), r.randint(0, 2)
        self.places = [f"q{i}" for i in range(self.nq)]
        self.rates = [f"q{i}'" for i in range(self.nq)]
        self.states = [f"x{i}" for i in range(self.nx)]
        self.all = self.places + self.rates + self.states + ["time"]
        self.masses = [self.mass() for _ in self.places]
        self.forces = [self.force(i) for i in range(self.nq)]
        self.flows = [("{0} - 2*{1}", [self.tree(3, self.all), s]) for s in self.states]
        self.outputs = [self.tree(3, self.all) for _ in range(2)]
        self.starts = [round(r.uniform(-1, 1), 3) for _ in range(2 * self.nq + self.nx)]
        self.method = METHODS[seed % len(METHODS)]
        self.tolerance = r.choice((1e-4, 1e-5, 1e-6))

    def number(self):
        return f"{self.random.uniform(0.2, 2):.3f}"

    def tree(self, depth, names):
        """Bounded by some 10: nothing runs away within a second or two."""
        r = self.random
        if depth == 0 or r.random() < 0.15:
            return r.choice(names) if r.random() < 0.8 else self.number()
        sub = [self.tree(depth - 1, names) for _ in range(3)]
        return (r.choice(("{0} + {1}", "{0} - {1}", "sin({0})", "tanh({0}*{1})", "cos({0} - {1})",
                          "{0}/(1 + {1}^2)", "exp(-{0}^2)", "sqrt(1 + {0}^2)", "tanh({0})^3",
                          "atan2({0}, 2 + sin({1}))", "abs({0})", "max({0}, {1})",
                          "min({0}, " + self.number() + ")", "{0}^2/(2 + {0}^2 + {1}^2)",
                          "STEP({0}, 0, {1}, 1, sin({2}))", "log(2 + {0}^2)")), sub)

    def mass(self):
        return ("1 + 0.3*{0}^2/(1 + {0}^2)", [self.tree(1, self.places)])

    def force(self, i):
        r = self.random
        parts = ["-{0}*" + self.places[i], "-0.3*" + self.rates[i], " + tanh({1})"]
        if r.random() < 0.5:  # a jump, in time: it is never slid along
            parts.append(f" + if(sin({r.uniform(2, 6):.3f}*time) > 0.3, {{2}}, -0.5)/4")
        return ("".join(parts), [self.number(), self.tree(4, self.all), self.tree(2, self.all)])

    def text(self, as_variables):
        variables = []

        def put(tree):
            if isinstance(tree, str):
                return tree
            pattern, arguments = tree
            whole = pattern.format(*[f"({put(a)})" for a in arguments])
            if not as_variables:
                return whole
            variables.append(whole)
            return f"v{len(variables)}"

        lines = ["trammel: 1", "equations:", "  coordinates:"]
        for i, name in enumerate(self.places):
            lines.append(f"    {name}: {{value: {self.starts[2 * i]}, "
                         f"velocity: {self.starts[2 * i + 1]}}}")
        lines.append("  mass:")
        lines += [f'    {n}: "{put(m)}"' for n, m in zip(self.places, self.masses)]
        lines.append("  forces:")
        lines += [f'    {n}: "{put(f)}"' for n, f in zip(self.places, self.forces)]
        if self.nx > 0:
            lines.append("  states:")
            for i, (name, flow) in enumerate(zip(self.states, self.flows)):
                lines.append(f'    {name}: {{value: {self.starts[2 * self.nq + i]}, '
                             f'rate: "{put(flow)}"}}')
        outputs = [f'  o{i}: "{put(o)}"' for i, o in enumerate(self.outputs)]
        if as_variables:
            pairs = list(enumerate(variables, 1))
            self.random.shuffle(pairs)  # their order does not matter
            lines.append("  variables:")
            lines += [f'    v{i}: "{v}"' for i, v in pairs]
        lines += ["outputs:"] + outputs
        lines.append(f"simulate: {{end: 2, integrator: {self.method}, "
                     f"tolerance: {self.tolerance:g}}}")
        return "\n".join(lines) + "\n"


def run(program, folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([program, "run", path, "--json"], capture_output=True, text=True,
                          timeout=300, check=False)
    return json.loads(done.stdout), text


def fault_of(plain, named, limit=LIMIT):
    """What differs, or None."""
    if plain["status"] != named["status"]:
        return f"{plain['status']} and {named['status']}: {named.get('message')}"
    if plain["status"] != "ok":
        return f"fails: {plain['message']}"
    if plain["steps"] != named["steps"]:
        return f"{plain['steps']} and {named['steps']} steps"
    for group in ("coordinates", "velocities", "accelerations", "states", "outputs"):
        for key, value in plain[group].items():
            other = named[group][key]
            if not abs(value - other) <= limit * (1 + abs(value)):
                return f"{key} of {group}: {value} and {other}"
    return None


def is_rounding(program, folder, model, plain):
    """Does one start value moved by 1e-14 change the result by a hundredth of what is allowed, or more?
    The golden record allows a hundred times that."""
    starts = model.starts
    for i in range(2 * len(starts)):
        model.starts = [x + (1e-14 if i % 2 else -1e-14) * (k == i // 2) for k, x in enumerate(starts)]
        moved, _ = run(program, folder, "moved.yaml", model.text(False))
        model.starts = starts
        if fault_of(plain, moved, LIMIT / 100) is not None:
            return True
    return False


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            model = Model(seed)
            plain, _ = run(program, folder, "plain.yaml", model.text(False))
            named, text = run(program, folder, "named.yaml", model.text(True))
            fault = fault_of(plain, named)
            if fault is not None and not is_rounding(program, folder, model, plain):
                bad += 1
                print(f"seed {seed}, {model.method} at {model.tolerance:g}: {fault}")
                print(model.text(False), text, sep="\n")
    print(f"{count} models, {bad} differ")
    sys.exit(1 if bad > 0 else 0)


if __name__ == "__main__":
    main()
