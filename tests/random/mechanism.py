"""mechanism.py - a random mechanism from a seed.

Bodies are placed first, then joints are attached where the bodies are: a tree, then loops. Rows on
velocities are entered one by one, so that the freedoms are known, nearly dependent rows are left
out, and the velocities at the start satisfy every joint and motion."""

import random

import joints
import laws
import scenes
import space
from space import add, cross, direction, rotate, scaled, sub
from writer import (GRAVITY, INERTIA, LENGTH, MASS, O, P, Q, RATE, SPEED, TIME, UNITS, V, Writer, X,
                    dim, qs)


def spread(rng, low, high):
    """A number between low and high, equally likely in its logarithm."""
    return low * (high / low) ** rng.random()


class Body:
    """Pose of a body or of a beam, which is one rigid body here."""

    def __init__(self, name, place, turn, kind="rigid", first=None, last=None):
        self.name, self.place, self.turn, self.kind = name, place, turn, kind
        self.first, self.last = first, last   # of a beam: its ends
        self.clamped = False


class Mechanism:
    """What a seed makes. `sections` is the model with dimensions, `flags` says what is in it:
    conservative, driven, damped, friction, stop, jump, kink, beam, loop, plane, states, contact."""

    def __init__(self, seed):
        self.seed = seed
        self.rng = random.Random(seed)
        self.flags, self.used = set(), set()
        self.bodies, self.joints, self.order = {}, {}, []
        self.sections = {k: {} for k in ("tables", "bodies", "beams", "joints", "motions", "forces",
                                         "equations", "outputs")}
        self.units = self.rng.choice(list(UNITS))
        if self.rng.random() < 0.4:
            self.flags.add("conservative")
        self.plane = direction(self.rng) if self.rng.random() < 0.25 else None
        if self.plane:
            self.flags.add("plane")
        self.make_bodies()
        self.rows, self.freedoms = space.Rows(), 0
        self.hold_points()
        self.make_tree()
        self.make_loops()
        laws.add_all(self)
        self.freedoms = self.columns() - len(self.rows.basis) + self.free_nodes()
        self.set_velocities()
        self.finish()
        scenes.add_all(self)

    # ---- bodies

    def make_bodies(self):
        rng = self.rng
        count = rng.choice([2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
        world = {"at": P([0.0, 0.0, 0.0]), "orientation": {"quaternion": O([1.0, 0.0, 0.0, 0.0])}}
        self.sections["bodies"]["ground"] = {"markers": {"world": world}}
        for i in range(1, count + 1):
            is_point = self.plane is None and rng.random() < 0.12
            place = [rng.uniform(-0.6, 0.6) for _ in range(3)]
            body = Body(f"b{i}", place, space.quaternion(rng), "point" if is_point else "rigid")
            self.bodies[body.name] = body
            self.sections["bodies"][body.name] = self.body_part(body)
        if self.plane is None and rng.random() < 0.2:
            self.make_beam("s1")
        self.order = list(self.bodies)

    def body_part(self, body):
        rng = self.rng
        part = {"at": P(body.place)}
        mass = spread(rng, 0.2, 8)
        if body.kind == "point":
            return part | {"type": "point", "mass": Q(mass, MASS)}
        part["orientation"] = {"quaternion": O(body.turn)}
        size = [rng.uniform(0.08, 0.5) for _ in range(3)]
        if rng.random() < 0.25:
            density = mass / (size[0] * size[1] * size[2])
            return part | {"density": Q(density, dim(mass=1, length=-3)),
                           "shape": {"box": {"size": qs(size, LENGTH)}}}
        a, b, c = (s * s for s in size)
        moments = [mass * (b + c) / 12, mass * (a + c) / 12, mass * (a + b) / 12]
        part |= {"mass": Q(mass, MASS), "inertia": qs(moments, INERTIA)}
        if rng.random() < 0.5:
            part["inertia"] = qs(full_inertia(moments, space.quaternion(rng)), INERTIA)
        if rng.random() < 0.4:
            part["com"] = qs([rng.uniform(-0.1, 0.1) for _ in range(3)], LENGTH)
        return part

    def make_beam(self, name):
        rng = self.rng
        first = [rng.uniform(-0.5, 0.5) for _ in range(3)]
        length, along = rng.uniform(0.3, 0.8), direction(rng)
        last = add(first, scaled(length, along))
        width = rng.uniform(0.01, 0.03)
        E, area, I = spread(rng, 1e8, 3e9), width ** 2, width ** 4 / 12
        pressure, fourth = dim(force=1, length=-2), dim(length=4)
        part = {"points": [P(first), P(last)], "y": V(space.across(rng, along)),
                "elements": rng.randint(1, 3), "nodes": rng.randint(2, 4), "E": Q(E, pressure),
                "G": Q(E / 2.6, pressure), "area": Q(area, dim(length=2)), "Iy": Q(I, fourth),
                "Iz": Q(I * rng.uniform(0.5, 2), fourth), "J": Q(1.7 * I, fourth),
                "mass": Q(1500 * area, dim(mass=1, length=-1))}
        body = Body(name, first, [1.0, 0.0, 0.0, 0.0], "beam", first, last)
        if rng.random() < 0.4:
            part["fix"] = "first"
            body.clamped = True
        if "conservative" not in self.flags and rng.random() < 0.6:
            part["damping"] = Q(spread(rng, 1e-5, 1e-3), TIME)
        if "damping" in part:
            self.flags.add("damped")
        self.flags.add("beam")
        self.bodies[name] = body
        self.sections["beams"][name] = part

    # ---- rows on velocities

    def columns(self):
        return 6 * len(self.bodies)

    def row(self, bodies, t, r, p):
        """The row t.(v_B(p) - v_A(p)) + r.(w_B - w_A) over all velocities."""
        row = [0.0] * self.columns()
        for name, sign in zip(bodies, (-1.0, 1.0)):
            name = name.split(".")[0]
            if name == "ground":
                continue
            k, body = 6 * self.order.index(name), self.bodies[name]
            turning = add(cross(sub(p, body.place), t), r)
            if body.kind == "point":
                turning = [0.0, 0.0, 0.0]
            row[k:k + 6] = add(row[k:k + 6], scaled(sign, list(t) + turning))
        return row

    def hold_points(self):
        """Points do not turn; clamped beams do not move."""
        for k, body in enumerate(self.bodies.values()):
            first = {"point": 3, "beam": 0 if body.clamped else 6}.get(body.kind, 6)
            for i in range(6 * k + first, 6 * k + 6):
                row = [0.0] * self.columns()
                row[i] = 1.0
                self.rows.enter(row)

    def free_nodes(self):
        """Freedoms of the nodes of beams beyond those of one rigid body."""
        count = 0
        for name, part in self.sections["beams"].items():
            count += 6 * part["elements"] * (part["nodes"] - 1)
        return count

    def enter(self, rows, may_follow=False):
        """Enter rows (row, right-hand side) together, or none of them."""
        trial = self.rows.copy()
        fates = [trial.enter(row, rhs) for row, rhs in rows]
        if -1 in fates or (0 in fates and not may_follow):
            return False
        self.rows = trial
        return True

    # ---- joints

    def near(self, name, other):
        """A point of a body for a joint: of points and beams only some."""
        if name == "ground":
            return add(other, [self.rng.uniform(-0.5, 0.5) for _ in range(3)])
        body = self.bodies[name]
        if body.kind == "point":
            return body.place
        if body.kind == "beam":
            return body.last if body.clamped or self.rng.random() < 0.5 else body.first
        return add(body.place, [self.rng.uniform(-0.3, 0.3) for _ in range(3)])

    def end(self, name, place):
        """How a joint names the body: of a beam one of its ends."""
        body = self.bodies.get(name)
        if body is None or body.kind != "beam":
            return name
        return name + (".last" if place is body.last else ".first")

    def connect(self, kind, a, b, name, may_follow=False):
        """Try to add a joint; its rows must be independent of the others, or follow from them."""
        kinds = {self.bodies[n].kind for n in (a, b) if n != "ground"}
        spots = [None, self.near(b, [0.0, 0.0, 0.0])]
        spots[0] = self.near(a, spots[1])
        if space.norm(sub(spots[0], spots[1])) < 0.15 and kind in ("distance", "revolute_spherical"):
            return False
        if kind not in ("distance", "revolute_spherical"):
            fixed = [n for n in (a, b) if n != "ground" and self.bodies[n].kind != "rigid"]
            if len(fixed) == 2:
                return False
            if fixed == [a]:
                spots[1] = spots[0]
        if "point" in kinds and kind not in joints.POINT:
            return False
        axis = self.axis(kind)
        ends = [self.end(a, spots[0]), self.end(b, spots[1])]
        j = joints.make(self.rng, kind, ends, spots, axis, self.sections["tables"], name)
        if not self.enter([(self.row(j.bodies, *r), 0.0) for r in j.rows], may_follow):
            for k in ("x", "y", "z"):
                self.sections["tables"].pop(f"{name}{k}", None)
            return False
        if kind == "curve":
            self.flags.add("kink")
        self.joints[name] = j
        self.sections["joints"][name] = j.part
        self.use_markers(j)
        return True

    def axis(self, kind):
        if self.plane is None or kind == "fixed":
            return None
        return space.across(self.rng, self.plane) if kind == "translational" else self.plane

    def use_markers(self, j):
        """Some joints are given by markers instead of a place and axes."""
        plain = ("revolute", "translational", "cylindrical", "spherical", "fixed", "planar")
        kinds = {self.bodies[n.split(".")[0]].kind for n in j.bodies if n != "ground"}
        if j.kind not in plain or kinds - {"rigid"} or self.rng.random() < 0.7:
            return
        turn, names = space.frame(j.axis, j.x), []
        for end, name in zip("ab", j.bodies):
            if name == "ground":
                marker = {"at": P(j.place), "orientation": {"quaternion": O(turn)}}
            else:
                body = self.bodies[name]
                back = space.inverse(body.turn)
                marker = {"at": qs(rotate(back, sub(j.place, body.place)), LENGTH),
                          "orientation": {"quaternion": space.product(back, turn)}}
            label = f"k{len(self.sections['joints'])}{end}"
            self.sections["bodies"][name].setdefault("markers", {})[label] = marker
            names.append(f"{name}.{label}")
        for key in ("bodies", "at", "axis", "x"):
            j.part.pop(key, None)
        j.part["markers"] = names

    def make_tree(self):
        rng, known = self.rng, ["ground"]
        for name in self.order:
            body = self.bodies[name]
            if body.clamped or (known != ["ground"] and rng.random() < 0.1):
                known.append(name)
                continue
            for _ in range(20):
                kinds = joints.PLANE if self.plane else joints.TREE
                kind = rng.choice(joints.POINT if body.kind == "point" else kinds)
                if body.kind == "beam" and kind in ("curve", "rolling", "distance"):
                    continue
                pair = [rng.choice(known), name]
                if kind not in ("curve", "rolling", "point_on_line") and rng.random() < 0.3:
                    pair.reverse()
                if self.connect(kind, *pair, f"j{len(self.joints) + 1}"):
                    break
            known.append(name)

    def make_loops(self):
        rng = self.rng
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 4])):
            for _ in range(10):
                a, b = rng.sample(["ground"] + self.order, 2)
                kind = rng.choice(joints.PLANE_LOOP if self.plane else joints.LOOP)
                left = self.columns() - len(self.rows.basis)
                if left < 3:
                    return
                name = f"j{len(self.joints) + 1}"
                if kind == "constraint":
                    done = self.make_constraint(a, b, name)
                else:
                    done = self.connect(kind, a, b, name, may_follow=self.plane is not None)
                if done:
                    self.flags.add("loop")
                    break

    def make_constraint(self, a, b, name):
        """The distance of two bodies as an expression; origins of bodies only."""
        if "ground" in (a, b) or "beam" in {self.bodies[n].kind for n in (a, b)}:
            return False
        d = sub(self.bodies[b].place, self.bodies[a].place)
        if not self.enter([(self.row([a, b], space.unit(d), joints.ZERO, self.bodies[b].place), 0.0)]):
            return False
        self.sections["joints"][name] = {"type": "constraint", "equals":
                                         X([f"DM({a}, {b}) - ", Q(space.norm(d), LENGTH)])}
        self.joints[name] = joints.Joint("constraint", [a, b], self.bodies[b].place,
                                         [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
        return True

    # ---- velocities, gravity, run

    def set_velocities(self):
        rng = self.rng
        speed = rng.choice([0.0, 0.5, 1.0, 2.0])
        v = []
        for _ in self.order:
            v += [speed * rng.uniform(-1, 1) for _ in range(3)]
            v += [3 * speed * rng.uniform(-1, 1) for _ in range(3)]
        if self.plane:   # nothing leaves the plane
            for k in range(0, len(v), 6):
                move, turn = v[k:k + 3], v[k + 3:k + 6]
                v[k:k + 3] = sub(move, scaled(space.dot(move, self.plane), self.plane))
                v[k + 3:k + 6] = scaled(space.dot(turn, self.plane), self.plane)
        v = self.rows.project(v)
        for k, name in enumerate(self.order):
            move, turn = v[6 * k:6 * k + 3], v[6 * k + 3:6 * k + 6]
            body = self.bodies[name]
            if max(map(abs, move + turn)) < 1e-12:
                continue
            if body.kind == "beam":
                self.sections["beams"][name] |= {"velocity": V(move, SPEED),
                                                 "angular_velocity": V(turn, RATE)}
                continue
            part = self.sections["bodies"][name]
            part["velocity"] = V(move, SPEED)
            if body.kind == "rigid":
                part["angular_velocity"] = qs(rotate(space.inverse(body.turn), turn), RATE)

    def finish(self):
        rng = self.rng
        gravity = {} if rng.random() < 0.15 else {
            "gravity": V(scaled(9.81, direction(rng)), GRAVITY)}
        for name, j in self.joints.items():
            for coordinate in joints.SIMPLE.get(j.kind, ()):
                self.sections["outputs"][f"{name}_{coordinate}"] = X([f"{name}.{coordinate}"])
        self.sections = gravity | self.sections
        self.sections["simulate"] = {"end": Q(0.2, TIME), "max_steps": 20000}

    def text(self, writer=None):
        what = " ".join(sorted(self.flags))
        return (writer or Writer(self.units)).model(self.sections, f"seed {self.seed}: {what}")


def full_inertia(moments, turn):
    """Six entries of the matrix with these principal moments, turned."""
    axes = [rotate(turn, [float(i == k) for i in range(3)]) for k in range(3)]

    def entry(i, j):
        return sum(m * a[i] * a[j] for m, a in zip(moments, axes))
    return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
