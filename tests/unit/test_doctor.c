/* The doctor: dependent sets of joints and what to release, against elimination; directions without
 * mass, what assembly moved, wrong units, recommended methods. */
#include "fault/memory.h"
#include "trammel/doctor.h"
#include "verify/typed.h"

/* --- a body on joints, to first order -------------------------------------------- */

enum { ROWS = 40, COLS = 12 };

/* Unit masses under linear constraints B q = 0, rows of joints with names. */
typedef struct frame {
  int    nv, ng;
  double B[ROWS][COLS];
  char   joint[ROWS];  /* letter of its joint       */
  bool   turns[ROWS];  /* the row holds a rotation  */
} frame;

static void sizes(const void *self, trm_sizes *n) {
  const frame *f = self;
  *n = (trm_sizes){.nv = f->nv, .ng = f->ng};
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const frame *f = self;
  if (list != TRM_LAM) return;
  snprintf(out->name, sizeof out->name, "%c.%d", f->joint[i], i);
  snprintf(out->object, sizeof out->object, "joint '%c'", f->joint[i]);
  out->kind = f->turns[i] ? TRM_KIND_NEWTON_METRE : TRM_KIND_NEWTON;
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  (void)self, (void)s, (void)err;
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  (void)err;
  const frame *f = self;
  for (int j = 0; out->motion != NULL && j < f->nv; j++) {
    out->motion[j] = s->vd[j];
    for (int i = 0; i < f->ng; i++) out->motion[j] += f->B[i][j] * s->lam[i];
  }
  for (int i = 0; out->g != NULL && i < f->ng; i++) {
    out->g[i] = 0.0;
    for (int j = 0; j < f->nv; j++) out->g[i] += f->B[i][j] * s->q[j];
  }
  if (out->energy != NULL) memset(out->energy, 0, 3 * sizeof(double));
  return TRM_OK;
}

static const trm_system_ops ops = {.name = "frame", .sizes = sizes, .label = label, .start = start,
                                   .values = values};

/* Rows that hold the point (x, y, z) of a body whose columns begin at b. */
static void add_point(frame *f, char joint, int b, double x, double y, double z) {
  const double turn[3][3] = {{0, z, -y}, {-z, 0, x}, {y, -x, 0}};
  for (int i = 0; i < 3; i++) {
    f->B[f->ng][b + i] = 1.0;
    for (int k = 0; k < 3; k++) f->B[f->ng][b + 3 + k] = turn[i][k];
    f->joint[f->ng++] = joint;
  }
}

/* Rows that hold rotations about x and y. */
static void add_axis(frame *f, char joint, int b) {
  for (int k = 0; k < 2; k++) {
    f->B[f->ng][b + 3 + k] = 1.0;
    f->turns[f->ng] = true;
    f->joint[f->ng++] = joint;
  }
}

/* Rank of the rows that are kept, by elimination with full pivoting. */
static int full_rank(const frame *f, const bool *left_out) {
  double B[ROWS][COLS];
  int count = 0, rank = 0;
  for (int i = 0; i < f->ng; i++) {
    if (!left_out[i]) memcpy(B[count++], f->B[i], sizeof B[0]);
  }
  for (; rank < count && rank < f->nv; rank++) {
    int row = rank, col = 0;
    for (int i = rank; i < count; i++) {
      for (int j = 0; j < f->nv; j++) {
        if (fabs(B[i][j]) > fabs(B[row][col])) row = i, col = j;
      }
    }
    if (fabs(B[row][col]) < 1e-9) break; /* numbers of size one, rounding 1e-15 */
    for (int j = 0; j < f->nv; j++) {
      const double keep = B[rank][j];
      B[rank][j] = B[row][j], B[row][j] = keep;
    }
    for (int i = rank + 1; i < count; i++) {
      const double factor = B[i][col] / B[rank][col];
      for (int j = 0; j < f->nv; j++) B[i][j] -= factor * B[rank][j];
      B[i][col] = 0.0;
    }
  }
  return rank;
}

typedef struct patient {
  trm_system *system;
  trm_sim    *sim;
  trm_doctor *doctor;
} patient;

