/* test_followers.c - expressions on markers of the body of modal_body.h, whose velocities are other
 * than six: values, rates and blocks of measures, forces, constraints, and of loads of joints and
 * bushings on such markers. */
#include "element/modal_body.h"
#include "elements/force/force_types.h"
#include "mechanism/blueprint.h"
#include "mechanism/builder.h"
#include "equations/followers.h"

enum { RIGID = 1, TIP, ROOT, BODIES, MODAL_Q = 7, MODAL_V = 6 };

/* ---- a model -------------------------------------------------------------------------------- */

/* What a test types; NULL: nothing. */
typedef struct typing {
  const char *outputs[6];
  const char *state, *variable, *constraint, *nonholonomic, *potential;
  bool pushes;      /* a force and a torque between the tip and the rigid body */
  bool has_hinge;   /* of the tip on the rigid body                            */
  bool has_bushing; /* from the root to the tip                                */
} typing;

/* A mechanism of a rigid body, a modal one, and two followers on it. */
typedef struct model {
  const typing   *typed;
  trmi_mechanism  m;
  trmi_body       bodies[BODIES];
  trmi_joint      hinge;
  trmi_force      bushing;
  trmi_part       parts[2];
  trmi_definition def;
  trmi_arena      arena;
  trmi_compiler  *b;
  trm_mechanism  *typed_parts;
  assembled       made; /* its system at the end */
} model;

/* f and t depend on all that frames have. */
static void push(trmi_mechanism *m) {
  trmi_graph *g = &m->b->graph;
  trmi_marker A = {.body = RIGID, .s = {0.1, -0.2, 0.3}}, B = {.body = TIP, .s = {0.05, 0.1, -0.1}};
  memcpy(A.E, identity, sizeof identity);
  memcpy(B.E, identity, sizeof identity);
  const trmi_frame a = trmi_frame_of(m, &A), b = trmi_frame_of(m, &B);
  const trmi_nodes3 r = n3_sub(g, b.x, a.x), v = n3_sub(g, b.v, a.v), w = n3_sub(g, b.w, a.w);
  const trmi_nodes3 force = n3_add(g, n3_cross(g, r, w), v);
  trmi_push_pair(m, &A, &B, force, n3_add(g, n3_cross(g, v, b.axis[1]), w));
}

static void read(void *self, trmi_compiler *b) {
  model *one = self;
  trmi_mechanism *m = &one->m;
  const modal like = sample();
  trmi_mechanism_start(m);
  memcpy(b->eq->q + MODAL_Q, like.q0, sizeof like.q0);
  trmi_contribute_bodies(m);
  assert_non_null(m->carriers);
  one->made = (assembled){.a = b->assembly, .carriers = m->carriers};
  const modal *body = join_modal(&one->made, &like, MODAL_Q, MODAL_V);
  assert_int_equal(body->markers[0].carrier, TIP);
  if (one->typed->pushes) push(m);
  trmi_build_forces(m);
  trmi_contribute_joints(m);
  trmi_contribute_followers(m);
}

static void declare(void *self, trmi_compiler *b) {
  model *one = self;
  one->b = b;
  trmi_mechanism_declare(&one->m, b);
  for (int k = 0; k < 3; k++) b->place_of_q[MODAL_Q + k].v = MODAL_V + k;
  for (int k = 0; k < 4; k++) {
    b->place_of_q[MODAL_Q + 3 + k] = (trmi_place_of_q){.v = MODAL_V + 3, .part = k + 1};
  }
  for (int k = 0; k < MODES; k++) b->place_of_q[MODAL_Q + 7 + k].v = MODAL_V + 6 + k;
  b->eq->rotation[1] = MODAL_V + 3;
}

static void finish(void *self, trmi_compiler *b) {
  (void)self, (void)b;
}

static bool name(void *self, trmi_compiler *b, const char *at, size_t length, int primes,
                 trmi_place place, trmi_meaning *out) {
  return trmi_mechanism_name(&((model *)self)->m, b, at, length, primes, place, out);
}

static bool measure(void *self, trmi_compiler *b, const trmi_measure_call *call,
                    trmi_meaning *out) {
  return trmi_measure(&((model *)self)->m, b, call, out);
}

