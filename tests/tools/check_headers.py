#!/usr/bin/env python3
"""check_headers ROOT COMPILER - every public header compiles alone, in C and in C++, and so do the
programs of `make bench`, which tests do not build. Those beside SUNDIALS (ida_*.c) are tried where its
headers are: `make bench` installs them, `make test` does not.
C++ is tried with clang, which brings what the headers need without a C++ library."""

import pathlib
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
SUNDIALS = pathlib.Path("/usr/include/ida/ida.h")


def compiles(source, command, folders):
    include = [word for folder in folders for word in ("-I", str(folder))]
    run = subprocess.run([*command, *WARNINGS, *include, str(source)], capture_output=True, text=True)
    if run.returncode != 0:
        print(f"{source.name}: {' '.join(command)} ended with {run.returncode}\n{run.stderr}")
    return run.returncode == 0


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    c = [compiler, "-x", "c", "-std=c17"]
    headers = sorted((root / "include/trammel").glob("*.h"))
    failed = 0
    for header in headers:
        for command in (c, ["clang", "-x", "c++", "-std=c++17"]):
            failed += not compiles(header, command, [root / "include"])
    programs = [p for p in sorted((root / "bench").glob("*.c"))
                if SUNDIALS.exists() or not p.name.startswith("ida_")]
    folders = [root / "include", root / "src", root / "bench", root / "apps/trammel",
               "/usr/include/suitesparse"]
    for program in programs:
        failed += not compiles(program, c, folders)
    print(f"{len(headers)} headers, {len(programs)} programs of bench, {failed} failures")
    sys.exit(1 if failed or not headers or not programs else 0)


if __name__ == "__main__":
    main()
