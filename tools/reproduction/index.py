"""docs/reproduction/README.md: which pages there are, which are missing."""

PAGES = {
    "hht": ("HHT", "orders, estimate of the error, adaptive pendulum, conditioning"),
    "crank": ("CRANK", "Figs. 19.2-19.8, Tables 19.1-19.3, work and precision"),
    "alpha": ("ALPHA", "orders, stiff spring, bushing, slider crank of Hermite elements, step limits"),
    "tdg": ("TDG", "linear figures, pendulum, slider crank with singular poses"),
}
MISSING = {"tdg": "the integrator `tdg` was not in the program when the pages were written"}


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
    lines += ["", "Figures marked *prototype* are from independent programs written before the product; they are "
              "no paper's numbers. `headlines.json` holds figures that a test computes again."]
    (k.pages / "README.md").write_text("\n".join(lines) + "\n")
