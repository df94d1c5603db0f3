/* interface_loads.c - loads at the interfaces of flexible bodies, for finite element programs.
 *
 * A table is in units of the model. Load cases are in N, s and the length of the mesh file. Inertia
 * acts as gravity g - a of the origin of the mesh and as centrifugal load about it, all in the axes
 * of the mesh. Fields of .inp files have at most 20 characters: CalculiX ignores the others, and
 * -2.28119656371484e-11 is then -0.23. */
#include "interface_loads.h"
#include "report.h"
#include "store.h"
#include "trammel/export.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_MAX = 1000 };

typedef enum form { TABLE, ABAQUS, NASTRAN } form;

/* One body at one sample. */
typedef struct instant {
  trm_flexible_info   info;
  int                 body;
  int                 first;  /* node of its first interface in load cases */
  double              t;
  trm_flexible_loads  loads;
  double             *values; /* of distributed loads */
} instant;

typedef struct writer {
  const app_stress_run *s;
  FILE     *file;
  form      form;
  app_store store;
  trm_state state;
  instant  *bodies;
  int       nbodies;
} writer;

/* One unit of the model in those of the mesh of a body: N, s and its length. */
typedef struct mesh_units {
  double force, moment, pressure, acceleration, turning;
} mesh_units;

static mesh_units units_of(const writer *w, const instant *one) {
  const trm_unit_names *u = trm_system_units(w->s->system);
  const double length = one->info.length;
  return (mesh_units){.force = u->newtons, .moment = u->newtons / length,
                      .pressure = u->newtons * length * length,
                      .acceleration = 1.0 / (length * u->seconds * u->seconds),
                      .turning = 1.0 / u->seconds};
}

/* ---- samples --------------------------------------------------------------------------------- */

static trm_status prepare(writer *w, trm_error *err) {
  const trm_system *system = w->s->system;
  app_store *store = &w->store;
  w->nbodies = trm_flexible_count(system);
  w->bodies = APP_TAKE(store, instant, w->nbodies);
  w->state.q = APP_TAKE(store, double, trm_system_count(system, TRM_Q));
  w->state.v = APP_TAKE(store, double, trm_system_count(system, TRM_V));
  w->state.vd = APP_TAKE(store, double, trm_system_count(system, TRM_V));
  int next = 1; /* behind all nodes of all meshes: CalculiX takes memory for the largest number */
  for (int i = 0; i < w->nbodies; i++) {
    const int last = trm_flexible_at(system, i).last_number;
    if (last >= next) next = last + 1;
  }
  for (int i = 0; i < w->nbodies && !store->failed; i++) {
    instant *one = &w->bodies[i];
    one->body = i, one->info = trm_flexible_at(system, i);
    one->first = next;
    next += one->info.interfaces;
    one->loads.wrenches = APP_TAKE(store, trm_flexible_wrench, one->info.interfaces);
    one->values = APP_TAKE(store, double, one->info.loads);
  }
  return app_store_check(store, err);
}

/* The loads of a body at a sample. */
static trm_status look_at(writer *w, instant *one, long sample, trm_error *err) {
  const app_stress_run *s = w->s;
  trm_status status = trm_run_read_state(s->run, s->system, sample, &w->state, err);
  one->t = s->times[sample];
  for (int k = 0; k < one->info.loads && status == TRM_OK; k++) {
    char name[128];
    int signal = -1;
    snprintf(name, sizeof name, "loads/%.48s.%.48s", one->info.name,
             trm_flexible_load_at(s->system, one->body, k).name);
    status = trm_run_find(s->run, name, &signal, err);
    if (status == TRM_OK) {
      status = trm_run_read_block(s->run, signal, 1, sample, 1, &one->values[k], err);
    }
  }
  if (status != TRM_OK) return status;
  return trm_flexible_balance(s->system, one->body, &w->state, one->values, &one->loads, err);
}

/* ---- a table --------------------------------------------------------------------------------- */

static const char axes[] = "xyz";

