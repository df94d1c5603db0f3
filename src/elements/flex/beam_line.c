/* beam_line.c - a line through points, by cubics, and frames transported along it.
 *
 * The parameter u is the sum of the distances of the points. Between points k and k + 1 the line
 * is the polynomial through the four points k - 1 .. k + 2, or fewer at the ends:
 *   x(u) = sum_i x_i prod_(j != i) (u - u_j)/(u_i - u_j),   length = int |x'(u)| du       (1)
 * the integral by three Gauss points in each step of a sixteenth of a piece. Frames (t, y) are
 * transported from a point to the next without rotation about the line, by two reflections
 * [WangJuttler2008]:
 *   y <- y - 2 (a.y)/(a.a) a,   a = x_2 - x_1,   t likewise                                (2)
 *   y <- y - 2 (b.y)/(b.b) b,   b = t_2 - t                                                (3)
 * The twist is added about t in proportion to the length. */
#include "elements/flex/beam_line.h"
#include "math/so3.h"

enum { STEPS = 16 }; /* of a piece */

/* A point on the line: number of the piece, parameter. */
typedef struct place {
  int    piece;
  double u;
} place;

typedef struct course {
  const trmi_beam_line *line;
  double *u; /* of the points       [npoints] */
} course;

/* Position and derivative over u, (1) */
static void point_at(const course *c, place at, trmi_vec3 *x, trmi_vec3 *slope) {
  const int n = c->line->npoints;
  const int first = at.piece > 0 ? at.piece - 1 : 0;
  const int end = at.piece + 3 < n ? at.piece + 3 : n;
  *x = *slope = v3(0.0, 0.0, 0.0);
  for (int i = first; i < end; i++) {
    double value = 1.0, change = 0.0;
    for (int j = first; j < end; j++) {
      if (j == i) continue;
      const double width = c->u[i] - c->u[j];
      change = (change * (at.u - c->u[j]) + value) / width;
      value *= (at.u - c->u[j]) / width;
    }
    const trmi_vec3 p = v3_load(c->line->points + 3 * i);
    *x = v3_add(*x, v3_scale(value, p));
    *slope = v3_add(*slope, v3_scale(change, p));
  }
}

