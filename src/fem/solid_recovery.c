/* solid_recovery.c - stress at the nodes of a mesh.
 *
 * Stress is known at the integration points. A polynomial p with the basis b fits them, by least
 * squares where there are more points than terms: with rows P = b(points), Q = b(nodes)
 *   s(nodes) = Q (P^T P)^-1 P^T s(points)                                                  (1)
 * Bases: C3D4 1; C3D6 1, zeta; C3D10 linear; C3D8I, C3D20R trilinear; C3D15 the six products of a
 * linear triangle and 1, zeta; C3D20 triquadratic. Except in C3D20 only corners take values of p;
 * mid-side nodes take the mean of the corners of their edge. The value at a node is the mean over
 * the elements of one material, because stress jumps where materials meet. This is the rule of
 * CalculiX. Heat adds a column for each load, its stress with all nodes held (solid_loads.h). */
#include "fem/solid_recovery.h"
#include "fem/fields.h"
#include "fem/solid_element.h"
#include <string.h>

/* Values at the nodes of an element from those at its points of integration. */
typedef struct recovery {
  int    nodes, points;
  double E[TRMI_SOLID_NODES_MAX][TRMI_SOLID_POINTS_MAX];
} recovery;

/* Exponents of xi, eta, zeta of each term. */
static int basis_of(trmi_solid_type type, int terms[TRMI_SOLID_POINTS_MAX][3]) {
  const int corners = trmi_solid_infos[type].corners;
  const int most = type == TRMI_C3D20 ? 2 : type == TRMI_C3D4 ? 0 : 1;
  int count = 0;
  for (int k = 0; k < 27; k++) {
    const int e[3] = {k % 3, k / 3 % 3, k / 9};
    if (e[0] > most || e[1] > most || e[2] > most) continue;
    if (corners == 4 && e[0] + e[1] + e[2] > 1) continue;
    if (corners == 6 && e[0] + e[1] > (type == TRMI_C3D6 ? 0 : 1)) continue;
    memcpy(terms[count++], e, sizeof e);
  }
  return count;
}

static double term_at(const int e[3], const double at[4]) {
  double value = 1.0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < e[k]; i++) value *= at[k];
  }
  return value;
}

static trm_status make_recovery(trmi_solid_type type, trmi_arena *scratch, recovery *out,
                                trm_error *err) {
  const trmi_solid_info *info = &trmi_solid_infos[type];
  int terms[TRMI_SOLID_POINTS_MAX][3];
  trmi_solid_rule rule;
  info->stiffness_rule(&rule);
  const int b = basis_of(type, terms), n = rule.n;
  double *PP = TRMI_TAKE(scratch, double, b * b), *X = TRMI_TAKE(scratch, double, b * n);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int p = 0; p < n; p++) {
    for (int i = 0; i < b; i++) {
      X[b * p + i] = term_at(terms[i], rule.at[p]);
      for (int k = 0; k < b; k++) PP[b * i + k] += X[b * p + i] * term_at(terms[k], rule.at[p]);
    }
  }
  TRMI_TRY(err, trmi_fields_solve(scratch, b, PP, n, X, err));
  memset(out, 0, sizeof *out);
  out->nodes = info->nodes, out->points = n;
  const int direct = type == TRMI_C3D20 ? info->nodes : info->corners;
  for (int a = 0; a < info->nodes; a++) {
    double at[4];
    trmi_solid_node_at(type, a, at);
    for (int p = 0; p < n; p++) {
      for (int i = 0; i < b && a < direct; i++) {
        out->E[a][p] += term_at(terms[i], at) * X[b * p + i]; /* (1) */
      }
      if (a < direct) continue;
      const int *edge = info->edges[a - info->corners];
      out->E[a][p] = 0.5 * (out->E[edge[0]][p] + out->E[edge[1]][p]);
    }
  }
  return TRM_OK;
}

/* ---- a mesh ---------------------------------------------------------------------------------- */

typedef struct work {
  const trmi_solid_mesh    *mesh;
  const trmi_solid_surface *surface;
  int                  n, columns; /* fields; with those of heat behind them */
  const double        *fields;
  int                  nloads;
  const trmi_solid_load *loads;
  trmi_solid_tables   *tables;     /* of each type */
  recovery *recoveries;
  double *u, *sigma;               /* of one element */
  int    *count;                   /* elements that share a point */
} work;

