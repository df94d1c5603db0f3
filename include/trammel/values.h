/** @file
 * Values of a built system: parameters of its model, numbers of its parts, start values.
 *
 *     status = trm_system_set(system, "strut.stiffness", 2e4, &err);
 *
 * A value that is set applies from the next simulation on, which gives the same bits as for a
 * system built with this value. No files are read; equations are compiled again only if their terms
 * change: terms with a factor zero are omitted, so changing a number from or to zero takes as long
 * as a build.
 *
 * Names: a parameter by its name, a number of a part as "strut.stiffness", one of a list as
 * "crank.at.1", "gravity.3", one of a marker as "crank.end.at.2", of typed equations as
 * "x.velocity"; also with their section, as `--set` needs them, "forces.strut.stiffness". Numbers
 * are in the units of the model.
 *
 * A number that was not given when the system was built cannot be set, nor a structural value
 * (docs/guide/reference.md marks them): numbers of parts, points of tables, expressions of the
 * motion, and parameters that decide which parts the model has. These need a new build, and the
 * error message says so. */
#ifndef TRM_VALUES_H
#define TRM_VALUES_H
#include "trammel/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of named values. Texts of the model are parsed at the first call.
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_system_value_count(trm_system *system, int *count,
                                                      trm_error *err);

/** Value number i, 0 <= i < count. Its texts live as long as the system. */
TRM_API void trm_system_value_at(trm_system *system, int i, trm_value *value);

/** The value with that name.
 *  @return TRM_OK, TRM_ERR_INPUT (there is none; the sentence names the nearest), TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_system_value(trm_system *system, const char *name,
                                                trm_value *value, trm_error *err);

/** Set a value. Simulations that exist keep the value they were created with.
 *  @return TRM_OK; TRM_ERR_INPUT: there is no such value, it is out of range (with the message of
 *  the reader), or it needs a new build; nothing is changed then; TRM_ERR_ORDER: the
 *          system is an instance, or made for a single simulation, which exists; TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_system_set(trm_system *system, const char *name, double number,
                                              trm_error *err);

/** Derivatives of the equations with respect to a value at a fixed state: one column of the block
 *  of derivatives by values. Quantities in the graph of the equations are differentiated exactly;
 *  others that depend on numbers of parts (inertia, frames of joints, elements that evaluate
 *  themselves) by a central difference of only those numbers, accurate to about 1e-9.
 *  @param system a system with memory: trm_sim_system or trm_static_system, to which the state
 *  belongs; it and its system must not be used elsewhere during the call
 *  @param rates  its members motion, g, g_rate, g_bias, a_rate, a_bias, d, w and outputs are filled
 *                where they are not NULL; all others must be NULL
 *  @return TRM_OK, TRM_ERR_INPUT (there is no such value, it needs a new build, or terms were
 *  omitted because it is zero), TRM_ERR_ORDER (the system has memory, or a value was set after the
 *          simulation was created), TRM_ERR_MEMORY, or what evaluation returns */
TRM_API TRM_CHECKED trm_status trm_system_value_rates(trm_system *system, const char *name,
                                                      const trm_state *state,
                                                      const trm_values *rates, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
