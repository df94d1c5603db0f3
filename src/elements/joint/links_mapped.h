/* links_mapped.h - a link with a marker that maps (elements/body/carrier.h): rows are those of
 * rows.h in the six columns of each marker, mapped to the velocities of the carriers. */
#ifndef TRMI_LINKS_MAPPED_H
#define TRMI_LINKS_MAPPED_H
#include "elements/body/carrier.h"
#include "elements/joint/rows.h"

typedef struct trmi_mapped_link trmi_mapped_link;

/* Create with rows from `row` on; the link is copied. NULL: out of memory. */
trmi_mapped_link *trmi_mapped_link_create(trmi_arena *arena, const trmi_link *link,
                                          const trmi_carriers *carriers, int A, int B, int row);
/* Rows are overwritten, G^T lam is added to the motion. */
void trmi_mapped_link_values(const trmi_mapped_link *m, const trm_state *s, const trm_values *out);
/* As trmi_link_pattern and trmi_link_fill. */
int trmi_mapped_link_pattern(const trmi_mapped_link *m, trm_pattern *p, trm_block block);
void trmi_mapped_link_fill(const trmi_mapped_link *m, const trmi_link_blocks *out);

#endif
