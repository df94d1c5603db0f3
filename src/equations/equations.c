/* equations.c - evaluates compiled expressions: a contributor to the equations of a mechanism.
 *
 * Inputs are copied into the tape, the requested groups are evaluated, results are gathered.
 * Conditions that cause jumps are discrete values z: between events the equations are smooth. An
 * event of a condition watches
 *   sign: d if z = 1, else -d;   piece z of a curve: (x - low)(high - x)/(high - low)   (1)
 * which is positive while z is valid, see trm_event_info.holds. An angle over full turns is the one
 * nearest to
 *   a + w dt + b dt^2/2, dt the time since the last step, a w b angle and rates there    (2)
 * in whole radians, so that rounding is the same at nearby times. It only selects among values 2 pi
 * apart: derivatives do not contain it, and a step may contain many turns. With a1, w1, b1 at the
 * end of a step the angle deviates from (2) by
 *   (w1 - w - b dt) dt/3, exactly if its third derivative is constant                    (3)
 * and turns were lost where
 *   a + (w + w1) dt/2  and  a + (w + w1) dt/2 + (b - b1) dt^2/12  are half a turn from a1 (4)
 * If either is too large, a smaller step is required, except near a pole, where the angle belongs
 * to a direction without length and jumps: it is then used without rates                  (5)
 * These numbers are in `memory`, which also contains numbers fixed at the start and those of laws
 * of motions (laws.c). The start and reactions to events: equations_events.c. */
#include "equations/equations.h"
#include "equations/equations_marks.h"
#include "equations/equations_quantities.h"
#include "equations/followers.h"
#include "equations/remarks.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void join(void *self, trmi_assembly *a) {
  ((trmi_equations *)self)->assembly = a;
}

static void watched_count(const void *self, trmi_watched *count) {
  const trm_sizes *n = &((const trmi_equations *)self)->n;
  *count = (trmi_watched){.events = n->nevents, .gaps = n->ngaps, .slips = n->nslips};
}

static void place(void *self, const trmi_watched *first) {
  ((trmi_equations *)self)->at = *first;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const trmi_equations *eq = self;
  if (eq->labels[list] != NULL) *out = eq->labels[list][i];
}

/* Alone it owns every row; otherwise other contributors precede it. */
static void owns(const void *self, trmi_span rows[TRMI_ROWS]) {
  const trmi_equations *eq = self;
  rows[TRMI_ROWS_A].end = eq->n.na;
  rows[TRMI_ROWS_D].end = eq->nstates;
  rows[TRMI_ROWS_W].end = eq->n.nw;
  if (!eq->is_alone) return;
  rows[TRMI_ROWS_MOTION].end = eq->n.nv;
  rows[TRMI_ROWS_G].end = eq->n.ng;
  rows[TRMI_ROWS_ENERGY].end = 3;
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_equations *eq = self;
  if (eq->followers != NULL) return trmi_followers_pattern(eq, p, block);
  const int group = TRMI_RESULT_BLOCKS + (int)block;
  for (int i = eq->group[group]; p != NULL && i < eq->group[group + 1]; i++) {
    trm_pattern_entry(p, block, eq->entries[i].row, eq->entries[i].col);
  }
  return eq->group[group + 1] - eq->group[group];
}

/* --- evaluation --------------------------------------------------------------------- */

static void set_list(trmi_equations *eq, trmi_input list, const double *values) {
  const int *used = eq->used[list];
  if (used[1] == 0) return;
  trmi_tape_set_for(&eq->tape, eq->users[list], eq->first[list] + used[0], used[1] - used[0],
                    values + used[0]);
}

/* (2) */
static void predict_angles(trmi_equations *eq, double t) {
  const int end = eq->group[TRMI_RESULT_ANGLE + 1];
  for (int i = eq->group[TRMI_RESULT_ANGLE]; i < end; i += TRMI_ANGLE_ENTRIES) {
    double *memory = eq->memory + eq->entries[i].row;
    const double dt = t - memory[TRMI_ANGLE_TIME];
    memory[TRMI_ANGLE_NOW] =
        rint(memory[TRMI_ANGLE_THEN] +
             dt * (memory[TRMI_ANGLE_RATE] + 0.5 * dt * memory[TRMI_ANGLE_BEND]));
  }
}

