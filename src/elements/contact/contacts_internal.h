/* contacts_internal.h - what the files of the contributor share. */
#ifndef TRMI_CONTACTS_INTERNAL_H
#define TRMI_CONTACTS_INTERNAL_H
#include "elements/contact/contacts.h"

typedef struct trmi_contacts {
  const trmi_carriers *carriers;
  trmi_contact        *list;
  int                  count;
  int                  npoints;    /* of all contacts                                     */
  int                  gap;        /* number of the first gap                             */
  double               length;
  double              *v_minus;    /* memory: speed of approach of each point   [npoints] */
  trm_remark          *remarks;    /* on overlaps at the start                  [count]   */
  int                  nremarks;
} trmi_contacts;

/* A point at work: forces on its side 0, back on side 1. */
typedef struct trmi_contact_state {
  trmi_touch        touch;
  trmi_normal_force normal;
  trmi_vec3         force; /* on side 0 at touch.x, ground axes */
} trmi_contact_state;

/* contact_loads.c: the force at a point; false: it is open, and there is none. */
bool trmi_contact_evaluate(const trmi_contacts *o, const trmi_contact *c, int point, double v_minus,
                           trmi_contact_state *at);
/* Derivative of the force by a column of touch.h; `d` receives the rest. */
trmi_vec3 trmi_contact_force_column(const trmi_contact_state *at, int side, bool is_velocity,
                                    int k, trmi_touch_change *d);
/* Generalized forces in the six columns of side 0, then of side 1. */
void trmi_contact_loads(const trmi_contact_state *at, double Q[2][6]);
/* Add -dQ/dq or -dQ/dv of one point to K, whose rows and columns are those of A, then of B. */
void trmi_contact_add_tangent(const trmi_contacts *o, const trmi_contact *c, int point,
                              const trmi_contact_state *at, bool is_velocity, double K[12][12]);

/* contact_quantities.c: `quantities` of trmi_contributor_ops. */
trm_status trmi_contact_quantities(void *self, int set, const trm_state *s, double values[6],
                                   double *derivatives, trm_error *err);

/* Number of the first point of a contact among all. */
static inline int trmi_contact_first(const trmi_contacts *o, const trmi_contact *c) {
  int first = 0;
  for (const trmi_contact *other = o->list; other < c; other++) first += other->npoints;
  return first;
}

#endif
