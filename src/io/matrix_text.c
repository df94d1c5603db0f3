/* matrix_text.c - stiffness and mass matrices of other programs.
 *
 * Matrix Market: "%%MatrixMarket matrix coordinate real symmetric|general", then rows, columns,
 * entries, then "row column value". CalculiX: "row column value" of one triangle. Abaqus: "node,
 * direction, node, direction, value". DMIG: see dmig_text.c. */
#include "io/matrix_internal.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 8 };

/* ---- entries --------------------------------------------------------------------------------- */

bool trmi_matrix_place(const trmi_mesh_text *t, const trmi_matrix_reading *r, int node,
                       int direction, int *place) {
  const int at = trmi_solid_mesh_node(r->mesh, node);
  if (at < 0) return trmi_mesh_fail(t, "node %d is not in the table of nodes", node);
  if (direction < 1 || direction > 6) {
    return trmi_mesh_fail(t, "node %d has no direction %d", node, direction);
  }
  *place = direction <= 3 ? 3 * at + direction - 1 : 3 * (r->mesh->nnodes + at) + direction - 4;
  return true;
}

bool trmi_matrix_add(const trmi_matrix_reading *r, int row, int column, double value) {
  const int first = 3 * r->mesh->nnodes; /* rotations, which solid elements list as zeros */
  if (value == 0.0 && (row >= first || column >= first)) return true;
  const trmi_given_entry entry = {.row = row, .column = column, .value = value};
  trmi_buffer_add(r->entries, &entry, sizeof entry);
  return !r->entries->failed;
}

/* Fields of a line, by commas or blanks. @return their number, at most FIELDS */
static int take(const trmi_mesh_text *t, char separator, trmi_mesh_field fields[FIELDS]) {
  size_t from = 0;
  int count = 0;
  while (count < FIELDS && trmi_mesh_field_next(t, separator, &from, &fields[count])) {
    if (fields[count].length > 0 || separator == ',') count++;
  }
  return count;
}

static char separator_of(const trmi_mesh_text *t) {
  return memchr(t->at, ',', t->length) != NULL ? ',' : ' ';
}

/* "row column value" */
static bool read_triplet(const trmi_mesh_text *t, const trmi_matrix_reading *r) {
  trmi_mesh_field field[FIELDS];
  int row, column;
  double value;
  if (take(t, ' ', field) != 3 || !trmi_mesh_int(field[0], &row) ||
      !trmi_mesh_int(field[1], &column) || !trmi_mesh_number(field[2], &value)) {
    return trmi_mesh_fail(t, "this is not a row, a column and a value");
  }
  if (row < 1 || row > r->rows->count || column < 1 || column > r->rows->count) {
    return trmi_mesh_fail(t, "there is no row %d and column %d: nodes have %d displacements", row,
                          column, r->rows->count);
  }
  return trmi_matrix_add(r, r->rows->list[row - 1], r->rows->list[column - 1], value);
}

/* ---- formats --------------------------------------------------------------------------------- */

static bool read_banner(const trmi_mesh_text *t, trmi_matrix_reading *r) {
  trmi_mesh_field field[FIELDS];
  const int count = take(t, ' ', field);
  const bool is_good = count == 5 && trmi_mesh_is(field[1], "matrix") &&
                       trmi_mesh_is(field[2], "coordinate") &&
                       (trmi_mesh_is(field[3], "real") || trmi_mesh_is(field[3], "integer"));
  if (!is_good || !(trmi_mesh_is(field[4], "symmetric") || trmi_mesh_is(field[4], "general"))) {
    return trmi_mesh_fail(t, "of Matrix Market only 'matrix coordinate real symmetric' and "
                          "'general' can be read");
  }
  r->is_full = trmi_mesh_is(field[4], "general");
  return true;
}

