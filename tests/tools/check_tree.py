#!/usr/bin/env python3
"""check_tree ROOT - rules of CONVENTIONS that a compiler does not see.

Prints each finding as `file:line: sentence` and exits with 1 if there is one.
`check_tree --self-test` plants violations in small trees and fails if one of
them is not found, or if a clean tree is blamed."""

import functools
import pathlib
import re
import sys
import tempfile

# Folders in the order of DESIGN 1: includes and calls go to the same layer or one further left.
LAYERS = ["core", "math", "linalg", "fem", "expr", "parts", "system", "assembly", "equations", "elements", "elements/body",
          "elements/flex", "elements/joint", "elements/force", "elements/contact", "mechanism", "problems", "integ",
          "analysis", "plot", "io", "page", "live", "apps"]
# folders that are one layer, `elements`
SAME_LAYER = []
# Integrators know no element and no problem, although these come before them.
NEVER = {"integ": ["problems", "elements", "mechanism"]}
# Files of one name in two folders and types of one name in two headers confuse readers; a public header may be
# named as what it declares.
TWINS = set()

FUNCTION_LINES, FILE_LINES, COLUMNS = 60, 500, 100
PROSE_COLUMNS = 120
NOT_WRAPPED = "docs/reproduction/"  # written by tools/reproduce
ONE_LINK = re.compile(r"\s*(?:[-*] |\d+\. )?\[[^\]]*\]\(\S+\)[.,;:]?")

FORBIDDEN_CALL = re.compile(r"\b(printf|vprintf|vfprintf|puts|fputs|putchar|perror|exit|_Exit|"
                            r"quick_exit|abort|longjmp)\s*\(")
FILE_PRINT = re.compile(r"\bfprintf\s*\(\s*(\w+)?")
TAG = re.compile(r"\[([A-Z][A-Za-z0-9]{2,})\](?!\()")
UNITS = {"MPa", "GPa", "kN", "Nms", "MHz", "GHz"}
NUMBER = r"\((\d+[a-z]?)\)"


class Source:
    """One C file: its text, the text without comments and strings, and its comments."""

    def __init__(self, root, path):
        self.path = path
        self.name = str(path.relative_to(root))
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.comments = []  # (first line, text)
        self.code = self._blank_out()

    def _blank_out(self):
        """Comments and the inside of strings become blanks; lines stay where they are."""
        def blank(m):
            token = m.group(0)
            if token.startswith("/"):
                self.comments.append((self.text.count("\n", 0, m.start()) + 1, token))
                return re.sub(r"[^\n]", " ", token)
            return token[0] + re.sub(r"[^\n]", " ", token[1:-1]) + token[-1]
        token = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
        return token.sub(blank, self.text)

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1


def layer_of(name):
    """Folder and rank of a file under src or apps, None for others."""
    parts = name.split("/")
    folder = "apps" if parts[0] == "apps" else "/".join(parts[1:-1]) if parts[0] == "src" else None
    return (folder, rank(folder)) if folder is not None else None


def top(folder):
    return folder.split("/")[0]


def rank(folder):
    folder = "elements" if folder in SAME_LAYER else folder
    return LAYERS.index(folder) if folder in LAYERS else None


def check_includes(src):
    here = layer_of(src.name)
    for number, line in enumerate(src.lines, 1):
        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if m is None:
            continue
        target = m.group(1)
        folder = target.rsplit("/", 1)[0] if "/" in target else None
        if src.name.startswith("include/"):
            if folder != "trammel":
                yield number, f'a public header includes "{target}", which is not installed'
        elif here is not None:
            if here[1] is None:
                yield number, f"folder src/{here[0]} is not in the list of layers of check_tree.py"
            elif folder is None:
                if not (src.path.parent / target).exists():
                    yield number, f'"{target}" is not beside this file: write "folder/{target}"'
            elif folder != "trammel" and here[0] == "apps":
                yield number, f'the program uses public headers only, not "{target}"'
            elif folder != "trammel":
                there = rank(top(folder))
                if there is None or rank(folder) is None:
                    yield number, f'"{target}" is in no known layer'
                elif (there > rank(top(here[0])) or
                      top(folder) in NEVER.get(top(here[0]), [])):
                    yield number, f'{here[0]} may not include "{target}"'


