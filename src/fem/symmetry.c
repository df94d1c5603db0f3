/* symmetry.c - modes of a mesh that is its own mirror image are even or odd.
 *
 * A plane x_p = c maps node i to node i' and a field u to (P u)_i' = S u_i, S = 1 but -1 at p. With
 *   K_i'j' = S K_ij S,   M_i'j' = S M_ij S                                                  (1)
 * both matrices commute with P, and so does the span of the modes if the image of every interface
 * is an interface; bodies with distributed loads are left alone. In the basis of modes phi that
 * are normal in M
 *   phi^T M P phi u = s u,   s = +-(1 - 2 e^2)                                              (2)
 * with e what Lanczos' method and rounding have left, so that phi u is even or odd; frequencies may
 * coincide. Then
 *   phi <- (phi u +- P phi u)/2  over its length, (1 - e^2)^1/2                             (3)
 * removes e, which is an error since exact fields have none. Directions that nearly depend on
 * others have such errors ten thousand times, so that e may be large, and (2) is asked for a clear
 * sign only. The next plane splits each class again. Modes are normal once more after (3) of
 * reduction.c, then
 *   phi <- phi y,   (phi^T K phi) y = omega^2 y,   class by class                           (4)
 * Inertia of modes of different classes vanishes to rounding, which saves most of its products
 * (elements/flex/mode_classes.c). */
#include "fem/symmetry.h"
#include "fem/fields.h"
#include <math.h>
#include <string.h>

enum { CLASSES = 8 };

/* Of the size of the mesh, of the entries; the least |s|. */
static const double same_place = 1e-9, same_entry = 1e-9, clear_sign = 0.5;

typedef struct mirror {
  const trmi_solid_mesh *mesh;
  const trmi_fem        *fem;
  int     axis;
  double  at, size;     /* the plane; the longest side of the mesh */
  int    *image;        /* of each node [nnodes] */
  int    *head, *next;  /* nodes by cells of a grid: first of a key, next of a node [nnodes] */
  double *one, *other;  /* fields [3 nnodes] */
} mirror;

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Key of the cell of a place that is moved by parts of a cell. */
static int key_of(const mirror *m, const double x[3], const double parts[3]) {
  const double cell = 1e3 * same_place * m->size;
  unsigned long key = 0;
  for (int k = 0; k < 3; k++) {
    const double number = floor(x[k] / cell + parts[k]);
    key = key * 1000003UL + (unsigned long)(long)number;
  }
  return (int)(key % (unsigned long)m->mesh->nnodes);
}

static void sort_nodes(mirror *m) {
  static const double none[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < m->mesh->nnodes; i++) m->head[i] = -1;
  for (int i = 0; i < m->mesh->nnodes; i++) {
    const int key = key_of(m, m->mesh->x + 3 * i, none);
    m->next[i] = m->head[key], m->head[key] = i;
  }
}

/* The node at a place, or -1; it may be on the other side of the border of a cell. */
static int node_at(const mirror *m, const double x[3]) {
  for (int side = 0; side < 8; side++) {
    const double parts[3] = {side & 1 ? 0.25 : -0.25, side & 2 ? 0.25 : -0.25,
                             side & 4 ? 0.25 : -0.25};
    for (int i = m->head[key_of(m, x, parts)]; i >= 0; i = m->next[i]) {
      double off = 0.0;
      for (int k = 0; k < 3; k++) off = fmax(off, fabs(x[k] - m->mesh->x[3 * i + k]));
      if (off <= same_place * m->size) return i;
    }
  }
  return -1;
}

/* Has every node an image, whose image it is? */
static bool find_images(mirror *m) {
  for (int i = 0; i < m->mesh->nnodes; i++) {
    double x[3];
    memcpy(x, m->mesh->x + 3 * i, sizeof x);
    x[m->axis] = 2.0 * m->at - x[m->axis];
    m->image[i] = node_at(m, x);
    if (m->image[i] < 0) return false;
  }
  for (int i = 0; i < m->mesh->nnodes; i++) {
    if (m->image[m->image[i]] != i) return false;
  }
  return true;
}

