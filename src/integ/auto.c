/* auto.c - `auto`: chooses a method by the cost of its steps, and changes it when the cost changes.
 *
 * Work is measured in evaluations of the equations, with a cost for each operation,
 *   w = residuals + p_f factorizations + p_s solves                                          (1)
 * where factorizations and solves of radau, whose matrices are complex except for one, count twice.
 * A stretch of steps after the first ones of a method has the rates W = w/time and E = sum of local
 * errors (error_sum.c) over time, times a factor k that makes the error estimates of the methods
 * comparable. A method of order p needs the work W (E/e)^(1/p) for another error e. Two methods are
 * compared at the geometric mean of their errors, e^2 = E_1 E_2: method 1 is better if
 *   ln W_1/W_2 + s/2 (1/p_1 + 1/p_2) ln E_1/E_2 < 0                                          (2)
 * with s below 1, because global errors differ less than sums of local errors. A trial uses f times
 * the tolerance of the run. Its rates at the tolerance of the run follow from steps longer by the
 * factor l,
 *   l = f^(-1/(p + 1)),   W l^-1,   E l^p                                                    (3)
 * The first method is chosen from the system and its start. Once its rate no longer decreases, as
 * it does after a start, and if many stretches of work remain, each other method also runs one
 * stretch of the motion, and the best one continues. If its rate rises above that of another method
 * in its last stretch, that method takes over; once the rate has changed by a factor since the
 * others were tried, they are tried again. A stretch is bounded by work, so a bad method costs
 * little. Only work of attempted steps counts, and checkpoints contain it: a restarted run changes
 * its method at the same steps, whatever is sampled. If a method fails, the next one continues; the
 * run fails when all have failed at that point. Theory: docs/theory/18-auto.md. */
#include "integ/auto.h"
#include "integ/checkpoint_sum.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Candidates; the last is for mechanisms in which nothing is free to move. */
enum { EXPLICIT, RADAU, BDF, HHT, KINEMATIC, MEASURED = KINEMATIC };

/* Reason for the first method. */
enum { BY_NOTHING_FREE, BY_FIXED_STEPS, BY_IMPACTS, BY_SLOWNESS, BY_RHO };

typedef struct candidate {
  const trmi_integrator_ops *ops;
  int    warm, count; /* first steps, which do not count; steps that do */
  double off;         /* k, factor of its local errors                  */
  double tight;       /* tolerance of a trial, over that of the run     */
  double matrix;      /* cost of its matrices, over that of real ones   */
} candidate;

static const candidate candidates[TRMI_CANDIDATES] = {
    [EXPLICIT] = {&trmi_integ_explicit, 3, 8, 0.05, 1.0, 1.0},
    [RADAU] = {&trmi_integ_radau, 3, 8, 0.2, 0.1, 2.0},
    [HHT] = {&trmi_integ_hht, 10, 30, 1.0, 0.01, 1.0},
    [BDF] = {&trmi_integ_bdf, 15, 30, 1.0, 0.01, 1.0},
    [KINEMATIC] = {&trmi_integ_kinematic, 0, 0, 1.0, 1.0, 1.0}};

/* (1) */
static const double price_factor = 0.5, price_solve = 0.25;
/* s of (2): ratio of the logarithms of global errors and of sums of local errors. */
static const double error_trust = 0.5;
/* Largest work of a stretch; a run with fewer stretches left keeps its method. */
static const double stretch_most = 300.0, stretches_least = 12.0;
/* A method must be better than the present one by the first factor; rates that changed by the
 * second are discarded. */
static const double better_by = 1.5, changed_by = 3.0;
/* A method that is worse by this factor is not worth a trial. */
static const double far_worse = 4.0;
/* Work of `explicit` for a step at the edge of its stability, times rho: 12 evaluations, as many
 * factorizations and solves, steps of 7/rho. */
static const double explicit_work = 3.0;
/* With impacts radau is used up to this number of degrees of freedom and below this tolerance; else
 * hht, since impacts hold bdf at order 2 as well. */