def without_preprocessor(code):
    """Preprocessor lines, with what they continue to, become blank; so do C++ guards."""
    guard = re.compile(r"^#ifdef __cplusplus\n.*?^#endif", re.S | re.M)
    code = guard.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), code)
    line = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.M)
    return line.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), code)


def statements(code):
    """Pieces of the file at depth 0: (first line, last line, text, is a function body)."""
    depth, start, line, is_function, first = 0, None, 1, False, 1
    for offset, c in enumerate(code):
        if start is None and not c.isspace():
            start, first, is_function = offset, line, False
        if c == "{":
            if depth == 0:
                is_function = code[start:offset].rstrip().endswith(")")
            depth += 1
        elif c == "}":
            depth -= 1
        if start is not None and depth == 0 and (c == ";" or (c == "}" and is_function)):
            yield first, line, code[start:offset + 1], is_function
            start = None
        if c == "\n":
            line += 1


def check_sizes(src):
    if len(src.lines) > FILE_LINES:
        yield FILE_LINES + 1, f"file of {len(src.lines)} lines, the limit is {FILE_LINES}"
    for number, line in enumerate(src.lines, 1):
        if len(line) > COLUMNS:
            yield number, f"line of {len(line)} columns, the limit is {COLUMNS}"
    for first, last, text, is_function in statements(without_preprocessor(src.code)):
        if is_function and last - first + 1 > FUNCTION_LINES:
            name = re.search(r"(\w+)\s*\(", text).group(1)
            yield first, (f"function {name} of {last - first + 1} lines, "
                          f"the limit is {FUNCTION_LINES}")


def public_items(src):
    """Items of a public header: (first line, last line, name)."""
    for m in re.finditer(r"^#define\s+(\w+)", src.code, re.M):
        if not m.group(1).endswith("_H"):
            end = m.end()
            while src.code[end:].split("\n", 1)[0].rstrip().endswith("\\"):
                end = src.code.index("\n", end) + 1
            yield src.line_of(m.start()), src.line_of(end), m.group(1)
    for first, last, text, _ in statements(without_preprocessor(src.code)):
        name = re.search(r"}\s*(\w+)\s*;", text) or re.search(r"(\w+)\s*\(", text) \
            or re.search(r"(\w+)\s*;", text)
        yield first, last, name.group(1) if name is not None else "enum"


def check_public_comments(src):
    """Each item follows a /** comment, or, without a blank line, an item that has one."""
    if not src.name.startswith("include/"):
        return
    documented = {n + text.count("\n") for n, text in src.comments if text.startswith("/**")
                  and src.lines[n - 1].lstrip().startswith("/**")}
    seen = set()
    for first, last, name in sorted(public_items(src)):
        above = first - 1
        while re.match(r"\s*#\s*if", src.lines[above - 1]):
            above -= 1  # the comment may stand above the #if around a macro
        if above in documented or name in seen:
            documented.add(last)
            seen.add(name)
        else:
            yield first, f"public item {name} has no /** comment above it"


def check_exported(src):
    """Functions of public headers are marked TRM_API, or no shared library has them."""
    if not src.name.startswith("include/"):
        return
    for first, _, text, _ in statements(without_preprocessor(src.code)):
        function = re.match(r"(?!typedef\b|struct\b|union\b|enum\b)[\w\s*]*?\b(trm_\w+)\s*\(", text)
        if function is not None and not text.startswith("TRM_API "):
            yield first, f"public function {function.group(1)} is not marked TRM_API"


def check_leftovers(src):
    for m in re.finditer(r"^\s*#\s*if\s+0\b", src.code, re.M):
        yield src.line_of(m.start()), "code switched off by #if 0: delete it"
    for number, text in src.comments:
        for m in re.finditer(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))", text):
            yield number + text.count("\n", 0, m.start()), \
                f"{m.group(1)} without an issue: write TODO(#123)"


def check_printing(src):
    """The library never prints, exits, aborts or jumps; src/io writes files."""
    if not src.name.startswith("src/"):
        return
    code = without_preprocessor(src.code)
    for m in FORBIDDEN_CALL.finditer(code):
        yield src.line_of(m.start()), f"the library may not call {m.group(1)}"
    for m in FILE_PRINT.finditer(code):
        if not src.name.startswith("src/io/") or m.group(1) in ("stdout", "stderr"):
            yield src.line_of(m.start()), "the library may not call fprintf"