static trm_status prepare(work *w, trmi_arena *scratch, trm_error *err) {
  w->tables = TRMI_TAKE(scratch, trmi_solid_tables, TRMI_SOLID_TYPES);
  w->recoveries = TRMI_TAKE(scratch, recovery, TRMI_SOLID_TYPES);
  w->u = TRMI_TAKE(scratch, double, 3 * TRMI_SOLID_ROWS_MAX * (size_t)w->columns);
  w->sigma = TRMI_TAKE(scratch, double, 6 * TRMI_SOLID_POINTS_MAX * (size_t)w->columns);
  w->count = TRMI_TAKE(scratch, int, w->surface->npoints);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_solid_tables_make((trmi_solid_type)t, true, &w->tables[t]);
    TRMI_TRY(err, make_recovery((trmi_solid_type)t, scratch, &w->recoveries[t], err));
  }
  return TRM_OK;
}

/* Points of the nodes of an element, -1: none. @return whether there is one */
static bool find_points(const work *w, const trmi_solid_element *element, int *points) {
  const int *nodes = w->mesh->connections + element->first;
  bool is_any = false;
  for (int a = 0; a < trmi_solid_infos[element->type].nodes; a++) {
    points[a] = trmi_solid_surface_point(w->surface, nodes[a], element->material);
    is_any = is_any || points[a] >= 0;
  }
  return is_any;
}

/* Stress of all columns at the points of an element: those of heat have no displacement. */
static void find_stress(work *w, int e) {
  const trmi_solid_element *element = &w->mesh->elements[e];
  const int *nodes = w->mesh->connections + element->first;
  const size_t n = (size_t)w->columns, size = 3 * (size_t)w->mesh->nnodes;
  double x[3 * TRMI_SOLID_NODES_MAX], f[3 * TRMI_SOLID_NODES_MAX], own[6 * TRMI_SOLID_POINTS_MAX];
  for (int a = 0; a < trmi_solid_infos[element->type].nodes; a++) {
    memcpy(x + 3 * a, w->mesh->x + 3 * nodes[a], 3 * sizeof *x);
    for (size_t k = 0; k < 3; k++) {
      const double *field = w->fields + 3 * (size_t)nodes[a] + k;
      double *u = w->u + (3 * (size_t)a + k) * n;
      for (size_t c = 0; c < n; c++) u[c] = c < (size_t)w->n ? field[c * size] : 0.0;
    }
  }
  /* its stiffness was made: it is not inside out */
  (void)trmi_solid_element_stress(element->type, &w->tables[element->type], x,
                                  &w->mesh->materials[element->material], w->columns, w->u,
                                  w->sigma);
  size_t column = (size_t)w->n;
  for (int l = 0; l < w->nloads; l++) {
    if (!w->loads[l].is_heat) continue;
    trmi_solid_heat_element(w->mesh, w->tables, &w->loads[l], e, f, own);
    const int count = 6 * w->tables[element->type].stiffness.n;
    for (int i = 0; i < count; i++) w->sigma[n * (size_t)i + column] += own[i];
    column++;
  }
}

static void add_element(work *w, int e, const int *points, float *stress) {
  const recovery *rule = &w->recoveries[w->mesh->elements[e].type];
  const size_t n = (size_t)w->columns;
  find_stress(w, e);
  for (int a = 0; a < rule->nodes; a++) {
    if (points[a] < 0) continue;
    float *own = stress + 6 * n * (size_t)points[a];
    w->count[points[a]]++;
    for (size_t i = 0; i < 6 * n; i++) {
      double sum = 0.0;
      for (size_t p = 0; p < (size_t)rule->points; p++) {
        sum += rule->E[a][p] * w->sigma[6 * n * p + i];
      }
      own[i] += (float)sum;
    }
  }
}

int trmi_stress_columns(const trmi_stress_fields *of) {
  int count = of->n;
  for (int i = 0; i < of->nloads; i++) count += of->loads[i].is_heat;
  return count;
}

trm_status trmi_solid_stress(const trmi_solid_mesh *mesh, const trmi_solid_surface *surface,
                             const trmi_stress_fields *of, trmi_arena *scratch, float *stress,
                             trm_error *err) {
  const int n = trmi_stress_columns(of);
  work w = {.mesh = mesh, .surface = surface, .n = of->n, .columns = n, .fields = of->fields,
            .nloads = of->nloads, .loads = of->loads};
  int points[TRMI_SOLID_NODES_MAX];
  TRMI_TRY(err, prepare(&w, scratch, err));
  memset(stress, 0, 6 * (size_t)n * (size_t)surface->npoints * sizeof *stress);
  for (int e = 0; e < mesh->nelements; e++) {
    if (find_points(&w, &mesh->elements[e], points)) {
      add_element(&w, e, points, stress);
    }
  }
  for (size_t p = 0; p < (size_t)surface->npoints; p++) {
    for (size_t i = 0; i < 6 * (size_t)n && w.count[p] > 1; i++) {
      stress[6 * (size_t)n * p + i] /= (float)w.count[p];
    }
  }
  return TRM_OK;
}
