/* blueprint.h - the model data stored with a system, so that its values can be set later.
 *
 * Numbers of parts enter a system in two ways: as live numbers of the graph (expr/prologue.h), and
 * in contributors of elements. Both originate in structs of the mechanism that the functions
 * read_.. fill from the parts. These are in an arena that is rewound when a value is set: reading
 * the parts again with the same functions puts the new numbers at the same addresses, to which live
 * numbers point; contributors are rebuilt in the same manner. Decisions that depend on numbers must
 * be the same (trmi_decide): otherwise the value needs a new build. */
#ifndef TRMI_BLUEPRINT_H
#define TRMI_BLUEPRINT_H
#include "expr/prologue.h"
#include "elements/elements.h"

/* A named number of the model: of a parameter, a part or a start value. */
typedef struct trmi_settable_value {
  const char       *name;   /* "k", "strut.stiffness", "crank.at.1", "x.velocity"     */
  const char       *unit;   /* "" if any unit is allowed                              */
  const trmi_field *field;  /* for a number of a part; NULL: a parameter              */
  const trmi_part  *part;
  bool              is_structural;
  int               parameter; /* index of the parameter; -1: not a parameter         */
  double           *target; /* where the number is stored                             */
  int               step;   /* step that computes it from parameters, -1: none        */
  double            number; /* as given                                               */
  bool              is_set; /* set since then: `number` replaces its text             */
  char             *written; /* buffer for `number` as a text, value_compile.c        */
} trmi_settable_value;

/* Names of values, shared by successive blueprints of one system. */
typedef struct trmi_value_names {
  int         users;
  trmi_arena  arena; /* this struct and all names */
  const char **list;
  int         count;
} trmi_value_names;

typedef struct trmi_blueprint {
  trmi_arena      arena;        /* this struct and the definition       */
  trmi_arena      parts_arena;  /* data read from parts                 */
  trmi_definition def;
  trmi_equations *eq;
  trmi_assembly  *assembly;
  trmi_compiler   builder;      /* after building: only eq is set       */
  trmi_mechanism  m;
  trmi_mechanism  built;        /* when the system was built            */

  /* set on the first query for a value, model_values.c */
  bool            is_open;
  trmi_complaints complaints;
  trmi_parameters parameters;
  trmi_prologue   prologue;     /* of the parameters                    */
  trmi_settable_value *values;
  int             nvalues;
  trmi_value_names *names;
} trmi_blueprint;

/* A copy of a definition to build from; NULL: out of memory. */
trmi_blueprint *trmi_blueprint_make(const trmi_definition *def, const trm_allocator *allocator);
void trmi_blueprint_free(void *blueprint);

/* After building: the assembly keeps the blueprint. */
void trmi_blueprint_keep(trmi_blueprint *bp, trmi_assembly *a);

/* To be called after numbers of parts have changed. TRM_ERR_INPUT: they are not valid, or need a
 * new build; then restore the old numbers and call this again. */
trm_status trmi_blueprint_renew(trmi_blueprint *bp, trm_error *err);

/* build.c: `declare` of trmi_extension, `self` is the mechanism. */
void trmi_mechanism_declare(void *self, trmi_compiler *b);
/* build.c: read all parts of a definition; start values of bodies; contributors. */
void trmi_mechanism_read(trmi_mechanism *m);
void trmi_mechanism_start(trmi_mechanism *m);
void trmi_mechanism_native(trmi_mechanism *m);

/* record_loads.c: loads of elements for samples. */
void trmi_record_loads(trmi_mechanism *m);

/* model_values.c: values of a system, for trm_system_ops. */
trm_status trmi_values_count(void *self, int *count, trm_error *err);
void trmi_values_at(void *self, int i, trm_value *value);
int trmi_values_find(void *self, const char *name);
trm_status trmi_values_set(void *self, int i, double number, trm_error *err);
/* Is the number valid for this value alone? TRM_ERR_INPUT: not finite, or out of range. */
trm_status trmi_value_check(const trmi_settable_value *value, double number, trm_error *err);
/* TRM_ERR_INPUT: a structural value, with the reason. */
trm_status trmi_value_needs_build(const trmi_settable_value *value, trm_error *err);
/* Parse the texts of the model; TRM_ERR_MEMORY. */
trm_status trmi_values_open(trmi_blueprint *bp, trm_error *err);
/* Update the system to the numbers of the model. */
trm_status trmi_values_apply(trmi_blueprint *bp, trm_error *err);

/* value_names.c: names of values outlive a blueprint that is recompiled. */
trm_status trmi_value_names_make(trmi_blueprint *bp, trm_error *err);
void trmi_value_names_share(trmi_blueprint *bp, trmi_value_names *names);
void trmi_value_names_leave(trmi_value_names *names);

/* value_compile.c: likewise. */
trm_status trmi_values_compile(void *self, int i, double number, trm_system_def *def,
                               trm_error *err);

/* value_derivatives.c: likewise. */
trm_status trmi_values_rate(void *self, int i, const trm_state *s, const trm_values *out,
                            trm_error *err);

/* The mechanism of a system built from parts, or NULL. */
const trmi_mechanism *trmi_mechanism_of(const trm_system *system);

/* --- doubtful_places.c ----------------------------------------------------------------------- */

/* Remarks on the body farthest from one of its joints, if that looks like a mistake, and on
 * contacts between the same two bodies. */
void trmi_doubt_places(trmi_mechanism *m);

#endif
