/* stiffness.c - the largest eigenvalue of the motion at a state, by a power iteration.
 *
 * With y = (psi, v, x) and y' = f(y) by the index-1 system, as in explicit.c,
 *   J u = (f(y + e u) - f(y)) / e,   rho^2 = |J J u| / |u|,   u <- J J u / |J J u|           (1)
 * Two factors of J at a time: for a vibration one factor turns u by a quarter of a period and
 * exchanges positions and velocities. Norms are over the scales, those of velocities over rho times
 * the scales, with the previous rho. A few iterations, with one evaluation of the equations each,
 * find rho within some tens of percent, enough for the choice of a method. Theory:
 * docs/theory/18-auto.md. */
#include "integ/auto.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 4 };
static const double little = 1e-7;

/* Scratch of (1): each [2 nv + nx]. */
typedef struct power {
  trm_sim         *sim;
  const trm_state *s;
  double          *u, *next, *rates; /* rates: v' and x' at s */
  double           rho;
} power;

static double weight(const power *p, int m) {
  const trm_system *sys = p->sim->sys;
  const int nv = sys->n.nv;
  if (m < nv) return p->sim->scale_v[m];
  if (m < 2 * nv) return p->sim->scale_v[m - nv] * p->rho;
  return fmax(sys->scale_x[m - 2 * nv], fabs(p->s->x[m - 2 * nv]));
}

static double norm(const power *p, const double *u) {
  const int n = 2 * p->sim->sys->n.nv + p->sim->sys->n.nx;
  double sum = 0.0;
  for (int m = 0; m < n; m++) sum += (u[m] / weight(p, m)) * (u[m] / weight(p, m));
  return sqrt(sum);
}

/* next = J u, for u of the length `size`. */
static trm_status apply(power *p, const double *u, double size, double *next, trm_error *err) {
  trm_sim *sim = p->sim;
  const trm_system *sys = sim->sys;
  const int nv = sys->n.nv, nx = sys->n.nx;
  const double e = little / size;
  trm_state *at = &sim->dense;
  trmi_state_copy(sys, p->s, at);
  double *displacement = sim->consistent.step;
  for (int i = 0; i < nv; i++) {
    displacement[i] = e * u[i];
    at->v[i] += e * u[nv + i];
  }
  trm_system_retract(sys, p->s->q, displacement, at->q);
  for (int i = 0; i < nx; i++) at->x[i] += e * u[2 * nv + i];
  TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, at, err));
  for (int i = 0; i < nv; i++) {
    const double rate = u[nv + i]; /* u may be next */
    next[nv + i] = (at->vd[i] - p->rates[i]) / e;
    next[i] = rate;
  }
  for (int i = 0; i < nx; i++) next[2 * nv + i] = (at->xd[i] - p->rates[nv + i]) / e;
  return TRM_OK;
}

static trm_status iterate(power *p, trm_error *err) {
  const trm_system *sys = p->sim->sys;
  const int nv = sys->n.nv, nx = sys->n.nx, n = 2 * nv + nx;
  trmi_state_copy(sys, p->s, &p->sim->dense);
  TRMI_TRY(err, trmi_consistent_accelerations(&p->sim->consistent, &p->sim->dense, err));
  memcpy(p->rates, p->sim->dense.vd, (size_t)nv * sizeof(double));
  memcpy(p->rates + nv, p->sim->dense.xd, (size_t)nx * sizeof(double));
  p->rho = 1.0 / sys->second;
  for (int m = 0; m < n; m++) p->u[m] = weight(p, m) * ((m * 7 + 3) % 11 - 5.5); /* contains all
                                                                                    modes */
  for (int k = 0; k < ROUNDS; k++) {
    const double before = norm(p, p->u);
    if (!(before > 0.0) || !isfinite(before)) break;
    TRMI_TRY(err, apply(p, p->u, before, p->next, err));
    const double between = norm(p, p->next);
    if (!(between > 0.0) || !isfinite(between)) break;
    TRMI_TRY(err, apply(p, p->next, between, p->u, err));
    const double rho = sqrt(norm(p, p->u) / before);
    if (rho > 0.0 && isfinite(rho)) p->rho = rho;
  }
  return TRM_OK;
}

trm_status trmi_stiffness(trm_sim *sim, const trm_state *s, double *rho, trm_error *err) {
  const size_t n = 2 * (size_t)sim->sys->n.nv + (size_t)sim->sys->n.nx;
  trm_error own;
  trmi_error_clear(&own);
  power p = {.sim = sim, .s = s, .u = sim->power, .next = sim->power + n,
             .rates = sim->power + 2 * n};
  const trm_status status = iterate(&p, &own);
  *rho = status == TRM_OK ? p.rho : INFINITY;
  if (status == TRM_ERR_MEMORY && err != NULL) *err = own;
  return status == TRM_ERR_MEMORY ? trmi_note(err, __func__, status) : TRM_OK;
}
