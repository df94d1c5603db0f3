#!/usr/bin/env python3
"""check_exports SOURCE BUILD [--write] - what the libraries offer and what they need.

    exported names       those of tests/tools/exports.txt, no more and no fewer: in the shared
                         libraries, and with default visibility in the archives
    public headers       every function marked TRM_API is exported by one of them, and nothing else is
    needs of libtrammel  no HDF5, cairo, yaml, threads or dl, and no function that opens a file
    soname               carries the version of include/trammel/api.h

--write makes the list anew: look at the difference before it is committed. `--self-test` feeds
faulty symbols and fails if one of them is not found."""

import pathlib
import re
import subprocess
import sys

LIBRARIES = ["libtrammel", "libtrammel-io"]
LIST = "tests/tools/exports.txt"
CORE_NEEDS = {"libklu", "libarpack", "libdmumps_seq-5.5", "liblapacke", "libopenblas", "libm", "libc", "libgcc_s",
              "ld-linux-x86-64"}
# functions the core may not call, by their names without version
CORE_NEVER = re.compile(r"(f?open(at)?(64)?|fdopen|freopen|fread|fwrite|fclose|read|write|close|"
                        r"remove|unlink|rename|mkdir|getenv|dl(open|sym|close|error)|"
                        r"(pthread|thrd|mtx|cnd|sem)_\w+|(H5|cairo_|yaml_)\w*)")


def call(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def shared_names(path, which):
    """Names of the dynamic table, without versions."""
    lines = call("nm", "-D", f"--{which}-only", path).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.split()}


def archive_names(path):
    """Global names with default visibility."""
    names = set()
    for line in call("readelf", "-sW", path).splitlines():
        words = line.split()
        if len(words) == 8 and words[4] in ("GLOBAL", "WEAK") and words[5] == "DEFAULT" \
                and words[6] != "UND":
            names.add(words[7])
    return names


def header_names(root):
    """Functions that the preprocessor finds: some are made by the lists of part_fields.h."""
    names = set()
    for path in sorted((root / "include/trammel").glob("*.h")):
        code = call("cc", "-E", "-P", f"-I{root}/include", str(path))
        code = code.replace('__attribute__((visibility("default")))', "TRM_API")
        code = code.replace("__attribute__((warn_unused_result))", "")
        for m in re.finditer(r"\bTRM_API\b[^;(]*?\b(\w+)\s*\(", code):
            names.add(m.group(1))
    return names


def read_list(path):
    """Lines 'LIBRARY NAME'."""
    wanted = {name: set() for name in LIBRARIES}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line and not line.startswith("#"):
            library, name = line.split()
            wanted[library].add(name)
    return wanted


def differences(where, is_there, should, why):
    for name in sorted(is_there - should):
        yield f"{where}: {name} {why}"
    for name in sorted(should - is_there):
        yield f"{where}: {name} is missing"


def check_names(where, names):
    return [f"{where}: exported name {n} does not begin with trm_" for n in sorted(names)
            if not re.match(r"trm_[a-z]", n)]


def check_needs(needed, undefined):
    for name in sorted(needed):
        if name.split(".so")[0] not in CORE_NEEDS:
            yield f"libtrammel.so needs {name}"
    for name in sorted(undefined):
        if CORE_NEVER.fullmatch(name):
            yield f"libtrammel.so calls {name}"


def check_headers(declared, exports):
    """Every declared function is in one library, and every exported one is declared."""
    everything = set().union(*exports.values())
    yield from differences("libraries", everything, declared, "is in no public header")
    for name in sorted(set.intersection(*exports.values())):
        yield f"libraries: both export {name}"


def dynamic(path, tag):
    return set(re.findall(rf"\({tag}\)[^\[]*\[([^\]]+)\]", call("readelf", "-dW", path)))


def check(root, build):
    wanted = read_list(root / LIST)
    version = re.search(r'TRM_VERSION "(\d+)\.(\d+)', (root / "include/trammel/api.h").read_text())
    exports = {}
    for library in LIBRARIES:
        shared = str(build / f"{library}.so")
        exports[library] = shared_names(shared, "defined")
        yield from check_names(library, exports[library])
        yield from differences(library, exports[library], wanted[library],
                               f"is exported and not in {LIST}")
        yield from differences(f"{library}.a", archive_names(str(build / f"{library}.a")),
                               wanted[library], f"is public and not in {LIST}")
        soname = f"{library}.so.{version.group(1)}.{version.group(2)}"
        if dynamic(shared, "SONAME") != {soname}:
            yield f"{library}: soname {dynamic(shared, 'SONAME')}, expected {soname}"
    yield from check_headers(header_names(root), exports)
    core = str(build / "libtrammel.so")
    yield from check_needs(dynamic(core, "NEEDED"), shared_names(core, "undefined"))


def write(root, build):
    lines = ["# Exported functions, checked by tests/tools/check_exports.py; --write makes it anew."]
    for library in LIBRARIES:
        names = shared_names(str(build / f"{library}.so"), "defined")
        lines += [f"{library} {name}" for name in sorted(names)]
    (root / LIST).write_text("\n".join(lines) + "\n")


def self_test():
    a, b = {"trm_a"}, {"trm_b"}
    cases = [
        (check_names("x", {"trm_a", "trmi_b"}), ["trmi_b does not begin"]),
        (check_names("x", {"other"}), ["other does not begin"]),
        (differences("x", a | b, a, "is new"), ["trm_b is new"]),
        (differences("x", a, a | b, "is new"), ["trm_b is missing"]),
        (check_needs({"libhdf5_serial.so.103", "libm.so.6"}, set()), ["needs libhdf5_serial"]),
        (check_needs({"libpthread.so.0"}, set()), ["needs libpthread"]),
        (check_needs(set(), {"dlopen", "cos", "klu_solve"}), ["calls dlopen"]),
        (check_needs(set(), {"fopen64", "pthread_create", "H5Fopen"}), ["H5Fopen", "fopen64", "pthr"]),
        (check_headers(a, {"l": a | b, "io": set()}), ["trm_b is in no public header"]),
        (check_headers(a, {"l": a, "io": a}), ["both export trm_a"]),
        (check_headers(a | b, {"l": a, "io": b}), []),
    ]
    failed = 0
    for number, (found, expected) in enumerate(cases):
        found = list(found)
        if len(found) != len(expected) or not all(e in f for e, f in zip(expected, found)):
            failed += 1
            print(f"case {number}: found {found}, expected {expected}")
    print(f"{len(cases)} planted faults, {failed} failures")
    return failed


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(1 if self_test() else 0)
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if "--write" in sys.argv:
        write(root, build)
    findings = list(check(root, build))
    for sentence in findings:
        print(sentence)
    count = len(header_names(root))
    print(f"{count} public functions, {len(findings)} findings")
    sys.exit(1 if findings or count == 0 else 0)


if __name__ == "__main__":
    main()
