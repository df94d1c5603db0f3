/* equations_read.c - turns the texts of a typed model into nodes of its graph. */
#include "equations/equations_quantities.h"
#include "expr/margin.h"
#include <stdio.h>
#include <string.h>

#define BIT(list) (1U << TRMI_IN_##list)
enum {
  FIXED = BIT(TIME) | BIT(Z),
  PLACES = FIXED | BIT(Q),
  SPEEDS = PLACES | BIT(V),
  FORCES = SPEEDS | BIT(X) | BIT(W) | BIT(INPUT),
  STATES = FORCES | BIT(VD) | BIT(LAM) | BIT(XD),
  ALL = STATES | BIT(MU)
};

static const trmi_dimension any = {.is_known = false};

/* One text; node 0 if it is missing or faulty. */
static trmi_meaning read_term(trmi_compiler *b, const trmi_text *text) {
  const trmi_parser parser = {.graph = &b->graph, .scope = &b->scope, .units = &b->def->units,
                              .complaints = b->complaints};
  trmi_meaning term = {0};
  if (text->text == NULL || !trmi_parse(&parser, text, &term)) return (trmi_meaning){0};
  return term;
}

/* Conditions of if and STEP are not unknowns either. */
static bool is_free_of_unknowns(trmi_compiler *b, trmi_node node) {
  return (trmi_lists_of(b, node) & ~(unsigned)FIXED) == 0;
}

/* The same for a text that must be a number. */
static trmi_node read_text(trmi_compiler *b, const trmi_text *text, trmi_dimension expected) {
  const trmi_meaning term = read_term(b, text);
  b->dimension = term.dimension;
  if (!term.is_condition) {
    /* measures have dimensions although none was typed: -crank.x is a force with a stiffness of
     * one */
    const bool is_typed = is_free_of_unknowns(b, term.node);
    if (!is_typed || trmi_check_dimension(b->complaints, &b->def->units, text, term.dimension,
                                          expected)) {
      return term.node;
    }
    return 0;
  }
  trmi_complain(b->complaints, trmi_text_place(text, 0), "%s is a number, not a condition: write "
                "if(condition, a, b)", b->known);
  return 0;
}

trmi_node trmi_read_expression(trmi_compiler *b, const trmi_text *text, trmi_purpose purpose,
                               const char *unit) {
  static const char motion[] = "a motion (a law of the time alone)";
  static const struct { const char *what; unsigned allowed; int lost; } purposes[] = {
    [TRMI_FOR_FORCE] = {"a force", FORCES, 0},
    [TRMI_FOR_MOTION] = {motion, FIXED, 2},
    [TRMI_FOR_SPEED] = {motion, FIXED, 1},
    [TRMI_FOR_ACCELERATION] = {motion, FIXED, 0},
    [TRMI_FOR_CONSTRAINT] = {"a constraint", PLACES, 2},
    [TRMI_FOR_ROLLING] = {"a constraint on velocities", SPEEDS, 1},
    [TRMI_FOR_VARIABLE] = {"a variable", STATES, 0},
    [TRMI_FOR_DRAWING] = {"a drawn point", ALL | BIT(LOAD), 0},
  };
  trmi_names_allow(b, purposes[purpose].what, purposes[purpose].allowed,
                   purpose == TRMI_FOR_DRAWING);
  b->scope.lost = purposes[purpose].lost;
  if (purpose == TRMI_FOR_FORCE) b->side = TRMI_BALANCE_FORCE;
  return read_text(b, text, trmi_unit_dimension(unit));
}

void trmi_scale_row(trmi_compiler *b, trm_quantity list, int row) {
  static const trmi_dimension energy = {.is_known = true, .length = 1, .force = 1};
  const trmi_dimension time = {.is_known = true, .time = list == TRM_MU ? 1 : 0};
  const trmi_dimension d = trmi_dimension_product(b->dimension, time, 1);
  trm_label *label = &b->eq->labels[list][row];
  label->scale = trmi_units_one(&b->def->units, d);
  if (!d.is_known) return; /* a multiplier does work along its row: for an angle it is a torque */
  const trmi_dimension load = trmi_dimension_product(energy, d, -1);
  label->kind = trmi_kind_of_load(load);
  trmi_unit_of_label(&b->def->units, load, label);
}

/* The expression of a part that consists of one; node 0 without a value, which was reported. */
static trmi_node read_equals(trmi_compiler *b, const trmi_part *part) {
  return read_text(b, trmi_part_text(part, "equals"), any);
}

