/* carrier.h - the table of the carriers of markers, shared by the contributors of one mechanism.
 *
 * Carrier 0 is the ground; each rigid body, point and node of a beam is one, and its markers move
 * with its own velocities: none, six (v, w in body axes) or three. A marker on a body with other
 * velocities, such as modes, is a carrier of its own that maps, (1) of assembly/map.h. Joints and
 * forces work with the six columns of a marker, which (2) there maps to those of the body.
 * Contributors of the rank TRMI_RANK_CARRIERS write poses and maps of theirs (`move`). */
#ifndef TRMI_CARRIER_H
#define TRMI_CARRIER_H
#include "assembly/map.h"
#include "elements/body/pose.h"
#include "core/arena.h"
#include "system/system.h"

typedef struct trmi_carrier {
  trmi_carrier_kind kind; /* columns of a marker on it                      */
  int             q, v; /* its first numbers, of the body if it maps; arbitrary for the ground */
  const trmi_map *map;  /* NULL: columns of a marker are its own velocities */
} trmi_carrier;

typedef struct trmi_carriers {
  int           count, size;
  trmi_carrier *list;
  trmi_pose    *poses; /* at the state of the last `move` */
} trmi_carriers;

/* A table with the ground and room for others, in an arena; NULL: out of memory. */
trmi_carriers *trmi_carriers_create(trmi_arena *arena, int others);
/* @return its number; there is room for it */
int trmi_carriers_add(trmi_carriers *c, trmi_carrier carrier);
/* A map of n velocities with room for its matrices; `self` and functions are to be set. */
trmi_map *trmi_map_create(trmi_arena *arena, int n);

/* ---- from columns of a marker to velocities of its carrier ----------------------------------- */

/* Number of velocities that move a marker. */
static inline int trmi_carrier_columns(const trmi_carrier *c) {
  return c->map != NULL ? c->map->n : (int)c->kind;
}

/* The largest number of velocities of a carrier that maps; 0: none does. */
int trmi_carriers_mapped_columns(const trmi_carriers *c);

/* A matrix in an array: entry (i, k) is at [width i + k]. */
typedef struct trmi_dense {
  double *at;
  int     width;
} trmi_dense;

/* out += A B with A of `rows` x 6 and B a part of the map; those of carriers that do not map are
 * the identity, and zero */
void trmi_carrier_right(const trmi_carrier *c, trmi_dense A, int rows, trmi_map_part part,
                        trmi_dense out);
/* out += J^T A with A of 6 x `cols` */
void trmi_carrier_left(const trmi_carrier *c, trmi_dense A, int cols, trmi_dense out);
/* The same without entries of two modes. */
void trmi_carrier_left_strong(const trmi_carrier *c, trmi_dense A, const trmi_arrow_parts *out);

/* out += factor d(J^T y)/dq; scratch [n n] */
void trmi_carrier_turned(const trmi_carrier *c, const double y[6], double factor, double *scratch,
                         trmi_dense out);
/* The same without entries of two modes, with the factor 1; scratch [6 n]. */
void trmi_carrier_turned_strong(const trmi_carrier *c, const double y[6], double *scratch,
                                const trmi_arrow_parts *out);

#endif
