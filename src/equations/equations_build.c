/* equations_build.c - compile a typed model: names, texts, equations, tape. */
#include "equations/equations_marks.h"
#include "equations/equations_quantities.h"
#include "equations/equations_stiff.h"
#include "equations/followers.h"
#include "parts/model_units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Set `z` of the start and name the discrete values of conditions. */
static void name_discrete(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  eq->n.nz = b->nz;
  eq->z = TRMI_TAKE(&eq->arena, double, b->nz);
  eq->labels[TRM_Z] = TRMI_TAKE(&eq->arena, trm_label, b->nz);
  eq->labels[TRM_EVENT] = TRMI_TAKE(&eq->arena, trm_label, b->nevents);
  if (eq->arena.failed) return;
  const trmi_parts *discrete = &b->def->parts[TRMI_DISCRETE];
  for (int i = 0; i < discrete->count; i++) {
    const trmi_part *def = &discrete->list[i];
    eq->z[i] = trmi_part_number_or(def, "value", 0.0);
    trm_label *label = &eq->labels[TRM_Z][i];
    snprintf(label->name, sizeof label->name, "%s", def->key.name);
    snprintf(label->object, sizeof label->object, "discrete value '%.40s'", def->key.name);
  }
  int typed = 0, conditions = 0; /* interleaved: an event on a force adds conditions of its law */
  for (int i = 0; i < b->nevents; i++) {
    const trmi_event *event = &b->events[i];
    trm_label *label = &eq->labels[TRM_EVENT][i];
    if (event->trigger == TRMI_WHEN || event->trigger == TRMI_EVERY) {
      const char *name = b->def->parts[TRMI_EVENTS].list[typed++].key.name;
      snprintf(label->name, sizeof label->name, "%s", name);
      snprintf(label->object, sizeof label->object, "event '%.48s'", name);
    } else {
      snprintf(label->name, sizeof label->name, "condition%d", ++conditions);
      if (event->object[0] != '\0') {
        snprintf(label->object, sizeof label->object, "%s", event->object);
      } else {
        snprintf(label->object, sizeof label->object, "condition in line %d, column %d",
                 event->place.line, event->place.column);
      }
    }
    if (event->z < 0) continue;
    trm_label *held = &eq->labels[TRM_Z][event->z];
    snprintf(held->name, sizeof held->name, "%.40s%s", label->name,
             event->trigger == TRMI_EVERY ? ".next" : "");
    snprintf(held->object, sizeof held->object, "%s", label->object);
    eq->z[event->z] = event->trigger == TRMI_EVERY ? 0.0 : 1.0; /* settled at the start */
  }
}

/* The rate of an event function decides if its value is zero. */
static const trmi_input watched_rates[TRMI_INPUT_LISTS] = {
  [TRMI_IN_Q] = TRMI_IN_V, [TRMI_IN_V] = TRMI_IN_VD, [TRMI_IN_X] = TRMI_IN_XD,
  [TRMI_IN_INPUT] = TRMI_IN_INPUT_RATE};

/* Rate of an unknown along a fixed direction in all unknowns. */
static trmi_node along_way(trmi_graph *g, trmi_input list, int i) {
  const double odd = 0.618034 * (i + 1) + 0.1 * (int)list;
  return trmi_constant(g, 1.0 + 0.4 * (odd - floor(odd)));
}

/* The same for the partial derivatives found last. */
static trmi_node lean_of_partials(trmi_compiler *b) {
  trmi_graph *g = &b->graph;
  trmi_node slope = 0;
  for (int k = 0; k < b->walk.npartials; k++) {
    const trmi_partial p = b->walk.partials[k];
    const trmi_input list = trmi_input_of(b, p.symbol);
    trmi_quantity_column column;
    trmi_node component = 0;
    if (list == TRMI_IN_LOAD) {
      for (int c = 0; trmi_quantity_next(b, p.symbol, &c, &column);) {
        const trmi_node rate = along_way(g, column.by.list, column.by.col);
        component = trmi_add(g, component, trmi_mul(g, rate, column.value));
      }
    } else if (list < TRMI_IN_MEMORY) {
      component = along_way(g, list, trmi_index_of(b, p.symbol));
    }
    slope = trmi_add(g, slope, trmi_mul(g, component, p.value));
  }
  return slope;
}

/* Change of a function along a fixed direction in all unknowns, and its two terms if it is a sum or
 * difference, which determine its rounding. Only for functions with a corner; jumps are as typed.
 * For the condition of an event the size of the compared numbers. */
