/* nearest.h - the known name that is closest to a mistyped one. */
#ifndef TRM_NEAREST_H
#define TRM_NEAREST_H
#include "trammel/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Name number i of a list, or NULL to skip it. */
typedef const char *(*trm_name_at)(const void *list, int i);

/** The nearest of `count` names by edit distance, the first of equals; "" if there is none. */
TRM_API const char *trm_nearest(const char *text, const void *list, int count,
                                trm_name_at name_at);

/** The same, but "" if even the nearest differs in more than a third of its letters. */
TRM_API const char *trm_nearest_close(const char *text, const void *list, int count,
                                      trm_name_at name_at);

#ifdef __cplusplus
}
#endif
#endif
