/* test_reduction_memory.c - memory of our own while a mesh is reduced; that of MUMPS is bounded by
 * test_dissection. */
#include "check.h"
#include "trammel/model.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Bytes in use, and the most of them when the search for modes reported. */
typedef struct meter {
  size_t used, searching;
  int    reports;
} meter;

typedef union head {
  size_t      bytes;
  max_align_t align;
} head;

static void *take(void *self, size_t bytes) {
  meter *m = self;
  head *block = malloc(sizeof *block + bytes);
  if (block == NULL) return NULL;
  block->bytes = bytes;
  m->used += bytes;
  return block + 1;
}

static void give_back(void *self, void *memory) {
  if (memory == NULL) return;
  meter *m = self;
  head *block = (head *)memory - 1;
  m->used -= block->bytes;
  free(block);
}

static void listen(void *self, const trm_reduction_news *news) {
  meter *m = self;
  if (news->step == NULL || strcmp(news->step, "fixed-interface modes") != 0) return;
  m->reports++;
  if (m->used > m->searching) m->searching = m->used;
}

/* A bar of 16 653 displacements, in bytes for each of them. For 30 modes the search keeps 18 blocks
 * of eight fields, and two to work in: 20 * 64 = 1280; the matrix of the small problem takes 23,
 * mass and its pattern 58, the mesh 70. The stiffness would add 350. */
static void the_stiffness_makes_room_for_its_factors(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\n"
      "flexible:\n"
      "  bar:\n"
      "    box: {size: [1, 0.2, 0.1], cells: [30, 6, 3], element: C3D10}\n"
      "    material: {E: 2.1e11, nu: 0.3, density: 7850}\n"
      "    interfaces: {root: {nodes: XMIN}, tip: {nodes: XMAX}}\n"
      "    modes: {fixed: 30}\n"
      "simulate: {end: 1}\n";
  meter m = {.used = 0};
  const trm_allocator allocator = {.self = &m, .alloc = take, .release = give_back};
  const trm_model_source source = {.text = text, .name = "bar.yaml",
                                   .reductions = {.report = listen, .self = &m}};
  const double unknowns = 3.0 * 61 * 13 * 7;
  trm_model *model = NULL;
  trm_error err;
  CHECK_OK(trm_model_read(&source, &allocator, &model, &err), err);
  print_message("%.0f bytes for each unknown\n", (double)m.searching / unknowns);
  assert_true(m.reports > 10);
  assert_true((double)m.searching < 1500.0 * unknowns);
  trm_model_free(model);
  assert_true(m.used == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_stiffness_makes_room_for_its_factors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
