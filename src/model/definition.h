/* definition.h - a model as it was written: names and texts with their places.
 *
 * The reader of model files fills it in, model/parameters.c and model/equations.c make
 * numbers and equations of it. All texts and lists belong to the reader and outlive
 * what is built of them. A text whose `text` is NULL was not given. */
#ifndef TRMI_DEFINITION_H
#define TRMI_DEFINITION_H
#include "core/complaint.h"
#include "expr/curve.h"
#include "model/loader.h"
#include "parts/part.h"
#include "trammel/system.h"

/* name: expression */
typedef struct trmi_named_text {
  trmi_key  key;
  trmi_text text;
} trmi_named_text;

typedef struct trmi_named_texts {
  trmi_named_text *list;
  int              count;
} trmi_named_texts;

/* x: 0.9   or   x: {value: 0.9, velocity: 0, scale: 1, kind: length}   or   x: {guess: 0.9} */
typedef struct trmi_coordinate_def {
  trmi_key  key;
  trmi_text value, velocity, scale;
  bool      is_guess; /* `value` was given as guess: assembly moves it first */
  trm_kind  kind;
} trmi_coordinate_def;

/* mass: {x: m, "x, y": 0.5*m} */
typedef struct trmi_mass_def {
  trmi_key  row, col; /* coordinates; the entry stands at (row, col) and (col, row) */
  trmi_text text;
} trmi_mass_def;

/* x: {value: 0, rate: (u - x)/T}   or   x: {value: 0, residual: T*x' + x - u} */
typedef struct trmi_state_def {
  trmi_key  key;
  trmi_text value, rate, residual, scale;
} trmi_state_def;

/* w: expression   or   w: {guess: 0, equals: expression} */
typedef struct trmi_variable_def {
  trmi_key  key;
  trmi_text guess, equals;
} trmi_variable_def;

/* drive: 0 N   or   drive: {value: 0 N, rate: 2 N/s} */
typedef struct trmi_input_def {
  trmi_key  key;
  trmi_text value, rate;
} trmi_input_def;

/* bounce: {when: y, direction: falling, set: {y': -e*y'}}
 * sample: {every: 10 ms, set: {u: -k*x}}
 * far:    {when: x > 3, do: stop} */
typedef struct trmi_event_def {
  trmi_key         key;
  trmi_text        when;       /* zero crossing or condition; or            */
  trmi_text        every;      /* a period, with                            */
  trmi_text        first;      /* the time of the first one; default: one period after the start */
  int              direction;  /* +1 rising, -1 falling, 0 both             */
  trm_event_kind   kind;       /* default: RESTART if it sets, else SILENT  */
  trmi_named_texts set;        /* key: a discrete value, state, coordinate or velocity (y') */
} trmi_event_def;

/* table: {x: [..], y: [..], interpolation: linear|akima|cubic} or {file: data.csv, ..} */
typedef struct trmi_table_def {
  trmi_key        key;
  trmi_curve_kind kind;
  int             n;
  const double   *x, *y;
} trmi_table_def;

typedef struct trmi_definition {
  const char      *name; /* of the model */
  const char     **files; /* by the numbers in trmi_place */
  int              nfiles;
  const trmi_loader *loader; /* NULL: files and libraries cannot be reached */
  trmi_plugin_use  plugins;
  trmi_units       units;
  trmi_named_texts parameters;
  bool            *is_fixed; /* parameters that decide what the model is made of, so that they
                                cannot be set afterwards   [parameters.count]; NULL: none */
  trmi_part        world;  /* the mechanism as a whole: gravity */
  trmi_parts       bodies, beams, joints, motions, actions; /* actions: key `forces` */
  trmi_table_def      *tables;
  int                  ntables;
  trmi_coordinate_def *coordinates;
  int                  ncoordinates;
  trmi_text            kinetic, potential;
  trmi_mass_def       *mass;
  int                  nmass;
  trmi_named_texts     forces;       /* key: a coordinate             */
  trmi_named_texts     constraints;  /* g = 0, key: name of the row   */
  trmi_named_texts     nonholonomic; /* linear in velocities          */
  trmi_state_def      *states;
  int                  nstates;
  trmi_variable_def   *variables;
  int                  nvariables;
  trmi_named_texts     discrete;     /* key: name, text: start value  */
  trmi_input_def      *inputs;
  int                  ninputs;
  trmi_event_def      *events;
  int                  nevents;
  trmi_named_texts     outputs;
  trmi_named_texts     measures;     /* "max(load)", of a simulation; integ/measures.h */
} trmi_definition;

#endif
