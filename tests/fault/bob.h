/* bob.h - a pendulum that can be given every trouble, for tests of failures.
 *
 *   m_x x'' + sum x lam_j = 0,   m_y y'' + sum y lam_j = -m_y gravity + f(t, x, y)
 *   g_j = (x^2 + y^2 - l_j^2)/2,   j = one or two rods, or none */
#ifndef TRM_TEST_BOB_H
#define TRM_TEST_BOB_H
#include "unit/kit.h"

typedef enum bob_trouble {
  BOB_FINE,
  BOB_NAN_FORCE,      /* the force is NaN after `since`                     */
  BOB_NAN_CONSTRAINT, /* so is the first constraint                         */
  BOB_NAN_MASS,       /* so is the mass matrix                              */
  BOB_DOMAIN,         /* values refuse to work after `since`                */
  BOB_ERROR,          /* values fail for good after `since`                 */
  BOB_JUMP,           /* a force in y that flips 1e9 times a second         */
  BOB_CLIFF           /* a force in y that turns over within 1e-6 m of y = 0 */
} bob_trouble;

typedef struct bob {
  int         nrods;
  double      length[2];
  double      mass_x, mass_y;
  double      x, y, vx;     /* start                  */
  bob_trouble trouble;
  double      since;        /* [s]                    */
  bool        has_no_names;
} bob;

static inline bob bob_on(int nrods) {
  return (bob){.nrods = nrods, .length = {1.0, 1.0}, .mass_x = 1.0, .mass_y = 1.0, .x = 0.6,
               .y = -0.8, .since = 0.1};
}

static inline void bob_sizes(const void *self, trm_sizes *n) {
  *n = (trm_sizes){.nv = 2, .ng = ((const bob *)self)->nrods};
}

static inline void bob_label(const void *self, trm_quantity list, int i, trm_label *label) {
  static const char *const q[] = {"bob.x", "bob.y"}, *const v[] = {"bob.vx", "bob.vy"};
  if (((const bob *)self)->has_no_names) return;
  if (list == TRM_Q) snprintf(label->name, sizeof label->name, "%s", q[i]);
  if (list == TRM_V) snprintf(label->name, sizeof label->name, "%s", v[i]);
  if (list == TRM_LAM) snprintf(label->name, sizeof label->name, "tension %c", 'A' + i);
  if (list == TRM_Q || list == TRM_V) snprintf(label->object, sizeof label->object, "body 'bob'");
  if (list == TRM_LAM) snprintf(label->object, sizeof label->object, "joint 'rod %c'", 'A' + i);
}

static inline trm_status bob_start(void *self, trm_state *s, trm_error *err) {
  (void)err;
  const bob *b = self;
  s->q[0] = b->x, s->q[1] = b->y, s->v[0] = b->vx;
  return TRM_OK;
}

static inline trm_status bob_values(void *self, const trm_state *s, const trm_values *out,
                                    trm_error *err) {
  const bob *b = self;
  const double x = s->q[0], y = s->q[1], vx = s->v[0], vy = s->v[1];
  const bob_trouble now = s->t > b->since ? b->trouble : BOB_FINE;
  if (now == BOB_DOMAIN) return trm_fail(err, TRM_RETRY_DOMAIN, "body 'bob'", "left the table");
  if (now == BOB_ERROR) return trm_fail(err, TRM_ERR_IO, "table 'wind'", "page is missing");
  if (out->motion != NULL) {
    double f = -9.81 * b->mass_y, mass = b->mass_y;
    if (now == BOB_NAN_FORCE) f = NAN;
    if (now == BOB_NAN_MASS) mass = NAN;
    if (now == BOB_JUMP) f += sin(6.2e9 * s->t) > 0.0 ? 1e3 : -1e3;
    if (now == BOB_CLIFF) f -= 300.0 * atan(1e6 * y);
    out->motion[0] = b->mass_x * s->vd[0];
    out->motion[1] = mass * s->vd[1] - f;
    for (int j = 0; j < b->nrods; j++) {
      out->motion[0] += x * s->lam[j];
      out->motion[1] += y * s->lam[j];
    }
  }
  for (int j = 0; j < b->nrods; j++) {
    const bool lost = now == BOB_NAN_CONSTRAINT && j == 0;
    if (out->g != NULL) out->g[j] = lost ? NAN : 0.5 * (x * x + y * y - pow(b->length[j], 2));
    if (out->g_rate != NULL) out->g_rate[j] = lost ? NAN : x * vx + y * vy;
    if (out->g_bias != NULL) out->g_bias[j] = lost ? NAN : vx * vx + vy * vy;
  }
  if (out->energy != NULL) {
    out->energy[0] = 0.5 * (b->mass_x * vx * vx + b->mass_y * vy * vy);
    out->energy[1] = 9.81 * b->mass_y * y;
    out->energy[2] = 0.0;
  }
  return TRM_OK;
}

static const trm_system_ops bob_ops = {.name = "bob", .sizes = bob_sizes, .label = bob_label,
                                       .start = bob_start, .values = bob_values,
                                       .gives_rates = true};

/* Model text of a body on a hinge with a spring, for calls that are misused; a macro, so that tests
 * may append to it. */
#define BOB_MODEL                                                                                  \
    "trammel: 1\nparameters: {k: 3}\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"                 \
    "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"         \
    "inputs: {u: 0}\nforces: {f: {type: torque, body: b, torque: [0, 0, u - k*j.angle + 1]}}\n"    \
    "outputs: {a: j.angle}\nsimulate: {end: 1}\n"

/* Does a text say that? */
static inline void check_says(const char *text, const char *part, const char *when) {
  if (strstr(text, part) == NULL) fail_msg("%s: \"%s\" does not say \"%s\"", when, text, part);
}

#endif
