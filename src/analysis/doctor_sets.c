/* doctor_sets.c - dependent sets of constraints by joints, and which rows to release.
 *
 * Relations y_k^T [G; A] = 0 that share rows belong to one set, and so do those of the same
 * joints. Rows S may be released without
 * losing an independent one if the relations of the set, restricted to S, are a square matrix that
 * is not singular:
 *   det (y_k,i)_{k in set, i in S} != 0                                       (1)
 * S is searched inside one joint by elimination with the largest pivot; rows that constrain
 * rotations come first, since a joint without them is a simpler one. */
#include "analysis/doctor_internal.h"
#include "system/relations.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Relations and rows of one set, with local numbers. */
typedef struct set {
  int     nrelations, nrows;
  int    *relation;  /* [nrelations]                                            */
  int    *row;       /* of [G; A]                                    [nrows]    */
  int    *joint;     /* of a row                                     [nrows]    */
  bool   *turns;     /* the row holds a rotation                     [nrows]    */
  double *Y, *work;  /* (1): rows of relations, over their largest   [nrelations * nrows] */
  int    *released;  /* [nrelations]                                            */
} set;

/* --- grouping of relations ---------------------------------------------------- */

/* Number of the set of each relation; returns the number of sets. */
static int number_sets(const trmi_relations *all, int *of_row, int *of_relation) {
  for (int k = 0; k < all->count; k++) of_relation[k] = k;
  for (bool changed = true; changed;) {
    changed = false;
    for (int k = 0; k < all->count; k++) {
      const trmi_relation *r = &all->list[k];
      int least = of_relation[k];
      for (int i = 0; i < r->n; i++) {
        const int other = of_row[r->row[i]];
        if (other > 0 && other - 1 < least) least = other - 1;
      }
      for (int i = 0; i < r->n; i++) {
        if (of_row[r->row[i]] == least + 1) continue;
        of_row[r->row[i]] = least + 1;
        changed = true;
      }
      of_relation[k] = least;
    }
  }
  int count = 0; /* a set has the number of its first relation: close the gaps */
  for (int k = 0; k < all->count; k++) {
    of_relation[k] = of_relation[k] == k ? count++ : of_relation[of_relation[k]];
  }
  return count;
}

/* Hash: sums of these identify sets of joints. */
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Merge sets of the same joints; returns the remaining number. `seen` [njoints] and `sum` [count]
 * are scratch, zero. */
static int merge_sets(const trmi_doctor *d, const trmi_relations *all, int count, int *of_relation,
                      int *seen, uint64_t *sum) {
  for (int k = 0; k < count; k++) {
    for (int l = 0; l < all->count; l++) {
      if (of_relation[l] != k) continue;
      for (int i = 0; i < all->list[l].n; i++) {
        const int joint = d->joint_of[all->list[l].row[i]];
        if (seen[joint] == k + 1) continue;
        seen[joint] = k + 1;
        sum[k] += mix((uint64_t)joint + 1);
      }
    }
  }
  int left = 0;
  for (int k = 0; k < count; k++) {
    int same = 0;
    while (same < left && sum[same] != sum[k]) same++;
    sum[same] = sum[k];
    for (int l = 0; l < all->count; l++) {
      if (of_relation[l] == k) of_relation[l] = same;
    }
    if (same == left) left++;
  }
  return left;
}

/* --- one set -------------------------------------------------------------------- */

/* Collects the rows of relations with number `which`; `local` is scratch [rows]. */
static trm_status collect(trmi_doctor *d, const trmi_relations *all, const int *of_relation,
                          int which, int *local, trmi_arena *arena, set *s, trm_error *err) {
  const int rows = d->out.rank.rows;
  *s = (set){.relation = TRMI_TAKE(arena, int, all->count), .row = TRMI_TAKE(arena, int, rows),
             .joint = TRMI_TAKE(arena, int, rows), .turns = TRMI_TAKE(arena, bool, rows)};
  TRMI_TRY(err, trmi_arena_check(arena, err));
  memset(local, 0, (size_t)rows * sizeof *local);
  for (int k = 0; k < all->count; k++) {
    if (of_relation[k] != which) continue;
    s->relation[s->nrelations++] = k;
    for (int i = 0; i < all->list[k].n; i++) local[all->list[k].row[i]] = 1;
  }
  for (int i = 0; i < rows; i++) {
    if (local[i] == 0) continue;
    trm_label label;
    trmi_row_label(d->sim->sys, i, &label);
    s->joint[s->nrows] = d->joint_of[i];
    s->turns[s->nrows] = label.kind == TRM_KIND_NEWTON_METRE;
    s->row[s->nrows++] = i;
    local[i] = s->nrows; /* one more than its index */
  }
  const size_t size = (size_t)s->nrelations * (size_t)s->nrows;
  s->Y = TRMI_TAKE(arena, double, size);
  s->work = TRMI_TAKE(arena, double, size);
  s->released = TRMI_TAKE(arena, int, s->nrelations);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int k = 0; k < s->nrelations; k++) {
    const trmi_relation *r = &all->list[s->relation[k]];
    double largest = 0.0;
    for (int i = 0; i < r->n; i++) largest = fmax(largest, fabs(r->y[i]));
    for (int i = 0; i < r->n; i++) {
      s->Y[(size_t)k * (size_t)s->nrows + (size_t)local[r->row[i]] - 1] = r->y[i] / largest;
    }
  }
  return TRM_OK;
}

