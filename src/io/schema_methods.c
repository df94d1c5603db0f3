/* schema_methods.c - rows of the schema that come from the registry of methods. */
#include "io/schema.h"
#include <stdio.h>
#include <string.h>

/* A longer list of formulations is written as "first to last". */
enum { LISTED_MAX = 4, LIST_BYTES = 160 };

static void append(char *text, size_t size, const char *more) {
  const size_t used = strlen(text);
  snprintf(text + used, size - used, "%s", more);
}

void trmi_schema_fallback(const trmi_field *row, char *text, size_t size) {
  trmi_field_fallback(row, text, size);
  if (row->write_fallback != NULL) row->write_fallback(text, size);
}

void trmi_schema_meaning(const trmi_field *row, char *text, size_t size) {
  text[0] = '\0';
  if (row->reads != 0) trm_method_prefix(row->reads, text, size);
  if (row->meaning != NULL) append(text, size, row->meaning);
  if (row->write_meaning != NULL) row->write_meaning(text, size);
}

const char *trmi_schema_method_at(int i) {
  const trm_method *method = trm_method_at(i);
  return method != NULL ? method->name : NULL;
}

/* Is there a formulation of this name in a method before number i, or before `last` in it? */
static bool is_repeated(const char *name, int i, const trm_formulation *last) {
  for (int k = 0; k <= i; k++) {
    for (const trm_formulation *form = trm_method_at(k)->formulations; form->name != NULL; form++) {
      if (form == last) return false;
      if (strcmp(form->name, name) == 0) return true;
    }
  }
  return false;
}

/* Formulations of methods that have a choice, each name once. */
const char *trmi_schema_formulation_at(int i) {
  char names[LIST_BYTES];
  const trm_method *method;
  for (int k = 0; (method = trm_method_at(k)) != NULL; k++) {
    if (!trm_method_group(k, names, sizeof names)) continue;
    for (const trm_formulation *form = method->formulations; form->name != NULL; form++) {
      if (!is_repeated(form->name, k, form) && i-- == 0) return form->name;
    }
  }
  return NULL;
}

void trmi_schema_usual_method(char *text, size_t size) {
  snprintf(text, size, "%s", trm_method_for(TRM_SUITS_UNNAMED)->name);
}

void trmi_schema_usual_formulations(char *text, size_t size) {
  char names[LIST_BYTES];
  text[0] = '\0';
  for (int k = 0; trm_method_at(k) != NULL; k++) {
    if (!trm_method_group(k, names, sizeof names)) continue;
    if (text[0] != '\0') append(text, size, ", ");
    append(text, size, trm_method_at(k)->formulations[0].name);
  }
}

/* "Method; kinematic where nothing is free to move." */
void trmi_schema_methods(char *text, size_t size) {
  const trm_method *method;
  snprintf(text, size, "Method");
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (method->where == NULL) continue;
    append(text, size, "; ");
    append(text, size, method->name);
    append(text, size, " ");
    append(text, size, method->where);
  }
  append(text, size, ".");
}

static void write_list(const trm_formulation *forms, char *text, size_t size) {
  int n = 0;
  while (forms[n].name != NULL) n++;
  for (int i = 0; i < n; i++) {
    if (n > LISTED_MAX && i > 0 && i < n - 1) continue;
    if (i > 0) append(text, size, n > LISTED_MAX ? " to " : ", ");
    append(text, size, forms[i].name);
    if (forms[i].where == NULL) continue;
    append(text, size, ", which is the default ");
    append(text, size, forms[i].where);
  }
}

/* "hht, alpha: si2 to projected-final; explicit: dop853, dopri5." */
void trmi_schema_formulations(char *text, size_t size) {
  char names[LIST_BYTES];
  const trm_method *method;
  text[0] = '\0';
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    if (!trm_method_group(i, names, sizeof names)) continue;
    if (text[0] != '\0') append(text, size, "; ");
    append(text, size, names);
    append(text, size, ": ");
    write_list(method->formulations, text, size);
  }
  append(text, size, ".");
}

/* "radau 5, 9 and 13; bdf 1 and 2." */
void trmi_schema_orders(char *text, size_t size) {
  const size_t used = strlen(text);
  trm_method_all_orders(text + used, size - used);
  append(text, size, ".");
}

void trmi_schema_methods_page(trmi_buffer *out) {
  const trm_method *method;
  trmi_buffer_text(out, "\n## Methods\n\n| `integrator` | meaning | `formulation` | order |\n"
                        "|---|---|---|---|\n");
  for (int i = 0; (method = trm_method_at(i)) != NULL; i++) {
    trmi_buffer_print(out, "| `%s` | %s | ", method->name, method->meaning);
    const trm_formulation *form = method->formulations;
    for (; form->name != NULL; form++) {
      trmi_buffer_print(out, "%s`%s`", form == method->formulations ? "" : ", ", form->name);
    }
    trmi_buffer_text(out, " | ");
    char orders[LIST_BYTES];
    trm_method_orders(method, orders, sizeof orders);
    trmi_buffer_text(out, orders);
    for (form = method->formulations; form->name != NULL && method->orders == NULL; form++) {
      const bool is_first = form == method->formulations;
      if (!is_first && form->order == form[-1].order) continue;
      trmi_buffer_print(out, "%s%d", is_first ? "" : ", ", form->order);
    }
    trmi_buffer_text(out, " |\n");
  }
}
