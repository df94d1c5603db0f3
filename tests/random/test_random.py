#!/usr/bin/env python3
"""test_random PROGRAM [--seeds A-B | --endless [A] | --seed N [--show | --verbose | --shrink]]

Random mechanisms and what must hold for each of them, see checks.py and docs/dev/tests.md.

  --seeds A-B,C  these seeds, the last one too; exit code 1 if one has a finding
  --quick       some methods, solvers and variants of each seed, not all
  --endless A   from seed A on (default 100000), until a finding or for ever
  --for S       or for S seconds
  --seed N      one seed; --show prints its model, --verbose every run, --shrink makes the model
                smaller as long as a finding of the same kind stays, and prints it
  --kinds K,..  only findings of these kinds count; others are not looked for
  --methods M,..  convergence of these methods only
  --seconds S   time allowed for one run (30)"""

import argparse
import sys
import tempfile
import time

import known
import shrink
from checks import Study
from mechanism import Mechanism
from runs import Runner


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seeds", default="1-30")
    parser.add_argument("--endless", nargs="?", const=100000, type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--methods", default="")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--for", type=float, dest="limit", default=0.0)
    for option in ("--quick", "--show", "--verbose", "--shrink"):
        parser.add_argument(option, action="store_true")
    return parser.parse_args()


def examine(runner, seed, options, say=lambda text: None):
    """Findings of one seed that count."""
    study = Study(runner, Mechanism(seed), say, options.quick)
    kinds = set(filter(None, options.kinds.split(",")))
    if options.methods:
        study.methods = options.methods.split(",")
    found = [f for f in study.all(kinds) if not kinds or f[0] in kinds]
    return study, found


def report(options, seed, found):
    for kind, sentence in found:
        print(f"seed {seed}: {kind}: {sentence}", flush=True)
    if found:
        print(f"  again: {sys.argv[0]} {options.program} --seed {seed} --verbose", flush=True)


def judge(seed, found):
    """Findings that known.py does not explain."""
    kinds, reason = known.SEEDS.get(seed, ((), ""))
    for kind, sentence in found:
        if kind in kinds:
            print(f"seed {seed}: known, {reason}: {kind}: {sentence}", flush=True)
    return [f for f in found if f[0] not in kinds]


def one(runner, options):
    mechanism = Mechanism(options.seed)
    if options.show:
        print(mechanism.text(), end="")
        return 0
    _, found = examine(runner, options.seed, options, print if options.verbose else lambda t: None)
    report(options, options.seed, found)
    if found and options.shrink:
        print(shrink.smallest(runner, mechanism, found[0]).text(), end="")
    return 1 if found else 0


def many(runner, options, seeds):
    bad, refused, count, end = 0, 0, 0, time.monotonic() + (options.limit or 1e18)
    for seed in seeds:
        study, found = examine(runner, seed, options)
        found = judge(seed, found)
        count += 1
        bad += 1 if found else 0
        for reason in study.refused:
            refused += 1
            print(f"seed {seed}: no method runs it: {reason}", flush=True)
        report(options, seed, found)
        if found and options.endless is not None:
            return 1
        if options.endless is not None and count % 50 == 0:
            print(f"{count} seeds, the last {seed}", flush=True)
        if time.monotonic() > end:
            print(f"the next seed is {seed + 1}")
            break
    print(f"{count} seeds, {runner.count} runs, {refused} refused by every method, {bad} with findings")
    return 1 if bad or refused > count // 20 else 0


def listed(text):
    for word in text.split(","):
        first, _, last = word.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.program, folder, options.seconds)
        if options.seed is not None:
            return one(runner, options)
        if options.endless is not None:
            seeds = iter(range(options.endless, 1 << 62))
        else:
            seeds = listed(options.seeds)
        return many(runner, options, seeds)


if __name__ == "__main__":
    sys.exit(main())
