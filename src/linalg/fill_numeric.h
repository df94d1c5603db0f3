/* fill_numeric.h - runs the program of fill.h, compiled for several machines as a part of
 * block_numeric.h. */
#include "linalg/plan.h"

typedef TRMI_VECTOR_ANYWHERE(double, 4) four;

/* Not restrict: scattered by vectors this would be slower. */
static TRMI_INLINE void fill_piece(const trmi_fill_piece *piece, const trmi_fill_pair *pair,
                                   double c, const double *values, double *A) {
  const int count = piece->count, fours = 4 * piece->fours;
  if (c == 0.0) { /* nobody may have made these values */
    for (int k = 0; k < fours && piece->sets; k += 4) *(four *)(A + pair[k].place) = (four){0};
    for (int k = fours; k < count && piece->sets; k++) A[pair[k].place] = 0.0;
    return;
  }
  if (piece->sets) {
    for (int k = 0; k < fours; k += 4) {
      *(four *)(A + pair[k].place) = c * *(const four *)(values + pair[k].entry);
    }
    TRMI_UNROLL for (int k = fours; k < count; k++) A[pair[k].place] = c * values[pair[k].entry];
    return;
  }
  for (int k = 0; k < fours; k += 4) {
    *(four *)(A + pair[k].place) += c * *(const four *)(values + pair[k].entry);
  }
  TRMI_UNROLL for (int k = fours; k < count; k++) A[pair[k].place] += c * values[pair[k].entry];
}

/* Three columns of every row, times T: x T_0 + y T_1 + z T_2, and a fourth number behind
 * them, or before them at the end of a row, as it was. */
static TRMI_INLINE void turn_columns(double *A, int first, int rows, int ld, const double *T) {
  const bool fits = first + 4 <= ld;
  const four keep = fits ? (four){0, 0, 0, 1} : (four){1, 0, 0, 0};
  const four T0 = fits ? (four){T[0], T[1], T[2], 0} : (four){0, T[0], T[1], T[2]};
  const four T1 = fits ? (four){T[3], T[4], T[5], 0} : (four){0, T[3], T[4], T[5]};
  const four T2 = fits ? (four){T[6], T[7], T[8], 0} : (four){0, T[6], T[7], T[8]};
  for (int i = 0; i < rows; i++) {
    const double *x = A + ld * i + first;
    four *row = (four *)(A + ld * i + (fits ? first : first - 1));
    *row = keep * *row + x[0] * T0 + x[1] * T1 + x[2] * T2;
  }
}

/* The same where columns are stored as rows. */
static TRMI_INLINE void turn_rows(double *A, int ld, const double *T) {
  double *B = A + ld, *C = B + ld;
  for (int i = 0; i < ld; i += 4) {
    const four x = *(four *)(A + i), y = *(four *)(B + i), z = *(four *)(C + i);
    *(four *)(A + i) = x * T[0] + y * T[3] + z * T[6];
    *(four *)(B + i) = x * T[1] + y * T[4] + z * T[7];
    *(four *)(C + i) = x * T[2] + y * T[5] + z * T[8];
  }
}

static TRMI_INLINE void fill_pieces(const trmi_fill *fill, const trmi_plan *plan,
                                    const double *coefficient, const int range[2], double *A) {
  for (int k = range[0]; k < range[1]; k++) {
    const trmi_fill_piece *piece = &fill->piece[k];
    const trmi_term *term = &plan->terms[piece->term];
    const double *values = term->block->values, c = coefficient[term->slot];
    const bool is_zero = c != 0.0 && piece->run >= 0 && trmi_run_is_zero(values + piece->run);
    if (is_zero && !piece->sets) continue;
    fill_piece(piece, fill->pair + piece->shape, is_zero ? 0.0 : c, values + piece->entry, A);
  }
}

/* Do all pieces of a tile vanish? */
static bool all_vanish(const trmi_fill *fill, const trmi_plan *plan, const double *coefficient,
                       const int range[2]) {
  for (int k = range[0]; k < range[1]; k++) {
    const trmi_fill_piece *piece = &fill->piece[k];
    const trmi_term *term = &plan->terms[piece->term];
    if (coefficient[term->slot] == 0.0) continue;
    if (!trmi_run_is_zero(term->block->values + piece->run)) return false;
  }
  return true;
}

static void clear(double *A, int numbers) {
  for (int k = 0; k < numbers; k += 4) *(four *)(A + k) = (four){0};
}

static void fill_tiles(const trmi_fill *fill, const trmi_plan *plan, const double *coefficient,
                       const double *T, const int tiles[2]) {
  const int from = tiles[0];
  int piece = from > 0 ? fill->tile[from - 1].plain_end : 0;
  int turn = from > 0 ? fill->tile[from - 1].turn_end : 0;
  for (int i = from; i < tiles[1]; i++) {
    const trmi_fill_tile *tile = &fill->tile[i];
    double *A = plan->Ax + tile->place;
    const int numbers = tile->rows * tile->ld;
    if (tile->twin >= 0) {
      const double *twin = plan->Ax + tile->twin;
      for (int k = 0; k < numbers; k += 4) *(four *)(A + k) = *(const four *)(twin + k);
    } else if (tile->clears) {
      const bool vanishes =
          tile->may_vanish && all_vanish(fill, plan, coefficient, (int[2]){piece, tile->plain_end});
      const bool was_zero = fill->is_zero[i] != 0;
      fill->is_zero[i] = vanishes;
      if (!was_zero) clear(A, numbers);
      if (vanishes) {
        turn = tile->turn_end;
        piece = tile->plain_end;
        continue;
      }
    }
    fill_pieces(fill, plan, coefficient, (int[2]){piece, tile->turned_end}, A);
    for (; turn < tile->turn_end; turn++) {
      const trmi_fill_turn *t = &fill->turn[turn];
      if (T == NULL) continue;
      if (t->step == 1) {
        turn_columns(A, t->place, tile->rows, tile->ld, T + t->T);
      } else {
        turn_rows(A + t->place, tile->ld, T + t->T);
      }
    }
    fill_pieces(fill, plan, coefficient, (int[2]){tile->turned_end, tile->plain_end}, A);
    piece = tile->plain_end;
  }
}
