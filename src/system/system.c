/* system.c - create a system from its table of functions; names and scales. */
#include "system/relations.h"
#include "system/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEF_TAG = 0x73797331 };

trm_system_def trm_system_def_default(void) {
  return (trm_system_def){.tag = DEF_TAG};
}

static const struct {
  const char  *name;
  trm_quantity rows, cols; /* TRM_Z as columns: one, time */
} block_table[TRM_BLOCKS] = {
    [TRM_M] = {"M", TRM_V, TRM_V},           [TRM_MU_Q] = {"MU_Q", TRM_V, TRM_V},
    [TRM_K] = {"K", TRM_V, TRM_V},           [TRM_C] = {"C", TRM_V, TRM_V},
    [TRM_Q_X] = {"Q_X", TRM_V, TRM_X},       [TRM_Q_W] = {"Q_W", TRM_V, TRM_W},
    [TRM_Q_U] = {"Q_U", TRM_V, TRM_U},       [TRM_Q_T] = {"Q_T", TRM_V, TRM_Z},
    [TRM_G] = {"G", TRM_LAM, TRM_V},         [TRM_GY_Q] = {"GY_Q", TRM_V, TRM_V},
    [TRM_GV_Q] = {"GV_Q", TRM_LAM, TRM_V},   [TRM_GB_Q] = {"GB_Q", TRM_LAM, TRM_V},
    [TRM_GB_V] = {"GB_V", TRM_LAM, TRM_V},   [TRM_A] = {"A", TRM_MU, TRM_V},
    [TRM_AY_Q] = {"AY_Q", TRM_V, TRM_V},     [TRM_AV_Q] = {"AV_Q", TRM_MU, TRM_V},
    [TRM_AB_Q] = {"AB_Q", TRM_MU, TRM_V},    [TRM_AB_V] = {"AB_V", TRM_MU, TRM_V},
    [TRM_D_XD] = {"D_XD", TRM_X, TRM_X},     [TRM_D_X] = {"D_X", TRM_X, TRM_X},
    [TRM_D_Q] = {"D_Q", TRM_X, TRM_V},       [TRM_D_V] = {"D_V", TRM_X, TRM_V},
    [TRM_D_VD] = {"D_VD", TRM_X, TRM_V},     [TRM_D_LAM] = {"D_LAM", TRM_X, TRM_LAM},
    [TRM_D_W] = {"D_W", TRM_X, TRM_W},       [TRM_D_U] = {"D_U", TRM_X, TRM_U},
    [TRM_W_Q] = {"W_Q", TRM_W, TRM_V},       [TRM_W_U] = {"W_U", TRM_W, TRM_U},
    [TRM_W_V] = {"W_V", TRM_W, TRM_V},       [TRM_W_VD] = {"W_VD", TRM_W, TRM_V},
    [TRM_W_X] = {"W_X", TRM_W, TRM_X},       [TRM_W_XD] = {"W_XD", TRM_W, TRM_X},
    [TRM_W_LAM] = {"W_LAM", TRM_W, TRM_LAM}, [TRM_W_W] = {"W_W", TRM_W, TRM_W},
    [TRM_STIFF_B] = {"STIFF_B", TRM_V, TRM_STIFF},
    [TRM_STIFF_K] = {"STIFF_K", TRM_STIFF, TRM_STIFF},
    [TRM_STIFF_C] = {"STIFF_C", TRM_STIFF, TRM_STIFF},
};

const char *trm_block_name(trm_block block) {
  return block >= 0 && block < TRM_BLOCKS ? block_table[block].name : "?";
}

