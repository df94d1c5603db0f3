"""known.py - seeds up to 1000 whose findings are understood and not yet mended.

Each entry has the kinds of findings that are accepted and the reason. An entry goes when its cause
is mended; none is added for a finding that nobody has looked at."""

SEEDS = {
    186: (("convergence",), "explicit: the load of a friction passes through zero; the kink of its "
          "size is rounded over 1e-4 of a weight, which is less than a step"),   # 8.5e-7 at 1e-7
    278: (("convergence",), "bdf: the first steps, of order 2, leave an error of the speed, which "
          "the test of positions does not see"),                # 8.7e-6 at 1e-7, 1.4e-6 at 1e-8
    508: (("convergence",), "bdf: 15 steps for a motion of 5 mm, off by 1.9 tolerances"),
    621: (("fails",), "radau at 1e-5 takes more than 20000 steps: a stop hits the light node of a "
          "beam, and bounces of two tolerances are followed one by one"),        # 2665 at 1e-7
    627: (("convergence",), "radau: the load of a friction has a sharp minimum inside a step of "
          "order 13; its error is inferred as if all of the motion were as smooth as its largest "
          "part"),                                               # 1.8e-5 at 1e-7, 2.6e-6 at 1e-8
    850: (("convergence",), "explicit: 2.0e-6 at 1e-7; as 186, a kink that a step passes over"),
}
