/* newton.c - see newton.h.
 *
 * With N the derivative at the iterate z and d the correction, N d = -F(z), a part p of d is
 * accepted if it reduces the residual in the one norm that is independent of units, that of
 * corrections:
 *   |N^-1 F(z + p d)| < |d|,    p = 1, 1/2, .. 1/64                                        (1)
 * which is the natural monotonicity test of [Deuflhard2004].
 * Corrections that no longer decrease are noise if rounding explains them. F is computed from
 * components of z that are independently rounded to eps |z|, so its error is
 *   eps sum_j |N_ij| |z_j|                                                                 (2)
 * with arbitrary signs; N^-1 times this is the rounding error of a correction. It is large in
 * nearly singular poses and for stiff parts, and is measured there. Equations of long steps have
 * many roots, and from a distance (1) may lead to any of them: a stiff pendulum jumps through its
 * pivot. Therefore the solution z(h') of shorter steps h' = p h is continued: for small p it is
 * near the start, and it leads to the root that belongs to the motion. A correction is damped only
 * if p cannot be reduced further. With damping every iterate has its own tangent. This is for rare
 * cases without an alternative: fixed steps, after the usual iteration failed. */
#include "system/newton_loop.h"
#include <float.h>
#include <stdint.h>
#include <string.h>

enum { HALVINGS = 6, PARTS = 200 };
static const double smallest_part = 1.0 / 256;
/* First corrections up to this part of the scales start near enough to the right root. */
static const double near = 1e-6;
/* Parts of corrections up to this do not lead to another root. */
static const double little = 1e-3;
/* Above this ratio to the previous one a correction counts as not decreasing. */
static const double stagnant = 0.25;
/* Corrections below this part of the limit are small, whatever their ratio. */
static const double negligible = 1e-2;

/* ---- iteration and monitor ------------------------------------------------------- */

trm_status trmi_newton_failed(const trm_system *sys, trmi_newton_end end, int iterations,
                              double size, trmi_worst worst, trm_error *err) {
  static const char *const how[] = {[NEWTON_CONVERGED] = "converged", [NEWTON_STUCK] = "got stuck",
                                    [NEWTON_SLOW] = "did not converge",
                                    [NEWTON_DIVERGED] = "diverged",
                                    [NEWTON_LATE] = "converges too slowly"};
  if (end == NEWTON_NOT_FINITE) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value of the equations is not finite");
  }
  trm_label label = {.object = ""};
  if (worst.index >= 0) trm_system_label(sys, worst.list, worst.index, &label);
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, label.object,
                   "Newton %s after %d iterations (correction %.2g of scale, worst '%s')",
                   how[end], iterations, size, label.name);
}

/* ---- with damping ---------------------------------------------------------------- */

void trmi_newton_rounding(const trmi_plan *plan, const double *size, double *out) {
  memset(out, 0, (size_t)plan->n * sizeof *out);
  for (int j = 0; j < plan->n; j++) {
    for (int k = plan->Ap[j]; k < plan->Ap[j + 1]; k++) {
      out[plan->Ai[k]] += DBL_EPSILON * fabs(trmi_plan_at(plan, k)) * size[j];
    }
  }
  uint32_t random = 1;
  for (int i = 0; i < plan->n; i++) {
    random = random * 1664525U + 1013904223U;
    if (random >> 31) out[i] = -out[i];
  }
}

/* Move by the largest part that passes (1). If none does, the iterate is unchanged, and *part is
 * 0. */
static trm_status search(const trmi_newton *newton, double size, int halvings, double *part,
                         trm_error *err) {
  double trial = 0.0;
  *part = 1.0;
  newton->move(newton->self, 1.0);
  for (int k = 0;; k++) {
    const trm_status status = newton->correct(newton->self, false, &trial, err);
    if (status < 0) return status;
    if (status == TRM_OK && trial < size) return TRM_OK;
    if (k == halvings) break;
    *part *= 0.5;
    newton->move(newton->self, -*part);
  }
  newton->move(newton->self, -*part);
  *part = 0.0;
  return TRM_OK;
}

/* Is a correction noise? Measured only if it matters. */
static trm_status is_rounding(const trmi_newton *newton, trmi_newton_result *result, bool *is_noise,
                              trm_error *err) {
  TRMI_TRY(err, newton->noise(newton->self, &result->noise, err));
  *is_noise = result->size <= trmi_newton_noisy * result->noise;
  return TRM_OK;
}