static int count(const trm_sizes *n, trm_quantity list) {
  switch (list) {
  case TRM_Q: return n->nv + n->nrot;
  case TRM_V: return n->nv;
  case TRM_LAM: return n->ng;
  case TRM_MU: return n->na;
  case TRM_X: return n->nx;
  case TRM_W: return n->nw;
  case TRM_Z: return n->nz;
  case TRM_U: return n->nu;
  case TRM_EVENT: return n->nevents;
  case TRM_OUTPUT: return n->noutputs;
  case TRM_STIFF: return n->nstiff;
  case TRM_GAP: return n->ngaps;
  case TRM_SHOWN: return n->nshown;
  case TRM_SLIP: return n->nslips;
  case TRM_RECORDED: return n->nrecorded;
  case TRM_LISTS: break;
  }
  return 0;
}

int trmi_block_rows(const trm_sizes *n, trm_block block) {
  return count(n, block_table[block].rows);
}

int trmi_block_cols(const trm_sizes *n, trm_block block) {
  return block == TRM_Q_T ? 1 : count(n, block_table[block].cols);
}

int trm_system_count(const trm_system *sys, trm_quantity list) {
  if (sys == NULL) return 0;
  return count(&sys->n, list);
}

const trm_sizes *trm_system_sizes(const trm_system *sys) {
  if (sys == NULL) return NULL;
  return &sys->n;
}

const char *trm_system_name(const trm_system *sys) {
  if (sys == NULL) return "";
  return sys->ops->name;
}

/* One metre if the value, or the row of a multiplier, is a length; otherwise one. */
static double unit_of(const trm_system *sys, trm_quantity list, trm_kind kind) {
  const bool is_row = list == TRM_LAM || list == TRM_MU;
  return kind == (is_row ? TRM_KIND_NEWTON : TRM_KIND_METRE) ? 1.0 / sys->units.metres : 1.0;
}

void trm_system_label(const trm_system *sys, trm_quantity list, int i, trm_label *label) {
  if (sys == NULL || label == NULL) return;
  static const char *const plain[TRM_LISTS] = {"q", "v", "lam", "mu", "x", "w", "z", "u",
                                      "event", "output", "eta", "gap", "shown", "slip",
                                      "load"};
  *label = (trm_label){.name = "?", .kind = TRM_KIND_NONE};
  if (i < 0 || i >= count(&sys->n, list)) return;
  label->name[0] = '\0';
  if (sys->ops->label != NULL) sys->ops->label(sys->self, list, i, label);
  if (label->name[0] == '\0') snprintf(label->name, sizeof label->name, "%s%d", plain[list], i);
  if (label->object[0] == '\0') {
    snprintf(label->object, sizeof label->object, "%s '%s'",
             list == TRM_LAM || list == TRM_MU ? "constraint" : "unknown", label->name);
  }
  if (label->scale > 0.0) return;
  label->scale = label->kind == TRM_KIND_MODAL ? 1e-3 : unit_of(sys, list, label->kind);
}

void trmi_state_take(const trm_system *sys, trmi_arena *arena, trm_state *s) {
  const trm_sizes *n = &sys->n;
  *s = (trm_state){
      .q = TRMI_TAKE(arena, double, sys->nq), .v = TRMI_TAKE(arena, double, n->nv),
      .vd = TRMI_TAKE(arena, double, n->nv),  .lam = TRMI_TAKE(arena, double, n->ng),
      .mu = TRMI_TAKE(arena, double, n->na),  .x = TRMI_TAKE(arena, double, n->nx),
      .xd = TRMI_TAKE(arena, double, n->nx),  .w = TRMI_TAKE(arena, double, n->nw),
      .z = TRMI_TAKE(arena, double, n->nz),   .u = TRMI_TAKE(arena, double, n->nu),
      .ud = TRMI_TAKE(arena, double, n->nu),
  };
}

/* A state to begin with need not have all lists. */
static void copy(double *to, const double *from, int n) {
  if (n > 0 && from != NULL) memcpy(to, from, (size_t)n * sizeof *to);
}

