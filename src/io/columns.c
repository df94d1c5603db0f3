/* columns.c - names, units and values of columns. */
#include "io/columns.h"
#include "expr/units.h"
#include "system/system.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group is filled from one list, or two; time, energy and power have names of their own. */
static const struct {
  const char  *name;
  const char  *one; /* prefix for a name that is already used */
  int          own; /* columns with own names               */
  int          nlists;
  trm_quantity lists[2];
} groups[TRM_GROUPS] = {
  [TRM_GROUP_TIME] = {"time", "time", 1, 0, {TRM_Q}},
  [TRM_GROUP_COORDINATES] = {"coordinates", "coordinate", 0, 1, {TRM_Q}},
  [TRM_GROUP_VELOCITIES] = {"velocities", "velocity", 0, 1, {TRM_V}},
  [TRM_GROUP_ACCELERATIONS] = {"accelerations", "acceleration", 0, 1, {TRM_V}},
  [TRM_GROUP_MULTIPLIERS] = {"multipliers", "multiplier", 0, 2, {TRM_LAM, TRM_MU}},
  [TRM_GROUP_STATES] = {"states", "state", 0, 1, {TRM_X}},
  [TRM_GROUP_VARIABLES] = {"variables", "variable", 0, 2, {TRM_W, TRM_SHOWN}},
  [TRM_GROUP_OUTPUTS] = {"outputs", "output", 0, 1, {TRM_OUTPUT}},
  [TRM_GROUP_ENERGY] = {"energy", "energy", 2, 0, {TRM_Q}},
  [TRM_GROUP_POWER] = {"power", "energy", 1, 0, {TRM_Q}},
  [TRM_GROUP_STATE_RATES] = {"state_rates", "rate", 0, 1, {TRM_X}},
  [TRM_GROUP_DISCRETE] = {"discrete", "discrete", 0, 1, {TRM_Z}},
  [TRM_GROUP_INPUTS] = {"inputs", "input", 0, 1, {TRM_U}},
  [TRM_GROUP_LOADS] = {"loads", "load", 0, 1, {TRM_RECORDED}},
};

const char *trm_signal_group_name(trm_signal_group group) {
  return (int)group >= 0 && group < TRM_GROUPS ? groups[group].name : "?";
}

bool trmi_column_has_list(const trmi_column *column) {
  return groups[column->group].nlists > 0;
}

/* --- names ------------------------------------------------------------------ */

/* For sorting; columns are not moved. */
typedef struct reference {
  trmi_column *column;
} reference;

static int compare_names(const void *a, const void *b) {
  const reference *left = a, *right = b;
  return strcmp(left->column->name, right->column->name);
}

/* Among equal names the one that keeps its name comes first: kinetic and potential are fixed,
 * others follow in order. */
static int compare_columns(const void *a, const void *b) {
  const trmi_column *left = ((const reference *)a)->column;
  const trmi_column *right = ((const reference *)b)->column;
  const int order = strcmp(left->name, right->name);
  if (order != 0) return order;
  if (left->group == TRM_GROUP_ENERGY) return -1;
  if (right->group == TRM_GROUP_ENERGY) return 1;
  return left->index - right->index;
}

void trmi_column_label(const trmi_column *column, const trm_system *system, trm_label *label) {
  static const char *const energy[] = {"kinetic", "potential"};
  *label = (trm_label){.kind = TRM_KIND_NONE};
  switch (column->group) {
  case TRM_GROUP_TIME: snprintf(label->name, sizeof label->name, "t"); break;
  case TRM_GROUP_ENERGY:
    snprintf(label->name, sizeof label->name, "%s", energy[column->place]);
    break;
  case TRM_GROUP_POWER: snprintf(label->name, sizeof label->name, "power"); break;
  default: trm_system_label(system, column->list, column->place, label);
  }
}

/* Names as the system gives them, with d( ) for derivatives. `coordinates` are
 * the sorted columns of the nq coordinates. */
static void name_column(trmi_column *column, const trm_system *system,
                        const reference *coordinates, int nq) {
  static const char *const formats[] = {"%s", "d(%s)", "dd(%s)"};
  trm_label label;
  trmi_column_label(column, system, &label);
  int dots = column->group == TRM_GROUP_STATE_RATES ? 1 : 0;
  if (column->group == TRM_GROUP_VELOCITIES || column->group == TRM_GROUP_ACCELERATIONS) {
    trmi_column key;
    const reference at = {.column = &key};
    snprintf(key.name, sizeof key.name, "%s", label.name);
    const bool is_coordinate =
        bsearch(&at, coordinates, (size_t)nq, sizeof *coordinates, compare_names) != NULL;
    dots = (is_coordinate ? 1 : 0) + (column->group == TRM_GROUP_ACCELERATIONS ? 1 : 0);
  }
  snprintf(column->name, sizeof column->name, formats[dots], label.name);
}

