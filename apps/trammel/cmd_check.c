/* cmd_check.c - the doctor: freedoms, redundant constraints, assembly, advice. */
#include "commands.h"
#include "json_out.h"
#include "load_model.h"
#include "report.h"
#include "trammel/columns.h"
#include "trammel/doctor.h"
#include "trammel/flexible.h"
#include "trammel/methods.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names shown in a list; --json has all. */
enum { NAMES_MAX = 12 };

/* Unknowns moved less than this count as not moved. */
static const double MOVED_MIN = 1e-12;

/* Data printed by `check`. */
typedef struct findings {
  const trm_doctor *doctor;
  const trm_system *system;
  const trm_model  *model;   /* NULL: a built-in problem                      */
  const trm_model  *skipped; /* its plug-ins are not loaded; NULL: there are none */
  trm_columns      *columns; /* names of coordinates and velocities           */
  double           *moved;   /* of all coordinates, then velocities [nq + nv] */
  int               nmoved;  /* nq + nv                                       */
} findings;

static trm_status collect(findings *f, const trm_sim *sim, trm_error *err) {
  const int nq = trm_system_count(f->system, TRM_Q), nv = trm_system_count(f->system, TRM_V);
  f->nmoved = nq + nv;
  f->moved = calloc((size_t)f->nmoved + 1, sizeof *f->moved);
  if (f->moved == NULL) return app_fail_memory(err);
  trm_sim_moved(sim, TRM_Q, f->moved);
  trm_sim_moved(sim, TRM_V, f->moved + nq);
  return trm_columns_create(f->system, NULL, &f->columns, err);
}

/* Sentence about plug-in i that was not loaded; false: there are no more. */
static bool describe_plugin(const findings *f, int i, char sentence[TRM_MESSAGE_MAX]) {
  if (f->skipped == NULL || i >= trm_model_plugin_count(f->skipped)) return false;
  const trm_plugin_need need = trm_model_plugin_at(f->skipped, i);
  snprintf(sentence, TRM_MESSAGE_MAX, "force '%.60s' needs the plug-in '%.150s', function '%.60s': "
           "it was not loaded and counts as zero here; --plugins loads it, if you trust it",
           need.force, need.library, need.function);
  return true;
}

/* ---- JSON --------------------------------------------------------------- */

static void put_joints(json_t *root, const trm_doctor *d) {
  json_t *redundant = json_array(), *not_unique = json_array();
  app_json_put(root, "redundant", redundant);
  app_json_put(root, "reactions_not_unique", not_unique);
  for (int i = 0; i < d->njoints; i++) {
    const trm_doctor_joint *j = &d->joints[i];
    if (j->not_unique > 0) json_array_append_new(not_unique, app_json_text(j->name));
    if (j->redundant == 0) continue;
    json_t *entry = json_object();
    app_json_put(entry, "joint", app_json_text(j->name));
    app_json_put(entry, "rows", json_integer(j->redundant));
    json_array_append_new(redundant, entry);
  }
}

static void put_sets(json_t *root, const trm_doctor *d) {
  json_t *sets = json_array();
  app_json_put(root, "dependent_sets", sets);
  for (int k = 0; k < d->nsets; k++) {
    const trm_doctor_set *set = &d->sets[k];
    json_t *entry = json_object(), *joints = json_array();
    for (int i = 0; i < set->njoints; i++) {
      json_array_append_new(joints, app_json_text(d->joints[set->joints[i]].name));
    }
    app_json_put(entry, "joints", joints);
    app_json_put(entry, "rows", json_integer(set->surplus));
    app_json_put(entry, "relax", set->relax >= 0 ? app_json_text(d->joints[set->relax].name)
                                                 : json_null());
    app_json_put(entry, "hint", app_json_text(set->hint));
    json_array_append_new(sets, entry);
  }
}

/* Every coordinate and velocity that moved, by its own name. */
static void put_moved(json_t *root, const findings *f) {
  const int first = trm_columns_first(f->columns, TRM_GROUP_COORDINATES);
  json_t *moved = json_object();
  app_json_put(root, "moved", moved);
  for (int i = 0; i < f->nmoved; i++) {
    if (!(f->moved[i] > MOVED_MIN)) continue;
    app_json_put(moved, trm_columns_name(f->columns, first + i), app_json_number(f->moved[i]));
  }
}

