/* find_by_name.c - entries of lists by their names. */
#include "trammel/system.h"
#include <string.h>

int trm_system_find(const trm_system *system, trm_quantity list, const char *name) {
  if (system == NULL || name == NULL) return -1;
  for (int i = 0; i < trm_system_count(system, list); i++) {
    trm_label label;
    trm_system_label(system, list, i, &label);
    if (strcmp(label.name, name) == 0) return i;
  }
  return -1;
}
