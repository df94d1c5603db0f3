/* test_reduction_cache.c - reduced meshes in files: the same bits when they are read, a file of its
 * own for all that shapes a reduction, damaged files, folders that cannot be written, progress. */
#include "io/model_folder.h"
#include "io/reduction_cache.h"
#include "trammel/flexible.h"
#include <dirent.h>
#include <sys/stat.h>

#define BODY(box, rest)                                                                      \
  "trammel: 1\nflexible:\n  b:\n    box: {size: [2, 1, 1], " box "}\n" rest
#define MATERIAL "    material: {E: 1e9, nu: 0.3, density: 1000}\n"
#define MODES "    modes: {fixed: 3}\n"
#define TIES "    interfaces: {a: {nodes: XMIN}, c: {nodes: XMAX, type: average}}\n"
#define PLAIN BODY("cells: [2, 1, 1], element: C3D8I", MATERIAL MODES TIES)

/* What a reduction reported. */
typedef struct listener {
  int    news, notes;
  double done;
  bool   is_ascending;
  char   note[TRMI_CACHE_NOTE];
} listener;

static void listen(void *self, const trm_reduction_news *news) {
  listener *l = self;
  assert_string_equal(news->body, "b");
  if (news->note != NULL) {
    l->notes++;
    snprintf(l->note, sizeof l->note, "%s", news->note);
    return;
  }
  if (l->news++ == 0) l->is_ascending = news->done == 0.0;
  if (news->done < l->done || news->step[0] == '\0') l->is_ascending = false;
  l->done = news->done;
}

static trm_system *system_of(const char *text, const char *cache, listener *l) {
  trm_model *model;
  trm_system *system;
  trm_error err;
  const trm_model_source source = {.text = text, .name = "m", .has_meshes = true,
                                   .reductions = {.cache = cache, .report = listen, .self = l}};
  *l = (listener){.news = 0};
  CHECK_OK(trm_model_read(&source, NULL, &model, &err), err);
  CHECK_OK(trm_model_create_system(model, NULL, &system, &err), err);
  trm_model_free(model);
  return system;
}

/* Numbers of all that a system shows of its reduction, as bytes. */
static void collect(const trm_system *system, trmi_buffer *out) {
  const trm_flexible_info info = trm_flexible_at(system, 0);
  const trm_flexible_surface s = trm_flexible_surface_at(system, 0);
  const size_t rows = (size_t)s.points * (size_t)s.modes;
  const int counts[] = {info.nodes, info.elements, info.modes, info.fixed, info.dropped};
  trmi_buffer_init(out, NULL);
  trmi_buffer_add(out, counts, sizeof counts);
  trmi_buffer_add(out, info.inertia, sizeof info.inertia);
  trmi_buffer_add(out, s.displacement, 3 * rows * sizeof *s.displacement);
  trmi_buffer_add(out, s.stress, 6 * rows * sizeof *s.stress);
  trmi_buffer_add(out, s.corners, 3 * (size_t)s.triangles * sizeof *s.corners);
  trmi_buffer_add(out, s.is_excluded, (size_t)s.points * sizeof *s.is_excluded);
  trmi_buffer_text(out, info.notes);
  for (int k = 0; k < info.modes; k++) {
    const trm_flexible_mode mode = trm_flexible_mode_at(system, 0, k);
    const double numbers[] = {mode.frequency, mode.damping, mode.share[0], mode.share[1],
                              mode.place[0], (double)mode.node};
    trmi_buffer_add(out, numbers, sizeof numbers);
  }
}

/* All numbers of a step of the equations: M v' + .. at a state that is not zero. */
static void collect_motion(trm_system *system, trmi_buffer *out) {
  double numbers[200], motion[200] = {0.0}, energy[3] = {0.0};
  const int nv = trm_system_count(system, TRM_V);
  assert_true(nv <= 200);
  for (int i = 0; i < 200; i++) numbers[i] = 0.01 * (i % 7 + 1);
  const trm_state s = {.q = numbers, .v = numbers + 1, .vd = numbers + 2};
  trm_error err;
  CHECK_OK(trm_system_values(system, &s, &(trm_values){.motion = motion, .energy = energy}, &err),
           err);
  trmi_buffer_add(out, motion, (size_t)nv * sizeof *motion);
  trmi_buffer_add(out, energy, sizeof energy);
}

static void check_same(const char *text, const char *cache, listener *l,
                       const trmi_buffer *expected) {
  trmi_buffer found;
  trm_system *system = system_of(text, cache, l);
  collect(system, &found);
  collect_motion(system, &found);
  trm_system_free(system);
  assert_int_equal(found.used, expected->used);
  assert_memory_equal(found.data, expected->data, found.used);
  trmi_buffer_free(&found);
}

