"""pictures.py - results of `plot`: SVG, PNG, PDF, drawings of letters, spectra."""

import fcntl
import math
import os
import pty
import re
import struct
import subprocess
import termios
import xml.etree.ElementTree as ElementTree
import zlib

import program
from program import Case, call

SVG = "{http://www.w3.org/2000/svg}"


class RunFiles(Case):
    """Run files that several tests read, made once."""
    files = {}

    def run_file(self, name, *words):
        """The path of a run file, made by `run WORDS` when it is first asked for."""
        if name not in RunFiles.files:
            folder = RunFiles.files.setdefault("", program.shared_folder())
            path = os.path.join(folder, name + ".h5")
            run = call("run", *words, "--quiet", "--out", path)
            self.assertEqual(run.returncode, 0, run.stderr)
            RunFiles.files[name] = path
        return RunFiles.files[name]

    def crank(self):
        return self.run_file("crank", "slider-crank", "--outputs", "400")

    def crank_explicit(self):
        return self.run_file("crank-explicit", "slider-crank", "--integrator", "explicit",
                             "--tolerance", "1e-4", "--outputs", "300")

    def chain(self):
        return self.run_file("chain", "chain", "--set", "links=3", "--end", "0.5", "--outputs",
                             "20")


class Plot(RunFiles):
    def draw(self, *words):
        """A picture as an XML tree."""
        path = self.path("picture.svg")
        run = call("plot", *words, "--out", path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return ElementTree.parse(path).getroot()

    @staticmethod
    def texts(root):
        return [text.text for text in root.iter(SVG + "text")]

    @staticmethod
    def curves(root):
        """Name and points of every series."""
        result = []
        for group in root.iter(SVG + "g"):
            if group.get("class") == "series":
                points = [tuple(map(float, pair.split(","))) for line in group
                          for pair in line.get("points").split()]
                result.append((group.get("data-name"), points))
        return result

    def test_svg_has_a_curve_for_each_signal_and_a_panel_for_each_unit(self):
        root = self.draw(self.crank(), "q1", "q2", "lam1")
        self.assertEqual([name for name, _ in self.curves(root)], ["q1", "q2", "lam1"])
        self.assertEqual(len(list(root.iter(SVG + "polyline"))), 3)
        self.assertEqual(len(list(root.iter(SVG + "clipPath"))), 2)
        texts = self.texts(root)
        for text in ("slider-crank", "q1", "q2", "lam1 [N]", "time [s]", "0.00", "0.10"):
            self.assertIn(text, texts)
        self.assertNotIn("lam1", texts)  # one curve needs no legend

    def test_points_are_those_of_the_samples(self):
        run = call("run", "pendulum", "--end", "2", "--outputs", "50", "--quiet", "--out",
                   self.path("p.h5"), "--csv", self.path("p.csv"))
        self.assertEqual(run.returncode, 0, run.stderr)
        header, rows = self.read_table(self.path("p.csv"))
        x = [row[header.index("x")] for row in rows]
        [(_, points)] = self.curves(self.draw(self.path("p.h5"), "x"))
        self.assertEqual(len(points), 51)
        # the picture is a linear map of times and values, written with two decimals
        left, right = points[0][0], points[-1][0]
        high, low = min(p[1] for p in points), max(p[1] for p in points)
        for i, (px, py) in enumerate(points):
            self.assertAlmostEqual(px, left + (right - left) * i / 50, delta=0.011)
            part = (x[i] - min(x)) / (max(x) - min(x))
            self.assertAlmostEqual(py, low + (high - low) * part, delta=0.021)

    def test_runs_are_overlaid(self):
        root = self.draw(self.crank(), self.crank_explicit(), "q1")
        self.assertEqual([name for name, _ in self.curves(root)], ["crank", "crank-explicit"])
        lines = list(root.iter(SVG + "polyline"))
        self.assertEqual([line.get("stroke-dasharray") is not None for line in lines],
                         [False, True])
        self.assertEqual(len({line.get("stroke") for line in lines}), 2)
        # both methods draw the same motion: a pixel is a two-hundredth of the range
        first, second = (points for _, points in self.curves(root))
        for x, y in second:
            near = min(first, key=lambda p: abs(p[0] - x))
            self.assertLess(abs(near[1] - y), 8)

    def test_several_signals_of_several_runs(self):
        root = self.draw(self.crank(), self.crank_explicit(), "q1", "q2")
        self.assertEqual([name for name, _ in self.curves(root)],
                         ["q1, crank", "q1, crank-explicit", "q2, crank", "q2, crank-explicit"])

    def test_the_same_words_give_the_same_bytes(self):
        for ending in ("svg", "png", "pdf"):
            pictures = set()
            for name in ("a." + ending, "b." + ending):
                run = call("plot", self.crank(), "q1", "lam1", "--out", self.path(name))
                self.assertEqual(run.returncode, 0, run.stderr)
                with open(self.path(name), "rb") as file:
                    pictures.add(file.read())
            self.assertEqual(len(pictures), 1, ending)

    def test_many_samples_are_thinned(self):
        path = self.run_file("dense", "pendulum", "--end", "40", "--outputs", "50000")
        [(_, points)] = self.curves(self.draw(path, "x"))
        self.assertLess(len(points), 7000)  # four for each of 1700 half pixels
        self.assertGreater(len(points), 1000)
        [(_, points)] = self.curves(self.draw(path, "x", "--against", "y"))
        self.assertLess(len(points), 7000)

    def test_against_another_signal(self):
        root = self.draw(self.crank(), "x3", "--against", "phi1", "--title", "A & <B>")
        texts = self.texts(root)
        self.assertIn("phi1 [rad]", texts)
        self.assertIn("x3 [m]", texts)
        self.assertIn("A & <B>", texts)
        self.assertNotIn("time [s]", texts)

    def test_logarithmic_axes(self):
        root = self.draw(self.crank(), "kinetic", "--ylog", "--xlog")
        self.assertTrue(any(text.startswith("10") and ord(text[-1]) > 127
                            for text in self.texts(root)), self.texts(root))
        [(_, points)] = self.curves(root)
        self.assertLessEqual(len(points), 400)  # t = 0 has no logarithm

    def test_png_is_a_picture_with_ink_of_each_colour(self):
        path = self.path("a.png")
        run = call("plot", self.crank(), "q1", "q2", "--out", path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        with open(path, "rb") as file:
            data = file.read()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        chunks, at = {}, 8
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            self.assertEqual(struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0],
                             zlib.crc32(kind + body))
            chunks[kind] = chunks.get(kind, b"") + body
            at += 12 + size
        self.assertEqual(set(chunks), {b"IHDR", b"bKGD", b"IDAT", b"IEND"})  # no time, no text
        width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
        self.assertEqual((width, depth, colours), (1720, 8, 2))
        rows = unfilter(zlib.decompress(chunks[b"IDAT"]), width, height)
        pixels = {}
        for row in rows:
            for i in range(0, 3 * width, 3):
                pixel = bytes(row[i:i + 3])
                pixels[pixel] = pixels.get(pixel, 0) + 1
        self.assertGreater(pixels[b"\xff\xff\xff"], 0.8 * width * height)
        self.assertGreater(pixels[b"\x1f\x5f\xa8"], 1000)
        self.assertGreater(pixels[b"\xc2\x45\x2d"], 1000)

    def test_pdf_has_one_page_and_no_date(self):
        path = self.path("a.pdf")
        self.assertEqual(call("plot", self.crank(), "q1", "--out", path).returncode, 0)
        with open(path, "rb") as file:
            data = file.read()
        self.assertTrue(data.startswith(b"%PDF-1."))
        self.assertTrue(data.rstrip().endswith(b"%%EOF"))
        streams = b"".join(inflate(m.group(1)) for m in
                           re.finditer(rb"stream\r?\n(.*?)endstream", data, re.S))
        self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", data + streams)), 1)
        self.assertNotIn(b"CreationDate", data + streams)

    def test_a_drawing_of_letters_is_80_columns_wide_on_a_pipe(self):
        run = call("plot", self.crank(), "q1", "q2")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        lines = run.stdout.splitlines()
        self.assertTrue(77 <= max(map(len, lines)) <= 80)
        self.assertTrue(any("\u2801" <= c <= "\u28ff" for c in run.stdout))
        self.assertNotIn("\x1b", run.stdout)
        for text in ("slider-crank", "a q1   b q2", "time [s]"):
            self.assertIn(text, run.stdout)

    def test_on_a_terminal_it_has_its_width_and_colours(self):
        for term, has_colours in (("xterm", True), ("dumb", False)):
            text = on_terminal(120, term, "plot", self.crank(), "q1", "q2")
            plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
            self.assertTrue(117 <= max(map(len, plain.splitlines())) <= 120)
            self.assertEqual("\x1b[38;5;" in text, has_colours)

    def test_without_a_signal_they_are_listed(self):
        run = call("plot", self.crank())
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"slider-crank, 401 samples")
        self.assertRegex(run.stdout, r"(?m)^  coordinates    \[rad\] .* phi1  phi2$")
        self.assertRegex(run.stdout, r"(?m)^  multipliers    \[N m\] .* lam3$")
        listed = self.result("plot", self.crank())["runs"][0]
        self.assertEqual((listed["model"], listed["samples"]), ("slider-crank", 401))
        self.assertIn({"name": "lam1", "unit": "N", "group": "multipliers"}, listed["signals"])

    def test_an_unknown_signal_gets_the_nearest_name(self):
        for words in (("lan1",), ("q1", "lan1"), ("q1", "--against", "lan1")):
            self.fails(2, r"no signal 'lan1', the nearest one is 'lam1'", "plot", self.crank(),
                         *words)

    def test_bad_words(self):
        crank = self.crank()
        self.fails(2, r"\.svg, \.png or \.pdf", "plot", crank, "q1", "--out", "a.gif")
        self.fails(2, r"--spectrum and --against", "plot", crank, "q1", "--spectrum",
                     "--against", "q2")
        self.fails(2, r"RUN.h5 is missing", "plot")
        self.fails(4, r"cannot write", "plot", crank, "q1", "--out", "/no/folder/a.svg")
        self.fails(4, r"cannot write", "plot", crank, "q1", "--out", "/dev/full.svg/x.svg")
        self.fails(2, r"'potential' has no point that is positive", "plot",
                     self.run_file("free", "pendulum", "--end", "0.1"), "potential",
                   "--ylog")


