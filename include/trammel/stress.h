/** @file
 * Stress of flexible bodies: at one instant, and the largest over a history of modal coordinates;
 * stress of beams at points of their sections.
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

/** Stress xx yy zz xy xz yz at a point of a surface, body axes. @param a  modal coordinates and the
 *  values of heat [columns], see trm_flexible_surface and trm_run_read_amplitudes */
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

/** Search for hot spots; receives the instants of a run block by block. */
typedef struct trm_hot_spots trm_hot_spots;

/** @param surface    its lists must outlive the search
 *  @param allocator  NULL: malloc
 *  @return TRM_OK or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_hot_spots_create(const trm_flexible_surface *surface,
                                                    const trm_allocator *allocator,
                                                    trm_hot_spots **spots, trm_error *err);

/** Process the next instants. @param a likewise [count][columns] */
TRM_API void trm_hot_spots_add(trm_hot_spots *spots, long count, const double *a);

/** The largest stress of one point so far. */
TRM_API trm_hot_spot trm_hot_spots_at(const trm_hot_spots *spots, int point);

/** Bound of the error by single precision of any stress found so far. */
TRM_API double trm_hot_spots_bound(const trm_hot_spots *spots);

/** The hottest points, hottest first: none with a hotter neighbour on the surface, no two within
 *  `radius` of each other, none that is excluded.
 *  @param list  room for `most`
 *  @return their number, or -1: out of memory */
TRM_API int trm_hot_spots_list(const trm_hot_spots *spots, int most, double radius,
                               trm_hot_spot *list);

/** Accepts NULL. */
TRM_API void trm_hot_spots_free(trm_hot_spots *spots);

/** A beam and its section, in axes of the section about its centroid. */
typedef struct trm_beam_info {
  const char *name;
  int    elements;
  int    nodes;       /**< of an element                                                      */
  int    coordinate;  /**< first coordinate of its first node; 7 of each node follow           */
  int    velocity;    /**< of the first velocity; 6 of each node                              */
  double length;      /**< at the start                                                       */
  int    points;      /**< of its section where stress is known; 0: `section` was not given, and
                           all following members are zero */
  double area, Iy, Iz, Iyz; /**< integrals of 1, z^2, y^2, y z                                */
  double J;                 /**< torsion constant                                             */
  double shear_centre[2];   /**< y, z                                                         */
  double shear[3];          /**< shear area: yy, zz, yz of a symmetric matrix                 */
} trm_beam_info;

/** A position on a beam. */
typedef struct trm_beam_place {
  int    beam, element; /**< from 0 on                         */
  double along;         /**< 0 to 1 over the nodes of the element */
} trm_beam_place;

/** Number of beams of a system. */
TRM_API int trm_beam_count(const trm_system *system);

/** Beam i, 0 <= i < count; all zero otherwise. */
TRM_API trm_beam_info trm_beam_at(const trm_system *system, int i);

/** Point k of the section of beam i: at = (y, z). @return false: there is none */
TRM_API bool trm_beam_point_at(const trm_system *system, int i, int k, double at[2]);

/** Section loads, force then moment, axes of the section, positive at its face towards the last
 *  node. Interpolated between the Gauss points of the element.
 *  @param q  coordinates of all nodes of the beam [7 nodes]
 *  @param v  their velocities [6 nodes]; NULL: at rest
 *  @return TRM_OK, TRM_ERR_INPUT (no such place), or TRM_RETRY_DOMAIN (sections turn by nearly half
 *          a turn between nodes) */
TRM_API TRM_CHECKED trm_status trm_beam_loads(const trm_system *system,
                                              const trm_beam_place *place, const double *q,
                                              const double *v, double loads[6], trm_error *err);

/** Stress xx yy zz xy xz yz at point k of the section of beam i by section loads; zero if there is
 *  no such point. */
TRM_API void trm_beam_stress(const trm_system *system, int i, int k, const double loads[6],
                             double stress[6]);

#ifdef __cplusplus
}
#endif
#endif
