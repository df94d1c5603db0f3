/* verify_growth.c - how much a motion magnifies a small change of its start.
 *
 * With deviations that grow like exp(r t), local errors of e in each unit of time, S = e T in all
 * of the run, make at its end
 *   integral e exp(r (T - t)) dt = S (exp(r T) - 1)/(r T)                                  (1)
 * and so does, for large r T up to a factor of 2, a change of the velocities at the start by S/T:
 *   S/T sinh(r T)/r                                                                        (2)
 * Where nothing grows (2) is S, for a free body, or less. The largest displacement that a change
 * by S/T causes, over S, is the growth by which the sum of local errors has to be multiplied.
 * Places are not changed: a change of places in any direction strains stiff parts, which errors of
 * an integrator do not. */
#include "verify_growth.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *copied(const double *from, int n) {
  double *to = calloc((size_t)n + 1, sizeof *to);
  if (to != NULL && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
  return to;
}

trm_status app_growth_keep(app_growth *growth, const trm_system *system, const trm_state *start,
                           double time, trm_error *err) {
  trm_state *to = &growth->from;
  growth->nv = trm_system_count(system, TRM_V);
  growth->time = time;
  to->t = start->t;
  to->q = copied(start->q, trm_system_count(system, TRM_Q));
  to->v = copied(start->v, trm_system_count(system, TRM_V));
  to->x = copied(start->x, trm_system_count(system, TRM_X));
  to->w = copied(start->w, trm_system_count(system, TRM_W));
  to->z = copied(start->z, trm_system_count(system, TRM_Z));
  growth->v = copied(start->v, trm_system_count(system, TRM_V));
  const bool is_full = to->q != NULL && to->v != NULL && to->x != NULL && to->w != NULL &&
                       to->z != NULL && growth->v != NULL;
  return is_full ? TRM_OK : app_fail_memory(err);
}

/* A direction that favours no coordinate, +1 or -1, the same in every run: a bit of multiples of
 * the golden mean (Weyl's sequence). */
static double sign_of(int i, int number) {
  return (unsigned)(i + 1) * (2u * (unsigned)number + 1u) * 2654435769u >> 31 ? 1.0 : -1.0;
}

void app_growth_push(app_growth *growth, int number, const double *scale, double size) {
  for (int i = 0; i < growth->nv; i++) {
    growth->from.v[i] = growth->v[i] + sign_of(i, number) * size * scale[i] / growth->time;
  }
}

void app_growth_measure(app_growth *growth, const trm_state *start, const double *scale) {
  growth->pushed = 0.0;
  for (int i = 0; i < growth->nv; i++) {
    const double change = fabs(start->v[i] - growth->v[i]) / scale[i];
    growth->pushed = fmax(growth->pushed, change * growth->time);
  }
}

void app_growth_free(app_growth *growth) {
  free(growth->from.q);
  free(growth->from.v);
  free(growth->from.x);
  free(growth->from.w);
  free(growth->from.z);
  free(growth->v);
  *growth = (app_growth){0};
}
