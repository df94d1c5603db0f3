/* newton_loop.h - the loop of newton.h.
 *
 * If corrections decrease by a rate theta, the error after a correction of size |d| is
 *   theta / (1 - theta) |d|                                                                (1)
 * If good and bad corrections alternate, theta is the geometric mean of two ratios, and the larger
 * one counts: max / (1 - theta^2). The iteration ends when (1) is below the limit, when rounding
 * explains the corrections, or when they grow.
 *
 * It is inline, in one file of each method: the compiler then calls the functions of the method
 * directly. Indirect calls cost 0.9 % of the steps of the slider crank. */
#ifndef TRMI_NEWTON_LOOP_H
#define TRMI_NEWTON_LOOP_H
#include "core/compiler.h"
#include "system/newton.h"

/* Corrections up to this multiple of the rounding are noise if they decrease by less than the first
 * ratio; larger ones if they do not decrease, by the second ratio. */
static const double trmi_newton_near = 500.0, trmi_newton_shrinks = 0.3, trmi_newton_same = 0.9;
/* Smallest 1 - theta in (1) for rates that are means of two. */
static const double trmi_newton_gap = 0.01;

/* Ratio and rate of a correction, and whether it is noise. */
static TRMI_INLINE void trmi_newton_note(trmi_newton_monitor *m, double size) {
  m->last = m->size;
  m->size = size;
  m->is_noise = false;
  if (m->k == 0) return;
  const double without = m->last < 0.0 ? m->ratio : 0.0; /* no previous correction */
  const double ratio = m->last > 0.0 ? size / m->last : without;
  const bool is_near = size < trmi_newton_near * m->rounding;
  m->before = m->k > 1 ? m->ratio : 0.0;
  m->ratio = ratio;
  m->is_noise = ratio > (is_near ? trmi_newton_shrinks : trmi_newton_same) && size < m->wide;
  if (m->is_noise && m->alternates) return; /* the rate is unchanged */
  m->rate = m->averages && m->k > 1 ? sqrt(ratio * m->before) : ratio;
  if (!m->is_noise) m->worst = fmax(m->worst, ratio);
}

/* (1) over the size. */
static TRMI_INLINE double trmi_newton_rest_of(const trmi_newton_monitor *m) {
  if (m->alternates) {
    return fmax(m->ratio, m->before) / fmax(1.0 - m->rate * m->rate, trmi_newton_gap);
  }
  return m->averages ? m->rate / fmax(1.0 - m->rate, trmi_newton_gap) : trmi_newton_rest(m->rate);
}

static TRMI_INLINE trm_status trmi_newton_ask(const trmi_iteration *it,
                                              const trmi_newton_monitor *m, trmi_newton_doubt why,
                                              trmi_newton_verdict *verdict, trm_error *err) {
  *verdict = why == NEWTON_STALLS ? NEWTON_GOES_ON : NEWTON_FAILS;
  const trmi_newton_monitor copy = *m; /* only the copy's address is passed on: the loop keeps
                                          its own in registers */
  return it->doubt != NULL ? it->doubt(it->self, &copy, why, verdict, err) : TRM_OK;
}

/* Do corrections decrease as they should? *end is the reason if not. */
static TRMI_INLINE trm_status trmi_newton_suspect(const trmi_iteration *it, trmi_newton_monitor *m,
                                                  trmi_newton_verdict *verdict,
                                                  trmi_newton_end *end, trm_error *err) {
  *verdict = NEWTON_GOES_ON;
  if (m->k >= m->stall_from && m->ratio > m->stall) {
    TRMI_TRY(err, trmi_newton_ask(it, m, NEWTON_STALLS, verdict, err));
    if (*verdict != NEWTON_GOES_ON) return TRM_OK;
  }
  if (m->k == 0) return TRM_OK;
  if (m->rate >= m->growth && (m->k > 1 || m->ratio >= m->growth_first)) {
    *end = NEWTON_DIVERGED;
    return trmi_newton_ask(it, m, NEWTON_GROWS, verdict, err);
  }
  if (m->uses_rate) m->rest = trmi_newton_rest_of(m);
  if (!m->predicts) return TRM_OK;
  m->late = m->rest * m->size * pow(m->rate, m->most - 2 - m->k) / m->limit;
  if (m->late >= 1.0 && m->k > 1) {
    *end = NEWTON_LATE;
    return trmi_newton_ask(it, m, NEWTON_LAGS, verdict, err);
  }
  return TRM_OK;
}

static TRMI_INLINE bool trmi_newton_is_small(const trmi_newton_monitor *m) {
  return (m->uses_rate && m->rest * m->size <= m->limit) || m->size <= m->negligible * m->limit;
}

/* Iterate to the solution. A status other than TRM_OK comes from the equations. */
static TRMI_INLINE trm_status trmi_newton_iterate(const trmi_iteration *it, trmi_newton_monitor *m,
                                                  trmi_newton_end *end, trm_error *err) {
  *end = NEWTON_SLOW;
  for (m->k = 0; m->k < m->most; m->k++) {
    double size = 0.0;
    TRMI_TRY(err, it->correct(it->self, m, &size, err));
    if (size < 0.0) continue; /* NEWTON_AGAIN */
    if (!isfinite(size)) {
      m->size = size;
      *end = NEWTON_NOT_FINITE;
      return TRM_OK;
    }
    if (m->is_counted) continue;
    trmi_newton_note(m, size);
    *end = NEWTON_SLOW;
    if (m->k == 0 && size > m->first_most) return TRM_OK;

    /* does it converge? */
    trmi_newton_verdict verdict = NEWTON_IS_NOISE;
    if (!m->is_noise) TRMI_TRY(err, trmi_newton_suspect(it, m, &verdict, end, err));
    if (verdict == NEWTON_FAILS) return TRM_OK;
    bool is_good = verdict == NEWTON_IS_GOOD;
    const bool is_noise = verdict == NEWTON_IS_NOISE;

    /* has it converged? */
    if (!is_good && (is_noise || trmi_newton_is_small(m))) {
      is_good = true;
      if (it->accept != NULL) TRMI_TRY(err, it->accept(it->self, m, is_noise, &is_good, err));
    } else if (!is_good && it->advance != NULL) {
      *end = NEWTON_STUCK;
      TRMI_TRY(err, it->advance(it->self, m, &verdict, err));
      if (verdict == NEWTON_FAILS) return TRM_OK;
      is_good = verdict == NEWTON_IS_GOOD;
    }
    if (is_good) {
      *end = NEWTON_CONVERGED;
      return TRM_OK;
    }
  }
  *end = m->is_counted ? NEWTON_CONVERGED : NEWTON_SLOW;
  return TRM_OK;
}

#endif
