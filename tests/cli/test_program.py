#!/usr/bin/env python3
"""test_program.py PATH_TO_TRAMMEL [CASE[.TEST]..] - the program as a user sees it:
exit codes, sentences, JSON, files. Exports are read back by Octave and meshio."""

import os
import sys
import unittest

sys.dont_write_bytecode = True  # no __pycache__ in the sources

import program
from autos import Auto
from bad_input import BadInput, Help
from beams import Beams, Sections
from cache import Cache
from doctor import Doctor, Drives, Kinematic, MassProperties
from exports import BadFiles, Explain, Export
from hostile import Ends, Hostile
from inputs import Inputs
from language import Language, Units
from linear import Diff, Linear, Sweep
from losses import SameFile, ShortKill, Signals
from matrices import Matrices
from measures import AtStatic, Measures, NamedQuantities, StepRange
from meshes import BadMeshes
from newcomer import Newcomer, Winch
from pictures import Computed, Plot, Spectrum
from rest import Modes, Static
from runs import EveryModel, Interrupt, Run, Table
from slips import Jobs, Slips
from stress import Stress
from studies import Amplification, Bench, Check, Converge, StepLimit, WithoutEffect
from verify import Verify

CASES = (Help, BadInput, Run, EveryModel, Table, Interrupt, Converge, Bench, Check,
         Doctor, Kinematic,
         Amplification, StepLimit, WithoutEffect, Static, Modes,
         Plot, Computed, Spectrum, Export, Explain, BadFiles, SameFile, Signals, ShortKill,
         Verify, Inputs, Hostile, Ends, Measures, NamedQuantities, StepRange, AtStatic,
         Linear, Sweep, Diff, Language, Units, MassProperties, Drives, Beams, Sections,
         Newcomer, Slips, Jobs, Winch, Stress, Cache, Matrices, BadMeshes, Auto)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program.PROGRAM = os.path.abspath(sys.argv[1])
    if not os.access(program.PROGRAM, os.X_OK):
        sys.exit(f"test_program: {program.PROGRAM} is not a program")
    load = unittest.defaultTestLoader
    suite = unittest.TestSuite(load.loadTestsFromTestCase(case) for case in CASES)
    if sys.argv[2:]:
        suite = load.loadTestsFromNames(sys.argv[2:], sys.modules[__name__])
    sys.exit(program.run_suite(suite))


if __name__ == "__main__":
    main()
