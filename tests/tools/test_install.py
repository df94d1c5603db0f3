#!/usr/bin/env python3
"""test_install SOURCE BUILD COMPILER [--deb] - the installed package serves other programs.

Installs BUILD into an empty folder and, with nothing of the tree in reach, builds and runs
    the program of docs/guide/c-library.md  pkg-config shared, pkg-config static, CMake shared and static
    docs/guide/own_system.c                 pkg-config and CMake with libtrammel alone
and runs the installed `trammel`. With --deb the folder is the content of the Debian package instead."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(Trammel %s REQUIRED)
add_executable(shared crank.c)
target_link_libraries(shared PRIVATE Trammel::io m)
add_executable(static crank.c)
target_link_libraries(static PRIVATE Trammel::io_static)
add_executable(core own_system.c)
target_link_libraries(core PRIVATE Trammel::trammel m)
"""
LINES_MOST = 150  # all that a reader has to see of the library on one page
PRINTED = ("largest stroke 0.7000 m", "G is right")
FILES = ["bin/trammel", "include/trammel/trammel.h", "{lib}/libtrammel.so", "{lib}/libtrammel.a",
         "{lib}/libtrammel-io.so", "{lib}/libtrammel-io.a", "{lib}/pkgconfig/trammel.pc",
         "{lib}/pkgconfig/trammel-io.pc", "{lib}/cmake/Trammel/TrammelConfig.cmake",
         "share/trammel/models/quarter-car.yaml"]


class Failure(Exception):
    """A sentence."""


def call(words, folder, environment, expected=0):
    run = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True,
                         timeout=300)
    if run.returncode != expected:
        raise Failure(f"`{' '.join(map(str, words))}` ended with {run.returncode}\n{run.stdout}"
                      f"{run.stderr}")
    return run.stdout


def example(source):
    blocks = re.findall(r"^```c\n(.*?)^```", (source / "docs/guide/c-library.md").read_text(),
                        re.S | re.M)
    programs = [block for block in blocks if "int main(" in block]
    if len(programs) != 1:
        raise Failure(f"docs/guide/c-library.md has {len(programs)} programs, expected one")
    lines = programs[0].count("\n")
    if lines >= LINES_MOST:
        raise Failure(f"docs/guide/c-library.md: a program of {lines} lines, {LINES_MOST} are too many")
    return programs[0]


def library_folder(prefix):
    found = list(prefix.rglob("libtrammel.so"))
    if len(found) != 1:
        raise Failure(f"{len(found)} files libtrammel.so under {prefix}")
    return found[0].parent


def run_program(program, folder, environment, words):
    output = call([program], folder, environment)
    if words not in output:
        raise Failure(f"{program} printed {output!r}, without {words!r}")


def check_needs(program, environment, is_shared):
    """Do the libraries come from the installed folder, or from inside the program?"""
    needs = call(["readelf", "-d", program], "/", environment)
    if ("libtrammel" in needs) != is_shared:
        raise Failure(f"{program}: libtrammel among its shared libraries: {not is_shared}")


def check_pkg_config(compiler, folder, environment):
    flags = {}
    for kind, package in (("shared", "trammel-io"), ("static", "trammel-io"), ("core", "trammel")):
        words = ["pkg-config", "--cflags", "--libs", *(["--static"] if kind == "static" else []),
                 package]
        flags[kind] = call(words, folder, environment).split()
    flags["static"] = [re.sub(r"^-l(trammel(-io)?)$", r"-l:lib\1.a", f) for f in flags["static"]]
    for kind, words in flags.items():
        source = "own_system.c" if kind == "core" else "crank.c"
        call([*compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", source, *words, "-lm",
              "-o", kind], folder, environment)
        check_needs(str(folder / kind), environment, kind != "static")
        run_program(str(folder / kind), folder, environment, PRINTED[kind == "core"])


