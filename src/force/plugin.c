/* plugin.c - a force from a shared library, include/trammel/plugin.h. Its function is not made of
 * nodes, so it is evaluated by itself.
 *
 * With r = R s from the origin of a body to its marker, arm = x_B - x_A body:
 *   on B: f,   R_B^T t + s_B x R_B^T f;     on A: -f,   -R_A^T (t + arm x f)              (1)
 *   dx = dx_body + R (dtheta x s),   dphi = R dtheta,   dw_ground = R (dw + dtheta x w)
 *   dv = dv_body + R (dw x s + dtheta x (w x s))                                          (2)
 *   d(R^T y) = R^T dy + (R^T y) x dtheta                                                  (3)
 * f and t have 6 x 25 derivatives by (dx, dphi, dv, dw_ground) of both markers and the time, from
 * the library or by central differences. Derivation: docs/theory/12-forces.md, section 6. */
#include "trammel/plugin.h"
#include "force/force.h"
#include "math/so3.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* A marker and its body. */
typedef struct side {
  trmi_side_kind kind;
  int       body, v;
  trmi_vec3 s;
  double    E[9];
} side;

typedef struct plugin {
  void             *library;
  trm_plugin_force *function;
  char              object[80];
  double           *parameters;
  int               nparameters;
  side              sides[2]; /* A, B */
  trm_plugin_output out;      /* large: not on the stack */
  double            derivative[6][TRM_PLUGIN_COLUMNS];
} plugin;

/* ---- calling --------------------------------------------------------------------------------- */

static void load_frame(const side *s, const trmi_pose *poses, trm_plugin_frame *out) {
  const trmi_pose *pose = &poses[s->body];
  v3_store(out->x, v3_add(pose->x, m3_mul(pose->R, s->s)));
  v3_store(out->v, v3_add(pose->v, m3_mul(pose->R, v3_cross(pose->w, s->s))));
  v3_store(out->w, m3_mul(pose->R, pose->w));
  for (int k = 0; k < 3; k++) m3_set_column(out->R, k, m3_mul(pose->R, m3_row(s->E, k)));
}

static void load_input(const plugin *p, double t, const trmi_pose *poses, trm_plugin_input *in) {
  *in = (trm_plugin_input){.t = t, .parameters = p->parameters, .nparameters = p->nparameters};
  load_frame(&p->sides[0], poses, &in->A);
  load_frame(&p->sides[1], poses, &in->B);
}

static trm_status call(plugin *p, const trm_plugin_input *in, trm_error *err) {
  memset(&p->out, 0, sizeof p->out);
  const int status = p->function(in, &p->out);
  if (status != 0) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, p->object, "the function of its plug-in refused with "
                     "status %d", status);
  }
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += 0.0 * p->out.force[k] + 0.0 * p->out.torque[k];
  if (sum == 0.0) return TRM_OK;
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, p->object, "the function of its plug-in gave a force or "
                   "torque that is not finite");
}

static double norm(const double a[3]) {
  return v3_norm(v3_load(a));
}

/* Steps of differences: 6e-6 (the third root of the rounding) of the size of the numbers. */
static void choose_steps(const trm_plugin_input *in, double step[4]) {
  const double distance = v3_norm(v3_sub(v3_load(in->B.x), v3_load(in->A.x)));
  const double sizes[4] = {fmax(distance, 1e-3 * fmax(norm(in->A.x), norm(in->B.x))), 1.0,
                           fmax(norm(in->A.v), norm(in->B.v)),
                           fmax(1.0, fmax(norm(in->A.w), norm(in->B.w)))};
  for (int k = 0; k < 4; k++) step[k] = 6e-6 * (sizes[k] > 0.0 ? sizes[k] : 1.0);
}

/* One of the 25 numbers goes on by h. */
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
  choose_steps(at, steps);
  for (int c = 0; c < TRM_PLUGIN_COLUMNS; c++) {
    const double h = c == TRM_PLUGIN_TIME ? 6e-6 : steps[c % 12 / 3];
    trm_plugin_input in = *at;
    if (c < 12 && p->sides[0].kind == TRMI_SIDE_GROUND) continue; /* it does not move */
    vary(&in, c, h);
    TRMI_TRY(err, call(p, &in, err));
    memcpy(plus, p->out.force, 3 * sizeof *plus);
    memcpy(plus + 3, p->out.torque, 3 * sizeof *plus);
    in = *at;
    vary(&in, c, -h);
    TRMI_TRY(err, call(p, &in, err));
    for (int i = 0; i < 3; i++) {
      p->derivative[i][c] = (plus[i] - p->out.force[i]) / (2.0 * h);
      p->derivative[3 + i][c] = (plus[3 + i] - p->out.torque[i]) / (2.0 * h);
    }
  }
  return TRM_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Force and torque at work: on both sides, body axes for torques, (1). */