void trmi_state_copy(const trm_system *sys, const trm_state *from, trm_state *to) {
  const trm_sizes *n = &sys->n;
  to->t = from->t;
  copy(to->q, from->q, sys->nq);
  copy(to->v, from->v, n->nv);
  copy(to->vd, from->vd, n->nv);
  copy(to->lam, from->lam, n->ng);
  copy(to->mu, from->mu, n->na);
  copy(to->x, from->x, n->nx);
  copy(to->xd, from->xd, n->nx);
  copy(to->w, from->w, n->nw);
  copy(to->z, from->z, n->nz);
  copy(to->u, from->u, n->nu);
  copy(to->ud, from->ud, n->nu);
}

void trmi_state_at(const trm_system *sys, const trm_state *from, double t, trm_state *s) {
  const double dt = t - from->t;
  s->t = t;
  for (int i = 0; i < sys->n.nu; i++) {
    s->u[i] = from->u[i] + from->ud[i] * dt;
    s->ud[i] = from->ud[i];
  }
}

static trm_status check_sizes(const trm_system *sys, trm_error *err) {
  const trm_sizes *n = &sys->n;
  const int all[] = {n->nv, n->nrot, n->ng, n->na,      n->nx,       n->nw,
                     n->nz, n->nu,   n->nevents, n->noutputs, n->nstiff, n->ngaps,
                     n->nshown, n->nslips, n->nrecorded};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (all[i] < 0 || all[i] > 50000000) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name, "size %d of the system is not sensible",
                       all[i]);
    }
  }
  if (n->nv + n->nx == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "the system has neither a coordinate nor a state");
  }
  if (n->nrot > 0 && sys->ops->rotation == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "the system has %d rotations but no function that places them", n->nrot);
  }
  return TRM_OK;
}

static trm_status read_rotations(trm_system *sys, trm_error *err) {
  int free_from = 0;
  for (int k = 0; k < sys->n.nrot; k++) {
    sys->rot_v[k] = sys->ops->rotation(sys->self, k);
    if (sys->rot_v[k] < free_from || sys->rot_v[k] + 3 > sys->n.nv) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                       "rotation %d starts at velocity %d: rotations must be in order, "
                       "apart, and inside the %d velocities", k, sys->rot_v[k], sys->n.nv);
    }
    free_from = sys->rot_v[k] + 3;
  }
  return TRM_OK;
}

static trm_status read_scales(trm_system *sys, trm_quantity list, double *scale, trm_error *err) {
  for (int i = 0; i < count(&sys->n, list); i++) {
    trm_label label;
    trm_system_label(sys, list, i, &label);
    if (!isfinite(label.scale)) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, label.object, "scale of '%s' is not finite", label.name);
    }
    scale[i] = label.scale;
  }
  return TRM_OK;
}

trm_status trmi_system_read_scales(trm_system *sys, trm_error *err) {
  TRMI_TRY(err, read_scales(sys, TRM_V, sys->scale_v, err));
  TRMI_TRY(err, read_scales(sys, TRM_X, sys->scale_x, err));
  sys->nbristles = 0;
  for (int i = 0; i < sys->n.nx; i++) {
    trm_label label;
    trm_system_label(sys, TRM_X, i, &label);
    const bool is_bristle = label.kind == TRM_KIND_BRISTLE;
    sys->unit_x[i] = is_bristle ? 1.0 : sys->scale_x[i];
    sys->nbristles += is_bristle;
  }
  TRMI_TRY(err, read_scales(sys, TRM_LAM, sys->scale_g, err));
  TRMI_TRY(err, read_scales(sys, TRM_MU, sys->scale_a, err));
  return TRM_OK;
}

static void read_units(trm_system *sys) {
  sys->second = 1.0 / sys->units.seconds;
  for (int i = 0; i < sys->n.nv; i++) {
    trm_label label;
    trm_system_label(sys, TRM_V, i, &label);
    sys->unit_v[i] = unit_of(sys, TRM_V, label.kind);
  }
  for (int i = 0; i < sys->n.ng + sys->n.na; i++) {
    trm_label label;
    trmi_row_label(sys, i, &label);
    sys->is_length[i] = label.kind == TRM_KIND_NEWTON; /* of its multiplier */
  }
}

