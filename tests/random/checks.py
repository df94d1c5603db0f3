"""checks.py - what must hold for every random mechanism.

A check yields findings (kind, sentence). Kinds: crash, hang, nan, start, fails, energy,
convergence, solver, variant. A run that ends with a clear sentence is a finding `fails` only where
another method does the same run.

Distances count over all samples, the end included."""

import functools
import re

import variants
from runs import distance, has_impacts, impact_tolerance, motion
from writer import TIME, TORQUE, Writer

METHODS = ("hht", "alpha", "tdg", "radau", "explicit", "bdf")
DEFAULT = "auto"   # takes some of them; every mechanism is run by it
SOLVERS = ("dense", "klu", "block")
ENDS = ("crash", "hang", "nan", "start")   # findings for which nothing need be accurate
FINE, GOOD = 1e-11, 1e-10
# A run says what its local errors add up to: its motion is off by about that much where it neither
# spreads nor forgets them. Three errors of coordinates make one of a place, and what is added up is
# the error of a place or angle in one step, without those that errors of velocities cause later.
SAID = 5
SHORT = 4e-3   # longest step of the reference [s]: its dense output is as good as its steps

# Notes that admit an error of the motion. Others, on friction, reactions, options, excuse nothing.
ADMITTED = (
    r"energy balance does not close",        # at least 5 % of the energy are wrong
    r"is stiff for 'explicit'",              # stability, not the tolerance, chooses the steps
    r"singular pose",                        # rounding is magnified, the motion may branch
    r"constraints.* became singular",        # the same, found by the solver
    r"not to be trusted",                    # steps too long for a stop
    r"friction, and with it the motion, depends on how reactions are shared out",
)


CHATTERS = "pushes the motion back to itself"   # .. and that takes steps without end


def admits(result):
    """Does a run say that its motion may be off by more than the tolerance?"""
    return any(re.search(phrase, note) for phrase in ADMITTED for note in result.notes)