def check_cmake(compiler, folder, prefix, environment, version):
    (folder / "CMakeLists.txt").write_text(CMAKE_LISTS % version)
    call(["cmake", "-S", ".", "-B", "made", f"-DCMAKE_C_COMPILER={compiler[0]}",
          f"-DCMAKE_C_FLAGS={' '.join(compiler[1:])}", f"-DCMAKE_PREFIX_PATH={prefix}"], folder,
         environment)
    call(["cmake", "--build", "made"], folder, environment)
    for kind in ("shared", "static", "core"):
        check_needs(str(folder / "made" / kind), environment, kind != "static")
        run_program(str(folder / "made" / kind), folder, environment, PRINTED[kind == "core"])
    other = (folder / "CMakeLists.txt").read_text().replace(version, "99.0")
    (folder / "CMakeLists.txt").write_text(other)
    run = subprocess.run(["cmake", "-S", ".", "-B", "other", f"-DCMAKE_PREFIX_PATH={prefix}"],
                         cwd=folder, env=environment, capture_output=True, text=True)
    if run.returncode == 0:
        raise Failure("find_package accepts version 99.0")


def check_files(prefix, folder):
    for name in FILES:
        path = prefix / name.replace("{lib}", str(folder.relative_to(prefix)))
        if not path.exists():
            raise Failure(f"{path.relative_to(prefix)} is not installed")
    for path in prefix.rglob("*"):
        if path.suffix == ".h" and path.parent.name != "trammel":
            raise Failure(f"{path} is installed: only public headers may be")


def install(source, build, folder, is_deb):
    """Returns the prefix."""
    if not is_deb:
        environment = {k: v for k, v in os.environ.items() if k != "DESTDIR"}
        call(["cmake", "--install", build, "--prefix", folder / "prefix"], folder, environment)
        return folder / "prefix"
    packages = sorted(pathlib.Path(build).glob("trammel_*.deb"))
    if len(packages) != 1:
        raise Failure(f"{len(packages)} packages in {build}")
    call(["dpkg-deb", "-x", packages[0], folder / "root"], folder, os.environ)
    fields = call(["dpkg-deb", "-f", packages[0], "Depends"], folder, os.environ)
    for library in ("libhdf5", "libcairo2", "libyaml-0-2", "libklu", "libjansson4", "libc6"):
        if library not in fields:
            raise Failure(f"the package does not depend on {library}: {fields}")
    return folder / "root/usr"


def check(source, build, compiler, is_deb):
    version = re.search(r'TRM_VERSION "([\d.]+)"', (source / "include/trammel/api.h").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = install(source, build, folder, is_deb)
        libraries = library_folder(prefix)
        check_files(prefix, libraries)
        work = folder / "work"
        work.mkdir()
        (work / "crank.c").write_text(example(source))
        shutil.copy(source / "docs/guide/own_system.c", work)
        environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig"),
                       "LD_LIBRARY_PATH": str(libraries)}
        if call(["pkg-config", "--modversion", "trammel"], work, environment).strip() != \
                version.group(1):
            raise Failure("trammel.pc has another version than api.h")
        check_pkg_config(compiler, work, environment)
        check_cmake(compiler, work, prefix, environment, version.group(1).rsplit(".", 1)[0])
        shown = call([prefix / "bin/trammel", "--version"], work, environment)
        if version.group(1) not in shown:
            raise Failure(f"the installed program is of version {shown}")
        model = prefix / "share/trammel/models/quarter-car.yaml"
        call([prefix / "bin/trammel", "run", model, "--end", "0.1"], work, environment)
        print(f"{'package' if is_deb else 'installed'}: 6 programs built and run")


def main():
    words = [word for word in sys.argv[1:] if word != "--deb"]
    source, build = pathlib.Path(words[0]).resolve(), pathlib.Path(words[1]).resolve()
    try:
        check(source, build, words[2].split(), "--deb" in sys.argv)
    except Failure as failure:
        print(failure)
        sys.exit(1)


if __name__ == "__main__":
    main()
