/* assembly_system.c - a mechanism as a system: every function calls the contributors in their
 * order.
 *
 * Rows without an owner are cleared first, so that contributors can add to them. In every block the
 * entries of the contributors follow in the same order. Carriers move once per call, before the
 * first contributor that may read them. */
#include "assembly/assembly_internal.h"
#include <math.h>
#include <string.h>

/* ---- constant data -------------------------------------------------------------------------- */

static void sizes(const void *self, trm_sizes *n) {
  *n = ((const trmi_assembly *)self)->n;
}

static int rotation(const void *self, int i) {
  return ((const trmi_assembly *)self)->rotation[i];
}

/* Owner of number i of a watched list, and the number from 0 within the owner; NULL: none. */
static const trmi_contributor *watcher_of(const trmi_assembly *a, trm_quantity list, int *i) {
  for (int k = 0; k < a->count; k++) {
    const trmi_contributor *c = &a->list[k];
    const int first = list == TRM_EVENT ? c->first.events
                      : list == TRM_GAP ? c->first.gaps
                                        : c->first.slips;
    const int count = list == TRM_EVENT ? c->count.events
                      : list == TRM_GAP ? c->count.gaps
                                        : c->count.slips;
    if (*i < first || *i >= first + count) continue;
    *i -= first;
    return c;
  }
  return NULL;
}

static void label(const void *self, trm_quantity list, int i, trm_label *out) {
  const trmi_assembly *a = self;
  if (list != TRM_EVENT && list != TRM_GAP && list != TRM_SLIP) {
    if (list < TRM_LISTS && a->labels[list] != NULL) *out = a->labels[list][i];
    return;
  }
  const trmi_contributor *c = watcher_of(a, list, &i);
  if (c != NULL && c->ops->label != NULL) c->ops->label(c->self, list, i, out);
}

static void name_units(const void *self, trm_unit_names *names) {
  const trmi_assembly *a = self;
  if (a->units.seconds > 0.0) *names = a->units; /* otherwise SI, the default */
}

static void tell_gravity(const void *self, double gravity[3]) {
  memcpy(gravity, ((const trmi_assembly *)self)->gravity, 3 * sizeof(double));
}

static bool has_power(const void *self) {
  return ((const trmi_assembly *)self)->has_power;
}

static const trm_remark *remark(const void *self, int i) {
  const trmi_assembly *a = self;
  for (int k = 0; k < a->count; k++) {
    const trmi_contributor *c = &a->list[k];
    if (c->ops->remark == NULL) continue;
    int own = 0;
    for (const trm_remark *r; (r = c->ops->remark(c->self, own)) != NULL; own++) {
      if (i-- == 0) return r;
    }
  }
  return NULL;
}

static const trm_remark *news(void *self) {
  trmi_assembly *a = self;
  const trm_remark *remark = NULL;
  for (int k = 0; k < a->count && remark == NULL; k++) {
    if (a->list[k].ops->news != NULL) remark = a->list[k].ops->news(a->list[k].self);
  }
  return remark;
}

static double asked(const void *self, int row) {
  const trmi_assembly *a = self;
  double value = NAN;
  for (int k = 0; k < a->count && isnan(value); k++) {
    const trmi_contributor *c = &a->list[k];
    if (c->ops->asked != NULL) value = c->ops->asked(c->self, row);
  }
  return value;
}

static bool is_given(const void *self, trm_quantity list, int i) {
  const trmi_assembly *a = self;
  for (int k = 0; k < a->count; k++) {
    const trmi_contributor *c = &a->list[k];
    if (c->ops->is_given != NULL && c->ops->is_given(c->self, list, i)) return true;
  }
  return false;
}

static void event_info(const void *self, int i, trm_event_info *info) {
  const trmi_contributor *c = watcher_of(self, TRM_EVENT, &i);
  if (c != NULL && c->ops->event_info != NULL) c->ops->event_info(c->self, i, info);
}

/* ---- patterns ------------------------------------------------------------------------------- */

