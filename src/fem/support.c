/* support.c - static solutions of a mesh with fixed interfaces, from one factorization: constraint
 * modes of Craig and Bampton, static modes of loads. Theory: docs/theory/17-modal.md.
 *
 * Held are the nodes of all rigid interfaces; without any, six displacements of three nodes, the
 * loose ones, so that K_ff of the others is positive definite. Loose displacements l and the rows A
 * of averaging interfaces are a small border:
 *   K_ff y + K_fl l + A_f lam = r,   K_lf y + K_ll l + A_l lam = r_l,   A^T (y, l) = x   (1)
 * With B = (K_fl, A_f), Z = K_ff^-1 B, z = K_ff^-1 r, s = (l, lam) and E = (0, A_l; A_l^T, 0):
 *   (E - B^T Z) s = (r_l, x) - B^T z,   y = z - Z s                                      (2)
 * The block of l and l in (2) is zero exactly, because the loose displacements carry no force when
 * the rest is free to follow: zero is written there.
 * A body without interfaces keeps its mean motion: the rows A are those of its mass, M R, so that
 * A_f lam are the inertia forces of the free body, and solutions are orthogonal to rigid motion. A
 * unit motion of a rigid interface is a field u on its nodes and the load -K u on the rest. */
#include "fem/support.h"
#include "core/compiler.h"
#include "fem/dissection.h"
#include "fem/fields.h"
#include "fem/sparse_factor.h"
#include "math/vec.h"
#include <string.h>

enum { LOOSE_MAX = 6 };

struct trmi_support {
  const trmi_solid_mesh *mesh;
  trmi_fem              *fem;
  const trmi_interface  *interfaces;
  int     ninterfaces, nrigid;
  size_t  size;                /* 3 n */
  int    *place;               /* of each displacement in the factor, from 0; -1: held [size] */
  int     nfree, nloose, loose[LOOSE_MAX];
  int     nborder;             /* nloose + 6 for each averaging interface, or a free body */
  double *A;                   /* rows of averaging interfaces, or of a free body
                                                                   [nborder - nloose][size] */
  double *B, *Z;               /* [nborder][nfree] */
  double *C;                   /* matrix of (2) [nborder nborder] */
  trmi_sparse_factor *factor;
  trmi_arena *arena;
};

/* ---- checks ---------------------------------------------------------------------------------- */

static trm_status check_parts(const trmi_solid_mesh *mesh, const trmi_fem *fem, trmi_arena *arena,
                              trm_error *err) {
  int *part = TRMI_TAKE(arena, int, mesh->nnodes);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  const int count = trmi_fem_parts(fem, part);
  for (int i = 0; i < mesh->nnodes && count > 1; i++) {
    if (part[i] == 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the mesh has %d parts that share no node; node %d "
                     "is not connected with node %d", count, mesh->number[i], mesh->number[0]);
  }
  return TRM_OK;
}

static trm_status check_each(const trmi_support *s, trmi_arena *scratch, trm_error *err) {
  int *owner = TRMI_TAKE(scratch, int, s->mesh->nnodes);
  double *rows = TRMI_TAKE(scratch, double, 6 * s->size);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int i = 0; i < s->ninterfaces; i++) {
    const trmi_interface *one = &s->interfaces[i];
    if (one->count < 3 || !trmi_average_rows(s->mesh, one, rows)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, one->name, "interface '%.60s' has %d nodes%s: it needs "
                       "three that are not on a line", one->name, one->count,
                       one->count < 3 ? "" : ", all on a line");
    }
    for (int k = 0; k < one->count; k++) {
      const int before = owner[one->nodes[k]];
      if (before > 0) {
        return TRMI_FAIL(err, TRM_ERR_INPUT, one->name, "interfaces '%.60s' and '%.60s' share node "
                         "%d", s->interfaces[before - 1].name, one->name,
                         s->mesh->number[one->nodes[k]]);
      }
      owner[one->nodes[k]] = i + 1;
    }
  }
  return TRM_OK;
}

static trm_status check_interfaces(const trmi_support *s, trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &s->arena->allocator);
  const trm_status status = check_each(s, &scratch, err);
  trmi_arena_clear(&scratch);
  return status;
}

