/* cmd_check.c - the doctor: freedoms, redundant constraints, assembly.
 *
 * Constraint rows are counted joint by joint. The joint of a row is the quoted
 * name in its object ("joint 'knee'"), or the part of the row's name before the
 * last dot, or the whole name. */
#include "commands.h"
#include "io/columns.h"
#include "json_out.h"
#include "model.h"
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unknowns moved less than this count as not moved. */
static const double MOVED_MIN = 1e-12;

/* A joint with something to say about its constraint rows. */
typedef struct joint {
  char name[TRM_OBJECT_MAX];
  int  redundant;  /* rows that depend on others          */
  int  not_unique; /* rows whose multiplier is not unique */
} joint;

/* Everything `check` has to say. */
typedef struct findings {
  const trm_rank *rank;
  joint          *joints;       /* in order of their first row        [njoints]  */
  int             njoints;
  trmi_arena      arena;        /* of the columns                                */
  trmi_columns    columns;      /* names of coordinates and velocities           */
  double         *moved;        /* of all coordinates, then velocities [nq + nv] */
  int             nmoved;       /* nq + nv                                       */
  char            warnings[2][TRM_MESSAGE_MAX];
  int             nwarnings;
} findings;

static void joint_name(const trm_label *label, char name[TRM_OBJECT_MAX]) {
  const char *open = strchr(label->object, '\'');
  const char *close = strrchr(label->object, '\'');
  const char *dot = strrchr(label->name, '.');
  if (open != NULL && close > open + 1) {
    snprintf(name, TRM_OBJECT_MAX, "%.*s", (int)(close - open - 1), open + 1);
  } else if (dot != NULL && dot != label->name) {
    snprintf(name, TRM_OBJECT_MAX, "%.*s", (int)(dot - label->name), label->name);
  } else {
    snprintf(name, TRM_OBJECT_MAX, "%s", label->name);
  }
}

/* The joint of that name, added if it is new. The last one is the likely one. */
static joint *find_joint(findings *f, const char *name) {
  for (int i = f->njoints - 1; i >= 0; i--) {
    if (strcmp(f->joints[i].name, name) == 0) return &f->joints[i];
  }
  joint *added = &f->joints[f->njoints++];
  snprintf(added->name, sizeof added->name, "%s", name);
  return added;
}

static void collect_joints(findings *f, const trm_system *system) {
  const int ng = trm_system_count(system, TRM_LAM);
  for (int row = 0; row < f->rank->rows; row++) {
    if (f->rank->redundant[row] == 0 && f->rank->not_unique[row] == 0) continue;
    trm_label label;
    const bool is_holonomic = row < ng;
    trm_system_label(system, is_holonomic ? TRM_LAM : TRM_MU, is_holonomic ? row : row - ng,
                     &label);
    char name[TRM_OBJECT_MAX];
    joint_name(&label, name);
    joint *found = find_joint(f, name);
    found->redundant += f->rank->redundant[row] != 0;
    found->not_unique += f->rank->not_unique[row] != 0;
  }
}

static void collect_warnings(findings *f) {
  const int dependent = f->rank->rows - f->rank->rank;
  if (dependent > 0) {
    snprintf(f->warnings[f->nwarnings++], TRM_MESSAGE_MAX,
             "%d of %d constraint rows follow from the others: the motion is right, but the "
             "reactions of some joints are not unique",
             dependent, f->rank->rows);
  }
  if (!f->rank->complete) {
    snprintf(f->warnings[f->nwarnings++], TRM_MESSAGE_MAX,
             "a closed loop is too large for the search for redundant constraints: its rows "
             "count as independent");
  }
}

static trm_status collect(findings *f, const trm_sim *sim, const trm_system *system,
                          trm_error *err) {
  const int nq = trm_system_count(system, TRM_Q), nv = trm_system_count(system, TRM_V);
  f->rank = trm_sim_rank(sim);
  f->nmoved = nq + nv;
  f->joints = calloc((size_t)f->rank->rows + 1, sizeof *f->joints);
  f->moved = calloc((size_t)f->nmoved + 1, sizeof *f->moved);
  if (f->joints == NULL || f->moved == NULL) return app_fail_memory(err);
  trm_sim_moved(sim, TRM_Q, f->moved);
  trm_sim_moved(sim, TRM_V, f->moved + nq);
  collect_joints(f, system);
  collect_warnings(f);
  trmi_arena_init(&f->arena, &(trm_allocator){0});
  return trmi_columns_create(system, &f->arena, &f->columns, err);
}

