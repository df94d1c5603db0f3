/** @file
 * Mechanisms from C: add parts by name, then build a system from them.
 *
 *     trm_body_def rod = trm_body_default();
 *     rod.mass = 0.5, rod.inertia[0] = rod.inertia[1] = rod.inertia[2] = 1e-3;
 *     status = trm_add_body(mechanism, "rod", &rod, NULL, &err);
 *     ...
 *     status = trm_mechanism_build(mechanism, NULL, &system, &err);
 *
 * Structs are those of trammel/parts.h; their meaning is in docs/guide/reference.md under
 * its key. Numbers are in the units of the mechanism, SI unless set by trm_mechanism_set_units. If
 * a number depends on parameters, or on time and motion, trm_set_text sets an expression for it in
 * addition to the struct. */
#ifndef TRM_MECHANISM_H
#define TRM_MECHANISM_H
#include "trammel/parts.h"
#include "trammel/problems.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A mechanism being built. */
typedef struct trm_mechanism trm_mechanism;

/** A part of a mechanism, from trm_add_.. or trm_find_part. */
typedef struct trm_part {
  int group, index, inner;
} trm_part;

/** Create an empty mechanism.
 *  @param allocator  NULL: malloc
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_mechanism_create(const trm_allocator *allocator,
                                                    trm_mechanism **mechanism, trm_error *err);

/** Free a mechanism, not systems built from it. Accepts NULL. */
TRM_API void trm_mechanism_free(trm_mechanism *mechanism);

/** Units of all numbers without one: "SI", or four units with a dash between, "N-kg-ms-mm". */
TRM_API TRM_CHECKED trm_status trm_mechanism_set_units(trm_mechanism *mechanism,
                                                       const char *units, trm_error *err);

/** The same with the sizes of the four units in SI. */
TRM_API TRM_CHECKED trm_status trm_mechanism_set_unit_sizes(trm_mechanism *mechanism, double length,
                                                            double mass, double time, double force,
                                                            trm_error *err);

/** The mechanism as a whole: gravity. */
TRM_API TRM_CHECKED trm_status trm_set_world(trm_mechanism *mechanism, const trm_world_def *def,
                                             trm_part *part, trm_error *err);

/** Kinetic and potential energy of typed equations. */
TRM_API TRM_CHECKED trm_status trm_set_energies(trm_mechanism *mechanism,
                                                const trm_energies_def *def, trm_part *part,
                                                trm_error *err);

/** A struct without values, and a new part from it; `part` may be NULL.
 *  @return TRM_OK, TRM_ERR_INPUT (a value or the name does not fit) or TRM_ERR_MEMORY */
#define TRM_DECLARE_PART(kind, LIST, type, meaning)                                               \
  TRM_API trm_##kind##_def trm_##kind##_default(void);                                            \
  TRM_API TRM_CHECKED trm_status trm_add_##kind(trm_mechanism *mechanism, const char *name,       \
                                                const trm_##kind##_def *def, trm_part *part,      \
                                                trm_error *err);
/** The same for parts inside another one: markers and shapes of a body, assignments of an event. */
#define TRM_DECLARE_INNER(kind, LIST, type, meaning)                                              \
  TRM_API trm_##kind##_def trm_##kind##_default(void);                                            \
  TRM_API TRM_CHECKED trm_status trm_add_##kind(trm_mechanism *mechanism, trm_part owner,         \
                                                const char *name, const trm_##kind##_def *def,    \
                                                trm_part *part, trm_error *err);

/** Parts of all kinds. A body with the name "ground" and no values carries markers of the
 *  ground. */
TRM_KINDS_OF_BODIES(TRM_DECLARE_PART)
TRM_KINDS_OF_MARKERS(TRM_DECLARE_INNER)
TRM_KINDS_OF_SHAPES(TRM_DECLARE_INNER)
TRM_KINDS_OF_JOINTS(TRM_DECLARE_PART)
TRM_KINDS_OF_MOTIONS(TRM_DECLARE_PART)
TRM_KINDS_OF_FORCES(TRM_DECLARE_PART)
TRM_KINDS_OF_BEAMS(TRM_DECLARE_PART)
TRM_KINDS_OF_FLEXIBLE(TRM_DECLARE_PART)
TRM_KINDS_OF_INTERFACES(TRM_DECLARE_INNER)
TRM_KINDS_OF_MATERIALS(TRM_DECLARE_INNER)
TRM_KINDS_OF_BODY_LOADS(TRM_DECLARE_INNER)
TRM_KINDS_OF_CONTACTS(TRM_DECLARE_PART)
TRM_KINDS_OF_GROUPS(TRM_DECLARE_PART)
TRM_API trm_world_def trm_world_default(void);