/* Index of a coordinate by its key, or -1 after a complaint. */
static int coordinate_of(trmi_compiler *b, const trmi_key *key, const char *where) {
  const trmi_name *name = trmi_names_find(b, key->name, strlen(key->name));
  if (name != NULL && name->list == TRMI_IN_Q) return name->index;
  trmi_complain(b->complaints, key->place, "'%.60s' under %s is not a coordinate", key->name,
                where);
  return -1;
}

/* --- energies, masses, forces ----------------------------------------------------- */

/* Letters of the name "x, y" of an entry without blanks around them. */
static trmi_key key_within(trmi_compiler *b, const trmi_key *key, size_t from, size_t to) {
  const trmi_anchor anchor = {.offset = 0, .place = key->place};
  const trmi_text text = {.text = key->name, .length = strlen(key->name), .anchors = &anchor,
                          .nanchors = 1};
  while (from < to && key->name[from] == ' ') from++;
  while (to > from && key->name[to - 1] == ' ') to--;
  char *name = TRMI_TAKE(&b->scratch, char, to - from + 1);
  if (name != NULL) memcpy(name, key->name + from, to - from);
  return (trmi_key){.name = name != NULL ? name : "", .place = trmi_text_place(&text, from)};
}

/* Row and column of an entry of the mass matrix: "x, y", or "x" for both. False after a
 * complaint. */
static bool read_entry(trmi_compiler *b, const trmi_key *key, int *row, int *col) {
  const size_t length = strlen(key->name), comma = strcspn(key->name, ",");
  const trmi_key first = key_within(b, key, 0, comma);
  const trmi_key second = comma < length ? key_within(b, key, comma + 1, length) : first;
  if (strchr(second.name, ',') != NULL) {
    trmi_complain(b->complaints, key->place, "mass: '%.60s' names more than two coordinates",
                  key->name);
    return false;
  }
  const int r = coordinate_of(b, &first, "mass");
  const int c = comma < length ? coordinate_of(b, &second, "mass") : r;
  *row = r < c ? r : c;
  *col = r < c ? c : r;
  return *row >= 0;
}

static void read_mass(trmi_compiler *b) {
  const double inertia = trmi_units_inertia(&b->def->units);
  trmi_graph *g = &b->graph;
  trmi_names_allow(b, "a mass", PLACES, false);
  b->scope.lost = 1;
  b->side = TRMI_BALANCE_INERTIA;
  const trmi_parts *entries = &b->def->parts[TRMI_MASSES];
  b->mass = TRMI_TAKE(&b->scratch, trmi_entry, entries->count);
  if (b->mass == NULL) return;
  for (int i = 0; i < entries->count; i++) {
    const trmi_part *entry = &entries->list[i];
    int row, col;
    if (!read_entry(b, &entry->key, &row, &col)) continue;
    for (int k = 0; k < b->nmass; k++) {
      if (b->mass[k].row == row && b->mass[k].col == col) {
        trmi_complain(b->complaints, entry->key.place, "this entry of the mass matrix is given "
                      "twice (it is symmetric)");
      }
    }
    const trmi_node m = trmi_mul(g, trmi_constant(g, inertia), read_equals(b, entry));
    b->mass[b->nmass++] = (trmi_entry){.row = row, .col = col, .node = m};
    const trmi_node speeds = trmi_mul(g, trmi_input_node(b, TRMI_IN_V, row),
                                      trmi_input_node(b, TRMI_IN_V, col));
    const trmi_node factor = trmi_constant(g, row == col ? 0.5 : 1.0);
    const trmi_node energy = trmi_mul(g, factor, trmi_mul(g, m, speeds));
    b->kinetic_shown = trmi_add(g, b->kinetic_shown, energy);
  }
}

/* An expression for an energy must have that dimension if all its terms have units. Without a mass
 * or a force a unit mass is assumed. */
static trmi_node read_energy(trmi_compiler *b, const char *key, const trmi_units *units) {
  static const trmi_dimension energy = {.is_known = true, .length = 1, .force = 1};
  const trmi_text *text = trmi_part_text(&b->def->energies, key);
  b->scope.has_plain_factors = true;
  const trmi_node node = read_text(b, text, any);
  b->scope.has_plain_factors = false;
  const bool is_typed = b->dimension.mass != 0 || b->dimension.force != 0;
  if (is_typed) (void)trmi_check_dimension(b->complaints, units, text, b->dimension, energy);
  return node;
}

