/* along.c - see along.h. */
#include "along.h"
#include "json_out.h"
#include "report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const change_names[] = {
    [TRM_BRANCH_BORN] = "born", [TRM_BRANCH_ENDED] = "ended", [TRM_BRANCH_SPLIT] = "split",
    [TRM_BRANCH_JOINED] = "joined"};

trm_status app_along_init(app_along *along, const app_options *options, trm_sim *sim, long every,
                          trm_error *err) {
  trm_modes_options find = trm_modes_options_default();
  *along = (app_along){.sim = sim, .every = every};
  find.method = options->method;
  if (options->count > 0) find.count = options->count;
  return trm_branches_create(&find, &along->branches, err);
}

void app_along_free(app_along *along) {
  trm_branches_free(along->branches);
}

static trm_status sample(void *self, const trm_sample *now, trm_error *err) {
  app_along *along = self;
  if (along->samples++ % along->every != 0) return TRM_OK;
  return trm_branches_add(along->branches, trm_sim_system(along->sim), now->state, err);
}

trm_sink app_along_sink(app_along *along) {
  return (trm_sink){.self = along, .sample = sample};
}

/* --- text ---------------------------------------------------------------------------- */

/* Ranges of one branch. */
typedef struct extent {
  double t[2], re[2], im[2], mac;
  long   count;
} extent;

