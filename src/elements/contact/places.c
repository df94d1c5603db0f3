/* places.c - finds the near pairs among many shapes; they occupy the places of a crowd.
 *
 * Shape i lies in a ball of radius r_i about its origin c_i. Its position c0_i at the last search
 * and a skin s_i are remembered, and a pair has a place if
 *   |c0_i - c0_j| < r_i + s_i + r_j + s_j                                                 (1)
 * so other pairs do not touch while every |c_i - c0_i| <= s_i. A half space of the ground uses the
 * height of c0_i above it for the left side; one on a moving body is always near. At the end of a
 * step of length h all positions are remembered anew if a shape has used up half of its skin,
 *   s_i = r_i/20 + 4 h |v_i|                                                              (2)
 * and pairs are added and removed: only then do patterns change. A state inside an attempt that is
 * outside the skins enlarges them to 2 |c_i - c0_i|, about the same c0_i: pairs are added, none is
 * removed. If there are more of them than places, that state cannot be evaluated, and skins stay as
 * they were: a second look at it, by Newton's method with new matrices, must fail as well.
 * Corners and edges of surfaces have places of their own. They also move when a body turns, so the
 * displacement of a shape is |c_i - c0_i| + |R_i - R0_i| r_i, and a feature is near while its gap
 * is below 2 (s_i + s_j), since skins may have been used up before the next search.        (3)
 * Pairs are found by sorting along the axis on which the shapes are spread most. If there are not
 * enough places, skins are halved; steps that would leave them are repeated with a smaller one.
 * A rejected attempt returns its places: memory is saved before the first pair is added, so a
 * rejection leaves no trace in places, patterns and skins.
 * Lists that depend on the order of sorting are sorted again by numbers, so a restart has the same
 * places. Theory: docs/theory/15-contact.md, section 5. */
#include "elements/contact/contacts_internal.h"
#include "elements/contact/contact_features.h"
#include "core/fail.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shape along the axis of the sweep. */
typedef struct trmi_contact_box {
  double low, high;
  int    item;
} trmi_contact_box;

/* A pair that is near, or a feature of it. */
typedef struct trmi_contact_near {
  int                  a, b;
  trmi_contact_feature f;
  bool                 is_seated; /* has got its place */
} trmi_contact_near;

static const double least_skin = 0.05, ahead = 4.0; /* (2) */
static const double least_single = 0.01;            /* the same where features have places */
enum { HALVINGS = 20 };                             /* of skins where places do not suffice */
/* A free place keeps the pair (a, b) that had it last, as -3 - a; -1: none yet. While pairs are
 * exchanged a place that is to become free has a + 1/2. */
static const double is_unused = -1.0, was_left = -3.0, leaves = 0.5;

/* Are there pairs whose features have places? */
static bool has_features(const trmi_contact_crowd *c) {
  for (int i = 0; i < c->nitems; i++) {
    for (int k = 0; k < i; k++) {
      const trmi_contact_shape *const pair[2] = {&c->items[i].shape, &c->items[k].shape};
      if (trmi_features_are_single(pair)) return true;
    }
  }
  return false;
}

bool trmi_pool_make(trmi_contact_pool *pool, trmi_arena *arena) {
  const size_t n = (size_t)pool->crowd->nitems, places = (size_t)pool->crowd->places;
  const size_t turns = has_features(pool->crowd) ? n : 0;
  pool->nmemory = (int)(2 + 4 * n + 5 * places + 9 * turns);
  pool->memory = TRMI_TAKE(arena, double, pool->nmemory);
  pool->kept = TRMI_TAKE(arena, double, pool->nmemory);
  pool->before = TRMI_TAKE(arena, double, n);
  pool->boxes = TRMI_TAKE(arena, trmi_contact_box, n);
  pool->near = TRMI_TAKE(arena, trmi_contact_near, 2 * places);
  if (arena->failed) return false;
  pool->time = pool->memory;
  pool->has_grown = pool->memory + 1;
  pool->centre = (double (*)[3])(pool->memory + 2);
  pool->skin = pool->memory + 2 + 3 * n;
  pool->pair = (double (*)[5])(pool->skin + n);
  if (turns > 0) pool->turn = (double (*)[9])(pool->skin + n + 5 * places);
  *pool->time = NAN;
  for (size_t k = 0; k < places; k++) pool->pair[k][0] = pool->pair[k][1] = is_unused;
  return true;
}

