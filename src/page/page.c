/* page.c - run files as one HTML file: the program of the page, the packed data between its parts.
 *
 * Data are chunks in elements <script type="text/plain" class="chunk">, bytes packed as zlib does,
 * in base64; the last one is the head. A page too large for browsers is rebuilt with coarser
 * curves, up to a bound; the head contains the resolution. */
#include "page/page_internal.h"
#include "core/arena.h"
#include "core/fail.h"
#include "io/export_file.h"
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 19 * 1000 * 1000, LEVEL = 9, LEVEL_FAST = 6, LARGE = 1 << 22 };
static const double finest = 1.0 / 65000.0, coarsest = 1.0 / 1000.0;

bool trm_page_is_built(void) { return trmi_page_before[0] != '\0'; }

const char *trm_page_film_script(void) { return trmi_page_film; }

/* ---- chunks --------------------------------------------------------------------------------- */

static void add_base64(trmi_buffer *out, const unsigned char *bytes, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < count; i += 3) {
    const size_t left = count - i;
    const unsigned a = bytes[i], b = left > 1 ? bytes[i + 1] : 0, c = left > 2 ? bytes[i + 2] : 0;
    const char four[4] = {digits[a >> 2], digits[(a & 3) << 4 | b >> 4],
                          left > 1 ? digits[(b & 15) << 2 | c >> 6] : '=',
                          left > 2 ? digits[c & 63] : '='};
    trmi_buffer_add(out, four, 4);
  }
}

trm_status trmi_page_chunk(trmi_page *page, const void *bytes, size_t count, trm_error *err) {
  struct libdeflate_compressor *packer =
      libdeflate_alloc_compressor(count > LARGE ? LEVEL_FAST : LEVEL);
  const size_t room = packer != NULL ? libdeflate_zlib_compress_bound(packer, count) : 0;
  void *packed = packer != NULL ? trmi_allocate(&page->html.allocator, room) : NULL;
  if (packed != NULL) {
    const size_t size = libdeflate_zlib_compress(packer, bytes, count, packed, room);
    trmi_buffer_text(&page->html, "<script type=\"text/plain\" class=\"chunk\">");
    add_base64(&page->html, packed, size);
    trmi_buffer_text(&page->html, "</script>\n");
    page->nchunks++;
  }
  const bool is_done = packed != NULL;
  trmi_release(&page->html.allocator, packed);
  if (packer != NULL) libdeflate_free_compressor(packer);
  if (!is_done) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  return trmi_buffer_check(&page->html, err);
}

/* ---- data ----------------------------------------------------------------------------------- */

static int find_signal(const void *self, const char *group, const char *label) {
  char path[TRM_COLUMN_MAX];
  int index = -1;
  trm_error ignored;
  snprintf(path, sizeof path, "%s/%.60s", group, label);
  return trm_run_find(self, path, &index, &ignored) == TRM_OK ? index : -1;
}

static trm_status add_run(trmi_page *page, trm_run *run, const trm_reductions *reductions,
                          json_t *list, trm_error *err) {
  const trm_run_info *info = trm_run_info_of(run);
  trmi_page_source source = {.text = info->text, .model = info->model, .self = run,
                             .find = find_signal, .run = run};
  if (reductions != NULL) source.reductions = *reductions;
  json_t *out = json_object();
  json_array_append_new(list, out);
  TRMI_TRY(err, trmi_page_run(page, run, out, err));
  TRMI_TRY(err, trmi_page_scene(page, &source, out, err));
  TRMI_TRY(err, trmi_page_signals(page, run, out, err));
  return TRM_OK;
}

trm_status trmi_page_head(trmi_page *page, json_t *head, trm_error *err) {
  char *text = json_dumps(head, JSON_COMPACT);
  if (text == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  const trm_status status = trmi_page_chunk(page, text, strlen(text), err);
  free(text);
  return status;
}

static trm_status make_data(trmi_page *page, trm_run *const *runs, int nruns,
                            const trm_reductions *reductions, bool *has_scene, trm_error *err) {
  json_t *head = json_object(), *list = json_array();
  json_object_set_new(head, "trammel", json_string(TRM_VERSION));
  json_object_set_new(head, "resolution", json_real(page->resolution));
  json_object_set_new(head, "runs", list);
  trm_status status = TRM_OK;
  for (int i = 0; i < nruns && status == TRM_OK; i++) {
    status = add_run(page, runs[i], reductions, list, err);
  }
  if (status == TRM_OK) status = trmi_page_head(page, head, err);
  *has_scene = json_object_get(json_array_get(list, 0), "scene") != NULL;
  json_decref(head);
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* ---- the file ------------------------------------------------------------------------------- */

static trm_status check_runs(trm_run *const *runs, int nruns, trm_error *err) {
  if (!trm_page_is_built()) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "this library was built without the page, which "
                     "needs nodejs, npm and its registry: install them, and build it again");
  }
  if (nruns < 1 || nruns > TRM_PAGE_RUNS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a page shows one run or two, not %d", nruns);
  }
  for (int i = 0; i < nruns; i++) {
    TRMI_NEED(err, runs[i]);
    if (trm_run_info_of(runs[i])->nsamples > 0) continue;
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%.200s' holds no sample to show",
                     trm_run_info_of(runs[i])->path);
  }
  return TRM_OK;
}

static trm_status write_file(const trmi_page *page, const char *path, trm_error *err) {
  trmi_out out;
  TRMI_TRY(err, trmi_out_open(&out, path, err));
  trmi_out_bytes(&out, trmi_page_before, strlen(trmi_page_before));
  trmi_out_bytes(&out, page->html.data, page->html.used);
  trmi_out_bytes(&out, trmi_page_after, strlen(trmi_page_after));
  return trmi_out_close(&out, TRM_OK, err);
}

trm_status trm_page_write(trm_run *const *runs, int nruns, const char *path,
                          const trm_reductions *reductions, trm_page_info *info, trm_error *err) {
  TRMI_NEED(err, runs, path);
  TRMI_TRY(err, check_runs(runs, nruns, err));
  trmi_page page = {.resolution = finest};
  bool has_scene = false;
  trmi_buffer_init(&page.html, NULL);
  trm_status status = make_data(&page, runs, nruns, reductions, &has_scene, err);
  while (status == TRM_OK && page.html.used > BYTES_MAX && page.resolution < coarsest) {
    page.resolution *= 4.0;
    page.html.used = 0;
    page.nchunks = 0;
    status = make_data(&page, runs, nruns, reductions, &has_scene, err);
  }
  if (status == TRM_OK) status = write_file(&page, path, err);
  if (status == TRM_OK && info != NULL) {
    const size_t around = strlen(trmi_page_before) + strlen(trmi_page_after);
    *info = (trm_page_info){.bytes = (long)(page.html.used + around), .has_scene = has_scene,
                            .resolution = page.resolution};
  }
  trmi_buffer_free(&page.html);
  TRMI_TRY(err, status);
  return TRM_OK;
}
