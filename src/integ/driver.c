/* driver.c - the loop over steps: attempt, test, restore, handle, complete.
 *
 * Error-controlled steps follow h_new = h * clip(safety error^(-1/p), 0.2, growth)
 * with error the local error over the tolerance and p its power of h. A step does not grow after a
 * rejection, nor by less than the integrator's `hold`. With `patience` it does not grow for that
 * many steps if two rejections were less than twice as many steps apart: vibrations, whose error
 * fluctuates, then keep their step instead of repeatedly trying longer ones. Integrators that
 * predict [Gustafsson] also use the change of the error since the previous step, of size h0:
 *   h_new <= h * safety (h / h0) (error0 / error^2)^(1/p)                      (1)
 * Proportional-integral control [HairerWanner] with an exponent b = `past` uses
 *   h_new = h * clip(safety error^(-1/p + 3b/4) error0^b, 0.2, growth)         (2)
 * so that steps at the stability limit settle instead of being rejected alternately. Methods of low
 * order are more accurate for a given number of steps if these change seldom. After a failure of
 * Newton's method the step is divided by four (newton_memory.c). Below the smallest step
 * driver_messages.c explains the failure. Fixed steps lie on the grid of the user. Checkpoints are
 * written at counts of steps; there the matrices are discarded, so that a run restarted from the
 * checkpoint continues with the same bits. */
#include "integ/audit.h"
#include "integ/auto.h"
#include "integ/diagnose.h"
#include "integ/error_sum.h"
#include "integ/feedback_notes.h"
#include "integ/measures.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* Maximum number of conditions in one step that change nothing and are skipped. */
enum { PASSED_MAX = 1000 };
static const double shrink_min = 0.2, shrink_failed = 0.25;
/* Largest factor of the step after a mark of a pulse, whatever its length was before that. */
static const double pace_of_pulse = 2.0;

/* --- choice of the step --------------------------------------------------- */

double trmi_grid_time(const trm_sim *sim, long number) {
  const trm_options *opt = &sim->options;
  double cycle = 0.0, part = 0.0;
  const long place = number % opt->nsteps;
  for (int i = 0; i < opt->nsteps; i++) {
    cycle += opt->steps[i];
    if (i <= place) part += opt->steps[i];
  }
  return sim->grid_start + (double)(number / opt->nsteps) * cycle + part;
}

/* End of the next fixed step: the grid of the user, or a point where a step must end. */
static double next_grid_time(const trm_sim *sim) {
  const trm_options *opt = &sim->options;
  const double t = trmi_grid_time(sim, sim->step_number), end = trmi_sim_horizon(sim);
  return t > end - 1e-6 * opt->steps[sim->step_number % opt->nsteps] ? end : t;
}

/* The next time at which a law of the time changes, see next_mark of trm_system_ops. */
static trm_status find_mark(trm_sim *sim, trm_error *err) {
  const trm_system_ops *ops = sim->sys->ops;
  const trm_state *s = trm_sim_state(sim);
  if (s->t < sim->mark - 1e-12 * fabs(sim->mark)) return TRM_OK;
  sim->mark = INFINITY;
  if (ops->next_mark == NULL) return TRM_OK;
  TRMI_ASK(err, ops->name, "next_mark", ops->next_mark(sim->sys->self, s, &sim->mark, err));
  return TRM_OK;
}

static double choose_step(trm_sim *sim, trm_step_record *record) {
  trm_limit *limit = &record->limit;
  const trm_options *opt = &sim->options;
  const double t = trm_sim_state(sim)->t;
  *limit = TRM_LIMIT_NONE;
  if (opt->nsteps > 0) return next_grid_time(sim) - t;
  double h = sim->h_next;
  *limit = sim->chosen_by;
  if (opt->step_max > 0.0 && h > opt->step_max) h = opt->step_max, *limit = TRM_LIMIT_MAXIMUM;
  /* the last steps share the remaining time */
  const double left = fmin(trmi_sim_horizon(sim), sim->mark) - t;
  if (h >= left) {
    h = left, *limit = TRM_LIMIT_MAXIMUM;
  } else if (2 * h > left) {
    h = 0.5 * left, *limit = TRM_LIMIT_MAXIMUM;
  }
  if (sim->sys->n.nevents == 0) return h;
  int event;
  const double reach = trmi_events_reach(sim, h, &event);
  if (event >= 0) h = reach, *limit = TRM_LIMIT_EVENT;
  return h;
}

