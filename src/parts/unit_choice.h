/* unit_choice.h - which units a model has chosen. */
#ifndef TRMI_UNIT_CHOICE_H
#define TRMI_UNIT_CHOICE_H
#include "expr/parse.h"

typedef struct trmi_unit_choice {
  double size[4]; /* length, mass, time, force, in SI */
  bool   is_given[4];
} trmi_unit_choice;

/* "length", "mass", "time", "force" by number; NULL after the last. */
const char *trmi_units_part(int i);

/* SI, unless it is changed; then the units that were chosen. */
trmi_unit_choice trmi_units_begin(void);
trmi_units       trmi_units_end(const trmi_unit_choice *choice);

/* The unit of part i, or a whole set, "N-kg-ms-mm". Complaints where it does not fit. */
void trmi_units_take(trmi_unit_choice *choice, int i, const trmi_text *text,
                     trmi_complaints *complaints);
void trmi_units_take_set(trmi_unit_choice *choice, const trmi_text *text,
                         trmi_complaints *complaints);

#endif