static void put_head(const writer *w) {
  static const char *const motion[] = {"acceleration", "angular_velocity", "angular_acceleration"};
  fprintf(w->file, "t");
  for (int i = 0; i < w->nbodies; i++) {
    const trm_flexible_info *b = &w->bodies[i].info;
    for (int k = 0; k < 6 * b->interfaces; k++) {
      fprintf(w->file, ",%s.%s.%s.%c", b->name, trm_flexible_tie_at(w->s->system, i, k / 6).name,
              k % 6 < 3 ? "force" : "moment", axes[k % 3]);
    }
    for (int k = 0; k < 9; k++) fprintf(w->file, ",%s.%s.%c", b->name, motion[k / 3], axes[k % 3]);
    for (int k = 0; k < b->loads; k++) {
      fprintf(w->file, ",%s.%s", b->name, trm_flexible_load_at(w->s->system, i, k).name);
    }
    fprintf(w->file, ",%s.residual", b->name);
  }
  fprintf(w->file, "\n");
}

static void put_three(const writer *w, const double x[3]) {
  fprintf(w->file, ",%.17g,%.17g,%.17g", x[0], x[1], x[2]);
}

static trm_status put_row(writer *w, long sample, trm_error *err) {
  fprintf(w->file, "%.17g", w->s->times[sample]);
  for (int i = 0; i < w->nbodies; i++) {
    instant *one = &w->bodies[i];
    const trm_status status = look_at(w, one, sample, err);
    if (status != TRM_OK) return status;
    for (int k = 0; k < one->info.interfaces; k++) {
      put_three(w, one->loads.wrenches[k].force);
      put_three(w, one->loads.wrenches[k].moment);
    }
    put_three(w, one->loads.acceleration);
    put_three(w, one->loads.angular_velocity);
    put_three(w, one->loads.angular_acceleration);
    for (int k = 0; k < one->info.loads; k++) fprintf(w->file, ",%.17g", one->values[k]);
    fprintf(w->file, ",%.3g", one->loads.residual);
  }
  fprintf(w->file, "\n");
  return TRM_OK;
}

/* ---- load cases ------------------------------------------------------------------------------ */

/* Reference nodes of the interfaces of a body, with their definitions. */
static void put_nodes(const writer *w, const instant *one) {
  const trm_flexible_info *b = &one->info;
  const char *comment = w->form == ABAQUS ? "**" : "$";
  fprintf(w->file, "%s loads on the interfaces of flexible body '%s', axes and units of its mesh\n"
          "%s couple the nodes of each interface to its reference node\n", comment, b->name,
          comment);
  if (w->form == ABAQUS) fprintf(w->file, "*NODE\n");
  for (int k = 0; k < b->interfaces; k++) {
    const trm_flexible_tie tie = trm_flexible_tie_at(w->s->system, one->body, k);
    const double x = tie.at[0] / b->length, y = tie.at[1] / b->length, z = tie.at[2] / b->length;
    if (w->form == ABAQUS) {
      fprintf(w->file, "%d, %.12g, %.12g, %.12g\n", one->first + k, x, y, z);
    } else {
      fprintf(w->file, "GRID*,%d,,%.8E,%.8E,*\n*,%.8E\n", one->first + k, x, y, z);
    }
    fprintf(w->file, "%s %d: %s.%s, %s %d nodes\n", comment, one->first + k, b->name, tie.name,
            tie.is_rigid ? "rigid, all of" : "average of", tie.nodes);
  }
}

/* Length and direction; that of zero is z. */
static double split(const double x[3], double unit[3]) {
  const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (int k = 0; k < 3; k++) unit[k] = size > 0.0 ? x[k] / size : k == 2 ? 1.0 : 0.0;
  return size;
}

