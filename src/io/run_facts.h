/* run_facts.h - the fixed contents of a run file: the model, options and names of columns. */
#ifndef TRMI_RUN_FACTS_H
#define TRMI_RUN_FACTS_H
#include "io/columns.h"
#include "io/run_sink.h"
#include <hdf5.h>

/* Write all of it. */
bool trmi_run_facts_write(hid_t h5, const trm_run_facts *facts, const trm_system *system,
                          const trm_options *options, const trmi_columns *columns,
                          trmi_arena *arena);

/* A scalar to be overwritten at the end: its address goes to *address. `size` is that of a text, 0:
 * `type` is used. */
bool trmi_run_place(hid_t h5, const char *name, hid_t type, size_t size, hsize_t count,
                    const void *data, haddr_t *address);

/* A text of fixed size, padded with zeros; the last byte is always zero. */
void trmi_text_set(char *to, size_t size, const char *from);

#endif
