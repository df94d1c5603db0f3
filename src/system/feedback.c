/* feedback.c - see feedback.h.
 *
 * Variables w = W(lam) that act on the motion, such as the load of friction, feed back on
 * themselves:
 *   M dv' + G^T dlam = Q_w dw,  G dv' = 0:   dlam = D dw                                   (1)
 * A load is the size of a force F(lam), linear in lam: |W_i(lam) - W_i(lam1)| <= |F_i(lam - lam1)|,
 * and |F_i(l)| = lim W_i(K l)/K for large K. So with the matrix of the sizes
 *   L_ij = lim W_i(K D e_j)/K                                                              (2)
 * the map w -> W(lam(w)) is a contraction if the largest eigenvalue of L is below one: there is
 * exactly one solution. For one joint w = |F_0 + w F_1| with L = |F_1|, which is the coefficient
 * times a lever arm: for L >= 1 there are two solutions or none: the joint jams. L has no negative
 * entries: power iteration finds its largest eigenvalue and vector.
 *
 * With redundant constraints lam may change by any y with G^T y = 0 (rank.h). W depends on that
 * choice if
 *   |W_lam y| > small |W_lam| |y|,  or W_lam = 0 and W reads a multiplier that is not unique (3)
 */
#include "system/feedback.h"
#include "system/relations.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

bool trmi_feedback_exists(const trm_system *sys) {
  return sys->n.nw > 0 && sys->block[TRM_W_LAM].n > 0 && sys->block[TRM_Q_W].n > 0;
}

/* ---- gain ------------------------------------------------------------------------ */

/* K of (2): forces of the model are small compared with it. */
static const double large = 1e12;

/* One column of (2) into out [nw]; c->project is factored at s. */
static trm_status fill_column(trmi_consistent *c, const trm_state *s, int j, double *out,
                              trm_error *err) {
  trm_system *sys = c->sys;
  const trm_sizes *n = &sys->n;
  const trmi_places at = trmi_places_of(sys);
  const trmi_sparse *Q_W = &sys->block[TRM_Q_W];
  memset(c->rhs, 0, (size_t)at.x * sizeof(double));
  for (int k = 0; k < Q_W->n; k++) {
    if (Q_W->col[k] == j) c->rhs[Q_W->row[k]] += Q_W->values[k];
  }
  TRMI_TRY(err, trmi_linear_solve(&c->project.lin, c->rhs, err)); /* (1) */
  double size = 0.0;
  for (int i = 0; i < n->ng; i++) size = fmax(size, fabs(c->rhs[at.lam + i]));
  memset(out, 0, (size_t)n->nw * sizeof(double));
  if (!(size > 0.0)) return TRM_OK;
  trm_state *p = &c->trial;
  trmi_state_copy(sys, s, p);
  memset(p->w, 0, (size_t)n->nw * sizeof(double));
  memset(p->mu, 0, (size_t)n->na * sizeof(double));
  for (int i = 0; i < n->ng; i++) p->lam[i] = large / size * c->rhs[at.lam + i];
  TRMI_TRY(err, trm_system_values(sys, p, &(trm_values){.w = out}, err));
  for (int i = 0; i < n->nw; i++) out[i] = c->is_size[i] ? fabs(out[i]) * size / large : 0.0;
  return TRM_OK;
}

/* Largest eigenvalue of L, columns one after the other, and where its vector x is largest. */
static double largest_eigenvalue(const double *L, int n, double *x, double *y, int *index) {
  double value = 0.0;
  for (int i = 0; i < n; i++) x[i] = 1.0;
  for (int k = 0; k < 60; k++) {
    double largest = 0.0;
    memset(y, 0, (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) y[i] += L[n * j + i] * x[j];
    }
    for (int i = 0; i < n; i++) {
      if (!(y[i] <= largest)) largest = y[i], *index = i;
    }
    if (!(largest > 0.0)) return 0.0;
    value = largest;
    /* half of the old vector: avoids oscillation between two vectors */
    for (int i = 0; i < n; i++) x[i] = 0.5 * (x[i] + y[i] / largest);
  }
  return value;
}

/* Which variables are sizes of reactions, W(-l) = W(l) and W(2 l) = 2 W(l)? Only these have rows in
 * (2): feedback of others is not restricted. */
static trm_status find_sizes(trmi_consistent *c, const trm_state *s, trm_error *err) {
  static const double factors[3] = {1.0, -1.0, 2.0};
  trm_system *sys = c->sys;
  const trmi_sparse *W = &sys->block[TRM_W_LAM];
  const int nw = sys->n.nw;
  trm_state *p = &c->trial;
  trmi_state_copy(sys, s, p);
  memset(p->w, 0, (size_t)nw * sizeof(double));
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < sys->n.ng; i++) p->lam[i] = factors[k] * large * (1.0 + i % 7);
    TRMI_TRY(err, trm_system_values(sys, p, &(trm_values){.w = c->gain + nw * k}, err));
  }
  memset(c->is_size, 0, (size_t)nw);
  c->has_sizes = false;
  c->is_probed = true;
  for (int k = 0; k < W->n; k++) {
    const double *value = c->gain + W->row[k];
    const double one = value[0], minus = value[nw], two = value[2 * nw];
    const bool is_size = fabs(one) > 0.0 && fabs(minus - one) <= 1e-6 * fabs(one) &&
                         fabs(two - 2.0 * one) <= 1e-6 * fabs(one);
    c->is_size[W->row[k]] = is_size;
    c->has_sizes = c->has_sizes || is_size;
  }
  return TRM_OK;
}

