/* collocation_error.c - local error of a step.
 *
 * With weights e that annihilate polynomials of degree s - 1,
 *   e_psi = h (e_0 v0 + sum e_i psi'_i),  e_v = h (e_0 v0' + sum e_i psi''_i),
 *   e_x   = h (e_0 x0' + sum e_i x'_i)                                        (1)
 * go like h^(s+1). They are the difference to a second formula, made as stable as the method itself
 * by one Newton iteration with the real matrix, z = h gamma: the filtered error solves the
 * linearized equations with v' replaced by (err_v - e_v)/z and so on. With y = err_psi / z^2, k =
 * e_psi/z^2 + e_v/z, l = e_psi/z, m = e_x/z it is
 *   (P0 + z P1 + z^2 P2) y = P0 (k, m) + P1 (l, 0);  rows of g: 0, of A: A l/z (2)
 *   err_psi = z^2 y,  err_v = z y - l,  err_x = z y_x                          (3)
 * The test uses the rms of err_psi and h err_v over the scales, and of err_x. If it fails, the
 * filter is applied once more, to the filtered error in place of (1):                     (4)
 * fast motion left over from the previous step does not decrease with the step size. Two stages
 * (tdg) have no real eigenvalue: there the velocity jump of the discontinuous Galerkin method, h
 * (psi''_1 - psi''_2)/4, times h is the error of the position, and (1) that of the states.
 *
 * The method is far more accurate than (1): its own error is of order h^(2s). Therefore the
 * estimate is compared with 0.1 tolerance^((s+1)/(2s)), which makes the error of the motion, not of
 * the estimate, follow the tolerance. The error of the method itself is about
 *   (10 estimate)^(2s/(s+1))                                                               (7)
 *
 * Fast vibrations are an exception. A vibration of amplitude A with O = h omega has an error of
 * order O^(2s) only while O is small; from O = 1/gamma the step damps it completely, an error A,
 * and A may be far below that bound and far above the tolerance. There the displacements of the
 * filtered error contain A, and the stiffness P2 separates fast from slow motion:
 *   E <- z^2 (P0 + z P1 + z^2 P2)^-1 P2 E                                                   (5)
 * multiplies each vibration by O_z^2 / (1 + O_z^2), O_z = gamma O, and removes motion without
 * stiffness. After n applications, starting with the filtered err_psi (before (4), which removes
 * just these vibrations), E is of order O^(s+1+2n). With n = (s+1)/2 it is within a factor of five
 * of the error of a vibration from O = 2 (s = 3), 4 (5), 6 (7) on and decreases faster below, where
 * (3) limits the step. E must not exceed two tolerances in any coordinate:
 *   error >= (max |E| / (2 scale tolerance))^((s+1)/(2s))                                   (6)
 * in units of the estimate, whose exponent the step control uses. tdg has z^2 = h^2/6 of its
 * matrix, E = h times the jump, n = 1.
 *
 * Sharp changes are the other exception, such as friction whose load passes near zero, or a corner
 * of a table: a small part of the motion is far less smooth than the rest, and the error of the
 * method is not far below the estimate. With Legendre coefficients
 *   a_k = D_k k!^2/(2k)!,   D_k the divided difference of order k, in units of h             (8)
 * of v' (or x') at the newest stages, for a_s start and stages, for a_(s+1) and a_(s+2) one and two
 * inner stages of the step before as well, coefficients decay by
 *   rho = (max(a_(s+1), a_(s+2)) / max(a_(s-1), a_s))^(1/2) <= 1
 * for a degree. The estimate is about a_s and the method errs by a_(2s-1):
 *   error = |E - E_1| rho^(s-1) max(1, min(a_(s-1), max(a_(s+1), a_(s+2)))/a_s)             (9)
 * where the last factor handles an a_s that is small by chance, and E_1, from E by (5), is the
 * contribution of vibrations, which (6) covers. In smooth motion (9) is 1 to 10 times the true
 * error; a kink within the step causes an error of about 10 times (9). Therefore (9) must not
 * exceed 0.3 tolerances in any coordinate; the error is raised as in (6). Where Newton's method
 * needs 12 iterations the equations bend between the stages: then rho = 1. While a stop or contact
 * is closed, or will be in the step, the estimate of coordinates itself must not exceed 0.3
 * tolerances, because laws of contact have bends everywhere (three stages and more). States keep
 * their bound: errors of bristles are soon forgotten. Stages of index 3 and 2
 * have accelerations of lower order, which are not smooth between steps: (9) is used for index 1,
 * as with friction, and without constraints, but not if friction depends on reactions that are not
 * unique, since stages distribute these differently. Sources: [HairerWanner], [TDG]. Derivation:
 * docs/theory/08-collocation.md. */
