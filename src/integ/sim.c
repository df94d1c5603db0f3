/* sim.c - life cycle of a simulation: create, complete the start, free. */
#include "integ/audit.h"
#include "integ/auto.h"
#include "integ/calls.h"
#include "integ/diagnose.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static trm_status take(trm_sim *sim, trm_error *err) {
  const trm_system *sys = sim->sys;
  trmi_arena *arena = &sim->arena;
  const trm_sizes *n = &sys->n;
  sim->scale_v = TRMI_TAKE(arena, double, n->nv);
  sim->q_moved = TRMI_TAKE(arena, double, sys->nq);
  sim->v_moved = TRMI_TAKE(arena, double, n->nv);
  sim->start_displacement = TRMI_TAKE(arena, double, n->nv);
  const int power = sim->choice.is_on ? 3 * (2 * n->nv + n->nx) : 0;
  sim->power = TRMI_TAKE(arena, double, power);
  sim->inputs = TRMI_TAKE(arena, double, 2 * (size_t)n->nu);
  sim->outputs = TRMI_TAKE(arena, double, n->noutputs);
  sim->shown = TRMI_TAKE(arena, double, n->nshown);
  sim->recorded = TRMI_TAKE(arena, double, n->nrecorded);
  sim->row_size = TRMI_TAKE(arena, double, n->ng + n->na);
  sim->row_now = TRMI_TAKE(arena, double, n->ng + n->na);
  sim->event_values = TRMI_TAKE(arena, double, 2 * (size_t)n->nevents);
  sim->event_new = TRMI_TAKE(arena, double, 2 * (size_t)n->nevents);
  sim->event_mid = TRMI_TAKE(arena, double, 2 * (size_t)n->nevents);
  sim->event_half = TRMI_TAKE(arena, double, 2 * (size_t)n->nevents);
  sim->event_steep = TRMI_TAKE(arena, double, n->nevents);
  sim->event_noise = TRMI_TAKE(arena, double, n->nevents);
  sim->event_t = TRMI_TAKE(arena, double, n->nevents);
  sim->event_fired = TRMI_TAKE(arena, trmi_fired, n->nevents);
  sim->event_side = TRMI_TAKE(arena, int, n->nevents);
  const int rates = n->nevents > 0 ? n->nv + n->nx + n->nw : 0;
  const int rows = n->nevents > 0 ? 2 * (2 * n->ng + n->na) : 0;
  sim->rates_before = TRMI_TAKE(arena, double, rates);
  sim->rows_before = TRMI_TAKE(arena, double, rows);
  sim->impacts = TRMI_TAKE(arena, trmi_impact, n->ngaps);
  sim->gap_info = TRMI_TAKE(arena, trm_gap_info, n->ngaps);
  sim->gap_scale = TRMI_TAKE(arena, double, n->ngaps);
  sim->gap_now = TRMI_TAKE(arena, double, 3 * (size_t)n->ngaps);
  sim->gap_next = TRMI_TAKE(arena, double, 3 * (size_t)n->ngaps);
  sim->gap_probe = TRMI_TAKE(arena, double, 3 * (size_t)n->ngaps);
  sim->gap_z = TRMI_TAKE(arena, double, n->nz);
  sim->gap_left = TRMI_TAKE(arena, double, 3 * (size_t)n->ngaps);
  sim->cut_now = TRMI_TAKE(arena, double, n->ngaps);
  sim->cut_next = TRMI_TAKE(arena, double, n->ngaps);
  sim->probe = TRMI_TAKE(arena, double, n->ngaps + n->nevents > 0 ? n->nv : 0);
  sim->slip_now = TRMI_TAKE(arena, double, 7 * (size_t)n->nslips);
  sim->slip_next = TRMI_TAKE(arena, double, 7 * (size_t)n->nslips);
  sim->slip_scale = TRMI_TAKE(arena, double, n->nslips);
  trmi_state_take(sys, arena, &sim->start);
  trmi_state_take(sys, arena, &sim->dense);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < n->nv; i++) {
    const double given = sim->options.scales_v != NULL ? sim->options.scales_v[i] : 0.0;
    sim->scale_v[i] = given > 0.0 && isfinite(given) ? given : sys->scale_v[i];
  }
  return TRM_OK;
}

