/* smooth_tests.c - systems that `smooth` rejects, and tests of its assumptions.
 *
 * A mode carries energy if J omega is above a thousandth of all kinetic energy; the shape of others
 * may change arbitrarily. Quantities that must be small, for modes i with energy:
 *   |omega'|/omega^2                                    actions are constant             (8)
 *   |w^2 - omega^2|/omega^2, w of (10) of smooth.c      other forces are soft, all modes (11)
 *   |eta(q^ + d) + eta(q^ - d) - 2 eta^|/(2 |z|)        deformations are linear in the
 *                                                       displacement d of a vibration z  (12)
 *   (omega r/2)/(omega - omega_j)^2, r = |p.A_' p_j|    modes i and j do not mix,
 *   |T f|/(omega - omega_j)^2/|z|                       nor does their beat move the slow
 *   f = sqrt(J omega J_j omega_j) d(p.A_ p_j)/dq        motion by T f, its response      (13)
 * and for all modes 1/(H omega), H the step: otherwise the vibration can also be resolved  (14)
 * Modes s and d with frequencies in a ratio of two exchange energy. With a_s, a_d the amplitudes,
 *   r = d(p_s.A_ p_s)/dq.s_d,  f = d(p_s.A_ p_d)/dq.s_s                their coupling
 *   |2 omega_s omega_d f - omega_s^2 r| max(a_s, a_d)/(4 omega_s |2 omega_s - omega_d|)    (15)
 * is the part of the amplitude that they exchange: the resonant term of 1/2 P.A_(q) P is a_s^2 a_d
 * (2 omega_s omega_d f - omega_s^2 r)/8 times the cosine of 2 Phi_s - Phi_d. Modes uncoupled by
 * symmetry, such as bending and torsion of a beam, may have such frequencies. Each quantity has a
 * limit above which a run warns once, and one above which it stops. Sources and measurements:
 * docs/theory/16-smooth.md, section 6. */
#include "integ/smooth.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double energy_part = 1e-3, overlap_least = 0.7;
/* Detuning below this part of the frequency counts as none. */
static const double detuning_least = 1e-8;
enum { SHORT_STEPS = 10 };

/* "the vibration of 'rod.length' at 100 rad/s: BEFORE 0.02 AFTER". */
static const struct {
  double      warn, most;
  const char *before, *after;
} limits[TRMI_SMOOTH_DOUBTS] = {
  [TRMI_SMOOTH_ADIABATIC] = {1e-2, 5e-2, "while its phase advances by one radian, its frequency "
                             "changes by", "of itself: the slow motion is too fast for it"},
  [TRMI_SMOOTH_SEPARATION] = {0.1, 0.5, "other forces change the square of its frequency by",
                              "of itself: they are nearly as stiff"},
  [TRMI_SMOOTH_BEND] = {0.01, 0.1, "its deformation deviates from a linear one by",
                        "of itself: the vibration is too large"},
  [TRMI_SMOOTH_MIXING] = {0.05, 0.2, "its beat with another one of nearly the same frequency "
                          "changes the slow motion or both of them by", "of their amplitude"},
  [TRMI_SMOOTH_RESONANCE] = {0.05, 0.2, "it and another one are nearly in a ratio of two and "
                             "exchange", "of their amplitude"},
  [TRMI_SMOOTH_SHORT] = {1.0 / 3.0, 1.0 / 3.0, "its phase advances by", "radian or less in a step: "
                         "it may as well be resolved by another integrator"},
};

/* ---- systems ----------------------------------------------------------------------------- */

static trm_status refuse(const trm_system *sys, trm_quantity list, const char *what,
                         trm_error *err) {
  trm_label label;
  trm_system_label(sys, list, 0, &label);
  return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "'smooth' does not treat %s, as '%s': its "
                   "steps are longer than the vibrations; use another integrator", what,
                   label.name);
}