#include "integ/collocation.h"
#include <math.h>
#include <string.h>

/* Bound for the error of a vibration in one step, in tolerances, (6). */
static const double vibration_part = 2.0;

/* Bound in tolerances for the error of a sharp change, (9), and for the estimate while a contact is
 * closed; the part of the first above which it limits the next step. */
static const double sharp_part = 0.3, sharp_from = 0.1;

/* Iterations from which on a step is not smooth. */
enum { LONG_ITERATION = 12 };

void trmi_collocation_find_tolerances(trmi_collocation *co) {
  for (int s = 1; s <= STAGES_MAX; s++) {
    co->allowed[s] = 0.1 * pow(co->ctx.tolerance, (s + 1.0) / (2.0 * s));
  }
}

double trmi_collocation_tolerance(const trmi_collocation *co, int s) {
  const bool is_sharp = s > 2 && co->ctx.care->is_closed;
  return is_sharp ? fmin(co->allowed[s], sharp_part * co->ctx.tolerance) : co->allowed[s];
}

/* h times weighted sum of y'(0) and one row of the stages */
static double sum_of(const trmi_collocation *co, double h, double start, double *const *stages,
                     int m) {
  double sum = co->rk->e[0] * start;
  for (int i = 0; i < co->rk->s; i++) sum += co->rk->e[i + 1] * stages[i][m];
  return h * sum;
}

/* Right-hand side of (2), from k and m in `first`, l in `second`. */
static void filter_rows(trmi_collocation *co, double z, double *first, double *second, double *b) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  double *product = co->work;
  trmi_collocation_multiply(co, 0, first, b);
  trmi_collocation_multiply(co, 1, second, product);
  for (int m = 0; m < at.n; m++) b[m] += product[m];
  const bool is_second = co->level == LEVEL_ACCELERATION;
  if (!is_second && (sys->n.na > 0 || co->level == LEVEL_VELOCITY)) {
    trmi_collocation_multiply(co, 0, second, product); /* A l, G l */
    for (int m = at.lam; m < at.x; m++) b[m] = product[m] / z;
  }
  if (co->level == LEVEL_POSITION) {
    memset(b + at.lam, 0, (size_t)sys->n.ng * sizeof(double));
  }
}

/* Largest component and sum of squares. */
typedef struct measure {
  double sum, sum_x, worst;
} measure;

static void add(measure *of, double e, bool is_state, trm_quantity list, int index,
                trmi_attempt *result) {
  *(is_state ? &of->sum_x : &of->sum) += e * e;
  if (fabs(e) <= of->worst) return;
  of->worst = fabs(e);
  result->list = list;
  result->index = index;
}

static double state_scale(const trmi_collocation *co, int m) {
  return fmax(co->ctx.sys->scale_x[m], fabs(co->next.x[m]));
}

static void finish(const trmi_collocation *co, double h, const measure *of,
                   trmi_attempt *result) {
  const trm_sizes *n = &co->ctx.sys->n;
  const double of_v = n->nv > 0 ? sqrt(of->sum / n->nv) : 0.0;
  const double of_x = n->nx > 0 ? sqrt(of->sum_x / n->nx) : 0.0;
  const double most_v = co->ctx.fixed ? 1.0 : trmi_collocation_tolerance(co, co->rk->s);
  const double most_x = co->ctx.fixed ? 1.0 : co->allowed[co->rk->s];
  result->error = isnan(of_v + of_x) ? NAN : fmax(of_v / most_v, of_x / most_x);
  result->of_states = of_x;
  const double s = co->rk->s;
  result->largest = pow(10 * fmax(of->worst, 0.0), 2 * s / (s + 1)); /* (7) */
  result->of_speed = fmax(of->worst, 0.0) / h;
}

