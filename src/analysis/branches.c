/* branches.c - eigenvalues followed along a motion, from state to state.
 *
 * With y the shape of an eigenvalue lambda over the scales, and L the largest |lambda| of both
 * states,
 *   z = (y, lambda y / L)                                                                 (1)
 *   MAC_ij = |z_i* . z_j|^2 / (|z_i|^2 |z_j|^2)                                           (2)
 * compares branch i with mode j. Modes continue branches so that the sum of
 *   1 - MAC_ij + 3 |lambda_j - e_i| / L,   e_i: lambda_i extrapolated in time,            (3)
 * is minimal (assignment.h). A mode with a MAC below one half begins a new branch, and the old one
 * ends. If a pair of complex eigenvalues becomes two real ones or vice versa, shapes coalesce and
 * (2) is meaningless: the branch continues if its eigenvalue is near, and the second real one
 * begins or ends there. If the pair becomes real again, the second one is the same branch as
 * before. Theory: docs/theory/09-static-modes.md. */
#include "analysis/assignment.h"
#include "analysis/modes.h"
#include <math.h>
#include <string.h>

static const double mac_least = 0.5, miss_weight = 3.0;
/* A coalescing eigenvalue moves by at most this part of its size between two states. */
static const double near_part = 0.5;

/* A branch at the last state. */
typedef struct live_branch {
  int     number;
  int     joined;                   /* number of the branch that joined it last, or -1      */
  double  re, im, re_rate, im_rate; /* eigenvalue, and its rate between the last two states */
  double *z;                        /* y over the scales: real, then imaginary parts [2 nv] */
} live_branch;

struct trm_branches {
  trm_modes_options  options;
  trm_allocator      allocator;
  int                nv, count;  /* velocities of the system, branches so far      */
  double             t;          /* of the last state                              */
  int                nlive, room; /* live branches, and capacity                   */
  live_branch       *live, *next;
  double            *shapes[2], *cost;
  int               *mode_of, *branch_of; /* results of the assignment             */
  long               npoints, points_room;
  trm_branch_point  *points;
  long               nnotes, notes_room;
  trm_branch_note   *notes;
};

/* Room for one more entry of a list. */
static trm_status grow(const trm_branches *b, void **list, long count, long *room, size_t size,
                       trm_error *err) {
  if (count < *room) return TRM_OK;
  const long more = *room > 0 ? 2 * *room : 256;
  void *fresh = trmi_allocate(&b->allocator, (size_t)more * size);
  if (fresh == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room for branches");
  if (count > 0) memcpy(fresh, *list, (size_t)count * size);
  trmi_release(&b->allocator, *list);
  *list = fresh;
  *room = more;
  return TRM_OK;
}

static trm_status note(trm_branches *b, double t, trm_branch_change change, int branch, int other,
                       trm_error *err) {
  void *list = b->notes;
  TRMI_TRY(err, grow(b, &list, b->nnotes, &b->notes_room, sizeof *b->notes, err));
  b->notes = list;
  b->notes[b->nnotes++] = (trm_branch_note){.t = t, .change = change, .branch = branch,
                                            .other = other};
  return TRM_OK;
}

static trm_status add_point(trm_branches *b, double t, const live_branch *at, double mac,
                            trm_error *err) {
  void *list = b->points;
  TRMI_TRY(err, grow(b, &list, b->npoints, &b->points_room, sizeof *b->points, err));
  b->points = list;
  b->points[b->npoints++] = (trm_branch_point){.branch = at->number, .t = t, .re = at->re,
                                               .im = at->im, .mac = mac};
  return TRM_OK;
}

static void release_room(trm_branches *b) {
  void *const lists[] = {b->live, b->next, b->shapes[0], b->shapes[1], b->cost, b->mode_of};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) trmi_release(&b->allocator, lists[i]);
}

/* Arrays for as many branches as modes may be requested. */
static trm_status take_room(trm_branches *b, int nv, int room, trm_error *err) {
  const size_t n = (size_t)room, shape = 2 * (size_t)nv * n * sizeof(double);
  b->nv = nv;
  b->room = room;
  b->live = trmi_allocate(&b->allocator, n * sizeof *b->live);
  b->next = trmi_allocate(&b->allocator, n * sizeof *b->next);
  b->shapes[0] = trmi_allocate(&b->allocator, shape);
  b->shapes[1] = trmi_allocate(&b->allocator, shape);
  b->cost = trmi_allocate(&b->allocator, n * n * sizeof *b->cost);
  b->mode_of = trmi_allocate(&b->allocator, 2 * n * sizeof *b->mode_of);
  if (b->live == NULL || b->next == NULL || b->shapes[0] == NULL || b->shapes[1] == NULL ||
      b->cost == NULL || b->mode_of == NULL) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room for %d branches", room);
  }
  b->branch_of = b->mode_of + room;
  for (int i = 0; i < room; i++) {
    b->live[i].z = b->shapes[0] + 2 * (size_t)nv * (size_t)i;
    b->next[i].z = b->shapes[1] + 2 * (size_t)nv * (size_t)i;
  }
  return TRM_OK;
}

