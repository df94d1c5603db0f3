"""Part of tdg.md: the cantilever of [TDG], section 5.3, Figs. 8 to 12."""

import math

import numpy

import chart
import kit
import papers

MODEL = "cantilever-tdg"
FREE = 0.5  # [s], no load from here on
SHAPE = "x: [0, 0.25, 0.5, 1]"  # of the load, in the text of the model
ENERGY = (MODEL, "--step-control", "energy", "--energy-from", FREE, "--tolerance", 0.2, "--step-first", 5e-4,
          "--step-min", 5e-6, "--step-max", 1.2e-3)


def after(table, name, begin=FREE):
    return [value for t, value in zip(table["t"], table[name]) if t >= begin - 1e-9]


def total(table):
    return [a + b for a, b in zip(table["kinetic"], table["potential"])]


def swing(table):
    free = after(table, "tip_y")
    return (max(free) - min(free)) / 2


def loss(table):
    """Part of the energy at FREE that is gone at the end."""
    table["total"] = total(table)
    free = after(table, "total")
    return 1 - free[-1] / free[0]


def spectrum(table, name):
    """Frequencies [Hz] and amplitudes of the free vibration, by a Hann window, filled up with zeros."""
    values = numpy.array(after(table, name))
    window = numpy.hanning(len(values))
    filled = 8 * len(values)
    lines = abs(numpy.fft.rfft((values - values.mean()) * window, filled)) * 2 / window.sum()
    return numpy.fft.rfftfreq(filled, table["t"][1] - table["t"][0]), lines


def peak_near(frequencies, lines, mode):
    """The highest line within 5 % of a mode and its height; None where they only rise or fall there."""
    near = numpy.flatnonzero(abs(frequencies - mode) < 0.05 * mode)
    best = near[numpy.argmax(lines[near])]
    return None if best in (near[0], near[-1]) else (float(frequencies[best]), float(lines[best]))


def bending_modes(k):
    """Frequencies [Hz] of modes in which the tip moves in y."""
    modes = k.json("modes", MODEL, "--count", 20)["modes"]
    return [m["frequency_hz"] for m in modes if abs(shape_of(m, "rod.13.vy")) > 0.05]


def shape_of(mode, name):
    part = mode["shape"].get(name, 0.0)
    return part if isinstance(part, float) else math.hypot(*(part.values() if isinstance(part, dict) else part))


def table_of(k, *words):
    return k.table("cantilever", MODEL, *words, "--outputs", 2000)


def numbers_part(k, page, run):
    largest, free = max(run["tip_y"]), swing(run)
    words = ["run", MODEL]
    end = k.json(*words)
    page.table(["", "paper", "prototype", "ours"],
               [["largest deflection of the tip [m]", f"> {papers.TDG_LENGTH / 3:.2f}, a third of the length",
                 papers.TDG_TIP_PROTOTYPE, largest],
                ["swing after the load [m]", papers.TDG_SWING, papers.TDG_SWING_PROTOTYPE, free],
                ["energy lost from 0.5 to 1 s", f"{papers.TDG_LOSS:.0%}", f"{papers.TDG_LOSS_PROTOTYPE:.2%}",
                 f"{loss(run):.2%}"]])
    page.say(f"At 1 s the tip is at {kit.short(end['outputs']['tip_y'], 5)} m, the energy is "
             f"{kit.short(end['energy']['final'], 5)} J.")
    k.headline("tdg", "cantilever, tip at 1 s", end["outputs"]["tip_y"], kit.short(end["outputs"]["tip_y"], 5), words,
               "outputs.tip_y", 1.002)
    k.headline("tdg", "cantilever, energy at 1 s", end["energy"]["final"], kit.short(end["energy"]["final"], 5), words,
               "energy.final", 1.002)


def steps_part(k, page, run):
    rows = []
    for h in (1e-3, 5e-4, 2.5e-4, 1.25e-4):
        other = run if h == 5e-4 else table_of(k, "--step", h)
        rows.append([h, max(other["tip_y"]), swing(other), f"{loss(other):.3%}"])
    page.say("Steps, since the paper blames its step for the loss:")
    page.table(["h [s]", "largest deflection [m]", "swing [m]", "energy lost"], rows, 5)
    omega = 2 * math.pi * bending_modes(k)[0]
    rate = 2 * papers.TDG_DAMPING * 5e-4 ** 3 * 0.5  # of the energy over this time: rate omega^4
    first = 1 - math.exp(-rate * omega ** 4)
    needed = (-math.log(1 - papers.TDG_LOSS) / rate) ** 0.25 / (2 * math.pi)
    page.say(f"The method itself says what a step costs: by its damping (omega h)^3/72 the first mode loses {first:.3%} in "
             "this time at 5e-4 s; the rest of our loss is that of the little energy in the higher modes. To lose "
             f"{papers.TDG_LOSS:.0%} the energy would have to be at {needed:.0f} Hz on the average, but a tip that swings by "
             f"{papers.TDG_SWING} m swings in the first.")