enum { MANY_FREEDOMS = 20 };
static const double small_tolerance = 1e-6;
/* Work after which others may be tried again, over that at the last trial; the same for estimates
 * of the largest eigenvalue. */
static const double round_again = 4.0, round_least = 1000.0, look_again = 1.5;
/* Steps after which failures of others are forgotten. */
enum { FORGIVEN = 50 };

/* --- choice at the start ------------------------------------------------------ */

static bool is_driven(const trm_sim *sim) {
  const trm_sizes *n = &sim->sys->n;
  return n->nv > 0 && sim->rank.complete && sim->rank.freedoms == 0 && n->nx == 0 && n->na == 0;
}

static bool has_impacts(const trm_sim *sim) {
  return sim->sys->n.ngaps > 0 || sim->sys->n.nslips > 0;
}

/* Work of `explicit` over time, if stability limits its steps. */
static double work_if_stiff(double rho) {
  return explicit_work * rho;
}

/* The first method, and why. */
static trm_status first_choice(trm_sim *sim, int *first, trm_error *err) {
  trmi_choice *c = &sim->choice;
  const double span = sim->options.end - sim->t_start;
  *first = KINEMATIC, c->why = BY_NOTHING_FREE;
  if (is_driven(sim)) return TRM_OK;
  *first = HHT, c->why = BY_FIXED_STEPS;
  if (sim->options.nsteps > 0) return TRM_OK;
  const bool is_small = sim->options.tolerance < small_tolerance;
  *first = sim->rank.freedoms <= MANY_FREEDOMS || is_small ? RADAU : HHT, c->why = BY_IMPACTS;
  if (has_impacts(sim)) return TRM_OK;
  TRMI_TRY(err, trmi_stiffness(sim, &sim->start, &c->rho, err));
  const bool is_slow = work_if_stiff(c->rho) * span < stretches_least * stretch_most;
  *first = is_slow ? EXPLICIT : RADAU, c->why = is_slow ? BY_SLOWNESS : BY_RHO;
  return TRM_OK;
}

/* The reason in words. */
static void tell_why(const trm_sim *sim, char *text, size_t size) {
  const trmi_choice *c = &sim->choice;
  if (c->failed != 0) {
    snprintf(text, size, "others cannot begin here");
    return;
  }
  const char *unit = sim->sys->units.time;
  switch (c->why) {
  case BY_NOTHING_FREE:
    snprintf(text, size, "nothing is free to move, every instant is solved by itself");
    return;
  case BY_FIXED_STEPS: snprintf(text, size, "steps are fixed"); return;
  case BY_IMPACTS:
    snprintf(text, size, "stops, contacts or friction, %s",
             sim->rank.freedoms <= MANY_FREEDOMS        ? "few freedoms"
             : sim->options.tolerance < small_tolerance ? "a small tolerance"
                                                        : "many freedoms");
    return;
  case BY_SLOWNESS:
    snprintf(text, size, "nothing is faster than about %.2g rad/%s", c->rho, unit);
    return;
  default:
    if (isfinite(c->rho)) snprintf(text, size, "motion of up to about %.2g rad/%s", c->rho, unit);
    else snprintf(text, size, "how fast the motion can be is not known");
  }
}

trm_status trmi_auto_advice(trm_sim *sim, trmi_arena *arena, const char **name, char *why,
                            size_t size, trm_error *err) {
  int which = sim->choice.which;
  if (!sim->choice.is_on || sim->is_between) { /* another method is named, or none has begun */
    double *const before = sim->power;
    sim->power = TRMI_TAKE(arena, double, 3 * (2 * sim->sys->n.nv + sim->sys->n.nx));
    trm_status status = trmi_arena_check(arena, err);
    if (status == TRM_OK) status = first_choice(sim, &which, err);
    sim->power = before;
    TRMI_TRY(err, status);
  }
  *name = candidates[which].ops->about.name;
  tell_why(sim, why, size);
  return TRM_OK;
}

/* --- turns -------------------------------------------------------------------- */

