/* live.c - samples of a run, kept for viewers, and requests of viewers.
 *
 * Memory is bounded: when the samples fill it, every second one is removed, and from then on only
 * every second one is kept. The run holds the lock only while copying one row. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "live/live_internal.h"
#include "core/fail.h"
#include "io/run_format.h"
#include "page/page_internal.h"
#include "trammel/page.h"
#include <math.h>
#include <string.h>

enum { ROW_BYTES_MAX = 64 << 20, ROWS_FIRST = 256, MESSAGES_MAX = 200 };

/* ---- samples -------------------------------------------------------------------------------- */

static void drop_every_second(trm_live *live) {
  const size_t n = (size_t)live->columns.n;
  for (long k = 1; 2 * k < live->nrows; k++) {
    memcpy(live->rows + (size_t)k * n, live->rows + 2 * (size_t)k * n, n * sizeof(double));
  }
  live->nrows = (live->nrows + 1) / 2;
  live->stride *= 2;
}

/* Room for one more row; false: out of memory. */
static bool make_room(trm_live *live) {
  const size_t row = (size_t)live->columns.n * sizeof(double);
  if (live->nrows < live->rows_size) return true;
  const long most = (long)(ROW_BYTES_MAX / row);
  const long wish = live->rows_size == 0 ? ROWS_FIRST : 2 * live->rows_size;
  const long size = wish < most ? wish : most > ROWS_FIRST ? most : ROWS_FIRST;
  if (size <= live->rows_size) {
    drop_every_second(live);
    return true;
  }
  double *larger = trmi_allocate(&live->arena.allocator, (size_t)size * row);
  if (larger == NULL) return false;
  if (live->nrows > 0) memcpy(larger, live->rows, (size_t)live->nrows * row);
  trmi_release(&live->arena.allocator, live->rows);
  live->rows = larger, live->rows_size = size;
  return true;
}

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  trm_live *live = self;
  trm_status status = TRM_OK;
  pthread_mutex_lock(&live->lock);
  if (live->nsamples % live->stride == 0) {
    if (!make_room(live)) {
      status = TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for samples");
    } else if (live->nsamples % live->stride == 0) { /* the stride may have changed */
      double *row = live->rows + (size_t)live->nrows++ * (size_t)live->columns.n;
      trmi_columns_gather(&live->columns, live->system, now, TRM_GROUP_LOADS, row);
    }
  }
  live->nsamples++;
  pthread_mutex_unlock(&live->lock);
  return status;
}

/* ---- the sink ------------------------------------------------------------------------------- */

