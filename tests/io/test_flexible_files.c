/* test_flexible_files.c - flexible bodies with mesh files: units of the file, materials of file, of
 * the model and of sets, and sentences on what does not fit; memory that ends at any request. */
#include "io/model_folder.h"
#include "io/mesh_text.h"
#include "trammel/flexible.h"

#define BRICKS                                                                               \
  "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n"         \
  "7, 1, 1, 1\n8, 0, 1, 1\n9, 2, 0, 0\n10, 2, 1, 0\n11, 2, 0, 1\n12, 2, 1, 1\n"             \
  "*ELEMENT, TYPE=C3D8I, ELSET=A\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"                               \
  "*ELEMENT, TYPE=C3D8I, ELSET=B\n2, 2, 9, 10, 3, 6, 11, 12, 7\n"                            \
  "*NSET, NSET=LEFT\n1, 4, 5, 8\n"
#define STEEL                                                                                \
  "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e5, 0.3\n*DENSITY\n7.85e-9\n"                         \
  "*SOLID SECTION, ELSET=A, MATERIAL=STEEL\n*SOLID SECTION, ELSET=B, MATERIAL=STEEL\n"
#define BODY(keys)                                                                           \
  "trammel: 1\nflexible:\n  b:\n    mesh: bricks.inp\n    interfaces: {a: {nodes: left}}\n"  \
  "    modes: {fixed: 3}\n" keys

/* Mass of the first body, and the frequency of its first mode. */
static double mass_of(const char *model, double *frequency) {
  trm_model *m;
  trm_system *system;
  trm_error err;
  write_file("m.yaml", model);
  CHECK_OK(trm_model_read_file(path_of("m.yaml"), NULL, 0, NULL, &m, &err), err);
  CHECK_OK(trm_model_create_system(m, NULL, &system, &err), err);
  const double mass = trm_flexible_at(system, 0).mass;
  if (frequency != NULL) *frequency = trm_flexible_mode_at(system, 0, 0).frequency;
  trm_system_free(system);
  trm_model_free(m);
  return mass;
}

/* Two cubic millimetres of steel, in N, mm, s, t. */
static void units_of_the_file_count(void **state) {
  (void)state;
  double of_file, of_model;
  write_file("bricks.inp", BRICKS STEEL);
  /* rounding */
  CHECK_NEAR(mass_of(BODY("    length: mm\n"), &of_file), 7850 * 2e-9, 1e-18, "of the file");
  CHECK_NEAR(mass_of(BODY("    length: mm\n    material: {E: 2.1e11, nu: 0.3, density: 7850}\n"),
                     &of_model), 7850 * 2e-9, 1e-18, "of the model");
  CHECK_NEAR(of_file / of_model, 1.0, 1e-9, "frequency"); /* eigenvalues */
  CHECK_NEAR(mass_of(BODY("    length: mm\n    material: {E: 2.1e11, nu: 0.3, density: 7850}\n"
                          "    materials: {b: {E: 7e10, nu: 0.3, density: 2700}}\n"), NULL),
             (7850 + 2700) * 1e-9, 1e-18, "of sets");
  CHECK_NEAR(mass_of(BODY("    length: mm\n    material: {b: {E: 7e10, nu: 0.3, density: 2700},\n"
                          "               E: 2.1e11, nu: 0.3, density: 7850}\n"), NULL),
             (7850 + 2700) * 1e-9, 1e-18, "of a set below material");
  CHECK_NEAR(mass_of(BODY("    length: mm\n    material: {b: {E: 7e10, nu: 0.3, density: 2700}}\n"
                          "    materials: {a: {E: 7e10, nu: 0.3, density: 2800}}\n"), NULL),
             (2800 + 2700) * 1e-9, 1e-18, "of both");
}

