/* beam_spots.c - hot spots of beams: position along a beam, point of its section and time of the
 * largest von Mises stress. Sections at the ends of elements and at their Gauss points are
 * evaluated. */
#include "json_out.h"
#include "report.h"
#include "stress_run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, TOP = 20 };

/* Signals of one beam. */
typedef struct beam_run {
  int           number, nodes; /* of the beam; all its nodes */
  trm_beam_info info;
  int           q, v;          /* first signals: 7 a node, 6 a node */
  double       *at_q, *at_v;   /* of a block of samples             */
} beam_run;

/* Neighbouring signals GROUP/NAME.1.FIRST to GROUP/NAME.NODES.LAST. */
static bool find_signals(const app_stress_run *s, const beam_run *b, const char *const names[3],
                         int count, int *first) {
  char name[TRM_COLUMN_MAX];
  trm_error ignored;
  int last = -1;
  snprintf(name, sizeof name, "%s/%.60s.1.%s", names[0], b->info.name, names[1]);
  if (trm_run_find(s->run, name, first, &ignored) != TRM_OK) return false;
  snprintf(name, sizeof name, "%s/%.60s.%d.%s", names[0], b->info.name, b->nodes, names[2]);
  return trm_run_find(s->run, name, &last, &ignored) == TRM_OK &&
         last - *first + 1 == count * b->nodes;
}

static trm_status open_beam(const app_stress_run *s, int number, beam_run *b, trm_error *err) {
  *b = (beam_run){.number = number, .info = trm_beam_at(s->system, number)};
  b->nodes = b->info.elements * (b->info.nodes - 1) + 1;
  const bool is_found =
      find_signals(s, b, (const char *const[]){"coordinates", "x", "q3"}, 7, &b->q) &&
      find_signals(s, b, (const char *const[]){"velocities", "vx", "wz"}, 6, &b->v);
  if (!is_found) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "the run does not have the %d nodes of beam '%.60s'",
                    b->nodes, b->info.name);
  }
  b->at_q = calloc((size_t)(BLOCK * 7 * b->nodes), sizeof *b->at_q);
  b->at_v = calloc((size_t)(BLOCK * 6 * b->nodes), sizeof *b->at_v);
  return b->at_q != NULL && b->at_v != NULL ? TRM_OK : app_fail_memory(err);
}

static void close_beam(beam_run *b) {
  free(b->at_q);
  free(b->at_v);
}

/* ---- search ---------------------------------------------------------------------------------- */

/* Positions on an element: its ends, and approximately its Gauss points. */
static int places_of(const trm_beam_info *info, double along[5]) {
  static const double inside[3][3] = {{0.5}, {0.2113248654, 0.7886751346},
                                      {0.1127016654, 0.5, 0.8872983346}};
  const int n = info->nodes - 1;
  along[0] = 0.0;
  memcpy(along + 1, inside[n - 1], (size_t)n * sizeof *along);
  along[n + 1] = 1.0;
  return n + 2;
}

static trm_status look_at(const app_stress_run *s, const beam_run *b, long sample, int row,
                          app_beam_spot *spot, trm_error *err) {
  double loads[6], stress[6];
  const trm_status status =
      trm_beam_loads(s->system, &spot->place, b->at_q + (size_t)(row * 7 * b->nodes),
                     b->at_v + (size_t)(row * 6 * b->nodes), loads, err);
  for (int k = 0; k < b->info.points && status == TRM_OK; k++) {
    trm_beam_stress(s->system, b->number, k, loads, stress);
    const double mises = trm_mises(stress);
    if (!(mises > spot->mises)) continue;
    spot->mises = mises, spot->point = k, spot->instant = sample;
    memcpy(spot->stress, stress, sizeof stress);
  }
  return status;
}

static trm_status look_at_samples(const app_stress_run *s, beam_run *b, int count,
                                  app_beam_spot *spots, trm_error *err) {
  const long samples = trm_run_info_of(s->run)->nsamples;
  trm_status status = TRM_OK;
  for (long first = 0; first < samples && status == TRM_OK; first += BLOCK) {
    const long rows = samples - first < BLOCK ? samples - first : BLOCK;
    status = trm_run_read_block(s->run, b->q, 7 * b->nodes, first, rows, b->at_q, err);
    if (status == TRM_OK) {
      status = trm_run_read_block(s->run, b->v, 6 * b->nodes, first, rows, b->at_v, err);
    }
    for (int row = 0; row < rows && status == TRM_OK; row++) {
      for (int i = 0; i < count && status == TRM_OK; i++) {
        status = look_at(s, b, first + row, row, &spots[i], err);
      }
    }
  }
  return status;
}

static int compare(const void *a, const void *b) {
  const app_beam_spot *p = a, *q = b;
  if (p->mises != q->mises) return p->mises < q->mises ? 1 : -1;
  return (p->from_start > q->from_start) - (p->from_start < q->from_start);
}

/* The hottest, none closer than `radius` to a hotter one. @return their number */
static int choose(app_beam_spot *spots, int count, int most, double radius) {
  int kept = 0;
  qsort(spots, (size_t)count, sizeof *spots, compare);
  for (int i = 0; i < count && kept < most; i++) {
    bool is_far = true;
    for (int k = 0; k < kept; k++) {
      is_far = is_far && fabs(spots[k].from_start - spots[i].from_start) > radius;
    }
    if (is_far) spots[kept++] = spots[i];
  }
  return kept;
}