double trmi_smallest_step(const trm_sim *sim) {
  const trm_options *opt = &sim->options;
  if (opt->step_min > 0.0) return opt->step_min;
  return 1e-14 * fmax(opt->end - sim->t_start, fabs(opt->end));
}

/* --- failures ------------------------------------------------------------- */

static trm_limit limit_of(trm_status status, const trmi_attempt *attempt) {
  switch (status) {
  case TRM_RETRY_ERROR:
    return attempt->list == TRM_GAP    ? TRM_LIMIT_STOP
           : attempt->list == TRM_SLIP ? TRM_LIMIT_SLIP
                                       : TRM_LIMIT_ERROR;
  case TRM_RETRY_DOMAIN: return TRM_LIMIT_DOMAIN;
  default: return TRM_LIMIT_NEWTON;
  }
}

/* Count, report to the sinks, shorten the step; end the run below the smallest step. */
static trm_status reject(trm_sim *sim, trm_status status, const trmi_attempt *attempt, double *h,
                         trm_error *err) {
  if (status == TRM_RETRY_ERROR) {
    sim->counters.rejected_error++;
  } else {
    sim->counters.rejected_newton++;
  }
  const trm_step_record record = {.t = trm_sim_state(sim)->t, .h = *h,
                                  .limit = limit_of(status, attempt), .list = attempt->list,
                                  .index = attempt->index,
                                  .error = status == TRM_RETRY_ERROR ? attempt->error : NAN,
                                  .iterations = attempt->iterations,
                                  .violation_position = NAN, .violation_velocity = NAN,
                                  .order = sim->ops->order(sim->integ)};
  if (sim->sys->ops->reject_step != NULL) sim->sys->ops->reject_step(sim->sys->self);
  TRMI_TRY(err, trmi_sim_follow(sim, err)); /* restore the patterns before the attempt */
  const bool over = sim->options.nsteps > 0 || *h <= trmi_smallest_step(sim);
  if (over) return trmi_give_up(sim, *h, status, attempt, err);
  TRMI_TRY(err, trmi_sinks_step(sim, &record, err));
  const double power = sim->ops->error_power(sim->integ);
  const double h_tried = *h;
  double factor = attempt->factor;
  if (factor == 0.0) {
    factor = status == TRM_RETRY_ERROR
                 ? fmax(sim->ops->safety * pow(attempt->error, -1.0 / power), shrink_min)
                 : shrink_failed;
  }
  *h = fmax(*h * fmin(factor, attempt->factor > 0.0 ? 0.999 : 0.9), trmi_smallest_step(sim));
  if (status == TRM_RETRY_NEWTON) trmi_newton_memory_note(sim, h_tried);
  sim->just_rejected = true;
  sim->chosen_by = limit_of(status, attempt);
  return TRM_OK;
}

/* --- one step ------------------------------------------------------------- */

static trm_status test_error(const trm_sim *sim, const trmi_attempt *attempt, trm_error *err) {
  if (sim->options.nsteps > 0 || attempt->error <= 1.0 || attempt->counts) return TRM_OK;
  if (isnan(attempt->error)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "the local error is not a number");
  }
  return TRM_RETRY_ERROR;
}

/* The solver satisfies redundant constraints only in the least-squares sense: this test detects
 * contradictory constraints, and also a projection that did not converge to the constraints. */
static trm_status test_contradiction(const trm_sim *sim, trmi_attempt *attempt, trm_error *err) {
  /* over the scales; a thousand times the usual tolerance */
  const double most = fmax(1e-6, 1e3 * sim->options.constraint_tolerance);
  if (attempt->off.position <= most) return TRM_OK;
  attempt->factor = 0.0;
  return TRMI_FAIL(err, sim->bordered ? TRM_RETRY_SINGULAR : TRM_RETRY_NEWTON, NULL,
                   "no positions satisfy the constraints, %.2g of their scale is left",
                   attempt->off.position);
}