static void widen(double range[2], double value) {
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

static extent extent_of(const app_along *along, int branch) {
  const trm_branch_point *points = NULL;
  const long n = trm_branches_points(along->branches, &points);
  extent e = {.t = {INFINITY, -INFINITY}, .re = {INFINITY, -INFINITY},
              .im = {INFINITY, -INFINITY}, .mac = NAN};
  for (long i = 0; i < n; i++) {
    if (points[i].branch != branch) continue;
    widen(e.t, points[i].t);
    widen(e.re, points[i].re);
    widen(e.im, points[i].im);
    e.mac = fmin(e.mac, points[i].mac); /* NaN is ignored */
    e.count++;
  }
  return e;
}

static void print_change(const trm_branch_note *note, const char *unit) {
  const int one = note->branch + 1, other = note->other + 1;
  printf("  t = %.6g %s: ", note->t, unit);
  switch (note->change) {
  case TRM_BRANCH_BORN: printf("branch %d begins\n", one); break;
  case TRM_BRANCH_ENDED: printf("branch %d ends\n", one); break;
  case TRM_BRANCH_SPLIT:
    printf("the pair of branch %d becomes real", one);
    if (other > 0) printf("; the second value is branch %d", other);
    putchar('\n');
    break;
  default:
    printf("branch %d becomes a pair", one);
    if (other > 0) printf("; branch %d joins it", other);
    putchar('\n');
  }
}

void app_along_print(const app_along *along) {
  const trm_system *system = trm_sim_system(along->sim);
  const trm_branch_note *notes = NULL;
  const long nnotes = trm_branches_notes(along->branches, &notes);
  const char *unit = trm_system_units(system)->time;
  const int count = trm_branches_count(along->branches);
  printf("%s: eigenvalues along the motion, %d branch%s\n", trm_system_name(system), count,
         count == 1 ? "" : "es");
  printf("  %6s %10s %10s %7s %25s %25s %9s\n", "branch", "from", "to", "points", "real part",
         "imaginary part", "least MAC");
  for (int k = 0; k < count; k++) {
    const extent e = extent_of(along, k);
    char re[64], im[64], mac[32] = "-";
    snprintf(re, sizeof re, "%.6g .. %.6g", e.re[0], e.re[1]);
    snprintf(im, sizeof im, "%.6g .. %.6g", e.im[0], e.im[1]);
    if (isfinite(e.mac)) snprintf(mac, sizeof mac, "%.4f", e.mac);
    printf("  %6d %10.5g %10.5g %7ld %25s %25s %9s\n", k + 1, e.t[0], e.t[1], e.count, re, im, mac);
  }
  for (long i = 0; i < nnotes; i++) print_change(&notes[i], unit);
}

/* --- JSON ---------------------------------------------------------------------------- */

static json_t *branch_json(const app_along *along, int branch) {
  const trm_branch_point *points = NULL;
  const long n = trm_branches_points(along->branches, &points);
  json_t *entry = json_object(), *t = json_array(), *re = json_array(), *im = json_array(),
         *mac = json_array();
  for (long i = 0; i < n; i++) {
    if (points[i].branch != branch) continue;
    json_array_append_new(t, app_json_number(points[i].t));
    json_array_append_new(re, app_json_number(points[i].re));
    json_array_append_new(im, app_json_number(points[i].im));
    json_array_append_new(mac, app_json_number(points[i].mac));
  }
  app_json_put(entry, "branch", json_integer(branch + 1));
  app_json_put(entry, "t", t);
  app_json_put(entry, "re", re);
  app_json_put(entry, "im", im);
  app_json_put(entry, "mac", mac);
  return entry;
}

void app_along_json(const app_along *along, json_t *root) {
  const trm_branch_note *notes = NULL;
  const long nnotes = trm_branches_notes(along->branches, &notes);
  json_t *branches = json_array(), *changes = json_array();
  app_json_put(root, "branches", branches);
  app_json_put(root, "changes", changes);
  for (int k = 0; k < trm_branches_count(along->branches); k++) {
    json_array_append_new(branches, branch_json(along, k));
  }
  for (long i = 0; i < nnotes; i++) {
    json_t *entry = json_object();
    app_json_put(entry, "t", app_json_number(notes[i].t));
    app_json_put(entry, "change", json_string(change_names[notes[i].change]));
    app_json_put(entry, "branch", json_integer(notes[i].branch + 1));
    app_json_put(entry, "other", notes[i].other >= 0 ? json_integer(notes[i].other + 1)
                                                     : json_null());
    json_array_append_new(changes, entry);
  }
}

/* --- picture ------------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 24 };

/* Curves of all branches: numbers[0] times, [1] real, [2] imaginary parts, branch by branch. */
typedef struct curves {
  double          *numbers[3];
  trm_plot_series *series[2];
  char            (*names)[NAME_MAX_LENGTH];
  int              count;
} curves;

static void free_curves(curves *c) {
  for (int k = 0; k < 3; k++) free(c->numbers[k]);
  for (int k = 0; k < 2; k++) free(c->series[k]);
  free(c->names);
}

static trm_status take_curves(curves *c, long n, int count, trm_error *err) {
  const int most = count < TRM_PLOT_SERIES_MAX / 2 ? count : TRM_PLOT_SERIES_MAX / 2;
  *c = (curves){.count = most};
  bool has_room = true;
  for (int k = 0; k < 3; k++) {
    c->numbers[k] = calloc((size_t)n + 1, sizeof(double));
    has_room = has_room && c->numbers[k] != NULL;
  }
  for (int k = 0; k < 2; k++) {
    c->series[k] = calloc((size_t)most + 1, sizeof(trm_plot_series));
    has_room = has_room && c->series[k] != NULL;
  }
  c->names = calloc((size_t)most + 1, sizeof *c->names);
  return has_room && c->names != NULL ? TRM_OK : app_fail_memory(err);
}

static void fill_curves(curves *c, const trm_branch_point *points, long n) {
  long at = 0;
  for (int k = 0; k < c->count; k++) {
    const long first = at;
    snprintf(c->names[k], NAME_MAX_LENGTH, "branch %d", k + 1);
    for (long i = 0; i < n; i++) {
      if (points[i].branch != k) continue;
      c->numbers[0][at] = points[i].t;
      c->numbers[1][at] = points[i].re;
      c->numbers[2][at++] = points[i].im;
    }
    for (int part = 0; part < 2; part++) {
      c->series[part][k] = (trm_plot_series){
          .name = c->names[k], .x = c->numbers[0] + first, .y = c->numbers[1 + part] + first,
          .n = (size_t)(at - first),
          .look = at - first > 1 ? TRM_PLOT_LINE : TRM_PLOT_LINE_AND_DOTS,
          .has_style = true, .color = k};
    }
  }
}

trm_status app_along_plot(const app_along *along, const char *path, trm_error *err) {
  const trm_branch_point *points = NULL;
  const long n = trm_branches_points(along->branches, &points);
  const trm_system *system = trm_sim_system(along->sim);
  const char *time = trm_system_units(system)->time;
  char unit[TRM_UNIT_MAX + 4];
  curves c;
  trm_status status = take_curves(&c, n, trm_branches_count(along->branches), err);
  if (status == TRM_OK) {
    fill_curves(&c, points, n);
    snprintf(unit, sizeof unit, "1/%s", time);
    const trm_plot_panel panels[] = {
        {.y = {.name = "imaginary part", .unit = unit}, .series = c.series[1], .nseries = c.count},
        {.y = {.name = "real part", .unit = unit}, .series = c.series[0], .nseries = c.count}};
    const trm_plot_figure figure = {.title = trm_system_name(system),
                                    .x = {.name = "t", .unit = time, .is_tight = true},
                                    .panels = panels, .npanels = 2};
    status = trm_plot_write(&figure, path, err);
  }
  free_curves(&c);
  return status;
}