static const char *known(void *self, int i) {
  return trmi_mechanism_known(&((model *)self)->m, i);
}

static void make_bodies(model *one) {
  static const char *const names[BODIES] = {"ground", "rigid", "tip", "root"};
  trmi_mechanism *m = &one->m;
  m->bodies = one->bodies, m->nbodies = BODIES;
  for (int i = 0; i < BODIES; i++) {
    trmi_body *body = &one->bodies[i];
    *body = (trmi_body){.name = names[i], .kind = i > 0 ? TRMI_CARRIER_BODY : TRMI_CARRIER_GROUND,
                        .def = &one->parts[0], .q0 = {1, 0.5, 0, 1, 0, 0, 0}};
    if (i >= TIP) body->carrier_v = MODAL_V, body->carrier_n = N;
    trmi_index_add(&m->body_names, &one->arena, names[i], strlen(names[i]), i);
  }
  one->bodies[RIGID].inertia = trmi_inertia_make(2.0, v3(0, 0, 0), J_rigid);
  m->extension.add.nq = MODAL_Q + 9, m->extension.add.nv = MODAL_V + N;
  m->extension.add.nrot = 2, m->extension.add.followers = 2;
}

/* A revolute joint between the rigid body and the tip, a bushing between root and tip. */
static void make_elements(model *one) {
  trmi_mechanism *m = &one->m;
  one->parts[0].key.name = "hinge", one->parts[1].key.name = "bush";
  one->hinge = (trmi_joint){.def = &one->parts[0], .type = trmi_joint_type_find("revolute"),
                            .node_row = -1, .rolling = -1, .scalar = -1, .variable = -1,
                            .memory = -1, .A = {.body = RIGID, .s = {0.2, 0.1, -0.3}},
                            .B = {.body = TIP, .s = {0.05, -0.2, 0.1}}};
  memcpy(one->hinge.A.E, identity, sizeof identity);
  memcpy(one->hinge.B.E, identity, sizeof identity);
  if (one->typed->has_hinge) {
    m->joints = &one->hinge, m->njoints = 1;
    m->extension.add.native_rows = 5;
    trmi_index_add(&m->joint_names, &one->arena, "hinge", 5, 0);
  }
  one->bushing = (trmi_force){.def = &one->parts[1], .type = &trmi_force_type_bushing, .memory = -1,
                               .A = {.body = ROOT, .s = {0.1, 0.2, 0}},
                               .B = {.body = TIP, .s = {0, 0.1, 0.3}}};
  memcpy(one->bushing.A.E, identity, sizeof identity);
  memcpy(one->bushing.B.E, identity, sizeof identity);
  trmi_six six = {.preload = {1, 0.5, -0.3, 0.2, 0.1, 0}};
  for (int i = 0; i < 6; i++) six.K[7 * i] = 3.0 + i, six.C[7 * i] = 0.3 + 0.1 * i;
  assert_true(trmi_six_keep(m, &one->bushing, &six));
  if (one->typed->has_bushing) m->forces = &one->bushing, m->nforces = 1;
}

/* Typed equations and outputs, as parts of a mechanism that lives as long as the model. */
static void make_texts(model *one) {
  static const char *const names[6] = {"o0", "o1", "o2", "o3", "o4", "o5"};
  const typing *typed = one->typed;
  const trm_holonomic_def row = {.equals = typed->constraint};
  const trm_nonholonomic_def roll = {.equals = typed->nonholonomic};
  const trm_energies_def energies = {.potential = typed->potential};
  trm_state_def y = trm_state_default();
  trm_variable_def u = trm_variable_default();
  trm_error err = {.message = ""};
  trm_mechanism *m;
  y.rate = typed->state;
  u.equals = typed->variable;
  CHECK_OK(trm_mechanism_create(NULL, &m, &err), err);
  for (int i = 0; i < 6 && typed->outputs[i] != NULL; i++) {
    const trm_output_def output = {.equals = typed->outputs[i]};
    CHECK_OK(trm_add_output(m, names[i], &output, NULL, &err), err);
  }
  if (row.equals != NULL) CHECK_OK(trm_add_holonomic(m, "row", &row, NULL, &err), err);
  if (roll.equals != NULL) CHECK_OK(trm_add_nonholonomic(m, "roll", &roll, NULL, &err), err);
  if (y.rate != NULL) CHECK_OK(trm_add_state(m, "y", &y, NULL, &err), err);
  if (u.equals != NULL) CHECK_OK(trm_add_variable(m, "u", &u, NULL, &err), err);
  CHECK_OK(trm_set_energies(m, &energies, NULL, &err), err);
  one->typed_parts = m;
  memcpy(one->def.parts, m->def.parts, sizeof one->def.parts);
  one->def.energies = m->def.energies;
}

