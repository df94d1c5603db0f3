/** @file
 * The reduced meshes of a system: flexible bodies with their modes, masses and interfaces. Numbers
 * are in units of the model. Texts and lists live as long as the system. */
#ifndef TRM_FLEXIBLE_H
#define TRM_FLEXIBLE_H
#include "trammel/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Progress of the reduction of a mesh, or a note about the cache. */
typedef struct trm_reduction_news {
  const char *body; /**< name of the flexible body                                            */
  const char *step; /**< beginning step, "factorization"; NULL: this is a note                */
  double      done; /**< completed part of the reduction, 0 to 1                              */
  const char *note; /**< NULL, or a sentence: the cache could not be read or written          */
} trm_reduction_news;

/** How meshes are reduced. All zero: without cache and reports. */
typedef struct trm_reductions {
  const char *cache; /**< folder in which results are searched and stored, created if it is
                          missing; NULL: none. A result is identified by a hash of all its
                          inputs: the bytes of the mesh, the keys of the body, the code of this
                          library */
  void (*report)(void *self, const trm_reduction_news *news); /**< NULL: no reports            */
  void  *self;       /**< of `report`; used as long as the model or mechanism exists         */
} trm_reductions;

/** A flexible body. */
typedef struct trm_flexible_info {
  const char *name;
  int         nodes, elements; /**< of its mesh                                              */
  int         last_number;     /**< largest number of a node of its mesh file                */
  int         modes;           /**< modal coordinates                                        */
  int         interfaces;
  int         loads;           /**< distributed ones                                         */
  int         fixed;           /**< fixed-interface modes found                              */
  int         constraint;      /**< static modes of interfaces, six each                     */
  int         statics;         /**< static modes of inertia loads and of distributed loads   */
  int         dropped;         /**< of these three kinds, those dependent on others          */
  double      rigid_ratio;     /**< frequency of the rigid motions over that of the first mode */
  double      mass, centre[3]; /**< body axes                                                */
  double      inertia[6];      /**< Ixx Iyy Izz Ixy Ixz Iyz about the centre, body axes      */
  double      length;          /**< unit of length of its mesh file, in that of the model    */
  int         top;             /**< hot spots to list, `stress: {top: N}`                    */
  const char *notes;           /**< of the reader of the mesh, a sentence on each line       */
  const char *kept;            /**< file of the cache that holds its reduction; NULL: none   */
} trm_flexible_info;

/** A mode of a flexible body that floats freely. */
typedef struct trm_flexible_mode {
  double frequency; /**< cycles in a unit of time                               */
  double damping;   /**< ratio                                                  */
  double share[3];  /**< parts of its kinetic energy in x, y and z, sum 1       */
  double place[3];  /**< of its largest displacement, body axes                 */
  int    node;      /**< there                                                  */
} trm_flexible_mode;

/** An interface: its nodes and frame. */
typedef struct trm_flexible_tie {
  const char *name;
  int         nodes;    /**< how many                                          */
  bool        is_rigid; /**< they move as one rigid body; otherwise it follows their mean */
  double      at[3];    /**< its origin, body axes                             */
} trm_flexible_tie;

/** A distributed load: effect of one unit of pressure or temperature. */
typedef struct trm_flexible_load {
  const char *name;
  bool        is_heat;   /**< temperature; otherwise pressure                  */
  double      force[3];  /**< of one unit, body axes; heat has none            */
  double      moment[3]; /**< about the origin of the mesh                     */
} trm_flexible_load;

/** Surface of a flexible body with its modes there. With the modal coordinates a of an instant,
 *  point p is displaced by displacement[3 p + k] . a along axis k. With the values of all heat
 *  loads appended to a, its stress is stress[6 p + c] . a. Each is the product of a row of `modes`
 *  or `columns` numbers with a; all in body axes. */
