/* links.c - contributor of rows of joints. They own their rows of g and add G^T lam to the motion.
 * Large numbers of them run in chunks: each joint stores its share of the motion, and shares are
 * added in the order of the joints. A row of the motion receives one number of a joint, so the sum
 * has the same bits as without chunks. */
#include "elements/joint/links.h"
#include "elements/joint/links_mapped.h"
#include "elements/joint/links_reaction_tangent.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINK_BLOCKS = 5, CHUNK = 64, SHARE = 12 };
static const trm_block link_blocks[LINK_BLOCKS] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V, TRM_GY_Q};

typedef struct part {
  trmi_link       link;
  trmi_link_place at;
  int             A, B; /* carriers .. */
  const trmi_pose *pose_A, *pose_B; /* and their poses */
  int             rows;
  int             entries[LINK_BLOCKS];
  int             first[LINK_BLOCKS]; /* entries of the links before it */
  trmi_held       held;
  const char     *name;
  trmi_mapped_link *mapped; /* NULL: both markers have the velocities of their carriers */
} part;

struct trmi_links {
  trmi_contributor_ops ops; /* hooks read carriers if one of them maps */
  trmi_arena          *arena;
  const trmi_carriers *carriers;
  const trmi_pose     *poses;
  part                *list;
  int                  count;
  const trmi_parallel *parallel;
  double              *shares; /* of the motion, of B and of A, for chunks [SHARE count] */
  bool                 is_mapped; /* one of them maps: maps of markers are shared */
  int                 *held;      /* carriers whose axes are constrained and rotate [nheld]    */
  int                 *quats;     /* indices of their quaternions in q; -1: mapped [nheld] */
  int                  nheld;
  bool                *is_held;   /* a carrier is in that list   [carriers]               */
  double              *looked_at; /* their quaternions at the last test of joints [4 nheld] */
};

/* Request to the links of a chunk. */
typedef struct work {
  const trmi_links *links;
  const trm_state  *s;
  const trm_values *out;
  double           *shares; /* NULL: add to the motion */
  const trm_block_request *request;
} work;

static bool pays(const trmi_links *links) {
  return trmi_parallel_pays(links->parallel, links->count, CHUNK) && !links->is_mapped;
}

/* ---- values --------------------------------------------------------------------------------- */

static void owns(const void *self, trmi_span rows[TRMI_ROWS]) {
  const trmi_links *links = self;
  for (int i = 0; i < links->count; i++) { /* as far as they are contiguous; the rest is cleared */
    const part *l = &links->list[i];
    if (i > 0 && l->at.row != rows[TRMI_ROWS_G].end) return;
    if (i == 0) rows[TRMI_ROWS_G].first = l->at.row;
    rows[TRMI_ROWS_G].end = l->at.row + l->rows;
  }
}

/* Links store their shares of the motion. */
static void leave_shares(const work *w, const trmi_link_values *out, int i) {
  const part *l = &w->links->list[i];
  const trmi_link_place at = {.row = l->at.row, .v_A = SHARE * i + SHARE / 2, .v_B = SHARE * i};
  trmi_link_values own = *out;
  own.motion_A = own.motion_B = w->shares;
  for (int k = 0; k < SHARE; k++) w->shares[SHARE * i + k] = -0.0; /* -0 + x is x */
  trmi_link_evaluate(&l->link, &at, l->pose_A, l->pose_B, &own);
}

static void evaluate_some(void *arg, int first, int end) {
  const work *w = arg;
  const trmi_links *links = w->links;
  const bool has_shares = w->shares != NULL && w->out->motion != NULL;
  const trmi_link_values out = {
    .g = w->out->g, .g_rate = w->out->g_rate, .g_bias = w->out->g_bias,
    .lam = w->out->motion != NULL ? w->s->lam : NULL, .motion_A = w->out->motion,
    .motion_B = w->out->motion,
  };
  for (int i = first; i < end; i++) {
    const part *l = &links->list[i];
    if (l->mapped != NULL) trmi_mapped_link_values(l->mapped, w->s, w->out);
    else if (has_shares) leave_shares(w, &out, i);
    else trmi_link_evaluate(&l->link, &l->at, l->pose_A, l->pose_B, &out);
  }
}

