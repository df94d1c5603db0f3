/* solid_rules.c - points and weights of integration over parent elements.
 *
 * Hexahedra: products of Gauss points on -1 .. 1. Wedges: points of a triangle times Gauss points.
 * Tetrahedra have the corners 0, e1, e2, e3 and the volume 1/6: one point (degree 1), four points
 * at a = (5 + 3 sqrt 5)/20, b = (5 - sqrt 5)/20 (degree 2), and 15 in closed form (degree 5).
 * Triangles: three points (degree 2) and six points (degree 4). Weights add up to the volume. */
#include "fem/solid_shapes.h"
#include <math.h>

static void add(trmi_solid_rule *rule, double x, double y, double z, double weight) {
  double *at = rule->at[rule->n++];
  at[0] = x, at[1] = y, at[2] = z, at[3] = weight;
}

/* Points and weights of Gauss, n = 2 or 3. */
static void gauss(int n, double x[3], double w[3]) {
  if (n == 2) {
    x[0] = -1.0 / sqrt(3.0), x[1] = -x[0];
    w[0] = w[1] = 1.0;
  } else {
    x[0] = -sqrt(0.6), x[1] = 0.0, x[2] = -x[0];
    w[0] = w[2] = 5.0 / 9.0, w[1] = 8.0 / 9.0;
  }
}

static void hexahedron(int n, trmi_solid_rule *rule) {
  double x[3], w[3];
  gauss(n, x, w);
  rule->n = 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) add(rule, x[i], x[j], x[k], w[i] * w[j] * w[k]);
    }
  }
}

void trmi_rule_hexahedron_8(trmi_solid_rule *rule) {
  hexahedron(2, rule);
}

void trmi_rule_hexahedron_27(trmi_solid_rule *rule) {
  hexahedron(3, rule);
}

void trmi_rule_tetrahedron_1(trmi_solid_rule *rule) {
  rule->n = 0;
  add(rule, 0.25, 0.25, 0.25, 1.0 / 6.0);
}

/* The four places of (a, a, a, 1 - 3a) as coordinates of volume. */
static void add_corners(trmi_solid_rule *rule, double a, double weight) {
  const double b = 1.0 - 3.0 * a;
  add(rule, a, a, a, weight);
  add(rule, b, a, a, weight);
  add(rule, a, b, a, weight);
  add(rule, a, a, b, weight);
}

void trmi_rule_tetrahedron_4(trmi_solid_rule *rule) {
  rule->n = 0;
  add_corners(rule, (5.0 - sqrt(5.0)) / 20.0, 1.0 / 24.0);
}

/* Degree 5, all points inside, all weights positive. */
void trmi_rule_tetrahedron_15(trmi_solid_rule *rule) {
  const double r = sqrt(15.0), b = (10.0 - 2.0 * r) / 40.0, c = 0.5 - b;
  rule->n = 0;
  add(rule, 0.25, 0.25, 0.25, 16.0 / 135.0 / 6.0);
  add_corners(rule, (7.0 + r) / 34.0, (2665.0 - 14.0 * r) / 37800.0 / 6.0);
  add_corners(rule, (7.0 - r) / 34.0, (2665.0 + 14.0 * r) / 37800.0 / 6.0);
  const double weight = 10.0 / 189.0 / 6.0;
  add(rule, b, b, c, weight);
  add(rule, b, c, b, weight);
  add(rule, c, b, b, weight);
  add(rule, c, c, b, weight);
  add(rule, c, b, c, weight);
  add(rule, b, c, c, weight);
}

/* ---- wedges --------------------------------------------------------------------------------- */

typedef struct triangle {
  int    n;
  double at[6][3]; /* xi, eta, weight */
} triangle;

/* The three places of (a, a, 1 - 2a). */
static void add_triple(triangle *t, double a, double weight) {
  const double b = 1.0 - 2.0 * a, at[3][2] = {{a, a}, {b, a}, {a, b}};
  for (int i = 0; i < 3; i++) {
    t->at[t->n][0] = at[i][0], t->at[t->n][1] = at[i][1], t->at[t->n][2] = weight;
    t->n++;
  }
}

static void wedge(const triangle *t, int n, trmi_solid_rule *rule) {
  double z[3], w[3];
  gauss(n, z, w);
  rule->n = 0;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < t->n; i++) add(rule, t->at[i][0], t->at[i][1], z[k], t->at[i][2] * w[k]);
  }
}

void trmi_rule_wedge_2(trmi_solid_rule *rule) {
  const triangle t = {.n = 1, .at = {{1.0 / 3.0, 1.0 / 3.0, 0.5}}};
  wedge(&t, 2, rule);
}

void trmi_rule_wedge_6(trmi_solid_rule *rule) {
  triangle t = {0};
  add_triple(&t, 1.0 / 6.0, 1.0 / 6.0);
  wedge(&t, 2, rule);
}

void trmi_rule_wedge_9(trmi_solid_rule *rule) {
  triangle t = {0};
  add_triple(&t, 1.0 / 6.0, 1.0 / 6.0);
  wedge(&t, 3, rule);
}

/* Six points of degree 4: a = (8 - sqrt 10 +- sqrt(38 - 44 sqrt(2/5)))/18, weights
 * (620 +- sqrt(213125 - 53320 sqrt 10))/3720 of the area, which is 1/2. */
static triangle six_points(void) {
  const double r = sqrt(38.0 - 44.0 * sqrt(0.4)), s = sqrt(213125.0 - 53320.0 * sqrt(10.0));
  triangle t = {0};
  add_triple(&t, (8.0 - sqrt(10.0) + r) / 18.0, (620.0 + s) / 7440.0);
  add_triple(&t, (8.0 - sqrt(10.0) - r) / 18.0, (620.0 - s) / 7440.0);
  return t;
}

void trmi_rule_wedge_18(trmi_solid_rule *rule) {
  const triangle t = six_points();
  wedge(&t, 3, rule);
}

/* ---- faces ---------------------------------------------------------------------------------- */

void trmi_rule_triangle_6(trmi_solid_rule *rule) {
  const triangle t = six_points();
  rule->n = 0;
  for (int i = 0; i < t.n; i++) add(rule, t.at[i][0], t.at[i][1], 0.0, t.at[i][2]);
}

void trmi_rule_square_9(trmi_solid_rule *rule) {
  double x[3], w[3];
  gauss(3, x, w);
  rule->n = 0;
  for (int k = 0; k < 9; k++) add(rule, x[k % 3], x[k / 3], 0.0, w[k % 3] * w[k / 3]);
}
