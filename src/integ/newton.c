/* newton.c - see newton.h.
 *
 * With N the derivative at the iterate z and d the correction, N d = -F(z), a part p of d is good
 * if it makes the residual smaller in the one measure that knows all units, that of corrections:
 *   |N^-1 F(z + p d)| < |d|,    p = 1, 1/2, .. 1/64                                        (1)
 * which is the natural monotonicity test of [Deuflhard2004].
 * Corrections that no longer shrink are noise if rounding explains them. F is computed from
 * numbers z that are rounded to eps |z|, one independently of the other, so that it is off by
 *   eps sum_j |N_ij| |z_j|                                                                 (2)
 * with any sign; N^-1 of that is what rounding makes of a correction. It is large in nearly
 * singular poses and for stiff parts, and is measured there.
 * Equations of long steps have many roots, and (1) from afar finds any of them: a stiff pendulum
 * jumps through its pivot. Therefore the solution z(h') of shorter steps h' = p h is followed: for
 * small p it is near the start, and it leads to the root that belongs to the motion. Parts of a
 * correction are taken only where p cannot be made smaller.
 * Every iterate has its own tangent. All this is for the rare step that has no other way: fixed
 * steps, after the usual iteration failed. */
#include "integ/newton.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HALVINGS = 6, PARTS = 200 };
static const double smallest_part = 1.0 / 256;
/* First corrections up to this part of the scales are near enough to the right root. */
static const double near = 1e-6;
/* Parts of corrections up to this lead to no other root. */
static const double little = 1e-3;
/* Above this ratio of two a correction no longer shrinks. */
static const double stagnant = 0.25;

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

/* Move by the largest part that passes (1). Without one the iterate stays where it was, and *part
 * is 0. */
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

/* Is a correction noise? Measured only where it matters. */
static trm_status is_rounding(const trmi_newton *newton, trmi_newton_result *result, bool *is_noise,
                              trm_error *err) {
  TRMI_TRY(err, newton->noise(newton->self, &result->noise, err));
  *is_noise = result->size <= trmi_newton_noisy * result->noise;
  return TRM_OK;
}

/* What is left by corrections of this size and ratio is small. */
static bool is_small(double ratio, double size, double limit) {
  return size <= 1e-2 * limit || (ratio < 0.99 && ratio / (1.0 - ratio) * size <= limit);
}

/* Apply the kept correction as the last one, if constraints hold then. */
static trm_status finish(const trmi_newton *newton, bool is_noise, bool *hold, trm_error *err) {
  newton->move(newton->self, 1.0);
  TRMI_TRY(err, newton->hold(newton->self, is_noise, hold, err));
  return TRM_OK;
}

/* From the present iterate, if the first correction is not larger than `most`. */
static trm_status iterate(const trmi_newton *newton, double most, bool is_strict,
                          trmi_newton_result *result, trm_error *err) {
  double last = INFINITY;
  bool is_noise = false, is_done = false;
  result->end = NEWTON_SLOW;
  for (int k = 0; k < newton->most && !is_done; k++) {
    /* a correction with its own tangent */
    TRMI_TRY(err, newton->correct(newton->self, true, &result->size, err));
    result->iterations++;
    const double size = result->size, ratio = k > 0 ? size / last : 1.0;
    if (k == 0 && size > most) break;
    last = size;
    newton->keep(newton->self);
    if (k > 0 && ratio > stagnant) TRMI_TRY(err, is_rounding(newton, result, &is_noise, err));
    if (is_noise || is_small(ratio, size, newton->limit)) {
      TRMI_TRY(err, finish(newton, is_noise, &is_done, err));
      continue;
    }

    /* the part of it that makes things better */
    double part = 1.0;
    const int halvings = is_strict && size > little ? 0 : HALVINGS;
    TRMI_TRY(err, search(newton, size, halvings, &part, err));
    if (part > 0.0) continue;
    TRMI_TRY(err, is_rounding(newton, result, &is_noise, err));
    if (is_noise) TRMI_TRY(err, finish(newton, true, &is_done, err));
    if (!is_done) result->end = NEWTON_STUCK;
    break;
  }
  if (is_done) result->end = NEWTON_CONVERGED;
  return TRM_OK;
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
  if (result->end == NEWTON_CONVERGED) result->end = NEWTON_STUCK; /* of a part only */
  return TRM_OK;
}

trm_status trmi_newton_solve(const trmi_newton *newton, trmi_newton_result *result,
                             trm_error *err) {
  *result = (trmi_newton_result){.end = NEWTON_SLOW};
  const trm_status status = iterate(newton, near, false, result, err);
  if (status < 0 || (status == TRM_OK && result->end == NEWTON_CONVERGED)) return status;
  return follow(newton, result, err);
}
