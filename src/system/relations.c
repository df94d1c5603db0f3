/* relations.c - see relations.h. */
#include "system/relations.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void trmi_row_label(const trm_system *sys, int row, trm_label *label) {
  const bool is_holonomic = row < sys->n.ng;
  trm_system_label(sys, is_holonomic ? TRM_LAM : TRM_MU, is_holonomic ? row : row - sys->n.ng,
                   label);
}

void trmi_joint_name(const trm_label *label, char name[TRM_OBJECT_MAX]) {
  const char *open = strchr(label->object, '\'');
  const char *close = strrchr(label->object, '\'');
  const char *dot = strrchr(label->name, '.');
  if (open != NULL && close > open + 1) {
    snprintf(name, TRM_OBJECT_MAX, "%.*s", (int)(close - open - 1), open + 1);
  } else if (dot != NULL && dot != label->name) {
    snprintf(name, TRM_OBJECT_MAX, "%.*s", (int)(dot - label->name), label->name);
  } else {
    snprintf(name, TRM_OBJECT_MAX, "%s", label->name);
  }
}

/* Did a row before row i of relation k name the same object? */
static bool is_named(const trm_system *sys, const trmi_relations *relations, int first, int k,
                     int i, const char *object) {
  trm_label other;
  for (int l = first; l <= k; l++) {
    const trmi_relation *r = &relations->list[l];
    for (int m = 0; m < (l < k ? r->n : i); m++) {
      trmi_row_label(sys, r->row[m], &other);
      if (strcmp(other.object, object) == 0) return true;
    }
  }
  return false;
}

int trmi_relations_names(const trm_system *sys, const trmi_relations *relations, int first,
                         char *text, size_t size) {
  enum { NAMED = 6 };
  int named = 0;
  text[0] = '\0';
  for (int k = first; k < relations->count && named <= NAMED; k++) {
    const trmi_relation *r = &relations->list[k];
    for (int i = 0; i < r->n && named <= NAMED; i++) {
      trm_label label;
      trmi_row_label(sys, r->row[i], &label);
      if (is_named(sys, relations, first, k, i, label.object)) continue;
      const size_t used = strlen(text);
      if (named < NAMED) {
        snprintf(text + used, size - used, "%s%s", named > 0 ? ", " : "", label.object);
      } else {
        snprintf(text + used, size - used, ", ...");
      }
      named++;
    }
  }
  return named;
}

int trmi_relations_contradicted(const trm_system *sys, const trmi_relations *relations,
                                const double *r, double limit) {
  double worst = limit;
  int found = -1;
  for (int k = 0; k < relations->count; k++) {
    const trmi_relation *relation = &relations->list[k];
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < relation->n; i++) {
      const int row = relation->row[i];
      const double scale = row < sys->n.ng ? sys->scale_g[row] : sys->scale_a[row - sys->n.ng];
      sum += relation->y[i] * r[row];
      size += fabs(relation->y[i]) * scale;
    }
    if (fabs(sum) > worst * size) worst = fabs(sum) / size, found = k;
  }
  return found;
}

int trmi_relation_motions(const trm_system *sys, const trmi_relation *relation,
                          char objects[2][TRM_OBJECT_MAX]) {
  int count = 0;
  for (int i = 0; i < relation->n; i++) {
    trm_label label;
    trmi_row_label(sys, relation->row[i], &label);
    if (strncmp(label.object, "motion '", 8) != 0) continue;
    if (count < 2) memcpy(objects[count], label.object, sizeof objects[count]);
    count++;
  }
  return count;
}