static void open_model(model *one, const typing *typed) {
  const trm_system_def start = trm_system_def_default();
  trm_system_def out = trm_system_def_default();
  trm_error err = {.message = ""};
  trmi_complaints complaints = {.count = 0};
  trmi_parameters parameters;
  *one = (model){.typed = typed, .def = {.name = "followers", .units = trmi_units_si()}};
  trmi_arena_init(&one->arena, &start.allocator);
  one->m = (trmi_mechanism){.def = &one->def, .complaints = &complaints, .arena = &one->arena,
                            .kept = &one->arena, .gravity = gravity};
  make_bodies(one);
  make_elements(one);
  make_texts(one);
  CHECK_OK(trmi_parameters_init(&parameters, &one->def, &start.allocator, &complaints, &err), err);
  one->m.parameters = &parameters;
  one->m.extension = (trmi_extension){
    .self = one, .add = one->m.extension.add, .declare = declare, .read = read, .finish = finish,
    .name = name, .is_measure = trmi_is_measure, .measure = measure, .known = known};
  const trm_status status = trmi_equations_build(&one->def, &one->m.extension, &parameters,
                                                 &complaints, &out, &err);
  if (complaints.count > 0) fail_msg("%s", complaints.list[0].sentence);
  CHECK_OK(status, err);
  CHECK_OK(trm_system_create(&out, &one->made.system, &err), err);
  trmi_parameters_free(&parameters);
}

static void close_model(model *one) {
  trm_system_free(one->made.system);
  trm_mechanism_free(one->typed_parts);
  trmi_arena_clear(&one->arena);
}

/* ---- checks --------------------------------------------------------------------------------- */

/* v . motion is the rate of all energy less the power put in, without multipliers. */
static void check_power(assembled *m, const trm_state *s) {
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  static assembled_values at[4], here;
  double energy[4], power = 0.0;
  for (int k = 0; k < 4; k++) {
    assembled_ahead(m, s, 1e-4 * steps[k], &at[k]);
    energy[k] = at[k].energy[0] + at[k].energy[1];
  }
  assembled_ahead(m, s, 0.0, &here);
  for (int i = 0; i < m->system->n.nv; i++) power += s->v[i] * here.motion[i];
  /* 1e-16 times energies of about 50, over the step */
  CHECK_NEAR(kit_slope(energy, 1e-4), power + here.energy[2], 1e-8, "power");
}

static void check_all(const typing *typed, uint64_t seed) {
  model one;
  open_model(&one, typed);
  for (int k = 0; k < 3; k++) {
    trmi_arena arena;
    trmi_arena_init(&arena, &one.made.system->arena.allocator);
    trm_state s = assembled_state(&one.made, &arena, &seed);
    for (int i = 0; i < one.made.system->n.nw; i++) s.w[i] = kit_random(&seed);
    assembled_check_blocks(&one.made, &s);
    assembled_check_rates(&one.made, &s);
    for (int i = 0; i < one.made.system->n.ng; i++) s.lam[i] = 0.0;
    for (int i = 0; i < one.made.system->n.na; i++) s.mu[i] = 0.0;
    check_power(&one.made, &s);
    trmi_arena_clear(&arena);
  }
  close_model(&one);
}

static void forces_and_potentials_act_on_followers(void **state) {
  (void)state;
  check_all(&(typing){.pushes = true, .outputs = {"tip.x"}}, 3);
  check_all(&(typing){.potential = "1.3*DM(tip, rigid)^2 + 0.7*AZ(tip, root)*DX(root, tip, rigid)",
                      .outputs = {"tip.x"}}, 4);
}

