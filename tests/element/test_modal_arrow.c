/* test_modal_arrow.c - matrices of iterations with modal bodies: an arrow, whose cost grows like
 * the number of modes, although blocks couple every mode with every other one. */
#include "check.h"
#include "linalg/block.h"
#include "system/tangent.h"
#include "trammel/flexible.h"
#include "trammel/model.h"
#include <math.h>
#include <string.h>

/* A bar with rigid sections, each of which has six static modes: many modes without a search for
 * vibrations. A rigid section follows every second cell; `rates` are keys of the bar. */
static trm_system *open_bar(int sections, const char *rates) {
  static char text[20000];
  trm_model *model;
  trm_system *system;
  trm_error err;
  const int cells = 2 * (sections - 1);
  int used = snprintf(text, sizeof text,
                      "trammel: 1\nflexible:\n  bar:\n"
                      "    box: {size: [1, 0.05, 0.04], cells: [%d, 1, 1], element: C3D8I}\n"
                      "    material: {E: 2e11, nu: 0.3, density: 7850}\n%s"
                      "    modes: {fixed: 0, inertia: false}\n    interfaces:\n", cells, rates);
  for (int i = 0; i < sections; i++) {
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "      s%d: {plane: {at: [%.17g, 0, 0], normal: [1, 0, 0]}}\n", i,
                     (double)i / (sections - 1));
  }
  snprintf(text + used, sizeof text - (size_t)used,
           "bodies: {mass: {mass: 1, inertia: [1, 1, 1], at: [1, 0.025, 0.02]}}\njoints:\n"
           "  pin: {type: revolute, bodies: [ground, bar.s0], at: [0, 0, 0], axis: [0, 1, 0]}\n"
           "  ball: {type: spherical, bodies: [bar.s%d, mass], at: [1, 0.025, 0.02]}\n",
           sections - 1);
  CHECK_OK(trm_model_read_text(text, "bar", NULL, 0, NULL, &model, &err), err);
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  trm_model_free(model);
  return system;
}

/* What a matrix of index 3 has. */
typedef struct cost {
  int    modes, entries;
  double numbers, operations;
} cost;

static cost measure(trm_system *system, bool simplified) {
  const trmi_tangent tangent = {.by = TRMI_BY_ALL, .lam = TRMI_AT_POSITION,
                                .mu = TRMI_AT_VELOCITY};
  trmi_line lines[TRMI_TANGENT_MAX];
  trmi_arena arena;
  trmi_matrix matrix;
  trmi_block_work work;
  trm_error err;
  trmi_arena_init(&arena, &(trm_allocator){0});
  const trmi_matrix_spec spec = {.lines = lines, .nlines = trmi_tangent_lines(&tangent, lines),
                                 .slot_one = TRMI_BY_VARIABLE, .simplified = simplified,
                                 .iterated = true, .solver = "block"};
  CHECK_OK(trmi_matrix_build(&matrix, system, &arena, &spec, &err), err);
  CHECK_OK(trmi_block_count(&matrix.plan, &(trm_allocator){0}, &work, &err), err);
  const cost out = {.modes = trm_flexible_at(system, 0).modes, .numbers = work.numbers,
                    .entries = matrix.plan.Ap[matrix.plan.n], .operations = work.operations};
  trmi_matrix_free(&matrix);
  trmi_arena_clear(&arena);
  return out;
}

/* Entries to be filled, numbers of the factors for a solution, operations of a factorization: over
 * the modes they stay the same, but for the rigid rest, which small bodies share among fewer. */
static void cost_grows_like_the_modes(void **state) {
  (void)state;
  cost first = {.modes = 0}, now = first;
  static const int list[] = {9, 18, 36, 68}; /* 48, 102, 210, 402 modes */
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const int sections = list[i];
    trm_system *system = open_bar(sections, "");
    now = measure(system, true);
    if (sections == 9) first = now;
    const double ratio = (double)now.modes / first.modes;
    if (!(now.entries <= ratio * first.entries && now.numbers <= ratio * first.numbers &&
          now.operations <= ratio * first.operations)) {
      fail_msg("%d modes: %d entries, %g numbers, %g operations; %d: %d, %g, %g", first.modes,
               first.entries, first.numbers, first.operations, now.modes, now.entries,
               now.numbers, now.operations);
    }
    if (sections == 36) { /* all couplings: as many entries as modes squared */
      const cost full = measure(system, false);
      print_message("operations of all couplings over those of an arrow: %.1f\n",
                    full.operations / now.operations);
      assert_true(full.entries > now.modes * now.modes && full.operations > 20 * now.operations);
    }
    trm_system_free(system);
  }
  assert_true(first.modes < 50 && now.modes > 400);
}