typedef struct loads {
  trmi_vec3 f, t, arm;      /* ground axes                        */
  trmi_vec3 f_b, t_b, m_a;  /* R_B^T f, R_B^T t, R_A^T (t + arm x f) */
} loads;

static loads loads_of(const plugin *p, const trmi_pose *A, const trmi_pose *B,
                      const double *force, const double *torque) {
  loads l = {.f = v3_load(force), .t = v3_load(torque)};
  const trmi_vec3 x_B = v3_add(B->x, m3_mul(B->R, p->sides[1].s));
  l.arm = v3_sub(x_B, A->x);
  l.f_b = m3_tmul(B->R, l.f);
  l.t_b = m3_tmul(B->R, l.t);
  l.m_a = m3_tmul(A->R, v3_add(l.t, v3_cross(l.arm, l.f)));
  return l;
}

static trm_status values(void *self, const trm_state *s, const trmi_pose *poses,
                         const trm_values *out, trm_error *err) {
  plugin *p = self;
  const side *a = &p->sides[0], *b = &p->sides[1];
  const trmi_pose *A = &poses[a->body], *B = &poses[b->body];
  trm_plugin_input in;
  load_input(p, s->t, poses, &in);
  TRMI_TRY(err, call(p, &in, err));
  const loads l = loads_of(p, A, B, p->out.force, p->out.torque);
  if (out->motion != NULL) {
    if (b->kind != TRMI_SIDE_GROUND) v3_accumulate(out->motion + b->v, v3_neg(l.f));
    if (a->kind != TRMI_SIDE_GROUND) v3_accumulate(out->motion + a->v, l.f);
    if (b->kind == TRMI_SIDE_BODY) {
      v3_accumulate(out->motion + b->v + 3, v3_neg(v3_add(l.t_b, v3_cross(b->s, l.f_b))));
    }
    if (a->kind == TRMI_SIDE_BODY) v3_accumulate(out->motion + a->v + 3, l.m_a);
  }
  if (out->energy != NULL) {
    const trmi_vec3 w_A = v3_load(in.A.w), w_B = v3_load(in.B.w);
    const trmi_vec3 v_A = v3_add(A->v, v3_cross(w_A, l.arm));
    out->energy[2] += v3_dot(l.f, v3_sub(v3_load(in.B.v), v_A)) + v3_dot(l.t, v3_sub(w_B, w_A));
  }
  return TRM_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int pattern(const void *self, trm_pattern *out, trm_block block) {
  const plugin *p = self;
  int count = 0;
  for (int i = 0; i < 2; i++) {
    const side *row = &p->sides[i];
    for (int j = 0; j < 2 && (block == TRM_K || block == TRM_C); j++) {
      const side *col = &p->sides[j];
      const int n = (int)row->kind * (int)col->kind;
      if (out != NULL && n > 0) {
        trm_pattern_dense(out, block, row->v, col->v, (int)row->kind, (int)col->kind);
      }
      count += n;
    }
    if (block != TRM_Q_T || row->kind == TRMI_SIDE_GROUND) continue;
    if (out != NULL) trm_pattern_dense(out, block, row->v, 0, (int)row->kind, 1);
    count += (int)row->kind;
  }
  return count;
}

/* What a unit increment of one position or velocity of a body does to its marker. */
typedef struct increment {
  double    marker[12]; /* dx, dphi, dv, dw_ground */
  trmi_vec3 dtheta, dx_body;
} increment;

/* (2) */
static increment increment_of(const side *s, const trmi_pose *pose, bool is_velocity, int k) {
  increment d = {.dtheta = v3(0, 0, 0), .dx_body = v3(0, 0, 0)};
  const trmi_vec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
  if (k < 3) {
    v3_store(d.marker + (is_velocity ? 6 : 0), e);
    if (!is_velocity) d.dx_body = e;
    return d;
  }
  const trmi_vec3 swept = m3_mul(pose->R, v3_cross(e, s->s));
  if (is_velocity) {
    v3_store(d.marker + 6, swept);
    v3_store(d.marker + 9, m3_mul(pose->R, e));
    return d;
  }
  d.dtheta = e;
  v3_store(d.marker, swept);
  v3_store(d.marker + 3, m3_mul(pose->R, e));
  v3_store(d.marker + 6, m3_mul(pose->R, v3_cross(e, v3_cross(pose->w, s->s))));
  v3_store(d.marker + 9, m3_mul(pose->R, v3_cross(e, pose->w)));
  return d;
}

/* Changes of (1): generalized forces of A, then of B [12]. */
static void change_of(const plugin *p, const trmi_pose *A, const trmi_pose *B, const loads *l,
                      int which, const increment *d, const double df_dt[6], double dQ[12]) {
  const trmi_vec3 df = v3_load(df_dt), dt = v3_load(df_dt + 3), zero = v3(0, 0, 0);
  const trmi_vec3 theta_A = which == 0 ? d->dtheta : zero, theta_B = which == 1 ? d->dtheta : zero;
  const trmi_vec3 darm = which == 0 ? v3_neg(d->dx_body) : v3_load(d->marker);
  const trmi_vec3 dm = v3_add(dt, v3_add(v3_cross(darm, l->f), v3_cross(l->arm, df)));
  const trmi_vec3 df_b = v3_add(m3_tmul(B->R, df), v3_cross(l->f_b, theta_B)); /* (3) */
  const trmi_vec3 dt_b = v3_add(m3_tmul(B->R, dt), v3_cross(l->t_b, theta_B));
  v3_store(dQ, v3_neg(df));
  v3_store(dQ + 3, v3_neg(v3_add(m3_tmul(A->R, dm), v3_cross(l->m_a, theta_A))));
  v3_store(dQ + 6, df);
  v3_store(dQ + 9, v3_add(dt_b, v3_cross(p->sides[1].s, df_b)));
}

/* K or C: minus the derivatives of (1), four rectangles. */
static void fill(const plugin *p, const trmi_pose *poses, const loads *l, bool is_velocity,
                 double *out) {
  const trmi_pose *A = &poses[p->sides[0].body], *B = &poses[p->sides[1].body];
  double full[12][12] = {{0}};
  for (int which = 0; which < 2; which++) {
    const side *s = &p->sides[which];
    for (int k = 0; k < (int)s->kind; k++) {
      const increment d = increment_of(s, which == 0 ? A : B, is_velocity, k);
      double df_dt[6] = {0}, dQ[12];
      for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 12; c++) df_dt[i] += p->derivative[i][12 * which + c] * d.marker[c];
      }
      change_of(p, A, B, l, which, &d, df_dt, dQ);
      for (int i = 0; i < 12; i++) full[i][6 * which + k] = -dQ[i];
    }
  }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      for (int r = 0; r < (int)p->sides[i].kind; r++) {
        for (int c = 0; c < (int)p->sides[j].kind; c++) *out++ = full[6 * i + r][6 * j + c];
      }
    }
  }
}

