/* contribute.c - adds bodies and joints of a definition to the assembly as contributors; forces
 * between markers and beams add themselves (elements/force/marker_pairs.c, beams.c). */
#include "elements/body/bodies.h"
#include "elements/joint/links.h"
#include "elements/elements.h"
#include "equations/followers.h"
#include <string.h>

void trmi_contribute_bodies(trmi_mechanism *m) {
  trmi_assembly *a = m->b->assembly;
  const int count = m->nbodies - 1;
  trmi_carriers *carriers = trmi_carriers_create(&a->elements, count);
  if (carriers == NULL) return;
  trmi_bodies *bodies = trmi_bodies_create(a, carriers, count, m->gravity);
  if (bodies == NULL) return;
  m->carriers = carriers;
  for (int i = 1; i <= count; i++) { /* numbers of carriers are those of bodies */
    const trmi_body *body = &m->bodies[i];
    if (body->carrier_n > 0) break; /* its contributor adds it */
    const trmi_body_part part = {.kind = body->kind, .q = body->q, .v = body->v,
                                 .inertia = body->inertia};
    (void)trmi_bodies_add(bodies, &part);
  }
  trmi_contribute_flexible(m);
}

static trmi_link link_of(const trmi_mechanism *m, const trmi_joint *j) {
  trmi_link link = {.rows = j->type->rows, .nrows = j->type->nrows,
                    .s_a = j->A.s, .s_b = j->B.s, .offset = j->offset, .length = j->length};
  memcpy(link.E_a, j->A.E, sizeof j->A.E);
  memcpy(link.E_b, j->B.E, sizeof j->B.E);
  trmi_marker_quats(m, &j->A, &j->B, link.m_a, link.m_b);
  return link;
}

void trmi_contribute_joints(trmi_mechanism *m) {
  int count = 0;
  for (int i = 0; i < m->njoints; i++) count += m->joints[i].row >= 0;
  if (count == 0 || m->carriers == NULL) return;
  trmi_links *links = trmi_links_create(m->b->assembly, m->carriers, count);
  if (links == NULL) return;
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    if (j->row < 0) continue;
    const trmi_link link = link_of(m, j);
    trmi_links_add(links, &link, j->A.body, j->B.body, j->row, j->def->key.name);
  }
}

static void pose_of(const void *self, double q[7], double v[6]) {
  const trmi_pose *pose = self;
  v3_store(q, pose->x);
  memcpy(q + 3, pose->p, 4 * sizeof *q);
  v3_store(v, pose->v);
  v3_store(v + 3, pose->w);
}

void trmi_contribute_followers(trmi_mechanism *m) {
  int number = 0;
  for (int i = 1; i < m->nbodies && m->carriers != NULL; i++) {
    if (m->bodies[i].carrier_n == 0) continue;
    const trmi_carrier *carrier = &m->carriers->list[i];
    const trmi_follower follower = {.map = carrier->map, .v = carrier->v, .pose = pose_of,
                                    .self = &m->carriers->poses[i]};
    trmi_follow(m->b, number++, &follower);
  }
}
