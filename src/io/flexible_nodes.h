/* flexible_nodes.h - nodes of a mesh by a set, by numbers or by geometry. */
#ifndef TRMI_FLEXIBLE_NODES_H
#define TRMI_FLEXIBLE_NODES_H
#include "core/arena.h"
#include "fem/flexible_mesh.h"

typedef struct trmi_node_request {
  const trmi_solid_mesh *mesh;
  const char *sort, *name; /* of their owner: "interface", "big" */
  const trmi_node_selection *of;
  char       *fault;       /* [TRMI_FLEXIBLE_FAULT] */
  int         count;       /* found */
  int        *nodes;
} trmi_node_request;

/* False: see `fault`, or memory ran out. */
bool trmi_flexible_nodes(trmi_node_request *request, trmi_arena *scratch);

#endif