static void read_energies(trmi_compiler *b) {
  trmi_graph *g = &b->graph;
  const trmi_units of_masses = trmi_units_si(); /* in which kg m^2/s^2 is an energy */
  trmi_names_allow(b, "the kinetic energy", SPEEDS, false);
  b->scope.lost = 1;
  b->side = TRMI_BALANCE_INERTIA;
  b->kinetic = trmi_mul(g, trmi_constant(g, trmi_units_inertia(&b->def->units)),
                        read_energy(b, "kinetic", &of_masses));
  b->kinetic_shown = b->kinetic;
  trmi_names_allow(b, "the potential", PLACES, false);
  b->scope.lost = 1;
  b->side = TRMI_BALANCE_FORCE;
  b->potential = trmi_add(g, b->potential, read_energy(b, "potential", &b->def->units));
  if (b->def->parts[TRMI_MASSES].count > 0) read_mass(b);
}

static void read_forces(trmi_compiler *b) {
  trmi_names_allow(b, "a force", FORCES, false);
  b->side = TRMI_BALANCE_FORCE;
  for (int i = 0; i < b->def->parts[TRMI_COORDINATE_FORCES].count; i++) {
    const trmi_part *force = &b->def->parts[TRMI_COORDINATE_FORCES].list[i];
    const int index = coordinate_of(b, &force->key, "forces");
    if (index < 0) continue;
    b->force[index] = trmi_add(&b->graph, b->force[index], read_equals(b, force));
  }
}

/* --- constraints, states, variables ------------------------------------------------ */

/* A row without unknowns to constrain can never be satisfied. */
static bool depends_on(trmi_compiler *b, trmi_node node, trmi_input list) {
  return (trmi_lists_of(b, node) & 1U << list) != 0;
}

static bool is_linear_in_velocities(trmi_compiler *b, trmi_node node) {
  trmi_gradient(&b->walk, node);
  const int count = b->walk.npartials;
  trmi_partial *partials = TRMI_TAKE(&b->scratch, trmi_partial, count);
  if (partials == NULL) return true;
  for (int k = 0; k < count; k++) partials[k] = b->walk.partials[k];
  for (int k = 0; k < count; k++) {
    const bool is_velocity = trmi_input_of(b, partials[k].symbol) == TRMI_IN_V;
    if (is_velocity && depends_on(b, partials[k].value, TRMI_IN_V)) return false;
  }
  return true;
}

/* Redundant constraints are allowed, but not thousands of them on a few coordinates: each pair with
 * a common coordinate adds an entry to the matrix. */
static void check_number_of_rows(trmi_compiler *b) {
  const trmi_parts *holonomic = &b->def->parts[TRMI_HOLONOMIC];
  const trmi_parts *nonholonomic = &b->def->parts[TRMI_NONHOLONOMIC];
  const int rows = holonomic->count + nonholonomic->count;
  const int most = 2 * b->eq->n.nv + 50;
  if (rows <= most) return;
  const trmi_parts *list = holonomic->count > 0 ? holonomic : nonholonomic;
  trmi_complain(b->complaints, list->list[list->count - 1].key.place, "%d constraints on %d "
                "coordinates: at most %d are read", rows, b->eq->n.nv, most);
}

static void read_constraints(trmi_compiler *b) {
  const trmi_parts *holonomic = &b->def->parts[TRMI_HOLONOMIC];
  const trmi_parts *nonholonomic = &b->def->parts[TRMI_NONHOLONOMIC];
  check_number_of_rows(b);
  trmi_names_allow(b, "a constraint (velocities belong under nonholonomic)", PLACES, false);
  b->scope.lost = 2;
  for (int i = 0; i < holonomic->count; i++) {
    const trmi_part *row = &holonomic->list[i];
    const int before = b->complaints->count;
    trmi_node *g = &b->g[trmi_typed_rows(b) + i];
    *g = read_equals(b, row);
    trmi_scale_row(b, TRM_LAM, trmi_typed_rows(b) + i);
    if (trmi_part_find(row, "equals") == NULL) continue;
    if (before == b->complaints->count && !depends_on(b, *g, TRMI_IN_Q)) {
      trmi_complain(b->complaints, row->key.place, "constraint '%.60s' has no coordinate in it",
                    row->key.name);
    }
  }
  trmi_names_allow(b, "a nonholonomic constraint", SPEEDS, false);
  b->scope.lost = 1;
  for (int i = 0; i < nonholonomic->count; i++) {
    const trmi_part *row = &nonholonomic->list[i];
    const int before = b->complaints->count;
    b->a[i] = read_equals(b, row);
    trmi_scale_row(b, TRM_MU, i);
    if (before != b->complaints->count || trmi_part_find(row, "equals") == NULL) continue;
    if (!depends_on(b, b->a[i], TRMI_IN_V)) {
      trmi_complain(b->complaints, row->key.place, "constraint '%.60s' has no velocity in it; "
                    "positions belong under constraints", row->key.name);
    } else if (!is_linear_in_velocities(b, b->a[i])) {
      trmi_complain(b->complaints, trmi_text_place(trmi_part_text(row, "equals"), 0),
                    "constraint '%.60s' is not linear in the velocities", row->key.name);
    }
  }
}

