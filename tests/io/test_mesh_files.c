/* test_mesh_files.c - readers of .inp, .msh and .bdf: the same two elements in all formats, sets,
 * materials, and sentences with lines and numbers on faulty files. */
#include "check.h"
#include "fem/solid_matrices.h"
#include "fem/solid_shapes.h"
#include "io/mesh_text.h"
#include <stdio.h>
#include <string.h>

typedef struct reading {
  trmi_arena       arena;
  trmi_solid_draft draft;
  trmi_solid_mesh  mesh;
  char             fault[TRMI_SOLID_FAULT];
  bool             is_read;
} reading;

static reading read_text(const char *name, const char *text) {
  reading r = {.fault = ""};
  trmi_arena_init(&r.arena, &(trm_allocator){0});
  trmi_solid_draft_init(&r.draft, NULL);
  r.is_read = trmi_mesh_read(name, text, strlen(text), &r.draft, &r.arena, &r.mesh, r.fault);
  return r;
}

static void close_reading(reading *r) {
  trmi_solid_draft_free(&r->draft);
  trmi_arena_clear(&r->arena);
}

static const char *const brick_inp =
    "*HEADING\n two bricks\n** comment\n*Node, nset=all\n"
    "10, 0, 0, 0\n20, 1, 0, 0\n30, 1, 1, 0\n40, 0, 1, 0\n"
    "50, 0, 0, 1\n60, 1., 0, 1\n70, 1, 1, 1.0D0\n80, 0, 1e0, 1\n"
    "90, 2, 0, 0\n100, 2, 1, 0\n110, 2, 0, 1\n120, 2, 1, 1\n999, 5, 5, 5\n"
    "*ELEMENT, TYPE=C3D8,\n ELSET=body\n 7, 10, 20, 30, 40,\n 50, 60, 70, 80\n"
    "8, 20, 90, 100, 30, 60, 110, 120, 70\n"
    "*NSET, NSET=left\n10, 40, 50,\n80\n*NSET, NSET=right, GENERATE\n90, 120, 10\n"
    "*NSET, NSET=both\nleft, Right\n"
    "*MATERIAL, NAME=Steel\n*ELASTIC\n2.1e5, .3\n*DENSITY\n7.85e-9\n"
    "*SOLID SECTION, ELSET=BODY, MATERIAL=steel\n*STEP\n*STATIC\n*END STEP\n";

static const char *const brick_msh =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n2 3 \"left\"\n3 4 \"BODY\"\n$EndPhysicalNames\n"
    "$Entities\n0 0 1 1\n9 0 0 0 0 1 1 1 3 0\n1 0 0 0 2 1 1 1 4 0\n$EndEntities\n"
    "$Nodes\n1 12 1 12\n3 1 0 12\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
    "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n2 0 0\n2 1 0\n2 0 1\n2 1 1\n"
    "$EndNodes\n$Elements\n2 3 1 3\n2 9 3 1\n1 1 4 8 5\n3 1 5 2\n2 1 2 3 4 5 6 7 8\n"
    "3 2 9 10 3 6 11 12 7\n$EndElements\n";

static const char *const brick_bdf =
    "SOL 103\nCEND\nBEGIN BULK\n$ comment\n"
    "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\n"
    "GRID           5              0.      0.      1.\n"
    "GRID*                  6                              1.              0.\n"
    "*                     1.\n"
    "GRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\nGRID,9,,2.,0.,0.\n"
    "GRID,10,,2.,1.,0.\nGRID,11,,2.,0.,1.\nGRID,12,,2.,1.,+1.0\n"
    "CHEXA          1       5       1       2       3       4       5       6\n"
    "+              7       8\n"
    "CHEXA,2,5,2,9,10,3,6,11\n,12,7\n"
    "PSOLID,5,1\nMAT1,1,2.1+5,,.3,7.85-9\nSPC1,1,123\nENDDATA\n";

