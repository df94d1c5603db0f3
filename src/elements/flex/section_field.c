/* section_field.c - torsion and shear of a section bounded by straight edges, by a boundary
 * integral equation for three functions that are harmonic inside.
 *
 *   warping of torsion w:        dw/dn = z n_y - y n_z                                      (1)
 *   Psi_k = p_k + h_k, force k:  p = -(alpha y^3 + beta z^3)/6, dh/dn = -dp/dn              (2)
 * with alpha y + beta z the right-hand side of section.c (1). On the outline, r from x to s,
 *   u(x)/2 - 1/(2 pi) int u (r.n)/r^2 ds = -1/(2 pi) int du/dn ln r ds                      (3)
 * u is a polynomial on each panel, given by its values at P Gauss points, where (3) holds.
 * Integrals over near panels are exact: with s from -1 to 1 along the panel, x at (X, d) from it,
 *   P_k = int s^k (s - X)/r^2,  D_k = int s^k d/r^2:
 *   P_k + i D_k = (X + i d)(P_k-1 + i D_k-1) + int s^(k-1)                                  (4)
 *   int s^k ln r = ([s^(k+1) ln r] - P_k+1)/(k + 1)                                         (5)
 * Panels become shorter towards corners, next to thin walls down to less than the wall: there J is
 * the small difference of large integrals. u is unique up to a constant: its mean is set to zero.
 * Results are integrals over the outline:
 *   J = int y^2 + z^2 - oint w dw/dn,   shear centre (-oint Psi_z dw/dn, oint Psi_y dw/dn)  (6)
 *   s_ik = int p_i f_k + oint (p_k dh_i/dn - h_i dp_k/dn)                                   (7)
 * Derivation: docs/theory/10-beam.md, section 9. */
#include "elements/flex/section.h"
#include <math.h>
#include <string.h>

/* DEPTHS: panels towards a corner; THIN: more of them where an edge is long and the wall thin. Only
 * the latter may take more than PANELS_USUAL. BLOCK: rows eliminated together. */
enum { P = 6, FIELDS = 3, SPLITS = 24, PANELS_USUAL = 220, PANELS_MOST = 330, DEPTHS = 6,
       LEAST_DEPTH = 2, THIN = 8, BLOCK = 32 };

