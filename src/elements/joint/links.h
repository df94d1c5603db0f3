/* links.h - the contributor of rows of joints, all trmi_link (rows.h). */
#ifndef TRMI_LINKS_H
#define TRMI_LINKS_H
#include "assembly/assembly.h"
#include "elements/body/carrier.h"
#include "elements/joint/rows.h"

typedef struct trmi_links trmi_links;

/* Name of the contributor. It provides one set of quantities for each link, in their order: force
 * and torque of its rows on B at its marker, ground axes, with derivatives by the positions of A,
 * of B, and by its multipliers. */
#define TRMI_LINKS "rows of joints"

/* Add a contributor with room for `most` links to the assembly; NULL: out of memory. */
trmi_links *trmi_links_create(trmi_assembly *a, const trmi_carriers *carriers, int most);
/* Add a link between two carriers, which determine its kinds; its rows begin at `row`. The name of
 * the joint is copied. */
void trmi_links_add(trmi_links *links, const trmi_link *link, int A, int B, int row,
                    const char *name);

#endif
