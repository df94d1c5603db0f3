/* slopes.c - see slopes.h. A central difference of fourth order,
 *   (8 (h(e) - h(-e)) - (h(2e) - h(-2e))) / 12 e                                           (1)
 * has the errors e^4/30 and, by rounding, 1e-16/e. The required e depends on the function: a
 * capacitance over a gap of micrometres varies over far smaller distances than a tanh over a metre.
 * So (1) is evaluated with the first step, a tenth of it, a hundredth .., until two successive
 * results agree for all functions; for each function the larger step of the best pair is used. */
#include "analysis/slopes.h"
#include <math.h>
#include <string.h>

enum { DECADES = 10 };
/* Two differences agree: relative to them, and as the rounding of the values permits. */
static const double settled = 1e-9, rounding = 1e-15;

void trmi_slopes_take(trmi_slopes *s, int n, trmi_arena *arena) {
  double **const lists[] = {&s->plus, &s->minus, &s->now, &s->before, &s->apart, &s->slope};
  s->n = n;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = TRMI_TAKE(arena, double, n + 1);
  }
}

/* (1) into s->now. */
static trm_status find_now(trmi_slopes *s, trmi_curves curves, void *self, double e,
                           trm_error *err) {
  for (int i = 0; i < s->n; i++) s->now[i] = 0.0;
  for (int far = 1; far <= 2; far++) {
    const double weight = far == 1 ? 8.0 : -1.0;
    TRMI_TRY(err, curves(self, far * e, s->plus, err));
    TRMI_TRY(err, curves(self, -far * e, s->minus, err));
    for (int i = 0; i < s->n; i++) {
      s->now[i] += weight * (s->plus[i] - s->minus[i]) / (12.0 * e);
    }
  }
  return TRM_OK;
}

/* Store the slope with ten times the step e, if the two agree better than earlier ones. Returns
 * true if all functions agree. */
static bool compare(trmi_slopes *s, double e) {
  bool is_settled = true;
  for (int i = 0; i < s->n; i++) {
    const double apart = fabs(s->now[i] - s->before[i]);
    const double size = fmax(fabs(s->plus[i]), fabs(s->minus[i]));
    if (apart < s->apart[i]) s->apart[i] = apart, s->slope[i] = s->before[i];
    is_settled = is_settled && apart <= settled * fabs(s->now[i]) + rounding * size / e;
  }
  return is_settled;
}

trm_status trmi_slopes_find(trmi_slopes *s, trmi_curves curves, void *self, double step,
                            trm_error *err) {
  bool has_before = false;
  double e = step;
  if (s->n == 0) return TRM_OK;
  for (int i = 0; i < s->n; i++) s->apart[i] = INFINITY;
  for (int k = 0; k < DECADES; k++, e *= 0.1) {
    trm_error own = {.status = TRM_OK};
    const trm_status status = find_now(s, curves, self, e, &own);
    const bool is_only_one = k + 1 == DECADES && !has_before;
    if (status > 0 && !is_only_one) continue; /* the domain may be smaller than the step */
    if (status != TRM_OK && err != NULL) *err = own;
    TRMI_TRY(err, status);
    if (has_before && compare(s, e)) break;
    if (!has_before) memcpy(s->slope, s->now, (size_t)s->n * sizeof(double));
    memcpy(s->before, s->now, (size_t)s->n * sizeof(double));
    has_before = true;
  }
  return TRM_OK;
}
