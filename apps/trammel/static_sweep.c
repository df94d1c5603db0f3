/* static_sweep.c - quasi-statics: the equilibria at V1, V1 + (V2 - V1)/N, .. V2 of a value, each
 * looked for from the one before. */
#include "static_sweep.h"
#include "commands.h"
#include "json_out.h"
#include "range.h"
#include "report.h"
#include "store.h"
#include "trammel/trammel.h"
#include "trammel/values.h"
#include <string.h>

typedef struct sweep {
  const app_options *options;
  const trm_options *sim;
  trm_system *system;
  char        name[TRM_OBJECT_MAX];
  app_range   range;
  bool        has_last;
  trm_state   last;    /* equilibrium of the last value: a copy, so that the value can be set */
  double     *outputs, *shown;
  json_t     *rows;    /* NULL: text                             */
  app_store   store;
} sweep;

/* ---- a state of one's own -------------------------------------------------------------------- */

/* The lists of a state, how many numbers each has. */
static int lists_of(const trm_system *system, trm_state *s, double ***lists, int *counts) {
  const struct {
    double     **list;
    trm_quantity count;
  } all[] = {{&s->q, TRM_Q}, {&s->v, TRM_V}, {&s->vd, TRM_V}, {&s->lam, TRM_LAM},
             {&s->mu, TRM_MU}, {&s->x, TRM_X}, {&s->xd, TRM_X}, {&s->w, TRM_W},
             {&s->z, TRM_Z}, {&s->u, TRM_U}, {&s->ud, TRM_U}};
  const int n = (int)(sizeof all / sizeof *all);
  for (int i = 0; i < n; i++) {
    lists[i] = all[i].list;
    counts[i] = trm_system_count(system, all[i].count);
  }
  return n;
}

enum { LISTS_MAX = 16 };

static trm_status take_state(sweep *s, trm_error *err) {
  double **lists[LISTS_MAX];
  int counts[LISTS_MAX];
  const int n = lists_of(s->system, &s->last, lists, counts);
  for (int i = 0; i < n; i++) *lists[i] = APP_TAKE(&s->store, double, counts[i] + 1);
  return app_store_check(&s->store, err);
}

