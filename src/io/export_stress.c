/* export_stress.c - flexible bodies of a run with displacement and stress: files of ParaView for
 * times and for the largest stress, tables for nodes.
 *
 * A point s of body axes is at x + R (s + u), u and the stress by the modes of its surface. */
#include "io/export_vtu.h"
#include "math/so3.h"
#include "math/vec.h"
#include "trammel/stress.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, NODES_MOST = 1000 };

typedef struct body {
  trm_flexible_info    info;
  trm_flexible_surface surface;
  trm_run_amplitudes   amplitudes;
  int                  pose;       /* first signal of x y z q0 .. q3 */
  double              *a;          /* of one sample [columns] */
} body;

struct trmi_stress_scene {
  int   count;
  body *bodies;
};

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Those of a sample, all signals of which are in `row`. */
static const double *amplitudes_of(const body *b, const double *row) {
  const trm_run_amplitudes *at = &b->amplitudes;
  const size_t heat = (size_t)(at->columns - at->modes);
  memcpy(b->a, row + at->mode, (size_t)at->modes * sizeof *row);
  if (heat > 0) memcpy(b->a + at->modes, row + at->heat, heat * sizeof *row);
  return b->a;
}

static trm_status open_body(trm_run *run, const trm_system *system, int i, trmi_arena *arena,
                            body *b, trm_error *err) {
  char name[TRM_COLUMN_MAX];
  *b = (body){.info = trm_flexible_at(system, i), .surface = trm_flexible_surface_at(system, i)};
  TRMI_TRY(err, trm_run_find_amplitudes(run, system, i, &b->amplitudes, err));
  b->a = TRMI_TAKE(arena, double, b->amplitudes.columns);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  snprintf(name, sizeof name, "coordinates/%.60s.x", b->info.name);
  TRMI_TRY(err, trm_run_find(run, name, &b->pose, err));
  return TRM_OK;
}

trm_status trmi_stress_scene_make(trm_run *run, const trm_system *system, trmi_arena *arena,
                                  trmi_stress_scene **scene, trm_error *err) {
  trmi_stress_scene *s = TRMI_TAKE(arena, trmi_stress_scene, 1);
  const int count = trm_flexible_count(system);
  body *bodies = TRMI_TAKE(arena, body, count);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  *s = (trmi_stress_scene){.count = count, .bodies = bodies};
  *scene = s;
  if (count == 0) return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model has no flexible bodies");
  for (int i = 0; i < count; i++) TRMI_TRY(err, open_body(run, system, i, arena, &bodies[i], err));
  return TRM_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int nodes_of_cell(int type) {
  switch (type) {
  case 10: return 4;
  case 12: return 8;
  case 13: return 6;
  case 24: return 10;
  case 25: return 20;
  default: return 15;
  }
}

static void put_cells(trmi_out *out, const trm_flexible_surface *s) {
  const int count = s->cells > 0 ? s->cells : s->triangles;
  const int *points = s->cells > 0 ? s->cell_points : s->corners;
  int end = 0;
  trmi_out_print(out, "<Cells>\n");
  trmi_vtu_array(out, "Int32", "connectivity", 1);
  for (int i = 0; i < count; i++) {
    const int n = s->cells > 0 ? nodes_of_cell(s->cell_types[i]) : 3;
    for (int k = 0; k < n; k++) trmi_out_print(out, "%d%c", *points++, k + 1 < n ? ' ' : '\n');
  }
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "Int32", "offsets", 1);
  for (int i = 0; i < count; i++) {
    end += s->cells > 0 ? nodes_of_cell(s->cell_types[i]) : 3;
    trmi_out_print(out, "%d\n", end);
  }
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "UInt8", "types", 1); /* 5: triangle */
  for (int i = 0; i < count; i++) {
    trmi_out_print(out, "%d\n", s->cells > 0 ? s->cell_types[i] : 5);
  }
  trmi_out_print(out, "</DataArray>\n</Cells>\n");
}

static void put_vector(trmi_out *out, trmi_vec3 v) {
  trmi_out_print(out, "%.9g %.9g %.9g\n", v.x, v.y, v.z);
}

static void put_numbers(trmi_out *out, const trm_flexible_surface *s) {
  trmi_vtu_array(out, "Int32", "node", 1);
  for (int i = 0; i < s->points; i++) trmi_out_print(out, "%d\n", s->numbers[i]);
  trmi_out_print(out, "</DataArray>\n");
}

static void put_stress(trmi_out *out, const trm_flexible_surface *s, const double *a) {
  trmi_vtu_array(out, "Float32", "stress", 6); /* in the order of ParaView */
  for (int i = 0; i < s->points; i++) {
    double t[6];
    trm_surface_stress(s, i, a, t);
    trmi_out_print(out, "%.7g %.7g %.7g %.7g %.7g %.7g\n", t[0], t[1], t[2], t[3], t[5], t[4]);
  }
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "Float32", "mises", 1);
  for (int i = 0; i < s->points; i++) {
    double t[6];
    trm_surface_stress(s, i, a, t);
    trmi_out_print(out, "%.7g\n", trm_mises(t));
  }
  trmi_out_print(out, "</DataArray>\n");
}

