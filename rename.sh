#!/bin/sh
# rename.sh [FOLDER] - names and folders of issue 14 part 6, applied to a worktree of Trammel.
# Idempotent: a second run changes nothing. It works on any state of the tree: a file or a name
# that is not there is skipped. Nothing in tests/golden or tests/fuzz/corpus is touched.
# Afterwards: build, ctest, tools/golden compare (must be equal), git commit.
set -eu
cd "${1:-.}"
git rev-parse --show-toplevel >/dev/null
exec python3 - <<'PY'
import pathlib, re, subprocess, sys

def git(*a): return subprocess.run(["git", *a], check=True, capture_output=True, text=True).stdout
root = pathlib.Path(git("rev-parse", "--show-toplevel").strip())

# ---------------------------------------------------------------- files: old path -> new path
MOVES = {}
def move(old, new):
    MOVES[old] = new

# folder by folder; names without ending take .c and .h
PAIRS = """
src/expr/curve                 src/expr/spline
src/expr/function_curves       src/expr/function_splines
src/expr/build                 src/expr/make_node
src/expr/tangent               src/expr/directional
src/plot/curve                 src/plot/thinning
src/plot/terminal              src/plot/character_plot
src/integ/mix                  src/integ/anderson
src/integ/loads                src/integ/multiplier_test
src/integ/errors               src/integ/error_sum
src/integ/rows                 src/integ/singular_rows
src/integ/pose                 src/integ/singular_pose
src/integ/options              src/integ/sim_options
src/integ/outputs              src/integ/output_times
src/system/share               src/system/minimum_norm
src/system/find                src/system/find_by_name
src/system/values              src/system/system_values
src/system/unit_names          src/system/complete_units
src/analysis/base              src/analysis/operating_point
src/problems/links             src/problems/link_chain
src/io/loader                  src/io/file_loader
apps/trammel/model             apps/trammel/load_model
apps/trammel/outputs           apps/trammel/output_files
apps/trammel/csv_sink          apps/trammel/csv_output
src/force/types                src/elements/force/force_types
src/force/ends                 src/elements/force/force_ends
src/force/in_joint             src/elements/force/joint_force
src/force/line                 src/elements/force/scalar_law
src/force/beam_force           src/elements/force/beam_force
src/joint/types                src/elements/joint/joint_types
src/joint/ends                 src/elements/joint/joint_ends
src/joint/curve                src/elements/joint/point_on_curve
src/mechanism/mechanism        src/elements/elements
src/mechanism/numbers          src/elements/live_numbers
src/mechanism/read_bodies      src/elements/body/read_bodies
src/mechanism/read_shapes      src/elements/body/read_shapes
src/mechanism/read_markers     src/elements/body/read_markers
src/mechanism/frame            src/elements/body/marker_frame
src/mechanism/beams            src/elements/flex/beams
src/mechanism/read_beams       src/elements/flex/read_beams
src/mechanism/beam_stress      src/elements/flex/beam_stress
src/mechanism/read_joints      src/elements/joint/read_joints
src/mechanism/motions          src/elements/joint/motions
src/mechanism/reaction         src/elements/joint/reaction
src/mechanism/values           src/mechanism/model_values
src/mechanism/measures         src/mechanism/marker_measures
src/model/values               src/parts/part_values
src/model/unit_names           src/parts/model_units
tests/unit/test_curve          tests/unit/test_spline
"""
for line in PAIRS.split("\n"):
    if line.strip():
        old, new = line.split()
        for end in (".c", ".h"): move(old + end, new + end)
# the registry of forces, and the type called `force`
move("src/force/force.h", "src/elements/force/force_types.h")
move("src/force/force.c", "src/elements/force/applied_force.c")