static void constraints_on_followers_are_exact(void **state) {
  (void)state;
  check_all(&(typing){.constraint = "DX(tip, rigid, root) + 0.3*AZ(tip, rigid)*DM(root, rigid) + "
                                    "0.2*sin(time)*tip.y", .outputs = {"tip.x"}}, 5);
  check_all(&(typing){.nonholonomic = "VX(tip, rigid, root) + 0.4*WY(root, rigid, tip)*tip.z",
                      .outputs = {"tip.x"}}, 6);
}

/* Accelerations of followers depend on positions through J, too. */
static void measures_in_states_and_variables_are_exact(void **state) {
  (void)state;
  check_all(&(typing){.state = "1.1*DM(tip, rigid)*VX(tip, root, rigid) + 0.7*AX(tip, root)",
                      .outputs = {"tip.x"}}, 7);
  check_all(&(typing){.state = "1.2*ACCX(tip, rigid, root) + 0.3*WDTY(root, rigid, tip)*tip.z",
                      .variable = "0.3*sin(u) + 0.2*ACCM(tip)*tip.vx + 0.9*WDTZ(tip, root)",
                      .outputs = {"tip.x"}}, 8);
}

static void loads_between_followers_are_exact(void **state) {
  (void)state;
  check_all(&(typing){.has_hinge = true, .has_bushing = true, .outputs = {"tip.x"},
                      .state = "1.2*hinge.force.x*hinge.A.torque.y + 0.8*TZ(hinge)*tip.x",
                      .variable = "0.3*sin(u) + 1.3*bush.force.x*bush.A.torque.y + "
                                  "0.9*bush.x*bush.ry'"}, 9);
}

/* x' = v and v' = a along the motion, and the pose is that of the carrier. */
static void measures_follow_the_marker(void **state) {
  (void)state;
  static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
  const double h = 1e-4;
  const typing typed = {.outputs = {"DX(tip, rigid)", "VX(tip, rigid)", "ACCX(tip, rigid)", "tip.x",
                                    "WX(tip)", "WDTX(tip)"}};
  model one;
  uint64_t seed = 11;
  double at[6], ahead[4][6], dpi[100];
  trm_error err = {.message = ""};
  trmi_arena arena;
  open_model(&one, &typed);
  trm_system *system = one.made.system;
  trmi_arena_init(&arena, &system->arena.allocator);
  const trm_state s = assembled_state(&one.made, &arena, &seed);
  trm_state moved = {.t = s.t};
  trmi_state_take(system, &arena, &moved);
  assert_false(arena.failed);
  CHECK_OK(trm_system_values(system, &s, &(trm_values){.outputs = at}, &err), err);
  CHECK_NEAR(at[3], one.m.carriers->poses[TIP].x.x, 1e-15, "place");
  for (int k = 0; k < 4; k++) {
    trmi_state_copy(system, &s, &moved);
    for (int i = 0; i < system->n.nv; i++) {
      dpi[i] = steps[k] * h * (s.v[i] + 0.5 * steps[k] * h * s.vd[i]);
      moved.v[i] += steps[k] * h * s.vd[i];
    }
    trm_system_retract(system, s.q, dpi, moved.q);
    CHECK_OK(trm_system_values(system, &moved, &(trm_values){.outputs = ahead[k]}, &err), err);
  }
  static const int pairs[3][2] = {{0, 1}, {1, 2}, {4, 5}}; /* what, its rate */
  for (int i = 0; i < 3; i++) {
    const int f = pairs[i][0];
    const double course[4] = {ahead[0][f], ahead[1][f], ahead[2][f], ahead[3][f]};
    /* h^4 f^(5)/30 + 1e-16/h on numbers up to 10 */
    CHECK_NEAR(at[pairs[i][1]], kit_slope(course, h), 1e-10, "rate of output %d", f);
  }
  trmi_arena_clear(&arena);
  close_model(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(measures_follow_the_marker),
    cmocka_unit_test(forces_and_potentials_act_on_followers),
    cmocka_unit_test(constraints_on_followers_are_exact),
    cmocka_unit_test(measures_in_states_and_variables_are_exact),
    cmocka_unit_test(loads_between_followers_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
