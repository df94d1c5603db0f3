/* part_values.h - numbers of parts from their texts, which may contain parameters. */
#ifndef TRMI_PART_VALUES_H
#define TRMI_PART_VALUES_H
#include "parts/parameters.h"

/* The number of a text with the unit and within the range of its field, and the dimension it was
 * written with; that is tested by the caller where the field has two. False after a complaint. */
bool trmi_part_value_read(trmi_parameters *parameters, const trmi_field *field,
                          const trmi_text *text, double *number, trmi_dimension *dimension);

/* Has a table as many x as y, at least two, and do its x ascend? False after a complaint.
 * @param places  of each x; NULL: those of its texts */
bool trmi_table_check(const trmi_part *table, const trmi_place *places,
                      trmi_complaints *complaints);

/* All numbers of all parts of a definition that have texts. Complaints name the part. */
void trmi_part_values_read(trmi_definition *def, trmi_parameters *parameters);

#endif
