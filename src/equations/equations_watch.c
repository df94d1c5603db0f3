/* equations_watch.c - collects the events, gaps of stops and slips of dry friction of a typed model
 * while its texts are read. */
#include "equations/equations_internal.h"
#include <stdio.h>

int trmi_add_event(trmi_compiler *b, const trmi_event *event, trmi_node function) {
  if (b->nevents == b->nevents_size) {
    const int size = b->nevents_size == 0 ? 32 : 2 * b->nevents_size;
    trmi_event *events = TRMI_TAKE(&b->scratch, trmi_event, size);
    trmi_node *functions = TRMI_TAKE(&b->scratch, trmi_node, size);
    trmi_node *held_z = TRMI_TAKE(&b->scratch, trmi_node, size);
    if (b->scratch.failed) return -1;
    for (int i = 0; i < b->nevents; i++) {
      events[i] = b->events[i], functions[i] = b->function[i], held_z[i] = b->held_z[i];
    }
    b->events = events, b->function = functions, b->held_z = held_z, b->nevents_size = size;
  }
  b->events[b->nevents] = *event;
  b->function[b->nevents] = function;
  return b->nevents++;
}

trmi_node trmi_hold_condition(trmi_compiler *b, const trmi_event *condition, trmi_node watched) {
  enum { HELD_MAX = 5000 };
  for (int i = 0; i < b->nevents; i++) {
    const trmi_event *e = &b->events[i];
    const bool is_same = e->trigger == condition->trigger && e->curve == condition->curve;
    if (is_same && b->function[i] == watched) return b->held_z[i];
  }
  /* position in the text being read: a plain symbol has none of its own */
  const trmi_place place = trmi_graph_here(&b->graph);
  if (b->nevents >= HELD_MAX) {
    trmi_complain(b->complaints, place, "more than %d conditions that make jumps", HELD_MAX);
    return 0;
  }
  trmi_event event = *condition;
  event.z = b->nz++;
  event.place = place;
  event.info = (trm_event_info){.kind = TRM_EVENT_RESTART, .direction = -1, .holds = true};
  const int i = trmi_add_event(b, &event, watched);
  if (i < 0) return 0;
  b->held_z[i] = trmi_symbol(&b->graph, event.z * TRMI_INPUT_LISTS + TRMI_IN_Z);
  return b->held_z[i];
}

void trmi_add_gap(trmi_compiler *b, trmi_node node, const char *name, const char *object) {
  if (trmi_is_constant(&b->graph, node)) return;
  for (const trmi_gap *gap = b->gaps; gap != NULL; gap = gap->next) {
    if (gap->node == node) return;
  }
  trmi_gap *gap = TRMI_TAKE(&b->scratch, trmi_gap, 1);
  if (gap == NULL) return;
  *gap = (trmi_gap){.node = node, .next = b->gaps};
  const trmi_place place = trmi_graph_here(&b->graph);
  if (name != NULL) {
    snprintf(gap->name, sizeof gap->name, "%s", name);
    snprintf(gap->object, sizeof gap->object, "%s", object);
  } else {
    snprintf(gap->name, sizeof gap->name, "impact%d", b->ngaps + 1);
    snprintf(gap->object, sizeof gap->object, "impact in line %d, column %d", place.line,
             place.column);
  }
  b->gaps = gap;
  b->ngaps++;
}

void trmi_add_slip(trmi_compiler *b, const trmi_slip_def *slip) {
  trmi_slip_def *copy = TRMI_TAKE(&b->scratch, trmi_slip_def, 1);
  if (copy == NULL) return;
  *copy = *slip;
  copy->next = b->slips;
  b->slips = copy;
  b->nslips++;
}