/* Elements with memory may ask for a smaller step, independently of the integrator. */
static trm_status test_memory(const trm_sim *sim, trmi_attempt *attempt, trm_error *err) {
  const trm_system *sys = sim->sys;
  const double factor = attempt->factor;
  if (sys->ops->test_step == NULL) return TRM_OK;
  attempt->factor = 0.0;
  TRMI_ASK(err, sys->ops->name, "test_step",
           sys->ops->test_step(sys->self, sim->ops->next(sim->integ), err));
  attempt->factor = factor;
  return TRM_OK;
}

/* Stops, contacts and friction may shorten the step chosen by the error; `part` receives the one
 * that does. */
static trm_status limit_by_parts(trm_sim *sim, double *h, trm_step_record *record, int *part,
                                 trm_error *err) {
  double most = *h;
  int slip = -1;
  if (sim->sys->n.ngaps > 0) TRMI_TRY(err, trmi_impacts_limit(sim, &most, part, err));
  if (sim->options.nsteps > 0) return TRM_OK;
  if (*part >= 0) record->limit = TRM_LIMIT_STOP;
  if (sim->sys->n.nslips > 0) TRMI_TRY(err, trmi_slips_limit(sim, &most, &slip, err));
  if (slip >= 0) *part = slip, record->limit = TRM_LIMIT_SLIP;
  if (*part >= 0) *h = fmax(most, trmi_smallest_step(sim));
  return TRM_OK;
}

/* Do stops, contacts and friction accept a step accepted by the integrator? */
static trm_status test_parts(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err) {
  if (sim->sys->n.ngaps > 0) TRMI_TRY(err, trmi_impacts_test(sim, h, attempt, err));
  if (sim->sys->n.nslips > 0) TRMI_TRY(err, trmi_slips_test(sim, h, attempt, err));
  return TRM_OK;
}

/* Is a singular matrix due to the constraints, so that a border helps? A stiff contact may also
 * cause one if the prediction of a long step is deep inside it: compared with its stiffness, masses
 * are lost in rounding. Shorter steps avoid this. */
static bool is_by_constraints(trm_sim *sim, double h) {
  const trm_system *sys = sim->sys;
  char names[240];
  if (sys->n.ng + sys->n.na == 0) return false;
  if (sys->n.ngaps == 0 || sim->options.nsteps > 0 || h <= trmi_smallest_step(sim)) return true;
  return trmi_diagnose_dependent(sim, trm_sim_state(sim), names, sizeof names);
}

/* Repeat attempts until one is accepted. */
static trm_status advance(trm_sim *sim, trm_step_record *record, trmi_violation *off,
                          trm_error *err) {
  const double t = trm_sim_state(sim)->t;
  TRMI_TRY(err, find_mark(sim, err));
  double h = choose_step(sim, record);
  int part = -1;
  TRMI_TRY(err, limit_by_parts(sim, &h, record, &part, err));
  if (sim->sys->ops->begin_step != NULL) {
    TRMI_ASK(err, sim->sys->ops->name, "begin_step",
             sim->sys->ops->begin_step(sim->sys->self, trm_sim_state(sim), h, err));
  }
  trmi_attempt attempt = {.index = -1};
  for (;;) {
    if (sim->options.max_steps > 0 && sim->attempts >= sim->options.max_steps) {
      return trmi_note_time(err, t, h, TRMI_FAIL(err, TRM_ERR_STEP, NULL,
                            "not at the end after %ld attempted steps", sim->attempts));
    }
    sim->attempts++;
    trm_status status = trmi_sim_attempt(sim, h, &attempt, err);
    sim->counters.newton_iterations += attempt.iterations;
    if (status == TRM_OK) status = test_error(sim, &attempt, err);
    if (status == TRM_OK) status = test_contradiction(sim, &attempt, err);
    if (status == TRM_OK) status = test_memory(sim, &attempt, err);
    if (status == TRM_OK) status = test_parts(sim, h, &attempt, err);
    if (status == TRM_OK) break;
    if (status < 0) return trmi_note_time(err, t, h, status);
    if (status == TRM_RETRY_SINGULAR && !sim->bordered && is_by_constraints(sim, h)) {
      trmi_report_singular(sim);
      if (sim->sys->ops->reject_step != NULL) sim->sys->ops->reject_step(sim->sys->self);
      TRMI_TRY(err, trmi_sim_follow(sim, err));
      TRMI_TRY(err, trmi_sim_replan(sim, true, err));
      continue;
    }
    TRMI_TRY(err, reject(sim, status, &attempt, &h, err));
    TRMI_TRY(err, trmi_sim_ask_stop(sim, err));
    record->limit = sim->chosen_by;
    part = attempt.list == TRM_GAP || attempt.list == TRM_SLIP ? attempt.index : -1;
  }
  trmi_error_sum_add(sim, &attempt);
  if (record->limit == TRM_LIMIT_STOP) attempt.list = TRM_GAP, attempt.index = part;
  if (record->limit == TRM_LIMIT_SLIP) attempt.list = TRM_SLIP, attempt.index = part;
  *record = (trm_step_record){.t = t, .h = h, .accepted = true, .limit = record->limit,
                              .list = attempt.list, .index = attempt.index,
                              .error = sim->options.nsteps > 0 ? NAN : attempt.error,
                              .iterations = attempt.iterations,
                              .violation_position = attempt.off.position,
                              .violation_velocity = fmax(attempt.off.velocity,
                                                         attempt.off.rolling),
                              .order = sim->ops->order(sim->integ)};
  *off = attempt.off;
  sim->factor = attempt.factor;
  sim->factor_most = attempt.most > 0.0 ? attempt.most : INFINITY;
  sim->patience = attempt.patience;
  return TRM_OK;
}

