/* test_joints_free.c - properties of the coordinates of every joint: there are as many as it leaves
 * free, their rates are right, and each of them can be moved. Loops over the registry. */
#include "elements/joint/joint_types.h"
#include "verify/claims.h"
#include <stdarg.h>

/* How each joint stands: marker a.m on body a, and one of those of b. All coincide with a.m at the
 * start but for `across`, whose z is x of a.m, `axle`, whose z is its y, above it by the radius of
 * the wheel, and `far`. Both bodies are free. */
static const char bodies[] =
    "trammel: 1\n"
    "tables: {cx: {x: [-3, -1, 1, 3], y: [-3, -1, 1, 3], interpolation: cubic},\n"
    "         cz: {x: [-3, -1, 0, 1, 3], y: [.3, .1, 0, .1, -.2], interpolation: cubic}}\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [.3, .5, .6, .02, -.03, .05], com: [.1, -.05, .2],\n"
    "      at: [.1, .2, -.3], orientation: {vector: [.3, -.5, .7]}, markers: {m: {}}}\n"
    "  b: {mass: .8, inertia: [.2, .3, .4], at: [.1, .2, -.3],\n"
    "      orientation: {vector: [.3, -.5, .7]},\n"
    "      markers: {m: {}, far: {at: [.6, .2, .3]},\n"
    "                across: {orientation: {x: [0, 0, 1], z: [1, 0, 0]}},\n"
    "                axle: {at: [0, 0, .4], orientation: {x: [0, 0, 1], z: [0, 1, 0]}}}}\n";

/* What a type needs; `follows`: coordinates that cannot be moved beside the others. */
static const struct stand {
  const char *type, *marker, *keys, *follows;
} stands[] = {
  {"fixed", "m", "", ""}, {"revolute", "m", "", ""}, {"translational", "m", "", ""},
  {"cylindrical", "m", "", ""}, {"spherical", "m", "", ""}, {"planar", "m", "", ""},
  {"universal", "across", "", ""}, {"constant_velocity", "m", "", ""},
  {"screw", "m", ", pitch: .7", "displacement"}, {"distance", "far", "", ""},
  {"revolute_spherical", "far", "", ""}, {"point_on_line", "m", "", ""},
  {"point_on_plane", "m", "", ""}, {"parallel", "m", "", ""}, {"perpendicular", "across", "", ""},
  {"orientation", "m", "", ""}, {"curve", "m", ", path: {x: cx, z: cz, start: 0}", ""},
  {"rolling", "axle", ", radius: .4", "x y"}, /* two of its rows are on velocities */
};
enum { STANDS = (int)(sizeof stands / sizeof *stands), TEXT = 4000 };

static const trmi_joint_type *type_of(const struct stand *s) {
  return trmi_joint_type_find(s->type);
}

static bool follows(const struct stand *s, int k) {
  return strstr(s->follows, type_of(s)->coordinates[k].name) != NULL;
}

/* A text that grows. */
typedef struct writer {
  char text[TEXT];
  int  length;
} writer;

static void put(writer *w, const char *format, ...) {
  va_list list;
  va_start(list, format);
  w->length += vsnprintf(w->text + w->length, (size_t)(TEXT - w->length), format, list);
  va_end(list);
  assert_true(w->length < TEXT);
}

static void put_joint(writer *w, const struct stand *s, bool is_held) {
  put(w, "%sjoints:\n  s: {type: %s, markers: [a.m, b.%s]%s}\n", bodies, s->type, s->marker,
      s->keys);
  if (is_held) put(w, "  hold: {type: fixed, bodies: [ground, a], at: [0, 0, 0]}\n");
}

/* ---- how many ------------------------------------------------------------------------------- */

/* Six less the rows, and one more for an unknown that rows bind. What a screw ties is counted
 * although one follows. */
static void coordinates_and_rows_are_six(void **state) {
  (void)state;
  for (int i = 0; trmi_joint_type_at(i) != NULL; i++) {
    const trmi_joint_type *type = trmi_joint_type_at(i);
    const int count = trmi_coordinate_count(type);
    if (type->ends == TRMI_ENDS_NONE) {
      assert_int_equal(count, 0);
      continue;
    }
    int k = 0;
    while (k < STANDS && strcmp(stands[k].type, type->name) != 0) k++;
    if (k == STANDS) fail_msg("%s: this test does not know how it stands", type->name);
    const int rows = trmi_rows_size(type->rows, type->nrows) + type->node_rows - type->scalars;
    if (count - type->is_tied + rows != 6) {
      fail_msg("%s has %d coordinates and %d rows", type->name, count, rows);
    }
  }
}

/* ---- rates ---------------------------------------------------------------------------------- */

