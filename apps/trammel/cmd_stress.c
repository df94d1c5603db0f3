/* cmd_stress.c - hot spots of the flexible bodies of a run: place, instant, stress. */
#include "commands.h"
#include "interface_loads.h"
#include "json_out.h"
#include "output_files.h"
#include "report.h"
#include "stress_run.h"
#include "trammel/trammel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

/* One body and its results. */
typedef struct found {
  trm_flexible_info    info;
  trm_flexible_surface surface;
  trm_run_amplitudes amplitudes; /* in the run file */
  trm_hot_spot *list;
  int           count, excluded;
  double        bound, radius;
} found;

/* Default of the radius: 2 % of the diagonal of the body. */
static double two_percent(const trm_flexible_surface *surface) {
  double low[3], high[3], square = 0.0;
  for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < 3 * surface->points; i++) {
    low[i % 3] = fmin(low[i % 3], surface->places[i]);
    high[i % 3] = fmax(high[i % 3], surface->places[i]);
  }
  for (int k = 0; k < 3; k++) square += (high[k] - low[k]) * (high[k] - low[k]);
  return 0.02 * sqrt(square);
}

static trm_status look_at_samples(const app_stress_run *s, found *f, trm_hot_spots *spots,
                                  trm_error *err) {
  const long samples = trm_run_info_of(s->run)->nsamples;
  double *a = calloc((size_t)(BLOCK * f->amplitudes.columns), sizeof *a);
  trm_status status = a != NULL ? TRM_OK : app_fail_memory(err);
  for (long first = 0; first < samples && status == TRM_OK; first += BLOCK) {
    const long count = samples - first < BLOCK ? samples - first : BLOCK;
    status = trm_run_read_amplitudes(s->run, &f->amplitudes, first, count, a, err);
    if (status == TRM_OK) trm_hot_spots_add(spots, count, a);
  }
  free(a);
  return status;
}

static trm_status find_spots(const app_options *options, const app_stress_run *s, int body,
                             found *f, trm_error *err) {
  *f = (found){.info = trm_flexible_at(s->system, body),
               .surface = trm_flexible_surface_at(s->system, body)};
  trm_status status = trm_run_find_amplitudes(s->run, s->system, body, &f->amplitudes, err);
  if (status != TRM_OK) return status;
  trm_hot_spots *spots = NULL;
  const int top = options->given[APP_OPT_TOP] ? options->count : f->info.top;
  f->radius = options->given[APP_OPT_RADIUS] ? options->radius : two_percent(&f->surface);
  f->list = calloc((size_t)top, sizeof *f->list);
  if (f->list == NULL) return app_fail_memory(err);
  status = trm_hot_spots_create(&f->surface, NULL, &spots, err);
  if (status == TRM_OK) status = look_at_samples(s, f, spots, err);
  if (status == TRM_OK) {
    f->count = trm_hot_spots_list(spots, top, f->radius, f->list);
    f->bound = trm_hot_spots_bound(spots);
    for (int p = 0; p < f->surface.points; p++) f->excluded += f->surface.is_excluded[p];
    if (f->count < 0) status = app_fail_memory(err);
  }
  trm_hot_spots_free(spots);
  return status;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_found(const app_stress_run *s, const found *f) {
  const trm_unit_names *u = trm_system_units(s->system);
  printf("flexible body '%s': %d points, %ld samples, %d modes\n", f->info.name,
         f->surface.points, trm_run_info_of(s->run)->nsamples, f->surface.modes);
  if (f->surface.points == 0) {
    printf("  no stress is known: the body is given by matrices, without elements\n");
    return;
  }
  if (f->excluded > 0) {
    printf("  %d points at rigid interfaces are left out: their stress depends on the mesh\n",
           f->excluded);
  }
  printf("  single precision errs by %.2e %s/%s^2 at most\n", f->bound, u->force, u->length);
  printf("  %4s %10s %15s %15s   %s [%s]\n", "", "node", "mises", "time", "place", u->length);
  for (int i = 0; i < f->count; i++) {
    const trm_hot_spot *h = &f->list[i];
    const double *x = f->surface.places + 3 * (size_t)h->point;
    printf("  %4d %10d %15.7g %15.9g   [%.6g, %.6g, %.6g]\n", i + 1,
           f->surface.numbers[h->point], h->mises, s->times[h->instant], x[0], x[1], x[2]);
  }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *found_object(const app_stress_run *s, const found *f) {
  json_t *root = json_object(), *spots = json_array();
  app_json_put(root, "points", json_integer(f->surface.points));
  app_json_put(root, "excluded", json_integer(f->excluded));
  app_json_put(root, "samples", json_integer(trm_run_info_of(s->run)->nsamples));
  app_json_put(root, "bound", app_json_number(f->bound));
  app_json_put(root, "radius", app_json_number(f->radius));
  app_json_put(root, "hot_spots", spots);
  for (int i = 0; i < f->count; i++) {
    const trm_hot_spot *h = &f->list[i];
    const double *x = f->surface.places + 3 * (size_t)h->point;
    json_t *spot = json_object(), *place = json_array();
    app_json_put(spot, "node", json_integer(f->surface.numbers[h->point]));
    app_json_put(spot, "mises", app_json_number(h->mises));
    app_json_put(spot, "time", app_json_number(s->times[h->instant]));
    for (int k = 0; k < 3; k++) json_array_append_new(place, app_json_number(x[k]));
    app_json_put(spot, "place", place);
    json_array_append_new(spots, spot);
  }
  return root;
}

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct all_found {
  const found          *list;
  int                   count;
  const app_beam_spots *beams;
} all_found;

static trm_status show(const app_options *options, const app_stress_run *s, const all_found *all,
                       trm_error *err) {
  if (!options->json) {
    for (int i = 0; i < all->count && !options->quiet; i++) print_found(s, &all->list[i]);
    if (!options->quiet) app_beam_stress_print(s, all->beams);
    return TRM_OK;
  }
  json_t *root = json_object(), *bodies = json_object();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_run_info_of(s->run)->model));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "flexible", bodies);
  for (int i = 0; i < all->count; i++) {
    app_json_put(bodies, all->list[i].info.name, found_object(s, &all->list[i]));
  }
  app_json_put(root, "beams", app_beam_stress_json(s, all->beams));
  return app_json_print(root, err);
}