/* Report a choice; a failure of a method is reported separately. */
static void say(trm_sim *sim, const char *what, const char *why, bool is_failure) {
  char text[TRM_MESSAGE_MAX];
  snprintf(text, sizeof text, TRMI_NOTE_AUTO "%s '%s': %s", what, sim->ops->about.name, why);
  if (is_failure) trmi_sinks_message(sim, text);
  else trmi_sinks_choice(sim, text);
}

/* The candidate runs from here on. */
static void note_turn(trm_sim *sim, int which, double t) {
  trmi_choice *c = &sim->choice;
  c->which = which;
  c->steps = c->counted = 0;
  c->work = c->time = c->error = c->last = 0.0;
  if (c->nturns > 0 && c->since[c->nturns - 1] == t) c->nturns--;         /* it did no work */
  if (c->nturns > 0 && c->turns[c->nturns - 1] == which) return; /* with another tolerance */
  c->turns[c->nturns] = which;
  c->since[c->nturns] = t;
  c->nturns++;
}

/* Drives do not limit the step: `kinematic` derives a step from the samples. */
static void limit_steps(trm_sim *sim, const trmi_integrator_ops *ops) {
  const bool is_given = sim->options.step_max > 0.0 && !sim->choice.is_step_own;
  if (is_given) return;
  sim->choice.is_step_own = ops->longest_step != NULL;
  sim->options.step_max = ops->longest_step != NULL
                              ? ops->longest_step(&sim->options, sim->options.end - sim->t_start)
                              : 0.0;
}

static trm_status change(trm_sim *sim, int which, double tight, trm_error *err) {
  const trmi_integrator_ops *ops = candidates[which].ops;
  const double before = sim->choice.tight;
  limit_steps(sim, ops);
  sim->choice.tight = tight;
  const trm_status status = trmi_method_change(sim, ops, err);
  if (status == TRM_OK) {
    note_turn(sim, which, sim->start.t);
  } else {
    limit_steps(sim, sim->ops);
    sim->choice.tight = before;
  }
  return status;
}

/* Is this failure due to the method? */
static bool is_of_method(trm_status status) {
  return status > 0 || status == TRM_ERR_STEP || status == TRM_ERR_SINGULAR ||
         status == TRM_ERR_NOT_FINITE;
}

/* The first method that can begin; the failure is that of the chosen one. */
trm_status trmi_auto_begin(trm_sim *sim, trm_error *err) {
  trmi_choice *c = &sim->choice;
  int first;
  TRMI_TRY(err, first_choice(sim, &first, err));
  trm_status status = TRM_OK, failure = TRM_OK;
  for (int k = 0; k < TRMI_CANDIDATES; k++) {
    const int which = k == 0 ? first : k <= first ? k - 1 : k;
    trm_error own;
    trmi_error_clear(&own);
    if (k > 0 && which == KINEMATIC) continue;
    limit_steps(sim, candidates[which].ops);
    c->tight = 1.0;
    status = trmi_method_use(sim, candidates[which].ops, &own);
    if (status == TRM_OK) status = trmi_sim_begin_anew(sim, &own);
    const bool counts = k == 0 || !is_of_method(status); /* the first failure is reported */
    if (counts) failure = status;
    if (counts && err != NULL) *err = own;
    if (status == TRM_OK) note_turn(sim, which, sim->start.t);
    if (status == TRM_OK || !is_of_method(status)) break;
    c->failed |= 1L << which;
  }
  c->chosen = c->which;
  return status == TRM_OK ? TRM_OK : failure;
}

void trmi_auto_report(trm_sim *sim) {
  char why[160];
  if (trm_sim_state(sim)->t > sim->t_start) {
    say(sim, "continues with", "so did the run that is resumed", false);
    return;
  }
  tell_why(sim, why, sizeof why);
  say(sim, "takes", why, sim->choice.failed != 0);
}

/* --- rates -------------------------------------------------------------------- */