/* int 1 = 2, int x = 2 over both bricks, from the assembled mass. */
static void is_the_bar(reading *r, double density) {
  trmi_fem fem;
  const bool is_made = trmi_fem_assemble(&r->mesh, true, &r->arena, NULL, &fem, r->fault);
  if (!is_made) print_error("%s\n", r->fault);
  assert_true(is_made);
  double u[36], f[36], mass = 0.0, moment = 0.0;
  assert_int_equal(fem.n, 12);
  for (int i = 0; i < 36; i++) u[i] = 1.0;
  trmi_fem_mass(&fem, 1, u, f);
  for (int i = 0; i < 12; i++) {
    mass += f[3 * i];
    moment += f[3 * i] * r->mesh.x[3 * i];
  }
  CHECK_NEAR(mass / density, 2.0, 1e-14, "volume"); /* rounding */
  CHECK_NEAR(moment / density, 2.0, 1e-14, "int x");
}

static void three_formats_give_the_same_bar(void **state) {
  (void)state;
  const char *const names[3] = {"a.inp", "b.MSH", "c.bdf"};
  const char *const texts[3] = {brick_inp, brick_msh, brick_bdf};
  for (int i = 0; i < 3; i++) {
    reading r = read_text(names[i], texts[i]);
    if (!r.is_read) print_error("%s: %s\n", names[i], r.fault);
    assert_true(r.is_read);
    assert_int_equal(r.mesh.nnodes, 12);
    assert_int_equal(r.mesh.nelements, 2);
    trmi_solid_material one = {.E = 1, .nu = 0.3, .density = 1};
    if (i == 1) { /* Gmsh has no materials */
      r.mesh.materials = &one;
      for (int e = 0; e < 2; e++) r.mesh.elements[e].material = 0;
    } else {
      assert_int_equal(r.mesh.nmaterials, 1);
      CHECK_NEAR(r.mesh.materials[0].E, 2.1e5, 0.0, "E");
      CHECK_NEAR(r.mesh.materials[0].nu, 0.3, 0.0, "nu");
    }
    is_the_bar(&r, i == 1 ? 1.0 : 7.85e-9);
    close_reading(&r);
  }
}

static void sets_are_read(void **state) {
  (void)state;
  reading r = read_text("a.inp", brick_inp);
  assert_true(r.is_read);
  const trmi_solid_set *both = trmi_solid_mesh_set(&r.mesh, "both", false);
  assert_non_null(both);
  assert_int_equal(both->count, 8);
  assert_int_equal(trmi_solid_mesh_set(&r.mesh, "LEFT", false)->count, 4);
  assert_int_equal(trmi_solid_mesh_set(&r.mesh, "ALL", false)->count, 12); /* 999 is not used */
  assert_int_equal(trmi_solid_mesh_set(&r.mesh, "BODY", true)->count, 2);
  assert_null(trmi_solid_mesh_set(&r.mesh, "BODY", false));
  assert_int_equal(trmi_solid_mesh_node(&r.mesh, 120), 11);
  assert_int_equal(trmi_solid_mesh_node(&r.mesh, 999), -1);
  assert_non_null(strstr(r.draft.notes.data, "C3D8 are taken as C3D8I"));
  assert_non_null(strstr(r.draft.notes.data, "*STATIC is left out"));
  close_reading(&r);
  r = read_text("b.msh", brick_msh);
  assert_true(r.is_read);
  assert_int_equal(trmi_solid_mesh_set(&r.mesh, "left", false)->count, 4);
  assert_int_equal(trmi_solid_mesh_set(&r.mesh, "BODY", true)->count, 2);
  close_reading(&r);
}