static trm_status begin(void *self, const trm_system *system, const trm_options *options,
                        trm_error *err) {
  trm_live *live = self;
  const int nu = trm_system_count(system, TRM_U);
  trmi_buffer html;
  TRMI_TRY(err, trmi_columns_create(system, &live->arena, &live->columns, err));
  live->wishes = TRMI_TAKE(&live->arena, double, nu);
  TRMI_TRY(err, trmi_arena_check(&live->arena, err));
  for (int i = 0; i < nu; i++) live->wishes[i] = NAN;
  trmi_buffer_init(&html, &live->arena.allocator);
  live->system = system;
  const trm_status status = trmi_live_page(live, options, &html, err);
  pthread_mutex_lock(&live->lock);
  if (status == TRM_OK) live->page = html.data, live->page_size = html.used;
  pthread_mutex_unlock(&live->lock);
  if (status != TRM_OK) trmi_buffer_free(&html);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status step(void *self, const trm_step_record *record, trm_error *err) {
  trm_live *live = self;
  (void)err;
  pthread_mutex_lock(&live->lock);
  if (record->accepted) live->nsteps++, live->t = record->t + record->h;
  pthread_mutex_unlock(&live->lock);
  return TRM_OK;
}

static void message(void *self, double t, const char *text) {
  trm_live *live = self;
  pthread_mutex_lock(&live->lock);
  /* the first and the last ones; those between are only counted */
  if (live->nmessages++ >= MESSAGES_MAX) json_array_remove(live->messages, MESSAGES_MAX / 2);
  json_array_append_new(live->messages, json_pack("{s:o, s:o}", "t", trmi_json_number(t), "text",
                                                  trmi_json_text(text)));
  pthread_mutex_unlock(&live->lock);
}

static trm_status end(void *self, const trm_counters *counters, const trm_error *failure,
                      trm_error *err) {
  trm_live *live = self;
  (void)counters, (void)err;
  pthread_mutex_lock(&live->lock);
  live->status = trmi_run_words[failure != NULL ? TRM_RUN_ERROR : TRM_RUN_OK];
  if (failure != NULL) memcpy(live->sentence, failure->message, sizeof live->sentence);
  pthread_mutex_unlock(&live->lock);
  return TRM_OK;
}

trm_sink trm_live_sink(trm_live *live) {
  if (live == NULL) return (trm_sink){0};
  return (trm_sink){.self = live, .wants_loads = true, .begin = begin, .sample = sample,
                    .step = step, .message = message, .end = end};
}

/* ---- requests of viewers -------------------------------------------------------------------- */

trm_status trm_live_serve(trm_live *live, trm_sim *sim, trm_error *err) {
  TRMI_NEED(err, live, sim);
  const int nu = live->system != NULL ? trm_system_count(live->system, TRM_U) : 0;
  for (int i = 0; i < nu; i++) {
    pthread_mutex_lock(&live->lock);
    const double wish = live->wishes[i];
    live->wishes[i] = NAN;
    pthread_mutex_unlock(&live->lock);
    if (!isnan(wish)) TRMI_TRY(err, trm_sim_set_input(sim, i, wish, 0.0, err));
  }
  return TRM_OK;
}

static bool read_flag(trm_live *live, const bool *flag) {
  pthread_mutex_lock(&live->lock);
  const bool value = *flag;
  pthread_mutex_unlock(&live->lock);
  return value;
}

bool trm_live_is_paused(trm_live *live) {
  return live != NULL && read_flag(live, &live->is_paused);
}

bool trm_live_is_stopped(trm_live *live) {
  return live != NULL && read_flag(live, &live->is_stopped);
}

/* ---- life ----------------------------------------------------------------------------------- */

trm_status trm_live_create(const trm_run_facts *facts, int port, const trm_reductions *reductions,
                           const trm_allocator *allocator, trm_live **out, trm_error *err) {
  static const trm_allocator none = {0};
  TRMI_NEED(err, out);
  *out = NULL;
  TRMI_NEED(err, facts);
  if (!trm_page_is_built()) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "this library was built without the page, which "
                     "needs nodejs, npm and its registry: install them, and build it again");
  }
  if (allocator == NULL) allocator = &none;
  trm_live *live = trmi_allocate(allocator, sizeof *live);
  if (live == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  *live = (trm_live){.facts = *facts, .stride = 1, .status = trmi_run_words[TRM_RUN_UNFINISHED],
                     .messages = json_array(), .t = NAN};
  if (reductions != NULL) live->reductions = *reductions;
  trmi_arena_init(&live->arena, allocator);
  pthread_mutex_init(&live->lock, NULL);
  const trm_status status = trmi_live_listen(live, port, err);
  if (status != TRM_OK) {
    trm_live_free(live);
    return status;
  }
  *out = live;
  return TRM_OK;
}

const char *trm_live_address(const trm_live *live) {
  return live != NULL ? live->address : "";
}

void trm_live_free(trm_live *live) {
  if (live == NULL) return;
  trmi_live_close(live);
  pthread_mutex_destroy(&live->lock);
  json_decref(live->messages);
  const trm_allocator allocator = live->arena.allocator;
  trmi_release(&allocator, live->page);
  trmi_release(&allocator, live->rows);
  trmi_arena_clear(&live->arena);
  trmi_release(&allocator, live);
}
