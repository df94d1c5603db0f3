/* trammel.h - everything a program needs. */
#ifndef TRM_TRAMMEL_H
#define TRM_TRAMMEL_H
#include "trammel/analysis.h"
#include "trammel/api.h"
#include "trammel/doctor.h"
#include "trammel/memory.h"
#include "trammel/model.h"
#include "trammel/problems.h"
#include "trammel/sim.h"
#include "trammel/status.h"
#include "trammel/system.h"

#endif
