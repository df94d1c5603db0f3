/* run_modes.c - modal coordinates of flexible bodies in a run file.
 *
 * A run keeps coordinates of modes, not their shapes, so the mesh must be that of the run. Scales
 * of modal rates are 1 mm over the largest displacement of a mode: they distinguish modes of one
 * mesh from those of another. Stress also needs the values of heat, which runs record with
 * loads. */
#include "core/fail.h"
#include "trammel/flexible.h"
#include "trammel/run_file.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int find(const trm_run *run, const char *group, const char *body, const char *name) {
  char text[128];
  trm_error ignored;
  int signal = -1;
  snprintf(text, sizeof text, "%.20s/%.48s.%.48s", group, body, name);
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

trm_status trm_run_find_amplitudes(const trm_run *run, const trm_system *system, int body,
                                   trm_run_amplitudes *amplitudes, trm_error *err) {
  TRMI_NEED(err, run, system, amplitudes);
  const trm_flexible_info info = trm_flexible_at(system, body);
  trm_run_amplitudes found = {.mode = -1, .modes = info.modes, .heat = -1, .columns = info.modes};
  TRMI_TRY(err, trm_run_find_modes(run, system, body, &found.mode, err));
  for (int k = 0; k < info.loads; k++) {
    const trm_flexible_load load = trm_flexible_load_at(system, body, k);
    if (!load.is_heat) continue;
    const int signal = find(run, "loads", info.name, load.name);
    if (found.heat < 0) found.heat = signal;
    if (signal < 0 || signal != found.heat + found.columns - found.modes) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the run does not have the temperature '%.60s' of "
                       "body '%.60s': run it again", load.name, info.name);
    }
    found.columns++;
  }
  *amplitudes = found;
  return TRM_OK;
}

trm_status trm_run_read_amplitudes(trm_run *run, const trm_run_amplitudes *amplitudes, long first,
                                   long count, double *a, trm_error *err) {
  TRMI_NEED(err, run, amplitudes, a);
  const size_t n = (size_t)amplitudes->modes, columns = (size_t)amplitudes->columns;
  TRMI_TRY(err, trm_run_read_block(run, amplitudes->mode, amplitudes->modes, first, count, a, err));
  if (columns == n) return TRM_OK;
  for (long i = count - 1; i >= 0; i--) { /* move rows apart, last row first */
    memmove(a + (size_t)i * columns, a + (size_t)i * n, n * sizeof *a);
  }
  for (long i = 0; i < count; i++) {
    TRMI_TRY(err, trm_run_read_block(run, amplitudes->heat, (int)(columns - n), first + i, 1,
                                     a + (size_t)i * columns + n, err));
  }
  return TRM_OK;
}
