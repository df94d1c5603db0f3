/* version.c - version of the library. */
#include "trammel/api.h"

const char *trm_version(void) {
  return TRM_VERSION;
}
