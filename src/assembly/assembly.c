/* assembly.c - assembles a mechanism: numbering, labels, the list of contributors. Its functions as
 * a system: assembly_system.c. */
#include "assembly/assembly_internal.h"
#include <stddef.h>
#include <string.h>

trmi_assembly *trmi_assembly_create(const trm_allocator *allocator, const char *name) {
  trmi_arena arena;
  trmi_arena_init(&arena, allocator);
  trmi_assembly *a = TRMI_TAKE(&arena, trmi_assembly, 1);
  char *copy = TRMI_TAKE(&arena, char, strlen(name) + 1);
  int *epoch = TRMI_TAKE(&arena, int, 1);
  trm_block_request *request = TRMI_TAKE(&arena, trm_block_request, 1);
  if (arena.failed) {
    trmi_arena_clear(&arena);
    return NULL;
  }
  a->arena = arena;
  trmi_arena_init(&a->elements, allocator);
  a->ops = trmi_assembly_ops;
  a->ops.name = strcpy(copy, name);
  a->epoch = epoch;
  a->request = request;
  return a;
}

void trmi_assembly_free(trmi_assembly *a) {
  if (a == NULL) return;
  for (int i = 0; i < a->count; i++) {
    if (a->list[i].ops->free != NULL) a->list[i].ops->free(a->list[i].self);
  }
  if (a->free_keeper != NULL) a->free_keeper(a->keeper);
  trmi_arena_clear(&a->elements);
  trmi_arena arena = a->arena; /* `a` lies in it */
  trmi_arena_clear(&arena);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* The length of a list; NULL: no part of it can be claimed. */
static int *length_of(trmi_assembly *a, trm_quantity list) {
  switch (list) {
  case TRM_Q: return &a->nq;
  case TRM_V: return &a->n.nv;
  case TRM_LAM: return &a->n.ng;
  case TRM_MU: return &a->n.na;
  case TRM_X: return &a->n.nx;
  case TRM_W: return &a->n.nw;
  case TRM_Z: return &a->n.nz;
  case TRM_U: return &a->n.nu;
  case TRM_OUTPUT: return &a->n.noutputs;
  case TRM_SHOWN: return &a->n.nshown;
  case TRM_RECORDED: return &a->n.nrecorded;
  case TRM_STIFF: return &a->n.nstiff;
  default: return NULL;
  }
}

int trmi_assembly_find(const trmi_assembly *a, const char *name) {
  for (int i = 0; i < a->count; i++) {
    if (strcmp(a->list[i].ops->name, name) == 0) return i;
  }
  return -1;
}

int trmi_assembly_claim(trmi_assembly *a, trm_quantity list, const trm_label *labels, int count) {
  int *length = length_of(a, list);
  if (length == NULL) return -1;
  const int first = *length, needed = first + count;
  if (needed > a->labels_size[list]) {
    const int size = first == 0 ? count : 2 * needed;
    trm_label *larger = TRMI_TAKE(&a->arena, trm_label, size);
    if (larger == NULL) return -1;
    if (first > 0) memcpy(larger, a->labels[list], (size_t)first * sizeof *larger);
    a->labels[list] = larger, a->labels_size[list] = size;
  }
  if (count > 0) memcpy(a->labels[list] + first, labels, (size_t)count * sizeof *labels);
  *length = needed;
  return first;
}

void trmi_assembly_rotation(trmi_assembly *a, int v) {
  if (a->n.nrot == a->rotation_size) {
    const int size = 2 * a->rotation_size + 16;
    int *larger = TRMI_TAKE(&a->arena, int, size);
    if (larger == NULL) return;
    if (a->n.nrot > 0) memcpy(larger, a->rotation, (size_t)a->n.nrot * sizeof *larger);
    a->rotation = larger, a->rotation_size = size;
  }
  a->rotation[a->n.nrot++] = v;
}

/* ---- contributors --------------------------------------------------------------------------- */

void trmi_assembly_add(trmi_assembly *a, const trmi_contributor_ops *ops, void *self) {
  if (a->count == a->size) {
    const int size = 2 * a->size + 8;
    trmi_contributor *larger = TRMI_TAKE(&a->arena, trmi_contributor, size);
    if (larger == NULL) {
      if (ops->free != NULL) ops->free(self);
      return;
    }
    if (a->count > 0) memcpy(larger, a->list, (size_t)a->count * sizeof *larger);
    a->list = larger, a->size = size;
  }
  int at = a->count++;
  for (; at > 0 && a->list[at - 1].ops->rank > ops->rank; at--) a->list[at] = a->list[at - 1];
  a->list[at] = (trmi_contributor){.ops = ops, .self = self};
  if (ops->join != NULL) ops->join(self, a);
}

/* ---- sealing -------------------------------------------------------------------------------- */

static void count_watched(trmi_assembly *a) {
  a->n.nevents = a->n.ngaps = a->n.nslips = 0;
  for (int i = 0; i < a->count; i++) {
    trmi_contributor *c = &a->list[i];
    if (c->ops->watched == NULL) continue;
    a->is_watching = a->is_watching || c->ops->rank < TRMI_RANK_EQUATIONS;
    c->first = (trmi_watched){.events = a->n.nevents, .gaps = a->n.ngaps, .slips = a->n.nslips};
    c->ops->watched(c->self, &c->count);
    a->n.nevents += c->count.events;
    a->n.ngaps += c->count.gaps;
    a->n.nslips += c->count.slips;
    if (c->ops->place != NULL) c->ops->place(c->self, &c->first);
  }
}

/* Insert a span in ascending order; false: it overlaps another. */
static bool insert_span(trmi_span *list, int *count, trmi_span span) {
  if (span.first >= span.end) return true;
  int at = (*count)++;
  for (; at > 0 && list[at - 1].first > span.first; at--) list[at] = list[at - 1];
  list[at] = span;
  return (at == 0 || list[at - 1].end <= span.first) &&
         (at + 1 == *count || span.end <= list[at + 1].first);
}

/* Replace owned spans in ascending order by the gaps between them. */
static int gaps_between(trmi_span *list, int count, int length) {
  int end = 0, kept = 0;
  for (int i = 0; i <= count; i++) {
    const trmi_span owned = i < count ? list[i] : (trmi_span){length, length};
    const trmi_span free = {end, owned.first};
    end = owned.end;
    if (free.first < free.end) list[kept++] = free; /* kept <= i, and list[i] has been read */
  }
  return kept;
}

/* Members of trm_values and their rows. */
static const struct {
  size_t    member;
  trmi_rows rows;
} members[] = {
  {offsetof(trm_values, motion), TRMI_ROWS_MOTION}, {offsetof(trm_values, g), TRMI_ROWS_G},
  {offsetof(trm_values, g_rate), TRMI_ROWS_G},      {offsetof(trm_values, g_bias), TRMI_ROWS_G},
  {offsetof(trm_values, a_rate), TRMI_ROWS_A},      {offsetof(trm_values, a_bias), TRMI_ROWS_A},
  {offsetof(trm_values, d), TRMI_ROWS_D},           {offsetof(trm_values, w), TRMI_ROWS_W},
  {offsetof(trm_values, energy), TRMI_ROWS_ENERGY},
};
enum { MEMBERS = sizeof members / sizeof *members };

/* Owned rows of one kind, in ascending order; -1 after a failure. */
static int owned_spans(const trmi_assembly *a, trmi_rows sort, trmi_span *list, trm_error *err) {
  int count = 0;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    trmi_span rows[TRMI_ROWS] = {{0, 0}};
    if (c->ops->owns != NULL) c->ops->owns(c->self, rows);
    if (insert_span(list, &count, rows[sort])) continue;
    (void)TRMI_FAIL(err, TRM_ERR_INPUT, c->ops->name,
                    "it owns rows that belong to another contributor");
    return -1;
  }
  return count;
}

