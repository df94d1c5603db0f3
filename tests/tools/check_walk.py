#!/usr/bin/env python3
"""check_walk SOURCE - docs/dev/from-text-to-system.md describes the tree as it is.

Every step `N. `FILE`, `NAME`: ..` names a file that exists and a function or table defined in it; there are
at most twenty files, and no folder of src except io is entered twice. In all pages of docs, files under src
and tests that are named exist. `check_walk --self-test` plants mistakes and fails if one is not found."""

import pathlib
import re
import sys

PAGE = "docs/dev/from-text-to-system.md"
FILES = 20
ENTERED_TWICE = {"io"}
STEP = re.compile(r"^(\d+)\. `([^`]+)`, `([^`]+)`: ", re.M)
NAMED = re.compile(r"`(trmi?_\w+)`")


def check(page, read):
    """read(path) is the text of a file, None: there is none."""
    steps = STEP.findall(page)
    if len(steps) < 10:
        yield f"{len(steps)} steps found: the page does not have the form it should have"
    if [int(n) for n, _, _ in steps] != list(range(1, len(steps) + 1)):
        yield "the steps are not numbered from 1 on"
    files = [path for _, path, _ in steps]
    if len(set(files)) > FILES:
        yield f"{len(set(files))} files, at most {FILES} are allowed"
    entered, last = set(), None
    for _, path, name in steps:
        text = read(path)
        if text is None:
            yield f"there is no {path}"
        elif not re.search(rf"^\w[^;\n]*\b{name}(\(| = )", text, re.M):
            yield f"{path} does not define {name}"
        folder = path.split("/")[1]
        if folder != last and folder in entered and folder not in ENTERED_TWICE:
            yield f"step with {path}: folder {folder} is entered twice"
        entered.add(folder)
        last = folder
    sources = "\n".join(read(path) or "" for path in files) + (read("include/trammel") or "")
    for name in NAMED.findall(page):
        if not re.search(rf"\b{name}\b", sources):
            yield f"{name} is in none of the files of the page"


def check_paths(pages, exists):
    for name, text in pages:
        for path in re.findall(r"`((?:src|tests|apps|include|tools|bench)/[\w./-]+\.(?:c|h|py))`", text):
            if "NAME" not in path and not exists(path):
                yield f"{name}: there is no {path}"


def self_test():
    files = {f"src/{folder}/a.c": "trm_status trmi_f(int a) {\n" for folder in "abcdefghijkl"}
    files["src/io/a.c"] = "const int trmi_f = 3;\n"
    line = "{}. `src/{}/a.c`, `trmi_f`: text\n".format
    clean = [line(i + 1, folder) for i, folder in enumerate(["io", *"abcdefghij", "io"])]
    planted = [
        ([*clean, line(13, "a")], "folder a is entered twice"),
        ([*clean, line(13, "z")], "there is no src/z/a.c"),
        ([*clean, "13. `src/k/a.c`, `trmi_g`: text\n"], "src/k/a.c does not define trmi_g"),
        ([*clean, line(14, "k")], "not numbered"),
        ([*clean, line(13, "k") + "   and `trmi_h` there\n"], "trmi_h is in none"),
        (clean[:5], "5 steps found"),
    ]
    failed = [f"a clean page is blamed: {f}" for f in check("".join(clean), files.get)]
    for page, sentence in planted:
        found = list(check("".join(page), files.get))
        if not any(sentence in f for f in found):
            failed.append(f"planted {sentence!r}: found {found}")
    if list(check_paths([("a.md", "new `src/integ/NAME.c`")], lambda path: False)):
        failed.append("a file to be written is blamed")
    if not list(check_paths([("a.md", "see `src/core/none.c`")], lambda path: False)):
        failed.append("a file that does not exist is not found")
    for sentence in failed:
        print(sentence)
    print(f"{len(planted) + 1} planted mistakes, {len(failed)} failures")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    root = pathlib.Path(sys.argv[1]).resolve()

    def read(path):
        if path == "include/trammel":
            return "\n".join(p.read_text() for p in sorted((root / path).glob("*.h")))
        return (root / path).read_text() if (root / path).is_file() else None
    pages = [(str(p.relative_to(root)), p.read_text()) for p in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])]
    # add-an-element.md and plug-ins also name files that the reader is to write
    pages = [(name, text) for name, text in pages if not name.endswith("add-an-element.md")]
    findings = [*check((root / PAGE).read_text(), read), *check_paths(pages, lambda path: (root / path).exists())]
    for sentence in findings:
        print(sentence)
    print(f"{len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
