/* elements.h - a model built of bodies, joints and forces, while it is compiled.
 *
 * Reading goes through the parts of the definition in this order: bodies, markers, beams (whose
 * nodes are bodies), joints, motions, forces, contacts. The parts that determine the speed of large
 * models (inertia, joints, beams, bushings, contacts) become contributors that work with numbers
 * (contribute.c, beams.c, elements/force/marker_pairs.c, elements/contact/contacts.c); all others
 * consist of nodes of the expression graph, so that derivatives are automatic. Both add to the rows
 * of one assembly, see trmi_extension in equations/equations_internal.h. */
#ifndef TRMI_ELEMENTS_H
#define TRMI_ELEMENTS_H
#include "elements/body/carrier.h"
#include "elements/body/inertia.h"
#include "elements/body/kept_shapes.h"
#include "elements/body/mesh_file.h"
#include "elements/body/shape.h"
#include "core/index.h"
#include "expr/vector.h"
#include "elements/flex/beam.h"
#include "elements/flex/section.h"
#include "elements/contact/contacts.h"
#include "elements/joint/joint_types.h"
#include "equations/equations.h"
#include "equations/equations_internal.h"
#include "parts/part.h"

/* A frame on a body: its origin and axes in body axes. */
typedef struct trmi_marker {
  const char *name;  /* "crank.end"; NULL if it has none             */
  int         body;  /* number in trmi_mechanism.bodies              */
  trmi_vec3   s;     /* origin                                       */
  double      E[9];  /* axis k is row k                              */
} trmi_marker;

/* A frame as nodes, all in ground axes. */
typedef struct trmi_frame {
  trmi_nodes3 x;       /* origin                       */
  trmi_nodes3 axis[3];
  trmi_nodes3 v;       /* velocity of the origin       */
  trmi_nodes3 w;       /* angular velocity             */
} trmi_frame;

typedef struct trmi_beam_part trmi_beam_part;
typedef struct trmi_flexible_part trmi_flexible_part;

/* Effect of joints with start values on a value of a body at the start. */
typedef enum trmi_hold {
  TRMI_HOLD_NONE, /* none: its own keys decide                */
  TRMI_HELD,      /* determined by them: assembly keeps it    */
  TRMI_FREE       /* assembly keeps others before it          */
} trmi_hold;

/* Body 0 is the ground. */
typedef struct trmi_body {
  const char    *name;
  const trmi_part *def, *shaped; /* NULL for nodes; that which has its shapes, of interfaces too */
  trmi_carrier_kind kind;
  int            q, v;      /* its first numbers; of a follower those on the tape (followers.h) */
  int            carrier_v, carrier_n; /* of a follower: velocities of its body; 0: it is none */
  trmi_inertia   inertia;
  double         q0[7], v0[6]; /* at the start                        */
  const trmi_beam_part *beam;  /* of a node; NULL: a rigid body or point */
  const trmi_flexible_part *flexible; /* of an interface */
  bool           is_guess;     /* assembly moves it before others     */
  trmi_hold      hold, hold_v; /* of its pose and velocity            */
  bool           has_frame;
  trmi_frame     frame;        /* of its origin, see trmi_frame_of     */
} trmi_body;

/* A beam; its nodes are consecutive bodies. */
struct trmi_beam_part {
  const trmi_part *def;
  int    first, nnodes; /* its bodies                              */
  int    elements;
  int    nodes;         /* of an element                           */
  trmi_beam_section section;
  trmi_section shape;   /* area 0: no shape was given               */
  trmi_beam *made;      /* its elements                [elements]  */
  struct trmi_beam_modes *averaged; /* beam_modes.h; NULL: none    */
  double load[3], follower[3]; /* per length, see trmi_beam_loads    */
  trmi_marker end[2];   /* positions of its ends at the start      */
  bool   is_fixed[2];   /* first, last: clamped to it              */
};

/* Has a law been read? The second state detects a law that needs itself. */
typedef enum trmi_law_state { TRMI_LAW_UNREAD, TRMI_LAW_IN_WORK, TRMI_LAW_READ } trmi_law_state;

/* A distributed load; its node is created when first needed. */
typedef struct trmi_body_load {
  trmi_law_state law;
  trmi_node      value;
} trmi_body_load;

