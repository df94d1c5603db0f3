/* build.c - compile a mechanism: read its parts, number them, make nodes and contributors. */
#include "elements/flex/averaged_modes.h"
#include "mechanism/blueprint.h"
#include <stdio.h>
#include <string.h>

/* ---- callbacks of the compiler of equations ------------------------------------------------- */

/* Followers come after all unknowns of the system. */
static void number_followers(trmi_mechanism *m) {
  int number = 0;
  for (int i = 1; i < m->nbodies; i++) {
    trmi_body *body = &m->bodies[i];
    if (body->carrier_n == 0) continue;
    body->q = m->b->eq->nq + 7 * number;
    body->v = m->b->eq->n.nv + 6 * number++;
  }
}

void trmi_mechanism_declare(void *self, trmi_compiler *b) {
  trmi_mechanism *m = self;
  m->b = b;
  int rotations = 0;
  number_followers(m);
  for (int i = 1; i < m->nbodies; i++) {
    const trmi_body *body = &m->bodies[i];
    for (int k = 0; k < 3; k++) b->place_of_q[body->q + k].v = body->v + k;
    if (body->kind != TRMI_CARRIER_BODY) continue;
    if (body->carrier_n == 0) b->eq->rotation[rotations++] = body->v + 3;
    for (int k = 0; k < 4; k++) {
      b->place_of_q[body->q + 3 + k] = (trmi_place_of_q){.v = body->v + 3, .part = k + 1};
    }
  }
  for (int i = 0; i < m->nflexible; i++) {
    const trmi_flexible_part *f = &m->flexible[i];
    for (int k = 0; k < 7 + f->reduced->arrays.n; k++) {
      b->place_of_q[f->q + k] = k >= 3 && k < 7
                                    ? (trmi_place_of_q){.v = f->v + 3, .part = k - 2}
                                    : (trmi_place_of_q){.v = f->v + (k < 3 ? k : k - 1)};
    }
    b->eq->rotation[rotations++] = f->v + 3;
  }
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    for (int k = 0; j->scalar >= 0 && k < j->type->scalars; k++) {
      b->place_of_q[j->scalar_q + k].v = j->scalar + k;
    }
  }
  trmi_mechanism_labels(m);
}

static bool has(const trmi_body *body, const char *key) {
  return body->def != NULL && trmi_part_has(body->def, key);
}

/* For a beam, if one velocity is given, both are: the other is then zero. */
static bool moves(const trmi_beam_part *beam) {
  return trmi_part_find(beam->def, "velocity") != NULL ||
         trmi_part_find(beam->def, "angular_velocity") != NULL;
}

/* No deformation; this counts as given, so that assembly moves other parts first. */
static void start_flexible(trmi_mechanism *m) {
  trmi_equations *eq = m->b->eq;
  for (int i = 0; i < m->nflexible; i++) {
    const trmi_flexible_part *f = &m->flexible[i];
    const bool has_x = trmi_part_has(f->def, "at");
    memcpy(eq->q + f->q, f->q0, sizeof f->q0);
    memcpy(eq->v + f->v, f->v0, sizeof f->v0);
    for (int k = 0; k < 6 + f->reduced->arrays.n; k++) {
      eq->given_q[f->v + k] = k >= 6 || has_x || (k >= 3 && trmi_part_has(f->def, "orientation"));
      eq->given_v[f->v + k] = k >= 6 ||
                              trmi_part_has(f->def, k < 3 ? "velocity" : "angular_velocity");
    }
  }
}

/* Values that were not given are found by assembly; a body placed by `at` alone is upright. */
void trmi_mechanism_start(trmi_mechanism *m) {
  trmi_equations *eq = m->b->eq;
  v3_store(m->b->assembly->gravity, m->gravity);
  for (int i = 1; i < m->nbodies; i++) {
    const trmi_body *body = &m->bodies[i];
    const int nv = (int)body->kind, nq = nv == 6 ? 7 : 3;
    if (body->carrier_n > 0) continue;
    const bool is_held = body->hold == TRMI_HELD;
    const bool is_own = body->hold == TRMI_HOLD_NONE && !body->is_guess;
    const bool has_x = is_held || (is_own && has(body, "at"));
    const bool has_turn = has_x || (is_own && has(body, "orientation"));
    memcpy(eq->q + body->q, body->q0, (size_t)nq * sizeof(double));
    memcpy(eq->v + body->v, body->v0, (size_t)nv * sizeof(double));
    for (int k = 0; k < nv && body->beam != NULL; k++) { /* a beam is at its meshed position */
      eq->given_q[body->v + k] = true;
      eq->given_v[body->v + k] = moves(body->beam);
    }
    for (int k = 0; k < nv && body->beam == NULL; k++) {
      eq->given_q[body->v + k] = k < 3 ? has_x : has_turn;
      eq->given_v[body->v + k] =
          body->hold_v == TRMI_HELD || has(body, k < 3 ? "velocity" : "angular_velocity");
    }
  }
  start_flexible(m);
}