static void put_abaqus(const writer *w, const instant *one) {
  const mesh_units u = units_of(w, one);
  double n[3], axis[3], pull[3];
  for (int k = 0; k < 3; k++) pull[k] = -one->loads.acceleration[k] * u.acceleration;
  fprintf(w->file, "** body '%s', t = %.17g %s\n*STEP\n*STATIC\n*CLOAD, OP=NEW\n", one->info.name,
          one->t, trm_system_units(w->s->system)->time);
  for (int k = 0; k < 6 * one->info.interfaces; k++) {
    const trm_flexible_wrench *at = &one->loads.wrenches[k / 6];
    const double value =
        k % 6 < 3 ? at->force[k % 6] * u.force : at->moment[k % 6 - 3] * u.moment;
    fprintf(w->file, "%d, %d, %.12g\n", one->first + k / 6, k % 6 + 1, value);
  }
  const double g = split(pull, n), speed = split(one->loads.angular_velocity, axis) * u.turning;
  fprintf(w->file, "*DLOAD, OP=NEW\n** EALL: all elements of body '%s'\nEALL, GRAV, %.12g, %.12g, "
          "%.12g, %.12g\nEALL, CENTRIF, %.12g, 0., 0., 0., %.12g, %.12g, %.12g\n", one->info.name,
          g, n[0], n[1], n[2], speed * speed, axis[0], axis[1], axis[2]);
}

static void put_nastran(const writer *w, const instant *one, int number) {
  const mesh_units u = units_of(w, one);
  const double turn = 6.283185307179586;
  double n[3], axis[3];
  fprintf(w->file, "$ body '%s', t = %.17g %s: LOAD = %d\nLOAD,%d,1.,1.,%d,1.,%d,1.,%d\n",
          one->info.name, one->t, trm_system_units(w->s->system)->time, 10 * number, 10 * number,
          10 * number + 1, 10 * number + 2, 10 * number + 3);
  for (int k = 0; k < 2 * one->info.interfaces; k++) {
    const trm_flexible_wrench *at = &one->loads.wrenches[k / 2];
    const double *x = k % 2 == 0 ? at->force : at->moment;
    const double unit = k % 2 == 0 ? u.force : u.moment;
    fprintf(w->file, "%s*,%d,%d,0,1.,*\n*,%.8E,%.8E,%.8E\n", k % 2 == 0 ? "FORCE" : "MOMENT",
            10 * number + 1, one->first + k / 2, x[0] * unit, x[1] * unit, x[2] * unit);
  }
  const double g = split(one->loads.acceleration, n) * u.acceleration;
  const double speed = split(one->loads.angular_velocity, axis) * u.turning / turn;
  fprintf(w->file, "GRAV*,%d,0,%.8E,%.8E,*\n*,%.8E,%.8E\n", 10 * number + 2, g, -n[0], -n[1],
          -n[2]);
  fprintf(w->file, "RFORCE*,%d,0,0,%.8E,*\n*,%.8E,%.8E,%.8E\n", 10 * number + 3, speed, axis[0],
          axis[1], axis[2]);
}

/* Loads without a card in a format, or with one that programs interpret differently. */
static void put_rest(const writer *w, const instant *one) {
  const char *comment = w->form == ABAQUS ? "**" : "$";
  const mesh_units u = units_of(w, one);
  const double *x = one->loads.angular_acceleration, unit = u.turning * u.turning;
  fprintf(w->file, "%s angular acceleration [%.9g, %.9g, %.9g] rad/s^2, not applied here: use "
          "inertia relief where it is not small\n", comment, x[0] * unit, x[1] * unit, x[2] * unit);
  for (int k = 0; k < one->info.loads; k++) {
    const trm_flexible_load load = trm_flexible_load_at(w->s->system, one->body, k);
    fprintf(w->file, "%s %s '%s' is %.9g, not applied here\n", comment,
            load.is_heat ? "temperature" : "pressure", load.name,
            load.is_heat ? one->values[k] : one->values[k] * u.pressure);
  }
  if (w->form == ABAQUS) fprintf(w->file, "*END STEP\n");
}

/* ---- times ----------------------------------------------------------------------------------- */

