/* marking_plugin.c - a library whose code runs as soon as it is opened: it writes the file that
 * TRM_TEST_MARK names. */
#include "trammel/plugin.h"
#include <stdio.h>
#include <stdlib.h>

TRM_PLUGIN_DECLARE_VERSION

TRM_PLUGIN_EXPORT trm_plugin_force none;

__attribute__((constructor)) static void mark(void) {
  const char *path = getenv("TRM_TEST_MARK");
  FILE *file = path != NULL ? fopen(path, "w") : NULL;
  if (file != NULL) fclose(file);
}

int none(const trm_plugin_input *in, trm_plugin_output *out) {
  (void)in, (void)out;
  return 0;
}
