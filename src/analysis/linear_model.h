/* linear_model.h - functions shared by the parts of the linear model. */
#ifndef TRMI_LINEAR_MODEL_H
#define TRMI_LINEAR_MODEL_H
#include "system/system.h"
#include "trammel/analysis.h"

const trm_system *trmi_linear_model_system(const trm_linear_model *m);
const trm_allocator *trmi_linear_model_allocator(const trm_linear_model *m);

#endif