static void estimate_jump(const trmi_collocation *co, double h, trmi_attempt *result) {
  const trm_system *sys = co->ctx.sys;
  const int at_x = trmi_places_of(sys).x;
  measure of = {.worst = -1.0};
  for (int m = 0; m < sys->n.nv; m++) {
    const double jump = h * (co->z[0][m] - co->z[1][m]) / 4;
    add(&of, h * jump / co->ctx.scale_v[m], false, TRM_V, m, result);
  }
  for (int m = 0; m < sys->n.nx; m++) {
    const double e = sum_of(co, h, co->now.xd[m], co->z, at_x + m);
    add(&of, e / state_scale(co, m), true, TRM_X, m, result);
  }
  finish(co, h, &of, result);
}

/* (3) of state m over its scale, from y in re. */
static double error_of_state(const trmi_collocation *co, double z, int m) {
  return z * co->re[trmi_places_of(co->ctx.sys).x + m] / state_scale(co, m);
}

/* (2), (3) from k, m and l in d[0], d[1]; y is left in re. */
static trm_status filter(trmi_collocation *co, double h, double z, trmi_attempt *result,
                         trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  double *y = co->re;
  const double *l = co->d[1];
  filter_rows(co, z, co->d[0], co->d[1], y);
  TRMI_TRY(err, trmi_linear_solve(&co->real.lin, y, err));
  measure of = {.worst = -1.0};
  for (int m = 0; m < sys->n.nv; m++) { /* (3) */
    const double of_psi = z * z * y[m], of_v = z * y[m] - l[m];
    const double e = sqrt(0.5 * (of_psi * of_psi + h * h * of_v * of_v));
    add(&of, e / co->ctx.scale_v[m], false, TRM_V, m, result);
  }
  for (int m = 0; m < sys->n.nx; m++) {
    add(&of, error_of_state(co, z, m), true, TRM_X, m, result);
  }
  finish(co, h, &of, result);
  return TRM_OK;
}

/* The largest |E| over its scale, and its index. */
static double largest_of(const trmi_collocation *co, const double *E, int *index) {
  double worst = 0.0;
  for (int m = 0; m < co->ctx.sys->n.nv; m++) {
    const double e = fabs(E[m]) / co->ctx.scale_v[m];
    if (!(e <= worst)) worst = e, *index = m;
  }
  return worst;
}

/* (5), (6) from the displacements E: raises the error of `result`. Each pass of (5) reduces E: the
 * passes end as soon as (6) cannot raise the error any more. */
static trm_status test_vibrations(trmi_collocation *co, double h, double *E, trmi_attempt *result,
                                  trm_error *err) {
  const int s = co->rk->s;
  const double z2 = co->is_tdg ? h * h / 6 : h * h * co->rk->gamma * co->rk->gamma;
  const double power = (s + 1.0) / (2.0 * s), unit = vibration_part * co->ctx.tolerance;
  const double harmless = unit * pow(result->error, 1.0 / power);
  double *y = co->im;
  int index = -1;
  double worst = largest_of(co, E, &index);
  for (int k = 0; k < (s + 1) / 2; k++) { /* (5) */
    if (worst <= harmless) return TRM_OK;
    trmi_collocation_multiply(co, 2, E, y);
    TRMI_TRY(err, trmi_linear_solve(&co->real.lin, y, err));
    for (int m = 0; m < co->ctx.sys->n.nv; m++) E[m] = z2 * y[m];
    worst = largest_of(co, E, &index);
  }
  result->largest = fmax(result->largest, worst);
  if (worst <= harmless) return TRM_OK;
  result->error = pow(worst / unit, power); /* (6) */
  result->list = TRM_V;
  result->index = index;
  return TRM_OK;
}

/* --- sharp changes --------------------------------------------------------------------- */

/* Degrees s - 1 .. s + 2 of (8); points: two stages of the step before, start, stages. */
enum { SHARP_DEGREES = 4, SHARP_POINTS = STAGES_MAX + 3 };

