/* live_numbers.c - numbers of a mechanism as live numbers of the graph. */
#include "elements/elements.h"
#include <string.h>

bool trmi_decide(trmi_mechanism *m, bool is_so) {
  m->structure = (m->structure ^ (is_so ? 2 : 1)) * UINT64_C(0x100000001B3);
  return is_so;
}

void trmi_decide_number(trmi_mechanism *m, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  for (int k = 0; k < 64; k++) (void)trmi_decide(m, (bits >> k & 1) != 0);
}

trmi_node trmi_live_number(trmi_mechanism *m, const double *number) {
  return trmi_live(&m->b->graph, number);
}

trmi_node trmi_direction(trmi_mechanism *m, const double *number) {
  trmi_graph *g = &m->b->graph;
  const trmi_node live = trmi_live(g, number);
  for (int sign = 1; sign >= -1; sign -= 2) { /* the graph records both results */
    const trmi_node one = trmi_constant(g, sign);
    if (trmi_is_true(g, trmi_equal(g, live, one))) return one;
  }
  return live;
}

trmi_node trmi_part_node(trmi_mechanism *m, const trmi_part *part, const char *key,
                         double otherwise) {
  int count;
  const double *number = trmi_part_list(part, key, &count);
  return number != NULL ? trmi_live_number(m, number) : trmi_constant(&m->b->graph, otherwise);
}

trmi_node trmi_part_expression(trmi_mechanism *m, const trmi_part *part, const char *key, int k,
                               trmi_purpose purpose, const char *unit) {
  double number;
  int count;
  const trmi_text *texts = trmi_part_texts(part, key);
  double *member = (double *)trmi_part_list(part, key, &count); /* of a copy, see blueprint.h */
  if (texts == NULL || k >= count) return 0;
  if (!trmi_plain_number(texts[k].text, texts[k].length, &number)) {
    return trmi_read_expression(m->b, &texts[k], purpose, unit);
  }
  m->b->dimension = (trmi_dimension){.is_known = false};
  member[k] = number;
  return trmi_live_number(m, &member[k]);
}

const double *trmi_derive(trmi_mechanism *m, trmi_compute compute, const void *of, int count) {
  trmi_derived *derived = TRMI_TAKE(m->kept, trmi_derived, 1);
  double *numbers = TRMI_TAKE(m->kept, double, count);
  if (derived == NULL || numbers == NULL) {
    return NULL; /* recorded by the arena */
  }
  *derived = (trmi_derived){.compute = compute, .of = of, .numbers = numbers, .next = m->derived};
  m->derived = derived;
  compute(m, of, numbers);
  return numbers;
}
