/* sim_options.c - defaults and limits of the options. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

enum { OPTIONS_TAG = 0x6f707431 };

trm_options trm_options_default(void) {
  return (trm_options){.tag = OPTIONS_TAG,
                       .solver = "auto",
                       .start = NAN,
                       .tolerance = 1e-5,
                       .max_iterations = 10,
                       .impact_tolerance = 1e-3,
                       .checkpoint_steps = 100};
}

/* Options that only hht and alpha read, or that imply one of them, select these methods if none is
 * named. */
static bool has_scaling(const trm_options *options) {
  return options->scaling != NULL && strcmp(options->scaling, "auto") != 0;
}

const char *trm_options_integrator(const trm_options *options) {
  if (options == NULL) return "";
  if (options->integrator != NULL) return options->integrator;
  if (options->has_rho) return trmi_integ_alpha.about.name;
  const bool is_older = options->formulation != NULL || options->has_alpha ||
                        options->has_coefficients || has_scaling(options) || options->nsteps > 0;
  return trm_method_for(is_older ? TRM_SUITS_MOST : TRM_SUITS_UNNAMED)->name;
}

static trm_status choose_integrator(trm_sim *sim, trm_error *err) {
  trm_options *opt = &sim->options;
  char known[160];
  sim->ops = trmi_integrator_find(opt->integrator);
  if (sim->ops == NULL) {
    trmi_method_names(known, sizeof known);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no integrator '%s': %s", opt->integrator,
                     known);
  }
  const trm_method *method = &sim->ops->about;
  sim->choice.is_on = sim->ops == &trmi_integ_auto;
  sim->formulation = sim->ops->choose != NULL ? sim->ops->choose(sim->sys)
                                              : method->formulations[0].name;
  if (opt->formulation == NULL) return TRM_OK;
  const trm_formulation *form = trm_method_formulation(method, opt->formulation);
  if (form == NULL) {
    trmi_formulation_names(method, known, sizeof known);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "integrator '%s' has no formulation '%s': it has %s",
                     opt->integrator, opt->formulation, known);
  }
  sim->formulation = form->name;
  return TRM_OK;
}

static trm_status check_steps(const trm_options *opt, const char *unit, trm_error *err) {
  if (opt->nsteps < 0 || opt->nsteps > TRM_STEPS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d fixed steps in turn: at most %d", opt->nsteps,
                     TRM_STEPS_MAX);
  }
  for (int i = 0; i < opt->nsteps; i++) {
    if (!(opt->steps[i] > 0.0 && isfinite(opt->steps[i]))) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a fixed step of %g %s: it must be positive",
                       opt->steps[i], unit);
    }
  }
  for (int i = 0; i < opt->nsteps; i++) {
    if (opt->steps[i] < 1e-14 * fabs(opt->end)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                       "a fixed step of %g %s is lost in the rounding of time up to %g %s",
                       opt->steps[i], unit, opt->end, unit);
    }
  }
  if (opt->nsteps == 0 && !(opt->tolerance >= 1e-15 && opt->tolerance <= 1.0)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "tolerance %g is out of range: it must be 1e-15 (rounding) to 1",
                     opt->tolerance);
  }
  const double limits[] = {opt->step_max, opt->step_min, opt->step_first};
  for (int i = 0; i < 3; i++) {
    if (limits[i] >= 0.0 && isfinite(limits[i])) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "a limit of the step is %g %s: it must be finite and not negative", limits[i],
                     unit);
  }
  if (opt->step_max > 0.0 && opt->step_max < opt->step_min) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the largest step %g is below the smallest %g",
                     opt->step_max, opt->step_min);
  }
  return TRM_OK;
}