static void what_does_not_fit_is_named(void **state) {
  (void)state;
  write_file("bricks.inp", BRICKS STEEL);
  write_file("m.yaml", BODY(""));
  file_refuses("m.yaml", "m.yaml", 4, 5, "a density of 7.85e-09 kg/m^3, which no material has");
  write_file("m.yaml", BODY("    length: kg\n"));
  file_refuses("m.yaml", "m.yaml", 7, 5, "must be a unit such as mm");
  write_file("m.yaml", BODY("    length: mm\n    materials: {C: {E: 1, nu: 0, density: 1}}\n"));
  file_refuses("m.yaml", "m.yaml", 4, 5, "no element set 'C'");
  write_file("m.yaml", BODY("    length: mm\n    material: {b: {E: 1, nu: 0, density: 1}}\n"
                            "    materials: {b: {E: 1, nu: 0, density: 1}}\n"));
  file_refuses("m.yaml", "m.yaml", 8, 16, "the material of 'b' twice, in `material` and in");
  write_file("m.yaml", BODY("    length: mm\n    material: {E: {b: 1}, nu: 0, density: 1}\n"));
  file_refuses("m.yaml", "m.yaml", 8, 19, "flexible.b.material.E must be a number");
  write_file("m.yaml", BODY("    length: mm\n    material: {b: {E: 1, nu: 0}}\n"));
  file_refuses("m.yaml", "m.yaml", 8, 16, "flexible.b.materials.b has no 'density'");
  write_file("bricks.inp", BRICKS);
  write_file("m.yaml", BODY("    length: mm\n"));
  file_refuses("m.yaml", "m.yaml", 4, 5, "element 1 has no material");
  write_file("bricks.inp", BRICKS "*NODE\n1, 2, y, 0\n");
  file_refuses("m.yaml", "m.yaml", 4, 5, "bricks.inp': line 21: node 1: coordinate 2");
  unlink(path_of("bricks.inp"));
  file_refuses("m.yaml", "m.yaml", 4, 11, "cannot read '");
}

static trm_status read_all(const void *self, const trm_allocator *allocator, trm_error *err) {
  trm_model *m = NULL;
  trm_system *system = NULL;
  trm_status status = trm_model_read_text(self, "box", NULL, 0, allocator, &m, err);
  if (status == TRM_OK) status = trm_model_create_system(m, allocator, &system, err);
  trm_system_free(system);
  trm_model_free(m);
  return status;
}

static trm_status read_mesh(const void *self, const trm_allocator *allocator, trm_error *err) {
  char fault[TRMI_SOLID_FAULT];
  trmi_arena arena;
  trmi_solid_draft draft;
  trmi_solid_mesh mesh;
  trmi_arena_init(&arena, allocator);
  trmi_solid_draft_init(&draft, allocator);
  const bool is_read = trmi_mesh_read("a.inp", self, strlen(self), &draft, &arena, &mesh, fault);
  const bool is_memory = arena.failed || trmi_solid_draft_failed(&draft);
  trmi_solid_draft_free(&draft);
  trmi_arena_clear(&arena);
  if (is_read) return TRM_OK;
  return TRMI_FAIL(err, is_memory ? TRM_ERR_MEMORY : TRM_ERR_INPUT, NULL, "%s", fault);
}

static void memory_may_end_anywhere(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nflexible:\n  b:\n    box: {size: [2, 1, 1], cells: [2, 1, 1], element: C3D8I}\n"
      "    material: {E: 1e9, nu: 0.3, density: 1000}\n    modes: {fixed: 3}\n"
      "    interfaces: {a: {nodes: XMIN}, c: {nodes: XMAX, type: average}}\n";
  assert_true(meter_exhaust(read_all, text, "flexible body") > 50);
  assert_true(meter_exhaust(read_mesh, BRICKS STEEL, "mesh file") > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(units_of_the_file_count),
    cmocka_unit_test(what_does_not_fit_is_named),
    cmocka_unit_test(memory_may_end_anywhere),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
