/* nearest.h - the known name that is closest to a mistyped one. */
#ifndef APP_NEAREST_H
#define APP_NEAREST_H

#include "core/nearest.h"

/* Name number i of a list, or NULL to leave it out. */
typedef trmi_name_at app_name_at;

/* The nearest of `count` names by edit distance, the first of equals; "" if there is none. */
const char *app_nearest(const char *text, const void *list, int count, app_name_at name_at);

#endif
