/* solid_draft.h - entries of the growing lists of a trmi_solid_draft. */
#ifndef TRMI_SOLID_DRAFT_H
#define TRMI_SOLID_DRAFT_H
#include "fem/solid_mesh.h"

typedef struct trmi_draft_node_entry {
  double x[3];
  int    number, line;
} trmi_draft_node_entry;

typedef struct trmi_draft_element_entry {
  trmi_solid_type type;
  int number, first, line;
} trmi_draft_element_entry;

typedef struct trmi_draft_set_entry {
  char name[TRMI_SOLID_NAME];
  bool of_elements;
} trmi_draft_set_entry;

typedef struct trmi_draft_member_entry {
  int  set, number;
  int  last, step; /* number, number + step .. last, as far as they exist */
  bool is_set;     /* number is that of a set whose members count */
} trmi_draft_member_entry;

typedef struct trmi_draft_section_entry {
  int set, material;
} trmi_draft_section_entry;

/* Entries of one list, and how many there are; a macro for its type. */
#define TRMI_DRAFT_LIST(type, buffer) ((const type *)(const void *)(buffer).data)
#define TRMI_DRAFT_COUNT(type, buffer) ((int)((buffer).used / sizeof(type)))

#endif
