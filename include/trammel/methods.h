/* methods.h - the registry of integration methods: names, formulations, options, properties.
 *
 * All information about methods in the program, the schema of model files and the tests comes from
 * here. It is constant and may be read at any time by any thread. */
#ifndef TRM_METHODS_H
#define TRM_METHODS_H
#include "trammel/api.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options of trm_options that only some methods read, as bits of trm_method.reads. */
enum {
  TRM_READS_ALPHA = 1,        /**< alpha                                          */
  TRM_READS_RHO = 2,          /**< rho                                            */
  TRM_READS_COEFFICIENTS = 4, /**< alpha_m, alpha_f, beta, gamma                  */
  TRM_READS_MAX_ORDER = 8,    /**< max_order                                      */
  TRM_READS_PASSES = 16,      /**< passes                                         */
  TRM_READS_ENERGY = 32,      /**< step_control "energy" and the energy_ options  */
  TRM_READS_ERROR_IN = 64,    /**< error_in                                       */
  TRM_READS_SCALING = 128     /**< scaling                                        */
};

/** Tasks for which a method is recommended, as bits of trm_method.suits. Each belongs to exactly
 *  one method. */
enum {
  TRM_SUITS_MOST = 1,       /**< constraints, stiff forces, moderate tolerances   */
  TRM_SUITS_TIGHT = 2,      /**< the same with tight tolerances                   */
  TRM_SUITS_FREE = 4,       /**< no constraints and nothing stiff                 */
  TRM_SUITS_DRIVEN = 8,     /**< nothing is free to move                          */
  TRM_SUITS_SINGULAR = 16,  /**< passes through singular poses                    */
  TRM_SUITS_REDUNDANT = 32, /**< the same with redundant constraints              */
  TRM_SUITS_UNNAMED = 64    /**< no method is named: the default, see trm_options_integrator */
};

/** One formulation of a method. */
typedef struct trm_formulation {
  const char *name;    /**< as in trm_options                                     */
  const char *where;   /**< "where ..": systems for which it is the default; NULL: none */
  int         order;   /**< the global error is of order h^order; for a method with several
                            orders that of fixed steps without max_order */
  unsigned    ignores; /**< TRM_READS_...: options of the method that have no effect here */
} trm_formulation;

/** One method. */
typedef struct trm_method {
  const char *name;    /**< as in trm_options                                     */
  const char *meaning; /**< one line                                              */
  const char *where;   /**< "where ..": systems to which it is limited; NULL: none */
  const trm_formulation *formulations; /**< the first is the default unless `where` of another
                                            one applies; ends with one without a name */
  unsigned reads;      /**< TRM_READS_...                                         */
  unsigned suits;      /**< TRM_SUITS_...                                         */
  bool is_explicit;    /**< stability limits the step; the controlled error is of order h^order,
                            not h^(order + 1) */
  const int *orders;   /**< all orders of a method that changes its order between steps: the
                            values of max_order, ascending, then 0; NULL: it has one order */
  bool is_multistep;   /**< a formula of backward differences over as many steps as its order  */
  bool damps_unresolved; /**< motion too fast for the steps is damped             */
  bool takes_others;   /**< uses other methods in turn; allocates memory when it changes from one
                            to the next */
} trm_method;

/** Method number i, or NULL after the last. */
TRM_API const trm_method *trm_method_at(int i);

/** The method of this name, or NULL. */
TRM_API const trm_method *trm_method_find(const char *name);

/** The recommended method for a task.
 *  @param task  one of TRM_SUITS_... */
TRM_API const trm_method *trm_method_for(unsigned task);

/** The formulation of this name, or NULL.
 *  @param name  NULL: the first */
TRM_API const trm_formulation *trm_method_formulation(const trm_method *method, const char *name);

/** Is this a value of max_order for the method? */
TRM_API bool trm_method_has_order(const trm_method *method, int order);

/** List the orders of a method with several, "5, 9 and 13".
 *  @param text receives the list, empty for one order, truncated to `size` bytes */
TRM_API void trm_method_orders(const trm_method *method, char *text, size_t size);

/** The same of all such methods, "radau 5, 9 and 13; bdf 1 and 2".
 *  @param text  receives it, truncated to `size` bytes */
TRM_API void trm_method_all_orders(char *text, size_t size);

/** List the methods that read an option, "hht and alpha"; with 0, the methods not limited to some
 *  systems.
 *  @param option   one of TRM_READS_..., or 0
 *  @param between  separates the names
 *  @param text     receives the list, truncated to `size` bytes */
TRM_API void trm_method_readers(unsigned option, const char *between, char *text, size_t size);

/** The beginning of a sentence about an option, "tdg, not newton: ": methods that read it, without
 *  the formulations that ignore it.
 *  @param option  one of TRM_READS_...
 *  @param text    receives it, truncated to `size` bytes */
TRM_API void trm_method_prefix(unsigned option, char *text, size_t size);

/** List a method and those after it that have the same formulations, "hht, alpha".
 *  @param text  receives the list, truncated to `size` bytes
 *  @return false if an earlier method has these formulations, or if there is only one formulation:
 *          no choice to describe */
TRM_API bool trm_method_group(int i, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
