/* relations.h - dependent constraints by the names of their joints. */
#ifndef TRMI_RELATIONS_H
#define TRMI_RELATIONS_H
#include "system/rank.h"

/* Label of row i of [G; A]. */
void trmi_row_label(const trm_system *sys, int row, trm_label *label);

/* The joint of a row: the quoted name in its object ("joint 'knee'"), or the part of the row's
 * name before the last dot, or the whole name. */
void trmi_joint_name(const trm_label *label, char name[TRM_OBJECT_MAX]);

/* "joint 'a', joint 'b'": owners of the rows of relations first .. count-1, each once, at
 * most six. Returns how many there are. */
int trmi_relations_names(const trm_system *sys, const trmi_relations *relations, int first,
                         char *text, size_t size);

/* The relation most violated by the values of rows: |y^T r| over the sum of |y_i| scale_i exceeds
 * `limit`. Returns its number, or -1. The value of other rows of [G; A] is zero. */
int trmi_relations_contradicted(const trm_system *sys, const trmi_relations *relations,
                                const double *r, double limit);

/* How many rows of a relation belong to motions; `objects` receives the first two of them. */
int trmi_relation_motions(const trm_system *sys, const trmi_relation *relation,
                          char objects[2][TRM_OBJECT_MAX]);

#endif
