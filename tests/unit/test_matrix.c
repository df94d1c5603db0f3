/* Matrices of a system: any number of lines, and sizes beyond what an int counts. */
#include "system/matrix.h"
#include "unit/kit.h"

/* All lines of a matrix take part, however many there are. */
static void every_line_takes_part(void **unused) {
  (void)unused;
  enum { LINES = 60, PLUS = 0 };
  trm_error err;
  trmi_arena arena;
  trmi_matrix matrix;
  trmi_line lines[LINES];
  trm_system *sys = kit_problem("slider-crank", NULL, NULL);
  const int nv = trm_system_count(sys, TRM_V);
  trmi_arena_init(&arena, &(trm_allocator){.self = NULL});
  for (int l = 0; l < LINES; l++) lines[l] = (trmi_line){TRM_V, TRM_V, TRM_M, PLUS, false, false};
  for (int count = LINES; count > 0; count -= LINES - 1) {
    const trmi_matrix_spec spec = {.lines = lines, .nlines = count, .kinematic = true,
                                   .solver = "klu"};
    CHECK_OK(trmi_matrix_build(&matrix, sys, &arena, &spec, &err), err);
    trmi_sparse *M = &sys->block[TRM_M];
    for (int k = 0; k < M->n; k++) M->values[k] = M->row[k] == M->col[k] ? 1.0 : 0.0;
    trmi_plan_fill(&matrix.plan, (const double[]){1.0}, NULL);
    for (int i = 0; i < nv; i++) {
      CHECK_NEAR(trmi_plan_at(&matrix.plan, matrix.diagonal[i]), count, 0.0, "line %d of %d", i,
                 count);
    }
    trmi_matrix_free(&matrix);
  }
  trmi_arena_clear(&arena);
  trm_system_free(sys);
}

/* ---- more velocities than the root of INT_MAX: a full block has too many entries ------------- */

typedef struct springs {
  int  count;
  bool gives_stiffness;
} springs;

static void sizes(const void *self, trm_sizes *n) {
  *n = (trm_sizes){.nv = ((const springs *)self)->count};
}

static void patterns(const void *self, trm_pattern *p) {
  const springs *o = self;
  for (int i = 0; i < o->count; i++) {
    trm_pattern_entry(p, TRM_M, i, i);
    if (o->gives_stiffness) trm_pattern_entry(p, TRM_K, i, i);
  }
  trm_pattern_given(p, TRM_C);
  trm_pattern_given(p, TRM_MU_Q);
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)err;
  s->q[0] = 1.0;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const springs *o = self;
  for (int i = 0; out->motion != NULL && i < o->count; i++) out->motion[i] = s->vd[i] + s->q[i];
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  (void)s, (void)err;
  const springs *o = self;
  for (int b = 0; b < 2; b++) {
    double *to = request->values[b == 0 ? TRM_M : TRM_K];
    for (int i = 0; to != NULL && i < o->count; i++) to[i] = 1.0;
  }
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "springs", .sizes = sizes, .patterns = patterns,
                                   .start = start, .values = values, .blocks = blocks};
/* 65536^2 is zero in 32 bits, 50000^2 is negative. */
static const int counts[] = {65536, 50000};

static void a_block_too_large_for_differences_is_refused(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    trm_error err;
    trm_sim *sim = NULL;
    springs self = {.count = counts[k]};
    trm_options options = trm_options_default();
    options.integrator = "hht"; /* explicit needs no K */
    options.end = 0.1;
    trm_system *sys = kit_system(&ops, &self);
    CHECK_STATUS(trm_sim_create(sys, &options, &sim, &err), TRM_ERR_INPUT);
    assert_non_null(strstr(err.message, "block K is"));
    assert_non_null(strstr(err.message, "too large to be made by differences"));
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

/* Blocks that nobody asks for need no room, and derivatives of G^T y are no blocks without G. */
static void many_velocities_run_where_patterns_are_given(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    springs self = {.count = counts[k], .gives_stiffness = true};
    trm_options options = trm_options_default();
    options.end = 0.1;
    options.steps[0] = 0.01;
    options.nsteps = 1;
    trm_system *sys = kit_system(&ops, &self);
    trm_sim *sim = kit_sim(sys, &options);
    kit_run(sim);
    /* error of hht: h^2 t/8 and a little damping */
    CHECK_NEAR(trm_sim_state(sim)->q[0], cos(0.1), 1e-5, "%d velocities", counts[k]);
    trm_sim_free(sim);
    trm_system_free(sys);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_line_takes_part),
      cmocka_unit_test(a_block_too_large_for_differences_is_refused),
      cmocka_unit_test(many_velocities_run_where_patterns_are_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