static void add_event_slope(trmi_compiler *b, int i) {
  trmi_graph *g = &b->graph;
  trmi_node slope = 0, parts[2] = {0, 0};
  const trmi_event *event = &b->events[i];
  const bool has_corner = event->is_continuous || event->trigger == TRMI_PIECE;
  const trmi_vertex v = g->nodes[b->function[i]];
  const bool is_sum = v.op == TRMI_OP_ADD || v.op == TRMI_OP_SUB;
  if (is_sum && (has_corner || event->size > 0)) {
    parts[0] = v.a, parts[1] = v.b;
  } else if (event->size > 0) {
    parts[0] = event->size;
    b->eq->has_sizes = true;
  }
  if (has_corner) {
    trmi_gradient(&b->walk, b->function[i]);
    slope = lean_of_partials(b);
  }
  trmi_add_entry(b, TRMI_RESULT_EVENT_SLOPES, i, 0, slope);
  for (int k = 0; k < 2; k++) trmi_add_entry(b, TRMI_RESULT_EVENT_SLOPES, i, k + 1, parts[k]);
}

/* Positions, velocities and states have rates; unknowns that are solved for have none. */
static bool has_rate(trmi_compiler *b, trmi_node function) {
  const unsigned without = 1U << TRMI_IN_VD | 1U << TRMI_IN_LAM | 1U << TRMI_IN_MU |
                           1U << TRMI_IN_XD | 1U << TRMI_IN_W;
  return (trmi_lists_of(b, function) & without) == 0;
}

static void add_events(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  eq->n.nevents = b->nevents;
  eq->events = TRMI_TAKE(&eq->arena, trmi_event, b->nevents);
  if (eq->events == NULL) return;
  for (int i = 0; i < b->nevents; i++) {
    eq->events[i] = b->events[i];
    eq->events[i].has_rate = has_rate(b, b->function[i]);
    trmi_add_entry(b, TRMI_RESULT_EVENTS, i, 0, b->function[i]);
    trmi_add_entry(b, TRMI_RESULT_EVENT_RATES, i, 0,
                   trmi_rate_of(b, b->function[i], watched_rates));
    add_event_slope(b, i);
  }
}

/* Gaps of stops with their rates, along the motion. */
static void add_gaps(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  eq->n.ngaps = b->ngaps;
  eq->labels[TRM_GAP] = TRMI_TAKE(&eq->arena, trm_label, b->ngaps);
  if (eq->labels[TRM_GAP] == NULL) return;
  for (int i = 0; i < b->ngaps; i++) {
    const trmi_gap *gap = b->gaps; /* newest first */
    for (int k = i + 1; k < b->ngaps; k++) gap = gap->next;
    trm_label *label = &eq->labels[TRM_GAP][i];
    snprintf(label->name, sizeof label->name, "%s", gap->name);
    snprintf(label->object, sizeof label->object, "%s", gap->object);
    const trmi_node rate = trmi_rate_of(b, gap->node, watched_rates);
    trmi_add_entry(b, TRMI_RESULT_GAP, 3 * i, 0, gap->node);
    trmi_add_entry(b, TRMI_RESULT_GAP, 3 * i + 1, 0, rate);
    trmi_add_entry(b, TRMI_RESULT_GAP, 3 * i + 2, 0, trmi_rate_of(b, rate, watched_rates));
  }
}

/* Speeds of sliding with their rates. */
static void add_slips(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  eq->n.nslips = b->nslips;
  eq->labels[TRM_SLIP] = TRMI_TAKE(&eq->arena, trm_label, b->nslips);
  if (eq->labels[TRM_SLIP] == NULL) return;
  for (int i = 0; i < b->nslips; i++) {
    const trmi_slip_def *slip = b->slips; /* newest first */
    for (int k = i + 1; k < b->nslips; k++) slip = slip->next;
    trm_label *label = &eq->labels[TRM_SLIP][i];
    snprintf(label->name, sizeof label->name, "%s", slip->name);
    snprintf(label->object, sizeof label->object, "%s", slip->object);
    label->scale = slip->scale;
    for (int k = 0; k < 3; k++) trmi_add_entry(b, TRMI_RESULT_SLIP, 7 * i + k, 0, slip->speed[k]);
    for (int k = 0; k < 3; k++) {
      const trmi_node rate = trmi_rate_of(b, slip->speed[k], watched_rates);
      trmi_add_entry(b, TRMI_RESULT_SLIP, 7 * i + 3 + k, 0, rate);
    }
    trmi_add_entry(b, TRMI_RESULT_SLIP, 7 * i + 6, 0, slip->band);
  }
}

