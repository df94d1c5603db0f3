/* mesh_text.h - shared by readers of mesh files: lines, fields, numbers, faults with a line. */
#ifndef TRMI_MESH_TEXT_H
#define TRMI_MESH_TEXT_H
#include "fem/solid_mesh.h"

/* A text read line by line. */
typedef struct trmi_mesh_text {
  const char *text, *end;
  trmi_solid_draft *draft;
  char *fault;       /* [TRMI_SOLID_FAULT] */
  int   line;        /* of `at`, from 1 */
  const char *at;    /* the line, without its end */
  size_t length;
} trmi_mesh_text;

/* The next line; false at the end. */
bool trmi_mesh_next(trmi_mesh_text *t);

/* A piece of a line, without blanks around it. */
typedef struct trmi_mesh_field {
  const char *text;
  size_t      length;
} trmi_mesh_field;

/* The next field, separated by `separator`, or by blanks if that is ' '. Starts at *from, which is
 * advanced past it; false: end of the line. */
bool trmi_mesh_field_next(const trmi_mesh_text *t, char separator, size_t *from,
                          trmi_mesh_field *field);

bool trmi_mesh_int(trmi_mesh_field field, int *number);
/* Also 1.5D3 of Fortran. */
bool trmi_mesh_number(trmi_mesh_field field, double *number);
/* Compare texts without regard to case. */
bool trmi_mesh_is(trmi_mesh_field field, const char *word);
/* A copy, truncated to TRMI_SOLID_NAME - 1 letters. Unprintable letters become '?'. */
void trmi_mesh_copy(trmi_mesh_field field, bool to_upper, char name[TRMI_SOLID_NAME]);

/* `fault` gets "line N: sentence"; always false. */
bool trmi_mesh_fail(const trmi_mesh_text *t, const char *fmt, ...) TRMI_PRINTF(2, 3);
/* The same as a note, a line of draft->notes. */
void trmi_mesh_note(const trmi_mesh_text *t, const char *fmt, ...) TRMI_PRINTF(2, 3);

/* Readers: fill a draft from the content of a file.
 * @return false: `fault` has a sentence, or memory ran out (trmi_solid_draft_failed) */
bool trmi_mesh_read_inp(const char *text, size_t length, trmi_solid_draft *draft,
                        char fault[TRMI_SOLID_FAULT]);
bool trmi_mesh_read_msh(const char *text, size_t length, trmi_solid_draft *draft,
                        char fault[TRMI_SOLID_FAULT]);
bool trmi_mesh_read_bdf(const char *text, size_t length, trmi_solid_draft *draft,
                        char fault[TRMI_SOLID_FAULT]);

/* Choose the reader by the extension of the name, and finish the mesh. Notes remain in the
 * draft. */
bool trmi_mesh_read(const char *name, const char *text, size_t length, trmi_solid_draft *draft,
                    trmi_arena *arena, trmi_solid_mesh *mesh, char fault[TRMI_SOLID_FAULT]);

#endif