trm_status trmi_smooth_check(trmi_smooth *sm, trm_error *err) {
  const trm_system *sys = sm->ctx.sys;
  const trm_sizes *n = &sys->n;
  if (n->nstiff == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'smooth' needs stiff forces: write 'vibrations: "
                     "averaged' for the springs and bushings that vibrate fast, 'averaged: 50 Hz' "
                     "for a beam, 'modes: {averaged: 50 Hz}' for a flexible body, or use another "
                     "integrator");
  }
  if (n->ngaps > 0) return refuse(sys, TRM_GAP, "stops and contacts", err);
  if (n->nslips > 0) return refuse(sys, TRM_SLIP, "dry friction", err);
  if (sys->nbristles > 0) return refuse(sys, TRM_X, "friction with bristles", err);
  if (n->nevents > 0) return refuse(sys, TRM_EVENT, "events", err);
  if (n->nw > 0) return refuse(sys, TRM_W, "variables in a loop", err);
  if (sys->block[TRM_D_VD].n > 0 || sys->block[TRM_D_LAM].n > 0) {
    return refuse(sys, TRM_X, "states that depend on accelerations or reactions", err);
  }
  const int freedoms = n->nv - sm->ctx.rank->rank;
  if (freedoms > n->nstiff) return TRM_OK;
  trm_label label;
  trm_system_label(sys, TRM_STIFF, 0, &label);
  return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "there are %d freedoms and %d stiff "
                   "deformations: nothing slow is left for 'smooth'; `trammel modes` gives the "
                   "vibrations", freedoms, n->nstiff);
}

/* ---- states ------------------------------------------------------------------------------ */

int trmi_smooth_deformation_of(const trmi_smooth *sm, int mode) {
  const double *phi = sm->modes.phi + sm->m * mode;
  int at = 0;
  for (int k = 1; k < sm->m; k++) {
    const double old = fabs(phi[at] * sm->L[sm->m * at + at]);
    if (fabs(phi[k] * sm->L[sm->m * k + k]) > old) at = k;
  }
  return at;
}

static void note(trmi_smooth *sm, trmi_smooth_doubt doubt, int mode, double size) {
  trmi_smooth_doubts *d = &sm->doubts;
  if (size <= d->size[doubt]) return; /* NaN counts */
  trm_label label;
  trm_system_label(sm->ctx.sys, TRM_STIFF, trmi_smooth_deformation_of(sm, mode), &label);
  d->size[doubt] = size;
  d->omega[doubt] = sm->modes.frequency[mode];
  snprintf(d->name[doubt], sizeof d->name[doubt], "%s", label.name);
  snprintf(d->object[doubt], sizeof d->object[doubt], "%s", label.object);
}

static double amplitude(const trmi_smooth *sm, const double *decayed, int mode) {
  return sqrt(2.0 * trmi_smooth_action(sm, decayed, mode) / sm->modes.frequency[mode]);
}

/* (12) */
static trm_status note_bend(trmi_smooth *sm, const trm_state *slow, int mode, double size,
                            trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int m = sm->m;
  const double *shape = sm->modes.shape + sm->nall * mode;
  double *sum = sm->r, worst = 0.0, all = 0.0;
  TRMI_TRY(err, trm_system_values(sys, slow, &(trm_values){.eta = sum}, err));
  for (int k = 0; k < m; k++) sum[k] *= -2.0;
  for (int side = -1; side <= 1; side += 2) {
    trmi_state_copy(sys, slow, &sm->probe);
    for (int k = 0; k < sys->n.nv; k++) sm->move[k] = side * size * shape[k];
    trm_system_retract(sys, slow->q, sm->move, sm->probe.q);
    TRMI_TRY(err, trm_system_values(sys, &sm->probe, &(trm_values){.eta = sm->eta}, err));
    for (int k = 0; k < m; k++) sum[k] += sm->eta[k];
  }
  for (int k = 0; k < m; k++) { /* each by its energy */
    const double stiff = sm->L[m * k + k];
    worst = fmax(worst, fabs(0.5 * sum[k]) * stiff);
    all = fmax(all, fabs(size * sm->modes.phi[m * mode + k]) * stiff);
  }
  note(sm, TRMI_SMOOTH_BEND, mode, worst / all);
  return TRM_OK;
}

