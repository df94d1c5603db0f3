"""space.py - vectors, quaternions and small dense algebra in plain Python.

Quaternions are scalar first and unit; rotate(q, u) turns components from the turned frame to the
frame in which q is given."""

import math


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scaled(f, a):
    return [f * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def norm(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return scaled(1 / norm(a), a)


def direction(rng):
    """A unit vector, all directions equally likely."""
    while True:
        u = [rng.uniform(-1, 1) for _ in range(3)]
        if 0.1 < norm(u) < 1:
            return unit(u)


def across(rng, axis):
    """A random unit vector perpendicular to axis."""
    while True:
        u = cross(axis, direction(rng))
        if norm(u) > 0.3:
            return unit(u)


def quaternion(rng):
    while True:
        q = [rng.uniform(-1, 1) for _ in range(4)]
        if 0.1 < norm(q) < 1:
            return unit(q)


def product(p, q):
    w = p[0] * q[0] - dot(p[1:], q[1:])
    v = add(add(scaled(p[0], q[1:]), scaled(q[0], p[1:])), cross(p[1:], q[1:]))
    return [w] + v


def inverse(q):
    return [q[0], -q[1], -q[2], -q[3]]


def rotate(q, u):
    return product(product(q, [0.0] + list(u)), inverse(q))[1:]


def frame(z, x):
    """Quaternion of the axes with this z and an x in the plane of z and x."""
    z = unit(z)
    x = unit(sub(x, scaled(dot(x, z), z)))
    y = cross(z, x)
    rows = [[x[i], y[i], z[i]] for i in range(3)]
    trace = [1 + rows[0][0] + rows[1][1] + rows[2][2], 1 + rows[0][0] - rows[1][1] - rows[2][2],
             1 - rows[0][0] + rows[1][1] - rows[2][2], 1 - rows[0][0] - rows[1][1] + rows[2][2]]
    k = max(range(4), key=lambda i: trace[i])
    d = [rows[2][1] - rows[1][2], rows[0][2] - rows[2][0], rows[1][0] - rows[0][1]]
    s = [rows[2][1] + rows[1][2], rows[0][2] + rows[2][0], rows[1][0] + rows[0][1]]
    columns = {0: [trace[0], d[0], d[1], d[2]], 1: [d[0], trace[1], s[2], s[1]],
               2: [d[1], s[2], trace[2], s[0]], 3: [d[2], s[1], s[0], trace[3]]}
    return unit(columns[k])


class Rows:
    """Linear rows a.v = b, orthonormalized as they come; tells dependent rows from others."""

    def __init__(self):
        self.basis = []   # (orthonormal row, its right-hand side)

    def copy(self):
        other = Rows()
        other.basis = list(self.basis)
        return other

    def test(self, row, rhs):
        """The part of the row that is new, relative to its size, with its right-hand side."""
        size = norm(row)
        left, b = scaled(1 / size, row), rhs / size
        for _ in range(2):
            for known, value in self.basis:
                c = dot(left, known)
                left = [x - c * y for x, y in zip(left, known)]
                b -= c * value
        return left, b

    def enter(self, row, rhs=0.0):
        """1: a new row; 0: it follows from the others; -1: nearly so, or contradicts them."""
        left, b = self.test(row, rhs)
        size = norm(left)
        if size < 1e-9:
            return 0 if abs(b) < 1e-9 else -1
        if size < 0.03:
            return -1
        self.basis.append((scaled(1 / size, left), b / size))
        return 1

    def project(self, v):
        """The nearest v that satisfies all rows."""
        for known, value in self.basis:
            c = dot(v, known) - value
            v = [x - c * y for x, y in zip(v, known)]
        return v
