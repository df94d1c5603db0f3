/* page_flexible.c - surfaces of flexible bodies: nodes, triangles, and the modes of displacement
 * and stress there, from which the page computes the deformed body and its von Mises stress at any
 * instant.
 *
 * Mode k of either kind is stored in 16 bits:
 *     (1)  code = round(32767 y / scale_k),   scale_k = max |y|,
 * so that its error is at most 1/65534 of its largest value. A chunk holds places (32-bit floats),
 * corners (32-bit integers), displacements and stresses (16-bit integers, [points][3|6][modes]).
 * The stress of a run that has ended is one of fewer shapes, see page_stress.c; so is the
 * displacement, if that of all modes would be too large for a page.
 * The hottest points of the run are found as by `trammel stress`. */
#include "page/page_internal.h"
#include "core/arena.h"
#include "core/fail.h"
#include "trammel/stress.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES_MAX = 8 << 20, BLOCK = 256, SPOTS = 12 };

/* ---- shapes of modes ------------------------------------------------------------------------ */

/* (1) of rows of `modes` numbers; the list of scales. */
static json_t *put_codes(trmi_buffer *out, const float *rows, size_t count, int modes) {
  json_t *scales = json_array();
  for (int k = 0; k < modes; k++) {
    float largest = 0.0F;
    for (size_t i = 0; i < count; i++) {
      largest = fmaxf(largest, fabsf(rows[i * (size_t)modes + (size_t)k]));
    }
    json_array_append_new(scales, trmi_json_number((double)largest));
  }
  for (size_t i = 0; i < count * (size_t)modes; i++) {
    const double scale = json_real_value(json_array_get(scales, i % (size_t)modes));
    const int16_t code = scale > 0.0 ? (int16_t)lround(32767.0 * (double)rows[i] / scale) : 0;
    trmi_buffer_add(out, &code, sizeof code);
  }
  return scales;
}

/* The stress by all modes, or by the shapes of a run. */
static void put_stress(trmi_buffer *bytes, const trm_flexible_surface *surface,
                       const trmi_page_stress *few, json_t *out) {
  const size_t rows = 6 * (size_t)surface->points;
  if (few == NULL) {
    json_object_set_new(out, "stress_scales",
                        put_codes(bytes, surface->stress, rows, surface->columns));
    return;
  }
  json_object_set_new(out, "stress_scales", put_codes(bytes, few->modes, rows, few->rank));
  json_object_set_new(out, "stress_map", trmi_json_numbers(few->map, few->rank * surface->columns));
  json_object_set_new(out, "stress_error", trmi_json_number(few->error));
}

/* Bytes of the shapes of a surface, with these numbers of shapes of displacement and of stress. */
static size_t bytes_of(const trm_flexible_surface *surface, int displacement, int stress) {
  return (size_t)surface->points * (size_t)(6 * displacement + 12 * stress);
}

/* The displacement by all modes, or by the shapes of the stress. */
static void put_displacement(trmi_buffer *bytes, const trm_flexible_surface *surface,
                             const trmi_page_stress *few, json_t *out) {
  const size_t rows = 3 * (size_t)surface->points;
  const bool is_whole =
      few == NULL || bytes_of(surface, surface->modes, few->rank) <= CHUNK_BYTES_MAX;
  const float *shapes = is_whole ? surface->displacement : few->displacement;
  const int count = is_whole ? surface->modes : few->rank;
  json_object_set_new(out, "displacement_scales", put_codes(bytes, shapes, rows, count));
  if (is_whole) return;
  json_object_set_new(out, "displacement_error", trmi_json_number(few->displacement_error));
}

