/* doubtful_numbers.c - angles that look like degrees, a bare number beyond a full turn, and
 * densities that no solid has. Numbers with a unit, expressions and numbers of C programs are taken
 * as they are. */
#include "elements/elements.h"
#include "elements/joint/joint_types.h"
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* Of foams and of the heaviest metals, with room [kg/m^3]. */
static const double density_least = 8.0, density_most = 3e4;

/* A text that is a number and nothing else. */
static bool is_bare(const trmi_text *text, double *number) {
  char *end = NULL;
  if (text->text == NULL || text->length == 0) return false;
  *number = strtod(text->text, &end);
  return end == text->text + text->length;
}

/* Beyond a full turn. */
static bool is_doubtful(const trmi_text *text, double *number) {
  return is_bare(text, number) && fabs(*number) > turn * (1.0 + 1e-3);
}

/* Are all coordinates of a joint angles? */
static bool only_turns(const trmi_mechanism *m, const trmi_part *part) {
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    if (j->def != part) continue;
    const int count = trmi_coordinate_count(j->type);
    bool turns = count > 0;
    for (int k = 0; k < count; k++) turns = turns && trmi_joint_turns(j, k);
    return turns;
  }
  return false;
}

static bool is_angle(const trmi_mechanism *m, const trmi_part *part, const trmi_field *field) {
  const bool is_joint = part->kind->group == TRMI_JOINTS;
  if (is_joint && strcmp(field->path, "start") == 0) return only_turns(m, part);
  if (field->unit == NULL) return false;
  if (strcmp(field->unit, "rad") == 0) return true;
  const bool may_turn = field->unit_turning != NULL && strcmp(field->unit_turning, "rad") == 0;
  return may_turn && is_joint && only_turns(m, part);
}

static void doubt_part(trmi_mechanism *m, const trmi_part *part, const char *owner) {
  for (int i = 1; part->kind != NULL && i < part->kind->nfields; i++) {
    const trmi_given *given = &part->given[i];
    const trmi_field *field = &part->kind->fields[i];
    if (!given->is_given || given->texts == NULL || field->store != TRMI_STORE_NUMBERS) continue;
    double number = 0.0;
    int k = 0;
    while (k < given->count && !is_doubtful(&given->texts[k], &number)) k++;
    if (k == given->count || !is_angle(m, part, field)) continue;
    char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
    snprintf(object, sizeof object, "%s '%.24s%s%.24s'", trmi_part_group_word(part->kind->group),
             owner, owner[0] != '\0' ? "." : "", part->key.name);
    snprintf(text, sizeof text, "its %s of %g is in rad, %.3g turns: degrees are written as '%g "
             "deg'", field->path, number, number / turn, number);
    trmi_remark_add(m->b, object, text);
  }
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    doubt_part(m, inner, part->key.name);
  }
}

/* A bare density, and what it is in SI; false: there is none. */
static bool find_density(const trmi_mechanism *m, const trmi_part *part, double *number,
                         double *si) {
  const trmi_units *u = &m->def->units;
  const trmi_given *given = part->kind != NULL ? trmi_part_find(part, "density") : NULL;
  if (given == NULL || given->texts == NULL || !is_bare(&given->texts[0], number)) return false;
  *si = *number * u->mass / (u->length * u->length * u->length);
  return true;
}

static bool is_of_solid(double si) {
  return si >= density_least && si <= density_most;
}

/* A wrong unit is that of all densities: one that a solid has says that the others are meant. */
static void doubt_densities(trmi_mechanism *m) {
  const trmi_parts *bodies = &m->def->parts[TRMI_BODIES];
  const trmi_part *part = NULL;
  double number = 0.0, si = 0.0;
  for (int i = bodies->count - 1; i >= 0; i--) {
    if (!find_density(m, &bodies->list[i], &number, &si)) continue;
    if (is_of_solid(si)) return;
    part = &bodies->list[i];
  }
  if (part == NULL) return;
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  snprintf(object, sizeof object, "%s '%.40s'", trmi_part_group_word(part->kind->group),
           part->key.name);
  snprintf(text, sizeof text, "its density of %g is %.4g kg/m^3: is it in another unit? Units are "
           "written as '7.85 g/cm^3'", number, si);
  trmi_remark_add(m->b, object, text);
}

void trmi_doubt_numbers(trmi_mechanism *m) {
  if (m->is_renewed) return; /* it was said */
  for (int g = TRMI_BODIES; g <= TRMI_CONTACTS; g++) {
    const trmi_parts *parts = &m->def->parts[g];
    for (int i = 0; i < parts->count; i++) doubt_part(m, &parts->list[i], "");
  }
  doubt_densities(m);
}
