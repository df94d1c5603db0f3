"""runs.py - run the program on a model text and bring what it says back to SI and ground axes."""

import csv
import json
import math
import os
import re
import subprocess

import space
from writer import LENGTH, RATE, SPEED, TIME, Writer


class Result:
    """One run: exit code, messages, samples. A sample maps a body to (x, q, v, w), SI."""

    def __init__(self, words, code, out, err):
        self.words, self.code, self.out, self.err = words, code, out, err
        self.json, self.samples, self.fault = {}, [], None
        self.messages = [line for line in err.splitlines() if line.strip()]
        if code is None:
            self.fault = f"hangs: no end after the time that is allowed"
        elif code not in (0, 2, 3, 4):
            self.fault = f"exit code {code}"
        elif re.search(r"Sanitizer|runtime error", err):
            self.fault = "sanitizer report"
        else:
            self.read_json()

    def read_json(self):
        def refuse(word):
            raise ValueError(f"{word} in the JSON object")
        try:
            self.json = json.loads(self.out, parse_constant=refuse)
        except ValueError as e:
            self.fault = f"bad JSON: {e}"
            return
        sentence = self.json.get("message", "")
        if self.code != 0 and len(sentence.split()) < 4:
            self.fault = f"exit code {self.code} without a sentence: {sentence!r}"

    @property
    def ok(self):
        return self.fault is None and self.code == 0

    @property
    def notes(self):
        """Warnings and notes, except that reactions are not unique."""
        return [m for m in self.messages if re.match(r"trammel: (note|warning)", m)
                and "constraint rows are redundant" not in m]

    @property
    def errors(self):
        """What the local errors of the run add up to, as it says itself [m, rad]."""
        return self.json["errors"]["sum"]

    def said(self):
        """Why a run failed."""
        return self.fault or self.json.get("message", "") if not self.ok else ""


def has_impacts(mechanism):
    return bool({"contact", "stop"} & set(mechanism.flags))


def impact_tolerance(tolerance):
    """Of runs with impacts: that of their speed, the usual 1e-3 at 1e-5."""
    return max(100 * tolerance, 1e-6)


class Runner:
    def __init__(self, program, folder, seconds=30.0):
        self.program, self.folder, self.seconds, self.count = program, folder, seconds, 0

    def call(self, words):
        try:
            run = subprocess.run([self.program, *words], capture_output=True, text=True,
                                 timeout=self.seconds)
            return Result(words, run.returncode, run.stdout, run.stderr)
        except subprocess.TimeoutExpired as e:   # what it has said so far comes as bytes
            said = e.stderr or b""
            return Result(words, None, "", said if isinstance(said, str) else said.decode())

    def path(self, text):
        path = os.path.join(self.folder, "model.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def check(self, mechanism):
        return self.call(["check", self.path(mechanism.text()), "--json"])

    def run(self, mechanism, integrator, tolerance, *more, writer=None):
        """A run with samples at four times. Errors of impacts fall with the tolerance as others do,
        down to 1e-6; with the usual one nothing changes."""
        writer = writer or Writer(mechanism.units)
        table = os.path.join(self.folder, "run.csv")
        words = ["run", self.path(mechanism.text(writer)), "--integrator", integrator,
                 "--tolerance", repr(tolerance), *more, "--json", "--csv", table, "--outputs", "4"]
        if has_impacts(mechanism):
            words += ["--impact-tolerance", repr(impact_tolerance(tolerance))]
        self.count += 1
        result = self.call(words)
        if result.ok:
            try:
                result.samples = read_samples(table, writer)
            except ValueError as e:
                result.fault = f"samples: {e}"
        return result


def read_samples(table, writer):
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    names = {name: i for i, name in enumerate(rows[0])}
    bodies = [n[:-2] for n in rows[0] if n.endswith(".x") and n[:-2] + ".y" in names
              and n[:-2] + ".vx" in names]
    sizes = {k: writer.one(d) for k, d in
             (("x", LENGTH), ("v", SPEED), ("w", RATE), ("t", TIME))}
    back = space.inverse(writer.turn)
    samples = []
    for row in rows[1:]:
        values = [float(c) for c in row]
        if not all(map(math.isfinite, values)):
            raise ValueError(f"not finite at t = {row[0]}")

        def get(body, keys, size=1.0):
            found = [names.get(f"{body}.{k}") for k in keys]
            return None if None in found else [values[i] * size for i in found]
        sample = {"t": values[0] * sizes["t"]}
        for body in bodies:
            x = space.rotate(back, space.sub(get(body, "xyz", sizes["x"]), writer.shift))
            q = get(body, ("q0", "q1", "q2", "q3"))
            v = space.rotate(back, get(body, ("vx", "vy", "vz"), sizes["v"]))
            w = get(body, ("wx", "wy", "wz"), sizes["w"])
            sample[body] = (x, space.product(back, q) if q else None, v, w)
        samples.append(sample)
    return samples


def distance(a, b):
    """Largest difference of places [m] and orientations [rad] over the samples."""
    worst = 0.0
    for sample, other in zip(a.samples, b.samples):
        for body in sample.keys() & other.keys() - {"t"}:
            (x, q, _, _), (y, p, _, _) = sample[body], other[body]
            worst = max(worst, space.norm(space.sub(x, y)))
            if q and p:
                worst = max(worst, 2 * min(space.norm(space.sub(q, p)),
                                           space.norm(space.add(q, p))))
    if len(a.samples) != len(b.samples):
        return math.inf
    return worst


def motion(result):
    """Size of the motion: largest displacement of a body [m], at least a millimetre."""
    first, worst = result.samples[0], 1e-3
    for sample in result.samples[1:]:
        for body in sample.keys() - {"t"}:
            worst = max(worst, space.norm(space.sub(sample[body][0], first[body][0])))
    return worst
