/* test_modal_crank.c - the slider crank of the IVP test set [CRANK] with its rod as a modal body:
 * the frame is at the crank pin, so that D is not zero, and the shapes are
 *   sin pi xi, sin 2 pi xi across,   4 xi - 4 xi^2, 2 xi^2 - xi along,   xi = x/l2           (1)
 * with the mass matrix of the paper as it is printed (8, 1, 1, 2). A loader of the test takes the
 * place of the reduction: it gives the arrays of these shapes in place of those of the mesh, which
 * the model only needs to be complete. */
#include "io/file_loader.h"
#include "io/model_file.h"
#include "problems/slider_crank_rod.h"
#include "verify/typed.h"

enum { NE = TRMI_CRANK_ELASTIC };

static const double pi = 3.14159265358979323846;

/* Normal modes of (1): q = X a, X^T Md X = 1, X^T K X = omega^2. Bending is diagonal. */
static void find_modes(const trmi_crank_rod *rod, double X[NE][NE], double omega2[NE]) {
  memset(X, 0, NE * sizeof *X);
  for (int i = 0; i < 2; i++) {
    X[i][i] = 1.0 / sqrt(rod->Md[i][i]);
    omega2[i] = rod->K[i][i] / rod->Md[i][i];
  }
  /* Md = L L^T of the other two, L^-1 K L^-T turned to its axes */
  const double a = sqrt(rod->Md[2][2]), b = rod->Md[2][3] / a, c = sqrt(rod->Md[3][3] - b * b);
  const double k22 = rod->K[2][2] / (a * a);
  const double k23 = (rod->K[2][3] / a - b / a * rod->K[2][2] / a) / c;
  const double k33 = (rod->K[3][3] - 2.0 * b / a * rod->K[2][3] + b * b / (a * a) * rod->K[2][2]) /
                     (c * c);
  const double angle = 0.5 * atan2(2.0 * k23, k22 - k33);
  for (int k = 0; k < 2; k++) {
    const double u = k == 0 ? cos(angle) : -sin(angle), v = k == 0 ? sin(angle) : cos(angle);
    omega2[2 + k] = u * u * k22 + 2.0 * u * v * k23 + v * v * k33;
    X[3][2 + k] = v / c;
    X[2][2 + k] = (u - b * v / c) / a;
  }
}

static void times_X(double X[NE][NE], const double in[NE], double out[NE]) {
  for (int j = 0; j < NE; j++) {
    out[j] = 0.0;
    for (int i = 0; i < NE; i++) out[j] += in[i] * X[i][j];
  }
}

/* X^T A X of some rows and columns of A. */
static void transform(double X[NE][NE], double A[NE][NE], const int rows[2],
                      const int cols[2], double out[NE * NE]) {
  memset(out, 0, NE * NE * sizeof *out);
  for (int r = 0; r < NE; r++) {
    for (int s = 0; s < NE; s++) {
      for (int i = rows[0]; i < rows[1]; i++) {
        for (int j = cols[0]; j < cols[1]; j++) out[NE * r + s] += X[i][r] * A[i][j] * X[j][s];
      }
    }
  }
}

/* The rod, with interfaces at both ends. */
typedef struct crank_body {
  double omega2[NE], D[3 * NE], L[9 * NE], N[TRMI_AXIS_PAIRS][NE * NE], size[NE], F[3 * NE];
  double none[3 * NE], place[3 * NE];
  int    at_node[NE], tied[2];
  bool   is_rigid[2];
  trmi_modal_interface ends[2];
  trmi_flexible_body   body;
} crank_body;

static const trmi_flexible_body *reduce(const trmi_flexible_def *def, trmi_arena *arena,
                                        char fault[TRMI_FLEXIBLE_FAULT]) {
  static const int bent[2] = {0, 2}, stretched[2] = {2, 4};
  const double length = 0.3, height = 0.008, mass = 0.151104;
  const double tip[NE] = {0, 0, 0, 1}; /* displacement along x of the end, by (1) */
  double X[NE][NE];
  trmi_crank_rod rod;
  crank_body *b = TRMI_TAKE(arena, crank_body, 1);
  (void)def, (void)fault;
  if (b == NULL) return NULL;
  trmi_crank_rod_fill(&rod, length, pi, false, false);
  find_modes(&rod, X, b->omega2);
  times_X(X, rod.C1, b->D);
  times_X(X, rod.C2, b->D + NE);
  times_X(X, rod.C12, b->L);
  times_X(X, rod.C21, b->L + NE);
  transform(X, rod.Md, stretched, stretched, b->N[0]);
  transform(X, rod.Md, bent, bent, b->N[1]);
  transform(X, rod.B, stretched, bent, b->N[3]); /* B = N_12 - N_21 */
  times_X(X, tip, b->F);
  for (int k = 0; k < NE; k++) b->size[k] = 1.0 / sqrt(mass), b->at_node[k] = 1;
  b->ends[0] = (trmi_modal_interface){.name = "first", .F = b->none, .S = b->none};
  b->ends[1] = (trmi_modal_interface){.name = "last", .at = {length}, .F = b->F, .S = b->none};
  b->body = (trmi_flexible_body){
      .arrays = {.n = NE, .mass = mass, .mc = {0.5 * mass * length}, .omega2 = b->omega2, .D = b->D,
                 .L = b->L, .size = b->size, .ninterfaces = 2, .interfaces = b->ends},
      .place = b->place, .at_node = b->at_node, .tied = b->tied, .is_rigid = b->is_rigid,
      .notes = ""};
  b->body.arrays.Sigma[0] = mass * length * length / 3.0;
  b->body.arrays.Sigma[4] = mass * height * height / 12.0;
  for (int k = 0; k < TRMI_AXIS_PAIRS; k++) b->body.arrays.N[k] = b->N[k];
  return &b->body;
}