/* Start values from the system, all finite. */
static trm_status read_start(trm_sim *sim, trm_error *err) {
  trm_system *sys = sim->sys;
  trm_state *s = &sim->start;
  for (int k = 0; k < sys->n.nrot; k++) s->q[sys->rot_v[k] + k] = 1.0;
  if (isfinite(sim->options.start)) s->t = sim->options.start; /* used by elements with memory */
  TRMI_TRY(err, trmi_system_start(sys, s, err));
  if (sim->options.from != NULL) TRMI_TRY(err, trmi_start_from(sim, err));
  bool is_new = false;
  TRMI_TRY(err, trmi_system_follow(sys, &is_new, err));
  if (sys->epoch_arena.failed) TRMI_TRY(err, trmi_system_read_patterns(sys, err)); /* no room yet */
  if (isfinite(sim->options.start)) s->t = sim->options.start;
  trmi_group_normalize(sys, s->q);
  const struct {
    trm_quantity  list;
    const double *values;
  } lists[] = {{TRM_Q, s->q}, {TRM_V, s->v}, {TRM_X, s->x}, {TRM_W, s->w},
               {TRM_Z, s->z}, {TRM_U, s->u}, {TRM_U, s->ud}};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
    for (int i = 0; i < trm_system_count(sys, lists[l].list); i++) {
      if (isfinite(lists[l].values[i])) continue;
      trm_label label;
      trm_system_label(sys, lists[l].list, i, &label);
      return TRMI_FAIL(err, TRM_ERR_NOT_FINITE, label.object, "start value of '%s' is %g",
                       label.name, lists[l].values[i]);
    }
  }
  memcpy(sim->q_moved, s->q, (size_t)sys->nq * sizeof(double));
  memcpy(sim->v_moved, s->v, (size_t)sys->n.nv * sizeof(double));
  TRMI_TRY(err, trmi_options_check_length(sim, err));
  if (sim->options.output_times != NULL && sim->options.noutput_times > 0 &&
      sim->options.output_times[0] < s->t) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "output time %g %s is before the start %g %s",
                     sim->options.output_times[0], sys->units.time, s->t, sys->units.time);
  }
  sim->t_start = sim->grid_start = s->t;
  if (sim->ops->longest_step != NULL && !(sim->options.step_max > 0.0)) {
    sim->options.step_max = sim->ops->longest_step(&sim->options, sim->options.end - s->t);
  }
  return TRM_OK;
}

static trm_status find_rank(trm_sim *sim, trm_error *err) {
  TRMI_TRY(err, trmi_rank_relate(sim->sys, &sim->start, 0.0, &sim->arena, &sim->rank,
                                 &sim->relations, err));
  return TRM_OK;
}

/* Positions and velocities; the rank before, and again if positions moved. */
static trm_status assemble(trm_sim *sim, trm_error *err) {
  trm_system *sys = sim->sys;
  TRMI_TRY(err, find_rank(sim, err));
  sim->bordered = sim->rank.rank < sim->rank.rows;
  const trm_status status = trmi_consistent_init(&sim->consistent, sys, &sim->arena,
                                                 sim->options.solver, sim->bordered, err);
  sim->has_consistent = true;
  TRMI_TRY(err, status);
  TRMI_TRY(err, trmi_consistent_assemble_positions(&sim->consistent, &sim->start, err));
  if (memcmp(sim->q_moved, sim->start.q, (size_t)sys->nq * sizeof(double)) != 0) {
    TRMI_TRY(err, find_rank(sim, err));
    if (sim->rank.rank < sim->rank.rows && !sim->bordered) {
      sim->bordered = true;
      TRMI_TRY(err, trmi_consistent_rebuild(&sim->consistent, true, err));
    }
  }
  TRMI_TRY(err, trmi_consistent_assemble_velocities(&sim->consistent, &sim->start, err));
  trm_system_difference(sys, sim->start.q, sim->q_moved, sim->start_displacement);
  for (int i = 0; i < sys->nq; i++) sim->q_moved[i] = fabs(sim->start.q[i] - sim->q_moved[i]);
  for (int i = 0; i < sys->n.nv; i++) sim->v_moved[i] = fabs(sim->start.v[i] - sim->v_moved[i]);
  sim->is_between = true;
  sim->is_assembled = !sim->consistent.moved_q && !sim->consistent.moved_v;
  return TRM_OK;
}

