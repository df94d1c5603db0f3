/* builder.h - a mechanism built by calls, shared by the files behind trammel/mechanism.h. */
#ifndef TRMI_BUILDER_H
#define TRMI_BUILDER_H
#include "trammel/mechanism.h"
#include "core/index.h"
#include "parts/definition.h"

struct trm_mechanism {
  trmi_arena      arena;
  trmi_definition def;
  trmi_index      names; /* of all that expressions may name      */
  const char     *file;  /* its file name in messages of evaluation */
};

/* Create a mechanism as a copy of a definition. */
trm_status trmi_builder_from(const trmi_definition *def, const trm_allocator *allocator,
                             trm_mechanism **mechanism, trm_error *err);

/* The part with this number; NULL: none. */
trmi_part *trmi_builder_part(trm_mechanism *m, trm_part part);

/* TRM_ERR_INPUT if there is no such part. */
trm_status trmi_builder_need_part(const trmi_part *part, trm_error *err);

/* The field of a key, which may end with the index of one of its values: "force.3"; -1: none. */
int trmi_builder_field(const trmi_part *part, const char *key, int *number);

/* A copy of a text; NULL for NULL, or out of memory. */
const char *trmi_builder_copy_text(trm_mechanism *m, const char *text);

/* A text without a position in a file. */
trmi_text trmi_builder_text_of(const char *text);

/* Add a part of a kind by its type (NULL: the only one of its group), with the values of its
 * struct; and one that belongs to another part. */
trm_status trmi_builder_add_part(trm_mechanism *m, trmi_part_group group, const char *type,
                                 const char *name, const void *def, trm_part *out, trm_error *err);
/* `inner` of a trm_part: number of the part inside of another, plus so often TRMI_INNER_MOST the
 * number, from 1, of the part inside of that one, a shape of an interface. */
enum { TRMI_INNER_MOST = 1 << 20, TRMI_BELOW_MOST = 2000 };

trm_status trmi_builder_add_inner(trm_mechanism *m, trm_part owner, trmi_part_group group,
                                  const char *type, const char *name, const void *def,
                                  trm_part *out, trm_error *err);

#endif
