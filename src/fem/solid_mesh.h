/* solid_mesh.h - meshes of solid elements: nodes, elements, sets, materials.
 *
 * Readers (io/) and generators (solid_grid.c) fill a draft with the numbers that the user gave;
 * trmi_solid_mesh_finish checks it and makes a mesh in which nodes and elements count from 0. Nodes
 * of an element are in the order of Abaqus and CalculiX: corners, then the middles of the edges of
 * solid_shapes.c. */
#ifndef TRMI_SOLID_MESH_H
#define TRMI_SOLID_MESH_H
#include "core/arena.h"
#include "core/buffer.h"

typedef enum trmi_solid_type {
  TRMI_C3D4,   /* tetrahedron  */
  TRMI_C3D10,
  TRMI_C3D8I,  /* hexahedron with incompatible modes */
  TRMI_C3D20,
  TRMI_C3D20R, /* with reduced integration */
  TRMI_C3D6,   /* wedge */
  TRMI_C3D15,
  TRMI_SOLID_TYPES
} trmi_solid_type;

enum { TRMI_SOLID_NODES_MAX = 20, TRMI_SOLID_NAME = 64, TRMI_SOLID_FAULT = 256 };

/* Isotropic; NaN: not given. */
typedef struct trmi_solid_material {
  char   name[TRMI_SOLID_NAME];
  double E, nu, density;
  double expansion; /* by heat, per unit of temperature */
} trmi_solid_material;

typedef struct trmi_solid_element {
  trmi_solid_type type;
  int number;   /* of the file */
  int first;    /* of its nodes in `connections` */
  int material; /* number in `materials`, or -1 */
} trmi_solid_element;

/* Nodes or elements by name. */
typedef struct trmi_solid_set {
  char name[TRMI_SOLID_NAME];
  bool of_elements;
  int  count;
  int *list; /* each once, ascending */
} trmi_solid_set;

typedef struct trmi_solid_mesh {
  int     nnodes;
  double *x;      /* [nnodes 3] */
  int    *number; /* of the file, ascending but for those of rotations [nnodes] */
  int     last_number; /* largest one of a node of the file, of those without elements too */
  int     nturning; /* the last so many are no nodes, but the rotations of nodes: of matrices */
  int    *turning;  /* these nodes [nturning] */
  int     nelements, nconnections;
  trmi_solid_element *elements;
  int    *connections; /* nodes of all elements, from 0 */
  int     nsets;
  trmi_solid_set *sets;
  int     nmaterials;
  trmi_solid_material *materials;
} trmi_solid_mesh;

/* Data found so far by a reader; all lists grow. */
typedef struct trmi_solid_draft {
  trmi_buffer nodes, elements, connections, sets, members, materials, sections;
  trmi_buffer notes;    /* sentences about omitted or replaced data, one per line */
} trmi_solid_draft;

void trmi_solid_draft_init(trmi_solid_draft *draft, const trm_allocator *allocator);
void trmi_solid_draft_free(trmi_solid_draft *draft);
void trmi_solid_draft_shed(trmi_solid_draft *draft); /* of its mesh: all but the notes */
bool trmi_solid_draft_failed(const trmi_solid_draft *draft); /* memory ran out */

/* `line` is where it was found, 0: nowhere. */
void trmi_draft_node(trmi_solid_draft *draft, int number, const double x[3], int line);
/* An element with the nodes of its type, by their numbers; it joins `set` unless that is -1. */
void trmi_draft_element(trmi_solid_draft *draft, trmi_solid_type type, int number,
                        const int *nodes, int set, int line);
/* The set of that name, a new one if there is none; -1: memory ran out. */
int trmi_draft_set(trmi_solid_draft *draft, const char *name, bool of_elements);
void trmi_draft_member(trmi_solid_draft *draft, int set, int number);
/* first, first + step .. last, as far as they exist; step > 0. */
void trmi_draft_members(trmi_solid_draft *draft, int set, int first, int last, int step);
/* The members that `from` has at the end. */
void trmi_draft_subset(trmi_solid_draft *draft, int set, int from);
/* The material of that name, a new one if there is none; -1: memory ran out. */
int trmi_draft_material(trmi_solid_draft *draft, const char *name);
trmi_solid_material *trmi_draft_material_at(trmi_solid_draft *draft, int material);
/* Elements of a set are made of a material. */
void trmi_draft_section(trmi_solid_draft *draft, int set, int material);

/* Numbers of nodes become places in a list. Nodes that no element has are left out.
 * @param fault  receives a sentence with numbers of the file and its line
 * @return false: see `fault`, or memory ran out (arena->failed) */
bool trmi_solid_mesh_finish(const trmi_solid_draft *draft, trmi_arena *arena,
                            trmi_solid_mesh *mesh, char fault[TRMI_SOLID_FAULT]);

/* A set by name, as written or else without regard to case; NULL: none. */
const trmi_solid_set *trmi_solid_mesh_set(const trmi_solid_mesh *mesh, const char *name,
                                          bool of_elements);

/* Nodes that are places. */
static inline int trmi_solid_mesh_places(const trmi_solid_mesh *mesh) {
  return mesh->nnodes - mesh->nturning;
}

/* Place of the node with a number of the file, or -1. */
int trmi_solid_mesh_node(const trmi_solid_mesh *mesh, int number);

#endif