/* Conditions on accelerations, or where motion starts from rest, may have no consistent
 * solution. */
static void say_unsettled(trm_sim *sim, const trm_state *s) {
  char text[200];
  if (sim->is_unsettled) return;
  sim->is_unsettled = true;
  snprintf(text, sizeof text, "at t = %.9g %s conditions do not settle: the accelerations that "
           "follow from them reverse them; replace jumps by steep smooth functions", s->t,
           sim->sys->units.time);
  trmi_sinks_message(sim, text);
}

/* Accelerations, with the discrete values that follow from the state. */
static trm_status settle(trm_sim *sim, trm_state *s, trm_error *err) {
  const trm_system *sys = sim->sys;
  TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, s, err));
  bool changed = sys->ops->settle != NULL;
  for (int k = 0; k < 20 && changed; k++) {
    TRMI_ASK(err, sys->ops->name, "settle", sys->ops->settle(sys->self, s, &changed, err));
    TRMI_TRY(err, trmi_sim_follow(sim, err));
    if (changed) TRMI_TRY(err, trmi_consistent_accelerations(&sim->consistent, s, err));
  }
  if (changed) say_unsettled(sim, s);
  TRMI_TRY(err, trmi_consistent_agree(&sim->consistent, s, err));
  return TRM_OK;
}

/* Everything consistent at sim->start. */
static trm_status complete_start(trm_sim *sim, trm_error *err) {
  trm_state *s = &sim->start;
  TRMI_TRY(err, trmi_sim_follow(sim, err)); /* an event may have changed patterns */
  if (!sim->is_assembled) {
    TRMI_TRY(err, trmi_consistent_positions(&sim->consistent, s, 10, err));
    TRMI_TRY(err, trmi_consistent_velocities(&sim->consistent, s, err));
  }
  sim->is_assembled = false;
  TRMI_TRY(err, settle(sim, s, err));
  if (!sim->has_begun) TRMI_TRY(err, trmi_start_pose(sim, s, err));
  TRMI_TRY(err, trmi_singular_rows_measure(sim, s, err));
  return TRM_OK;
}

/* The grid of fixed steps begins here, and so does the search for events. */
static trm_status begin_stretch(trm_sim *sim, trm_error *err) {
  const trm_state *s = &sim->start;
  sim->grid_start = s->t;
  sim->step_number = 0;
  sim->is_end_tested = false;
  TRMI_TRY(err, trmi_events_evaluate(sim, s, sim->event_values,
                                     sim->event_values + sim->sys->n.nevents, err));
  return TRM_OK;
}

/* The integrator restarts at sim->start, where everything is consistent. */
static trm_status start_anew(trm_sim *sim, trm_error *err) {
  const trm_state *s = &sim->start;
  double h = sim->options.nsteps > 0 ? sim->options.steps[0] : sim->options.step_first;
  if (sim->options.nsteps == 0 && sim->options.step_max > 0.0 && h > sim->options.step_max) {
    h = sim->options.step_max;
  }
  TRMI_TRY(err, trmi_sim_start_at(sim, s, &h, err));
  sim->is_between = false;
  sim->h_next = h;
  sim->chosen_by = TRM_LIMIT_NONE;
  sim->just_rejected = false;
  sim->since_rejected = sim->between_rejected = INT_MAX;
  sim->h_before = sim->h_failed = 0.0;
  sim->since_failed = sim->failed_steps = 0;
  return begin_stretch(sim, err);
}

