#!/usr/bin/env python3
"""test_reproduction PROGRAM ROOT - the pages of docs/reproduction.

    every page of the list in README.md exists, and every page stands in the list
    every table and figure of the five papers has its row in README.md, once, with one of four verdicts
    every image that a page shows exists, every image is shown, and is XML
    figures of headlines.json, computed again, agree with the page within the factor stated there"""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

PAGES = ("hht", "crank", "alpha", "tdg")  # must be there


def page_failures(folder):
    index = (folder / "README.md").read_text()
    listed = set(re.findall(r"\]\((\w+)\.md\)", index))
    there = {path.stem for path in folder.glob("*.md")} - {"README"}
    for name in sorted(set(PAGES) - there):
        yield f"there is no docs/reproduction/{name}.md"
    if listed != there:
        yield f"README.md lists {sorted(listed)}, there are {sorted(there)}"
    shown = set()
    for path in sorted(folder.glob("*.md")):
        text = path.read_text()
        shown |= set(re.findall(r"!\[[^\]]*\]\(images/([^)]+)\)", text))
        if path.stem in there and not re.search(r"^Written by `make reproduce`.*Run of \d{4}-\d\d-\d\d .* commit "
                                                r"[0-9a-f]{7,}", text, re.M):
            yield f"{path.name}: no date and commit"
    images = {path.name for path in (folder / "images").glob("*")}
    for name in sorted(shown - images):
        yield f"there is no image {name}"
    for name in sorted(images - shown):
        yield f"no page shows the image {name}"
    for name in sorted(images):
        ElementTree.parse(folder / "images" / name)


# how many figures and tables each paper has
PAPERS = {"HHT": (11, 1), "CRANK": (8, 3), "ALPHA": (12, 2), "OSC": (7, 2), "TDG": (12, 0)}
VERDICTS = {"reproduced", "refuted", "not decidable", "nothing to compute"}


def numbers_of(words):
    """"Figs. 2, 3", "Figs. 19.2-19.4": kind and numbers, without the number of a chapter."""
    kind, rest = words.split(" ", 1)
    numbers = []
    for part in rest.split(", "):
        first, *last = (int(number.split(".")[-1]) for number in part.split("-"))
        numbers += range(first, (last[0] if last else first) + 1)
    return "Table" if kind.startswith("Table") else "Fig.", numbers


def row_failures(folder):
    found = []
    for paper, words, verdict in re.findall(r"^\| \[(\w+)\] \| ((?:Fig|Table)[^|]*) \| [^|]* \| ([^|]*) \|",
                                            (folder / "README.md").read_text(), re.M):
        kind, numbers = numbers_of(words)
        found += [(paper, kind, number) for number in numbers]
        if verdict not in VERDICTS:
            yield f"README.md: {paper} {words}: '{verdict}' is no verdict"
    wanted = [(paper, kind, number) for paper, counts in PAPERS.items()
              for kind, count in zip(("Fig.", "Table"), counts) for number in range(1, count + 1)]
    for row in sorted(set(wanted) - set(found)):
        yield f"README.md: no row for {' '.join(map(str, row))}"
    for row in sorted({row for row in found if found.count(row) > 1} | set(found) - set(wanted)):
        yield f"README.md: {' '.join(map(str, row))} has two rows, or is not in the paper"


def value_at(tree, path):
    for part in path.split("."):
        tree = tree[int(part)] if isinstance(tree, list) else tree[part]
    return tree


def headline_failures(program, folder):
    headlines = json.loads((folder / "headlines.json").read_text())
    for page in PAGES:
        if not any(line["page"] == page for line in headlines.values()):
            yield f"headlines.json: nothing of {page}.md"
    for name, line in headlines.items():
        run = subprocess.run([program, *line["command"], "--json", "--quiet"], capture_output=True, text=True,
                             timeout=300)
        if run.returncode != 0:
            yield f"{name}: {run.stderr.strip()}"
            continue
        if line["shown"] not in (folder / f"{line['page']}.md").read_text():
            yield f"{name}: {line['shown']} does not stand in {line['page']}.md"
        tree = json.loads(run.stdout)
        now, then = value_at(tree, line["path"]), line["value"]
        now /= value_at(tree, line["over"]) if line["over"] else 1
        ratio = now / then
        print(f"{name}: {now:.6g}, page {then:.6g}, ratio {ratio:.4f}, allowed {line['factor']}")
        if not 1 / line["factor"] <= ratio <= line["factor"]:
            yield f"{name}: the page says {then:.6g}, now it is {now:.6g}: run make reproduce and read it"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "docs/reproduction"
    failures = [*page_failures(folder), *row_failures(folder), *headline_failures(program, folder)]
    print("\n".join(failures) or "docs/reproduction is as the program computes")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