trm_status trmi_equations_at(trmi_equations *eq, const trm_state *s, uint64_t groups,
                             trm_error *err) {
  TRMI_TRY(err, trmi_quantities_find(eq, s, groups, err));
  if (eq->followers != NULL) s = trmi_followers_extend(eq, s);
  set_list(eq, TRMI_IN_Z, s->z);
  if (eq->nlaws > 0) trmi_laws_follow(eq, s->t);
  predict_angles(eq, s->t);
  set_list(eq, TRMI_IN_TIME, &s->t);
  set_list(eq, TRMI_IN_Q, s->q);
  set_list(eq, TRMI_IN_V, s->v);
  set_list(eq, TRMI_IN_VD, s->vd);
  set_list(eq, TRMI_IN_LAM, s->lam);
  set_list(eq, TRMI_IN_MU, s->mu);
  set_list(eq, TRMI_IN_X, s->x);
  set_list(eq, TRMI_IN_XD, s->xd);
  set_list(eq, TRMI_IN_W, s->w);
  set_list(eq, TRMI_IN_MEMORY, eq->memory);
  set_list(eq, TRMI_IN_LOAD, eq->loads);
  set_list(eq, TRMI_IN_BIAS, eq->bias);
  set_list(eq, TRMI_IN_INPUT, s->u);
  set_list(eq, TRMI_IN_INPUT_RATE, s->ud);
  return TRM_OK;
}

double trmi_equations_gather(const trmi_equations *eq, int group, double *out) {
  double sum = 0.0;
  const trmi_entry *entries = eq->entries + eq->group[group];
  const int count = eq->group[group + 1] - eq->group[group];
  for (int i = 0; i < count; i++) {
    out[i] = eq->tape.value[entries[i].slot];
    sum += 0.0 * out[i];
  }
  return sum;
}

/* Add the results of a group to their rows; returns as trmi_equations_gather. */
static double scatter(const trmi_equations *eq, int group, double *out) {
  double sum = 0.0;
  for (int i = eq->group[group]; i < eq->group[group + 1]; i++) {
    const double value = eq->tape.value[eq->entries[i].slot];
    out[eq->entries[i].row] += value;
    sum += 0.0 * value;
  }
  return sum;
}

/* Report the expression that could not be computed, with its position in the text. */
trm_status trmi_equations_blame(const trmi_equations *eq, uint64_t groups, trm_error *err) {
  char what[120];
  trmi_place place = {0};
  for (int group = 0; group < TRMI_RESULTS; group++) {
    if ((groups & UINT64_C(1) << group) == 0) continue;
    for (int i = eq->group[group]; i < eq->group[group + 1]; i++) {
      const int slot = eq->entries[i].slot;
      if (isfinite(eq->tape.value[slot])) continue;
      if (!trmi_tape_blame(&eq->tape, slot, what, sizeof what, &place)) {
        return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a coordinate or velocity is not finite");
      }
      const char *file = place.file < eq->nfiles ? eq->files[place.file] : "line";
      return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "%s in the expression at %.150s:%d:%d", what,
                       file, place.line, place.column);
    }
  }
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "a value is not finite");
}

/* The function (1) of event i, from the value of its node. */
static double watched(const trmi_event *event, double value, const double *z) {
  if (event->trigger == TRMI_SIGN) return z[event->z] > 0.5 ? value : -value;
  if (event->trigger != TRMI_PIECE) return value;
  const trmi_spline *curve = event->curve;
  const int piece = (int)z[event->z];
  if (piece <= 0) return curve->x[0] - value;
  if (piece >= curve->n) return value - curve->x[curve->n - 1];
  const double low = curve->x[piece - 1], high = curve->x[piece];
  return (value - low) * (high - value) / (high - low);
}

/* At rest, values interpolated by bdf inside a step differ by some twenty roundings: they must not
 * fulfil the condition of an event that begins at its edge. */
double trmi_event_near(const trmi_equations *eq, int i) {
  const double rounding = eq->events[i].trigger == TRMI_WHEN ? 2e-14 : 2e-15;
  const trmi_entry *parts = eq->entries + eq->group[TRMI_RESULT_EVENT_SLOPES] + 3 * i + 1;
  const double *value = eq->tape.value;
  return rounding * (fabs(value[parts[0].slot]) + fabs(value[parts[1].slot]));
}

/* The rate of the function, from that of the node. */
static double watched_rate(const trmi_event *event, double value, double rate, const double *z) {
  if (!event->has_rate) return NAN;
  if (event->trigger == TRMI_SIGN) return z[event->z] > 0.5 ? rate : -rate;
  if (event->trigger != TRMI_PIECE) return rate;
  const trmi_spline *curve = event->curve;
  const int piece = (int)z[event->z];
  if (piece <= 0 || piece >= curve->n) return piece <= 0 ? -rate : rate;
  const double low = curve->x[piece - 1], high = curve->x[piece];
  return rate * (low + high - 2 * value) / (high - low);
}

