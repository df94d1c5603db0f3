/* trammel.h - includes all public headers. Functions of model.h, run_file.h, columns.h, explain.h,
 * export.h, page.h, plot.h and schema.h are in libtrammel-io, all others in libtrammel. */
#ifndef TRM_TRAMMEL_H
#define TRM_TRAMMEL_H
#include "trammel/analysis.h"
#include "trammel/api.h"
#include "trammel/columns.h"
#include "trammel/doctor.h"
#include "trammel/explain.h"
#include "trammel/export.h"
#include "trammel/flexible.h"
#include "trammel/mechanism.h"
#include "trammel/memory.h"
#include "trammel/methods.h"
#include "trammel/model.h"
#include "trammel/nearest.h"
#include "trammel/page.h"
#include "trammel/parts.h"
#include "trammel/plot.h"
#include "trammel/problems.h"
#include "trammel/run_file.h"
#include "trammel/schema.h"
#include "trammel/sim.h"
#include "trammel/spectrum.h"
#include "trammel/status.h"
#include "trammel/stress.h"
#include "trammel/system.h"
#include "trammel/threads.h"
#include "trammel/units.h"
#include "trammel/values.h"

#endif
