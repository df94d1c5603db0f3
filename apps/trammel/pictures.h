/* pictures.h - report --png, --frames, --webm: the page drawn by a browser. */
#ifndef APP_PICTURES_H
#define APP_PICTURES_H
#include "options.h"

/* Are pictures requested? */
bool app_pictures_wanted(const app_options *options);

/* Check names and sizes before anything is written. */
trm_status app_pictures_check(const app_options *options, trm_error *err);

/* Draw the requested pictures of a written page. */
trm_status app_pictures_draw(const app_options *options, const char *page, trm_error *err);

#endif