static bool is_plane(const trmi_contact_item *i) {
  return i->shape.core.kind == TRMI_CORE_PLANE;
}

static trmi_vec3 centre_of(const trmi_contacts *o, const trmi_contact_item *i) {
  const trmi_pose *pose = &o->carriers->poses[i->carrier];
  return v3_add(pose->x, m3_mul(pose->R, i->shape.o));
}

/* (3): displacement of all features of a shape, without its radius */
static double extent_of(const trmi_contact_item *i) {
  const double extent = i->reach - i->shape.core.radius;
  return isfinite(extent) ? extent : 0.0;
}

/* Square of the displacement of a shape since its position was remembered. */
static double square_moved(const trmi_contacts *o, const trmi_contact_pool *pool, int k) {
  const trmi_contact_item *item = &pool->crowd->items[k];
  const trmi_vec3 way = v3_sub(centre_of(o, item), v3_load(pool->centre[k]));
  const double square = v3_dot(way, way), *R = o->carriers->poses[item->carrier].R;
  double turned = 0.0;
  if (pool->turn == NULL) return square;
  for (int i = 0; i < 9; i++) {
    turned += (R[i] - pool->turn[k][i]) * (R[i] - pool->turn[k][i]);
  }
  const double both = sqrt(square) + sqrt(0.5 * turned) * extent_of(item); /* (3) */
  return both * both;
}

/* ---- near pairs ----------------------------------------------------------------------------- */

bool trmi_contact_are_apart(const trmi_contact_crowd *c, int a, int b) {
  for (int k = 0; k < c->napart; k++) {
    if (c->apart[k].low == (a < b ? a : b) && c->apart[k].high == (a < b ? b : a)) return true;
  }
  return false;
}

/* May they ever touch? */
static bool may_touch(const trmi_contact_crowd *c, int a, int b) {
  const trmi_contact_item *A = &c->items[a], *B = &c->items[b];
  const bool meet = ((A->sides & 1) != 0 && (B->sides & 2) != 0) ||
                    ((A->sides & 2) != 0 && (B->sides & 1) != 0);
  return meet && A->carrier != B->carrier && !(is_plane(A) && is_plane(B)) &&
         !trmi_contact_are_apart(c, A->carrier, B->carrier);
}

/* (1) */
static bool are_near(const trmi_contacts *o, const trmi_contact_pool *pool, int a, int b) {
  const trmi_contact_item *A = &pool->crowd->items[a], *B = &pool->crowd->items[b];
  if (is_plane(B)) return are_near(o, pool, b, a);
  const double reach = B->reach + pool->skin[b];
  const trmi_vec3 way = v3_sub(v3_load(pool->centre[b]), v3_load(pool->centre[a]));
  if (!is_plane(A)) return v3_norm(way) < A->reach + pool->skin[a] + reach;
  if (o->carriers->list[A->carrier].kind != TRMI_CARRIER_GROUND) return true;
  return v3_dot(m3_row(A->shape.E, 2), way) < reach;
}

static int by_low(const void *a, const void *b) {
  const trmi_contact_box *A = a, *B = b;
  if (A->low != B->low) return A->low < B->low ? -1 : 1;
  return A->item - B->item;
}

static int by_numbers(const void *a, const void *b) {
  const trmi_contact_near *A = a, *B = b;
  if (A->a != B->a) return A->a - B->a;
  if (A->b != B->b) return A->b - B->b;
  if (A->f.which != B->f.which) return A->f.which - B->f.which;
  return A->f.i != B->f.i ? A->f.i - B->f.i : A->f.k - B->f.k;
}