static trm_status find_cleared(trmi_assembly *a, trm_error *err) {
  const int lengths[TRMI_ROWS] = {
    [TRMI_ROWS_MOTION] = a->n.nv, [TRMI_ROWS_G] = a->n.ng, [TRMI_ROWS_A] = a->n.na,
    [TRMI_ROWS_D] = a->n.nx, [TRMI_ROWS_W] = a->n.nw, [TRMI_ROWS_ENERGY] = 3,
  };
  trmi_span *list = TRMI_TAKE(&a->arena, trmi_span, a->count + 1);
  a->cleared = TRMI_TAKE(&a->arena, trmi_cleared, MEMBERS * (a->count + 1));
  TRMI_TRY(err, trmi_arena_check(&a->arena, err));
  for (int k = 0; k < MEMBERS; k++) {
    int count = owned_spans(a, members[k].rows, list, err);
    if (count < 0) return trmi_note(err, __func__, TRM_ERR_INPUT);
    count = gaps_between(list, count, lengths[members[k].rows]);
    for (int i = 0; i < count; i++) {
      const size_t length = (size_t)(list[i].end - list[i].first);
      a->cleared[a->ncleared++] = (trmi_cleared){.member = members[k].member, .span = list[i],
                                                 .bytes = length * sizeof(double)};
    }
  }
  return TRM_OK;
}