tracked = [p for p in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0") if p and (root / p).exists()]
for p in tracked:
    if p in MOVES or p.startswith("src/elements/"): continue
    m = re.fullmatch(r"src/(body|joint|force|flex|contact|control)/(.+)", p)
    if m: move(p, f"src/elements/{m[1]}/{m[2]}")
    m = re.fullmatch(r"src/model/(.+)", p)
    if m:  # typed equations and their compiler; all else describes the parts of a model
        is_equation = re.match(r"equations|laws|remarks", m[1])
        move(p, f"src/{'equations' if is_equation else 'parts'}/{m[1]}")
# headers shared by the files of one subject: `parts` means parts of a model only
for p in tracked:
    target = MOVES.get(p, p)
    if re.fullmatch(r"src/.*_parts\.h", target) and not target.endswith("/part_fields.h"):
        move(p, target.replace("_parts.h", "_internal.h"))

done = []
for old, new in MOVES.items():
    if old == new or not (root / old).exists(): continue
    if (root / new).exists(): sys.exit(f"rename.sh: {new} is there already, {old} stays")
    (root / new).parent.mkdir(parents=True, exist_ok=True)
    tracked_file = git("ls-files", old) != ""
    if tracked_file: git("mv", old, new)
    else: (root / old).rename(root / new)
    done.append((old, new))

# ---------------------------------------------------------------- texts
SKIP = re.compile(r"tests/golden/|tests/fuzz/corpus|tests/data/|docs/reproduction/|\.(h5|png|svg|pdf|stl|obj|bin)$|models/|tests/cli/snapshots")
texts = {}
for p in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
    if not p or SKIP.search(p) or not (root / p).is_file(): continue
    try: texts[p] = (root / p).read_text(encoding="utf-8")
    except UnicodeDecodeError: pass
before = dict(texts)

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
def in_comments(regex, new, t):  # and in strings, which includes are
    return TOKEN.sub(lambda m: regex.sub(new, m[0]), t)

# ---------------------------------------------------------------- English of comments (CONVENTIONS 12)
WORDING = [
    ('a rigid body whose frame may stand anywhere in it', 'a rigid body whose frame may be anywhere in it'),
    ('of a diagonal inertia only what stands beside the diagonal', 'of a diagonal inertia only the entries off the diagonal'),
    ('for principal moments J: what stands beside its diagonal, row by row', 'for principal moments J: entries off its diagonal, row by row'),
    ('way: +1 from low to high, -1 back', 'direction: +1 from low to high, -1 back'),
    ('Does every edge belong to as many triangles one way round as the other?', 'Does every edge belong to as many triangles in one direction as in the other?'),
    ('Infinity stands for zero: times anything it stays so.', 'Infinity means zero: times anything it stays so.'),
    ('the curve goes on straight with its slope there', 'the curve continues straight with its slope there'),
    ('Where a vertex stands in the hash, or the empty place where it would.', 'Place of a vertex in the hash, or the empty place where it would be.'),
    ('expressions as one graph in which every node stands once', 'expressions as one graph in which every node exists once'),
    ('Does the number just taken stand alone:', 'Is the number just taken alone:'),
    ('Where a line of the text stands in its file.', 'Place of a line of the text in its file.'),
    ('What a name with so many primes stands for. False:', 'Meaning of a name with so many primes. False:'),
    ('a velocity where none may stand) and', 'a velocity where none is allowed) and'),
    ('NULL: conditions are evaluated as they stand.', 'NULL: conditions are evaluated as they are.'),
    ('A stop pushes when this gap is negative: told where forces are made.', 'A stop pushes when this gap is negative: reported where forces are made.'),
    ('out->is_condition tells, and whoever needs a', 'out->is_condition says so, and whoever needs a'),
    ('The token looked at; go on to the next.', 'The present token; continue with the next.'),
    ('plain constants stand behind the folds', 'plain constants follow the folds'),
    ('A node on its way to the tape.', 'A node that is put on the tape.'),
    ("arguments of a segment's nodes that stand in the segment itself", "arguments of a segment's nodes that are in the segment itself"),
    ('Inside a segment equal operations stand in runs:', 'Inside a segment equal operations form runs:'),
    ('One of the 25 numbers goes on by h.', 'One of the 25 numbers increases by h.'),
    ('Writing never fails by itself: the reason is kept and told at the end.', 'Writing never fails by itself: the reason is kept and reported at the end.'),
    ('Sizes stand before contents, so they are computed first.', 'Sizes precede contents, so they are computed first.'),
    ('its prefix is what stands before the x', 'its prefix is the part before the x'),
    ('bodies come in one order in all lists: go on where the last one was found', 'bodies have one order in all lists: continue where the last one was found'),
    ('Faults of parameters are told when all numbers are read.', 'Faults of parameters are reported when all numbers are read.'),
    ('until then a number that its range allows stands in its place', 'until then a number that its range allows is in its place'),
    ('Is text k of a field a plain number? Else what stands in its place.', 'Is text k of a field a plain number? If not, its substitute.'),
    ('so that to go on would only give complaints about unknown names', 'so that continuing would only give complaints about unknown names'),
    ('Parts share one space of names with each other and with all that stands in expressions.', 'Parts share one name space with each other and with all names of expressions.'),
    ('A scalar that stands for one key of a mapping becomes that mapping.', 'A scalar that is a shorthand for one key of a mapping becomes that mapping.'),
    ('so that its letters stand at their place', 'so that its letters keep their place'),
    ('of memory alone, which the arena tells later', 'of memory alone, which the arena reports later'),
    ('by another way it is there already', 'it has been included elsewhere'),
    ('texts in quotes, and the way of a written model to its reader', 'texts in quotes, and passing a written model to its reader'),
    ('derivatives that stand in the file: also samples far apart show it', 'derivatives in the file: samples far apart show it as well'),
    ('Small ones stand in their headers, long ones', 'Small ones are in their headers, long ones'),
    ('what stands fixed in a run file: what was run, names of columns', 'the fixed contents of a run file: the model, options and names of columns'),
    ('then let the superblock tell it. Returns errno.', 'then write it to the superblock. Returns errno.'),
    ('HDF5 prints its errors unless told otherwise; what was set before is put back.', 'HDF5 prints its errors unless this is switched off; the former setting is restored.'),
    ('names of what stands in a run file, for writer and reader', 'names of the contents of a run file, for writer and reader'),
    ('`tag` stands first, so no flag is there', '`tag` is the first member, so no flag is there'),
    ('Where a checkpoint stands.', 'Place of a checkpoint.'),
    ('where they stand in the file ', 'their places in the file '),
    ('told to the file before it is used', 'announced to the file before it is used'),
    ('a failure stays in the file and is told later', 'errors are stored in the file and reported by the next call'),
    ('the start does not wait: a restart tells its energy', 'the start does not wait: a restart reports its energy'),
    ('the next call that may fail tells it', 'the next call that may fail reports it'),
    ('which stands elsewhere than the index:', 'which is stored apart from the index:'),
    ('a checksum of each row stands in `sums/NAME`', 'a checksum of each row is in `sums/NAME`'),
    ('`parts` go on in the tables of parts/kinds.h', '`parts` continue in the tables of parts/kinds.h'),
    ('before its path stands `prefix`, before its meaning `of`', '`prefix` precedes its path, `of` its meaning'),
    ('whose keys stand at the top of the file', 'whose keys are at the top of the file'),
    ('One anchor where the text stands in one line as it is', 'One anchor where the text is in one line as it is'),
    ('---- keys that stand twice ----', '---- keys that appear twice ----'),
    ('as a tree that knows where everything stands', 'as a tree that knows the place of everything'),
    ('its letters stand in one', 'its letters are in one'),
    ('Behind every such gap an anchor says where the text goes on.', 'After every such gap an anchor says where the text continues.'),
    ('where the letters of a scalar stand, part of yaml.c', 'places of the letters of a scalar, part of yaml.c'),
    ('tells how far away that is', 'shows how far away that is'),
    ('tables go on straight there, so that Newton may', 'tables continue straight there, so that Newton may'),
    ('Rows of perpendicular axes are satisfied by half turns, too, and assembly goes to the nearest', 'Half turns also satisfy rows of perpendicular axes, and assembly goes to the nearest'),
    ('solution: markers that stand so at the start would stay so', 'solution: markers that start like this would stay so'),
    ('p is the way into a stop, lower - c or c - upper', 'p is the penetration of a stop, lower - c or c - upper'),
    ('(1), (2): `way` into the stop; what the damper adds', '(1), (2) at a penetration; `push` receives the part of the damper'),
    ('Steps are limited by the stop: `way` into it.', 'Steps are limited by the stop.'),
    ("Each vector u below stands with its rate u' and with u''", "Each vector u below comes with its rate u' and with u''"),
    ('entries of the list; a POINT stands for three rows  ', 'entries of the list; a POINT means three rows       '),
    ('p may be NULL to count only, then at, too', 'p may be NULL to count only, then also `at`'),
    ('as they stand and c = w x s, f = w x c the entries', 'as they are and c = w x s, f = w x c the entries'),
    ('What the list of a joint has beside a point.', 'Rows that the list of a joint has in addition to a point.'),
    ('of its way ahead, of its axis above the plane, about its axis', 'heading, elevation of its axis above the plane, angle about its axis'),
    ('way of B along an axis of A                             ', 'displacement of B along an axis of A                    '),
    ('or TRMI_TO_B, the way from marker A to marker B', 'or TRMI_TO_B, the vector from marker A to marker B'),
    ('and contributors are made again in the same way. What numbers decide meanwhile must', 'and contributors are made again likewise. Decisions that depend on numbers must'),
    ('What was not given is for the assembly to find; a body placed by `at` alone stands upright.', 'Values that were not given are left to the assembly; a body placed by `at` alone is upright.'),
    ('outputs make derived numbers, too', 'outputs also make derived numbers'),
    ('The part that a number stands for, NULL: none.', 'The part with this number, NULL: none.'),
    ('1e-100 changes no length beside itself, and its powers', '1e-100 changes no length, and its powers'),
    ('`word`, if not NULL, stands', '`word`, if not NULL, goes'),
    ('The same with the word, NULL: none, that stands at a place.', 'The same with the word at a place, NULL: none.'),
    ('Is every unknown of a node allowed where it stands?', 'Is every unknown of a node allowed in its place?'),
    ("The list of a node's symbols that may not stand where it does, or TRMI_INPUTS.", "The list of a node's symbols that is not allowed in its place, or TRMI_INPUTS."),
    ('Numbers that elements tell have no rates.', 'Numbers reported by elements have no rates.'),
    ('an empty file is a text, too', 'an empty file is also a text'),
    ('told by native elements there ', 'reported by elements there     '),
    ('Numbers of parts beside p; those', 'Numbers of parts next to p; those'),
    ('in which parameters may stand, until it is set', 'which may contain parameters, until it is set'),
    ('conditions of laws stand between the events of the model', 'conditions of laws are between the events of the model'),
    ('the entry stands at (row, col) and (col, row)', 'the entry is at (row, col) and (col, row)'),
    ('Say what could not be computed, and where it stands in the text.', 'Report which expression could not be computed, with its place in the text.'),
    ('`turn` tells of the start of a step, `entry` of t.', '`memory` belongs to the start of a step, `entry` to t.'),
    ('Change of a function along a fixed way through all unknowns', 'Change of a function along a fixed direction in all unknowns'),
    ('evaluated as it stands, no event', 'evaluated as it is, no event'),
    ('an infinite slope such as sqrt(abs(x)): as it stands, and an event ', 'an infinite slope such as sqrt(abs(x)): as it is, and an event     '),
    ('..) is evaluated as it stands, if it is continuous:', '..) is evaluated as it is, if it is continuous:'),
    ('what stands in the argument of node n: bits           ', 'contents of the argument of node n: bits              '),
    ('all conditions as they stand                            ', 'all conditions as they are                              '),
    ('The condition that a symbol stands for, or -1.', 'The condition of a symbol, or -1.'),
    ('Condition i as it stands, in both remakings;', 'Condition i as it is, in both remakings;'),
    ('The derivatives stand in the call itself.', 'The derivatives are in the call itself.'),
    ('Entry (i, j) of M stands in both triangles', 'Entry (i, j) of M is in both triangles'),
    ('its change along a way that is the same for all events', 'its change along a direction that is the same for all events'),
    ('what the names of a typed model stand for: numbering', 'the meaning of names of a typed model: numbering'),
    ('Every name stands for one thing.', 'Every name has one meaning.'),
    ('its faults are told */', 'its faults are reported */'),
    ('What of a node may not stand here, or NULL.', 'The kind of unknown that is not allowed here, or NULL.'),
    ('A variable where variables may not stand: its expression, if that may.', 'A variable where variables are not allowed: its expression, if that is allowed.'),
    ('within another one, which is told of if need be', 'within another one, which is reported if need be'),
    ('of events: change along a fixed way, parts     ', 'of events: change along a fixed direction    '),
    ('Say what in these groups could not be computed, and where it stands in the text.', 'Report which expression of these groups could not be computed, with its place in the text.'),
    ('A name of the model and what it stands for.', 'A name of the model and its meaning.'),
    ("Which side of Newton's law an expression stands on.", "The side of Newton's law that an expression belongs to."),
    ('bits of trmi_input that may stand there  ', 'bits of trmi_input that are allowed there '),
    ('find names that stand twice', 'find names that are used twice'),
    ('What an expression of an element is for: decides which names may stand in it.', 'Purpose of an expression of an element: decides which names are allowed in it.'),
    ('variables without a loop become the expressions they stand for', 'variables without a loop become their expressions'),
    ('silent ones are not told to the system, which has to set the next time', 'silent ones are not reported to the system, which has to set the next time'),
    ('also through others, and stands in a force is an unknown:', 'also through others, and is used in a force is an unknown:'),
    ('they are put in wherever they stand, events and conditions', 'they are substituted wherever they are used, events and conditions'),
    ('Unknowns get the first symbols, expressions become what they stand for.', 'Unknowns get the first symbols, expressions are substituted.'),
    ('the others are told with samples', 'the others are reported with samples'),
    ('Nodes see t, S and V as numbers that stand still, so a row is', 'Nodes see t, S and V as constants, so a row is'),
    ('not yet, under way, done ', 'not yet, begun, done      '),
    ('The number an expression of parameters stands for, in the units of the model.', 'The value of an expression of parameters, in the units of the model.'),
    ('In a path `*` stands for any name.', 'In a path `*` means any name.'),
    ('a scalar instead of the mapping stands for this key', 'a scalar instead of the mapping is the value of this key'),
    ('wherever they stand; false after the last', 'wherever they are defined; false after the last'),
    ('May a step end at this state (`as` is the status if not), and one begins; may be NULL.', 'Accept a step that ends at this state (if not: status `as`)? A step begins. Both may be NULL.'),
    ('A force. Its numbers become nodes when somebody asks for them: conditions and states are read', 'A force. Its nodes are made when they are first needed: conditions and states are read'),
    ('What is not there for its type stays zero.', 'Members that its type does not have stay zero.'),
    ('How far number m of s stages is apart', 'Spread of component m over the stages'),
]
def in_block_comments(t):
    def one(m):
        if not m[0].startswith("/*"): return m[0]
        text = m[0]
        for old, new in WORDING:
            if old in text: text = text.replace(old, new)
        return text
    return TOKEN.sub(one, t)
for p in list(texts):
    if re.match(r"src/.*\.[ch]$", p): texts[p] = in_block_comments(texts[p])

# paths: all moves of MOVES, also of files that another run has moved
def short(p): return p[4:] if p.startswith("src/") else p
paths = {}
for old, new in MOVES.items():
    if old != new: paths[old] = new; paths[short(old)] = short(new)
by_length = sorted(paths, key=len, reverse=True)
path_re = re.compile(r"(?<![\w/.-])(?:" + "|".join(map(re.escape, by_length)) + r")(?![\w])")
# a file that a document names, which this tree has elsewhere: folders alone
folder_res = [
    (re.compile(r"(?<![\w/-])(src/)?(body|joint|force|flex)/(?=[a-z0-9_]+\.[ch]\b)"), lambda m: (m[1] or "") + "elements/" + m[2] + "/"),
    (re.compile(r"(?<![\w/-])src/(body|joint|force|flex)(/|\b)(?![\w.])"), lambda m: f"src/elements/{m[1]}{m[2]}"),
    (re.compile(r"(?<![\w/-])(src/)?model/(?=(equations|laws|remarks)\w*\.[ch]\b)"), lambda m: (m[1] or "") + "equations/"),
    (re.compile(r"(?<![\w/-])(src/)?model/(?=(definition|parameters|loader|unit)\w*\.[ch]\b)"), lambda m: (m[1] or "") + "parts/"),
]
for p, t in texts.items():
    if p.startswith("include/trammel/"):
        t = re.sub(path_re, lambda m: paths[m[0]], t)
        texts[p] = t; continue
    t = path_re.sub(lambda m: paths[m[0]], t)
    for r, f in folder_res: t = r.sub(f, t)
    texts[p] = t
# a file in the text of its neighbours: `curve.c` in the same folder; the head; the guard
for old, new in done:
    ob, nb = old.rsplit("/", 1)[1], new.rsplit("/", 1)[1]
    folder_new = new.rsplit("/", 1)[0]
    if ob != nb:
        word = re.compile(r"(?<![\w/.-])" + re.escape(ob) + r"(?!\w)")
        near = {folder_new}
        if old.startswith("src/mechanism/"): near.add("src/mechanism")
        if old.startswith("src/model/"): near |= {"src/equations", "src/parts"}
        for p in texts:
            if p.rsplit("/", 1)[0] in near: texts[p] = in_comments(word, nb, texts[p])
    if new.endswith(".h"):
        t = texts[new]
        m = re.search(r"#ifndef ((?:TRMI|APP)_\w*_H)\n#define \1\n", t)
        if m:
            guard = ("APP_" if new.startswith("apps/") else "TRMI_") + nb[:-2].upper() + "_H"
            texts[new] = re.sub(r"\b" + m[1] + r"\b", guard, t)
# names of files without a folder, in texts of other folders
BARE = {"equations_parts.h": "equations_internal.h", "graph_parts.h": "graph_internal.h"}
for p in texts:
    if p.endswith((".c", ".h", ".md", ".py")):
        for old, new in BARE.items(): texts[p] = re.sub(r"(?<![\w/.-])" + re.escape(old), new, texts[p])

# ---------------------------------------------------------------- identifiers
C = re.compile(r"\.(c|h|inc|cpp)$")
is_code_or_doc = lambda p: bool(re.search(r"\.(c|h|md|py|txt|cmake|sh|cpp)$|/[^./]+$|^Makefile$", p))
def names(rules, where=is_code_or_doc):
    table = dict(rules)
    r = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, table), key=len, reverse=True)) + r")\b")
    for p in texts:
        if where(p): texts[p] = r.sub(lambda m: table[m[0]], texts[p])
