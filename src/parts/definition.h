/* definition.h - a model as it was written: names and texts with their places.
 *
 * The reader of model files fills it in, parts/parameters.c and equations/equations.c make
 * numbers and equations of it. All texts and lists belong to the reader and outlive
 * what is built of them. A text whose `text` is NULL was not given. */
#ifndef TRMI_DEFINITION_H
#define TRMI_DEFINITION_H
#include "core/complaint.h"
#include "parts/loader.h"
#include "parts/part.h"
#include "trammel/flexible.h"
#include "trammel/system.h"

/* name: expression */
typedef struct trmi_named_text {
  trmi_key  key;
  trmi_text text;
} trmi_named_text;

typedef struct trmi_named_texts {
  trmi_named_text *list;
  int              count;
} trmi_named_texts;

typedef struct trmi_definition {
  const char      *name; /* of the model */
  const char     **files; /* by the numbers in trmi_place */
  int              nfiles;
  const trmi_loader *loader; /* NULL: files and libraries cannot be reached */
  trmi_plugin_use  plugins;
  trm_reductions   reductions; /* of meshes */
  trmi_units       units;
  trmi_named_texts parameters;
  bool            *is_fixed; /* parameters that decide which parts the model has, so that they
                                cannot be set afterwards   [parameters.count]; NULL: none */
  trmi_part        world;    /* keys of the model itself: gravity            */
  trmi_part        energies; /* keys of `equations`: kinetic, potential      */
  trmi_parts       parts[TRMI_PART_GROUPS]; /* of the groups that have a section */
  trmi_named_texts measures; /* "max(load)", of a simulation; integ/measures.h */
} trmi_definition;

#endif
