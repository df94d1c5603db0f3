/* methods.c - the registry of methods. A new method is one line here and one file that defines its
 * trmi_integrator_ops. */
#include "integ/integrator.h"
#include <stdio.h>
#include <string.h>

static const trmi_integrator_ops *const methods[] = {
    &trmi_integ_hht,
    &trmi_integ_alpha,
    &trmi_integ_explicit,
    &trmi_integ_tdg,
    &trmi_integ_radau,
    &trmi_integ_bdf,
    &trmi_integ_smooth,
    &trmi_integ_kinematic,
    &trmi_integ_auto,
};
enum { METHODS = sizeof methods / sizeof *methods };

const trmi_integrator_ops *trmi_integrator_find(const char *name) {
  for (int i = 0; i < METHODS; i++) {
    if (strcmp(methods[i]->about.name, name) == 0) return methods[i];
  }
  return NULL;
}

const trm_method *trm_method_at(int i) {
  return i >= 0 && i < METHODS ? &methods[i]->about : NULL;
}

const trm_method *trm_method_find(const char *name) {
  const trmi_integrator_ops *ops = trmi_integrator_find(name);
  return ops != NULL ? &ops->about : NULL;
}

const trm_method *trm_method_for(unsigned task) {
  for (int i = 0; i < METHODS; i++) {
    if ((methods[i]->about.suits & task) != 0) return &methods[i]->about;
  }
  return NULL;
}

const trm_formulation *trm_method_formulation(const trm_method *method, const char *name) {
  if (method == NULL) return NULL;
  const trm_formulation *form = method->formulations;
  for (; name != NULL && form->name != NULL; form++) {
    if (strcmp(form->name, name) == 0) break;
  }
  return form->name != NULL ? form : NULL;
}

bool trm_method_has_order(const trm_method *method, int order) {
  if (method == NULL) return false;
  const int *known = method->orders;
  while (known != NULL && *known != 0 && *known != order) known++;
  return known != NULL && order != 0 && *known == order;
}

/* ---- lists -------------------------------------------------------------------- */

/* Append a name after the separator; a name that does not fit is cut off. */
static void append(char *text, size_t size, const char *between, const char *name) {
  const size_t used = strlen(text);
  snprintf(text + used, size - used, "%s%s", used > 0 ? between : "", name);
}

void trm_method_orders(const trm_method *method, char *text, size_t size) {
  if (text == NULL || size == 0) return;
  text[0] = '\0';
  const int *order = method != NULL ? method->orders : NULL;
  for (; order != NULL && *order != 0; order++) {
    char number[16];
    snprintf(number, sizeof number, "%d", *order);
    append(text, size, order[1] != 0 ? ", " : " and ", number);
  }
}

void trm_method_all_orders(char *text, size_t size) {
  if (text == NULL || size == 0) return;
  text[0] = '\0';
  for (int i = 0; i < METHODS; i++) {
    char orders[80];
    trm_method_orders(&methods[i]->about, orders, sizeof orders);
    if (orders[0] == '\0') continue;
    append(text, size, "; ", methods[i]->about.name);
    append(text, size, " ", orders);
  }
}

void trm_method_readers(unsigned option, const char *between, char *text, size_t size) {
  if (between == NULL || text == NULL || size == 0) return;
  text[0] = '\0';
  for (int i = 0; i < METHODS; i++) {
    const trm_method *m = &methods[i]->about;
    const bool is_listed = option != 0 ? (m->reads & option) != 0 : m->where == NULL;
    if (is_listed) append(text, size, between, m->name);
  }
}

void trm_method_prefix(unsigned option, char *text, size_t size) {
  if (text == NULL || size == 0) return;
  trm_method_readers(option, ", ", text, size);
  for (int i = 0; i < METHODS; i++) {
    const trm_formulation *form = methods[i]->about.formulations;
    for (; form->name != NULL; form++) {
      if ((form->ignores & option) != 0) append(text, size, ", not ", form->name);
    }
  }
  append(text, size, ": ", "");
}

bool trm_method_group(int i, char *text, size_t size) {
  if (i < 0 || i >= METHODS || text == NULL || size == 0) return false;
  const trm_formulation *forms = methods[i]->about.formulations;
  text[0] = '\0';
  if (forms[1].name == NULL) return false;
  for (int k = 0; k < METHODS; k++) {
    if (methods[k]->about.formulations != forms) continue;
    if (k < i) return false;
    append(text, size, ", ", methods[k]->about.name);
  }
  return true;
}

void trmi_method_names(char *text, size_t size) {
  text[0] = '\0';
  for (int i = 0; i < METHODS; i++) {
    append(text, size, i < METHODS - 1 ? ", " : " or ", methods[i]->about.name);
  }
}

void trmi_formulation_names(const trm_method *method, char *text, size_t size) {
  text[0] = '\0';
  for (const trm_formulation *form = method->formulations; form->name != NULL; form++) {
    append(text, size, ", ", form->name);
  }
}
