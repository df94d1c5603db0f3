/* Bytes of matrices of another program. The first byte divides them into nodes, rows, stiffness and
 * mass. What is read has places within the nodes, what is refused has a sentence; what passes the
 * checks is symmetric and free in rigid motion. */
#include "fuzz.h"
#include "io/matrix_text.h"

/* A part of the bytes in a block of its own: reading beyond the end is seen. */
static char *copy_of(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  FUZZ_REQUIRE(text != NULL);
  memcpy(text, data, size);
  return realloc(text, size > 0 ? size : 1);
}

static bool read(const uint8_t *data, size_t size, trmi_matrix_reading *r) {
  char *text = copy_of(data, size);
  const bool is_read = trmi_matrix_read(text, size, r);
  FUZZ_REQUIRE(is_read || r->fault[0] != '\0' || r->entries->failed);
  const trmi_given_entry *list = (const trmi_given_entry *)(const void *)r->entries->data;
  for (size_t i = 0; is_read && i < r->entries->used / sizeof *list; i++) {
    FUZZ_REQUIRE(list[i].row >= 0 && list[i].row < 6 * r->mesh->nnodes);
    FUZZ_REQUIRE(list[i].column >= 0 && list[i].column < 6 * r->mesh->nnodes);
  }
  free(text);
  return is_read;
}

static void make(trmi_given_def *def, trmi_arena *arena) {
  trmi_fem fem;
  def->fault[0] = '\0';
  if (!trmi_fem_given(def, arena, &fem)) {
    FUZZ_REQUIRE(def->fault[0] != '\0' || arena->failed);
    return;
  }
  for (int i = 0; i < fem.n; i++) {
    for (int e = fem.first[i]; e < fem.first[i + 1]; e++) FUZZ_REQUIRE(fem.column[e] <= i);
    FUZZ_REQUIRE(fem.column[fem.first[i + 1] - 1] == i);
  }
}

/* Behind the zero that ends it, or the end. */
static size_t part_of(const uint8_t *data, size_t size) {
  const uint8_t *zero = memchr(data, 0, size);
  return zero != NULL ? (size_t)(zero - data) : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char fault[TRMI_SOLID_FAULT] = "";
  size_t first[4] = {0}, length[4], at = 0;
  for (int k = 0; k < 4; k++) {
    first[k] = at < size ? at : size;
    length[k] = part_of(data + first[k], size - first[k]);
    at = first[k] + length[k] + 1;
  }
  trmi_arena arena;
  trmi_buffer lists[2], notes;
  trmi_solid_mesh mesh;
  trmi_matrix_rows rows = {0};
  int *order = NULL;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_buffer_init(&notes, NULL);
  for (int k = 0; k < 2; k++) trmi_buffer_init(&lists[k], NULL);
  char *nodes = copy_of(data + first[0], length[0]), *dofs = copy_of(data + first[1], length[1]);
  if (trmi_matrix_nodes(nodes, length[0], &arena, &mesh, &order, fault) &&
      trmi_matrix_dofs(dofs, length[1], &mesh, order, &arena, &rows, fault)) {
    trmi_matrix_reading r[2];
    for (int k = 0; k < 2; k++) {
      r[k] = (trmi_matrix_reading){.mesh = &mesh, .rows = &rows, .first = "KM"[k],
                                   .entries = &lists[k], .fault = fault};
    }
    if (read(data + first[2], length[2], &r[0]) && read(data + first[3], length[3], &r[1])) {
      trmi_given_def def = {.mesh = &mesh, .notes = &notes, .fault = fault};
      trmi_given_matrix *matrices[2] = {&def.stiffness, &def.mass};
      for (int k = 0; k < 2; k++) {
        *matrices[k] = (trmi_given_matrix){
            .name = "matrix", .is_full = r[k].is_full,
            .entries = (trmi_given_entry *)(void *)lists[k].data,
            .count = lists[k].used / sizeof(trmi_given_entry)};
      }
      if (trmi_given_rotations(&def, &mesh, &arena)) make(&def, &arena);
      else FUZZ_REQUIRE(arena.failed);
    }
  } else {
    FUZZ_REQUIRE(fault[0] != '\0' || arena.failed);
  }
  free(nodes);
  free(dofs);
  for (int k = 0; k < 2; k++) trmi_buffer_free(&lists[k]);
  trmi_buffer_free(&notes);
  trmi_arena_clear(&arena);
  return 0;
}