/* Replace the values of nodes of events by their functions. */
static void watch(const trmi_equations *eq, const trm_values *out, const double *z) {
  const trmi_entry *rates = eq->entries + eq->group[TRMI_RESULT_EVENT_RATES];
  double *events = out->events + eq->at.events;
  for (int i = 0; i < eq->n.nevents; i++) {
    const bool is_rounded = eq->events[i].is_continuous || eq->events[i].trigger == TRMI_WHEN;
    const bool is_zero = is_rounded && /* on its corner or edge, up to rounding */
                         fabs(events[i]) <= trmi_event_near(eq, i);
    const double value = is_zero ? 0.0 : events[i];
    events[i] = watched(&eq->events[i], value, z);
    if (out->event_rates == NULL) continue;
    out->event_rates[eq->at.events + i] =
        watched_rate(&eq->events[i], value, eq->tape.value[rates[i].slot], z);
  }
}

#define GROUP(name) (UINT64_C(1) << TRMI_RESULT_##name)

/* Groups that other contributors add to as well. */
static const uint64_t shared_groups = GROUP(MOTION) | GROUP(G) | GROUP(G_RATE) | GROUP(G_BIAS) |
                                      GROUP(ENERGY) | GROUP(POWERS);

/* Groups that are lists of trm_values, and these lists. */
static const uint64_t listed_groups =
    GROUP(MOTION) | GROUP(G) | GROUP(G_RATE) | GROUP(G_BIAS) | GROUP(A_RATE) | GROUP(A_BIAS) |
    GROUP(D) | GROUP(W) | GROUP(EVENTS) | GROUP(OUTPUTS) | GROUP(ENERGY) | GROUP(POWERS) |
    GROUP(EVENT_RATES) | GROUP(SHOWN) | GROUP(RECORDED) | GROUP(GAP) | GROUP(SLIP) | GROUP(ETA);
#define LIST(name, member) [TRMI_RESULT_##name] = offsetof(trm_values, member)
static const size_t list_of[] = {
  LIST(MOTION, motion), LIST(G, g), LIST(G_RATE, g_rate), LIST(G_BIAS, g_bias),
  LIST(A_RATE, a_rate), LIST(A_BIAS, a_bias), LIST(D, d), LIST(W, w), LIST(EVENTS, events),
  LIST(OUTPUTS, outputs), LIST(ENERGY, energy), LIST(POWERS, powers),
  LIST(EVENT_RATES, event_rates), LIST(SHOWN, shown), LIST(RECORDED, recorded), LIST(GAP, gaps),
  LIST(SLIP, slips), LIST(ETA, eta),
};

/* The list of a group; NULL: not requested. */
static inline double *list_at(const trm_values *out, int group) {
  double *list;
  memcpy(&list, (const char *)out + list_of[group], sizeof list);
  return list;
}

/* Groups with entries whose lists are requested. */
static uint64_t wanted_groups(const trmi_equations *eq, const trm_values *out) {
  uint64_t groups = 0, left = eq->filled & listed_groups;
  for (int i = 0; left != 0; i++, left >>= 1) {
    if ((left & 1) != 0) groups |= (uint64_t)(list_at(out, i) != NULL) << i;
  }
  return groups;
}

/* Index in its list of the first number of a group. */
static int begin_of(const trmi_equations *eq, int group) {
  return group == TRMI_RESULT_EVENTS ? eq->at.events
         : group == TRMI_RESULT_GAP  ? 3 * eq->at.gaps
         : group == TRMI_RESULT_SLIP ? 7 * eq->at.slips
                                     : 0;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  trmi_equations *eq = self;
  double *const rows = out->motion != NULL && eq->followers != NULL ? eq->rows : NULL;
  const uint64_t groups = wanted_groups(eq, out);
  if (groups == 0) return TRM_OK;
  const uint64_t sizes = out->events != NULL && eq->has_sizes ? GROUP(EVENT_SLOPES) : 0;
  TRMI_TRY(err, trmi_equations_at(eq, s, groups | sizes, err));
  trmi_tape_run(&eq->tape, groups | sizes);
  double sum = 0.0;
  if (rows != NULL) memset(rows, 0, eq->rows_size);
  uint64_t left = groups & ~GROUP(EVENT_RATES); /* computed with the events */
  for (int i = 0; left != 0; i++, left >>= 1) {
    if ((left & 1) == 0) continue;
    double *list = rows != NULL && i == TRMI_RESULT_MOTION ? rows : list_at(out, i);
    const bool is_sum = !eq->is_alone && (shared_groups & UINT64_C(1) << i) != 0;
    sum += is_sum ? scatter(eq, i, list) : trmi_equations_gather(eq, i, list + begin_of(eq, i));
  }
  if (!(sum == 0.0)) return trmi_equations_blame(eq, groups, err);
  if (rows != NULL) trmi_followers_fold(eq, rows, out->motion);
  if (out->events != NULL) watch(eq, out, s->z);
  return TRM_OK;
}