/* A flexible body from a mesh; its interfaces are consecutive bodies. */
struct trmi_flexible_part {
  const trmi_part *def;
  const trmi_flexible_body *reduced;
  const double *damping; /* ratio of each mode */
  int     first;         /* body of its first interface */
  int     q, v;          /* its own numbers: 7 and 6, then modes */
  trmi_body_load *loads; /* like those of reduced->arrays */
  double  length;        /* unit of the mesh file      */
  double  q0[7], v0[6];
};

/* A mesh already reduced, so that this is done only once. */
typedef struct trmi_reduced_mesh {
  const trmi_part          *part;
  const trmi_flexible_body *body;
  const double             *damping; /* ratio of each mode; NULL: not read yet */
  struct trmi_reduced_mesh *next;
} trmi_reduced_mesh;

/* A coordinate of a joint. */
typedef struct trmi_joint_freedom {
  int       memory;   /* number of its memory as an angle over full turns, -1: none */
  bool      has_node;
  trmi_node node;     /* see trmi_joint_coordinate                                  */
  trmi_node size;     /* of an angle: distance from its singularity, 0 to 1 */
} trmi_joint_freedom;

/* A joint: rows of its type, and perhaps rows of nodes. */
struct trmi_joint {
  const trmi_part   *def;
  const trmi_joint_type *type;
  trmi_marker  A, B;
  double       length, offset; /* of rows of DISTANCE and ALONG            */
  int          row, node_row; /* first native multiplier, row of nodes, -1: none */
  int          rolling;  /* first row of velocities, -1: none              */
  int          scalar, scalar_q; /* its own coordinate in v and q, -1: none    */
  int          variable; /* load of its friction, -1: none                 */
  int          bristle, nbristles; /* first of their states                */
  int          memory;   /* first of numbers fixed at the start, -1: none  */
  bool         is_built;
  trmi_joint_freedom freedom[TRMI_COORDINATES_MAX]; /* as its type has coordinates */
  double       start[TRMI_COORDINATES_MAX], start_rate[TRMI_COORDINATES_MAX]; /* NaN: none */
  trmi_node    stop, friction; /* their load along the coordinate, or on B */
  trmi_dimension stop_unit, friction_unit, load_unit; /* of these, and of a gear's load */
};

/* Quantity given by the law of a motion: its derivative of that order. */
typedef enum trmi_law_order { TRMI_POSITION, TRMI_VELOCITY, TRMI_ACCELERATION } trmi_law_order;

/* A motion on a joint coordinate. */
typedef struct trmi_motion {
  const trmi_part *def;
  trmi_joint *joint;   /* NULL: of an expression                  */
  int         coordinate; /* which of the joint                   */
  trmi_law_order order;
  int         row;    /* among rows of nodes                       */
  int         memory; /* of trmi_law, -1: a position needs none    */
} trmi_motion;

/* Kind of load of a motion on its coordinate. */
typedef enum trmi_load_kind {
  TRMI_LOAD_FORCE,
  TRMI_LOAD_TORQUE,
  TRMI_LOAD_ANY /* of an expression, or a coordinate without a dimension */
} trmi_load_kind;

typedef struct trmi_force_type trmi_force_type; /* elements/force/force_types.h */

/* A force. Its nodes are created when first needed: conditions and states are read earlier. Members
 * not used by its type remain zero. */
typedef struct trmi_force {
  const trmi_part   *def;
  const trmi_force_type *type;
  trmi_marker A, B;     /* acts on B, and oppositely on A; with A on the ground only on B */
  trmi_marker frame;    /* axes of its components                                     */
  trmi_joint *joint;
  int         of_joint; /* which of its coordinates                                   */
  int         memory;   /* number of its angle's memory, -1: none                     */
  double      rest;     /* length or angle without load                               */
  void       *own;      /* of its type, in the arena of the mechanism                 */
  bool        has_measures;
  trmi_law_state law;
  trmi_node   coordinate, rate;  /* length or angle                                   */
  trmi_node   value, driven;     /* force along it, and the part without potential    */
  trmi_nodes3 e[2];              /* six deformations                                  */
  trmi_nodes3 load[2];           /* force and torque on B at its marker, ground axes  */
} trmi_force;

/* Numbers recomputed when parts are read again. */
typedef struct trmi_derived trmi_derived;
struct trmi_derived {
  void (*compute)(trmi_mechanism *m, const void *of, double *numbers);
  const void   *of;
  double       *numbers;
  trmi_derived *next;
};