/* ---- free displacements ---------------------------------------------------------------------- */

/* The node farthest from a line through p along a unit vector, or from p if that is zero. */
static int farthest(const trmi_solid_mesh *mesh, trmi_vec3 p, trmi_vec3 along) {
  int best = 0;
  double most = -1.0;
  for (int i = 0; i < trmi_solid_mesh_places(mesh); i++) {
    const trmi_vec3 r = v3_sub(v3_load(mesh->x + 3 * i), p);
    const trmi_vec3 across = v3_sub(r, v3_scale(v3_dot(r, along), along));
    const double distance = v3_dot(across, across);
    if (distance > most) most = distance, best = i;
  }
  return best;
}

static int largest_axis(trmi_vec3 a) {
  const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* Three nodes far apart: all of the first, two of the second, one of the third. */
static void choose_loose(trmi_support *s) {
  const trmi_solid_mesh *mesh = s->mesh;
  const int a = farthest(mesh, v3_load(mesh->x), v3(0, 0, 0));
  const trmi_vec3 p = v3_load(mesh->x + 3 * a);
  const int b = farthest(mesh, p, v3(0, 0, 0));
  const trmi_vec3 t = v3_sub(v3_load(mesh->x + 3 * b), p);
  const trmi_vec3 along = v3_scale(1.0 / v3_norm(t), t);
  const int c = farthest(mesh, p, along);
  const trmi_vec3 normal = v3_cross(t, v3_sub(v3_load(mesh->x + 3 * c), p));
  const int skipped = largest_axis(t);
  for (int d = 0; d < 3; d++) s->loose[s->nloose++] = 3 * a + d;
  for (int d = 0; d < 3; d++) {
    if (d != skipped) s->loose[s->nloose++] = 3 * b + d;
  }
  s->loose[s->nloose++] = 3 * c + largest_axis(normal);
}

static void number_free(trmi_support *s) {
  if (s->nrigid == 0) choose_loose(s);
  for (int i = 0; i < s->ninterfaces; i++) {
    const trmi_interface *one = &s->interfaces[i];
    for (int k = 0; k < one->count + one->turning && one->is_rigid; k++) {
      for (int d = 0; d < 3; d++) s->place[3 * one->nodes[k] + d] = -1;
    }
  }
  for (int k = 0; k < s->nloose; k++) s->place[s->loose[k]] = -1;
  for (size_t i = 0; i < s->size; i++) {
    if (s->place[i] >= 0) s->place[i] = s->nfree++;
  }
}

/* Roots of the diagonal of K [size]. */
static void find_roots(const trmi_support *s, double *root) {
  for (int i = 0; i < s->fem->n; i++) {
    const double *own = s->fem->K + 9 * (size_t)(s->fem->first[i + 1] - 1);
    for (int d = 0; d < 3; d++) root[3 * i + d] = sqrt(fabs(own[4 * d]));
  }
}

/* Entries of the lower triangle of K_ff, by rows and columns from 1; NULL: count only. Those that
 * are rounding next to the diagonals of their row and column are left out: regular meshes have
 * many. */
static size_t list_entries(const trmi_support *s, const double *root, int *row, int *column,
                           double *value) {
  const trmi_fem *fem = s->fem;
  const double rounding = 1e-16;
  size_t count = 0;
  for (int i = 0; i < fem->n; i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      const int j = fem->column[e];
      for (int k = 0; k < 9; k++) {
        const int a = s->place[3 * i + k / 3], b = s->place[3 * j + k % 3];
        const double number = fem->K[9 * (size_t)e + (size_t)k];
        if (a < 0 || b < 0 || a < b) continue;
        if (a != b && fabs(number) <= rounding * root[3 * i + k / 3] * root[3 * j + k % 3]) {
          continue;
        }
        if (row != NULL) row[count] = a + 1, column[count] = b + 1, value[count] = number;
        count++;
      }
    }
  }
  return count;
}

