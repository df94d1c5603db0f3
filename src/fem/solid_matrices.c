/* solid_matrices.c - stiffness and mass of a whole mesh from its elements. */
#include "fem/solid_matrices.h"
#include "core/compiler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  const int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

/* Elements of each node: list[first[i]] .. [connections] */
static bool list_elements(const trmi_solid_mesh *mesh, trmi_arena *arena, int **first, int **list) {
  *first = TRMI_TAKE(arena, int, mesh->nnodes + 2);
  *list = TRMI_TAKE(arena, int, mesh->nconnections);
  if (arena->failed) return false;
  for (int i = 0; i < mesh->nconnections; i++) (*first)[mesh->connections[i] + 2]++;
  for (int i = 0; i < mesh->nnodes; i++) (*first)[i + 2] += (*first)[i + 1];
  for (int e = 0; e < mesh->nelements; e++) {
    const int *nodes = mesh->connections + mesh->elements[e].first;
    for (int k = 0; k < trmi_solid_infos[mesh->elements[e].type].nodes; k++) {
      (*list)[(*first)[nodes[k] + 1]++] = e;
    }
  }
  return true;
}

/* Neighbours of node i that do not come after it, ascending. @return how many */
static int neighbours(const trmi_solid_mesh *mesh, const int *first, const int *list, int i,
                      int *seen, int *found) {
  int count = 0;
  for (int e = first[i]; e < first[i + 1]; e++) {
    const trmi_solid_element *element = &mesh->elements[list[e]];
    for (int k = 0; k < trmi_solid_infos[element->type].nodes; k++) {
      const int other = mesh->connections[element->first + k];
      if (other > i || seen[other] == i + 1) continue;
      seen[other] = i + 1;
      found[count++] = other;
    }
  }
  qsort(found, (size_t)count, sizeof *found, compare);
  return count;
}

/* The pattern, with lists in an arena of their own. */
static bool find_pattern(const trmi_solid_mesh *mesh, trmi_arena *arena, trmi_arena *scratch,
                         trmi_fem *fem) {
  int *first, *list;
  if (!list_elements(mesh, scratch, &first, &list)) return false;
  int *seen = TRMI_TAKE(scratch, int, mesh->nnodes), *found = TRMI_TAKE(scratch, int, mesh->nnodes);
  fem->n = mesh->nnodes;
  fem->first = TRMI_TAKE(arena, int, mesh->nnodes + 1);
  if (arena->failed || scratch->failed) return false;
  for (int i = 0; i < mesh->nnodes; i++) {
    fem->first[i + 1] = fem->first[i] + neighbours(mesh, first, list, i, seen, found);
  }
  const int entries = fem->first[mesh->nnodes];
  fem->column = TRMI_TAKE(arena, int, entries);
  fem->m = TRMI_TAKE(arena, double, entries);
  if (arena->failed) return false;
  memset(seen, 0, (size_t)mesh->nnodes * sizeof *seen);
  for (int i = 0; i < mesh->nnodes; i++) {
    (void)neighbours(mesh, first, list, i, seen, fem->column + fem->first[i]);
  }
  return true;
}

static bool make_pattern(const trmi_solid_mesh *mesh, trmi_arena *arena, trmi_fem *fem) {
  trmi_arena scratch;
  trmi_arena_init(&scratch, &arena->allocator);
  const bool is_good = find_pattern(mesh, arena, &scratch, fem);
  trmi_arena_clear(&scratch);
  if (!is_good) arena->failed = true;
  return is_good;
}