static double length_between(const course *c, place at, double to) {
  static const double xi[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
  static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  double sum = 0.0;
  for (int g = 0; g < 3; g++) {
    trmi_vec3 x, slope;
    point_at(c, (place){at.piece, at.u + xi[g] * (to - at.u)}, &x, &slope);
    sum += weight[g] * v3_norm(slope);
  }
  return sum * (to - at.u);
}

/* End of step i of a piece. */
static double step_end(const course *c, int piece, int i) {
  const double from = c->u[piece], to = c->u[piece + 1];
  return i + 1 == STEPS ? to : from + (to - from) * (i + 1) / STEPS;
}

/* Direction of the line; at a point between two pieces the mean of both. */
static trmi_vec3 direction(const course *c, place at) {
  trmi_vec3 x, slope, other;
  point_at(c, at, &x, &slope);
  const bool is_end = at.u == c->u[at.piece + 1] && at.piece + 2 < c->line->npoints;
  const bool is_start = at.u == c->u[at.piece] && at.piece > 0;
  if (is_end || is_start) {
    point_at(c, (place){at.piece + (is_end ? 1 : -1), at.u}, &x, &other);
    slope = v3_add(slope, other);
  }
  return v3_scale(1.0 / v3_norm(slope), slope);
}

/* The point at a length `rest` beyond `at`, in the step that ends at `to`. */
static place go_on(const course *c, place at, double rest, double to) {
  place out = {at.piece, at.u + rest};
  for (int i = 0; i < 6; i++) { /* Newton; the length is smooth and nearly u itself */
    trmi_vec3 x, slope;
    if (!(out.u < to)) out.u = to;
    point_at(c, out, &x, &slope);
    out.u -= (length_between(c, at, out.u) - rest) / v3_norm(slope);
  }
  if (!(out.u < to)) out.u = to;
  return out;
}

/* A frame transported along the line. */
typedef struct frame {
  trmi_vec3 x, t, y;
} frame;

static trmi_vec3 reflect(trmi_vec3 a, trmi_vec3 y) {
  const double aa = v3_dot(a, a);
  return aa > 0.0 ? v3_sub(y, v3_scale(2.0 * v3_dot(a, y) / aa, a)) : y;
}

/* (2), (3) */
static void carry(const course *c, frame *f, place to) {
  trmi_vec3 x, slope;
  point_at(c, to, &x, &slope);
  const trmi_vec3 t = direction(c, to), a = v3_sub(x, f->x);
  const trmi_vec3 turned = reflect(a, f->t), b = v3_sub(t, turned);
  f->y = reflect(b, reflect(a, f->y));
  f->x = x;
  f->t = t;
}

bool trmi_beam_section_y(trmi_vec3 t, trmi_vec3 y, trmi_vec3 *across) {
  if (v3_dot(y, y) == 0.0) { /* the ground axis most nearly perpendicular to t, y before z */
    const double p = fabs(t.x), q = fabs(t.y), r = fabs(t.z);
    y = q <= p && q <= r ? v3(0, 1, 0) : r <= p ? v3(0, 0, 1) : v3(1, 0, 0);
  }
  const trmi_vec3 part = v3_sub(y, v3_scale(v3_dot(y, t), t));
  const double size = v3_norm(part);
  *across = v3_scale(1.0 / size, part);
  return size > 1e-8 * v3_norm(y);
}

static bool start_frame(const course *c, frame *f) {
  trmi_vec3 slope;
  point_at(c, (place){0, 0.0}, &f->x, &slope);
  f->t = direction(c, (place){0, 0.0});
  return trmi_beam_section_y(f->t, c->line->y, &f->y);
}

void trmi_beam_node_pose(trmi_vec3 x, trmi_vec3 t, trmi_vec3 y, double angle, double q[7]) {
  const trmi_vec3 z = v3_cross(t, y);
  const double E[9] = {t.x, t.y, t.z, y.x, y.y, y.z, z.x, z.y, z.z};
  double turn[4];
  trmi_so3_exp((const double[3]){angle, 0.0, 0.0}, turn);
  v3_store(q, x);
  trmi_quat_of_axes(E, q + 3);
  trmi_quat_mul(q + 3, turn, q + 3);
}

static void store_pose(const frame *f, double angle, double q[7]) {
  trmi_beam_node_pose(f->x, f->t, f->y, angle, q);
}

/* Total length, and that from the first point to each point in `s`. */
static double measure(const course *c, double *s) {
  double sum = 0.0;
  s[0] = 0.0;
  for (int piece = 0; piece + 1 < c->line->npoints; piece++) {
    place at = {piece, c->u[piece]};
    for (int i = 0; i < STEPS; i++) {
      const double to = step_end(c, piece, i);
      sum += length_between(c, at, to);
      at.u = to;
    }
    s[piece + 1] = sum;
  }
  return sum;
}

/* Walk along the line and place the nodes; those at points need no search. */
static void place_nodes(const course *c, frame f, const double *s, int nnodes, double *q) {
  const int n = c->line->npoints;
  const double length = s[n - 1];
  const bool are_points = n == nnodes;
  double passed = 0.0;
  int node = 0;
  store_pose(&f, 0.0, q);
  for (int piece = 0; piece + 1 < n; piece++) {
    place at = {piece, c->u[piece]};
    for (int i = 0; i < STEPS; i++) {
      const double to = step_end(c, piece, i), part = length_between(c, at, to);
      const place end = {piece, to};
      while (!are_points && node + 2 < nnodes &&
             (node + 1) * length / (nnodes - 1) <= passed + part) {
        const double due = (++node) * length / (nnodes - 1);
        frame here = f;
        carry(c, &here, go_on(c, at, due - passed, to));
        store_pose(&here, c->line->twist * node / (nnodes - 1), q + 7 * node);
      }
      carry(c, &f, end);
      passed += part;
      at = end;
    }
    if (are_points && piece + 2 < n) {
      store_pose(&f, c->line->twist * s[piece + 1] / length, q + 7 * (piece + 1));
    }
  }
  store_pose(&f, c->line->twist, q + 7 * (nnodes - 1));
}

trm_status trmi_beam_line_place(const trmi_beam_line *line, int nnodes, trmi_arena *scratch,
                                double *q, trm_error *err) {
  const int n = line->npoints;
  course c = {.line = line, .u = TRMI_TAKE(scratch, double, n)};
  double *s = TRMI_TAKE(scratch, double, n);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  c.u[0] = 0.0;
  for (int i = 1; i < n; i++) {
    const double *p = line->points + 3 * i;
    const double distance = v3_norm(v3_sub(v3_load(p), v3_load(p - 3)));
    if (!(distance > 0.0) || !isfinite(distance)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "points %d and %d of the line coincide", i, i + 1);
    }
    c.u[i] = c.u[i - 1] + distance;
  }
  frame f;
  if (!start_frame(&c, &f)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "y has the direction of the line");
  }
  const double length = measure(&c, s);
  if (!(length > 0.0) || !isfinite(length)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the line through the points has no length");
  }
  place_nodes(&c, f, s, nnodes, q);
  return TRM_OK;
}
