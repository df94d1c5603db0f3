/* beams.c - contributor of beams: elements of elements/flex/beam.h over the unknowns of their
 * nodes.
 *
 * Nodes of an element are consecutive, so its velocities are one range of v and its matrices are
 * written in place. Rotary inertia belongs to the nodes as bodies. With `dead` the load of ground
 * axes and gravity, both of which have a potential,
 *   motion += mass v' + f_int - share dead - f_follower                                   (1)
 *   kinetic += 1/2 v.mass v,  potential += energy - share dead.x,
 *   power += f_follower.v - dissipation                                                   (2)
 * Loads are stored with the sign of the left side. Elements of long beams run in chunks; their
 * results are added in their order. */
#include "elements/flex/averaged_modes.h"
#include "elements/flex/beam_modes.h"
#include "equations/equations_quantities.h"
#include <stdio.h>
#include <string.h>

enum { CHUNK = 16 }; /* elements; one of them needs some thousand operations */

/* One beam. */
typedef struct beam_run {
  char               name[64];
  trmi_beam_section  section;
  trmi_beam_loads    loads;        /* minus, see the head                   */
  bool               has_follower;
  int                q, v;         /* of its first node                     */
  int                nodes;        /* of an element                         */
  int                count;        /* of elements                           */
  trmi_beam         *elements;
  trmi_beam_modes    averaged;     /* for `smooth`                          */
} beam_run;

/* Forces of an element, and its contributions to energies. */
typedef struct element_load {
  double f[TRMI_BEAM_SIZE];
  double energy, dissipation;
} element_load;

/* Destination of the entries of blocks; NULL: not requested. */
typedef struct entries {
  double *M, *K, *C;
} entries;

/* All of them. */
typedef struct beam_runs {
  beam_run *list;
  int       count;
  const trmi_parallel *parallel;
  element_load *loads;  /* for chunks, of the longest beam [elements] */
  trm_status   *status; /* likewise                                  */
} beam_runs;

/* Numbers of a state for element i. */
static trmi_beam_state state_of(const beam_run *b, const trm_state *s, int i) {
  const int first = i * (b->nodes - 1);
  trmi_beam_state at;
  for (int k = 0; k < b->nodes; k++) {
    at.q[k] = s->q + b->q + 7 * (first + k);
    at.v[k] = s->v + b->v + 6 * (first + k);
  }
  return at;
}

static int first_v(const beam_run *b, int i) {
  return b->v + 6 * i * (b->nodes - 1);
}

static trm_status too_coarse(const beam_run *b, int i, trm_error *err) {
  char object[TRM_OBJECT_MAX];
  snprintf(object, sizeof object, "beam '%.30s' element %d", b->name, i + 1);
  return TRMI_FAIL(err, TRM_RETRY_DOMAIN, object, "neighbouring nodes are turned by nearly half a "
                   "turn against each other: use more elements, or smaller steps");
}

/* ---- values ---------------------------------------------------------------------------------- */

/* motion += mass v', (1) */
static void add_inertia(const trmi_beam *e, const double *vd, double *motion) {
  for (int i = 0; i < e->n; i++) {
    for (int j = 0; j < e->n; j++) {
      for (int k = 0; k < 3; k++) motion[6 * i + k] += e->mass[i][j] * vd[6 * j + k];
    }
  }
}

/* (2) without the terms of trmi_beam_internal */
static void add_energy(const beam_run *b, const trmi_beam *e, const trmi_beam_state *at,
                       double *energy) {
  const trmi_vec3 minus_dead = v3_load(b->loads.dead_force);
  for (int i = 0; i < e->n; i++) {
    const trmi_vec3 v = v3_load(at->v[i]);
    energy[1] += e->share[i] * v3_dot(minus_dead, v3_load(at->q[i]));
    for (int j = 0; j < e->n; j++) {
      energy[0] += 0.5 * e->mass[i][j] * v3_dot(v, v3_load(at->v[j]));
    }
  }
}

