/* live.h - a running simulation in a browser: the page of page.h, updated during the run.
 *
 *   trm_sim_create -> trm_live_create -> trm_sim_add_sink(trm_live_sink) ->
 *   (trm_live_serve -> trm_sim_step) until the end -> trm_sim_run -> trm_live_free
 *
 * The server listens on 127.0.0.1 only. Its address contains a secret, without which it does not
 * respond; requests from other hosts and origins are refused. Samples are kept in memory, and
 * viewers never block the run: they affect it only by pausing it, stopping it, or setting its
 * inputs. */
#ifndef TRM_LIVE_H
#define TRM_LIVE_H
#include "trammel/flexible.h"
#include "trammel/run_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A simulation that can be watched. */
typedef struct trm_live trm_live;

/** Start the server.
 *  @param facts  of the run, for the page; read during the call and when the run begins
 *  @param port 0: any free port
 *  @param reductions  of meshes of flexible bodies, for the page; read when the run begins; NULL:
 *                without a cache
 *  @param live   receives it; NULL on failure
 *  @return TRM_OK, TRM_ERR_INPUT (the library has no page), TRM_ERR_IO (the port is in use),
 *          TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_live_create(const trm_run_facts *facts, int port,
                                               const trm_reductions *reductions,
                                               const trm_allocator *allocator, trm_live **live,
                                               trm_error *err);

/** Stop the server. Accepts NULL. */
TRM_API void trm_live_free(trm_live *live);

/** The address to open: "http://127.0.0.1:40123/SECRET/". */
TRM_API const char *trm_live_address(const trm_live *live);

/** The functions for trm_sim_add_sink. */
TRM_API trm_sink trm_live_sink(trm_live *live);

/** Call between two steps: apply the inputs set by viewers.
 *  @return TRM_OK, or what trm_sim_set_input returns */
TRM_API TRM_CHECKED trm_status trm_live_serve(trm_live *live, trm_sim *sim, trm_error *err);

/** Has a viewer paused or stopped the run? After its end, stopping means that no viewer is left. */
TRM_API bool trm_live_is_paused(trm_live *live);
TRM_API bool trm_live_is_stopped(trm_live *live);

#ifdef __cplusplus
}
#endif
#endif
