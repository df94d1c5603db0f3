/* builder.h - a mechanism that grows by calls, for the files of trammel/mechanism.h. */
#ifndef TRMI_BUILDER_H
#define TRMI_BUILDER_H
#include "trammel/mechanism.h"
#include "core/index.h"
#include "model/definition.h"

struct trm_mechanism {
  trmi_arena      arena;
  trmi_definition def;
  trmi_index      names; /* of all that expressions may name      */
  const char     *file;  /* what messages of evaluation call it   */
};

/* A mechanism that begins as a copy of a definition. */
trm_status trmi_builder_from(const trmi_definition *def, const trm_allocator *allocator,
                             trm_mechanism **mechanism, trm_error *err);

/* The part that a number stands for, NULL: none. */
trmi_part *trmi_builder_part(trm_mechanism *m, trm_part part);

/* Field of a key, which may end with the number of one of its values: "force.3"; -1: none. */
int trmi_builder_field(const trmi_part *part, const char *key, int *number);

/* A copy of a text; NULL: of none, or out of memory. */
const char *trmi_builder_copy_text(trm_mechanism *m, const char *text);

/* A text without a place. */
trmi_text trmi_builder_text_of(const char *text);

/* May this name be given? */
trm_status trmi_builder_check_name(const trm_mechanism *m, const char *name, bool has_dots,
                                   trm_error *err);

/* Room for one more of a list: memory doubles where it is full. */
void *trmi_builder_grow(trm_mechanism *m, void *list, int count, size_t size);

/* One more text by name. */
trm_status trmi_builder_add_text(trm_mechanism *m, trmi_named_texts *texts, const char *name,
                                 const char *text, trm_error *err);

/* The same, with a name that expressions know. */
trm_status trmi_builder_add_name(trm_mechanism *m, const char *name, trm_error *err);

#endif
