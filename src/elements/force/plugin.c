/* plugin.c - a force from a shared library, include/trammel/plugin.h. Its function does not consist
 * of nodes, so it is evaluated directly (marker_pairs.c); it provides derivatives, or they are
 * central differences. */
#include "trammel/plugin.h"
#include "elements/force/marker_pairs.h"
#include "math/so3.h"
#include <stdio.h>
#include <string.h>

typedef struct plugin {
  trmi_pair         pair; /* first */
  const trmi_loader *loader;
  void             *library;
  trm_plugin_force *function;
  double           *parameters;
  int               nparameters;
  trm_plugin_output out;  /* large: not on the stack */
} plugin;

/* ---- calling --------------------------------------------------------------------------------- */

static trm_status call(plugin *p, const trm_plugin_input *in, trm_error *err) {
  memset(&p->out, 0, sizeof p->out);
  const int status = p->function(in, &p->out);
  if (status != 0) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, p->pair.object, "the function of its plug-in "
                     "refused with status %d", status);
  }
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += 0.0 * p->out.force[k] + 0.0 * p->out.torque[k];
  if (sum == 0.0) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, p->pair.object, "the function of its plug-in gave "
                   "a force or torque that is not finite");
}

static double norm(const double a[3]) {
  return v3_norm(v3_load(a));
}

/* Steps of differences: 6e-6 (the cube root of the rounding) of the size of the numbers. */
static void choose_steps(const trm_plugin_input *in, double step[4]) {
  const double distance = v3_norm(v3_sub(v3_load(in->B.x), v3_load(in->A.x)));
  const double sizes[4] = {fmax(distance, 1e-3 * fmax(norm(in->A.x), norm(in->B.x))), 1.0,
                           fmax(norm(in->A.v), norm(in->B.v)),
                           fmax(1.0, fmax(norm(in->A.w), norm(in->B.w)))};
  for (int k = 0; k < 4; k++) step[k] = 6e-6 * (sizes[k] > 0.0 ? sizes[k] : 1.0);
}

/* Increase one of the 25 numbers by h. */
static void vary(trm_plugin_input *in, int column, double h) {
  if (column == TRM_PLUGIN_TIME) {
    in->t += h;
    return;
  }
  trm_plugin_frame *frame = column < 12 ? &in->A : &in->B;
  const int kind = column % 12 / 3, k = column % 3;
  double *const lists[4] = {frame->x, NULL, frame->v, frame->w};
  if (kind != 1) {
    lists[kind][k] += h;
    return;
  }
  double psi[3] = {0.0, 0.0, 0.0}, p[4], turn[9], R[9];
  psi[k] = h;
  trmi_so3_exp(psi, p);
  trmi_quat_matrix(p, turn);
  m3_mm(turn, frame->R, R);
  memcpy(frame->R, R, sizeof R);
}

static trm_status differentiate(plugin *p, const trm_plugin_input *at, trm_error *err) {
  double steps[4], plus[6];
  double(*const D)[TRM_PLUGIN_COLUMNS] = p->pair.load.derivative;
  choose_steps(at, steps);
  for (int c = 0; c < TRM_PLUGIN_COLUMNS; c++) {
    const double h = c == TRM_PLUGIN_TIME ? 6e-6 : steps[c % 12 / 3];
    trm_plugin_input in = *at;
    if (c < 12 && p->pair.sides[0].kind == TRMI_CARRIER_GROUND) continue; /* it does not move */
    vary(&in, c, h);
    TRMI_TRY(err, call(p, &in, err));
    memcpy(plus, p->out.force, 3 * sizeof *plus);
    memcpy(plus + 3, p->out.torque, 3 * sizeof *plus);
    in = *at;
    vary(&in, c, -h);
    TRMI_TRY(err, call(p, &in, err));
    for (int i = 0; i < 3; i++) {
      D[i][c] = (plus[i] - p->out.force[i]) / (2.0 * h);
      D[3 + i][c] = (plus[3 + i] - p->out.torque[i]) / (2.0 * h);
    }
  }
  return TRM_OK;
}

