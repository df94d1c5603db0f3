"""joints.py - joints of random mechanisms: how they are written and which velocities they forbid.

A row of a joint is (t, r, p): t.(v_B(p) - v_A(p)) + r.(w_B - w_A) = 0 in ground axes, with the
velocities of the material points of both bodies at p. All joints are attached to the bodies where
they are, so that every loop is closed. Joints of points (bodies that do not turn) meet the point."""

from math import pi

import space
from space import across, add, cross, direction, scaled, sub, unit
from writer import LENGTH, P, Q, V

ZERO = [0.0, 0.0, 0.0]

# coordinates that motions, forces, gears and stops may use; t or r of their rate
SIMPLE = {"revolute": {"angle": "r"}, "translational": {"displacement": "t"},
          "cylindrical": {"angle": "r", "displacement": "t"},
          "screw": {"angle": "r", "displacement": "t"}, "planar": {"angle": "r"}}
TREE = ["fixed", "revolute", "revolute", "revolute", "translational", "cylindrical", "spherical",
        "planar", "universal", "constant_velocity", "screw", "distance", "revolute_spherical",
        "point_on_line", "point_on_plane", "parallel", "perpendicular", "orientation", "curve",
        "rolling"]
LOOP = ["revolute", "translational", "cylindrical", "spherical", "planar", "universal", "screw",
        "constant_velocity", "distance", "distance", "revolute_spherical", "point_on_line",
        "point_on_plane", "parallel", "perpendicular", "orientation", "constraint", "constraint"]
POINT = ["spherical", "distance", "distance", "revolute_spherical", "point_on_line",
         "point_on_plane"]
PLANE = ["revolute", "revolute", "revolute", "translational", "planar", "fixed"]
PLANE_LOOP = ["revolute", "revolute", "translational", "planar", "distance"]
# the same joint with its bodies exchanged
SYMMETRIC = {"fixed", "revolute", "translational", "cylindrical", "spherical", "planar", "universal",
             "constant_velocity", "screw", "distance", "parallel", "perpendicular", "orientation"}


class Joint:
    """One joint: its part of the model, the rows, and the frame (z is the axis, x) at `place`."""

    def __init__(self, kind, bodies, place, axis, x):
        self.kind, self.bodies, self.place, self.axis, self.x = kind, bodies, place, axis, x
        self.y = cross(axis, x)
        self.part = {"type": kind, "bodies": list(bodies), "at": P(place)}
        self.rows = []

    def moves(self, *directions):
        self.rows += [(d, ZERO, self.place) for d in directions]

    def turns(self, *directions):
        self.rows += [(ZERO, d, self.place) for d in directions]

    def rate(self, coordinate):
        """The row whose value is the rate of a coordinate."""
        if SIMPLE[self.kind][coordinate] == "t":
            return (self.axis, ZERO, self.place)
        return (ZERO, self.axis, self.place)


def plain(j, rng):
    """Joints between two frames that agree at the start."""
    x, y, z = j.x, j.y, j.axis
    moves = {"fixed": (x, y, z), "revolute": (x, y, z), "translational": (x, y),
             "cylindrical": (x, y), "spherical": (x, y, z), "planar": (z,),
             "point_on_line": (x, y), "point_on_plane": (z,), "parallel": (), "orientation": ()}
    turns = {"fixed": (x, y, z), "revolute": (x, y), "translational": (x, y, z),
             "cylindrical": (x, y), "planar": (x, y), "parallel": (x, y), "orientation": (x, y, z)}
    j.moves(*moves[j.kind])
    j.turns(*turns.get(j.kind, ()))
    if j.kind not in ("fixed", "spherical", "orientation"):
        j.part["axis"] = V(z)
    if rng.random() < 0.5:
        j.part.setdefault("axis", V(z))
        j.part["x"] = V(x)