/* The same; a failure after an event reports its time and the contradiction. */
static trm_status complete_anew(trm_sim *sim, trm_error *err) {
  const trm_status status = complete_start(sim, err);
  if (status >= 0 || !sim->has_begun || err == NULL) return status;
  const trm_status cause = trmi_diagnose_start(sim, status, err);
  const trm_error before = *err;
  TRMI_FAIL(err, cause, before.object, "the motion cannot begin anew after an event: %.*s",
            TRM_MESSAGE_MAX - 50, before.message);
  return trmi_note_time(err, sim->start.t, NAN, cause);
}

trm_status trmi_sim_begin_anew(trm_sim *sim, trm_error *err) {
  TRMI_TRY(err, complete_anew(sim, err));
  TRMI_TRY(err, start_anew(sim, err));
  return TRM_OK;
}

trm_status trmi_sim_continue(trm_sim *sim, trm_error *err) {
  trm_state *s = &sim->start;
  const size_t bytes = (size_t)sim->sys->n.nz * sizeof(double);
  memcpy(sim->dense.z, s->z, bytes);
  TRMI_TRY(err, complete_anew(sim, err));
  const bool is_other = memcmp(sim->dense.z, s->z, bytes) != 0; /* conditions that depend on them */
  if (is_other) return start_anew(sim, err);
  double h = sim->options.nsteps > 0 ? sim->options.steps[0] : sim->h_next;
  if (sim->ops->continue_at != NULL && strcmp(sim->formulation, "paper") != 0) {
    sim->ops->continue_at(sim->integ, s);
  } else {
    TRMI_TRY(err, trmi_sim_start_at(sim, s, &h, err));
  }
  sim->h_before = 0.0; /* errors before and after are not comparable */
  return begin_stretch(sim, err);
}

void trmi_sim_forget(trm_sim *sim) {
  sim->is_end_tested = false;
  trmi_consistent_forget(&sim->consistent);
  sim->ops->forget(sim->integ);
}

trm_status trmi_sim_replan(trm_sim *sim, bool bordered, trm_error *err) {
  sim->bordered = bordered;
  TRMI_TRY(err, trmi_consistent_rebuild(&sim->consistent, bordered, err));
  TRMI_TRY(err, sim->ops->plan(sim->integ, bordered, err));
  return TRM_OK;
}

trm_status trmi_sim_follow(trm_sim *sim, trm_error *err) {
  bool is_new = false;
  TRMI_TRY(err, trmi_system_follow(sim->sys, &is_new, err));
  return is_new ? trmi_sim_replan(sim, sim->bordered, err) : TRM_OK;
}

/* After TRM_RETRY_PATTERN for the time number k. */
static trm_status renew(trm_sim *sim, int k, trm_error *err) {
  if (k >= TRMI_PATTERNS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_STEP, sim->sys->ops->name, "patterns of blocks change without "
                     "end: within a step they may grow only");
  }
  TRMI_TRY(err, trmi_system_renew(sim->sys, err));
  return trmi_sim_replan(sim, sim->bordered, err);
}

trm_status trmi_sim_attempt(trm_sim *sim, double h, trmi_attempt *attempt, trm_error *err) {
  for (int k = 0;; k++) {
    const trm_status status = sim->ops->attempt(sim->integ, h, attempt, err);
    if (status != TRM_RETRY_PATTERN) return status;
    TRMI_TRY(err, renew(sim, k, err));
  }
}

trm_status trmi_sim_start_at(trm_sim *sim, const trm_state *s, double *h, trm_error *err) {
  const double first = *h;
  for (int k = 0;; k++) {
    *h = first;
    const trm_status status = sim->ops->start(sim->integ, s, h, err);
    if (status != TRM_RETRY_PATTERN) return status;
    TRMI_TRY(err, renew(sim, k, err));
  }
}

static trm_status build_start(trm_sim *sim, trm_error *err) {
  TRMI_TRY(err, trmi_options_check(sim, err));
  TRMI_TRY(err, take(sim, err));
  TRMI_TRY(err, read_start(sim, err));
  TRMI_TRY(err, assemble(sim, err));
  return TRM_OK;
}