static patient examine(frame *f) {
  trm_error err;
  patient p = {.system = kit_system(&ops, f)};
  trm_options o = trm_options_default();
  o.end = 1.0;
  p.sim = kit_sim(p.system, &o);
  CHECK_OK(trm_doctor_examine(p.sim, true, &p.doctor, &err), err);
  return p;
}

static void dismiss(patient *p) {
  trm_doctor_free(p->doctor);
  trm_sim_free(p->sim);
  trm_system_free(p->system);
}

/* What is released leaves all independent rows, and nothing that is too much. */
static void check_release(const frame *f, const trm_doctor *d) {
  bool none[ROWS] = {false}, released[ROWS] = {false};
  int surplus = 0;
  for (int k = 0; k < d->nsets; k++) {
    surplus += d->sets[k].surplus;
    for (int i = 0; i < d->sets[k].surplus; i++) {
      const int row = d->sets[k].release[i];
      assert_false(released[row]);
      released[row] = true;
      char name[2] = {f->joint[row], '\0'};
      if (d->sets[k].relax >= 0) assert_string_equal(d->joints[d->sets[k].relax].name, name);
    }
  }
  for (int j = 0; j < d->njoints; j++) {
    int rows = 0, all = 0;
    for (int i = 0; i < f->ng; i++) {
      if (f->joint[i] != d->joints[j].name[0]) continue;
      rows += released[i], all++;
    }
    assert_int_equal(d->joints[j].redundant, rows);
    assert_int_equal(d->joints[j].rows, all);
  }
  const int rank = full_rank(f, none);
  assert_int_equal(d->rank.rank, rank);
  assert_int_equal(surplus, f->ng - rank);
  assert_int_equal(full_rank(f, released), rank);
}

static void check_hint(const trm_doctor *d, int k, const char *part) {
  if (strstr(d->sets[k].hint, part) == NULL) fail_msg("'%s' in '%s'", part, d->sets[k].hint);
}

/* --- sets ------------------------------------------------------------------------- */

static void the_second_hinge_of_a_door_can_go(void **unused) {
  (void)unused;
  frame f = {.nv = 6};
  add_point(&f, 'a', 0, 0, 0, 0), add_axis(&f, 'a', 0);
  add_point(&f, 'b', 0, 0, 0, 1), add_axis(&f, 'b', 0);
  patient p = examine(&f);
  assert_int_equal(p.doctor->rank.freedoms, 1);
  assert_int_equal(p.doctor->freedoms_by_count, -4);
  /* z of both; x and rotation about y of both; y and rotation about x: of the same two joints */
  assert_int_equal(p.doctor->nsets, 1);
  check_release(&f, p.doctor);
  assert_int_equal(p.doctor->sets[0].njoints, 2);
  assert_string_equal(p.doctor->sets[0].hint, "leave out joint 'b'");
  assert_int_equal(p.doctor->nwarnings, 1);
  dismiss(&p);
}

/* A hinge and one more row that holds the door: nothing is free, nothing too much. */
static void independent_joints_have_no_sets(void **unused) {
  (void)unused;
  frame f = {.nv = 6};
  add_point(&f, 'a', 0, 0, 0, 0), add_axis(&f, 'a', 0);
  add_point(&f, 'b', 0, 0, 1, 1);
  f.ng -= 2; /* b holds x of a point that a lets turn about z: -y */
  patient p = examine(&f);
  assert_int_equal(p.doctor->nsets, 0);
  assert_int_equal(p.doctor->rank.freedoms, 0);
  assert_string_equal(p.doctor->integrator, "kinematic");
  dismiss(&p);
}

/* Rotations of both hinges are the same: each joint becomes one of points only. */
static void a_joint_without_its_rotations_is_called_spherical(void **unused) {
  (void)unused;
  frame f = {.nv = 12};
  add_point(&f, 'a', 0, 0, 0, 0), add_axis(&f, 'a', 0);
  add_axis(&f, 'b', 0);
  f.B[f.ng - 2][3] = f.B[f.ng - 1][4] = 2.0;
  add_point(&f, 'b', 6, 0, 0, 0); /* b holds a point of another body */
  patient p = examine(&f);
  assert_int_equal(p.doctor->nsets, 1);
  check_release(&f, p.doctor);
  assert_int_equal(p.doctor->sets[0].surplus, 2);
  check_hint(p.doctor, 0, "release 'b.");
  check_hint(p.doctor, 0, "of joint 'b'; it becomes a spherical joint");
  dismiss(&p);
}

