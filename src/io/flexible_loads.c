/* flexible_loads.c - distributed loads of a definition as forces on its mesh. */
#include "io/flexible_loads.h"
#include "io/flexible_nodes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct work {
  const trmi_solid_mesh *mesh;
  trmi_arena *scratch;
  char       *fault;
} work;

static bool press(const work *w, const trmi_flexible_load *from, bool *on, trmi_solid_load *load) {
  trmi_node_request request = {.mesh = w->mesh, .sort = "load", .name = from->name,
                               .of = &from->nodes, .fault = w->fault};
  if (!trmi_flexible_nodes(&request, w->scratch)) return false;
  for (int i = 0; i < request.count; i++) on[request.nodes[i]] = true;
  const int faces = trmi_solid_press(w->mesh, load, w->scratch);
  if (faces != 0) return faces > 0;
  snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "load '%.60s': none of the faces of the mesh has all its "
           "nodes among the %d that are chosen", from->name, request.count);
  return false;
}

/* Elements of a set, or all. */
static bool choose_elements(const work *w, const trmi_flexible_load *from, bool *on) {
  if (from->elements == NULL) {
    for (int e = 0; e < w->mesh->nelements; e++) on[e] = true;
    return true;
  }
  const trmi_solid_set *set = trmi_solid_mesh_set(w->mesh, from->elements, true);
  for (int i = 0; set != NULL && i < set->count; i++) on[set->list[i]] = true;
  if (set != NULL) return true;
  snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "load '%.60s': the mesh has no element set '%.60s'",
           from->name, from->elements);
  return false;
}

static bool heat(const work *w, const trmi_flexible_load *from, bool *on, trmi_solid_load *load) {
  trmi_solid_tables *tables = TRMI_TAKE(w->scratch, trmi_solid_tables, TRMI_SOLID_TYPES);
  if (tables == NULL || !choose_elements(w, from, on)) return false;
  for (int e = 0; e < w->mesh->nelements; e++) {
    const trmi_solid_element *element = &w->mesh->elements[e];
    if (!on[e] || isfinite(w->mesh->materials[element->material].expansion)) continue;
    snprintf(w->fault, TRMI_FLEXIBLE_FAULT, "load '%.60s' heats element %d, whose material has no "
             "`expansion`", from->name, element->number);
    return false;
  }
  for (int t = 0; t < TRMI_SOLID_TYPES; t++) {
    trmi_solid_tables_make((trmi_solid_type)t, true, &tables[t]);
  }
  trmi_solid_heat(w->mesh, tables, load);
  return true;
}

const trmi_solid_load *trmi_flexible_loads(const trmi_flexible_def *def,
                                           const trmi_solid_mesh *mesh, trmi_arena *scratch,
                                           char *fault) {
  const work w = {.mesh = mesh, .scratch = scratch, .fault = fault};
  trmi_solid_load *list = TRMI_TAKE(scratch, trmi_solid_load, def->nloads + 1);
  if (list == NULL) return NULL;
  for (int i = 0; i < def->nloads; i++) {
    const trmi_flexible_load *from = &def->loads[i];
    bool *on = TRMI_TAKE(scratch, bool, from->is_heat ? mesh->nelements : mesh->nnodes);
    double *force = TRMI_TAKE(scratch, double, 3 * (size_t)mesh->nnodes);
    if (scratch->failed) return NULL;
    list[i] = (trmi_solid_load){.name = from->name, .is_heat = from->is_heat, .on = on,
                                .has_gradient = from->has_gradient, .force = force};
    memcpy(list[i].gradient, from->gradient, sizeof from->gradient);
    memcpy(list[i].at, from->at, sizeof from->at);
    if (!(from->is_heat ? heat : press)(&w, from, on, &list[i])) return NULL;
  }
  return list;
}
