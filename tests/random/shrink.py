"""shrink.py - make a mechanism smaller as long as it still has a finding of the same kind."""

import copy

from checks import Study


def refers(node, names):
    """Does a part of the model name one of these?"""
    if isinstance(node, str):
        words = node.replace("(", " ").replace(")", " ").replace(",", " ").replace("*", " ").split()
        return any(w.split(".")[0] in names for w in words)
    if isinstance(node, dict):
        return any(refers(v, names) for v in node.values())
    if isinstance(node, (list, tuple)):
        return any(refers(v, names) for v in node)
    return False


def without(mechanism, section, name):
    """A copy without one part and all that needs it."""
    other = copy.copy(mechanism)
    other.sections = {k: dict(v) if isinstance(v, dict) else v
                      for k, v in mechanism.sections.items()}
    del other.sections[section][name]
    gone = {name}
    while gone:
        names, gone = gone, set()
        for key in ("joints", "motions", "forces", "contacts", "equations", "outputs"):
            for part in list(other.sections.get(key, {})):
                if refers(other.sections[key][part], names) and part != "ground":
                    del other.sections[key][part]
                    gone.add(part)
    if section in ("bodies", "beams"):
        other.order = [n for n in mechanism.order if n != name]
    return other


def trimmed(mechanism, name, key):
    """A copy whose joint or force has one key less."""
    section = "joints" if name in mechanism.sections["joints"] else "forces"
    other = copy.copy(mechanism)
    other.sections = dict(mechanism.sections)
    part = {k: v for k, v in other.sections[section][name].items() if k != key}
    other.sections[section] = other.sections[section] | {name: part}
    return other


def smaller(mechanism):
    for section in ("bodies", "beams", "joints", "motions", "forces", "contacts", "equations",
                    "outputs", "tables"):
        for name in list(mechanism.sections.get(section, {})):
            if name != "ground":
                yield without(mechanism, section, name)
    for section in ("joints", "forces"):
        for name, part in mechanism.sections[section].items():
            for key in ("limits", "friction", "damping", "value"):
                if key in part:
                    yield trimmed(mechanism, name, key)


def smallest(runner, mechanism, finding):
    """The finding must stay of its kind, with the same method, solver or variant."""
    kind, word = finding[0], finding[1].split(":")[0]

    def fails(m):
        study = Study(runner, m)
        study.start = lambda: []   # freedoms are no longer known
        return any(k == kind and w.startswith(word) for k, w in study.all())
    going_on = True
    while going_on:
        going_on = False
        for candidate in smaller(mechanism):
            if fails(candidate):
                mechanism, going_on = candidate, True
                break
    return mechanism
