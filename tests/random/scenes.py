"""scenes.py - contacts of random mechanisms: bodies that fly at others and at a floor.

Every sixth seed has them. They are drawn after everything else and from numbers of their own, so
that other seeds stay as they are. Contacts are soft, of some 10 ms, and hit once or twice: more
impacts would magnify every error."""

import random

import space
from space import add, direction, scaled
from writer import LENGTH, MASS, INERTIA, P, Q, SPEED, RATE, TIME, V, O, dim, qs

EVERY, FIRST = 6, 5


def size_of(rng):
    return rng.uniform(0.08, 0.12)


def sphere(rng):
    return {"sphere": {"radius": Q(size_of(rng), LENGTH)}}


def capsule(rng):
    half = [rng.uniform(-0.1, 0.1) for _ in range(3)]
    return {"capsule": {"from": qs(half, LENGTH), "to": qs(scaled(-1.0, half), LENGTH),
                        "radius": Q(size_of(rng), LENGTH)}}


def box(rng):
    return {"box": {"size": qs([2.4 * size_of(rng) for _ in range(3)], LENGTH),
                    "rounding": Q(0.08, LENGTH)}}


def ellipsoid(rng):
    return {"ellipsoid": {"radii": qs([size_of(rng) for _ in range(3)], LENGTH)}}


def hull(rng):
    points = [scaled(0.5 * size_of(rng), direction(rng)) for _ in range(rng.randint(5, 9))]
    return {"hull": {"points": [qs(p, LENGTH) for p in points], "radius": Q(0.08, LENGTH)}}


def law(rng, conservative):
    """k for a kilogram: depths of about 2 cm at 2 m/s."""
    exponent = rng.choice([1.5, 1.5, 2.0, 2.5])
    stiffness = rng.uniform(1e5, 3e5) * 0.02 ** (1.5 - exponent)
    part = {"stiffness": Q(stiffness, dim(force=1, length=-exponent)), "exponent": exponent}
    if conservative:
        return part
    kind = rng.choice(["elastic", "damping", "restitution"])
    if kind == "damping":
        part["damping"] = Q(rng.uniform(0.05, 0.5), dim(time=1, length=-1))
    elif kind == "restitution":
        part["restitution"] = rng.uniform(0.3, 0.9)
    if rng.random() < 0.5:
        mu = rng.uniform(0.1, 0.5)
        part["friction"] = {"static": mu, "dynamic": rng.uniform(0.6, 1.0) * mu,
                            "velocity": Q(0.1, SPEED), "depth": Q(2e-3, LENGTH),
                            "time": Q(0.01, TIME)}
        if rng.random() < 0.3:
            part["friction"]["model"] = "regularized"
    return part


def thrown(rng, name, target, shape, mechanism, way=None):
    """A free body that reaches a place in 20 to 80 ms; the direction in which it flies."""
    way, speed = way or direction(rng), rng.uniform(1.5, 3.0)
    far = 0.27 + speed * rng.uniform(0.02, 0.08)
    mass, inertia = rng.uniform(0.5, 2.0), rng.uniform(2e-3, 2e-2)
    mechanism.sections["bodies"][name] = {
        "at": P(add(target, scaled(-far, way))), "orientation": {"quaternion": O(space.quaternion(rng))},
        "mass": Q(mass, MASS), "inertia": qs([inertia, 1.2 * inertia, 1.1 * inertia], INERTIA),
        "velocity": V(scaled(speed, way), SPEED),
        "angular_velocity": qs([rng.uniform(-2, 2) for _ in range(3)], RATE), "shape": shape}
    mechanism.freedoms += 6
    return way


def add_all(m):
    """A floor and a body, or two bodies that meet, and one that meets the mechanism."""
    if m.seed % EVERY != FIRST:
        return
    rng = random.Random(f"contacts {m.seed}")
    conservative = "conservative" in m.flags
    m.flags.add("contact")
    contacts = m.sections["contacts"] = {}
    place = [rng.uniform(2, 3) for _ in range(3)]
    if rng.random() < 0.5:
        thrown(rng, "flier", place, rng.choice([sphere, capsule, box, ellipsoid, hull])(rng), m)
        normal = space.unit(scaled(-1.0, m.sections["bodies"]["flier"]["velocity"]))
        m.sections["bodies"]["ground"]["shapes"] = {
            "floor": {"plane": {"at": P(place), "normal": V(space.unit(add(normal, scaled(0.3, direction(rng)))))}}}
        contacts["lands"] = {"between": ["flier", "ground.floor"]} | law(rng, conservative)
    else:
        makers = [sphere, rng.choice([sphere, capsule, box, hull])]
        way = thrown(rng, "flier", place, makers[0](rng), m)
        back = space.unit(add(scaled(-1.0, way), scaled(0.4, direction(rng))))
        thrown(rng, "other", place, makers[1](rng), m, back)
        contacts["meets"] = {"between": ["flier", "other"]} | law(rng, conservative)
    hit = [n for n, b in m.bodies.items() if b.kind == "rigid" and "mass" in m.sections["bodies"][n]]
    if hit and rng.random() < 0.5:
        name = rng.choice(hit)
        m.sections["bodies"][name]["shapes"] = {"knob": sphere(rng)}
        thrown(rng, "shot", m.bodies[name].place, sphere(rng), m)
        contacts["hits"] = {"between": ["shot", f"{name}.knob"]} | law(rng, conservative)
    m.sections["simulate"] = m.sections.pop("simulate")
