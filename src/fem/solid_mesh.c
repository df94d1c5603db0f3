/* solid_mesh.c - a checked mesh from the lists of a draft. */
#include "fem/solid_draft.h"
#include "fem/solid_shapes.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of the file and where it is in a list. */
typedef struct numbered {
  int number, place;
} numbered;

/* Scratch of trmi_solid_mesh_finish. */
typedef struct finish {
  const trmi_solid_draft *draft;
  trmi_arena      *arena;
  trmi_solid_mesh *mesh;
  char            *fault;
  int              nnodes, nelements, nsets, nmembers; /* of the draft */
  numbered        *nodes, *elements;                    /* by number */
  int             *used;    /* place in the mesh of each node of the draft, or -1 */
  int             *first;   /* members of set i: order[first[i]] .. [nsets + 1] */
  int             *order;
} finish;

/* By number, then by place. */
static int compare_numbered(const void *a, const void *b) {
  const numbered *p = a, *q = b;
  if (p->number != q->number) return p->number < q->number ? -1 : 1;
  return (p->place > q->place) - (p->place < q->place);
}

static int compare_ints(const void *a, const void *b) {
  const int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

/* The first whose number is not less. */
static int lower_bound(const numbered *list, int count, int number) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (list[middle].number < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Its place, or -1. */
static int find(const numbered *list, int count, int number) {
  const int i = lower_bound(list, count, number);
  return i < count && list[i].number == number ? list[i].place : -1;
}

/* "line 7: ", or nothing. */
static const char *at_line(int line, char text[24]) {
  text[0] = '\0';
  if (line > 0) snprintf(text, 24, "line %d: ", line);
  return text;
}

static bool sort_nodes(finish *f) {
  const trmi_draft_node_entry *list = TRMI_DRAFT_LIST(trmi_draft_node_entry, f->draft->nodes);
  char line[24];
  for (int i = 0; i < f->nnodes; i++) {
    f->nodes[i] = (numbered){.number = list[i].number, .place = i};
    if (!isfinite(list[i].x[0]) || !isfinite(list[i].x[1]) || !isfinite(list[i].x[2])) {
      snprintf(f->fault, TRMI_SOLID_FAULT, "%snode %d: a coordinate is not a finite number",
               at_line(list[i].line, line), list[i].number);
      return false;
    }
  }
  qsort(f->nodes, (size_t)f->nnodes, sizeof *f->nodes, compare_numbered);
  for (int i = 1; i < f->nnodes; i++) {
    if (f->nodes[i].number != f->nodes[i - 1].number) continue;
    snprintf(f->fault, TRMI_SOLID_FAULT, "%snode %d is defined twice",
             at_line(list[f->nodes[i].place].line, line), f->nodes[i].number);
    return false;
  }
  return true;
}

static bool sort_elements(finish *f) {
  const trmi_draft_element_entry *list =
      TRMI_DRAFT_LIST(trmi_draft_element_entry, f->draft->elements);
  char line[24];
  for (int i = 0; i < f->nelements; i++) {
    f->elements[i] = (numbered){.number = list[i].number, .place = i};
  }
  qsort(f->elements, (size_t)f->nelements, sizeof *f->elements, compare_numbered);
  for (int i = 1; i < f->nelements; i++) {
    if (f->elements[i].number != f->elements[i - 1].number) continue;
    snprintf(f->fault, TRMI_SOLID_FAULT, "%selement %d is defined twice",
             at_line(list[f->elements[i].place].line, line), f->elements[i].number);
    return false;
  }
  return true;
}

/* Nodes of one element, by their places in the draft. */
static bool connect(finish *f, const trmi_draft_element_entry *element, int *nodes) {
  const int *numbers = TRMI_DRAFT_LIST(int, f->draft->connections) + element->first;
  const trmi_solid_info *info = &trmi_solid_infos[element->type];
  char line[24];
  for (int k = 0; k < info->nodes; k++) {
    nodes[k] = find(f->nodes, f->nnodes, numbers[k]);
    if (nodes[k] < 0) {
      snprintf(f->fault, TRMI_SOLID_FAULT, "%selement %d needs node %d, which is not defined",
               at_line(element->line, line), element->number, numbers[k]);
      return false;
    }
    for (int i = 0; i < k; i++) {
      if (nodes[i] != nodes[k]) continue;
      snprintf(f->fault, TRMI_SOLID_FAULT, "%selement %d (%s) has node %d twice; collapsed "
               "elements are not supported", at_line(element->line, line), element->number,
               info->name, numbers[k]);
      return false;
    }
  }
  return true;
}

static bool make_elements(finish *f) {
  const trmi_draft_element_entry *list =
      TRMI_DRAFT_LIST(trmi_draft_element_entry, f->draft->elements);
  trmi_solid_mesh *mesh = f->mesh;
  for (int i = 0; i < f->nnodes; i++) f->used[i] = -1;
  for (int i = 0; i < f->nelements; i++) {
    int *nodes = mesh->connections + list[i].first;
    if (!connect(f, &list[i], nodes)) return false;
    for (int k = 0; k < trmi_solid_infos[list[i].type].nodes; k++) f->used[nodes[k]] = 0;
    mesh->elements[i] = (trmi_solid_element){.type = list[i].type, .number = list[i].number,
                                             .first = list[i].first, .material = -1};
  }
  return true;
}

/* Nodes that elements have, by ascending number. */
static void keep_nodes(finish *f) {
  const trmi_draft_node_entry *list = TRMI_DRAFT_LIST(trmi_draft_node_entry, f->draft->nodes);
  trmi_solid_mesh *mesh = f->mesh;
  mesh->nnodes = 0;
  for (int i = 0; i < f->nnodes; i++) {
    const int place = f->nodes[i].place;
    if (f->used[place] < 0) continue;
    f->used[place] = mesh->nnodes;
    memcpy(mesh->x + 3 * mesh->nnodes, list[place].x, sizeof list[place].x);
    mesh->number[mesh->nnodes++] = f->nodes[i].number;
  }
  for (int i = 0; i < mesh->nconnections; i++) {
    mesh->connections[i] = f->used[mesh->connections[i]];
  }
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Members of each set one after the other. */
static void order_members(finish *f) {
  const trmi_draft_member_entry *list = TRMI_DRAFT_LIST(trmi_draft_member_entry, f->draft->members);
  for (int i = 0; i < f->nmembers; i++) f->first[list[i].set + 1]++;
  for (int i = 0; i < f->nsets; i++) f->first[i + 1] += f->first[i];
  int *next = TRMI_TAKE(f->arena, int, f->nsets);
  if (next == NULL) return;
  memcpy(next, f->first, (size_t)f->nsets * sizeof *next);
  for (int i = 0; i < f->nmembers; i++) f->order[next[list[i].set]++] = i;
}

/* A walk through a set and the sets it contains. */
typedef struct gather {
  int  stamp;   /* of the set that is gathered, from 1 */
  int *seen;    /* last stamp of each member [nodes or elements of the mesh] */
  int *entered; /* last stamp of each set */
  int *stack, *found;
  int  count;
} gather;

static void gather_one(const finish *f, gather *g, bool of_elements, int place) {
  if (!of_elements) place = f->used[place];
  if (place < 0 || g->seen[place] == g->stamp) return;
  g->seen[place] = g->stamp;
  g->found[g->count++] = place;
}

/* Elements that are not there are of types that were left out. */
static bool gather_range(finish *f, gather *g, const trmi_draft_member_entry *member) {
  const trmi_draft_set_entry *set =
      &TRMI_DRAFT_LIST(trmi_draft_set_entry, f->draft->sets)[member->set];
  const numbered *list = set->of_elements ? f->elements : f->nodes;
  const int count = set->of_elements ? f->nelements : f->nnodes;
  int i = lower_bound(list, count, member->number);
  if (!set->of_elements && member->last == member->number &&
      (i == count || list[i].number != member->number)) {
    snprintf(f->fault, TRMI_SOLID_FAULT, "node set '%.60s' has node %d, which is not defined",
             set->name, member->number);
    return false;
  }
  for (; i < count && list[i].number <= member->last; i++) {
    const long long distance = (long long)list[i].number - member->number;
    if (distance % member->step == 0) gather_one(f, g, set->of_elements, list[i].place);
  }
  return true;
}

static bool gather_set(finish *f, gather *g, int set) {
  const trmi_draft_member_entry *list = TRMI_DRAFT_LIST(trmi_draft_member_entry, f->draft->members);
  int depth = 0;
  g->stack[depth++] = set;
  g->entered[set] = g->stamp;
  while (depth > 0) {
    const int now = g->stack[--depth];
    for (int i = f->first[now]; i < f->first[now + 1]; i++) {
      const trmi_draft_member_entry *member = &list[f->order[i]];
      if (!member->is_set) {
        if (!gather_range(f, g, member)) return false;
      } else if (g->entered[member->number] != g->stamp) {
        g->entered[member->number] = g->stamp;
        g->stack[depth++] = member->number;
      }
    }
  }
  return true;
}

static bool make_sets(finish *f) {
  trmi_solid_mesh *mesh = f->mesh;
  const trmi_draft_set_entry *list = TRMI_DRAFT_LIST(trmi_draft_set_entry, f->draft->sets);
  const int most = mesh->nnodes > mesh->nelements ? mesh->nnodes : mesh->nelements;
  order_members(f);
  gather g = {.entered = TRMI_TAKE(f->arena, int, f->nsets),
              .stack = TRMI_TAKE(f->arena, int, f->nsets + 1),
              .found = TRMI_TAKE(f->arena, int, most)};
  int *seen_nodes = TRMI_TAKE(f->arena, int, mesh->nnodes);
  int *seen_elements = TRMI_TAKE(f->arena, int, mesh->nelements);
  if (f->arena->failed) return false;
  mesh->nsets = f->nsets;
  for (int i = 0; i < f->nsets; i++) {
    trmi_solid_set *set = &mesh->sets[i];
    g.stamp = i + 1, g.count = 0;
    g.seen = list[i].of_elements ? seen_elements : seen_nodes;
    if (!gather_set(f, &g, i)) return false;
    memcpy(set->name, list[i].name, sizeof set->name);
    set->of_elements = list[i].of_elements;
    set->count = g.count;
    set->list = TRMI_TAKE(f->arena, int, g.count);
    if (set->list == NULL) return false;
    memcpy(set->list, g.found, (size_t)g.count * sizeof *set->list);
    qsort(set->list, (size_t)g.count, sizeof *set->list, compare_ints);
  }
  return true;
}

static bool make_materials(finish *f) {
  trmi_solid_mesh *mesh = f->mesh;
  const trmi_draft_section_entry *list =
      TRMI_DRAFT_LIST(trmi_draft_section_entry, f->draft->sections);
  mesh->nmaterials = TRMI_DRAFT_COUNT(trmi_solid_material, f->draft->materials);
  if (mesh->nmaterials > 0) {
    memcpy(mesh->materials, f->draft->materials.data, f->draft->materials.used);
  }
  for (int i = 0; i < TRMI_DRAFT_COUNT(trmi_draft_section_entry, f->draft->sections); i++) {
    const trmi_solid_set *set = &mesh->sets[list[i].set];
    for (int k = 0; k < set->count; k++) {
      trmi_solid_element *element = &mesh->elements[set->list[k]];
      if (element->material >= 0 && element->material != list[i].material) {
        snprintf(f->fault, TRMI_SOLID_FAULT, "element %d has two materials, '%.60s' and '%.60s'",
                 element->number, mesh->materials[element->material].name,
                 mesh->materials[list[i].material].name);
        return false;
      }
      element->material = list[i].material;
    }
  }
  return true;
}

bool trmi_solid_mesh_finish(const trmi_solid_draft *draft, trmi_arena *arena,
                            trmi_solid_mesh *mesh, char fault[TRMI_SOLID_FAULT]) {
  finish f = {.draft = draft, .arena = arena, .mesh = mesh, .fault = fault,
              .nnodes = TRMI_DRAFT_COUNT(trmi_draft_node_entry, draft->nodes),
              .nelements = TRMI_DRAFT_COUNT(trmi_draft_element_entry, draft->elements),
              .nsets = TRMI_DRAFT_COUNT(trmi_draft_set_entry, draft->sets),
              .nmembers = TRMI_DRAFT_COUNT(trmi_draft_member_entry, draft->members)};
  fault[0] = '\0';
  if (trmi_solid_draft_failed(draft)) {
    arena->failed = true;
    return false;
  }
  if (f.nelements == 0) {
    snprintf(fault, TRMI_SOLID_FAULT, "there are no solid elements");
    return false;
  }
  *mesh = (trmi_solid_mesh){.nelements = f.nelements,
                            .nconnections = TRMI_DRAFT_COUNT(int, draft->connections)};
  f.nodes = TRMI_TAKE(arena, numbered, f.nnodes);
  f.elements = TRMI_TAKE(arena, numbered, f.nelements);
  f.used = TRMI_TAKE(arena, int, f.nnodes);
  f.first = TRMI_TAKE(arena, int, f.nsets + 1);
  f.order = TRMI_TAKE(arena, int, f.nmembers);
  mesh->x = TRMI_TAKE(arena, double, 3 * (size_t)f.nnodes);
  mesh->number = TRMI_TAKE(arena, int, f.nnodes);
  mesh->elements = TRMI_TAKE(arena, trmi_solid_element, f.nelements);
  mesh->connections = TRMI_TAKE(arena, int, mesh->nconnections);
  mesh->sets = TRMI_TAKE(arena, trmi_solid_set, f.nsets);
  mesh->materials = (trmi_solid_material *)trmi_arena_take(arena, 1, draft->materials.used);
  if (arena->failed || !sort_nodes(&f) || !sort_elements(&f) || !make_elements(&f)) return false;
  keep_nodes(&f);
  mesh->last_number = f.nnodes > 0 ? f.nodes[f.nnodes - 1].number : 0;
  return make_sets(&f) && make_materials(&f);
}

/* ---- questions ------------------------------------------------------------------------------ */

static bool is_same(const char *a, const char *b, bool with_case) {
  for (; *a != '\0' && *b != '\0'; a++, b++) {
    const int p = with_case ? *a : toupper((unsigned char)*a);
    const int q = with_case ? *b : toupper((unsigned char)*b);
    if (p != q) return false;
  }
  return *a == *b;
}

const trmi_solid_set *trmi_solid_mesh_set(const trmi_solid_mesh *mesh, const char *name,
                                          bool of_elements) {
  for (int with_case = 1; with_case >= 0; with_case--) {
    for (int i = 0; i < mesh->nsets; i++) {
      const trmi_solid_set *set = &mesh->sets[i];
      if (set->of_elements == of_elements && is_same(set->name, name, with_case != 0)) return set;
    }
  }
  return NULL;
}

int trmi_solid_mesh_node(const trmi_solid_mesh *mesh, int number) {
  const int *found = bsearch(&number, mesh->number, (size_t)trmi_solid_mesh_places(mesh),
                             sizeof number, compare_ints);
  return found != NULL ? (int)(found - mesh->number) : -1;
}
