/* run_options.h - numbers as text, for the options in run files (trammel/run_file.h). */
#ifndef TRMI_RUN_OPTIONS_H
#define TRMI_RUN_OPTIONS_H
#include "trammel/run_file.h"

/* A number as short as it can be without changing: "0.1". */
void trmi_number_text(double number, char *text, size_t size);

#endif