/* Places of the free displacements in the order of elimination, from 1. */
static trm_status number_order(const trmi_support *s, trmi_arena *scratch, int *order,
                               trm_error *err) {
  int *nodes = TRMI_TAKE(scratch, int, s->fem->n), count = 0;
  trmi_arena own; /* free again when the order is there */
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  trmi_arena_init(&own, &s->arena->allocator);
  const trm_status status = trmi_dissect(s->mesh, s->fem, &own, nodes, err);
  trmi_arena_clear(&own);
  for (int i = 0; i < 3 * s->fem->n && status == TRM_OK; i++) {
    const int place = s->place[3 * nodes[i / 3] + i % 3];
    if (place >= 0) order[place] = ++count;
  }
  return status;
}

static trm_status fill_factor(trmi_support *s, trmi_arena *scratch, trm_error *err) {
  trmi_sparse_entries all = {.n = s->nfree};
  double *root = TRMI_TAKE(scratch, double, s->size);
  all.order = TRMI_TAKE(scratch, int, s->nfree);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  find_roots(s, root);
  all.count = list_entries(s, root, NULL, NULL, NULL);
  TRMI_TRY(err, number_order(s, scratch, all.order, err));
  all.row = TRMI_TAKE(scratch, int, all.count);
  all.column = TRMI_TAKE(scratch, int, all.count);
  all.value = TRMI_TAKE(scratch, double, all.count);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  (void)list_entries(s, root, all.row, all.column, all.value);
  trmi_fem_release_stiffness(s->fem);
  TRMI_TRY(err, trmi_sparse_factor_create(&s->arena->allocator, &all, &s->factor, err));
  return TRM_OK;
}

static trm_status make_factor(trmi_support *s, trm_error *err) {
  trmi_arena scratch; /* free again when the factors are there */
  trmi_arena_init(&scratch, &s->arena->allocator);
  const trm_status status = fill_factor(s, &scratch, err);
  trmi_arena_clear(&scratch);
  TRMI_TRIM();
  return status;
}

static void gather(const trmi_support *s, const double *field, double *free_part) {
  for (size_t i = 0; i < s->size; i++) {
    if (s->place[i] >= 0) free_part[s->place[i]] = field[i];
  }
}

/* ---- the border ------------------------------------------------------------------------------ */

/* B of (2). */
static trm_status fill_border(trmi_support *s, trm_error *err) {
  const int nl = s->nloose;
  double *unit = TRMI_TAKE(s->arena, double, s->size), *K = TRMI_TAKE(s->arena, double, s->size);
  TRMI_TRY(err, trmi_arena_check(s->arena, err));
  for (int k = 0; k < nl; k++) {
    unit[s->loose[k]] = 1.0;
    trmi_fem_stiffness(s->fem, 1, unit, K);
    unit[s->loose[k]] = 0.0;
    gather(s, K, s->B + (size_t)k * (size_t)s->nfree);
  }
  for (int k = nl; k < s->nborder; k++) {
    gather(s, s->A + (size_t)(k - nl) * s->size, s->B + (size_t)k * (size_t)s->nfree);
  }
  return TRM_OK;
}

/* The matrix of (2). */
static trm_status solve_border(trmi_support *s, trm_error *err) {
  const int n = s->nborder, nl = s->nloose;
  memcpy(s->Z, s->B, (size_t)n * (size_t)s->nfree * sizeof *s->Z);
  TRMI_TRY(err, trmi_sparse_factor_solve(s->factor, n, s->Z, err));
  trmi_fields_dot((size_t)s->nfree, n, s->B, n, s->Z, s->C);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      double *C = &s->C[n * k + i];
      *C = i < nl && k < nl ? 0.0 : -*C;
      if (i < nl && k >= nl) *C += s->A[(size_t)(k - nl) * s->size + (size_t)s->loose[i]];
      if (k < nl && i >= nl) *C += s->A[(size_t)(i - nl) * s->size + (size_t)s->loose[k]];
    }
  }
  return TRM_OK;
}

