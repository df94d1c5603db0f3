/* inertia_loads.c - static modes of the inertia loads of a frame that accelerates and turns.
 *
 * Such a frame gives the point at s the acceleration b + A s. Angular acceleration makes up the
 * antisymmetric part of A, products w_p w_q of the rate of rotation the symmetric part, so A is any
 * 3 x 3 matrix and there are twelve loads:
 *   f = M e_p,     f = M (e_p s_q)/r,     p, q = 1..3                                        (1)
 * s is measured from the centre of mass in principal axes e, r is the radius of gyration. The loads
 * and their lengths then depend neither on the origin and the axes of the mesh nor on its units.
 * A body without interfaces balances loads by its inertia: nothing is left of M e_p and of the
 * antisymmetric part of A, and the six loads with p <= q remain.
 *
 * Loads are judged by the strain energy of their static modes Y = K^-1 f:
 *   G = Y^T K Y = Q diag(g) Q^T,   Z = Y Q diag(g)^-1/2,   kept:  g > (5e-3)^2 g_s           (2)
 * with g_s the energy under A = 1/r, the load that pulls the body apart in all directions. For a
 * slender bar (2) drops loads across it, whose stress is proportional to the square of thickness
 * over length and whose frequency to the inverse. The part contained in the fixed-interface modes
 * Phi is subtracted:
 *   Z <- Z - Phi Phi^T M Z,   H = Z^T K Z = U diag(h) U^T,   kept:  Z U with h > (1e-5)^2    (3)
 * sqrt(h) is the share of the stress, in the norm of energy, that is missing without this field.
 * Fields of constraint modes do not appear: static modes are K-orthogonal to them. */
#include "fem/inertia_loads.h"
#include "fem/fields.h"
#include <math.h>
#include <string.h>

typedef struct principal {
  double axes[9]; /* axis p in 3 p .. */
  double radius;
} principal;

/* e_p s_q of load i: first those that a free body has. */
static const int pairs[9][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2},
                                {1, 0}, {2, 0}, {2, 1}};

enum { TRANSLATIONS = 3 };

static void shift(const trmi_inertia_body *body, int node, double s[3]) {
  for (int d = 0; d < 3; d++) s[d] = body->mesh->x[3 * node + d] - body->centre[d];
}

static trm_status find_axes(const trmi_inertia_body *body, trmi_arena *scratch, principal *out,
                            trm_error *err) {
  const size_t size = 3 * (size_t)body->mesh->nnodes;
  double *s = TRMI_TAKE(scratch, double, size), *Ms = TRMI_TAKE(scratch, double, size);
  double sigma[9] = {0.0}, values[3], one[9], mass = 0.0;
  const int places = trmi_solid_mesh_places(body->mesh);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int k = 0; k < places; k++) s[3 * k] = 1.0;
  trmi_fem_mass(body->fem, 1, s, Ms);
  for (int k = 0; k < places; k++) mass += Ms[3 * k];
  for (int k = 0; k < places; k++) shift(body, k, s + 3 * k);
  trmi_fem_mass(body->fem, 1, s, Ms);
  for (int k = 0; k < places; k++) {
    for (int i = 0; i < 9; i++) sigma[i] += s[3 * k + i / 3] * Ms[3 * k + i % 3];
  }
  for (int i = 0; i < 9; i++) one[i] = 0.5 * (sigma[i] + sigma[i % 3 * 3 + i / 3]);
  out->radius = sqrt((sigma[0] + sigma[4] + sigma[8]) / mass);
  TRMI_TRY(err, trmi_fields_eigen(scratch, 3, one, values, err));
  memcpy(out->axes, one, sizeof one);
  return TRM_OK;
}

/* e_p s_q/r; nodes with rotations turn by half the curl. */
static void accelerate(const trmi_inertia_body *body, const principal *own, int p, int q,
                       double *a) {
  const double *ep = own->axes + 3 * p, *eq = own->axes + 3 * q;
  const int places = trmi_solid_mesh_places(body->mesh);
  for (int k = 0; k < places; k++) {
    double s[3];
    shift(body, k, s);
    const double size = (eq[0] * s[0] + eq[1] * s[1] + eq[2] * s[2]) / own->radius;
    for (int d = 0; d < 3; d++) a[3 * k + d] = size * ep[d];
  }
  for (int k = places; k < body->mesh->nnodes; k++) {
    for (int d = 0; d < 3; d++) {
      const int i = (d + 1) % 3, j = (d + 2) % 3;
      a[3 * k + d] = 0.5 * (eq[i] * ep[j] - eq[j] * ep[i]) / own->radius;
    }
  }
}

