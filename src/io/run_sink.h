/* run_sink.h - access of tests to a recording of trammel/run_file.h. */
#ifndef TRMI_RUN_SINK_H
#define TRMI_RUN_SINK_H
#include "trammel/run_file.h"

/* Calls of write so far. */
long trmi_run_sink_writes(const trm_run_sink *sink);

#endif
