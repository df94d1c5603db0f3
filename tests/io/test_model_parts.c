/* test_model_parts.c - bodies, joints, motions, forces and beams of model files: what the
 * definition holds of them, and what is refused. */
#include "fault/memory.h"
#include "io/model_reading.h"
#include "trammel/parts.h"
#include <math.h>
#include <stdlib.h>

#define BODY "bodies: {crank: {mass: 1}}\n"

/* The example of the design, with a file of every key beside it. */
static const char slider_crank[] =
    HEAD "name: Slider crank\n"
         "gravity: [0, 0, -9.81]\n"
         "parameters: {omega: 150 rad/s}\n"
         "bodies:\n"
         "  crank:\n"
         "    mass: 0.36\n"
         "    inertia: [1e-5, 2.727e-3, 2.727e-3]\n"
         "    at: [0.075, 0, 0]\n"
         "    orientation: {quaternion: [1,0,0,0]}\n"
         "    velocity: [0, 0, -11.25]\n"
         "    angular_velocity: [0, omega, 0]\n"
         "    markers: {end: {at: [0.075, 0, 0]}}\n"
         "    shape: {cylinder: {from: [-0.075,0,0], to: [0.075,0,0], radius: 0.01}}\n"
         "joints:\n"
         "  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
         "motions:\n"
         "  drive: {joint: pin, position: omega*time}\n"
         "forces:\n"
         "  strut: {type: spring, bodies: [ground, crank], points: [[0,0,1], [0.15,0,0]],\n"
         "          stiffness: 1e4, damping: 10, length: 0.5}\n"
         "outputs: {end_z: crank.end.z, load: pin.force.z}\n"
         "simulate: {end: 0.1, tolerance: 1e-6}\n";

static const trmi_part *find_part(const trmi_parts *parts, const char *name) {
  for (int i = 0; i < parts->count; i++) {
    if (strcmp(parts->list[i].key.name, name) == 0) return &parts->list[i];
  }
  fail_msg("no part '%s'", name);
  return NULL;
}

/* Does a path lead into a marker or shape of a body? Then what is left of it. */
static const char *path_inside(const trmi_part *inner, const char *path) {
  char prefix[100];
  const bool is_marker = inner->kind->group == TRMI_MARKERS;
  const bool is_named = strcmp(inner->key.name, "shape") != 0;
  snprintf(prefix, sizeof prefix, "%s%s%s%s", is_marker ? "markers." : is_named ? "shapes." : "",
           inner->key.name, is_marker ? "" : ".", is_marker ? "" : inner->kind->type);
  const size_t length = strlen(prefix);
  return strncmp(path, prefix, length) == 0 && path[length] == '.' ? path + length + 1 : NULL;
}

static const trmi_given *find_value(const trmi_part *part, const char *path) {
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    const char *rest = path_inside(inner, path);
    if (rest != NULL) return find_value(inner, rest);
  }
  const trmi_given *given = trmi_part_find(part, path);
  if (given == NULL) fail_msg("%s has no value '%s'", part->key.name, path);
  return given;
}

/* How many values of a part are given, with those of its markers and shapes. */
static int count_values(const trmi_part *part) {
  int count = 0;
  for (int i = 0; i < part->kind->nfields; i++) {
    count += part->given[i].is_given && part->kind->fields[i].store != TRMI_STORE_NONE;
  }
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    count += count_values(inner);
  }
  return count;
}

static const trmi_part *find_marker(const trmi_part *body, const char *name) {
  for (const trmi_part *inner = body->inner; inner != NULL; inner = inner->next) {
    if (inner->kind->group == TRMI_MARKERS && strcmp(inner->key.name, name) == 0) return inner;
  }
  fail_msg("no marker '%s'", name);
  return NULL;
}

