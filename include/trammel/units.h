/** @file
 * Names of units, shown next to numbers. */
#ifndef TRM_UNITS_H
#define TRM_UNITS_H
#include "trammel/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Size of the name of a unit, with the zero byte. */
enum { TRM_UNIT_MAX = 16 };

/** Names of the units of the numbers of a system, shown next to them. `metres` and `seconds` make
 *  default scales and frequencies in Hz independent of units; `newtons` is used to write files in
 *  the units of other programs; `kilograms` is used to show masses in their own unit if it is not
 *  consistent with the force. */
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

/** Names of SI units. */
TRM_API trm_unit_names trm_unit_names_si(void);

#ifdef __cplusplus
}
#endif
#endif
