"""The papers' own numbers, as printed, and figures of our prototypes, marked as such."""

# ---- [HHT]: no table of a model that is published; (26) and C are formulas --------------------

# pendulum of [TDG] 5.1, 10 s, adaptive: a prototype of the method (not in any paper):
# tolerance: steps, largest error of position [m], of the multiplier
PENDULUM_PROTOTYPE = {
    1e-3: (190, 0.15, 6.4), 1e-4: (404, 3.9e-2, 1.7), 1e-5: (858, 9.0e-3, 0.40),
    1e-6: (1838, 2.0e-3, 8.9e-2), 1e-7: (3946, 4.5e-4, 2.0e-2), 1e-8: (8487, 1.0e-4, 4.4e-3),
}

# ---- [CRANK] -----------------------------------------------------------------------------------

# Table II.19.1: solver: (m that failed, reason); tolerance 10^-(4 + m/4)
CRANK_FAILED = [
    ("MEBDFDAE", "19..24", "stepsize too small"),
    ("MEBDFI", "21..24", "stepsize too small"),
    ("PSIDE-1", "17..24", "iteration matrix singular"),
    ("RADAU", "24", "core dump / overflow in decomposition"),
    ("RADAU5", "24", "core dump / overflow in decomposition"),
]

# Table II.19.2: reference solution at 0.1 s, y1..y24
CRANK_END = [
    1.500000000000104e1, -3.311734988256260e-1, 1.697373328427860e-1, 1.893192899613509e-4,
    2.375751249879174e-5, -5.323896770569702e-6, -8.363313279112129e-6, 1.500000000000000e2,
    6.025346755138369e1, -8.753116326670527e0, -3.005541400289738e-2, -5.500431812571696e-3,
    4.974111734266989e-4, 1.105560003626645e-3, 0.0, 6.488737541276957e3,
    2.167938629509884e3, 3.391137060286523e1, 1.715134772216488e-1, -1.422449408912512e0,
    1.003946428124810e0, -6.232935833287916e1, -1.637920993367306e2, 2.529857947066878e1,
]

# Table II.19.3: solver, tolerance, mescd, scd, steps, accepted, f, Jac, LU, CPU [s]
CRANK_RUNS = [
    ("BIMD", 1e-4, 0.23, 2.50, 102, 102, 1762, 102, 102, 0.0420),
    ("BIMD", 1e-6, 0.39, 3.38, 1155, 1155, 22548, 1155, 1155, 0.5144),
    ("BIMD", 1e-8, 2.50, 5.49, 992, 992, 35662, 992, 992, 0.7086),
    ("GAMD", 1e-4, 0.23, 2.28, 60, 60, 1983, 60, 60, 0.0342),
    ("GAMD", 1e-6, -0.16, 2.83, 534, 527, 25206, 527, 534, 0.4089),
    ("GAMD", 1e-8, 1.70, 4.69, 650, 650, 46109, 650, 650, 0.7271),
    ("MEBDFI", 1e-4, 0.22, 1.49, 250, 242, 1593, 28, 28, 0.0176),
    ("MEBDFI", 1e-6, 0.03, 3.03, 3328, 3324, 15099, 170, 170, 0.2011),
    ("MEBDFI", 1e-8, 2.72, 5.71, 6316, 6315, 28395, 313, 313, 0.3845),
    ("PSIDE-1", 1e-4, -0.05, 0.93, 45, 41, 858, 29, 180, 0.0234),
    ("PSIDE-1", 1e-6, 0.16, 2.43, 259, 235, 5020, 147, 888, 0.1298),
    ("PSIDE-1", 1e-8, 1.66, 4.66, 1639, 1445, 31526, 54, 2324, 0.6412),
    ("RADAU", 1e-4, 0.20, 1.90, 104, 92, 717, 89, 104, 0.0224),
    ("RADAU", 1e-6, 0.14, 2.89, 132, 131, 3367, 123, 131, 0.0654),
    ("RADAU", 1e-8, 1.65, 4.65, 420, 419, 10589, 397, 414, 0.2089),
]

# start, section 19.2: x3 and q4; data of the rod and the block, section 19.2.2
CRANK_X3, CRANK_Q4, CRANK_L1, CRANK_L2 = 0.450016933, 0.169327969e-4, 0.15, 0.30
CRANK_YOUNG, CRANK_DENSITY, CRANK_SIDE, CRANK_M3 = 2e11, 7870.0, 0.008, 0.075552
CRANK_FREQUENCIES = [1277, 5107, 6841, 24613]  # [rad/s], section 19.3
CRANK_MDOP5_STEPS = 2260                       # atol 1e-6, rtol 1e-5, section 19.4

# ---- [ALPHA] -----------------------------------------------------------------------------------

ALPHA_RHOS = (1, 0.75, 0.5, 0.25, 0)

# unit pendulum, T = 2, 320 steps: errors of q, v, lam at the end, generalized-alpha; a prototype
ALPHA_ERRORS_PROTOTYPE = {
    1: (1.21e-5, 2.68e-5, 2.98e-5), 0.75: (1.33e-5, 2.98e-5, 3.34e-5),
    0.5: (1.84e-5, 4.31e-5, 4.92e-5), 0: (6.75e-5, 1.72e-4, 2.04e-4),
}

# stiff spring, energy at 5 s, 5 at the start, by h and ALPHA_RHOS; a prototype: the paper has curves
SPRING_PROTOTYPE = {
    1e-3: (5.00001, 4.99992, 4.99897, 4.99425, 4.97420),
    5e-3: (5.00057, 4.99126, 4.88712, 4.39307, 2.82984),
    1e-2: (5.00436, 4.93441, 4.20184, 1.95677, 0.12988),
    2e-2: (4.98849, 4.49490, 1.57812, 0.01614, -0.00336),
    5e-2: (4.94973, 1.98318, -0.00979, -0.00470, -0.00905),
}

