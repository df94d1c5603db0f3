/* test_damping_bands.c - damping of flexible bodies by bands of frequencies: of files in several
 * units, written and read again, of the C interface, and sentences on bad lists. */
#include "trammel/flexible.h"
#include "trammel/values.h"
#include "verify/mechanics.h"

/* Modes of 44, 44, 125, 125, 259 .. 1914 Hz. */
#define BANDED(units, damping)                                                                   \
  "trammel: 1\n" units "parameters: {edge: 300 Hz, zeta: 0.02}\nflexible:\n  bar:\n"             \
  "    box: {size: [1 m, 30 mm, 30 mm], cells: [6, 1, 1]}\n"                                     \
  "    material: {E: 2e9 N/m^2, nu: 0.35, density: 1000 kg/m^3}\n"                               \
  "    interfaces: {root: {nodes: XMIN}}\n    modes: {fixed: 8}\n    damping: " damping "\n"
#define MS "units: {length: mm, mass: kg, time: ms, force: N}\n"

typedef struct band {
  double hertz, ratio;
} band;

static const band usual[3] = {{100.0, 0.01}, {1000.0, 0.1}, {INFINITY, 1.0}};
static const band own[3] = {{50.0, 0.0}, {300.0, 0.02}, {INFINITY, 0.5}};

/* Is the damping of each mode that of its frequency, and is there a mode in each band? */
static void check_bands(const trm_system *system, const band *bands, const char *text) {
  const double seconds = trm_system_units(system)->seconds;
  int modes[3] = {0};
  for (int k = 0; k < trm_flexible_at(system, 0).modes; k++) {
    const trm_flexible_mode mode = trm_flexible_mode_at(system, 0, k);
    int i = 0;
    while (mode.frequency / seconds >= bands[i].hertz) i++;
    CHECK_NEAR(mode.damping, bands[i].ratio, 0.0, "mode %d of %s", k + 1, text);
    modes[i]++;
  }
  for (int i = 0; i < 3; i++) assert_true(modes[i] > 0);
}

typedef struct written {
  char   text[4000];
  size_t used;
} written;

static void append(void *self, const char *bytes, size_t count) {
  written *w = self;
  assert_true(w->used + count < sizeof w->text);
  memcpy(w->text + w->used, bytes, count);
  w->used += count;
}

static void modes_have_the_damping_of_their_band(void **state) {
  (void)state;
  static const struct {
    const char *text;
    const band *bands;
  } list[] = {
    {BANDED("", "bands"), usual},
    {BANDED("", "[[100 Hz, .01], [1 kHz, .1], [inf, 1]]"), usual},
    {BANDED("", "\n    - [100, 0.01]\n    - [1000, 0.1]\n    - [1001, 1]\n"), usual},
    {BANDED("", "[[50 Hz, 0], [edge, zeta], [.inf, 25*zeta]]"), own},
    {BANDED("", "[[50, 0], [300, 0.02], [301, 0.5]]"), own}, /* the last one above, too */
    {BANDED(MS, "bands"), usual},
    {BANDED(MS, "[[0.1, .01], [1, .1], [inf, 1]]"), usual}, /* 1/ms is 1 kHz */
    {BANDED(MS, "[[50 Hz, 0], [edge, zeta], [1, 0.5]]"), own},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    trm_error err = {.message = ""};
    written plain = {.used = 0};
    typed m = typed_text(list[i].text, "test", NULL);
    check_bands(m.system, list[i].bands, list[i].text);
    CHECK_OK(trm_model_write_yaml(m.model, append, &plain, &err), err);
    typed again = typed_text(plain.text, "again", NULL);
    check_bands(again.system, list[i].bands, plain.text);
    typed_close(&again);
    typed_close(&m);
  }
}

/* One row is one ratio for all modes, whatever its frequency. */
static void a_single_band_holds_for_all(void **state) {
  (void)state;
  static const char *const list[] = {BANDED("", "[[inf, 0.02]]"), BANDED("", "[[50 Hz, zeta]]"),
                                     BANDED(MS, "[[1, 0.02]]"), BANDED("", "0.02")};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    trm_error err = {.message = ""};
    written plain = {.used = 0};
    typed m = typed_text(list[i], "test", NULL);
    CHECK_OK(trm_model_write_yaml(m.model, append, &plain, &err), err);
    typed again = typed_text(plain.text, "again", NULL);
    for (int k = 0; k < trm_flexible_at(m.system, 0).modes; k++) {
      CHECK_NEAR(trm_flexible_mode_at(m.system, 0, k).damping, 0.02, 0.0, "mode %d", k + 1);
      CHECK_NEAR(trm_flexible_mode_at(again.system, 0, k).damping, 0.02, 0.0, "%d again", k + 1);
    }
    typed_close(&again);
    typed_close(&m);
  }
}

