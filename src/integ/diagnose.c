/* diagnose.c - messages about constraints when a start or a run fails.
 *
 * Near a singular pose the smallest pivot of the constraints decreases; the message names the rows
 * whose pivot is a small part of the smallest one at the start. A failed step may contain such a
 * pose,
 *   q(x) = q (+) (x h v + (x h)^2/2 v'),   x in -1/2 .. 3/2                              (1)
 * the search finds the one with the smallest pivot, or with the row that has decreased most. At a
 * start that cannot be assembled, a relation y^T G = 0 with y^T g != 0 cannot be satisfied by a
 * small motion: its rows contradict each other. */
#include "integ/diagnose.h"
#include "system/freedom.h"
#include "system/relations.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pivots below this part of the largest, and of the smallest at the start, are nearly dependent. */
static const double near_pivot = 1e-3, near_start = 0.03;
/* Pivot bound for a start that cannot be closed, where Newton converges slowly towards a singular
 * pose. */
static const double stuck_pivot = 0.03;
/* Residual of contradicting constraints over their scales, and over the largest residual. */
static const double contradiction = 1e-9, main_part = 0.1;
/* Distance of the pose at which a dead centre of a start is tested, over the scales; the bound for
 * pivots there of rows that are dependent everywhere lies, because of curvature, between aside^2
 * and aside. */
static const double aside = 1e-3, aside_pivot = 3e-5;
/* Bound for the mass of a massless direction, over the largest mass. */
static const double massless = 1e-13;

/* The search: a grid, then sections of its best interval. Rows up to which pivots are computed for
 * each pose of it. */
enum { GRID = 32, SECTIONS = 30, ROWS_SEARCHED = 200 };
static const double from = -0.5, until = 1.5; /* of the step */

/* (1) into sim->dense. */
static void move_along(trm_sim *sim, double h, double x) {
  const trm_state *s = trm_sim_state(sim);
  double *displacement = sim->consistent.step;
  trmi_state_copy(sim->sys, s, &sim->dense);
  for (int i = 0; i < sim->sys->n.nv; i++)
    displacement[i] = x * h * (s->v[i] + 0.5 * x * h * s->vd[i]);
  trm_system_retract(sim->sys, s->q, displacement, sim->dense.q);
  trmi_state_at(sim->sys, s, s->t + x * h, &sim->dense);
}

/* Distance of the pose at x from a singular one: 0 is singular. */
static double margin(trm_sim *sim, double h, double x) {
  trm_label row;
  trm_rank rank;
  trmi_relations relations;
  trmi_arena scratch;
  double least = 1.0;
  move_along(sim, h, x);
  (void)trmi_singular_rows_find(sim, &sim->dense, &row, &least);
  if (sim->sys->n.ng + sim->sys->n.na > ROWS_SEARCHED) return least;
  trmi_arena_init(&scratch, &sim->arena.allocator);
  const trm_status status =
      trmi_rank_relate(sim->sys, &sim->dense, 0.0, &scratch, &rank, &relations, NULL);
  if (status == TRM_OK) least = fmin(least, rank.rank < sim->rank.rank ? 0.0 : relations.smallest);
  trmi_arena_clear(&scratch);
  return least;
}

const trm_state *trmi_diagnose_pose(trm_sim *sim, double h) {
  const double cell = (until - from) / GRID;
  double best = 0.0, least = margin(sim, h, 0.0);
  for (int k = 0; k <= GRID && h > 0.0; k++) {
    const double x = from + k * cell, here = margin(sim, h, x);
    if (here < least) least = here, best = x;
  }
  double low = best - cell, high = best + cell;
  for (int k = 0; k < SECTIONS && least > 0.0 && h > 0.0; k++) { /* by thirds */
    const double third = (high - low) / 3, a = margin(sim, h, low + third);
    const double b = margin(sim, h, high - third);
    if (a < b) high -= third;
    else low += third;
    if (fmin(a, b) < least) least = fmin(a, b), best = a < b ? low + third : high - third;
  }
  move_along(sim, h, best);
  return &sim->dense;
}