def pattern(regex, new, where=is_code_or_doc):
    r = re.compile(regex)
    for p in texts:
        if where(p): texts[p] = r.sub(new, texts[p])
def within(*files):  # files by regular expression
    r = re.compile("|".join(f"(?:{f})" for f in files))
    return lambda p: bool(C.search(p)) and bool(r.search(p))
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
def code(regex, new, *files):  # outside comments and strings
    r = re.compile(regex); where = within(*files)
    for p in texts:
        if not where(p): continue
        t, out, at = texts[p], [], 0
        for m in TOKEN.finditer(t):
            out += [r.sub(new, t[at:m.start()]), m[0]]; at = m.end()
        texts[p] = "".join(out) + r.sub(new, t[at:])

# forces: they were called actions
if any(p.endswith("/definition.h") and re.search(r"\bactions\b", t) for p, t in texts.items()):
    code(r"\b(def|d|to)(->|\.)forces\b", r"\1\2coordinate_forces", r"^src/(io|mechanism|parts|equations|model)/")
    code(r"\btrmi_named_texts( +)forces;", r"trmi_named_texts\1coordinate_forces;", r"/definition\.h$")
pattern(r"; /\* actions: key `forces` \*/", ";", within(r"/definition\.h$"))
# types of forces are constants trmi_force_NAME: they make room
pattern(r"\btrmi_force_(force|torque|general|spring|torsion|joint|bushing|beam|plugin|magnet|##name)\b", r"trmi_force_type_\1")
pattern(r"\btrmi_force_##name\b", "trmi_force_type_##name")
names({
    "trmi_action": "trmi_force", "trmi_action_ends": "trmi_force_ends", "trmi_action_law": "trmi_force_law",
    "trmi_action_measure": "trmi_force_measure", "trmi_action_fault": "trmi_force_fault",
    "trmi_action_feeds": "trmi_force_warn_of_feeding", "trmi_action_read_ends": "trmi_force_read_ends",
    "trmi_action_distance": "trmi_force_distance", "trmi_action_needs_distance": "trmi_force_needs_distance",
    "trmi_action_between": "trmi_force_between", "trmi_action_length": "trmi_force_length",
    "trmi_action_number": "trmi_force_number", "trmi_read_actions": "trmi_read_forces",
    "trmi_build_actions": "trmi_build_forces", "trmi_renew_actions": "trmi_renew_forces",
    "trmi_find_action": "trmi_find_force", "nactions": "nforces",
})
pattern(r"\btrmi_action_(\w+)", r"trmi_force_\1")
code(r"\bactions\b", "forces", r"^src/", r"^tests/", r"^bench/")
code(r"\bTRMI_FORCES\(", "TRMI_FORCE_TYPES(", r"force/")