/* Weights of the points in (8). */
static void leading_weights(const trmi_collocation *co, double h,
                            double w[SHARP_DEGREES][SHARP_POINTS]) {
  const trmi_collocation_table *rk = co->rk, *old = co->rk_old;
  const int n = rk->s + 3;
  double x[SHARP_POINTS] = {(old->c[old->s - 3] - 1.0) * co->h / h,
                            (old->c[old->s - 2] - 1.0) * co->h / h, 0.0};
  for (int i = 0; i < rk->s; i++) x[i + 3] = rk->c[i];
  memset(w, 0, SHARP_DEGREES * sizeof *w);
  for (int d = 0; d < SHARP_DEGREES; d++) {
    const int first = SHARP_DEGREES - 1 - d, degree = n - 1 - first;
    double leading = 1.0; /* coefficient of the Legendre polynomial on 0 .. 1 */
    for (int i = 1; i <= degree; i++) leading *= (double)(degree + i) / i;
    for (int j = first; j < n; j++) {
      w[d][j] = 1.0 / leading;
      for (int k = first; k < n; k++) {
        if (k != j) w[d][j] /= x[j] - x[k];
      }
    }
  }
}

/* (9) over |E - E_1| for row m of v', x' at start and stages. */
static double part_left(const trmi_collocation *co,
                        const double w[SHARP_DEGREES][SHARP_POINTS], double start,
                        double *const *stages, int m) {
  const int s = co->rk->s, s_old = co->rk_old->s;
  double a[SHARP_DEGREES];
  for (int d = 0; d < SHARP_DEGREES; d++) {
    a[d] = w[d][0] * co->p[s_old - 3][m] + w[d][1] * co->p[s_old - 2][m] + w[d][2] * start;
    for (int j = 0; j < s; j++) a[d] += w[d][j + 3] * stages[j][m];
    a[d] = fabs(a[d]);
  }
  const double low = fmax(a[0], a[1]), high = fmax(a[2], a[3]);
  const double rho = high < low ? sqrt(high / low) : 1.0;
  return pow(rho, s - 1) * fmax(1.0, fmin(a[0], high) / fmax(a[1], 1e-300));
}

/* v' and x' of the stages; for rotations, whose psi'' are in z, in the scratch of residuals. */
static double *const *rates_of_stages(trmi_collocation *co, double h) {
  const trm_system *sys = co->ctx.sys;
  if (sys->n.nrot == 0) return co->z;
  for (int i = 0; i < co->rk->s; i++) {
    memcpy(co->r[i], co->z[i], (size_t)trmi_places_of(sys).n * sizeof(double));
    trmi_collocation_stage(co, i, h);
    memcpy(co->r[i], co->stage.vd, (size_t)sys->n.nv * sizeof(double));
  }
  return co->r;
}

/* Weights of (8), and what they apply to. */
typedef struct sharp_look {
  double         w[SHARP_DEGREES][SHARP_POINTS];
  double *const *stages;
  bool           is_smooth; /* otherwise rho = 1 */
} sharp_look;

static double part_of(const trmi_collocation *co, const sharp_look *look, double start, int m) {
  return look->is_smooth ? part_left(co, look->w, start, look->stages, m) : 1.0;
}

/* Largest (9) of coordinates with errors E - E_1 (NULL: E), if it exceeds *worst. Smaller errors
 * are skipped, so that the last factor of (9) does not turn rounding into an error. */
static void look_for_sharp(const trmi_collocation *co, const sharp_look *look, const double *E,
                           const double *E_1, double *worst, int *index) {
  for (int m = 0; m < co->ctx.sys->n.nv; m++) {
    const double e = fabs(E_1 != NULL ? E[m] - E_1[m] : E[m]) / co->ctx.scale_v[m];
    if (!(e > *worst)) continue;
    const double sharp = e * part_of(co, look, co->now.vd[m], m);
    if (sharp > *worst) *worst = sharp, *index = m;
  }
}

