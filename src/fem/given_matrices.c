/* given_matrices.c - stiffness and mass of another program: sorted into blocks of nodes and
 * checked.
 *
 *   K R = 0 to 1e-6 of |K| |R| for the six rigid motions R about the middle of the nodes      (1)
 *   R^T M R: the same mass in three directions, none between them, centre inside the box of
 *   the nodes, Sigma = sum m_kl x_k x_l^T about it positive                                   (2)
 * Our inertia (modal_inertia.c) needs a number m_kl for each pair of nodes: a third of the trace of
 * its block. The remainder of the block is reported. Rotations of each node are three further
 * displacements, after all nodes; with them the mass keeps its blocks (modal_turning.c). */
#include "fem/given_matrices.h"
#include "fem/support.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double close_enough = 1e-6;

static bool fail(const trmi_given_def *def, const char *sentence) {
  snprintf(def->fault, TRMI_SOLID_FAULT, "%s", sentence);
  return false;
}

/* Directions of rotations are 4, 5 and 6. */
static int direction_of(const trmi_given_def *def, int displacement) {
  return displacement % 3 + (displacement / 3 < trmi_solid_mesh_places(def->mesh) ? 1 : 4);
}

static const char *along(const trmi_given_def *def, int node) {
  return node < trmi_solid_mesh_places(def->mesh) ? "along" : "about";
}

static int node_of(const trmi_given_def *def, int displacement) {
  return def->mesh->number[displacement / 3];
}

/* ---- symmetry -------------------------------------------------------------------------------- */

static int smaller(const trmi_given_entry *e) {
  return e->row < e->column ? e->row : e->column;
}

static int larger(const trmi_given_entry *e) {
  return e->row < e->column ? e->column : e->row;
}

/* By nodes of the lower triangle, then displacements; both of a pair are neighbours. */
static int compare(const void *a, const void *b) {
  const trmi_given_entry *p = a, *q = b;
  const int keys[5][2] = {{larger(p) / 3, larger(q) / 3},   {smaller(p) / 3, smaller(q) / 3},
                          {larger(p), larger(q)},           {smaller(p), smaller(q)},
                          {p->row, q->row}};
  for (int k = 0; k < 5; k++) {
    if (keys[k][0] != keys[k][1]) return keys[k][0] < keys[k][1] ? -1 : 1;
  }
  return 0;
}

static bool blame_entry(const trmi_given_def *def, const trmi_given_matrix *m,
                        const trmi_given_entry *e, const char *reason) {
  snprintf(def->fault, TRMI_SOLID_FAULT, "its %s matrix %s: node %d direction %d with node %d "
           "direction %d", m->name, reason, node_of(def, e->row), direction_of(def, e->row),
           node_of(def, e->column), direction_of(def, e->column));
  return false;
}