# memory of angles and motions: it was called turn
names({"TRMI_IN_TURN": "TRMI_IN_MEMORY", "nturn": "nmemory"})
memory = (r"^src/equations/", r"^src/mechanism/", r"elements\.h$", r"body/marker_frame\.c$", r"joint/coordinates\.c$",
          r"joint/read_joints\.c$", r"joint/motions\.c$", r"joint/coupled\.c$", r"force/torsion\.c$", r"force/force_types\.c$")
code(r"\bturn\b", "memory", *memory)
code(r"(?<=add\.)turns\b|(?<=add->)turns\b", "memories", r"^src/")
code(r"(int nq, nv[^;]*\b)turns\b", r"\1memories", r"equations_internal\.h$")
pattern(r"what is remembered            \[nturn\] ", "what is remembered          [nmemory] ")
pattern(r"`turn` is the number of its memory", "`memory` is the number of its memory")

# results of the tape: trmi_result, no group
pattern(r"\bTRMI_GROUP_(?=[A-Z])", "TRMI_RESULT_"); names({"TRMI_GROUPS": "TRMI_RESULTS"})
names({"TRMI_RESULT_TURN": "TRMI_RESULT_EVENT_RATES", "TRMI_RESULT_LEAN": "TRMI_RESULT_EVENT_SLOPES",
       "TRMI_RESULT_DOUBT": "TRMI_RESULT_REMARK_CONDITIONS", "add_lean": "add_event_slope",
       "trmi_doubt_add": "trmi_remark_add_if", "trmi_doubts_look": "trmi_remarks_evaluate",
       "trmi_happening": "trmi_event_trigger", "trmi_written": "trmi_expanded_variable"})
