/* doctor.h - what a model looks like before it runs: freedoms, redundant constraints and what to
 * relax, what assembly moved, masses, frequencies, a method that suits it.
 *
 * Life cycle: trm_sim_create -> trm_doctor_examine -> read the fields -> trm_doctor_free, before
 * trm_sim_free. A simulation that was examined can run, but its counters include that work. */
#ifndef TRM_DOCTOR_H
#define TRM_DOCTOR_H
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A joint, or another thing that constraint rows belong to, with something to say about them. */
typedef struct trm_doctor_joint {
  char name[TRM_OBJECT_MAX];   /**< "knee"                                     */
  char object[TRM_OBJECT_MAX]; /**< "joint 'knee'"                             */
  int  rows;                   /**< all of them                                */
  int  redundant;              /**< those that its set could do without        */
  int  not_unique;             /**< those whose multiplier is not unique       */
} trm_doctor_joint;

/** Joints whose rows depend on each other, and on no others. */
typedef struct trm_doctor_set {
  const int *joints;  /**< their numbers in `joints`                [njoints] */
  int        njoints;
  int        surplus; /**< rows that could be left out                        */
  int        relax;   /**< a joint that can give all of them; -1: none can do it alone */
  const int *release; /**< those rows, of all ng + na               [surplus] */
  char       hint[TRM_MESSAGE_MAX]; /**< what to change; if the start is a singular pose, then (as
                                         `relax`) for what is dependent beside it, or empty */
} trm_doctor_set;

/** How far assembly moved a thing: lengths, angles, numbers of another kind. */
typedef struct trm_doctor_move {
  char   object[TRM_OBJECT_MAX]; /**< "body 'crank'"                          */
  double length, angle, other;   /**< of positions [m, rad, ..]               */
  double speed, turning, rate;   /**< of velocities [m/s, rad/s, ..]          */
} trm_doctor_move;

/** Mass properties at the start, in the units of the system. */
typedef struct trm_doctor_body {
  char   object[TRM_OBJECT_MAX]; /**< "body 'crank'"; "" of all together                      */
  double mass;
  double centre[3];  /**< of mass, ground axes                                                */
  double inertia[6]; /**< Ixx Iyy Izz Ixy Ixz Iyz (entries of the matrix) about it, body axes; of
                          all together ground axes                                            */
} trm_doctor_body;

/** What was found. Everything belongs to it. */
typedef struct trm_doctor {
  trm_rank rank;              /**< at the assembled start; its lists are those of the simulation */
  int      freedoms_by_count; /**< coordinates less constraint rows, redundant ones too   */
  const trm_doctor_joint *joints; /**< with redundant or not unique rows    [njoints] */
  int      njoints;
  const trm_doctor_set   *sets;   /**< of dependent constraints             [nsets]   */
  int      nsets;
  const trm_doctor_move  *moves;  /**< only what moved                      [nmoves]  */
  int      nmoves;
  double   frequency_min, frequency_max; /**< of vibrations about the start, in 1/time unit of the
                                              system: Hz only if that is s; NaN: there are none,
                                              or not asked for */
  char     frequency_note[TRM_MESSAGE_MAX]; /**< what they leave out because bodies turn, or ""  */
  const char *integrator;     /**< recommended: what `auto` takes at the start, and why   */
  double      tolerance;      /**< of the simulation                                      */
  char        reason[TRM_MESSAGE_MAX];
  bool        is_taken;       /**< a run begins with it: no other method is named         */
  const trm_doctor_body *bodies; /**< rigid bodies and points               [nbodies]  */
  int      nbodies;
  trm_doctor_body total;      /**< of all bodies and beams; mass 0: there are none        */
  const char *const *warnings; /**< sentences                               [nwarnings] */
  int      nwarnings;
} trm_doctor;

/** Examine a simulation that has not begun.
 *  @param sim          created, not run
 *  @param frequencies  also linearize and find the fastest and slowest vibration; for systems of
 *                      up to 500 velocities
 *  @param doctor       receives the findings; NULL on failure
 *  @return TRM_OK, TRM_ERR_MEMORY, or what the system returns */
TRM_API TRM_CHECKED trm_status trm_doctor_examine(trm_sim *sim, bool frequencies,
                                                  trm_doctor **doctor, trm_error *err);

/** Examine a start whose accelerations cannot be found, so that trm_sim_create fails: something has
 *  no mass.
 *  @param system   of the simulation that could not be created
 *  @param options  of that simulation
 *  @param sim      receives one that was assembled but cannot run, for trm_sim_moved and
 *                  trm_sim_free; NULL on failure
 *  @param doctor   receives the findings, without frequencies; NULL on failure
 *  @return TRM_OK, or why the start cannot be assembled */
TRM_API TRM_CHECKED trm_status trm_doctor_examine_start(trm_system *system,
                                                        const trm_options *options, trm_sim **sim,
                                                        trm_doctor **doctor, trm_error *err);

/** Free findings. The simulation stays. Accepts NULL. */
TRM_API void trm_doctor_free(trm_doctor *doctor);

#ifdef __cplusplus
}
#endif
#endif
