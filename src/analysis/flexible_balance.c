/* flexible_balance.c - loads at the interfaces of a flexible body from its own balance.
 *
 * With r the rows of its inertia, stiffness, damping and weight, J_i the 6 x (6 + n) Jacobians of
 * its interfaces and c_l its distributed loads of the values p_l, at any state of any motion
 *   sum_i J_i^T w_i = r - sum_l p_l c_l                                                     (1)
 * The basis has the six static modes of every interface: the rows of all J_i are independent, and w
 * is unique. (1) has 6 + n equations; in the norm of 1/diag(M), with D = 1/diag(M):
 *   (J D J^T) w = J D r,  columns scaled, repeated for the remainder                         (2) */
#include "elements/flex/modal_body.h"
#include "fem/fields.h"
#include "fem/flexible_mesh.h"
#include "mechanism/blueprint.h"
#include "trammel/flexible.h"
#include <math.h>
#include <string.h>

typedef struct work {
  const trmi_modal_body *body;
  int     n, k;    /* rows 6 + modes; six of each interface */
  double *r, *D;   /* [n] */
  double *J;       /* [k n] */
  double *A, *B;   /* matrix of (2) and a copy [k k] */
  double *w, *step; /* [k] */
} work;

static trm_status prepare(work *w, trmi_arena *arena, int modes, int interfaces, trm_error *err) {
  w->n = 6 + modes, w->k = 6 * interfaces;
  w->r = TRMI_TAKE(arena, double, w->n);
  w->D = TRMI_TAKE(arena, double, w->n);
  w->J = TRMI_TAKE(arena, double, w->k * w->n);
  w->A = TRMI_TAKE(arena, double, w->k * w->k);
  w->B = TRMI_TAKE(arena, double, w->k * w->k);
  w->w = TRMI_TAKE(arena, double, w->k);
  w->step = TRMI_TAKE(arena, double, w->k);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  return TRM_OK;
}

/* r less a distributed load, see elements/flex/body_loads.c. */
static void subtract_load(work *w, const trmi_modal_load *load, double p, const double *a) {
  const int n = w->n - 6;
  const trmi_vec3 push = m3_mul(w->body->now.R, v3_load(load->force));
  v3_accumulate(w->r, v3_scale(-p, push));
  v3_accumulate(w->r + 3, v3_scale(-p, v3_load(load->moment)));
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < 3; k++) w->r[3 + k] -= p * load->X[n * k + j] * a[j];
    w->r[6 + j] -= p * load->f[j];
  }
}

static double square(const work *w) {
  double sum = 0.0;
  for (int i = 0; i < w->n; i++) sum += w->D[i] * w->r[i] * w->r[i];
  return sum;
}

/* (2), once; r becomes the remainder. */
static trm_status improve(work *w, const double *scale, trmi_arena *arena, trm_error *err) {
  memcpy(w->B, w->A, (size_t)(w->k * w->k) * sizeof *w->B);
  for (int i = 0; i < w->k; i++) {
    w->step[i] = 0.0;
    for (int j = 0; j < w->n; j++) w->step[i] += w->J[w->n * i + j] * w->D[j] * w->r[j];
    w->step[i] *= scale[i];
  }
  TRMI_TRY(err, trmi_fields_solve(arena, w->k, w->B, 1, w->step, err));
  for (int i = 0; i < w->k; i++) {
    const double wrench = scale[i] * w->step[i];
    w->w[i] += wrench;
    for (int j = 0; j < w->n; j++) w->r[j] -= w->J[w->n * i + j] * wrench;
  }
  return TRM_OK;
}

