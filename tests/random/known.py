"""known.py - seeds whose findings are understood and not yet mended.

Each entry has the kinds of findings that are accepted and the reason. An entry goes when its cause
is mended; none is added for a finding that nobody has looked at."""

SEEDS = {}