static void read_states(trmi_compiler *b) {
  trmi_graph *g = &b->graph;
  for (int i = 0; i < b->def->parts[TRMI_STATES].count; i++) {
    const trmi_part *state = &b->def->parts[TRMI_STATES].list[i];
    const trmi_text *residual = trmi_part_text(state, "residual");
    const trmi_node rate = trmi_input_node(b, TRMI_IN_XD, i);
    if (residual->text == NULL) {
      trmi_names_allow(b, "the rate of a state", STATES & ~BIT(XD), false);
      b->d[i] = trmi_sub(g, rate, read_text(b, trmi_part_text(state, "rate"), any));
      continue;
    }
    trmi_names_allow(b, "a residual", STATES, false);
    const int before = b->complaints->count;
    b->d[i] = read_text(b, residual, any);
    if (before == b->complaints->count && !depends_on(b, b->d[i], TRMI_IN_XD)) {
      trmi_complain(b->complaints, trmi_text_place(residual, 0), "the residual of '%.60s' "
                    "has no rate of a state in it; an equation without rates belongs under "
                    "variables", state->key.name);
    }
  }
  trmi_names_allow(b, "a variable", STATES, false);
  for (int i = 0; i < b->def->parts[TRMI_VARIABLES].count; i++) {
    b->w[i] = read_equals(b, &b->def->parts[TRMI_VARIABLES].list[i]);
    trmi_unit_of_label(&b->def->units, b->dimension, &b->eq->labels[TRM_W][i]);
  }
}

/* --- events ------------------------------------------------------------------------ */

/* `when` as a function that crosses zero: a condition rises when it becomes true. */
static trmi_node read_when(trmi_compiler *b, const trmi_part *def, trmi_event *event) {
  const trmi_text *when = trmi_part_text(def, "when");
  const trmi_meaning term = read_term(b, when);
  if (!term.is_condition) return term.node;
  if (b->graph.nodes[term.node].op == TRMI_OP_EQUAL) {
    trmi_complain(b->complaints, trmi_text_place(when, 0), "'==' is never met exactly: give "
                  "the difference, which crosses zero");
  }
  if (event->info.direction != 0) {
    trmi_complain(b->complaints, def->key.place, "event '%.60s' has a condition, which happens "
                  "when it becomes true: it takes no direction", def->key.name);
  }
  const trmi_margin margin = trmi_margin_of(&b->graph, term.node);
  event->info.direction = 1;
  event->info.edge = margin.holds_at_zero ? TRM_EDGE_TRUE : TRM_EDGE_FALSE;
  event->size = margin.size;
  return margin.node;
}

/* Index of a label, or -1. */
static int find_label(const trm_label *labels, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(labels[i].name, name) == 0) return i;
  }
  return -1;
}

/* Velocities and positions of bodies, crank.vx, by their names in results. Components of
 * quaternions cannot be set individually. */
static bool find_body_target(const trmi_compiler *b, const char *name, trmi_assignment *target) {
  const trmi_equations *eq = b->eq;
  const int v = find_label(eq->labels[TRM_V], eq->n.nv, name);
  const int q = find_label(eq->labels[TRM_Q], eq->nq, name);
  if (b->extension == NULL || (v < 0 && q < 0)) return false;
  if (v < 0 && b->place_of_q[q].part != 0) return false;
  *target = v >= 0 ? (trmi_assignment){.list = TRMI_IN_V, .index = v}
                   : (trmi_assignment){.list = TRMI_IN_Q, .index = q};
  return true;
}

