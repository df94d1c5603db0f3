/* averaged_modes.h - fast modes of flexible bodies and beams for the integrator `smooth`. */
#ifndef TRMI_AVERAGED_MODES_H
#define TRMI_AVERAGED_MODES_H
#include "elements/elements.h"

/* Add stiff deformations of all bodies and beams, after those of forces. */
void trmi_average_modes(trmi_mechanism *m);
/* beams.c: averaged mode number `mode` of a beam. */
trmi_node trmi_averaged_mode(trmi_mechanism *m, const trmi_beam_part *beam, int mode);

#endif