struct trmi_mechanism {
  const trmi_definition *def;
  trmi_parameters *parameters;
  trmi_complaints *complaints;
  trmi_arena      *arena;   /* for data used while compiling */
  trmi_compiler   *b;       /* from declare on                */
  trmi_extension   extension;
  trmi_vec3        gravity;
  trmi_body       *bodies;
  int              nbodies;
  trmi_marker     *markers;
  int              nmarkers;
  trmi_beam_part  *beams;
  int              nbeams;
  trmi_flexible_part *flexible;
  int              nflexible;
  struct trmi_modal_bodies *modal; /* elements/flex/modal_body.h; NULL: none */
  trmi_joint      *joints;
  int              njoints, nclamps; /* clamps of beams are the last joints */
  trmi_motion     *motions;
  int              nmotions;
  trmi_force      *forces;
  int              nforces;
  trmi_contact    *contacts;
  int              ncontacts;
  trmi_index       body_names, marker_names, joint_names;
  trmi_carriers   *carriers; /* from `read` on, in the arena of the assembly; NULL: no memory */
  struct trmi_pairs *pairs;  /* elements/force/marker_pairs.h; NULL: none yet */
  trmi_arena      *kept;         /* for data with the lifetime of the system                    */
  trmi_derived    *derived;      /* a list, see trmi_derive                                     */
  trmi_kept_shape *shapes;       /* data computed from shapes: a list                           */
  trmi_reduced_mesh *reduced;    /* a list                                                      */
  bool             is_renewed;   /* parts are read again with other numbers: see blueprint.h    */
  uint64_t         structure;    /* hash of all decisions by numbers: see trmi_decide           */
};

/* Record decisions made from numbers while parts are read and the native part is built: if one
 * changes when they are read again, the system would be a different one. */
bool trmi_decide(trmi_mechanism *m, bool is_so);
void trmi_decide_number(trmi_mechanism *m, double number); /* any change of the number changes
                                                              the system */

/* Live numbers of the graph, see trmi_live: one that the functions read_.. have stored in the arena
 * of the mechanism, or one of a part by its key; `otherwise` if it is not given. */
trmi_node trmi_live_number(trmi_mechanism *m, const double *number);
trmi_node trmi_part_node(trmi_mechanism *m, const trmi_part *part, const char *key,
                         double otherwise);
/* An expression of a part, number k of its key: a plain number is live as well. */
trmi_node trmi_part_expression(trmi_mechanism *m, const trmi_part *part, const char *key, int k,
                               trmi_purpose purpose, const char *unit);
/* Component of a direction: 0, 1 and -1 are plain numbers, so that body axes cost nothing. */
trmi_node trmi_direction(trmi_mechanism *m, const double *number);
/* Numbers that `compute` derives from the data read; NULL: out of memory. */
typedef void (*trmi_compute)(trmi_mechanism *m, const void *of, double *numbers);
const double *trmi_derive(trmi_mechanism *m, trmi_compute compute, const void *of, int count);

/* Compile a definition; with parts through a mechanism, otherwise only typed equations. Like
 * trmi_equations_build. */
trm_status trmi_mechanism_build(const trmi_definition *def, trmi_parameters *parameters,
                                trmi_complaints *complaints, trm_system_def *out, trm_error *err);

/* --- read_bodies.c ---------------------------------------------------------------------------- */

void trmi_read_bodies(trmi_mechanism *m);
/* The unit quaternion of the key `orientation`; the identity if it is not given. False after a
 * complaint. */
bool trmi_read_orientation(trmi_mechanism *m, const trmi_part *part, double p[4]);
/* Number of a body by its name, or -1. */
int trmi_find_body(const trmi_mechanism *m, const char *name, size_t length);

/* --- read_shapes.c ---------------------------------------------------------------------------- */

/* The triangles of a mesh, from its file (.obj or else STL) or its points, or of a hull. False:
 * `fault` has a sentence, or memory ran out. */
bool trmi_load_mesh(const trmi_mechanism *m, const trmi_part *part, trmi_arena *arena,
                    trmi_mesh *mesh, char fault[TRMI_MESH_FAULT]);
/* The outline of a profile, which is kept; NULL: `fault` has a sentence, or memory ran out. */
const trmi_outline *trmi_read_outline(trmi_mechanism *m, const trmi_part *part,
                                      char fault[TRMI_OUTLINE_FAULT]);