/* The target of a key such as y' under `set`. */
static bool read_target(trmi_compiler *b, const trmi_key *key, trmi_assignment *target) {
  size_t length = strlen(key->name), primes = 0;
  while (length > 0 && key->name[length - 1] == '\'') length--, primes++;
  const trmi_name *name = trmi_names_find(b, key->name, length);
  if (name != NULL) {
    *target = (trmi_assignment){.list = name->list, .index = name->index};
    if (name->list == TRMI_IN_Q && primes == 1) target->list = TRMI_IN_V;
    const bool is_plain = name->list == TRMI_IN_X || name->list == TRMI_IN_Z;
    if ((is_plain && primes == 0) || (name->list == TRMI_IN_Q && primes <= 1)) return true;
  } else if (find_body_target(b, key->name, target)) {
    return true;
  }
  trmi_complain(b->complaints, key->place, "'%.60s' cannot be set: only discrete values, states, "
                "coordinates and velocities (x') can, of bodies their places and velocities",
                key->name);
  return false;
}

static void read_sets(trmi_compiler *b, const trmi_part *def, trmi_event *event,
                      int *nassignments) {
  event->set = *nassignments;
  for (const trmi_part *set = def->inner; set != NULL; set = set->next) {
    trmi_assignment *target = &b->eq->assignments[*nassignments];
    if (!read_target(b, &set->key, target)) continue;
    target->entry = (*nassignments)++;
    trmi_add_entry(b, TRMI_RESULT_SET, target->entry, 0, read_equals(b, set));
  }
  event->nset = *nassignments - event->set;
}

/* A periodic event: its next time is a discrete value. */
static trmi_node read_every(trmi_compiler *b, const trmi_part *def, trmi_event *event) {
  event->trigger = TRMI_EVERY;
  event->period = trmi_part_number(def, "every");
  event->first = trmi_part_number(def, "first");
  event->info.direction = 1;
  /* cannot be silent: the system must set its next time */
  if (event->info.kind == TRM_EVENT_SILENT) event->info.kind = TRM_EVENT_RESTART;
  return trmi_sub(&b->graph, b->first[TRMI_IN_TIME], trmi_input_node(b, TRMI_IN_Z, event->z));
}

/* Actions of an event, and its direction; complaints if its keys do not fit. */
static trmi_event describe_event(trmi_compiler *b, const trmi_part *def) {
  static const int directions[] = {0, 1, -1};
  static const trm_event_kind kinds[] = {TRM_EVENT_SILENT, TRM_EVENT_RESTART, TRM_EVENT_STOP};
  const bool is_said = trmi_part_find(def, "do") != NULL, sets = def->inner != NULL;
  const trm_event_kind kind = !is_said && sets ? TRM_EVENT_RESTART
                                               : kinds[trmi_part_choice(def, "do")];
  if (sets && kind == TRM_EVENT_SILENT) {
    trmi_complain(b->complaints, trmi_text_place(trmi_part_text(def, "do"), 0),
                  "events.%.60s sets values, so it cannot be silent", def->key.name);
  }
  if (trmi_part_find(def, "first") != NULL && trmi_part_find(def, "every") == NULL) {
    trmi_complain(b->complaints, trmi_part_place(def, "first"),
                  "events.%.60s: 'first' belongs to 'every'", def->key.name);
  }
  return (trmi_event){.info = {.kind = kind,
                               .direction = directions[trmi_part_choice(def, "direction")]},
                      .z = -1};
}

static int count_assignments(const trmi_parts *events) {
  int count = 0;
  for (int i = 0; i < events->count; i++) {
    for (const trmi_part *set = events->list[i].inner; set != NULL; set = set->next) count++;
  }
  return count;
}

static void read_events(trmi_compiler *b) {
  const trmi_parts *events = &b->def->parts[TRMI_EVENTS];
  int nassignments = 0, next = b->def->parts[TRMI_DISCRETE].count;
  b->eq->assignments = TRMI_TAKE(&b->eq->arena, trmi_assignment, count_assignments(events));
  if (b->eq->arena.failed) return;
  trmi_names_allow(b, "an event", ALL, true);
  for (int i = 0; i < events->count; i++) {
    const trmi_part *def = &events->list[i];
    trmi_event event = describe_event(b, def);
    trmi_node function;
    if (trmi_part_find(def, "every") != NULL) {
      event.z = next++;
      function = read_every(b, def, &event);
    } else {
      function = read_when(b, def, &event);
    }
    read_sets(b, def, &event, &nassignments);
    if (trmi_add_event(b, &event, function) < 0) return;
  }
}