void trmi_assembly_count(trmi_assembly *a, trm_pattern *p, int entries[TRM_BLOCKS]) {
  memset(entries, 0, TRM_BLOCKS * sizeof *entries);
  for (int i = 0; i < a->count; i++) {
    trmi_contributor *c = &a->list[i];
    c->nblocks = 0;
    if (c->ops->epoch != NULL) c->read_epoch = c->ops->epoch(c->self);
    for (int block = 0; block < TRM_BLOCKS && c->ops->pattern != NULL; block++) {
      const int count = c->ops->pattern(c->self, p, (trm_block)block);
      if (count == 0) continue;
      c->blocks[c->nblocks] = (trm_block)block;
      c->counts[c->nblocks] = count;
      c->entries[c->nblocks++] = entries[block];
      entries[block] += count;
    }
  }
}

static void patterns(const void *self, trm_pattern *p) {
  trmi_assembly *a = (trmi_assembly *)self; /* records where entries begin */
  int entries[TRM_BLOCKS];
  trmi_assembly_count(a, p, entries);
  for (int i = 0; i < a->count; i++) {
    if (a->list[i].ops->nodes != NULL) a->list[i].ops->nodes(a->list[i].self, p);
  }
  for (int block = 0; block < TRM_BLOCKS; block++) trm_pattern_given(p, (trm_block)block);
}

static int epoch(const void *self) {
  const trmi_assembly *a = self;
  bool is_new = false;
  for (int i = 0; i < a->count; i++) {
    trmi_contributor *c = &a->list[i];
    if (c->ops->epoch == NULL) continue;
    const int now = c->ops->epoch(c->self);
    is_new = is_new || now != c->epoch;
    c->epoch = now;
  }
  *a->epoch += is_new;
  return *a->epoch;
}

/* ---- values --------------------------------------------------------------------------------- */

void trmi_assembly_move(trmi_assembly *a, const trm_state *s) {
  for (int i = 0; i < a->count && a->list[i].ops->rank == TRMI_RANK_CARRIERS; i++) {
    if (a->list[i].ops->move != NULL) a->list[i].ops->move(a->list[i].self, s);
  }
}

static void clear_rows(const trmi_assembly *a, const trm_values *out) {
  for (int i = 0; i < a->ncleared; i++) {
    const trmi_cleared *c = &a->cleared[i];
    double *list;
    memcpy(&list, (const char *)out + c->member, sizeof list);
    if (list != NULL) memset(list + c->span.first, 0, c->bytes);
  }
}

/* Do contributors that read carriers provide some of these values? */
static bool is_for_elements(const trmi_assembly *a, const trm_values *out) {
  return out->motion != NULL || out->g != NULL || out->g_rate != NULL || out->g_bias != NULL ||
         out->energy != NULL || out->a_rate != NULL || out->a_bias != NULL || out->d != NULL ||
         out->w != NULL ||
         (a->is_watching && (out->gaps != NULL || out->slips != NULL || out->events != NULL));
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  trmi_assembly *a = self;
  clear_rows(a, out);
  if (a->has_carriers && is_for_elements(a, out)) trmi_assembly_move(a, s);
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->values != NULL) TRMI_TRY(err, c->ops->values(c->self, s, out, err));
  }
  return TRM_OK;
}

trm_status trmi_assembly_element_values(trmi_assembly *a, const trm_state *s,
                                        const trm_values *out, trm_error *err) {
  clear_rows(a, out);
  trmi_assembly_move(a, s);
  for (int i = 0; i < a->count && a->list[i].ops->rank < TRMI_RANK_EQUATIONS; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->values != NULL) TRMI_TRY(err, c->ops->values(c->self, s, out, err));
  }
  return TRM_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

trm_status trmi_contributor_ask(const char *name, trm_error *err) {
  return TRMI_FAIL(err, TRM_RETRY_PATTERN, name, "a block needs entries outside its pattern");
}

/* Has the pattern of a block that is requested changed since it was read? It can only have grown,
 * so comparing sizes is enough. */
static bool is_outgrown(const trmi_contributor *c, const trm_block_request *request) {
  if (c->ops->epoch(c->self) == c->read_epoch) return false;
  for (int block = 0; block < TRM_BLOCKS; block++) {
    int count = 0;
    if (request->values[block] == NULL) continue;
    for (int k = 0; k < c->nblocks; k++) {
      if ((int)c->blocks[k] == block) count = c->counts[k];
    }
    if (c->ops->pattern(c->self, NULL, (trm_block)block) != count) return true;
  }
  return false;
}

/* Blocks of a contributor whose pattern changes: it receives all requested blocks, so that it can
 * request entries where it has none. */
