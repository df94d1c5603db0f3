"""laws.py - what acts in a random mechanism: gears, motions, forces, friction, stops, states.

Each function adds one thing and its flags; those that need a motion or a joint that is not there
add nothing. Conservative mechanisms get only what has a potential that the program counts."""

import joints
import space
from space import add, direction, sub
from writer import (DAMPING, FORCE, LENGTH, NONE, O, P, Q, RATE, SPEED, STIFFNESS, TIME, TORQUE,
                    TURN_DAMPING, V, X, dim, qs)


def spread(rng, low, high):
    return low * (high / low) ** rng.random()


def coordinates(m, unused=False):
    """Pairs of joint and coordinate that laws may use."""
    return [(n, c) for n, j in m.joints.items() for c in joints.SIMPLE.get(j.kind, ())
            if not (unused and n in m.used)]


def is_turn(m, pair):
    return joints.SIMPLE[m.joints[pair[0]].kind][pair[1]] == "r"


def rate_row(m, pair):
    j = m.joints[pair[0]]
    return m.row(j.bodies, *j.rate(pair[1]))


def add_gears(m):
    """A gear, rack or coupler between joints; m knows its row."""
    rng = m.rng
    pairs = coordinates(m)
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        count = rng.choice([2, 2, 3])
        if len({p[0] for p in pairs}) < count:
            return
        chosen = rng.sample(pairs, count)
        if len({p[0] for p in chosen}) < count:
            continue
        ratios = [1.0] + [rng.choice([-1, 1]) * rng.uniform(0.4, 2) for _ in chosen[1:]]
        turns = [is_turn(m, p) for p in chosen]
        # one metre counts like one radian here; the dimension of a ratio follows
        names = [p[0] for p in chosen]
        part = {"type": "coupler", "joints": names, "coordinates": [p[1] for p in chosen],
                "ratios": [Q(r, NONE if t else dim(length=-1)) for r, t in zip(ratios, turns)]}
        if turns == [True, True] and rng.random() < 0.6:
            part = {"type": "gear", "joints": names, "ratio": -ratios[1],
                    "coordinates": ["angle", "angle"]}
        elif turns == [False, True] and rng.random() < 0.6:
            ratios[1] = -abs(ratios[1]) / 5
            part = {"type": "rack", "joints": names, "radius": Q(-ratios[1], LENGTH)}
        row = [0.0] * m.columns()
        for ratio, pair in zip(ratios, chosen):
            row = add(row, space.scaled(ratio, rate_row(m, pair)))
        if space.norm(row) > 0.1 and m.enter([(row, 0.0)]):
            name = f"g{len(m.sections['joints']) + 1}"
            m.sections["joints"][name] = part
            m.used |= set(names)
            m.flags.add("gear")


# ---- motions

