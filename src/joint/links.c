/* links.c - rows of joints at work. They own their rows of g and add G^T lam to the motion. */
#include "joint/links.h"
#include "joint/links_mapped.h"
#include "joint/links_reaction.h"
#include <stdio.h>
#include <string.h>

enum { LINK_BLOCKS = 5 };
static const trm_block link_blocks[LINK_BLOCKS] = {TRM_G, TRM_GV_Q, TRM_GB_Q, TRM_GB_V, TRM_GY_Q};

typedef struct part {
  trmi_link       link;
  trmi_link_place at;
  int             A, B; /* carriers */
  int             rows;
  int             entries[LINK_BLOCKS];
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
};

/* ---- values --------------------------------------------------------------------------------- */

static void owns(const void *self, trmi_span rows[TRMI_ROWS]) {
  const trmi_links *links = self;
  for (int i = 0; i < links->count; i++) { /* as far as they follow each other; rest is cleared */
    const part *l = &links->list[i];
    if (i > 0 && l->at.row != rows[TRMI_ROWS_G].end) return;
    if (i == 0) rows[TRMI_ROWS_G].first = l->at.row;
    rows[TRMI_ROWS_G].end = l->at.row + l->rows;
  }
}

static trm_status values(void *self, const trm_state *s, const trm_values *out, trm_error *err) {
  const trmi_links *links = self;
  const bool rows = out->g != NULL || out->g_rate != NULL || out->g_bias != NULL;
  (void)err;
  if (!rows && out->motion == NULL) return TRM_OK;
  for (int i = 0; i < links->count; i++) {
    const part *l = &links->list[i];
    const trmi_pose *A = &links->poses[l->A], *B = &links->poses[l->B];
    if (l->mapped != NULL) {
      trmi_mapped_link_values(l->mapped, s, out);
      continue;
    }
    if (out->motion != NULL) {
      trmi_link_force(&l->link, A, B, s->lam + l->at.row,
                      l->A > 0 ? out->motion + l->at.v_A : NULL,
                      l->B > 0 ? out->motion + l->at.v_B : NULL);
    }
    if (!rows) continue;
    const trmi_link_values at = {
      .g = out->g != NULL ? out->g + l->at.row : NULL,
      .g_rate = out->g_rate != NULL ? out->g_rate + l->at.row : NULL,
      .g_bias = out->g_bias != NULL ? out->g_bias + l->at.row : NULL,
    };
    trmi_link_evaluate(&l->link, A, B, &at);
  }
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

static trm_status blocks(void *self, const trm_state *s, const trm_block_request *request,
                         trm_error *err) {
  const trmi_links *links = self;
  double *place[LINK_BLOCKS];
  (void)s, (void)err;
  for (int k = 0; k < LINK_BLOCKS; k++) place[k] = request->values[link_blocks[k]];
  for (int i = 0; i < links->count; i++) {
    const part *l = &links->list[i];
    const trmi_link_blocks out = {
      .G = trmi_next_entries(&place[0], l->entries[0]),
      .GV_Q = trmi_next_entries(&place[1], l->entries[1]),
      .GB_Q = trmi_next_entries(&place[2], l->entries[2]),
      .GB_V = trmi_next_entries(&place[3], l->entries[3]),
      .GY_Q = trmi_next_entries(&place[4], l->entries[4]),
      .y = request->y != NULL ? request->y + l->at.row : NULL,
    };
    if (l->mapped != NULL) trmi_mapped_link_fill(l->mapped, &out);
    else trmi_link_fill(&l->link, &links->poses[l->A], &links->poses[l->B], &out);
  }
  return TRM_OK;
}

/* ---- quantities ----------------------------------------------------------------------------- */

static trm_status quantities(void *self, int set, const trm_state *s, double *out,
                             double *derivatives, trm_error *err) {
  const trmi_links *links = self;
  const part *l = &links->list[set];
  const double *lam = s->lam + l->at.row;
  trmi_vec3 force, torque;
  (void)err;
  trmi_link_reaction(&l->link, &links->poses[l->A], &links->poses[l->B], lam, &force, &torque);
  v3_store(out, force);
  v3_store(out + 3, torque);
  if (derivatives == NULL) return TRM_OK;
  const int ends[2] = {l->A, l->B};
  trmi_link_reaction_columns(&l->link, links->carriers, ends, lam, derivatives);
  return TRM_OK;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Quaternion of a carrier; NULL: it does not turn. Carriers have moved if one of them maps. */
static const double *quat_of(const trmi_links *links, const trm_state *s, int carrier) {
  const trmi_carrier *c = &links->carriers->list[carrier];
  if (c->map != NULL) return links->poses[carrier].p;
  return c->kind == TRMI_SIDE_BODY ? s->q + c->q + 3 : NULL;
}

/* No joint may be half a turn away from where it holds its markers, or the status is `as`. */
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
  return test_branches(self, s, TRM_RETRY_DOMAIN, err);
}

/* ---- making --------------------------------------------------------------------------------- */

static const trmi_contributor_ops ops = {
  .name = TRMI_LINKS, .rank = TRMI_RANK_JOINTS,
  .owns = owns, .pattern = pattern, .nodes = nodes, .settle = settle, .values = values,
  .blocks = blocks, .quantities = quantities, .test_step = test_step,
};

trmi_links *trmi_links_create(trmi_assembly *a, const trmi_carriers *carriers, int most) {
  trmi_links *links = TRMI_TAKE(&a->elements, trmi_links, 1);
  part *list = TRMI_TAKE(&a->elements, part, most);
  if (a->elements.failed) return NULL;
  *links = (trmi_links){.arena = &a->elements, .carriers = carriers, .poses = carriers->poses,
                        .list = list, .ops = ops};
  trmi_assembly_add(a, &links->ops, links);
  return a->arena.failed ? NULL : links;
}

static const char *copy_name(trmi_arena *arena, const char *name) {
  char *room = TRMI_TAKE(arena, char, strlen(name) + 1);
  return room != NULL ? strcpy(room, name) : "";
}

void trmi_links_add(trmi_links *links, const trmi_link *link, int A, int B, int row,
                    const char *name) {
  part *l = &links->list[links->count++];
  *l = (part){.link = *link, .A = A, .B = B, .rows = trmi_rows_size(link->rows, link->nrows),
              .held = trmi_rows_hold(link->rows, link->nrows),
              .name = copy_name(links->arena, name)};
  l->link.A = links->carriers->list[A].kind, l->link.B = links->carriers->list[B].kind;
  l->at = (trmi_link_place){.row = row, .v_A = links->carriers->list[A].v,
                            .v_B = links->carriers->list[B].v};
  if (links->carriers->list[A].map != NULL || links->carriers->list[B].map != NULL) {
    l->mapped = trmi_mapped_link_create(links->arena, &l->link, links->carriers, A, B, row);
    links->ops.hooks_read_carriers = true;
    if (l->mapped == NULL) { /* the arena remembers */
      links->count--;
      return;
    }
  }
  for (int k = 0; k < LINK_BLOCKS; k++) {
    l->entries[k] = l->mapped != NULL
                        ? trmi_mapped_link_pattern(l->mapped, NULL, link_blocks[k])
                        : trmi_link_pattern(&l->link, NULL, link_blocks[k], &l->at);
  }
}