static trm_status solve(work *w, trmi_arena *arena, double *residual, trm_error *err) {
  double *scale = TRMI_TAKE(arena, double, w->k);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < w->k; i++) {
    memcpy(w->J + w->n * i, trmi_map_J(w->body->markers[i / 6].map) + w->n * (i % 6),
           (size_t)w->n * sizeof *w->J);
  }
  for (int pass = 0; pass < 2; pass++) { /* the diagonal gives the scales */
    for (int i = 0; i < w->k; i++) {
      for (int m = pass == 0 ? i : 0; m < (pass == 0 ? i + 1 : w->k); m++) {
        double sum = 0.0;
        for (int j = 0; j < w->n; j++) sum += w->J[w->n * i + j] * w->D[j] * w->J[w->n * m + j];
        w->A[w->k * i + m] = pass == 0 ? sum : sum * scale[i] * scale[m];
      }
      if (pass == 0) scale[i] = 1.0 / sqrt(w->A[(w->k + 1) * i]);
    }
  }
  const double before = square(w);
  for (int pass = 0; pass < 2; pass++) TRMI_TRY(err, improve(w, scale, arena, err));
  *residual = before > 0.0 ? sqrt(square(w) / before) : 0.0;
  return TRM_OK;
}

/* Force in ground axes, moment in those of the marker: both in those of the body. */
static void put_wrenches(const work *w, trm_flexible_wrench *out) {
  for (int i = 0; i < w->k / 6; i++) {
    const trmi_modal_marker *m = &w->body->markers[i];
    v3_store(out[i].force, m3_tmul(m->R, v3_load(w->w + 6 * i)));
    v3_store(out[i].moment, m3_mul(m->E, v3_load(w->w + 6 * i + 3)));
  }
}

/* Of body i. */
typedef struct request {
  const trmi_mechanism *m;
  int              i;
  const trm_state *s;
  const double    *values;
} request;

static trm_status balance(const request *of, trmi_arena *arena, trm_flexible_loads *out,
                          trm_error *err) {
  const trmi_mechanism *m = of->m;
  const trm_state *s = of->s;
  const trmi_flexible_part *f = &m->flexible[of->i];
  const trmi_modal_arrays *arrays = &f->reduced->arrays;
  const double *vd = s->vd + f->v;
  work w = {.body = NULL};
  TRMI_TRY(err, prepare(&w, arena, arrays->n, arrays->ninterfaces, err));
  w.body = trmi_modal_bodies_react(m->modal, of->i, s, arena, w.r);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int j = 0; j < w.n; j++) {
    w.D[j] = j < 3 ? 1.0 / arrays->mass : j < 6 ? 1.0 / w.body->now.J[4 * (j - 3)] : 1.0;
  }
  for (int l = 0; l < arrays->nloads; l++) {
    subtract_load(&w, &arrays->loads[l], of->values[l], s->q + f->q + 7);
  }
  v3_store(out->acceleration, m3_tmul(w.body->now.R, v3_sub(v3_load(vd), m->gravity)));
  memcpy(out->angular_velocity, s->v + f->v + 3, sizeof out->angular_velocity);
  memcpy(out->angular_acceleration, vd + 3, sizeof out->angular_acceleration);
  out->residual = 0.0;
  if (w.k == 0) return TRM_OK;
  TRMI_TRY(err, solve(&w, arena, &out->residual, err));
  put_wrenches(&w, out->wrenches);
  return TRM_OK;
}

trm_status trm_flexible_balance(const trm_system *system, int i, const trm_state *s,
                                const double *values, trm_flexible_loads *out, trm_error *err) {
  TRMI_NEED(err, system, s, out);
  const request of = {.m = trmi_mechanism_of(system), .i = i, .s = s, .values = values};
  trmi_arena arena;
  if (of.m == NULL || i < 0 || i >= of.m->nflexible) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no flexible body %d", i);
  }
  const trmi_modal_arrays *arrays = &of.m->flexible[i].reduced->arrays;
  if (arrays->nloads > 0) TRMI_NEED(err, values);
  if (arrays->ninterfaces > 0) TRMI_NEED(err, out->wrenches);
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trm_status status = balance(&of, &arena, out, err);
  trmi_arena_clear(&arena);
  return status == TRM_OK ? TRM_OK : trmi_note(err, __func__, status);
}
