/* explain.h - the causes of the step sizes of a run, and advice.
 *
 * Each accepted step is attributed to one cause. The error of the previous step determines its
 * size, so the cause is the unknown with the largest error there. A step after a rejected attempt
 * is attributed to the reason of the rejection, and so are the following steps that grow again;
 * steps that grow after an event are attributed to the event. */
#ifndef TRM_EXPLAIN_H
#define TRM_EXPLAIN_H
#include "trammel/run_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of reasons in trm_limit. */
enum { TRM_LIMITS = TRM_LIMIT_SLIP + 1 };

/** One unknown, or event function, and the steps attributed to it. */
typedef struct trm_suspect {
  trm_quantity list;                 /**< its list                               */
  int          index;                /**< its place there                        */
  long         steps[TRM_LIMITS];    /**< accepted steps by reason               */
  long         rejected[TRM_LIMITS]; /**< rejected attempts by reason            */
  double       h_smallest, t_smallest; /**< smallest of those steps, and its time [s] */
} trm_suspect;

/** An interval of time with many rejected attempts. */
typedef struct trm_cluster {
  double from, to; /**< [s] */
  long   count;    /**< rejected attempts */
} trm_cluster;

/** Main cause that limits the steps of a run. */
typedef enum trm_cause {
  TRM_CAUSE_NONE,     /**< none                                                */
  TRM_CAUSE_FIXED,    /**< steps given by the user                             */
  TRM_CAUSE_ACCURACY, /**< the tolerance and the motion                        */
  TRM_CAUSE_FAST,     /**< the tolerance and a fast oscillation                */
  TRM_CAUSE_SCALE,    /**< an unknown whose scale is too small for its motion  */
  TRM_CAUSE_STIFF,    /**< stability of an explicit method                     */
  TRM_CAUSE_NEWTON,   /**< Newton's method                                     */
  TRM_CAUSE_DOMAIN,   /**< the domain of the equations                         */
  TRM_CAUSE_EVENT,    /**< events                                              */
  TRM_CAUSE_MAXIMUM,  /**< the largest step allowed                            */
  TRM_CAUSE_STOP,     /**< impacts on stops or contacts                        */
  TRM_CAUSE_SLIP,     /**< friction that reverses                              */
  TRM_CAUSE_GROWTH    /**< the run ended before the steps had grown            */
} trm_cause;

/** Sizes of the lists in trm_explanation. Order 0 means unknown, the last one "this or higher". */
enum { TRM_CLUSTERS_MAX = 3, TRM_ADVICE_MAX = 6, TRM_ORDERS = 16 };

/** The explanation of a run. */
typedef struct trm_explanation {
  long   accepted, iterations;          /**< steps; Newton iterations of all attempts    */
  long   steps[TRM_LIMITS];             /**< accepted steps by reason                    */
  long   rejected[TRM_LIMITS];          /**< rejected attempts by reason                 */
  long   orders[TRM_ORDERS];            /**< accepted steps by order of the method       */
  double h_smallest, h_largest, t_smallest; /**< steps, time of the smallest [s]         */
  long   events;                        /**< located events                              */
  double h_median;                      /**< within 6 per cent [s]                       */
  const trm_suspect *suspects;          /**< worst first                     [nsuspects] */
  int    nsuspects;                     /**< length of that list                         */
  trm_cluster clusters[TRM_CLUSTERS_MAX]; /**< of rejected attempts, largest first       */
  int    nclusters;                     /**< stored above                                */
  int    nclusters_all;                 /**< found                                       */
  trm_cause cause;                      /**< of the run as a whole                       */
  const trm_suspect *culprit;           /**< NULL: none                                  */
  char   culprit_name[48], culprit_object[TRM_OBJECT_MAX]; /**< "" if there is none      */
  char   advice[TRM_ADVICE_MAX][TRM_MESSAGE_MAX]; /**< sentences                         */
  int    nadvice;                       /**< how many                                    */
} trm_explanation;

/** Explain the run of a file. Memory does not grow with the number of steps.
 *  @param explanation  receives it; valid until trm_run_close
 *  @return TRM_OK, TRM_ERR_IO (the file is damaged), TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_run_explain(trm_run *run, const trm_explanation **explanation,
                                               trm_error *err);

/** Short name of a cause: "accuracy", "event", .. */
TRM_API const char *trm_cause_name(trm_cause cause);

/** Short name of a reason: "error", "newton", .. */
TRM_API const char *trm_limit_name(trm_limit limit);

#ifdef __cplusplus
}
#endif
#endif