/* (1) of the run so far, all by the present method */
static double work_of(const trm_sim *sim) {
  const trm_system *sys = sim->sys;
  const double matrices = price_factor * (double)sys->tally.factorizations +
                          price_solve * (double)sys->tally.solves;
  return (double)sys->residuals + candidates[sim->choice.which].matrix * matrices;
}

void trmi_auto_open(trm_sim *sim) {
  sim->work_before = work_of(sim);
  sim->errors_before = sim->counters.errors.sum;
}

void trmi_auto_close(trm_sim *sim, double h) {
  trmi_choice *c = &sim->choice;
  if (!c->is_on) return;
  const double work = work_of(sim) - sim->work_before;
  c->total += work;
  if (h > 0.0) c->steps++;
  if (c->steps <= candidates[c->which].warm) return;
  if (h > 0.0) c->counted++;
  c->work += work;
  c->time += h;
  c->error += sim->counters.errors.sum - sim->errors_before;
}

/* (2): above 0, the first is worse. */
static double compare(const trmi_rates *one, const trmi_rates *two) {
  const double e = log(one->error / two->error);
  return log(one->work / two->work) +
         0.5 * error_trust * (1.0 / one->order + 1.0 / two->order) * e;
}

static bool is_known(const trmi_rates *rates) {
  return rates->work > 0.0;
}

/* Rates of the stretch that has ended, (3) for a trial at a smaller tolerance. */
static trmi_rates measure(const trm_sim *sim) {
  const trmi_choice *c = &sim->choice;
  const double order = sim->ops->order(sim->integ);
  const double longer = pow(c->tight, -1.0 / (order + 1.0)); /* steps at the tolerance of the run */
  /* errors of friction are in no sum */
  const double least = 1e-3 * sim->options.tolerance * (double)c->counted / c->time;
  const double error = fmax(candidates[c->which].off * c->error / c->time, least);
  return (trmi_rates){.work = c->work / c->time / longer, .error = error * pow(longer, order),
                      .order = order};
}

/* Rates of a method that failed: it is not tried again before the rates of others have changed. */
static const trmi_rates no_rates = {.work = 1e300, .error = 1e300, .order = 1};

/* The best candidate; the present one unless another is better by much. */
static int best_of(const trmi_choice *c) {
  int best = c->chosen;
  for (int k = 0; k < MEASURED; k++) {
    if (!is_known(&c->rates[k]) || (c->failed & 1L << k) != 0) continue;
    const bool has_best = is_known(&c->rates[best]) && (c->failed & 1L << best) == 0;
    const double margin = best == c->chosen ? log(better_by) : 0.0;
    if (!has_best || compare(&c->rates[best], &c->rates[k]) > margin) best = k;
  }
  return best;
}

/* Would stability make `explicit` far worse than the present method? */
static bool is_too_stiff(const trmi_choice *c) {
  return work_if_stiff(c->rho) > far_worse * c->rates[c->which].work;
}

/* Before a trial of `explicit` may be worth it, now and then. */
static trm_status look_at_stiffness(trm_sim *sim, trm_error *err) {
  trmi_choice *c = &sim->choice;
  if (c->which == EXPLICIT || is_known(&c->rates[EXPLICIT])) return TRM_OK;
  if (c->total < look_again * c->looked) return TRM_OK;
  c->looked = c->total;
  TRMI_TRY(err, trmi_stiffness(sim, trm_sim_state(sim), &c->rho, err));
  return TRM_OK;
}

/* Has the work rate of the present method stopped decreasing, as it does after a start? */
static bool has_settled(trmi_choice *c) {
  const double now = c->rates[c->which].work, before = c->last;
  c->last = now;
  return before > 0.0 && now > before / better_by;
}

/* The next candidate to try; -1: none. */
static int next_trial(const trm_sim *sim) {
  const trmi_choice *c = &sim->choice;
  for (int k = 0; k < MEASURED; k++) {
    if (k == c->which || is_known(&c->rates[k]) || (c->failed & 1L << k) != 0) continue;
    if (k == EXPLICIT && is_too_stiff(c)) continue;
    if (k == HHT && is_known(&c->rates[BDF]) &&
        compare(&c->rates[BDF], &c->rates[best_of(c)]) > log(far_worse)) {
      continue; /* they are alike */
    }
    return k;
  }
  return -1;
}