static void a_joint_that_says_nothing_new_is_left_out(void **unused) {
  (void)unused;
  frame f = {.nv = 6};
  add_point(&f, 'a', 0, 0, 0, 0), add_axis(&f, 'a', 0);
  for (int j = 0; j < 6; j++) f.B[f.ng][j] = f.B[0][j] + f.B[4][j] - 3 * f.B[2][j];
  f.joint[f.ng++] = 'z';
  patient p = examine(&f);
  assert_int_equal(p.doctor->nsets, 1);
  check_release(&f, p.doctor);
  assert_int_equal(p.doctor->sets[0].njoints, 2);
  /* joint a could give a rotation and become simpler, but z is nothing else */
  assert_true(p.doctor->sets[0].relax >= 0);
  dismiss(&p);
}

/* Random joints on two bodies, some rows copied and mixed. */
static void released_rows_are_always_too_many(void **unused) {
  (void)unused;
  uint64_t seed = 7;
  int with_sets = 0;
  for (int round = 0; round < 200; round++) {
    frame f = {.nv = 12};
    for (int j = 0; j < 4; j++) {
      const double x = kit_random(&seed), y = round % 2 ? kit_random(&seed) : 0.0;
      add_point(&f, (char)('a' + j), 6 * (j % 2), x, y, 0);
      if (round % 3 == 0) add_axis(&f, (char)('a' + j), 6 * (j % 2));
    }
    patient p = examine(&f);
    check_release(&f, p.doctor);
    with_sets += p.doctor->nsets > 0;
    dismiss(&p);
  }
  assert_true(with_sets > 50);
}

/* --- other findings, of typed models ------------------------------------------------ */

static const trm_doctor *examine_text(const char *equations, typed *m, patient *p) {
  trm_error err;
  char text[1000];
  snprintf(text, sizeof text, "trammel: 1\nequations:\n%s\nsimulate: {end: 1}\n", equations);
  *m = typed_text(text, "text", NULL);
  *p = (patient){.sim = kit_sim(m->system, &m->options)};
  CHECK_OK(trm_doctor_examine(p->sim, true, &p->doctor, &err), err);
  return p->doctor;
}

static void close_text(typed *m, patient *p) {
  trm_doctor_free(p->doctor);
  trm_sim_free(p->sim);
  typed_close(m);
}

static void what_assembly_moved_is_told_by_object(void **unused) {
  (void)unused;
  typed m;
  patient p;
  const trm_doctor *d = examine_text(
      "  coordinates: {x: {value: 0.6, kind: length}, y: {value: 0.9, kind: length}}\n"
      "  kinetic: 0.5*(x'^2 + y'^2)\n  constraints: {rod: x^2 + y^2 - 1}", &m, &p);
  assert_int_equal(d->nmoves, 2);
  assert_string_equal(d->moves[0].object, "coordinate 'x'");
  const trm_state *s = trm_sim_state(p.sim);
  CHECK_NEAR(d->moves[0].length, fabs(s->q[0] - 0.6), 1e-15, "rounding");
  CHECK_NEAR(d->moves[1].length, fabs(s->q[1] - 0.9), 1e-15, "rounding");
  assert_true(d->moves[0].length > 1e-3 && d->moves[0].angle == 0.0 && d->moves[0].speed == 0.0);
  close_text(&m, &p);
}

static void check_warned(const char *equations, const char *part) {
  typed m;
  patient p;
  const trm_doctor *d = examine_text(equations, &m, &p);
  int found = 0;
  for (int i = 0; i < d->nwarnings; i++) {
    if (part != NULL && strstr(d->warnings[i], part) != NULL) found++;
    if (part == NULL) fail_msg("a false alarm: %s", d->warnings[i]);
  }
  if (part != NULL && found != 1) fail_msg("%d times '%s' in %d", found, part, d->nwarnings);
  close_text(&m, &p);
}