/* An output that is a variable has the unit of the variable; expressions of variables have none,
 * since variables may be used before they are read. */
static void take_unit_of_variable(trmi_compiler *b, int output) {
  const trmi_text *text = trmi_part_text(&b->def->parts[TRMI_OUTPUTS].list[output], "equals");
  const trmi_parts *variables = &b->def->parts[TRMI_VARIABLES];
  trm_label *label = &b->eq->labels[TRM_OUTPUT][output];
  for (int i = 0; i < variables->count && text->text != NULL && label->unit[0] == '\0'; i++) {
    const char *name = variables->list[i].key.name;
    if (strlen(name) != text->length || memcmp(name, text->text, text->length) != 0) continue;
    memcpy(label->unit, b->eq->labels[TRM_W][i].unit, sizeof label->unit);
  }
}

bool trmi_outputs_find(const trmi_compiler *b, const char *name, size_t length,
                       trmi_meaning *out) {
  for (int i = 0; i < b->noutputs; i++) {
    const char *known = b->def->parts[TRMI_OUTPUTS].list[i].key.name;
    if (strlen(known) != length || memcmp(known, name, length) != 0) continue;
    *out = b->outputs[i];
    return true;
  }
  return false;
}

static void read_outputs(trmi_compiler *b) {
  trmi_names_allow(b, "an output", ALL | BIT(LOAD), true);
  const trmi_parts *outputs = &b->def->parts[TRMI_OUTPUTS];
  b->outputs = TRMI_TAKE(&b->scratch, trmi_meaning, outputs->count);
  for (int i = 0; i < outputs->count && b->outputs != NULL; i++) {
    const trmi_node node = read_equals(b, &outputs->list[i]);
    b->outputs[b->noutputs++] = (trmi_meaning){.node = node, .dimension = b->dimension};
    trmi_add_entry(b, TRMI_RESULT_OUTPUTS, i, 0, node);
    trmi_unit_of_label(&b->def->units, b->dimension, &b->eq->labels[TRM_OUTPUT][i]);
    take_unit_of_variable(b, i);
  }
}

void trmi_equations_read(trmi_compiler *b) {
  const trm_sizes *n = &b->eq->n;
  trmi_arena *arena = &b->eq->arena, *scratch = &b->scratch;
  b->eq->q = TRMI_TAKE(arena, double, b->eq->nq);
  b->eq->v = TRMI_TAKE(arena, double, n->nv);
  b->eq->given_q = TRMI_TAKE(arena, bool, n->nv);
  b->eq->given_v = TRMI_TAKE(arena, bool, n->nv);
  b->eq->x = TRMI_TAKE(arena, double, n->nx);
  b->eq->w = TRMI_TAKE(arena, double, n->nw);
  b->eq->u = TRMI_TAKE(arena, double, n->nu);
  b->eq->ud = TRMI_TAKE(arena, double, n->nu);
  b->written = TRMI_TAKE(scratch, trmi_expanded_variable, b->def->parts[TRMI_VARIABLES].count);
  b->curves = TRMI_TAKE(scratch, const trmi_spline *, 3 * (size_t)b->def->parts[TRMI_TABLES].count);
  b->mass_row = TRMI_TAKE(scratch, trmi_node, b->nv_all);
  b->force = TRMI_TAKE(scratch, trmi_node, b->nv_all);
  b->right = TRMI_TAKE(scratch, trmi_node, b->nv_all);
  b->g = TRMI_TAKE(scratch, trmi_node, n->ng);
  b->a = TRMI_TAKE(scratch, trmi_node, n->na);
  b->d = TRMI_TAKE(scratch, trmi_node, n->nx);
  b->w = TRMI_TAKE(scratch, trmi_node, n->nw);
  if (arena->failed || scratch->failed || b->graph.failed) return;
  read_events(b); /* first: its discrete values precede those of conditions */
  if (b->extension != NULL) b->extension->read(b->extension->self, b);
  read_energies(b);
  read_forces(b);
  read_constraints(b);
  read_states(b);
  read_outputs(b);
  trmi_read_drawn(b);
  trmi_equations_read_start(b);
  if (b->extension != NULL) b->extension->finish(b->extension->self, b);
  trmi_variables_resolve(b);
  trmi_conditions_resolve(b);
}
