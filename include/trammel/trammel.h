/* trammel.h - everything a program needs. */
#ifndef TRM_TRAMMEL_H
#define TRM_TRAMMEL_H
#include "trammel/analysis.h"
#include "trammel/doctor.h"
#include "trammel/memory.h"
#include "trammel/methods.h"
#include "trammel/model.h"
#include "trammel/problems.h"
#include "trammel/sim.h"
#include "trammel/status.h"
#include "trammel/system.h"

/** Version of the library, "0.1.0". */
#define TRM_VERSION "0.1.0"

#endif