static void odd_numbers_are_pointed_at(void **unused) {
  (void)unused;
  check_warned("  coordinates: {x: 0, y: 0}\n  kinetic: 0.5*x'^2 + 1e-20*y'^2",
               "moves with 'y' alone");
  check_warned("  coordinates: {x: 0, y: 0}\n  kinetic: 0.5*x'^2 - 0.5*y'^2",
               "negative where 'y' moves");
  check_warned("  coordinates: {phi: {value: 90, kind: angle}}\n  kinetic: 0.5*phi'^2", "'90 deg'");
  check_warned("  coordinates: {x: {value: 1e8, kind: length}}\n  kinetic: 0.5*x'^2",
               "another unit");
  check_warned("  coordinates: {phi: {value: 3, kind: angle}, x: {value: 900, kind: length}}\n"
               "  kinetic: 0.5*phi'^2 + 1e-6*x'^2", NULL);
}

/* A start without accelerations is no simulation, but has its findings, whichever request fails. */
static void what_has_no_mass_at_all_is_examined(void **unused) {
  (void)unused;
  trm_error err;
  meter ours = {0};
  typed m = typed_text("trammel: 1\nequations:\n  coordinates: {x: 0, y: 0}\n"
                       "  kinetic: 0.5*x'^2\nsimulate: {end: 1}\n", "text", NULL);
  trm_options o = m.options;
  o.allocator = meter_allocator(&ours);
  trm_sim *sim = NULL;
  trm_doctor *doctor = NULL;
  CHECK_STATUS(trm_sim_create(m.system, &o, &sim, &err), TRM_ERR_SINGULAR);
  for (long n = 1; doctor == NULL; n++) {
    ours.requests = 0, ours.fail_at = n;
    const trm_status status = trm_doctor_examine_start(m.system, &o, &sim, &doctor, &err);
    if (ours.requests < n) CHECK_OK(status, err);
    else CHECK_STATUS(status, TRM_ERR_MEMORY);
    assert_true(doctor != NULL || (sim == NULL && ours.live == 0));
  }
  assert_int_equal(doctor->rank.freedoms, 2);
  assert_int_equal(doctor->nwarnings, 1);
  const char *warning = doctor->warnings[0];
  if (strstr(warning, "moves with 'y' alone") == NULL) fail_msg("%s", warning);
  trm_doctor_free(doctor);
  trm_sim_free(sim);
  assert_int_equal(ours.live, 0);
  typed_close(&m);
}

/* Where x y = 0 and z = 0 cross at the origin, both rows read (0, 0, 1); beside it they differ. */
#define CROSSED(rows) "  coordinates: {x: 0, y: 0, z: 0}\n  kinetic: 0.5*(x'^2 + y'^2 + z'^2)\n" \
                      "  constraints: {" rows "}"

static void check_pose(const char *equations, int surplus, const char *hint, const char *warning) {
  typed m;
  patient p;
  const trm_doctor *d = examine_text(equations, &m, &p);
  assert_int_equal(d->nsets, 1);
  assert_int_equal(d->sets[0].surplus, surplus);
  assert_string_equal(d->sets[0].hint, hint);
  int rows = 0;
  for (int j = 0; j < d->njoints; j++) rows += d->joints[j].redundant;
  assert_int_equal(rows, surplus);
  assert_int_equal(d->nwarnings, warning != NULL ? 2 : 1);
  if (warning != NULL && strstr(d->warnings[1], warning) == NULL) fail_msg("%s", d->warnings[1]);
  close_text(&m, &p);
}

static void what_is_dependent_in_one_pose_only_is_told_apart(void **unused) {
  (void)unused;
  check_pose(CROSSED("a: z + x*y, b: z - x*y"), 1, "", "rows is dependent in this pose");
  check_pose(CROSSED("a: z + x*y, b: 2*z + 2*x*y"), 1, "leave out constraint 'b'", NULL);
  check_pose(CROSSED("a: z + x*y, b: z - x*y, c: 2*z"), 2, "leave out constraint 'c'",
             "hints are for constraints that stay");
}

