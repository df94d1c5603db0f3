/* check.h - checks whether the values of a part are valid for its kind, for parts that do not come
 * from a file. */
#ifndef TRMI_PARTS_CHECK_H
#define TRMI_PARTS_CHECK_H
#include "parts/part.h"

/* Counts, ranges, words, missing keys or keys that exclude each other; complaints name the part.
 * False after one. */
bool trmi_part_check(const trmi_part *part, trmi_complaints *complaints);

#endif