static void put_body(trmi_out *out, const body *b, const double *values) {
  const trm_flexible_surface *s = &b->surface;
  const double *a = amplitudes_of(b, values);
  double R[9], u[3];
  trmi_quat_matrix(values + b->pose + 3, R);
  trmi_vtu_begin(out, s->points, s->cells > 0 ? s->cells : s->triangles);
  trmi_out_print(out, "<PointData>\n");
  put_numbers(out, s);
  trmi_vtu_array(out, "Float64", "displacement", 3);
  for (int i = 0; i < s->points; i++) {
    trm_surface_displacement(s, i, a, u);
    put_vector(out, m3_mul(R, v3_load(u)));
  }
  trmi_out_print(out, "</DataArray>\n");
  put_stress(out, s, a);
  trmi_out_print(out, "</PointData>\n<Points>\n");
  trmi_vtu_array(out, "Float64", "Points", 3);
  for (int i = 0; i < s->points; i++) {
    trm_surface_displacement(s, i, a, u);
    const trmi_vec3 own = v3_add(v3_load(s->places + 3 * (size_t)i), v3_load(u));
    put_vector(out, v3_add(v3_load(values + b->pose), m3_mul(R, own)));
  }
  trmi_out_print(out, "</DataArray>\n</Points>\n");
  put_cells(out, s);
  trmi_vtu_end(out);
}

trm_status trmi_stress_frame(trmi_stress_scene *scene, const trmi_pvd_place *place, trmi_out *list,
                             long frame, const double *values, trm_error *err) {
  for (int i = 0; i < scene->count; i++) {
    const body *b = &scene->bodies[i];
    char path[TRMI_PVD_PATH];
    trmi_out out;
    snprintf(path, sizeof path, "%s/%.200s_%.60s_%06ld.vtu", place->folder, place->base,
             b->info.name, frame);
    TRMI_TRY(err, trmi_out_open(&out, path, err));
    put_body(&out, b, values);
    TRMI_TRY(err, trmi_out_close(&out, TRM_OK, err));
    trmi_pvd_add(list, place, values[0], i + 1, path);
  }
  return TRM_OK;
}

/* ---- maxima ---------------------------------------------------------------------------------- */

static trm_status search(const body *b, trm_run *run, trm_hot_spots *spots, double *block,
                         trm_error *err) {
  const long samples = trm_run_info_of(run)->nsamples;
  for (long first = 0; first < samples; first += BLOCK) {
    const long count = samples - first < BLOCK ? samples - first : BLOCK;
    TRMI_TRY(err, trm_run_read_amplitudes(run, &b->amplitudes, first, count, block, err));
    trm_hot_spots_add(spots, count, block);
  }
  return TRM_OK;
}

static void put_maxima(trmi_out *out, const body *b, const trm_hot_spots *spots,
                       const double *times) {
  const trm_flexible_surface *s = &b->surface;
  trmi_vtu_begin(out, s->points, s->cells > 0 ? s->cells : s->triangles);
  trmi_out_print(out, "<PointData>\n");
  put_numbers(out, s);
  trmi_vtu_array(out, "Float32", "mises_max", 1);
  for (int i = 0; i < s->points; i++) {
    trmi_out_print(out, "%.7g\n", trm_hot_spots_at(spots, i).mises);
  }
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "Float64", "time_of_max", 1);
  for (int i = 0; i < s->points; i++) {
    const long instant = trm_hot_spots_at(spots, i).instant;
    trmi_out_print(out, "%.17g\n", instant >= 0 ? times[instant] : 0.0);
  }
  trmi_out_print(out, "</DataArray>\n");
  trmi_vtu_array(out, "UInt8", "at_rigid_interface", 1);
  for (int i = 0; i < s->points; i++) trmi_out_print(out, "%d\n", s->is_excluded[i] ? 1 : 0);
  trmi_out_print(out, "</DataArray>\n</PointData>\n<Points>\n");
  trmi_vtu_array(out, "Float64", "Points", 3);
  for (int i = 0; i < s->points; i++) put_vector(out, v3_load(s->places + 3 * (size_t)i));
  trmi_out_print(out, "</DataArray>\n</Points>\n");
  put_cells(out, s);
  trmi_vtu_end(out);
}