/* The range of each list of inputs that results need. */
static void find_used(trmi_equations *eq) {
  for (int list = 0; list < TRMI_INPUT_LISTS; list++) {
    const int end = list + 1 < TRMI_INPUT_LISTS ? eq->first[list + 1] : eq->tape.nsymbols;
    for (int slot = eq->first[list]; slot < end; slot++) {
      if (eq->tape.used_by[slot] == 0) continue;
      eq->users[list] |= eq->tape.used_by[slot];
      const int i = slot - eq->first[list];
      if (eq->used[list][1] == 0) eq->used[list][0] = i;
      eq->used[list][1] = i + 1;
    }
  }
}

/* Slots of all inputs, list by list as in the tape; `first` has their numbers. */
static void place_inputs(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  int slot = 0;
  eq->first[TRMI_IN_LOAD] = b->nloads;
  eq->first[TRMI_IN_Z] = b->nz;
  for (int list = 0; list < TRMI_INPUT_LISTS; list++) {
    const int count = eq->first[list];
    eq->first[list] = slot;
    slot += count;
  }
}

/* Entries in the order of their groups, then the tape. */
static trm_status lay_tape(trmi_compiler *b, trm_error *err) {
  trmi_equations *eq = b->eq;
  const int count = b->entries.count;
  eq->entries = TRMI_TAKE(&eq->arena, trmi_entry, count);
  trmi_root *roots = TRMI_TAKE(&b->scratch, trmi_root, count);
  int *slots = TRMI_TAKE(&b->scratch, int, count);
  TRMI_TRY(err, trmi_arena_check(&eq->arena, err));
  TRMI_TRY(err, trmi_arena_check(&b->scratch, err));
  for (int i = 0; i < count; i++) eq->group[b->entries.list[i].group + 1]++;
  for (int k = 0; k < TRMI_RESULTS; k++) {
    if (eq->group[k + 1] > 0) eq->filled |= UINT64_C(1) << k;
    eq->group[k + 1] += eq->group[k];
  }
  int at[TRMI_RESULTS];
  memcpy(at, eq->group, sizeof at);
  for (int i = 0; i < count; i++) {
    const trmi_entry *entry = &b->entries.list[i];
    eq->entries[at[entry->group]++] = *entry;
  }
  for (int i = 0; i < count; i++) {
    roots[i] = (trmi_root){eq->entries[i].node, eq->entries[i].group};
  }
  place_inputs(b);
  TRMI_TRY(err, trmi_tape_build(&eq->tape, &b->graph, roots, count, slots, &eq->arena, err));
  for (int i = 0; i < count; i++) eq->entries[i].slot = slots[i];
  find_used(eq);
  trmi_quantities_keep(b);
  TRMI_TRY(err, trmi_arena_check(&eq->arena, err));
  if (eq->followers != NULL) TRMI_TRY(err, trmi_followers_plan(eq, err));
  return TRM_OK;
}

static const char *copy(trmi_arena *arena, const char *text) {
  char *room = TRMI_TAKE(arena, char, strlen(text) + 1);
  return room != NULL ? strcpy(room, text) : "";
}

/* Copy data for messages, which outlive the definition. */
static void copy_names(trmi_compiler *b) {
  trmi_equations *eq = b->eq;
  eq->ops = trmi_equations_ops;
  const bool has_late_remarks = b->def->parts[TRMI_TABLES].count > 0 ||
                                b->def->parts[TRMI_FLEXIBLE].count > 0; /* they may supply power */
  if (!has_late_remarks) eq->ops.news = NULL;
  if (b->extension == NULL || b->extension->add.memories == 0) {
    if (!has_late_remarks) eq->ops.accept_step = NULL;
    if (b->extension == NULL) eq->ops.test_step = NULL;
    eq->ops.memory_size = NULL;
  }
  eq->units = (trm_unit_names){.seconds = 1.0};
  trmi_units_name(&b->def->units, &eq->units);
  eq->nfiles = b->def->nfiles;
  eq->files = TRMI_TAKE(&eq->arena, const char *, eq->nfiles);
  if (eq->files == NULL) return;
  for (int i = 0; i < eq->nfiles; i++) eq->files[i] = copy(&eq->arena, b->def->files[i]);
}

/* Move the parameters to the equations. */
static void copy_parameters(trmi_compiler *b) {
  const int n = b->def->parameters.count;
  b->eq->parameters = TRMI_TAKE(&b->eq->arena, double, n);
  if (b->eq->parameters == NULL || n == 0) return;
  memcpy(b->eq->parameters, b->parameters->numbers, (size_t)n * sizeof(double));
}