static void add_shares(const trmi_links *links, double *motion) {
  for (int i = 0; i < links->count; i++) {
    const part *l = &links->list[i];
    const double *share = links->shares + SHARE * i;
    for (int k = 0; k < (int)l->link.B; k++) motion[l->at.v_B + k] += share[k];
    for (int k = 0; k < (int)l->link.A; k++) motion[l->at.v_A + k] += share[SHARE / 2 + k];
  }
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const trmi_links *links = self;
  (void)err;
  if (out->g == NULL && out->g_rate == NULL && out->g_bias == NULL && out->motion == NULL) {
    return TRM_OK;
  }
  work w = {.links = links, .s = s, .out = out};
  if (!pays(links)) {
    evaluate_some(&w, 0, links->count);
    return TRM_OK;
  }
  w.shares = links->shares;
  trmi_parallel_run(links->parallel, links->count, CHUNK, evaluate_some, &w);
  if (out->motion != NULL) add_shares(links, out->motion);
  return TRM_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static bool has_block(trm_block block) {
  for (int k = 0; k < LINK_BLOCKS; k++) {
    if (link_blocks[k] == block) return true;
  }
  return false;
}

static int pattern(const void *self, trm_pattern *p, trm_block block) {
  const trmi_links *links = self;
  int count = 0;
  for (int i = 0; i < links->count && has_block(block); i++) {
    const part *l = &links->list[i];
    count += l->mapped != NULL ? trmi_mapped_link_pattern(l->mapped, p, block)
                               : trmi_link_pattern(&l->link, p, block, &l->at);
  }
  return count;
}

static void nodes(const void *self, trm_pattern *p) {
  const trmi_links *links = self;
  for (int i = 0; i < links->count; i++) {
    const part *l = &links->list[i];
    if (l->rows > 0) trm_pattern_node(p, TRM_LAM, l->at.row, l->rows);
  }
}

static void fill_some(void *arg, int first, int end) {
  const work *w = arg;
  const trmi_links *links = w->links;
  const trm_block_request *request = w->request;
  double *place[LINK_BLOCKS];
  for (int k = 0; k < LINK_BLOCKS; k++) {
    place[k] = request->values[link_blocks[k]];
    if (place[k] != NULL && first > 0) place[k] += links->list[first].first[k];
  }
  for (int i = first; i < end; i++) {
    const part *l = &links->list[i];
    const trmi_link_blocks out = {
      .G = trmi_next_entries(&place[0], l->entries[0]),
      .GV_Q = trmi_next_entries(&place[1], l->entries[1]),
      .GB_Q = trmi_next_entries(&place[2], l->entries[2]),
      .GB_V = trmi_next_entries(&place[3], l->entries[3]),
      .GY_Q = trmi_next_entries(&place[4], l->entries[4]),
      .y = request->y != NULL ? request->y + l->at.row : NULL,
      .is_strong = request->is_strong,
    };
    if (l->mapped != NULL) trmi_mapped_link_fill(l->mapped, &out);
    else trmi_link_fill(&l->link, l->pose_A, l->pose_B, &out);
  }
}

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const trmi_links *links = self;
  work w = {.links = links, .request = request};
  (void)s, (void)err;
  if (pays(links)) trmi_parallel_run(links->parallel, links->count, CHUNK, fill_some, &w);
  else fill_some(&w, 0, links->count);
  return TRM_OK;
}

/* ---- quantities ----------------------------------------------------------------------------- */