/* Samples next to the times of --at, none without it; -1 after a failure. */
static int read_times(const app_options *options, const app_stress_run *s, long *samples,
                      trm_error *err) {
  const long last = trm_run_info_of(s->run)->nsamples - 1;
  const double from = s->times[0], to = s->times[last], slack = 1e-6 * (to - from);
  int count = 0;
  for (const char *text = options->at; text != NULL;) {
    char *end = NULL;
    const double t = strtod(text, &end);
    if (end == text || (*end != ',' && *end != '\0') || !isfinite(t) || count == TIMES_MAX) {
      (void)app_fail(err, TRM_ERR_INPUT, NULL, "--at needs up to %d times, T1,T2,.., not '%.60s'",
                     TIMES_MAX, text);
      return -1;
    }
    if (!(t >= from - slack && t <= to + slack)) {
      (void)app_fail(err, TRM_ERR_INPUT, NULL, "--at %.9g: the run has samples from %.9g to %.9g",
                     t, from, to);
      return -1;
    }
    long best = 0;
    for (long i = 1; i <= last; i++) {
      if (fabs(s->times[i] - t) < fabs(s->times[best] - t)) best = i;
    }
    samples[count++] = best;
    text = *end == ',' ? end + 1 : NULL;
  }
  return count;
}

static trm_status write_table(writer *w, const long *samples, int count, trm_error *err) {
  const long all = trm_run_info_of(w->s->run)->nsamples;
  trm_status status = TRM_OK;
  put_head(w);
  for (long i = 0; i < (count > 0 ? count : all) && status == TRM_OK; i++) {
    status = put_row(w, count > 0 ? samples[i] : i, err);
  }
  return status;
}

static trm_status write_cases(writer *w, const long *samples, int count, const long *hottest,
                              trm_error *err) {
  int number = 1;
  for (int i = 0; i < w->nbodies; i++) put_nodes(w, &w->bodies[i]); /* before any step */
  for (int i = 0; i < w->nbodies; i++) {
    instant *one = &w->bodies[i];
    for (int k = 0; k < (count > 0 ? count : 1); k++, number++) {
      const long last = trm_run_info_of(w->s->run)->nsamples - 1;
      const long own = hottest[i] >= 0 ? hottest[i] : last;
      const trm_status status = look_at(w, one, count > 0 ? samples[k] : own, err);
      if (status != TRM_OK) return status;
      if (w->form == ABAQUS) put_abaqus(w, one);
      else put_nastran(w, one, number);
      put_rest(w, one);
    }
  }
  return TRM_OK;
}

static bool ends_with(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  return n >= m && strcmp(path + n - m, ending) == 0;
}

static trm_status find_form(const char *path, form *out, trm_error *err) {
  static const struct {
    const char *ending;
    form        form;
  } list[] = {{".csv", TABLE}, {".inp", ABAQUS}, {".bdf", NASTRAN}, {".nas", NASTRAN},
              {".dat", NASTRAN}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (!ends_with(path, list[i].ending)) continue;
    *out = list[i].form;
    return TRM_OK;
  }
  return app_fail(err, TRM_ERR_INPUT, NULL, "--loads '%.150s': the file must end in .csv, .inp, "
                  ".bdf, .nas or .dat", path);
}

trm_status app_interface_loads_check(const app_options *options, trm_error *err) {
  form ignored;
  if (options->loads != NULL) return find_form(options->loads, &ignored, err);
  if (!options->given[APP_OPT_LOADS_AT]) return TRM_OK;
  return app_fail(err, TRM_ERR_INPUT, "--at", "is for --loads");
}

trm_status app_interface_loads(const app_options *options, const app_stress_run *s,
                               const long *hottest, trm_error *err) {
  writer w = {.s = s};
  trm_new_file *file = NULL;
  long samples[TIMES_MAX];
  trm_status status = find_form(options->loads, &w.form, err);
  const int count = status == TRM_OK ? read_times(options, s, samples, err) : -1;
  if (count < 0) return TRM_ERR_INPUT;
  status = prepare(&w, err);
  if (status == TRM_OK) {
    status = trm_new_file_open(options->loads, &file, err);
  }
  if (status == TRM_OK) {
    w.file = trm_new_file_stream(file);
    status = w.form == TABLE ? write_table(&w, samples, count, err)
                             : write_cases(&w, samples, count, hottest, err);
    status = trm_new_file_close(file, status, err);
  }
  app_store_clear(&w.store);
  return status;
}