static bool read_market(trmi_mesh_text *t, trmi_matrix_reading *r) {
  bool has_size = false;
  int sizes[3], read = 0;
  if (!read_banner(t, r)) return false;
  while (trmi_mesh_next(t)) {
    trmi_mesh_field field[FIELDS];
    if (t->length == 0 || t->at[0] == '%' || take(t, ' ', field) == 0) continue;
    if (has_size) {
      if (!read_triplet(t, r)) return false;
      read++;
      continue;
    }
    for (int k = 0; k < 3; k++) {
      if (take(t, ' ', field) != 3 || !trmi_mesh_int(field[k], &sizes[k])) {
        return trmi_mesh_fail(t, "here must be the numbers of rows, columns and entries");
      }
    }
    if (sizes[0] != r->rows->count || sizes[1] != r->rows->count) {
      return trmi_mesh_fail(t, "the matrix has %d rows and %d columns, but the nodes have %d "
                            "displacements", sizes[0], sizes[1], r->rows->count);
    }
    has_size = true;
  }
  if (has_size && read == sizes[2]) return true;
  return trmi_mesh_fail(t, "the file ends after %d entries of %d", read, has_size ? sizes[2] : 0);
}

static bool read_triplets(trmi_mesh_text *t, const trmi_matrix_reading *r) {
  do {
    trmi_mesh_field field[FIELDS];
    if (take(t, ' ', field) > 0 && !read_triplet(t, r)) return false;
  } while (trmi_mesh_next(t));
  return true;
}

/* "node, direction, node, direction, value" */
static bool read_abaqus(trmi_mesh_text *t, const trmi_matrix_reading *r) {
  do {
    trmi_mesh_field field[FIELDS];
    int number[4], row = 0, column = 0;
    double value;
    const int count = take(t, ',', field);
    if (count == 0 || t->at[0] == '*') continue;
    bool is_good = count == 5 && trmi_mesh_number(field[4], &value);
    for (int k = 0; k < 4 && is_good; k++) is_good = trmi_mesh_int(field[k], &number[k]);
    if (!is_good) {
      return trmi_mesh_fail(t, "this is not node, direction, node, direction and value");
    }
    if (!trmi_matrix_place(t, r, number[0], number[1], &row) ||
        !trmi_matrix_place(t, r, number[2], number[3], &column) ||
        !trmi_matrix_add(r, row, column, value)) {
      return false;
    }
  } while (trmi_mesh_next(t));
  return true;
}

static bool begins_with(const trmi_mesh_text *t, const char *word) {
  const size_t n = strlen(word);
  return t->length >= n && trmi_mesh_is((trmi_mesh_field){.text = t->at, .length = n}, word);
}

bool trmi_matrix_read(const char *text, size_t length, trmi_matrix_reading *r) {
  trmi_mesh_text t = {.text = text, .end = text + length, .fault = r->fault};
  r->fault[0] = '\0';
  r->is_full = false;
  while (trmi_mesh_next(&t)) {
    if (begins_with(&t, "%%MatrixMarket")) return read_market(&t, r);
    if (begins_with(&t, "DMIG")) return trmi_matrix_read_dmig(text, length, r);
    if (t.length == 0 || strchr("*$#%", t.at[0]) != NULL) continue;
    if (separator_of(&t) == ',') return read_abaqus(&t, r);
    trmi_mesh_field field[FIELDS];
    int number;
    if (take(&t, ' ', field) == 3 && trmi_mesh_int(field[0], &number)) return read_triplets(&t, r);
    if (memchr(t.at, '=', t.length) != NULL || take(&t, ' ', field) == 0) continue;
    return trmi_mesh_fail(&t, "this is no matrix of Matrix Market, Abaqus, CalculiX or DMIG");
  }
  return trmi_mesh_fail(&t, "there is no matrix in this file");
}

/* ---- nodes ----------------------------------------------------------------------------------- */

typedef struct row {
  double x[3];
  int    number, line;
} row;

static int compare(const void *a, const void *b) {
  const row *p = a, *q = b;
  if (p->number != q->number) return p->number < q->number ? -1 : 1;
  return (p->line > q->line) - (p->line < q->line);
}

/* A line of the table; false: it is no row of numbers. */
static bool take_node(const trmi_mesh_text *t, row *out) {
  trmi_mesh_field field[FIELDS];
  if (take(t, separator_of(t), field) < 4 || !trmi_mesh_int(field[0], &out->number)) return false;
  for (int k = 0; k < 3; k++) {
    if (!trmi_mesh_number(field[k + 1], &out->x[k])) return false;
  }
  return true;
}