static trm_status changing_blocks(trmi_assembly *a, const trmi_contributor *c, const trm_state *s,
                                  const trm_block_request *request, trm_error *err) {
  trm_block_request *own = a->request;
  if (is_outgrown(c, request)) return trmi_contributor_ask(c->ops->name, err);
  memcpy(own->values, request->values, sizeof own->values);
  for (int k = 0; k < c->nblocks; k++) {
    if (own->values[c->blocks[k]] != NULL) own->values[c->blocks[k]] += c->entries[k];
  }
  const trm_status status = c->ops->blocks(c->self, s, own, err);
  memset(own->values, 0, sizeof own->values);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status fixed_blocks(trmi_assembly *a, const trmi_contributor *c, const trm_state *s,
                               trm_error *err) {
  const trm_status status = c->ops->blocks(c->self, s, a->request, err);
  for (int k = 0; k < c->nblocks; k++) a->request->values[c->blocks[k]] = NULL;
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* `a->request` is empty between the calls of two contributors. */
static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  trmi_assembly *a = self;
  trm_block_request *own = a->request;
  bool is_moved = !a->has_carriers;
  own->u = request->u, own->y = request->y, own->ya = request->ya;
  own->is_strong = request->is_strong;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    const bool is_changing = c->ops->epoch != NULL;
    bool is_any = is_changing;
    for (int k = 0; k < c->nblocks && !is_changing; k++) {
      double *values = request->values[c->blocks[k]];
      if (values == NULL) continue;
      own->values[c->blocks[k]] = values + c->entries[k];
      is_any = true;
    }
    if (!is_any) continue;
    if (!is_moved && c->ops->rank < TRMI_RANK_EQUATIONS) {
      trmi_assembly_move(a, s);
      is_moved = true;
    }
    TRMI_TRY(err, is_changing ? changing_blocks(a, c, s, request, err)
                              : fixed_blocks(a, c, s, err));
  }
  return TRM_OK;
}

/* ---- start, steps, events ------------------------------------------------------------------- */

/* Carriers are moved to s before the first hook that reads them. */
static void prepare_hook(trmi_assembly *a, const trmi_contributor *c, const trm_state *s,
                         bool *is_moved) {
  if (*is_moved || !c->ops->hooks_read_carriers) return;
  trmi_assembly_move(a, s);
  *is_moved = true;
}

static trm_status start(void *self, trm_state *s, trm_error *err) {
  trmi_assembly *a = self;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->start != NULL) TRMI_TRY(err, c->ops->start(c->self, s, err));
  }
  return TRM_OK;
}

static trm_status settle(void *self, trm_state *s, bool *changed, trm_error *err) {
  trmi_assembly *a = self;
  bool is_moved = false;
  *changed = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    bool is_changed = false;
    if (c->ops->settle == NULL) continue;
    prepare_hook(a, c, s, &is_moved);
    TRMI_TRY(err, c->ops->settle(c->self, s, &is_changed, err));
    *changed = *changed || is_changed;
  }
  return TRM_OK;
}

static trm_status event(void *self, int i, trm_state *s, trm_error *err) {
  const trmi_contributor *c = watcher_of(self, TRM_EVENT, &i);
  if (c == NULL || c->ops->event == NULL) return TRM_OK;
  return c->ops->event(c->self, i, s, err);
}

static trm_status begin_step(void *self, const trm_state *s, double h, trm_error *err) {
  trmi_assembly *a = self;
  bool is_moved = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->begin_step == NULL) continue;
    prepare_hook(a, c, s, &is_moved);
    TRMI_TRY(err, c->ops->begin_step(c->self, s, h, err));
  }
  return TRM_OK;
}

static trm_status accept_step(void *self, const trm_state *s, trm_error *err) {
  trmi_assembly *a = self;
  bool is_moved = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->accept_step == NULL) continue;
    prepare_hook(a, c, s, &is_moved);
    TRMI_TRY(err, c->ops->accept_step(c->self, s, err));
  }
  return TRM_OK;
}

static void reject_step(void *self) {
  const trmi_assembly *a = self;
  for (int i = 0; i < a->count; i++) {
    if (a->list[i].ops->reject_step != NULL) a->list[i].ops->reject_step(a->list[i].self);
  }
}

