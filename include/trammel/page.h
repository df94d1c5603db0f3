/* page.h - run files as one self-contained HTML page: the mechanism in 3-D next to its signals.
 *
 * The page opens from disk, without server or network. It contains the viewer, written in
 * TypeScript (viewer/) and built into the library, and the compressed data of the runs. */
#ifndef TRM_PAGE_H
#define TRM_PAGE_H
#include "trammel/flexible.h"
#include "trammel/run_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Upper bound of the number of runs in one page. */
enum { TRM_PAGE_RUNS_MAX = 2 };

/** Does this library contain the viewer? It does not if it was built without node. */
TRM_API bool trm_page_is_built(void);

/** A script that records films in a browser with an open page: it defines trammelFilm(times, rate),
 *  a promise of a WebM file in base64. "" without the page. */
TRM_API const char *trm_page_film_script(void);

/** Facts about a written page. */
typedef struct trm_page_info {
  long   bytes;      /**< size of the file                                               */
  double resolution; /**< of all curves, as a part of the range of each                  */
  bool   has_scene;  /**< it shows a mechanism; otherwise only curves                    */
} trm_page_info;

/** Write a page. An older file is kept until the new one is complete.
 *  @param runs   the first is shown, the second is drawn over it as a ghost  [nruns]
 *  @param nruns  1 .. TRM_PAGE_RUNS_MAX
 *  @param reductions  of meshes of flexible bodies; NULL: without a cache
 *  @param info   receives facts about the page; may be NULL
 *  @return TRM_OK, TRM_ERR_INPUT (nothing to show, or the library has no page), TRM_ERR_IO,
 *          TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_page_write(trm_run *const *runs, int nruns, const char *path,
                                              const trm_reductions *reductions,
                                              trm_page_info *info, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