trm_status trmi_equations_request(trmi_equations *eq, const trm_state *s,
                                  const trm_block_request *request, uint64_t groups,
                                  trm_error *err) {
  TRMI_TRY(err, trmi_equations_at(eq, s, groups, err));
  if (request->u != NULL) set_list(eq, TRMI_IN_U, request->u);
  if (request->y != NULL) set_list(eq, TRMI_IN_Y, request->y);
  if (request->ya != NULL) set_list(eq, TRMI_IN_YA, request->ya);
  trmi_tape_run(&eq->tape, groups);
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  trmi_equations *eq = self;
  uint64_t groups = 0;
  if (eq->followers != NULL) return trmi_followers_blocks(eq, s, request, err);
  for (int i = 0; i < TRM_BLOCKS; i++) {
    groups |= (uint64_t)(request->values[i] != NULL) << (TRMI_RESULT_BLOCKS + i);
  }
  groups &= eq->filled;
  if (groups == 0) return TRM_OK;
  TRMI_TRY(err, trmi_equations_request(eq, s, request, groups, err));
  double sum = 0.0;
  uint64_t left = groups >> TRMI_RESULT_BLOCKS;
  for (int i = 0; left != 0; i++, left >>= 1) {
    if ((left & 1) == 0) continue;
    sum += trmi_equations_gather(eq, TRMI_RESULT_BLOCKS + i, request->values[i]);
  }
  return sum == 0.0 ? TRM_OK : trmi_equations_blame(eq, groups, err);
}

static bool is_given(const void *self, trm_quantity list, int i) {
  const trmi_equations *eq = self;
  if (i >= eq->n.nv) return false;
  return list == TRM_Q ? eq->given_q[i] : eq->given_v[i];
}

static void event_info(const void *self, int i, trm_event_info *info) {
  const trmi_event *event = &((const trmi_equations *)self)->events[i];
  *info = event->info;
  info->every = event->trigger == TRMI_EVERY ? event->period : 0.0;
}

/* --- memory ------------------------------------------------------------------------------ */

/* Is the direction of an angle too short to be meaningful, as near a pole? (5) */
static bool is_lost(const trmi_equations *eq, const trmi_entry *entry) {
  const double length = 0.1; /* a step of that length past the pole may change the angle
                                arbitrarily */
  return !(eq->tape.value[entry[3].slot] > length * length);
}

/* The tape must have the inputs at the time t. */
void trmi_angles_remember(trmi_equations *eq, double t) {
  const int first = eq->group[TRMI_RESULT_ANGLE], end = eq->group[TRMI_RESULT_ANGLE + 1];
  if (first == end) return;
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_ANGLE);
  for (int i = first; i < end; i += TRMI_ANGLE_ENTRIES) {
    const trmi_entry *entry = &eq->entries[i];
    double *memory = eq->memory + entry->row;
    const bool has_rates = !is_lost(eq, entry);
    memory[TRMI_ANGLE_THEN] = eq->tape.value[entry[0].slot];
    memory[TRMI_ANGLE_RATE] = has_rates ? eq->tape.value[entry[1].slot] : 0.0;
    memory[TRMI_ANGLE_BEND] = has_rates ? eq->tape.value[entry[2].slot] : 0.0;
    memory[TRMI_ANGLE_TIME] = t;
  }
}

/* --- stops ------------------------------------------------------------------------------- */

static trm_status step_limit(void *self, const trm_state *s, double tolerance,
                             trm_step_limit *limit, trm_error *err) {
  const trmi_equations *eq = self;
  (void)s, (void)err;
  for (int i = 0; i < eq->n.ngaps; i++) {
    const double scale = eq->labels[TRM_GAP][i].scale;
    trmi_gap_limit(tolerance * (scale > 0.0 ? scale : 1.0), eq->at.gaps + i, limit);
  }
  return TRM_OK;
}

