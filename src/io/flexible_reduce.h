/* flexible_reduce.h - reads a mesh file and reduces it to a flexible body, for the loader. */
#ifndef TRMI_FLEXIBLE_REDUCE_H
#define TRMI_FLEXIBLE_REDUCE_H
#include "io/file_loader.h"

/* As trmi_loader.reduce. */
const trmi_flexible_body *trmi_flexible_reduce(const trmi_flexible_def *def, trmi_arena *arena,
                                               char fault[TRMI_FLEXIBLE_FAULT]);

#endif