# a file that a comment names, without its folder; members like s.c are shorter
C_FILE = re.compile(r"(?<![\w./<])[a-z]\w{3,}[.][ch]\b")


@functools.cache
def c_files(root):
    places = ("src", "include", "apps", "bench", "tests", "tools", "examples")
    return {path.name for place in places for path in (root / place).rglob("*.[ch]")}


def check_tags(name, comments, code, tags, root):
    """[Tag] is in docs/refs.bib, and pages that are named exist, in the program also C files."""
    for number, text in comments:
        for m in TAG.finditer(text):
            tag = m.group(1)
            if name.startswith("apps/") and tag.isupper():
                continue  # usage texts: [NAME], [OPTIONS]
            if tag not in tags and tag not in UNITS and not re.search(rf"\b{tag}\b", code):
                yield name, number + text.count("\n", 0, m.start()), \
                    f"[{tag}] is not in docs/refs.bib"
        for m in re.finditer(r"\bdocs/[\w./-]+\.\w+", text):
            if not (root / m.group(0)).exists():
                yield name, number + text.count("\n", 0, m.start()), f"there is no {m.group(0)}"
        for m in C_FILE.finditer(text):
            if name.startswith(("src/", "include/", "apps/")) and m.group(0) not in c_files(root):
                yield name, number + text.count("\n", 0, m.start()), f"there is no {m.group(0)}"


def check_equations(src):
    """A number used in the body is defined in the head, if the head numbers equations.
    Defined: at the end or the beginning of a line. Used: `, (3)`, `(1)-(3)`, `(3) */`.
    Lines that name a [Tag] speak of equations elsewhere."""
    if not src.comments or src.comments[0][0] != 1:
        return
    head = src.comments[0][1]
    defined = set(re.findall(NUMBER + r"[ \t]*(?:\*/)?[ \t]*$", head, re.M))
    defined |= set(re.findall(r"^[ \t/*]*" + NUMBER, head, re.M))
    if not defined:
        return
    used = re.compile(rf"(?:, |-){NUMBER}|(?<= ){NUMBER}(?=-|\s*\*/)")
    for number, text in src.comments[1:]:
        for offset, line in enumerate(text.splitlines()):
            if TAG.search(line):
                continue
            for groups in used.findall(line):
                for n in filter(None, groups):
                    if n not in defined:
                        yield number + offset, f"equation ({n}) is not in the head of this file"


def check_twins(root):
    """No two files of src and apps have one name; .c and .h of a name are in one folder. No two
    headers define one type."""
    where, types = {}, {}
    for folder in ("src", "apps"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = str(path.relative_to(root))
            first = where.setdefault(path.stem, path)
            if first.parent != path.parent and path.stem not in TWINS:
                yield name, 1, f"{first.relative_to(root)} has the same name"
            if path.suffix != ".h":
                continue
            for m in re.finditer(r"^(?:typedef (?:struct|enum|union)|struct) (\w+) \{", path.read_text(), re.M):
                other = types.setdefault(m.group(1), name)
                if other != name and m.group(1) not in TWINS:
                    line = path.read_text().count("\n", 0, m.start()) + 1
                    yield name, line, f"{other} defines {m.group(1)}, too"


def check_scripts(root):
    """The page: its files have the limits of C files."""
    for folder in ("viewer/src", "viewer/tests"):
        for path in sorted((root / folder).rglob("*.*ts")) + sorted((root / folder).rglob("*.mjs")):
            name, lines = str(path.relative_to(root)), path.read_text().splitlines()
            if len(lines) > FILE_LINES:
                yield name, FILE_LINES + 1, f"file of {len(lines)} lines, the limit is {FILE_LINES}"
            for number, line in enumerate(lines, 1):
                if len(line) > COLUMNS:
                    yield name, number, f"line of {len(line)} columns, the limit is {COLUMNS}"


def prose_of(text):
    """Lines that a reader wraps, with their numbers: no code, tables, images, or single links."""
    is_fenced, is_code, is_after_blank = False, False, True
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r" *```", line):
            is_fenced = not is_fenced
        is_indented = line.startswith("    ")
        is_code = is_indented and (is_code or is_after_blank)
        is_after_blank = line.strip() == ""
        if not (is_fenced or is_code or line.startswith(("|", "![", "<!--", "```")) or ONE_LINK.fullmatch(line)):
            yield number, line


