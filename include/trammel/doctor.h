/* doctor.h - properties of a model before a run: degrees of freedom, redundant constraints and how
 * to release them, displacements by assembly, masses, frequencies, a suitable method.
 *
 * Life cycle: trm_sim_create -> trm_doctor_examine -> read the fields -> trm_doctor_free, before
 * trm_sim_free. An examined simulation can still run, but its counters include that work. */
#ifndef TRM_DOCTOR_H
#define TRM_DOCTOR_H
#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A joint, or another owner of constraint rows, with redundant rows. */
typedef struct trm_doctor_joint {
  char name[TRM_OBJECT_MAX];   /**< "knee"                                     */
  char object[TRM_OBJECT_MAX]; /**< "joint 'knee'"                             */
  int  rows;                   /**< all of them                                */
  int  redundant;              /**< those that its set does not need           */
  int  not_unique;             /**< those whose multiplier is not unique       */
} trm_doctor_joint;

/** Joints whose rows depend only on each other. */
typedef struct trm_doctor_set {
  const int *joints;  /**< their numbers in `joints`                [njoints] */
  int        njoints;
  int        surplus; /**< rows that could be left out                        */
  int        relax;   /**< a joint that can release all of them; -1: none can alone */
  const int *release; /**< those rows, of all ng + na               [surplus] */
  char       hint[TRM_MESSAGE_MAX]; /**< advice; if the start is a singular pose, then (like
                                         `relax`) for rows that are dependent near it, or empty */
} trm_doctor_set;

/** Displacement of an object by assembly: lengths, angles, numbers of another kind. */
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

/** The findings, which own all their data. */
typedef struct trm_doctor {
  trm_rank rank;              /**< at the assembled start; its lists are those of the simulation */
  int      freedoms_by_count; /**< coordinates minus constraint rows, including redundant ones */
  const trm_doctor_joint *joints; /**< with redundant or not unique rows    [njoints] */
  int      njoints;
  const trm_doctor_set   *sets;   /**< of dependent constraints             [nsets]   */
  int      nsets;
  const trm_doctor_move  *moves;  /**< only those that moved                [nmoves]  */
  int      nmoves;
  double   frequency_min, frequency_max; /**< of vibrations about the start, in 1/time unit of
                                              the system: Hz only if that is s; NaN: there are
                                              none, or not requested */
  char     frequency_note[TRM_MESSAGE_MAX]; /**< effects of rotating bodies that they do not
                                                 contain, or "" */
  const char *integrator;     /**< recommended: the choice of `auto` at the start, and why */
  double      tolerance;      /**< of the simulation                                      */
  char        reason[TRM_MESSAGE_MAX];
  bool        is_taken;       /**< a run begins with it: no other method is named         */
  const trm_doctor_body *bodies; /**< rigid bodies and points               [nbodies]  */
  int      nbodies;
  trm_doctor_body total;      /**< of all bodies and beams; mass 0: none                  */
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

/** Examine a start whose accelerations cannot be computed, so that trm_sim_create fails because of
 *  a missing mass.
 *  @param system   of the simulation that could not be created
 *  @param options  of that simulation
 *  @param sim      receives an assembled simulation that cannot run, for trm_sim_moved and
 *                  trm_sim_free; NULL on failure
 *  @param doctor   receives the findings, without frequencies; NULL on failure
 *  @return TRM_OK, or the reason why the start cannot be assembled */
TRM_API TRM_CHECKED trm_status trm_doctor_examine_start(trm_system *system,
                                                        const trm_options *options, trm_sim **sim,
                                                        trm_doctor **doctor, trm_error *err);

/** Free findings, not the simulation. Accepts NULL. */
TRM_API void trm_doctor_free(trm_doctor *doctor);

#ifdef __cplusplus
}
#endif
#endif