def ends_part(k, page):
    text = k.call("models", "--show", MODEL)
    if SHAPE not in text:
        raise kit.Failed(f"{MODEL} has no line '{SHAPE}'")
    rows = []
    for rise in (0.225, 0.23, 0.235, 0.24, 0.245, 0.25, 0.255, 0.26, 0.265, 0.27, 0.275):
        path = k.folder / "cantilever-end.yaml"
        path.write_text(text.replace(SHAPE, f"x: [0, {rise}, {2 * rise}, 1.1]"))
        run = k.table("cantilever-end", path, "--end", 2 * rise + 0.5, "--step", 5e-4, "--output-step", 5e-4)
        free = after(run, "tip_y", 2 * rise)
        rows.append([rise, (max(free) - min(free)) / 2])
    page.say("What is left when the load ends depends on where in its period the beam is then. The same load with other "
             "times T of rise and fall:")
    page.table(["T [s]", "swing [m]"], rows)
    rise, most = max(rows, key=lambda row: row[1])
    page.say(f"So a load, or a frequency, that is off by {abs(rise / 0.25 - 1):.0%} makes {kit.short(most)} m of it, near the "
             f"paper's {papers.TDG_SWING} m; the data as they are printed do not.")


def spectrum_part(k, page, run):
    frequencies, lines = spectrum(run, "d(rod.13.vy)")
    modes = [f for f in bending_modes(k) if f < 700]
    rows = []
    for i, mode in enumerate(modes):
        peak, height = peak_near(frequencies, lines, mode) or ("-", "-")
        rows.append([i + 1, mode, peak, height,
                     papers.TDG_PEAKS_PROTOTYPE[i] if i < len(papers.TDG_PEAKS_PROTOTYPE) else "-"])
    page.say("Spectrum of the acceleration of the tip from 0.5 to 1 s, and frequencies of the straight beam by "
             f"`trammel modes {MODEL}`, in Hz; the paper sees \"excitations on practically all frequencies up to 600 Hz\" "
             "and prints none of them:")
    page.table(["mode in y", "modes", "peak", "its height [m/s^2]", "prototype"], rows, 4)
    damped = [row for row in rows if isinstance(row[3], float) and row[3] < 0.01 * rows[0][3]]
    if damped:
        page.say("Little is left of " + " and ".join(
            f"mode {row[0]} (omega h = {2 * math.pi * row[1] * 5e-4:.1f})" for row in damped) +
            ": steps of 5e-4 s damp it, as the paper says of its own.")
    shown = frequencies < 1000
    page.figure("spectrum of the acceleration", chart.draw(
        k.images / "tdg-beam-spectrum.svg",
        [chart.Series("ours", frequencies[shown].tolist(), lines[shown].tolist(), marks=False)],
        "frequency [Hz]", "amplitude [m/s^2]", "Fig. 10: spectrum of the tip's acceleration", ylog=True))


def figures_part(k, page, run):
    page.figure("tip of the cantilever", chart.draw(
        k.images / "tdg-beam-tip.svg", [chart.Series("ours", run["t"], run["tip_y"], marks=False)],
        "time [s]", "deflection [m]", "Fig. 8: deflection of the tip"))
    page.figure("acceleration of the tip", chart.draw(
        k.images / "tdg-beam-acceleration.svg", [chart.Series("ours", run["t"], run["d(rod.13.vy)"], marks=False)],
        "time [s]", "acceleration [m/s^2]", "Fig. 9: acceleration of the tip"))
    free = [i for i, t in enumerate(run["t"]) if t >= FREE - 1e-9]
    page.figure("energies of the free vibration", chart.draw(
        k.images / "tdg-beam-energy.svg",
        [chart.Series(name, [run["t"][i] for i in free], [run[name][i] for i in free], marks=False)
         for name in ("kinetic", "potential", "total")],
        "time [s]", "energy [J]", "Fig. 11: energies after the load"))


def adaptive_part(k, page):
    page.say("Steps by the energy, Fig. 12: a fifth of it may go, steps of 5e-6 to 1.2e-3 s. The paper keeps 5e-4 s while the "
             "load acts; ours has the local error there, which at this tolerance asks for nothing, too.")
    page.command("trammel run " + " ".join(map(str, ENERGY)))
    s = k.steps(k.file("cantilever-energy", *ENERGY))
    points = [(t, h) for t, h, ok in zip(s["t"], s["h"], s["accepted"]) if ok and t >= FREE]
    page.figure("step of the cantilever", chart.draw(
        k.images / "tdg-beam-step.svg",
        [chart.Series("ours", [p[0] for p in points], [p[1] for p in points], marks=False)],
        "time [s]", "step [s]", "Fig. 12: step size after the load"))
    run = k.table("cantilever-energy", *ENERGY, "--outputs", 1000)
    page.say(f"{len(points)} steps from 0.5 s on, {min(p[1] for p in points):.2g} to {max(p[1] for p in points):.2g} s, "
             f"{loss(run):.1%} of the energy lost. The paper's go down to "
             f"{papers.TDG_BEAM_STEP:g} s, as its loss with 5e-4 s is larger, too.")


def part(k, page):
    page.part("Cantilever under a load at its tip, section 5.3, Figs. 8 to 12")
    page.say("Four beam elements of four nodes, 2.4 m, a load of 50 kN at the tip that rises and falls within 0.25 s each, "
             "then free, steps of 5e-4 s. The paper prints no shear stiffness and no rotary inertia; ours: GA = 5/6 EA/2.6, "
             "m EI/EA. *Prototype*: an independent program with these.")
    page.command(f"trammel run {MODEL} --out beam.h5", "trammel plot beam.h5 tip_y --out tip.svg")
    run = table_of(k)
    numbers_part(k, page, run)
    figures_part(k, page, run)
    steps_part(k, page, run)
    ends_part(k, page)
    spectrum_part(k, page, run)
    adaptive_part(k, page)