/* The axis along which shapes are spread most; planes come last in `boxes`. */
static int sort_boxes(trmi_contact_pool *pool, int *count) {
  const trmi_contact_crowd *c = pool->crowd;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  int axis = 0;
  *count = 0;
  for (int i = 0; i < c->nitems; i++) {
    for (int k = 0; k < 3 && !is_plane(&c->items[i]); k++) {
      low[k] = fmin(low[k], pool->centre[i][k]), high[k] = fmax(high[k], pool->centre[i][k]);
    }
  }
  for (int k = 1; k < 3; k++) axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
  for (int i = 0, last = c->nitems; i < c->nitems; i++) {
    const double at = pool->centre[i][axis], reach = c->items[i].reach + pool->skin[i];
    const int place = is_plane(&c->items[i]) ? --last : (*count)++;
    pool->boxes[place] = (trmi_contact_box){at - reach, at + reach, i};
  }
  qsort(pool->boxes, (size_t)*count, sizeof *pool->boxes, by_low);
  return axis;
}

/* Pairs that are found, of which some have features. */
typedef struct noting {
  trmi_contact_pool *pool;
  trmi_contact_near  near;
  int               *found;
} noting;

static bool note(void *self, trmi_contact_feature f) {
  noting *n = self;
  if (*n->found >= n->pool->crowd->places) return false;
  n->near.f = f;
  n->pool->near[(*n->found)++] = n->near;
  return true;
}

/* Permitted displacement of a shape; shapes of the ground do not move. */
static double skin_of(const trmi_contacts *o, const trmi_contact_pool *pool, int k) {
  const trmi_contact_item *item = &pool->crowd->items[k];
  if (o->carriers->list[item->carrier].kind == TRMI_CARRIER_GROUND) return 0.0;
  return is_plane(item) ? INFINITY : 2.0 * pool->skin[k]; /* (3) */
}

/* Note a pair; false: there are more of them than places. */
static bool note_pair(const trmi_contacts *o, trmi_contact_pool *pool, int a, int b, int *found) {
  const trmi_contact_crowd *c = pool->crowd;
  if (!may_touch(c, a, b) || !are_near(o, pool, a, b)) return true;
  const int low = a < b ? a : b, high = a < b ? b : a;
  const trmi_contact_item *A = &c->items[low], *B = &c->items[high];
  noting n = {.pool = pool, .near = {.a = low, .b = high}, .found = found};
  const trmi_feature_search search = {
    .pair = {&A->shape, &B->shape}, .bodies = {A->carrier, B->carrier},
    .poses = o->carriers->poses, .within = skin_of(o, pool, low) + skin_of(o, pool, high),
    .note = note, .self = &n};
  if (trmi_features_are_single(search.pair)) return trmi_features_near(&search);
  return note(&n, (trmi_contact_feature){.which = TRMI_FEATURE_ALL});
}

/* All pairs that are near, sorted by numbers; false: there are more of them than places. */
static bool find_pairs(const trmi_contacts *o, trmi_contact_pool *pool, int *found) {
  int count;
  sort_boxes(pool, &count);
  *found = 0;
  for (int i = 0; i < count; i++) {
    const trmi_contact_box *box = &pool->boxes[i];
    for (int k = i + 1; k < count && pool->boxes[k].low <= box->high; k++) {
      if (!note_pair(o, pool, box->item, pool->boxes[k].item, found)) return false;
    }
    for (int k = count; k < pool->crowd->nitems; k++) {
      if (!note_pair(o, pool, box->item, pool->boxes[k].item, found)) return false;
    }
  }
  qsort(pool->near, (size_t)*found, sizeof *pool->near, by_numbers);
  return true;
}

/* ---- places --------------------------------------------------------------------------------- */

