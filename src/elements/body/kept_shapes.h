/* kept_shapes.h - what is made of shapes once, and stays when numbers of a model are read again. */
#ifndef TRMI_KEPT_SHAPES_H
#define TRMI_KEPT_SHAPES_H
#include "elements/body/outline.h"
#include "elements/body/shape.h"
#include "elements/body/surface.h"
#include "elements/body/terrain.h"
#include "parts/part.h"

/* Volume of a mesh of scale one, so that its file is read once. */
typedef struct trmi_mesh_volume trmi_mesh_volume;
struct trmi_mesh_volume {
  const trmi_part  *part;
  trmi_volume       volume;
  trmi_mesh_volume *next;
};

/* The outline of a profile, made once. */
typedef struct trmi_kept_outline trmi_kept_outline;
struct trmi_kept_outline {
  const trmi_part   *part;
  trmi_outline       outline;
  trmi_kept_outline *next;
};

/* A terrain, made once. */
typedef struct trmi_kept_terrain trmi_kept_terrain;
struct trmi_kept_terrain {
  const trmi_part   *part;
  trmi_terrain       terrain;
  trmi_kept_terrain *next;
};

/* A surface of triangles, made once; of length one as in its file. */
typedef struct trmi_kept_surface trmi_kept_surface;
struct trmi_kept_surface {
  const trmi_part   *part;
  trmi_surface       surface;
  trmi_kept_surface *next;
};

#endif