bool trmi_diagnose_dependent(trm_sim *sim, const trm_state *s, char *text, size_t size) {
  if (sim->sys->n.ng + sim->sys->n.na == 0 || !sim->rank.complete) return false;
  trmi_arena scratch;
  trm_rank rank;
  trmi_relations relations;
  trmi_arena_init(&scratch, &sim->arena.allocator);
  const double tolerance = fmin(near_pivot, near_start * sim->relations.smallest);
  trm_status status = trmi_rank_relate(sim->sys, s, 0.0, &scratch, &rank, &relations, NULL);
  /* the start may have been singular itself: the row residuals at both poses decide */
  int full = status == TRM_OK && rank.rank > sim->rank.rank ? rank.rank : sim->rank.rank;
  if (full < sim->rank_ahead) full = sim->rank_ahead;
  if (status == TRM_OK) {
    status = trmi_rank_relate(sim->sys, s, tolerance, &scratch, &rank, &relations, NULL);
  }
  const bool is_found = status == TRM_OK && rank.complete && rank.rank < full;
  if (is_found) trmi_relations_names(sim->sys, &relations, 0, text, size);
  trmi_arena_clear(&scratch);
  return is_found;
}

bool trmi_diagnose_nearly(trm_sim *sim, char *text, size_t size) {
  const double least = sim->relations.smallest;
  trmi_arena scratch;
  trm_rank rank;
  trmi_relations relations;
  char names[240];
  if (!sim->rank.complete || !(least < near_pivot)) return false;
  trmi_arena_init(&scratch, &sim->arena.allocator);
  const trm_status status =
      trmi_rank_relate(sim->sys, &sim->start, near_pivot, &scratch, &rank, &relations, NULL);
  const bool is_found = status == TRM_OK && rank.rank < sim->rank.rank;
  if (is_found) {
    trmi_relations_names(sim->sys, &relations, 0, names, sizeof names);
    snprintf(text, size, "the constraints of %s are dependent but for %.1e of their size: joints "
             "that should share a point or an axis miss each other by about as much and lock the "
             "motion: give their places with all digits; or the start is next to a singular pose",
             names, least);
  }
  trmi_arena_clear(&scratch);
  return is_found;
}

/* Levels of constraints: positions, velocities, accelerations. */
enum { LEVELS = 3 };
static const char *const sentences[LEVELS] = {
    "%s cannot be closed together", "the rates that %s ask for contradict each other",
    "the accelerations that %s ask for contradict each other"};

/* Values of all rows on a level; the largest over its scale. */
static trm_status row_values(trm_sim *sim, int level, double *r, double *largest) {
  trm_system *sys = sim->sys;
  const int ng = sys->n.ng;
  const trm_values out[LEVELS] = {
      {.g = r}, {.g_rate = r, .a_rate = r + ng}, {.g_bias = r, .a_bias = r + ng}};
  TRMI_TRY(NULL, trm_system_values(sys, &sim->start, &out[level], NULL));
  *largest = 0.0;
  for (int i = 0; i < ng + sys->n.na; i++) {
    const double scale = i < ng ? sys->scale_g[i] : sys->scale_a[i - ng];
    *largest = fmax(*largest, fabs(r[i]) / scale);
  }
  return TRM_OK;
}

/* Are more rows independent next to the start, after a small motion along its free directions? Then
 * it is a dead centre; redundant rows are dependent there as well. */
static bool is_dead_centre(trm_sim *sim, trmi_arena *scratch) {
  trm_system *sys = sim->sys;
  trm_rank here, near;
  trmi_relations relations;
  trmi_freedom freedom;
  double largest = 0.0, *step = sim->consistent.step;
  if (trmi_rank_relate(sys, &sim->start, aside_pivot, scratch, &here, &relations, NULL) != TRM_OK ||
      trmi_freedom_find(sys, &sim->start, &here, scratch, &freedom, NULL) != TRM_OK) {
    return false;
  }
  memset(step, 0, (size_t)sys->n.nv * sizeof(double));
  for (int k = 0; k < freedom.count; k++) {
    const double *z = freedom.Z + (size_t)k * (size_t)sys->n.nv, weight = cos(1.0 + 2.4 * k);
    for (int i = 0; i < sys->n.nv; i++) step[i] += weight * z[i];
  }
  for (int i = 0; i < sys->n.nv; i++) largest = fmax(largest, fabs(step[i]) / sys->scale_v[i]);
  if (!(largest > 0.0)) return false;
  for (int i = 0; i < sys->n.nv; i++) step[i] *= aside / largest;
  trmi_state_copy(sys, &sim->start, &sim->dense);
  trm_system_retract(sys, sim->start.q, step, sim->dense.q);
  return trmi_rank_relate(sys, &sim->dense, aside_pivot, scratch, &near, &relations, NULL) ==
             TRM_OK &&
         near.rank > here.rank;
}

