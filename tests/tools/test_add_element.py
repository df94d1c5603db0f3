#!/usr/bin/env python3
"""test_add_element - the steps of docs/dev/add-an-element.md, carried out.

A step is a block of the page and the line above it:
    In `PATH`, before `WORDS`:     goes before the only line of that file that has these words
    New file `PATH`:               is that file
Blocks of sh are commands; what stands in a comment behind one must be in its output.

The steps are taken in a copy of the files they touch. What depends on these is compiled with the
commands of this build and linked with its library, whose members give way to the new objects. Then
    the generic tests of all elements pass and have visited the new ones,
    they fail if the samples are forgotten,
    the known answers of the page are right,
    the commands of the page do what it says."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PAGE = "docs/dev/add-an-element.md"
TESTS = ["tests/element/test_elements.c", "tests/verify/test_joints_free.c"]


class Failure(Exception):
    """A sentence for the reader of the page."""


class Step:
    """One block: line on the page, file it goes to (None: commands), words to stand before."""

    def __init__(self, line, text, path=None, words=None):
        self.line, self.text, self.path, self.words = line, text, path, words


def read_steps(page):
    steps, above, block, indent = [], "", None, 0
    for number, line in enumerate(page.splitlines(), 1):
        fence = re.match(r"( *)```(\w*)$", line)
        if block is None and fence is None:
            above = line.strip()
        elif block is None:
            block, indent, kind, first = [], len(fence.group(1)), fence.group(2), number
        elif fence is None:
            if line[:indent].strip():
                raise Failure(f"{PAGE}:{number}: the line stands left of its block")
            block.append(line[indent:])
        else:
            steps.append(step_of(first, kind, above, "".join(t + "\n" for t in block)))
            block = None
    if not steps:
        raise Failure(f"{PAGE} has no block to carry out")
    return steps


def step_of(number, kind, above, text):
    if kind == "sh":
        return Step(number, text)
    new = re.fullmatch(r"New file `([^`]+)`:", above)
    into = re.fullmatch(r"In `([^`]+)`, before `([^`]+)`:", above)
    if new is None and into is None:
        raise Failure(f"{PAGE}:{number}: above this block stands neither \"New file `PATH`:\" nor "
                      f"\"In `PATH`, before `WORDS`:\"")
    return Step(number, text, (new or into).group(1), into.group(2) if into else None)


def take(step, source, copy):
    """Write the file of a step into the copy."""
    old, new = source / step.path, copy / step.path
    new.parent.mkdir(parents=True, exist_ok=True)
    if step.words is None:
        if old.exists() or new.exists():
            raise Failure(f"{PAGE}:{step.line}: the new file {step.path} is there already")
        new.write_text(step.text)
        return
    lines = (new if new.exists() else old).read_text().splitlines(keepends=True)
    places = [i for i, line in enumerate(lines) if step.words in line]
    if len(places) != 1:
        raise Failure(f"{PAGE}:{step.line}: {step.path} has {len(places)} lines with "
                      f"'{step.words}'; name words that stand in one")
    lines.insert(places[0], step.text)
    new.write_text("".join(lines))


class Includes:
    """Which of the files that stand anywhere reach a changed header?"""

    def __init__(self, source, changed):
        self.source, self.known = source, {path: True for path in changed}

    def reach(self, path):
        if path not in self.known:
            self.known[path] = False  # headers do not include themselves
            text = (self.source / path).read_text()
            names = re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)
            self.known[path] = any([self.reach(other) for name in names
                                    for other in self.found(path, name)])
        return self.known[path]

    def found(self, path, name):
        folders = [str(pathlib.PurePath(path).parent), "src", "tests", "include"]
        files = [os.path.normpath(os.path.join(folder, name)) for folder in folders]
        return [file for file in files if (self.source / file).exists()][:1]


class Build:
    """Compiles files of the copy, or of the tree where the copy has none, as this build does."""

    def __init__(self, options, copy):
        self.options, self.copy, self.source = options, copy, pathlib.Path(options.source)
        self.commands = {}
        for entry in json.loads((pathlib.Path(options.build) / "compile_commands.json").read_text()):
            file = os.path.relpath(os.path.join(entry["directory"], entry["file"]), self.source)
            self.commands.setdefault(file, (entry["directory"], shlex.split(entry["command"])))

    def command_of(self, path):
        """Of a new file that of another in its folder."""
        if path in self.commands:
            return self.commands[path]
        folder = os.path.dirname(path)
        return next(c for file, c in sorted(self.commands.items())
                    if os.path.dirname(file) == folder)

    def old_object(self, path):
        directory, words = self.commands[path]
        return os.path.join(directory, words[words.index("-o") + 1])

    def compile(self, path):
        directory, words = self.command_of(path)
        words = [word for word in words if not word.startswith("-Dmain=")]  # tests/tests.c
        file = self.copy / path
        made = str(file) + ".o"
        os.makedirs(os.path.dirname(made), exist_ok=True)
        words[words.index("-o") + 1] = made
        words[words.index("-c") + 1] = str(file if file.exists() else self.source / path)
        first = next(i for i, word in enumerate(words) if word.startswith("-"))
        words[first:first] = [*(f"-I{self.copy}/{name}" for name in ("src", "tests", "include")),
                              f"-iquote{self.source / os.path.dirname(path)}"]
        call(words, directory, f"{path} does not compile")
        return made

    def link(self, name, objects, test=None):
        """A program; its main is that of an old object of a test, where that has another name."""
        made = str(self.copy / name)
        main = [f"-Wl,--defsym=main={pathlib.Path(test).stem}_main"] if test else []
        call([self.options.compiler, *self.options.flags.split(), *main, *objects,
              *self.options.library,
              *("-l" + library for library in self.options.libraries.split()), "-o", made],
             self.copy, f"{name} does not link")
        return made


def call(words, folder, sentence, settings=None):
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300,
                         env={**os.environ, **(settings or {})})
    output = run.stdout + run.stderr
    if run.returncode != 0:
        raise Failure(sentence + "\n" + re.sub(r"^visited .*\n", "", output, flags=re.M))
    return output


def refused(program, folder, words):
    run = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=300)
    if run.returncode == 0 or words not in run.stdout + run.stderr:
        raise Failure(f"{os.path.basename(program)} should fail with '{words}'\n{run.stdout}"
                      f"{run.stderr}")


def new_types(steps):
    """Sections and types of the samples on the page."""
    return [found for step in steps if step.path == "tests/element/samples.h"
            for found in re.findall(r'^ *\{"(\w+)", "(\w+)"', step.text, re.M)]


def check_visits(output, types):
    """There are new samples of both kinds, each visited as often as the first of all."""
    if {section for section, _ in types} != {"joints", "forces"}:
        raise Failure(f"{PAGE} has no sample of a joint and of a force")
    visits = output.splitlines()
    expected = visits.count("visited joints fixed")
    for section, name in types:
        count = visits.count(f"visited {section} {name}")
        if count == 0 or count != expected:
            raise Failure(f"the generic tests visit {section} '{name}' {count} times, "
                          f"'fixed' {expected} times")
    return expected


def check_elements(build, elements, types):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        samples, stands = pool.map(build.compile, TESTS)
    elements_test = build.link("test_elements", [samples, *elements])
    visits = check_visits(call([elements_test], build.copy, "the generic tests fail",
                               {"TRM_SHOW_SAMPLES": "1"}), types)
    call([build.link("test_joints_free", [stands, *elements])], build.copy,
         "the tests of coordinates fail")
    forgotten = build.link("forgotten", [build.old_object(TESTS[0]), *elements], TESTS[0])
    refused(forgotten, build.copy, "has no sample")
    forgotten = build.link("forgotten", [build.old_object(TESTS[1]), *elements], TESTS[1])
    refused(forgotten, build.copy, "does not know how it stands")
    return visits


def check_commands(step, build, elements):
    """`build/trammel` is the program with the new elements."""
    program = [build.old_object(path) for path in build.commands if path.startswith("apps/trammel/")]
    for folder in ("build", "docs/schema", "docs/guide"):
        (build.copy / folder).mkdir(parents=True, exist_ok=True)
    build.link("build/trammel", [*program, *elements])
    for number, line in enumerate(step.text.splitlines(), step.line + 1):
        command, _, words = line.partition(" # ")
        if words not in call(["/bin/sh", "-c", command], build.copy, f"{PAGE}:{number}: {command}"):
            raise Failure(f"{PAGE}:{number}: the output of `{command}` has no '{words}'")


def check_published(copy, types):
    schema = json.loads((copy / "docs/schema/trammel-1.json").read_text())
    reference = (copy / "docs/guide/reference.md").read_text()
    for section, name in types:
        if f"| `{name}` |" not in reference or f'"{name}"' not in json.dumps(schema):
            raise Failure(f"'{name}' of {section} is not in the published files")


def carry_out(options, copy):
    source = pathlib.Path(options.source)
    steps = read_steps((source / PAGE).read_text())
    types = new_types(steps)
    for step in steps:
        if step.path is not None:
            take(step, source, copy)
    build = Build(options, copy)
    changed = sorted({step.path for step in steps if step.path is not None})
    includes = Includes(source, changed)
    sources = sorted(path for path in {*build.commands, *changed}
                     if path.startswith("src/") and path.endswith(".c") and includes.reach(path))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        elements = list(pool.map(build.compile, sources))
    visits = check_elements(build, elements, types)
    answers = [path for path in changed if re.match(r"tests/verify/test_\w+\.c", path)
               and path not in TESTS]
    if not answers:
        raise Failure(f"{PAGE} has no known answer")
    for path in answers:
        program = build.link("known_answer", [build.compile(path), *elements])
        call([program], copy, f"{path} fails")
    for step in steps:
        if step.path is None:
            check_commands(step, build, elements)
    check_published(copy, types)
    print(f"{len(steps)} steps, {len(sources)} files of src compiled, "
          f"{', '.join(name for _, name in types)} visited {visits} times each")


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "compiler", "libraries"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--flags", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            carry_out(options, pathlib.Path(folder))
        except Failure as failure:
            print(failure)
            sys.exit(1)


if __name__ == "__main__":
    main()