def check_pages(root):
    """Pages are wrapped where readers of sources and differences see them."""
    for path in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")]):
        name = str(path.relative_to(root))
        if name.startswith(NOT_WRAPPED):
            continue
        for number, line in prose_of(path.read_text()):
            if len(line) > PROSE_COLUMNS:
                yield name, number, f"line of {len(line)} columns, the limit of prose is {PROSE_COLUMNS}"


def bib_tags(root):
    path = root / "docs/refs.bib"
    return set(re.findall(r"^@\w+\{\s*([^,\s]+)", path.read_text(), re.M)) if path.exists() else set()


def check(root):
    findings = []
    tags = bib_tags(root)
    files = [p for folder in ("src", "include", "apps", "tests")
             for p in sorted((root / folder).rglob("*.[ch]"))]
    for path in files:
        src = Source(root, path)
        for rule in (check_includes, check_sizes, check_public_comments, check_exported,
                     check_leftovers, check_printing, check_equations):
            findings += [(src.name, line, sentence) for line, sentence in rule(src)]
        findings += check_tags(src.name, src.comments, src.code, tags, root)
    findings += check_twins(root)
    findings += check_scripts(root)
    findings += check_pages(root)
    for path in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")]):
        findings += check_tags(str(path.relative_to(root)), [(1, path.read_text())], "", tags, root)
    return findings, len(files)


# --- self-test: each planted violation must be found, and nothing else ---------------------

CLEAN = {
    "docs/refs.bib": "@book{HairerWanner,\n  title = {x}\n}\n",
    "include/trammel/a.h": """/* a.h - clean. */
#ifndef TRM_A_H
#define TRM_A_H
#include "trammel/b.h"
#ifdef __cplusplus
extern "C" {
#endif
/** A macro. */
#if defined(__GNUC__)
#define TRM_MARK 1
#else
#define TRM_MARK 0
#endif
/** A type. */
typedef struct trm_a {
  int n; /* [HairerWanner] */
  int (*call)(void *self);
} trm_a;
/** Two functions that belong together. */
TRM_API int trm_one(void);
TRM_API int trm_two(int a,
                    int b);
/** Sizes. */
enum { TRM_MAX = 3 };
#ifdef __cplusplus
}
#endif
#endif
""",
    "README.md": f"# Title\n\n{'word ' * 24}\n\n    {'code ' * 30}\n\n    {'more ' * 30}\n\n"
                 f"```sh\n{'code ' * 30}\n```\n| {'cell ' * 30}|\n![{'image ' * 30}](a.svg)\n- [page](a{'b' * 120})\n",
    "docs/reproduction/a.md": "word " * 30 + "\n",
    "src/core/a.h": "/* a.h */\n",
    "src/core/d.h": "/* d.h */\ntypedef enum trmi_b { B } trmi_b;\n",
    "src/integ/x.c": """/* x.c - solves
 *   x = 1      (1)
 *   y = 2      (2)
 * see [HairerWanner], docs/refs.bib. */
#include "core/a.h"
#include "trammel/a.h"
/* TODO(#12): faster */
static int f(const char *s) {
  /* both, (1)-(2) */
  return s[0] == '{' || s[1] == '"'; /* printf("no call") */
}
""",
}