/* Is the turn of an angle certain? `memory` belongs to the start of a step, `entry` to t. */
static bool is_counted(const trmi_equations *eq, const double *memory, const trmi_entry *entry,
                       double t) {
  const double far = 1.5;  /* rad, (3): a quarter turn, since jerks are seldom constant */
  const double lost = 3.0; /* rad, (4): half a turn */
  const double *value = eq->tape.value, dt = t - memory[TRMI_ANGLE_TIME];
  const double a = value[entry[0].slot], w = value[entry[1].slot], b = value[entry[2].slot];
  const double away = dt / 3.0 * (w - memory[TRMI_ANGLE_RATE] - dt * memory[TRMI_ANGLE_BEND]);
  const double off = a - memory[TRMI_ANGLE_THEN] - 0.5 * dt * (memory[TRMI_ANGLE_RATE] + w);
  const double bend = dt * dt / 12.0 * (memory[TRMI_ANGLE_BEND] - b);
  return !(fabs(away) >= far || fmin(fabs(off), fabs(off - bend)) >= lost);
}

static trm_status test_ranges(const trmi_equations *eq, const trm_state *s, trm_error *err) {
  for (const trmi_range *r = eq->ranges; r != NULL; r = r->next) {
    const double margin = 1e-3 * (r->high - r->low), p = s->q[r->q];
    if (!(p < r->low - margin || p > r->high + margin)) continue;
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, r->object, "the point leaves its curve at the end: the "
                     "tables go from %.6g to %.6g; make them longer, or stop before with an event",
                     r->low, r->high);
  }
  return TRM_OK;
}

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  trmi_equations *eq = self;
  TRMI_TRY(err, test_ranges(eq, s, err));
  const int first = eq->group[TRMI_RESULT_ANGLE], end = eq->group[TRMI_RESULT_ANGLE + 1];
  if (first == end) return TRM_OK;
  TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_ANGLE, err));
  trmi_tape_run(&eq->tape, UINT64_C(1) << TRMI_RESULT_ANGLE);
  for (int i = first; i < end; i += TRMI_ANGLE_ENTRIES) {
    const trmi_entry *entry = &eq->entries[i];
    const double *memory = eq->memory + entry->row;
    if (is_lost(eq, entry) || is_counted(eq, memory, entry, s->t)) continue;
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, eq->angles[(i - first) / TRMI_ANGLE_ENTRIES],
                     "its angle changes so unevenly that full turns cannot be counted over a step "
                     "of %.3g %s; take shorter steps", s->t - memory[TRMI_ANGLE_TIME],
                     eq->units.time);
  }
  return TRM_OK;
}

/* Update angles over full turns, and the integrals of laws of motions. */
static trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
  trmi_equations *eq = self;
  const uint64_t late = eq->nlate > 0 ? UINT64_C(1) << TRMI_RESULT_REMARK_CONDITIONS : 0;
  TRMI_TRY(err, trmi_equations_at(eq, s, UINT64_C(1) << TRMI_RESULT_ANGLE | late, err));
  trmi_laws_remember(eq);
  trmi_angles_remember(eq, s->t);
  trmi_remarks_follow(eq);
  return TRM_OK;
}

static const trm_remark *remark(const void *self, int i) {
  return trmi_remark_at(self, i);
}

static const trm_remark *news(void *self) {
  return trmi_remark_news(self);
}

static double asked(const void *self, int row) {
  return trmi_remark_asked(self, row);
}

static size_t memory_size(const void *self) {
  return (size_t)((const trmi_equations *)self)->nmemory * sizeof(double);
}

static void memory_save(const void *self, void *data) {
  memcpy(data, ((const trmi_equations *)self)->memory, memory_size(self));
}

static void memory_load(void *self, const void *data) {
  memcpy(((trmi_equations *)self)->memory, data, memory_size(self));
}

static void free_equations(void *self) {
  const trmi_equations *eq = self;
  trmi_arena arena = eq->arena; /* contains self */
  trmi_arena_clear(&arena);
}

const trmi_contributor_ops trmi_equations_ops = {
  .name = "expressions",
  .rank = TRMI_RANK_EQUATIONS,
  .join = join,
  .watched = watched_count,
  .place = place,
  .label = label,
  .owns = owns,
  .pattern = pattern,
  .is_given = is_given,
  .start = trmi_equations_start,
  .settle = trmi_equations_settle,
  .values = values,
  .blocks = blocks,
  .event_info = event_info,
  .event = trmi_equations_react,
  .accept_step = accept_step,
  .step_limit = step_limit, .next_mark = trmi_equations_next_mark,
  .is_pulse = trmi_equations_is_pulse,
  .begin_run = trmi_equations_begin_run,
  .test_step = test_step,
  .memory_size = memory_size,
  .memory_save = memory_save,
  .memory_load = memory_load,
  .remark = remark,
  .asked = asked,
  .news = news,
  .free = free_equations,
};
