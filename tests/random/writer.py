"""writer.py - from a model with dimensions to the text of a model file.

A model is a tree of dictionaries and lists. Its leaves know what they are, so that the same model
can be written in other units, moved and turned: Q is a number with a dimension, P a point in
ground axes, V a vector in ground axes, O an orientation in ground axes, X an expression made of
texts and numbers with dimensions; everything else is written as it is."""

import space

# dimensions: exponents of force, mass, length, time
NONE, FORCE, MASS, LENGTH, TIME = (0,) * 4, (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)


def dim(**powers):
    return tuple(powers.get(k, 0) for k in ("force", "mass", "length", "time"))


TORQUE = dim(force=1, length=1)
STIFFNESS = dim(force=1, length=-1)
DAMPING = dim(force=1, length=-1, time=1)
TURN_DAMPING = dim(force=1, length=1, time=1)
SPEED = dim(length=1, time=-1)
RATE = dim(time=-1)
GRAVITY = dim(length=1, time=-2)
INERTIA = dim(mass=1, length=2)

# systems of units: how many SI units one of force, mass, length, time is
POUND = 0.45359237
UNITS = {
    "SI": (1, 1, 1, 1),
    "N-kg-ms-mm": (1, 1, 1e-3, 1e-3),
    "mm-t-s-N": (1, 1e3, 1e-3, 1),
    "lbf-lbm-in-s": (POUND * 9.80665, POUND, 0.0254, 1),
    "cm-g-s-dyn": (1e-5, 1e-3, 1e-2, 1),
    "kN-t-m-s": (1e3, 1e3, 1, 1),
}


class Q:
    def __init__(self, value, dimension=NONE):
        self.value, self.dimension = value, dimension


class P(list):
    """A point in ground axes [m]."""


class V(list):
    """A vector in ground axes."""

    def __init__(self, values, dimension=NONE):
        super().__init__(values)
        self.dimension = dimension


class O(list):
    """An orientation against ground axes, a quaternion."""


class X(list):
    """An expression: texts and numbers in a row."""


def qs(values, dimension):
    return [Q(v, dimension) for v in values]


class Writer:
    """Units, a turn and a displacement that a model is written with."""

    def __init__(self, units="SI", turn=(1.0, 0.0, 0.0, 0.0), shift=(0.0, 0.0, 0.0)):
        self.units, self.turn, self.shift = units, list(turn), list(shift)
        self.sizes = UNITS[units]

    def one(self, dimension):
        """SI units in one unit of this dimension."""
        f = 1.0
        for size, power in zip(self.sizes, dimension):
            f *= size ** power
        return f

    def number(self, value, dimension=NONE):
        if self.units == "SI" or dimension == NONE:
            return repr(float(value)) if not isinstance(value, int) else str(value)
        return repr(value / self.one(dimension))

    def turned(self, v):
        return list(v) if self.turn == [1.0, 0.0, 0.0, 0.0] else space.rotate(self.turn, v)

    def text(self, node):
        if isinstance(node, Q):
            return self.number(node.value, node.dimension)
        if isinstance(node, P):
            place = space.add(self.turned(node), self.shift)
            return self.text(qs(place, LENGTH))
        if isinstance(node, V):
            return self.text(qs(self.turned(node), node.dimension))
        if isinstance(node, O):
            return self.text(qs(space.product(self.turn, node), NONE))
        if isinstance(node, X):
            words = (p if isinstance(p, str) else f"({self.text(p)})" for p in node)
            return '"' + "".join(words) + '"'
        if isinstance(node, dict):
            return "{" + ", ".join(f"{k}: {self.text(v)}" for k, v in node.items()) + "}"
        if isinstance(node, (list, tuple)):
            return "[" + ", ".join(self.text(v) for v in node) + "]"
        if isinstance(node, str):
            return node
        return self.number(node)

    def model(self, sections, comment):
        """The whole file; each named part gets a line of its own."""
        lines = [f"# {comment}", "trammel: 1"]
        if self.units != "SI":
            lines.append(f"units: {self.units}")
        for key, section in sections.items():
            if isinstance(section, dict) and not section:
                continue
            if isinstance(section, dict) and key not in ("simulate",):
                lines.append(f"{key}:")
                lines += [f"  {name}: {self.text(part)}" for name, part in section.items()]
            else:
                lines.append(f"{key}: {self.text(section)}")
        return "\n".join(lines) + "\n"
