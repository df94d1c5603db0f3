"""matrices.py - flexible bodies from matrices of other programs: a truss of bars between six nodes,
written as Matrix Market, Abaqus, CalculiX and DMIG, against its own eigenvalues."""

import itertools
import json
import math
import os

from model_case import Files
from program import call

PLACES = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0.2), (1, 0.1, 1)]
NUMBERS = [11, 12, 15, 13, 20, 17]
SIZE = 3 * len(PLACES)
MASS = 2.0


def stiffness():
    K = [[0.0] * SIZE for _ in range(SIZE)]
    for a, b in itertools.combinations(range(len(PLACES)), 2):
        d = [q - p for p, q in zip(PLACES[a], PLACES[b])]
        length = math.sqrt(sum(v * v for v in d))
        for i, j in itertools.product(range(3), range(3)):
            value = 1e6 * d[i] * d[j] / length**3
            for p, q, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                K[3 * p + i][3 * q + j] += sign * value
    return K


def mass():
    return [[MASS if i == j else 0.0 for j in range(SIZE)] for i in range(SIZE)]


def name(i):
    return NUMBERS[i // 3], i % 3 + 1


def lower(A):
    return [(i, j, A[i][j]) for i in range(SIZE) for j in range(i + 1) if A[i][j] != 0]


def market(A, sort="symmetric"):
    entries = lower(A) if sort == "symmetric" else [
        (i, j, A[i][j]) for i in range(SIZE) for j in range(SIZE) if A[i][j] != 0]
    lines = [f"{i + 1} {j + 1} {value!r}" for i, j, value in entries]
    return "\n".join([f"%%MatrixMarket matrix coordinate real {sort}", "% a comment",
                      f"{SIZE} {SIZE} {len(lines)}"] + lines) + "\n"


def abaqus(A):
    return "".join("%d,%d, %d,%d, %.17e\n" % (*name(i), *name(j), value) for i, j, value in lower(A))


def calculix(A):  # the upper triangle
    return "".join(f"{j + 1} {i + 1} {value!r}\n" for i, j, value in lower(A))


def dmig(word, A):
    text = "DMIG    %-8s%8d%8d%8d%8d\n" % (word, 0, 6, 2, 0)
    for j in range(SIZE):
        text += "DMIG*   %-16s%16d%16d\n" % (word, *name(j))
        for i, column, value in lower(A):
            if column == j:
                text += "*       %16d%16d%s\n" % (*name(i), ("%.9E" % value).rjust(16))
    return text


def table(scale=1.0):
    return "number, x, y, z\n" + "".join(
        f"{n}, {x * scale!r}, {y * scale!r}, {z * scale!r}\n" for n, (x, y, z) in zip(NUMBERS, PLACES))


MODEL = """trammel: 1
flexible:
  truss:
    matrices: {stiffness: K, mass: M, nodes: nodes.csvMORE}
    LENGTH
    interfaces: {root: {numbers: [11, 12, 15], type: average}}
    modes: {fixed: 12}
joints: {weld: {type: fixed, bodies: [ground, truss.root], at: [0.333333333333, 0.333333333333, 0]}}
simulate: {end: 0.01}
"""


def beam(length):
    """Stiffness and mass of Euler and Bernoulli along x; a section of 20 x 30 mm of steel."""
    import numpy
    E, G, rho, b, h = 2e11, 8e10, 7850.0, 0.02, 0.03
    A, Iy, Iz, J = b * h, b * h**3 / 12, h * b**3 / 12, 6e-8
    K, M, m = numpy.zeros((12, 12)), numpy.zeros((12, 12)), rho * A * length
    line, mean = numpy.array([[1, -1], [-1, 1]]), numpy.array([[2, 1], [1, 2]]) / 6
    for dof, k, mass_of in ((0, E * A, m), (3, G * J, rho * (Iy + Iz) * length)):
        at = numpy.ix_([dof, dof + 6], [dof, dof + 6])
        K[at] += k / length * line
        M[at] += mass_of * mean
    L = length
    k4 = numpy.array([[12, 6 * L, -12, 6 * L], [6 * L, 4 * L * L, -6 * L, 2 * L * L],
                      [-12, -6 * L, 12, -6 * L], [6 * L, 2 * L * L, -6 * L, 4 * L * L]]) / L**3
    m4 = numpy.array([[156, 22 * L, 54, -13 * L], [22 * L, 4 * L * L, 13 * L, -3 * L * L],
                      [54, 13 * L, 156, -22 * L], [-13 * L, -3 * L * L, -22 * L, 4 * L * L]]) / 420
    for dofs, sign, I in (((1, 5, 7, 11), 1, Iz), ((2, 4, 8, 10), -1, Iy)):
        turn = numpy.diag([1, sign, 1, sign])
        K[numpy.ix_(dofs, dofs)] += E * I * turn @ k4 @ turn
        M[numpy.ix_(dofs, dofs)] += m * turn @ m4 @ turn
    return K, M


def frame(cells=4):
    """A rectangle of beams with six freedoms at each node: places, K, M."""
    import numpy
    corners = [(0, 0, 0), (1, 0, 0), (1, 0.6, 0), (0, 0.6, 0)]
    places = [tuple(p + (q - p) * i / cells for p, q in zip(corners[s], corners[(s + 1) % 4]))
              for s in range(4) for i in range(cells)]
    n = len(places)
    K, M = numpy.zeros((6 * n, 6 * n)), numpy.zeros((6 * n, 6 * n))
    for a in range(n):
        b = (a + 1) % n
        d = numpy.array(places[b]) - numpy.array(places[a])
        length = numpy.linalg.norm(d)
        R = numpy.array([d / length, numpy.cross([0, 0, 1], d / length), [0, 0, 1]])
        T, at = numpy.kron(numpy.eye(4), R), [6 * p + i for p in (a, b) for i in range(6)]
        for whole, own in zip((K, M), beam(length)):
            whole[numpy.ix_(at, at)] += T.T @ own @ T
    return places, K, M


FRAME = """trammel: 1
flexible:
  frame:
    matrices: {stiffness: K, mass: M, nodes: nodes.csv}
    length: mm
    interfaces: {root: {numbers: [1, 2, 16]}}
    modes: {fixed: 70}
joints: {pin: {type: revolute, bodies: [ground, frame.root], at: [0, 0, 0], axis: [0, 1, 0]}}
gravity: [0, 0, -9.81]
simulate: {end: 0.01, tolerance: 1e-4}
"""


class Matrices(Files):
    def test_nodes_with_rotations(self):
        """A frame of beams, in N, mm and tonnes: mass, inertia and frequencies of its matrices."""
        import numpy
        places, K, M = frame()
        n = len(places)
        # forces and moments over displacements in mm and rotations
        unit = numpy.tile([1e-3] * 3 + [1.0] * 3, n)
        scale = numpy.outer(unit, unit)
        for name_of, whole in (("K", K * scale * 1e3), ("M", M * scale * 1e3)):
            self.write(name_of, "".join(
                "%d,%d, %d,%d, %.17e\n" % (i // 6 + 1, i % 6 + 1, j // 6 + 1, j % 6 + 1, whole[i, j])
                for i in range(6 * n) for j in range(i + 1) if whole[i, j] != 0))
        self.write("nodes.csv", "".join(
            f"{i + 1}, {1e3 * x!r}, {1e3 * y!r}, {1e3 * z!r}\n" for i, (x, y, z) in enumerate(places)))
        model = self.write("frame.yaml", FRAME)
        body = self.result("modal", model, "--cache", "none")["flexible"]["frame"]
        R = numpy.zeros((6 * n, 6))
        for i, x in enumerate(places):
            R[6 * i:6 * i + 3, :3] = R[6 * i + 3:6 * i + 6, 3:] = numpy.eye(3)
            R[6 * i:6 * i + 3, 3:] = numpy.array([numpy.cross(e, x) for e in numpy.eye(3)]).T
        G = R.T @ M @ R
        centre = numpy.array([0.5, 0.3, 0])
        about = G[3:, 3:] - G[0, 0] * (centre @ centre * numpy.eye(3) - numpy.outer(centre, centre))
        self.assertEqual(body["nodes"], n)
        self.assertAlmostEqual(body["mass"] / G[0, 0], 1, delta=1e-10)
        for k in range(3):
            self.assertAlmostEqual(body["centre"][k], centre[k], delta=1e-10)
            self.assertAlmostEqual(body["inertia"][k] / about[k, k], 1, delta=1e-9)
        low = numpy.linalg.cholesky(M)
        inverse = numpy.linalg.inv(low)
        exact = numpy.sqrt(numpy.linalg.eigvalsh(inverse @ K @ inverse.T)[6:]) / (2 * math.pi)
        # three nodes of the root are one rigid body: the full matrices with that
        tied = [i - 1 for i in (1, 2, 16)]
        free = [6 * i + d for i in range(n) if i not in tied for d in range(6)]
        T = numpy.zeros((6 * n, len(free) + 6))
        T[free, range(len(free))] = 1
        for i in tied:
            T[6 * i:6 * i + 6, -6:] = R[6 * i:6 * i + 6]
        low = numpy.linalg.cholesky(T.T @ M @ T)
        inverse = numpy.linalg.inv(low)
        rigid = numpy.sqrt(numpy.linalg.eigvalsh(inverse @ T.T @ K @ T @ inverse.T)[6:]) / (2 * math.pi)
        for mode, value, plain in zip(body["modes"][:8], rigid, exact):
            self.assertAlmostEqual(mode["frequency_hz"] / value, 1, delta=1e-6)
            self.assertGreater(mode["frequency_hz"], plain)
        self.assertIn("its mass matrix has rotations", body["notes"])
        run = self.result("run", model, "--cache", "none")
        self.assertLess(abs(run["energy"]["final"] - run["energy"]["initial"]), 1e-3)

    def body(self, K, M, nodes=None, dofs=None, length="", model=MODEL):
        self.write("K", K)
        self.write("M", M)
        self.write("nodes.csv", nodes or table())
        more = ""
        if dofs is not None:
            self.write("dofs", dofs)
            more = ", dofs: dofs"
        return self.write("truss.yaml", model.replace("MORE", more).replace("LENGTH\n", length + "\n"))

    def frequencies(self, *words, **more):
        body = self.result("modal", self.body(*words, **more), "--cache", "none")
        return [mode["frequency_hz"] for mode in body["flexible"]["truss"]["modes"]]

    def exact(self):
        import numpy
        values = numpy.linalg.eigvalsh(numpy.array(stiffness()) / MASS)
        return [math.sqrt(v) / (2 * math.pi) for v in values[6:]]

    def test_all_formats_have_the_frequencies_of_the_matrices(self):
        K, M = stiffness(), mass()
        dofs = "".join("%d.%d\n" % name(i) for i in range(SIZE))
        both = dmig("KAAX", K) + dmig("MAAX", M)
        exact = self.exact()
        for word, found, digits in (
                ("market", self.frequencies(market(K), market(M)), 1e-9),
                ("general", self.frequencies(market(K, "general"), market(M)), 1e-9),
                ("abaqus", self.frequencies(abaqus(K), abaqus(M)), 1e-9),
                ("calculix", self.frequencies(calculix(K), calculix(M), dofs=dofs), 1e-9),
                ("dmig", self.frequencies(both, both), 1e-6)):  # ten digits are written
            self.assertEqual(len(found), 12, word)
            for a, b in zip(found, exact):
                self.assertAlmostEqual(a / b, 1, delta=digits, msg=word)

    def test_units_of_the_files(self):
        # N/mm, t: a tonne is a N s^2/mm
        K = [[v / 1000 for v in row] for row in stiffness()]
        M = [[v / 1000 for v in row] for row in mass()]
        model = self.body(abaqus(K), abaqus(M), nodes=table(1000), length="length: mm")
        found = json.loads(call("modal", model, "--json", "--cache", "none").stdout)
        body = found["flexible"]["truss"]
        self.assertAlmostEqual(body["mass"], MASS * len(PLACES), delta=1e-9)
        for mode, exact in zip(body["modes"], self.exact()):
            self.assertAlmostEqual(mode["frequency_hz"] / exact, 1, delta=1e-9)

    def test_it_moves_and_is_kept_in_the_cache(self):
        model = self.body(market(stiffness()), market(mass()))
        cache = self.path("cache")
        first = self.result("run", model, "--cache", cache)
        self.assertEqual(len(os.listdir(cache)), 1)
        again = self.result("run", model, "--cache", cache)
        self.assertEqual(first["coordinates"], again["coordinates"])
        self.write("M", market([[2 * v for v in row] for row in mass()]))
        self.result("run", model, "--cache", cache)
        self.assertEqual(len(os.listdir(cache)), 2)  # another matrix is another body

    def refused(self, words, *files, **more):
        lines = self.lines("modal", self.body(*files, **more), "--cache", "none")
        self.assertIn(words, lines[0])
        self.assertIn("flexible body 'truss'", lines[0])

    def test_matrices_that_no_body_has_are_named(self):
        K, M = stiffness(), mass()
        bad = stiffness()
        bad[3][6] *= 1.5
        self.refused("its stiffness matrix is not symmetric: node 12 direction 1 with node 15 "
                     "direction 1", market(bad, "general"), market(M))
        held = stiffness()
        held[4][4] += 1e5
        self.refused("the largest at node 12 along y", market(held), market(M))
        self.refused("moved along y as a whole", market(held), market(M))
        odd = mass()
        odd[4][4] = 3.0
        self.refused("12 along x, but 13 along y", market(K), market(odd))
        self.refused("no mass along x", market(K), market([[-v for v in row] for row in M]))
        loose = [[v if (i // 3 != 4) == (j // 3 != 4) else 0.0 for j, v in enumerate(row)]
                 for i, row in enumerate(K)]
        self.refused("forces when the body is", market(loose), market(M))
        bare = [[0.0 if 4 in (i // 3, j // 3) else v for j, v in enumerate(row)]
                for i, row in enumerate(K)]
        self.refused("no stiffness of node 20 along x", market(bare), market(M))
        heavy = [[1e6 * v for v in row] for row in M]
        self.refused("which no material has: is `length`", market(K), market(heavy))

    def test_files_that_are_none_are_named(self):
        K, M = market(stiffness()), market(mass())
        lines = K.splitlines()
        for words, files in (
                ("line 1: of Matrix Market only", (K.replace("real", "complex"), M)),
                ("has 17 rows", (K.replace("18 18", "17 18"), M)),
                ("ends after", ("\n".join(lines[:-1]) + "\n", M)),
                ("not a row, a column and a value", (K.replace(lines[5], "1 x 3"), M)),
                ("there is no row 99", (K.replace(lines[5], "99 1 3"), M)),
                ("has an entry twice", ("\n".join(lines[:2] + ["18 18 %d" % (len(lines) - 2)] +
                                                  lines[3:] + [lines[3]]) + "\n", M)),
                ("node 99 is not in the table", (abaqus(stiffness()).replace("12,1", "99,1"), M)),
                ("there is no matrix", ("", M)),
                ("this is no matrix", ("hello world\n", M))):
            self.refused(words, *files)
        self.refused("node 11 is in the table twice", K, M, nodes=table() + "11, 0, 0, 0\n")
        self.refused("not a number of a node", K, M, nodes=table() + "eleven, 0, 0, 0\n")
        self.refused("12.3", K, M, dofs="hello\n")
        os.remove(self.path("M"))
        self.assertIn("/M'", self.lines("modal", self.path("truss.yaml"), "--cache", "none")[0])

    def test_keys_that_need_elements_are_refused(self):
        K, M = market(stiffness()), market(mass())
        for more, words in (("material: {E: 1e9, nu: 0, density: 1}", "have their material in them"),
                            ("interfaces: {root: {nodes: LEFT}}", "no node set 'LEFT'")):
            model = MODEL.replace("LENGTH", more)
            if "LEFT" in more:
                model = MODEL.replace("LENGTH\n", "\n").replace("numbers: [11, 12, 15]", "nodes: LEFT")
            self.refused(words, K, M, model=model)
        model = self.body(K, M)
        self.result("run", model, "--out", self.path("t.h5"))
        run = call("stress", self.path("t.h5"))
        self.assertIn("no stress is known", run.stdout + run.stderr)
