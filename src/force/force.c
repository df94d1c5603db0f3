/* force.c - a force and a torque at a marker, from expressions, in the axes of any frame.
 *   f = sum f_k e_k at the origin of the marker,  t = sum t_k e_k,  e_k axes of `frame`   (1) */
#include "force/force.h"
#include <string.h>

static trmi_nodes3 read_vector(trmi_mechanism *m, const trmi_part_def *part, const char *path,
                               const trmi_nodes3 axis[3]) {
  trmi_graph *g = &m->b->graph;
  const trmi_text *texts = trmi_part_texts(m->parameters, part, path, 3);
  if (texts == NULL) return (trmi_nodes3){0, 0, 0};
  const trmi_nodes3 parts = {trmi_read_expression(m->b, &texts[0], TRMI_FOR_FORCE),
                             trmi_read_expression(m->b, &texts[1], TRMI_FOR_FORCE),
                             trmi_read_expression(m->b, &texts[2], TRMI_FOR_FORCE)};
  return n3_combine(g, axis, parts);
}

static void build(trmi_mechanism *m, const trmi_part_def *part) {
  trmi_marker marker, frame;
  const trmi_text *name = trmi_part_texts(m->parameters, part, "marker", 1);
  const trmi_text *along = trmi_part_texts(m->parameters, part, "frame", 1);
  if (name == NULL) {
    trmi_complain(m->complaints, part->key.place, "force '%.60s' needs a marker", part->key.name);
    return;
  }
  if (!trmi_need_marker(m, name, &marker)) return;
  if (along != NULL && !trmi_need_marker(m, along, &frame)) return;
  if (along == NULL) (void)trmi_find_marker(m, "ground", strlen("ground"), &frame);
  const trmi_frame axes = trmi_frame_of(m, &frame);
  trmi_push(m, &marker, read_vector(m, part, "force", axes.axis),
            read_vector(m, part, "torque", axes.axis)); /* (1) */
}

const trmi_force_type trmi_force_force = {
  .name = "force",
  .meaning = "A force and a torque at a marker, in the axes of `frame`.",
  .keys = "marker|frame|force|torque",
  .build = build,
};