/* Is the image of every interface one of the same kind? `owner` [nnodes] is scratch. */
static bool are_same_sets(const mirror *m, const trmi_symmetric_modes *modes, int *owner) {
  memset(owner, 0, (size_t)m->mesh->nnodes * sizeof *owner);
  for (int i = 0; i < modes->ninterfaces; i++) {
    for (int k = 0; k < modes->interfaces[i].count; k++) {
      owner[modes->interfaces[i].nodes[k]] = i + 1;
    }
  }
  for (int i = 0; i < modes->ninterfaces; i++) {
    const trmi_interface *one = &modes->interfaces[i];
    const int other = one->count > 0 ? owner[m->image[one->nodes[0]]] : 0;
    if (other == 0 || modes->interfaces[other - 1].is_rigid != one->is_rigid ||
        modes->interfaces[other - 1].count != one->count) {
      return false;
    }
    for (int k = 0; k < one->count; k++) {
      if (owner[m->image[one->nodes[k]]] != other) return false;
    }
  }
  return true;
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* What a number of a block of nine is multiplied with. */
static double sign_of(const mirror *m, int k) {
  return (k / 3 == m->axis) == (k % 3 == m->axis) ? 1.0 : -1.0;
}

/* (1) for the blocks of nine of entry e of nodes i, j, and of `there`. */
static bool is_same_block(const mirror *m, const double *blocks, int e, int there,
                          bool is_turned, double size) {
  const double *here = blocks + 9 * (size_t)e, *image = blocks + 9 * (size_t)there;
  for (int k = 0; k < 9; k++) {
    const double other = image[is_turned ? 3 * (k % 3) + k / 3 : k];
    if (!(fabs(other - sign_of(m, k) * here[k]) <= same_entry * size)) return false;
  }
  return true;
}

/* Half the trace of the blocks of two nodes' own entries. */
static double size_of(const trmi_fem *fem, const double *blocks, int i, int j) {
  const double *a = blocks + 9 * (size_t)trmi_fem_entry(fem, i, i);
  const double *b = blocks + 9 * (size_t)trmi_fem_entry(fem, j, j);
  return 0.5 * (fabs(a[0]) + fabs(a[4]) + fabs(a[8]) + fabs(b[0]) + fabs(b[4]) + fabs(b[8]));
}

/* (1) */
static bool are_same_matrices(const mirror *m) {
  const trmi_fem *fem = m->fem;
  for (int i = 0; i < fem->n; i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      const int j = fem->column[e], a = m->image[i], b = m->image[j];
      const int there = trmi_fem_entry(fem, a, b);
      if (there < 0 || !is_same_block(m, fem->K, e, there, a < b, size_of(fem, fem->K, i, j))) {
        return false;
      }
      const double mass = fabs(fem->m[trmi_fem_entry(fem, i, i)]);
      if (!(fabs(fem->m[there] - fem->m[e]) <= same_entry * mass)) return false;
      if (fem->M != NULL &&
          !is_same_block(m, fem->M, e, there, a < b, size_of(fem, fem->M, i, j))) {
        return false;
      }
    }
  }
  return true;
}

/* ---- modes ----------------------------------------------------------------------------------- */

static void reflect(const mirror *m, const double *field, double *out) {
  for (int i = 0; i < m->mesh->nnodes; i++) {
    double *to = out + 3 * m->image[i];
    memcpy(to, field + 3 * i, 3 * sizeof *to);
    to[m->axis] = -to[m->axis];
  }
}

/* The modes of a class, [count] of `list`, and what splits them. */
typedef struct part {
  int     count;
  int    *list;
  double *U, *sign; /* [count count], [count] */
} part;

/* Modes of a part one after the other, in the arena; NULL: out of memory. */
static double *gather(const trmi_symmetric_modes *modes, const part *p, trmi_arena *arena) {
  const size_t size = 3 * (size_t)modes->mesh->nnodes;
  double *own = TRMI_TAKE(arena, double, (size_t)p->count * size);
  for (int i = 0; i < p->count && own != NULL; i++) {
    memcpy(own + (size_t)i * size, modes->phi + (size_t)p->list[i] * size, size * sizeof *own);
  }
  return own;
}