/* Apply the kept correction as the last one, if constraints hold then. */
static trm_status finish(const trmi_newton *newton, bool is_noise, bool *hold, trm_error *err) {
  newton->move(newton->self, 1.0);
  TRMI_TRY(err, newton->hold(newton->self, is_noise, hold, err));
  return TRM_OK;
}

/* A damped iteration in the form of the plain one. */
typedef struct damping {
  const trmi_newton  *newton;
  trmi_newton_result *result;
  bool                is_strict; /* only small parts of corrections are allowed */
} damping;

static trm_status damped_correct(void *self, const trmi_newton_monitor *m, double *size,
                                 trm_error *err) {
  const damping *d = self;
  const trmi_newton *newton = d->newton;
  TRMI_TRY(err, newton->correct(newton->self, true, size, err));
  d->result->iterations++;
  d->result->size = *size;
  const bool is_too_far = m->k == 0 && *size > m->first_most;
  if (!is_too_far) newton->keep(newton->self);
  return TRM_OK;
}

static trm_status damped_doubt(void *self, const trmi_newton_monitor *m, trmi_newton_doubt why,
                               trmi_newton_verdict *verdict, trm_error *err) {
  const damping *d = self;
  bool is_noise = false;
  (void)m, (void)why;
  TRMI_TRY(err, is_rounding(d->newton, d->result, &is_noise, err));
  *verdict = is_noise ? NEWTON_IS_NOISE : NEWTON_GOES_ON;
  return TRM_OK;
}

static trm_status damped_accept(void *self, const trmi_newton_monitor *m, bool is_noise,
                                bool *is_good, trm_error *err) {
  (void)m;
  return finish(((const damping *)self)->newton, is_noise, is_good, err);
}

/* The part of a correction that reduces the residual. */
static trm_status damped_advance(void *self, const trmi_newton_monitor *m,
                                 trmi_newton_verdict *verdict, trm_error *err) {
  const damping *d = self;
  double part = 1.0;
  bool is_noise = false, is_done = false;
  const int halvings = d->is_strict && m->size > little ? 0 : HALVINGS;
  TRMI_TRY(err, search(d->newton, m->size, halvings, &part, err));
  if (part > 0.0) return TRM_OK;
  TRMI_TRY(err, is_rounding(d->newton, d->result, &is_noise, err));
  if (is_noise) TRMI_TRY(err, finish(d->newton, true, &is_done, err));
  *verdict = is_done ? NEWTON_IS_GOOD : NEWTON_FAILS;
  return TRM_OK;
}

/* Iterate from the present iterate, if the first correction is at most `most`. */
static trm_status iterate(const trmi_newton *newton, double most, bool is_strict,
                          trmi_newton_result *result, trm_error *err) {
  damping d = {.newton = newton, .result = result, .is_strict = is_strict};
  const trmi_iteration it = {.self = &d, .correct = damped_correct, .doubt = damped_doubt,
                             .accept = damped_accept, .advance = damped_advance};
  trmi_newton_monitor m = trmi_newton_rules(newton->most, newton->limit);
  m.uses_rate = true, m.negligible = negligible;
  m.first_most = most;
  m.stall_from = 1, m.stall = stagnant;
  result->end = NEWTON_SLOW;
  return trmi_newton_iterate(&it, &m, &result->end, err);
}

/* Solve for longer and longer parts of the step. */
static trm_status follow(const trmi_newton *newton, trmi_newton_result *result, trm_error *err) {
  double done = 0.0, more = 0.5;
  for (int k = 0; k < PARTS && more >= smallest_part; k++) {
    const double to = fmin(done + more, 1.0);
    newton->begin(newton->self, done, to);
    const trm_status status = iterate(newton, INFINITY, more > smallest_part, result, err);
    if (status < 0) return status;
    if (status == TRM_OK && result->end == NEWTON_CONVERGED) {
      if (to == 1.0) return TRM_OK;
      newton->found(newton->self);
      done = to;
      more *= 2.0;
    } else {
      more *= 0.5;
    }
  }
  if (result->end == NEWTON_CONVERGED) result->end = NEWTON_STUCK; /* only for a part of the step */
  return TRM_OK;
}

trm_status trmi_newton_solve(const trmi_newton *newton, trmi_newton_result *result,
                             trm_error *err) {
  *result = (trmi_newton_result){.end = NEWTON_SLOW};
  const trm_status status = iterate(newton, near, false, result, err);
  if (status < 0 || (status == TRM_OK && result->end == NEWTON_CONVERGED)) return status;
  return follow(newton, result, err);
}