static void keep_state(sweep *s, const trm_state *from) {
  double **to[LISTS_MAX], **of[LISTS_MAX];
  int counts[LISTS_MAX];
  trm_state copy = *from;
  const int n = lists_of(s->system, &s->last, to, counts);
  (void)lists_of(s->system, &copy, of, counts);
  s->last.t = from->t;
  for (int i = 0; i < n; i++) {
    if (counts[i] > 0) memcpy(*to[i], *of[i], (size_t)counts[i] * sizeof(double));
  }
  s->has_last = true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static trm_status read_sweep(sweep *s, trm_error *err) {
  const char *text = s->options->sweep, *equals = strchr(text, '=');
  const size_t length = equals != NULL ? (size_t)(equals - text) : 0;
  if (length == 0 || length >= sizeof s->name) {
    return app_fail(err, TRM_ERR_INPUT, "--sweep", "'%.60s' is not of the form P=V1..V2,N", text);
  }
  memcpy(s->name, text, length);
  s->name[length] = '\0';
  trm_value value = {.unit = ""};
  const trm_status status = trm_system_value(s->system, s->name, &value, err);
  if (status != TRM_OK) return status;
  const app_range_kind kind = {"--sweep", "0..400,40 or 0 N..400 N,40", value.unit,
                               s->options->loaded};
  return app_range_read(&kind, equals + 1, &s->range, err);
}

static void print_head(const sweep *s) {
  printf("%s: equilibria over %s\n  %14s", trm_system_name(s->system), s->name, s->name);
  for (int i = 0; i < trm_system_count(s->system, TRM_OUTPUT); i++) {
    trm_label label;
    trm_system_label(s->system, TRM_OUTPUT, i, &label);
    printf(" %16s", label.name);
  }
  puts("  unstable");
}

static void print_row(const sweep *s, const trm_static *rest, double value) {
  const trm_static_facts *facts = trm_static_facts_of(rest);
  if (!s->has_last) print_head(s);
  printf("  %14.9g", value);
  for (int i = 0; i < trm_system_count(s->system, TRM_OUTPUT); i++) {
    printf(" %16.9g", s->outputs[i]);
  }
  if (facts->unstable > 0) {
    printf("  %d direction%s", facts->unstable, facts->unstable > 1 ? "s" : "");
  }
  putchar('\n');
}

static void add_row(const sweep *s, const trm_static *rest, double value) {
  const trm_static_facts *facts = trm_static_facts_of(rest);
  json_t *row = json_object(), *outputs = json_object();
  app_json_put(row, "value", app_json_number(value));
  app_json_put(row, "outputs", outputs);
  app_json_put_list(outputs, s->system, TRM_OUTPUT, s->outputs);
  app_json_put_state(row, s->system, trm_static_state(rest), s->shown);
  app_json_put(row, "method", json_string(facts->method));
  app_json_put(row, "newton_iterations", json_integer(facts->iterations));
  app_json_put(row, "unbalanced", app_json_number(facts->unbalanced));
  app_json_put(row, "unstable", facts->unstable < 0 ? json_null() : json_integer(facts->unstable));
  json_array_append_new(s->rows, row);
}

/* An error at a value says so. */
static void name_value(const sweep *s, double value, trm_error *err) {
  char sentence[TRM_MESSAGE_MAX];
  snprintf(sentence, sizeof sentence, "%.60s = %.9g: ", s->name, value);
  const size_t used = strlen(sentence);
  snprintf(sentence + used, sizeof sentence - used, "%.*s", (int)(sizeof sentence - used - 1),
           err->message);
  memcpy(err->message, sentence, sizeof sentence);
}

static trm_status show(sweep *s, const trm_static *rest, double value, trm_error *err) {
  const trm_values out = {.outputs = s->outputs, .shown = s->shown};
  const trm_status status =
      trm_system_values(trm_static_system(rest), trm_static_state(rest), &out, err);
  if (status != TRM_OK) return status;
  if (s->rows != NULL) add_row(s, rest, value);
  else if (!s->options->quiet) print_row(s, rest, value);
  keep_state(s, trm_static_state(rest));
  return TRM_OK;
}

/* The equilibrium at a value, from the last one. */
static trm_status find_next(sweep *s, double value, trm_error *err) {
  trm_static *rest = NULL;
  trm_status status = trm_system_set(s->system, s->name, value, err);
  if (status != TRM_OK) return status;
  const trm_state *from = s->has_last ? &s->last : NULL;
  status = app_find_static_from(s->options, s->sim, s->system, from, &rest, err);
  if (status != TRM_OK) name_value(s, value, err);
  if (status == TRM_OK) status = show(s, rest, value, err);
  trm_static_free(rest);
  return status;
}

static trm_status print_json(sweep *s, trm_error *err) {
  json_t *root = json_object();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(s->system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "analysis", json_string("static"));
  app_json_put(root, "sweep", app_json_text(s->name));
  app_json_put(root, "rows", s->rows);
  app_json_put_units(root, s->system, NULL);
  s->rows = NULL;
  return app_json_print(root, err);
}

trm_status app_static_sweep(const app_options *options, const trm_options *sim,
                            trm_system *system, trm_error *err) {
  sweep s = {.options = options, .sim = sim, .system = system};
  s.outputs = APP_TAKE(&s.store, double, trm_system_count(system, TRM_OUTPUT) + 1);
  s.shown = APP_TAKE(&s.store, double, trm_system_count(system, TRM_SHOWN) + 1);
  trm_status status = take_state(&s, err);
  if (status == TRM_OK) status = read_sweep(&s, err);
  if (status == TRM_OK && options->json) s.rows = json_array();
  for (long k = 0; k <= s.range.count && status == TRM_OK; k++) {
    const double n = (double)s.range.count, done = (double)k;
    status = find_next(&s, (s.range.from * (n - done) + s.range.to * done) / n, err);
  }
  if (status == TRM_OK && s.rows != NULL) status = print_json(&s, err);
  json_decref(s.rows);
  app_store_clear(&s.store);
  return status;
}