/* Name of a moved unknown: coordinates and velocities follow each other. */
static const char *moved_name(const findings *f, int i) {
  return f->columns.list[f->columns.first[TRMI_COORDINATES] + i].name;
}

static trm_status print_json(const findings *f, trm_error *err) {
  json_t *root = json_object(), *redundant = json_array(), *not_unique = json_array();
  json_t *moved = json_object(), *warnings = json_array();
  app_json_put(root, "freedoms", json_integer(f->rank->freedoms));
  app_json_put(root, "rank", json_integer(f->rank->rank));
  app_json_put(root, "coordinates", json_integer(f->rank->nv));
  app_json_put(root, "constraints", json_integer(f->rank->rows));
  app_json_put(root, "redundant", redundant);
  app_json_put(root, "reactions_not_unique", not_unique);
  for (int i = 0; i < f->njoints; i++) {
    const joint *j = &f->joints[i];
    if (j->not_unique > 0) json_array_append_new(not_unique, app_json_text(j->name));
    if (j->redundant == 0) continue;
    json_t *entry = json_object();
    app_json_put(entry, "joint", app_json_text(j->name));
    app_json_put(entry, "rows", json_integer(j->redundant));
    json_array_append_new(redundant, entry);
  }
  app_json_put(root, "assembled", json_true());
  app_json_put(root, "moved", moved);
  for (int i = 0; i < f->nmoved; i++) {
    if (!(f->moved[i] > MOVED_MIN)) continue;
    app_json_put(moved, moved_name(f, i), app_json_number(f->moved[i]));
  }
  app_json_put(root, "warnings", warnings);
  for (int i = 0; i < f->nwarnings; i++) {
    json_array_append_new(warnings, app_json_text(f->warnings[i]));
  }
  return app_json_print(root, err);
}

static void print_text(const findings *f, const char *model) {
  printf("%s: freedoms %d = coordinates %d - independent constraints %d (of %d rows)\n", model,
         f->rank->freedoms, f->rank->nv, f->rank->rank, f->rank->rows);
  for (int i = 0; i < f->njoints; i++) {
    const joint *j = &f->joints[i];
    if (j->redundant == 0) continue;
    printf("  redundant    %d row%s of joint '%s'\n", j->redundant, j->redundant > 1 ? "s" : "",
           j->name);
  }
  for (int i = 0; i < f->njoints; i++) {
    if (f->joints[i].not_unique == 0) continue;
    printf("  not unique   reaction of joint '%s'\n", f->joints[i].name);
  }
  int nmoved = 0;
  for (int i = 0; i < f->nmoved; i++) {
    if (!(f->moved[i] > MOVED_MIN)) continue;
    printf("  moved        %-20s by %.6g\n", moved_name(f, i), f->moved[i]);
    nmoved++;
  }
  if (nmoved == 0) puts("  assembled    the start was consistent, nothing moved");
  for (int i = 0; i < f->nwarnings; i++) printf("  warning      %s\n", f->warnings[i]);
}

trm_status app_check(const app_options *given, trm_error *err) {
  app_options own = *given;
  own.is_check = true;
  const app_options *options = &own;
  findings f = {.rank = NULL};
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_options sim_options;
  trm_status status = app_model_options(options, &sim_options, err);
  if (status == TRM_OK) status = app_model_create(options, &system, err);
  if (status == TRM_OK) status = trm_sim_create(system, &sim_options, &sim, err);
  if (status == TRM_OK) status = collect(&f, sim, system, err);
  if (status == TRM_OK && options->json) {
    status = print_json(&f, err);
  } else if (status == TRM_OK) {
    print_text(&f, options->model);
  }
  trmi_arena_clear(&f.arena);
  free(f.joints);
  free(f.moved);
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}