def motion_law(m, unit):
    """Key, expression and first rate of a law that is 0 at the start."""
    rng = m.rng
    a, w = rng.uniform(0.1, 0.6), rng.uniform(2, 25)
    size, rate, second = Q(a, unit), (unit[0], unit[1], unit[2], unit[3] - 1), None
    second = (unit[0], unit[1], unit[2], unit[3] - 2)
    wave = [Q(w, RATE), "*time"]
    kind = rng.choice(["sin", "cos", "step5", "step", "velocity", "acceleration", "table", "poly"])
    if kind == "sin":
        return "position", X([size, "*sin(", *wave, ")"]), a * w
    if kind == "cos":
        return "position", X([size, "*(1 - cos(", *wave, "))"]), 0.0
    if kind in ("step5", "step"):
        m.flags.add("kink" if kind == "step5" else "jump")
        start, end = rng.uniform(0.01, 0.05), rng.uniform(0.1, 0.25)
        return "position", X([f"{kind.upper()}(time, ", Q(start, TIME), ", 0, ", Q(end, TIME), ", ",
                              size, ")"]), 0.0
    if kind == "velocity":
        return "velocity", X([Q(a * w, rate), "*cos(", *wave, ")"]), a * w
    if kind == "acceleration":
        return "acceleration", X([Q(10 * a, second), "*cos(", *wave, ")"]), None
    if kind == "poly":
        return "position", X(["POLY(time, 0, 0, ", Q(a, rate), ", ", Q(3 * a, second), ")"]), a
    m.flags.add("jump")   # of the acceleration, at the points of an Akima curve
    name = f"t{len(m.sections['tables']) + 1}"
    times = [-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    values = [0.0] * 5 + [a * rng.uniform(-0.3, 0.3) for _ in times[5:]]
    m.sections["tables"][name] = {"x": qs(times, TIME), "y": qs(values, unit)}
    return "position", X([f"AKISPL(time, 0, {name})"]), 0.0


def add_motions(m):
    rng = m.rng
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        pairs = coordinates(m)
        if not pairs:
            return
        pair = rng.choice(pairs)
        unit = NONE if is_turn(m, pair) else LENGTH
        key, law, speed = motion_law(m, unit)
        # a law of acceleration starts with the velocity that is there
        rhs = speed if speed is not None else rng.uniform(-1, 1)
        if not m.enter([(rate_row(m, pair), rhs)]):
            continue
        part = {"joint": pair[0], "coordinate": pair[1], key: law}
        if key == "acceleration":
            part["start_velocity"] = Q(rhs, (0, 0, unit[2], -1))
        m.sections["motions"][f"m{len(m.sections['motions']) + 1}"] = part
        m.used.add(pair[0])
        m.flags.add("driven")


# ---- forces

def two(m, kinds=("rigid", "point", "beam")):
    """Two different bodies, maybe the ground, with points on them."""
    names = ["ground"] + [n for n in m.order if m.bodies[n].kind in kinds]
    a, b = m.rng.sample(names, 2)
    spots = [None, m.near(b, [0.0, 0.0, 0.0])]
    spots[0] = m.near(a, spots[1])
    return [m.end(a, spots[0]), m.end(b, spots[1])], spots


def spring(m, name):
    rng = m.rng
    bodies, spots = two(m)
    length = space.norm(sub(spots[0], spots[1]))
    if length < 0.15:
        return None
    part = {"type": "spring", "bodies": bodies, "points": [P(s) for s in spots]}
    k = spread(rng, 10, 5e3)
    kind = rng.choice(["plain", "plain", "preload"])
    if "conservative" not in m.flags:
        kind = rng.choice(["plain", "cubic", "table", "linear", "impact", "bistop", "time", "kink",
                           "jump"])
    part["stiffness"] = Q(k, STIFFNESS)
    if kind == "preload":
        part |= {"preload": Q(rng.uniform(-20, 20), FORCE),
                 "length": Q(length * rng.uniform(0.8, 1.2), LENGTH)}
    elif kind != "plain":
        part["value"] = spring_value(m, name, kind, length, k)
    if "conservative" not in m.flags and rng.random() < 0.7:
        part["damping"] = Q(spread(rng, 0.1, 30), DAMPING)
    return part


def spring_value(m, name, kind, length, k):
    rng = m.rng
    way = [f"({name}.length - ", Q(length, LENGTH), ")"]
    near = length * rng.uniform(0.9, 1.05)
    if kind == "cubic":
        return X([Q(-k * 5, dim(force=1, length=-3)), "*", *way, "^3"])
    if kind == "time":
        return X([Q(rng.uniform(-20, 20), FORCE), "*sin(", Q(rng.uniform(5, 40), RATE), "*time)"])
    if kind in ("table", "linear"):
        m.flags.add("kink")
        table = f"t{len(m.sections['tables']) + 1}"
        x = [length * f for f in (0.2, 0.5, 0.8, 0.95, 1.0, 1.1, 1.4, 2.0, 4.0)]
        y = [-k * (v - length) * rng.uniform(0.2, 1) for v in x]
        m.sections["tables"][table] = {"x": qs(x, LENGTH), "y": qs(y, FORCE), "interpolation":
                                       "linear" if kind == "linear" else rng.choice(["akima",
                                                                                     "cubic"])}
        return X([f"{table}({name}.length)"])
    if kind == "kink":
        m.flags.add("kink")
        return X(["max(0, ", Q(-k, STIFFNESS), "*", *way, " - ", Q(0.01 * k, FORCE), ")"])
    if kind == "jump":
        m.flags.add("jump")
        return X([f"if({name}.length > ", Q(near, LENGTH), ", ", Q(-0.02 * k, FORCE), ", 0)"])
    m.flags.add("stop")
    e = rng.choice([1.5, 2.0, 2.2])
    law = [Q(20 * k, (1, 0, -e, 0)), f", {e}, ", Q(rng.choice([0, 10.0]), DAMPING), ", ",
           Q(0.005, LENGTH), ")"]
    head = [f"{name}.length, {name}.rate, ", Q(near, LENGTH), ", "]
    if kind == "bistop":
        head = [f"{name}.length, {name}.rate, ", Q(0.9 * length, LENGTH), ", ",
                Q(1.1 * length, LENGTH), ", "]
    return X([f"{kind.upper()}(", *head, *law])


def bushing(m, name):
    rng = m.rng
    if not any(b.kind == "rigid" for b in m.bodies.values()):
        return None
    bodies, spots = two(m, ("rigid",))
    turn = space.quaternion(rng)
    k = [spread(rng, 100, 2e4) for _ in range(3)] + [spread(rng, 1, 200) for _ in range(3)]
    part = {"type": "bushing", "bodies": bodies, "at": P(spots[1]),
            "orientation": {"quaternion": O(turn)},
            "stiffness": qs(k[:3], STIFFNESS) + qs(k[3:], TORQUE)}
    if "conservative" not in m.flags and rng.random() < 0.8:
        part["damping"] = qs([v * 2e-3 for v in k[:3]], DAMPING) + qs(
            [v * 2e-3 for v in k[3:]], TURN_DAMPING)
    return part


def force_beam(m, name):
    rng = m.rng
    if not any(b.kind == "rigid" for b in m.bodies.values()):
        return None
    bodies, spots = two(m, ("rigid",))
    length = space.norm(sub(spots[0], spots[1]))
    if length < 0.2:
        return None
    area, E = rng.uniform(0.01, 0.02) ** 2, spread(rng, 1e8, 2e9)
    I = area ** 2 / 12
    fourth, pressure = dim(length=4), dim(force=1, length=-2)
    part = {"type": "beam", "bodies": bodies, "points": [P(s) for s in spots],
            "E": Q(E, pressure), "G": Q(E / 2.6, pressure), "area": Q(area, dim(length=2)),
            "Iy": Q(I, fourth), "Iz": Q(I, fourth), "J": Q(2 * I, fourth)}
    if "conservative" not in m.flags:
        part["damping"] = Q(spread(rng, 1e-5, 1e-3), TIME)
    return part


def torsion(m, name):
    rng = m.rng
    hinges = [n for n, j in m.joints.items() if j.kind in ("revolute", "cylindrical", "screw")]
    if not hinges:
        return None
    j = m.joints[rng.choice(hinges)]
    part = {"type": "torsion", "bodies": list(j.bodies), "at": P(j.place), "axis": V(j.axis),
            "stiffness": Q(spread(rng, 0.5, 200), TORQUE)}
    if "conservative" not in m.flags:
        part["damping"] = Q(spread(rng, 0.01, 1), TURN_DAMPING)
    return part


def in_joint(m, name):
    rng = m.rng
    pairs = coordinates(m)
    if not pairs:
        return None
    pair = rng.choice(pairs)
    m.used.add(pair[0])
    turn = is_turn(m, pair)
    part = {"type": "joint", "joint": pair[0], "coordinate": pair[1],
            "stiffness": Q(spread(rng, 1, 500), TORQUE if turn else STIFFNESS)}
    if "conservative" in m.flags:
        return part
    part["damping"] = Q(spread(rng, 0.01, 2), TURN_DAMPING if turn else DAMPING)
    unit = TORQUE if turn else FORCE
    kind = rng.choice(["none", "time", "state", "sampled"])
    if kind == "time":
        part["value"] = X([Q(rng.uniform(-5, 5), unit), "*cos(", Q(rng.uniform(5, 40), RATE),
                           "*time)"])
    elif kind == "state":
        state = f"u{len(m.sections['equations'].get('states', {})) + 1}"
        m.sections["equations"].setdefault("states", {})[state] = {"value": 0.1, "rate": X([
            "(", Q(1.0, NONE if turn else dim(length=-1)), f"*{pair[0]}.{pair[1]} - {state})/",
            Q(rng.uniform(0.01, 0.1), TIME)])}
        part["value"] = X([Q(rng.uniform(-5, 5), unit), f"*{state}"])
    elif kind == "sampled" and "discrete" not in m.sections["equations"]:
        m.flags.add("jump")
        m.sections["equations"] |= {"discrete": {"d1": 0.0}, "events": {"e1": {
            "every": Q(rng.uniform(0.02, 0.06), TIME), "set": {"d1": X(
                [Q(1.0, NONE if turn else dim(length=-1)), f"*{pair[0]}.{pair[1]}"])}}}}
        part["value"] = X([Q(rng.uniform(-20, 20), unit), "*d1"])
    return part


def typed(m, name):
    """Forces and torques on bodies as expressions."""
    rng = m.rng
    rigid = [n for n in m.order if m.bodies[n].kind == "rigid"]
    if "conservative" in m.flags or not rigid:
        return None
    body = rng.choice(rigid)

    def term(unit, size):
        kind = rng.choice(["zero", "wave", "drag", "place", "jump"])
        if kind == "wave":
            return X([Q(rng.uniform(-size, size), unit), "*sin(", Q(rng.uniform(5, 40), RATE),
                      "*time + 1)"])
        if kind == "drag":
            per = (unit[0], unit[1], unit[2] - 1, unit[3] + 1)
            return X([Q(-size * 0.2, per), f"*VX({body}, ground.world, ground.world)"])
        if kind == "place":
            per = (unit[0], unit[1], unit[2] - 1, unit[3])
            return X([Q(-size, per), f"*DY({body}, ground.world, ground.world)"])
        if kind == "jump" and rng.random() < 0.4:
            m.flags.add("jump")
            return X(["if(time > ", Q(rng.uniform(0.03, 0.17), TIME), ", ", Q(size, unit), ", 0)"])
        return 0.0
    kind = rng.choice(["force", "torque", "general"])
    part = {"type": kind, "frame": rng.choice(["ground.world", body])}
    if kind == "general":
        others = [n for n in rigid if n != body]
        if not others:
            return None
        part |= {"bodies": [rng.choice(others), body], "at": P(m.near(body, None))}
    else:
        part["body"] = body
    if kind != "torque":
        part["force"] = [term(FORCE, 10.0) for _ in range(3)]
    if kind != "force":
        part["torque"] = [term(TORQUE, 1.0) for _ in range(3)]
    return part


def add_forces(m):
    makers = [spring, spring, spring, bushing, force_beam, torsion, in_joint, in_joint, typed,
              typed]
    for _ in range(m.rng.randint(0, 2 + len(m.order))):
        name = f"f{len(m.sections['forces']) + 1}"
        part = m.rng.choice(makers)(m, name)
        if part is None:
            continue
        m.sections["forces"][name] = part
        if "damping" in part:
            m.flags.add("damped")


# ---- friction and stops

def add_friction(m):
    rng = m.rng
    for name, j in m.joints.items():
        if j.kind not in ("revolute", "translational", "cylindrical") or rng.random() > 0.15:
            continue
        mu = rng.uniform(0.05, 0.3)
        part = {"static": mu, "dynamic": mu * rng.uniform(0.6, 1),
                "velocity": Q(rng.choice([1e-3, 1e-2]), SPEED)}
        if j.kind != "translational":
            part["radius"] = Q(rng.uniform(0.01, 0.03), LENGTH)
        if rng.random() < 0.3:
            part["preload"] = Q(rng.uniform(1, 20), FORCE)
        j.part["friction"] = part
        m.flags.add("friction")


def add_stops(m):
    rng = m.rng
    for name, j in m.joints.items():
        if j.kind not in ("revolute", "translational") or rng.random() > 0.2:
            continue
        turn = j.kind == "revolute"
        size = rng.uniform(0.02, 0.2)
        part = {"upper": Q(size, NONE if turn else LENGTH),
                "lower": Q(-size * rng.uniform(0.5, 1.5), NONE if turn else LENGTH),
                "stiffness": Q(spread(rng, 100, 1e4), TORQUE if turn else STIFFNESS)}
        if "conservative" not in m.flags:
            part["damping"] = Q(spread(rng, 0.1, 10), TURN_DAMPING if turn else DAMPING)
        j.part["limits"] = part
        m.used.add(name)
        m.flags.add("stop")


def add_all(m):
    add_gears(m)
    if "conservative" not in m.flags:
        add_motions(m)
    add_forces(m)
    if "conservative" not in m.flags and m.rng.random() < 0.3:
        add_friction(m)
    if m.rng.random() < 0.35:
        add_stops(m)
