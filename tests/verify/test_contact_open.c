/* test_contact_open.c - contacts that open and close: their blocks are those of a first call, and
 * whose gaps stay the same when a step is accepted. */
#include "integ/driver.h"
#include "verify/typed.h"

#define LAW "stiffness: 1e7, restitution: .5, friction: {static: .4, dynamic: .3}"
#define BODIES                                                                                     \
  "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                                 \
  "  ground: {shapes: {floor: {plane: {}}}}\n"                                                    \
  "  b1: {mass: .5, inertia: [5e-4, 5e-4, 5e-4], at: [0, 0, .05],\n"                              \
  "       shape: {sphere: {radius: .05}}}\n"                                                       \
  "  b2: {mass: .4, inertia: [5e-4, 6e-4, 5e-4], at: [.1, 0, .05],\n"                             \
  "       shape: {sphere: {radius: .05}}}\n"
#define PAIRS                                                                                      \
  BODIES "contacts: {c: {between: [b1, b2], " LAW "}, g1: {between: [b1, ground], " LAW "},\n"    \
         "           g2: {between: [b2, ground], " LAW "}}\n"

static const trm_block of_contacts[] = {TRM_K, TRM_C, TRM_Q_X, TRM_D_X, TRM_D_Q, TRM_D_V};
enum { BLOCKS = sizeof of_contacts / sizeof *of_contacts, NUMBERS = 2000 };

/* The block as a call writes it into zeros; are all of its entries zero? */
static bool check_block(trm_system *sys, const trm_state *s, trm_block b) {
  static double fresh[NUMBERS];
  const trmi_sparse *S = &sys->block[b];
  trm_block_request request = {.u = s->vd, .y = s->lam, .ya = s->mu, .values = {[0] = NULL}};
  trm_error err = {.message = ""};
  bool is_zero = true;
  assert_true(S->n <= NUMBERS);
  memset(fresh, 0, sizeof fresh);
  request.values[b] = fresh;
  CHECK_OK(sys->ops->blocks(sys->self, s, &request, &err), err);
  for (int k = 0; k < S->n; k++) {
    if (S->values[k] != fresh[k]) {
      fail_msg("block %s, entry %d: %.17g, into zeros %.17g", trm_block_name(b), k, S->values[k],
               fresh[k]);
    }
    is_zero = is_zero && fresh[k] == 0.0;
  }
  return is_zero;
}

static void blocks_are_those_of_a_first_call(void **unused) {
  (void)unused;
  trm_error err = {.message = ""};
  typed m = typed_text(PAIRS, "pairs", NULL);
  m.options.end = 1.0;
  trm_sim *sim = typed_sim(&m, "hht", 1e-5);
  trm_system *sys = sim->sys;
  trmi_block_set set = 0;
  uint64_t seed = 3;
  int open = 0, closed = 0;
  for (int b = 0; b < BLOCKS; b++) {
    CHECK_OK(trmi_system_want(sys, of_contacts[b], &err), err);
    set |= TRMI_BIT(of_contacts[b]);
  }
  for (int i = 0; i < 50; i++) {
    double q[14], v[12], dpi[12];
    trm_state s = *trm_sim_state(sim);
    for (int k = 0; k < 12; k++) dpi[k] = 1e-3 * kit_random(&seed), v[k] = kit_random(&seed);
    trm_system_retract(sys, s.q, dpi, q);
    s.q = q, s.v = v;
    CHECK_OK(trmi_system_blocks(sys, &s, set, s.vd, s.lam, s.mu, &err), err);
    for (int b = 0; b < BLOCKS; b++) {
      const bool is_zero = check_block(sys, &s, of_contacts[b]);
      if (of_contacts[b] == TRM_Q_X) open += is_zero, closed += !is_zero;
    }
  }
  assert_true(open > 2 && closed > 2); /* all three are open in an eighth of the states */
  trm_sim_free(sim);
  typed_close(&m);
}

static void gaps_of_pairs_alone_are_kept(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    bool        keeps;
  } cases[] = {
    {PAIRS, true},
    {BODIES "groups: {all: {members: ['b*']}}\ncontacts: {c: {between: [all, ground], " LAW "}}\n",
     false},
    {PAIRS "forces: {f: {type: force, body: b1,\n"
           "             force: [0, 0, 'IMPACT(b1.z, b1.vz, .06, 1e5, 1.5, 10, 1e-4)']}}\n", false},
  };
  for (int i = 0; i < 3; i++) {
    typed m = typed_text(cases[i].text, "gaps", NULL);
    m.options.end = 1.0;
    trm_sim *sim = typed_sim(&m, "hht", 1e-5);
    assert_true(trm_system_sizes(sim->sys)->ngaps > 0);
    assert_int_equal(sim->sys->ops->keeps_gaps, cases[i].keeps);
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_are_those_of_a_first_call),
    cmocka_unit_test(gaps_of_pairs_alone_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
