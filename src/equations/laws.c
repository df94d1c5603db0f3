/* laws.c - motions whose velocity or acceleration is a function f of time.
 *
 * The position of such a law is stored at the end of each step, (t0, S0, V0), and advanced to the
 * time of each evaluation by quadrature:
 *   velocity       S = S0 + int_t0^t f                                                   (1)
 *   acceleration   V = V0 + int_t0^t f,   S = S0 + V0 (t - t0) + int_t0^t (t - s) f(s) ds  (2)
 * by seven-point Gauss quadrature, bisected until both halves agree with the whole to 1e-13 of the
 * largest f times the length, or to the effect of rounding of time on f; f is smooth between events
 * because conditions are held. In nodes t, S and V are constants, so a row is written with ts = t
 * for the value, and its exact derivatives follow from
 *   S + f (time - ts) - f' (time - ts)^2/2    and    S + V (time - ts) + f (time - ts)^2/2 (3) */
#include "equations/equations_internal.h"
#include <float.h>
#include <math.h>

enum { POINTS = 7, HALVINGS = 40 };
static const double nodes[POINTS] = {-0.9491079123427585, -0.7415311855993945, -0.4058451513773972,
                                     0.0, 0.4058451513773972, 0.7415311855993945,
                                     0.9491079123427585};
static const double weights[POINTS] = {0.1294849661688697, 0.2797053914892766, 0.3818300505051189,
                                       0.4179591836734694, 0.3818300505051189, 0.2797053914892766,
                                       0.1294849661688697};

/* int f and int (t - s) f */
typedef struct moments {
  double f, t_f;
} moments;

typedef struct quadrature {
  trmi_equations *eq;
  int    slot;     /* of f                    */
  double t;        /* the end                 */
  double largest;  /* of |f| so far           */
  double steepest; /* slope of f so far       */
  double length;   /* of the whole            */
} quadrature;

static double value_at(quadrature *q, double s) {
  trmi_tape *tape = &q->eq->tape;
  if (q->eq->used[TRMI_IN_TIME][1] > 0) trmi_tape_set(tape, q->eq->first[TRMI_IN_TIME], 1, &s);
  trmi_tape_run(tape, UINT64_C(1) << TRMI_RESULT_LAW);
  return tape->value[q->slot];
}

static moments gauss(quadrature *q, double a, double b) {
  moments sum = {0.0, 0.0};
  double before = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double s = 0.5 * (a + b) + 0.5 * (b - a) * nodes[i], f = value_at(q, s);
    const double way = 0.5 * fabs(b - a) * (i > 0 ? nodes[i] - nodes[i - 1] : INFINITY);
    q->largest = fmax(q->largest, fabs(f));
    q->steepest = fmax(q->steepest, fabs(f - before) / way);
    before = f;
    sum.f += 0.5 * (b - a) * weights[i] * f;
    sum.t_f += 0.5 * (b - a) * weights[i] * (q->t - s) * f;
  }
  return sum;
}

static moments halve(quadrature *q, double a, double b, moments whole, int halvings) {
  const double middle = 0.5 * (a + b);
  const moments left = gauss(q, a, middle), right = gauss(q, middle, b);
  const moments both = {left.f + right.f, left.t_f + right.t_f};
  const double rounding = DBL_EPSILON * fabs(q->t) * q->steepest;
  const double small = (1e-13 * q->largest + rounding) * q->length;
  const bool is_close = fabs(both.f - whole.f) <= small &&
                        fabs(both.t_f - whole.t_f) <= small * q->length;
  if (is_close || halvings == 0 || !isfinite(both.f)) return both;
  const moments l = halve(q, a, middle, left, halvings - 1);
  const moments r = halve(q, middle, b, right, halvings - 1);
  return (moments){l.f + r.f, l.t_f + r.t_f};
}

void trmi_laws_follow(trmi_equations *eq, double t) {
  for (int i = 0; i < eq->nlaws; i++) {
    const trmi_law *law = &eq->laws[i];
    const double *from = eq->memory + law->memory;
    double *now = eq->memory + law->memory + TRMI_LAW_NOW;
    if (now[0] == t) continue;
    quadrature q = {.eq = eq, .slot = eq->entries[eq->group[TRMI_RESULT_LAW] + i].slot, .t = t,
                    .length = fabs(t - from[0])};
    const moments sum = t == from[0] ? (moments){0.0, 0.0}
                                     : halve(&q, from[0], t, gauss(&q, from[0], t), HALVINGS);
    now[0] = t;
    now[1] = from[1] + (law->is_acceleration ? from[2] * (t - from[0]) + sum.t_f : sum.f);
    now[2] = from[2] + (law->is_acceleration ? sum.f : 0.0);
  }
}

void trmi_laws_remember(trmi_equations *eq) {
  for (int i = 0; i < eq->nlaws; i++) {
    double *from = eq->memory + eq->laws[i].memory;
    for (int k = 0; k < TRMI_LAW_NOW; k++) from[k] = from[TRMI_LAW_NOW + k];
  }
}
