/* equations_instance.c - compiled expressions for one simulation. The program of the tape belongs
 * to the origin; an instance has its own variable numbers: values of the tape, memory, loads,
 * events, start values and results of remarks. */
#include "equations/followers.h"
#include "equations/remarks.h"
#include <string.h>

static double *copy(trmi_arena *arena, const double *from, int n) {
  double *to = TRMI_TAKE(arena, double, n);
  if (to != NULL && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
  return to;
}

static trmi_event *copy_events(trmi_arena *arena, const trmi_event *from, int n) {
  trmi_event *to = TRMI_TAKE(arena, trmi_event, n);
  if (to != NULL && n > 0) memcpy(to, from, (size_t)n * sizeof *to);
  return to;
}

static trmi_remark *copy_remarks(trmi_arena *arena, const trmi_remark *from) {
  trmi_remark *first = NULL, **next = &first;
  for (; from != NULL; from = from->next) {
    trmi_remark *to = TRMI_TAKE(arena, trmi_remark, 1);
    if (to == NULL) break; /* recorded by the arena */
    *to = *from;
    to->next = NULL;
    *next = to;
    next = &to->next;
  }
  return first;
}

trmi_equations *trmi_equations_instance(const trmi_equations *origin,
                                        const trm_allocator *allocator) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  trmi_equations *eq = TRMI_TAKE(&arena, trmi_equations, 1);
  if (eq == NULL) return NULL;
  *eq = *origin;
  eq->tape.value = copy(&arena, origin->tape.value, origin->tape.nslots);
  eq->tape.done = 0;
  eq->pulse_times = NULL;
  eq->npulse_times = eq->pulse_room = 0;
  eq->memory = copy(&arena, origin->memory, origin->nmemory);
  eq->loads = copy(&arena, origin->loads, origin->nloads);
  eq->events = copy_events(&arena, origin->events, origin->n.nevents);
  eq->conditional_remarks = copy_remarks(&arena, origin->conditional_remarks);
  eq->q = copy(&arena, origin->q, origin->nq);
  eq->v = copy(&arena, origin->v, origin->n.nv);
  eq->x = copy(&arena, origin->x, origin->n.nx);
  eq->w = copy(&arena, origin->w, origin->n.nw);
  eq->z = copy(&arena, origin->z, origin->n.nz);
  eq->u = copy(&arena, origin->u, origin->n.nu);
  eq->ud = copy(&arena, origin->ud, origin->n.nu);
  if (eq->followers != NULL) trmi_followers_own(eq, &arena);
  eq->arena = arena;
  if (!arena.failed) return eq;
  trmi_arena_clear(&arena);
  return NULL;
}