code(r"\bdoubts\b", "conditional_remarks", r"^src/equations/", r"^src/mechanism/")
code(r"\bhappening\b", "trigger", r"^src/equations/", r"^src/mechanism/")
code(r"\blean\b", "slope", r"^src/equations/")
# parts come in groups; the group of rotations is another thing
of_parts = {n for p, t in texts.items() if re.match(r"src/parts/.*\.h$", p) for n in re.findall(r"\b(trmi_group_\w+)\(", t)}
if of_parts: names({n: n.replace("trmi_group_", "trmi_part_group_") for n in of_parts})
names({"trmi_group": "trmi_part_group", "trmi_value_read": "trmi_part_value_read", "trmi_values_read": "trmi_part_values_read",
       "TRMI_GROUPS_OF_PARTS": "TRMI_PART_GROUPS"})
# the compiler of equations; the builder is that of trammel/mechanism.h
names({"trmi_builder": "trmi_compiler"})
# sides of Newton's law; kinds of carriers
names({"trmi_side": "trmi_balance_side", "TRMI_SIDE_NONE": "TRMI_BALANCE_NONE", "TRMI_SIDE_INERTIA": "TRMI_BALANCE_INERTIA",
       "TRMI_SIDE_FORCE": "TRMI_BALANCE_FORCE", "trmi_side_kind": "trmi_carrier_kind",
       "TRMI_SIDE_GROUND": "TRMI_CARRIER_GROUND", "TRMI_SIDE_POINT": "TRMI_CARRIER_POINT", "TRMI_SIDE_BODY": "TRMI_CARRIER_BODY"})
