/* contacts.h - contacts between shapes of bodies, as a contributor that evaluates itself.
 * Equations: head of contacts.c. */
#ifndef TRMI_CONTACTS_H
#define TRMI_CONTACTS_H
#include "assembly/assembly.h"
#include "elements/body/carrier.h"
#include "elements/contact/normal_law.h"
#include "elements/contact/touch.h"

/* A contact between two bodies: points of one that meet shapes of the other. */
typedef struct trmi_contact {
  const char       *name;
  char              object[TRM_OBJECT_MAX]; /* "impact of ball on ground.floor"            */
  int               carrier[2]; /* A, B                                                    */
  trmi_touch_point *points;
  int               npoints;
  trmi_normal_law   law;
  double            tolerance;  /* of the speed in an impact; 0: that of the simulation    */
} trmi_contact;

/* What expressions may name of a contact, six numbers each. */
typedef enum trmi_contact_set {
  TRMI_CONTACT_NUMBERS, /* normal force, gap, rate of the gap, speed of sliding, 0, 0      */
  TRMI_CONTACT_LOAD,    /* force on B, place of contact, ground axes                       */
  TRMI_CONTACT_SETS
} trmi_contact_set;

#define TRMI_CONTACTS_NAME "contacts"

/* All contacts of a mechanism at work, copied. `length` is what counts as one in error tests.
 * False: out of memory, which the arena remembers. */
bool trmi_contacts_join(trmi_assembly *a, const trmi_carriers *carriers, const trmi_contact *list,
                        int count, double length);

#endif
