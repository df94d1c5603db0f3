"""docs/reproduction/README.md: which pages there are, which are missing; every table and figure of the papers."""

import rows

PAGES = {
    "hht": ("HHT", "orders, estimate of the error, adaptive pendulum, conditioning"),
    "machines": ("HHT", "belt, track and vehicle: hht against bdf, radau and IDA, work and precision"),
    "figures": ("HHT", "Figs. 1-11 and Table 1: curves and stresses of belt, track and vehicle by two methods"),
    "crank": ("CRANK", "Figs. 19.2-19.8, Tables 19.1-19.3, work and precision"),
    "alpha": ("ALPHA", "orders, stiff spring, bushing, slider crank of Hermite elements and from parts, step limits"),
    "osc": ("OSC", "stiff pendulum, bushings, forms of BDF, eigenvalues along a motion, smooth linearization"),
    "tdg": ("TDG", "linear figures, pendulum, slider crank with singular poses, cantilever of beams"),
}
MISSING = {"tdg": "the integrator `tdg` was not in the program when the pages were written"}


DIFFERENCES = [
    "[HHT]: the printed method is first order where the mass depends on positions or steps change, and its estimate (26) "
    "is too large; what it says of conditioning holds.",
    "[HHT], machines: 2.65, 5.2 and 3.0 times the speed of BDF are not reproduced: at equal error the best `bdf` takes 0.88 to 0.99 "
    "of the time of the best `hht` on the belt, 0.81 to 1.21 on the track, 1.09 to 1.21 on the vehicle. A BDF that tests velocities, as GSTIFF "
    "is described, takes 3.8 times as long on the belt, for an error 400 times smaller.",
    "[CRANK]: the reference agrees once the paper's value of pi is used, and x3 has its offset.",
    "[ALPHA]: the energies of Table 1 and the factor of two between the step limits of CM and index 2 (Tables 1, 2, "
    "Fig. 12) are not reproduced: both iterations have one root.",
    "[OSC]: eigenvalues agree; convergence failures of BDF do not occur in any form, so that CM gains nothing; smooth linearization, "
    "which it proposes, works with the mean force and inertia of the vibrations.",
    "[TDG]: damping, orders, number of steps and cost agree, and how far the cantilever bends; that it swings by 0.15 m and "
    "loses a fifth of its energy does not follow from the data.",
]


def write(k):
    lines = ["# Reproduction", "",
             "What the papers print beside what the product computes. `make reproduce` writes these pages from "
             "actual runs; the papers' numbers stand in `tools/reproduction/papers.py`.", "",
             "| page | paper | contents |", "|---|---|---|"]
    missing = []
    for name, (tag, words) in PAGES.items():
        if (k.pages / f"{name}.md").exists():
            lines.append(f"| [{name}.md]({name}.md) | [{tag}] | {words} |")
        else:
            missing.append(f"- `{name}.md`, [{tag}]: {MISSING.get(name, 'not written yet')}.")
    if missing:
        lines += ["", "Missing:", "", *missing]
    lines += ["", "Where we differ, in short:", "", *(f"- {line}" for line in DIFFERENCES)]
    lines += ["", "## Every table and figure", "", *rows.lines()]
    lines += ["", "Figures marked *prototype* are from independent programs written before the product; they are "
              "no paper's numbers. `headlines.json` holds figures that a test computes again."]
    (k.pages / "README.md").write_text("\n".join(lines) + "\n")