# coordinates of joints
names({"TRMI_WAY": "TRMI_DISPLACEMENT", "TRMI_TURN": "TRMI_ROTATION", "TRMI_RISE": "TRMI_ELEVATION"})
pattern(r"\bWAY\(", "SLIDE(", lambda p: bool(re.search(r"joint/joint_types\.c$|add-an-element\.md$|test_add_element", p)))
# laws of one coordinate
names({"trmi_line_check": "trmi_scalar_law_check", "trmi_line_law": "trmi_scalar_law_build",
       "trmi_line_push": "trmi_scalar_law_push", "trmi_line_pure_stiffness": "trmi_scalar_law_pure_stiffness"})
# live numbers
names({"trmi_number": "trmi_live_number", "trmi_number3": "trmi_live_number3"})
# tables of model files are splines for the graph
pattern(r"\btrmi_curve_(line|dots)\b", r"trmi_thin_\1"); pattern(r"\btrmi_curve(?=_|\b)", "trmi_spline"); pattern(r"\bTRMI_CURVE_(?=LINEAR|AKIMA|CUBIC)", "TRMI_SPLINE_")
names({"trmi_tag_curve": "trmi_tag_spline", "TRMI_OP_CURVE": "TRMI_OP_SPLINE"})
# integrators
names({"trmi_mix": "trmi_anderson", "trmi_mix_plan": "trmi_anderson_plan", "trmi_mix_next": "trmi_anderson_next",
       "trmi_alpha_mix": "trmi_alpha_accelerate",
       "MIX_PAIRS": "ANDERSON_PAIRS", "close_mix": "close_anderson",
       "trmi_loads": "trmi_multiplier_test", "trmi_loads_add": "trmi_multiplier_test_add",
       "trmi_loads_hold": "trmi_multiplier_test_holds", "trmi_loads_square": "trmi_multiplier_test_square",
       "trmi_errors_add": "trmi_error_sum_add", "trmi_errors_tell": "trmi_error_sum_report",
       "trmi_rows_measure": "trmi_singular_rows_measure", "trmi_rows_singular": "trmi_singular_rows_find",
       "trmi_pose_noise": "trmi_singular_pose_noise", "trmi_pose_tell": "trmi_singular_pose_report",
       "trmi_bdf_tell_start": "trmi_bdf_report_start", "trmi_tell_branch": "trmi_report_branch",
       "trmi_tell_changes": "trmi_report_changes", "trmi_tell_remarks": "trmi_report_remarks",
       "trmi_tell_singular": "trmi_report_singular", "collocation_way": "collocation_scheme",
       "alpha_way": "alpha_scheme", "ALPHA_FIRST": "ALPHA_INDEX3_MATRIX", "ALPHA_SECOND": "ALPHA_PROJECTION_MATRIX",
       "has_second": "has_projection", "first_tangent": "index3_tangent", "second_tangent": "projection_tangent"})
pattern(r"\bTRMI_POSE_(NEAR|BESIDE|SHORTER|MOVES|LOST)\b", r"TRMI_SINGULAR_\1")
code(r"(?<=[>.])mix\b", "anderson", r"^src/integ/")
code(r"\bmix;", "anderson;", r"^src/integ/")
ALPHA = (r"integ/alpha\w*\.[ch]$", r"integ/bdf\w*\.[ch]$", r"tests/")
code(r"\bga->first\b", "ga->index3_matrix", *ALPHA); code(r"\bga->second\b", "ga->projection_matrix", *ALPHA)
code(r"\bga\.first\b", "ga.index3_matrix", *ALPHA); code(r"\bga\.second\b", "ga.projection_matrix", *ALPHA)
code(r"\btrmi_matrix first, second;", "trmi_matrix index3_matrix, projection_matrix;", r"integ/alpha\.h$")
NEWTON = r"integ/alpha_newton\.c$"
for old, new in ((r"const trmi_tangent first = ", "const trmi_tangent index3 = "), (r"&first, lines", "&index3, lines"),
                 (r"const bool first = ", "const bool needs_index3 = "), (r"const bool second = ", "const bool needs_projection = "),
                 (r"\(second \? ", "(needs_projection ? "), (r"\(first \? ", "(needs_index3 ? "), (r"&& first;", "&& needs_index3;"),
                 (r"if \(first\) \{", "if (needs_index3) {"), (r"if \(second && ", "if (needs_projection && "),
                 (r"if \(first \|\| ", "if (needs_index3 || ")):
    code(old, new, NEWTON)
# displacements and directions: they were called way
code(r"\bga->way2\b", "ga->direction2", *ALPHA); code(r"\bga->way\b", "ga->direction", *ALPHA)
code(r"\*way, \*way2\b", "*direction, *direction2", r"integ/alpha\.h$")

for old, new in ((r"const double way = step", "const double width = step"), (r"= way > 0\.0", "= width > 0.0"), (r"/ way :", "/ width :")):
    code(old, new, r"integ/alpha_damped\.c$")