/* A value has these texts, with blanks between, and so many rows. */
static void has_texts(const trmi_part *part, const char *path, int rows, const char *texts) {
  const trmi_given *value = find_value(part, path);
  char all[400] = "";
  for (int i = 0; i < value->count; i++) {
    const trmi_text *text = &value->texts[i];
    assert_int_equal(text->length, strlen(text->text));
    sprintf(all + strlen(all), "%s%s", i > 0 ? " " : "", text->text);
  }
  if (value->rows != rows || strcmp(all, texts) != 0) {
    fail_msg("%s.%s: %d rows '%s', expected %d '%s'", part->key.name, path, value->rows, all, rows,
             texts);
  }
}

static void is_at(trmi_place place, int line, int column) {
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
}

/* What the compiler of mechanisms says about a model does not matter here; the checks of the reader
 * itself have nothing to say. */
static void reader_has_no_complaint(trm_model *m) {
  trm_error err;
  trmi_parameters parameters;
  const trmi_complaints kept = m->complaints;
  m->complaints = (trmi_complaints){.count = 0};
  assert_true(trmi_schema_check(m->root, &m->complaints));
  trmi_model_parts(m);
  CHECK_OK(trmi_parameters_init(&parameters, &m->def, NULL, &m->complaints, &err), err);
  trmi_part_values_read(&m->def, &parameters);
  trmi_model_tables(m);
  trmi_parameters_free(&parameters);
  if (m->complaints.count > 0) fail_msg("%s", m->complaints.list[0].sentence);
  m->complaints = kept;
}

/* Read a text for its definition alone. */
static trm_model *read_definition(const char *text, const trm_setting *settings, int n) {
  trm_model *m;
  trm_error err;
  const trm_status status = trm_model_read_text(text, "model.yaml", settings, n, NULL, &m, &err);
  assert_true(status == TRM_OK || status == TRM_ERR_INPUT);
  reader_has_no_complaint(m);
  return m;
}

/* The text that a model would be stored with, from malloc. */
static char *stored_text(trm_model *m) {
  trmi_buffer buffer;
  const trm_allocator none = {0};
  trmi_buffer_init(&buffer, &none);
  trmi_sources_text(&m->sources, &buffer);
  char *text = malloc(buffer.used + 1);
  assert_non_null(text);
  memcpy(text, buffer.data, buffer.used);
  text[buffer.used] = '\0';
  trmi_buffer_free(&buffer);
  return text;
}

/* The stored text says the same again. */
static trm_model *read_again(trm_model *m) {
  char *text = stored_text(m);
  trm_model *again = read_definition(text, NULL, 0);
  char *second = stored_text(again);
  assert_string_equal(second, text);
  free(second);
  free(text);
  return again;
}

/* ---- what files say ------------------------------------------------------------- */

static void the_slider_crank_of_the_design(void **state) {
  (void)state;
  trm_model *m = read_definition(slider_crank, NULL, 0);
  const trmi_definition *d = &m->def;
  assert_int_equal(d->parts[TRMI_BODIES].count, 1);
  assert_int_equal(d->parts[TRMI_JOINTS].count, 1);
  assert_int_equal(d->parts[TRMI_MOTIONS].count, 1);
  assert_int_equal(d->parts[TRMI_FORCES].count, 1);
  assert_int_equal(d->parts[TRMI_BEAMS].count, 0);
  assert_int_equal(count_values(&d->world), 1);
  has_texts(&d->world, "gravity", 1, "0 0 -9.81");
  is_at(find_value(&d->world, "gravity")->place, 3, 1);
  const trmi_part *crank = find_part(&d->parts[TRMI_BODIES], "crank");
  assert_int_equal(count_values(crank), 10);
  has_texts(crank, "mass", 0, "0.36");
  has_texts(crank, "inertia", 1, "1e-5 2.727e-3 2.727e-3");
  has_texts(crank, "orientation.quaternion", 1, "1 0 0 0");
  has_texts(crank, "angular_velocity", 1, "0 omega 0");
  has_texts(crank, "markers.end.at", 1, "0.075 0 0");
  has_texts(crank, "shape.cylinder.radius", 0, "0.01");
  has_texts(find_part(&d->parts[TRMI_JOINTS], "pin"), "bodies", 1, "ground crank");
  has_texts(find_part(&d->parts[TRMI_MOTIONS], "drive"), "position", 0, "omega*time");
  has_texts(find_part(&d->parts[TRMI_FORCES], "strut"), "points", 2, "0 0 1 0.15 0 0");
  const trm_body_def *def = crank->def;
  assert_true(def->mass == 0.36 && def->inertia[2] == 2.727e-3 && isnan(def->inertia[3]));
  assert_true(def->angular_velocity[1] == 150.0 && isnan(def->density) && def->start == NULL);
  const trm_spring_def *strut = find_part(&d->parts[TRMI_FORCES], "strut")->def;
  assert_true(strut->points[3] == 0.15 && strut->damping == 10.0 && isnan(strut->preload));
  assert_string_equal(strut->bodies[1], "crank");
  trm_model_free(m);
}

