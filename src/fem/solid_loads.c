/* solid_loads.c - distributed loads on a mesh as forces at its nodes.
 *
 * A face of an element is the image of a triangle or square (u, v), whose corners are corners of
 * the element: xi(u, v) in the parent element, x = sum N_a(xi) x_a. One unit of pressure has
 *   f_a = -int N_a (dx/du x dx/dv) du dv                                                   (1)
 * with dx/du = sum_a x_a (dN_a/dxi . dxi/du). Heat: (7) of solid_element.c. */
#include "fem/solid_loads.h"
#include "fem/solid_surface.h"
#include "math/vec.h"
#include <string.h>

/* ---- pressure -------------------------------------------------------------------------------- */

/* Corners of a face in the parent element, and places of all nodes. */
typedef struct face_map {
  int       corners;
  trmi_vec3 parent[4];
  int       n;          /* nodes of the element */
  double    x[3 * TRMI_SOLID_NODES_MAX];
} face_map;

/* xi and its derivatives by u and v. */
static void parent_at(const face_map *m, const double uv[4], trmi_vec3 *xi, trmi_vec3 d[2]) {
  const trmi_vec3 *p = m->parent;
  const double u = uv[0], v = uv[1];
  if (m->corners == 3) {
    d[0] = v3_sub(p[1], p[0]), d[1] = v3_sub(p[2], p[0]);
    *xi = v3_add(p[0], v3_add(v3_scale(u, d[0]), v3_scale(v, d[1])));
    return;
  }
  /* parent faces are parallelograms */
  d[0] = v3_scale(0.5, v3_sub(p[1], p[0])), d[1] = v3_scale(0.5, v3_sub(p[3], p[0]));
  *xi = v3_add(p[0], v3_add(v3_scale(u + 1.0, d[0]), v3_scale(v + 1.0, d[1])));
}

/* dx along a direction of the parent element */
static trmi_vec3 image(const face_map *m, const trmi_solid_shape *f, trmi_vec3 d) {
  trmi_vec3 out = v3(0, 0, 0);
  for (int a = 0; a < m->n; a++) {
    out = v3_add(out, v3_scale(v3_dot(v3_load(f->dN[a]), d), v3_load(m->x + 3 * a)));
  }
  return out;
}

/* (1) */
static void press_face(const trmi_solid_mesh *mesh, const trmi_solid_face *face,
                       const trmi_solid_rule *rule, double *force) {
  const trmi_solid_element *element = &mesh->elements[face->element];
  const int *nodes = mesh->connections + element->first;
  face_map m = {.corners = face->corners[3] >= 0 ? 4 : 3,
                .n = trmi_solid_infos[element->type].nodes};
  for (int k = 0; k < m.corners; k++) {
    double at[4];
    trmi_solid_node_at(element->type, face->corners[k], at);
    m.parent[k] = v3_load(at);
  }
  for (int a = 0; a < m.n; a++) memcpy(m.x + 3 * a, mesh->x + 3 * nodes[a], 3 * sizeof *m.x);
  for (int p = 0; p < rule->n; p++) {
    trmi_solid_shape f;
    trmi_vec3 xi, d[2];
    double at[4] = {0.0};
    parent_at(&m, rule->at[p], &xi, d);
    v3_store(at, xi);
    trmi_solid_infos[element->type].shape(at, &f);
    const trmi_vec3 area = v3_cross(image(&m, &f, d[0]), image(&m, &f, d[1]));
    for (int a = 0; a < m.n; a++) {
      v3_accumulate(force + 3 * nodes[a], v3_scale(-rule->at[p][3] * f.N[a], area));
    }
  }
}

/* Does a node of an element lie on a face of it? A middle node does if both its corners do. */
static bool is_on_face(const trmi_solid_info *info, const int *corners, int a) {
  if (a < info->corners) {
    for (int k = 0; k < 4; k++) {
      if (corners[k] == a) return true;
    }
    return false;
  }
  const int *edge = info->edges[a - info->corners];
  return is_on_face(info, corners, edge[0]) && is_on_face(info, corners, edge[1]);
}

static bool is_pressed(const trmi_solid_mesh *mesh, const trmi_solid_face *face, const bool *on) {
  const trmi_solid_element *element = &mesh->elements[face->element];
  const trmi_solid_info *info = &trmi_solid_infos[element->type];
  for (int a = 0; a < info->nodes; a++) {
    if (is_on_face(info, face->corners, a) && !on[mesh->connections[element->first + a]]) {
      return false;
    }
  }
  return true;
}

int trmi_solid_press(const trmi_solid_mesh *mesh, trmi_solid_load *load, trmi_arena *scratch) {
  trmi_solid_rule triangle, square;
  int count = 0, pressed = 0;
  const trmi_solid_face *faces = trmi_solid_faces(mesh, scratch, &count);
  if (faces == NULL) return -1;
  trmi_rule_triangle_6(&triangle);
  trmi_rule_square_9(&square);
  for (int i = 0; i < count; i++) {
    if (!is_pressed(mesh, &faces[i], load->on)) continue;
    press_face(mesh, &faces[i], faces[i].corners[3] >= 0 ? &square : &triangle, load->force);
    pressed++;
  }
  return pressed;
}

/* ---- heat ------------------------------------------------------------------------------------ */

void trmi_solid_heat_element(const trmi_solid_mesh *mesh, const trmi_solid_tables *tables,
                             const trmi_solid_load *load, int e, double *f, double *sigma) {
  const trmi_solid_element *element = &mesh->elements[e];
  const trmi_solid_tables *own = &tables[element->type];
  const int *nodes = mesh->connections + element->first;
  const int n = trmi_solid_infos[element->type].nodes, points = own->stiffness.n;
  double x[3 * TRMI_SOLID_NODES_MAX], rise[TRMI_SOLID_POINTS_MAX];
  memset(f, 0, (size_t)(3 * n) * sizeof *f);
  memset(sigma, 0, (size_t)(6 * points) * sizeof *sigma);
  if (!load->on[e]) return;
  for (int a = 0; a < n; a++) memcpy(x + 3 * a, mesh->x + 3 * nodes[a], 3 * sizeof *x);
  for (int p = 0; p < points; p++) {
    rise[p] = load->has_gradient ? 0.0 : 1.0;
    for (int a = 0; a < n && load->has_gradient; a++) {
      const trmi_vec3 r = v3_sub(v3_load(x + 3 * a), v3_load(load->at));
      rise[p] += own->at_stiffness[p].N[a] * v3_dot(v3_load(load->gradient), r);
    }
  }
  /* its stiffness was made: it is not inside out */
  (void)trmi_solid_element_heat(element->type, own, x, &mesh->materials[element->material], rise, f,
                                sigma);
}

void trmi_solid_heat(const trmi_solid_mesh *mesh, const trmi_solid_tables *tables,
                     trmi_solid_load *load) {
  double f[3 * TRMI_SOLID_NODES_MAX], sigma[6 * TRMI_SOLID_POINTS_MAX];
  for (int e = 0; e < mesh->nelements; e++) {
    const trmi_solid_element *element = &mesh->elements[e];
    const int *nodes = mesh->connections + element->first;
    if (!load->on[e]) continue;
    trmi_solid_heat_element(mesh, tables, load, e, f, sigma);
    for (int a = 0; a < trmi_solid_infos[element->type].nodes; a++) {
      v3_accumulate(load->force + 3 * nodes[a], v3_load(f + 3 * a));
    }
  }
}