static trmi_contact_near seated_at(const trmi_contact_pool *pool, int place) {
  const double *pair = pool->pair[place];
  return (trmi_contact_near){(int)pair[0], (int)pair[1],
                             {(int)pair[2], (int)pair[3], (int)pair[4]}, false};
}

/* If the items of a pair are exchanged, so are their features. */
static trmi_contact_feature exchanged(trmi_contact_feature f) {
  if (f.which == TRMI_FEATURE_EDGES) return (trmi_contact_feature){f.which, f.k, f.i};
  if (f.which == TRMI_FEATURE_FOOT_0) f.which = TRMI_FEATURE_FOOT_1;
  else if (f.which == TRMI_FEATURE_FOOT_1) f.which = TRMI_FEATURE_FOOT_0;
  return f;
}

/* Put a pair into its place; the item of the first end comes first. */
static void seat(trmi_contacts *o, trmi_contact_pool *pool, int place) {
  trmi_contact *c = &o->list[pool->first + place];
  trmi_contact_near near = seated_at(pool, place);
  if (near.a < 0) {
    c->used = 0;
    return;
  }
  const trmi_contact_item *A = &pool->crowd->items[near.a], *B = &pool->crowd->items[near.b];
  if ((A->sides & 1) == 0 || (B->sides & 2) == 0) {
    const trmi_contact_item *first = B;
    B = A, A = first;
    near.f = exchanged(near.f);
  }
  const trmi_contact_shape *const shapes[2] = {&A->shape, &B->shape};
  c->carrier[0] = A->carrier, c->carrier[1] = B->carrier;
  c->used = trmi_feature_points(shapes, c->carrier, near.f, c->points);
  snprintf(c->object, sizeof c->object, "impact of %.24s on %.24s", A->name, B->name);
}

