/* schema.h - the table of all keys of a model file, used for checking, the published JSON Schema
 * and the reference page.
 *
 * Here are the keys of the file itself; those of parts are in parts/kinds.h. */
#ifndef TRMI_SCHEMA_H
#define TRMI_SCHEMA_H
#include "core/buffer.h"
#include "io/yaml.h"
#include "parts/kinds.h"
#include "trammel/methods.h"

/* Version of model files this table describes. */
#define TRMI_MODEL_VERSION "1"

/* Row number i, or NULL after the last; row 0 is the file itself, with the path "". Rows with
 * `parts` continue in the tables of parts/kinds.h. */
const trmi_field *trmi_schema_at(int i);

/* The kind of a part, by the key `type` of its mapping where its group has types; NULL: unknown. */
const trmi_kind *trmi_schema_kind(trmi_part_group group, const trmi_yaml *part);

/* The row of an entry under a row, also that of a part. NULL: unknown. */
const trmi_field *trmi_schema_below(const trmi_field *row, const trmi_yaml *entry);

/* Default in words, and meaning, wherever they come from. */
void trmi_schema_fallback(const trmi_field *row, char *text, size_t size);
void trmi_schema_meaning(const trmi_field *row, char *text, size_t size);

/* schema_methods.c: choices, defaults and meanings from the registry of methods. */
const char *trmi_schema_method_at(int i);
const char *trmi_schema_formulation_at(int i);
void trmi_schema_usual_method(char *text, size_t size);
void trmi_schema_usual_formulations(char *text, size_t size);
void trmi_schema_methods(char *text, size_t size);
void trmi_schema_formulations(char *text, size_t size);
void trmi_schema_orders(char *text, size_t size);
/* The table of methods of the reference page. */
void trmi_schema_methods_page(trmi_buffer *out);

/* schema_meant.c: meaning of a word or a key of other programs; "": unknown. */
const char *trmi_schema_word_meant(const trmi_field *row, const char *word);
const char *trmi_schema_key_meant(const trmi_field *row, const char *key);
/* How to write the equivalent of a key of other programs, with "; " at its end; "": unknown. */
const char *trmi_schema_key_advice(const trmi_field *row, const char *key);
/* Where a value of another kind belongs, with "; " before it; "": not known. */
const char *trmi_schema_value_advice(const trmi_field *row);

/* Unknown keys, wrong kinds and sizes of values, missing keys and values, bad names and words.
 * Numbers and expressions are not evaluated here. False: a whole section is missing or unreadable,
 * so that continuing would only give complaints about unknown names. */
bool trmi_schema_check(const trmi_yaml *root, trmi_complaints *complaints);

/* A model has equations, bodies, beams or flexible bodies, perhaps repeated; these are the keys,
 * "a|b|c". */
#define TRMI_MODEL_CONTENT "equations|bodies|beams|flexible|repeat"

/* Print the JSON Schema, or the reference page with functions and units. */
void trmi_schema_json(trmi_buffer *buffer);
void trmi_schema_reference(trmi_buffer *buffer);

#endif
