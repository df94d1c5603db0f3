/* page_signals.c - the samples of a run, small.
 *
 * A signal y_k, k = 0 .. n-1, that moves between `low` and `high` becomes whole numbers
 *     (1)  i_k = round((y_k - low) / step),   step = (high - low) / levels,   levels <= 65000,
 * so that it is off by half a step at most; 65535 stands for what is no number. Of these the
 * differences of order p, p = 0 .. 3, are stored (modulo 65536), whichever is smallest in the sum:
 * those of smooth curves are a few bits wide, and deflate makes little of them. First the low bytes
 * of all samples, then the high bytes. A constant signal is its value. */
#include "page/page_internal.h"
#include "core/arena.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { NO_NUMBER = 65535, LEVELS_MAX = 65000, ORDERS = 4, CHUNK_BYTES = 1 << 20,
       BLOCK_NUMBERS = 1 << 23 };

typedef struct packing {
  trmi_page *page;
  trm_run   *run;
  long       n;       /* samples                                    */
  double    *column;  /* one signal                        [n]      */
  uint16_t  *code;    /* (1) and its differences           [n]      */
  trmi_buffer bytes;  /* of the chunk that is being filled          */
  int        in_chunk; /* signals in it                             */
} packing;

static void difference(uint16_t *code, long n) {
  for (long k = n - 1; k > 0; k--) code[k] = (uint16_t)(code[k] - code[k - 1]);
}

static double size_of(const uint16_t *code, long n) {
  double sum = 0.0;
  for (long k = 0; k < n; k++) sum += fabs((double)(int16_t)code[k]);
  return sum;
}

/* The order of differences with the smallest sum. */
static int best_order(const uint16_t *code, uint16_t *scratch, long n) {
  int best = 0;
  memcpy(scratch, code, (size_t)n * sizeof *code);
  double smallest = size_of(scratch, n);
  for (int order = 1; order < ORDERS; order++) {
    difference(scratch, n);
    const double size = size_of(scratch, n);
    if (size >= smallest) continue;
    smallest = size;
    best = order;
  }
  return best;
}

static void find_range(const double *y, long n, double *low, double *high, bool *is_whole) {
  *low = INFINITY, *high = -INFINITY, *is_whole = true;
  for (long k = 0; k < n; k++) {
    if (!isfinite(y[k])) {
      *is_whole = false;
      continue;
    }
    *low = fmin(*low, y[k]);
    *high = fmax(*high, y[k]);
  }
}

/* Bytes of one signal into the open chunk. */
static void add_planes(packing *p) {
  for (int shift = 0; shift <= 8; shift += 8) {
    for (long k = 0; k < p->n; k++) {
      const char byte = (char)(unsigned char)(p->code[k] >> shift);
      trmi_buffer_add(&p->bytes, &byte, 1);
    }
  }
}

static trm_status close_chunk(packing *p, trm_error *err) {
  if (p->in_chunk == 0) return TRM_OK;
  TRMI_TRY(err, trmi_buffer_check(&p->bytes, err));
  TRMI_TRY(err, trmi_page_chunk(p->page, p->bytes.data, p->bytes.used, err));
  p->bytes.used = 0;
  p->in_chunk = 0;
  return TRM_OK;
}

static trm_status put_curve(packing *p, json_t *out, double low, double high, trm_error *err) {
  const double levels = fmin(LEVELS_MAX, fmax(1.0, ceil(1.0 / p->page->resolution)));
  const double step = (high - low) / levels;
  for (long k = 0; k < p->n; k++) {
    const double y = p->column[k];
    p->code[k] = isfinite(y) && step > 0.0 ? (uint16_t)floor((y - low) / step + 0.5)
                 : isfinite(y)             ? 0
                                           : NO_NUMBER;
  }
  const int order = best_order(p->code, p->code + p->n, p->n);
  for (int i = 0; i < order; i++) difference(p->code, p->n);
  json_object_set_new(out, "chunk", json_integer(p->page->nchunks));
  json_object_set_new(out, "place", json_integer(p->in_chunk++));
  json_object_set_new(out, "low", trmi_json_number(low));
  json_object_set_new(out, "step", trmi_json_number(step));
  json_object_set_new(out, "order", json_integer(order));
  add_planes(p);
  if (p->bytes.used < CHUNK_BYTES) return TRM_OK;
  return close_chunk(p, err);
}

static trm_status put_signal(packing *p, int i, json_t *list, trm_error *err) {
  const trm_signal *signal = trm_run_signal(p->run, i);
  json_t *out = json_object();
  json_array_append_new(list, out);
  json_object_set_new(out, "name", trmi_json_text(signal->name));
  json_object_set_new(out, "unit", trmi_json_text(signal->unit));
  json_object_set_new(out, "group", trmi_json_text(trm_signal_group_name(signal->group)));
  json_object_set_new(out, "label", trmi_json_text(signal->label));
  json_object_set_new(out, "object", trmi_json_text(signal->object));
  double low, high;
  bool is_whole;
  find_range(p->column, p->n, &low, &high, &is_whole);
  if (low > high || (low == high && is_whole)) { /* never a number, or always the same */
    json_object_set_new(out, "value", low > high ? json_null() : trmi_json_number(low));
    return TRM_OK;
  }
  return put_curve(p, out, low, high, err);
}

/* Signals in blocks of columns, so that each chunk of the file is read a few times only. */
static trm_status put_all(packing *p, trmi_arena *arena, json_t *list, trm_error *err) {
  const int nsignals = trm_run_info_of(p->run)->nsignals;
  const long fit = BLOCK_NUMBERS / p->n;
  const int width = fit < 1 ? 1 : fit < nsignals ? (int)fit : nsignals;
  double *block = TRMI_TAKE(arena, double, width * p->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int first = 0; first < nsignals; first += width) {
    const int count = first + width < nsignals ? width : nsignals - first;
    TRMI_TRY(err, trm_run_read_block(p->run, first, count, 0, p->n, block, err));
    for (int i = 0; i < count; i++) {
      for (long k = 0; k < p->n; k++) p->column[k] = block[k * count + i];
      TRMI_TRY(err, put_signal(p, first + i, list, err));
    }
  }
  TRMI_TRY(err, close_chunk(p, err));
  return TRM_OK;
}

static trm_status put_times(packing *p, json_t *out, trm_error *err) {
  TRMI_TRY(err, trm_run_read_times(p->run, p->column, err));
  json_object_set_new(out, "times", json_integer(p->page->nchunks));
  TRMI_TRY(err, trmi_page_chunk(p->page, p->column, (size_t)p->n * sizeof(double), err));
  return TRM_OK;
}

trm_status trmi_page_signals(trmi_page *page, trm_run *run, json_t *out, trm_error *err) {
  packing p = {.page = page, .run = run, .n = trm_run_info_of(run)->nsamples};
  trmi_arena arena;
  trmi_arena_init(&arena, &page->html.allocator);
  trmi_buffer_init(&p.bytes, &page->html.allocator);
  p.column = TRMI_TAKE(&arena, double, p.n);
  p.code = TRMI_TAKE(&arena, uint16_t, 2 * p.n);
  json_t *list = json_array();
  json_object_set_new(out, "samples", json_integer(p.n));
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) status = put_times(&p, out, err);
  if (status == TRM_OK) status = put_all(&p, &arena, list, err);
  json_object_set_new(out, "signals", list);
  trmi_buffer_free(&p.bytes);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}