/* (15) of modes i and j, whose form (9) is F */
static void note_resonance(trmi_smooth *sm, const double *decayed, int i, int j, const double *F) {
  const int nv = sm->ctx.sys->n.nv, nall = sm->nall;
  const trmi_fast_modes *modes = &sm->modes;
  const int slow = modes->omega[i] < modes->omega[j] ? i : j, fast = i + j - slow;
  const double ws = modes->omega[slow], wd = modes->omega[fast];
  const double *shape_s = modes->shape + nall * slow, *shape_d = modes->shape + nall * fast;
  double r = 0.0, f = 0.0;
  for (int k = 0; k < nv; k++) {
    r += modes->slope[nv * slow + k] * shape_d[k];
    f -= F[k] * shape_s[k];
  }
  const double detuning = fabs(2.0 * modes->frequency[slow] - modes->frequency[fast]);
  const double size = fmax(amplitude(sm, decayed, i), amplitude(sm, decayed, j));
  const double exchange = fabs(2.0 * ws * wd * f - ws * ws * r) * size / (4.0 * ws);
  note(sm, TRMI_SMOOTH_RESONANCE, i, exchange / fmax(detuning, detuning_least * ws));
}

/* (13) and (15) of modes i and j */
static trm_status note_pair(trmi_smooth *sm, const trm_state *slow, const double *decayed, int i,
                            int j, trm_error *err) {
  const int nv = sm->ctx.sys->n.nv, m = sm->m, nall = sm->nall;
  const trmi_fast_modes *modes = &sm->modes;
  const double wi = modes->omega[i], wj = modes->omega[j];
  double *x = sm->form, *p = sm->a, *F = sm->gradient, mixed = 0.0, response = 0.0;
  if (!modes->has_slope[j]) TRMI_TRY(err, trmi_smooth_find_slope(sm, slow, j, err));
  for (int k = 0; k < nall; k++) x[k] = modes->shape[nall * i + k] + modes->shape[nall * j + k];
  for (int k = 0; k < m; k++) p[k] = modes->p[m * i + k] + modes->p[m * j + k];
  TRMI_TRY(err, trmi_smooth_form(sm, slow, x, p, F, err));
  for (int k = 0; k < nv; k++) {
    F[k] = 0.5 * (F[k] + modes->slope[nv * i + k] + modes->slope[nv * j + k]);
    mixed += F[k] * slow->v[k];
  }
  note_resonance(sm, decayed, i, j, F);
  TRMI_TRY(err, trmi_smooth_slow_response(sm, sm->ctx.consistent, F, sm->solve, err));
  for (int k = 0; k < nv; k++) response += F[k] * sm->solve[k];
  const double beat = (wi - wj) * (wi - wj), ai = amplitude(sm, decayed, i);
  const double aj = amplitude(sm, decayed, j), force = 0.5 * wi * wj * ai * aj;
  if (mixed != 0.0) note(sm, TRMI_SMOOTH_MIXING, i, 0.25 * (wi + wj) * fabs(mixed) / beat);
  if (response > 0.0 && force > 0.0) {
    note(sm, TRMI_SMOOTH_MIXING, i, force * sqrt(response) / beat / fmax(ai, aj));
  }
  return TRM_OK;
}

static void describe(const trmi_smooth *sm, int doubt, char *text, size_t size) {
  const trmi_smooth_doubts *d = &sm->doubts;
  const bool is_step = doubt == TRMI_SMOOTH_SHORT;
  snprintf(text, size, "the vibration of '%.47s' at %.4g rad/%.15s: %s %.2g %s", d->name[doubt],
           d->omega[doubt], sm->ctx.sys->units.time, limits[doubt].before,
           is_step ? 1.0 / d->size[doubt] : d->size[doubt], limits[doubt].after);
}

