/* model_units.h - the units of a model by their names. */
#ifndef TRMI_MODEL_UNITS_H
#define TRMI_MODEL_UNITS_H
#include "expr/units.h"
#include "trammel/system.h"

/* Names as trm_system_ops.units gives them: length, mass, time, force, and of what is made of them
 * only those that cannot be put together. */
void trmi_units_name(const trmi_units *units, trm_unit_names *names);

#endif