/* The rate of the present method has changed much since the others were tried: their rates are
 * discarded. */
static void forget_old(trmi_choice *c) {
  const double by = c->rates[c->which].work / c->then;
  const bool is_other = by > changed_by || by < 1.0 / changed_by;
  if (!is_other || c->total < round_again * c->tried + round_least) return;
  for (int k = 0; k < MEASURED; k++) {
    if (k != c->which) c->rates[k].work = 0.0;
  }
}

/* No trial is left: the best method continues. */
static trm_status decide(trm_sim *sim, trm_error *err) {
  trmi_choice *c = &sim->choice;
  const int best = best_of(c), before = c->chosen;
  trm_status status = TRM_OK;
  if (best != c->which || c->tight != 1.0) status = change(sim, best, 1.0, err);
  if (status != TRM_OK) c->failed |= 1L << best;
  c->chosen = c->which;
  if (c->tried == c->total) c->then = c->rates[c->which].work; /* the trials have just ended */
  if (c->chosen == before || status != TRM_OK) return status;
  char why[120];
  const double factor = exp(compare(&c->rates[before], &c->rates[best]));
  snprintf(why, sizeof why, "it takes %.2g times less work than %s for the same error", factor,
           candidates[before].ops->about.name);
  say(sim, "changes to", why, false);
  return TRM_OK;
}

trm_status trmi_auto_step(trm_sim *sim, trm_error *err) {
  trmi_choice *c = &sim->choice;
  if (c->which == KINEMATIC || sim->options.nsteps > 0) return TRM_OK;
  if (c->steps > FORGIVEN) c->failed = 0;
  const bool is_over = c->counted >= candidates[c->which].count ||
                       (c->work > stretch_most && c->counted > 0);
  if (!is_over || !(c->time > 0.0)) return TRM_OK;
  const bool is_trial = c->which != c->chosen;
  c->rates[c->which] = measure(sim);
  const bool is_settled = has_settled(c);
  c->counted = 0;
  c->work = c->time = c->error = 0.0;
  if (c->nturns > TRMI_TURNS_MAX - 2 * TRMI_CANDIDATES && !is_trial) return TRM_OK;
  const double left = c->rates[c->which].work * (sim->options.end - trm_sim_state(sim)->t);
  if (is_trial || c->then == 0.0) {
    c->then = c->rates[c->which].work;
    c->tried = c->total;
  } else {
    forget_old(c);
  }
  const bool is_long = left > stretches_least * stretch_most && !has_impacts(sim);
  if (is_long && !is_trial) TRMI_TRY(err, look_at_stiffness(sim, err));
  const int trial = is_long && (is_trial || is_settled) ? next_trial(sim) : -1;
  trm_error own;
  trmi_error_clear(&own);
  trm_status status = TRM_OK;
  if (trial >= 0) {
    status = change(sim, trial, candidates[trial].tight, &own);
    if (status != TRM_OK) c->failed |= 1L << trial;
  } else {
    status = decide(sim, &own);
  }
  if (status == TRM_OK || is_of_method(status) || status == TRM_ERR_ASSEMBLY) {
    return TRM_OK; /* the present one continues */
  }
  if (err != NULL) *err = own;
  return status;
}

/* --- failures ----------------------------------------------------------------- */

/* Would steps that resolve the motion be lost in the rounding of time? */
static bool is_too_far(const trm_sim *sim) {
  const double rho = sim->choice.rho;
  return sim->options.step_min == 0.0 && isfinite(rho) && trmi_smallest_step(sim) * rho > 1.0;
}

