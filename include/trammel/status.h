/* status.h - how every function of the library reports failure. */
#ifndef TRM_STATUS_H
#define TRM_STATUS_H
#include "trammel/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Marks a result that must not be ignored, where the compiler can check it. */
#if defined(__GNUC__)
#define TRM_CHECKED __attribute__((warn_unused_result))
#else
#define TRM_CHECKED
#endif

/** Result of a call. The sign carries the meaning: zero is success, positive
 *  may be retried with a smaller step, negative ends the run. */
typedef enum trm_status {
  TRM_OK             = 0,
  TRM_RETRY_NEWTON   = 1,  /**< Newton did not converge                   */
  TRM_RETRY_ERROR    = 2,  /**< local error above tolerance               */
  TRM_RETRY_DOMAIN   = 3,  /**< a system left the domain of its equations */
  TRM_RETRY_SINGULAR = 4,  /**< iteration matrix singular at this point   */
  TRM_RETRY_PATTERN  = 5,  /**< a block needs entries outside its pattern: read the pattern again
                                and repeat the attempt with the same step */
  TRM_ERR_INPUT      = -1, /**< the caller passed something inconsistent  */
  TRM_ERR_ORDER      = -2, /**< calls made in the wrong order             */
  TRM_ERR_MEMORY     = -3, /**< an allocation failed                      */
  TRM_ERR_SINGULAR   = -4, /**< a matrix of the system is singular        */
  TRM_ERR_STEP       = -5, /**< step size fell below its minimum          */
  TRM_ERR_NOT_FINITE = -6, /**< NaN or infinity in a value or state       */
  TRM_ERR_ASSEMBLY   = -7, /**< constraints cannot be satisfied           */
  TRM_ERR_IO         = -8, /**< a file cannot be written or read          */
  TRM_ERR_STOPPED    = -9, /**< the caller asked to stop                  */
  TRM_ERR_BALANCE    = -10 /**< no equilibrium, no modes were found       */
} trm_status;

/** Sizes of the fixed texts in trm_error. */
enum { TRM_MESSAGE_MAX = 400, TRM_OBJECT_MAX = 64, TRM_TRAIL_MAX = 6 };

/** What went wrong, where, and to which object. Owned by the caller, holds
 *  nothing to free. Written only when a call does not return TRM_OK. */
typedef struct trm_error {
  trm_status  status;
  char        message[TRM_MESSAGE_MAX]; /**< one sentence, with numbers     */
  char        object[TRM_OBJECT_MAX];   /**< "joint 'knee'", or empty       */
  double      t;                        /**< model time [s], NaN if unknown */
  double      h;                        /**< step size [s], NaN if unknown  */
  int         depth;                    /**< used entries of trail          */
  const char *trail[TRM_TRAIL_MAX];     /**< functions, innermost first     */
} trm_error;

/** Short constant name such as "TRM_ERR_SINGULAR". Never returns NULL. */
TRM_API const char *trm_status_name(trm_status status);

#ifdef __cplusplus
}
#endif
#endif
