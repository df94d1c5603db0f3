/* own_system.c - a rod in two grooves, lifted by an electric motor. */
#include "trammel/trammel.h"
#include <math.h>
#include <stdio.h>

static const double m = 1.0, l = 1.0, J = 1.0 / 12.0, gravity = 9.81; /* the rod */
static const double R = 1.0, L = 0.01, k = 0.5, U = 6.0;              /* the motor */

static void sizes(const void *self, trm_sizes *n) {
  (void)self;
  *n = (trm_sizes){.nv = 3, .ng = 2, .nx = 2}; /* x, y, phi; two grooves; current, work */
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[2] = -1.5; /* nearly hanging; x and y follow from the grooves by assembly */
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)self, (void)err;
  const double *q = s->q, *v = s->v, c = l / 2 * cos(q[2]), sn = l / 2 * sin(q[2]);
  const double i = s->x[0], torque = k * i;
  if (out->motion != NULL) { /* M v' + G^T lam - Q */
    out->motion[0] = m * s->vd[0] + s->lam[0];
    out->motion[1] = m * s->vd[1] + s->lam[1] + m * gravity;
    out->motion[2] = J * s->vd[2] + sn * s->lam[0] - c * s->lam[1] - torque;
  }
  if (out->g != NULL) {
    out->g[0] = q[0] - c;
    out->g[1] = q[1] - sn;
  }
  if (out->d != NULL) {
    out->d[0] = L * s->xd[0] + R * i + k * v[2] - U;
    out->d[1] = s->xd[1] - torque * v[2];
  }
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * (m * (v[0] * v[0] + v[1] * v[1]) + J * v[2] * v[2]);
    out->energy[1] = m * gravity * q[1];
    out->energy[2] = torque * v[2];
  }
  return TRM_OK;
}

static void patterns(const void *self, trm_pattern *p) {
  (void)self;
  for (int j = 0; j < 3; j++) trm_pattern_entry(p, TRM_M, j, j);
  for (int row = 0; row < 2; row++) {
    trm_pattern_entry(p, TRM_G, row, row);
    trm_pattern_entry(p, TRM_G, row, 2);
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)self, (void)err;
  double *M = request->values[TRM_M], *G = request->values[TRM_G];
  if (M != NULL) M[0] = M[1] = m, M[2] = J;
  if (G != NULL) {
    G[0] = G[2] = 1.0;
    G[1] = l / 2 * sin(s->q[2]);
    G[3] = -l / 2 * cos(s->q[2]);
  }
  return TRM_OK;
}

static const trm_system_ops rod = {.name = "rod", .sizes = sizes, .start = start, .values = values,
                                   .patterns = patterns, .blocks = blocks, .shares_self = true};

static trm_status print(void *self, const trm_sample *sample, trm_error *err) {
  (void)self, (void)err;
  const trm_state *s = sample->state;
  const double balance = sample->kinetic + sample->potential - s->x[1];
  printf("t = %.1f  phi = %7.4f  current = %6.3f  ", s->t, s->q[2], s->x[0]);
  printf("energy less work = %.4f\n", balance);
  return TRM_OK;
}

int main(void) {
  trm_error err;
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_block_check worst[TRM_BLOCKS];
  trm_system_def def = trm_system_def_default();
  def.ops = &rod;
  trm_options options = trm_options_default();
  options.end = 4.0;
  options.outputs = 8;
  options.tolerance = 1e-7;
  trm_status status = trm_system_create(&def, &system, &err);
  if (status == TRM_OK) status = trm_sim_create(system, &options, &sim, &err);
  if (status == TRM_OK) status = trm_system_check_blocks(system, trm_sim_state(sim), worst, &err);
  if (status == TRM_OK) printf("G is %s\n", worst[TRM_G].error < 1e-8 ? "right" : "wrong");
  if (status == TRM_OK) status = trm_sim_add_sink(sim, &(trm_sink){.sample = print}, &err);
  if (status == TRM_OK) status = trm_sim_run(sim, &err);
  if (status != TRM_OK) fprintf(stderr, "%s: %s\n", err.object, err.message);
  trm_sim_free(sim);
  trm_system_free(system);
  return status == TRM_OK ? 0 : 1;
}