static void name_all(trmi_columns *columns, const trm_system *system, reference *sorted) {
  const int nq = columns->first[TRM_GROUP_VELOCITIES] - columns->first[TRM_GROUP_COORDINATES];
  for (int i = 0; i < columns->n; i++) {
    /* the coordinates are complete: sort them for what refers to them */
    if (i == columns->first[TRM_GROUP_VELOCITIES]) {
      for (int k = 0; k < nq; k++) {
        sorted[k].column = &columns->list[columns->first[TRM_GROUP_COORDINATES] + k];
      }
      qsort(sorted, (size_t)nq, sizeof *sorted, compare_names);
    }
    name_column(&columns->list[i], system, sorted, nq);
  }
}

/* Rename all but the first of equal names: in the first pass the name of the list is prepended, in
 * a second one the index is appended. */
static void separate_equal(trmi_columns *columns, reference *sorted, bool is_second_round) {
  for (int i = 0; i < columns->n; i++) sorted[i].column = &columns->list[i];
  qsort(sorted, (size_t)columns->n, sizeof *sorted, compare_columns);
  char name[TRM_COLUMN_MAX] = "";
  for (int i = 0; i < columns->n; i++) {
    trmi_column *column = sorted[i].column;
    const bool is_equal = i > 0 && strcmp(name, column->name) == 0;
    memcpy(name, column->name, sizeof name);
    if (is_equal && is_second_round) {
      snprintf(column->name, sizeof column->name, "%.70s#%d", name, column->index);
    } else if (is_equal) {
      snprintf(column->name, sizeof column->name, "%s:%.70s", groups[column->group].one, name);
    }
  }
}

/* --- the list --------------------------------------------------------------- */

static int group_size(const trm_system *system, trm_signal_group group) {
  int count = groups[group].own;
  for (int l = 0; l < groups[group].nlists; l++) {
    count += trm_system_count(system, groups[group].lists[l]);
  }
  return count;
}

static void fill_group(const trm_system *system, trm_signal_group group, trmi_columns *columns) {
  int i = columns->first[group];
  for (int k = 0; k < groups[group].own; k++, i++) {
    columns->list[i] = (trmi_column){.group = group, .place = k, .index = i};
  }
  for (int l = 0; l < groups[group].nlists; l++) {
    const trm_quantity list = groups[group].lists[l];
    for (int k = 0; k < trm_system_count(system, list); k++, i++) {
      columns->list[i] = (trmi_column){.group = group, .list = list, .place = k, .index = i};
    }
  }
}

trm_status trmi_columns_create(const trm_system *system, trmi_arena *arena,
                               trmi_columns *columns, trm_error *err) {
  if (columns->list != NULL) {
    return TRMI_FAIL(err, TRM_ERR_ORDER, NULL, "a sink records one simulation, and this one has "
                     "begun already: create a sink for each, and add it once");
  }
  for (int g = 0; g < TRM_GROUPS; g++) {
    columns->first[g + 1] = columns->first[g] + group_size(system, (trm_signal_group)g);
  }
  columns->n = columns->first[TRM_GROUPS];
  columns->list = TRMI_TAKE(arena, trmi_column, columns->n);
  reference *sorted = TRMI_TAKE(arena, reference, columns->n);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int g = 0; g < TRM_GROUPS; g++) fill_group(system, (trm_signal_group)g, columns);
  name_all(columns, system, sorted);
  separate_equal(columns, sorted, false);
  separate_equal(columns, sorted, true);
  return TRM_OK;
}

/* --- values and units ------------------------------------------------------- */

static double *put(double *out, const double *values, int count) {
  if (count > 0) memcpy(out, values, (size_t)count * sizeof(double));
  return out + count;
}

int trmi_columns_gather(const trmi_columns *columns, const trm_system *system,
                        const trm_sample *sample, trm_signal_group last, double *values) {
  const trm_state *s = sample->state;
  const double energy[] = {sample->kinetic, sample->potential};
  const double *const sources[TRM_GROUPS] = {
    [TRM_GROUP_TIME] = &s->t, [TRM_GROUP_COORDINATES] = s->q, [TRM_GROUP_VELOCITIES] = s->v,
    [TRM_GROUP_ACCELERATIONS] = s->vd, [TRM_GROUP_STATES] = s->x,
    [TRM_GROUP_OUTPUTS] = sample->outputs, [TRM_GROUP_ENERGY] = energy,
    [TRM_GROUP_POWER] = &sample->power,
    [TRM_GROUP_STATE_RATES] = s->xd, [TRM_GROUP_DISCRETE] = s->z, [TRM_GROUP_INPUTS] = s->u,
    [TRM_GROUP_LOADS] = sample->recorded,
  };
  double *out = values;
  for (int g = TRM_GROUP_TIME; g <= (int)last; g++) {
    if (g == TRM_GROUP_MULTIPLIERS) {
      out = put(out, s->lam, trm_system_count(system, TRM_LAM));
      out = put(out, s->mu, trm_system_count(system, TRM_MU));
    } else if (g == TRM_GROUP_VARIABLES) {
      out = put(out, s->w, trm_system_count(system, TRM_W));
      out = put(out, sample->shown, trm_system_count(system, TRM_SHOWN));
    } else if (g == TRM_GROUP_LOADS && sample->recorded == NULL) {
      for (int i = columns->first[g]; i < columns->first[g + 1]; i++) *out++ = NAN;
    } else {
      out = put(out, sources[g], columns->first[g + 1] - columns->first[g]);
    }
  }
  return (int)(out - values);
}

