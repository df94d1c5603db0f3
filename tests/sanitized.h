/* sanitized.h - is this the build with sanitizers? They look at what is done with memory: loops
 * over many cases that do the same with it may leave some of them to the other builds. */
#ifndef TRM_TEST_SANITIZED_H
#define TRM_TEST_SANITIZED_H
#include <stdbool.h>

#ifdef __has_feature
#define SEES_ADDRESSES __has_feature(address_sanitizer) /* clang */
#elif defined(__SANITIZE_ADDRESS__)                     /* gcc   */
#define SEES_ADDRESSES 1
#else
#define SEES_ADDRESSES 0
#endif
enum { IS_SANITIZED = SEES_ADDRESSES };

/* In a matrix of models and methods: does method k take part for model i? With sanitizers each
 * method has the first three models that it can run, then every third. */
static inline bool takes_part(int i, int k, int runs_of_method) {
  return !IS_SANITIZED || runs_of_method < 3 || (i + k) % 3 == 0;
}

#endif