/* Sorted; the lower triangle alone is left, row >= column. */
static bool make_lower(const trmi_given_def *def, trmi_given_matrix *m) {
  double size = 0.0;
  size_t kept = 0;
  if (m->count == 0) {
    snprintf(def->fault, TRMI_SOLID_FAULT, "its %s matrix has no entries", m->name);
    return false;
  }
  for (size_t i = 0; i < m->count; i++) size = fmax(size, fabs(m->entries[i].value));
  qsort(m->entries, m->count, sizeof *m->entries, compare);
  for (size_t i = 0; i < m->count;) {
    const trmi_given_entry *one = &m->entries[i], *other = one + 1;
    const bool is_pair = i + 1 < m->count && larger(other) == larger(one) &&
                         smaller(other) == smaller(one);
    if (is_pair && other->row == one->row) return blame_entry(def, m, one, "has an entry twice");
    double value = one->value;
    if (is_pair) {
      if (!(fabs(other->value - value) <= close_enough * size)) {
        return blame_entry(def, m, one, "is not symmetric");
      }
      value = 0.5 * (value + other->value);
    } else if (m->is_full && one->row != one->column && fabs(value) > close_enough * size) {
      return blame_entry(def, m, one, "is not symmetric");
    }
    const trmi_given_entry lower = {.row = larger(one), .column = smaller(one), .value = value};
    m->entries[kept++] = lower;
    i += is_pair ? 2 : 1;
  }
  m->count = kept;
  return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Does an entry come before a pair of nodes? -1 yes, 0 it belongs to it, 1 it comes after. */
static int order_of(const trmi_given_entry *e, int row, int column) {
  const int i = e->row / 3, j = e->column / 3;
  if (i != row) return i < row ? -1 : 1;
  return (j > column) - (j < column);
}

/* Pairs of nodes of both lists, in order; NULL: count only. */
static int merge(const trmi_given_def *def, trmi_fem *fem) {
  const trmi_given_matrix *K = &def->stiffness, *M = &def->mass;
  int count = 0, last = -1;
  for (size_t k = 0, m = 0; k < K->count || m < M->count; count++) {
    const trmi_given_entry *next = k < K->count ? &K->entries[k] : &M->entries[m];
    if (k < K->count && m < M->count &&
        order_of(&M->entries[m], next->row / 3, next->column / 3) < 0) {
      next = &M->entries[m];
    }
    const int i = next->row / 3, j = next->column / 3;
    while (k < K->count && order_of(&K->entries[k], i, j) == 0) k++;
    while (m < M->count && order_of(&M->entries[m], i, j) == 0) m++;
    if (fem->column == NULL) continue;
    for (; last < i; last++) fem->first[last + 1] = count;
    fem->column[count] = j;
  }
  for (; fem->column != NULL && last < fem->n; last++) fem->first[last + 1] = count;
  return count;
}

/* Blocks of a list in the pattern, nine numbers each. */
static void fill(const trmi_given_matrix *m, const trmi_fem *fem, double *blocks) {
  int e = 0;
  for (size_t k = 0; k < m->count; k++) {
    const trmi_given_entry *one = &m->entries[k];
    const int i = one->row / 3, j = one->column / 3;
    if (e < fem->first[i]) e = fem->first[i];
    while (fem->column[e] < j) e++;
    double *block = blocks + 9 * (size_t)e;
    block[3 * (one->row % 3) + one->column % 3] = one->value;
    if (i == j) block[3 * (one->column % 3) + one->row % 3] = one->value;
  }
}

/* The pattern needs the diagonal of every node. */
static bool check_diagonal(const trmi_given_def *def, const trmi_fem *fem) {
  for (int i = 0; i < fem->n; i++) {
    const int last = fem->first[i + 1] - 1;
    for (int d = 0; d < 3; d++) {
      const bool is_there = last >= fem->first[i] && fem->column[last] == i;
      if (is_there && fem->K[9 * (size_t)last + 4 * (size_t)d] > 0.0) continue;
      snprintf(def->fault, TRMI_SOLID_FAULT, "its stiffness matrix has no stiffness of node %d "
               "%s %c", def->mesh->number[i], along(def, i), "xyz"[d]);
      return false;
    }
  }
  return true;
}

/* A third of the traces; the note reports the remainder. */
static void take_scalars(const trmi_given_def *def, trmi_fem *fem, const double *blocks) {
  double size = 0.0, rest = 0.0;
  const int places = trmi_solid_mesh_places(def->mesh);
  for (int e = 0; e < fem->first[places]; e++) { /* of rotations they are zero */
    const double *M = blocks + 9 * (size_t)e;
    fem->m[e] = (M[0] + M[4] + M[8]) / 3.0;
    size = fmax(size, fabs(fem->m[e]));
    for (int k = 0; k < 9; k++) rest = fmax(rest, fabs(M[k] - (k % 4 == 0 ? fem->m[e] : 0.0)));
  }
  if (rest <= close_enough * size || fem->M != NULL) return;
  trmi_buffer_print(def->notes, "blocks of its mass matrix are not the same in all directions: the "
                    "mean is taken, which changes entries by up to %.2g of the largest\n",
                    rest / size);
}

/* ---- rigid motion ---------------------------------------------------------------------------- */

static const char *const motions[6] = {"moved along x",  "moved along y",  "moved along z",
                                       "turned about x", "turned about y", "turned about z"};

/* (1); the largest sum |K| |u| of a row measures it. */
static bool check_rigid(const trmi_given_def *def, const trmi_fem *fem, const double *R,
                        trmi_arena *scratch) {
  const size_t size = 3 * (size_t)fem->n;
  double *force = TRMI_TAKE(scratch, double, 6 * size), *sum = TRMI_TAKE(scratch, double, size);
  if (scratch->failed) return false;
  trmi_fem_stiffness(fem, 6, R, force);
  for (int c = 0; c < 6; c++) {
    const double *u = R + (size_t)c * size, *f = force + (size_t)c * size;
    double largest = 0.0;
    size_t worst = 0;
    memset(sum, 0, size * sizeof *sum);
    for (int i = 0; i < fem->n; i++) {
      for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
        const int j = fem->column[e];
        for (int k = 0; k < 9; k++) {
          const double K = fabs(fem->K[9 * (size_t)e + (size_t)k]);
          sum[3 * i + k / 3] += K * fabs(u[3 * j + k % 3]);
          if (i != j) sum[3 * j + k % 3] += K * fabs(u[3 * i + k / 3]);
        }
      }
    }
    for (size_t i = 0; i < size; i++) {
      largest = fmax(largest, sum[i]);
      if (!(fabs(f[i]) <= fabs(f[worst]))) worst = i;
    }
    if (fabs(f[worst]) <= close_enough * largest) continue;
    snprintf(def->fault, TRMI_SOLID_FAULT, "its stiffness matrix has forces when the body is %s as "
             "a whole, the largest at node %d %s %c (%.2g of its entries): was it written with "
             "supports, or are rows missing?", motions[c], node_of(def, (int)worst),
             along(def, (int)worst / 3), "xyz"[worst % 3], fabs(f[worst]) / largest);
    return false;
  }
  return true;
}