static bool read_nodes(trmi_mesh_text *t, trmi_buffer *rows) {
  while (trmi_mesh_next(t)) {
    row one = {.line = (int)(rows->used / sizeof one)};
    trmi_mesh_field field[FIELDS];
    if (take(t, separator_of(t), field) == 0 || t->at[0] == '#') continue;
    if (take_node(t, &one)) {
      trmi_buffer_add(rows, &one, sizeof one);
    } else if (rows->used > 0) {
      return trmi_mesh_fail(t, "this is not a number of a node, x, y and z");
    }
  }
  return rows->used >= 3 * sizeof(row) || trmi_mesh_fail(t, "the table has fewer than 3 nodes");
}

bool trmi_matrix_nodes(const char *text, size_t length, trmi_arena *arena, trmi_solid_mesh *mesh,
                       int **order, char fault[TRMI_SOLID_FAULT]) {
  trmi_mesh_text t = {.text = text, .end = text + length, .fault = fault};
  trmi_buffer rows;
  trmi_buffer_init(&rows, &arena->allocator);
  bool is_good = read_nodes(&t, &rows);
  row *list = (row *)(void *)rows.data;
  const int count = is_good && !rows.failed ? (int)(rows.used / sizeof *list) : 0;
  *mesh = (trmi_solid_mesh){.nnodes = count};
  mesh->x = TRMI_TAKE(arena, double, 3 * count);
  mesh->number = TRMI_TAKE(arena, int, count);
  *order = TRMI_TAKE(arena, int, count);
  if (rows.failed) arena->failed = true;
  if (count > 0) qsort(list, (size_t)count, sizeof *list, compare);
  for (int i = 0; i < count && is_good && !arena->failed; i++) {
    memcpy(mesh->x + 3 * i, list[i].x, sizeof list[i].x);
    mesh->number[i] = list[i].number;
    (*order)[list[i].line] = i;
    if (i == 0 || list[i].number != list[i - 1].number) continue;
    snprintf(fault, TRMI_SOLID_FAULT, "node %d is in the table twice", list[i].number);
    is_good = false;
  }
  trmi_buffer_free(&rows);
  return is_good && !arena->failed;
}

bool trmi_matrix_dofs(const char *text, size_t length, const trmi_solid_mesh *mesh,
                      const int *order, trmi_arena *arena, trmi_matrix_rows *rows,
                      char fault[TRMI_SOLID_FAULT]) {
  trmi_mesh_text t = {.text = text, .end = text + length, .fault = fault};
  const trmi_matrix_reading r = {.mesh = mesh, .fault = fault};
  trmi_buffer list;
  trmi_buffer_init(&list, &arena->allocator);
  for (int i = 0; length == 0 && i < 3 * mesh->nnodes; i++) {
    const int place = 3 * order[i / 3] + i % 3;
    trmi_buffer_add(&list, &place, sizeof place);
  }
  bool is_good = true;
  while (is_good && trmi_mesh_next(&t)) {
    trmi_mesh_field field[FIELDS], node, direction;
    int numbers[2], place = 0;
    if (take(&t, ' ', field) == 0) continue;
    const char *dot = memchr(field[0].text, '.', field[0].length);
    node = direction = field[0];
    if (dot != NULL) {
      node.length = (size_t)(dot - field[0].text);
      direction.text = dot + 1, direction.length = field[0].length - node.length - 1;
    }
    if (dot == NULL || !trmi_mesh_int(node, &numbers[0]) ||
        !trmi_mesh_int(direction, &numbers[1])) {
      is_good = trmi_mesh_fail(&t, "this is not a node, a point and a direction, 12.3");
    } else if ((is_good = trmi_matrix_place(&t, &r, numbers[0], numbers[1], &place))) {
      trmi_buffer_add(&list, &place, sizeof place);
    }
  }
  *rows = (trmi_matrix_rows){.count = list.failed ? 0 : (int)(list.used / sizeof(int))};
  rows->list = TRMI_TAKE(arena, int, rows->count);
  if (list.failed) arena->failed = true;
  if (rows->list != NULL && rows->count > 0) memcpy(rows->list, list.data, list.used);
  trmi_buffer_free(&list);
  return is_good && !arena->failed;
}