static trm_status build(trm_system *sys, trm_error *err) {
  sys->ops->sizes(sys->self, &sys->n);
  TRMI_TRY(err, check_sizes(sys, err));
  const trm_sizes *n = &sys->n;
  sys->nq = n->nv + n->nrot;
  sys->units = trmi_unit_names_basic();
  if (sys->ops->units != NULL) sys->ops->units(sys->self, &sys->units);
  if (!(sys->units.metres > 0.0 && sys->units.seconds > 0.0)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "units of %g m and %g s: 'units' must give positive ones", sys->units.metres,
                     sys->units.seconds);
  }
  trmi_unit_names_complete(&sys->units);
  sys->rot_v = TRMI_TAKE(&sys->arena, int, n->nrot);
  sys->unit_v = TRMI_TAKE(&sys->arena, double, n->nv);
  sys->scale_v = TRMI_TAKE(&sys->arena, double, n->nv);
  sys->scale_x = TRMI_TAKE(&sys->arena, double, n->nx);
  sys->unit_x = TRMI_TAKE(&sys->arena, double, n->nx);
  sys->scale_g = TRMI_TAKE(&sys->arena, double, n->ng);
  sys->scale_a = TRMI_TAKE(&sys->arena, double, n->na);
  sys->is_length = TRMI_TAKE(&sys->arena, unsigned char, n->ng + n->na);
  trmi_differences_take(sys);
  trmi_rates_take(sys);
  TRMI_TRY(err, trmi_arena_check(&sys->arena, err));
  TRMI_TRY(err, read_rotations(sys, err));
  read_units(sys);
  TRMI_TRY(err, trmi_system_read_scales(sys, err));
  TRMI_TRY(err, trmi_system_read_patterns(sys, err));
  if (n->nstiff > 0 && !(sys->given[TRM_STIFF_K] && sys->given[TRM_STIFF_C])) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, sys->ops->name,
                     "stiff forces need their blocks STIFF_K and STIFF_C");
  }
  if (sys->ops->epoch != NULL) sys->epoch = sys->ops->epoch(sys->self);
  sys->lacks_memory = sys->ops->instance != NULL && sys->ops->memory_size != NULL &&
                      sys->ops->memory_size(sys->self) > 0;
  return TRM_OK;
}

trm_status trm_system_create(const trm_system_def *def, trm_system **system, trm_error *err) {
  TRMI_NEED(err, system);
  *system = NULL;
  TRMI_NEED(err, def);
  if (def->tag != DEF_TAG || def->ops == NULL || def->ops->name == NULL ||
      def->ops->sizes == NULL || def->ops->start == NULL || def->ops->values == NULL ||
      (def->ops->patterns != NULL && def->ops->blocks == NULL)) {
    if (def->tag == DEF_TAG && def->ops != NULL && def->ops->free != NULL) {
      def->ops->free(def->self);
    }
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "a system needs a definition from trm_system_def_default and the "
                     "functions name, sizes, start, values (and blocks with their patterns)");
  }
  trm_system *sys = trmi_allocate(&def->allocator, sizeof *sys);
  if (sys == NULL) {
    if (def->ops->free != NULL) def->ops->free(def->self);
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "not enough memory for a system");
  }
  *sys = (trm_system){.ops = def->ops, .self = def->self};
  trmi_arena_init(&sys->arena, &def->allocator);
  trmi_arena_init(&sys->epoch_arena, &def->allocator);
  sys->references = TRMI_TAKE(&sys->arena, atomic_int, 1);
  if (sys->references != NULL) atomic_init(sys->references, 1);
  const trm_status status = build(sys, err);
  if (status != TRM_OK) {
    trm_system_free(sys);
    return trmi_note(err, __func__, status);
  }
  *system = sys;
  return TRM_OK;
}