static bool sets_no_pace(trm_limit limit) {
  return limit == TRM_LIMIT_MAXIMUM || limit == TRM_LIMIT_EVENT;
}

/* Factor of the step size from its error and that of the previous step, (2). */
static double wish_of(const trm_sim *sim, const trm_step_record *record) {
  const trmi_integrator_ops *ops = sim->ops;
  if (!(record->error > 0.0)) return INFINITY;
  const double exponent = 1.0 / ops->error_power(sim->integ) - 0.75 * ops->past;
  const double now = ops->safety * pow(record->error, -exponent);
  if (ops->past == 0.0 || sim->h_before == 0.0) return now;
  return now * pow(sim->error_before, ops->past);
}

/* May the step grow after this one? Counts steps since a rejection. */
static bool may_grow(trm_sim *sim) {
  if (sim->just_rejected) {
    sim->between_rejected = sim->since_rejected;
    sim->since_rejected = 0;
    return false;
  }
  if (sim->since_rejected < INT_MAX) sim->since_rejected++;
  return sim->since_rejected >= sim->patience || sim->between_rejected >= 2 * sim->patience;
}

/* The step to try next, from the error of this one. */
static void choose_next(trm_sim *sim, const trm_step_record *record) {
  if (sim->options.nsteps > 0) return;
  if (sim->factor > 0.0) { /* by the integrator */
    const double factor = fmin(sim->factor, sim->factor_most), wish = record->h * factor;
    sim->h_next = sets_no_pace(record->limit) ? fmax(wish, sim->h_next) : wish;
    sim->chosen_by = factor >= sim->ops->growth ? TRM_LIMIT_GROWTH : TRM_LIMIT_ERROR;
    sim->just_rejected = false;
    sim->h_before = 0.0; /* errors before and after are not comparable */
    return;
  }
  const double power = sim->ops->error_power(sim->integ);
  double factor = fmax(wish_of(sim, record), shrink_min);
  if (sim->ops->predicts) {
    const double error = fmax(record->error, 1e-10), before = sim->error_before;
    if (sim->h_before > 0.0) {
      const double trend = pow(before / (error * error), 1.0 / power);
      factor = fmax(fmin(factor, sim->ops->safety * record->h / sim->h_before * trend), shrink_min);
    }
    sim->h_before = record->h;
    sim->error_before = fmax(record->error, 0.01);
  } else if (sim->ops->past > 0.0 && !sets_no_pace(record->limit)) {
    sim->h_before = record->h;
    sim->error_before = fmax(record->error, 1e-4);
  }
  const double wanted = factor;
  factor = trmi_newton_memory_limit(sim, record->h, wanted);
  sim->chosen_by = factor < wanted ? TRM_LIMIT_NEWTON : TRM_LIMIT_ERROR;
  const double most = may_grow(sim) ? sim->ops->growth : 1.0;
  if (factor > most) factor = most, sim->chosen_by = TRM_LIMIT_GROWTH;
  if (factor > sim->factor_most) factor = sim->factor_most, sim->chosen_by = TRM_LIMIT_ERROR;
  if (factor > 1.0 && factor < sim->ops->hold) factor = 1.0;
  /* steps shortened for the end of the run, or for an event, do not reduce later steps */
  const double h = sets_no_pace(record->limit) ? fmax(record->h * factor, sim->h_next)
                                               : record->h * factor;
  sim->h_next = h;
  sim->just_rejected = false;
}