/* A terrain, likewise. */
const trmi_terrain *trmi_read_terrain(trmi_mechanism *m, const trmi_part *part,
                                      char fault[TRMI_TERRAIN_FAULT]);
/* A mesh or hull, likewise. */
const trmi_surface *trmi_read_surface(trmi_mechanism *m, const trmi_part *part,
                                      char fault[TRMI_SURFACE_FAULT]);
/* Axes of a profile, axis k is row k; false: they are parallel or zero. */
bool trmi_read_profile_axes(const trmi_part *part, double E[9]);
/* All shapes of a body together. False after a complaint: also if they have no volume. */
bool trmi_read_volume(trmi_mechanism *m, const trmi_part *part, trmi_volume *out);

/* --- read_markers.c --------------------------------------------------------------------------- */

void trmi_read_markers(trmi_mechanism *m);
/* A marker by "body.marker", or a body's own frame by "body". NULL: there is none. `made` receives
 * a body's own frame. */
const trmi_marker *trmi_find_marker(const trmi_mechanism *m, const char *name, size_t length,
                                    trmi_marker *made);
/* The same with a complaint that names the nearest one. */
bool trmi_need_marker(trmi_mechanism *m, const trmi_text *name, trmi_marker *out);
/* A marker on a body from a point and axes in ground axes at the start; E: axis k is row k. */
trmi_marker trmi_place_marker(const trmi_mechanism *m, int body, trmi_vec3 x, const double E[9]);
/* Right-handed axes with the given z, and x near the given one (NULL: any), as rows. False if z is
 * zero or x is parallel to it. */
bool trmi_axes_from(trmi_vec3 z, const trmi_vec3 *x, double E[9]);
/* Ends A and B of a part: from `markers`, or from `bodies` with `at`, `axis` and `x`. `needs_axis`:
 * an axis must be given with bodies. False after a complaint. */
bool trmi_read_ends(trmi_mechanism *m, const trmi_part *part, bool needs_axis, trmi_marker *A,
                    trmi_marker *B);
/* Is the marker at the point itself, if its body is a point? If not, a complaint about a part. */
bool trmi_check_point(trmi_mechanism *m, const trmi_part *part, const trmi_marker *marker);
/* Origin and axes of a marker (axis k is row k) at the start as it is given, ground axes. */
void trmi_marker_at_start(const trmi_mechanism *m, const trmi_marker *marker, trmi_vec3 *x,
                          double E[9]);

/* --- read_beams.c ----------------------------------------------------------------------------- */

/* Add the nodes of beams to the bodies. */
void trmi_read_beams(trmi_mechanism *m);
/* A beam by its name, or NULL. */
const trmi_beam_part *trmi_find_beam(const trmi_mechanism *m, const char *name, size_t length);

/* --- beams.c ---------------------------------------------------------------------------------- */

/* From `read` on: add beams as a contributor. */
void trmi_build_beams(trmi_mechanism *m);
/* Section force and moment in the middle of an element, in axes of the section. */
void trmi_beam_loads_nodes(trmi_mechanism *m, const trmi_beam_part *beam, int element,
                           trmi_nodes3 load[2]);

/* --- read_flexible.c -------------------------------------------------------------------------- */

/* Read flexible bodies; their interfaces are added after all other bodies. */
void trmi_read_flexible(trmi_mechanism *m);
/* A flexible body by its name, or NULL. */
const trmi_flexible_part *trmi_find_flexible(const trmi_mechanism *m, const char *name,
                                             size_t length);
/* flexible_remarks.c: notes on meshes; speeds and displacements beyond linear strains. */
void trmi_remark_flexible(trmi_mechanism *m);
/* With trmi_contribute_bodies: add them as a contributor. */
void trmi_contribute_flexible(trmi_mechanism *m);

/* --- body_loads.c ----------------------------------------------------------------------------- */

void trmi_build_body_loads(trmi_mechanism *m);
/* Number of a load by its name, or -1. */
int trmi_find_body_load(const trmi_flexible_part *f, const char *name, size_t length);
/* The value of load k; 0 after a complaint. */
trmi_node trmi_body_load_node(trmi_mechanism *m, const trmi_flexible_part *f, int k);

/* --- read_joints.c ---------------------------------------------------------------------------- */

void trmi_read_joints(trmi_mechanism *m);
trmi_joint *trmi_find_joint(const trmi_mechanism *m, const char *name, size_t length);
/* The same with a complaint that names the nearest one. */
trmi_joint *trmi_need_joint(trmi_mechanism *m, const trmi_text *name);