void trmi_mechanism_native(trmi_mechanism *m) {
  if (m->is_renewed) {
    trmi_contribute_bodies(m);
    trmi_renew_forces(m);
  }
  trmi_build_beams(m);
  trmi_contribute_joints(m);
  trmi_contribute_bristles(m);
  trmi_contribute_contacts(m);
  trmi_contribute_followers(m);
}

/* Running out of memory anywhere ends the compilation. */
static void check_memory(const trmi_mechanism *m) {
  if (m->arena->failed || m->b->assembly->elements.failed || m->kept->failed) {
    m->b->eq->arena.failed = true;
  }
}

static void read(void *self, trmi_compiler *b) {
  trmi_mechanism *m = self;
  (void)b;
  trmi_mechanism_start(m);
  trmi_contribute_bodies(m);
  for (int i = 0; i < m->njoints; i++) trmi_build_joint(m, &m->joints[i]);
  for (int i = 0; i < m->njoints; i++) {
    trmi_build_limits(m, &m->joints[i]);
    trmi_build_friction(m, &m->joints[i]);
  }
  trmi_build_motions(m);
  trmi_build_starts(m);
  trmi_build_forces(m);
  trmi_build_body_loads(m);
  trmi_average_modes(m);
  trmi_doubt_numbers(m);
  trmi_doubt_places(m);
  trmi_remark_flexible(m);
  trmi_mechanism_native(m);
  check_memory(m);
}

/* Angle number `count` of those in use. */
static int follow_angle(trmi_mechanism *m, int count, const char *sort, const char *name,
                        const trmi_joint_freedom *angle) {
  const trmi_node rate = trmi_velocity_of(m, angle->node);
  trmi_add_entry(m->b, TRMI_RESULT_ANGLE, angle->memory, 0, angle->node);
  trmi_add_entry(m->b, TRMI_RESULT_ANGLE, angle->memory, 1, rate);
  trmi_add_entry(m->b, TRMI_RESULT_ANGLE, angle->memory, 2, trmi_velocity_of(m, rate));
  trmi_add_entry(m->b, TRMI_RESULT_ANGLE, angle->memory, 3, angle->size);
  snprintf(m->b->eq->angles[count], TRM_OBJECT_MAX, "%s '%.48s'", sort, name);
  return count + 1;
}

static void finish(void *self, trmi_compiler *b) {
  typedef char object[TRM_OBJECT_MAX];
  trmi_mechanism *m = self;
  trmi_record_loads(m);
  int count = m->nforces;
  for (int i = 0; i < m->njoints; i++) {
    for (int k = 0; k < TRMI_COORDINATES_MAX; k++) count += m->joints[i].freedom[k].has_node;
  }
  b->eq->angles = TRMI_TAKE(&b->eq->arena, object, count);
  if (b->eq->angles == NULL) return;
  count = 0;
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    for (int k = 0; k < TRMI_COORDINATES_MAX; k++) {
      if (!j->freedom[k].has_node || j->freedom[k].memory < 0) continue;
      count = follow_angle(m, count, "joint", j->def->key.name, &j->freedom[k]);
    }
  }
  for (int i = 0; i < m->nforces; i++) {
    const trmi_force *a = &m->forces[i];
    if (a->memory < 0 || !a->has_measures) continue;
    const trmi_joint_freedom angle = {.memory = a->memory, .node = a->coordinate,
                                      .size = trmi_constant(&b->graph, 1.0)};
    count = follow_angle(m, count, "force", a->def->key.name, &angle);
  }
  check_memory(m); /* outputs also add derived numbers */
}

/* ---- building ------------------------------------------------------------------------------- */