trm_status trmi_feedback_find(trmi_consistent *c, const trm_state *s, trmi_feedback_gain *out,
                          trm_error *err) {
  trm_system *sys = c->sys;
  const int nw = sys->n.nw;
  *out = (trmi_feedback_gain){.index = 0};
  if (!trmi_feedback_exists(sys)) return TRM_OK;
  if (!c->is_probed) TRMI_TRY(err, find_sizes(c, s, err));
  if (!c->has_sizes) return TRM_OK;
  trmi_matrix *matrix = NULL;
  TRMI_TRY(err, trmi_consistent_factor(c, s, false, &matrix, err));
  TRMI_TRY(err, trmi_system_blocks(sys, s, TRMI_BIT(TRM_Q_W), NULL, NULL, NULL, err));
  for (int j = 0; j < nw; j++) {
    TRMI_TRY(err, fill_column(c, s, j, c->gain + nw * j, err));
  }
  double *x = c->gain + nw * nw;
  out->gain = largest_eigenvalue(c->gain, nw, x, x + nw, &out->index);
  out->own = c->gain[nw * out->index + out->index];
  if (isfinite(out->gain)) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "the gain of a loop is not finite");
}

bool trmi_feedback_sentence(const trm_system *sys, const trmi_feedback_gain *gain, trm_label *label,
                        char *text, size_t size) {
  if (!(gain->gain >= 1.0)) return false;
  trm_system_label(sys, TRM_W, gain->index, label);
  const bool is_alone = gain->own >= 1.0;
  snprintf(text, size, "friction raises its own load '%s' by %.3g times%s, the coefficient times a "
           "lever arm: from one on several motions fit the equations or none, and the joint may "
           "jam; make the coefficient or the lever arm smaller", label->name,
           is_alone ? gain->own : gain->gain, is_alone ? "" : " through other joints");
  return true;
}

trm_status trmi_feedback_failed(trmi_consistent *c, const trm_state *s, trm_error *err) {
  char why[TRM_MESSAGE_MAX];
  trm_label label;
  trmi_feedback_gain gain;
  trm_error ignored;
  if (trmi_feedback_find(c, s, &gain, &ignored) == TRM_OK &&
      trmi_feedback_sentence(c->sys, &gain, &label, why, sizeof why)) {
    return TRMI_FAIL(err, TRM_RETRY_NEWTON, label.object, "no solution for accelerations and "
                     "loads: %.300s", why);
  }
  if (c->worst >= 0) trm_system_label(c->sys, TRM_W, c->worst, &label);
  return TRMI_FAIL(err, TRM_RETRY_NEWTON, c->worst >= 0 ? label.object : NULL,
                   "no solution for accelerations, state rates and variables: an algebraic "
                   "loop does not converge%s%s%s", c->worst >= 0 ? ", '" : "",
                   c->worst >= 0 ? label.name : "", c->worst >= 0 ? "' changes most" : "");
}

/* ---- redundant constraints ----------------------------------------------------------- */

/* (3) for variable i */
static bool is_unsure(const trm_system *sys, int i, const trm_rank *rank,
                      const trmi_relations *relations) {
  const double small = 1e-6;
  const trmi_sparse *W = &sys->block[TRM_W_LAM];
  double largest = 0.0;
  bool reads = false;
  for (int k = 0; k < W->n; k++) {
    if (W->row[k] != i) continue;
    largest = fmax(largest, fabs(W->values[k]));
    reads = reads || rank->not_unique[W->col[k]] != 0;
  }
  if (!reads || !(largest > 0.0)) return reads;
  for (int r = 0; r < relations->count; r++) {
    const trmi_relation *rel = &relations->list[r];
    double change = 0.0, length = 0.0;
    for (int l = 0; l < rel->n; l++) {
      length = fmax(length, fabs(rel->y[l]));
      for (int k = 0; k < W->n; k++) {
        if (W->row[k] == i && W->col[k] == rel->row[l]) change += W->values[k] * rel->y[l];
      }
    }
    if (fabs(change) > small * largest * length) return true;
  }
  return false;
}

trm_status trmi_feedback_unsure(trm_system *sys, const trm_state *s, const trm_rank *rank,
                            const trmi_relations *relations, char *text, size_t size,
                            trm_error *err) {
  enum { NAMED = 5 };
  char names[NAMED * (TRM_OBJECT_MAX + 4)] = "";
  int named = 0;
  text[0] = '\0';
  if (rank->rank == rank->rows || sys->n.nw == 0 || sys->block[TRM_W_LAM].n == 0) return TRM_OK;
  TRMI_TRY(err, trmi_system_want(sys, TRM_W_LAM, err));
  TRMI_TRY(err, trmi_system_blocks(sys, s, TRMI_BIT(TRM_W_LAM), NULL, NULL, NULL, err));
  for (int i = 0; i < sys->n.nw; i++) {
    if (!is_unsure(sys, i, rank, relations)) continue;
    trm_label label;
    trm_system_label(sys, TRM_W, i, &label);
    const size_t used = strlen(names);
    if (named++ < NAMED) {
      snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
               label.object[0] != '\0' ? label.object : label.name);
    }
  }
  if (named == 0) return TRM_OK;
  snprintf(text, size, "the load of the friction of %s%s is not unique, because constraints are "
           "redundant: friction, and with it the motion, depends on how reactions are shared out; "
           "use joints that do not hold the same motion twice, or one joint with a 'length'", names,
           named > NAMED ? ", .." : "");
  return TRM_OK;
}