static trm_status put_surface(trmi_page *page, const trm_flexible_surface *surface,
                              const trmi_page_stress *few, json_t *out, trm_error *err) {
  trmi_buffer bytes;
  const size_t points = (size_t)surface->points;
  trmi_buffer_init(&bytes, &page->html.allocator);
  for (size_t i = 0; i < 3 * points; i++) {
    const float place = (float)surface->places[i];
    trmi_buffer_add(&bytes, &place, sizeof place);
  }
  for (int i = 0; i < 3 * surface->triangles; i++) {
    const int32_t corner = surface->corners[i];
    trmi_buffer_add(&bytes, &corner, sizeof corner);
  }
  json_object_set_new(out, "points", json_integer(surface->points));
  json_object_set_new(out, "triangles", json_integer(surface->triangles));
  json_object_set_new(out, "modes", json_integer(surface->modes));
  put_displacement(&bytes, surface, few, out);
  put_stress(&bytes, surface, few, out);
  json_object_set_new(out, "chunk", json_integer(page->nchunks));
  trm_status status = trmi_buffer_check(&bytes, err);
  if (status == TRM_OK) status = trmi_page_chunk(page, bytes.data, bytes.used, err);
  trmi_buffer_free(&bytes);
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* ---- hot spots ------------------------------------------------------------------------------ */

static trm_status search(trm_run *run, const trm_run_amplitudes *at, trm_hot_spots *spots,
                         double *block, trm_error *err) {
  const long n = trm_run_info_of(run)->nsamples;
  for (long first = 0; first < n; first += BLOCK) {
    const long count = n - first < BLOCK ? n - first : BLOCK;
    TRMI_TRY(err, trm_run_read_amplitudes(run, at, first, count, block, err));
    trm_hot_spots_add(spots, count, block);
  }
  return TRM_OK;
}

static void put_spots(const trm_hot_spots *spots, const trm_flexible_surface *surface,
                      const double *times, json_t *out) {
  trm_hot_spot list[SPOTS];
  json_t *rows = json_array();
  double largest = 0.0;
  for (int i = 0; i < surface->points; i++) {
    if (!surface->is_excluded[i]) largest = fmax(largest, trm_hot_spots_at(spots, i).mises);
  }
  const int count = trm_hot_spots_list(spots, SPOTS, 0.0, list);
  for (int i = 0; i < count; i++) {
    json_array_append_new(rows, json_pack("{s:i, s:i, s:o, s:o}", "point", list[i].point, "node",
        surface->numbers[list[i].point], "stress", trmi_json_number(list[i].mises), "t",
        trmi_json_number(times[list[i].instant])));
  }
  json_object_set_new(out, "largest", trmi_json_number(largest));
  json_object_set_new(out, "spots", rows);
}

static trm_status find_spots(const trmi_page *page, trm_run *run, const trm_run_amplitudes *at,
                             const trm_flexible_surface *surface, json_t *out, trm_error *err) {
  trmi_arena arena;
  trm_hot_spots *spots = NULL;
  trmi_arena_init(&arena, &page->html.allocator);
  double *block = TRMI_TAKE(&arena, double, (size_t)BLOCK * (size_t)surface->columns);
  double *times = TRMI_TAKE(&arena, double, trm_run_info_of(run)->nsamples);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) status = trm_run_read_times(run, times, err);
  if (status == TRM_OK) status = trm_hot_spots_create(surface, NULL, &spots, err);
  if (status == TRM_OK) status = search(run, at, spots, block, err);
  if (status == TRM_OK) put_spots(spots, surface, times, out);
  trm_hot_spots_free(spots);
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* Signals of its modes and heat; false: those of the run are not those that the body has now. A run
 * that goes on has them. */
static bool find_amplitudes(const trmi_page_source *source, const trm_system *system, int body,
                            trm_run_amplitudes *out) {
  const trm_flexible_info info = trm_flexible_at(system, body);
  trm_error ignored;
  if (source->run != NULL) {
    return trm_run_find_amplitudes(source->run, system, body, out, &ignored) == TRM_OK;
  }
  *out = (trm_run_amplitudes){.modes = info.modes, .heat = -1, .columns = info.modes};
  out->mode = trmi_page_signal(source, "coordinates", info.name, "mode1");
  for (int k = 0; k < info.loads; k++) {
    const trm_flexible_load load = trm_flexible_load_at(system, body, k);
    if (!load.is_heat) continue;
    if (out->heat < 0) out->heat = trmi_page_signal(source, "loads", info.name, load.name);
    if (out->heat < 0) return false;
    out->columns++;
  }
  return out->mode >= 0;
}

/* Frames of joints and forces, at their undeformed positions. */
static json_t *interfaces_of(const trm_system *system, int i) {
  json_t *list = json_array();
  for (int k = 0; k < trm_flexible_at(system, i).interfaces; k++) {
    const trm_flexible_tie tie = trm_flexible_tie_at(system, i, k);
    json_array_append_new(list, json_pack("{s:o, s:o}", "name", trmi_json_text(tie.name), "at",
                                          trmi_json_numbers(tie.at, 3)));
  }
  return list;
}

static const char *stress_unit(const trm_system *system, char text[2 * TRM_UNIT_MAX + 4]) {
  const trm_unit_names *names = trm_system_units(system);
  snprintf(text, 2 * TRM_UNIT_MAX + 4, "%s/%s^2", names->force, names->length);
  return strcmp(text, "N/m^2") == 0 ? "Pa" : text;
}

/* Surface and hot spots of a run that has ended. */
static trm_status put_run(trmi_page *page, trm_run *run, const trm_run_amplitudes *at,
                          const trm_flexible_surface *surface, json_t *out, trm_error *err) {
  trmi_arena arena;
  trmi_page_stress few;
  trmi_arena_init(&arena, &page->html.allocator);
  trm_status status = trmi_page_stress_of(surface, run, at, &arena, &few, err);
  if (status == TRM_OK) status = put_surface(page, surface, &few, out, err);
  trmi_arena_clear(&arena);
  if (status == TRM_OK) status = find_spots(page, run, at, surface, out, err);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status put_body(trmi_page *page, const trmi_page_source *source,
                           const trm_system *system, int i, json_t *list, trm_error *err) {
  const trm_flexible_surface surface = trm_flexible_surface_at(system, i);
  const char *name = trm_flexible_at(system, i).name;
  trm_run_amplitudes at = {.mode = -1, .heat = -1};
  const bool is_known = find_amplitudes(source, system, i, &at);
  const int most = source->run != NULL ? TRMI_PAGE_RANK_MOST : surface.columns;
  const int least = most < surface.modes ? most : surface.modes;
  const int stresses = most < surface.columns ? most : surface.columns;
  char unit[2 * TRM_UNIT_MAX + 4];
  json_t *out = json_object();
  json_array_append_new(list, out);
  json_object_set_new(out, "name", trmi_json_text(name));
  json_object_set_new(out, "x",
                      json_integer(trmi_page_signal(source, "coordinates", name, "x")));
  json_object_set_new(out, "vx",
                      json_integer(trmi_page_signal(source, "velocities", name, "vx")));
  json_object_set_new(out, "mode", json_integer(at.mode));
  json_object_set_new(out, "heat", json_integer(at.heat));
  json_object_set_new(out, "heats", json_integer(at.columns - at.modes));
  json_object_set_new(out, "interfaces", interfaces_of(system, i));
  json_object_set_new(out, "unit", trmi_json_text(stress_unit(system, unit)));
  const char *fault = !is_known ? "the run has other modes: did its mesh change since?"
                      : bytes_of(&surface, least, stresses) > CHUNK_BYTES_MAX
                          ? "its surface is too large for a page"
                      : surface.points == 0 ? "its surface is not known"
                                            : NULL;
  if (fault != NULL) {
    json_object_set_new(out, "fault", json_string(fault));
    return TRM_OK;
  }
  if (source->run == NULL) return put_surface(page, &surface, NULL, out, err);
  TRMI_TRY(err, put_run(page, source->run, &at, &surface, out, err));
  return TRM_OK;
}

trm_status trmi_page_flexible(trmi_page *page, const trmi_page_source *source,
                              const trm_system *system, json_t *scene, trm_error *err) {
  json_t *list = json_array();
  json_object_set_new(scene, "flexible", list);
  for (int i = 0; i < trm_flexible_count(system); i++) {
    TRMI_TRY(err, put_body(page, source, system, i, list, err));
  }
  return TRM_OK;
}
