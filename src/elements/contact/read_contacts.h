/* read_contacts.h - shared by the files that read contacts. */
#ifndef TRMI_READ_CONTACTS_H
#define TRMI_READ_CONTACTS_H
#include "elements/elements.h"
#include "trammel/parts.h"

/* One end of a contact: its shapes with their bodies. */
typedef struct trmi_contact_end {
  const trmi_text  *text;
  bool              is_group;
  const trmi_part **shapes; /* NULL: of the node of a beam */
  int              *bodies;
  int               count;
} trmi_contact_end;

/* read_contacts.c: false. */
bool trmi_contact_complain(trmi_mechanism *m, const trmi_part *part, const char *key,
                           const char *sentence);

/* read_crowds.c; false after a complaint. */
bool trmi_contact_read_end(trmi_mechanism *m, const trmi_part *part, const trmi_text *text,
                           trmi_contact_end *out);
/* Shape i of an end. */
bool trmi_contact_read_shape(trmi_mechanism *m, const trmi_part *part, const trmi_contact_end *end,
                             int i, trmi_contact_shape *out);
/* read_beam_shapes.c: the capsule of a node. */
bool trmi_contact_read_node(trmi_mechanism *m, const trmi_part *part, int body,
                            trmi_contact_shape *out);
/* Radius of a beam: as given, or that of a round section of the same area; 0: unknown. */
double trmi_contact_beam_radius(const trmi_beam_part *beam);
/* All nodes of a beam. */
void trmi_contact_add_beam(const trmi_beam_part *beam, trmi_contact_end *out);
/* Are nodes of one beam too near along it to touch each other? */
bool trmi_contact_are_neighbours(const trmi_mechanism *m, int a, int b);
/* Two shapes cannot touch: false. */
bool trmi_contact_complain_pair(trmi_mechanism *m, const trmi_part *part,
                                const trmi_contact_shape *a, const trmi_contact_shape *b);
/* The shapes of ends of which one is a group. */
bool trmi_contact_read_crowd(trmi_mechanism *m, const trmi_part *part,
                             const trmi_contact_end ends[2], trmi_contact *c);

#endif