/* Mass along and between the axes, by the blocks as they were given. */
static bool check_masses(const trmi_given_def *def, const trmi_fem *fem, const double *blocks) {
  double total[9] = {0.0};
  for (int i = 0; i < trmi_solid_mesh_places(def->mesh); i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      const double *M = blocks + 9 * (size_t)e;
      for (int k = 0; k < 9; k++) {
        total[k] += M[k] + (fem->column[e] != i ? M[3 * (k % 3) + k / 3] : 0.0);
      }
    }
  }
  if (!(total[0] > 0.0)) return fail(def, "its mass matrix has no mass along x");
  for (int k = 0; k < 9; k++) {
    const double should = k % 4 == 0 ? total[0] : 0.0;
    if (fabs(total[k] - should) <= close_enough * total[0]) continue;
    snprintf(def->fault, TRMI_SOLID_FAULT, "its mass matrix is not that of a body: %.6g along x, "
             "but %.6g %s %c%c%c", total[0], total[k], k % 4 == 0 ? "along" : "between",
             "xyz"[k / 3], k % 4 == 0 ? ' ' : ',', k % 4 == 0 ? ' ' : "xyz"[k % 3]);
    return false;
  }
  return true;
}

/* (2): first and second moments of the mass. R [6][3 n] has its first rows zero or one. */
static bool check_inertia(const trmi_given_def *def, const trmi_fem *fem, const double middle[3],
                          double extent, trmi_arena *scratch) {
  const size_t size = 3 * (size_t)fem->n;
  double *x = TRMI_TAKE(scratch, double, size), *Mx = TRMI_TAKE(scratch, double, size);
  double *one = TRMI_TAKE(scratch, double, size), *Mone = TRMI_TAKE(scratch, double, size);
  double mass = 0.0, c[3] = {0.0}, S[9] = {0.0};
  if (scratch->failed) return false;
  for (size_t i = 0; i < size; i++) x[i] = def->mesh->x[i] - middle[i % 3], one[i] = 1.0;
  trmi_fem scalar = *fem;
  scalar.M = NULL;
  trmi_fem_mass(&scalar, 1, x, Mx);
  trmi_fem_mass(&scalar, 1, one, Mone);
  for (size_t i = 0; i < size; i += 3) {
    mass += Mone[i];
    for (size_t k = 0; k < 3; k++) c[k] += Mx[i + k];
    for (size_t k = 0; k < 9; k++) S[k] += x[i + k / 3] * Mx[i + k % 3];
  }
  for (int k = 0; k < 9; k++) S[k] -= c[k / 3] * c[k % 3] / mass;
  for (int k = 0; k < 3; k++) {
    if (fabs(c[k]) > extent * mass) return fail(def, "its mass matrix has a centre of mass outside "
                                                     "of its nodes");
  }
  const double least = -close_enough * mass * extent * extent;
  for (int k = 0; k < 3; k++) {
    const int p = (k + 1) % 3;
    if (S[4 * k] < least || S[4 * k] * S[4 * p] - S[3 * k + p] * S[3 * k + p] <
                                least * mass * extent * extent) {
      return fail(def, "its mass matrix has an inertia that no body has (moments of mass are "
                       "negative)");
    }
  }
  return true;
}

