/* A splitting of coordinates: whichever request for memory fails, ours or one of KLU, it is told
 * and nothing is lost; as long as the choice holds there are none. */
#include "fault/memory.h"
#include "unit/loops.h"

/* Chooses, follows, loses a coordinate of each loop, chooses again. */
static trm_status live(loops *l, trmi_split *split, trmi_arena *arena, trm_error *err) {
  bool is_full = false;
  double r[LOOP_COLS] = {1.0}, s[LOOP_ROWS];
  const trm_status status = trmi_split_init(split, &l->G, arena, err);
  if (status != TRM_OK) assert_int_equal(split->nparts, 0); /* nothing is left of it */
  TRMI_TRY(err, status);
  TRMI_TRY(err, trmi_split_follow(split, &is_full, err));
  assert_true(is_full);
  for (int i = 0; i < split->nparts; i++) {
    const int lost = split->part[i].col[split->part[i].dependent[0]];
    for (int k = 0; k < l->G.n; k++) {
      if (l->col[k] == lost) l->values[k] *= 1e-4;
    }
  }
  TRMI_TRY(err, trmi_split_follow(split, &is_full, err));
  assert_true(is_full);
  assert_int_equal(split->choices, 2 * LOOPS);
  trmi_split_solve(split, r, s);
  return TRM_OK;
}

/* One life of a splitting in which request n of `failing` is refused. */
static trm_status try_splitting(meter *ours, meter *failing, long n, trm_error *err) {
  static loops l;
  trmi_arena arena;
  trmi_split split;
  *ours = klu_meter = (meter){0};
  failing->fail_at = n;
  const trm_allocator allocator = meter_allocator(ours);
  loops_fill(&l, 1);
  trmi_arena_init(&arena, &allocator);
  const trm_status status = live(&l, &split, &arena, err);
  trmi_split_free(&split);
  trmi_arena_clear(&arena);
  if (ours->live != 0 || klu_meter.live != 0) {
    fail_msg("request %ld: %ld blocks of ours, %ld of KLU are lost", n, ours->live,
             klu_meter.live);
  }
  return status;
}

/* Ten steps of a chain with 305 rows; only its splitting uses KLU. */
static trm_status try_run(meter *ours, meter *failing, long n, trm_error *err) {
  trm_system *sys = kit_problem("chain", "links", "61");
  trm_sim *sim = NULL;
  trm_options options = trm_options_default();
  *ours = klu_meter = (meter){0};
  failing->fail_at = n;
  options.integrator = "alpha";
  options.formulation = "cs";
  options.solver = "block";
  options.steps[0] = 1e-3;
  options.nsteps = 1;
  options.end = 1e-2;
  options.checkpoint_steps = 4;
  options.allocator = meter_allocator(ours);
  trm_status status = trm_sim_create(sys, &options, &sim, err);
  if (status == TRM_OK) status = trm_sim_run(sim, err);
  trm_sim_free(sim);
  trm_system_free(sys);
  assert_int_equal(ours->live + klu_meter.live, 0);
  return status;
}

typedef trm_status (*life)(meter *ours, meter *failing, long n, trm_error *err);

static void check_requests(life try_life, meter *ours, meter *failing, long at_least) {
  for (long n = 1;; n++) {
    trm_error err = {.status = TRM_OK};
    const trm_status status = try_life(ours, failing, n, &err);
    if (failing->requests < n) { /* nothing failed any more */
      CHECK_OK(status, err);
      print_message("%ld requests\n", n - 1);
      assert_true(n > at_least);
      return;
    }
    /* the factors are shrunk to their size at last: KLU goes on with the larger ones */
    if (status == TRM_OK && failing->refused_to_resize) continue;
    if (status != TRM_ERR_MEMORY || err.status != TRM_ERR_MEMORY) {
      fail_msg("request %ld of memory fails: %s, '%s'", n, trm_status_name(status), err.message);
    }
  }
}

static void any_request_may_fail(void **unused) {
  (void)unused;
  meter ours;
  check_requests(try_splitting, &ours, &ours, 3); /* an arena takes large blocks */
  /* two large loops, each chosen twice, three analyses or factorizations a time */
  check_requests(try_splitting, &ours, &klu_meter, 2 * 2 * 3);
}

static void any_request_of_a_run_may_fail(void **unused) {
  (void)unused;
  meter ours;
  check_requests(try_run, &ours, &klu_meter, 3);
}

