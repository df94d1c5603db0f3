/* spline.h - a piecewise cubic function of one variable given by points.
 *
 *   piece i on [x_i, x_{i+1}]:  y = c_0 + c_1 s + c_2 s^2 + c_3 s^3,  s = x - x_i      (1)
 * Beyond the first and the last point the curve continues linearly. */
#ifndef TRMI_SPLINE_H
#define TRMI_SPLINE_H
#include "core/arena.h"
#include <stdbool.h>

typedef enum trmi_spline_kind {
  TRMI_SPLINE_LINEAR, /* sharp: the slope jumps at the points                       */
  TRMI_SPLINE_AKIMA, /* [Akima70]: local, does not overshoot                        */
  TRMI_SPLINE_CUBIC  /* natural cubic spline: second derivative continuous          */
} trmi_spline_kind;

typedef struct trmi_spline {
  trmi_spline_kind kind;
  int     n;         /* points, at least 2                                    */
  double *x;         /* ascending                              [n]            */
  double (*c)[4];    /* (1); the straight ends are pieces 0 and n of n+1 [n+1] */
} trmi_spline;

/* Build a curve through points; memory comes from the arena. Points must ascend
 * strictly in x and be finite: TRM_ERR_INPUT names the first that does not. */
trm_status trmi_spline_make(trmi_spline *curve, trmi_arena *arena, trmi_spline_kind kind,
                           const double *x, const double *y, int n, trm_error *err);

/* Piece at x: 0 before x_0, i+1 on [x_i, x_{i+1}), n from x_{n-1} on. */
int trmi_spline_find(const trmi_spline *curve, double x);

/* Derivative number `order` (0..3) at x, of the piece found there. */
double trmi_spline_at(const trmi_spline *curve, int order, double x);

/* Coefficient `order` of piece `piece` (clipped to 0..n); order -1: the x from which s counts. */
double trmi_spline_piece(const trmi_spline *curve, int order, double piece);

#endif