static trm_status law(trmi_pair *pair, const trm_plugin_input *at, bool wants_derivative,
                      trm_error *err) {
  plugin *p = (plugin *)pair;
  trm_plugin_input in = *at;
  in.parameters = p->parameters;
  in.nparameters = p->nparameters;
  if (p->function == NULL) { /* skipped: no force */
    pair->load.force = pair->load.torque = v3(0.0, 0.0, 0.0);
    memset(pair->load.derivative, 0, sizeof pair->load.derivative);
    return TRM_OK;
  }
  TRMI_TRY(err, call(p, &in, err));
  pair->load.force = v3_load(p->out.force);
  pair->load.torque = v3_load(p->out.torque);
  if (!wants_derivative) return TRM_OK;
  if (p->out.has_derivative != 0) {
    memcpy(pair->load.derivative, p->out.derivative, sizeof p->out.derivative);
  } else {
    TRMI_TRY(err, differentiate(p, &in, err));
  }
  double sum = 0.0;
  for (int i = 0; i < 6; i++) {
    for (int c = 0; c < TRM_PLUGIN_COLUMNS; c++) sum += 0.0 * pair->load.derivative[i][c];
  }
  if (sum == 0.0) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, pair->object, "the function of its plug-in gave a "
                   "derivative that is not finite");
}

static void close_library(trmi_pair *pair) {
  const plugin *p = (const plugin *)pair;
  if (p->library != NULL) p->loader->close_library(p->library);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* True if the library has version and function; otherwise a complaint. */
static bool check_library(trmi_mechanism *m, const trmi_force *a, plugin *p, const char *path,
                          const char *name) {
  int (*const version)(void) =
      (int (*)(void))p->loader->find_function(p->library, "trm_plugin_version");
  const trmi_complaints *const all = m->complaints;
  const int before = all->count;
  p->function = (trm_plugin_force *)p->loader->find_function(p->library, name);
  if (version == NULL) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s': '%.120s' is "
                  "not a plug-in: it has no TRM_PLUGIN_DECLARE_VERSION", a->def->key.name, path);
  } else if (version() != TRM_PLUGIN_VERSION) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s': '%.120s' was "
                  "built for version %d of plug-ins, this program has version %d",
                  a->def->key.name, path, version(), TRM_PLUGIN_VERSION);
  } else if (p->function == NULL) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "function"), "force '%.60s': '%.120s' "
                  "has no function '%.60s'", a->def->key.name, path, name);
  }
  return all->count == before;
}

static bool open_library(trmi_mechanism *m, const trmi_force *a, plugin *p) {
  const char *path = trmi_part_word(a->def, "library");
  const char *name = trmi_part_word(a->def, "function");
  if (m->def->plugins == TRMI_PLUGINS_SKIPPED) return true;
  if (m->def->plugins == TRMI_PLUGINS_REFUSED) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s' needs the "
                  "plug-in '%.120s', whose code would run here: if you trust it, allow it "
                  "(--plugins; in C trm_model_use_plugins)", a->def->key.name, path);
    return false;
  }
  char fault[TRMI_LOADER_FAULT] = "this program opens no libraries";
  p->loader = m->def->loader;
  p->library = p->loader != NULL ? p->loader->open_library(path, fault) : NULL;
  if (p->library == NULL) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s': the library "
                  "cannot be opened: %.200s", a->def->key.name, fault);
    return false;
  }
  if (check_library(m, a, p, path, name)) return true;
  p->loader->close_library(p->library);
  return false;
}

static bool check(trmi_mechanism *m, trmi_force *a) {
  static const char *const keys[] = {"library", "function"};
  for (int i = 0; i < 2; i++) {
    if (trmi_part_word(a->def, keys[i]) == NULL) {
      return trmi_force_fault(m, a, "type", i == 0 ? "it needs a 'library'"
                                                    : "it needs a 'function' of the library");
    }
  }
  return true;
}

static void name_loads(trmi_mechanism *m, trmi_force *a) {
  trmi_pair_nodes(m, a, TRMI_PAIR_LOAD, true, a->load);
}

static void push(trmi_mechanism *m, trmi_force *a) {
  trmi_arena *arena = &m->b->assembly->elements;
  const trmi_given *given = trmi_part_find(a->def, "parameters");
  plugin *p = TRMI_TAKE(arena, plugin, 1);
  if (p == NULL) return;
  p->nparameters = given != NULL ? given->count : 0;
  p->parameters = TRMI_TAKE(arena, double, p->nparameters);
  if (p->parameters == NULL) return;
  if (given != NULL && !trmi_part_numbers(a->def, "parameters", given->count, p->parameters)) {
    return;
  }
  if (m->complaints->count > 0) return; /* run library code only for a model without faults */
  if (!open_library(m, a, p)) return;
  p->pair.law = law;
  m->b->assembly->has_power = true;
  p->pair.has_time = true;
  p->pair.close = close_library;
  trmi_pair_add(m, a, &p->pair);
}

const trmi_force_type trmi_force_type_plugin = {
  .name = "plugin",
  .ends = TRMI_ON_ONE, .has_loads = true, .is_native = true,
  .check = check, .law = name_loads, .push = push,
};
