/* test_dissection.c - order of elimination of the nodes of a mesh. */
#include "check.h"
#include "fem/dissection.h"
#include "fem/solid_grid.h"
#include <string.h>

enum { NODES = 1500 };

typedef struct sample {
  trmi_arena       arena;
  trmi_solid_draft draft;
  trmi_solid_mesh  mesh;
  trmi_fem         fem;
} sample;

static void open_box(sample *s, double length, int along) {
  static trmi_solid_material material = {.name = "", .E = 1.0, .nu = 0.3, .density = 1.0};
  const trmi_grid_def def = {.shape = TRMI_GRID_BOX, .type = TRMI_C3D8I, .size = {length, 1, 1},
                             .cells = {along, 5, 5}};
  char fault[TRMI_SOLID_FAULT] = "";
  trmi_arena_init(&s->arena, &(trm_allocator){0});
  trmi_solid_draft_init(&s->draft, &s->arena.allocator);
  assert_true(trmi_solid_grid(&def, &s->draft, fault));
  assert_true(trmi_solid_mesh_finish(&s->draft, &s->arena, &s->mesh, fault));
  s->mesh.materials = &material;
  s->mesh.nmaterials = 1;
  for (int e = 0; e < s->mesh.nelements; e++) s->mesh.elements[e].material = 0;
  assert_true(trmi_fem_assemble(&s->mesh, true, &s->arena, NULL, &s->fem, fault));
  assert_true(s->mesh.nnodes <= NODES);
}

static void close_box(sample *s) {
  trmi_solid_draft_free(&s->draft);
  trmi_arena_clear(&s->arena);
}

static void find_order(sample *s, int *order) {
  trm_error err = {.message = ""};
  CHECK_OK(trmi_dissect(&s->mesh, &s->fem, &s->arena, order, &err), err);
}

/* Entries of the factors, nodes eliminated in an order, by the elimination itself. */
static long count_factor(const sample *s, const int *order) {
  static unsigned char is_linked[NODES][NODES];
  const int n = s->fem.n;
  static int place[NODES];
  long count = 0;
  memset(is_linked, 0, sizeof is_linked);
  for (int i = 0; i < n; i++) place[order[i]] = i;
  for (int i = 0; i < n; i++) {
    for (int e = s->fem.first[i]; e < s->fem.first[i + 1]; e++) {
      const int a = place[i], b = place[s->fem.column[e]];
      is_linked[a][b] = is_linked[b][a] = 1;
    }
  }
  for (int k = 0; k < n; k++) {
    static int later[NODES];
    int found = 0;
    for (int i = k + 1; i < n; i++) {
      if (is_linked[k][i]) later[found++] = i;
    }
    count += found + 1;
    for (int i = 0; i < found; i++) {
      for (int j = 0; j < found; j++) is_linked[later[i]][later[j]] = 1;
    }
  }
  return count;
}

static void every_node_has_its_place(void **state) {
  (void)state;
  sample s;
  int order[NODES], again[NODES], seen[NODES] = {0};
  open_box(&s, 3.0, 15);
  find_order(&s, order);
  find_order(&s, again);
  for (int i = 0; i < s.fem.n; i++) {
    assert_in_range(order[i], 0, s.fem.n - 1);
    assert_int_equal(seen[order[i]]++, 0);
    assert_int_equal(order[i], again[i]);
  }
  close_box(&s);
}

/* Against the order of the mesh, which runs along the bar first, and against layers one by one, the
 * best for a long bar whose sections are as small as here. */
static void factors_are_small(void **state) {
  (void)state;
  static const double lengths[2] = {1.0, 8.0};
  static const int along[2] = {5, 40};
  for (int i = 0; i < 2; i++) {
    sample s;
    int order[NODES], own[NODES], layers[NODES], count = 0;
    open_box(&s, lengths[i], along[i]);
    find_order(&s, order);
    for (int k = 0; k < s.fem.n; k++) own[k] = k;
    for (int layer = 0; layer <= along[i]; layer++) {
      for (int k = 0; k < s.fem.n; k++) {
        const double x = s.mesh.x[3 * k] * along[i] / lengths[i];
        if (x > layer - 0.5 && x < layer + 0.5) layers[count++] = k;
      }
    }
    assert_int_equal(count, s.fem.n);
    const long dissected = count_factor(&s, order), natural = count_factor(&s, own);
    const long layered = count_factor(&s, layers);
    print_message("%d nodes: %ld, as numbered %ld, by layers %ld\n", s.fem.n, dissected, natural,
                  layered);
    assert_true(dissected < natural && (double)dissected < 1.1 * (double)layered);
    close_box(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_node_has_its_place),
    cmocka_unit_test(factors_are_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
