/* equations_drawn.c - points and lines of the section `show`, the picture of equations without
 * shapes. The positions of points are recorded with samples as show.NAME.x, .y and .z; they have no
 * effect on the motion. */
#include "equations/equations_internal.h"
#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 40 }; /* show.NAME.x is a label */

trm_label *trmi_recorded_labels(trmi_equations *eq, int more) {
  trm_label *labels = TRMI_TAKE(&eq->arena, trm_label, eq->n.nrecorded + more);
  if (labels == NULL) return NULL;
  for (int i = 0; i < eq->n.nrecorded; i++) labels[i] = eq->labels[TRM_RECORDED][i];
  eq->labels[TRM_RECORDED] = labels;
  return labels + eq->n.nrecorded;
}

static const trmi_part *point_of(const trmi_parts *drawn, const trmi_text *name) {
  for (int i = 0; i < drawn->count; i++) {
    const trmi_part *part = &drawn->list[i];
    if (strlen(part->key.name) != name->length ||
        memcmp(part->key.name, name->text, name->length) != 0) continue;
    return part;
  }
  return NULL;
}

/* Lines join points. */
static void check_line(trmi_compiler *b, const trmi_part *line) {
  const trmi_parts *drawn = &b->def->parts[TRMI_DRAWN];
  const trmi_text *names = trmi_part_texts(line, "between");
  const int count = trmi_part_find(line, "between")->count;
  if (count < 2) {
    trmi_complain(b->complaints, line->key.place, "line '%.60s' needs two points or more",
                  line->key.name);
  }
  for (int i = 0; i < count; i++) {
    const trmi_part *point = point_of(drawn, &names[i]);
    if (point != NULL && trmi_part_find(point, "at") != NULL) continue;
    trmi_complain(b->complaints, trmi_text_place(&names[i], 0),
                  point != NULL ? "line '%.60s' joins '%.*s', which is a line itself"
                                : "line '%.60s' joins '%.*s', and `show` has no such point",
                  line->key.name, (int)names[i].length, names[i].text);
  }
}

static void record_point(trmi_compiler *b, const trmi_part *point, trm_label *labels) {
  const trmi_text *texts = trmi_part_texts(point, "at");
  if (strlen(point->key.name) > NAME_MOST) {
    trmi_complain(b->complaints, point->key.place, "names of points have at most %d letters",
                  NAME_MOST);
  }
  for (int k = 0; k < 3 && trmi_part_find(point, "at")->count == 3; k++) {
    trm_label *label = &labels[k];
    const trmi_node node = trmi_read_expression(b, &texts[k], TRMI_FOR_DRAWING, "m");
    *label = (trm_label){.kind = TRM_KIND_NONE};
    snprintf(label->name, sizeof label->name, "show.%.40s.%c", point->key.name, "xyz"[k]);
    snprintf(label->object, sizeof label->object, "point '%.48s'", point->key.name);
    trmi_unit_of_label(&b->def->units, b->dimension, label);
    trmi_add_entry(b, TRMI_RESULT_RECORDED, b->eq->n.nrecorded++, 0, node);
  }
}

void trmi_read_drawn(trmi_compiler *b) {
  const trmi_parts *drawn = &b->def->parts[TRMI_DRAWN];
  int npoints = 0;
  for (int i = 0; i < drawn->count; i++) npoints += trmi_part_find(&drawn->list[i], "at") != NULL;
  trm_label *next = trmi_recorded_labels(b->eq, 3 * npoints);
  for (int i = 0; i < drawn->count && next != NULL; i++) {
    const trmi_part *part = &drawn->list[i];
    if (trmi_part_find(part, "between") != NULL) check_line(b, part);
    if (trmi_part_find(part, "at") == NULL) continue;
    record_point(b, part, next);
    next += 3;
  }
}