bool trmi_auto_rescue(trm_sim *sim, trm_status status, trm_error *err) {
  trmi_choice *c = &sim->choice;
  const trm_options *opt = &sim->options;
  const bool is_used_up = opt->max_steps > 0 && sim->attempts >= opt->max_steps;
  if (!is_of_method(status) || is_used_up || opt->nsteps > 0 || is_too_far(sim)) return false;
  if (c->nturns >= TRMI_TURNS_MAX - 1) return false;
  const char *failed = sim->ops->about.name;
  /* where several fail, one note is enough */
  const bool is_news = c->failed == 0 || c->since[c->nturns - 1] != trm_sim_state(sim)->t;
  if (sim->sys->ops->reject_step != NULL) sim->sys->ops->reject_step(sim->sys->self);
  c->failed |= 1L << c->which;
  c->rates[c->which] = no_rates;
  const int order[] = {c->chosen, RADAU, HHT, BDF, EXPLICIT}; /* a trial: back to the one before */
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
    trm_error own;
    trmi_error_clear(&own);
    if ((c->failed & 1L << order[k]) != 0) continue;
    if (change(sim, order[k], 1.0, &own) != TRM_OK) {
      c->failed |= 1L << order[k];
      continue;
    }
    char why[TRM_MESSAGE_MAX - 40];
    snprintf(why, sizeof why, "%s failed: %.300s", failed, err != NULL ? err->message : "");
    c->chosen = c->which;
    c->then = 0.0;
    say(sim, "changes to", why, is_news);
    if (err != NULL) trmi_error_clear(err);
    return true;
  }
  return false;
}

/* --- checkpoints, results ----------------------------------------------------- */

trm_status trmi_auto_load(trm_sim *sim, const void *data, size_t size, trm_error *err) {
  trmi_choice saved;
  if (size <= sizeof saved) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a checkpoint of %zu bytes is none of 'auto'", size);
  }
  TRMI_TRY(err, trmi_checkpoint_check(data, size, err));
  memcpy(&saved, data, sizeof saved);
  bool is_sound = saved.which >= 0 && saved.which < TRMI_CANDIDATES && saved.nturns > 0 &&
                  saved.nturns <= TRMI_TURNS_MAX && saved.chosen >= 0 &&
                  saved.chosen < TRMI_CANDIDATES && saved.is_on == 1 &&
                  saved.tight > 0.0 && saved.tight <= 1.0;
  for (int i = 0; is_sound && i < saved.nturns; i++) {
    is_sound = saved.turns[i] >= 0 && saved.turns[i] < TRMI_CANDIDATES;
  }
  if (!is_sound) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the checkpoint is not one of 'auto'");
  }
  if (saved.which == sim->choice.which && saved.tight == sim->choice.tight) return TRM_OK;
  if (!sim->is_between) trmi_state_copy(sim->sys, trm_sim_state(sim), &sim->start);
  sim->choice.tight = saved.tight;
  limit_steps(sim, candidates[saved.which].ops);
  TRMI_TRY(err, trmi_method_use(sim, candidates[saved.which].ops, err));
  note_turn(sim, saved.which, sim->start.t);
  if (size == trm_sim_save_size(sim)) return TRM_OK;
  TRMI_TRY(err, trmi_sim_begin_anew(sim, err)); /* bytes of another model: it can still run */
  return TRM_OK;
}

int trm_sim_turn_count(const trm_sim *sim) {
  return sim != NULL ? sim->choice.nturns : 0;
}

trm_turn trm_sim_turn(const trm_sim *sim, int i) {
  if (sim == NULL || i < 0 || i >= sim->choice.nturns) return (trm_turn){"", NAN};
  return (trm_turn){candidates[sim->choice.turns[i]].ops->about.name, sim->choice.since[i]};
}

/* --- registry ----------------------------------------------------------------- */

static const trm_formulation formulations[] = {{.name = "chosen", .order = 2}, {.name = NULL}};

const trmi_integrator_ops trmi_integ_auto = {
    .about = {.name = "auto", .formulations = formulations,
              .meaning = "Takes explicit, radau, hht or bdf, whichever needs the least work, and "
                         "changes when another one needs less; kinematic where nothing is free.",
              .takes_others = true, .suits = TRM_SUITS_UNNAMED},
};
