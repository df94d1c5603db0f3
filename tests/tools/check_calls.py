#!/usr/bin/env python3
"""check_calls SOURCE BUILD - what the object files of the libraries call.

    direction    a function is called from its own layer or from one further right (LAYERS of
                 check_tree.py): calls count, whatever headers are included
    NEVER        integrators call no element and no problem
    dead code    an internal function that no other file calls is static or is not there at all;
                 one that only tests call is listed in TOOLS with its reason

`check_calls --self-test` feeds faulty symbols and fails if one of them is not found."""

import pathlib
import re
import subprocess
import sys

from check_tree import NEVER, layer_of, top

# Internal functions that the library itself does not call.
TOOLS = {
    "trmi_contributor_ask": "for contributors whose pattern changes, docs/dev/add-an-element.md",
    "trmi_map_create": "for bodies whose markers are mapped, docs/dev/add-an-element.md",
    "trmi_beam_at": "lets tests look inside a beam",
    "trmi_beam_stress": "lets tests look inside a beam",
    "trmi_beam_point_place": "lets tests look inside a beam",
    "trmi_run_sink_writes": "for bench/bench_recording.c",
}


def symbols(files):
    """(file, kind, name) of each symbol; kinds as nm prints them."""
    out = subprocess.run(["nm", "-A", *map(str, files)], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        path, rest = line.split(":", 1)
        words = rest.split()
        yield path, words[-2], words[-1]


def objects(source, build):
    """Object files of existing sources: of the libraries and the program, and of the tests."""
    library, others = {}, []
    for path in sorted((build / "CMakeFiles").glob("*.dir/**/*.o")):
        folder, name = re.search(r"CMakeFiles/([^/]+)\.dir/(.+)\.o$", str(path)).groups()
        if not (source / name).exists():
            continue
        if re.fullmatch(r"trammel(_io)?_objects|trammel_app", folder):
            library[str(path)] = name
        elif name.startswith(("tests/", "bench/")):
            others.append(path)
    return library, others


def check(found, outside):
    """found: (source file, kind, name) of the libraries; outside: names that tests and benches call."""
    home, users = {}, {}
    for name, kind, symbol in found:
        if kind in "TDRBWV":
            home.setdefault(symbol, (name, kind))
        elif kind == "U":
            users.setdefault(symbol, set()).add(name)
    for symbol, (name, kind) in sorted(home.items()):
        here, callers = layer_of(name), users.get(symbol, set())
        for caller in sorted(callers):
            there = layer_of(caller)
            if there[0] != "apps" and (here[1] > there[1] or top(here[0]) in NEVER.get(top(there[0]), [])):
                yield f"{caller}: {there[0]} may not call {symbol} of {name}"
        if kind == "T" and symbol.startswith("trmi_") and not callers:
            if symbol not in outside:
                yield f"{name}: no other file calls {symbol}: make it static, or delete it"


def only_declared(root, found, outside):
    """Functions that tests alone call: their names stand in no other line of src than their own."""
    users = {symbol for _, kind, symbol in found if kind == "U"}
    text = "\n".join(p.read_text() for p in sorted((root / "src").rglob("*.c")))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    for name, kind, symbol in found:
        if kind == "T" and symbol.startswith("trmi_") and symbol not in users and symbol in outside \
                and symbol not in TOOLS and len(re.findall(rf"\b{symbol}\b", text)) == 1:
            yield f"{name}: only tests call {symbol}: delete it, or say in TOOLS what it is for"


def self_test():
    clean = [("src/core/a.c", "T", "trmi_a"), ("src/integ/b.c", "U", "trmi_a"),
             ("src/integ/b.c", "T", "trm_b"), ("src/core/a.c", "T", "trmi_tested")]
    planted = [
        ([("src/integ/b.c", "T", "trmi_c"), ("src/core/a.c", "U", "trmi_c")], "core may not call trmi_c"),
        ([("src/problems/c.c", "T", "trmi_c"), ("src/integ/b.c", "U", "trmi_c")], "integ may not call trmi_c"),
        ([("src/core/a.c", "T", "trmi_c")], "no other file calls trmi_c"),
    ]
    failed = [f"clean symbols are blamed: {f}" for f in check(clean, {"trmi_tested"})]
    for symbol_list, sentence in planted:
        found = list(check(clean + symbol_list, {"trmi_tested"}))
        if len(found) != 1 or sentence not in found[0]:
            failed.append(f"planted {symbol_list}: found {found}")
    for sentence in failed:
        print(sentence)
    print(f"{len(planted)} planted violations, {len(failed)} failures")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    source, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    library, others = objects(source, build)
    found = [(library[path], kind, name) for path, kind, name in symbols(library)]
    outside = {name for _, kind, name in symbols(others) if kind == "U"} | set(TOOLS)
    findings = [*check(found, outside), *only_declared(source, found, outside)]
    for sentence in findings:
        print(sentence)
    print(f"{len(library)} object files, {len(findings)} findings")
    if len(library) == 0:
        sys.exit("no object file found: wrong folder?")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
