/* thinning.c - thinning of curves.
 *
 * A picture is a grid of cells as large as its grain. There are two cases, by the order of x:
 *
 *   x never goes back (a signal over time): the points in one column of cells are
 *   replaced by the first, the lowest, the highest and the last of them. They
 *   cover the same cells.
 *
 *   any other curve (one signal against another): a piece of line is left out if
 *   all cells it crosses are covered already; these cells are twice as wide, about
 *   the width of a line. Each piece that is kept covers a new cell, so there are no
 *   more of them than cells. Points nearer than a cell to the last one are left out.
 *
 * Short series are not thinned. */
#include "plot/thinning.h"
#include "core/arena.h"
#include <math.h>

enum { SHORT = 4000, STROKE_MAX = 16384, CELLS_SIDE_MAX = 8192 };
/* Places far outside of the picture are moved here. */
static const double FAR = 1e5;

typedef struct point {
  double x, y;
} point;

typedef struct builder {
  const trm_plot_series   *series;
  const trmi_view     *view;
  const trmi_pen_hand *hand;
  double              *xy; /* [2 STROKE_MAX] */
  int                  n;
  double               grain;
  unsigned char       *cells; /* one bit each */
  int                  columns, rows;
} builder;

/* ---- strokes ----------------------------------------------------------- */

static void end_stroke(builder *b) {
  /* a point between two gaps is a stroke of length zero, seen as a dot */
  if (b->n == 1) {
    b->xy[2] = b->xy[0];
    b->xy[3] = b->xy[1];
    b->n = 2;
  }
  if (b->n > 0) b->hand->stroke(b->hand->self, b->xy, b->n);
  b->n = 0;
}

/* On which sides of the picture a place is outside, as bits. */
static unsigned sides_of(const builder *b, const double *xy) {
  unsigned sides = 0;
  for (int k = 0; k < 2; k++) {
    const trmi_scale *scale = k == 0 ? b->view->x : b->view->y;
    if (xy[k] < fmin(scale->first, scale->last) - b->grain) sides |= 1U << (2 * k);
    if (xy[k] > fmax(scale->first, scale->last) + b->grain) sides |= 2U << (2 * k);
  }
  return sides;
}

static void add_point(builder *b, point p) {
  /* of points beyond one side of the picture only the first and the last count */
  if (b->n >= 2) {
    double *last = &b->xy[2 * b->n - 2];
    const unsigned beyond = sides_of(b, (double[]){p.x, p.y}) & sides_of(b, last);
    if (beyond != 0 && (beyond & sides_of(b, last - 2)) != 0) {
      last[0] = p.x;
      last[1] = p.y;
      return;
    }
  }
  if (b->n == STROKE_MAX) {
    const point last = {b->xy[2 * b->n - 2], b->xy[2 * b->n - 1]};
    end_stroke(b);
    add_point(b, last);
  }
  b->xy[2 * b->n] = p.x;
  b->xy[2 * b->n + 1] = p.y;
  b->n++;
}

/* Point i in the picture; false if an axis does not take it. */
static bool locate(const builder *b, size_t i, point *p) {
  const double x = b->series->x[i], y = b->series->y[i];
  if (!trmi_axis_takes(b->view->axis_x, x) || !trmi_axis_takes(b->view->axis_y, y)) return false;
  p->x = fmax(-FAR, fmin(FAR, trmi_scale_map(b->view->x, x)));
  p->y = fmax(-FAR, fmin(FAR, trmi_scale_map(b->view->y, y)));
  return true;
}

static void draw_all(builder *b) {
  for (size_t i = 0; i < b->series->n; i++) {
    point p;
    if (locate(b, i, &p)) {
      add_point(b, p);
    } else {
      end_stroke(b);
    }
  }
  end_stroke(b);
}

/* ---- x never goes back -------------------------------------------------- */

static bool goes_back(const trm_plot_series *series) {
  double last = -INFINITY;
  for (size_t i = 0; i < series->n; i++) {
    if (series->x[i] < last) return true;
    if (isfinite(series->x[i])) last = series->x[i];
  }
  return false;
}

/* The points that represent one column of cells. */
typedef struct column {
  double place;
  point  first, low, high, last;
  bool   is_low_first; /* the lowest came before the highest */
  bool   is_open;
} column;

static void end_column(builder *b, column *c) {
  if (!c->is_open) return;
  c->is_open = false;
  const point four[] = {c->first, c->is_low_first ? c->low : c->high,
                        c->is_low_first ? c->high : c->low, c->last};
  for (int i = 0; i < 4; i++) {
    const double *end = &b->xy[2 * (b->n > 0 ? b->n - 1 : 0)];
    const bool is_again = b->n > 0 && end[0] == four[i].x && end[1] == four[i].y;
    if (!is_again) add_point(b, four[i]);
  }
}