/* KLU takes memory only in steps in which a choice is made, and those are few. */
static void steps_of_a_run_take_no_memory(void **unused) {
  (void)unused;
  trm_error err;
  long busy = 0, steps = 0;
  trm_system *sys = kit_problem("chain", "links", "61");
  trm_options options = trm_options_default();
  klu_meter = (meter){0};
  options.integrator = "alpha";
  options.formulation = "cs";
  options.solver = "block";
  options.end = 2.0;
  options.checkpoint_steps = 1000000;
  trm_sim *sim = kit_sim(sys, &options);
  for (bool done = false; !done; steps++) {
    const long before = klu_meter.requests;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    busy += klu_meter.requests > before;
  }
  print_message("%ld steps, %ld with a new choice\n", steps, busy);
  assert_true(klu_meter.requests > 0); /* the first choice belongs to the start */
  assert_true(busy <= 3);
  trm_sim_free(sim);
  trm_system_free(sys);
  assert_int_equal(klu_meter.live, 0);
}

static void a_choice_that_holds_takes_no_memory(void **unused) {
  (void)unused;
  static loops l;
  trm_error err;
  meter ours = {0};
  bool is_full = false;
  uint64_t seed = 5;
  trmi_arena arena;
  trmi_split split;
  double r[LOOP_COLS] = {1.0}, s[LOOP_ROWS];
  const trm_allocator allocator = meter_allocator(&ours);
  klu_meter = (meter){0};
  loops_fill(&l, 2);
  trmi_arena_init(&arena, &allocator);
  CHECK_OK(trmi_split_init(&split, &l.G, &arena, &err), err);
  CHECK_OK(trmi_split_follow(&split, &is_full, &err), err);
  assert_true(klu_meter.requests > 0); /* the meter is where KLU takes its memory */
  ours.is_shut = klu_meter.is_shut = true;
  for (int i = 0; i < 20; i++) {
    for (int k = 0; k < l.G.n; k++) l.values[k] *= 1.0 + 0.005 * kit_random(&seed);
    CHECK_OK(trmi_split_follow(&split, &is_full, &err), err);
    assert_true(is_full);
    trmi_split_solve(&split, r, s);
  }
  assert_int_equal(split.choices, LOOPS);
  assert_int_equal(ours.refused + klu_meter.refused, 0);
  trmi_split_free(&split);
  trmi_arena_clear(&arena);
  assert_int_equal(ours.live + klu_meter.live, 0);
}

/* Bytes of an allocator that only counts. */
static void *count_bytes(void *self, size_t bytes) {
  *(size_t *)self += bytes;
  return malloc(bytes);
}

static void give_back(void *self, void *block) {
  (void)self;
  free(block);
}

/* Many loops of three rows and four columns: all of their rows as one dense matrix would be
 * 288 MB, and that of the columns more. */
static void small_loops_take_little_memory(void **unused) {
  (void)unused;
  enum { MANY = 2000, ENTRIES = 12 * MANY };
  static int row[ENTRIES], col[ENTRIES];
  static double values[ENTRIES], r[4 * MANY], s[3 * MANY];
  trm_error err;
  size_t bytes = 0;
  bool is_full = false;
  uint64_t seed = 1;
  trmi_arena arena;
  trmi_split split;
  for (int k = 0; k < ENTRIES; k++) {
    row[k] = k / 12 + MANY * (k % 3), col[k] = k / 12 + MANY * (k % 12 / 3);
    values[k] = kit_random(&seed);
  }
  for (int i = 0; i < 4 * MANY; i++) r[i] = kit_random(&seed);
  const trmi_sparse G = {.rows = 3 * MANY, .cols = 4 * MANY, .n = ENTRIES, .row = row, .col = col,
                         .values = values};
  trmi_arena_init(&arena, &(trm_allocator){&bytes, count_bytes, give_back});
  CHECK_OK(trmi_split_init(&split, &G, &arena, &err), err);
  assert_int_equal(split.nparts, MANY);
  CHECK_OK(trmi_split_follow(&split, &is_full, &err), err);
  assert_true(is_full);
  trmi_split_solve(&split, r, s);
  for (int k = 0; k < ENTRIES; k++) r[col[k]] += values[k] * s[row[k]];
  for (int i = 0; i < MANY; i++) {
    const trmi_split_part *part = &split.part[i];
    for (int k = 0; k < 3; k++) {
      /* rounding of three unknowns, in the worst of 2000 draws with multipliers of some tens */
      CHECK_NEAR(r[part->col[part->dependent[k]]], 0.0, 1e-13, "loop %d", i);
    }
  }
  print_message("%zu bytes for %d loops\n", bytes, MANY);
  assert_true(bytes < 4000000);
  trmi_split_free(&split);
  trmi_arena_clear(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_request_may_fail),
      cmocka_unit_test(any_request_of_a_run_may_fail),
      cmocka_unit_test(steps_of_a_run_take_no_memory),
      cmocka_unit_test(small_loops_take_little_memory),
      cmocka_unit_test(a_choice_that_holds_takes_no_memory),
  };
  klu_meter_install();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
