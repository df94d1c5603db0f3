/* map.h - velocities of a marker from those of its body, if they differ.
 *
 * With v_m the velocity of the marker in ground axes and w_m its angular velocity in its own axes
 *   (v_m, w_m) = J v,   (v_m, w_m)' = J v' + bias                                          (1)
 * and retract increments of marker and body are related by the same J. With f in the six columns of
 * the marker and y fixed
 *   J^T f,   d(J^T f)/dq = J^T df/dq_m J + d(J^T y)/dq at y = f,   dv_m/dq = d(J v)/dq       (2)
 * 6 x n matrices are row major. The first six velocities of the body are those of its frame: the
 * first three translate its markers without rotating them. */
#ifndef TRMI_MAP_H
#define TRMI_MAP_H
#include <stdbool.h>
#include <stddef.h>

typedef struct trmi_map trmi_map;
struct trmi_map {
  int     n;       /* velocities of the body, with consecutive numbers */
  /* written by `move` of the contributor that carries the marker */
  double *J;       /* [6 n]; read it by trmi_map_J */
  double  bias[6];
  bool   *is_old;  /* if true, J must still be written by `fill`, since most states do not need
                      it; NULL: `move` has written it */
  void (*fill)(const trmi_map *map);
  /* written by `tangents`, at the state of the last `move`: derivatives by retract increments of
   * the body and by its velocities; those of the bias only on request */
  double *Jv_q;    /* d(J v)/dq   [6 n] */
  double *bias_q;  /* [6 n] */
  double *bias_v;  /* [6 n] */
  void (*tangents)(const trmi_map *map, bool with_bias);
  /* d(J^T y)/dq, row major, overwritten [n n]; or only its rows 3 to 5, row by row [3][n], and its
   * columns 3 to 5 from row 6 on, column by column [3][n - 6] */
  void (*transposed_q)(const trmi_map *map, const double y[6], double *out);
  void (*transposed_q_strong)(const trmi_map *map, const double y[6], double *rows,
                              double *columns);
  const void *self;
};

/* J at the state of the last `move`. */
static inline const double *trmi_map_J(const trmi_map *map) {
  if (map->is_old != NULL && *map->is_old) {
    map->fill(map);
    *map->is_old = false;
  }
  return map->J;
}

/* Selects a 6 x n matrix of a map. */
typedef enum trmi_map_part { TRMI_MAP_J, TRMI_MAP_JV_Q, TRMI_MAP_BIAS_Q, TRMI_MAP_BIAS_V }
    trmi_map_part;

static inline const double *trmi_map_matrix(const trmi_map *map, trmi_map_part part) {
  switch (part) {
  case TRMI_MAP_JV_Q: return map->Jv_q;
  case TRMI_MAP_BIAS_Q: return map->bias_q;
  case TRMI_MAP_BIAS_V: return map->bias_v;
  default: return trmi_map_J(map);
  }
}

#endif