/* Power of the follower load of one element. */
static trm_status follower_power(const beam_run *b, const trmi_beam *e, const trmi_beam_state *at,
                                 double *power) {
  trmi_beam_loads follower = b->loads;
  double Q[TRMI_BEAM_SIZE] = {0.0};
  memset(follower.dead_force, 0, sizeof follower.dead_force);
  const trm_status status = trmi_beam_load(e, at, &follower, Q, NULL);
  if (status != TRM_OK) return status;
  for (int k = 0; k < 6 * e->n; k++) *power -= Q[k] * at->v[0][k];
  return TRM_OK;
}

/* Forces and energies of element i. */
static trm_status evaluate(const beam_run *b, int i, const trm_state *s, bool wants_motion,
                           element_load *load) {
  const trmi_beam *e = &b->elements[i];
  const trmi_beam_state at = state_of(b, s, i);
  trmi_beam_out internal = {.f = load->f};
  const trm_status status = trmi_beam_internal(e, &at, &internal);
  if (status != TRM_OK) return status;
  load->energy = internal.energy, load->dissipation = internal.dissipation;
  return wants_motion ? trmi_beam_load(e, &at, &b->loads, load->f, NULL) : TRM_OK;
}

/* (1) and (2) from its load. */
static trm_status add_element(const beam_run *b, int i, const trm_state *s,
                              const element_load *load, const trm_values *out) {
  const trmi_beam *e = &b->elements[i];
  if (out->energy != NULL) {
    const trmi_beam_state at = state_of(b, s, i);
    out->energy[1] += load->energy;
    out->energy[2] -= load->dissipation;
    if (out->powers != NULL) out->powers[TRM_POWER_DAMPERS] -= load->dissipation;
    add_energy(b, e, &at, out->energy);
    const trm_status status =
        b->has_follower ? follower_power(b, e, &at, &out->energy[2]) : TRM_OK;
    if (status != TRM_OK) return status;
  }
  if (out->motion == NULL) return TRM_OK;
  double *motion = out->motion + first_v(b, i);
  for (int k = 0; k < 6 * e->n; k++) motion[k] += load->f[k];
  add_inertia(e, s->vd + first_v(b, i), motion);
  return TRM_OK;
}

/* Request to the elements of a chunk. */
typedef struct work {
  const beam_run  *beam;
  const trm_state *s;
  bool             wants_motion;
  element_load    *loads;
  entries          first; /* of the beam */
  trm_status      *status; /* of each element */
} work;

static void evaluate_some(void *arg, int first, int end) {
  const work *w = arg;
  for (int i = first; i < end; i++) {
    w->status[i] = evaluate(w->beam, i, w->s, w->wants_motion, &w->loads[i]);
  }
}

/* One beam with its elements in chunks. */
static trm_status run_values_in_chunks(const beam_runs *all, const beam_run *b, const trm_state *s,
                                       const trm_values *out, trm_error *err) {
  work w = {.beam = b, .s = s, .wants_motion = out->motion != NULL, .loads = all->loads,
            .status = all->status};
  trmi_parallel_run(all->parallel, b->count, CHUNK, evaluate_some, &w);
  for (int i = 0; i < b->count; i++) {
    if (w.status[i] != TRM_OK || add_element(b, i, s, &w.loads[i], out) != TRM_OK) {
      return too_coarse(b, i, err);
    }
  }
  return TRM_OK;
}

