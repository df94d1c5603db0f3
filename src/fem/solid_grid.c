/* solid_grid.c - meshes made by the program: a block of cells, bent to a shape.
 *
 * Nodes lie on a lattice with one step to a cell, or two where edges have middle nodes; lattice
 * points that no element uses are not made. With u, v, w in 0 .. 1 along the lattice:
 *   box   (u, v, w) times the edges                                                   (1)
 *   rod   p = (2v - 1, 2w - 1), s = max|p|: (y, z) = radius p (1 - s + s s/|p|), which is a circle
 *         where s = 1 and a square near the axis                                      (2)
 *   tube  radius inner + v (outer - inner), angle 2 pi w, closed around               (3)
 *   frame lines of the lattice at the outer and inner faces of all tubes; cells inside a tube, and
 *         between rails and cross members, are left out                               (4) */
#include "fem/solid_grid.h"
#include "fem/solid_shapes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct lattice {
  const trmi_grid_def *def;
  trmi_solid_draft    *draft;
  int step;    /* lattice points to a cell */
  int cells[3], points[3];
  bool is_closed; /* the last of direction 2 are the first */
} lattice;

static const int cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

/* Corners of a cell that each of its elements has. */
static const int whole[1][8] = {{0, 1, 2, 3, 4, 5, 6, 7}};
static const int wedges[2][8] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
static const int tetrahedra[6][8] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                     {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

static int split(int corners, const int (**list)[8]) {
  *list = corners == 8 ? whole : corners == 6 ? wedges : tetrahedra;
  return corners == 8 ? 1 : corners == 6 ? 2 : 6;
}

static int number_of(const lattice *l, const int at[3]) {
  const int k = l->is_closed ? at[2] % l->points[2] : at[2];
  return 1 + at[0] + l->points[0] * (at[1] + l->points[1] * k);
}

/* ---- frames ---------------------------------------------------------------------------------- */

enum { TUBE = 3 }; /* cells across a tube: wall, hollow, wall */

/* Place across a tube, `cell` in 0 .. 3. */
static double across(double cell, double outer, double wall) {
  if (cell <= 1.0) return cell * wall;
  if (cell <= 2.0) return wall + (cell - 1.0) * (outer - 2.0 * wall);
  return outer - (3.0 - cell) * wall;
}

/* (4), `cell` counts cells along each direction */
static void place_in_frame(const trmi_grid_def *def, const double cell[3], double x[3]) {
  const double *tube = def->tube;
  const int bays = def->cells[0], along = def->cells[1], between = def->cells[2];
  const double bay = (def->size[0] - (bays + 1) * tube[0]) / bays;
  const double gap = def->size[1] - 2.0 * tube[0];
  const double member = fmin(floor(cell[0] / (TUBE + along)), bays);
  const double rest = cell[0] - member * (TUBE + along), side = cell[1] - TUBE;
  x[0] = member * (tube[0] + bay);
  x[0] += rest <= TUBE ? across(rest, tube[0], tube[2]) : tube[0] + (rest - TUBE) * bay / along;
  x[1] = side <= 0.0 ? across(cell[1], tube[0], tube[2])
         : side <= between ? tube[0] + side * gap / between
                           : tube[0] + gap + across(side - between, tube[0], tube[2]);
  x[2] = across(cell[2], tube[1], tube[2]);
}

/* Is there material in a cell? */
static bool is_filled(const trmi_grid_def *def, const int cell[3]) {
  if (def->shape != TRMI_GRID_FRAME) return true;
  const int right = TUBE + def->cells[2], in_bay = cell[0] % (TUBE + def->cells[1]);
  if (cell[1] < TUBE || cell[1] >= right) { /* a rail */
    return cell[2] != 1 || (cell[1] != 1 && cell[1] != right + 1);
  }
  return in_bay < TUBE && (cell[2] != 1 || in_bay != 1);
}

/* ---- nodes and elements ---------------------------------------------------------------------- */

/* (1) to (3) */
static void place(const trmi_grid_def *def, const double u[3], double x[3]) {
  const double pi = 3.14159265358979323846;
  x[0] = u[0] * def->size[0];
  if (def->shape == TRMI_GRID_BOX) {
    x[1] = u[1] * def->size[1];
    x[2] = u[2] * def->size[2];
  } else if (def->shape == TRMI_GRID_ROD) {
    const double p[2] = {2.0 * u[1] - 1.0, 2.0 * u[2] - 1.0}, length = hypot(p[0], p[1]);
    const double s = fmax(fabs(p[0]), fabs(p[1]));
    const double scale = length > 0.0 ? 0.5 * def->size[1] * (1.0 - s + s * s / length) : 0.0;
    x[1] = scale * p[0];
    x[2] = scale * p[1];
  } else {
    const double radius = 0.5 * (def->size[2] + u[1] * (def->size[1] - def->size[2]));
    x[1] = radius * cos(2.0 * pi * u[2]);
    x[2] = radius * sin(2.0 * pi * u[2]);
  }
}

static void add_nodes(const lattice *l) {
  static const char *const faces[3][2] = {{"XMIN", "XMAX"}, {"YMIN", "YMAX"}, {"ZMIN", "ZMAX"}};
  const int directions = l->def->shape == TRMI_GRID_BOX ? 3 : 1;
  int sets[3][2];
  for (int d = 0; d < directions; d++) {
    for (int end = 0; end < 2; end++) {
      sets[d][end] = trmi_draft_set(l->draft, faces[d][end], false);
    }
  }
  int at[3];
  for (at[2] = 0; at[2] < l->points[2]; at[2]++) {
    for (at[1] = 0; at[1] < l->points[1]; at[1]++) {
      for (at[0] = 0; at[0] < l->points[0]; at[0]++) {
        const int number = number_of(l, at);
        const bool is_frame = l->def->shape == TRMI_GRID_FRAME;
        double u[3], x[3];
        for (int d = 0; d < 3; d++) {
          u[d] = (double)at[d] / (is_frame ? l->step : l->step * l->cells[d]);
        }
        if (is_frame) place_in_frame(l->def, u, x);
        else place(l->def, u, x);
        trmi_draft_node(l->draft, number, x, 0);
        for (int d = 0; d < directions; d++) {
          if (at[d] == 0) trmi_draft_member(l->draft, sets[d][0], number);
          if (at[d] == l->points[d] - 1) trmi_draft_member(l->draft, sets[d][1], number);
        }
      }
    }
  }
}

static void add_cell(const lattice *l, const int cell[3], int set, int *count) {
  const trmi_solid_info *info = &trmi_solid_infos[l->def->type];
  const int(*list)[8];
  const int elements = split(info->corners, &list);
  for (int e = 0; e < elements; e++) {
    int at[TRMI_SOLID_NODES_MAX][3], nodes[TRMI_SOLID_NODES_MAX];
    for (int k = 0; k < info->corners; k++) {
      for (int d = 0; d < 3; d++) at[k][d] = l->step * (cell[d] + cube[list[e][k]][d]);
    }
    for (int k = info->corners; k < info->nodes; k++) {
      const int *edge = info->edges[k - info->corners];
      for (int d = 0; d < 3; d++) at[k][d] = (at[edge[0]][d] + at[edge[1]][d]) / 2;
    }
    for (int k = 0; k < info->nodes; k++) nodes[k] = number_of(l, at[k]);
    trmi_draft_element(l->draft, l->def->type, ++*count, nodes, set, 0);
  }
}

static bool check_frame(const trmi_grid_def *def, char fault[TRMI_SOLID_FAULT]) {
  const double *tube = def->tube;
  if (!(tube[2] > 0.0 && 2.0 * tube[2] < fmin(tube[0], tube[1]))) {
    snprintf(fault, TRMI_SOLID_FAULT, "two walls of %g do not fit into a tube of %g x %g", tube[2],
             tube[0], tube[1]);
    return false;
  }
  if (!((def->cells[0] + 1) * tube[0] < def->size[0] && 2.0 * tube[0] < def->size[1])) {
    snprintf(fault, TRMI_SOLID_FAULT, "%d cross members and two rails of width %g do not fit into "
             "a frame of %g x %g", def->cells[0] + 1, tube[0], def->size[0], def->size[1]);
    return false;
  }
  return true;
}

/* Cells of the lattice. */
static void count_cells(const trmi_grid_def *def, double cells[3]) {
  for (int d = 0; d < 3; d++) cells[d] = def->cells[d];
  if (def->shape != TRMI_GRID_FRAME) return;
  cells[0] = TUBE + (double)def->cells[0] * (TUBE + (double)def->cells[1]);
  cells[1] = def->cells[2] + 2.0 * TUBE;
  cells[2] = TUBE;
}

static bool check(const trmi_grid_def *def, int step, char fault[TRMI_SOLID_FAULT]) {
  const int least[3] = {1, 1, def->shape == TRMI_GRID_TUBE ? 3 : 1};
  const int sizes = def->shape == TRMI_GRID_ROD || def->shape == TRMI_GRID_FRAME ? 2 : 3;
  double points = 1.0, cells[3];
  count_cells(def, cells);
  for (int d = 0; d < 3; d++) {
    if (def->cells[d] < least[d]) {
      snprintf(fault, TRMI_SOLID_FAULT, "%d cells in direction %d: at least %d are needed",
               def->cells[d], d + 1, least[d]);
      return false;
    }
    points *= step * cells[d] + 1.0;
    if (d < sizes && !(def->size[d] > 0.0 && isfinite(def->size[d]))) {
      snprintf(fault, TRMI_SOLID_FAULT, "size %d is %g: it must be positive", d + 1, def->size[d]);
      return false;
    }
  }
  if (def->shape == TRMI_GRID_TUBE && !(def->size[1] > def->size[2])) {
    snprintf(fault, TRMI_SOLID_FAULT, "the outer diameter %g must be larger than the inner one %g",
             def->size[1], def->size[2]);
    return false;
  }
  if (points > TRMI_GRID_NODES_MAX) {
    snprintf(fault, TRMI_SOLID_FAULT, "%d x %d x %d cells are too many", def->cells[0],
             def->cells[1], def->cells[2]);
    return false;
  }
  return def->shape != TRMI_GRID_FRAME || check_frame(def, fault);
}

bool trmi_solid_grid(const trmi_grid_def *def, trmi_solid_draft *draft,
                     char fault[TRMI_SOLID_FAULT]) {
  lattice l = {.def = def, .draft = draft, .is_closed = def->shape == TRMI_GRID_TUBE,
               .step = trmi_solid_infos[def->type].edges != NULL ? 2 : 1};
  if (!check(def, l.step, fault)) return false;
  double cells[3];
  count_cells(def, cells);
  for (int d = 0; d < 3; d++) {
    l.cells[d] = (int)cells[d];
    l.points[d] = l.step * l.cells[d] + 1;
  }
  if (l.is_closed) l.points[2]--;
  add_nodes(&l);
  const int all = trmi_draft_set(draft, "ALL", true);
  int cell[3], count = 0;
  for (cell[2] = 0; cell[2] < l.cells[2]; cell[2]++) {
    for (cell[1] = 0; cell[1] < l.cells[1]; cell[1]++) {
      for (cell[0] = 0; cell[0] < l.cells[0]; cell[0]++) {
        if (is_filled(def, cell)) add_cell(&l, cell, all, &count);
      }
    }
  }
  return true;
}