PLANTED = [  # file, text added at its end, part of the sentence, line
    ("src/core/a.h", '#include "integ/b.h"\n', 'core may not include "integ/b.h"', 2),
    ("src/integ/x.c", '#include "problems/b.h"\n', "integ may not include", 12),
    ("src/integ/x.c", '#include "elements/joint/b.h"\n', "integ may not include", 12),
    ("src/integ/x.c", '#include "apps/b.h"\n', "integ may not include", 12),
    ("src/integ/x.c", '#include "b.h"\n', "not beside this file", 12),
    ("apps/trammel/c.c", '#include "core/a.h"\n', "public headers only", 1),
    ("src/other/c.c", '#include "core/a.h"\n', "not in the list of layers", 1),
    ("include/trammel/c.h", '#include "core/a.h"\n', "not installed", 1),
    ("include/trammel/c.h", "/* no doc */\nTRM_API int trm_f(void);\n", "trm_f has no", 2),
    ("include/trammel/c.h", "/** A. */\nint trm_f(void);\n", "trm_f is not marked TRM_API", 2),
    ("include/trammel/c.h", "/** A. */\nconst char *trm_f(int a,\n  int b);\n", "trm_f is not marked", 2),
    ("include/trammel/c.h", "#define TRM_C 1\n", "TRM_C has no", 1),
    ("include/trammel/c.h", "/** A. */\nTRM_API int trm_f(void);\n\nTRM_API int trm_g(void);\n", "trm_g has no", 4),
    ("include/trammel/c.h", "typedef enum trm_e { TRM_E } trm_e;\n", "trm_e has no", 1),
    ("src/core/b.c", "int f(int a) {\n" + "  a++;\n" * 59 + "}\n", "function f of 61", 1),
    ("src/core/b.c", "int a;\n" * 501, "file of 501", 501),
    ("tests/unit/b.c", "int a; /* " + "x" * 100 + " */\n", "line of 113", 1),
    ("viewer/src/b.ts", "// b\n" * 501, "file of 501", 501),
    ("viewer/tests/b.mjs", "// " + "x" * 100 + "\n", "line of 103", 1),
    ("README.md", "x" * 121 + "\n", "line of 121", 15),
    ("docs/dev/a.md", "- item\n\n  " + "word " * 30 + "\n", "line of 152", 3),
    ("docs/dev/a.md", "1. item\n    " + "word " * 30 + "\n", "line of 154", 2),
    ("docs/dev/a.md", "```sh\ncode\n```\n" + "word " * 30 + "\n", "line of 150", 4),
    ("src/core/b.c", "#if 0\n#endif\n", "#if 0", 1),
    ("src/core/b.c", "/* a\n * TODO: later */\n", "TODO without", 2),
    ("src/core/b.c", "/* by [Nobody1999] */\n", "[Nobody1999] is not", 1),
    ("docs/theory/01.md", "after\n[Nobody1999] says\n", "[Nobody1999] is not", 2),
    ("src/core/b.c", "/* docs/theory/99-none.md */\n", "there is no docs/theory/99-none.md", 1),
    ("src/core/b.c", "/* b.c -\n * (3) of renamed.c */\n", "there is no renamed.c", 2),
    ("src/integ/x.c", "/* third, (3) */\n", "equation (3)", 12),
    ("src/integ/x.c", "int a; /* both (1)-(4) */\n", "equation (4)", 12),
    ("src/integ/x.c", "int a; /* third (3) */\n", "equation (3)", 12),
    ("src/core/b.c", 'void f(void) { printf("x"); }\n', "may not call printf", 1),
    ("src/core/b.c", 'void f(void) {\n  fprintf(stderr, "x");\n}\n', "may not call fprintf", 2),
    ("src/math/c.h", "/* c.h */\ntypedef struct trm_a {\n  int n;\n} trm_a;\n"
     "typedef enum trmi_b { B } trmi_b;\n", "src/core/d.h defines trmi_b, too", 5),
    ("src/math/a.h", "/* a.h */\n", "src/core/a.h has the same name", 1),
    ("src/core/b.c", "void f(void) { exit(1); }\n", "may not call exit", 1),
    ("src/core/b.c", "void f(void) { abort (); }\n", "may not call abort", 1),
    ("src/core/b.c", "void f(void) { longjmp(b, 1); }\n", "may not call longjmp", 1),
]


def findings_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check(root)[0]


def self_test():
    failed = [f"a clean tree is blamed: {f}" for f in findings_of(CLEAN)]
    for name, text, sentence, line in PLANTED:
        found = findings_of({**CLEAN, name: CLEAN.get(name, "") + text})
        if not (len(found) == 1 and found[0][:2] == (name, line) and sentence in found[0][2]):
            failed.append(f"planted in {name}: {text[:60]!r}: found {found}")
    for sentence in failed:
        print(sentence)
    print(f"{len(PLANTED)} planted violations, {len(failed)} failures")
    return 1 if failed else 0


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check_tree.py ROOT | --self-test")
    if sys.argv[1] == "--self-test":
        sys.exit(self_test())
    findings, nfiles = check(pathlib.Path(sys.argv[1]).resolve())
    for name, line, sentence in findings:
        print(f"{name}:{line}: {sentence}")
    print(f"{nfiles} files, {len(findings)} findings")
    if nfiles == 0:
        sys.exit("no source file found: wrong folder?")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