/* "N m/s" from "N m"; empty if the unit has a denominator, which would need powers. */
static const char *rate_unit(const char *unit, const char *time, char room[TRM_UNIT_MAX]) {
  const bool is_simple = unit[0] != '\0' && strpbrk(unit, "/(") == NULL;
  const size_t above = strlen(unit), below = strlen(time) + 1; /* with its end */
  if (!is_simple || above + 1 + below > TRM_UNIT_MAX) return "";
  memcpy(room, unit, above);
  room[above] = '/';
  memcpy(room + above + 1, time, below);
  return room;
}

const char *trmi_column_unit(const trmi_column *column, const trm_label *label,
                             const trm_unit_names *names, char room[TRM_UNIT_MAX]) {
  if (column->group == TRM_GROUP_TIME) return names->time;
  if (column->group == TRM_GROUP_ENERGY) return names->energy;
  if (column->group == TRM_GROUP_POWER) return names->power;
  if (column->group == TRM_GROUP_STATE_RATES) return rate_unit(label->unit, names->time, room);
  if (label->unit[0] != '\0') return label->unit;
  const int rate = column->group == TRM_GROUP_VELOCITIES      ? 1
                   : column->group == TRM_GROUP_ACCELERATIONS ? 2
                                                         : 0;
  return trmi_unit_of_kind(names, label->kind, rate);
}

double trmi_unit_seconds(const char *unit) {
  char *end = NULL;
  const double number = strtod(unit, &end);
  const double factor = end == unit ? 1.0 : number;
  const char *name = end + strspn(end, " ");
  trmi_dimension dimension;
  double si;
  const bool is_time = trmi_unit_find(name, strlen(name), &dimension, &si) &&
                       !trmi_dimension_is_number(dimension) &&
                       trmi_dimension_agrees(dimension, trmi_unit_dimension("s"));
  return is_time && factor > 0.0 && isfinite(factor * si) ? factor * si : 1.0;
}

/* --- public ----------------------------------------------------------------- */

struct trm_columns {
  trmi_arena        arena;
  const trm_system *system;
  trmi_columns      columns;
};

trm_status trm_columns_create(const trm_system *system, const trm_allocator *allocator,
                              trm_columns **columns, trm_error *err) {
  TRMI_NEED(err, columns);
  const trm_allocator none = {0};
  trmi_arena arena;
  *columns = NULL;
  TRMI_NEED(err, system);
  trmi_arena_init(&arena, allocator != NULL ? allocator : &none);
  trm_columns *c = TRMI_TAKE(&arena, trm_columns, 1);
  trm_status status = trmi_arena_check(&arena, err);
  if (status == TRM_OK) c->columns = (trmi_columns){.list = NULL};
  if (status == TRM_OK) status = trmi_columns_create(system, &arena, &c->columns, err);
  if (status != TRM_OK) {
    trmi_arena_clear(&arena);
    return status;
  }
  c->system = system;
  c->arena = arena;
  *columns = c;
  return TRM_OK;
}

void trm_columns_free(trm_columns *columns) {
  if (columns == NULL) return;
  trmi_arena arena = columns->arena; /* contains the columns */
  trmi_arena_clear(&arena);
}

int trm_columns_first(const trm_columns *columns, trm_signal_group group) {
  if (columns == NULL || (int)group < 0 || group > TRM_GROUPS) return 0;
  return columns->columns.first[group];
}

const char *trm_columns_name(const trm_columns *columns, int i) {
  if (columns == NULL || i < 0 || i >= columns->columns.n) return "";
  return columns->columns.list[i].name;
}

int trm_columns_find(const trm_columns *columns, const char *name) {
  if (columns == NULL || name == NULL) return -1;
  for (int i = 0; i < columns->columns.n; i++) {
    if (strcmp(columns->columns.list[i].name, name) == 0) return i;
  }
  return -1;
}

int trm_columns_gather(const trm_columns *columns, const trm_sample *sample,
                       trm_signal_group last, double *values) {
  const bool is_group = (int)last >= 0 && last < TRM_GROUPS;
  if (columns == NULL || sample == NULL || values == NULL || !is_group) return 0;
  return trmi_columns_gather(&columns->columns, columns->system, sample, last, values);
}
