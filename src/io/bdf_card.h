/* bdf_card.h - lines and cards of Nastran's bulk data: small fields (8 columns), large ones (16
 * columns, the name ends with *) and free ones (with commas). */
#ifndef TRMI_BDF_CARD_H
#define TRMI_BDF_CARD_H
#include "io/mesh_text.h"

enum { TRMI_BDF_FIELDS = 32 };

/* A card: its name and fields behind it. */
typedef struct trmi_bdf_card {
  trmi_mesh_field name, field[TRMI_BDF_FIELDS];
  int  count;
  bool is_too_long;
} trmi_bdf_card;

/* Without blanks around it. */
trmi_mesh_field trmi_bdf_trimmed(const char *text, size_t length);
/* The line without a comment and blanks at its end. */
void trmi_bdf_strip(trmi_mesh_text *t);
/* Does the line continue a card? */
bool trmi_bdf_continues(const trmi_mesh_text *t);
/* Adds fields 2 to 9 of a line; missing ones are empty, so that continuations keep their places. */
void trmi_bdf_take(trmi_bdf_card *c, const trmi_mesh_text *t, bool is_first);
/* Nastran's numbers need no E: 7.85-9. */
bool trmi_bdf_number(trmi_mesh_field field, double *number);

#endif
