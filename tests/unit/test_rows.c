/* Rows of joints: derivatives, rates, forces and patterns, for every kind of row, for lists as
 * joints have them, and for all kinds of sides; markers, poses and velocities are random. */
#include "unit/row_links.h"

/* G as a dense matrix, row by row */
static void dense_G(sample *s, double G[TRMI_LINK_ROWS_MAX * NV_MAX]) {
  trm_error err;
  double entries[ENTRIES_MAX];
  CHECK_OK(blocks(&s->link, &s->state, &(trm_block_request){.values[TRM_G] = entries}, &err), err);
  const trmi_sparse *S = &s->sys->block[TRM_G];
  for (int i = 0; i < s->ng * s->nv; i++) G[i] = 0.0;
  for (int k = 0; k < S->n; k++) G[S->row[k] * s->nv + S->col[k]] += entries[k];
}

/* ---- tests ---------------------------------------------------------------------- */

static void check_size(sample *s, const list *of) {
  assert_int_equal(trmi_rows_size(s->link.rows, s->link.nrows), of->size);
}

static void size_counts_three_for_a_point(void **unused) {
  (void)unused;
  for_all(check_size);
}

/* G against the force, exactly; GY_Q, GV_Q, GB_Q, GB_V against central differences */
static void check_blocks(sample *s, const list *of) {
  (void)of;
  trm_error err;
  trm_block_check worst[TRM_BLOCKS];
  CHECK_OK(trm_system_check_blocks(s->sys, &s->state, worst, &err), err);
  for (int k = 0; k < BLOCKS; k++) {
    const trm_block_check *w = &worst[joint_blocks[k]];
    /* step 6e-6: truncation 4e-11 and rounding 4e-11 times numbers up to ten; G has neither */
    const double tol = joint_blocks[k] == TRM_G ? 1e-14 : 1e-9;
    CHECK_NEAR(w->error, 0.0, tol, "%s: %s[%d][%d] is %g, difference %g", s->name,
               trm_block_name(w->block), w->row, w->col, w->given, w->difference);
  }
}

static void blocks_match_central_differences(void **unused) {
  (void)unused;
  for_all(check_blocks);
}

static void check_G(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double G[TRMI_LINK_ROWS_MAX * NV_MAX], dpi[NV_MAX], plus[6], minus[6], q[NQ_MAX];
  dense_G(s, G);
  trm_state moved = s->state;
  moved.q = q;
  /* truncation e^2/6 times third derivatives up to ten, rounding 1e-16/e: 1e-9 */
  const double e = 1e-5, tol = 1e-9;
  for (int j = 0; j < s->nv; j++) {
    for (int i = 0; i < s->nv; i++) dpi[i] = i == j ? e : 0.0;
    trm_system_retract(s->sys, s->q, dpi, q);
    CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g = plus}, &err), err);
    dpi[j] = -e;
    trm_system_retract(s->sys, s->q, dpi, q);
    CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g = minus}, &err), err);
    for (int i = 0; i < s->ng; i++) {
      CHECK_NEAR(G[i * s->nv + j], (plus[i] - minus[i]) / (2.0 * e), tol, "%s: G[%d][%d]", s->name,
                 i, j);
    }
  }
}

static void G_is_the_derivative_of_the_rows(void **unused) {
  (void)unused;
  for_all(check_G);
}

static void check_rate(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double G[TRMI_LINK_ROWS_MAX * NV_MAX], rate[6];
  dense_G(s, G);
  CHECK_OK(trm_system_values(s->sys, &s->state, &(trm_values){.g_rate = rate}, &err), err);
  for (int i = 0; i < s->ng; i++) {
    double product = 0.0;
    for (int j = 0; j < s->nv; j++) product += G[i * s->nv + j] * s->v[j];
    CHECK_NEAR(rate[i], product, 1e-14, "%s: rate %d", s->name,
               i); /* rounding of a dozen products */
  }
}

static void rate_is_G_times_velocity(void **unused) {
  (void)unused;
  for_all(check_rate);
}

/* with constant v the rates change by g_bias dt; q(t) = q (+) t v is such a motion */
static void check_bias(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double bias[6], plus[6], minus[6], q[NQ_MAX], dpi[NV_MAX];
  CHECK_OK(trm_system_values(s->sys, &s->state, &(trm_values){.g_bias = bias}, &err), err);
  trm_state moved = s->state;
  moved.q = q;
  const double e = 1e-5; /* truncation e^2/6 times numbers up to 30, rounding 1e-16/e */
  for (int i = 0; i < s->nv; i++) dpi[i] = e * s->v[i];
  trm_system_retract(s->sys, s->q, dpi, q);
  CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g_rate = plus}, &err), err);
  for (int i = 0; i < s->nv; i++) dpi[i] = -e * s->v[i];
  trm_system_retract(s->sys, s->q, dpi, q);
  CHECK_OK(trm_system_values(s->sys, &moved, &(trm_values){.g_rate = minus}, &err), err);
  for (int i = 0; i < s->ng; i++) {
    CHECK_NEAR(bias[i], (plus[i] - minus[i]) / (2.0 * e), 1e-9, "%s: bias %d", s->name, i);
  }
}

static void bias_is_the_change_of_rates_without_acceleration(void **unused) {
  (void)unused;
  for_all(check_bias);
}

/* Values alone and together are the same bits; what is not asked for is not touched. */
static void check_subsets(sample *s, const list *of) {
  (void)of;
  trm_error err;
  double all[3][6], some[3][6];
  CHECK_OK(values(&s->link, &s->state,
                  &(trm_values){.g = all[0], .g_rate = all[1], .g_bias = all[2]}, &err),
           err);
  CHECK_OK(values(&s->link, &s->state, &(trm_values){.g = some[0]}, &err), err);
  CHECK_OK(values(&s->link, &s->state, &(trm_values){.g_rate = some[1]}, &err), err);
  CHECK_OK(values(&s->link, &s->state, &(trm_values){.g_bias = some[2]}, &err), err);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < s->ng; i++) {
      CHECK_NEAR(some[k][i], all[k][i], 0.0, "%s: list %d row %d", s->name, k, i);
    }
  }
}

static void values_do_not_depend_on_what_else_is_asked(void **unused) {
  (void)unused;
  for_all(check_subsets);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(size_counts_three_for_a_point),
      cmocka_unit_test(blocks_match_central_differences),
      cmocka_unit_test(G_is_the_derivative_of_the_rows),
      cmocka_unit_test(rate_is_G_times_velocity),
      cmocka_unit_test(bias_is_the_change_of_rates_without_acceleration),
      cmocka_unit_test(values_do_not_depend_on_what_else_is_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