code(r"\bway\b", "scheme", r"integ/alpha\.[ch]$", r"integ/alpha_damped\.c$", r"integ/bdf\.c$")
code(r"\bco->way\b", "co->direction", r"integ/collocation"); code(r"\*way\[", "*direction[", r"integ/collocation\.h$")
code(r"\bway\b", "change", r"integ/collocation_order\.c$"); code(r"\bway\b", "scheme", r"integ/collocation")
code(r"\bconst double way = ", "const double distance = ", r"statics_blame\.c$"); code(r"\bway / sys\b", "distance / sys", r"statics_blame\.c$")
code(r"(?<=st->)way\b|(?<=\*)way(?=, \*product)", "displacement", r"analysis/statics")
code(r"(?<=sim->)way\b", "start_displacement", r"^src/", r"^tests/"); code(r"\*way;", "*start_displacement;", r"integ/driver\.h$")
code(r"\bway\b", "displacement", r"integ/diagnose\.c$", r"integ/start_pose\.c$", r"integ/kinematic\.c$")
code(r"\bway_next\b", "direction_next", r"integ/explicit"); code(r"\bway\b", "direction", r"integ/explicit", r"body/mesh_file\.c$")
code(r"\bway\b", "offset", r"body/shape\.c$")
code(r"\bway\b", "change", r"integ/slips\.c$"); code(r"\bway\b", "excess", r"joint/friction\.c$")
code(r"\bway\b", "penetration", r"joint/limits\.c$"); code(r"\bway\b", "component", r"equations/equations_build\.c$")
# what was called told
code(r"\ba->told\b", "a->load_input", r"^src/"); code(r"\bint( +)told;", r"int\1load_input;", r"elements\.h$")
code(r"\btold\b", "output_load", r"force/"); code(r"\btold\b", "last_beam", r"mechanism/names\.c$"); code(r"\btold\b", "reported", r"integ/events\.c$")
# types of one name in two headers
names({"trmi_motion": "trmi_unknown_motion"}, lambda p: "explain" in p)
names({"trmi_value": "trmi_settable_value"}, lambda p: p.startswith("src/mechanism/"))
names({"trmi_column": "trmi_derivative"}, lambda p: bool(re.match(r"src/(equations|elements|mechanism)/", p)))
names({"trmi_change": "trmi_switch_effect"}, lambda p: p.startswith("src/integ/"))
names({"trmi_anchor": "trmi_text_anchor"}, lambda p: bool(re.match(r"src/plot/|tests/plot/", p)))
names({"trmi_pair": "trmi_eigenpair", "trmi_pairs": "trmi_eigenpairs"}, lambda p: p.startswith("src/analysis/"))
names({"trmi_pairs_take": "trmi_eigenpairs_take", "trmi_pairs_next": "trmi_eigenpairs_next", "trmi_pairs_add_square": "trmi_eigenpairs_add_square"},
      lambda p: p.startswith("src/analysis/"))
names({"trmi_range": "trmi_axis_range"}, lambda p: bool(re.match(r"src/plot/|tests/plot/", p)))
# tables of run files
names({"trmi_rows": "trmi_table_rows"}, lambda p: bool(re.search(r"^src/io/run_|^tests/io/", p)))
# problems
names({"trmi_links": "trmi_link_chain"}, lambda p: p.startswith("src/problems/"))
pattern(r"\btrmi_links_(blocks|label|patterns|place|rotation|sizes|values)\b", r"trmi_link_chain_\1")
# systems and analyses
pattern(r"\btrmi_share(?=_|\b)", "trmi_minimum_norm"); names({"trmi_consistent_share": "trmi_consistent_minimum_norm"})
pattern(r"\btrmi_base(?=_|\b)", "trmi_operating_point")

# ---------------------------------------------------------------- English of pages that others edited
def wording(path, *pairs):
    for old, new in pairs:
        if path in texts: texts[path] = texts[path].replace(old, new)
wording("docs/dev/add-an-element.md", ("`trmi_force_type` (`force.h`)", "`trmi_force_type` (`force_types.h`)"))
wording("docs/theory/03-alpha.md", ("`loads.c`", "`multiplier_test.c`"), ("`mix.c`", "`anderson.c`"))
wording("docs/theory/08-collocation.md", ("`loads.c`", "`multiplier_test.c`"), ("`mix.c`", "`anderson.c`"))
wording("docs/theory/07-expressions.md", ("`build.c`", "`make_node.c`"), ("`curve.c`", "`spline.c`"), ("`src/model/equations_*.c`", "`src/equations/equations_*.c`"))
wording("docs/theory/11-joints.md", ("`ends.c`", "`joint_ends.c`"), ("`curve.c`", "`point_on_curve.c`"))
wording("docs/theory/12-forces.md", ("`line.c`", "`scalar_law.c`"), ("`ends.c`", "`force_ends.c`"))
wording("docs/guide/c-library.md", ("changes the torque of its motor on the way", "changes the torque of its motor while it runs"),
        ("So a zero that stands in one cannot be set", "So a zero in one of them cannot be set"))
wording("docs/guide/equations.md", ("Units are checked, too: `m + l`", "Units are also checked: `m + l`"),
        ("its name stands for its multiplier", "its name is that of its multiplier"), ("`check` tells how far", "`check` reports how far"),
        ("Tables of points stand under `tables:`", "Tables of points are under `tables:`"), ("choice stands under `events`", "choice is under `events`"),
        ("is the usual way out", "is the usual remedy"), ("Its name may stand in forces", "Its name may be used in forces"),
        ("that cannot be integrated stand under `nonholonomic`", "that cannot be integrated are under `nonholonomic`"),
        ("the run below tells ms, mm and N mm", "the run below shows ms, mm and N mm"))

# ---------------------------------------------------------------- the rules of the tree
def exact(path, old, new):
    if path in texts and old in texts[path]: texts[path] = texts[path].replace(old, new)
CHECK = "tests/tools/check_tree.py"
if CHECK in texts:
    t = texts[CHECK]
    t = re.sub(r'(?s)LAYERS = \[.*?\]\n', """LAYERS = ["core", "math", "linalg", "expr", "parts", "system", "assembly", "equations", "elements", "elements/body",
          "elements/flex", "elements/joint", "elements/force", "mechanism", "problems", "integ", "analysis", "plot",
          "io", "apps"]
""", t, count=1)
    t = re.sub(r'(?s)SAME_LAYER = \[.*?\]\n', 'SAME_LAYER = []\n', t, count=1)
    t = re.sub(r'(?s)NEVER = \{.*?\}\n', 'NEVER = {"integ": ["problems", "elements", "mechanism"]}\n', t, count=1)
    t = re.sub(r'(?s)TWINS = \{.*?\}\n', 'TWINS = set()\n', t, count=1)
    texts[CHECK] = t

CALLS = "tests/tools/check_calls.py"
if CALLS in texts and not any("trmi_builder_check_name" in t for p, t in texts.items() if C.search(p)):
    texts[CALLS] = re.sub(r'    "trmi_builder_check_name": .*\n', "", texts[CALLS])