static trm_status check_outputs(const trm_options *opt, const char *unit, trm_error *err) {
  const int ways = (opt->output_step != 0.0) + (opt->outputs != 0) + (opt->output_times != NULL);
  if (ways > 1 || !(opt->output_step >= 0.0 && isfinite(opt->output_step)) || opt->outputs < 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "give outputs as one of a distance, a number or a list, not negative");
  }
  if (opt->output_step > 0.0 && opt->output_step < 1e-14 * fabs(opt->end)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "outputs every %g %s are lost in the rounding of time up to %g %s",
                     opt->output_step, unit, opt->end, unit);
  }
  if (opt->noutput_times < 0 || (opt->noutput_times > 0 && opt->output_times == NULL)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d output times are announced, none are given",
                     opt->noutput_times);
  }
  for (int i = 0; i < opt->noutput_times; i++) {
    const double t = opt->output_times[i];
    if (!isfinite(t) || (i > 0 && t < opt->output_times[i - 1])) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "output times are not in order at number %d: "
                       "%g %s", i, t, unit);
    }
  }
  return TRM_OK;
}

/* Advice if no method is named. */
static const char *name_it(const trm_method *method) {
  return method->takes_others ? ": name the integrator" : "";
}

/* An option that the method does not read is an error. */
static trm_status check_read(const trm_sim *sim, trm_error *err) {
  const trm_options *opt = &sim->options;
  const trm_method *method = &sim->ops->about;
  const struct {
    unsigned    option;
    bool        is_given;
    const char *what;
  } given[] = {
      {TRM_READS_ALPHA, opt->has_alpha, "alpha is"},
      {TRM_READS_RHO, opt->has_rho, "rho is"},
      {TRM_READS_COEFFICIENTS, opt->has_coefficients, "alpha_m, alpha_f, beta, gamma are"},
      {TRM_READS_MAX_ORDER, opt->max_order != 0, "a largest order is"},
      {TRM_READS_PASSES, opt->passes != 0, "passes are"},
      {TRM_READS_ERROR_IN, opt->error_in != NULL, "the choice of unknowns in the error test is"},
      {TRM_READS_SCALING, has_scaling(opt), "scaling is"},
  };
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    if (!given[i].is_given || (method->reads & given[i].option) != 0) continue;
    char readers[80];
    trm_method_readers(given[i].option, " and ", readers, sizeof readers);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s for %s, the integrator is '%s'%s", given[i].what,
                     readers, method->name, name_it(method));
  }
  if (opt->max_order != 0 && !trm_method_has_order(method, opt->max_order)) {
    char orders[80];
    trm_method_orders(method, orders, sizeof orders);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a largest order of %d: %s has %s", opt->max_order,
                     method->name, orders);
  }
  if (sim->ops->check == NULL) return TRM_OK;
  return sim->ops->check(opt, trm_method_formulation(method, sim->formulation), err);
}

static trm_status check_error_in(const trm_options *opt, trm_error *err) {
  const char *in = opt->error_in;
  if (in == NULL || strcmp(in, "positions") == 0 || strcmp(in, "velocities") == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "the error is not tested in '%s': positions or velocities", in);
}

static trm_status check_scaling(const trm_options *opt, trm_error *err) {
  if (!has_scaling(opt)) return TRM_OK;
  const char *name = opt->scaling;
  if (name[0] < 'a' || name[0] > 'c' || name[1] != '\0') {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no scaling '%s': auto, a, b or c", name);
  }
  if (name[0] != 'c' && strcmp(opt->solver, trmi_solver_block.name) == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "scaling '%s' with the solver '%s', which takes matrices as they are: klu or "
                     "dense", name, opt->solver);
  }
  return TRM_OK;
}

/* The first option of control by energy that is given, NULL: none. */
static const char *energy_option(const trm_options *opt) {
  return opt->energy_datum != 0.0       ? "energy_datum"
         : opt->energy_repetitions != 0 ? "energy_repetitions"
         : opt->energy_wait != 0        ? "energy_wait"
         : opt->energy_accept != 0.0    ? "energy_accept"
         : opt->energy_reduce != 0.0    ? "energy_reduce"
         : opt->energy_grow != 0.0      ? "energy_grow"
         : opt->energy_from != 0.0      ? "energy_from"
         : opt->energy_to != 0.0        ? "energy_to"
                                        : NULL;
}

