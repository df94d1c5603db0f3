/* links_reaction_tangent.h - derivatives of the reaction of a joint, for expressions that name
 * it. */
#ifndef TRMI_LINKS_REACTION_TANGENT_H
#define TRMI_LINKS_REACTION_TANGENT_H
#include "elements/body/carrier.h"
#include "elements/joint/rows.h"

/* Derivatives of trmi_link_reaction, six rows, by the positions of carrier A, of carrier B, and by
 * the multipliers; `ends` are their numbers. Rows of the force, or of the torque, that are not
 * requested are zero. */
void trmi_link_reaction_columns(const trmi_link *link, const trmi_carriers *carriers,
                                const int ends[2], const double *lam, const bool wanted[2],
                                double *out);

/* Which of these derivatives are zero at every state; sides of `link` must be set. */
void trmi_link_reaction_zeros(const trmi_link *link, bool *is_zero);

#endif