/* ---- rotations ------------------------------------------------------------------------------- */

static void renumber(trmi_given_matrix *m, int places, const int *new_place) {
  for (size_t i = 0; i < m->count; i++) {
    trmi_given_entry *e = &m->entries[i];
    if (e->row / 3 >= places) e->row = 3 * new_place[e->row / 3 - places] + e->row % 3;
    if (e->column / 3 >= places) e->column = 3 * new_place[e->column / 3 - places] + e->column % 3;
  }
}

static void mark(const trmi_given_matrix *m, int places, int *used) {
  for (size_t i = 0; i < m->count; i++) {
    const int row = m->entries[i].row / 3 - places, column = m->entries[i].column / 3 - places;
    if (row >= 0) used[row] = 1;
    if (column >= 0) used[column] = 1;
  }
}

bool trmi_given_rotations(trmi_given_def *def, trmi_solid_mesh *mesh, trmi_arena *arena) {
  const int places = mesh->nnodes;
  int *new_place = TRMI_TAKE(arena, int, places), count = 0;
  if (new_place == NULL) return false;
  mark(&def->stiffness, places, new_place);
  mark(&def->mass, places, new_place);
  for (int i = 0; i < places; i++) count += new_place[i];
  if (count == 0) return true;
  double *x = TRMI_TAKE(arena, double, 3 * (size_t)(places + count));
  int *number = TRMI_TAKE(arena, int, places + count), *turning = TRMI_TAKE(arena, int, count);
  if (arena->failed) return false;
  memcpy(x, mesh->x, 3 * (size_t)places * sizeof *x);
  memcpy(number, mesh->number, (size_t)places * sizeof *number);
  for (int i = 0, next = 0; i < places; i++) {
    if (new_place[i] == 0) continue;
    memcpy(x + 3 * (places + next), mesh->x + 3 * i, 3 * sizeof *x);
    number[places + next] = mesh->number[i];
    turning[next] = i;
    new_place[i] = places + next++;
  }
  renumber(&def->stiffness, places, new_place);
  renumber(&def->mass, places, new_place);
  mesh->x = x, mesh->number = number, mesh->turning = turning;
  mesh->nturning = count, mesh->nnodes = places + count;
  return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool check(const trmi_given_def *def, const trmi_fem *fem, const double *blocks,
                  trmi_arena *scratch) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double middle[3], extent = 0.0;
  double *R = TRMI_TAKE(scratch, double, 18 * (size_t)fem->n);
  if (R == NULL) return false;
  for (int i = 0; i < 3 * fem->n; i++) {
    low[i % 3] = fmin(low[i % 3], def->mesh->x[i]);
    high[i % 3] = fmax(high[i % 3], def->mesh->x[i]);
  }
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]);
    extent = fmax(extent, high[k] - low[k]);
  }
  trmi_rigid_fields(def->mesh, middle, R);
  return check_diagonal(def, fem) && check_rigid(def, fem, R, scratch) &&
         check_masses(def, fem, blocks) && check_inertia(def, fem, middle, extent, scratch);
}

bool trmi_fem_given(trmi_given_def *def, trmi_arena *arena, trmi_fem *fem) {
  trmi_arena scratch;
  *fem = (trmi_fem){.n = def->mesh->nnodes};
  if (!make_lower(def, &def->stiffness) || !make_lower(def, &def->mass)) return false;
  const size_t pairs = (size_t)merge(def, fem);
  fem->first = TRMI_TAKE(arena, int, fem->n + 1);
  int *column = TRMI_TAKE(arena, int, pairs + 1);
  fem->K = TRMI_TAKE(arena, double, 9 * pairs);
  fem->m = TRMI_TAKE(arena, double, pairs);
  trmi_arena_init(&scratch, &arena->allocator);
  double *blocks = TRMI_TAKE(def->mesh->nturning > 0 ? arena : &scratch, double, 9 * pairs);
  if (def->mesh->nturning > 0) fem->M = blocks;
  bool is_good = !arena->failed && blocks != NULL;
  if (is_good) {
    fem->column = column;
    (void)merge(def, fem);
    fill(&def->stiffness, fem, fem->K);
    fill(&def->mass, fem, blocks);
    take_scalars(def, fem, blocks);
    is_good = check(def, fem, blocks, &scratch);
  }
  if (scratch.failed) arena->failed = true;
  trmi_arena_clear(&scratch);
  return is_good;
}