/* Mean motion of a free body by its mass: rows [6][size] of R^T M over its mass and inertia. */
static trm_status make_free_rows(trmi_support *s, trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &s->arena->allocator);
  double *R = TRMI_TAKE(&scratch, double, 6 * s->size), own[36];
  const trm_status status = trmi_arena_check(&scratch, err);
  if (status == TRM_OK) {
    const double origin[3] = {s->mesh->x[0], s->mesh->x[1], s->mesh->x[2]};
    trmi_rigid_fields(s->mesh, origin, R);
    trmi_fem_mass(s->fem, 6, R, s->A);
    trmi_fields_dot(s->size, 6, R, 6, s->A, own);
    for (size_t i = 0; i < 6 * s->size; i++) s->A[i] /= own[7 * (i / s->size)];
  }
  trmi_arena_clear(&scratch);
  return status;
}

trm_status trmi_support_create(const trmi_solid_mesh *mesh, trmi_fem *fem, int ninterfaces,
                               const trmi_interface *interfaces, trmi_arena *arena,
                               trmi_support **support, trm_error *err) {
  trmi_support *s = TRMI_TAKE(arena, trmi_support, 1);
  *support = s;
  TRMI_TRY(err, trmi_arena_check(arena, err));
  *s = (trmi_support){.mesh = mesh, .fem = fem, .interfaces = interfaces, .arena = arena,
                      .ninterfaces = ninterfaces, .size = 3 * (size_t)mesh->nnodes};
  TRMI_TRY(err, check_parts(mesh, fem, arena, err));
  TRMI_TRY(err, check_interfaces(s, err));
  for (int i = 0; i < ninterfaces; i++) s->nrigid += interfaces[i].is_rigid;
  s->place = TRMI_TAKE(arena, int, s->size);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  number_free(s);
  if (s->nfree == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "every node belongs to a rigid interface");
  }
  const int averages = ninterfaces > 0 ? 6 * (ninterfaces - s->nrigid) : 6;
  s->nborder = s->nloose + averages;
  s->A = TRMI_TAKE(arena, double, (size_t)averages * s->size);
  s->B = TRMI_TAKE(arena, double, (size_t)s->nborder * (size_t)s->nfree);
  s->Z = TRMI_TAKE(arena, double, (size_t)s->nborder * (size_t)s->nfree);
  s->C = TRMI_TAKE(arena, double, s->nborder * s->nborder);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0, k = 0; i < ninterfaces; i++) {
    if (interfaces[i].is_rigid) continue;
    (void)trmi_average_rows(mesh, &interfaces[i], s->A + (size_t)(6 * k++) * s->size);
  }
  if (ninterfaces == 0) TRMI_TRY(err, make_free_rows(s, err));
  if (s->nborder > 0) TRMI_TRY(err, fill_border(s, err));
  TRMI_TRY(err, make_factor(s, err));
  if (s->nborder > 0) TRMI_TRY(err, solve_border(s, err));
  return TRM_OK;
}

void trmi_support_free(trmi_support *support) {
  if (support != NULL) trmi_sparse_factor_free(support->factor);
}

int trmi_support_freedoms(const trmi_support *support) {
  return support->nfree + support->nloose - (support->nborder - support->nloose);
}

/* ---- solutions ------------------------------------------------------------------------------- */

/* Free displacements of fields to the front of their memory, and back; places ascend. */
static void close_up(const trmi_support *s, int count, double *fields) {
  for (int c = 0; c < count; c++) {
    for (size_t i = 0; i < s->size; i++) {
      if (s->place[i] < 0) continue;
      fields[(size_t)c * (size_t)s->nfree + (size_t)s->place[i]] = fields[(size_t)c * s->size + i];
    }
  }
}
static void spread_out(const trmi_support *s, int count, double *fields) {
  for (int c = count - 1; c >= 0; c--) {
    for (size_t i = s->size; i-- > 0;) {
      const size_t from = (size_t)c * (size_t)s->nfree;
      fields[(size_t)c * s->size + i] =
          s->place[i] >= 0 ? fields[from + (size_t)s->place[i]] : 0.0;
    }
  }
}

/* (1), (2) for loads r on free and loose displacements; x [count][nborder - nloose], NULL: zero.
 * Solutions take the place of loads: large bodies have no memory for both. */
