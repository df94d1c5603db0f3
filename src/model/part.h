/* part.h - asking a part of a definition for its values, with complaints where they do not fit. */
#ifndef TRMI_PART_H
#define TRMI_PART_H
#include "model/parameters.h"

/* A value by its path, or NULL. */
const trmi_value_def *trmi_part_find(const trmi_part_def *part, const char *path);

/* Is there a value of this path or below it? */
bool trmi_part_has(const trmi_part_def *part, const char *path);

/* A word or name, or NULL. */
const char *trmi_part_word(const trmi_part_def *part, const char *path);

/* Place of a value, or of the part itself if it is not given. */
trmi_place trmi_part_place(const trmi_part_def *part, const char *path);

/* Texts of a value: exactly `count` of them, else a complaint and NULL; NULL as well if the value
 * is not given. */
const trmi_text *trmi_part_texts(trmi_parameters *p, const trmi_part_def *part, const char *path,
                                 int count);

/* Numbers of a value, exactly `count`; `unit` is what they measure, "m", NULL: anything. False: not
 * given, `out` is untouched then; or after a complaint. */
bool trmi_part_numbers(trmi_parameters *p, const trmi_part_def *part, const char *path,
                       const char *unit, int count, double *out);

/* One number, or `otherwise` where it is not given. */
double trmi_part_number(trmi_parameters *p, const trmi_part_def *part, const char *path,
                        const char *unit, double otherwise);

#endif