static trm_status run_values(const beam_run *b, const trm_state *s, const trm_values *out,
                             trm_error *err) {
  for (int i = 0; i < b->count; i++) {
    element_load load;
    if (evaluate(b, i, s, out->motion != NULL, &load) != TRM_OK ||
        add_element(b, i, s, &load, out) != TRM_OK) {
      return too_coarse(b, i, err);
    }
  }
  return TRM_OK;
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const beam_runs *all = self;
  if (out->motion == NULL && out->energy == NULL) return TRM_OK;
  for (int k = 0; k < all->count; k++) {
    const beam_run *b = &all->list[k];
    const bool pays = trmi_parallel_pays(all->parallel, b->count, CHUNK);
    TRMI_TRY(err, pays ? run_values_in_chunks(all, b, s, out, err) : run_values(b, s, out, err));
  }
  return TRM_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Declares the entries of one beam; @return how many there are. */
static int run_pattern(const beam_run *b, trm_pattern *p, trm_block block) {
  const int n = b->nodes, size = 6 * n;
  const bool is_dense = block == TRM_K || (block == TRM_C && b->section.damping > 0.0);
  if (block != TRM_M && !is_dense) return 0;
  for (int i = 0; p != NULL && i < b->count; i++) {
    const int v = first_v(b, i);
    if (is_dense) {
      trm_pattern_dense(p, block, v, v, size, size);
      continue;
    }
    for (int k = 0; k < 3 * n * n; k++) { /* pairs of nodes, three directions each */
      const int row = k / (3 * n), col = k / 3 % n;
      trm_pattern_entry(p, TRM_M, v + 6 * row + k % 3, v + 6 * col + k % 3);
    }
  }
  return b->count * (is_dense ? size * size : 3 * n * n);
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const beam_runs *all = self;
  int count = 0;
  for (int k = 0; k < all->count; k++) count += run_pattern(&all->list[k], p, block);
  return count;
}

static void fill_mass(const trmi_beam *e, double *M) {
  const int n = e->n;
  for (int k = 0; k < 3 * n * n; k++) M[k] = e->mass[k / (3 * n)][k / 3 % n];
}

/* Blocks of element i; entries of an element follow those of the previous one. */
static trm_status fill_element(const beam_run *b, int i, const trm_state *s, const entries *first) {
  const size_t nodes = (size_t)b->nodes, square = 36 * nodes * nodes;
  const trmi_beam *e = &b->elements[i];
  if (first->M != NULL) fill_mass(e, first->M + 3 * nodes * nodes * (size_t)i);
  const bool is_damped = first->C != NULL && b->section.damping > 0.0;
  if (first->K == NULL && !is_damped) return TRM_OK;
  const trmi_beam_state at = state_of(b, s, i);
  trmi_beam_out out = {.K = first->K != NULL ? first->K + square * (size_t)i : NULL,
                       .C = is_damped ? first->C + square * (size_t)i : NULL};
  const trm_status status = trmi_beam_internal(e, &at, &out);
  if (status != TRM_OK || out.K == NULL || !b->has_follower) return status;
  double unused[TRMI_BEAM_SIZE] = {0.0};
  return trmi_beam_load(e, &at, &b->loads, unused, out.K);
}

static void fill_some(void *arg, int first, int end) {
  const work *w = arg;
  for (int i = first; i < end; i++) w->status[i] = fill_element(w->beam, i, w->s, &w->first);
}

static trm_status run_blocks(const beam_runs *all, const beam_run *b, const trm_state *s,
                             const entries *first, trm_error *err) {
  if (!trmi_parallel_pays(all->parallel, b->count, CHUNK)) {
    for (int i = 0; i < b->count; i++) {
      if (fill_element(b, i, s, first) != TRM_OK) return too_coarse(b, i, err);
    }
    return TRM_OK;
  }
  work w = {.beam = b, .s = s, .first = *first, .status = all->status};
  trmi_parallel_run(all->parallel, b->count, CHUNK, fill_some, &w);
  for (int i = 0; i < b->count; i++) {
    if (w.status[i] != TRM_OK) return too_coarse(b, i, err);
  }
  return TRM_OK;
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const beam_runs *all = self;
  entries next = {request->values[TRM_M], request->values[TRM_K], request->values[TRM_C]};
  for (int k = 0; k < all->count; k++) {
    const beam_run *b = &all->list[k];
    TRMI_TRY(err, run_blocks(all, b, s, &next, err));
    if (next.M != NULL) next.M += run_pattern(b, NULL, TRM_M);
    if (next.K != NULL) next.K += run_pattern(b, NULL, TRM_K);
    if (next.C != NULL) next.C += run_pattern(b, NULL, TRM_C);
  }
  return TRM_OK;
}

/* ---- section loads --------------------------------------------------------------------------- */

#define BEAMS "beams"

/* Six averaged modes from `first` on. */
static trm_status averaged(const beam_run *b, int first, const trm_state *s, double *out,
                           double *derivatives, trm_error *err) {
  const int nnodes = b->count * (b->nodes - 1) + 1;
  const trmi_beam_modes_out modes = {first, nnodes, out, derivatives};
  memset(out, 0, 6 * sizeof *out);
  if (derivatives != NULL) memset(derivatives, 0, 36 * (size_t)nnodes * sizeof *derivatives);
  for (int i = 0; i < b->count; i++) {
    const trmi_beam_state at = state_of(b, s, i);
    if (trmi_beam_modes_add(&b->averaged, &b->elements[i], i, &at, &modes) != TRM_OK) {
      return too_coarse(b, i, err);
    }
  }
  return TRM_OK;
}

/* Sets of averaged modes of one beam. */
static int averaged_sets(int count) {
  return (count + 5) / 6;
}

/* Section force and moment in the middle of an element; elements of all beams are counted, then
 * averaged modes of all beams. */
static trm_status quantities(void *self, int set, const trm_state *s, const bool wanted[2],
                             double *out, double *derivatives, trm_error *err) {
  const beam_runs *all = self;
  const beam_run *b = all->list, *end = b + all->count;
  for (; b < end && set >= b->count; b++) set -= b->count;
  if (b == end) {
    for (b = all->list; set >= averaged_sets(b->averaged.count); b++) {
      set -= averaged_sets(b->averaged.count);
    }
    return averaged(b, 6 * set, s, out, derivatives, err);
  }
  const int columns = 6 * b->nodes;
  const trmi_beam_state at = state_of(b, s, set);
  double by_q[6 * TRMI_BEAM_SIZE], by_v[6 * TRMI_BEAM_SIZE];
  const bool derives = derivatives != NULL;
  (void)wanted; /* force and moment come together */
  if (trmi_beam_middle(&b->elements[set], &at, out, derives ? by_q : NULL, by_v) != TRM_OK) {
    return too_coarse(b, set, err);
  }
  for (int i = 0; derives && i < 6; i++) {
    memcpy(derivatives + 2 * i * columns, by_q + i * columns, (size_t)columns * sizeof(double));
    memcpy(derivatives + (2 * i + 1) * columns, by_v + i * columns,
           (size_t)columns * sizeof(double));
  }
  return TRM_OK;
}

void trmi_beam_loads_nodes(trmi_mechanism *m, const trmi_beam_part *beam, int element,
                           trmi_nodes3 load[2]) {
  const int size = 6 * beam->nodes;
  const int first = m->bodies[beam->first + element * (beam->nodes - 1)].v;
  trmi_dependence columns[2 * TRMI_BEAM_SIZE];
  char object[TRM_OBJECT_MAX];
  int set = element;
  for (const trmi_beam_part *other = m->beams; other < beam; other++) set += other->elements;
  for (int k = 0; k < 2 * size; k++) {
    columns[k] = (trmi_dependence){k < size ? TRMI_IN_Q : TRMI_IN_V, first + k % size};
  }
  snprintf(object, sizeof object, "beam '%.48s'", beam->def->key.name);
  const trmi_quantity_def def = {.of = BEAMS, .set = set, .object = object, .columns = columns,
                                 .ncolumns = 2 * size, .rate = -1};
  trmi_quantity_nodes(m->b, trmi_quantity_add(m->b, &def), load);
}

trmi_node trmi_averaged_mode(trmi_mechanism *m, const trmi_beam_part *beam, int mode) {
  const int size = 6 * beam->nnodes;
  trmi_dependence *columns = TRMI_TAKE(&m->b->scratch, trmi_dependence, size);
  char object[TRM_OBJECT_MAX];
  int set = mode / 6;
  if (columns == NULL) return 0;
  for (const trmi_beam_part *other = m->beams; other < m->beams + m->nbeams; other++) {
    set += other->elements;
    if (other < beam && other->averaged != NULL) set += averaged_sets(other->averaged->count);
  }
  for (int k = 0; k < size; k++) {
    columns[k] = (trmi_dependence){TRMI_IN_Q, m->bodies[beam->first].v + k};
  }
  snprintf(object, sizeof object, "beam '%.48s'", beam->def->key.name);
  const trmi_quantity_def def = {.of = BEAMS, .set = set, .object = object, .columns = columns,
                                 .ncolumns = size, .rate = -1};
  trmi_nodes3 nodes[2];
  trmi_quantity_nodes(m->b, trmi_quantity_add(m->b, &def), nodes);
  const trmi_nodes3 half = nodes[mode % 6 / 3];
  return mode % 3 == 0 ? half.x : mode % 3 == 1 ? half.y : half.z;
}

static const trmi_contributor_ops ops = {
  .name = BEAMS, .rank = TRMI_RANK_FORCES, .pattern = pattern, .values = values,
  .blocks = blocks, .quantities = quantities};

/* ---- creation -------------------------------------------------------------------------------- */

static void build_beam(trmi_mechanism *m, const trmi_beam_part *beam, beam_run *b) {
  trmi_arena *arena = &m->b->assembly->elements;
  b->section = beam->section;
  b->q = m->bodies[beam->first].q, b->v = m->bodies[beam->first].v;
  b->nodes = beam->nodes, b->count = beam->elements;
  snprintf(b->name, sizeof b->name, "%.60s", beam->def->key.name);
  const double gravity[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
  for (int k = 0; k < 3; k++) {
    b->loads.dead_force[k] = -(beam->section.mass * gravity[k] + beam->load[k]);
    b->loads.follower_force[k] = -beam->follower[k];
    b->has_follower = b->has_follower || beam->follower[k] != 0.0;
  }
  b->elements = TRMI_TAKE(arena, trmi_beam, b->count);
  if (b->elements == NULL) return;
  for (int i = 0; i < b->count; i++) {
    b->elements[i] = beam->made[i];
    b->elements[i].section = &b->section;
  }
  if (beam->averaged != NULL) {
    const size_t count = (size_t)beam->averaged->count;
    const size_t numbers = count * (size_t)beam->averaged->nstrains;
    b->averaged = *beam->averaged;
    b->averaged.rows = TRMI_TAKE(arena, double, numbers);
    if (b->averaged.rows == NULL) return;
    memcpy(b->averaged.rows, beam->averaged->rows, numbers * sizeof(double));
  }
  const bool has_power = trmi_decide(m, b->has_follower) || b->section.damping != 0.0;
  if (trmi_decide(m, has_power)) m->b->assembly->has_power = true;
}

void trmi_build_beams(trmi_mechanism *m) {
  trmi_arena *arena = &m->b->assembly->elements;
  if (m->complaints->count > 0 || m->nbeams == 0) return;
  beam_runs *all = TRMI_TAKE(arena, beam_runs, 1);
  beam_run *list = TRMI_TAKE(arena, beam_run, m->nbeams);
  if (arena->failed) return;
  *all = (beam_runs){.list = list, .count = m->nbeams, .parallel = &m->b->assembly->parallel};
  int longest = 0;
  for (int i = 0; i < m->nbeams; i++) {
    build_beam(m, &m->beams[i], &list[i]);
    if (list[i].count > longest) longest = list[i].count;
  }
  if (all->parallel->loop == NULL) longest = 0;
  all->loads = TRMI_TAKE(arena, element_load, longest);
  all->status = TRMI_TAKE(arena, trm_status, longest);
  trmi_assembly_add(m->b->assembly, &ops, all);
}