static trm_status build(trm_sim *sim, trm_error *err) {
  TRMI_TRY(err, build_start(sim, err));
  trmi_impacts_begin(sim);
  if (sim->choice.is_on) {
    TRMI_TRY(err, trmi_auto_begin(sim, err));
  } else {
    TRMI_TRY(err, trmi_method_create(sim, err));
    TRMI_TRY(err, trmi_sim_begin_anew(sim, err));
  }
  const trm_system_ops *ops = sim->sys->ops;
  if (ops->begin_run != NULL && sim->options.nsteps == 0) {
    TRMI_ASK(err, ops->name, "begin_run",
             ops->begin_run(sim->sys->self, &sim->start, sim->options.end, err));
  }
  TRMI_TRY(err, trmi_events_begin(sim, err));
  trmi_slips_begin(sim);
  trmi_audit_begin(sim);
  return TRM_OK;
}

/* At the start nothing can be retried: a request for a smaller step is an error. */
static trm_status final(trm_error *err, trm_status status) {
  if (status <= 0) return status;
  const trm_status end = status == TRM_RETRY_SINGULAR ? TRM_ERR_SINGULAR : TRM_ERR_NOT_FINITE;
  err->status = end;
  return end;
}

/* The kind of simulation to create: one that can run, or only its assembled start. */
typedef trm_status build_function(trm_sim *sim, trm_error *err);

/* A simulation that works in `sys` itself. */
static trm_status create_in(trm_system *sys, const trm_options *options, build_function *function,
                            trm_sim **out, trm_error *err) {
  trm_sim *sim = trmi_allocate(&options->allocator, sizeof *sim);
  if (sim == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a "
                                                               "simulation");
  *sim = (trm_sim){.sys = sys, .options = *options};
  sys->nsims++;
  trmi_arena_init(&sim->arena, &options->allocator);
  trmi_arena_init(&sim->method_arena, &options->allocator);
  trm_error own; /* on success the caller's error is unchanged */
  trmi_error_clear(&own);
  trm_status status = final(&own, function(sim, &own));
  if (status != TRM_OK) {
    if (function == build) status = trmi_diagnose_start(sim, status, &own);
    if (function == build && status != TRM_ERR_INPUT) {
      trmi_note_time(&own, sim->t_start, NAN, status);
    }
    trm_sim_free(sim);
    if (err != NULL) *err = own;
    return trmi_note(err, __func__, status);
  }
  *out = sim;
  return TRM_OK;
}

trm_status trmi_sim_create_in(trm_system *sys, const trm_options *options, trm_sim **out,
                              trm_error *err) {
  const clock_t begin = clock();
  TRMI_TRY(err, create_in(sys, options, build, out, err));
  trm_sim *sim = *out;
  sys->residuals = sys->jacobians = 0;
  sys->tally.factorizations = sys->tally.solves = 0;
  sim->counters.step_min = sim->counters.pace_min = INFINITY;
  sim->counters.errors.index = -1;
  sim->sampled_t = sim->last_start = sim->last_event = NAN;
  sim->mark = -INFINITY;
  sim->counters.seconds_setup = (double)(clock() - begin) / CLOCKS_PER_SEC;
  return TRM_OK;
}

/* An instance for a simulation. */
static trm_status open_system(trm_system *system, const trm_options *options, trm_system **sys,
                              trm_error *err) {
  TRMI_TRY(err, trmi_options_check_tag(options, err));
  if (system->origin != NULL) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "the results of trm_sim_system and "
                     "trm_static_system belong to their owners: create simulations of the system "
                     "itself");
  }
  TRMI_TRY(err, trmi_system_check_free(system, err));
  const trm_instance_options how = {.allocator = options->allocator,
                                    .parallel_for = options->parallel_for,
                                    .parallel_self = options->parallel_self};
  return trmi_system_open(system, &how, sys, err);
}

