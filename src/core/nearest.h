/* nearest.h - trm_nearest for names that must be similar. */
#ifndef TRMI_NEAREST_H
#define TRMI_NEAREST_H
#include "trammel/nearest.h"

/* As trm_nearest, but "" also if even the nearest is another word: more than a third of its letters
 * differ. */
const char *trmi_nearest_close(const char *text, const void *list, int count,
                               trm_name_at name_at);

#endif