/* The same for whole bodies; zeros are omitted. */
static void put_objects(json_t *root, const trm_doctor *d) {
  json_t *objects = json_object();
  app_json_put(root, "moved_objects", objects);
  for (int k = 0; k < d->nmoves; k++) {
    const trm_doctor_move *m = &d->moves[k];
    const struct {
      const char *key;
      double      value;
    } parts[] = {{"length", m->length}, {"angle", m->angle},     {"other", m->other},
                 {"speed", m->speed},   {"turning", m->turning}, {"rate", m->rate}};
    json_t *entry = json_object();
    for (int i = 0; i < 6; i++) {
      if (parts[i].value > 0.0) app_json_put(entry, parts[i].key, app_json_number(parts[i].value));
    }
    app_json_put(objects, m->object, entry);
  }
}

static json_t *body_json(const trm_doctor_body *b) {
  json_t *entry = json_object(), *centre = json_array(), *inertia = json_array();
  app_json_put(entry, "mass", app_json_number(b->mass));
  app_json_put(entry, "centre", centre);
  app_json_put(entry, "inertia", inertia);
  for (int i = 0; i < 3; i++) json_array_append_new(centre, app_json_number(b->centre[i]));
  for (int i = 0; i < 6; i++) json_array_append_new(inertia, app_json_number(b->inertia[i]));
  return entry;
}

/* "body 'crank'" is crank. */
static void put_bodies(json_t *root, const trm_doctor *d) {
  json_t *bodies = json_object();
  app_json_put(root, "bodies", bodies);
  for (int i = 0; i < d->nbodies; i++) {
    char name[TRM_OBJECT_MAX];
    const char *quote = strchr(d->bodies[i].object, '\'');
    snprintf(name, sizeof name, "%s", quote != NULL ? quote + 1 : d->bodies[i].object);
    name[strcspn(name, "'")] = '\0';
    app_json_put(bodies, name, body_json(&d->bodies[i]));
  }
  app_json_put(root, "total", d->total.mass > 0.0 ? body_json(&d->total) : json_null());
}

/* Parts of a section of a model, without the ground. */
static int count_parts(const trm_mechanism *mechanism, const char *section) {
  trm_part part;
  trm_part_info info;
  int count = 0;
  for (int i = 0; trm_part_at(mechanism, i, &part, &info); i++) {
    count += info.section != NULL && strcmp(info.section, section) == 0 &&
             strcmp(info.name, "ground") != 0;
  }
  return count;
}

/* Joints of a built-in problem: rows of constraints that blame one after the other. */
static int count_joints(const trm_system *system) {
  char last[TRM_OBJECT_MAX] = "";
  int count = 0;
  for (int i = 0; i < trm_system_count(system, TRM_LAM); i++) {
    trm_label label;
    trm_system_label(system, TRM_LAM, i, &label);
    count += strncmp(label.object, "joint", 5) == 0 && strcmp(label.object, last) != 0;
    snprintf(last, sizeof last, "%s", label.object);
  }
  return count;
}

/* Numbers of parts, joints, contacts and modes. */
static trm_status put_counts(json_t *root, const findings *f, trm_error *err) {
  int modes = 0, parts = f->doctor->nbodies, joints = count_joints(f->system), contacts = 0;
  const int nflexible = trm_flexible_count(f->system);
  for (int i = 0; i < nflexible; i++) modes += trm_flexible_at(f->system, i).modes;
  if (f->model != NULL) {
    trm_mechanism *mechanism = NULL;
    const trm_status status = trm_model_mechanism(f->model, NULL, &mechanism, err);
    if (status != TRM_OK) return status;
    parts = count_parts(mechanism, "bodies") + nflexible;
    joints = count_parts(mechanism, "joints");
    contacts = count_parts(mechanism, "contacts");
    trm_mechanism_free(mechanism);
  }
  app_json_put(root, "parts", json_integer(parts));
  app_json_put(root, "joints", json_integer(joints));
  app_json_put(root, "contacts", json_integer(contacts));
  app_json_put(root, "modes", json_integer(modes));
  return TRM_OK;
}

