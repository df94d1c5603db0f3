/* hot_spots.c - stress of flexible bodies, and the points where it is largest over a run.
 *
 * With s the stress modes of a point and a the modal coordinates, von Mises stress is the length of
 * a vector of five combinations of s a:
 *   c = ( (2 xx - yy - zz)/2,  sqrt(3)/2 (yy - zz),  sqrt(3) (xy, xz, yz) ),  mises = |c|     (1)
 * so blocks of points times blocks of instants are matrix products, in single precision.
 * Products of n numbers whose factors are rounded once have an error of at most
 *   |dc| <= (n + 3) u sum_j |c_j| |a_j|,  u = 2^-24,                                          (2)
 * and their length has an error of |dc| and 4 u of itself. The bound uses the largest |a_j| of the
 * run and holds for every point and instant. */
#include "trammel/stress.h"
#include "core/arena.h"
#include "core/gate.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 5, POINTS = 256, INSTANTS = 512 }; /* of a block: its results fit the cache */

/* Is there such a point? Otherwise a displacement or stress is zero. */
static bool has_point(const trm_flexible_surface *surface, int point, const double *a) {
  return surface != NULL && a != NULL && point >= 0 && point < surface->points;
}

void trm_surface_displacement(const trm_flexible_surface *surface, int point, const double *a,
                              double u[3]) {
  if (u == NULL) return;
  memset(u, 0, 3 * sizeof *u);
  if (!has_point(surface, point, a) || surface->displacement == NULL) return;
  const size_t n = (size_t)surface->modes;
  const float *phi = surface->displacement + 3 * n * (size_t)point;
  for (size_t k = 0; k < 3; k++) {
    for (size_t j = 0; j < n; j++) u[k] += (double)phi[n * k + j] * a[j];
  }
}

void trm_surface_stress(const trm_flexible_surface *surface, int point, const double *a,
                        double stress[6]) {
  if (stress == NULL) return;
  memset(stress, 0, 6 * sizeof *stress);
  if (!has_point(surface, point, a) || surface->stress == NULL) return;
  const size_t n = (size_t)surface->columns;
  const float *sigma = surface->stress + 6 * n * (size_t)point;
  for (size_t k = 0; k < 6; k++) {
    for (size_t j = 0; j < n; j++) stress[k] += (double)sigma[n * k + j] * a[j];
  }
}

/* (1) */
double trm_mises(const double stress[6]) {
  if (stress == NULL) return 0.0;
  const double a = stress[0] - 0.5 * (stress[1] + stress[2]), b = stress[1] - stress[2];
  double square = a * a + 0.75 * b * b;
  for (int k = 3; k < 6; k++) square += 3.0 * stress[k] * stress[k];
  return sqrt(square);
}

/* ---- the search ------------------------------------------------------------------------------ */

struct trm_hot_spots {
  trmi_arena           arena;
  trm_flexible_surface surface;
  float  *square;  /* largest mises^2 of each point  */
  long   *instant; /* that had it                    */
  long    seen;    /* instants                       */
  double *most;    /* largest |a_j|                  */
  float  *a;       /* [INSTANTS][columns]            */
  float  *parts;   /* (1) [POINTS][5][columns]       */
  float  *c;       /* (1) [POINTS 5][INSTANTS]       */
};

trm_status trm_hot_spots_create(const trm_flexible_surface *surface, const trm_allocator *allocator,
                                trm_hot_spots **spots, trm_error *err) {
  TRMI_NEED(err, surface, spots);
  trmi_arena arena;
  trmi_arena_init(&arena, allocator != NULL ? allocator : &(trm_allocator){0});
  *spots = NULL;
  trm_hot_spots *s = TRMI_TAKE(&arena, trm_hot_spots, 1);
  const size_t points = (size_t)surface->points, n = (size_t)surface->columns;
  float *square = TRMI_TAKE(&arena, float, points);
  long *instant = TRMI_TAKE(&arena, long, points);
  double *most = TRMI_TAKE(&arena, double, n);
  float *a = TRMI_TAKE(&arena, float, INSTANTS * n);
  float *parts = TRMI_TAKE(&arena, float, POINTS * PARTS * n);
  float *c = TRMI_TAKE(&arena, float, (size_t)POINTS * PARTS * INSTANTS);
  const trm_status status = trmi_arena_check(&arena, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return trmi_note(err, __func__, status);
  }
  for (size_t p = 0; p < points; p++) square[p] = -1.0F, instant[p] = -1;
  *s = (trm_hot_spots){.arena = arena, .surface = *surface, .square = square, .instant = instant,
                       .most = most, .a = a, .parts = parts, .c = c};
  *spots = s;
  return TRM_OK;
}

void trm_hot_spots_free(trm_hot_spots *spots) {
  if (spots == NULL) return;
  trmi_arena arena = spots->arena; /* contains spots itself */
  trmi_arena_clear(&arena);
}

/* (1) of the modes of a point */
static void combine(const trm_flexible_surface *surface, int point, float *parts) {
  const size_t n = (size_t)surface->columns;
  const float *s = surface->stress + 6 * n * (size_t)point;
  const double root3 = sqrt(3.0);
  for (size_t j = 0; j < n; j++) {
    const double x = s[j], y = s[n + j], z = s[2 * n + j];
    parts[j] = (float)(x - 0.5 * (y + z));
    parts[n + j] = (float)(0.5 * root3 * (y - z));
    for (size_t k = 3; k < 6; k++) parts[n * (k - 1) + j] = (float)(root3 * (double)s[n * k + j]);
  }
}