ARM = """\
trammel: 1
gravity: [0, 0, -9.81]
bodies: {arm: {mass: 2, inertia: [0, 0, 0], at: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0], start_rate: 12 rad/s}}
inputs: {push: 0}
forces: {side: {type: force, body: arm, force: [0, 0, push]}}
outputs: {turned: hinge.angle, high: abs(arm.z)/2}
simulate: {end: 2, outputs: 10}
"""


class Computed(Case):
    """Signals that no file holds: the run is made again for them."""

    def record(self, *words):
        with open(self.path("m.yaml"), "w", encoding="utf-8") as file:
            file.write(ARM)
        run = call("run", self.path("m.yaml"), *words, "--out", self.path("m.h5"), "--quiet")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return self.path("m.h5")

    def curves(self, *words):
        """The series of a picture that are not in the file."""
        run = call("plot", *words, "--out", self.path("m.svg"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(": the run is made again\n", run.stderr)
        return Plot.curves(ElementTree.parse(self.path("m.svg")).getroot())

    def test_they_are_those_of_outputs(self):
        # samples are more than a turn apart: no angle of one sample alone could tell
        (_, recorded), (name, computed) = self.curves(self.record(), "turned", "hinge.angle")
        self.assertEqual((name, computed), ("hinge.angle", recorded))
        curves = self.curves(self.path("m.h5"), "high", "abs(arm.z)/2", "--against", "2*hinge.angle")
        self.assertEqual(curves[0][1], curves[1][1])
        unit = self.result("plot", self.path("m.h5"), "hinge.angle'", "--quiet")["curves"][0]["unit"]
        self.assertEqual(unit, "1/s")

    def test_runs_from_rest_and_runs_that_ended_early(self):
        (_, recorded), (_, computed) = self.curves(self.record("--at", "static"), "turned", "hinge.angle")
        self.assertEqual(computed, recorded)
        path = self.path("m.h5")
        run = call("run", self.path("m.yaml"), "--max-steps", "100", "--out", path, "--quiet")
        self.assertNotEqual(run.returncode, 0)
        (_, recorded), (_, computed) = self.curves(path, "turned", "hinge.angle")
        self.assertEqual(computed, recorded)

    def test_faults(self):
        path = self.record("--input", "push=3")
        for signal, sentence in (
                ("hinge.angel", "plot: hinge.angel: joint 'hinge' has no 'angel'; it has angle"),
                ("hinge.angle", "does not come again: at t = "),
                ("hinge.angle", "run it with --set outputs.NAME=EXPRESSION"),
                ("1 +", "plot: 1 +: the expression ends where a value is expected"),
                ("angle", "has no signal 'angle'"),
                ("arm.x" + 50*" + arm.x", "an expression of more than 47 letters needs a name")):
            run = call("plot", path, signal)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(sentence, run.stderr)
        self.fails_in_problems()

    def fails_in_problems(self):
        path = self.path("p.h5")
        call("run", "pendulum", "--end", "0.1", "--out", path, "--quiet")
        run = call("plot", path, "2*x")
        self.assertEqual(run.returncode, 2)


class Spectrum(RunFiles):
    """Masses and springs whose frequencies are known, see src/problems/oscillators.c."""

    def oscillators(self):
        return self.run_file("oscillators", "oscillators", "--integrator", "explicit",
                             "--tolerance", "1e-9", "--end", "30", "--outputs", "1000")

    def test_peaks_are_at_the_natural_frequencies(self):
        [curve] = self.result("plot", self.oscillators(), "x1", "--spectrum")["curves"]
        self.assertFalse(curve["resampled"])
        expected = [(mode, amplitude) for mode, amplitude in
                    ((1, math.sin(math.pi / 5)), (4, 0.1 * math.sin(4 * math.pi / 5)))]
        self.assertEqual(len(curve["peaks"]), 2)
        for peak, (mode, amplitude) in zip(curve["peaks"], expected):
            frequency = 20 * math.sin(mode * math.pi / 10) / (2 * math.pi)
            # lines are 1/30 Hz apart; tails of the other peak move it by far less
            self.assertAlmostEqual(peak["frequency"], frequency, delta=1e-3)
            self.assertAlmostEqual(peak["amplitude"], amplitude, delta=0.01 * amplitude)

    def test_peaks_are_marked_and_printed(self):
        path = self.path("s.svg")
        run = call("plot", self.oscillators(), "x1", "--spectrum", "--out", path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"^x1: peaks 0\.983\d* Hz \(0\.58\d* m\), 3\.02\d* Hz")
        root = ElementTree.parse(path).getroot()
        texts = Plot.texts(root)
        for text in ("frequency [Hz]", "amplitude of x1 [m]", "3.027 Hz"):
            self.assertIn(text, texts)
        self.assertEqual(len(list(root.iter(SVG + "circle"))), 2)
        # it ends where nothing is left to see, well before half the rate of 33 Hz
        numbers = [float(t) for t in texts if re.fullmatch(r"[\d.]+", t)]
        self.assertLess(max(numbers), 10)

    def test_letters_show_the_peaks_below(self):
        run = call("plot", self.oscillators(), "x1", "--spectrum")
        self.assertRegex(run.stdout, r"\* 0\.983\d Hz")

    def test_few_samples_have_no_spectrum(self):
        path = self.run_file("few", "pendulum", "--end", "1", "--outputs", "4")
        self.fails(2, r"x: 5 samples .* too few", "plot", path, "x", "--spectrum")


def inflate(data):
    try:
        return zlib.decompress(data)
    except zlib.error:
        return b""


def unfilter(data, width, height):
    """Rows of a PNG of three bytes a pixel."""
    stride, rows, before = 3 * width, [], bytearray(3 * width)
    for y in range(height):
        kind = data[y * (stride + 1)]
        row = bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = row[i - 3] if i >= 3 else 0
            up = before[i]
            corner = before[i - 3] if i >= 3 else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                p = left + up - corner
                near = min((abs(p - left), 0, left), (abs(p - up), 1, up),
                           (abs(p - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append(row)
        before = row
    return rows


def on_terminal(width, term, *words):
    """What the program prints on a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    environment = {**os.environ, "TERM": term}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen([program.PROGRAM, *words], stdout=slave, stderr=slave,
                               stdin=subprocess.DEVNULL, env=environment)
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(master)
    process.wait(timeout=program.TIMEOUT)
    return text.decode()