/* Number of files in a folder, and the path of one of them. */
static int count_files(const char *cache, char path[400]) {
  int count = 0;
  DIR *dir = opendir(cache);
  if (dir == NULL) return 0;
  for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    if (path != NULL) snprintf(path, 400, "%s/%.100s", cache, entry->d_name);
    count++;
  }
  closedir(dir);
  return count;
}

static void a_second_reading_has_the_same_bits(void **state) {
  (void)state;
  listener l;
  trmi_buffer fresh;
  char cache[200], path[400];
  snprintf(cache, sizeof cache, "%s", path_of("new/folder"));
  trm_system *system = system_of(PLAIN, NULL, &l);
  assert_null(trm_flexible_at(system, 0).kept);
  collect(system, &fresh);
  collect_motion(system, &fresh);
  trm_system_free(system);
  const int news = l.news;
  assert_true(l.is_ascending && l.done == 1.0 && news > 6);
  check_same(PLAIN, cache, &l, &fresh);
  assert_true(l.is_ascending && l.done == 1.0 && l.news == news);
  assert_int_equal(count_files(cache, path), 1);
  check_same(PLAIN, cache, &l, &fresh);
  assert_int_equal(l.news + l.notes, 0);
  system = system_of(PLAIN, cache, &l);
  assert_string_equal(trm_flexible_at(system, 0).kept, path);
  trm_system_free(system);
  trmi_buffer_free(&fresh);
}

/* Each of these is another reduction, and none is read in place of another. */
static void everything_that_shapes_it_counts(void **state) {
  (void)state;
  static const char *const list[] = {
    PLAIN,
    BODY("cells: [3, 1, 1], element: C3D8I", MATERIAL MODES TIES),
    BODY("cells: [2, 1, 1], element: C3D20", MATERIAL MODES TIES),
    BODY("cells: [2, 1, 1], element: C3D8I", MATERIAL "    modes: {fixed: 4}\n" TIES),
    BODY("cells: [2, 1, 1], element: C3D8I",
         MATERIAL "    modes: {fixed: 3, up_to: 900 Hz}\n" TIES),
    BODY("cells: [2, 1, 1], element: C3D8I",
         MATERIAL "    modes: {fixed: 3, inertia: false}\n" TIES),
    BODY("cells: [2, 1, 1], element: C3D8I",
         MATERIAL MODES TIES "    stress: {nodes: all}\n"),
    BODY("cells: [2, 1, 1], element: C3D8I",
         "    material: {E: 1.1e9, nu: 0.3, density: 1000}\n" MODES TIES),
    BODY("cells: [2, 1, 1], element: C3D8I",
         "    material: {E: 1e9, nu: 0.31, density: 1000}\n" MODES TIES),
    BODY("cells: [2, 1, 1], element: C3D8I", MATERIAL MODES
         "    interfaces: {a: {nodes: XMIN}, c: {nodes: XMAX, type: rigid}}\n"),
    BODY("cells: [2, 1, 1], element: C3D8I", MATERIAL MODES
         "    interfaces: {a: {nodes: XMIN}, d: {nodes: XMAX, type: average}}\n"),
    BODY("cells: [2, 1, 1], element: C3D8I", MATERIAL MODES
         "    interfaces: {a: {nodes: XMIN}, c: {nodes: XMAX, type: average, at: [2, 0, 0]}}\n"),
    BODY("cells: [2, 1, 1], element: C3D8I", MATERIAL MODES
         "    interfaces: {a: {nodes: XMIN}, c: {plane: {at: [2, 0, 0], normal: [1, 0, 0]}, "
         "type: average}}\n"),
  };
  enum { COUNT = sizeof list / sizeof *list };
  char cache[200];
  listener l;
  snprintf(cache, sizeof cache, "%s", path_of("each"));
  for (int i = 0; i < COUNT; i++) {
    trm_system_free(system_of(list[i], cache, &l));
    assert_true(l.news > 0);
    assert_int_equal(count_files(cache, NULL), i + 1);
  }
  /* where the body is, how fast it moves and how it is damped is not part of it */
  trm_system_free(system_of(PLAIN "    damping: 0.02\n    at: [1, 2, 3]\n", cache, &l));
  assert_int_equal(l.news, 0);
}