/* Rows of `joint` (-1: of any) that satisfy (1), by elimination; false if there are too few. */
static bool choose_rows(set *s, int joint) {
  const double smallest = 1e-6; /* pivots below this are zero, rows have size one */
  const int n = s->nrows;
  int most = 0;
  for (int j = 0; j < n; j++) most += joint < 0 || s->joint[j] == joint;
  if (most < s->nrelations) return false;
  memcpy(s->work, s->Y, (size_t)s->nrelations * (size_t)n * sizeof(double));
  for (int k = 0; k < s->nrelations; k++) {
    double best = smallest;
    int row = -1, column = -1;
    for (int i = k; i < s->nrelations; i++) {
      for (int j = 0; j < n; j++) {
        if (joint >= 0 && s->joint[j] != joint) continue;
        const double size = fabs(s->work[i * n + j]) * (s->turns[j] ? 10.0 : 1.0);
        if (size >= best * (1.0 + 1e-9)) best = size, row = i, column = j;
      }
    }
    if (row < 0) return false;
    s->released[k] = column;
    for (int j = 0; j < n; j++) {
      const double keep = s->work[k * n + j];
      s->work[k * n + j] = s->work[row * n + j];
      s->work[row * n + j] = keep;
    }
    for (int i = k + 1; i < s->nrelations; i++) {
      const double f = s->work[i * n + column] / s->work[k * n + column];
      for (int j = 0; j < n; j++) s->work[i * n + j] -= f * s->work[k * n + j];
      s->work[i * n + column] = 0.0;
    }
  }
  return true;
}

/* --- words ------------------------------------------------------------------------ */

/* "'c.e1', 'c.e2' of joint 'c'" for the released rows of one joint. */
static void name_rows(const trmi_doctor *d, const set *s, int joint, char *text, size_t size) {
  int named = 0;
  for (int i = 0; i < s->nrows; i++) {
    bool is_released = false;
    for (int k = 0; k < s->nrelations; k++) is_released = is_released || s->released[k] == i;
    if (!is_released || s->joint[i] != joint) continue;
    const size_t used = strlen(text);
    trm_label label;
    trmi_row_label(d->sim->sys, s->row[i], &label);
    snprintf(text + used, size - used, "%s'%s'", named++ > 0 ? ", " : "", label.name);
  }
  const size_t used = strlen(text);
  snprintf(text + used, size - used, " of %s", d->joints[joint].object);
}

/* Rows of a joint that constrain rotations, in the whole system. */
static int turning_rows(const trmi_doctor *d, int joint) {
  int count = 0;
  for (int i = 0; i < d->out.rank.rows; i++) {
    if (d->joint_of[i] != joint) continue;
    trm_label label;
    trmi_row_label(d->sim->sys, i, &label);
    count += label.kind == TRM_KIND_NEWTON_METRE;
  }
  return count;
}

/* The type of a joint with rows of a point and of rotations after rows are released. */
static const char *what_is_left(int turning, int rows, int turning_released, int released) {
  const int points = rows - turning, points_released = released - turning_released;
  if (points != 3 || turning == 0) return NULL;
  if (points_released == 0 && turning_released == turning) return "a spherical";
  if (turning == 2 && points_released == 0 && turning_released == 1) return "a universal";
  if (turning_released == turning && points_released == 1) return "a point_on_line";
  if (turning_released == turning && points_released == 2) return "a point_on_plane";
  return NULL;
}