static trm_status solve(trmi_support *s, int count, double *fields, const double *x,
                        trm_error *err) {
  const int n = s->nborder, nl = s->nloose;
  const size_t nfree = (size_t)s->nfree;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &s->arena->allocator);
  double *right = TRMI_TAKE(&scratch, double, n * count), *z = fields;
  double *given = TRMI_TAKE(&scratch, double, n * count);
  double *C = TRMI_TAKE(&scratch, double, n * n);
  trm_status status = trmi_arena_check(&scratch, err);
  for (int i = 0; i < n * count && status == TRM_OK; i++) {
    const int k = i % n, c = i / n;
    given[i] = k < nl ? fields[(size_t)c * s->size + (size_t)s->loose[k]]
                      : x != NULL ? x[(n - nl) * c + k - nl] : 0.0;
  }
  if (status == TRM_OK) {
    close_up(s, count, z);
    status = trmi_sparse_factor_solve(s->factor, count, z, err);
  }
  if (status == TRM_OK && n > 0) {
    trmi_fields_dot(nfree, n, s->B, count, z, right);
    for (int i = 0; i < n * count; i++) right[i] = given[i] - right[i];
    memcpy(C, s->C, (size_t)(n * n) * sizeof *C);
    status = trmi_fields_solve(&scratch, n, C, count, right, err);
    if (status == TRM_OK) trmi_fields_add(nfree, n, s->Z, count, right, -1.0, z);
  }
  if (status == TRM_OK) spread_out(s, count, fields);
  for (int i = 0; i < nl * count && status == TRM_OK; i++) {
    const int k = i % nl, c = i / nl;
    fields[(size_t)c * s->size + (size_t)s->loose[k]] = right[n * c + k];
  }
  trmi_arena_clear(&scratch);
  return status;
}

trm_status trmi_support_solve(trmi_support *support, int count, double *fields, trm_error *err) {
  TRMI_TRY(err, solve(support, count, fields, NULL, err));
  return TRM_OK;
}

/* Nodes of a rigid interface move by `motion`; the static field of the rest. */
static trm_status rigid_modes(trmi_support *s, const trmi_interface *one, double *fields,
                              trm_error *err) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &s->arena->allocator);
  double *motion = TRMI_TAKE(&scratch, double, 6 * s->size);
  double *own = TRMI_TAKE(&scratch, double, 6 * s->size);
  trm_status status = trmi_arena_check(&scratch, err);
  if (status == TRM_OK) {
    trmi_rigid_fields(s->mesh, one->at, motion);
    for (int c = 0; c < 6; c++) {
      for (int k = 0; k < one->count + one->turning; k++) {
        const size_t at = (size_t)c * s->size + 3 * (size_t)one->nodes[k];
        memcpy(own + at, motion + at, 3 * sizeof *own);
      }
    }
    trmi_fem_stiffness(s->fem, 6, own, fields);
    for (size_t i = 0; i < 6 * s->size; i++) fields[i] = -fields[i];
    status = solve(s, 6, fields, NULL, err);
    for (size_t i = 0; i < 6 * s->size && status == TRM_OK; i++) fields[i] += own[i];
  }
  trmi_arena_clear(&scratch);
  return status;
}

trm_status trmi_support_constraint_modes(trmi_support *support, double *fields, trm_error *err) {
  const int averages = support->nborder - support->nloose;
  double *x = TRMI_TAKE(support->arena, double, 6 * averages);
  TRMI_TRY(err, trmi_arena_check(support->arena, err));
  if (!trmi_fem_restore_stiffness(support->mesh, support->fem)) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory: an allocation failed");
  }
  for (int i = 0, average = 0; i < support->ninterfaces || i == 0; i++) {
    double *own = fields + (size_t)(6 * i) * support->size;
    if (support->ninterfaces > 0 && support->interfaces[i].is_rigid) {
      TRMI_TRY(err, rigid_modes(support, &support->interfaces[i], own, err));
      continue;
    }
    memset(x, 0, (size_t)(6 * averages) * sizeof *x);
    for (int c = 0; c < 6; c++) x[averages * c + average + c] = 1.0;
    average += 6;
    memset(own, 0, 6 * support->size * sizeof *own);
    TRMI_TRY(err, solve(support, 6, own, x, err));
  }
  return TRM_OK;
}
