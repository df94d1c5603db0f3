/* friction_runs.h - a run of a typed text with friction, seen after a second and at its end; and
 * stick-slip of a block on a belt. */
#ifndef FRICTION_RUNS_H
#define FRICTION_RUNS_H
#include "verify/typed.h"
#include <math.h>

typedef struct outcome {
  double out[6], at_one[6]; /* outputs at the end and at t = 1 s */
  double v[12];
  long   steps;
} outcome;

static inline outcome friction_run(const char *text, const char *method, double tolerance) {
  typed m = typed_text(text, "friction", NULL);
  trm_error err = {.message = ""};
  outcome r = {.steps = 0};
  bool done = false;
  trm_sim *sim = typed_sim(&m, method, tolerance);
  for (bool is_past = false; !done;) {
    const trm_state *s = NULL;
    const trm_status status = trm_sim_step(sim, &done, &err);
    if (status != TRM_OK) fail_msg("%s 1e%g: %s\n%s", method, log10(tolerance), err.message, text);
    if (is_past || trm_sim_state(sim)->t < 1.0) continue;
    is_past = true;
    CHECK_OK(trm_sim_interpolate(sim, 1.0, &s, &err), err);
    CHECK_OK(trm_system_values(trm_sim_system(sim), s, &(trm_values){.outputs = r.at_one}, &err),
             err);
  }
  CHECK_OK(trm_sim_outputs(sim, r.out, &err), err);
  r.steps = trm_sim_counters(sim)->steps;
  assert_true(trm_system_sizes(m.system)->nv <= 12);
  memcpy(r.v, trm_sim_state(sim)->v, (size_t)trm_system_sizes(m.system)->nv * sizeof *r.v);
  trm_sim_free(sim);
  typed_close(&m);
  return r;
}

/* A block on a belt, held by a spring; coefficients at rest and in motion. */
typedef struct stick_slip {
  double mass, stiffness, speed, rest, moving;
  double velocity, depth; /* of the law */
} stick_slip;

static const stick_slip stick_slip_usual = {
    .mass = .5, .stiffness = 100, .speed = .05, .rest = .6, .moving = .4, .velocity = 1e-3};

/* With friction that knows only rest and motion it sticks until k x = mu_s N, and slides until it
 * is as fast as the belt. */
static inline double stick_slip_period(const stick_slip *b) {
  const double w = sqrt(b->stiffness / b->mass);
  const double drop = (b->rest - b->moving) * b->mass * 9.81 / b->stiffness;
  return 2 * (acos(-1.0) - atan(drop * w / b->speed)) / w + 2 * drop / b->speed;
}

/* Its model; `belt` and `block` are more of these bodies, `parts` joins them: joints, and sections
 * that follow. */
static inline void stick_slip_text(const stick_slip *b, const char *belt, const char *block,
                                   const char *parts, double end, char *text, size_t size) {
  const int length = snprintf(
      text, size, "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  belt: {mass: 1, inertia: [1, 1, 1], velocity: [%.17g, 0, 0]%s}\n"
      "  block: {mass: %.17g, inertia: [1, 1, 1], velocity: [%.17g, 0, 0]%s}\n"
      "motions: {m: {joint: t, position: %.17g*time}}\n"
      "forces: {s: {type: force, body: block, force: ['-%.17g*block.x', 0, 0]}}\n"
      "outputs: {v: block.vx}\nsimulate: {end: %g}\njoints:\n"
      "  t: {type: translational, bodies: [ground, belt], at: [0, 0, 0], axis: [1, 0, 0]}\n%s",
      b->speed, belt, b->mass, b->speed, block, b->speed, b->stiffness, end, parts);
  assert_true(length > 0 && (size_t)length < size);
}

/* Periods over that of stick_slip_period, without the first one. */
typedef struct slip_run {
  double mean, longest, shortest;
  long   steps;
} slip_run;

static inline slip_run stick_slip_run(const stick_slip *b, const char *text, const char *method,
                                      double tolerance) {
  trm_error err = {.message = ""};
  const double exact = stick_slip_period(b);
  slip_run r = {.longest = 0.0, .shortest = INFINITY};
  double first = 0.0, last = 0.0, t0 = 0.0, v0 = 0.0;
  int count = 0;
  typed m = typed_text(text, "belt", NULL);
  trm_sim *sim = typed_sim(&m, method, tolerance);
  for (bool done = false; !done;) { /* the block turns back once in a period */
    double v;
    CHECK_OK(trm_sim_step(sim, &done, &err), err);
    CHECK_OK(trm_sim_outputs(sim, &v, &err), err);
    const double t = trm_sim_state(sim)->t;
    if (v0 > 0.0 && v <= 0.0) {
      const double turn = t0 + v0 / (v0 - v) * (t - t0);
      if (count > 1) r.longest = fmax(r.longest, (turn - last) / exact);
      if (count > 1) r.shortest = fmin(r.shortest, (turn - last) / exact);
      last = turn;
      if (count++ == 1) first = last;
    }
    t0 = t, v0 = v;
  }
  r.steps = trm_sim_counters(sim)->steps;
  trm_sim_free(sim);
  typed_close(&m);
  if (count < 5) fail_msg("%s: %d periods", method, count);
  r.mean = (last - first) / (count - 2) / exact;
  return r;
}

#endif
