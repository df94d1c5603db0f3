/* outline.h - closed lines in a plane made of straight pieces and arcs: checks, area, volume when
 * extruded. Equations: head of outline.c. */
#ifndef TRMI_OUTLINE_H
#define TRMI_OUTLINE_H
#include "elements/body/shape.h"

/* From a to b, counterclockwise around the inside. */
typedef struct trmi_outline_piece {
  double a[2], b[2];
  double radius;           /* of an arc; negative: its centre is outside; 0: a line */
  double centre[2];        /* of an arc                                             */
  double normal[2][2];     /* outward, at a and at b                                */
} trmi_outline_piece;

typedef struct trmi_outline {
  const trmi_outline_piece *pieces;
  int    count;
  double reach;    /* largest distance from the origin                              */
  double hollow;   /* smallest radius of the arcs whose centre is outside; infinite */
  int    copies;   /* equal parts of count/copies pieces around the origin          */
  double first;    /* angle at which the first of them begins                       */
} trmi_outline;

enum { TRMI_OUTLINE_FAULT = 200 };

/* An outline from rows x, y, radius: of the arc to the next point; 0: a line; negative: hollow.
 * @param copies  of equal parts, each turned by 2 pi/copies against the one before, make the rows
 * @param pieces  room for `count`; they belong to the outline
 * @return false: `fault` has a sentence */
bool trmi_outline_make(const double *rows, int count, int copies, trmi_outline_piece *pieces,
                       trmi_outline *out, char fault[TRMI_OUTLINE_FAULT]);

/* Rows of all copies from those of one, `count` of them; `all` has room for copies*count. */
void trmi_outline_copy(const double *rows, int count, int copies, double *all);

/* Extruded by `height`, half of it above and below z = 0. */
trmi_volume trmi_volume_outline(const trmi_outline *outline, double height);

#endif
