/* cmd_spectrum.c - damping, period error and spectral radius of an integrator. */
#include "trammel/analysis.h"
#include "commands.h"
#include "json_out.h"
#include <math.h>

static void put_row(json_t *rows, const trm_amplification *a) {
  json_t *row = json_object();
  json_array_append_new(rows, row);
  app_json_put(row, "omega_h", app_json_number(a->omega_h));
  app_json_put(row, "spectral_radius", app_json_number(a->spectral_radius));
  app_json_put(row, "damping", app_json_number(a->damping));
  app_json_put(row, "period_error", app_json_number(a->period_error));
}

/* Two blanks and a column; unknown values are shown as a dash. */
static void print_small(double x) {
  if (isnan(x)) printf("  %12s", "-");
  else printf("  %12.4e", x);
}

static void print_row(const trm_amplification *a) {
  const double radius = a->spectral_radius;
  printf("%10.4g  ", a->omega_h);
  if (!isfinite(radius)) printf("%15s", "unstable");
  else printf(radius < 1e4 ? "%15.10f" : "%15.8e", radius);
  print_small(a->damping);
  print_small(a->period_error);
  puts("");
}

trm_status app_spectrum(const app_options *options, trm_error *err) {
  static const double usual[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1e3, 1e4, 1e5};
  const bool is_given = options->given[APP_OPT_OMEGA];
  const double *omegas = is_given ? options->tolerances : usual;
  const int count = is_given ? options->ntolerances : (int)(sizeof usual / sizeof *usual);
  json_t *root = json_object(), *rows = json_array();
  app_json_put(root, "rows", rows);
  trm_status status = TRM_OK;
  for (int i = 0; i < count && status == TRM_OK; i++) {
    trm_amplification a;
    status = trm_amplification_find(&options->sim, omegas[i], &a, err);
    if (status != TRM_OK) break;
    if (i == 0 && !options->json) puts("   omega h  spectral radius       damping  period error");
    if (options->json) put_row(rows, &a);
    else print_row(&a);
  }
  if (status == TRM_OK && options->json) return app_json_print(root, err);
  json_decref(root);
  return status;
}
