/** @file
 * Stress of flexible bodies: at one instant, and the largest over a history of modal coordinates.
 * Numbers are in units of the model: forces over lengths squared. */
#ifndef TRM_STRESS_H
#define TRM_STRESS_H
#include "trammel/flexible.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Displacement of a point of a surface, body axes, by modal coordinates a. */
TRM_API void trm_surface_displacement(const trm_flexible_surface *surface, int point,
                                      const double *a, double u[3]);

/** Stress xx yy zz xy xz yz at a point of a surface, body axes. */
TRM_API void trm_surface_stress(const trm_flexible_surface *surface, int point, const double *a,
                                double stress[6]);

/** Equivalent stress of von Mises. */
TRM_API double trm_mises(const double stress[6]);

/** The largest von Mises stress of a point over all instants. */
typedef struct trm_hot_spot {
  int    point;   /**< of the surface                          */
  double mises;   /**< in single precision: see trm_hot_spots_bound */
  long   instant; /**< that had it, from 0 on; -1: none came   */
} trm_hot_spot;

/** Looks for hot spots; takes the instants of a run block by block. */
typedef struct trm_hot_spots trm_hot_spots;

/** @param surface    its lists must outlive the search
 *  @param allocator  NULL: malloc
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_hot_spots_create(const trm_flexible_surface *surface,
                                                    const trm_allocator *allocator,
                                                    trm_hot_spots **spots, trm_error *err);

/** Look at the next instants. @param a  modal coordinates [count][modes] */
TRM_API void trm_hot_spots_add(trm_hot_spots *spots, long count, const double *a);

/** The largest stress of one point so far. */
TRM_API trm_hot_spot trm_hot_spots_at(const trm_hot_spots *spots, int point);

/** A bound of what single precision adds to or takes from any stress found so far. */
TRM_API double trm_hot_spots_bound(const trm_hot_spots *spots);

/** The hottest points, hottest first: none with a hotter neighbour on the surface, no two within
 *  `radius` of each other, none that is excluded.
 *  @param list  room for `most`
 *  @return how many, or -1: out of memory */
TRM_API int trm_hot_spots_list(const trm_hot_spots *spots, int most, double radius,
                               trm_hot_spot *list);

/** Accepts NULL. */
TRM_API void trm_hot_spots_free(trm_hot_spots *spots);

#ifdef __cplusplus
}
#endif
#endif