# Table 1: final over initial energy of the bushing by steps: (cm, index2) for rho 0, 1/2, 3/4
BUSHING_RHOS = (0, 0.5, 0.75)
BUSHING_ENERGY = {
    200: ((0.10, 0.15), (0.35, 0.56), (0.76, 0.90)),
    500: ((0.24, 0.30), (0.40, 0.65), (0.81, 0.93)),
    1200: ((0.30, 0.41), (0.51, 0.76), (0.89, 0.96)),
}
# last row: fewest steps without failure, tolerance 1e-7: (cm, index2) for rho 0, 1/2, 3/4
BUSHING_STEPS = ((40, 100), (70, 150), (80, 175))

# Table 2: fewest steps in 1 s, rho 3/4, by Newton tolerance: (cm, index2)
CRANK_STEPS = {1e-5: (100, 175), 1e-7: (250, 500), 1e-9: (400, 800)}

# slider crank with 4 Hermite elements; a prototype: the paper has curves
HERMITE_PROTOTYPE = {"E(0.3) [J]": 0.321311, "phi1(0.3)": 1.606556, "phi1(1)": 8.988394,
                     "phi2(1)": -0.212938}

# ---- [TDG] -------------------------------------------------------------------------------------

TDG_DAMPING, TDG_PERIOD = 1 / 72, 1 / 270      # zeta/(omega h)^3, dT/T/(omega h)^4, section 5.1
TDG_PENDULUM_STEPS = {1e-5: 4341, 1e-4: 2195}  # adaptive, 50 s; 10000 steps fixed
TDG_PENDULUM_COST = {1e-5: 0.57, 1e-4: 0.36}   # of the time of the fixed steps
TDG_FIXED_STEPS = 10000
TDG_ERROR_PROTOTYPE = 4.13e-5                  # position at t = 10, h = .01; a prototype
TDG_STEPS_PROTOTYPE = {1e-5: 4375, 1e-4: 2269}

# cantilever, section 5.3: length [m], "oscillate between +-0.15 m", "around 20 %" of the energy lost in the last 0.5 s
TDG_LENGTH, TDG_SWING, TDG_LOSS = 2.4, 0.15, 0.20
TDG_BEAM_STEP = 2e-4                           # [s], smallest of Fig. 12
# a prototype: largest deflection and swing [m], loss with steps of 5e-4 s, peaks of the spectrum [Hz]
TDG_TIP_PROTOTYPE, TDG_SWING_PROTOTYPE, TDG_LOSS_PROTOTYPE = 0.927, 0.0241, 0.0040
TDG_PEAKS_PROTOTYPE = (19.2, 118, 325, 620)

# ---- [OSC] -----------------------------------------------------------------------------------

# steps, function evaluations, Jacobians, error failures, convergence failures
OSC_TABLE_1 = {
    ("CS", 1e-3): (62, 156, 48, 0, 13), ("CM", 1e-3): (62, 156, 48, 0, 13), ("LM", 1e-3): (62, 154, 48, 0, 13),
    ("LG", 1e-3): (59, 141, 46, 0, 12),
    ("CS", 1e-4): (77, 193, 65, 1, 16), ("CM", 1e-4): (77, 193, 65, 1, 16), ("LG", 1e-4): (61, 136, 27, 1, 5),
    ("LM", 1e-4): (77, 193, 65, 1, 16),
    ("CS", 1e-5): (87, 215, 54, 0, 13), ("CM", 1e-5): (87, 215, 54, 0, 13), ("LG", 1e-5): (108, 259, 77, 1, 21),
    ("LM", 1e-5): (87, 215, 54, 0, 13),
    ("CS", 1e-6): (138, 343, 97, 1, 25), ("CM", 1e-6): (138, 343, 97, 1, 25), ("LG", 1e-6): (131, 308, 65, 0, 16),
    ("LM", 1e-6): (138, 343, 97, 1, 25),
}
OSC_TABLE_2 = {("CS", 1e-4): (2252, 4901, 3361, 1, 1120), ("CM", 1e-4): (20, 40, 7, 0, 0),
               ("LG", 1e-4): (5267, 10536, 7899, 0, 2633), ("LM", 1e-4): (2251, 4900, 3360, 1, 1120)}
OSC_EIGENVALUES_PROTOTYPE = {
    ("Cartesian", 1e-3): "31.62; 10.21, 9.41", ("polar", 1e-3): "31.62-31.75; 5.99, 1.04",
    ("Cartesian", 1e-5): "316.23; 102.1, 92.9", ("polar", 1e-5): "316.23; 60.0, 1.05",
}
OSC_BUSHING_PROTOTYPE = "19.3-34.3, 100.00, 112.24-113.28"
OSC_SMOOTH_PENDULUM_PROTOTYPE = {1e-3: "160, 7e-4; 4394", 1e-5: "160, 1.0e-3; 43 538", 1e-7: "160, 1.0e-3; 434 906"}
OSC_SMOOTH_ROD_PROTOTYPE = {1e4: "480, 2.2e-3; 9350", 1e6: "480, 5.7e-5; 95 186", 1e8: "480, 5.8e-5; 932 666"}
OSC_SMOOTH_BUSHING_PROTOTYPE = {0.01: "4 %", 0.03: "12 %", 0.1: "42 %"}
