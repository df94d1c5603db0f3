/* driver_messages.c - sentences of the driver: why a run ends, and notes to the sinks. */
#include "integ/diagnose.h"
#include "integ/feedback_notes.h"
#include "system/relations.h"
#include <math.h>
#include <stdio.h>

/* ---- failures ------------------------------------------------------------- */

static const char *advice(trm_status cause) {
  switch (cause) {
  case TRM_RETRY_ERROR: return "a jump or a very fast motion; look there, or raise the tolerance";
  case TRM_RETRY_NEWTON: return "the equations change too fast there, or a start value is wrong";
  case TRM_RETRY_SINGULAR: return "the mechanism is in a singular pose, or has an unknown that "
                                  "no equation determines";
  default: return "the motion runs out of the domain of its equations";
  }
}

/* Does the method solve for positions only? */
static bool is_driven(const trm_sim *sim) {
  return (sim->ops->about.suits & TRM_SUITS_DRIVEN) != 0;
}

bool trmi_say_singular(trm_sim *sim, double h, bool is_matrix, trm_label *row, char *text,
                       size_t size) {
  double part = 1.0;
  char names[240];
  const trm_state *pose = trmi_diagnose_pose(sim, h);
  if (trmi_singular_rows_find(sim, pose, row, &part)) {
    snprintf(text, size,
             "the pose is singular: constraint '%s' has no effect there, its row has shrunk to "
             "%.1e of its size", row->name, part);
    return true;
  }
  row->object[0] = '\0';
  if (!trmi_diagnose_dependent(sim, pose, names, sizeof names)) {
    const bool is_known = is_matrix && sim->relations.count > 0;
    if (is_known) trmi_relations_names(sim->sys, &sim->relations, 0, names, sizeof names);
    if (is_known) {
      snprintf(text, size, "the redundant constraints of %s contradict each other there: "
               "'trammel check MODEL' names those to release", names);
    }
    return is_known;
  }
  /* with constraints that were already redundant, hht is most likely to succeed */
  const trm_method *other = trm_method_for(sim->relations.count > 0 ? TRM_SUITS_REDUNDANT
                                                                    : TRM_SUITS_SINGULAR);
  const bool may_help = &sim->ops->about != other && !is_driven(sim);
  snprintf(text, size, "the pose is singular: the rows of %s became dependent%s%s%s", names,
           may_help ? "; try --integrator " : "", may_help ? other->name : "",
           may_help ? ", which passes many such poses" : "");
  return true;
}

trm_status trmi_give_up(trm_sim *sim, double h, trm_status cause, const trmi_attempt *attempt,
                        trm_error *err) {
  const double t = trm_sim_state(sim)->t;
  trm_error last = err != NULL ? *err : (trm_error){0};
  trm_label label = {.name = "?", .object = ""};
  if (attempt->index >= 0) trm_system_label(sim->sys, attempt->list, attempt->index, &label);
  const char *object = last.object[0] != '\0' && cause != TRM_RETRY_ERROR ? last.object
                                                                           : label.object;
  const bool fixed = sim->options.nsteps > 0;
  trm_status status = cause == TRM_RETRY_SINGULAR ? TRM_ERR_SINGULAR : TRM_ERR_STEP;
  const char *why = advice(cause), *unit = sim->sys->units.time;
  char pose[TRM_MESSAGE_MAX];
  trm_label row;
  const bool is_matrix = cause == TRM_RETRY_SINGULAR || is_driven(sim);
  const bool is_singular = trmi_say_singular(sim, h, is_matrix, &row, pose, sizeof pose);
  if (is_singular) why = pose;
  if (is_singular && row.object[0] != '\0') object = row.object;
  if (!is_singular && last.object[0] == '\0' &&
      trmi_feedback_blame(sim, &row, pose, sizeof pose)) {
    why = pose, object = row.object;
  }
  const double least = trmi_smallest_step(sim); /* 1 us is less than mechanisms need */
  const bool is_far = sim->options.step_min == 0.0 && least * sim->sys->units.seconds > 1e-6;
  if (!fixed && is_far) {
    TRMI_FAIL(err, status, object, "the end %.3g %s is too far: over that time steps below %.3g "
              "%s are lost in rounding, and the motion needs smaller ones", sim->options.end, unit,
              least, unit);
  } else if (cause == TRM_RETRY_ERROR) {
    TRMI_FAIL(err, status, object,
              "the step fell below %.3g %s: the local error of '%s' stays %.2g times the "
              "tolerance; %s", trmi_smallest_step(sim), unit, label.name, attempt->error, why);
  } else if (fixed) {
    TRMI_FAIL(err, status, object, "a fixed step failed: %s%s%s", last.message,
              why == pose ? "; " : "", why == pose ? pose : "");
  } else {
    TRMI_FAIL(err, status, object, "the step fell below %.3g %s: %s; %s", trmi_smallest_step(sim),
              unit, last.message, why);
  }
  return trmi_note_time(err, t, h, status);
}

/* ---- notes ---------------------------------------------------------------- */

void trmi_report_singular(trm_sim *sim) {
  char names[240], text[400];
  const bool is_known = trmi_diagnose_dependent(sim, trm_sim_state(sim), names, sizeof names);
  snprintf(text, sizeof text, "the constraints%s%s became singular: from here on reactions are "
           "shared out by least squares", is_known ? " of " : "", is_known ? names : "");
  trmi_sinks_message(sim, text);
}

