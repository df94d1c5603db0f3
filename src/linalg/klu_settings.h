/* klu_settings.h - how KLU is used, real and complex: AMD orders, no block triangular form, no
 * scaling; both cost digits on these matrices. */
#ifndef TRMI_KLU_SETTINGS_H
#define TRMI_KLU_SETTINGS_H
#include <klu.h>

static inline void trmi_klu_settings(klu_common *common) {
  klu_defaults(common);
  common->ordering = 0;
  common->btf = 0;
  common->scale = 0;
}

#endif