static trm_status compile(trmi_compiler *b, trm_error *err) {
  copy_names(b);
  copy_parameters(b);
  trmi_names_declare(b);
  TRMI_TRY(err, trmi_arena_check(&b->scratch, err));
  TRMI_TRY(err, trmi_arena_check(&b->eq->arena, err));
  trmi_equations_read(b);
  TRMI_TRY(err, trmi_arena_check(&b->scratch, err));
  TRMI_TRY(err, trmi_graph_check(&b->graph, err));
  TRMI_TRY(err, trmi_graph_check(&b->parameters->graph, err)); /* of start values */
  name_discrete(b);
  TRMI_TRY(err, trmi_arena_check(&b->eq->arena, err));
  if (b->complaints->count == 0) {
    trmi_equations_derive(b);
    add_events(b);
    add_gaps(b);
    trmi_compile_marks(b, watched_rates);
    add_slips(b);
    trmi_compile_stiff(b);
  }
  if (b->complaints->count > 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d faults in the equations", b->complaints->count);
  }
  TRMI_TRY(err, lay_tape(b, err));
  return TRM_OK;
}

/* Claim the lists of the system, in which every unknown and row now has its number. */
static trm_status claim_all(trmi_compiler *b, trm_error *err) {
  const trmi_equations *eq = b->eq;
  trmi_assembly *a = b->assembly;
  const struct {
    trm_quantity list;
    int          count;
  } lists[] = {
    {TRM_Q, eq->nq},      {TRM_V, eq->n.nv},        {TRM_LAM, eq->n.ng},
    {TRM_MU, eq->n.na},   {TRM_X, eq->n.nx},        {TRM_W, eq->n.nw},
    {TRM_Z, eq->n.nz},    {TRM_U, eq->n.nu},        {TRM_OUTPUT, eq->n.noutputs},
    {TRM_SHOWN, eq->n.nshown}, {TRM_STIFF, eq->n.nstiff}, {TRM_RECORDED, eq->n.nrecorded},
  };
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    (void)trmi_assembly_claim(a, lists[k].list, eq->labels[lists[k].list], lists[k].count);
  }
  for (int i = 0; i < eq->n.nrot; i++) trmi_assembly_rotation(a, eq->rotation[i]);
  TRMI_TRY(err, trmi_arena_check(&a->arena, err));
  return TRM_OK;
}

/* Expressions join the other contributors, which `compile` has created. From here on the assembly
 * owns them. */
static trm_status join(trmi_compiler *b, trm_system_def *out, trm_error *err) {
  trmi_equations *eq = b->eq;
  trmi_assembly *a = b->assembly;
  TRMI_TRY(err, claim_all(b, err));
  a->units = eq->units;
  a->has_power = a->has_power || eq->has_power;
  eq->is_alone = a->count == 0;
  b->eq = NULL;
  trmi_assembly_add(a, &eq->ops, eq);
  TRMI_TRY(err, trmi_quantities_connect(eq, err));
  TRMI_TRY(err, trmi_assembly_seal(a, out, err));
  return TRM_OK;
}

trm_status trmi_equations_build(const trmi_definition *def, const trmi_extension *extension,
                                trmi_parameters *parameters, trmi_complaints *complaints,
                                trm_system_def *out, trm_error *err) {
  trmi_arena arena;
  trmi_arena_init(&arena, &out->allocator);
  trmi_equations *eq = TRMI_TAKE(&arena, trmi_equations, 1);
  trmi_assembly *assembly = trmi_assembly_create(&out->allocator, def->name);
  if (eq == NULL || assembly == NULL) {
    trmi_arena_clear(&arena);
    trmi_assembly_free(assembly);
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  }
  eq->arena = arena;
  trmi_compiler b = {.def = def, .extension = extension, .parameters = parameters,
                    .complaints = complaints, .eq = eq, .assembly = assembly};
  trmi_arena_init(&b.scratch, &out->allocator);
  trmi_graph_init(&b.graph, &out->allocator, 0);
  trmi_walk_init(&b.walk, &b.graph);
  trm_status status = compile(&b, err);
  trmi_walk_free(&b.walk);
  trmi_graph_free(&b.graph);
  trmi_arena_clear(&b.scratch);
  if (status == TRM_OK) status = join(&b, out, err);
  if (status == TRM_OK) return TRM_OK;
  trmi_assembly_free(assembly); /* including the expressions */
  if (b.eq != NULL) {
    arena = eq->arena;
    trmi_arena_clear(&arena);
  }
  return trmi_note(err, __func__, status);
}