/* Its bytes count, its path does not. */
static void a_changed_mesh_file_is_reduced_anew(void **state) {
  (void)state;
  static const char nodes[] =
      "*NODE\n1, 0, 0, 0\n2, %s, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n"
      "7, 1, 1, 1\n8, 0, 1, 1\n*ELEMENT, TYPE=C3D8I, ELSET=A\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
      "*NSET, NSET=LEFT\n1, 4, 5, 8\n";
  char cache[200], mesh[1000], model[600];
  listener l;
  snprintf(cache, sizeof cache, "%s", path_of("bytes"));
  for (int i = 0; i < 3; i++) { /* a mesh, the same at another place, another one */
    const char *name = path_of(i == 1 ? "other.inp" : "brick.inp");
    snprintf(mesh, sizeof mesh, nodes, i == 2 ? "1.1" : "1");
    write_file(i == 1 ? "other.inp" : "brick.inp", mesh);
    snprintf(model, sizeof model, "trammel: 1\nflexible:\n  b:\n    mesh: %s\n" MATERIAL
             "    interfaces: {a: {nodes: LEFT}}\n    modes: {fixed: 2}\n", name);
    trm_system_free(system_of(model, cache, &l));
    assert_int_equal(l.news > 0, i != 1);
  }
  assert_int_equal(count_files(cache, NULL), 2);
}

/* A byte changed, bytes lost, bytes added: noted, reduced anew, mended. */
static void damaged_files_are_replaced(void **state) {
  (void)state;
  char cache[200], path[400];
  listener l;
  struct stat facts;
  trmi_buffer fresh;
  snprintf(cache, sizeof cache, "%s", path_of("damaged"));
  trm_system *system = system_of(PLAIN, cache, &l);
  collect(system, &fresh);
  collect_motion(system, &fresh);
  trm_system_free(system);
  assert_int_equal(count_files(cache, path), 1);
  assert_int_equal(stat(path, &facts), 0);
  const long size = (long)facts.st_size;
  for (int i = 0; i < 24; i++) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    const long at = i * (size - 1) / 20;
    if (i <= 20) {
      fseek(file, at, SEEK_SET);
      const int byte = fgetc(file);
      fseek(file, at, SEEK_SET);
      fputc(byte ^ 0x10, file);
    } else if (i == 21) {
      fseek(file, 0, SEEK_END);
      fputc(0, file);
    }
    fclose(file);
    if (i > 21) assert_int_equal(truncate(path, i == 22 ? size / 2 : 0), 0);
    check_same(PLAIN, cache, &l, &fresh);
    if (l.notes != 1 || strstr(l.note, "it is damaged; the mesh is reduced anew") == NULL) {
      fail_msg("damage %d: %d notes, %s", i, l.notes, l.note);
    }
    check_same(PLAIN, cache, &l, &fresh);
    assert_int_equal(l.news + l.notes, 0);
  }
  assert_int_equal(count_files(cache, NULL), 1); /* no drafts are left */
  trmi_buffer_free(&fresh);
}

/* A folder that cannot be made: a note, and the model is built all the same. */
static void a_cache_that_fails_stops_nobody(void **state) {
  (void)state;
  listener l;
  char cache[200], far[1200] = "";
  write_file("file", "");
  snprintf(cache, sizeof cache, "%s/below", path_of("file"));
  trm_system_free(system_of(PLAIN, cache, &l));
  assert_int_equal(l.notes, 1);
  assert_non_null(strstr(l.note, "Not a directory; the next run reduces the mesh again"));
  memset(far, 'x', sizeof far - 1);
  trm_system_free(system_of(PLAIN, far, &l));
  assert_non_null(strstr(l.note, "File name too long"));
}

static trm_status read_cached(const void *self, const trm_allocator *allocator, trm_error *err) {
  trm_model *model = NULL;
  listener l = {.news = 0};
  const trm_model_source source = {.text = PLAIN, .name = "m",
                                   .reductions = {.cache = self, .report = listen, .self = &l}};
  const trm_status status = trm_model_read(&source, allocator, &model, err);
  trm_model_free(model);
  return status;
}

static void memory_may_end_while_it_is_read(void **state) {
  (void)state;
  listener l;
  char cache[200];
  snprintf(cache, sizeof cache, "%s", path_of("short"));
  trm_system_free(system_of(PLAIN, cache, &l));
  assert_true(meter_exhaust(read_cached, cache, "cached reduction") > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_second_reading_has_the_same_bits),
    cmocka_unit_test(everything_that_shapes_it_counts),
    cmocka_unit_test(a_changed_mesh_file_is_reduced_anew),
    cmocka_unit_test(damaged_files_are_replaced),
    cmocka_unit_test(a_cache_that_fails_stops_nobody),
    cmocka_unit_test(memory_may_end_while_it_is_read),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