static trm_status step_limit(void *self, const trm_state *s, double tolerance,
                             trm_step_limit *limit, trm_error *err) {
  trmi_assembly *a = self;
  bool is_moved = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->step_limit == NULL) continue;
    prepare_hook(a, c, s, &is_moved);
    TRMI_TRY(err, c->ops->step_limit(c->self, s, tolerance, limit, err));
  }
  return TRM_OK;
}

static void gap_info(const void *self, int i, trm_gap_info *info) {
  const trmi_contributor *c = watcher_of(self, TRM_GAP, &i);
  if (c != NULL && c->ops->gap_info != NULL) c->ops->gap_info(c->self, i, info);
}

static trm_status begin_run(void *self, const trm_state *s, double end, trm_error *err) {
  const trmi_assembly *a = self;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->begin_run == NULL) continue;
    TRMI_TRY(err, c->ops->begin_run(c->self, s, end, err));
  }
  return TRM_OK;
}

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  trmi_assembly *a = self;
  bool is_moved = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->test_step == NULL) continue;
    prepare_hook(a, c, s, &is_moved);
    TRMI_TRY(err, c->ops->test_step(c->self, s, err));
  }
  return TRM_OK;
}

static bool cut_states(void *self, const double *x, double *change) {
  trmi_assembly *a = self;
  bool is_cut = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->cut_states != NULL) is_cut = c->ops->cut_states(c->self, x, change) || is_cut;
  }
  return is_cut;
}

static bool match_states(void *self, const trm_state *s, double slope, double *change, bool *new) {
  trmi_assembly *a = self;
  bool is_moved = false, is_changed = false;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->match_states == NULL) continue;
    prepare_hook(a, c, s, &is_moved);
    is_changed = c->ops->match_states(c->self, s, slope, change, new) || is_changed;
  }
  return is_changed;
}

/* Displacements go to the carriers as velocities do. */
static double sliding_error(void *self, const trm_state *s, double *off, double tolerance) {
  trmi_assembly *a = self;
  bool is_moved = false;
  double most = 0.0;
  trm_state by = *s;
  by.v = off;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->ops->sliding_error == NULL) continue;
    prepare_hook(a, c, &by, &is_moved);
    most = fmax(most, c->ops->sliding_error(c->self, s, off, tolerance));
  }
  return most;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t memory_of(const trmi_contributor *c) {
  return c->ops->memory_size != NULL ? c->ops->memory_size(c->self) : 0;
}

static size_t memory_size(const void *self) {
  const trmi_assembly *a = self;
  size_t size = 0;
  for (int i = 0; i < a->count; i++) size += memory_of(&a->list[i]);
  return size;
}

static void memory_save(const void *self, void *data) {
  const trmi_assembly *a = self;
  unsigned char *next = data;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    const size_t size = memory_of(c);
    if (size > 0) c->ops->memory_save(c->self, next);
    next += size;
  }
}

static void memory_load(void *self, const void *data) {
  trmi_assembly *a = self;
  const unsigned char *next = data;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    const size_t size = memory_of(c);
    if (size > 0) c->ops->memory_load(c->self, next);
    next += size;
  }
}

static void free_assembly(void *self) {
  trmi_assembly_free(self);
}

const trm_system_ops trmi_assembly_ops = {
  .name = "mechanism",
  .sizes = sizes,
  .rotation = rotation,
  .label = label,
  .units = name_units,
  .gravity = tell_gravity,
  .has_power = has_power,
  .remark = remark,
  .asked = asked,
  .news = news,
  .patterns = patterns,
  .start = start,
  .is_given = is_given,
  .settle = settle,
  .values = values,
  .gives_rates = true,
  .blocks = blocks,
  .event_info = event_info,
  .event = event,
  .begin_step = begin_step,
  .accept_step = accept_step,
  .reject_step = reject_step,
  .step_limit = step_limit, .begin_run = begin_run,
  .next_mark = trmi_assembly_next_mark, .is_pulse = trmi_assembly_is_pulse,
  .gap_info = gap_info, .test_step = test_step,
  .cut_states = cut_states, .match_states = match_states, .sliding_error = sliding_error,
  .epoch = epoch,
  .memory_size = memory_size,
  .memory_save = memory_save,
  .memory_load = memory_load,
  .free = free_assembly,
};
