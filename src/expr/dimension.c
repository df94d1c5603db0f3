/* dimension.c - checks the dimension of a text. */
#include "expr/parse.h"

bool trmi_check_dimension(trmi_complaints *complaints, const trmi_units *units,
                          const trmi_text *text, trmi_dimension is, trmi_dimension should) {
  char is_text[40], should_text[40];
  const bool agrees = trmi_dimension_agrees(is, should);
  if (agrees && !trmi_dimension_mixes(units, is, should)) return true;
  trmi_dimension_print(is, is_text, sizeof is_text);
  trmi_dimension_print(should, should_text, sizeof should_text);
  if (agrees) {
    trmi_complain(complaints, trmi_text_place(text, 0),
                  "the value has the dimension %s, not %s, and in the units of this model a mass "
                  "times an acceleration is %.6g forces", is_text, should_text,
                  trmi_units_inertia(units));
  } else {
    trmi_complain(complaints, trmi_text_place(text, 0),
                  "the value has the dimension %s, not %s", is_text, should_text);
  }
  return false;
}
