/* carrier.c - the table of the carriers of markers, and products with their maps. */
#include "elements/body/carrier.h"
#include "math/combine.h"
#include <stddef.h>
#include <string.h>

trmi_carriers *trmi_carriers_create(trmi_arena *arena, int others) {
  trmi_carriers *c = TRMI_TAKE(arena, trmi_carriers, 1);
  trmi_carrier *list = TRMI_TAKE(arena, trmi_carrier, others + 1);
  trmi_pose *poses = TRMI_TAKE(arena, trmi_pose, others + 1);
  if (arena->failed) return NULL;
  *c = (trmi_carriers){.size = others + 1, .list = list, .poses = poses};
  (void)trmi_carriers_add(c, (trmi_carrier){.kind = TRMI_CARRIER_GROUND});
  return c;
}

int trmi_carriers_add(trmi_carriers *c, trmi_carrier carrier) {
  trmi_pose *pose = &c->poses[c->count];
  pose->R[0] = pose->R[4] = pose->R[8] = 1.0; /* ground and points do not turn */
  c->list[c->count] = carrier;
  return c->count++;
}

trmi_map *trmi_map_create(trmi_arena *arena, int n) {
  trmi_map *map = TRMI_TAKE(arena, trmi_map, 1);
  double *list = TRMI_TAKE(arena, double, 4 * 6 * (size_t)n);
  if (arena->failed) return NULL;
  *map = (trmi_map){.n = n, .J = list, .Jv_q = list + 6 * n, .bias_q = list + 12 * n,
                    .bias_v = list + 18 * n};
  return map;
}

int trmi_carriers_mapped_columns(const trmi_carriers *c) {
  int most = 0;
  for (int i = 0; i < c->count; i++) {
    const int columns = trmi_carrier_columns(&c->list[i]);
    if (c->list[i].map != NULL && columns > most) most = columns;
  }
  return most;
}

void trmi_carrier_right(const trmi_carrier *c, trmi_dense A, int rows, trmi_map_part part,
                        trmi_dense out) {
  const int n = trmi_carrier_columns(c);
  if (c->map == NULL) {
    for (int i = 0; i < rows && part == TRMI_MAP_J; i++) {
      for (int k = 0; k < n; k++) out.at[out.width * i + k] += A.at[A.width * i + k];
    }
    return;
  }
  trmi_combine(n, rows, 6, true, (trmi_long_const){A.at, A.width},
               (trmi_long_const){trmi_map_matrix(c->map, part), n},
               (trmi_long_rows){out.at, out.width});
}

void trmi_carrier_left(const trmi_carrier *c, trmi_dense A, int cols, trmi_dense out) {
  const int n = trmi_carrier_columns(c);
  if (c->map == NULL) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < cols; k++) out.at[out.width * j + k] += A.at[A.width * j + k];
    }
    return;
  }
  if (cols == 1 && out.width == 1) { /* a force: rows of J, each times a number */
    double f[6];
    for (int j = 0; j < 6; j++) f[j] = A.at[A.width * j];
    trmi_combine(n, 1, 6, true, (trmi_long_const){f, 0}, (trmi_long_const){trmi_map_J(c->map), n},
                 (trmi_long_rows){out.at, 0});
    return;
  }
  const double *whole = trmi_map_J(c->map);
  for (int i = 0; i < n; i++) {
    double J[6];
    for (int j = 0; j < 6; j++) J[j] = whole[n * j + i];
    trmi_combine(cols, 1, 6, true, (trmi_long_const){J, 0}, (trmi_long_const){A.at, A.width},
                 (trmi_long_rows){out.at + out.width * i, 0});
  }
}

void trmi_carrier_left_strong(const trmi_carrier *c, trmi_dense A, const trmi_arrow_parts *out) {
  const int n = trmi_carrier_columns(c), modes = n - out->top;
  double J[36], head[36]; /* transposed */
  if (c->map == NULL) {
    trmi_carrier_left(c, A, out->cols, (trmi_dense){out->head, out->cols});
    return;
  }
  const double *whole = trmi_map_J(c->map);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) J[6 * i + j] = whole[n * j + i];
    for (int j = 0; j < 6 && i < out->left; j++) head[6 * i + j] = A.at[A.width * j + i];
  }
  trmi_combine(out->cols, 6, 6, true, (trmi_long_const){J, 6}, (trmi_long_const){A.at, A.width},
               (trmi_long_rows){out->head, out->cols});
  trmi_combine(modes, out->left, 6, true, (trmi_long_const){head, 6},
               (trmi_long_const){whole + 6, n}, (trmi_long_rows){out->below, modes});
}

void trmi_carrier_turned(const trmi_carrier *c, const double y[6], double factor, double *scratch,
                         trmi_dense out) {
  if (c->map == NULL) return;
  const int n = c->map->n;
  c->map->transposed_q(c->map, y, scratch);
  for (int i = 3; i < n; i++) { /* rows and columns of translations are zero */
    for (int k = 3; k < n; k++) out.at[out.width * i + k] += factor * scratch[n * i + k];
  }
}

void trmi_carrier_turned_strong(const trmi_carrier *c, const double y[6], double *scratch,
                                const trmi_arrow_parts *out) {
  if (c->map == NULL) return;
  const int n = c->map->n, modes = n - 6;
  double *top = scratch, *below = scratch + 3 * n; /* lower three rows, right three columns */
  c->map->transposed_q_strong(c->map, y, top, below);
  for (int i = 0; i < 3; i++) {
    double *row = out->head + n * (3 + i), *column = out->below + modes * (3 + i);
    for (int k = 3; k < n; k++) row[k] += top[n * i + k];
    for (int k = 0; k < modes; k++) column[k] += below[modes * i + k];
  }
}
