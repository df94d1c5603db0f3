/* check.h - are the values of a part what its kind asks for? For parts that come from no file. */
#ifndef TRMI_PARTS_CHECK_H
#define TRMI_PARTS_CHECK_H
#include "parts/part.h"

/* Counts, ranges, words, keys that are missing or exclude each other; complaints name the part.
 * False after one. */
bool trmi_part_check(const trmi_part *part, trmi_complaints *complaints);

#endif
