"""variants.py - the same mechanism written in another way: moved, turned, in other units, in
another order, with the bodies of its joints exchanged. All must have the same motion."""

import copy
import random

import joints
import space
from writer import UNITS, Writer


def moved(mechanism, rng):
    return mechanism, Writer(mechanism.units, shift=[rng.uniform(-5, 5) for _ in range(3)])


def rounded(mechanism):
    """Moved by so little that only roundings differ."""
    return mechanism, Writer(mechanism.units, shift=[1e-14, -1e-14, 2e-14])


def turned(mechanism, rng):
    return mechanism, Writer(mechanism.units, turn=space.quaternion(rng))


def in_units(mechanism, rng):
    return mechanism, Writer(rng.choice([u for u in UNITS if u != mechanism.units]))


def reordered(mechanism, rng):
    other = copy.copy(mechanism)
    other.sections = dict(mechanism.sections)
    for key in ("bodies", "joints", "forces", "motions", "beams", "contacts"):
        names = list(mechanism.sections.get(key, {}))
        rng.shuffle(names)
        if names:
            other.sections[key] = {n: mechanism.sections[key][n] for n in names}
    return other, None


def swapped(mechanism, rng):
    """Joints that nothing refers to, and springs."""
    other = copy.copy(mechanism)
    other.sections = dict(mechanism.sections)
    changed = dict(mechanism.sections["joints"])
    for name, part in changed.items():
        if name in mechanism.used or part["type"] not in joints.SYMMETRIC:
            continue
        if "friction" not in part:
            changed[name] = joints.swapped(part) or part
    other.sections["joints"] = changed
    forces = dict(mechanism.sections["forces"])
    for name, part in forces.items():
        if part["type"] == "spring":
            forces[name] = part | {"bodies": part["bodies"][::-1], "points": part["points"][::-1]}
    other.sections["forces"] = forces
    return other, None


ALL = {"moved": moved, "turned": turned, "in other units": in_units, "reordered": reordered,
       "with bodies of joints swapped": swapped}


def make(name, mechanism):
    return ALL[name](mechanism, random.Random(f"{name} {mechanism.seed}"))
