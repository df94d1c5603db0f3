/* columns.c - names of columns. */
#include "columns.h"
#include "report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char  *name;
  trm_quantity list; /* where the names come from; time and energy have none */
} sections[APP_SECTIONS] = {
  [APP_SECTION_TIME] = {"time", TRM_Q},
  [APP_SECTION_COORDINATE] = {"coordinate", TRM_Q},
  [APP_SECTION_VELOCITY] = {"velocity", TRM_V},
  [APP_SECTION_ACCELERATION] = {"acceleration", TRM_V},
  [APP_SECTION_HOLONOMIC] = {"multiplier", TRM_LAM},
  [APP_SECTION_NONHOLONOMIC] = {"multiplier", TRM_MU},
  [APP_SECTION_STATE] = {"state", TRM_X},
  [APP_SECTION_VARIABLE] = {"variable", TRM_W},
  [APP_SECTION_OUTPUT] = {"output", TRM_OUTPUT},
  [APP_SECTION_ENERGY] = {"energy", TRM_OUTPUT},
};

/* For sorting: columns stay where they are. */
typedef struct reference {
  app_column *column;
} reference;

static int compare_names(const void *a, const void *b) {
  const reference *left = a, *right = b;
  return strcmp(left->column->name, right->column->name);
}

/* Of equal names the one that keeps it comes first: time and energy have fixed
 * names, others go by place. */
static int compare_columns(const void *a, const void *b) {
  const app_column *left = ((const reference *)a)->column;
  const app_column *right = ((const reference *)b)->column;
  const int order = strcmp(left->name, right->name);
  if (order != 0) return order;
  if (left->section == APP_SECTION_ENERGY) return -1;
  if (right->section == APP_SECTION_ENERGY) return 1;
  return left->index - right->index;
}

/* Names as the system gives them, with d( ) for derivatives. `coordinates` are
 * the sorted columns of the nq coordinates. */
static void name_column(app_column *column, const trm_system *system, int i,
                        const reference *coordinates, int nq) {
  static const char *const formats[] = {"%s", "d(%s)", "dd(%s)"};
  trm_label label;
  trm_system_label(system, sections[column->section].list, i, &label);
  int dots = 0;
  if (column->section == APP_SECTION_VELOCITY || column->section == APP_SECTION_ACCELERATION) {
    app_column key;
    const reference at = {.column = &key};
    snprintf(key.name, sizeof key.name, "%s", label.name);
    const bool is_coordinate =
        bsearch(&at, coordinates, (size_t)nq, sizeof *coordinates, compare_names) != NULL;
    dots = (is_coordinate ? 1 : 0) + (column->section == APP_SECTION_ACCELERATION ? 1 : 0);
  }
  snprintf(column->name, sizeof column->name, formats[dots], label.name);
}

static void name_all(app_columns *columns, const trm_system *system, reference *sorted) {
  const int nq = trm_system_count(system, TRM_Q);
  for (int i = 0; i < columns->n; i++) {
    app_column *column = &columns->list[i];
    const int place = i - columns->first[column->section];

    /* the coordinates are complete: sort them for what refers to them */
    if (i == columns->first[APP_SECTION_VELOCITY]) {
      for (int k = 0; k < nq; k++) {
        sorted[k].column = &columns->list[columns->first[APP_SECTION_COORDINATE] + k];
      }
      qsort(sorted, (size_t)nq, sizeof *sorted, compare_names);
    }

    if (column->section == APP_SECTION_TIME) {
      snprintf(column->name, sizeof column->name, "t");
    } else if (column->section == APP_SECTION_ENERGY) {
      snprintf(column->name, sizeof column->name, place == 0 ? "kinetic" : "potential");
    } else {
      name_column(column, system, place, sorted, nq);
    }
  }
}

/* Rename all but the first of equal names: in the first round their list goes
 * in front, in a second one their number to the end. */
static void separate_equal(app_columns *columns, reference *sorted, bool is_second_round) {
  for (int i = 0; i < columns->n; i++) sorted[i].column = &columns->list[i];
  qsort(sorted, (size_t)columns->n, sizeof *sorted, compare_columns);
  char name[APP_COLUMN_MAX] = "";
  for (int i = 0; i < columns->n; i++) {
    app_column *column = sorted[i].column;
    const bool is_equal = i > 0 && strcmp(name, column->name) == 0;
    memcpy(name, column->name, sizeof name);
    if (is_equal && is_second_round) {
      snprintf(column->name, sizeof column->name, "%.70s#%d", name, column->index);
    } else if (is_equal) {
      snprintf(column->name, sizeof column->name, "%s:%.70s", sections[column->section].name,
               name);
    }
  }
}

static void count_sections(const trm_system *system, app_columns *columns) {
  for (int s = 0; s < APP_SECTIONS; s++) {
    int count = trm_system_count(system, sections[s].list);
    if (s == APP_SECTION_TIME) count = 1;
    if (s == APP_SECTION_ENERGY) count = 2;
    columns->first[s + 1] = columns->first[s] + count;
  }
  columns->n = columns->first[APP_SECTIONS];
}

trm_status app_columns_create(const trm_system *system, app_columns *columns, trm_error *err) {
  *columns = (app_columns){.list = NULL};
  count_sections(system, columns);
  columns->list = calloc((size_t)columns->n, sizeof *columns->list);
  reference *sorted = calloc((size_t)columns->n, sizeof *sorted);
  if (columns->list == NULL || sorted == NULL) {
    free(sorted);
    app_columns_free(columns);
    return app_fail_memory(err);
  }
  for (int s = 0; s < APP_SECTIONS; s++) {
    for (int i = columns->first[s]; i < columns->first[s + 1]; i++) {
      columns->list[i].section = (app_section)s;
      columns->list[i].index = i;
    }
  }
  name_all(columns, system, sorted);
  separate_equal(columns, sorted, false);
  separate_equal(columns, sorted, true);
  free(sorted);
  return TRM_OK;
}

void app_columns_free(app_columns *columns) {
  free(columns->list);
  *columns = (app_columns){.list = NULL};
}
