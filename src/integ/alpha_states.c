/* alpha_states.c - limits corrections of states in Newton's method that would skip a steep part of
 * a law (cut_states of trm_system_ops). r and r2 contain corrections of y; by (3) of alpha_newton.c
 * those of states are
 *   dx = gamma h (P + d)                                                                   (1)
 * Before the first correction, states that can solve their own equations at the predicted motion do
 * so (match_states): extrapolation from earlier steps ignores limits. y follows by (1). */
#include "integ/alpha.h"

bool trmi_alpha_match_states(trmi_alpha *ga, double h) {
  const trm_system *sys = ga->ctx.sys;
  const double gh = ga->gamma * h, cx = ga->form == ALPHA_PAPER ? 1.0 : ga->c;
  double *change = ga->x_change;
  bool is_new = false;
  if (sys->ops->match_states == NULL) return false;
  for (int i = 0; i < sys->n.nx; i++) change[i] = 0.0;
  if (!sys->ops->match_states(sys->self, &ga->next, cx / gh, change, &is_new)) return false;
  for (int i = 0; i < sys->n.nx; i++) {
    ga->y_next[i] += change[i] / gh;
    ga->next.xd[i] += cx * change[i] / gh;
    ga->next.x[i] += change[i];
  }
  return is_new;
}

bool trmi_alpha_cut_states(trmi_alpha *ga, double h, bool two) {
  const trm_system *sys = ga->ctx.sys;
  const int at = trmi_places_of(sys).x;
  double *first = ga->r + at, *second = ga->r2 + at, *change = ga->x_change;
  const double gh = ga->gamma * h;
  if (sys->ops->cut_states == NULL) return false;
  for (int i = 0; i < sys->n.nx; i++) change[i] = gh * (two ? first[i] + second[i] : first[i]);
  const bool is_cut = sys->ops->cut_states(sys->self, ga->next.x, change);
  for (int i = 0; i < sys->n.nx && is_cut; i++) {
    first[i] = change[i] / gh;
    if (two) second[i] = 0.0;
  }
  return is_cut;
}
