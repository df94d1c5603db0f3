/* constraint.c - a row from an expression of positions and time.
 *   g = the expression                                                                  (1) */
#include "elements/elements.h"

void trmi_build_constraint(trmi_mechanism *m, trmi_joint *j) {
  trmi_compiler *b = m->b;
  const trmi_text *text = trmi_part_texts(j->def, "equals");
  const int before = m->complaints->count;
  if (text == NULL) {
    trmi_complain(m->complaints, j->def->key.place, "constraint '%.60s' needs 'equals', an "
                  "expression that is held at zero", j->def->key.name);
    return;
  }
  const trmi_node g = trmi_read_expression(b, text, TRMI_FOR_CONSTRAINT, NULL);
  b->g[m->extension.add.native_rows + j->node_row] = g; /* (1) */
  trmi_scale_row(b, TRM_LAM, m->extension.add.native_rows + j->node_row);
  if (m->complaints->count > before) return;
  trmi_columns_of(b, g, TRMI_IN_Q);
  if (b->ncolumns > 0) return;
  trmi_complain(m->complaints, trmi_text_place(text, 0), "constraint '%.60s' has no position of a "
                "body in it", j->def->key.name);
}