/* Positions of all bodies in q and v, in their order. */
static void number_bodies(trmi_mechanism *m) {
  trmi_additions *add = &m->extension.add;
  for (int i = 1; i < m->nbodies; i++) {
    trmi_body *body = &m->bodies[i];
    if (body->carrier_n > 0) {
      add->followers++;
      continue;
    }
    body->q = m->def->parts[TRMI_COORDINATES].count + add->nq;
    body->v = m->def->parts[TRMI_COORDINATES].count + add->nv;
    add->nv += (int)body->kind;
    add->nq += body->kind == TRMI_CARRIER_BODY ? 7 : 3;
    add->nrot += body->kind == TRMI_CARRIER_BODY;
  }
  for (int i = 0; i < m->nflexible; i++) {
    trmi_flexible_part *f = &m->flexible[i];
    const trmi_modal_arrays *arrays = &f->reduced->arrays;
    f->q = m->def->parts[TRMI_COORDINATES].count + add->nq;
    f->v = m->def->parts[TRMI_COORDINATES].count + add->nv;
    add->nq += 7 + arrays->n;
    add->nv += 6 + arrays->n;
    add->nrot++;
    for (int k = 0; k < arrays->ninterfaces; k++) m->bodies[f->first + k].carrier_v = f->v;
  }
}

void trmi_mechanism_read(trmi_mechanism *m) {
  trmi_read_bodies(m);
  if (m->arena->failed) return;
  trmi_read_markers(m);
  if (m->arena->failed) return;
  trmi_place_bodies(m);
  trmi_read_beams(m);
  if (m->arena->failed) return;
  trmi_read_flexible(m);
  if (m->arena->failed) return;
  number_bodies(m);
  trmi_read_joints(m);
  if (m->arena->failed) return;
  trmi_read_motions(m);
  if (m->arena->failed) return;
  trmi_read_forces(m);
  if (m->arena->failed) return;
  trmi_read_contacts(m);
  if (m->arena->failed) return;
  trmi_place_starts(m);
}

/* A mechanism with parts. */
static trm_status build_parts(trmi_blueprint *bp, trmi_parameters *parameters,
                              trmi_complaints *complaints, trm_system_def *out, trm_error *err) {
  const trmi_definition *def = &bp->def;
  trmi_mechanism *m = &bp->m;
  *m = (trmi_mechanism){.def = def, .parameters = parameters, .complaints = complaints,
                        .arena = &bp->parts_arena, .kept = &bp->arena};
  m->extension = (trmi_extension){.self = m, .declare = trmi_mechanism_declare,
                                  .read = read, .finish = finish,
                                  .name = trmi_mechanism_name, .known = trmi_mechanism_known,
                                  .is_measure = trmi_is_measure, .measure = trmi_measure};
  trmi_mechanism_read(m);
  TRMI_TRY(err, trmi_arena_check(m->arena, err));
  TRMI_TRY(err, trmi_graph_check(&parameters->graph, err));
  const bool is_whole = m->njoints == def->parts[TRMI_JOINTS].count + m->nclamps &&
                        m->nflexible == def->parts[TRMI_FLEXIBLE].count &&
                        m->nmotions == def->parts[TRMI_MOTIONS].count &&
                        m->nforces == def->parts[TRMI_FORCES].count &&
                        m->ncontacts == def->parts[TRMI_CONTACTS].count;
  if (!is_whole && complaints->count > 0) { /* names would be unknown */
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d faults in the mechanism", complaints->count);
  }
  TRMI_TRY(err, trmi_equations_build(def, &m->extension, parameters, complaints, out, err));
  return TRM_OK;
}

trm_status trmi_mechanism_build(const trmi_definition *def, trmi_parameters *parameters,
                                trmi_complaints *complaints, trm_system_def *out, trm_error *err) {
  int parts = 0;
  for (int g = TRMI_BODIES; g <= TRMI_CONTACTS; g++) parts += def->parts[g].count;
  if (parts > 0 && complaints->count > 0) { /* unknown keys would not be reported below */
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d faults in the mechanism", complaints->count);
  }
  trmi_blueprint *bp = trmi_blueprint_make(def, &out->allocator);
  if (bp == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  const trm_status status =
      parts > 0 ? build_parts(bp, parameters, complaints, out, err)
                : trmi_equations_build(&bp->def, NULL, parameters, complaints, out, err);
  if (status != TRM_OK) {
    trmi_blueprint_free(bp);
    return trmi_note(err, __func__, status);
  }
  trmi_blueprint_keep(bp, out->self);
  if (!bp->arena.failed) return TRM_OK;
  out->ops->free(out->self);
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
}