/* (9) raises the error of `result`. */
static trm_status test_sharpness(trmi_collocation *co, double h, const double *E,
                                 trmi_attempt *result, trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  const int s = co->rk->s, nv = sys->n.nv, at_x = trmi_places_of(sys).x;
  const bool is_first = co->level == LEVEL_ACCELERATION || sys->n.ng + sys->n.na == 0;
  if (co->h == 0.0 || !is_first || *co->ctx.has_unsure_loads) return TRM_OK;
  const double power = (s + 1.0) / (2.0 * s), unit = sharp_part * co->ctx.tolerance;
  const double z = h * co->rk->gamma;
  const double harmless = unit * fmax(sharp_from, pow(result->error, 1.0 / power));
  sharp_look look = {.is_smooth = result->iterations < LONG_ITERATION};
  double worst = harmless;
  int index = -1, state = -1;
  leading_weights(co, h, look.w);
  look.stages = rates_of_stages(co, h);
  look_for_sharp(co, &look, E, NULL, &worst, &index);
  if (index >= 0) { /* once more without vibrations */
    double *E_1 = co->im;
    trmi_collocation_multiply(co, 2, E, E_1);
    TRMI_TRY(err, trmi_linear_solve(&co->real.lin, E_1, err));
    for (int m = 0; m < nv; m++) E_1[m] *= z * z;
    worst = harmless, index = -1;
    look_for_sharp(co, &look, E, E_1, &worst, &index);
  }
  for (int m = 0; m < sys->n.nx; m++) {
    const double e = fabs(error_of_state(co, z, m));
    if (!(e > worst)) continue;
    const double sharp = e * part_of(co, &look, co->now.xd[m], at_x + m);
    if (sharp > worst) worst = sharp, state = m;
  }
  if (!(worst > harmless)) return TRM_OK;
  result->error = pow(worst / unit, power);
  result->largest = fmax(result->largest, worst);
  result->list = state >= 0 ? TRM_X : TRM_V;
  result->index = state >= 0 ? state : index;
  return TRM_OK;
}

static trm_status estimate_tdg(trmi_collocation *co, double h, trmi_attempt *result,
                               trm_error *err) {
  double *E = co->d[0];
  estimate_jump(co, h, result);
  if (co->ctx.fixed || trmi_collocation_by_energy(co)) return TRM_OK;
  memset(E, 0, (size_t)trmi_places_of(co->ctx.sys).n * sizeof(double));
  for (int m = 0; m < co->ctx.sys->n.nv; m++) E[m] = h * h * (co->z[0][m] - co->z[1][m]) / 4;
  TRMI_TRY(err, trmi_collocation_filter_matrix(co, h, err));
  return test_vibrations(co, h, E, result, err);
}

trm_status trmi_collocation_estimate(trmi_collocation *co, double h, trmi_attempt *result,
                                     trm_error *err) {
  const trm_system *sys = co->ctx.sys;
  const trmi_places at = trmi_places_of(sys);
  const double z = h * co->rk->gamma;
  result->index = -1;
  if (co->is_tdg) return estimate_tdg(co, h, result, err);
  double *first = co->d[0], *second = co->d[1], *y = co->re;
  TRMI_TRY(err, trmi_collocation_filter_matrix(co, h, err));
  memset(first, 0, (size_t)at.n * sizeof(double));
  memset(second, 0, (size_t)at.n * sizeof(double));
  for (int m = 0; m < sys->n.nv; m++) { /* (1) */
    second[m] = sum_of(co, h, co->now.v[m], co->rate, m) / z;
    first[m] = (second[m] + sum_of(co, h, co->now.vd[m], co->z, m)) / z;
  }
  for (int m = 0; m < sys->n.nx; m++) {
    first[at.x + m] = sum_of(co, h, co->now.xd[m], co->z, at.x + m) / z;
  }
  TRMI_TRY(err, filter(co, h, z, result, err));
  if (co->ctx.fixed) return TRM_OK;
  double *E = co->d[2];
  memset(E, 0, (size_t)at.n * sizeof(double));
  for (int m = 0; m < sys->n.nv; m++) E[m] = z * z * y[m];
  if (result->error > 1.0) { /* filter once more before rejecting the step, (4) */
    for (int m = 0; m < sys->n.nv; m++) {
      const double of_psi = z * z * y[m], of_v = z * y[m] - second[m];
      second[m] = of_psi / z;
      first[m] = (second[m] + of_v) / z;
    }
    for (int m = 0; m < sys->n.nx; m++) first[at.x + m] = y[at.x + m];
    TRMI_TRY(err, filter(co, h, z, result, err));
  }
  TRMI_TRY(err, test_sharpness(co, h, E, result, err));
  return test_vibrations(co, h, E, result, err);
}