static void write_hint(const trmi_doctor *d, const set *s, int relax, char *hint) {
  const size_t size = TRM_MESSAGE_MAX;
  hint[0] = '\0';
  if (relax < 0) { /* rows of several joints */
    snprintf(hint, size, "release ");
    for (int k = 0; k < s->nrelations; k++) {
      const int joint = s->joint[s->released[k]];
      bool is_first = true;
      for (int l = 0; l < k; l++) is_first = is_first && s->joint[s->released[l]] != joint;
      if (!is_first) continue;
      if (k > 0) strncat(hint, " and ", size - strlen(hint) - 1);
      name_rows(d, s, joint, hint, size);
    }
    return;
  }
  const trm_doctor_joint *joint = &d->joints[relax];
  int turning = 0;
  for (int k = 0; k < s->nrelations; k++) turning += s->turns[s->released[k]];
  if (s->nrelations == joint->rows) {
    snprintf(hint, size, "leave out %s", joint->object);
    return;
  }
  snprintf(hint, size, "release ");
  name_rows(d, s, relax, hint, size);
  const char *left = what_is_left(turning_rows(d, relax), joint->rows, turning, s->nrelations);
  if (left == NULL) return;
  const size_t used = strlen(hint);
  snprintf(hint + used, size - used, "; it becomes %s joint", left);
}

/* The joint that can release all rows: preferably one with rows of rotations, then the last one. */
static int choose_joint(set *s) {
  int found = -1;
  bool found_turns = false;
  for (int i = s->nrows - 1; i >= 0; i--) {
    const int joint = s->joint[i];
    if (joint == found || !choose_rows(s, joint)) continue;
    bool turns = true;
    for (int k = 0; k < s->nrelations; k++) turns = turns && s->turns[s->released[k]];
    if (found < 0 || (turns && !found_turns)) found = joint, found_turns = turns;
  }
  return found;
}

static trm_status describe(trmi_doctor *d, set *s, trm_doctor_set *out, trm_error *err) {
  int *joints = TRMI_TAKE(&d->arena, int, d->out.njoints);
  int *release = TRMI_TAKE(&d->arena, int, s->nrelations);
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  *out = (trm_doctor_set){.joints = joints, .surplus = s->nrelations, .release = release};
  for (int j = 0; j < d->out.njoints; j++) {
    for (int i = 0; i < s->nrows; i++) {
      if (s->joint[i] != j) continue;
      joints[out->njoints++] = j;
      break;
    }
  }
  out->relax = choose_joint(s);
  const bool is_found = choose_rows(s, out->relax); /* always: relations are independent */
  for (int k = 0; k < s->nrelations && is_found; k++) release[k] = s->row[s->released[k]];
  if (is_found) write_hint(d, s, out->relax, out->hint);
  return TRM_OK;
}

static trm_status find_sets(trmi_doctor *d, const trmi_relations *all, trmi_arena *scratch,
                            trm_doctor_set **sets, int *nsets, trm_error *err) {
  const int rows = d->out.rank.rows;
  int *of_row = TRMI_TAKE(scratch, int, rows), *of_relation = TRMI_TAKE(scratch, int, all->count);
  int *local = TRMI_TAKE(scratch, int, rows), *seen = TRMI_TAKE(scratch, int, d->out.njoints);
  uint64_t *sum = TRMI_TAKE(scratch, uint64_t, all->count);
  TRMI_TRY(err, trmi_arena_check(scratch, err));
  int count = number_sets(all, of_row, of_relation);
  count = merge_sets(d, all, count, of_relation, seen, sum);
  *sets = TRMI_TAKE(&d->arena, trm_doctor_set, count);
  TRMI_TRY(err, trmi_arena_check(&d->arena, err));
  for (int k = 0; k < count; k++) {
    set s;
    trmi_arena own;
    trmi_arena_init(&own, &scratch->allocator);
    trm_status status = collect(d, all, of_relation, k, local, &own, &s, err);
    if (status == TRM_OK) status = describe(d, &s, &(*sets)[k], err);
    trmi_arena_clear(&own);
    TRMI_TRY(err, status);
    ++*nsets;
  }
  return TRM_OK;
}

trm_status trmi_doctor_find_sets(trmi_doctor *d, const trmi_relations *relations,
                                 trm_doctor_set **sets, int *nsets, trm_error *err) {
  *sets = NULL;
  *nsets = 0;
  if (relations->count == 0) return TRM_OK;
  trmi_arena scratch;
  trmi_arena_init(&scratch, &d->arena.allocator);
  const trm_status status = find_sets(d, relations, &scratch, sets, nsets, err);
  trmi_arena_clear(&scratch);
  TRMI_TRY(err, status);
  return TRM_OK;
}
