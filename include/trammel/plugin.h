/* plugin.h - forces in shared libraries.
 *
 * A library exports one function for each force, of the type trm_plugin_force, and the version it
 * was built for, by TRM_PLUGIN_DECLARE_VERSION. The model names both:
 *
 *   forces: {s: {type: plugin, library: spring.so, function: spring, markers: [a.end, b.end],
 *                parameters: [1000, 0.5]}}
 *
 * It needs no other part of Trammel, and nothing to link with. */
#ifndef TRM_PLUGIN_H
#define TRM_PLUGIN_H

#ifdef __cplusplus
extern "C" {
#endif

/** Version of everything in this file. */
#define TRM_PLUGIN_VERSION 1

/** Makes a function visible in the library, whatever the options of the compiler are. */
#if defined(__GNUC__)
#define TRM_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define TRM_PLUGIN_EXPORT
#endif

/** Write once in a library, outside of functions. */
#define TRM_PLUGIN_DECLARE_VERSION                  \
  TRM_PLUGIN_EXPORT int trm_plugin_version(void);   \
  int trm_plugin_version(void) {                    \
    return TRM_PLUGIN_VERSION;                      \
  }

/** A marker at one instant, all in ground axes. */
typedef struct trm_plugin_frame {
  double x[3]; /**< origin                                             [m]     */
  double R[9]; /**< row major; column k is axis k of the marker                */
  double v[3]; /**< velocity of the origin                             [m/s]   */
  double w[3]; /**< angular velocity                                   [rad/s] */
} trm_plugin_frame;

/** Input of a force. Units are those of the model. */
typedef struct trm_plugin_input {
  double           t;           /**< time */
  trm_plugin_frame A, B;        /**< markers; A is the ground if the model names only one */
  const double    *parameters;  /**< of the model                 [nparameters] */
  int              nparameters; /**< how many there are                         */
} trm_plugin_input;

/** Columns of the derivative: by A: position 0, rotation 3, velocity 6, angular velocity 9; by B
 *  the same from 12 on; by time 24. A rotation is a small rotation of the marker about the ground
 *  axes at constant v and w. */
enum { TRM_PLUGIN_COLUMNS = 25, TRM_PLUGIN_TIME = 24 };

/** Output of a force, in ground axes; zero before the call. */
typedef struct trm_plugin_output {
  double force[3];  /**< on B at its marker; the opposite acts on A at the same point  [N]   */
  double torque[3]; /**< on B; the opposite acts on A                                  [N m] */
  int    has_derivative; /**< set it to 1 if `derivative` is filled; otherwise differences with
                              50 calls are used */
  double derivative[6][TRM_PLUGIN_COLUMNS]; /**< rows: force, torque */
} trm_plugin_output;

/** A force. It must depend only on its input: the same input gives the same output, in any order of
 *  calls, also from several threads at the same time.
 *  @return 0; any other value requests a smaller step, and ends the run if that does not help */
typedef int trm_plugin_force(const trm_plugin_input *in, trm_plugin_output *out);

#ifdef __cplusplus
}
#endif
#endif
