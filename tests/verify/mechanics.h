/* mechanics.h - what the tests of mechanisms share: a run to its end, residuals and outputs at a
 * state, momenta, complaints. */
#ifndef TRM_TEST_MECHANICS_H
#define TRM_TEST_MECHANICS_H
#include "math/so3.h"
#include "math/vec.h"
#include "verify/typed.h"

/* A model and its state at the end of a run by explicit with 1e-12. */
typedef struct mechanics {
  typed  model;
  point *end;        /* states point into themselves: never copied */
  double outputs[8]; /* there                                      */
} mechanics;

/* The start as it is written. */
static inline void mechanics_start(const typed *m, point *p) {
  trm_error err = {.message = ""};
  point_clear(p);
  CHECK_OK(trmi_system_start(m->system, &p->s, &err), err);
}

static inline void mechanics_motion(const typed *m, point *p, double *motion) {
  trm_error err = {.message = ""};
  const trm_values values = {.motion = motion};
  CHECK_OK(trm_system_values(m->system, &p->s, &values, &err), err);
}

static inline void mechanics_outputs(const typed *m, point *p, double *outputs) {
  trm_error err = {.message = ""};
  const trm_values values = {.outputs = outputs};
  CHECK_OK(trm_system_values(m->system, &p->s, &values, &err), err);
}

/* State at the end, and outputs there if they are wanted. */
static inline void mechanics_advance(const typed *m, double end, point *out, double *outputs) {
  trm_error err = {.message = ""};
  trm_options o = trm_options_default();
  o.integrator = "explicit";
  o.tolerance = 1e-12;
  o.end = end;
  trm_sim *sim = kit_sim(m->system, &o);
  kit_run(sim);
  point_clear(out);
  trmi_state_copy(m->system, trm_sim_state(sim), &out->s);
  if (outputs != NULL) CHECK_OK(trm_sim_outputs(sim, outputs, &err), err);
  trm_sim_free(sim);
}

static inline mechanics mechanics_run(const char *text, double end) {
  mechanics m = {.model = typed_text(text, "test", NULL), .end = calloc(1, sizeof(point))};
  assert_non_null(m.end);
  assert_true(trm_system_count(m.model.system, TRM_OUTPUT) <= 8);
  mechanics_advance(&m.model, end, m.end, m.outputs);
  return m;
}

static inline void mechanics_close(mechanics *m) {
  typed_close(&m->model);
  free(m->end);
}

/* Momentum, angular momentum about the origin, and energy of bodies whose centre of mass is their
 * origin. */
typedef struct momenta {
  double linear[3], angular[3], energy;
} momenta;

/* For free bodies that come one after the other in q (7) and v (6). */
static inline void momenta_of(const typed *m, point *p, const double (*inertia)[4], int nbodies,
                              momenta *out) {
  double energy[3];
  trm_error err = {.message = ""};
  const trm_values values = {.energy = energy};
  CHECK_OK(trm_system_values(m->system, &p->s, &values, &err), err);
  *out = (momenta){.energy = energy[0] + energy[1]};
  for (int i = 0; i < nbodies; i++) {
    const double *q = p->s.q + 7 * i, *v = p->s.v + 6 * i;
    double R[9];
    const trmi_vec3 momentum = v3_scale(inertia[i][0], v3_load(v));
    const trmi_vec3 spin = v3_times(v3_load(inertia[i] + 1), v3_load(v + 3));
    trmi_quat_matrix(q + 3, R);
    v3_accumulate(out->linear, momentum);
    v3_accumulate(out->angular, v3_add(m3_mul(R, spin), v3_cross(v3_load(q), momentum)));
  }
}

/* A text that is refused: the first complaint has these words, in this line (0: any). */
static inline void mechanics_complaint(const char *text, int line, const char *words) {
  trm_error err = {.message = ""};
  trm_model *model = NULL;
  trm_system *system = NULL;
  trm_status status = trm_model_read_text(text, "test", NULL, 0, NULL, &model, &err);
  if (status == TRM_OK) trm_model_use_plugins(model, TRM_PLUGINS_LOADED);
  if (status == TRM_OK) status = trm_model_create_system(model, NULL, &system, &err);
  if (status == TRM_OK) fail_msg("nobody says '%s'", words);
  CHECK_STATUS(status, TRM_ERR_INPUT);
  char place[20];
  snprintf(place, sizeof place, "test:%d:", line);
  if (strstr(err.message, words) == NULL) fail_msg("'%s' not in '%s'", words, err.message);
  if (line > 0 && strncmp(err.message, place, strlen(place)) != 0) fail_msg("%s", err.message);
  trm_model_free(model);
}

#endif