def two_axes(j, rng):
    second = j.x
    if j.kind == "constant_velocity":
        second = unit(add(j.axis, scaled(rng.uniform(0, 0.7), j.x)))
    if j.kind != "perpendicular":
        j.moves(j.x, j.y, j.axis)
    bend = add(j.axis, second) if j.kind == "constant_velocity" else cross(j.axis, second)
    j.turns(bend)
    j.part["axis"], j.part["axis2"] = V(j.axis), V(second)


def screw(j, rng):
    pitch = rng.choice([-1, 1]) * rng.uniform(0.05, 0.5)
    j.moves(j.x, j.y)
    j.turns(j.x, j.y)
    j.rows.append((j.axis, scaled(-pitch / (2 * pi), j.axis), j.place))
    j.part["axis"], j.part["pitch"] = V(j.axis), Q(pitch, LENGTH)


def rod(j, rng, ends):
    """distance and revolute_spherical: a massless rod between two points."""
    del j.part["at"]
    j.part["points"] = [P(ends[0]), P(ends[1])]
    along = unit(sub(ends[1], ends[0]))
    j.rows.append((along, ZERO, ends[1]))
    if j.kind == "revolute_spherical":
        j.axis = across(rng, along) if rng.random() < 0.5 else unit(
            add(across(rng, along), scaled(rng.uniform(-0.4, 0.4), along)))
        j.rows.append((j.axis, ZERO, ends[1]))
        j.part["axis"] = V(j.axis)


def curve(j, rng, tables, name):
    """A parabola through the place of the joint, whose tangent there is x."""
    s = [i / 8 for i in range(-8, 9)]
    bend = [rng.uniform(-0.3, 0.3) for _ in range(2)]
    kind = rng.choice(["cubic", "akima"])
    for axis, values in (("x", s), ("y", [bend[0] * v * v for v in s]),
                         ("z", [bend[1] * v * v for v in s])):
        tables[f"{name}{axis}"] = {"x": [float(v) for v in s], "interpolation": kind,
                                   "y": [Q(v, LENGTH) for v in values]}
    j.part |= {"axis": V(j.axis), "x": V(j.x),
               "path": {k: f"{name}{k}" for k in ("x", "y", "z")} | {"start": 0.0}}
    j.moves(j.y, j.axis)


def rolling(j, rng):
    """A wheel with its middle at the place, on a plane below it."""
    normal = across(rng, j.axis)
    normal = unit(add(normal, scaled(rng.uniform(-0.4, 0.4), j.axis)))
    radius = rng.uniform(0.1, 0.4)
    down = unit(sub(normal, scaled(space.dot(normal, j.axis), j.axis)))
    contact = sub(j.place, scaled(radius, down))
    j.rows = [(d, ZERO, contact) for d in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])]
    j.part |= {"axis": V(j.axis), "normal": V(normal), "radius": Q(radius, LENGTH)}


def make(rng, kind, bodies, near, axis=None, tables=None, name=None):
    """A joint of this kind; near gives a point of each body, where points have to be."""
    place = near[1]
    axis = axis or direction(rng)
    j = Joint(kind, bodies, place, axis, across(rng, axis))
    if kind in ("distance", "revolute_spherical"):
        rod(j, rng, near)
    elif kind in ("universal", "constant_velocity", "perpendicular"):
        two_axes(j, rng)
    elif kind == "screw":
        screw(j, rng)
    elif kind == "curve":
        curve(j, rng, tables, name)
    elif kind == "rolling":
        rolling(j, rng)
    else:
        plain(j, rng)
    return j


def swapped(part):
    """The same joint with its bodies exchanged; None where that is another joint."""
    if part["type"] not in SYMMETRIC or "limits" in part or "markers" in part:
        return None
    other = dict(part)
    other["bodies"] = part["bodies"][::-1]
    if "points" in part:
        other["points"] = part["points"][::-1]
    if "axis2" in part:
        other["axis"], other["axis2"] = part["axis2"], part["axis"]
    return other