class Study:
    """All checks of one mechanism; runs are made when they are needed."""

    def __init__(self, runner, mechanism, say=lambda text: None, quick=False):
        self.runner, self.m, self.say = runner, mechanism, say
        self.methods, self.solver_names = (*METHODS, DEFAULT), SOLVERS
        self.variants = list(variants.ALL)
        if quick:   # some of each; all of them over a few seeds
            k = mechanism.seed
            self.methods = (METHODS[k % len(METHODS)], METHODS[(k + 2) % len(METHODS)], DEFAULT)
            self.solver_names = (SOLVERS[k % 3],)
            self.variants = (self.variants[k % 5], self.variants[(k // 5) % 5])
        self.reference = None
        self.noise = 0.0       # distance of the reference from the next best run
        self.rounded = None    # see `rounding`
        self.expected = 0.0    # error of radau at GOOD, see `distances`
        self.refused = []

    def run(self, *words, **more):
        result = self.runner.run(self.m, *words, **more)
        self.say(f"{' '.join(map(str, words))}: {result.said() or 'ok'} "
                 f"{result.json.get('steps', '')}"
                 f" {'; '.join(result.notes)}")
        return result

    def all(self, kinds=()):
        """Findings; of these kinds, if some are given, and others on the way to them."""
        yield from self.start()
        if kinds and set(kinds) <= set(ENDS):
            yield from self.ends()
            return
        yield from self.make_reference()
        if self.reference is None:
            return

        def wants(*some):
            return not kinds or any(kind in kinds for kind in some)
        if wants("energy"):
            yield from self.energy()
        if wants("convergence", "fails", "solver", "variant"):   # which compare with its errors
            yield from self.convergence()
        if wants("solver", "variant"):
            yield from self.solvers()
        if wants("variant"):
            yield from self.written_otherwise()

    def broken(self, result):
        """A finding where a run did not end as it must: by a result or a sentence."""
        if result.fault is None:
            return []
        kind = "hang" if result.code is None else "nan" if "finite" in result.fault else "crash"
        return [(kind, f"{' '.join(result.words[3:7])}: {result.fault}: {result.err[-300:]}")]

    def start(self):
        """The doctor counts the same freedoms; the start satisfies all joints as it is given."""
        result = self.runner.check(self.m)
        yield from self.broken(result)
        if result.fault is None and result.code != 0:
            yield "start", f"check: {result.said()}"
        elif result.ok:
            if result.json["freedoms"] != self.m.freedoms:
                yield "start", f"{result.json['freedoms']} freedoms, not {self.m.freedoms}"
            moved = {k: v for k, v in result.json["moved"].items()
                     if not k.endswith(".rate")}
            if moved:
                yield "start", f"the assembly moves {moved}"

    def ends(self):
        """Every run ends by a result or a sentence, whatever its accuracy."""
        runs = [self.run(method, 1e-5) for method in self.methods]
        runs += [self.run("radau", 1e-5, "--solver", solver) for solver in self.solver_names]
        for name in self.variants:
            other, writer = variants.make(name, self.m)
            runs.append(self.runner.run(other, "radau", 1e-5, writer=writer))
        for result in runs:
            yield from self.broken(result)

    def make_reference(self):
        step = repr(SHORT / Writer(self.m.units).one(TIME))
        fine, good = (self.run("radau", e, "--step-max", step) for e in (FINE, GOOD))
        yield from self.broken(fine)
        yield from self.broken(good)
        if fine.ok and good.ok:
            self.reference, self.good = fine, good
            self.noise = distance(fine, good)
            self.size = motion(fine)
            return
        other = [i for i in METHODS if i != "radau" and self.run(i, 1e-5).ok]
        reason = fine.said() or good.said()
        if other:
            if not any(CHATTERS in note for note in fine.notes + good.notes):
                yield "fails", f"radau at {FINE}: {reason}; but {' '.join(other)} run at 1e-5"
        else:
            self.refused.append(reason)

    def energy(self):
        if "conservative" not in self.m.flags:
            return
        e = self.good.json["energy"]
        size = max(abs(e["kinetic"]), abs(e["potential"]), abs(e["initial"]))
        if size * Writer(self.m.units).one(TORQUE) < 1e-12:
            return   # nothing moves
        change = abs(e["final"] - e["initial"]) / size
        # An error d of places and d/T of speeds in the time T of the run changes energies that are
        # quadratic in them by 2 d over the motion; stiff parts store much with little motion.
        enough = max(1e-7, 100 * self.noise / self.size)
        self.say(f"energy: changes by {change:.1e}, allowed {enough:.1e}")
        if not change < enough and not admits(self.good):
            yield "energy", f"radau at {GOOD} changes the energy by {change:.2g} of {size:.3g}"

    def convergence(self):
        """Distances to the reference fall at least threefold from 1e-5 to 1e-7."""
        for method in self.methods:
            far, near = self.run(method, 1e-5), self.run(method, 1e-7)
            found = [] if self.is_slow(method, far, near) else self.broken(far) + self.broken(near)
            yield from found
            if found:
                continue
            if not (far.ok and near.ok):
                if not self.is_excused(method, far, near):
                    yield "fails", f"{method}: {far.said() or near.said()}; radau runs at {FINE}"
                continue
            yield from self.distances(method, far, near)

    def distances(self, method, far, near):
        d5, d7 = (distance(r, self.reference) for r in (far, near))
        self.say(f"{method}: {d5:.2e} {d7:.2e} said {near.errors:.1e} motion {self.size:.2g} noise {self.noise:.1e}")
        if method == "radau" and d7 < d5 / 3:   # 1e-7 to 1e-10: one and a half times as far as 1e-5 to 1e-7
            self.expected = d7 * (d7 / d5) ** 1.5
        enough = max(d5 / 3, 1e-7 * max(1, self.size), 3 * self.noise, SAID * near.errors,
                     self.of_impacts(1e-7))
        if near.json["steps"] < 1.2 * far.json["steps"]:   # by events and growth, not by errors
            enough = max(enough, 1e-7 * near.json["steps"])
        if not d7 <= enough and not admits(near):
            growth = self.growth(method)
            if not d7 <= SAID * near.errors * growth:
                yield "convergence", f"{method}: {d5:.2e} at 1e-5, {d7:.2e} at 1e-7, " \
                                     f"growth {growth:.2g}"

    def growth(self, method):
        """How many times an unstable motion magnifies errors, where `--verify` says so; 0 where it
        finds no instability and must not excuse anything."""
        result = self.run(method, 1e-7, "--verify")
        verify = result.json.get("verify", {})
        said = any("the motion is unstable" in sentence for sentence in verify.get("warnings", []))
        return verify["motion"]["growth"] if said else 0.0

    def of_impacts(self, tolerance):
        """What impacts may leave: a part of their speeds, which is as large a part of the motion."""
        return impact_tolerance(tolerance) * self.size if has_impacts(self.m) else 0.0

    def is_slow(self, method, far, near):
        """Stopped by the clock after it had said that the problem is stiff for it."""
        return method == "explicit" and all(r.ok or admits(r) for r in (far, near)) and \
            (far.code is None or near.code is None)

    def is_excused(self, method, far, near):
        """`explicit` may need too many steps on stiff models, `bdf` on light vibrations; both say so."""
        phrase = {"explicit": "is stiff", "bdf": "order held at 2: a vibration"}.get(method)
        many = all(r.ok or r.code is None or "attempted steps" in r.said() for r in (far, near))
        return many and phrase is not None and any(phrase in m for r in (far, near) for m in r.messages)

    def apart(self, result, plain, finer):
        """A sentence where two runs of the same problem differ more than their errors explain; `finer` runs the
        first one at a tenth of its tolerance."""
        # Both have errors like that of `plain`, which may have other steps than the reference, or
        # as runs at larger tolerances let expect: `plain` may be close by chance.
        error = max(self.noise, self.expected, distance(plain, self.reference))
        said = SAID * (result.errors + plain.errors)
        impacts = 2 * self.of_impacts(GOOD)   # each of the two may be off by as much
        allowed, found = max(1e-8 * max(1, self.size), 3 * error, said, impacts), \
            distance(result, plain)
        if found > allowed:   # as in the golden record: a hundred times what rounding does
            allowed = max(allowed, 100 * self.rounding())
        if found > allowed:   # it may have other steps, and another error, than `plain`
            near = finer()
            own = 3 * distance(result, near) if near.ok else 0.0
            allowed = max(allowed, min(own, 10 * allowed))   # what is far off stays a finding
        self.say(f"  apart {found:.2e}; allowed {allowed:.1e}")
        return "" if found <= allowed else f"{found:.2e} apart, {allowed:.1e} allowed"

    def rounding(self):
        """What moving all of it by a rounding error changes."""
        if self.rounded is None:
            other, writer = variants.rounded(self.m)
            near = self.runner.run(other, "radau", GOOD, writer=writer)
            self.rounded = distance(near, self.plain) if near.ok else 0.0
        return self.rounded

    def solvers(self):
        self.plain = self.run("radau", GOOD)
        yield from self.broken(self.plain)
        for solver in self.solver_names:
            yield from self.compare("solver", solver, lambda tolerance, name=solver:
                                    self.run("radau", tolerance, "--solver", name))

    def written_otherwise(self):
        for name in self.variants:
            other, writer = variants.make(name, self.m)
            self.say(name)
            run = functools.partial(self.runner.run, other, "radau", writer=writer)
            yield from self.compare("variant", name, run)

    def compare(self, kind, name, run):
        """The same problem again; `run` takes a tolerance."""
        result = run(GOOD)
        yield from self.broken(result)
        if result.fault is None and result.ok != self.plain.ok:
            if admits(self.plain):   # such as friction that is not unique: it may have no solution, too
                return
            yield kind, f"{name}: {result.said() or 'ok'}; plain: {self.plain.said() or 'ok'}"
        elif result.ok:
            sentence = self.apart(result, self.plain, functools.partial(run, FINE))
            if sentence and not admits(self.plain):
                yield kind, f"{name}: {sentence}"
