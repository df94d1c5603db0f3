/* flexible_remarks.c - remarks for the user of a flexible body: notes on its mesh, and violations
 * of linear strains by fast rotation or large displacements. */
#include "elements/elements.h"
#include "equations/remarks.h"
#include "fem/flexible_mesh.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parts of the mesh file omitted or replaced by its reader, and notes on its modes. */
static void remark_notes(trmi_mechanism *m, const char *object, const char *notes) {
  enum { SHOWN = 5 };
  char text[TRM_MESSAGE_MAX];
  int count = 0;
  for (const char *line = notes; *line != '\0'; count++) {
    const size_t length = strcspn(line, "\n");
    const bool is_of_modes = strncmp(line, "its modes:", 10) == 0;
    snprintf(text, sizeof text, "%s%.*s", is_of_modes ? "" : "of its mesh file: ",
             length < 250 ? (int)length : 250, line);
    if (count < SHOWN) trmi_remark_add(m->b, object, text);
    line += length + (line[length] == '\n' ? 1 : 0);
  }
  snprintf(text, sizeof text, "%d notes more on its mesh file: see 'trammel modal'",
           count - SHOWN);
  if (count > SHOWN) trmi_remark_add(m->b, object, text);
}

/* At the start, or later if it holds only then. */
static void doubt(trmi_mechanism *m, const char *object, const char *text, trmi_node condition) {
  trmi_remark_add_if(m->b, object, text, condition);
  trmi_remark_add_late(m->b, object, text, condition);
}

/* If the body rotates faster than a tenth of its first frequency, the missing stiffening by
 * centrifugal loads matters. */
static void doubt_speed(trmi_mechanism *m, const char *object, const trmi_flexible_part *body) {
  trmi_graph *g = &m->b->graph;
  const trmi_nodes3 w = trmi_input_nodes3(m->b, TRMI_IN_V, body->v + 3);
  const double limit = 0.01 * body->reduced->arrays.omega2[0];
  if (body->reduced->arrays.Kg != NULL) return;
  doubt(m, object, "it turns faster than a tenth of its first frequency: its strains are linear, "
        "and stiffening by centrifugal loads is missed; give `stiffening: full` in its modes, "
        "divide it into several bodies, or use a beam",
        trmi_sub(g, n3_dot(g, w, w), trmi_constant(g, limit)));
}

/* Modes that can deform the body so much: others are a hundred times as stiff as the first. */
static int soft_modes(const trmi_modal_arrays *arrays) {
  int count = 0;
  while (count < arrays->n && arrays->omega2[count] <= 100.0 * arrays->omega2[0]) count++;
  return count;
}

/* Square of the displacement by rows [3 n] within the frame, over `size`. */
static trmi_node displacement(trmi_mechanism *m, const trmi_flexible_part *body,
                              const double *rows, double size) {
  trmi_graph *g = &m->b->graph;
  const int n = body->reduced->arrays.n, soft = soft_modes(&body->reduced->arrays);
  trmi_node square = trmi_constant(g, 0.0);
  for (int k = 0; k < 3; k++) {
    trmi_node sum = trmi_constant(g, 0.0);
    for (int j = 0; j < soft; j++) {
      const trmi_node a = trmi_input_node(m->b, TRMI_IN_Q, body->q + 7 + j);
      sum = trmi_add(g, sum, trmi_mul(g, trmi_constant(g, rows[n * k + j] / size), a));
    }
    square = trmi_add(g, square, trmi_mul(g, sum, sum));
  }
  return square;
}

enum { EXTREMES = 6 };

/* The points of the surface farthest along x, y, z and back, each once. @return how many; diagonal
 * of the box around them all in `size` */
static int find_extremes(const trmi_stress_modes *s, int points[EXTREMES], double *size) {
  int count = 0;
  double square = 0.0;
  for (int k = 0; k < 3 && s->npoints > 0; k++) {
    int low = 0, high = 0;
    for (int p = 1; p < s->npoints; p++) {
      if (s->x[3 * p + k] < s->x[3 * low + k]) low = p;
      if (s->x[3 * p + k] > s->x[3 * high + k]) high = p;
    }
    const double length = s->x[3 * high + k] - s->x[3 * low + k];
    square += length * length;
    for (int end = 0; end < 2; end++) {
      const int one = end == 0 ? low : high;
      bool is_new = true;
      for (int i = 0; i < count; i++) is_new = is_new && points[i] != one;
      if (is_new) points[count++] = one;
    }
  }
  *size = sqrt(square);
  return count;
}

/* Strains are linear: the error of a displacement is of second order in its rotation. */
static void doubt_size(trmi_mechanism *m, const char *object, const trmi_flexible_part *body) {
  static const char format[] =
      "its points are displaced by %.3g %% of its size within its frame: its strains are linear, "
      "which is inaccurate beyond 5 %%; divide it into several bodies, or use a beam";
  const trmi_stress_modes *s = &body->reduced->stress;
  const int n = body->reduced->arrays.n;
  double size, *rows = TRMI_TAKE(m->arena, double, 3 * n);
  int points[EXTREMES];
  const int count = find_extremes(s, points, &size);
  for (int i = 0; i < count && rows != NULL; i++) {
    const float *phi = s->phi + (size_t)(3 * points[i]) * (size_t)n;
    for (int j = 0; j < 3 * n; j++) rows[j] = (double)phi[j];
    trmi_remark_add_share(m->b, object, format, displacement(m, body, rows, size), 0.05);
  }
}

void trmi_remark_flexible(trmi_mechanism *m) {
  for (int i = 0; i < m->nflexible; i++) {
    char object[TRM_OBJECT_MAX];
    snprintf(object, sizeof object, "body '%.48s'", m->flexible[i].def->key.name);
    remark_notes(m, object, m->flexible[i].reduced->notes);
    doubt_speed(m, object, &m->flexible[i]);
    doubt_size(m, object, &m->flexible[i]);
  }
}
