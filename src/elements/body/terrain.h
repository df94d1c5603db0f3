/* terrain.h - surfaces of heights over a rectangular grid. Equations: head of terrain.c. */
#ifndef TRMI_TERRAIN_H
#define TRMI_TERRAIN_H
#include <stdbool.h>

typedef struct trmi_terrain {
  const double *x, *y;         /* lines of the grid, ascending              [nx], [ny] */
  int           nx, ny;
  const double (*node)[4];     /* z, z_x, z_y, z_xy of each node, x first [nx ny]   */
  double        hollow, ridge; /* smallest radius of hollows, and of bulges */
} trmi_terrain;

/* Height at a point, first and second derivatives: xx, xy, yy. */
typedef struct trmi_height {
  double z, slope[2], bend[3];
} trmi_height;

enum { TRMI_TERRAIN_FAULT = 200 };

static inline int trmi_terrain_room(int count) {
  return 9 * count + 4;
}

/* A terrain from rows x, y, z in any order, one for each node of a grid.
 * @param room  for trmi_terrain_room numbers; they belong to the terrain
 * @return false: `fault` has a sentence */
bool trmi_terrain_make(const double *rows, int count, double *room, trmi_terrain *out,
                       char fault[TRMI_TERRAIN_FAULT]);

trmi_height trmi_terrain_at(const trmi_terrain *t, double x, double y);

#endif