void trm_system_free(trm_system *sys) {
  if (sys == NULL || sys->origin != NULL) return; /* an instance belongs to its simulation */
  if (sys->references != NULL && atomic_fetch_sub(sys->references, 1) > 1) return;
  if (sys->ops->free != NULL) sys->ops->free(sys->self);
  trmi_kept_clear(sys);
  const trm_allocator allocator = sys->arena.allocator;
  trmi_arena_clear(&sys->arena);
  trmi_arena_clear(&sys->epoch_arena);
  trmi_release(&allocator, sys);
}

trm_status trm_fail(trm_error *err, trm_status status, const char *object, const char *sentence) {
  return TRMI_FAIL(err, status, object, "%s", sentence != NULL ? sentence : "");
}

trm_status trm_system_values(trm_system *sys, const trm_state *s, const trm_values *out,
                             trm_error *err) {
  TRMI_NEED(err, sys, s, out);
  if (sys->lacks_memory) return trmi_system_check_memory(sys, err);
  if (out->motion != NULL) sys->residuals++;
  if (out->powers != NULL) memset(out->powers, 0, TRM_POWERS * sizeof *out->powers);
  const bool rates = (sys->n.ng > 0 && (out->g_rate != NULL || out->g_bias != NULL)) ||
                     (sys->n.na > 0 && out->a_bias != NULL);
  if (sys->ops->gives_rates || !rates) {
    TRMI_ASK(err, sys->ops->name, "values", sys->ops->values(sys->self, s, out, err));
    return TRM_OK;
  }
  trm_values rest = *out;
  rest.g_rate = rest.g_bias = rest.a_bias = NULL;
  TRMI_ASK(err, sys->ops->name, "values", sys->ops->values(sys->self, s, &rest, err));
  TRMI_TRY(err, trmi_difference_rates(sys, s, out, err));
  return TRM_OK;
}

bool trm_system_gravity(const trm_system *sys, double gravity[3]) {
  if (gravity == NULL) return false;
  gravity[0] = gravity[1] = gravity[2] = 0.0;
  if (sys == NULL || sys->ops->gravity == NULL) return false;
  sys->ops->gravity(sys->self, gravity);
  return true;
}

static trm_status fill_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                              trm_block_request request, trm_error *err) {
  const bool fills_mass = sys->lent_mass != NULL && (set & TRMI_BIT(TRM_M)) != 0;
  sys->jacobians++;
  bool any = false;
  for (int b = 0; set != 0; b++, set >>= 1) {
    if ((set & 1) == 0 || !trmi_system_may_fill(sys, (trm_block)b)) continue;
    if (sys->given[b]) {
      request.values[b] = sys->block[b].values;
      any = true;
    } else {
      TRMI_TRY(err, trmi_difference_block(sys, s, (trm_block)b, &request, sys->block[b].values,
                                          err));
    }
  }
  if (any) TRMI_ASK(err, sys->ops->name, "blocks", sys->ops->blocks(sys->self, s, &request, err));
  if (fills_mass) trmi_lent_mass_fill(sys);
  return TRM_OK;
}

trm_status trmi_system_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                              const double *u, const double *y, const double *ya,
                              trm_error *err) {
  return fill_blocks(sys, s, set, (trm_block_request){.u = u, .y = y, .ya = ya}, err);
}

trm_status trmi_system_strong_blocks(trm_system *sys, const trm_state *s, trmi_block_set set,
                                     const double *u, const double *y, const double *ya,
                                     trm_error *err) {
  return fill_blocks(sys, s, set, (trm_block_request){.u = u, .y = y, .ya = ya, .is_strong = true},
                     err);
}

trm_status trmi_system_rows(trm_system *sys, const trm_state *s, trm_error *err) {
  const trmi_block_set set = TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A);
  TRMI_TRY(err, trmi_system_want(sys, TRM_G, err));
  TRMI_TRY(err, trmi_system_want(sys, TRM_A, err));
  TRMI_TRY(err, trmi_system_blocks(sys, s, set, NULL, NULL, NULL, err));
  return TRM_OK;
}