#define ANY_HAS(a, function) any_has(a, offsetof(trmi_contributor_ops, function))

static bool any_has(const trmi_assembly *a, size_t offset) {
  for (int i = 0; i < a->count; i++) {
    void (*function)(void);
    memcpy(&function, (const char *)a->list[i].ops + offset, sizeof function);
    if (function != NULL) return true;
  }
  return false;
}

/* Gaps of expressions may depend on the memory of any contributor. */
static bool keeps_gaps(const trmi_assembly *a) {
  const bool has_memory = ANY_HAS(a, begin_step) || ANY_HAS(a, accept_step);
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor *c = &a->list[i];
    if (c->count.gaps == 0) continue;
    const bool has_own = c->ops->begin_step != NULL || c->ops->accept_step != NULL;
    if (has_own && !c->ops->keeps_gaps) return false;
    if (has_memory && c->ops->rank == TRMI_RANK_EQUATIONS) return false;
  }
  return true;
}

/* Remove functions without effect, so that callers skip them. */
static void leave_out(trmi_assembly *a) {
  trm_system_ops *ops = &a->ops;
  a->has_carriers = ANY_HAS(a, move);
  if (!ANY_HAS(a, is_given)) ops->is_given = NULL;
  if (!ANY_HAS(a, settle)) ops->settle = NULL;
  if (!ANY_HAS(a, event)) ops->event = NULL;
  if (!ANY_HAS(a, begin_step)) ops->begin_step = NULL;
  if (!ANY_HAS(a, accept_step)) ops->accept_step = NULL;
  if (!ANY_HAS(a, reject_step)) ops->reject_step = NULL;
  if (!ANY_HAS(a, news)) ops->news = NULL;
  if (!ANY_HAS(a, step_limit)) ops->step_limit = NULL;
  if (!ANY_HAS(a, next_mark)) ops->next_mark = NULL;
  if (!ANY_HAS(a, is_pulse)) ops->is_pulse = NULL;
  if (!ANY_HAS(a, begin_run)) ops->begin_run = NULL;
  if (!ANY_HAS(a, test_step)) ops->test_step = NULL;
  if (!ANY_HAS(a, cut_states)) ops->cut_states = NULL;
  if (!ANY_HAS(a, match_states)) ops->match_states = NULL;
  if (!ANY_HAS(a, sliding_error)) ops->sliding_error = NULL;
  if (!ANY_HAS(a, gap_info)) ops->gap_info = NULL;
  ops->keeps_gaps = keeps_gaps(a);
  ops->asks_for_patterns = ANY_HAS(a, epoch);
  if (!ops->asks_for_patterns) ops->epoch = NULL;
  if (!ANY_HAS(a, memory_size)) ops->memory_size = NULL;
}

trm_status trmi_assembly_seal(trmi_assembly *a, trm_system_def *out, trm_error *err) {
  TRMI_TRY(err, trmi_arena_check(&a->arena, err));
  TRMI_TRY(err, trmi_arena_check(&a->elements, err));
  if (a->nq != a->n.nv + a->n.nrot) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, a->ops.name, "%d numbers of positions were claimed for %d "
                     "velocities and %d rotations", a->nq, a->n.nv, a->n.nrot);
  }
  count_watched(a);
  TRMI_TRY(err, find_cleared(a, err));
  leave_out(a);
  trmi_assembly_count(a, NULL, a->sealed);
  out->ops = &a->ops;
  out->self = a;
  return TRM_OK;
}

/* ---- rebuilding ----------------------------------------------------------------------------- */

void trmi_assembly_strip(trmi_assembly *a) {
  int kept = 0;
  for (int i = 0; i < a->count; i++) {
    const trmi_contributor c = a->list[i];
    if (c.ops->rank == TRMI_RANK_EQUATIONS) a->list[kept++] = c;
    else if (c.ops->free != NULL) c.ops->free(c.self);
  }
  a->count = kept;
  trmi_arena_rewind(&a->elements);
}

bool trmi_assembly_refit(trmi_assembly *a) {
  int entries[TRM_BLOCKS];
  count_watched(a);
  trmi_assembly_count(a, NULL, entries);
  return memcmp(entries, a->sealed, sizeof entries) == 0;
}
