/* profile_feet.h - features of a profile that touch the cores of other shapes, one by one: corners
 * and rims at both ends, and all of its rims and sides. Head of profile_feet.c. */
#ifndef TRMI_PROFILE_FEET_H
#define TRMI_PROFILE_FEET_H
#include "elements/contact/contact_shape.h"

/* Does a profile meet this shape with its feet? */
bool trmi_profile_meets(const trmi_contact_shape *profile, const trmi_contact_shape *other);

/* May they touch? `are_sharp`: no, because edges of both have no radius. */
bool trmi_profile_fits(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       bool *are_sharp);

int trmi_profile_feet(const trmi_contact_shape *profile, const trmi_contact_shape *other);

/* Is foot i a hollow arc at an end, which meets the edges of the other shape one by one? */
bool trmi_profile_is_hollow_end(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                                int i);

/* Foot i against the core of the other shape, which has not been given a patch. */
void trmi_profile_foot(const trmi_contact_shape *profile, const trmi_contact_shape *other,
                       const int bodies[2], int i, trmi_touch_point *p);

#endif
