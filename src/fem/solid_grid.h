/* solid_grid.h - meshes made by the program: a block of cells, bent to a shape. */
#ifndef TRMI_SOLID_GRID_H
#define TRMI_SOLID_GRID_H
#include "fem/solid_mesh.h"

typedef enum trmi_grid_shape {
  TRMI_GRID_BOX,  /* size: lengths of its edges; from the origin along x, y, z             */
  TRMI_GRID_ROD,  /* size: length along x, diameter; its axis begins at the origin         */
  TRMI_GRID_TUBE, /* size: length along x, outer and inner diameter                        */
  TRMI_GRID_FRAME /* size: length along x, width along y; two rails of rectangular tube along x
                     from the origin, joined by cross members of the same tube             */
} trmi_grid_shape;

typedef struct trmi_grid_def {
  trmi_grid_shape shape;
  trmi_solid_type type;
  double size[3];
  double tube[3];  /* frame: width, height along z, wall of its tubes */
  int    cells[3]; /* box, rod: along x, y, z; tube: along, across the wall, around; frame: bays
                      between cross members, along a bay, between the rails */
} trmi_grid_def;

enum { TRMI_GRID_NODES_MAX = 5000000 };

/* Elements and nodes, with the node sets XMIN, XMAX of the ends and, of a box, YMIN, YMAX, ZMIN,
 * ZMAX; the element set ALL. Tetrahedra: six to a cell, wedges: two.
 * @return false: a size or number is not possible, `fault` says which */
bool trmi_solid_grid(const trmi_grid_def *def, trmi_solid_draft *draft,
                     char fault[TRMI_SOLID_FAULT]);

#endif
