/* sanitized.h - is this the build with sanitizers? They look at what is done with memory: loops
 * over many cases that do the same with it may leave some of them to the other builds. */
#ifndef TRM_TEST_SANITIZED_H
#define TRM_TEST_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

#endif
