/* run_options.h - options of a run as text, and back: for run files.
 *
 * Names are those of the command line without the dashes; numbers have as many
 * digits as they need to come back to the same bits. Options at their default of
 * zero are left out. */
#ifndef TRMI_RUN_OPTIONS_H
#define TRMI_RUN_OPTIONS_H
#include "io/run_format.h"
#include "trammel/sim.h"

enum { TRMI_OPTION_TEXTS = 64 }; /* more than there are options */

typedef struct trmi_option_text {
  char name[TRMI_WORD_MAX];
  char value[TRMI_VALUE_MAX];
} trmi_option_text;

/* Returns how many were written, at most TRMI_OPTION_TEXTS. */
int trmi_options_write(const trm_options *options, trmi_option_text texts[TRMI_OPTION_TEXTS]);

/* Set one option from its text; words are not copied. False if there is no such
 * option or the text is not its value. */
bool trmi_options_read(trm_options *options, const char *name, const char *value);

/* True: another value leads to other steps; false: only to other samples (or, for
 * the end, to a longer run). */
bool trmi_options_shape_steps(const char *name);

/* A number as short as it can be without changing: "0.1". */
void trmi_number_text(double number, char *text, size_t size);

#endif
