"""Every table and figure of the five papers: where it is, and what came of it. test_reproduction counts them."""

# Verdicts. A row that is both says so in words.
YES, NO, OPEN, NONE = "reproduced", "refuted", "not decidable", "nothing to compute"

# paper: (tables or figures, page, verdict, why)
ROWS = {
    "HHT": [
        ("Fig. 1", "figures", NONE, "picture of the belt; ours has its counts ([guide](../guide/machines.md))"),
        ("Fig. 2", "figures", OPEN, "reaction of the alternator: data of the belt are not published; our curve"),
        ("Fig. 3", "figures", YES, "below 3 % between the integrators: ours 1.2 %"),
        ("Fig. 4", "figures", OPEN, "speed of the alternator: data of the belt are not published; our curve"),
        ("Fig. 5", "figures", YES, "below 1 % between the integrators: ours 0.015 %"),
        ("Fig. 6", "figures", NONE, "picture of the track"),
        ("Fig. 7", "figures", OPEN, "shoe 8: data of the track are not published, no number is printed; our curves of both "
                                    "integrators lie on each other but for single spikes, as it says of its own"),
        ("Fig. 8", "figures", NONE, "picture of the vehicle"),
        ("Fig. 9", "figures", OPEN, "right rear ball joint: data are not published; our curves of both integrators agree"),
        ("Fig. 10", "figures", OPEN, "pitching of the engine: data are not published; our curve"),
        ("Fig. 11", "figures", YES, "below 1.6 % between the integrators: ours 0.016 %"),
        ("Table 1", "figures", YES, "the same ten nodes by both integrators, within 0.5 % (ours 0.007 %); the stresses "
                                           "themselves are those of an unpublished frame"),
    ],
    "CRANK": [
        ("Fig. 19.1", "crank", NONE, "sketch"),
        ("Figs. 19.2-19.4", "crank", YES, "curves, and their numbers where the text has some"),
        ("Figs. 19.5-19.8", "crank", OPEN, "times of other codes on another machine; ours in the same axes"),
        ("Table 19.1", "crank", OPEN, "failures of codes that we do not have; ours have none"),
        ("Table 19.2", "crank", YES, "9.9 digits, with the paper's value of pi and offset of x3"),
        ("Table 19.3", "crank", OPEN, "characteristics of other codes; ours and IDA in the same columns"),
    ],
    "ALPHA": [
        ("Fig. 1", "alpha", NONE, "sketch"),
        ("Figs. 2, 3", "alpha", YES, "with our choice of the step and rho that are not printed"),
        ("Figs. 4, 5", "alpha", YES, "curves of both forms"),
        ("Table 1", "alpha", NO, "both iterations have one root, so that energies cannot differ by form; no factor of two in "
                                 "the last row"),
        ("Fig. 6", "alpha", NONE, "sketch"),
        ("Table 2", "alpha", NO, "limits of steps differ by 1.4 or not at all, not by two, and not with the tolerance"),
        ("Figs. 7-11", "alpha", YES, "with our choice of what is not printed"),
        ("Fig. 12", "alpha", NO, "both forms have one root and the same energy to 3e-11 J"),
    ],
    "OSC": [
        ("Figs. 1, 3, 5", "osc", YES, "motions"),
        ("Figs. 2, 4, 6", "osc", YES, "fast pairs 1/e; pairs that depend on coordinates agree with an independent program"),
        ("Table 1", "osc", NO, "no convergence failures in any form, so that CM gains nothing"),
        ("Table 2", "osc", NO, "the same; the 20 steps of CM are fewer than its own error test allows"),
        ("Fig. 7", "osc", NO, "all forms take the same steps"),
    ],
    "TDG": [
        ("Figs. 1-4", "tdg", YES, "steps within 1 and 4 %, cost within 3 %"),
        ("Fig. 5", "tdg", NONE, "sketch"),
        ("Fig. 6", "tdg", YES, "energy error within its tolerance"),
        ("Fig. 7", "tdg", NO, "the first steps go up to 0.1 s, not to 0.2 s, from any first step tried; the rest agrees"),
        ("Fig. 8", "tdg", NO, "largest deflection agrees, the swing after the load is 0.024 m and not 0.15 m with the data printed"),
        ("Fig. 9", "tdg", OPEN, "no numbers; our curve"),
        ("Fig. 10", "tdg", YES, "frequencies up to 600 Hz; the fourth mode is damped by the step, as it says"),
        ("Fig. 11", "tdg", NO, "0.4 % of the energy is lost and not 20 %, which no step explains"),
        ("Fig. 12", "tdg", NO, "steps of 0.5 to 1.2 ms, its own go down to 0.2 ms as more energy is lost"),
    ],
}


def lines():
    out = ["| paper | table or figure | page | verdict | |", "|---|---|---|---|---|"]
    for paper, rows in ROWS.items():
        out += [f"| [{paper}] | {what} | [{page}.md]({page}.md) | {verdict} | {why} |"
                for what, page, verdict, why in rows]
    return out