static trm_status quantities(void *self, int set, const trm_state *s, const bool wanted[2],
                             double *out, double *derivatives, trm_error *err) {
  const trmi_links *links = self;
  const part *l = &links->list[set];
  const double *lam = s->lam + l->at.row;
  trmi_vec3 force, torque;
  (void)err;
  trmi_link_reaction(&l->link, l->pose_A, l->pose_B, lam, wanted[0] ? &force : NULL,
                     wanted[1] ? &torque : NULL);
  if (wanted[0]) v3_store(out, force);
  if (wanted[1]) v3_store(out + 3, torque);
  if (derivatives == NULL) return TRM_OK;
  const int ends[2] = {l->A, l->B};
  trmi_link_reaction_columns(&l->link, links->carriers, ends, lam, wanted, derivatives);
  return TRM_OK;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Quaternion of a carrier; NULL: it does not rotate. Carriers must have moved if one of them
 * maps. */
static const double *quat_of(const trmi_links *links, const trm_state *s, int carrier) {
  const trmi_carrier *c = &links->carriers->list[carrier];
  if (c->map != NULL) return links->poses[carrier].p;
  return c->kind == TRMI_CARRIER_BODY ? s->q + c->q + 3 : NULL;
}

/* Has a body rotated by 60 degrees or more since all joints were tested? If not, axes aligned at
 * that time are less than 120 degrees apart, and their rows keep them aligned. */
static bool has_turned(const trmi_links *links, const trm_state *s) {
  const double near = 0.8660254037844386; /* cos of half of it */
  for (int i = 0; i < links->nheld; i++) {
    const int at = links->quats[i];
    const double *p = at >= 0 ? s->q + at : links->poses[links->held[i]].p;
    const double *then = links->looked_at + 4 * i;
    if (p == NULL) continue;
    const double cosine = p[0] * then[0] + p[1] * then[1] + p[2] * then[2] + p[3] * then[3];
    if (!(fabs(cosine) > near)) return true;
  }
  return false;
}

static void note_look(trmi_links *links, const trm_state *s) {
  for (int i = 0; i < links->nheld; i++) {
    const double *p = quat_of(links, s, links->held[i]);
    if (p != NULL) memcpy(links->looked_at + 4 * i, p, 4 * sizeof *p);
  }
}

/* Fail with status `as` if a joint is half a turn away from its intended solution. */
static trm_status test_branches(const trmi_links *links, const trm_state *s, trm_status as,
                                trm_error *err) {
  for (int i = 0; i < links->count; i++) {
    const part *l = &links->list[i];
    if (l->held == TRMI_HOLDS_NONE) continue;
    if (!trmi_link_is_flipped(&l->link, l->held, quat_of(links, s, l->A),
                              quat_of(links, s, l->B))) {
      continue;
    }
    char object[TRM_OBJECT_MAX];
    snprintf(object, sizeof object, "joint '%.48s'", l->name);
    return TRMI_FAIL(err, as, object, "its markers are half a turn away from where it holds them, "
                     "a second solution of its equations; %s", as < 0
                         ? "give start values nearer to the first one"
                         : "take shorter steps");
  }
  return TRM_OK;
}

static trm_status settle(void *self, trm_state *s, bool *changed, trm_error *err) {
  (void)changed;
  return test_branches(self, s, TRM_ERR_ASSEMBLY, err);
}

static trm_status test_step(void *self, const trm_state *s, trm_error *err) {
  trmi_links *links = self;
  if (!has_turned(links, s)) return TRM_OK;
  TRMI_TRY(err, test_branches(links, s, TRM_RETRY_DOMAIN, err));
  note_look(links, s);
  return TRM_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

static const trmi_contributor_ops ops = {
  .name = TRMI_LINKS, .rank = TRMI_RANK_JOINTS,
  .owns = owns, .pattern = pattern, .nodes = nodes, .settle = settle, .values = values,
  .blocks = blocks, .quantities = quantities, .test_step = test_step,
};

trmi_links *trmi_links_create(trmi_assembly *a, const trmi_carriers *carriers, int most) {
  trmi_links *links = TRMI_TAKE(&a->elements, trmi_links, 1);
  part *list = TRMI_TAKE(&a->elements, part, most);
  const size_t shares = a->parallel.loop != NULL ? SHARE * (size_t)most : 0;
  double *share_list = TRMI_TAKE(&a->elements, double, shares);
  int *held = TRMI_TAKE(&a->elements, int, carriers->size);
  int *quats = TRMI_TAKE(&a->elements, int, carriers->size);
  bool *is_held = TRMI_TAKE(&a->elements, bool, carriers->size);
  double *looked_at = TRMI_TAKE(&a->elements, double, 4 * (size_t)carriers->size);
  if (a->elements.failed) return NULL;
  *links = (trmi_links){.arena = &a->elements, .carriers = carriers, .poses = carriers->poses,
                        .list = list, .ops = ops, .parallel = &a->parallel,
                        .shares = share_list, .held = held, .quats = quats, .is_held = is_held,
                        .looked_at = looked_at};
  trmi_assembly_add(a, &links->ops, links);
  return a->arena.failed ? NULL : links;
}

static const char *copy_name(trmi_arena *arena, const char *name) {
  char *room = TRMI_TAKE(arena, char, strlen(name) + 1);
  return room != NULL ? strcpy(room, name) : "";
}

static void hold(trmi_links *links, int carrier) {
  const trmi_carrier *c = &links->carriers->list[carrier];
  if ((c->map == NULL && c->kind != TRMI_CARRIER_BODY) || links->is_held[carrier]) return;
  links->is_held[carrier] = true;
  links->quats[links->nheld] = c->map == NULL ? c->q + 3 : -1;
  links->held[links->nheld++] = carrier;
}

void trmi_links_add(trmi_links *links, const trmi_link *link, int A, int B, int row,
                    const char *name) {
  part *l = &links->list[links->count++];
  *l = (part){.link = *link, .A = A, .B = B, .pose_A = &links->poses[A],
              .pose_B = &links->poses[B], .rows = trmi_rows_size(link->rows, link->nrows),
              .held = trmi_rows_hold(link->rows, link->nrows),
              .name = copy_name(links->arena, name)};
  l->link.A = links->carriers->list[A].kind, l->link.B = links->carriers->list[B].kind;
  l->link.shape = trmi_rows_shape(link->rows, link->nrows);
  l->at = (trmi_link_place){.row = row, .v_A = links->carriers->list[A].v,
                            .v_B = links->carriers->list[B].v};
  if (links->carriers->list[A].map != NULL || links->carriers->list[B].map != NULL) {
    l->mapped = trmi_mapped_link_create(links->arena, &l->link, links->carriers, A, B, row);
    links->ops.hooks_read_carriers = links->is_mapped = true;
    if (l->mapped == NULL) { /* recorded by the arena */
      links->count--;
      return;
    }
  }
  if (l->held != TRMI_HOLDS_NONE) hold(links, A), hold(links, B);
  for (int k = 0; k < LINK_BLOCKS; k++) {
    l->entries[k] = l->mapped != NULL
                        ? trmi_mapped_link_pattern(l->mapped, NULL, link_blocks[k])
                        : trmi_link_pattern(&l->link, NULL, link_blocks[k], &l->at);
    if (links->count > 1) l->first[k] = l[-1].first[k] + l[-1].entries[k];
  }
}