static void make_symmetric(int n, double *A) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) A[n * i + k] = A[n * k + i] = 0.5 * (A[n * i + k] + A[n * k + i]);
  }
}

/* (2) for a part: *has_signs if all of it is even or odd. */
static trm_status find_signs(const mirror *m, const trmi_symmetric_modes *modes, part *p,
                             bool *has_signs, trm_error *err) {
  const size_t size = 3 * (size_t)m->mesh->nnodes;
  trmi_arena scratch;
  p->U = TRMI_TAKE(modes->arena, double, p->count * p->count);
  p->sign = TRMI_TAKE(modes->arena, double, p->count);
  TRMI_TRY(err, trmi_arena_check(modes->arena, err));
  trmi_arena_init(&scratch, &modes->arena->allocator);
  const double *own = gather(modes, p, &scratch);
  trm_status status = trmi_arena_check(&scratch, err);
  for (int i = 0; i < p->count && status == TRM_OK; i++) {
    reflect(m, own + (size_t)i * size, m->one);
    trmi_fem_mass(m->fem, 1, m->one, m->other);
    trmi_fields_dot(size, p->count, own, 1, m->other, p->U + p->count * i);
  }
  make_symmetric(p->count, p->U);
  if (status == TRM_OK) status = trmi_fields_eigen(&scratch, p->count, p->U, p->sign, err);
  for (int i = 0; i < p->count && status == TRM_OK; i++) {
    *has_signs = *has_signs && fabs(p->sign[i]) > clear_sign;
  }
  trmi_arena_clear(&scratch);
  return status;
}

/* phi U of a part, even or odd; odd ones join the classes of this plane. */
static trm_status purify(const mirror *m, const trmi_symmetric_modes *modes, const part *p,
                         trm_error *err) {
  const size_t size = 3 * (size_t)m->mesh->nnodes;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &modes->arena->allocator);
  const double *own = gather(modes, p, &scratch);
  const trm_status status = trmi_arena_check(&scratch, err);
  for (int k = 0; k < p->count && status == TRM_OK; k++) {
    double *mode = modes->phi + (size_t)p->list[k] * size;
    const double sign = p->sign[k] < 0.0 ? -1.0 : 1.0;
    memset(mode, 0, size * sizeof *mode);
    trmi_fields_add(size, p->count, own, 1, p->U + p->count * k, 1.0, mode);
    reflect(m, mode, m->one);
    const double scale = 0.5 / sqrt(0.5 * (1.0 + fmin(fabs(p->sign[k]), 1.0)));
    for (size_t i = 0; i < size; i++) mode[i] = scale * (mode[i] + sign * m->one[i]);
    if (sign < 0.0) modes->classes[p->list[k]] |= 1 << m->axis;
  }
  trmi_arena_clear(&scratch);
  return status;
}

/* Unmodified classes.
 * @return their number, -1: out of memory */
static int list_parts(const trmi_symmetric_modes *modes, part parts[CLASSES]) {
  int *list = TRMI_TAKE(modes->arena, int, modes->count), n = 0;
  for (int class = 0; class < CLASSES && list != NULL; class++) {
    parts[n] = (part){.list = list};
    for (int k = 0; k < modes->count; k++) {
      if (modes->classes[k] == class) parts[n].list[parts[n].count++] = k;
    }
    list += parts[n].count;
    n += parts[n].count > 0;
  }
  return list != NULL ? n : -1;
}

/* A plane that (1) holds for: *counts if every class of modes is even or odd about it. */
static trm_status split(const mirror *m, const trmi_symmetric_modes *modes, bool *counts,
                        trm_error *err) {
  part parts[CLASSES];
  const int n = list_parts(modes, parts);
  TRMI_TRY(err, trmi_arena_check(modes->arena, err));
  *counts = true;
  for (int i = 0; i < n; i++) TRMI_TRY(err, find_signs(m, modes, &parts[i], counts, err));
  for (int i = 0; i < n && *counts; i++) TRMI_TRY(err, purify(m, modes, &parts[i], err));
  return TRM_OK;
}

