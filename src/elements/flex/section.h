/* section.h - constants of the cross-section of a beam from its shape, and stress at its points.
 *
 * Axes y and z of the section, origin at its centroid. Shear stress is that of Saint-Venant without
 * lateral contraction (section.c), for which the shear centre does not depend on the material. */
#ifndef TRMI_SECTION_H
#define TRMI_SECTION_H
#include "parts/part.h"

typedef enum trmi_section_shape {
  TRMI_SECTION_RECTANGLE, /* width along y, height along z                              */
  TRMI_SECTION_ELLIPSE,   /* width, height                                              */
  TRMI_SECTION_TUBE,      /* round: outer diameter, inner diameter                      */
  TRMI_SECTION_BOX,       /* rectangular tube: width, height, wall                      */
  TRMI_SECTION_I,         /* width of the flanges, height, thickness of web and flanges */
  TRMI_SECTION_CHANNEL,   /* likewise; the web is at the side of negative y             */
  TRMI_SECTION_POLYGON    /* corners                                                    */
} trmi_section_shape;

enum { TRMI_SECTION_FAULT = 160, TRMI_SECTION_CORNERS = 200 };

typedef struct trmi_section_def {
  trmi_section_shape shape;
  double             size[4];
  const double      *corners; /* (y, z) of a polygon, either way around */
  int                ncorners;
} trmi_section_def;

/* A point of the outline. shear[k]: (xy, xz) by a unit torque, a unit force along y, along z, both
 * through the shear centre. */
typedef struct trmi_section_point {
  double y, z;
  double shear[3][2];
} trmi_section_point;

typedef struct trmi_section {
  double area, Iy, Iz, Iyz;  /* integrals of 1, z^2, y^2, y z                               */
  double J;                  /* torsion constant                                            */
  double centre[2];          /* shear centre                                                */
  double sheared[3];         /* area that carries shear: yy, zz, yz of a symmetric matrix   */
  int                 npoints;
  trmi_section_point *points; /* where stress can be largest; convex corners and middles of edges */
} trmi_section;

/* @param fault  a sentence about the shape
 * @return false: see `fault`, or memory ran out (arena->failed) */
bool trmi_section_make(const trmi_section_def *def, trmi_arena *arena, trmi_section *out,
                       char fault[TRMI_SECTION_FAULT]);

/* The section that the keys `section` give. E and G must be given, area .. shear_z must not
 * (read_section.c). @return as above */
bool trmi_read_section(const trmi_part *part, trmi_arena *arena, trmi_section *out,
                       char fault[TRMI_SECTION_FAULT]);

/* Stiffness for (Gamma, kappa) at the centroid, as in trmi_beam_section. */
void trmi_section_stiffness(const trmi_section *section, double E, double G, double D[36]);

/* Normal stress and shear (xx, xy, xz) at a point by section loads (force, moment) at the
 * centroid. */
void trmi_section_stress(const trmi_section *section, int point, const double loads[6],
                         double stress[3]);

/* A section bounded by straight edges: closed loops of corners (y, z), the first counterclockwise,
 * a hole clockwise (section_field.c). */
typedef struct trmi_section_outline {
  int           nloops;
  int           count[2];
  const double *corners[2];
} trmi_section_outline;

bool trmi_section_solve(const trmi_section_outline *outline, trmi_arena *arena, trmi_section *out);

#endif
