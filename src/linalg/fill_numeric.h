/* fill_numeric.h - runs the program of fill.h, compiled for several machines as a part of
 * block_numeric.h. */
#include "linalg/plan.h"

typedef TRMI_VECTOR_ANYWHERE(double, 4) four;

/* A block of four rows from its columns; the fourth number of three is any. */
static TRMI_INLINE void load_block(const trmi_fill_pair *pair, int columns, const double *values,
                                   four row[4]) {
  const four x = *(const four *)(values + pair[0].entry);
  const four y = *(const four *)(values + pair[4].entry);
  const four z = *(const four *)(values + pair[8].entry);
  const four w = columns == 4 ? *(const four *)(values + pair[12].entry) : z;
  const four xy0 = TRMI_SHUFFLE(x, y, 0, 4, 2, 6), xy1 = TRMI_SHUFFLE(x, y, 1, 5, 3, 7);
  const four zw0 = TRMI_SHUFFLE(z, w, 0, 4, 2, 6), zw1 = TRMI_SHUFFLE(z, w, 1, 5, 3, 7);
  row[0] = TRMI_SHUFFLE(xy0, zw0, 0, 1, 4, 5), row[1] = TRMI_SHUFFLE(xy1, zw1, 0, 1, 4, 5);
  row[2] = TRMI_SHUFFLE(xy0, zw0, 2, 3, 6, 7), row[3] = TRMI_SHUFFLE(xy1, zw1, 2, 3, 6, 7);
}

/* What is behind three columns stays as it is. */
static TRMI_INLINE void fill_block(const trmi_fill_pair *pair, int columns, bool sets, double c,
                                   const double *values, double *A) {
  const int ld = pair[1].place - pair[0].place;
  four row[4];
  load_block(pair, columns, values, row);
  TRMI_UNROLL for (int r = 0; r < 4; r++) {
    four *at = (four *)(A + pair[0].place + ld * r);
    const four old = *at;
    four new = c * row[r];
    if (!sets) new = old + c * row[r];
    *at = columns == 4 ? new : TRMI_SHUFFLE(new, old, 0, 1, 2, 7);
  }
}

/* Not restrict: scattered by vectors this would be slower. */
static TRMI_INLINE void fill_numbers(const trmi_fill_piece *piece, const trmi_fill_pair *pair,
                                     bool sets, double c, const double *values, double *A) {
  for (int k = 0; k < piece->blocks4; k++, pair += 16) fill_block(pair, 4, sets, c, values, A);
  for (int k = 0; k < piece->blocks3; k++, pair += 12) fill_block(pair, 3, sets, c, values, A);
  for (int k = 0; k < piece->fours; k++, pair += 4) {
    four *at = (four *)(A + pair->place);
    const four value = *(const four *)(values + pair->entry);
    *at = sets ? c * value : *at + c * value;
  }
  const int left = piece->count - 16 * piece->blocks4 - 12 * piece->blocks3 - 4 * piece->fours;
  if (sets) {
    TRMI_UNROLL for (int k = 0; k < left; k++) A[pair[k].place] = c * values[pair[k].entry];
  } else {
    TRMI_UNROLL for (int k = 0; k < left; k++) A[pair[k].place] += c * values[pair[k].entry];
  }
}

static TRMI_INLINE void fill_piece(const trmi_fill_piece *piece, const trmi_fill_pair *pair,
                                   double c, const double *values, double *A) {
  if (c == 0.0) { /* nobody may have made these values */
    for (int k = 0; k < piece->count && piece->sets; k++) A[pair[k].place] = 0.0;
  } else if (piece->sets) {
    fill_numbers(piece, pair, true, c, values, A);
  } else {
    fill_numbers(piece, pair, false, c, values, A);
  }
}

/* Three columns of every row, times T: x T_0 + y T_1 + z T_2. A fourth number behind them, or
 * before them at the end of a row, keeps its value even if the others are no numbers: it may be
 * padding, which nothing else writes. */
static TRMI_INLINE void turn_columns(double *A, int first, int rows, int ld, const double *T) {
  const bool fits = first + 4 <= ld;
  const four T0 = fits ? (four){T[0], T[1], T[2], 0} : (four){0, T[0], T[1], T[2]};
  const four T1 = fits ? (four){T[3], T[4], T[5], 0} : (four){0, T[3], T[4], T[5]};
  const four T2 = fits ? (four){T[6], T[7], T[8], 0} : (four){0, T[6], T[7], T[8]};
  for (int i = 0; i < rows; i++) {
    const double *x = A + ld * i + first;
    four *row = (four *)(A + ld * i + (fits ? first : first - 1));
    const four old = *row, new = (four){0} + x[0] * T0 + x[1] * T1 + x[2] * T2;
    *row = fits ? TRMI_SHUFFLE(new, old, 0, 1, 2, 7) : TRMI_SHUFFLE(new, old, 4, 1, 2, 3);
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
