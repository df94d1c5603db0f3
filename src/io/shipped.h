/* shipped.h - model files inside the library; the build creates the table from models/. */
#ifndef TRMI_SHIPPED_H
#define TRMI_SHIPPED_H
#include "trammel/model.h"

extern const trm_shipped_model trmi_shipped_models[]; /* by name, then one without name */
extern const int               trmi_shipped_model_count;

#endif