/* Loads at the times of --at, or where each body has its highest stress. */
static trm_status write_loads(const app_options *options, const app_stress_run *s,
                              const found *list, int count, trm_error *err) {
  if (count == 0) {
    return app_fail(err, TRM_ERR_INPUT, "--loads", "the model has no flexible bodies");
  }
  long *hottest = calloc((size_t)count, sizeof *hottest);
  if (hottest == NULL) return app_fail_memory(err);
  for (int i = 0; i < count; i++) hottest[i] = list[i].count > 0 ? list[i].list[0].instant : -1;
  const trm_status status = app_interface_loads(options, s, hottest, err);
  free(hottest);
  return status;
}

/* The file of --loads must not be one that the model uses: meshes end in .inp and .bdf as well. */
static trm_status open_run(const app_options *options, app_stress_run *s, trm_error *err) {
  trm_status status = app_interface_loads_check(options, err);
  if (status == TRM_OK) status = app_stress_open(options, s, err);
  if (status != TRM_OK) return status;
  app_options with_model = *options;
  with_model.loaded = s->model;
  return app_outputs_check(&with_model, err);
}

trm_status app_stress(const app_options *options, trm_error *err) {
  app_stress_run s = {.run = NULL};
  trm_status status = open_run(options, &s, err);
  const int count = status == TRM_OK ? trm_flexible_count(s.system) : 0;
  app_beam_spots beams = {.list = NULL};
  found *list = calloc((size_t)count + 1, sizeof *list);
  if (list == NULL) status = app_fail_memory(err);
  for (int i = 0; i < count && status == TRM_OK; i++) {
    status = find_spots(options, &s, i, &list[i], err);
  }
  if (status == TRM_OK) status = app_beam_stress(options, &s, &beams, err);
  if (status == TRM_OK && options->loads != NULL) {
    status = write_loads(options, &s, list, count, err);
  }
  if (status == TRM_OK) status = show(options, &s, &(all_found){list, count, &beams}, err);
  app_beam_stress_free(&beams);
  for (int i = 0; i < count && list != NULL; i++) free(list[i].list);
  free(list);
  app_stress_close(&s);
  return status;
}
