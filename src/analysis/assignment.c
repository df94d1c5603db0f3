/* assignment.c - see assignment.h.
 *
 * The Hungarian method in the form of Jonker and Volgenant: potentials u of rows and p of columns
 * with cost_ij >= u_i + p_j, equal on the assignment. Each row is added by the shortest augmenting
 * path over reduced costs cost_ij - u_i - p_j, in O(n^2). Source: [JonkerVolgenant]. */
#include "analysis/assignment.h"
#include "core/fail.h"
#include "core/arena.h"
#include <math.h>
#include <stdbool.h>

/* One assignment of rows <= columns; both are counted from 1, 0 is the root of paths. */
typedef struct search {
  const double *cost;
  int     rows, columns;
  bool    is_turned; /* cost is [columns][rows] */
  double *u, *p, *least;
  int    *row_of, *from;
  bool   *is_done;
} search;

static double cost_at(const search *s, int i, int j) {
  return s->is_turned ? s->cost[(j - 1) * s->rows + i - 1] : s->cost[(i - 1) * s->columns + j - 1];
}

/* Add row i by the shortest path to a free column. */
static void add_row(search *s, int i) {
  int j = 0;
  s->row_of[0] = i;
  for (int k = 0; k <= s->columns; k++) s->least[k] = INFINITY, s->is_done[k] = false;
  do {
    const int row = s->row_of[j];
    double delta = INFINITY;
    int next = 0;
    s->is_done[j] = true;
    for (int k = 1; k <= s->columns; k++) {
      if (s->is_done[k]) continue;
      const double reduced = cost_at(s, row, k) - s->u[row] - s->p[k];
      if (reduced < s->least[k]) s->least[k] = reduced, s->from[k] = j;
      if (s->least[k] < delta) delta = s->least[k], next = k;
    }
    for (int k = 0; k <= s->columns; k++) {
      if (s->is_done[k]) {
        s->u[s->row_of[k]] += delta;
        s->p[k] -= delta;
      } else {
        s->least[k] -= delta;
      }
    }
    j = next;
  } while (s->row_of[j] != 0);
  for (; j != 0; j = s->from[j]) s->row_of[j] = s->row_of[s->from[j]];
}

trm_status trmi_assign(const trm_allocator *allocator, const double *cost, int rows, int columns,
                       int *column_of, trm_error *err) {
  for (int i = 0; i < rows; i++) column_of[i] = -1;
  if (rows == 0 || columns == 0) return TRM_OK;
  const bool is_turned = rows > columns;
  search s = {.cost = cost, .is_turned = is_turned, .rows = is_turned ? columns : rows,
              .columns = is_turned ? rows : columns};
  const size_t n = (size_t)s.columns + 1, m = (size_t)s.rows + 1;
  double *numbers = trmi_allocate(allocator, (m + 2 * n) * sizeof(double));
  int *places = trmi_allocate(allocator, 2 * n * sizeof(int));
  bool *is_done = trmi_allocate(allocator, n * sizeof(bool));
  const bool has_room = numbers != NULL && places != NULL && is_done != NULL;
  if (has_room) {
    s.u = numbers, s.p = numbers + m, s.least = numbers + m + n;
    s.row_of = places, s.from = places + n, s.is_done = is_done;
    for (size_t k = 0; k < m + n; k++) numbers[k] = 0.0;
    for (size_t k = 0; k < 2 * n; k++) places[k] = 0;
    for (int i = 1; i <= s.rows; i++) add_row(&s, i);
    for (int j = 1; j <= s.columns; j++) {
      if (s.row_of[j] == 0) continue;
      column_of[is_turned ? j - 1 : s.row_of[j] - 1] = is_turned ? s.row_of[j] - 1 : j - 1;
    }
  }
  trmi_release(allocator, numbers);
  trmi_release(allocator, places);
  trmi_release(allocator, is_done);
  return has_room ? TRM_OK : TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room for an assignment");
}
