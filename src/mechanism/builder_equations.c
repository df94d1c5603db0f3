/* builder_equations.c - typed equations from C: coordinates, energies, rows, states, events. */
#include "mechanism/builder.h"
#include <string.h>

/* A copy with a place of its own. */
static trmi_text keep(trm_mechanism *m, const char *text) {
  return trmi_builder_text_of(trmi_builder_copy_text(m, text));
}

trm_status trm_add_coordinate(trm_mechanism *m, const char *name, const trm_coordinate_def *def,
                              trm_error *err) {
  TRMI_NEED(err, m, name, def);
  TRMI_TRY(err, trmi_builder_add_name(m, name, err));
  trmi_coordinate_def *list =
      trmi_builder_grow(m, m->def.coordinates, m->def.ncoordinates, sizeof *list);
  const trmi_coordinate_def one = {.key = {.name = trmi_builder_copy_text(m, name)},
                                   .value = keep(m, def->value),
                                   .velocity = keep(m, def->velocity),
                                   .scale = keep(m, def->scale),
                                   .is_guess = def->is_guess,
                                   .kind = def->kind};
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  list[m->def.ncoordinates++] = one;
  m->def.coordinates = list;
  return TRM_OK;
}

/* "x, y" names a row and a column, "x" both. */
static trm_status add_mass(trm_mechanism *m, const char *name, const char *text, trm_error *err) {
  const size_t comma = strcspn(name, ",");
  const char *second = name[comma] == ',' ? name + comma + 1 : name;
  trmi_mass_def *list = trmi_builder_grow(m, m->def.mass, m->def.nmass, sizeof *list);
  char *row = TRMI_TAKE(&m->arena, char, comma + 1);
  second += strspn(second, " ");
  const trmi_mass_def one = {.row = {.name = row},
                             .col = {.name = trmi_builder_copy_text(m, second)},
                             .text = keep(m, text)};
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  memcpy(row, name, comma);
  list[m->def.nmass++] = one;
  m->def.mass = list;
  return TRM_OK;
}

trm_status trm_add_equation(trm_mechanism *m, trm_equation equation, const char *name,
                            const char *text, trm_error *err) {
  TRMI_NEED(err, m, text);
  switch (equation) {
  case TRM_KINETIC: m->def.kinetic = keep(m, text); return trmi_arena_check(&m->arena, err);
  case TRM_POTENTIAL: m->def.potential = keep(m, text); return trmi_arena_check(&m->arena, err);
  case TRM_MASS: return add_mass(m, name, text, err);
  case TRM_FORCE: return trmi_builder_add_text(m, &m->def.forces, name, text, err);
  case TRM_HOLONOMIC:
    TRMI_TRY(err, trmi_builder_add_name(m, name, err));
    return trmi_builder_add_text(m, &m->def.constraints, name, text, err);
  case TRM_NONHOLONOMIC:
    TRMI_TRY(err, trmi_builder_add_name(m, name, err));
    return trmi_builder_add_text(m, &m->def.nonholonomic, name, text, err);
  case TRM_DISCRETE:
    TRMI_TRY(err, trmi_builder_add_name(m, name, err));
    return trmi_builder_add_text(m, &m->def.discrete, name, text, err);
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "there is no equation of kind %d", (int)equation);
}

trm_status trm_add_state(trm_mechanism *m, const char *name, const trm_state_def *def,
                         trm_error *err) {
  TRMI_NEED(err, m, name, def);
  TRMI_TRY(err, trmi_builder_add_name(m, name, err));
  if ((def->rate == NULL) == (def->residual == NULL)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "state '%s' needs a rate or a residual%s", name,
                     def->rate != NULL ? ", not both" : "");
  }
  trmi_state_def *list = trmi_builder_grow(m, m->def.states, m->def.nstates, sizeof *list);
  const trmi_state_def one = {.key = {.name = trmi_builder_copy_text(m, name)},
                              .value = keep(m, def->value), .rate = keep(m, def->rate),
                              .residual = keep(m, def->residual), .scale = keep(m, def->scale)};
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  list[m->def.nstates++] = one;
  m->def.states = list;
  return TRM_OK;
}

trm_status trm_add_variable(trm_mechanism *m, const char *name, const char *equals,
                            const char *guess, trm_error *err) {
  TRMI_NEED(err, m, name, equals);
  TRMI_TRY(err, trmi_builder_add_name(m, name, err));
  trmi_variable_def *list = trmi_builder_grow(m, m->def.variables, m->def.nvariables, sizeof *list);
  const trmi_variable_def one = {.key = {.name = trmi_builder_copy_text(m, name)},
                                 .equals = keep(m, equals), .guess = keep(m, guess)};
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  list[m->def.nvariables++] = one;
  m->def.variables = list;
  return TRM_OK;
}

trm_status trm_add_input(trm_mechanism *m, const char *name, const char *value, const char *rate,
                         trm_error *err) {
  TRMI_NEED(err, m, name);
  TRMI_TRY(err, trmi_builder_add_name(m, name, err));
  trmi_input_def *list = trmi_builder_grow(m, m->def.inputs, m->def.ninputs, sizeof *list);
  const trmi_input_def one = {.key = {.name = trmi_builder_copy_text(m, name)},
                              .value = keep(m, value), .rate = keep(m, rate)};
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  list[m->def.ninputs++] = one;
  m->def.inputs = list;
  return TRM_OK;
}

trm_status trm_add_event(trm_mechanism *m, const char *name, const trm_event_def *def,
                         trm_error *err) {
  TRMI_NEED(err, m, name, def);
  if ((def->when == NULL) == (def->every == NULL)) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "event '%.60s' needs 'when' or 'every'%s", name,
                     def->when != NULL ? ", not both" : "");
  }
  if (def->nset > 0 && def->kind == TRM_EVENT_SILENT) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "event '%.60s' sets values, so it cannot be silent",
                     name);
  }
  trmi_event_def *list = trmi_builder_grow(m, m->def.events, m->def.nevents, sizeof *list);
  trmi_event_def one = {.key = {.name = trmi_builder_copy_text(m, name)},
                        .when = keep(m, def->when), .every = keep(m, def->every),
                        .first = keep(m, def->first), .direction = def->direction,
                        .kind = def->kind};
  TRMI_TRY(err, trmi_arena_check(&m->arena, err));
  for (int i = 0; i < def->nset; i++) {
    TRMI_TRY(err, trmi_builder_add_text(m, &one.set, def->set[i].name, def->set[i].value, err));
  }
  list[m->def.nevents++] = one;
  m->def.events = list;
  return TRM_OK;
}