trm_status trmi_inertia_loads_make(const trmi_inertia_body *body, trmi_arena *scratch,
                                   double *forces, trm_error *err) {
  const size_t size = 3 * (size_t)body->mesh->nnodes;
  double *a = TRMI_TAKE(scratch, double, size);
  principal own;
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  const int translations = body->count == TRMI_INERTIA_LOADS ? TRANSLATIONS : 0;
  for (int p = 0; p < translations; p++) {
    memset(a, 0, size * sizeof *a);
    for (int k = 0; k < trmi_solid_mesh_places(body->mesh); k++) a[3 * k + p] = 1.0;
    trmi_fem_mass(body->fem, 1, a, forces + (size_t)p * size);
  }
  TRMI_TRY(err, find_axes(body, scratch, &own, err));
  for (int i = 0; i < body->count - translations; i++) {
    accelerate(body, &own, pairs[i][0], pairs[i][1], a);
    trmi_fem_mass(body->fem, 1, a, forces + (size_t)(translations + i) * size);
  }
  return TRM_OK;
}

/* ---- choice ---------------------------------------------------------------------------------- */

typedef struct choice {
  const trmi_inertia_body *body;
  trmi_arena *scratch;
  size_t  size;
  int     n;       /* fields that are left                                  */
  double *Y;       /* [n][size]                                             */
  double *other;   /* K Y, M Y or a copy [n][size]                          */
  double *c;       /* parts of the fixed-interface modes [n][nfixed]        */
  double  X[TRMI_INERTIA_LOADS * TRMI_INERTIA_LOADS]; /* eigenvectors of Y^T K Y [n][n] */
  double  values[TRMI_INERTIA_LOADS];                 /* eigenvalues, ascending [n]     */
} choice;

static trm_status find_energies(choice *s, trm_error *err) {
  const int n = s->n;
  double *X = s->X;
  trmi_fem_stiffness(s->body->fem, n, s->Y, s->other);
  trmi_fields_dot(s->size, n, s->Y, n, s->other, X);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) X[n * i + k] = X[n * k + i] = 0.5 * (X[n * i + k] + X[n * k + i]);
  }
  return trmi_fields_eigen(s->scratch, n, X, s->values, err);
}

/* Energy under A = 1/r, the sum of the loads e_p s_p. */
static double pull(const choice *s) {
  const int first = s->n == TRMI_INERTIA_LOADS ? TRANSLATIONS : 0;
  double energy = 0.0;
  for (int k = 0; k < s->n; k++) {
    const double *x = s->X + s->n * k + first, sum = x[0] + x[1] + x[2];
    energy += s->values[k] * sum * sum;
  }
  return energy;
}

/* Fields become the eigenvectors of more than `limit`, in units of their energy. */
static void combine(choice *s, double limit) {
  const int n = s->n;
  double kept[TRMI_INERTIA_LOADS * TRMI_INERTIA_LOADS];
  s->n = 0;
  for (int k = 0; k < n; k++) {
    if (!(s->values[k] > limit)) continue;
    for (int i = 0; i < n; i++) kept[n * s->n + i] = s->X[n * k + i] / sqrt(s->values[k]);
    s->n++;
  }
  memcpy(s->other, s->Y, (size_t)n * s->size * sizeof *s->Y);
  memset(s->Y, 0, (size_t)n * s->size * sizeof *s->Y);
  trmi_fields_add(s->size, n, s->other, s->n, kept, 1.0, s->Y);
}

/* Z - Phi Phi^T M Z, twice for the sake of rounding. */
static void subtract_fixed(choice *s) {
  const trmi_inertia_body *body = s->body;
  for (int pass = 0; pass < 2; pass++) {
    trmi_fem_mass(body->fem, s->n, s->Y, s->other);
    trmi_fields_dot(s->size, body->nfixed, body->fixed, s->n, s->other, s->c);
    trmi_fields_add(s->size, body->nfixed, body->fixed, s->n, s->c, -1.0, s->Y);
  }
}

trm_status trmi_inertia_modes_choose(const trmi_inertia_body *body, trmi_arena *scratch,
                                     double *fields, int *kept, trm_error *err) {
  const double small_load = 5e-3, small_rest = 1e-5;
  choice s = {.body = body, .scratch = scratch, .size = 3 * (size_t)body->mesh->nnodes,
              .n = body->count, .Y = fields};
  s.other = TRMI_TAKE(scratch, double, (size_t)s.n * s.size);
  s.c = TRMI_TAKE(scratch, double, s.n * body->nfixed);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  TRMI_TRY(err, find_energies(&s, err));
  combine(&s, small_load * small_load * pull(&s));
  subtract_fixed(&s);
  TRMI_TRY(err, find_energies(&s, err));
  combine(&s, small_rest * small_rest);
  *kept = s.n;
  return TRM_OK;
}