/** Typed equations, tables, inputs and outputs. An entry of the mass matrix is called "x" or
 *  "x, y", a force on a coordinate as the coordinate, an assignment like its target, "y'". */
TRM_KINDS_OF_COORDINATES(TRM_DECLARE_PART)
TRM_KINDS_OF_MASSES(TRM_DECLARE_PART)
TRM_KINDS_OF_COORDINATE_FORCES(TRM_DECLARE_PART)
TRM_KINDS_OF_HOLONOMIC(TRM_DECLARE_PART)
TRM_KINDS_OF_NONHOLONOMIC(TRM_DECLARE_PART)
TRM_KINDS_OF_STATES(TRM_DECLARE_PART)
TRM_KINDS_OF_VARIABLES(TRM_DECLARE_PART)
TRM_KINDS_OF_DISCRETE(TRM_DECLARE_PART)
TRM_KINDS_OF_EVENTS(TRM_DECLARE_PART)
TRM_KINDS_OF_ASSIGNMENTS(TRM_DECLARE_INNER)
TRM_KINDS_OF_TABLES(TRM_DECLARE_PART)
TRM_KINDS_OF_INPUTS(TRM_DECLARE_PART)
TRM_KINDS_OF_OUTPUTS(TRM_DECLARE_PART)
TRM_KINDS_OF_DRAWN(TRM_DECLARE_PART)
TRM_API trm_energies_def trm_energies_default(void);

/** The part with that name, "pin"; a marker as "crank.end", a shape of an interface as
 *  "rod.tip.pad". Parts that share their names with others are found with their section,
 *  "outputs.x", "equations.forces.x".
 *  @return false: there is none */
TRM_API bool trm_find_part(const trm_mechanism *mechanism, const char *name, trm_part *part);

/** Description of a part. Its texts belong to the mechanism. */
typedef struct trm_part_info {
  const char *name; /**< "strut"; a marker or shape without its body               */
  const char *kind; /**< of its struct, "spring" of trm_spring_def                 */
  const char *section; /**< of a model file, "forces", "equations.states"; NULL: inside another
                            part */
  trm_part    owner; /**< owner of markers, shapes and assignments; otherwise the part itself */
} trm_part_info;

/** Part number i; parts inside another one follow it; world and energies are not counted.
 *  @return false: there are fewer */
TRM_API bool trm_part_at(const trm_mechanism *mechanism, int i, trm_part *part,
                         trm_part_info *info);

/** The text of a part for a key, as written, or "" for numbers not given as texts; number i of a
 *  list. It belongs to the mechanism.
 *  @return NULL: the part has no value for that key */
TRM_API const char *trm_get_text(const trm_mechanism *mechanism, trm_part part, const char *key);

/** The number of a part for a key, "stiffness", or one of a list, "at.3"; texts are evaluated.
 *  @return TRM_OK, TRM_ERR_INPUT (there is none, or it depends on the motion), TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_get_number(trm_mechanism *mechanism, trm_part part,
                                              const char *key, double *number, trm_error *err);

/** Set a number for a key; it replaces a text.
 *  @return TRM_OK, TRM_ERR_INPUT (out of range), TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_set_number(trm_mechanism *mechanism, trm_part part,
                                              const char *key, double number, trm_error *err);

/** Set a text instead of a number, or another expression: of parameters, or, if its key allows it,
 *  of time and motion. If a part must have a value when it is added, give a number first, which the
 *  text replaces.
 *  @param key   as in a model file, "stiffness"; one number of a list as "force.3"
 *  @param text  "2*k", "-3*pin.rate"; it is copied */
TRM_API TRM_CHECKED trm_status trm_set_text(trm_mechanism *mechanism, trm_part part,
                                            const char *key, const char *text, trm_error *err);

/** Add a parameter: a name for an expression of numbers and other parameters. */
TRM_API TRM_CHECKED trm_status trm_add_parameter(trm_mechanism *mechanism, const char *name,
                                                 const char *text, trm_error *err);

/** Name and text of parameter number i; false: there are fewer. */
TRM_API bool trm_parameter_at(const trm_mechanism *mechanism, int i, trm_setting *parameter);

/** Set another text for an existing parameter.
 *  @return TRM_OK, TRM_ERR_INPUT (there is none; or reading the model has used it for its list of
 *  repeated parts) or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_set_parameter(trm_mechanism *mechanism, const char *name,
                                                 const char *text, trm_error *err);

/** Build the system of a mechanism; may be called repeatedly.
 *  @param allocator  NULL: malloc
 *  @param system     receives the system, freed by trm_system_free; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT (with a sentence that names the part) or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_mechanism_build(trm_mechanism *mechanism,
                                                   const trm_allocator *allocator,
                                                   trm_system **system, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
