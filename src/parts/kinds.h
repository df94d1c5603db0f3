/* kinds.h - all kinds of parts, made of the lists of trammel/part_fields.h and
 * trammel/equation_fields.h. */
#ifndef TRMI_KINDS_H
#define TRMI_KINDS_H
#include "parts/field.h"

/* A kind of part: `spring` among the forces. */
typedef struct trmi_kind {
  const char       *name;    /* of its struct, "joint_force" of trm_joint_force_def      */
  const char       *type;    /* word of the key `type`; NULL: the only kind of its group */
  const char       *meaning; /* one sentence                                             */
  trmi_part_group   group;
  size_t            size;    /* of its struct                                            */
  const trmi_field *fields;  /* the first is the part itself                             */
  int               nfields; /* with that one                                            */
} trmi_kind;

/* Kind number i of a group, or NULL after the last; by its type, or NULL. */
const trmi_kind *trmi_kind_at(trmi_part_group group, int i);
const trmi_kind *trmi_kind_find(trmi_part_group group, const char *type);

/* "joint": what a part of the group is called. */
const char *trmi_part_group_word(trmi_part_group group);

/* Where a model file has its parts, "equations.states"; NULL: inside of other parts. */
const char *trmi_part_group_section(trmi_part_group group);

/* What names of its parts look like; do expressions know them? */
trmi_name_rule trmi_part_group_names(trmi_part_group group);
trmi_name_rule trmi_field_names(const trmi_field *row); /* of those below a row */
bool trmi_part_group_is_known(trmi_part_group group);

/* Is the kind of its parts said by the key `type`? Where that is missing it is the first, or it is
 * needed. */
bool trmi_part_group_has_types(trmi_part_group group);
bool trmi_part_group_needs_type(trmi_part_group group);

#endif