static void keys_and_texts_have_places(void **state) {
  (void)state;
  trm_model *m = read_definition(slider_crank, NULL, 0);
  const trmi_part *crank = find_part(&m->def.parts[TRMI_BODIES], "crank");
  const trmi_part *strut = find_part(&m->def.parts[TRMI_FORCES], "strut");
  is_at(crank->key.place, 6, 3);
  is_at(find_value(crank, "mass")->place, 7, 5);
  is_at(find_value(crank, "markers.end.at")->place, 13, 21);
  is_at(trmi_text_place(&find_value(crank, "angular_velocity")->texts[1], 2), 12, 29);
  is_at(trmi_text_place(&find_value(strut, "points")->texts[3], 0), 20, 69);
  trm_model_free(m);
}

/* Is a field given in a part of the list, or inside one? */
static bool is_used(const trmi_part *part, trmi_part_group group, const char *path) {
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    if (is_used(inner, group, path)) return true;
  }
  return part->kind->group == group && trmi_part_find(part, path) != NULL;
}

static bool is_used_in(const trmi_parts *parts, trmi_part_group group, const char *path) {
  for (int i = 0; i < parts->count; i++) {
    if (is_used(&parts->list[i], group, path)) return true;
  }
  return false;
}

/* Every key of every group, in one kind at least. */
static void every_key_of_mechanisms_is_read(void **state) {
  (void)state;
  trm_model *m;
  trm_error err;
  const trm_status status =
      trm_model_read_file(TEST_DATA "/model/mechanism.yaml", NULL, 0, NULL, &m, &err);
  assert_true(status == TRM_OK || status == TRM_ERR_INPUT);
  reader_has_no_complaint(m);
  const trmi_definition *d = &m->def;
  for (int g = TRMI_MARKERS; g < TRMI_PART_GROUPS; g++) {
    const trmi_kind *kind;
    const bool is_inner = trmi_part_group_section((trmi_part_group)g) == NULL;
    const bool is_flexible = g == TRMI_INTERFACES || g == TRMI_MATERIALS || g == TRMI_BODY_LOADS;
    const int outer = !is_inner                ? g
                      : g == TRMI_ASSIGNMENTS ? TRMI_EVENTS
                      : is_flexible           ? TRMI_FLEXIBLE
                                              : TRMI_BODIES;
    for (int i = 0; (kind = trmi_kind_at((trmi_part_group)g, i)) != NULL; i++) {
      for (int k = 1; k < kind->nfields; k++) {
        const trmi_field *field = &kind->fields[k];
        if (field->store == TRMI_STORE_NONE) continue;
        const bool is_file = g == TRMI_TABLES && strcmp(field->path, "file") == 0;
        const bool is_there = is_used_in(&d->parts[outer], (trmi_part_group)g, field->path);
        /* points take the place of a file of points */
        if (is_there == is_file) fail_msg("%s is %sused", field->path, is_file ? "" : "not ");
      }
    }
  }
  assert_true(trmi_part_has(&d->energies, "kinetic") && trmi_part_has(&d->energies, "potential"));
  const trmi_part *crank = find_part(&m->def.parts[TRMI_BODIES], "crank");
  assert_int_equal(count_values(find_marker(crank, "middle")), 0);
  const trmi_part *rod = find_part(&m->def.parts[TRMI_BODIES], "rod");
  assert_int_equal(count_values(find_marker(rod, "head")), 0);
  has_texts(rod, "shapes.l.line.points", 3, "0 0 0 1 0 0 1 1 0");
  has_texts(rod, "shapes.m.mesh.file", 0, TEST_DATA "/model/tetrahedron.stl");
  has_texts(find_part(&m->def.parts[TRMI_JOINTS], "pin"), "limits.lower", 0, "-90 deg");
  has_texts(find_part(&m->def.parts[TRMI_JOINTS], "pin"), "friction.static", 0, "0.3");
  const trmi_part *mount = find_part(&m->def.parts[TRMI_FORCES], "mount");
  assert_int_equal(find_value(mount, "damping")->rows, 6);
  assert_int_equal(find_value(mount, "damping")->count, 36);
  has_texts(find_part(&m->def.parts[TRMI_BEAMS], "rotor"), "elements", 0, "10");
  trm_model *again = read_again(m);
  trm_model_free(again);
  trm_model_free(m);
}