/* --- elements/joint/place_bodies.c, start_values.c ------------------------------------------- */

/* Place bodies without a pose of their own by the markers of joints. */
void trmi_place_bodies(trmi_mechanism *m);
/* Start values of a joint. False after a complaint. */
bool trmi_read_joint_start(trmi_mechanism *m, trmi_joint *j);
/* Move bodies to the poses and velocities required by start values of joints. */
void trmi_place_starts(trmi_mechanism *m);
/* Angles count their turns from start values; remarks if assembly does not keep them. */
void trmi_build_starts(trmi_mechanism *m);

/* --- elements/joint/motions.c ----------------------------------------------------------------- */

void trmi_read_motions(trmi_mechanism *m);
trmi_load_kind trmi_motion_load(const trmi_motion *motion);
/* Rows of all motions, and references of their angles at the start. */
void trmi_build_motions(trmi_mechanism *m);

/* --- elements/body/marker_frame.c ------------------------------------------------------------- */

/* Columns of the matrix of a unit quaternion. */
void trmi_axes_of_quaternion(trmi_graph *g, const trmi_node p[4], trmi_nodes3 axis[3]);
/* A marker as nodes. */
trmi_frame trmi_frame_of(trmi_mechanism *m, const trmi_marker *marker);
/* A force and a torque on B at the origin of its marker, both in ground axes, and back on A at the
 * same point. */
void trmi_push_pair(trmi_mechanism *m, const trmi_marker *A, const trmi_marker *B,
                    trmi_nodes3 force, trmi_nodes3 torque);
/* A force along a coordinate, a node of positions, with the power value times its rate. */
void trmi_push_along(trmi_mechanism *m, trmi_node coordinate, trmi_node value);
/* Power of a force already added, for the energy balance; `sum` belongs to the builder. */
void trmi_count_power(trmi_mechanism *m, trmi_node *sum, trmi_node power);
/* Time derivative of a node along the motion: positions by velocities, velocities by
 * accelerations, states by their rates. */
trmi_node trmi_velocity_of(trmi_mechanism *m, trmi_node node);
/* Angle of B against A about axis z of A, over full turns; `memory` is the number of its memory. */
trmi_node trmi_angle_between(trmi_mechanism *m, const trmi_marker *A, const trmi_marker *B,
                             int memory);
/* The angle of a direction with the parts S up and C right, over full turns. */
trmi_node trmi_angle_near(trmi_mechanism *m, trmi_node S, trmi_node C, int memory);

/* Quaternions of two markers on their bodies; the sign of the second is such that the relative
 * quaternion has a positive scalar part at the start. */
void trmi_marker_quats(const trmi_mechanism *m, const trmi_marker *A, const trmi_marker *B,
                       double m_a[4], double m_b[4]);

/* --- elements/joint/coordinates.c ------------------------------------------------------------- */

/* Coordinate number k of a joint. */
trmi_node trmi_joint_coordinate(trmi_mechanism *m, trmi_joint *j, int k);
/* Is it an angle? */
bool trmi_joint_turns(const trmi_joint *j, int k);
/* The coordinates of a type in words, "x, y and angle"; `word`, if not NULL, precedes the last. */
enum { TRMI_COORDINATE_LIST = 96 };
void trmi_coordinate_list(const trmi_joint_type *type, const char *word,
                          char text[TRMI_COORDINATE_LIST]);
/* The default coordinate if none is named, or -1. */
int trmi_only_coordinate(const trmi_joint_type *type);
/* The coordinate of a joint for a part: its key `coordinate`; otherwise `angle` or `displacement`
 * if the joint has one of them, or its only one. False after a complaint. */
bool trmi_read_coordinate(trmi_mechanism *m, const trmi_part *part, const trmi_joint *joint,
                          int *coordinate);
/* The same with the word and its position in the text; NULL: none. */
bool trmi_choose_coordinate(trmi_mechanism *m, const trmi_part *part, const trmi_joint *joint,
                            const char *word, trmi_place place, int *coordinate);

/* --- elements/joint/reaction.c ---------------------------------------------------------------- */

/* Load of the rows of a joint on B, at the marker of B, ground axes; without stops and friction. */
void trmi_joint_reaction(trmi_mechanism *m, trmi_joint *j, trmi_nodes3 *force,
                         trmi_nodes3 *torque);
