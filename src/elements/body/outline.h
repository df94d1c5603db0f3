/* outline.h - closed lines in a plane made of straight pieces and arcs: checks, area, volume when
 * extruded, features that may touch others. Equations: heads of outline.c, outline_nearest.c,
 * outline_feet.c. */
#ifndef TRMI_OUTLINE_H
#define TRMI_OUTLINE_H
#include "core/arena.h"
#include "elements/body/shape.h"

/* From a to b, counterclockwise around the inside. */
typedef struct trmi_outline_piece {
  double a[2], b[2];
  double radius;           /* of an arc; negative: its centre is outside; 0: a line */
  double centre[2];        /* of an arc                                             */
  double normal[2][2];     /* outward, at a and at b                                */
} trmi_outline_piece;

typedef struct trmi_outline_feet trmi_outline_feet;

typedef struct trmi_outline {
  const trmi_outline_piece *pieces;
  int    count;
  double reach;    /* largest distance from the origin                              */
  double hollow;   /* smallest radius of the arcs whose centre is outside; infinite */
  int    copies;   /* equal parts of count/copies pieces around the origin          */
  double first;    /* angle at which the first of them begins                       */
  const trmi_outline_feet *feet; /* by trmi_outline_find_feet; NULL: not computed   */
} trmi_outline;

/* A part of the interior. */
typedef struct trmi_outline_rim {
  double       middle[2];
  trmi_outline region; /* relative to that origin; its reach is the size of the part */
} trmi_outline_rim;

/* A straight piece. */
typedef struct trmi_outline_side {
  double middle[2], along[2]; /* along: unit vector */
  double half;                /* length             */
} trmi_outline_side;

/* Features of an outline that meet other shapes. */
struct trmi_outline_feet {
  double           (*corners)[2]; /* where adjacent pieces are not tangent */
  trmi_outline_rim  *rims;    /* convex: successive arcs without a corner, and the chord between
                                 their ends unless they are the whole outline */
  trmi_outline_rim  *hollows; /* thin layers behind hollow arcs         */
  trmi_outline_side *sides;
  trmi_outline_rim   all;     /* the whole interior                     */
  int                ncorners, nrims, nhollows, nsides;
};

enum { TRMI_OUTLINE_FAULT = 200 };

/* An outline from rows x, y, radius: of the arc to the next point; 0: a line; negative: hollow.
 * @param copies the rows consist of equal parts, each rotated by 2 pi/copies relative to the
 * previous one
 * @param pieces  room for `count`; they belong to the outline
 * @return false: `fault` has a sentence */
bool trmi_outline_make(const double *rows, int count, int copies, trmi_outline_piece *pieces,
                       trmi_outline *out, char fault[TRMI_OUTLINE_FAULT]);

/* outline_feet.c: finds them.
 * @return false: memory ran out */
bool trmi_outline_find_feet(trmi_outline *outline, trmi_arena *arena);

/* The point of an arc at a fraction of its angle, 0 to 1. */
void trmi_outline_place(const trmi_outline_piece *arc, double part, double at[2]);

/* The nearest point of an outline. */
typedef struct trmi_outline_near {
  double d, n[2], H[3]; /* distance, inside negative; its gradient and Hessian: xx, xy, yy */
  int    piece;         /* on which it lies, or at whose start there is a corner           */
} trmi_outline_near;

/* outline_nearest.c */
trmi_outline_near trmi_outline_nearest(const trmi_outline *outline, const double p[2]);

/* Rows of all copies from those of one, `count` of them; `all` has room for copies*count. */
void trmi_outline_copy(const double *rows, int count, int copies, double *all);

/* Extruded by `height`, half of it above and below z = 0. */
trmi_volume trmi_volume_outline(const trmi_outline *outline, double height);

#endif
