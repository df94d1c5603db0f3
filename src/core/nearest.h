/* nearest.h - the known name that is closest to a mistyped one. */
#ifndef TRMI_NEAREST_H
#define TRMI_NEAREST_H

/* Name number i of a list, or NULL to leave it out. */
typedef const char *(*trmi_name_at)(const void *list, int i);

/* The nearest of `count` names by edit distance, the first of equals; "" if there is none. */
const char *trmi_nearest(const char *text, const void *list, int count, trmi_name_at name_at);

/* The same, but "" also if even the nearest is another word: more than a third of its letters
 * differ. */
const char *trmi_nearest_close(const char *text, const void *list, int count,
                               trmi_name_at name_at);

#endif
