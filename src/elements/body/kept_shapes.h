/* kept_shapes.h - data computed from shapes once, and kept when numbers of a model are read
 * again. */
#ifndef TRMI_KEPT_SHAPES_H
#define TRMI_KEPT_SHAPES_H
#include "elements/body/outline.h"
#include "elements/body/shape.h"
#include "elements/body/surface.h"
#include "elements/body/terrain.h"
#include "parts/part.h"

typedef enum trmi_kept_kind {
  TRMI_KEPT_VOLUME,  /* of a mesh of scale one, so that its file is read once       */
  TRMI_KEPT_OUTLINE, /* of a profile                                                */
  TRMI_KEPT_TERRAIN,
  TRMI_KEPT_SURFACE  /* of triangles, of length one as in its file                  */
} trmi_kept_kind;

/* One of a list. */
typedef struct trmi_kept_shape trmi_kept_shape;
struct trmi_kept_shape {
  const trmi_part *part;
  trmi_kept_kind   kind;
  union {
    trmi_volume  volume;
    trmi_outline outline;
    trmi_terrain terrain;
    trmi_surface surface;
  };
  trmi_kept_shape *next;
};

#endif