static trm_status print_json(const findings *f, trm_error *err) {
  const trm_doctor *d = f->doctor;
  json_t *root = json_object(), *warnings = json_array(), *recommended = json_object();
  app_json_put(root, "freedoms", json_integer(d->rank.freedoms));
  app_json_put(root, "rank", json_integer(d->rank.rank));
  app_json_put(root, "coordinates", json_integer(d->rank.nv));
  app_json_put(root, "constraints", json_integer(d->rank.rows));
  put_joints(root, d);
  app_json_put(root, "assembled", json_true());
  put_moved(root, f);
  app_json_put(root, "warnings", warnings);
  for (int i = 0; i < d->nwarnings; i++) {
    json_array_append_new(warnings, app_json_text(d->warnings[i]));
  }
  char sentence[TRM_MESSAGE_MAX];
  for (int i = 0; describe_plugin(f, i, sentence); i++) {
    json_array_append_new(warnings, app_json_text(sentence));
  }
  app_json_put(root, "freedoms_by_count", json_integer(d->freedoms_by_count));
  put_sets(root, d);
  put_objects(root, d);
  const double seconds = trm_system_units(f->system)->seconds;
  app_json_put(root, "frequency_min_hz", app_json_number(d->frequency_min / seconds));
  app_json_put(root, "frequency_max_hz", app_json_number(d->frequency_max / seconds));
  app_json_put(root, "frequency_note", d->frequency_note[0] != '\0' && isfinite(d->frequency_max)
                                           ? app_json_text(d->frequency_note)
                                           : json_null());
  app_json_put(root, "recommended", recommended);
  app_json_put(recommended, "integrator", app_json_text(d->integrator));
  app_json_put(recommended, "tolerance", app_json_number(d->tolerance));
  app_json_put(recommended, "reason", app_json_text(d->reason));
  app_json_put(recommended, "taken", json_boolean(d->is_taken));
  put_bodies(root, d);
  const trm_status status = put_counts(root, f, err);
  if (status == TRM_OK) return app_json_print(root, err);
  json_decref(root);
  return status;
}

/* ---- text --------------------------------------------------------------- */

static void print_joints(const trm_doctor *d) {
  for (int i = 0; i < d->njoints; i++) {
    const trm_doctor_joint *j = &d->joints[i];
    if (j->redundant == 0) continue;
    printf("  redundant    %d row%s of %s\n", j->redundant, j->redundant > 1 ? "s" : "",
           j->object);
  }
  for (int k = 0; k < d->nsets; k++) {
    const trm_doctor_set *set = &d->sets[k];
    printf("  dependent    ");
    for (int i = 0; i < set->njoints && i < NAMES_MAX; i++) {
      printf("%s%s", i > 0 ? ", " : "", d->joints[set->joints[i]].object);
    }
    if (set->njoints > NAMES_MAX) printf(" and %d more", set->njoints - NAMES_MAX);
    printf(": %d row%s too many\n", set->surplus, set->surplus > 1 ? "s" : "");
    if (set->hint[0] != '\0') printf("  hint         %s\n", set->hint);
  }
  int shown = 0;
  for (int i = 0; i < d->njoints; i++) {
    if (d->joints[i].not_unique == 0 || shown++ >= NAMES_MAX) continue;
    printf("  not unique   reaction of %s\n", d->joints[i].object);
  }
  if (shown > NAMES_MAX) printf("               .. and %d more, see --json\n", shown - NAMES_MAX);
}

static void print_moves(const trm_doctor *d, const trm_unit_names *units) {
  for (int k = 0; k < d->nmoves && k < NAMES_MAX; k++) {
    const trm_doctor_move *m = &d->moves[k];
    const struct {
      double      value;
      const char *unit;
    } parts[] = {{m->length, units->length}, {m->angle, "rad"},
                 {m->other, ""},             {m->speed, units->speed},
                 {m->turning, units->turning}, {m->rate, "in velocity"}};
    printf("  moved        %-20s by ", m->object);
    int count = 0;
    for (int i = 0; i < 6; i++) {
      if (!(parts[i].value > 0.0)) continue;
      printf("%s%.6g%s%s", count++ > 0 ? ", " : "", parts[i].value,
             parts[i].unit[0] != '\0' ? " " : "", parts[i].unit);
    }
    putchar('\n');
  }
  if (d->nmoves > NAMES_MAX) {
    printf("               .. and %d more, see --json\n", d->nmoves - NAMES_MAX);
  }
  if (d->nmoves == 0) puts("  assembled    the start was consistent, nothing moved");
}

static void print_body(const char *name, const trm_doctor_body *b) {
  printf("  %-12s %-20s %10.6g  [%.6g, %.6g, %.6g]  [%.6g, %.6g, %.6g", "", name, b->mass,
         b->centre[0], b->centre[1], b->centre[2], b->inertia[0], b->inertia[1], b->inertia[2]);
  if (b->inertia[3] != 0.0 || b->inertia[4] != 0.0 || b->inertia[5] != 0.0) {
    printf(", %.6g, %.6g, %.6g", b->inertia[3], b->inertia[4], b->inertia[5]);
  }
  puts("]");
}