/* Number of a pair in the list of those found, or -1. */
static int find(const trmi_contact_pool *pool, const trmi_contact_near *pair, int found) {
  int low = 0, high = found - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    const int order = by_numbers(pair, &pool->near[middle]);
    if (order == 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return -1;
}

/* The pairs found that have no place yet move to the front of the list. */
static int keep_new(trmi_contact_pool *pool, int found) {
  const int places = pool->crowd->places;
  trmi_contact_near *seated = pool->near + places;
  int count = 0, nseated = 0, k = 0;
  for (int i = 0; i < places; i++) {
    if (pool->pair[i][0] < 0.0) continue;
    seated[nseated++] = seated_at(pool, i);
  }
  qsort(seated, (size_t)nseated, sizeof *seated, by_numbers);
  for (int i = 0; i < found; i++) {
    while (k < nseated && by_numbers(&seated[k], &pool->near[i]) < 0) k++;
    if (k < nseated && by_numbers(&seated[k], &pool->near[i]) == 0) continue;
    pool->near[count++] = pool->near[i];
  }
  return count;
}

static bool is_leaving(const trmi_contact_pool *pool, int place) {
  return pool->pair[place][0] != floor(pool->pair[place][0]);
}

/* Are there bristles in a place, from the pair that had it last? */
static bool is_bent(const trmi_contact *c, const trm_state *s) {
  for (int k = 0; k < c->npoints; k++) {
    if (trmi_contact_is_bent(c, k, s)) return true;
  }
  return false;
}

/* Number of the pair in the list that had a free place last and left bristles there, or -1. */
static int find_owner(const trmi_contacts *o, const trmi_contact_pool *pool, int place, int count,
                      const trm_state *s) {
  trmi_contact_near own = seated_at(pool, place);
  own.a = (int)was_left - own.a;
  const bool had_one = pool->pair[place][0] < is_unused;
  return had_one && is_bent(&o->list[pool->first + place], s) ? find(pool, &own, count) : -1;
}

/* Give a place to a pair; if it had the place last, its bristles keep their axes. */
static void give(trmi_contacts *o, trmi_contact_pool *pool, int place,
                 const trmi_contact_near *new, bool returns) {
  const double pair[5] = {new->a, new->b, new->f.which, new->f.i, new->f.k};
  memcpy(pool->pair[place], pair, sizeof pair);
  seat(o, pool, place);
  const trmi_contact *c = &o->list[pool->first + place];
  for (int k = 0; k < c->used; k++) {
    trmi_contact_begin(o, c, k, returns, &o->memory[c->first + k]);
  }
}

/* Places for the new pairs: the one where the pair itself has left bristles, then those whose
 * bristles have relaxed, so that it begins without friction. Places that were free before come
 * first, because integrators remember impacts of each place. */
static void give_all(trmi_contacts *o, trmi_contact_pool *pool, int count, const trm_state *s) {
  enum { RELAXED, FREE, LEAVING, KINDS_OF_PLACE };
  const int places = pool->crowd->places;
  int next = 0;
  for (int i = 0; i < places && count > 0; i++) {
    const int owner = find_owner(o, pool, i, count, s);
    if (owner < 0) continue;
    give(o, pool, i, &pool->near[owner], true);
    pool->near[owner].is_seated = true;
  }
  for (int kind = RELAXED; kind < KINDS_OF_PLACE; kind++) {
    for (int i = 0; i < places; i++) {
      while (next < count && pool->near[next].is_seated) next++;
      if (next == count) return;
      if (kind == LEAVING ? !is_leaving(pool, i) : !(pool->pair[i][0] < 0.0)) continue;
      if (kind == RELAXED && is_bent(&o->list[pool->first + i], s)) continue;
      give(o, pool, i, &pool->near[next++], false);
    }
  }
}

static void seat_all(trmi_contacts *o, trmi_contact_pool *pool, int found, const trm_state *s) {
  const int places = pool->crowd->places;
  bool is_new = false;
  for (int i = 0; i < places; i++) {
    const trmi_contact_near own = seated_at(pool, i);
    if (own.a < 0 || find(pool, &own, found) >= 0) continue;
    pool->pair[i][0] += leaves;
    is_new = true;
  }
  const int count = keep_new(pool, found);
  give_all(o, pool, count, s);
  for (int i = 0; i < places && is_new; i++) {
    if (!is_leaving(pool, i)) continue;
    pool->pair[i][0] = was_left - floor(pool->pair[i][0]);
    seat(o, pool, i);
  }
  o->epoch += is_new || count > 0;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static trm_status fail_full(const trmi_contacts *o, const trmi_contact_pool *pool,
                            trm_status status, trm_error *err) {
  const trmi_contact *c = &o->list[pool->first];
  char object[TRM_OBJECT_MAX];
  snprintf(object, sizeof object, "contact '%.40s'", c->name);
  return TRMI_FAIL(err, status, object, "more than %d pairs of its shapes are near each other: "
                   "give it more 'places'", pool->crowd->places);
}

/* Save memory before the first change within a step. */
static void keep_memory(trmi_contacts *o) {
  if (o->has_kept) return;
  o->has_kept = true, o->kept_epoch = o->epoch;
  memcpy(o->kept, o->memory, (size_t)o->npoints * sizeof *o->kept);
  for (int i = 0; i < o->npools; i++) {
    trmi_contact_pool *pool = &o->pools[i];
    memcpy(pool->kept, pool->memory, (size_t)pool->nmemory * sizeof *pool->kept);
  }
}

void trmi_pools_return(trmi_contacts *o) {
  if (!o->has_kept) return;
  memcpy(o->memory, o->kept, (size_t)o->npoints * sizeof *o->kept);
  for (int i = 0; i < o->npools; i++) {
    trmi_contact_pool *pool = &o->pools[i];
    memcpy(pool->memory, pool->kept, (size_t)pool->nmemory * sizeof *pool->kept);
  }
  trmi_pools_restore(o);
  o->epoch = o->kept_epoch;
  o->has_kept = false;
}

/* Enlarge skins that shapes have left; all skins are saved before the first change. */
static bool grow_skins(trmi_contacts *o, trmi_contact_pool *pool) {
  bool is_outside = false;
  for (int k = 0; k < pool->crowd->nitems; k++) {
    pool->before[k] = pool->skin[k];
    if (is_plane(&pool->crowd->items[k])) continue;
    const double square = square_moved(o, pool, k), skin = pool->skin[k];
    if (square <= skin * skin) continue;
    keep_memory(o);
    is_outside = true;
    pool->skin[k] = 2.0 * sqrt(square);
  }
  return is_outside;
}

trm_status trmi_pools_cover(trmi_contacts *o, const trm_state *s, trm_error *err) {
  for (int i = 0; i < o->npools; i++) {
    trmi_contact_pool *pool = &o->pools[i];
    if (isnan(*pool->time)) {
      TRMI_TRY(err, trmi_pools_renew(o, s, err));
      continue;
    }
    if (!grow_skins(o, pool)) continue;
    int found;
    *pool->has_grown = 1.0;
    if (!find_pairs(o, pool, &found)) {
      memcpy(pool->skin, pool->before, (size_t)pool->crowd->nitems * sizeof *pool->skin);
      return fail_full(o, pool, TRM_RETRY_DOMAIN, err);
    }
    seat_all(o, pool, found, s);
  }
  return TRM_OK;
}

/* Has a shape used up half of its skin? */
static bool is_worn(const trmi_contacts *o, const trmi_contact_pool *pool) {
  if (isnan(*pool->time) || *pool->has_grown > 0.0) return true;
  for (int k = 0; k < pool->crowd->nitems; k++) {
    const trmi_contact_item *item = &pool->crowd->items[k];
    if (is_plane(item)) continue;
    if (4.0 * square_moved(o, pool, k) > pool->skin[k] * pool->skin[k]) return true;
  }
  return false;
}

/* (2) */
static void remember_places(const trmi_contacts *o, trmi_contact_pool *pool, double h,
                            double factor) {
  for (int k = 0; k < pool->crowd->nitems; k++) {
    const trmi_contact_item *item = &pool->crowd->items[k];
    const trmi_pose *pose = &o->carriers->poses[item->carrier];
    const double arm = v3_norm(item->shape.o) + (pool->turn != NULL ? extent_of(item) : 0.0);
    const double speed = v3_norm(pose->v) + v3_norm(pose->w) * arm;
    const double least = pool->turn != NULL ? least_single : least_skin;
    v3_store(pool->centre[k], centre_of(o, item));
    if (pool->turn != NULL) memcpy(pool->turn[k], pose->R, sizeof pool->turn[k]);
    pool->skin[k] = is_plane(item) ? 0.0 : factor * (least * item->reach + ahead * h * speed);
  }
}

trm_status trmi_pools_renew(trmi_contacts *o, const trm_state *s, trm_error *err) {
  for (int i = 0; i < o->npools; i++) {
    trmi_contact_pool *pool = &o->pools[i];
    const double h = isnan(*pool->time) ? 0.0 : fmax(s->t - *pool->time, 0.0);
    int found = 0;
    bool fits = !is_worn(o, pool);
    const bool is_same = fits;
    *pool->time = s->t;
    for (int k = 0; k <= HALVINGS && !fits; k++) {
      remember_places(o, pool, h, ldexp(1.0, -k));
      fits = find_pairs(o, pool, &found);
    }
    if (!fits) return fail_full(o, pool, TRM_ERR_INPUT, err);
    *pool->has_grown = 0.0;
    if (!is_same) seat_all(o, pool, found, s);
  }
  return TRM_OK;
}

void trmi_pools_restore(trmi_contacts *o) {
  for (int i = 0; i < o->npools; i++) {
    for (int k = 0; k < o->pools[i].crowd->places; k++) seat(o, &o->pools[i], k);
  }
  o->epoch++;
}
