/* problems.h - systems written in C and included in the library. */
#ifndef TRM_PROBLEMS_H
#define TRM_PROBLEMS_H
#include "trammel/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One parameter of a problem, changed by a trm_setting. */
typedef struct trm_parameter {
  const char *name;
  const char *value;   /**< default, as text                                 */
  const char *choices; /**< "a|b|c" if it takes words, NULL if it is a number */
  const char *meaning; /**< with unit                                        */
} trm_parameter;

/** One problem. */
typedef struct trm_problem {
  const char          *name;
  const char          *summary;     /**< one line                  */
  double               end;         /**< end of its usual run [s]  */
  const trm_parameter *parameters;
  int                  nparameters;
} trm_problem;

/** A parameter to be changed. */
typedef struct trm_setting {
  const char *name, *value;
} trm_setting;

/** Number of problems. */
TRM_API int trm_problem_count(void);

/** Problem i, 0 <= i < count; NULL otherwise. */
TRM_API const trm_problem *trm_problem_at(int i);

/** Problem of that name, or NULL. */
TRM_API const trm_problem *trm_problem_find(const char *name);

/** Build the system of a problem.
 *  @param settings  changed parameters; an unknown name or a value out of range is an error
 *  @param allocator NULL: malloc
 *  @return TRM_OK, TRM_ERR_INPUT or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_problem_create(const trm_problem *problem,
                                                  const trm_setting *settings, int nsettings,
                                                  const trm_allocator *allocator,
                                                  trm_system **system, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