trm_status trm_sim_create(trm_system *system, const trm_options *options, trm_sim **out,
                          trm_error *err) {
  trm_system *sys;
  TRMI_NEED(err, out);
  *out = NULL;
  TRMI_NEED(err, system, options);
  TRMI_TRY(err, open_system(system, options, &sys, err));
  const trm_status status = trmi_sim_create_in(sys, options, out, err);
  if (status == TRM_OK) (*out)->origin = system;
  else trmi_system_close(sys, system);
  return status;
}

trm_status trmi_sim_assemble_in(trm_system *sys, const trm_options *options, trm_sim **out,
                                trm_error *err) {
  return create_in(sys, options, build_start, out, err);
}

trm_status trmi_sim_assemble(trm_system *system, const trm_options *options, trm_sim **out,
                             trm_error *err) {
  trm_system *sys;
  *out = NULL;
  TRMI_TRY(err, open_system(system, options, &sys, err));
  const trm_status status = create_in(sys, options, build_start, out, err);
  if (status == TRM_OK) (*out)->origin = system;
  else trmi_system_close(sys, system);
  return status;
}

void trm_sim_free(trm_sim *sim) {
  if (sim == NULL) return;
  if (atomic_load(&sim->is_at_work)) {
    atomic_store(&sim->is_given_up, true); /* freed by the call in progress */
    return;
  }
  trm_system *sys = sim->sys, *origin = sim->origin;
  trmi_method_free(sim);
  if (sim->has_consistent) trmi_consistent_free(&sim->consistent);
  sys->nsims--;
  const trm_allocator allocator = sim->arena.allocator;
  trmi_arena_clear(&sim->arena);
  trmi_release(&allocator, sim);
  if (origin != NULL) trmi_system_close(sys, origin);
}

trm_system *trm_sim_system(const trm_sim *sim) {
  if (sim == NULL) return NULL;
  return sim->sys;
}

const trm_state *trm_sim_state(const trm_sim *sim) {
  if (sim == NULL) return NULL;
  return sim->is_between ? &sim->start : sim->ops->state(sim->integ);
}

trm_status trm_sim_interpolate(trm_sim *sim, double t, const trm_state **state, trm_error *err) {
  TRMI_NEED(err, sim, state);
  const trm_state *now = trm_sim_state(sim);
  if (t == now->t) {
    *state = now;
    return TRM_OK;
  }
  if (!(t >= sim->last_start && t < now->t)) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "%g %s is not inside the last step, which ends "
                     "at %g", t, sim->sys->units.time, now->t);
  }
  TRMI_TRY(err, trmi_sim_enter(sim, __func__, err));
  const trm_status status = sim->ops->interpolate(sim->integ, t, &sim->dense, err);
  if (status == TRM_OK) *state = &sim->dense;
  return trmi_sim_leave(sim, status, err);
}

const trm_counters *trm_sim_counters(const trm_sim *sim) {
  if (sim == NULL) return NULL;
  return &sim->counters;
}

const char *trm_sim_integrator(const trm_sim *sim) {
  if (sim == NULL) return "";
  return sim->ops->about.name;
}

const char *trm_sim_formulation(const trm_sim *sim) {
  if (sim == NULL) return "";
  return sim->formulation;
}

const char *trm_sim_solver(const trm_sim *sim) {
  if (sim == NULL) return "";
  const trmi_matrix *matrix = sim->ops->newton_matrix != NULL
                                  ? sim->ops->newton_matrix(sim->integ)
                                  : &sim->consistent.project;
  return matrix->lin.ops->name;
}

const trm_rank *trm_sim_rank(const trm_sim *sim) {
  if (sim == NULL) return NULL;
  return &sim->rank;
}

double trm_sim_moved(const trm_sim *sim, trm_quantity list, double *moved) {
  if (sim == NULL) return 0.0;
  const double *distance = list == TRM_Q ? sim->q_moved : sim->v_moved;
  double largest = 0.0;
  for (int i = 0; i < trm_system_count(sim->sys, list); i++) {
    if (moved != NULL) moved[i] = distance[i];
    largest = fmax(largest, distance[i]);
  }
  return largest;
}