static trm_status judge(trmi_smooth *sm, trm_error *err) {
  for (int d = 0; d < TRMI_SMOOTH_DOUBTS; d++) {
    if (sm->doubts.size[d] <= limits[d].most) continue;
    char text[300];
    describe(sm, d, text, sizeof text);
    return TRMI_FAIL(err, TRM_ERR_STEP, sm->doubts.object[d], "%s; 'smooth' does not hold here, "
                     "use another integrator", text);
  }
  return TRM_OK;
}

static trm_status refuse_growth(const trmi_smooth *sm, int mode, trm_error *err) {
  trm_label label;
  trm_system_label(sm->ctx.sys, TRM_STIFF, trmi_smooth_deformation_of(sm, mode), &label);
  return TRMI_FAIL(err, TRM_ERR_STEP, label.object, "the vibration of '%s' has grown to a million "
                   "times its energy by negative damping; 'smooth' does not hold here, use another "
                   "integrator", label.name);
}

trm_status trmi_smooth_test(trmi_smooth *sm, const trm_state *slow, const double *decayed,
                            trm_error *err) {
  trm_system *sys = sm->ctx.sys;
  const int nv = sys->n.nv, m = sm->m;
  const trmi_fast_modes *modes = &sm->modes;
  double energy[3], all = 0.0;
  TRMI_TRY(err, trm_system_values(sys, slow, &(trm_values){.energy = energy}, err));
  for (int i = 0; i < m; i++) all += trmi_smooth_action(sm, decayed, i) * modes->omega[i];
  all += energy[0];
  for (int i = 0; i < m; i++) {
    const double w = modes->omega[i], of_mode = trmi_smooth_action(sm, decayed, i) * w;
    const double change = modes->frequency[i] * modes->frequency[i] / (w * w) - 1.0;
    note(sm, TRMI_SMOOTH_SEPARATION, i, fabs(change));
    if (decayed[i] > TRMI_SMOOTH_GROWTH && sm->action[i] > 0.0) return refuse_growth(sm, i, err);
    if (!(of_mode > energy_part * all)) continue;
    double rate = 0.0;
    for (int k = 0; k < nv; k++) rate += 0.5 * modes->slope[nv * i + k] * slow->v[k];
    note(sm, TRMI_SMOOTH_ADIABATIC, i, fabs(rate) / w);
    TRMI_TRY(err, note_bend(sm, slow, i, amplitude(sm, decayed, i), err));
    if (sm->overlap[i] < overlap_least) note(sm, TRMI_SMOOTH_MIXING, i, INFINITY);
    for (int j = 0; j < m; j++) {
      if (j != i) TRMI_TRY(err, note_pair(sm, slow, decayed, i, j, err));
    }
  }
  return judge(sm, err);
}

trm_status trmi_smooth_test_step(trmi_smooth *sm, double h, trm_error *err) {
  double part = 0.0;
  int at = 0;
  for (int i = 0; i < sm->m; i++) {
    const double one = 1.0 / (h * sm->modes.frequency[i]);
    if (one > part) part = one, at = i;
  }
  if (sm->ctx.fixed) {
    note(sm, TRMI_SMOOTH_SHORT, at, part);
    return judge(sm, err);
  }
  sm->short_next = part > limits[TRMI_SMOOTH_SHORT].warn ? sm->short_steps + 1 : 0;
  if (sm->short_next == SHORT_STEPS) {
    note(sm, TRMI_SMOOTH_SHORT, at, limits[TRMI_SMOOTH_SHORT].most);
  }
  return TRM_OK;
}

void trmi_smooth_warn(trmi_smooth *sm) {
  for (int d = 0; d < TRMI_SMOOTH_DOUBTS; d++) {
    if (!(sm->doubts.size[d] >= limits[d].warn) || sm->told[d]) continue;
    char text[300], all[340];
    sm->told[d] = true;
    describe(sm, d, text, sizeof text);
    snprintf(all, sizeof all, "%s%s", text,
             d == TRMI_SMOOTH_SHORT ? "" : "; results of 'smooth' become worse");
    sm->ctx.message(sm->ctx.message_self, all);
  }
}
