#!/usr/bin/env python3
"""check_examples - every example of README.md and docs/guide/*.md runs.

    ```sh   lines are commands, run in order in an empty folder, where `build/trammel` is the program
            (calls of make, git and cmake are not repeated here); each must end with 0,
            or with N if it ends in `# exit N`; other comments are ignored
    ```c    whole programs (they have a main) are compiled with the library and run
    ```yaml whose first line is `# NAME.yaml` is written to that file, for the commands after it
    ```python, ```octave  scripts, run in the same folder; pictures they save must be there then

A page without any example is an error only if it is README.md. Scripts read what the program wrote:
where sanitizers look at the program they are left out, and so are runs of LARGE models."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = ("make", "git", "cmake", "cd", "xdg-open")
# models whose reduction and statics take minutes with sanitizers; belt and track remain there
LARGE = {"vehicle", "engine"}


def blocks(path):
    for m in re.finditer(r"^```(sh|c|yaml|python|octave)\n(.*?)^```", path.read_text(), re.S | re.M):
        yield m.group(1), path.read_text().count("\n", 0, m.start()) + 2, m.group(2)


def commands(text, line):
    """Logical lines: a backslash continues."""
    pending, first = "", line
    for number, part in enumerate(text.splitlines(), line):
        first = number if not pending else first
        if part.endswith("\\"):
            pending += part[:-1] + " "
            continue
        command = (pending + part).strip()
        pending = ""
        if command and not command.startswith("#") and command.split()[0] not in SKIPPED:
            yield first, command


def run_shell(where, command, folder):
    expected = re.search(r"#\s*exit (\d+)\s*$", command)
    run = subprocess.run(["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True,
                         timeout=300)
    if "was built without the page" in run.stderr and run.returncode == 2:
        print(f"{where}: not run, npm could not fetch what the page is made of: {command}")
        return None
    if run.returncode != (int(expected.group(1)) if expected is not None else 0):
        return f"{where}: `{command}` ended with {run.returncode}\n{run.stdout}{run.stderr}"
    return None


def run_c(where, text, folder, options):
    source = pathlib.Path(folder) / "example.c"
    source.write_text(text)
    build = [options.compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-I",
             str(options.source / "include"), *options.flags.split(), str(source),
             *options.library.split(), *("-l" + name for name in options.libraries.split()),
             "-o", "example"]
    for command in (build, ["./example"]):
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        if run.returncode != 0:
            return f"{where}: {' '.join(command)} ended with {run.returncode}\n{run.stdout}{run.stderr}"
    return None


def run_script(where, kind, text, folder):
    source = pathlib.Path(folder) / ("example.py" if kind == "python" else "example.m")
    source.write_text(text)
    command = [sys.executable, "-B"] if kind == "python" else ["octave-cli", "--no-init-file"]
    run = subprocess.run([*command, str(source)], cwd=folder, capture_output=True, text=True,
                         timeout=300, env={**os.environ, "MPLBACKEND": "Agg"})
    if run.returncode != 0:
        return f"{where}: {command[0]} ended with {run.returncode}\n{run.stdout}{run.stderr}"
    for picture in re.findall(r'(?:savefig|print)\("([^"]+\.png)"\)', text):
        path = pathlib.Path(folder) / picture
        if not path.exists() or not path.read_bytes().startswith(b"\x89PNG"):
            return f"{where}: the script ended well but made no picture {picture}"
    return None


def write_model(text, folder):
    name = re.match(r"# ([\w-]+\.yaml)\n", text)
    if name is not None:
        (pathlib.Path(folder) / name.group(1)).write_text(text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "program", "library", "libraries", "compiler"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--flags", default="")
    options = parser.parse_args()
    options.source = pathlib.Path(options.source)
    failures, count = [], 0
    for page in [options.source / "README.md", *sorted(options.source.glob("docs/guide/*.md"))]:
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder) / "build"
            build.mkdir()
            (build / "trammel").symlink_to(pathlib.Path(options.program).resolve())
            for kind, line, text in blocks(page):
                where = f"{page.relative_to(options.source)}:{line}"
                if kind == "c" and "int main(" in text:
                    count += 1
                    failures.append(run_c(where, text, folder, options))
                if kind == "yaml":
                    write_model(text, folder)
                if kind in ("python", "octave") and "sanitize" not in options.flags:
                    count += 1
                    failures.append(run_script(where, kind, text, folder))
                for number, command in commands(text, line) if kind == "sh" else []:
                    if "sanitize" in options.flags and LARGE & set(command.split()):
                        continue
                    count += 1
                    place = f"{page.relative_to(options.source)}:{number}"
                    failures.append(run_shell(place, command, folder))
    failures = [f for f in failures if f is not None]
    for sentence in failures:
        print(sentence)
    print(f"{count} examples, {len(failures)} failures")
    sys.exit(1 if failures or count == 0 else 0)


if __name__ == "__main__":
    main()