/* Springs of 4 and 1e6 N/m, masses of 1 kg: 2 and 1000 rad/s; a third mass is free. */
static void the_fastest_and_slowest_vibration_are_found(void **unused) {
  (void)unused;
  typed m;
  patient p;
  const trm_doctor *d = examine_text("  coordinates: {x: 1, y: 0, z: 0}\n"
                                     "  kinetic: 0.5*(x'^2 + y'^2 + z'^2)\n"
                                     "  potential: 2*x^2 + 5e5*y^2", &m, &p);
  const double turn = 6.283185307179586;
  CHECK_NEAR(d->frequency_min * turn, 2.0, 1e-9, "rounding, over the ratio of 500");
  CHECK_NEAR(d->frequency_max * turn, 1000.0, 1e-9, "rounding");
  close_text(&m, &p);
  d = examine_text("  coordinates: {z: 0}\n  kinetic: 0.5*z'^2", &m, &p);
  assert_true(isnan(d->frequency_min) && isnan(d->frequency_max));
  close_text(&m, &p);
}

static void check_recommended(const char *equations, const char *integrator) {
  typed m;
  patient p;
  const trm_doctor *d = examine_text(equations, &m, &p);
  assert_string_equal(d->integrator, integrator);
  assert_true(d->reason[0] != '\0' && d->tolerance > 0.0);
  close_text(&m, &p);
}

static void methods_suit_their_models(void **unused) {
  (void)unused;
  check_recommended("  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n  potential: 2*x^2", "explicit");
  check_recommended("  coordinates: {x: 1}\n  kinetic: 0.5*x'^2\n  potential: 5e7*x^2", "radau");
  check_recommended("  coordinates: {x: 0.6, y: 0.8}\n  kinetic: 0.5*(x'^2 + y'^2)\n"
                    "  constraints: {rod: x^2 + y^2 - 1}", "explicit");
  check_recommended("  coordinates: {x: 0}\n  kinetic: 0.5*x'^2\n  constraints: {c: x - time}",
                    "kinematic");
}

/* Whichever request fails, it is said, and all is given back. */
static void failing_memory_is_told(void **unused) {
  (void)unused;
  frame f = {.nv = 6};
  add_point(&f, 'a', 0, 0, 0, 0), add_axis(&f, 'a', 0);
  add_point(&f, 'b', 0, 0, 0, 1), add_axis(&f, 'b', 0);
  trm_error err;
  meter ours = {0};
  const trm_allocator allocator = meter_allocator(&ours);
  trm_options o = trm_options_default();
  o.end = 1.0, o.allocator = allocator;
  trm_system *system = kit_system(&ops, &f);
  trm_sim *sim = kit_sim(system, &o);
  trm_doctor *doctor = NULL;
  const long live = ours.live;
  for (long n = 1; doctor == NULL; n++) {
    ours.requests = 0, ours.fail_at = n;
    const trm_status status = trm_doctor_examine(sim, true, &doctor, &err);
    if (ours.requests < n) {
      CHECK_OK(status, err);
      assert_true(n > 5);
    } else {
      CHECK_STATUS(status, TRM_ERR_MEMORY);
      assert_true(doctor == NULL && ours.live == live);
    }
  }
  trm_doctor_free(doctor);
  assert_int_equal(ours.live, live);
  trm_sim_free(sim);
  trm_system_free(system);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_second_hinge_of_a_door_can_go),
      cmocka_unit_test(independent_joints_have_no_sets),
      cmocka_unit_test(a_joint_without_its_rotations_is_called_spherical),
      cmocka_unit_test(a_joint_that_says_nothing_new_is_left_out),
      cmocka_unit_test(released_rows_are_always_too_many),
      cmocka_unit_test(what_assembly_moved_is_told_by_object),
      cmocka_unit_test(odd_numbers_are_pointed_at),
      cmocka_unit_test(what_has_no_mass_at_all_is_examined),
      cmocka_unit_test(what_is_dependent_in_one_pose_only_is_told_apart),
      cmocka_unit_test(the_fastest_and_slowest_vibration_are_found),
      cmocka_unit_test(methods_suit_their_models),
      cmocka_unit_test(failing_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
