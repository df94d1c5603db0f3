/* check.h - what the tests add to cmocka: checks that print both values, the
 * difference, the tolerance and what was compared. TRM_TOL_SCALE=0 in the
 * environment makes every tolerance zero, to see the true errors. */
#ifndef TRM_TEST_CHECK_H
#define TRM_TEST_CHECK_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "trammel/status.h"

static inline double check_scale(void) {
  const char *text = getenv("TRM_TOL_SCALE");
  return text != NULL ? atof(text) : 1.0;
}

/* NaN fails. */
#define CHECK_NEAR(actual, expected, tol, ...)                                                 \
  do {                                                                                         \
    const double a_ = (actual), e_ = (expected), t_ = (tol)*check_scale();                     \
    if (!(fabs(a_ - e_) <= t_)) {                                                              \
      print_error("%s:%d: got %.17g, expected %.17g, off by %.3g > %.3g: ", __FILE__, __LINE__, \
                  a_, e_, fabs(a_ - e_), t_);                                                  \
      print_error(__VA_ARGS__);                                                                \
      print_error("\n");                                                                       \
      fail();                                                                                  \
    }                                                                                          \
  } while (0)

#define CHECK_BETWEEN(actual, low, high, ...)                                                   \
  do {                                                                                          \
    const double a_ = (actual), l_ = (low), h_ = (high);                                        \
    if (!(a_ >= l_ && a_ <= h_)) {                                                              \
      print_error("%s:%d: got %.17g, expected %.17g .. %.17g: ", __FILE__, __LINE__, a_, l_, h_); \
      print_error(__VA_ARGS__);                                                                 \
      print_error("\n");                                                                        \
      fail();                                                                                   \
    }                                                                                           \
  } while (0)

/* The error is that of the call under test. */
#define CHECK_OK(call, err)                                                            \
  do {                                                                                 \
    const trm_status s_ = (call);                                                      \
    if (s_ != TRM_OK) {                                                                \
      print_error("%s:%d: %s: %s: %s [t = %g, h = %g]\n", __FILE__, __LINE__,          \
                  trm_status_name(s_), (err).object, (err).message, (err).t, (err).h); \
      fail();                                                                          \
    }                                                                                  \
  } while (0)

#define CHECK_STATUS(call, expected)                                                 \
  do {                                                                               \
    const trm_status s_ = (call), e_ = (expected);                                   \
    if (s_ != e_) {                                                                  \
      print_error("%s:%d: status %s, expected %s\n", __FILE__, __LINE__,             \
                  trm_status_name(s_), trm_status_name(e_));                         \
      fail();                                                                        \
    }                                                                                \
  } while (0)

#endif