/* The step is final: elements with memory are notified, patterns may change. */
static trm_status follow_epoch(trm_sim *sim, const trm_state *s, trm_error *err) {
  const trm_system *sys = sim->sys;
  if (sys->ops->accept_step != NULL) {
    TRMI_ASK(err, sys->ops->name, "accept_step", sys->ops->accept_step(sys->self, s, err));
  }
  return trmi_sim_follow(sim, err);
}

/* The step ends at an event: compute the state there, and react. */
static trm_status end_at_event(trm_sim *sim, int event, double t0, double t,
                               trmi_switch_effect change, bool *stop, trm_error *err) {
  if (t < trm_sim_state(sim)->t) {
    TRMI_TRY(err, trmi_event_state(sim, event, t0, &t, err));
  } else {
    trmi_state_copy(sim->sys, trm_sim_state(sim), &sim->start);
    sim->start.t = t; /* time_of_event */
  }
  TRMI_TRY(err, follow_epoch(sim, &sim->start, err));
  trmi_audit_leave(sim, &sim->start);
  TRMI_TRY(err, trmi_event_settle(sim, err));
  TRMI_TRY(err, trmi_events_handle(sim, event, t, change, stop, err));
  trmi_audit_enter(sim);
  return TRM_OK;
}

/* The first event of a step that changes something; others are reported and skipped. */
static trm_status find_event(trm_sim *sim, double t0, int *event, double *t,
                             trmi_switch_effect *change, trm_error *err) {
  double from = t0;
  for (int k = 0;; k++) {
    TRMI_TRY(err, trmi_events_find(sim, t0, from, event, t, err));
    if (*event < 0 || k >= PASSED_MAX) return TRM_OK;
    TRMI_TRY(err, trmi_switch_judge(sim, *event, *t, change, err));
    if (*change != TRMI_NOTHING) return TRM_OK;
    from = *t;
  }
}

/* Time of the reaction to an event at t. Close to the end of the run, or to a requested end, there
 * is no room for another step, in which everything would move only by rounding: the event is moved
 * to that end. */
static double time_of_event(const trm_sim *sim, double t) {
  const double end = fmin(trmi_sim_horizon(sim), sim->mark);
  const double last = sim->options.end;
  const double near = fmax(1e-11 * (last - sim->t_start), 1e-14 * fabs(last));
  return fabs(end - t) <= near ? fmax(end, trm_sim_state(sim)->t) : t;
}

/* The run ends at t. */
static trm_status finish(trm_sim *sim, double t, trm_error *err) {
  sim->is_done = true;
  TRMI_TRY(err, trmi_impacts_end(sim, err));
  TRMI_TRY(err, trmi_feedback_end(sim, err));
  TRMI_TRY(err, trmi_outputs_until(sim, t, true, err));
  TRMI_TRY(err, trmi_measures_end(sim, err));
  trmi_audit_end(sim, true);
  trmi_error_sum_report(sim);
  trmi_report_stillness(sim);
  return TRM_OK;
}

/* The integrator and the energy balance are told of a law that begins or bends here, before their
 * state is saved. */
static void pass_mark(trm_sim *sim) {
  const trm_system *sys = sim->sys;
  const double t = trm_sim_state(sim)->t;
  if (!(isfinite(sim->mark) && t >= sim->mark - 1e-12 * fabs(sim->mark))) return;
  if (sim->ops->pass_mark != NULL) sim->ops->pass_mark(sim->integ);
  if (sys->ops->is_pulse != NULL && sys->ops->is_pulse(sys->self, sim->mark)) {
    sim->h_next = fmin(sim->h_next, pace_of_pulse * sim->h_last);
  }
  trmi_impacts_jump(sim, true);
  trmi_audit_mark(sim);
}

