/* table_ends.c - remarks on tables used beyond their points, where they continue linearly. A side
 * with slope zero is not reported. */
#include "equations/remarks.h"
#include <math.h>
#include <stdio.h>

enum { USES_MAX = 100 }; /* watched uses */

static const trmi_part *table_of(const trmi_compiler *b, const trmi_spline *curve) {
  const trmi_parts *tables = &b->def->parts[TRMI_TABLES];
  for (int i = 0; i < 3 * tables->count; i++) {
    if (b->curves[i] == curve) return &tables->list[i / 3];
  }
  return NULL;
}

void trmi_use_table(void *self, const trmi_spline *curve, trmi_node x) {
  trmi_compiler *b = self;
  trmi_graph *g = &b->graph;
  const trmi_part *table = table_of(b, curve);
  const int n = curve->n;
  const double range = curve->x[n - 1] - curve->x[0];
  for (int side = 0; side < 2 && table != NULL && b->eq->nlate < USES_MAX; side++) {
    const double end = curve->x[side == 0 ? 0 : n - 1], slope = curve->c[side == 0 ? 0 : n][1];
    if (slope == 0.0) continue;
    char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
    snprintf(object, sizeof object, "table '%.48s'", table->key.name);
    snprintf(text, sizeof text, "it is used %s its %s point, %.6g, and continues straight there "
             "with the slope %.4g", side == 0 ? "before" : "beyond", side == 0 ? "first" : "last",
             end, slope);
    const trmi_node limit = trmi_constant(g, end + (side == 0 ? -1e-9 : 1e-9) * range);
    trmi_remark_add_late(b, object, text,
                         side == 0 ? trmi_sub(g, limit, x) : trmi_sub(g, x, limit));
  }
}
