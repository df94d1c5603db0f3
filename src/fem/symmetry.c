/* symmetry.c - modes of a mesh that is its own mirror image are even or odd.
 *
 * A plane x_p = c maps node i to node i' and a field u to (P u)_i' = S u_i, S = 1 but -1 at p. With
 *   K_i'j' = S K_ij S,   M_i'j' = S M_ij S                                                  (1)
 * both matrices commute with P, and so do the fields that modes are made of if interfaces and
 * loads have the same symmetry. A mode phi that is one of the full problem is then even or odd but
 * for what Lanczos' method and rounding have left,
 *   s = phi.M P phi / phi.M phi = +-(1 - 2 e^2),   e: the part with the wrong sign          (2)
 * and phi <- (phi + sign(s) P phi)/2 removes e. Inertia of modes of different classes vanishes then
 * to rounding, which saves most of its products (elements/flex/mode_classes.c). A plane counts only
 * if (1) holds to rounding and every mode has a sign: modes of one frequency may be mixed, and
 * sets of interfaces may have no symmetry. Modes of a class with signs for all planes are normal
 * again after (3) of reduction.c, but K couples them by e^2: they are turned to
 *   phi <- phi y,   (phi^T K phi) y = omega^2 y,   class by class                           (3) */
#include "fem/symmetry.h"
#include "fem/fields.h"
#include <math.h>
#include <string.h>

/* Of the size of the mesh, of the entries, and of 1 - |s|, e < .007: directions that nearly depend
 * on others have the errors of Lanczos' method ten thousand times. */
static const double same_place = 1e-9, same_entry = 1e-9, same_sign = 1e-4;

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

/* (2); its image stays in `one` */
static double sign_of_mode(const mirror *m, const double *phi) {
  const size_t size = 3 * (size_t)m->mesh->nnodes;
  double mixed = 0.0, own = 0.0;
  trmi_fem_mass(m->fem, 1, phi, m->other);
  reflect(m, phi, m->one);
  for (size_t i = 0; i < size; i++) mixed += m->other[i] * m->one[i], own += m->other[i] * phi[i];
  const double s = mixed / own;
  return fabs(s) >= 1.0 - same_sign ? copysign(1.0, s) : 0.0;
}

static bool has_signs(const mirror *m, int modes, const double *phi) {
  const size_t size = 3 * (size_t)m->mesh->nnodes;
  for (int k = 0; k < modes; k++) {
    if (sign_of_mode(m, phi + (size_t)k * size) == 0.0) return false;
  }
  return true;
}

/* Odd modes join the classes of this plane. */
static void purify(const mirror *m, const trmi_symmetric_modes *modes) {
  const size_t size = 3 * (size_t)m->mesh->nnodes;
  for (int k = 0; k < modes->count; k++) {
    double *mode = modes->phi + (size_t)k * size;
    const double sign = sign_of_mode(m, mode);
    if (sign < 0.0) modes->classes[k] |= 1 << m->axis;
    for (size_t i = 0; i < size; i++) mode[i] = 0.5 * (mode[i] + sign * m->one[i]);
  }
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
    if (!find_images(&m) || !are_same_matrices(&m)) continue;
    if (!has_signs(&m, modes->count, modes->phi)) continue;
    purify(&m, modes);
    ++*planes;
  }
  return TRM_OK;
}

/* ---- (3) ------------------------------------------------------------------------------------- */

/* For the modes `list` of a class; the numbers in omega2 and the fields change. */
static trm_status solve_class(const trmi_symmetric_modes *modes, int count, const int *list,
                              double *omega2, trm_error *err) {
  const size_t size = 3 * (size_t)modes->mesh->nnodes, n = (size_t)count;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &modes->arena->allocator);
  double *own = TRMI_TAKE(&scratch, double, n * size), *Kown = TRMI_TAKE(&scratch, double, n * size);
  double *K = TRMI_TAKE(&scratch, double, n * n), *e = TRMI_TAKE(&scratch, double, n);
  trm_status status = trmi_arena_check(&scratch, err);
  if (status == TRM_OK) {
    for (size_t i = 0; i < n; i++) {
      memcpy(own + i * size, modes->phi + (size_t)list[i] * size, size * sizeof *own);
    }
    trmi_fem_stiffness(modes->fem, count, own, Kown);
    trmi_fields_dot(size, count, own, count, Kown, K);
    for (size_t i = 0; i < n * n; i++) {
      if (i / n < i % n) K[i] = K[n * (i % n) + i / n] = 0.5 * (K[i] + K[n * (i % n) + i / n]);
    }
    status = trmi_fields_eigen(&scratch, count, K, e, err);
  }
  for (int i = 0; i < count && status == TRM_OK; i++) {
    double *mode = modes->phi + (size_t)list[i] * size;
    memset(mode, 0, size * sizeof *mode);
    trmi_fields_add(size, count, own, 1, K + n * (size_t)i, 1.0, mode);
    omega2[list[i]] = e[i];
  }
  trmi_arena_clear(&scratch);
  return status;
}

/* Ascending frequencies; a few neighbours have changed their places. */
static void sort_modes(const trmi_symmetric_modes *modes, double *omega2) {
  const size_t size = 3 * (size_t)modes->mesh->nnodes;
  for (int i = 1; i < modes->count; i++) {
    for (int k = i; k > 0 && omega2[k - 1] > omega2[k]; k--) {
      double *one = modes->phi + (size_t)(k - 1) * size, *other = one + size;
      const double keep = omega2[k];
      omega2[k] = omega2[k - 1], omega2[k - 1] = keep;
      for (size_t j = 0; j < size; j++) {
        const double number = one[j];
        one[j] = other[j], other[j] = number;
      }
    }
  }
}

trm_status trmi_symmetric_modes_solve(const trmi_symmetric_modes *modes, double *omega2,
                                      trm_error *err) {
  int *list = TRMI_TAKE(modes->arena, int, modes->count);
  TRMI_TRY(err, trmi_arena_check(modes->arena, err));
  for (int class = 0; class < 8; class++) {
    int count = 0;
    for (int k = 0; k < modes->count; k++) {
      if (modes->classes[k] == class) list[count++] = k;
    }
    if (count > 0) TRMI_TRY(err, solve_class(modes, count, list, omega2, err));
  }
  sort_modes(modes, omega2);
  return TRM_OK;
}