/* The middle of the mesh along an axis, and its side there. */
static double middle_of(const trmi_solid_mesh *mesh, int axis, double *side) {
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < mesh->nnodes; i++) {
    least = fmin(least, mesh->x[3 * i + axis]);
    most = fmax(most, mesh->x[3 * i + axis]);
  }
  *side = most - least;
  return 0.5 * (least + most);
}

trm_status trmi_symmetrize(const trmi_symmetric_modes *modes, int *planes, trm_error *err) {
  const trmi_solid_mesh *mesh = modes->mesh;
  trmi_arena *arena = modes->arena;
  mirror m = {.mesh = mesh, .fem = modes->fem};
  double middle[3];
  *planes = 0;
  if (mesh->nturning > 0) return TRM_OK; /* rotations have other signs */
  m.image = TRMI_TAKE(arena, int, mesh->nnodes);
  m.head = TRMI_TAKE(arena, int, mesh->nnodes);
  int *owner = TRMI_TAKE(arena, int, mesh->nnodes);
  m.next = TRMI_TAKE(arena, int, mesh->nnodes);
  m.one = TRMI_TAKE(arena, double, 3 * (size_t)mesh->nnodes);
  m.other = TRMI_TAKE(arena, double, 3 * (size_t)mesh->nnodes);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int k = 0; k < 3; k++) {
    double side;
    middle[k] = middle_of(mesh, k, &side);
    m.size = fmax(m.size, side);
  }
  sort_nodes(&m);
  for (m.axis = 0; m.axis < 3; m.axis++) {
    m.at = middle[m.axis];
    if (!find_images(&m) || !are_same_sets(&m, modes, owner) || !are_same_matrices(&m)) continue;
    bool counts = false;
    TRMI_TRY(err, split(&m, modes, &counts, err));
    *planes += counts;
  }
  return TRM_OK;
}

/* ---- (4) ------------------------------------------------------------------------------------- */

static trm_status solve_part(const trmi_symmetric_modes *modes, const part *p, double *omega2,
                             trm_error *err) {
  const size_t size = 3 * (size_t)modes->mesh->nnodes;
  const int n = p->count;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &modes->arena->allocator);
  const double *own = gather(modes, p, &scratch);
  double *Kown = TRMI_TAKE(&scratch, double, (size_t)n * size);
  double *K = TRMI_TAKE(&scratch, double, n * n), *e = TRMI_TAKE(&scratch, double, n);
  trm_status status = trmi_arena_check(&scratch, err);
  if (status == TRM_OK) {
    trmi_fem_stiffness(modes->fem, n, own, Kown);
    trmi_fields_dot(size, n, own, n, Kown, K);
    make_symmetric(n, K);
    status = trmi_fields_eigen(&scratch, n, K, e, err);
  }
  for (int i = 0; i < n && status == TRM_OK; i++) {
    double *mode = modes->phi + (size_t)p->list[i] * size;
    memset(mode, 0, size * sizeof *mode);
    trmi_fields_add(size, n, own, 1, K + n * i, 1.0, mode);
    omega2[p->list[i]] = e[i];
  }
  trmi_arena_clear(&scratch);
  return status;
}

static void exchange(double *a, double *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double keep = a[i];
    a[i] = b[i], b[i] = keep;
  }
}

/* Ascending frequencies. */
static void sort_modes(const trmi_symmetric_modes *modes, double *omega2) {
  const size_t size = 3 * (size_t)modes->mesh->nnodes;
  for (int i = 0; i < modes->count; i++) {
    int least = i;
    for (int k = i + 1; k < modes->count; k++) {
      if (omega2[k] < omega2[least]) least = k;
    }
    if (least == i) continue;
    exchange(&omega2[i], &omega2[least], 1);
    exchange(modes->phi + (size_t)i * size, modes->phi + (size_t)least * size, size);
  }
}

trm_status trmi_symmetric_modes_solve(const trmi_symmetric_modes *modes, double *omega2,
                                      trm_error *err) {
  part parts[CLASSES];
  const int n = list_parts(modes, parts);
  TRMI_TRY(err, trmi_arena_check(modes->arena, err));
  for (int i = 0; i < n; i++) TRMI_TRY(err, solve_part(modes, &parts[i], omega2, err));
  sort_modes(modes, omega2);
  return TRM_OK;
}
