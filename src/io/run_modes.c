/* run_modes.c - modal coordinates of flexible bodies in a run file.
 *
 * A run keeps coordinates of modes, not their shapes, so the mesh must be that of the run. Scales
 * of modal rates are 1 mm over the largest displacement of a mode: they tell modes of one mesh from
 * those of another. */
#include "core/fail.h"
#include "trammel/flexible.h"
#include "trammel/run_file.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int find(const trm_run *run, const char *group, const char *body, const char *name) {
  char text[TRM_COLUMN_MAX];
  trm_error ignored;
  int signal = -1;
  snprintf(text, sizeof text, "%.20s/%.48s.%.20s", group, body, name);
  return trm_run_find(run, text, &signal, &ignored) == TRM_OK ? signal : -1;
}

static bool has_same_scales(const trm_run *run, const trm_system *system,
                            const trm_flexible_info *info) {
  char name[TRM_COLUMN_MAX];
  const int signal = find(run, "velocities", info->name, "rate1");
  snprintf(name, sizeof name, "%.60s.rate1", info->name);
  const int first = trm_system_find(system, TRM_V, name);
  if (signal < 0 || first < 0 || signal + info->modes > trm_run_info_of(run)->nsignals ||
      first + info->modes > trm_system_count(system, TRM_V)) {
    return false;
  }
  for (int k = 0; k < info->modes; k++) {
    trm_label label;
    trm_system_label(system, TRM_V, first + k, &label);
    const double scale = trm_run_signal(run, signal + k)->scale;
    if (!(fabs(scale - label.scale) <= 1e-6 * label.scale)) return false;
  }
  return true;
}

trm_status trm_run_find_modes(const trm_run *run, const trm_system *system, int body, int *signal,
                              trm_error *err) {
  TRMI_NEED(err, run, system, signal);
  const trm_flexible_info info = trm_flexible_at(system, body);
  char name[32];
  if (info.name == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no flexible body %d", body);
  }
  snprintf(name, sizeof name, "mode%d", info.modes);
  *signal = find(run, "coordinates", info.name, "mode1");
  const int last = find(run, "coordinates", info.name, name);
  snprintf(name, sizeof name, "mode%d", info.modes + 1);
  const bool has_more = find(run, "coordinates", info.name, name) >= 0;
  if (*signal >= 0 && last == *signal + info.modes - 1 && !has_more &&
      has_same_scales(run, system, &info)) {
    return TRM_OK;
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run does not have the %d modes that body '%.60s' "
                   "has now: did its mesh change? Run it again", info.modes, info.name);
}
