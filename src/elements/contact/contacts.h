/* contacts.h - contacts between shapes of bodies, as a contributor that evaluates itself.
 * Equations: head of contacts.c. */
#ifndef TRMI_CONTACTS_H
#define TRMI_CONTACTS_H
#include "assembly/assembly.h"
#include "elements/body/carrier.h"
#include "elements/contact/friction_law.h"
#include "elements/contact/normal_law.h"
#include "elements/contact/contact_shape.h"

/* States of a point: deflections of sliding (2), of spin about the normal (1), of rolling (2). */
enum { TRMI_CONTACT_STATES = 5 };

/* A shape of a crowd, which may touch others. */
typedef struct trmi_contact_item {
  const char *name;    /* of its body                                    */
  int         carrier;
  unsigned    sides;   /* 1: belongs to the first end, 2: to the second  */
  trmi_contact_shape  shape;
  double      reach;   /* of the shape, from its origin                  */
} trmi_contact_item;

/* Two carriers, the lower one first. */
typedef struct trmi_carrier_pair {
  int low, high;
} trmi_carrier_pair;

/* Many shapes, few of which touch at a time: near pairs occupy places (places.c). */
typedef struct trmi_contact_crowd {
  trmi_contact_item *items;
  int                nitems;
  trmi_carrier_pair *apart;    /* they never touch                                         */
  int                napart;
  int               *columns;  /* of carriers among those of the crowd, -1: it has no shape */
  int                nbodies, ncolumns;
  int                places;
} trmi_contact_crowd;

/* places.c: are two carriers excluded? */
bool trmi_contact_are_apart(const trmi_contact_crowd *c, int a, int b);

/* A contact between two bodies: points of one that meet shapes of the other. Of a crowd it is one
 * place, for a pair that changes. */
typedef struct trmi_contact {
  int               carrier[2]; /* A, B                                                    */
  trmi_touch_point *points;
  int               npoints;    /* capacity                                                */
  int               used;       /* active points: none in a free place                     */
  int               x;          /* number of its first state                               */
  int               first;      /* its first point among those of all contacts             */
  const trmi_contact_crowd *crowd; /* NULL: a declared pair                                */
  trmi_friction_law friction;
  double            torsion;    /* arm of friction against spin; 0: none                   */
  double            rolling;    /* arm of rolling resistance; 0: none                      */
  trmi_normal_law   law;
  double            tolerance;  /* of the speed in an impact; 0: that of the simulation    */
  const char       *name;
  char              object[TRM_OBJECT_MAX]; /* "impact of ball on ground.floor"            */
} trmi_contact;

/* Quantities of a contact for expressions, six numbers each. */
typedef enum trmi_contact_set {
  TRMI_CONTACT_NUMBERS, /* normal force, gap, rate of the gap, speed of sliding, friction,
                           sticks                                                          */
  TRMI_CONTACT_LOAD,    /* force on B, place of contact, ground axes                       */
  TRMI_CONTACT_COUNTS,  /* number of touching points                                       */
  TRMI_CONTACT_SETS
} trmi_contact_set;

/* Number of places of a contact: those of its crowd, or one for a pair. */
static inline int trmi_contact_places(const trmi_contact *c) {
  return c->crowd != NULL ? c->crowd->places : 1;
}

/* Number of states of each of its points. */
static inline int trmi_contact_states(const trmi_contact *c) {
  if (c->friction.kind != TRMI_FRICTION_BRISTLE) return 0;
  return 2 + (c->torsion > 0.0 ? 1 : 0) + (c->rolling > 0.0 ? 2 : 0);
}

#define TRMI_CONTACTS_NAME "contacts"

/* Add the contributor of all contacts of a mechanism, copied. `length` is the scale of lengths in
 * error tests. False: out of memory, recorded by the arena. */
bool trmi_contacts_join(trmi_assembly *a, const trmi_carriers *carriers, const trmi_contact *list,
                        int count, double length);

#endif
