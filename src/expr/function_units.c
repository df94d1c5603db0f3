/* function_units.c - units allowed for the arguments of a function, and the unit of its result.
 *
 * Arguments that are added or compared must have the same dimension; those of sin, exp, .. are
 * numbers, and their result is a number without a given unit: it fits everywhere, like a number
 * written without a unit. */
#include "expr/functions.h"

static const trmi_dimension UNKNOWN = {.is_known = false};

/* The common dimension of an argument and a given one; a conflict is a complaint at the
 * argument. */
static trmi_dimension join(trmi_call *call, trmi_dimension with, trmi_dimension own, int i) {
  if (call->failed) return UNKNOWN;
  if (!trmi_dimension_agrees(with, own)) {
    char a[48], b[48];
    trmi_dimension_print(with, a, sizeof a);
    trmi_dimension_print(own, b, sizeof b);
    trmi_complain(call->parser->complaints, call->args[i].place, "'%s' joins %s and %s",
                  call->name, a, b);
    call->failed = true;
  } else if (trmi_dimension_mixes(call->parser->units, with, own)) {
    trmi_complain(call->parser->complaints, call->args[i].place,
                  "'%s' joins a force and a mass times an acceleration, which is %.6g forces in "
                  "the units of this model", call->name, trmi_units_inertia(call->parser->units));
    call->failed = true;
  }
  return with.is_known ? with : own;
}

/* Value of an argument that is a constant. */
static double exponent_at(const trmi_call *call, int i) {
  return trmi_value_of(call->parser->graph, call->args[i].node);
}

static trmi_dimension of(const trmi_call *call, int i) {
  return call->args[i].dimension;
}

/* Arguments from..to-1 have the same dimension. */
static trmi_dimension alike(trmi_call *call, int from, int to) {
  trmi_dimension d = of(call, from);
  for (int i = from + 1; i < to; i++) d = join(call, d, of(call, i), i);
  return d;
}

static void demand_number(trmi_call *call, trmi_dimension d, int i, const char *what) {
  if (call->failed || trmi_dimension_is_number(d)) return;
  char text[48];
  trmi_dimension_print(d, text, sizeof text);
  trmi_complain(call->parser->complaints, call->args[i].place, "%s needs a number %s, not %s",
                call->name, what, text);
  call->failed = true;
}

/* Arguments are numbers; the result is a number without a given unit, except in energies. */
trmi_dimension trmi_rule_number(trmi_call *call) {
  for (int i = 0; i < call->n; i++) {
    demand_number(call, of(call, i), i, "without a unit");
  }
  return (trmi_dimension){.is_known = call->parser->scope->has_plain_factors};
}

trmi_dimension trmi_rule_same(trmi_call *call) {
  return alike(call, 0, call->n);
}

trmi_dimension trmi_rule_sign(trmi_call *call) {
  (void)call;
  return UNKNOWN;
}

trmi_dimension trmi_rule_atan2(trmi_call *call) {
  alike(call, 0, 2);
  return UNKNOWN;
}

trmi_dimension trmi_rule_if(trmi_call *call) {
  return alike(call, 1, call->n);
}

trmi_dimension trmi_rule_sqrt(trmi_call *call) {
  return trmi_dimension_power(of(call, 0), 0.5);
}

trmi_dimension trmi_rule_cbrt(trmi_call *call) {
  return trmi_dimension_power(of(call, 0), 1.0 / 3.0);
}

trmi_dimension trmi_rule_pow(trmi_call *call) {
  demand_number(call, of(call, 1), 1, "as exponent");
  const trmi_dimension base = of(call, 0);
  if (trmi_is_constant(call->parser->graph, call->args[1].node)) {
    return trmi_dimension_power(base, exponent_at(call, 1));
  }
  return base.is_known && trmi_dimension_is_number(base) ? base : UNKNOWN;
}

trmi_dimension trmi_rule_step(trmi_call *call) {
  const trmi_dimension x = join(call, of(call, 0), of(call, 1), 1);
  join(call, x, of(call, 3), 3);
  return join(call, of(call, 2), of(call, 4), 4);
}

/* Arguments x, v, x1 (and x2), then k, e, cmax, d. */
trmi_dimension trmi_rule_contact(trmi_call *call) {
  const int k = call->n - 4;
  trmi_dimension x = of(call, 0);
  for (int i = 2; i < k; i++) x = join(call, x, of(call, i), i);
  x = join(call, x, of(call, k + 3), k + 3);
  const trmi_dimension time = {.is_known = true, .time = 1};
  const trmi_dimension v = join(call, trmi_dimension_product(x, time, -1), of(call, 1), 1);
  demand_number(call, of(call, k + 1), k + 1, "as exponent");
  const trmi_dimension damper = trmi_dimension_product(of(call, k + 2), v, 1);
  if (!trmi_is_constant(call->parser->graph, call->args[k + 1].node)) return damper;
  const trmi_dimension depth = trmi_dimension_power(x, exponent_at(call, k + 1));
  return join(call, trmi_dimension_product(of(call, k), depth, 1), damper, k + 2);
}

trmi_dimension trmi_rule_poly(trmi_call *call) {
  const trmi_dimension x = join(call, of(call, 0), of(call, 1), 1);
  trmi_dimension result = of(call, 2), power = {.is_known = true};
  for (int i = 3; i < call->n; i++) {
    power = trmi_dimension_product(power, x, 1);
    result = join(call, result, trmi_dimension_product(of(call, i), power, 1), i);
  }
  return result;
}

trmi_dimension trmi_rule_cheby(trmi_call *call) {
  demand_number(call, join(call, of(call, 0), of(call, 1), 1), 0, "as x");
  return alike(call, 2, call->n);
}

/* x, x0, w and coefficients */
trmi_dimension trmi_rule_fourier(trmi_call *call) {
  const trmi_dimension x = join(call, of(call, 0), of(call, 1), 1);
  demand_number(call, trmi_dimension_product(x, of(call, 2), 1), 2, "as w x");
  return alike(call, 3, call->n);
}

trmi_dimension trmi_rule_shf(trmi_call *call) {
  const trmi_dimension x = join(call, of(call, 0), of(call, 1), 1);
  demand_number(call, trmi_dimension_product(x, of(call, 3), 1), 3, "as w x");
  demand_number(call, of(call, 4), 4, "as phase");
  return join(call, of(call, 2), of(call, 5), 5);
}

trmi_dimension trmi_rule_sweep(trmi_call *call) {
  trmi_dimension x = join(call, of(call, 0), of(call, 2), 2);
  x = join(call, x, of(call, 4), 4);
  x = join(call, x, of(call, 6), 6);
  demand_number(call, trmi_dimension_product(x, of(call, 3), 1), 3, "as f0 x");
  demand_number(call, trmi_dimension_product(x, of(call, 5), 1), 5, "as f1 x");
  return of(call, 1);
}

/* Points of a table have no units. */
trmi_dimension trmi_rule_table(trmi_call *call) {
  (void)call;
  return UNKNOWN;
}