/* A cube with 20 nodes: corners, then middles of the given edges, numbered from 1. */
static void write_cube(bool is_msh, const int edges[12][2], char *text) {
  static const int corner[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                   {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
  char *p = text;
  if (is_msh) p += sprintf(p, "$MeshFormat\n4.1 0 8\n$Nodes\n1 20 1 20\n3 1 0 20\n");
  for (int i = 1; i <= 20 && is_msh; i++) p += sprintf(p, "%d\n", i);
  for (int i = 0; i < 20; i++) {
    const int *a = corner[i < 8 ? i : edges[i - 8][0]], *b = corner[i < 8 ? i : edges[i - 8][1]];
    const int x[3] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
    if (is_msh) {
      p += sprintf(p, "%d %d %d\n", x[0], x[1], x[2]);
    } else {
      p += sprintf(p, "GRID,%d,,%d.,%d.,%d.\n", i + 1, x[0], x[1], x[2]);
    }
  }
  if (is_msh) {
    p += sprintf(p, "$EndNodes\n$Elements\n1 1 1 1\n3 1 17 1\n1");
    for (int i = 1; i <= 20; i++) p += sprintf(p, " %d", i);
    sprintf(p, "\n$EndElements\n");
  } else {
    sprintf(p, "CHEXA,1,1,1,2,3,4,5,6\n,7,8,9,10,11,12,13,14\n,15,16,17,18,19,20\n");
  }
}

/* Middle nodes of Gmsh and Nastran come to the middles of the edges of our order. */
static void middle_nodes_are_in_our_order(void **state) {
  (void)state;
  static const int edges[2][12][2] = {
    {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
     {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}},
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 5},
     {2, 6}, {3, 7}, {4, 5}, {5, 6}, {6, 7}, {7, 4}}};
  for (int format = 0; format < 2; format++) {
    char text[4000];
    write_cube(format == 0, edges[format], text);
    reading r = read_text(format == 0 ? "a.msh" : "a.nas", text);
    if (!r.is_read) print_error("%s\n", r.fault);
    assert_true(r.is_read);
    const trmi_solid_info *info = &trmi_solid_infos[TRMI_C3D20];
    for (int k = 8; k < 20; k++) {
      const int *nodes = r.mesh.connections;
      for (int d = 0; d < 3; d++) {
        const double middle = 0.5 * (r.mesh.x[3 * nodes[info->edges[k - 8][0]] + d] +
                                     r.mesh.x[3 * nodes[info->edges[k - 8][1]] + d]);
        CHECK_NEAR(r.mesh.x[3 * nodes[k] + d], middle, 0.0, "format %d, node %d", format, k);
      }
    }
    close_reading(&r);
  }
}

static void faulty_files_have_sentences(void **state) {
  (void)state;
  static const struct {
    const char *name, *text, *sentence;
  } list[] = {
    {"a.stl", "", "ending of its name"},
    {"a.inp", "", "no solid elements"},
    {"a.inp", "*NODE\n1, 0, x, 0\n", "line 2: node 1: coordinate 2"},
    {"a.inp", "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n5, 1, 2, 3, 4\n",
     "line 4: element 5 needs node 2"},
    {"a.inp", "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n*ELEMENT, TYPE=C3D4\n5, 1, 2, 3, 3\n",
     "element 5 (C3D4) has node 3 twice"},
    {"a.inp", "*ELEMENT, TYPE=C3D4\n5, 1, 2\n*NODE\n", "element 5 (C3D4) has only 2 of 4"},
    {"a.inp", "*NODE\n1,0,0,0\n1,0,0,0\n*ELEMENT, TYPE=C3D4\n5,1,2,3,4\n",
     "line 3: node 1 is defined twice"},
    {"a.inp", "*ELEMENT\n1,2,3\n", "without TYPE"},
    {"a.inp", "*INCLUDE, INPUT=b.inp\n", "*INCLUDE"},
    {"a.inp", "*ELASTIC\n1,2\n", "before any *MATERIAL"},
    {"a.inp", "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ORTHOTROPIC\n1,2\n", "isotropic"},
    {"a.msh", "$MeshFormat\n2.2 0 8\n", "only MSH 4.1"},
    {"a.msh", "$Nodes\n", "does not begin with $MeshFormat"},
    {"a.msh", "$MeshFormat\n4.1 0 8\n$Nodes\n1 2 1 2\n3 1 0 2\n1\n", "ends within $Nodes"},
    {"a.bdf", "GRID,1,7,0.,0.,0.\n", "coordinate system"},
    {"a.bdf", "GRID,1,,0.,zero,0.\n", "GRID 1: coordinate 2"},
    {"a.bdf", "CTETRA,4,1,1,2,3\n", "CTETRA 4 has 3 nodes"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    reading r = read_text(list[i].name, list[i].text);
    assert_false(r.is_read);
    if (strstr(r.fault, list[i].sentence) == NULL) {
      print_error("%zu: '%s', not '%s'\n", i, r.fault, list[i].sentence);
    }
    assert_non_null(strstr(r.fault, list[i].sentence));
    close_reading(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_formats_give_the_same_bar),
    cmocka_unit_test(sets_are_read),
    cmocka_unit_test(middle_nodes_are_in_our_order),
    cmocka_unit_test(faulty_files_have_sentences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