/* Parameters of a band are read once. After another value is set, the bands are the same. */
static void parameters_of_bands_need_a_new_build(void **state) {
  (void)state;
  trm_error err = {.message = ""};
  typed m = typed_text(BANDED("", "[[50 Hz, 0], [edge, zeta], [inf, 0.5]]\n    at: [0, 0, 0]"),
                       "test", NULL);
  CHECK_STATUS(trm_system_set(m.system, "zeta", 0.03, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "'zeta' needs a new build"));
  for (int i = 1; i < 4; i++) CHECK_OK(trm_system_set(m.system, "bar.at.1", i, &err), err);
  check_bands(m.system, own, "set");
  typed_close(&m);
}

static void bad_bands_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } list[] = {
    {BANDED("", "[[50 Hz, .2], [50 Hz, .1]]"),
     "flexible body 'bar': frequencies of its damping must be positive and increase: row 2 has 50"},
    {BANDED("", "[[inf, .2], [inf, .1]]"), "row 2 has inf Hz"},
    {BANDED("", "[[0, .2], [inf, .1]]"), "row 1 has 0 Hz"},
    {BANDED(MS, "[[1, .2], [500 Hz, .1]]"), "row 2 has 500 Hz"},
    {BANDED("", "[[50, .2], [90, -.1]]"),
     "flexible body 'bar': its damping must not be negative: row 2 has the ratio -0.1"},
    {BANDED("", "[[nan, .2], [inf, .1]]"), "flexible body 'bar': 'nan' is not known"},
    {BANDED("", "[[50, .nan], [inf, .1]]"), "flexible body 'bar': '.' has no meaning"},
    {BANDED("", "[[50, inf], [90, .1]]"), "flexible body 'bar': 'inf' is not known"},
    {BANDED("", "[[50 mm, .2], [inf, .1]]"), "flexible body 'bar': the value has the dimension m"},
    {BANDED("", "[[50, 2 Hz], [inf, .1]]"), "flexible body 'bar': the value has the dimension 1/s"},
    {BANDED("", "[[50, .2, 1], [90, .1, 1]]"), "bar.damping must have n x 2 numbers, not 2 x 3"},
    {BANDED("", "[[50, .2], [90]]"), "bar.damping: row 2 has 1 numbers, the first has 2"},
    {BANDED("", "[50, .2]"), "bar.damping must be a text or a list of lists: n x 2 numbers"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    mechanics_complaint(list[i].text, 0, list[i].words);
  }
}

/* A struct has room for 32 bands. */
static void bands_have_a_most(void **state) {
  (void)state;
  char text[2000] = "";
  for (int count = 32; count <= 33; count++) {
    size_t used = (size_t)snprintf(text, sizeof text, "%s", BANDED("", "["));
    text[--used] = '\0'; /* the end of the line */
    for (int i = 1; i <= count; i++) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s[%d Hz, %g]",
                               i > 1 ? ", " : "", 10 * i, 0.01 * i);
    }
    snprintf(text + used, sizeof text - used, "]\n");
    if (count == 33) {
      mechanics_complaint(text, 0, "'bar': its damping has 33 bands; there is room for 32");
      continue;
    }
    typed m = typed_text(text, "test", NULL);
    CHECK_NEAR(trm_flexible_mode_at(m.system, 0, 0).damping, 0.05, 0.0, "44 Hz");
    CHECK_NEAR(trm_flexible_mode_at(m.system, 0, 2).damping, 0.13, 0.0, "125 Hz");
    typed_close(&m);
  }
}

static void the_c_interface_has_bands(void **state) {
  (void)state;
  static const char *const texts[] = {"50 Hz", "0", "300", "0.02", "inf", "0.5"};
  trm_error err = {.message = ""};
  trm_flexible_def def = trm_flexible_default();
  trm_mechanism *m = NULL;
  trm_part part;
  for (int i = 0; i < 3; i++) def.box_size[i] = i == 0 ? 1.0 : 0.03;
  for (int i = 0; i < 3; i++) def.box_cells[i] = i == 0 ? 6.0 : 1.0;
  def.material_E = 2e9, def.material_nu = 0.35, def.material_density = 1000.0;
  def.modes_fixed = 8;
  memcpy(def.damping, texts, sizeof texts);
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  trm_mechanism_allow_files(m);
  CHECK_OK(trm_add_flexible(m, "bar", &def, &part, &err), err);
  def.damping[5] = NULL; /* five texts are no rows */
  CHECK_STATUS(trm_add_flexible(m, "odd", &def, &part, &err), TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "'odd': 'damping' must have n x 2 numbers, not 5"));
  trm_system *system = NULL;
  CHECK_OK(trm_mechanism_build(m, NULL, &system, &err), err);
  check_bands(system, own, "C");
  trm_system_free(system);
  trm_mechanism_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(modes_have_the_damping_of_their_band),
    cmocka_unit_test(a_single_band_holds_for_all),
    cmocka_unit_test(parameters_of_bands_need_a_new_build),
    cmocka_unit_test(bad_bands_are_named),
    cmocka_unit_test(bands_have_a_most),
    cmocka_unit_test(the_c_interface_has_bands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