/* Everything that follows an accepted step. */
static trm_status complete(trm_sim *sim, trm_step_record *record, bool *done, trm_error *err) {
  sim->ops->accept(sim->integ);
  sim->step_number++;
  if (sim->just_rejected) trmi_report_branch(sim);
  choose_next(sim, record);

  /* an event may end the step earlier */
  double t = trm_sim_state(sim)->t;
  int event = -1;
  trmi_switch_effect change = TRMI_JUMP;
  if (sim->sys->n.nevents > 0) {
    TRMI_TRY(err, trmi_events_evaluate(sim, trm_sim_state(sim), sim->event_new,
                                       sim->event_new + sim->sys->n.nevents, err));
    TRMI_TRY(err, find_event(sim, record->t, &event, &t, &change, err));
    if (event >= 0) t = time_of_event(sim, t);
  }
  if (event >= 0) record->limit = TRM_LIMIT_EVENT;
  TRMI_TRY(err, trmi_sinks_step(sim, record, err));
  /* evaluations inside the step come before elements with memory are notified of its end */
  TRMI_TRY(err, trmi_audit_step(sim, record->t, t, err));
  TRMI_TRY(err, trmi_outputs_until(sim, t, false, err));
  TRMI_TRY(err, trmi_measures_step(sim, record->t, t, err));
  bool stop = false;
  sim->last_start = event < 0 ? record->t : NAN;
  sim->h_last = event < 0 ? record->h : 0.0;
  sim->is_end_tested = event < 0;
  if (event >= 0) {
    TRMI_TRY(err, end_at_event(sim, event, record->t, t, change, &stop, err));
  } else {
    trmi_events_accept(sim);
    pass_mark(sim);
    TRMI_TRY(err, follow_epoch(sim, trm_sim_state(sim), err));
    TRMI_TRY(err, trmi_feedback_step(sim, err));
  }
  trmi_report_news(sim);
  *done = stop || trm_sim_state(sim)->t >= sim->options.end;
  if (*done) TRMI_TRY(err, finish(sim, t, err));
  if (!*done && sim->choice.is_on) TRMI_TRY(err, trmi_auto_step(sim, err));
  if ((sim->counters.steps - sim->saved_at) % sim->options.checkpoint_steps == 0) {
    trmi_sim_forget(sim);
    TRMI_TRY(err, trmi_sinks_checkpoint(sim, err));
  }
  return TRM_OK;
}

static trm_status begin(trm_sim *sim, trm_error *err) {
  sim->has_begun = true;
  TRMI_TRY(err, trmi_sinks_begin(sim, err));
  TRMI_TRY(err, trmi_feedback_begin(sim, err));
  trmi_report_remarks(sim);
  if (sim->choice.is_on) trmi_auto_report(sim);
  if (trm_sim_state(sim)->t == sim->t_start) {
    trmi_report_clocks(sim);
    trmi_report_changes(sim);
    TRMI_TRY(err, trmi_outputs_until(sim, sim->t_start, false, err));
  }
  return TRM_OK;
}

trm_status trmi_sim_one_step(trm_sim *sim, bool *done, trm_error *err) {
  *done = false;
  if (sim->has_ended || sim->is_done) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "the simulation has ended already");
  }
  const bool is_fresh = !sim->has_begun && trm_sim_state(sim)->t == sim->t_start;
  if (is_fresh) TRMI_TRY(err, trmi_inputs_apply(sim, done, err));
  if (!sim->has_begun) TRMI_TRY(err, begin(sim, err));
  TRMI_TRY(err, trmi_inputs_apply(sim, done, err));
  if (*done) return finish(sim, trm_sim_state(sim)->t, err);
  trm_step_record record = {.index = -1};
  trmi_violation off = {0};
  trm_status status;
  do {
    trmi_auto_open(sim);
    status = advance(sim, &record, &off, err);
    trmi_auto_close(sim, status == TRM_OK ? record.h : 0.0);
  } while (status < 0 && sim->choice.is_on && trmi_auto_rescue(sim, status, err));
  TRMI_TRY(err, status);
  trmi_count_step(sim, &record, &off);
  TRMI_TRY(err, complete(sim, &record, done, err));
  return TRM_OK;
}