typedef struct trm_flexible_surface {
  int           points;       /**< nodes of the surface, once for each material; with `stress:
                                   {nodes: all}` inner ones follow */
  int           triangles;
  int           modes;        /**< numbers in a row of displacement                            */
  int           columns;      /**< numbers in a row of stress: modes, then loads that are heat */
  const int    *numbers;      /**< of the nodes in the mesh file [points]                      */
  const double *places;       /**< without deformation [points 3]                              */
  const int    *corners;      /**< points of triangles, counterclockwise from outside
                                   [triangles 3]                                               */
  const float  *displacement; /**< [points][3][modes]                                          */
  const float  *stress;       /**< xx yy zz xy xz yz [points][6][columns]                      */
  int           cells;        /**< elements, with `stress: {nodes: all}`; otherwise 0          */
  const unsigned char *cell_types; /**< as VTK counts them: 10, 12, 13, 24, 25 or 26 [cells]   */
  const int    *cell_points;  /**< points of all cells, one after the other: 4, 8, 6, 10, 20 or 15
                                   of each, in the order of VTK                                */
  const bool   *is_excluded;  /**< at or next to a rigid interface, whose rigidity raises the
                                   stress: not a hot spot [points] */
} trm_flexible_surface;

/** Inertia of a flexible body: with its points s in body axes, its modes phi and integrals over its
 *  mass. Masses are in units of force time^2/length. Modes are mass-normal: the sum of N of the
 *  pairs 11, 22 and 33 is the unit matrix. */
typedef struct trm_flexible_arrays {
  int           modes;
  double        mass;
  double        first[3];  /**< int s                                                        */
  double        second[9]; /**< int s s^T, row major                                         */
  const double *squares;   /**< squares of the angular frequencies [modes]                   */
  const double *D;         /**< int phi [3][modes]                                           */
  const double *L;         /**< int s_p phi_q in row 3 p + q [9][modes]                      */
  const double *N[6];      /**< int phi_p phi_q of the pairs 11 22 33 12 13 23 [modes][modes] */
} trm_flexible_arrays;

/** Number of flexible bodies of a system. */
TRM_API int trm_flexible_count(const trm_system *system);

/** Body i, 0 <= i < count; all zero otherwise. */
TRM_API trm_flexible_info trm_flexible_at(const trm_system *system, int i);

/** Mode k of body i, 0 <= k < modes; all zero otherwise. */
TRM_API trm_flexible_mode trm_flexible_mode_at(const trm_system *system, int i, int k);

/** Frequency of fixed-interface mode k of body i, cycles in a unit of time; 0 beyond the last. */
TRM_API double trm_flexible_fixed_at(const trm_system *system, int i, int k);

/** Interface k of body i, 0 <= k < interfaces; all zero otherwise. */
TRM_API trm_flexible_tie trm_flexible_tie_at(const trm_system *system, int i, int k);

/** Inertia of body i, 0 <= i < count; all zero otherwise. Lists live as long as the system. */
TRM_API trm_flexible_arrays trm_flexible_arrays_at(const trm_system *system, int i);

/** Displacement and rotation of interface k of body i by each mode, body axes.
 *  @param displacement, rotation receive lists [3][modes] that live as long as the system; NULL if
 *  there is no such interface */
TRM_API void trm_flexible_motion_at(const trm_system *system, int i, int k,
                                    const double **displacement, const double **rotation);

/** Load k of body i, 0 <= k < loads; all zero otherwise. */
TRM_API trm_flexible_load trm_flexible_load_at(const trm_system *system, int i, int k);

/** Load on an interface at one instant, body axes, at its origin. */
typedef struct trm_flexible_wrench {
  double force[3], moment[3];
} trm_flexible_wrench;

/** Data for a static analysis of the mesh of a body at one instant, body axes: loads at its
 *  interfaces, and the motion of its frame. */
typedef struct trm_flexible_loads {
  trm_flexible_wrench *wrenches;  /**< array of the caller                           [interfaces] */
  double acceleration[3];         /**< of the origin of the mesh, minus gravity                   */
  double angular_velocity[3];
  double angular_acceleration[3];
  double residual;                /**< of the balance with the wrenches, 0 to 1: rounding and the
                                       error of the accelerations of the state */
} trm_flexible_loads;

/** Loads on body i from its own balance: the static modes of interfaces make the wrenches unique
 *  for any joints and forces there. Threads may share the system.
 *  @param s         q, v and vd are used
 *  @param values    of its distributed loads [loads]
 *  @return TRM_OK, TRM_ERR_INPUT (no such body), TRM_ERR_SINGULAR or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_flexible_balance(const trm_system *system, int i,
                                                    const trm_state *s, const double *values,
                                                    trm_flexible_loads *out, trm_error *err);

/** Surface of body i, 0 <= i < count; all zero otherwise. Lists live as long as the system. */
TRM_API trm_flexible_surface trm_flexible_surface_at(const trm_system *system, int i);

#ifdef __cplusplus
}
#endif
#endif