static const double pi = 3.14159265358979323846;
static const double gauss_at[P] = {-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                                   0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
static const double gauss_weight[P] = {0.1713244923791704, 0.3607615730481386,
                                       0.4679139345726910, 0.4679139345726910,
                                       0.3607615730481386, 0.1713244923791704};

/* A straight piece of the outline. */
typedef struct panel {
  double at[2], along[2]; /* middle, unit vector; the normal points outwards */
  double half;            /* of its length */
} panel;

typedef struct work {
  int     npanels, n; /* unknowns, P a panel */
  panel  *panels;
  double *A;          /* [n + 1][n + 1] */
  double *b;          /* [FIELDS][n + 1]: right-hand sides, then values of w, h_y, h_z */
  double  slope[2][2]; /* alpha, beta of the force along y, along z */
} work;

/* ---- panels ---------------------------------------------------------------------------------- */

static void normal_of(const panel *p, double n[2]) {
  n[0] = p->along[1], n[1] = -p->along[0];
}

static void point_of(const panel *p, double s, double x[2]) {
  for (int k = 0; k < 2; k++) x[k] = p->at[k] + s * p->half * p->along[k];
}

/* Panels of the part between a and b, shorter by `ratio` each towards both ends; `depth` of them
 * there. NULL: only count. */
static int cut(const double a[2], const double b[2], const int depth[2], panel *out) {
  const double ratio = 0.25;
  const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
  double ends[2 * (DEPTHS + THIN) + 2];
  int count = 0;
  ends[count++] = 0.0;
  for (int k = depth[0]; k > 0; k--) ends[count++] = pow(ratio, k);
  for (int k = 1; k <= depth[1]; k++) ends[count++] = 1.0 - pow(ratio, k);
  ends[count] = 1.0;
  for (int k = 0; k < count && out != NULL; k++) {
    const double middle = 0.5 * (ends[k] + ends[k + 1]);
    out[k] = (panel){.at = {a[0] + middle * d[0], a[1] + middle * d[1]},
                     .along = {d[0] / length, d[1] / length},
                     .half = 0.5 * length * (ends[k + 1] - ends[k])};
  }
  return count;
}

/* Refinement of panels towards corner i: strong where the stress is unbounded, none where the
 * outline is nearly straight. */
static int depth_at(const double *c, int n, int i, int most) {
  const double *o = c + 2 * ((i + n - 1) % n), *p = c + 2 * i, *q = c + 2 * ((i + 1) % n);
  const double u[2] = {p[0] - o[0], p[1] - o[1]}, v[2] = {q[0] - p[0], q[1] - p[1]};
  const double angle = atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
  if (fabs(angle) < 0.3) return 0;
  return angle < 0.0 ? most : most / 2;
}

/* Panels to be added towards the end x of a part of an edge: those next to it must be shorter than
 * its distance from other corners, which is the thickness of a wall. */
static int more_at(const trmi_section_outline *o, const double x[2], double length, int most) {
  double near = INFINITY;
  for (int l = 0; l < o->nloops; l++) {
    for (int k = 0; k < o->count[l]; k++) {
      const double *c = o->corners[l] + 2 * k;
      const double far = hypot(c[0] - x[0], c[1] - x[1]);
      if (far > 1e-9 * length) near = fmin(near, far);
    }
  }
  const int more = (int)ceil(log(length / near) / log(4.0) - 0.5);
  return more < 0 ? 0 : more < most ? more : most;
}

/* An edge near a facing corner has rapidly varying stress and is divided there. */
static int split(const trmi_section_outline *o, int loop, int i, double at[SPLITS + 2]) {
  const int n = o->count[loop];
  const double *p = o->corners[loop] + 2 * i, *q = o->corners[loop] + 2 * ((i + 1) % n);
  const double d[2] = {q[0] - p[0], q[1] - p[1]}, square = d[0] * d[0] + d[1] * d[1];
  int count = 0;
  at[count++] = 0.0;
  for (int l = 0; l < o->nloops; l++) {
    for (int k = 0; k < o->count[l] && count <= SPLITS; k++) {
      const double r[2] = {o->corners[l][2 * k] - p[0], o->corners[l][2 * k + 1] - p[1]};
      const double s = (r[0] * d[0] + r[1] * d[1]) / square;
      const double far = fabs(r[0] * d[1] - r[1] * d[0]) / square;
      int place = count;
      const double least = fmax(0.02, 0.5 * far); /* nearer to the ends these are shorter anyway */
      bool is_new = far < 0.3 && s > least && s < 1.0 - least;
      for (int j = 0; j < count; j++) is_new = is_new && fabs(at[j] - s) > 0.01;
      if (!is_new) continue;
      for (; at[place - 1] > s; place--) at[place] = at[place - 1];
      at[place] = s;
      count++;
    }
  }
  at[count] = 1.0;
  return count;
}

/* Ends of a part of an edge from p to q, from at[0] to at[1]. */
static void part_of(const double *p, const double *q, const double *at, double ends[2][2]) {
  for (int e = 0; e < 4; e++) ends[e / 2][e % 2] = p[e % 2] + at[e / 2] * (q[e % 2] - p[e % 2]);
}

/* Panels towards corners: `depth` of them at strong ones, and more the thinner the wall is: up to
 * `thin`, or up to `smooth` where the outline is nearly straight. */
typedef struct fineness {
  int depth, thin, smooth;
} fineness;

static int cut_all(const trmi_section_outline *o, const fineness *fine, panel *out) {
  int count = 0;
  for (int l = 0; l < o->nloops; l++) {
    const double *c = o->corners[l];
    const int n = o->count[l];
    for (int i = 0; i < n; i++) {
      const double *p = c + 2 * i, *q = c + 2 * ((i + 1) % n);
      double at[SPLITS + 2];
      const int parts = split(o, l, i, at);
      for (int k = 0; k < parts; k++) {
        double ends[2][2];
        int depth[2] = {fine->depth / 2, fine->depth / 2};
        if (k == 0) depth[0] = depth_at(c, n, i, fine->depth);
        if (k + 1 == parts) depth[1] = depth_at(c, n, (i + 1) % n, fine->depth);
        part_of(p, q, at + k, ends);
        const double length = hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
        for (int e = 0; e < 2; e++) {
          const bool is_strong = depth[e] > 0 || fine->depth == 0;
          depth[e] += more_at(o, ends[e], length, is_strong ? fine->thin : fine->smooth);
        }
        count += cut(ends[0], ends[1], depth, out != NULL ? out + count : NULL);
      }
    }
  }
  return count;
}

/* ---- integrals over a panel ------------------------------------------------------------------ */

/* Weights of the values at its points in int u (r.n)/r^2 ds and in int q ln r ds. */
static void weigh(const panel *p, const double x[2], double by_value[P], double by_slope[P]) {
  const double r[2] = {(x[0] - p->at[0]) / p->half, (x[1] - p->at[1]) / p->half};
  const double X = r[0] * p->along[0] + r[1] * p->along[1];
  const double d = r[1] * p->along[0] - r[0] * p->along[1]; /* (s - x).n, n to the right */
  double square = X * X + d * d;
  if (square > 16.0) {
    for (int i = 0; i < P; i++) {
      square = (gauss_at[i] - X) * (gauss_at[i] - X) + d * d;
      by_value[i] = gauss_weight[i] * d / square;
      by_slope[i] = p->half * gauss_weight[i] * (log(p->half) + 0.5 * log(square));
    }
    return;
  }
  const double low = (1.0 + X) * (1.0 + X) + d * d, high = (1.0 - X) * (1.0 - X) + d * d;
  const bool is_inline = fabs(d) < 1e-12;
  double Pk = 0.5 * log(high / low), sign = 1.0;
  double Dk = is_inline ? 0.0 : atan((1.0 - X) / d) + atan((1.0 + X) / d);
  double D[P], L[P];
  for (int k = 0; k < P; k++, sign = -sign) { /* sign = (-1)^k */
    const double E = k % 2 == 0 ? 2.0 / (k + 1) : 0.0;
    const double next = X * Pk - d * Dk + E; /* (4) */
    D[k] = Dk;
    L[k] = (0.5 * log(high) + sign * 0.5 * log(low) - next) / (k + 1) + log(p->half) * E; /* (5) */
    Dk = d * Pk + X * Dk;
    Pk = next;
  }
  for (int i = 0; i < P; i++) { /* int l_i s^k over Lagrange's polynomials */
    double c[P] = {1.0}, scale = 1.0;
    for (int j = 0, degree = 0; j < P; j++) {
      if (j == i) continue;
      scale /= gauss_at[i] - gauss_at[j];
      for (int k = ++degree; k > 0; k--) c[k] = c[k - 1] - gauss_at[j] * c[k];
      c[0] *= -gauss_at[j];
    }
    by_value[i] = by_slope[i] = 0.0;
    for (int k = 0; k < P; k++) {
      by_value[i] += scale * c[k] * D[k];
      by_slope[i] += scale * c[k] * p->half * L[k];
    }
  }
}

/* ---- fields ---------------------------------------------------------------------------------- */

static double cubic(const double slope[2], const double x[2]) { /* p of (2) */
  return -(slope[0] * x[0] * x[0] * x[0] + slope[1] * x[1] * x[1] * x[1]) / 6.0;
}

/* Derivative of p along a direction. */
static double cubic_along(const double slope[2], const double x[2], const double e[2]) {
  return -(slope[0] * x[0] * x[0] * e[0] + slope[1] * x[1] * x[1] * e[1]) / 2.0;
}

/* Normal derivatives (1), (2) of w, h_y, h_z. */
static void slopes_at(const work *w, const double x[2], const double n[2], double q[FIELDS]) {
  q[0] = x[1] * n[0] - x[0] * n[1];
  for (int k = 0; k < 2; k++) q[k + 1] = -cubic_along(w->slope[k], x, n);
}

/* (3), and the mean of u in the last row. */
static void set_up(work *w) {
  const int n = w->n, size = n + 1;
  for (int row = 0; row < n; row++) {
    double x[2], *A = w->A + (size_t)row * (size_t)size;
    point_of(&w->panels[row / P], gauss_at[row % P], x);
    A[row] = 0.5;
    A[n] = 1.0;
    for (int k = 0; k < w->npanels; k++) {
      double by_value[P], by_slope[P], normal[2];
      weigh(&w->panels[k], x, by_value, by_slope);
      normal_of(&w->panels[k], normal);
      for (int i = 0; i < P; i++) {
        double at[2], q[FIELDS];
        if (k != row / P) A[P * k + i] -= by_value[i] / (2.0 * pi);
        point_of(&w->panels[k], gauss_at[i], at);
        slopes_at(w, at, normal, q);
        for (int f = 0; f < FIELDS; f++) {
          w->b[f * size + row] -= q[f] * by_slope[i] / (2.0 * pi);
        }
      }
    }
  }
  for (int j = 0; j < n; j++) {
    w->A[(size_t)n * (size_t)size + (size_t)j] = gauss_weight[j % P] * w->panels[j / P].half;
  }
}

static void swap_from(size_t first, size_t n, double *a, double *b) {
  for (size_t j = first; j < n && a != b; j++) {
    const double other = a[j];
    a[j] = b[j], b[j] = other;
  }
}

/* Rows [first, n) minus their parts of the pivot rows [first, last), columns [last, n). */
static void subtract_block(size_t first, size_t last, size_t n, double *A) {
  for (size_t i = first + 1; i < n; i++) {
    for (size_t k = first; k < last && k < i; k++) {
      const double factor = A[i * n + k];
      if (factor == 0.0) continue;
      for (size_t j = last; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
    }
  }
}

/* Gauss's elimination with the largest pivot of a column. Columns to the right of a block of pivots
 * follow at its end, while its rows are in the cache; factors stay below the diagonal. */
static void eliminate(int size, double *A, double *b) {
  const size_t n = (size_t)size;
  for (size_t first = 0; first < n; first += BLOCK) {
    const size_t last = first + BLOCK < n ? first + BLOCK : n;
    for (size_t k = first; k < last; k++) {
      size_t best = k;
      for (size_t i = k + 1; i < n; i++) {
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
      }
      swap_from(first, n, A + k * n, A + best * n);
      for (size_t f = 0; f < FIELDS; f++) swap_from(0, 1, b + f * n + k, b + f * n + best);
      for (size_t i = k + 1; i < n; i++) {
        const double factor = A[i * n + k] /= A[k * n + k];
        if (factor == 0.0) continue;
        for (size_t j = k + 1; j < last; j++) A[i * n + j] -= factor * A[k * n + j];
        for (size_t f = 0; f < FIELDS; f++) b[f * n + i] -= factor * b[f * n + k];
      }
    }
    subtract_block(first, last, n, A);
  }
  for (size_t f = 0; f < FIELDS; f++) {
    for (size_t i = n; i-- > 0;) {
      double sum = b[f * n + i];
      for (size_t j = i + 1; j < n; j++) sum -= A[i * n + j] * b[f * n + j];
      b[f * n + i] = sum / A[i * n + i];
    }
  }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Area, first and second moments: area, y, z, z^2, y^2, y z; F of degree k is the divergence of
 * F x/(k + 2). */
static void integrate_area(const work *w, double m[6]) {
  memset(m, 0, 6 * sizeof *m);
  for (int j = 0; j < w->n; j++) {
    const panel *p = &w->panels[j / P];
    double x[2], n[2];
    point_of(p, gauss_at[j % P], x);
    normal_of(p, n);
    const double flux = gauss_weight[j % P] * p->half * (x[0] * n[0] + x[1] * n[1]);
    const double F[6] = {flux / 2.0,         x[0] * flux / 3.0,        x[1] * flux / 3.0,
                         x[1] * x[1] * flux / 4.0, x[0] * x[0] * flux / 4.0,
                         x[0] * x[1] * flux / 4.0};
    for (int k = 0; k < 6; k++) m[k] += F[k];
  }
}

/* (6), (7) */
static void integrate_fields(const work *w, trmi_section *out) {
  double s[2][2] = {{0.0}};
  out->J = out->Iy + out->Iz;
  for (int j = 0; j < w->n; j++) {
    const panel *p = &w->panels[j / P];
    const double ds = gauss_weight[j % P] * p->half;
    double x[2], n[2], q[FIELDS];
    point_of(p, gauss_at[j % P], x);
    normal_of(p, n);
    slopes_at(w, x, n, q);
    out->J -= ds * w->b[j] * q[0];
    for (int i = 0; i < 2; i++) {
      const double h = w->b[(size_t)(i + 1) * (size_t)(w->n + 1) + (size_t)j];
      const double whole = cubic(w->slope[i], x) + h;
      out->centre[1 - i] += (i == 0 ? 1.0 : -1.0) * ds * whole * q[0];
      for (int k = 0; k < 2; k++) {
        const double f = w->slope[k][0] * x[0] + w->slope[k][1] * x[1];
        const double flux = (x[0] * n[0] + x[1] * n[1]) / 6.0; /* p f is of degree four */
        s[i][k] += ds * (cubic(w->slope[i], x) * f * flux + cubic(w->slope[k], x) * q[i + 1] +
                         h * q[k + 1]);
      }
    }
  }
  const double shared = 0.5 * (s[0][1] + s[1][0]), det = s[0][0] * s[1][1] - shared * shared;
  out->sheared[0] = s[1][1] / det, out->sheared[1] = s[0][0] / det;
  out->sheared[2] = -shared / det;
}

/* Derivative along the panel at s of the polynomial through the values of a field. */
static double slope_along(const work *w, int field, int number, double s) {
  const double *u = w->b + (size_t)field * (size_t)(w->n + 1) + (size_t)(P * number);
  double sum = 0.0;
  for (int i = 0; i < P; i++) {
    double value = 1.0, slope = 0.0;
    for (int j = 0; j < P; j++) {
      if (j == i) continue;
      slope = (slope * (s - gauss_at[j]) + value) / (gauss_at[i] - gauss_at[j]);
      value *= (s - gauss_at[j]) / (gauss_at[i] - gauss_at[j]);
    }
    sum += slope * u[i];
  }
  return sum / w->panels[number].half;
}

/* The outline is free of stress across it: stress is along the edge. */
static void set_shear(const work *w, const trmi_section *section, trmi_section_point *point) {
  const double x[2] = {point->y, point->z};
  int best = 0;
  double place = 0.0, least = INFINITY;
  for (int k = 0; k < w->npanels; k++) {
    const panel *p = &w->panels[k];
    const double r[2] = {x[0] - p->at[0], x[1] - p->at[1]};
    const double s = (r[0] * p->along[0] + r[1] * p->along[1]) / p->half;
    const double off = fabs(r[1] * p->along[0] - r[0] * p->along[1]) +
                       p->half * fmax(0.0, fabs(s) - 1.0);
    if (off < least) least = off, best = k, place = s;
  }
  const double *t = w->panels[best].along;
  for (int f = 0; f < FIELDS; f++) {
    double along = slope_along(w, f, best, place);
    along += f > 0 ? cubic_along(w->slope[f - 1], x, t) : x[0] * t[1] - x[1] * t[0];
    if (f == 0) along /= section->J;
    for (int k = 0; k < 2; k++) point->shear[f][k] = along * t[k];
  }
}

/* Convex corners, where shear vanishes, and the middles of edges. */
static void set_points(const work *w, const trmi_section_outline *o, const double centroid[2],
                       trmi_section *out) {
  for (int l = 0; l < o->nloops; l++) {
    const double *c = o->corners[l];
    const int n = o->count[l];
    for (int i = 0; i < n; i++) {
      const double *b = c + 2 * ((i + n - 1) % n), *p = c + 2 * i, *q = c + 2 * ((i + 1) % n);
      const double turn = (p[0] - b[0]) * (q[1] - p[1]) - (p[1] - b[1]) * (q[0] - p[0]);
      if (turn > 0.0) {
        out->points[out->npoints++] =
            (trmi_section_point){.y = p[0] - centroid[0], .z = p[1] - centroid[1]};
      }
      trmi_section_point *middle = &out->points[out->npoints++];
      *middle = (trmi_section_point){.y = 0.5 * (p[0] + q[0]) - centroid[0],
                                     .z = 0.5 * (p[1] + q[1]) - centroid[1]};
      set_shear(w, out, middle);
    }
  }
}

/* As fine as the number of panels permits. */
static fineness choose_fineness(const trmi_section_outline *o) {
  fineness fine = {.depth = DEPTHS, .thin = THIN};
  while (fine.depth > LEAST_DEPTH && cut_all(o, &fine, NULL) > PANELS_USUAL) fine.depth--;
  while (fine.thin > 0 && cut_all(o, &fine, NULL) > PANELS_MOST) fine.thin--;
  while (fine.depth > 0 && cut_all(o, &fine, NULL) > PANELS_MOST) fine.depth--;
  for (fineness next = fine; next.smooth < THIN; fine = next) {
    next.smooth++;
    if (cut_all(o, &next, NULL) > PANELS_MOST) break;
  }
  return fine;
}

/* Panels about the centroid; moments of the area. False: memory ran out. */
static bool lay_panels(work *w, const trmi_section_outline *outline, trmi_arena *arena,
                       double centroid[2], trmi_section *out) {
  const fineness fine = choose_fineness(outline);
  w->npanels = cut_all(outline, &fine, NULL);
  w->n = P * w->npanels;
  w->panels = TRMI_TAKE(arena, panel, w->npanels);
  w->A = TRMI_TAKE(arena, double, (size_t)(w->n + 1) * (size_t)(w->n + 1));
  w->b = TRMI_TAKE(arena, double, FIELDS * (w->n + 1));
  if (arena->failed) return false;
  double m[6];
  (void)cut_all(outline, &fine, w->panels);
  integrate_area(w, m);
  for (int k = 0; k < 2; k++) centroid[k] = m[k + 1] / m[0];
  for (int i = 0; i < w->npanels; i++) {
    for (int k = 0; k < 2; k++) w->panels[i].at[k] -= centroid[k];
  }
  integrate_area(w, m);
  out->area = m[0], out->Iy = m[3], out->Iz = m[4], out->Iyz = m[5];
  return true;
}

bool trmi_section_solve(const trmi_section_outline *outline, trmi_arena *arena,
                        trmi_section *out) {
  work w = {.npanels = 0};
  double centroid[2];
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  const bool is_good = lay_panels(&w, outline, &scratch, centroid, out);
  if (is_good) {
    const double det = out->Iy * out->Iz - out->Iyz * out->Iyz;
    w.slope[0][0] = out->Iy / det, w.slope[1][1] = out->Iz / det;
    w.slope[0][1] = w.slope[1][0] = -out->Iyz / det;
    set_up(&w);
    eliminate(w.n + 1, w.A, w.b);
    integrate_fields(&w, out);
    set_points(&w, outline, centroid, out);
  } else {
    arena->failed = true;
  }
  trmi_arena_clear(&scratch);
  return is_good;
}
