/* statics_blame.c - a sentence with the reason why there is no equilibrium.
 *
 * The direction z that yields most easily comes from inverse iteration,
 *   (Kt + tau M) z_new = M z  under G z = 0,  tau far below all stiffness               (1)
 * beginning with the acceleration of the state at rest. With s = z . Kt z / z . M z the part of the
 * unbalanced force f along z would move coordinate i by
 *   |z_i f . z| / (s z . M z)                                                           (2)
 * If s is only rounding, or (2) exceeds the range of the search, both at the end of the search and
 * at its start, nothing holds the model in that direction. */
#include "analysis/statics.h"
#include "system/freedom.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Name of velocity coordinate i; is it an angle? */
static bool name_of(const trm_system *sys, int i, trm_label *label) {
  const bool is_rotation = trmi_coordinate_label(sys, i, label);
  return is_rotation || label->kind == TRM_KIND_RADIAN;
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* The direction of (1), left in st->way: its stiffness s, its part in the work of the forces, and
 * the displacement (2) over the scales. */
typedef struct softest {
  double stiffness, share, reach;
} softest;

static void measure(const trmi_statics *st, softest *z) {
  const trm_system *sys = st->sys;
  const int nv = sys->n.nv;
  memset(st->product, 0, (size_t)nv * sizeof(double));
  trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, st->displacement, st->product);
  const double along = dot(st->displacement, st->unbalanced, nv),
               mass = dot(st->displacement, st->product, nv);
  z->share = along * along / (mass * fmax(dot(st->acceleration, st->unbalanced, nv), 1e-300));
  z->reach = 0.0;
  for (int i = 0; i < nv; i++) {
    const double distance = fabs(st->displacement[i] * along) / fmax(z->stiffness * mass, 1e-300);
    z->reach = fmax(z->reach, distance / sys->scale_v[i]);
  }
}

static trm_status soften(trmi_statics *st, softest *z, trm_error *err) {
  trm_system *sys = st->sys;
  const int nv = sys->n.nv, n = trmi_places_of(sys).n;
  TRMI_TRY(err, trmi_statics_multipliers(st, err));
  memcpy(st->displacement, st->acceleration, (size_t)nv * sizeof(double));
  *z = (softest){.stiffness = 0.0, .share = 1.0, .reach = INFINITY};
  st->tau = 1.0;
  trm_status status = trmi_statics_solve(st, err); /* brings kappa */
  if (status > 0) return TRM_OK;
  TRMI_TRY(err, status);
  if (st->kappa == 0.0) return TRM_OK;
  st->tau = 1e-10 * st->kappa;
  status = trmi_statics_solve(st, err);
  if (status > 0) return TRM_OK;
  TRMI_TRY(err, status);
  for (int k = 0; k < 6; k++) {
    memset(st->step, 0, (size_t)n * sizeof(double));
    trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, st->displacement, st->step);
    const double length = sqrt(fabs(dot(st->displacement, st->step, nv)));
    if (!(length > 0.0)) return TRM_OK;
    for (int i = 0; i < nv; i++) st->step[i] /= length, st->displacement[i] /= length;
    status = trmi_linear_solve(&st->matrix.lin, st->step, err);
    if (status > 0) return TRM_OK;
    TRMI_TRY(err, status);
    memset(st->product, 0, (size_t)nv * sizeof(double));
    trmi_sparse_add_mul(&sys->block[TRM_M], 1.0, st->displacement, st->product);
    const double theta = dot(st->step, st->product, nv); /* of a direction of length one */
    z->stiffness = fabs(1.0 / theta - st->tau);
    memcpy(st->displacement, st->step, (size_t)nv * sizeof(double));
  }
  measure(st, z);
  return TRM_OK;
}

static trm_status is_free_here(trmi_statics *st, bool *is_free, trm_error *err) {
  softest z = {.stiffness = 0.0};
  const trm_status status = soften(st, &z, err);
  *is_free = false;
  if (status > 0) return TRM_OK; /* a diverged search may end where nothing can be solved */
  TRMI_TRY(err, status);
  *is_free = (z.stiffness <= 1e-13 * st->kappa || z.reach > TRMI_STATICS_FAR) && z.share > 1e-8;
  return TRM_OK;
}

/* A failed search may have ended anywhere, with large forces and stiffness that vanishes by chance:
 * the start must be free as well. */
trm_status trmi_statics_is_free(trmi_statics *st, bool *is_free, trm_error *err) {
  TRMI_TRY(err, is_free_here(st, is_free, err));
  if (!*is_free) return TRM_OK;
  trmi_state_copy(st->sys, &st->base->s, &st->before);
  TRMI_TRY(err, trmi_statics_restore(st, &st->first, err));
  TRMI_TRY(err, is_free_here(st, is_free, err));
  if (*is_free) return TRM_OK;
  TRMI_TRY(err, trmi_statics_restore(st, &st->before, err));
  TRMI_TRY(err, trmi_statics_multipliers(st, err));
  return TRM_OK;
}