static trm_status search(const app_options *options, const app_stress_run *s, beam_run *b,
                         app_beam_spots *out, trm_error *err) {
  double along[5];
  const int each = places_of(&b->info, along), count = each * b->info.elements;
  app_beam_spot *all = realloc(out->list, (size_t)(out->count + count) * sizeof *all);
  if (all == NULL) return app_fail_memory(err);
  out->list = all;
  app_beam_spot *spots = all + out->count;
  for (int i = 0; i < count; i++) {
    spots[i] = (app_beam_spot){.place = {b->number, i / each, along[i % each]}, .mises = -1.0};
    spots[i].from_start =
        (spots[i].place.element + along[i % each]) * b->info.length / b->info.elements;
  }
  const trm_status status = look_at_samples(s, b, count, spots, err);
  const int top = options->given[APP_OPT_TOP] ? options->count : TOP;
  const double radius = options->given[APP_OPT_RADIUS] ? options->radius : 0.02 * b->info.length;
  if (status == TRM_OK) out->count += choose(spots, count, top, radius);
  return status;
}

trm_status app_beam_stress(const app_options *options, const app_stress_run *s,
                           app_beam_spots *out, trm_error *err) {
  trm_status status = TRM_OK;
  *out = (app_beam_spots){.list = NULL};
  for (int i = 0; i < trm_beam_count(s->system) && status == TRM_OK; i++) {
    if (trm_beam_at(s->system, i).points == 0) continue;
    beam_run b;
    status = open_beam(s, i, &b, err);
    if (status == TRM_OK) status = search(options, s, &b, out, err);
    close_beam(&b);
  }
  return status;
}

void app_beam_stress_free(app_beam_spots *spots) {
  free(spots->list);
  spots->list = NULL;
}

/* ---- text and JSON --------------------------------------------------------------------------- */

static void print_section(const app_stress_run *s, int number) {
  const trm_beam_info info = trm_beam_at(s->system, number);
  printf("beam '%s': %d elements, %d points of its section, %ld samples\n", info.name,
         info.elements, info.points, trm_run_info_of(s->run)->nsamples);
  printf("  section: area %.6g, Iy %.6g, Iz %.6g, Iyz %.6g, J %.6g, shear centre [%.6g, %.6g], "
         "shear areas %.6g, %.6g\n", info.area, info.Iy, info.Iz, info.Iyz, info.J,
         info.shear_centre[0], info.shear_centre[1], info.shear[0], info.shear[1]);
}

void app_beam_stress_print(const app_stress_run *s, const app_beam_spots *spots) {
  const trm_unit_names *u = trm_system_units(s->system);
  int last = -1;
  for (int i = 0, rank = 0; i < spots->count; i++) {
    const app_beam_spot *h = &spots->list[i];
    double at[2] = {0.0, 0.0};
    if (h->place.beam != last) {
      print_section(s, h->place.beam);
      printf("  %4s %8s %10s %15s %15s   %s [%s]\n", "", "element", "along", "mises", "time",
             "point: y, z", u->length);
      last = h->place.beam, rank = 0;
    }
    (void)trm_beam_point_at(s->system, h->place.beam, h->point, at);
    printf("  %4d %8d %10.5g %15.7g %15.9g   %d: [%.6g, %.6g]\n", ++rank, h->place.element + 1,
           h->from_start, h->mises, s->times[h->instant], h->point + 1, at[0], at[1]);
  }
}

static json_t *section_object(const trm_beam_info *info) {
  json_t *root = json_object(), *centre = json_array(), *shear = json_array();
  app_json_put(root, "area", app_json_number(info->area));
  app_json_put(root, "Iy", app_json_number(info->Iy));
  app_json_put(root, "Iz", app_json_number(info->Iz));
  app_json_put(root, "Iyz", app_json_number(info->Iyz));
  app_json_put(root, "J", app_json_number(info->J));
  for (int k = 0; k < 2; k++) json_array_append_new(centre, app_json_number(info->shear_centre[k]));
  for (int k = 0; k < 3; k++) json_array_append_new(shear, app_json_number(info->shear[k]));
  app_json_put(root, "shear_centre", centre);
  app_json_put(root, "shear", shear);
  return root;
}

static json_t *spot_object(const app_stress_run *s, const app_beam_spot *h) {
  json_t *spot = json_object(), *place = json_array(), *stress = json_array();
  double at[2] = {0.0, 0.0};
  (void)trm_beam_point_at(s->system, h->place.beam, h->point, at);
  app_json_put(spot, "element", json_integer(h->place.element + 1));
  app_json_put(spot, "along", app_json_number(h->from_start));
  app_json_put(spot, "point", json_integer(h->point + 1));
  app_json_put(spot, "mises", app_json_number(h->mises));
  app_json_put(spot, "time", app_json_number(s->times[h->instant]));
  for (int k = 0; k < 2; k++) json_array_append_new(place, app_json_number(at[k]));
  for (int k = 0; k < 6; k++) json_array_append_new(stress, app_json_number(h->stress[k]));
  app_json_put(spot, "place", place);
  app_json_put(spot, "stress", stress);
  return spot;
}

json_t *app_beam_stress_json(const app_stress_run *s, const app_beam_spots *spots) {
  json_t *root = json_object(), *list = NULL;
  int last = -1;
  for (int i = 0; i < spots->count; i++) {
    const app_beam_spot *h = &spots->list[i];
    if (h->place.beam != last) {
      const trm_beam_info info = trm_beam_at(s->system, h->place.beam);
      json_t *beam = json_object();
      last = h->place.beam;
      list = json_array();
      app_json_put(root, info.name, beam);
      app_json_put(beam, "section", section_object(&info));
      app_json_put(beam, "points", json_integer(info.points));
      app_json_put(beam, "hot_spots", list);
    }
    json_array_append_new(list, spot_object(s, h));
  }
  return root;
}