static trm_status write_maxima(const body *b, trm_run *run, const trmi_pvd_place *place,
                               trmi_arena *arena, trm_error *err) {
  char path[TRMI_PVD_PATH];
  trm_hot_spots *spots = NULL;
  double *block = TRMI_TAKE(arena, double, BLOCK * (size_t)b->amplitudes.columns);
  double *times = TRMI_TAKE(arena, double, trm_run_info_of(run)->nsamples);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  TRMI_TRY(err, trm_run_read_times(run, times, err));
  TRMI_TRY(err, trm_hot_spots_create(&b->surface, NULL, &spots, err));
  trmi_out out;
  trm_status status = search(b, run, spots, block, err);
  snprintf(path, sizeof path, "%s/%.200s_%.60s_max.vtu", place->folder, place->base,
           b->info.name);
  if (status == TRM_OK) status = trmi_out_open(&out, path, err);
  if (status == TRM_OK) {
    put_maxima(&out, b, spots, times);
    status = trmi_out_close(&out, TRM_OK, err);
  }
  trm_hot_spots_free(spots);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_stress_maxima(trmi_stress_scene *scene, trm_run *run, const trmi_pvd_place *place,
                              trm_error *err) {
  trm_status status = TRM_OK;
  for (int i = 0; i < scene->count && status == TRM_OK; i++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &(trm_allocator){0});
    status = write_maxima(&scene->bodies[i], run, place, &arena, err);
    trmi_arena_clear(&arena);
  }
  TRMI_TRY(err, status);
  return TRM_OK;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A point of a body under the name of its node. */
typedef struct column {
  const body *body;
  int         point, copy; /* 1, 2 ..: of a node between materials */
} column;

/* All points of a node of "rod.node12"; false: there is none. */
static bool add_node(const trmi_stress_scene *scene, const char *word, size_t length,
                     column columns[NODES_MOST], int *count) {
  static const char node[] = ".node";
  bool is_found = false;
  for (int i = 0; i < scene->count; i++) {
    const body *b = &scene->bodies[i];
    const size_t n = strlen(b->info.name), head = n + sizeof node - 1;
    if (length <= head || strncmp(word, b->info.name, n) != 0 ||
        strncmp(word + n, node, sizeof node - 1) != 0) {
      continue;
    }
    char *end;
    const long number = strtol(word + head, &end, 10);
    if (end != word + length) continue;
    int copy = 0;
    for (int p = 0; p < b->surface.points && *count < NODES_MOST; p++) {
      if (b->surface.numbers[p] != number) continue;
      columns[(*count)++] = (column){.body = b, .point = p, .copy = ++copy};
      is_found = true;
    }
  }
  return is_found;
}

static trm_status find_nodes(const trmi_stress_scene *scene, const char *nodes,
                             column columns[NODES_MOST], int *count, trm_error *err) {
  for (const char *word = nodes; *word != '\0';) {
    const size_t length = strcspn(word, ",");
    if (!add_node(scene, word, length, columns, count)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "no flexible body has stress at '%.*s': write "
                       "BODY.nodeNUMBER, and `stress: {nodes: all}` in the model for nodes inside",
                       (int)(length < 60 ? length : 60), word);
    }
    word += length + (word[length] == ',' ? 1 : 0);
  }
  if (*count > 0 && *count < NODES_MOST) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a table of stress has 1 to %d nodes", NODES_MOST - 1);
}

static void put_head(trmi_out *out, const column *columns, int count) {
  static const char *const parts[] = {"xx", "yy", "zz", "xy", "xz", "yz", "mises"};
  trmi_out_print(out, "t");
  for (int i = 0; i < 7 * count; i++) {
    const column *c = &columns[i / 7];
    char name[TRM_COLUMN_MAX], copy[16] = "";
    if (c->copy > 1) snprintf(copy, sizeof copy, ".%d", c->copy);
    snprintf(name, sizeof name, "%.60s.node%d%s.%s", c->body->info.name,
             c->body->surface.numbers[c->point], copy, parts[i % 7]);
    trmi_out_print(out, ",");
    trmi_csv_name(out, name);
  }
  trmi_out_print(out, "\n");
}

static trm_status put_rows(trm_run *run, const column *columns, int count, trmi_out *out,
                           trm_error *err) {
  const int width = trm_run_info_of(run)->nsignals;
  trmi_arena arena;
  trmi_arena_init(&arena, &(trm_allocator){0});
  double *row = TRMI_TAKE(&arena, double, width);
  trm_status status = trmi_arena_check(&arena, err);
  const long samples = trm_run_info_of(run)->nsamples;
  for (long i = 0; i < samples && status == TRM_OK && out->reason == 0; i++) {
    status = trm_run_read_block(run, 0, width, i, 1, row, err);
    trmi_out_print(out, "%.17g", row[0]);
    for (int k = 0; k < count && status == TRM_OK; k++) {
      const body *b = columns[k].body;
      double t[6];
      trm_surface_stress(&b->surface, columns[k].point, amplitudes_of(b, row), t);
      trmi_out_print(out, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", t[0], t[1], t[2], t[3], t[4],
                     t[5], trm_mises(t));
    }
    trmi_out_print(out, "\n");
  }
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_export_stress_csv(trm_run *run, const trm_system *system, const char *nodes,
                                  trmi_out *out, trm_error *err) {
  trmi_arena arena;
  trmi_stress_scene *scene = NULL;
  int count = 0;
  trmi_arena_init(&arena, &(trm_allocator){0});
  column *columns = TRMI_TAKE(&arena, column, NODES_MOST);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) status = trmi_stress_scene_make(run, system, &arena, &scene, err);
  if (status == TRM_OK) status = find_nodes(scene, nodes, columns, &count, err);
  if (status == TRM_OK) {
    put_head(out, columns, count);
    status = put_rows(run, columns, count, out, err);
  }
  trmi_arena_clear(&arena);
  TRMI_TRY(err, status);
  return TRM_OK;
}
