/* carrier.c - the table of what markers lie on, and products with their maps. */
#include "elements/body/carrier.h"
#include <stddef.h>

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

void trmi_carrier_right(const trmi_carrier *c, trmi_dense A, int rows, trmi_map_part part,
                        trmi_dense out) {
  const int n = trmi_carrier_columns(c);
  if (c->map == NULL) {
    for (int i = 0; i < rows && part == TRMI_MAP_J; i++) {
      for (int k = 0; k < n; k++) out.at[out.width * i + k] += A.at[A.width * i + k];
    }
    return;
  }
  const double *B = trmi_map_matrix(c->map, part);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < 6; j++) {
      const double a = A.at[A.width * i + j];
      for (int k = 0; k < n; k++) out.at[out.width * i + k] += a * B[n * j + k];
    }
  }
}

void trmi_carrier_left(const trmi_carrier *c, trmi_dense A, int cols, trmi_dense out) {
  const int n = trmi_carrier_columns(c);
  for (int j = 0; j < (c->map != NULL ? 6 : n); j++) {
    const double *row = A.at + A.width * j;
    if (c->map == NULL) {
      for (int k = 0; k < cols; k++) out.at[out.width * j + k] += row[k];
      continue;
    }
    for (int i = 0; i < n; i++) {
      const double a = c->map->J[n * j + i];
      for (int k = 0; k < cols; k++) out.at[out.width * i + k] += a * row[k];
    }
  }
}

void trmi_carrier_left_strong(const trmi_carrier *c, trmi_dense A, int cols, trmi_dense out) {
  const int n = trmi_carrier_columns(c), head = cols < 6 ? cols : 6;
  if (c->map == NULL) {
    trmi_carrier_left(c, A, cols, out);
    return;
  }
  for (int j = 0; j < 6; j++) {
    const double *row = A.at + A.width * j, *J = c->map->J + n * j;
    for (int i = 0; i < n; i++) {
      const int last = i < 6 ? cols : head;
      for (int k = 0; k < last; k++) out.at[out.width * i + k] += J[i] * row[k];
    }
  }
}

void trmi_carrier_turned(const trmi_carrier *c, const double y[6], const trmi_turn *turn,
                         trmi_dense out) {
  if (c->map == NULL) return;
  const int n = c->map->n;
  c->map->transposed_q(c->map, y, turn->is_strong, turn->scratch);
  for (int i = 0; i < n; i++) {
    const int last = i < 6 || !turn->is_strong ? n : 6;
    for (int k = 0; k < last; k++) {
      out.at[out.width * i + k] += turn->factor * turn->scratch[n * i + k];
    }
  }
}
