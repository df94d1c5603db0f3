"""Curves with linear or logarithmic axes as SVG, for what is no signal of a run file."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 78, 190, 34, 52
COLORS = ["#1f5fa8", "#b5442c", "#2f7d4f", "#7a4fa3", "#a5771c", "#3a8fa0", "#777777"]
POINTS_MAX = 1500


class Series:
    def __init__(self, name, x, y, marks=True, line=True, dashed=False):
        self.name, self.marks, self.line, self.dashed = name, marks, line, dashed
        self.points = list(zip(x, y))


class Axis:
    def __init__(self, values, log, low, high):
        self.log = log
        values = [v for v in values if math.isfinite(v) and (v > 0 or not log)]
        self.low, self.high = self.of(min(values)), self.of(max(values))
        if low is not None:
            self.low = self.of(low)
        if high is not None:
            self.high = self.of(high)
        margin = 0.04 * (self.high - self.low) or 0.5
        self.low, self.high = self.low - margin, self.high + margin
        self.begin, self.end = 0.0, 1.0

    def of(self, value):
        return math.log10(value) if self.log else value

    def place(self, value):
        if not math.isfinite(value) or (self.log and value <= 0):
            return None
        x = (self.of(value) - self.low) / (self.high - self.low)
        return self.begin + x * (self.end - self.begin)

    def ticks(self):
        """Pairs of value and label."""
        if self.log:
            span = math.floor(self.high) - math.ceil(self.low)
            every = max(1, math.ceil(span / 9))
            if span < 1:
                return [(m * 10.0 ** p, f"{m * 10.0 ** p:g}") for p in
                        range(math.floor(self.low), math.ceil(self.high)) for m in (1, 2, 5)
                        if self.low <= math.log10(m * 10.0 ** p) <= self.high]
            return [(10.0 ** p, f"1e{p}") for p in
                    range(math.ceil(self.low), math.floor(self.high) + 1, every)]
        raw = (self.high - self.low) / 7
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
        return [(k * step, f"{k * step:.6g}") for k in
                range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def text(x, y, words, anchor="middle", turn=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{html.escape(words)}</text>')


def thinned(points):
    """At most POINTS_MAX points; of each stretch the lowest and the highest stay."""
    if len(points) <= POINTS_MAX:
        return points
    size = math.ceil(2 * len(points) / POINTS_MAX)
    out = []
    for i in range(0, len(points), size):
        stretch = list(enumerate(points[i:i + size]))
        ends = {min(stretch, key=lambda p: p[1][1])[0], max(stretch, key=lambda p: p[1][1])[0]}
        out += [stretch[k][1] for k in sorted(ends)]
    return out


def frame(x, y, x_label, y_label, title):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    out = [f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" '
           'fill="none" stroke="#888"/>']
    for value, label in x.ticks():
        out.append(f'<line x1="{x.place(value):.1f}" x2="{x.place(value):.1f}" y1="{TOP}" '
                   f'y2="{bottom}" stroke="#ddd"/>')
        out.append(text(x.place(value), bottom + 16, label))
    for value, label in y.ticks():
        out.append(f'<line x1="{LEFT}" x2="{right}" y1="{y.place(value):.1f}" '
                   f'y2="{y.place(value):.1f}" stroke="#ddd"/>')
        out.append(text(LEFT - 6, y.place(value) + 4, label, "end"))
    middle = (TOP + bottom) / 2
    out += [text((LEFT + right) / 2, HEIGHT - 14, x_label), text((LEFT + right) / 2, TOP - 12, title),
            text(18, middle, y_label, "middle", f' transform="rotate(-90 18 {middle:.1f})"')]
    return out


def draw(path, series, x_label, y_label, title="", xlog=False, ylog=False, x_range=(None, None),
         y_range=(None, None)):
    x = Axis([p[0] for s in series for p in s.points], xlog, *x_range)
    y = Axis([p[1] for s in series for p in s.points], ylog, *y_range)
    x.begin, x.end, y.begin, y.end = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, TOP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<clipPath id="c"><rect x="{LEFT}" y="{TOP}" width="{WIDTH - RIGHT - LEFT}" '
           f'height="{HEIGHT - BOTTOM - TOP}"/></clipPath>',
           *frame(x, y, x_label, y_label, title)]
    for k, s in enumerate(series):
        color = COLORS[k % len(COLORS)]
        placed = [(x.place(a), y.place(b)) for a, b in thinned(s.points)]
        placed = [p for p in placed if None not in p]
        dash = ' stroke-dasharray="6 4"' if s.dashed else ""
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in placed)
        out.append(f'<g clip-path="url(#c)" data-name="{html.escape(s.name)}">')
        if s.line:
            out.append(f'<polyline points="{points}" fill="none" stroke="{color}" '
                       f'stroke-width="1.3"{dash}/>')
        if s.marks:
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.8" fill="{color}"/>' for a, b in placed]
        out.append("</g>")
        row = TOP + 10 + 18 * k
        out.append(f'<line x1="{WIDTH - RIGHT + 10}" x2="{WIDTH - RIGHT + 32}" y1="{row}" y2="{row}" '
                   f'stroke="{color}" stroke-width="2"{dash}/>')
        out.append(text(WIDTH - RIGHT + 38, row + 4, s.name, "start"))
    out.append("</svg>\n")
    path.write_text("\n".join(out))
    return path.name
