/* force_types.h - the registry of forces. A force builds nodes of its loads on bodies from measures
 * of these (elements/elements.h); derivatives are automatic.
 *
 * A type works in four steps: `check` reads numbers before the numbering, `measure` builds nodes of
 * lengths and deformations, `law` those of the force, `push` adds it to the equations. The middle
 * two are called when a name of the force is first used. */
#ifndef TRMI_FORCE_TYPES_H
#define TRMI_FORCE_TYPES_H
#include "elements/elements.h"

/* Ends of a force. */
typedef enum trmi_force_ends {
  TRMI_ON_ONE,   /* one marker or body, or two of them   */
  TRMI_ON_TWO,   /* `markers`, or `bodies` with `at`     */
  TRMI_ON_LINE,  /* `markers`, or `bodies` with `points` */
  TRMI_ON_JOINT
} trmi_force_ends;

struct trmi_force_type {
  const char *name;    /* as the kind of its part                     */
  trmi_force_ends ends;
  bool        has_angle, has_length; /* NAME.angle, NAME.length, with NAME.rate               */
  bool        has_deformations;      /* NAME.x .. NAME.rz                                     */
  bool        has_loads;             /* NAME.force.x, NAME.torque.x; otherwise NAME.force of a
                                        length or displacement, NAME.torque of an angle */
  bool        needs_turning;         /* both ends must be able to rotate                        */
  bool        is_native;             /* `push` needs no nodes                                  */
  bool (*check)(trmi_mechanism *m, trmi_force *a);    /* may be NULL; false after a complaint   */
  void (*measure)(trmi_mechanism *m, trmi_force *a); /* may be NULL                             */
  void (*law)(trmi_mechanism *m, trmi_force *a);      /* may be NULL: no names                  */
  void (*push)(trmi_mechanism *m, trmi_force *a);
};

/* Type number i, or NULL after the last. */
const trmi_force_type *trmi_force_type_at(int i);

/* All of them, in the order of the reference: a new one is one line here. An X-macro list:
 * force_types.c takes the addresses of the same types. */
#define TRMI_FORCE_TYPES(ONE) \
  ONE(force)   \
  ONE(torque)  \
  ONE(general) \
  ONE(spring)  \
  ONE(torsion) \
  ONE(joint)   \
  ONE(bushing) \
  ONE(beam)    \
  ONE(plugin)

#define TRMI_FORCE_EXTERN(name) extern const trmi_force_type trmi_force_type_##name;
TRMI_FORCE_TYPES(TRMI_FORCE_EXTERN)

/* A complaint about one of its keys; always false. */
bool trmi_force_fault(trmi_mechanism *m, const trmi_force *a, const char *path,
                       const char *sentence);

/* Nodes of its lengths or deformations, built once. */
void trmi_force_measures(trmi_mechanism *m, trmi_force *a);

/* A remark if its damping or stiffness is negative. */
void trmi_force_warn_of_feeding(trmi_mechanism *m, const trmi_force *a);
void trmi_force_warn_of_pushing(trmi_mechanism *m, const trmi_force *a);

/* --- force_ends.c ------------------------------------------------------------------------- */

/* A, B and frame; false after a complaint. */
bool trmi_force_read_ends(trmi_mechanism *m, trmi_force *a);
/* Distance of both ends at the start, and a complaint if it is zero: for laws that need the
 * direction of the line between them. */
double trmi_force_distance(trmi_mechanism *m, const trmi_force *a);
bool   trmi_force_needs_distance(trmi_mechanism *m, const trmi_force *a);
/* Vector from A to B, and a `measure` with its length as the coordinate. */
trmi_nodes3 trmi_force_between(trmi_mechanism *m, const trmi_force *a);
void        trmi_force_length(trmi_mechanism *m, trmi_force *a);

/* --- scalar_law.c: laws of one coordinate -------------------------------------------------- */

/* `turns`: the coordinate is an angle. */
bool trmi_scalar_law_check(trmi_mechanism *m, trmi_force *a, bool turns);
void trmi_scalar_law_build(trmi_mechanism *m, trmi_force *a);
void trmi_scalar_law_push(trmi_mechanism *m, trmi_force *a);
/* A remark if the law feeds energy into the motion at the start. */
void trmi_scalar_law_doubt(trmi_mechanism *m, const trmi_force *a);
/* Stiffness of a purely linear spring, otherwise NULL. */
const double *trmi_scalar_law_pure_stiffness(const trmi_force *a);
/* The stiffness and damping of a law as nodes. */
void trmi_scalar_law_numbers(trmi_mechanism *m, const trmi_force *a, trmi_node *k, trmi_node *c);

/* --- six_law.c: laws of six deformations ---------------------------------------------- */

/* Numbers of such a law, row major. */
typedef struct trmi_six {
  double K[36], C[36];
  double rest[6];    /* deformations without load   */
  double preload[6]; /* on B, axes of A             */
  bool   is_symmetric, has_damping; /* K, C; set by trmi_six_keep */
  bool   acts[6];    /* of a stiff force: K acts on that deformation; likewise */
} trmi_six;

/* Store a copy of the numbers. */
bool trmi_six_keep(trmi_mechanism *m, trmi_force *a, const trmi_six *six);
void trmi_six_measure(trmi_mechanism *m, trmi_force *a);
void trmi_six_law(trmi_mechanism *m, trmi_force *a);
void trmi_six_push(trmi_mechanism *m, trmi_force *a);

/* force_types.c: names that expressions know of a force of this type, "length, rate, force". */
void trmi_force_list(const trmi_force *a, char *text, size_t size);

/* --- stiff_force.c: forces with fast vibrations ----------------------------------- */

bool trmi_force_is_stiff(const trmi_force *a);
/* Add its deformations to those of system.h, if it is stiff. */
void trmi_force_add_stiff(trmi_mechanism *m, trmi_force *a);

#endif