/* Largest sum of squares of the five rows of a point. */
static void look_at(trm_hot_spots *s, int point, const float *c, int count) {
  float best = s->square[point];
  int where = -1;
  for (int t = 0; t < count; t++) {
    float square = 0.0F;
    for (int k = 0; k < PARTS; k++) square += c[INSTANTS * k + t] * c[INSTANTS * k + t];
    if (square > best) best = square, where = t;
  }
  if (where < 0) return;
  s->square[point] = best;
  s->instant[point] = s->seen + where;
}

static void look_at_block(trm_hot_spots *s, int count) {
  const int n = s->surface.columns;
  for (int first = 0; first < s->surface.points; first += POINTS) {
    const int left = s->surface.points - first, points = left < POINTS ? left : POINTS;
    for (int p = 0; p < points; p++) {
      combine(&s->surface, first + p, s->parts + (size_t)(PARTS * n) * (size_t)p);
    }
    trm_lapack_enter();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, PARTS * points, count, n, 1.0F, s->parts,
                n, s->a, n, 0.0F, s->c, INSTANTS);
    trm_lapack_leave();
    for (int p = 0; p < points; p++) {
      look_at(s, first + p, s->c + (size_t)PARTS * INSTANTS * (size_t)p, count);
    }
  }
  s->seen += count;
}

void trm_hot_spots_add(trm_hot_spots *spots, long count, const double *a) {
  if (spots == NULL || a == NULL) return;
  const int n = spots->surface.columns;
  for (long first = 0; first < count; first += INSTANTS) {
    const int block = count - first < INSTANTS ? (int)(count - first) : INSTANTS;
    const double *from = a + (size_t)first * (size_t)n;
    for (int i = 0; i < block * n; i++) {
      spots->a[i] = (float)from[i];
      spots->most[i % n] = fmax(spots->most[i % n], fabs(from[i]));
    }
    look_at_block(spots, block);
  }
}

/* ---- results --------------------------------------------------------------------------------- */

trm_hot_spot trm_hot_spots_at(const trm_hot_spots *spots, int point) {
  if (spots == NULL || point < 0 || point >= spots->surface.points) {
    return (trm_hot_spot){.point = -1, .instant = -1};
  }
  const float square = spots->square[point];
  return (trm_hot_spot){.point = point, .mises = square > 0.0F ? sqrt((double)square) : 0.0,
                        .instant = spots->instant[point]};
}

/* (2) */
double trm_hot_spots_bound(const trm_hot_spots *spots) {
  if (spots == NULL) return 0.0;
  const size_t n = (size_t)spots->surface.columns;
  const double u = ldexp(1.0, -24);
  double largest = 0.0;
  for (int p = 0; p < spots->surface.points; p++) {
    double square = 0.0;
    combine(&spots->surface, p, spots->parts);
    for (size_t k = 0; k < PARTS; k++) {
      double sum = 0.0;
      for (size_t j = 0; j < n; j++) {
        sum += fabs((double)spots->parts[n * k + j]) * spots->most[j];
      }
      square += sum * sum;
    }
    largest = fmax(largest, ((double)n + 3.0) * sqrt(square) + 4.0 * sqrt(square));
  }
  return u * largest;
}

static int compare(const void *a, const void *b) {
  const trm_hot_spot *p = a, *q = b;
  if (p->mises != q->mises) return p->mises > q->mises ? -1 : 1;
  return (p->point > q->point) - (p->point < q->point);
}

static double distance(const double *a, const double *b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* Points with a hotter neighbour on the surface are not hot spots. */
static void mark_slopes(const trm_hot_spots *spots, bool *is_slope) {
  const trm_flexible_surface *s = &spots->surface;
  for (int i = 0; i < 3 * s->triangles; i++) {
    const int a = s->corners[i], b = s->corners[i % 3 == 2 ? i - 2 : i + 1];
    if (s->is_excluded[a] || s->is_excluded[b]) continue;
    if (spots->square[a] < spots->square[b]) is_slope[a] = true;
    if (spots->square[b] < spots->square[a]) is_slope[b] = true;
  }
}

int trm_hot_spots_list(const trm_hot_spots *spots, int most, double radius, trm_hot_spot *list) {
  if (spots == NULL || list == NULL) return 0;
  const trm_flexible_surface *s = &spots->surface;
  trmi_arena arena;
  trmi_arena_init(&arena, &spots->arena.allocator);
  trm_hot_spot *all = TRMI_TAKE(&arena, trm_hot_spot, s->points);
  bool *is_left_out = TRMI_TAKE(&arena, bool, s->points);
  int count = 0, found = 0;
  if (!arena.failed) mark_slopes(spots, is_left_out);
  for (int p = 0; p < s->points && !arena.failed; p++) {
    if (is_left_out[p] || s->is_excluded[p] || spots->instant[p] < 0) continue;
    all[count++] = trm_hot_spots_at(spots, p);
  }
  if (!arena.failed && count > 0) qsort(all, (size_t)count, sizeof *all, compare);
  for (int i = 0; i < count && found < most; i++) {
    bool is_alone = true;
    for (int k = 0; k < found && is_alone; k++) {
      is_alone = distance(s->places + 3 * (size_t)all[i].point,
                          s->places + 3 * (size_t)list[k].point) > radius;
    }
    if (is_alone) list[found++] = all[i];
  }
  const bool is_done = !arena.failed;
  trmi_arena_clear(&arena);
  return is_done ? found : -1;
}