/* Nodes of the joint's own rows, once. */
void trmi_build_joint(trmi_mechanism *m, trmi_joint *j);

/* The point of contact of a wheel on the plane, ground axes; elements/joint/rolling.c. */
trmi_nodes3 trmi_contact_point(trmi_mechanism *m, const trmi_joint *j);

/* --- mechanism/contribute.c ------------------------------------------------------------------- */

/* From `read` on: contributors of inertia, with the carriers of all markers, and of the rows of
 * joints. */
void trmi_contribute_bodies(trmi_mechanism *m);
void trmi_contribute_joints(trmi_mechanism *m);
/* After all carriers are known: markers that map (elements/body/carrier.h) become followers of
 * expressions. Their bodies follow all others, in the order of their carriers. */
void trmi_contribute_followers(trmi_mechanism *m);
/* Unknowns of a body's columns of a quantity, of TRMI_IN_Q or TRMI_IN_V.
 * @return their number; `out` may be NULL */
int trmi_body_columns(const trmi_body *body, trmi_input list, trmi_dependence *out);

/* --- mechanism/names.c ------------------------------------------------------------------------ */

/* A number by its name, "pin.force.x"; false: there is none. */
bool trmi_mechanism_number(trmi_mechanism *m, const char *name, trmi_meaning *out);
bool trmi_mechanism_name(void *self, trmi_compiler *b, const char *name, size_t length, int primes,
                         trmi_place place, trmi_meaning *out);
const char *trmi_mechanism_known(void *self, int i);
/* Names in expressions, line i for the reference page, or NULL after the last; `arguments`: their
 * objects. */
const trmi_function_info *trmi_mechanism_name_at(int i);
/* Labels of all unknowns and rows that were added. */
void trmi_mechanism_labels(trmi_mechanism *m);

/* Is every unknown of a node allowed here? If not, a complaint that calls it `name`. */
bool trmi_check_allowed(trmi_compiler *b, trmi_node node, const char *name, int length,
                        trmi_place place);

/* --- mechanism/marker_measures.c -------------------------------------------------------------- */

bool trmi_is_measure(void *self, const char *name, size_t length);
bool trmi_measure(void *self, trmi_compiler *b, const trmi_measure_call *call, trmi_meaning *out);
/* Measure number i for the reference page, or NULL after the last. */
const trmi_function_info *trmi_measure_at(int i);

/* --- elements/force/force_types.c ------------------------------------------------------------- */

/* Ends and numbers of all forces; before anything is numbered. */
void trmi_read_forces(trmi_mechanism *m);
/* Add them to the equations. */
void trmi_build_forces(trmi_mechanism *m);
/* Rebuild those that evaluate themselves. */
void trmi_renew_forces(trmi_mechanism *m);
trmi_force *trmi_find_force(const trmi_mechanism *m, const char *name, size_t length);
/* A name after that of a force, "length" or "A.force.x"; false: it has no such number. */
bool trmi_force_number(trmi_mechanism *m, trmi_force *a, const char *name, size_t length,
                        trmi_place place, trmi_meaning *out);

/* --- elements/joint/friction_bristle.c ----------------------------------------------- */

/* Rows of the states of a joint, and its friction over the load along each component of sliding. */
void trmi_build_bristles(trmi_mechanism *m, const trmi_joint *j, const trmi_node *speed,
                         trmi_node *force);
void trmi_bristle_labels(trmi_mechanism *m);
void trmi_contribute_bristles(trmi_mechanism *m);

/* --- elements/contact/read_contacts.c ----------------------------------------------- */

/* Points and laws of all contacts. */
void trmi_read_contacts(trmi_mechanism *m);
/* From `read` on: add them as a contributor. */
void trmi_contribute_contacts(trmi_mechanism *m);
/* Labels of their states. */
void trmi_contact_labels(trmi_mechanism *m);
trmi_contact *trmi_find_contact(const trmi_mechanism *m, const char *name, size_t length);
/* A name after that of a contact, "force" or "point.x"; false: it has no such number. */
bool trmi_contact_number(trmi_mechanism *m, const trmi_contact *c, const char *name, size_t length,
                         trmi_meaning *out);

/* --- mechanism/doubtful_numbers.c ------------------------------------------------------------ */

/* Remarks on bare numbers that may be degrees, or densities in another unit. */
void trmi_doubt_numbers(trmi_mechanism *m);

#endif