/* ---- settings, several files -------------------------------------------------------- */

static void settings_reach_parts(void **state) {
  (void)state;
  const trm_setting settings[] = {
    {"bodies.crank.mass", "2"},          {"joints.pin.friction.static", ".2"},
    {"bodies.crank.at.1", "80 mm"},      {"forces.strut.points.2.3", "7"},
    {"gravity.3", "-1"},                 {"bodies.crank.shape.cylinder.radius", "2*omega"},
    {"bodies.crank.markers.end.at.2", "5"},
  };
  const int n = sizeof settings / sizeof *settings;
  trm_model *m = read_definition(slider_crank, settings, n);
  trm_model *again = read_again(m);
  for (int i = 0; i < 2; i++) {
    const trmi_definition *d = i == 0 ? &m->def : &again->def;
    const trmi_part *crank = find_part(&d->parts[TRMI_BODIES], "crank");
    has_texts(crank, "mass", 0, "2");
    has_texts(crank, "at", 1, "80 mm 0 0");
    has_texts(crank, "shape.cylinder.radius", 0, "2*omega");
    has_texts(crank, "markers.end.at", 1, "0.075 5 0");
    has_texts(find_part(&d->parts[TRMI_JOINTS], "pin"), "friction.static", 0, ".2");
    has_texts(find_part(&d->parts[TRMI_FORCES], "strut"), "points", 2, "0 0 1 0.15 0 7");
    has_texts(&d->world, "gravity", 1, "0 0 -1");
  }
  trm_model_free(again);
  trm_model_free(m);
}