/* Does a contradiction involve motions? Two drives on one degree of freedom, or a drive at a dead
 * centre. */
static bool blame_motions(trm_sim *sim, const trmi_relation *relation, int level,
                          trmi_arena *scratch, char *text, size_t size) {
  static const char *const words[LEVELS] = {"positions", "speeds", "accelerations"};
  char motions[2][TRM_OBJECT_MAX];
  const int count = trmi_relation_motions(sim->sys, relation, motions);
  const bool is_dead = count == 1 && level > 0 && is_dead_centre(sim, scratch);
  if (count >= 2) {
    snprintf(text, size, "%s and %s drive the same freedom and ask it for different %s: leave one "
             "of them out", motions[0], motions[1], words[level]);
  } else if (is_dead) {
    snprintf(text, size, "the pose is singular, a dead centre of %s: the joints do not let it move "
             "from here; begin next to this pose, or drive another joint", motions[0]);
  }
  return count >= 2 || is_dead;
}

/* Contradicting constraints at the level of positions, then of velocities and accelerations. */
static bool find_contradiction(trm_sim *sim, trmi_arena *scratch, char *text, size_t size) {
  trm_system *sys = sim->sys;
  trm_rank rank;
  trmi_relations relations;
  double largest = 0.0, *r = TRMI_TAKE(scratch, double, sys->n.ng + sys->n.na);
  if (r == NULL) return false;
  if (trmi_rank_relate(sys, &sim->start, stuck_pivot, scratch, &rank, &relations, NULL) != TRM_OK) {
    return false;
  }
  for (int level = 0; level < LEVELS; level++) {
    if (row_values(sim, level, r, &largest) != TRM_OK) return false;
    const double little = contradiction / pow(sys->second, level);
    const int k =
        trmi_relations_contradicted(sys, &relations, r, fmax(little, main_part * largest));
    if (k < 0) continue;
    if (blame_motions(sim, &relations.list[k], level, scratch, text, size)) return true;
    const trmi_relations one = {.count = 1, .list = &relations.list[k]};
    char names[200];
    trmi_relations_names(sys, &one, 0, names, sizeof names);
    snprintf(text, size, sentences[level], names);
    return true;
  }
  return false;
}

static bool find_massless(trm_sim *sim, trmi_arena *scratch, char *text, size_t size) {
  trm_system *sys = sim->sys;
  trmi_freedom freedom;
  double mass = 1.0, *direction = TRMI_TAKE(scratch, double, sys->n.nv);
  char names[160];
  if (direction == NULL) return false;
  if (trmi_freedom_find(sys, &sim->start, &sim->rank, scratch, &freedom, NULL) != TRM_OK ||
      trmi_freedom_lightest(sys, &sim->start, &freedom, direction, &mass, NULL) != TRM_OK ||
      !(mass < massless)) {
    return false;
  }
  trmi_direction_names(sys, direction, names, sizeof names);
  snprintf(text, size, "nothing has a mass that moves with %s alone", names);
  return true;
}

trm_status trmi_diagnose_start(trm_sim *sim, trm_status status, trm_error *err) {
  const bool has_rows = sim->sys->n.ng + sim->sys->n.na > 0;
  const bool may_contradict = status == TRM_ERR_ASSEMBLY || status == TRM_ERR_SINGULAR;
  if (!may_contradict || !sim->has_consistent) return status;
  char text[TRM_MESSAGE_MAX] = "";
  trmi_arena scratch;
  trmi_arena_init(&scratch, &sim->arena.allocator);
  bool is_found = has_rows && find_contradiction(sim, &scratch, text, sizeof text);
  const trm_status cause = is_found ? TRM_ERR_ASSEMBLY : status;
  if (!is_found && has_rows) is_found = trmi_diagnose_nearly(sim, text, sizeof text);
  if (!is_found && status == TRM_ERR_SINGULAR) {
    is_found = find_massless(sim, &scratch, text, sizeof text);
  }
  trmi_arena_clear(&scratch);
  if (!is_found) return status;
  trm_error before = *err;
  char *advice = strrchr(before.message, ';'); /* dropped if there is no room for both */
  if (advice != NULL && strlen(before.message) + strlen(text) + 3 > TRM_MESSAGE_MAX) *advice = '\0';
  TRMI_FAIL(err, cause, before.object, "%.*s; %s", TRM_MESSAGE_MAX - (int)strlen(text) - 3,
            before.message, text);
  return cause;
}