static void print_bodies(const trm_doctor *d, const trm_unit_names *units) {
  if (!(d->total.mass > 0.0)) return;
  printf("  masses       %-20s mass [%s], centre of mass [%s], inertia about it [%s %s^2]\n", "",
         units->mass, units->length, units->mass, units->length);
  for (int i = 0; i < d->nbodies && i < NAMES_MAX; i++) {
    print_body(d->bodies[i].object, &d->bodies[i]);
  }
  if (d->nbodies > NAMES_MAX) {
    printf("               .. and %d more, see --json\n", d->nbodies - NAMES_MAX);
  }
  if (d->nbodies != 1) print_body("total, ground axes", &d->total);
}

static void print_gravity(const findings *f, const trm_unit_names *units) {
  double g[3];
  if (!(f->doctor->total.mass > 0.0) || !trm_system_gravity(f->system, g)) return;
  if (g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0) {
    printf("  gravity      none: bodies have no weight\n");
  } else {
    printf("  gravity      [%.6g, %.6g, %.6g] %s\n", g[0], g[1], g[2], units->acceleration);
  }
}

static void print_text(const findings *f, const char *model) {
  const trm_doctor *d = f->doctor;
  printf("%s: freedoms %d = coordinates %d - independent constraints %d (of %d rows)\n", model,
         d->rank.freedoms, d->rank.nv, d->rank.rank, d->rank.rows);
  if (d->freedoms_by_count != d->rank.freedoms) {
    printf("  by count     %d, as if all rows were independent\n", d->freedoms_by_count);
  }
  print_joints(d);
  const trm_unit_names *units = trm_system_units(f->system);
  print_moves(d, units);
  print_bodies(d, units);
  print_gravity(f, units);
  if (isfinite(d->frequency_max)) {
    printf("  vibrations   %.4g to %.4g Hz about the start\n", d->frequency_min / units->seconds,
           d->frequency_max / units->seconds);
    if (d->frequency_note[0] != '\0') printf("               %s\n", d->frequency_note);
  }
  printf("  recommended  --integrator %s: %s\n", d->integrator, d->reason);
  if (d->is_taken) printf("               a run begins with it, as no method is named\n");
  for (int i = 0; i < d->nwarnings; i++) printf("  warning      %s\n", d->warnings[i]);
  char sentence[TRM_MESSAGE_MAX];
  for (int i = 0; describe_plugin(f, i, sentence); i++) printf("  warning      %s\n", sentence);
}

/* ---- command ------------------------------------------------------------ */

/* A start without accelerations also has findings: status TRM_ERR_SINGULAR with a doctor. */
static trm_status examine(trm_system *system, const trm_options *sim_options,
                          const app_options *options, trm_sim **sim, trm_doctor **doctor,
                          trm_error *err) {
  trm_status status = trm_sim_create(system, sim_options, sim, err);
  if (status == TRM_OK) {
    status = app_model_add_measures(options, *sim, err);
    return status == TRM_OK ? trm_doctor_examine(*sim, true, doctor, err) : status;
  }
  if (status != TRM_ERR_SINGULAR || options->json) return status;
  trm_error ignored; /* the reason is the first one */
  const trm_status again = trm_doctor_examine_start(system, sim_options, sim, doctor, &ignored);
  (void)again; /* there is a doctor or none */
  return status;
}

trm_status app_check(const app_options *given, trm_error *err) {
  app_options own = *given;
  own.is_check = true;
  const app_options *options = &own;
  findings f = {.model = own.loaded};
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  trm_doctor *doctor = NULL;
  trm_options sim_options;
  if (own.loaded != NULL && !own.plugins && trm_model_plugin_count(own.loaded) > 0) {
    trm_model_use_plugins(own.loaded, TRM_PLUGINS_SKIPPED);
    f.skipped = own.loaded;
  }
  trm_status status = app_model_options(options, &sim_options, err);
  if (status == TRM_OK) status = app_model_create(options, &system, err);
  if (status == TRM_OK) status = examine(system, &sim_options, options, &sim, &doctor, err);
  f.doctor = doctor;
  f.system = system;
  if (status == TRM_ERR_SINGULAR && doctor != NULL && collect(&f, sim, NULL) == TRM_OK) {
    print_text(&f, options->model); /* in addition to the error; --json prints only the error */
  }
  if (status == TRM_OK) status = collect(&f, sim, err);
  if (status == TRM_OK && options->json) {
    status = print_json(&f, err);
  } else if (status == TRM_OK) {
    print_text(&f, options->model);
  }
  trm_columns_free(f.columns);
  free(f.moved);
  trm_doctor_free(doctor);
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}