/* Outputs a time h along a motion with constant accelerations. */
static void outputs_ahead(const typed *m, const point *p, double h, double *outputs) {
  point at;
  double dpi[TYPED_MAX];
  trm_error err = {.message = ""};
  point_clear(&at);
  trmi_state_copy(m->system, &p->s, &at.s);
  for (int i = 0; i < m->system->n.nv; i++) {
    dpi[i] = h * (at.s.v[i] + 0.5 * h * at.s.vd[i]);
    at.s.v[i] += h * at.s.vd[i];
  }
  trm_system_retract(m->system, at.s.q, dpi, at.s.q);
  CHECK_OK(trm_system_values(m->system, &at.s, &(trm_values){.outputs = outputs}, &err), err);
}

static void check_rates(const struct stand *s, uint64_t *seed) {
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  const double h = 1e-4, tol = 2e-9; /* h^4/30 times fifth derivatives up to 1e8; rounding 1e-11 */
  const int n = trmi_coordinate_count(type_of(s));
  double ahead[4][CLAIMS_MAX], now[CLAIMS_MAX], dpi[TYPED_MAX];
  writer w = {.length = 0};
  point p;
  trm_error err = {.message = ""};
  put_joint(&w, s, false);
  put(&w, "outputs:\n  none: 0*time\n");
  for (int k = 0; k < n; k++) {
    const char *name = type_of(s)->coordinates[k].name;
    put(&w, "  c%d: s.%s\n  v%d: s.%s'\n  a%d: s.%s''\n", k, name, k, name, k, name);
  }
  typed m = typed_text(w.text, s->type, NULL);
  point_clear(&p);
  CHECK_OK(trmi_system_start(m.system, &p.s, &err), err);
  for (int i = 0; i < m.system->n.nv; i++) { /* off the rows, too */
    dpi[i] = 0.3 * kit_random(seed);
    p.s.v[i] = kit_random(seed);
    p.s.vd[i] = kit_random(seed);
  }
  trm_system_retract(m.system, p.s.q, dpi, p.s.q);
  for (int i = 0; i < 4; i++) outputs_ahead(&m, &p, h * steps[i], ahead[i]);
  outputs_ahead(&m, &p, 0.0, now);
  for (int k = 0; k < n; k++) {
    for (int order = 1; order <= 2; order++) {
      const int i = 3 * k + order;
      const double along[4] = {ahead[0][i], ahead[1][i], ahead[2][i], ahead[3][i]};
      CHECK_NEAR(now[i + 1], kit_slope(along, h), tol, "%s.%s: derivative %d", s->type,
                 type_of(s)->coordinates[k].name, order);
    }
  }
  typed_close(&m);
}

static void rates_are_those_of_differences(void **state) {
  (void)state;
  for (int i = 0; i < STANDS; i++) {
    uint64_t seed = kit_seed(stands[i].type); /* what stands beside it changes nothing */
    for (int k = 0; k < 4; k++) check_rates(&stands[i], &seed);
  }
}

/* ---- ways ----------------------------------------------------------------------------------- */

/* Ways are those of DX, DY and DZ in axes of A. */
static void ways_are_those_of_measures(void **state) {
  (void)state;
  for (int i = 0; i < STANDS; i++) {
    const struct stand *s = &stands[i];
    writer w = {.length = 0};
    put_joint(&w, s, false);
    put(&w, "outputs:\n  none: 0*time\n");
    for (int k = 0; k < trmi_coordinate_count(type_of(s)); k++) {
      const trmi_coordinate *c = &type_of(s)->coordinates[k];
      if (c->kind != TRMI_DISPLACEMENT) continue;
      put(&w, "  c%d: s.%s - D%c(b.%s, a.m, a.m)\n", k, c->name, 'X' + c->a, s->marker);
    }
    typed m = typed_text(w.text, s->type, NULL);
    uint64_t seed = 3;
    point p;
    point_start(&p, m.system);
    double dpi[TYPED_MAX];
    for (int k = 0; k < m.system->n.nv; k++) dpi[k] = kit_random(&seed);
    trm_system_retract(m.system, p.s.q, dpi, p.s.q);
    check_outputs(m.system, &p.s, s->type, 1e-14); /* sums of numbers of size one */
    typed_close(&m);
  }
}

/* ---- motions -------------------------------------------------------------------------------- */

/* Values of all coordinates at the start, as it is assembled. */
static void start_of(const struct stand *s, double *values) {
  writer w = {.length = 0};
  trm_error err = {.message = ""};
  point p;
  put_joint(&w, s, false);
  put(&w, "outputs:\n  none: 0*time\n");
  for (int k = 0; k < trmi_coordinate_count(type_of(s)); k++) {
    put(&w, "  c%d: s.%s\n", k, type_of(s)->coordinates[k].name);
  }
  typed m = typed_text(w.text, s->type, NULL);
  double outputs[CLAIMS_MAX];
  point_start(&p, m.system);
  CHECK_OK(trm_system_values(m.system, &p.s, &(trm_values){.outputs = outputs}, &err), err);
  for (int k = 0; k < trmi_coordinate_count(type_of(s)); k++) values[k] = outputs[1 + k];
  typed_close(&m);
}