void trmi_report_branch(trm_sim *sim) {
  trm_label row;
  double part = 1.0;
  char text[400];
  if (sim->has_reported_branch || !trmi_singular_rows_find(sim, trm_sim_state(sim), &row, &part))
    return;
  sim->has_reported_branch = true;
  snprintf(text, sizeof text, "a singular pose at %.6g %s: constraint '%s' had almost no effect "
           "there, so that the motion could branch; compare it with that of another integrator or "
           "tolerance", trm_sim_state(sim)->t, sim->sys->units.time, row.name);
  trmi_sinks_message(sim, text);
}

void trmi_report_stillness(trm_sim *sim) {
  const trm_system *sys = sim->sys;
  const trm_state *s = trm_sim_state(sim);
  if (sys->n.nv == 0 || sys->n.nx > 0 || !sim->rank.complete || sim->rank.freedoms > 0) return;
  if (!sim->audit.is_on || sim->audit.kinetic_max != 0.0) return;
  for (int i = 0; i < sys->n.nv; i++) {
    if (s->v[i] != 0.0) return;
  }
  trmi_sinks_message(sim, "nothing can move: the constraints leave no freedom, and no motion "
                     "drives them; a joint of another type may be meant");
}

void trmi_report_edge(trm_sim *sim, int i, int side) {
  const trm_event_info info = trmi_event_info(sim, i);
  char text[TRM_MESSAGE_MAX];
  trm_label label;
  if (info.kind == TRM_EVENT_SILENT || info.direction != side) return;
  sim->event_side[i] = side; /* reported once */
  trm_system_label(sim->sys, TRM_EVENT, i, &label);
  snprintf(text, sizeof text, "%s is exactly at zero at the start: leaving zero is no crossing, "
           "and it does not happen there; if it should, write a condition such as x > 0",
           label.object[0] != '\0' ? label.object : label.name);
  trmi_sinks_message(sim, text);
}

bool trmi_say_clock(const trm_sim *sim, int i, char *text, size_t size) {
  const double end = sim->options.end, rounding = 1e-9 * fabs(end), often = 1e7;
  const double first = trm_sim_state(sim)->t - sim->event_values[i];
  const double every = trmi_event_info(sim, i).every, count = (end - first) / every;
  const char *unit = sim->sys->units.time;
  trm_label label;
  if (!(every > 0.0) || !(first > end + rounding || count > often)) return false;
  trm_system_label(sim->sys, TRM_EVENT, i, &label);
  const char *name = label.object[0] != '\0' ? label.object : label.name;
  if (count > often) {
    snprintf(text, size, "%s happens %.2g times in this run, every %.6g %s: is that in another "
             "unit?", name, count, every, unit);
  } else {
    snprintf(text, size, "%s never happens: its first time, %.6g %s, is after the end of the run, "
             "%.6g %s", name, first, unit, end, unit);
  }
  return true;
}

void trmi_report_clocks(trm_sim *sim) {
  char text[TRM_MESSAGE_MAX];
  for (int i = 0; i < sim->sys->n.nevents; i++) {
    if (trmi_say_clock(sim, i, text, sizeof text)) trmi_sinks_message(sim, text);
  }
}

/* The velocity coordinate whose given start was changed most, over its scale; -1: none
 * significantly. */
static int most_changed(const trm_sim *sim, trm_quantity list, double *change) {
  const trm_system *sys = sim->sys;
  const double unit = list == TRM_Q ? 1.0 : 1.0 / sys->second;
  const double much = 1e-3 * unit; /* more than the rounding of typed start values */
  const double *changes = list == TRM_Q ? sim->start_displacement : sim->v_moved;
  double largest = much;
  int most = -1;
  for (int i = 0; i < sys->n.nv && sys->ops->is_given != NULL; i++) {
    const double scaled = fabs(changes[i]) / sys->scale_v[i];
    if (!(scaled > largest) || !sys->ops->is_given(sys->self, list, i)) continue;
    largest = scaled;
    most = i;
  }
  if (most >= 0) *change = fabs(changes[most]);
  return most;
}

void trmi_report_changes(trm_sim *sim) {
  const trm_quantity lists[] = {TRM_Q, TRM_V};
  for (int k = 0; k < 2; k++) {
    char text[TRM_MESSAGE_MAX];
    trm_label label;
    double change = 0.0;
    const int most = most_changed(sim, lists[k], &change);
    if (most < 0) continue;
    trm_system_label(sim->sys, TRM_V, most, &label);
    snprintf(text, sizeof text, "the %s given for the start do not fit the constraints and were "
             "changed, that of %s by %.3g: 'trammel check' lists all",
             k == 0 ? "places" : "velocities",
             label.object[0] != '\0' ? label.object : label.name, change);
    trmi_sinks_message(sim, text);
  }
}

void trmi_report_news(trm_sim *sim) {
  const trm_system *sys = sim->sys;
  const trm_remark *remark = NULL;
  while (sys->ops->news != NULL && (remark = sys->ops->news(sys->self)) != NULL) {
    char text[TRM_MESSAGE_MAX + TRM_OBJECT_MAX + 4];
    snprintf(text, sizeof text, "%s: %s", remark->object, remark->text);
    trmi_sinks_message(sim, text);
  }
}

void trmi_report_remarks(trm_sim *sim) {
  const trm_system *sys = sim->sys;
  if (sys->ops->remark == NULL) return;
  const trm_remark *remark;
  for (int i = 0; (remark = sys->ops->remark(sys->self, i)) != NULL; i++) {
    char text[TRM_MESSAGE_MAX + TRM_OBJECT_MAX + 4];
    snprintf(text, sizeof text, "%s: %s", remark->object, remark->text);
    trmi_sinks_message(sim, text);
  }
}
