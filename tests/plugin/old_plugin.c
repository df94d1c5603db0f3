/* old_plugin.c - a plug-in of a version that does not exist. */
#include "trammel/plugin.h"

TRM_PLUGIN_EXPORT int trm_plugin_version(void);
TRM_PLUGIN_EXPORT trm_plugin_force spring;

int trm_plugin_version(void) {
  return TRM_PLUGIN_VERSION + 99;
}

int spring(const trm_plugin_input *in, trm_plugin_output *out) {
  (void)in, (void)out;
  return 0;
}