static void faults_of_settings(void **state) {
  (void)state;
  static const struct {
    const char *name, *value;
    int         column;
    const char *part;
  } cases[] = {
    {"bodies.crnk.mass", "1", 1, "did you mean 'bodies.crank.mass'?"},
    {"bodies.crank", "1", 1, "not a single value"},
    {"bodies.crank.mass", "1 m", 19, "not kg"},
    {"bodies.crank.at", "1", 17, "must be a list of 3 numbers"},
    {"bodies.crank.at.4", "1", 1, "no value 'bodies.crank.at.4'"},
    {"joints.pin.type", "hinge", 17, "'hinge' is not a word for joints.pin.type"},
    {"bodies.rod.mass", "1", 1, "no value"},
    {"joints.pin.friction.dynamic", "-1", 29, "at least 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trm_setting setting = {cases[i].name, cases[i].value};
    trm_model *m;
    trm_error err;
    CHECK_STATUS(trm_model_read_text(slider_crank, "m", &setting, 1, NULL, &m, &err),
                 TRM_ERR_INPUT);
    const trm_complaint c = trm_model_complaint_at(m, 0);
    assert_string_equal(c.file, "--set");
    if (c.column != cases[i].column || strstr(c.sentence, cases[i].part) == NULL) {
      fail_msg("%s: column %d: %s", cases[i].name, c.column, c.sentence);
    }
    trm_model_free(m);
  }
}

static void parts_come_from_several_files(void **state) {
  (void)state;
  const char *text = HEAD "include: sub/base.yaml\nbodies: {rod: {mass: 2}}\n"
                          "joints: {pin: {axis: [0, 1, 0]}}\n"
                          "#-- file: sub/base.yaml\n"
                          "bodies: {crank: {mass: 1, shape: {mesh: {file: crank.stl}}}}\n"
                          "joints: {pin: {type: revolute, bodies: [crank, rod]}}\n"
                          "gravity: [0, 0, -1]\n";
  trm_model *m = read_definition(text, NULL, 0);
  const trmi_part *pin = find_part(&m->def.parts[TRMI_JOINTS], "pin");
  assert_int_equal(m->def.parts[TRMI_BODIES].count, 2);
  assert_string_equal(pin->kind->type, "revolute");
  has_texts(pin, "axis", 1, "0 1 0");
  assert_int_equal(find_value(pin, "bodies")->place.file, 1);
  assert_int_equal(find_value(pin, "axis")->place.file, 0);
  has_texts(find_part(&m->def.parts[TRMI_BODIES], "crank"), "shape.mesh.file", 0, "sub/crank.stl");
  has_texts(&m->def.world, "gravity", 1, "0 0 -1");
  char *stored = stored_text(m);
  assert_string_equal(stored, text);
  free(stored);
  trm_model_free(m);
}

/* ---- faults ---------------------------------------------------------------------------- */

static void faults_of_keys(void **state) {
  (void)state;
  refuses(HEAD "joints: {}\n", 1, 1, "the model has no 'equations' and no 'bodies'");
  refuses(HEAD "bodies: [crank]\n", 2, 9, "bodies must be a mapping of names, not a list");
  refuses(HEAD "bodies: {crank: {mas: 1}}\n", 2, 18,
          "unknown key 'mas' in bodies.crank; did you mean 'mass'?");
  refuses(HEAD BODY "joints: {pin: {bodies: [ground, crank]}}\n", 3, 10,
          "joints.pin has no 'type'");
  refuses(HEAD BODY "joints: {pin: {type: hinge}}\n", 3, 22, "'hinge' is not a word");
  refuses(HEAD "bodies: {crank: {mass: 1, density: 2}}\n", 2, 27,
          "bodies.crank has 'mass' and 'density': give one of them");
  refuses(HEAD "bodies: {crank: {shape: {}}}\n", 2, 18,
          "bodies.crank.shape needs one of box|cylinder|sphere|capsule|torus|ellipsoid|profile|"
          "plane|terrain|line|hull|mesh");
  refuses(HEAD "bodies: {crank: {shape: {sphere: {at: [0, 0, 0]}}}}\n", 2, 26, "has no 'radius'");
  refuses(HEAD BODY "motions: {m: {joint: pin}}\n", 3, 11,
          "motions.m needs one of position|velocity|acceleration");
  refuses(HEAD BODY "motions: {m: {joint: pin, position: 1, velocity: 2}}\n", 3, 40,
          "has 'position' and 'velocity'");
  refuses(HEAD "bodies: {crank: {orientation: {vector: [0, 0, 1], angles: [0, 0, 1]}}}\n", 2, 51,
          "has 'vector' and 'angles'");
  refuses(HEAD "bodies: {crank: {orientation: {angles: [0, 0, 1], sequence: zzx}}}\n", 2, 61,
          "'zzx' is not a word for bodies.crank.orientation.sequence");
}

static void faults_of_shapes_of_values(void **state) {
  (void)state;
  refuses(HEAD BODY "gravity: 9.81\n", 3, 10,
          "gravity must be a list of 3 numbers, not a single value");
  refuses(HEAD BODY "gravity:\n", 3, 1, "gravity has no value");
  refuses(HEAD BODY "gravity: [0, -9.81]\n", 3, 10, "gravity must have 3 numbers, not 2");
  refuses(HEAD BODY "gravity: []\n", 3, 10, "the list is empty");
  refuses(HEAD BODY "gravity: [0, , 1]\n", 3, 14, "");
  refuses(HEAD BODY "gravity: [0, ~, 1]\n", 3, 14, "gravity: a number is expected here");
  refuses(HEAD BODY "gravity: [0, [1], 1]\n", 3, 14, "gravity: a number is expected here");
  refuses(HEAD BODY "gravity: [[0, 1, 2]]\n", 3, 11, "gravity: a number is expected here");
  refuses(HEAD "bodies: {c: {inertia: [1, 2, 3, 4]}}\n", 2, 23,
          "bodies.c.inertia must have 3 or 6 numbers, not 4");
  refuses(HEAD "bodies: {c: {mass: [1]}}\n", 2, 20, "bodies.c.mass must be a number, not a list");
  refuses(HEAD BODY "joints: {j: {type: fixed, bodies: [crank]}}\n", 3, 35,
          "joints.j.bodies must have 2 texts, not 1");
#define FORCE(inside) HEAD BODY "forces: {f: {type: bushing, " inside "}}\n"
#define STRUT(inside) HEAD BODY "forces: {f: {type: spring,  " inside "}}\n"
#define WIND(inside) HEAD BODY "forces: {f: {type: force,   " inside "}}\n"
  refuses(STRUT("points: [0, 0, 0]"), 3, 37,
          "forces.f.points must be a list of lists: 2 x 3 numbers, not a list");
  refuses(STRUT("points: [[0, 0, 0]]"), 3, 37,
          "forces.f.points must have 2 x 3 numbers, not 1 x 3");
  refuses(STRUT("points: [[0, 0, 0], [1, 2]]"), 3, 49,
          "forces.f.points: row 2 has 2 numbers, the first has 3");
  refuses(STRUT("points: [[0, 0, 0], 3]"), 3, 49, "a list is expected here");
  refuses(STRUT("points: [[0, 0, 0], [1, 2, {}]]"), 3, 56, "a number is expected here");
  refuses(FORCE("stiffness: [1, 2, 3]"), 3, 40, "forces.f.stiffness must have 2 or 6 numbers, not "
          "3");
  refuses(FORCE("stiffness: [[1, 2], [3, 4]]"), 3, 40,
          "must have 6 x 6 numbers, not 2 x 2");
  refuses(FORCE("stiffness: {a: 1}"), 3, 40, "must be a number or a list of 2 or 6 numbers or a "
                                             "list of lists: 6 x 6 numbers, not a mapping");
  refuses(FORCE("points: [[0, 0, 0]]"), 3, 29, "f is of type bushing, which has no 'points'");
  refuses(WIND("force: [1, 2]"), 3, 36, "forces.f.force must have 3 expressions, not 2");
  refuses(HEAD "beams: {b: {points: [[0, 0, 0]]}}\n", 2, 21,
          "beams.b.points must have n x 3 numbers, not 1 x 3");
}

static void faults_of_numbers(void **state) {
  (void)state;
  refuses(HEAD "bodies: {c: {mass: 2 m}}\n", 2, 20, "has the dimension m, not kg");
  refuses(HEAD "bodies: {c: {mass: -2}}\n", 2, 20, "must be greater than 0");
  refuses(HEAD "bodies: {c: {at: [0, 1, 2 s]}}\n", 2, 25, "dimension s, not m");
  refuses(HEAD "bodies: {c: {at: [0, a, 2]}}\n", 2, 22, "'a'");
  refuses(HEAD "bodies: {c: {mass: 1 +}}\n", 2, 23, "");
  refuses(HEAD BODY "forces: {f: {type: spring, points: [[0, 0, 1], [0, 3 N, 1]]}}\n", 3, 52,
          "dimension N, not m");
  refuses(HEAD "beams: {b: {points: [[0, 0, 0], [1, 0, 0]], nodes: 5}}\n", 2, 52, "at most 4");
  refuses(HEAD "beams: {b: {points: [[0, 0, 0], [1, 0, 0]], elements: 1.5}}\n", 2, 55,
          "not a whole number");
}

static void faults_of_names(void **state) {
  (void)state;
  refuses(HEAD "bodies: {a.b: {mass: 1}}\n", 2, 10, "'a.b' cannot be a name");
  refuses(HEAD "bodies: {2a: {mass: 1}}\n", 2, 10, "cannot be a name");
  refuses(HEAD "bodies: {c: {markers: {a.b: {}}}}\n", 2, 24, "cannot be a name");
  refuses(HEAD "bodies: {ground: {markers: {a: {}}, mass: 1}}\n", 2, 37,
          "the ground does not move and has only markers and shapes, no 'mass'");
  refuses(HEAD BODY "joints: {ground: {type: fixed}}\n", 3, 10, "is the body that does not move");
  refuses(HEAD "bodies: {time: {mass: 1}}\n", 2, 10, "meaning of its own");
  refuses(HEAD "bodies: {c: {markers: {z: {}}}}\n", 2, 24, "a value of the body itself");
  refuses(HEAD BODY "joints: {crank: {type: fixed}}\n", 3, 10,
          "the name 'crank' is used twice, first in line 2");
  refuses(HEAD BODY "joints: {j: {type: fixed}}\nforces: {j: {type: force}}\n", 4, 10, "line 3");
  refuses(HEAD BODY "parameters: {crank: 2}\n", 2, 10, "is also that of a parameter");
  refuses(HEAD BODY "parameters: {crank.z: 2}\n", 3, 14,
          "'crank.z' would be a value of 'crank' in line 2");
  refuses(HEAD BODY "equations: {coordinates: {crank: 1}, kinetic: \"crank'^2\"}\n", 3, 27,
          "used twice");
  refuses(HEAD BODY "equations: {states: {crank: {rate: 1}}}\n", 3, 22, "used twice");
}

static void a_file_that_is_not_there(void **state) {
  (void)state;
  trm_model *m;
  trm_error err;
  const trm_setting setting = {"bodies.surface.shape.mesh.file", "none.stl"};
  CHECK_STATUS(trm_model_read_file(TEST_DATA "/model/mechanism.yaml", &setting, 1, NULL, &m, &err),
               TRM_ERR_INPUT);
  const trm_complaint c = trm_model_complaint_at(m, 0);
  assert_string_equal(c.file, "--set");
  assert_non_null(strstr(c.sentence, "model/none.stl': No such file"));
  trm_model_free(m);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (long at = 1;; at++) {
    meter m = {.fail_at = at};
    const trm_allocator allocator = meter_allocator(&m);
    const trm_setting setting = {"joints.pin.friction.static", "0.3"};
    trm_model *model;
    trm_error err;
    const trm_status status =
        trm_model_read_text(slider_crank, "m", &setting, 1, &allocator, &model, &err);
    trm_model_free(model);
    assert_int_equal(m.live, 0);
    if (m.refused == 0) { /* the definition is there, whatever the compiler says */
      assert_true(status == TRM_OK || status == TRM_ERR_INPUT);
      assert_true(at > 3);
      return;
    }
    CHECK_STATUS(status, TRM_ERR_MEMORY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_slider_crank_of_the_design),
    cmocka_unit_test(keys_and_texts_have_places),
    cmocka_unit_test(every_key_of_mechanisms_is_read),
    cmocka_unit_test(settings_reach_parts),
    cmocka_unit_test(faults_of_settings),
    cmocka_unit_test(parts_come_from_several_files),
    cmocka_unit_test(faults_of_keys),
    cmocka_unit_test(faults_of_shapes_of_values),
    cmocka_unit_test(faults_of_numbers),
    cmocka_unit_test(faults_of_names),
    cmocka_unit_test(a_file_that_is_not_there),
    cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