static trm_status check_energy(const trm_sim *sim, trm_error *err) {
  const trm_options *opt = &sim->options;
  const char *control = opt->step_control, *option = energy_option(opt);
  const bool is_energy = control != NULL && strcmp(control, "energy") == 0;
  if (control != NULL && !is_energy && strcmp(control, "local") != 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no step control '%s': local or energy",
                     control);
  }
  if (is_energy && (sim->ops->about.reads & TRM_READS_ENERGY) == 0) {
    char readers[80];
    trm_method_readers(TRM_READS_ENERGY, " and ", readers, sizeof readers);
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "step control by energy is for %s, the integrator is '%s'%s", readers,
                     sim->ops->about.name, name_it(&sim->ops->about));
  }
  if (is_energy && opt->nsteps > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "step control by energy with a fixed step: only one of them can choose it");
  }
  if (option != NULL && !is_energy) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "%s without step control by energy: nothing would use it", option);
  }
  if (opt->energy_to != 0.0 && !(opt->energy_from < opt->energy_to)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "control by energy from %g to %g %s: the first must be the earlier one",
                     opt->energy_from, opt->energy_to, sim->sys->units.time);
  }
  return TRM_OK;
}

trm_status trmi_options_check_tag(const trm_options *opt, trm_error *err) {
  if (opt->tag == OPTIONS_TAG) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "options must come from trm_options_default");
}

/* Zero and NULL mean the default. */
static void complete(trm_options *opt) {
  const trm_options defaults = trm_options_default();
  opt->integrator = trm_options_integrator(opt);
  if (opt->solver == NULL) opt->solver = defaults.solver;
  if (opt->tolerance == 0.0) opt->tolerance = defaults.tolerance;
  if (opt->max_iterations == 0) opt->max_iterations = defaults.max_iterations;
  if (opt->impact_tolerance == 0.0) opt->impact_tolerance = defaults.impact_tolerance;
  if (opt->checkpoint_steps == 0) opt->checkpoint_steps = defaults.checkpoint_steps;
}

trm_status trmi_options_check(trm_sim *sim, trm_error *err) {
  trm_options *opt = &sim->options;
  const char *unit = sim->sys->units.time;
  complete(opt);
  if (isinf(opt->start)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the start %g %s is not a time", opt->start,
                     unit);
  }
  TRMI_TRY(err, choose_integrator(sim, err));
  TRMI_TRY(err, check_steps(opt, unit, err));
  TRMI_TRY(err, check_outputs(opt, unit, err));
  TRMI_TRY(err, check_read(sim, err));
  TRMI_TRY(err, check_error_in(opt, err));
  TRMI_TRY(err, check_scaling(opt, err));
  TRMI_TRY(err, check_energy(sim, err));
  if (!(opt->impact_tolerance > 0.0 && opt->impact_tolerance <= 0.1)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "impact_tolerance is %g: it must be above 0 and at "
                     "most 0.1", opt->impact_tolerance);
  }
  if (opt->max_iterations < 1 || !(opt->newton_tolerance >= 0.0) ||
      !(opt->constraint_tolerance >= 0.0) || opt->checkpoint_steps < 1) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "max_iterations and checkpoint_steps must be positive, newton_tolerance and "
                     "constraint_tolerance not negative");
  }
  return TRM_OK;
}

/* Squares of steps must be representable, and a step must change the time. */
trm_status trmi_options_check_length(const trm_sim *sim, trm_error *err) {
  const double start = sim->start.t, end = sim->options.end, length = end - start;
  const char *unit = sim->sys->units.time;
  if (!(length > 0.0) || !isfinite(end)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the end %g %s is not after the start %g %s", end,
                     unit, start, unit);
  }
  if (length > 1e150) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the end %g %s is too far for steps of any size",
                     end, unit);
  }
  if (length < 1e-150 || length < 1e-14 * fabs(end)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the end %.17g %s is %s to rounding", end, unit,
                     start == 0.0 ? "zero" : "the start");
  }
  return TRM_OK;
}