/* Entry of row i and column j <= i. */
static int entry_of(const trmi_fem *fem, int i, int j) {
  int low = fem->first[i], high = fem->first[i + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (fem->column[middle] < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The same of any two nodes. */
static int entry_between(const trmi_fem *fem, int a, int b) {
  return a < b ? entry_of(fem, b, a) : entry_of(fem, a, b);
}

static void add_stiffness(trmi_fem *fem, const int *nodes, int n, const trmi_solid_matrices *one) {
  for (int a = 0, pair = 0; a < n; a++) {
    for (int b = 0; b <= a; b++, pair++) {
      const bool is_turned = nodes[a] < nodes[b];
      double *K = fem->K + 9 * (size_t)entry_between(fem, nodes[a], nodes[b]);
      for (int k = 0; k < 9; k++) K[k] += one->K[pair][is_turned ? 3 * (k % 3) + k / 3 : k];
    }
  }
}

static void add_mass(trmi_fem *fem, const int *nodes, int n, const trmi_solid_matrices *one) {
  for (int a = 0, pair = 0; a < n; a++) {
    for (int b = 0; b <= a; b++, pair++) {
      fem->m[entry_between(fem, nodes[a], nodes[b])] += one->m[pair];
    }
  }
}

/* Names elements until the sentence is full. */
typedef struct blame {
  char  *fault;
  size_t used;
  int    count;
} blame;

static void blame_element(blame *b, const trmi_solid_element *element) {
  enum { NAMED = 8 };
  if (b->count++ >= NAMED) return;
  const int more = snprintf(b->fault + b->used, TRMI_SOLID_FAULT - b->used, "%s%d (%s)",
                            b->count > 1 ? ", " : "elements that are inside out or too distorted "
                            "(det J is not positive): ", element->number,
                            trmi_solid_infos[element->type].name);
  if (more > 0) b->used += (size_t)more;
}

/* @return false: it is inside out */
static bool make_element(const trmi_solid_mesh *mesh, const trmi_solid_tables *tables, int e,
                         trmi_solid_matrices *one) {
  const trmi_solid_element *element = &mesh->elements[e];
  const int *nodes = mesh->connections + element->first;
  double x[3 * TRMI_SOLID_NODES_MAX];
  for (int k = 0; k < trmi_solid_infos[element->type].nodes; k++) {
    memcpy(x + 3 * k, mesh->x + 3 * nodes[k], 3 * sizeof *x);
  }
  return trmi_solid_element_make(element->type, &tables[element->type], x,
                                 &mesh->materials[element->material], one);
}

static const trmi_solid_tables *make_tables(bool has_exact_mass, trmi_arena *arena) {
  trmi_solid_tables *tables = TRMI_TAKE(arena, trmi_solid_tables, TRMI_SOLID_TYPES);
  for (int t = 0; t < TRMI_SOLID_TYPES && tables != NULL; t++) {
    trmi_solid_tables_make((trmi_solid_type)t, has_exact_mass, &tables[t]);
  }
  return tables;
}

static bool take_stiffness(trmi_fem *fem, trmi_arena *arena) {
  fem->K = TRMI_TAKE(arena, double, 9 * (size_t)fem->first[fem->n]);
  return fem->K != NULL;
}

static bool assemble(const trmi_solid_mesh *mesh, bool has_exact_mass, trmi_arena *arena,
                     trmi_fem *fem, char *fault) {
  const trmi_solid_tables *tables = make_tables(has_exact_mass, arena);
  trmi_solid_matrices *one = TRMI_TAKE(arena, trmi_solid_matrices, 1);
  if (arena->failed) return false;
  blame bad = {.fault = fault};
  for (int e = 0; e < mesh->nelements; e++) {
    const trmi_solid_element *element = &mesh->elements[e];
    const int *nodes = mesh->connections + element->first;
    if (!make_element(mesh, tables, e, one)) {
      blame_element(&bad, element);
    } else if (bad.count == 0) {
      add_stiffness(fem, nodes, trmi_solid_infos[element->type].nodes, one);
      add_mass(fem, nodes, trmi_solid_infos[element->type].nodes, one);
    }
  }
  if (bad.count > 8 && bad.used < TRMI_SOLID_FAULT) {
    snprintf(fault + bad.used, TRMI_SOLID_FAULT - bad.used, " and %d more", bad.count - 8);
  }
  return bad.count == 0;
}

bool trmi_fem_assemble(const trmi_solid_mesh *mesh, bool has_exact_mass, trmi_arena *arena,
                       trmi_arena *of_K, trmi_fem *fem, char fault[TRMI_SOLID_FAULT]) {
  fault[0] = '\0';
  *fem = (trmi_fem){0};
  if (!make_pattern(mesh, arena, fem)) return false;
  fem->of_K = of_K;
  if (!take_stiffness(fem, of_K != NULL ? of_K : arena)) arena->failed = true;
  return !arena->failed && assemble(mesh, has_exact_mass, arena, fem, fault);
}

void trmi_fem_release_stiffness(trmi_fem *fem) {
  if (fem->of_K == NULL) return;
  trmi_arena_clear(fem->of_K);
  fem->K = NULL;
  TRMI_TRIM();
}

bool trmi_fem_restore_stiffness(const trmi_solid_mesh *mesh, trmi_fem *fem) {
  if (fem->K != NULL) return true;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &fem->of_K->allocator);
  const trmi_solid_tables *tables = make_tables(true, &scratch);
  trmi_solid_matrices *one = TRMI_TAKE(&scratch, trmi_solid_matrices, 1);
  const bool has_room = !scratch.failed && take_stiffness(fem, fem->of_K);
  for (int e = 0; e < mesh->nelements && has_room; e++) {
    const trmi_solid_element *element = &mesh->elements[e];
    (void)make_element(mesh, tables, e, one); /* none is inside out: K was made before */
    add_stiffness(fem, mesh->connections + element->first,
                  trmi_solid_infos[element->type].nodes, one);
  }
  trmi_arena_clear(&scratch);
  return has_room;
}

int trmi_fem_entry(const trmi_fem *fem, int a, int b) {
  const int e = entry_between(fem, a, b);
  return fem->column[e] == (a < b ? a : b) ? e : -1;
}

void trmi_fem_geometric(const trmi_solid_mesh *mesh, const trmi_fem *fem,
                        const trmi_solid_tables *tables, const double *u, double *k) {
  double own[TRMI_SOLID_NODES_MAX * (TRMI_SOLID_NODES_MAX + 1) / 2];
  memset(k, 0, (size_t)fem->first[fem->n] * sizeof *k);
  for (int e = 0; e < mesh->nelements; e++) {
    const trmi_solid_element *element = &mesh->elements[e];
    const int *nodes = mesh->connections + element->first;
    const int n = trmi_solid_infos[element->type].nodes;
    double x[3 * TRMI_SOLID_NODES_MAX], v[3 * TRMI_SOLID_ROWS_MAX];
    for (int i = 0; i < n; i++) {
      memcpy(x + 3 * i, mesh->x + 3 * nodes[i], 3 * sizeof *x);
      memcpy(v + 3 * i, u + 3 * nodes[i], 3 * sizeof *v);
    }
    /* its stiffness was made: it is not inside out */
    (void)trmi_solid_element_geometric(element->type, &tables[element->type], x,
                                       &mesh->materials[element->material], v, own);
    for (int a = 0, pair = 0; a < n; a++) {
      for (int b = 0; b <= a; b++, pair++) k[entry_between(fem, nodes[a], nodes[b])] += own[pair];
    }
  }
}

/* Blocks of nine times fields. */
static void multiply(const trmi_fem *fem, const double *blocks, int count, const double *u,
                     double *out) {
  const size_t size = 3 * (size_t)fem->n;
  memset(out, 0, (size_t)count * size * sizeof *out);
  for (int i = 0; i < fem->n; i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      const double *K = blocks + 9 * (size_t)e;
      const int j = fem->column[e];
      for (int c = 0; c < count; c++) {
        const double *ui = u + (size_t)c * size + 3 * i, *uj = u + (size_t)c * size + 3 * j;
        double *oi = out + (size_t)c * size + 3 * i, *oj = out + (size_t)c * size + 3 * j;
        for (int k = 0; k < 3; k++) {
          oi[k] += K[3 * k] * uj[0] + K[3 * k + 1] * uj[1] + K[3 * k + 2] * uj[2];
        }
        for (int k = 0; k < 3 && i != j; k++) {
          oj[k] += K[k] * ui[0] + K[3 + k] * ui[1] + K[6 + k] * ui[2];
        }
      }
    }
  }
}

void trmi_fem_stiffness(const trmi_fem *fem, int count, const double *u, double *out) {
  multiply(fem, fem->K, count, u, out);
}

void trmi_fem_mass(const trmi_fem *fem, int count, const double *u, double *out) {
  if (fem->M != NULL) {
    multiply(fem, fem->M, count, u, out);
    return;
  }
  const size_t size = 3 * (size_t)fem->n;
  memset(out, 0, (size_t)count * size * sizeof *out);
  for (int i = 0; i < fem->n; i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      const double m = fem->m[e];
      const int j = fem->column[e];
      for (int c = 0; c < count; c++) {
        const double *ui = u + (size_t)c * size + 3 * i, *uj = u + (size_t)c * size + 3 * j;
        double *oi = out + (size_t)c * size + 3 * i, *oj = out + (size_t)c * size + 3 * j;
        for (int k = 0; k < 3; k++) oi[k] += m * uj[k];
        for (int k = 0; k < 3 && i != j; k++) oj[k] += m * ui[k];
      }
    }
  }
}

/* The representative of a node; paths are halved on the way. */
static int root_of(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

int trmi_fem_parts(const trmi_fem *fem, int *part) {
  for (int i = 0; i < fem->n; i++) part[i] = i;
  for (int i = 0; i < fem->n; i++) {
    for (int e = fem->first[i]; e < fem->first[i + 1]; e++) {
      const int a = root_of(part, i), b = root_of(part, fem->column[e]);
      if (a < b) part[b] = a;
      if (b < a) part[a] = b; /* the smaller is the root, so that one pass numbers them */
    }
  }
  int count = 0;
  for (int i = 0; i < fem->n; i++) part[i] = part[i] == i ? -1 - count++ : part[i];
  for (int i = 0; i < fem->n; i++) {
    if (part[i] < 0) continue;
    int k = i;
    while (part[k] >= 0) k = part[k];
    part[i] = part[k];
  }
  for (int i = 0; i < fem->n; i++) part[i] = -1 - part[i];
  return count;
}