static void fill_time(const plugin *p, const trmi_pose *poses, const loads *l, double *out) {
  const increment none = {.dtheta = v3(0, 0, 0), .dx_body = v3(0, 0, 0)};
  double df_dt[6], dQ[12];
  for (int i = 0; i < 6; i++) df_dt[i] = p->derivative[i][TRM_PLUGIN_TIME];
  change_of(p, &poses[p->sides[0].body], &poses[p->sides[1].body], l, 1, &none, df_dt, dQ);
  for (int i = 0; i < 2; i++) {
    for (int r = 0; r < (int)p->sides[i].kind; r++) *out++ = dQ[6 * i + r];
  }
}

static trm_status blocks(void *self, const trm_state *s, const trmi_pose *poses,
                         const trm_block_request *request, trm_error *err) {
  plugin *p = self;
  trm_plugin_input in;
  load_input(p, s->t, poses, &in);
  TRMI_TRY(err, call(p, &in, err));
  const loads l = loads_of(p, &poses[p->sides[0].body], &poses[p->sides[1].body], p->out.force,
                           p->out.torque);
  if (p->out.has_derivative != 0) memcpy(p->derivative, p->out.derivative, sizeof p->derivative);
  else TRMI_TRY(err, differentiate(p, &in, err));
  double sum = 0.0;
  for (int i = 0; i < 6; i++) {
    for (int c = 0; c < TRM_PLUGIN_COLUMNS; c++) sum += 0.0 * p->derivative[i][c];
  }
  if (!(sum == 0.0)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, p->object, "the function of its plug-in gave a "
                     "derivative that is not finite");
  }
  if (request->values[TRM_K] != NULL) fill(p, poses, &l, false, request->values[TRM_K]);
  if (request->values[TRM_C] != NULL) fill(p, poses, &l, true, request->values[TRM_C]);
  if (request->values[TRM_Q_T] != NULL) fill_time(p, poses, &l, request->values[TRM_Q_T]);
  return TRM_OK;
}