static const char text[] =
    "trammel: 1\nparameters: {l1: 0.15, l2: 0.3, omega: 150}\nbodies:\n"
    "  crank: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0], angular_velocity: [0, 0, omega]}\n"
    "  slider: {mass: 0.075552, inertia: [1, 1, 1], at: [l1 + l2, 0, 0]}\n"
    "flexible:\n  rod:\n    box: {size: [l2, 0.008, 0.008], cells: [2, 1, 1]}\n"
    "    material: {E: 2e11, nu: 0.3, density: 7870}\n    damping: 0\n"
    "    interfaces: {first: {nodes: XMIN}, last: {nodes: XMAX}}\n"
    "    at: [l1, 0, 0]\n    velocity: [0, l1*omega, 0]\n"
    "    angular_velocity: [0, 0, -omega*l1/l2]\njoints:\n"
    "  pin: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  knee: {type: spherical, bodies: [crank, rod.first], at: [l1, 0, 0]}\n"
    "  wrist: {type: universal, bodies: [rod.last, slider], at: [l1 + l2, 0, 0],\n"
    "          axis: [0, 1, 0], axis2: [0, 0, 1]}\n"
    "  guide: {type: translational, bodies: [ground, slider], at: [l1 + l2, 0, 0],\n"
    "          axis: [1, 0, 0]}\nmotions: {drive: {joint: pin, position: omega*time}}\n"
    "outputs: {x: slider.x, a1: rod.mode1, a2: rod.mode2, a3: rod.mode3, a4: rod.mode4,\n"
    "          angle: 'atan2(rod.last.y - rod.first.y, rod.last.x - rod.first.x)'}\n";

/* x3, q1 .. q4, phi2 of the model, from a start without deformation. */
static void run_modal(const trm_options *o, double out[6]) {
  trm_error err = {.message = ""};
  trmi_loader loader = trmi_file_loader;
  typed m = typed_text(text, "crank", NULL); /* with the mesh of the text */
  loader.reduce = reduce;
  m.model->def.loader = &loader;
  trm_system_free(m.system);
  CHECK_OK(trm_model_create_system(m.model, NULL, &m.system, &err), err);
  assert_int_equal(trm_system_count(m.system, TRM_V), 2 * 6 + 6 + NE);
  trm_sim *sim = kit_sim(m.system, o);
  kit_run(sim);
  double all[6], X[NE][NE], omega2[NE];
  trmi_crank_rod rod;
  CHECK_OK(trm_sim_outputs(sim, all, &err), err);
  trmi_crank_rod_fill(&rod, 0.3, pi, false, false);
  find_modes(&rod, X, omega2);
  out[0] = all[0], out[5] = all[5];
  for (int i = 0; i < NE; i++) {
    out[1 + i] = 0.0;
    for (int j = 0; j < NE; j++) out[1 + i] += X[i][j] * all[1 + j];
  }
  trm_sim_free(sim);
  typed_close(&m);
}

/* The same of the built-in problem, whose numbers are those of the paper (test_crank_reference). */
static void run_problem(const trm_options *o, double out[6]) {
  const trm_setting settings[] = {{"start", "rigid"}, {"pi", "exact"}};
  trm_error err = {.message = ""};
  trm_system *system = NULL;
  CHECK_OK(trm_problem_create(trm_problem_find("slider-crank"), settings, 2, NULL, &system, &err),
           err);
  trm_sim *sim = kit_sim(system, o);
  kit_run(sim);
  const double *q = trm_sim_state(sim)->q;
  out[0] = q[2], out[5] = q[1];
  memcpy(out + 1, q + 3, NE * sizeof *q);
  trm_sim_free(sim);
  trm_system_free(system);
}

static void the_crank_of_the_test_set_is_a_modal_body(void **state) {
  (void)state;
  trm_options o = trm_options_default();
  double modal[6], known[6];
  o.integrator = "explicit";
  o.tolerance = 1e-9;
  o.end = 0.1;
  run_modal(&o, modal);
  run_problem(&o, known);
  /* M8 of NUMERICS-modal; local errors of 1e-9 over a scale of 1 mm leave 1e-11 */
  for (int k = 0; k < 6; k++) {
    print_message("%d: %.12g, off by %.1e\n", k, known[k], modal[k] - known[k]);
    CHECK_NEAR(modal[k], known[k], 1e-10, "value %d", k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_crank_of_the_test_set_is_a_modal_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
