#!/usr/bin/env python3
"""check_headers ROOT COMPILER - every public header compiles alone, in C and in C++.
C++ is tried with clang, which brings what the headers need without a C++ library."""

import pathlib
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    headers = sorted((root / "include/trammel").glob("*.h"))
    failed = 0
    for header in headers:
        for command in ([compiler, "-x", "c", "-std=c17"], ["clang", "-x", "c++", "-std=c++17"]):
            run = subprocess.run([*command, *WARNINGS, "-I", str(root / "include"), str(header)],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                failed += 1
                print(f"{header.name}: {' '.join(command)} ended with {run.returncode}\n{run.stderr}")
    print(f"{len(headers)} headers, {failed} failures")
    sys.exit(1 if failed or not headers else 0)


if __name__ == "__main__":
    main()
