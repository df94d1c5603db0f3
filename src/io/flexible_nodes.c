/* flexible_nodes.c - nodes of a mesh by a set, by numbers or by geometry. */
#include "io/flexible_nodes.h"
#include "math/vec.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Diagonal of the box around the mesh. */
static double size_of(const trmi_solid_mesh *mesh) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < 3 * trmi_solid_mesh_places(mesh); i++) {
    low[i % 3] = fmin(low[i % 3], mesh->x[i]);
    high[i % 3] = fmax(high[i % 3], mesh->x[i]);
  }
  return v3_norm(v3_sub(v3_load(high), v3_load(low)));
}

/* Distance from a plane, a box, or the side of a cylinder between its ends. */
static double distance_from(const trmi_node_selection *one, trmi_vec3 x) {
  const trmi_vec3 from = v3_load(one->from), to = v3_load(one->to), r = v3_sub(x, from);
  if (one->choice == TRMI_NODES_PLANE) return fabs(v3_dot(r, to)) / v3_norm(to);
  if (one->choice == TRMI_NODES_BOX) {
    const trmi_vec3 beyond = v3_sub(x, to);
    const double off = fmax(fmax(-r.x, beyond.x), fmax(fmax(-r.y, beyond.y),
                                                       fmax(-r.z, beyond.z)));
    return fmax(off, 0.0);
  }
  const trmi_vec3 axis = v3_sub(to, from);
  const double length = v3_norm(axis), along = v3_dot(r, axis) / length;
  const trmi_vec3 across = v3_sub(r, v3_scale(along / length, axis));
  return fmax(fabs(v3_norm(across) - one->radius), fmax(-along, along - length));
}

/* Nodes by geometry; false: there is none. */
static bool take_near(trmi_node_request *r) {
  const trmi_node_selection *one = r->of;
  const trmi_solid_mesh *mesh = r->mesh;
  double tolerance = one->choice == TRMI_NODES_CYLINDER ? 0.02 * one->radius
                                                        : 1e-5 * size_of(mesh);
  double least = INFINITY;
  int nearest = 0;
  if (isfinite(one->tolerance)) tolerance = one->tolerance;
  for (int i = 0; i < trmi_solid_mesh_places(mesh); i++) {
    const double distance = distance_from(one, v3_load(mesh->x + 3 * i));
    if (distance <= tolerance) r->nodes[r->count++] = i;
    if (distance < least) least = distance, nearest = i;
  }
  if (r->count > 0) return true;
  snprintf(r->fault, TRMI_FLEXIBLE_FAULT, "%s '%.60s': no node is within %.3g of its %s; the "
           "nearest, node %d, is %.3g away", r->sort, r->name, tolerance,
           one->choice == TRMI_NODES_PLANE ? "plane"
           : one->choice == TRMI_NODES_BOX ? "box" : "cylinder",
           mesh->number[nearest], least);
  return false;
}

/* Nodes by their numbers; false: there is no such node. */
static bool take_numbers(trmi_node_request *r) {
  for (int i = 0; i < r->of->nnumbers; i++) {
    const double number = r->of->numbers[i];
    const int node = fabs(number) < INT_MAX ? trmi_solid_mesh_node(r->mesh, (int)number) : -1;
    if (node < 0 || number != (int)number) {
      snprintf(r->fault, TRMI_FLEXIBLE_FAULT, "%s '%.60s': the mesh has no node %.17g", r->sort,
               r->name, number);
      return false;
    }
    r->nodes[r->count++] = node;
  }
  return true;
}

static bool take_set(trmi_node_request *r) {
  const trmi_solid_mesh *mesh = r->mesh;
  const trmi_solid_set *set = trmi_solid_mesh_set(mesh, r->of->set, false);
  if (set == NULL) {
    size_t used = (size_t)snprintf(r->fault, TRMI_FLEXIBLE_FAULT, "%s '%.60s': the mesh has no "
                                   "node set '%.60s'; it has", r->sort, r->name, r->of->set);
    const size_t bare = used;
    for (int i = 0; i < mesh->nsets && used < TRMI_FLEXIBLE_FAULT - 80; i++) {
      if (mesh->sets[i].of_elements) continue;
      used += (size_t)snprintf(r->fault + used, TRMI_FLEXIBLE_FAULT - used, "%s %s",
                               used > bare ? "," : "", mesh->sets[i].name);
    }
    if (used == bare) snprintf(r->fault + used, TRMI_FLEXIBLE_FAULT - used, " none");
    return false;
  }
  memcpy(r->nodes, set->list, (size_t)set->count * sizeof *r->nodes);
  r->count = set->count;
  return true;
}

bool trmi_flexible_nodes(trmi_node_request *request, trmi_arena *scratch) {
  const int given = request->of->nnumbers, all = request->mesh->nnodes;
  request->count = 0;
  request->nodes = TRMI_TAKE(scratch, int, given > all ? given : all);
  if (request->nodes == NULL) return false;
  if (request->of->choice == TRMI_NODES_SET) return take_set(request);
  return request->of->choice == TRMI_NODES_NUMBERS ? take_numbers(request) : take_near(request);
}
