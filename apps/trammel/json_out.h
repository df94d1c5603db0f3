/* json_out.h - JSON on stdout: one object, numbers with 17 digits, null for values that are not
 * finite. Out of memory ends the program (json_out.c). */
#ifndef APP_JSON_OUT_H
#define APP_JSON_OUT_H
#include "recorder.h"
#include "trammel/sim.h"
#include <jansson.h>

/* Call before any other function here. */
void app_json_init(void);

/* null if not finite */
json_t *app_json_number(double number);
/* [re, im] */
json_t *app_json_complex(double re, double im);
/* text with bytes that are not UTF-8 replaced */
json_t *app_json_text(const char *text);
/* Add a value to an object, in order. */
void app_json_put(json_t *object, const char *key, json_t *value);
/* Add {NAME: VALUE} of a list to an object. */
void app_json_put_list(json_t *object, const trm_system *system, trm_quantity list,
                       const double *values);
/* Add coordinates, velocities, .., variables of a state to an object; `shown` are the variables
 * that are not in it. */
void app_json_put_state(json_t *root, const trm_system *system, const trm_state *s,
                        const double *shown);
/* Add {NAME: UNIT} of a list to an object. */
void app_json_put_list_units(json_t *object, const trm_system *system, trm_quantity list);
/* Add the member `units` to an object: those of the model, of outputs and variables, and of the
 * measures of a simulation, which may be NULL. */
void app_json_put_units(json_t *root, const trm_system *system, const trm_sim *sim);
/* Print an object and a line end, and free it. */
TRM_CHECKED trm_status app_json_print(json_t *root, trm_error *err);

/* The object of a failure, and printing it. */
json_t *app_json_error_object(const trm_error *error);
void app_json_error(const trm_error *error);

/* {ORDER: STEPS} for the orders used. */
json_t *app_json_orders(const long orders[TRM_ORDERS]);

/* The object of a finished run. */
json_t *app_json_run_object(const trm_sim *sim, const trm_system *system,
                            const app_recorder *recorder);

#endif