static void draw_columns(builder *b) {
  column c = {.is_open = false};
  for (size_t i = 0; i < b->series->n; i++) {
    point p;
    if (!locate(b, i, &p)) {
      end_column(b, &c);
      end_stroke(b);
      continue;
    }
    const double place = floor(p.x / b->grain);
    if (c.is_open && place != c.place) end_column(b, &c);
    if (!c.is_open) {
      c = (column){.place = place, .first = p, .low = p, .high = p, .is_open = true};
    }
    if (p.y < c.low.y) c.low = p, c.is_low_first = false;
    if (p.y > c.high.y) c.high = p, c.is_low_first = true;
    c.last = p;
  }
  end_column(b, &c);
  end_stroke(b);
}

/* ---- any curve ---------------------------------------------------------- */

static double corner(const trmi_scale *scale) {
  return fmin(scale->first, scale->last);
}

static int side(const builder *b, const trmi_scale *scale) {
  const double cells = fabs(scale->last - scale->first) / b->grain + 2;
  return cells < CELLS_SIDE_MAX ? (int)cells : CELLS_SIDE_MAX;
}

/* Cover a cell: true if it was free. Cells outside of the picture do not count. */
static bool cover(builder *b, double x, double y) {
  const double i = floor((x - corner(b->view->x)) / b->grain);
  const double j = floor((y - corner(b->view->y)) / b->grain);
  if (!(i >= 0 && i < b->columns && j >= 0 && j < b->rows)) return false;
  const size_t cell = (size_t)j * (size_t)b->columns + (size_t)i;
  const unsigned char bit = (unsigned char)(1U << (cell % 8));
  const bool was_free = (b->cells[cell / 8] & bit) == 0;
  b->cells[cell / 8] |= bit;
  return was_free;
}

static bool cover_line(builder *b, point from, point to) {
  const double length = fmax(fabs(to.x - from.x), fabs(to.y - from.y)) / b->grain;
  const int steps = length < 2 * CELLS_SIDE_MAX ? (int)length + 1 : 2 * CELLS_SIDE_MAX;
  bool has_new = false;
  for (int k = 0; k <= steps; k++) {
    const double s = (double)k / steps;
    if (cover(b, from.x + s * (to.x - from.x), from.y + s * (to.y - from.y))) has_new = true;
  }
  return has_new;
}

static void draw_new_cells(builder *b) {
  point last = {0, 0};
  bool has_last = false;
  for (size_t i = 0; i < b->series->n; i++) {
    point p;
    if (!locate(b, i, &p)) {
      end_stroke(b);
      has_last = false;
      continue;
    }
    const bool is_near = has_last && hypot(p.x - last.x, p.y - last.y) < b->grain;
    if (is_near && i + 1 < b->series->n) continue;
    if (!cover_line(b, has_last ? last : p, p)) {
      end_stroke(b);
    } else {
      if (b->n == 0 && has_last) add_point(b, last);
      add_point(b, p);
    }
    last = p;
    has_last = true;
  }
  end_stroke(b);
}

/* ---- entries ------------------------------------------------------------ */

static trm_status begin(builder *b, trmi_arena *arena, bool needs_cells, trm_error *err) {
  b->xy = TRMI_TAKE(arena, double, 2 * STROKE_MAX);
  if (needs_cells) {
    b->columns = side(b, b->view->x);
    b->rows = side(b, b->view->y);
    b->cells = TRMI_TAKE(arena, unsigned char, (size_t)b->columns * (size_t)b->rows / 8 + 1);
  }
  return trmi_arena_check(arena, err);
}

trm_status trmi_thin_line(const trm_plot_series *series, const trmi_view *view,
                           const trmi_pen_hand *hand, const trm_allocator *allocator,
                           trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  builder b = {.series = series, .view = view, .hand = hand, .grain = view->grain};
  const bool is_short = series->n <= SHORT, is_ordered = is_short || !goes_back(series);
  if (!is_ordered) b.grain *= 2;
  const trm_status status = begin(&b, &arena, !is_ordered, err);
  if (status == TRM_OK && is_short) {
    draw_all(&b);
  } else if (status == TRM_OK && is_ordered) {
    draw_columns(&b);
  } else if (status == TRM_OK) {
    draw_new_cells(&b);
  }
  trmi_arena_clear(&arena);
  return status;
}

trm_status trmi_thin_dots(const trm_plot_series *series, const trmi_view *view,
                           const trmi_pen_hand *hand, const trm_allocator *allocator,
                           trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  builder b = {.series = series, .view = view, .hand = hand, .grain = view->grain};
  const trm_status status = begin(&b, &arena, true, err);
  for (size_t i = 0; status == TRM_OK && i < series->n; i++) {
    point p;
    if (!locate(&b, i, &p) || !cover(&b, p.x, p.y)) continue;
    if (b.n == STROKE_MAX) {
      hand->stroke(hand->self, b.xy, b.n);
      b.n = 0;
    }
    add_point(&b, p);
  }
  if (b.n > 0) hand->stroke(hand->self, b.xy, b.n);
  trmi_arena_clear(&arena);
  return status;
}
