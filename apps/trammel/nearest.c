/* nearest.c - the library has the search. */
#include "nearest.h"

const char *app_nearest(const char *text, const void *list, int count, app_name_at name_at) {
  return trmi_nearest(text, list, count, name_at);
}