/* (2) of branches that belong to two states; size: L. */
static double mac(const live_branch *one, const live_branch *other, int nv, double size) {
  double re = 0.0, im = 0.0, a2 = 0.0, b2 = 0.0;
  for (int i = 0; i < nv; i++) {
    const double a = one->z[i], ai = one->z[nv + i], b = other->z[i], bi = other->z[nv + i];
    re += a * b + ai * bi;
    im += a * bi - ai * b;
    a2 += a * a + ai * ai;
    b2 += b * b + bi * bi;
  }
  /* the second half of (1) is the first times lambda/L: the product gains (1 + c), c complex */
  const double s2 = size > 0.0 ? size * size : 1.0;
  const double c = 1.0 + (one->re * other->re + one->im * other->im) / s2;
  const double ci = (one->re * other->im - one->im * other->re) / s2;
  const double own = 1.0 + (one->re * one->re + one->im * one->im) / s2;
  const double their = 1.0 + (other->re * other->re + other->im * other->im) / s2;
  const double product = (re * re + im * im) * (c * c + ci * ci);
  return a2 > 0.0 && b2 > 0.0 ? product / (a2 * own * b2 * their) : 0.0;
}

static double size_of(const live_branch *list, int count, double least) {
  double size = least;
  for (int i = 0; i < count; i++) size = fmax(size, hypot(list[i].re, list[i].im));
  return size;
}

/* (3) */
static void fill_costs(trm_branches *b, int nmodes, double dt, double size) {
  for (int i = 0; i < b->nlive; i++) {
    const live_branch *old = &b->live[i];
    const double re = old->re + dt * old->re_rate, im = old->im + dt * old->im_rate;
    for (int j = 0; j < nmodes; j++) {
      const live_branch *new = &b->next[j];
      const double miss = hypot(new->re - re, new->im - im) / (size > 0.0 ? size : 1.0);
      b->cost[i * nmodes + j] = 1.0 - mac(old, new, b->nv, size) + miss_weight * miss;
    }
  }
}

static bool is_pair(const live_branch *l) {
  return l->im != 0.0;
}

static double distance(const live_branch *one, const live_branch *other) {
  return hypot(one->re - other->re, one->im - other->im);
}

/* Does a branch continue in the mode assigned to it? */
static bool continues(const trm_branches *b, const live_branch *old, const live_branch *new,
                      double size) {
  if (mac(old, new, b->nv, size) >= mac_least) return true;
  const double own = fmax(hypot(old->re, old->im), hypot(new->re, new->im));
  return is_pair(old) != is_pair(new) && distance(old, new) <= near_part * own;
}

/* The real eigenvalue nearest to `at` among the unassigned modes, or among the previous branches;
 * -1: none. */
static int nearest_left(const live_branch *list, const int *partner, int count,
                        const live_branch *at) {
  int best = -1;
  for (int k = 0; k < count; k++) {
    if (partner[k] >= 0 || is_pair(&list[k])) continue;
    if (best < 0 || distance(&list[k], at) < distance(&list[best], at)) best = k;
  }
  return best;
}

/* Branches whose pairs became real, or vice versa, with the second real one of each. */
static trm_status note_coalescences(trm_branches *b, int nmodes, double t, trm_error *err) {
  for (int i = 0; i < b->nlive; i++) {
    const int j = b->mode_of[i];
    if (j < 0 || j >= nmodes || is_pair(&b->live[i]) == is_pair(&b->next[j])) continue;
    const bool splits = is_pair(&b->live[i]);
    const int k = splits ? nearest_left(b->next, b->branch_of, nmodes, &b->next[j])
                         : nearest_left(b->live, b->mode_of, b->nlive, &b->live[i]);
    int other = -1;
    if (k >= 0 && splits) {
      b->branch_of[k] = b->nlive; /* not a separate birth */
      other = b->live[i].joined >= 0 ? b->live[i].joined : b->count++;
      b->next[k].number = other;
      b->next[j].joined = -1;
    } else if (k >= 0) {
      b->mode_of[k] = nmodes; /* not a separate end */
      b->next[j].joined = other = b->live[k].number;
    }
    TRMI_TRY(err, note(b, t, splits ? TRM_BRANCH_SPLIT : TRM_BRANCH_JOINED, b->live[i].number,
                       other, err));
  }
  return TRM_OK;
}

