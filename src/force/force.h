/* force.h - the registry of forces. A force makes nodes: what it does to bodies, from measures of
 * them (mechanism/mechanism.h); all derivatives follow. */
#ifndef TRMI_FORCE_H
#define TRMI_FORCE_H
#include "mechanism/mechanism.h"

typedef struct trmi_force_type {
  const char *name;
  const char *meaning; /* one sentence for the reference              */
  const char *keys;    /* it may have, beside `type`: "marker|force"  */
  void (*build)(trmi_mechanism *m, const trmi_part_def *part);
} trmi_force_type;

/* Type number i, or NULL after the last. */
const trmi_force_type *trmi_force_type_at(int i);

/* One for each file. */
extern const trmi_force_type trmi_force_force, trmi_force_spring;

#endif
