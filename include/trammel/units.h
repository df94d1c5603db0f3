/** @file
 * Names of units, to be shown next to numbers. */
#ifndef TRM_UNITS_H
#define TRM_UNITS_H
#include "trammel/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Letters of the name of a unit, with the zero byte. */
enum { TRM_UNIT_MAX = 16 };

/** Names of the units that the numbers of a system are in, to be shown beside them. `metres` and
 *  `seconds` make default scales and frequencies in Hz the same in all units; with
 *  `newtons`, files for other programs are written in theirs; with `kilograms` as well, masses are
 *  shown in their own unit where that does not fit to the force. */
typedef struct trm_unit_names {
  char   length[TRM_UNIT_MAX], mass[TRM_UNIT_MAX], time[TRM_UNIT_MAX], force[TRM_UNIT_MAX];
  char   speed[TRM_UNIT_MAX], acceleration[TRM_UNIT_MAX]; /**< "m/s", "m/s^2"             */
  char   turning[TRM_UNIT_MAX], turning_rate[TRM_UNIT_MAX]; /**< "rad/s", "rad/s^2"       */
  char   torque[TRM_UNIT_MAX], energy[TRM_UNIT_MAX], power[TRM_UNIT_MAX]; /**< "N m", "J", "W" */
  double metres;  /**< the unit of length [m] */
  double seconds; /**< the unit of time [s]   */
  double newtons; /**< the unit of force [N]  */
  double kilograms; /**< the unit of mass [kg] */
} trm_unit_names;

/** Names of the units of SI. */
TRM_API trm_unit_names trm_unit_names_si(void);

#ifdef __cplusplus
}
#endif
#endif