/* Numbers, rates and points of the modes in b->next. */
static trm_status continue_branches(trm_branches *b, int nmodes, double t, trm_error *err) {
  const double dt = t - b->t, size = size_of(b->next, nmodes, size_of(b->live, b->nlive, 0.0));
  fill_costs(b, nmodes, b->npoints > 0 ? dt : 0.0, size);
  TRMI_TRY(err, trmi_assign(&b->allocator, b->cost, b->nlive, nmodes, b->mode_of, err));
  for (int j = 0; j < nmodes; j++) b->branch_of[j] = -1;
  for (int i = 0; i < b->nlive; i++) {
    const int j = b->mode_of[i];
    if (j >= 0 && !continues(b, &b->live[i], &b->next[j], size)) b->mode_of[i] = -1;
    if (b->mode_of[i] < 0) continue;
    b->branch_of[j] = i;
    b->next[j].number = b->live[i].number;
    b->next[j].joined = b->live[i].joined;
  }
  TRMI_TRY(err, note_coalescences(b, nmodes, t, err));
  for (int i = 0; i < b->nlive; i++) {
    if (b->mode_of[i] < 0) TRMI_TRY(err, note(b, t, TRM_BRANCH_ENDED, b->live[i].number, -1, err));
  }
  for (int j = 0; j < nmodes; j++) {
    const int i = b->branch_of[j];
    double like = NAN;
    if (i < 0) {
      b->next[j].number = b->count++;
      if (b->npoints > 0 && b->t < t) {
        TRMI_TRY(err, note(b, t, TRM_BRANCH_BORN, b->next[j].number, -1, err));
      }
    } else if (i < b->nlive) {
      const live_branch *old = &b->live[i];
      like = mac(old, &b->next[j], b->nv, size);
      const bool is_same = is_pair(old) == is_pair(&b->next[j]) && dt > 0.0;
      b->next[j].re_rate = is_same ? (b->next[j].re - old->re) / dt : 0.0;
      b->next[j].im_rate = is_same ? (b->next[j].im - old->im) / dt : 0.0;
    }
    TRMI_TRY(err, add_point(b, t, &b->next[j], like, err));
  }
  return TRM_OK;
}

/* Modes at a state into b->next. */
static void read_modes(trm_branches *b, const trm_system *sys, const trm_modes *modes,
                       int nmodes) {
  for (int j = 0; j < nmodes; j++) {
    const trm_mode mode = trm_mode_at(modes, j);
    live_branch *to = &b->next[j];
    *to = (live_branch){.re = mode.re, .im = mode.im, .z = to->z, .number = -1,
                        .joined = -1};
    for (int i = 0; i < b->nv; i++) {
      to->z[i] = mode.shape_re[i] / sys->scale_v[i];
      to->z[b->nv + i] = mode.shape_im[i] / sys->scale_v[i];
    }
  }
}

trm_status trm_branches_create(const trm_modes_options *options, trm_branches **out,
                               trm_error *err) {
  TRMI_NEED(err, out);
  *out = NULL;
  TRMI_NEED(err, options);
  if (options->tag != trm_modes_options_default().tag) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "options need trm_modes_options_default");
  }
  trm_branches *b = trmi_allocate(&options->allocator, sizeof *b);
  if (b == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "no room for branches");
  *b = (trm_branches){.options = *options, .allocator = options->allocator, .t = NAN};
  *out = b;
  return TRM_OK;
}

trm_status trm_branches_add(trm_branches *b, trm_system *system, const trm_state *at,
                            trm_error *err) {
  TRMI_NEED(err, b, system, at);
  trm_modes *modes = NULL;
  if (b->npoints > 0 && !(at->t > b->t)) return TRM_OK; /* samples before and after an event */
  if (b->room > 0 && b->nv != system->n.nv) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "branches of a system with %d velocities cannot "
                     "continue in one with %d", b->nv, system->n.nv);
  }
  TRMI_TRY(err, trm_modes_find(system, at, &b->options, &modes, err));
  const int nmodes = trm_modes_count(modes), wanted = b->options.count;
  trm_status status = TRM_OK;
  if (b->room == 0) status = take_room(b, system->n.nv, wanted > nmodes ? wanted : nmodes, err);
  if (status == TRM_OK) read_modes(b, system, modes, nmodes);
  if (status == TRM_OK) status = continue_branches(b, nmodes, at->t, err);
  trm_modes_free(modes);
  TRMI_TRY(err, status);
  live_branch *const before = b->live;
  b->live = b->next;
  b->next = before;
  b->nlive = nmodes;
  b->t = at->t;
  return TRM_OK;
}

int trm_branches_count(const trm_branches *b) {
  return b == NULL ? 0 : b->count;
}

long trm_branches_points(const trm_branches *b, const trm_branch_point **points) {
  if (points != NULL) *points = b == NULL ? NULL : b->points;
  return b == NULL ? 0 : b->npoints;
}

long trm_branches_notes(const trm_branches *b, const trm_branch_note **notes) {
  if (notes != NULL) *notes = b == NULL ? NULL : b->notes;
  return b == NULL ? 0 : b->nnotes;
}

void trm_branches_free(trm_branches *b) {
  if (b == NULL) return;
  const trm_allocator allocator = b->allocator;
  release_room(b);
  trmi_release(&allocator, b->points);
  trmi_release(&allocator, b->notes);
  trmi_release(&allocator, b);
}
