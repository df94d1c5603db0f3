/* api.h - version of the library, and the macro that marks exported functions. */
#ifndef TRM_API_H
#define TRM_API_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of these headers. The build reads the version from this line. */
#define TRM_VERSION "0.1.0"

/** Marks a function that users may call. Everything else in the shared libraries is hidden. */
#if defined(__GNUC__)
#define TRM_API __attribute__((visibility("default")))
#else
#define TRM_API
#endif

/** Receives text produced by a function, `count` bytes at a time. */
typedef void trm_writer(void *self, const char *bytes, size_t count);

/** Version of the running library: TRM_VERSION of the headers it was built with. */
TRM_API const char *trm_version(void);

#ifdef __cplusplus
}
#endif
#endif