/* Coordinate k goes to c0 + size (1 - cos 2 t), which one of three laws says. */
static void put_motion(writer *w, const struct stand *s, int k, double size) {
  static const char *const laws[3] = {"position: %.17g + %g*(1 - cos(2*time))",
                                      "velocity: 0*%.17g + %g*2*sin(2*time)",
                                      "acceleration: 0*%.17g + %g*4*cos(2*time)"};
  double start[TRMI_COORDINATES_MAX];
  start_of(s, start);
  put(w, "  m%d: {joint: s, coordinate: %s, ", k, type_of(s)->coordinates[k].name);
  put(w, laws[k % 3], start[k], size);
  put(w, "}\n");
}

static void put_claim(writer *w, const struct stand *s, int k, double size) {
  double start[TRMI_COORDINATES_MAX];
  start_of(s, start);
  const char *name = type_of(s)->coordinates[k].name;
  put(w, "  c%d: s.%s - %.17g - %g*(1 - cos(2*time))\n", k, name, start[k], size);
  put(w, "  v%d: s.%s' - %g*2*sin(2*time)\n", k, name, size);
}

/* All of them at once, the first body held: nothing is left free, and no row too much. */
static void all_coordinates_move(void **state) {
  (void)state;
  for (int i = 0; i < STANDS; i++) {
    const struct stand *s = &stands[i];
    const int n = trmi_coordinate_count(type_of(s));
    writer w = {.length = 0};
    put_joint(&w, s, true);
    if (n > 0) put(&w, "motions:\n");
    for (int k = 0; k < n; k++) {
      if (!follows(s, k)) put_motion(&w, s, k, .2 + .05 * k);
    }
    put(&w, "outputs:\n  none: 0*time\n");
    for (int k = 0; k < n; k++) {
      if (!follows(s, k)) put_claim(&w, s, k, .2 + .05 * k);
    }
    put(&w, "simulate: {end: 1}\n");
    typed m = typed_text(w.text, s->type, NULL);
    trm_sim *sim = kit_sim(m.system, &m.options);
    const trm_rank *rank = trm_sim_rank(sim);
    if (rank->freedoms != 0 || rank->rank != rank->rows) {
      fail_msg("%s: %d freedoms, rank %d of %d rows", s->type, rank->freedoms, rank->rank,
               rank->rows);
    }
    trm_sim_free(sim);
    typed_close(&m);
    const bool is_kinematic = type_of(s)->rolling_rows == 0;
    /* rows at rounding; of radau as good as its iterations */
    if (is_kinematic) outputs_are_zero(w.text, s->type, WAYS({"kinematic", 1e-4, 1e-11}));
    outputs_are_zero(w.text, s->type, WAYS({"radau", 1e-6, 1e-8}, {"explicit", 1e-6, 1e-9}));
  }
}

/* One of them, both bodies free: it takes one freedom, and the rest moves as it may. */
static void each_coordinate_moves_alone(void **state) {
  (void)state;
  for (int i = 0; i < STANDS; i++) {
    for (int k = 0; k < trmi_coordinate_count(type_of(&stands[i])); k++) {
      const struct stand *s = &stands[i];
      writer w = {.length = 0};
      put_joint(&w, s, false);
      const int before = w.length;
      put(&w, "outputs: {none: 0*time}\n");
      typed free = typed_text(w.text, s->type, NULL);
      w.length = before;
      put(&w, "motions:\n");
      put_motion(&w, s, k, .3);
      put(&w, "outputs:\n");
      put_claim(&w, s, k, .3);
      put(&w, "simulate: {end: .5}\n");
      typed m = typed_text(w.text, s->type, NULL);
      trm_sim *at_rest = kit_sim(free.system, &m.options), *sim = kit_sim(m.system, &m.options);
      assert_int_equal(trm_sim_rank(sim)->freedoms, trm_sim_rank(at_rest)->freedoms - 1);
      trm_sim_free(at_rest);
      trm_sim_free(sim);
      typed_close(&free);
      typed_close(&m);
      /* hht holds rows on velocities to its iterations */
      outputs_are_zero(w.text, s->type, WAYS({"hht", 1e-4, 1e-7}, {"radau", 1e-6, 1e-8}));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(coordinates_and_rows_are_six),
    cmocka_unit_test(rates_are_those_of_differences),
    cmocka_unit_test(ways_are_those_of_measures),
    cmocka_unit_test(all_coordinates_move),
    cmocka_unit_test(each_coordinate_moves_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