static void close_library(void *self) {
  dlclose(((plugin *)self)->library);
}

static const trmi_element_ops plugin_ops = {
  .pattern = pattern, .values = values, .blocks = blocks, .free = close_library};

/* ---- opening --------------------------------------------------------------------------------- */

/* A function by its name; C has no conversion from what dlsym returns. */
static bool find(void *library, const char *name, void *function, size_t size) {
  void *const symbol = dlsym(library, name);
  if (symbol == NULL) return false;
  memcpy(function, &symbol, size);
  return true;
}

/* True if the library has what is needed; else a complaint. */
static bool check_library(trmi_mechanism *m, const trmi_action *a, plugin *p, const char *path,
                          const char *name) {
  int (*version)(void);
  const trmi_complaints *const all = m->complaints;
  const int before = all->count;
  if (!find(p->library, "trm_plugin_version", &version, sizeof version)) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s': '%.120s' is "
                  "not a plug-in: it has no TRM_PLUGIN_DECLARE_VERSION", a->def->key.name, path);
  } else if (version() != TRM_PLUGIN_VERSION) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s': '%.120s' was "
                  "built for version %d of plug-ins, this program has version %d",
                  a->def->key.name, path, version(), TRM_PLUGIN_VERSION);
  } else if (!find(p->library, name, &p->function, sizeof p->function)) {
    trmi_complain(m->complaints, trmi_part_place(a->def, "function"), "force '%.60s': '%.120s' "
                  "has no function '%.60s'", a->def->key.name, path, name);
  }
  return all->count == before;
}

static bool open_library(trmi_mechanism *m, const trmi_action *a, plugin *p) {
  const char *path = trmi_part_word(a->def, "library");
  const char *name = trmi_part_word(a->def, "function");
  char here[400];
  /* without a slash the system would look in its own folders */
  snprintf(here, sizeof here, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
  p->library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
  if (p->library == NULL) {
    const char *why = dlerror();
    trmi_complain(m->complaints, trmi_part_place(a->def, "library"), "force '%.60s': the library "
                  "cannot be opened: %.200s", a->def->key.name, why != NULL ? why : path);
    return false;
  }
  if (check_library(m, a, p, path, name)) return true;
  dlclose(p->library);
  return false;
}

static bool check(trmi_mechanism *m, trmi_action *a) {
  static const char *const keys[] = {"library", "function"};
  for (int i = 0; i < 2; i++) {
    if (trmi_part_word(a->def, keys[i]) == NULL) {
      return trmi_action_fault(m, a, "type", i == 0 ? "it needs a 'library'"
                                                    : "it needs a 'function' of the library");
    }
  }
  return true;
}

static side side_of(const trmi_mechanism *m, const trmi_marker *marker) {
  const trmi_body *body = &m->bodies[marker->body];
  side s = {.kind = body->kind, .body = marker->body, .v = body->v, .s = marker->s};
  memcpy(s.E, marker->E, sizeof s.E);
  return s;
}

static void push(trmi_mechanism *m, trmi_action *a) {
  trmi_arena *arena = &m->b->eq->arena;
  const trmi_value_def *given = trmi_part_find(a->def, "parameters");
  plugin *p = TRMI_TAKE(arena, plugin, 1);
  if (p == NULL) return;
  p->nparameters = given != NULL ? given->count : 0;
  p->parameters = TRMI_TAKE(arena, double, p->nparameters);
  if (p->parameters == NULL) return;
  if (given != NULL && !trmi_part_numbers(m->parameters, a->def, "parameters", NULL, given->count,
                                          p->parameters)) {
    return;
  }
  p->sides[0] = side_of(m, &a->A), p->sides[1] = side_of(m, &a->B);
  snprintf(p->object, sizeof p->object, "force '%.48s'", a->def->key.name);
  if (m->complaints->count > 0) return; /* code of a library runs only for a model without faults */
  if (open_library(m, a, p)) trmi_add_element(m, &plugin_ops, p);
}

const trmi_force_type trmi_force_plugin = {
  .name = "plugin",
  .meaning = "Force and torque from a function of a shared library, include/trammel/plugin.h.",
  .keys = "marker|body|markers|bodies|at|library|function|parameters",
  .ends = TRMI_ON_ONE,
  .check = check, .push = push,
};