WALK = "tests/tools/check_walk.py"
if WALK in texts: texts[WALK] = re.sub(r'ENTERED_TWICE = \{.*?\}', 'ENTERED_TWICE = {"io"}', texts[WALK], count=1)
if "README.md" in texts:
    texts["README.md"] = re.sub(r"(    src/ +)core, math, linalg, expr, parts, [^:]*:\n( +)includes point in this order only",
        r"\1core, math, linalg, expr, parts, system, assembly, equations, elements (body, flex, joint, force),\n"
        r"\2mechanism, problems, integ, analysis, plot, io: includes and calls go to the left in this order only",
        texts["README.md"], count=1)

# ---------------------------------------------------------------- columns of tables stay where they were
GAP = re.compile(r"(?<=\S)  +(?=\S)")
def realign(old, new):
    a, b = old.split("\n"), new.split("\n")
    if len(a) != len(b): return new
    for i, (x, y) in enumerate(zip(a, b)):
        if x == y: continue
        gaps, parts = list(GAP.finditer(x)), GAP.split(y)
        if not gaps or len(parts) != len(gaps) + 1: continue
        line = parts[0]
        for gap, part in zip(gaps, parts[1:]):
            line += " " * max(1, gap.end() - len(line)) + part
        b[i] = line
    return "\n".join(b)
for p in list(texts):
    if C.search(p) and texts[p] != before.get(p): texts[p] = realign(before[p], texts[p])

# ---------------------------------------------------------------- functions that loads as quantities left without a caller
def callers(name, *but):
    return [p for p, t in texts.items() if C.search(p) and p not in but and re.search(rf"\b{name}\b", t)]
FRAME, HEADER, NUMBERS = "src/elements/body/marker_frame.c", "src/elements/elements.h", "src/elements/live_numbers.c"
if FRAME in texts and "trmi_relative_quat" in texts[FRAME] and not callers("trmi_relative_quat", FRAME, HEADER):
    t = texts[FRAME]
    begin, end = t.find("/* a o b */\nstatic void multiply("), t.find("/* ---- angles")
    rest = t[:begin] + t[end:]
    if 0 < begin < end and not re.search(r"\b(multiply|quat_nodes|compute_quats|marker_pair|trmi_relative_quat)\b", rest):
        texts[FRAME] = rest
        texts[HEADER] = re.sub(r"/\* The quaternion that turns the axes of A into those of B(?:(?!\*/).)*\*/\nvoid trmi_relative_quat\([^;]*;\n", "",
                               texts[HEADER], flags=re.S)
if NUMBERS in texts and "trmi_live_number3" in texts[NUMBERS] and not callers("trmi_live_number3", NUMBERS, HEADER):
    texts[NUMBERS] = re.sub(r"trmi_nodes3 trmi_live_number3\([^{;]*\{.*?\n\}\n\n", "", texts[NUMBERS], flags=re.S)
    texts[HEADER] = re.sub(r"trmi_nodes3 trmi_live_number3\([^;]*;\n", "", texts[HEADER])

# ---------------------------------------------------------------- comments that became too long
def rewrap(p, t):
    lines, i = t.split("\n"), 0
    while i < len(lines):
        line = lines[i]
        if len(line) <= 100: i += 1; continue
        # `code   /* comment */`: fewer blanks before and inside the comment
        m = re.match(r"^(\s*\S.*?;|\s*\S.*?,)(\s+)(/\*.*\*/)\s*(\\?)$", line)
        if m:
            comment = re.sub(r"\s+\*/$", " */", m[3]); lines[i] = m[1] + " " + comment + (" " + m[4] if m[4] else "")
            if len(lines[i]) <= 100: i += 1; continue
        m = re.match(r"^(\s*(?:/\*|\*) )(.*)$", line)
        if m and "\\" not in line[-1:]:
            end = line.rstrip().endswith("*/")
            cut = line.rfind(" ", 0, 101 - 0)
            while cut > 100 or line[cut:].strip() == "*/": cut = line.rfind(" ", 0, cut)
            head, tail = line[:cut].rstrip(), line[cut + 1:].lstrip()
            star = re.match(r"^\s*", line)[0] + (" * " if "/*" in m[1] else "* ")
            nxt = lines[i + 1] if i + 1 < len(lines) else ""
            is_prose = re.match(r"^\s*\* \S", nxt) and not re.search(r"\(\d+[a-z]?\)\s*(\*/)?$", line)
            if not end and is_prose:
                lead = re.match(r"^\s*\* ", nxt)[0]
                lines[i] = head; lines[i + 1] = lead + tail + " " + nxt[len(lead):]
            else:
                lines[i] = head; lines.insert(i + 1, star + tail)
            continue
        i += 1
    return "\n".join(lines)
for p in list(texts):
    if C.search(p) and texts[p] != before.get(p): texts[p] = rewrap(p, texts[p])

long_lines = {}
changed = 0
for p, t in texts.items():
    if t != before[p]: (root / p).write_text(t, encoding="utf-8"); changed += 1
for p, t in texts.items():
    if not C.search(p) or t == before[p]: continue
    while True:  # statements that became too long
        long = [i for i, l in enumerate((root / p).read_text().split("\n"), 1) if len(l) > 100]
        if not long: break
        seen = (root / p).read_text()
        subprocess.run(["clang-format", "--style=file", "-i", *[f"--lines={i}:{i}" for i in long], p], check=True, cwd=root)
        if (root / p).read_text() == seen: break
for p in {o.rsplit("/", 1)[0] for o, _ in done}:
    folder = root / p
    if folder.is_dir() and not any(folder.iterdir()): folder.rmdir()
git("add", "-A", "--", *[p for p in texts if texts[p] != before[p]]) if changed else None
print(f"rename.sh: {len(done)} files moved, {changed} changed")
PY