/* Blocks for an iteration have the same numbers in strong entries; weak ones may stay. MU_Q and K
 * are without terms of modal accelerations and rates in their rows of the frame: those are zero. */
static void strong_entries_are_exact(void **state) {
  (void)state;
  static const trm_block list[] = {TRM_M, TRM_MU_Q, TRM_K, TRM_C, TRM_GY_Q};
  trm_system *system = open_bar(4, "");
  const trm_sizes n = system->n;
  double q[80], v[80], vd[80], lam[20], exact[20000];
  trm_error err;
  int weak = 0;
  const int modes = trm_flexible_at(system, 0).modes, first = n.nv - modes; /* behind the mass */
  assert_true(n.nv <= 70 && n.ng <= 20);
  for (int i = 0; i < 80; i++) q[i] = 0.01 * (i % 5);
  for (int i = 0; i < 20; i++) lam[i] = 100.0 * (i + 1);
  const trm_state s = {.q = q, .v = v, .vd = vd, .lam = lam};
  for (size_t b = 0; b < sizeof list / sizeof *list; b++) {
    const trmi_block_set set = TRMI_BIT(list[b]);
    const bool rests = list[b] == TRM_MU_Q || list[b] == TRM_K;
    for (int i = 0; i < 80; i++) v[i] = 0.3 * (i % 4), vd[i] = 1.0 + i % 3;
    for (int j = 0; j < modes && rests; j++) v[first + j] = vd[first + j] = 0.0;
    CHECK_OK(trmi_system_want(system, list[b], &err), err);
    const trmi_sparse *S = &system->block[list[b]];
    assert_true(S->n <= 20000);
    CHECK_OK(trmi_system_blocks(system, &s, set, vd, lam, NULL, &err), err);
    memcpy(exact, S->values, (size_t)S->n * sizeof *exact);
    for (int k = 0; k < S->n; k++) S->values[k] = NAN;
    CHECK_OK(trmi_system_strong_blocks(system, &s, set, vd, lam, NULL, &err), err);
    for (int k = 0; k < S->n; k++) {
      const bool is_weak = trmi_sparse_is_weak(S, k);
      weak += is_weak;
      if (!is_weak && !(S->values[k] == exact[k])) {
        fail_msg("block %s, row %d, column %d: %g, exactly %g", trm_block_name(list[b]), S->row[k],
                 S->col[k], S->values[k], exact[k]);
      }
    }
  }
  assert_true(weak > 300);
  trm_system_free(system);
}

/* Above a fifth of the first frequency couplings of modes count. */
static void a_body_that_turns_fast_has_all_couplings(void **state) {
  (void)state;
  trm_system *slow = open_bar(4, "    angular_velocity: [0, 100, 0]\n");
  trm_system *fast = open_bar(4, "    angular_velocity: [0, 1000, 0]\n");
  int weak[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    const trmi_sparse *K = &(i == 0 ? slow : fast)->block[TRM_K];
    for (int k = 0; k < K->n; k++) weak[i] += trmi_sparse_is_weak(K, k);
  }
  const int modes = trm_flexible_at(slow, 0).modes;
  /* couplings of modes; in mean axes those with translations, and rows of modes, are zero */
  assert_int_equal(weak[0], modes * (modes - 1) + 9 * modes);
  assert_int_equal(weak[1], 0);
  trm_system_free(slow);
  trm_system_free(fast);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(cost_grows_like_the_modes),
    cmocka_unit_test(strong_entries_are_exact),
    cmocka_unit_test(a_body_that_turns_fast_has_all_couplings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