/* "node 'rod.3'" of a beam "rod": the length of "node 'rod."; 0: not a node. */
static size_t beam_part(const trm_label *label) {
  const char *dot = strrchr(label->object, '.');
  const bool is_node = strncmp(label->object, "node '", 6) == 0 && dot != NULL;
  return is_node ? (size_t)(dot - label->object) + 1 : 0;
}

/* Is velocity i one of the beam of a node? */
static bool is_of_beam(const trm_system *sys, const trm_label *node, int i, trm_label *label) {
  trm_system_label(sys, TRM_V, i, label);
  return strncmp(label->object, node->object, beam_part(node)) == 0;
}

/* Is the beam of a node unsupported: no constraint involves it, and its translation has no
 * stiffness? */
static bool is_loose_beam(trmi_statics *st, const trm_label *node) {
  const trm_system *sys = st->sys;
  const trmi_sparse *K = &sys->block[TRM_K];
  trm_label label;
  if (beam_part(node) == 0 || K->values == NULL) return false;
  static const trm_block rows[] = {TRM_G, TRM_A};
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < sys->block[rows[b]].n; k++) {
      if (is_of_beam(sys, node, sys->block[rows[b]].col[k], &label)) return false;
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    double largest = 0.0, left = 0.0;
    memset(st->step, 0, (size_t)sys->n.nv * sizeof(double));
    memset(st->product, 0, (size_t)sys->n.nv * sizeof(double));
    for (int i = 0; i < sys->n.nv; i++) {
      const bool is_own = is_of_beam(sys, node, i, &label);
      const size_t length = strlen(label.name);
      const bool is_along = length > 2 && label.name[length - 2] == 'v' &&
                            label.name[length - 1] == "xyz"[axis];
      st->step[i] = is_own && is_along ? 1.0 : 0.0;
    }
    trmi_sparse_add_mul(K, 1.0, st->step, st->product);
    for (int k = 0; k < K->n; k++) {
      largest = fmax(largest, fabs(K->values[k] * st->step[K->col[k]]));
    }
    for (int i = 0; i < sys->n.nv; i++) left = fmax(left, fabs(st->product[i]));
    if (left > 1e-9 * largest) return false;
  }
  return true;
}

static trm_status fail_loose(const trm_label *node, trm_error *err) {
  char object[TRM_OBJECT_MAX];
  snprintf(object, sizeof object, "beam '%.*s'", (int)beam_part(node) - 7, node->object + 6);
  return TRMI_FAIL(err, TRM_ERR_BALANCE, object, "there is no equilibrium: nothing holds it; clamp "
                   "an end by 'fix: first', or give it a joint or a spring");
}

/* Is there friction, whose force at rest depends on how the model came to rest? */
static bool has_friction(const trm_system *sys) {
  trm_label label;
  for (int i = 0; i < sys->n.nx; i++) { /* bristles are states */
    trm_system_label(sys, TRM_X, i, &label);
    if (strncmp(label.object, "friction of ", 12) == 0) return true;
  }
  return sys->n.nslips > 0;
}

trm_status trmi_statics_blame(trmi_statics *st, trm_error *err) {
  const trm_system *sys = st->sys;
  bool is_free = false;
  trm_label force, direction;
  TRMI_TRY(err, trmi_statics_is_free(st, &is_free, err));
  int worst = 0, freest = 0; /* the one along which the force does most of its work */
  for (int i = 0; i < sys->n.nv; i++) {
    if (fabs(st->unbalanced[i]) > fabs(st->unbalanced[worst])) worst = i;
    if (fabs(st->displacement[i] * st->unbalanced[i]) >
        fabs(st->displacement[freest] * st->unbalanced[freest])) {
      freest = i;
    }
  }
  if (sys->n.nv == 0) {
    return TRMI_FAIL(err, TRM_ERR_BALANCE, NULL, "the states never come to rest");
  }
  trm_system_label(sys, TRM_V, worst, &force);
  if (is_loose_beam(st, &force)) return fail_loose(&force, err);
  if (is_free) {
    const bool is_turn = name_of(sys, freest, &direction);
    return TRMI_FAIL(err, TRM_ERR_BALANCE, direction.object,
                     "there is no equilibrium: nothing holds '%s' against %.4g %s: %s is free, "
                     "without a spring or a constraint; %s",
                     direction.name, fabs(st->unbalanced[freest]),
                     is_turn ? sys->units.torque : sys->units.force,
                     is_turn ? "this rotation" : "this direction",
                     has_friction(sys)
                         ? "friction is not counted here: a run shows whether it holds"
                         : "add one, or take the force away");
  }
  const bool is_turn = name_of(sys, worst, &force);
  return TRMI_FAIL(err, TRM_ERR_BALANCE, force.object,
                   "no equilibrium was found in %d Newton steps: %.4g %s along '%s' stay "
                   "unbalanced; start closer to it, or look at the motion with 'run' and damping",
                   st->iterations, fabs(st->unbalanced[worst]),
                   is_turn ? sys->units.torque : sys->units.force, force.name);
}
