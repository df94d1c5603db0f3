/* modal_twin.c - evaluates a single flexible body, so that threads may share its system. */
#include "elements/flex/modal_body.h"
#include <string.h>

/* A body with numbers of its own, in the arena; NULL: out of memory. */
static trmi_modal_body *twin(const trmi_modal_body *of, trmi_arena *arena) {
  trmi_modal_body *b = TRMI_TAKE(arena, trmi_modal_body, 1);
  if (b == NULL) return NULL;
  *b = *of;
  b->now.is_known = b->has_moved = false;
  if (!trmi_modal_body_room(b, arena)) return NULL;
  for (int k = 0; k < b->nmarkers; k++) {
    b->markers[k] = of->markers[k];
    b->markers[k].map = trmi_map_create(arena, 6 + b->inertia.n);
    if (b->markers[k].map == NULL || !trmi_modal_marker_room(&b->markers[k], arena)) return NULL;
    trmi_modal_marker_connect(&b->markers[k]);
  }
  return b;
}

const trmi_modal_body *trmi_modal_bodies_react(const trmi_modal_bodies *bodies, int i,
                                               const trm_state *s, trmi_arena *arena,
                                               double *rows) {
  trmi_modal_body *b = twin(trmi_modal_bodies_at(bodies, i), arena);
  trmi_pose pose;
  if (b == NULL) return NULL;
  memset(rows, 0, (6 + (size_t)b->inertia.n) * sizeof *rows);
  trmi_modal_body_at(b, s->q + b->q, s->v + b->v, (trmi_modal_wish){.G1 = true});
  trmi_modal_body_motion(b, s, rows);
  for (int k = 0; k < b->nmarkers; k++) {
    trmi_modal_marker_move(&b->markers[k], s->q + b->q, s->v + b->v, &pose);
  }
  return b;
}
