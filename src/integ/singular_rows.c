/* singular_rows.c - sizes of constraint rows, to report a singular pose when a run ends.
 *
 * Where a row of G or A, of size sqrt(sum (G_ji scale_i)^2), has shrunk to a small part of its
 * size at the start of the run or after an event, its constraint has no effect there: its
 * multiplier is undetermined, and motions may branch. */
#include "integ/driver.h"
#include <math.h>
#include <string.h>

/* Relative size of a row below which the pose is singular. */
static const double singular_part = 1e-3;

/* Sums of squares of the present values of G and A by rows. */
static void add_squares(const trm_sim *sim, double *rows) {
  const trm_system *sys = sim->sys;
  const trmi_sparse *const blocks[2] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  memset(rows, 0, (size_t)(sys->n.ng + sys->n.na) * sizeof(double));
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < blocks[b]->n && blocks[b]->values != NULL; k++) {
      const double e = blocks[b]->values[k] * sim->scale_v[blocks[b]->col[k]];
      rows[blocks[b]->row[k] + (b == 1 ? sys->n.ng : 0)] += e * e;
    }
  }
}

static trm_status evaluate(trm_sim *sim, const trm_state *s, trm_error *err) {
  const trmi_block_set set = TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A);
  return trmi_system_blocks(sim->sys, s, set & sim->consistent.project.blocks, NULL, NULL, NULL,
                            err);
}

trm_status trmi_singular_rows_measure(trm_sim *sim, const trm_state *s, trm_error *err) {
  const int rows = sim->sys->n.ng + sim->sys->n.na;
  if (rows == 0) return TRM_OK;
  TRMI_TRY(err, evaluate(sim, s, err));
  add_squares(sim, sim->row_now);
  for (int j = 0; j < rows; j++) sim->row_size[j] = fmax(sim->row_size[j], sim->row_now[j]);
  return TRM_OK;
}

bool trmi_singular_rows_find(trm_sim *sim, const trm_state *s, trm_label *label, double *part) {
  const trm_sizes *n = &sim->sys->n;
  const int rows = n->ng + n->na;
  if (rows == 0 || evaluate(sim, s, NULL) != TRM_OK) return false;
  add_squares(sim, sim->row_now);
  int worst = 0;
  double smallest = INFINITY;
  for (int j = 0; j < rows; j++) {
    const double ratio = sim->row_size[j] > 0.0 ? sqrt(sim->row_now[j] / sim->row_size[j]) : 1.0;
    if (ratio < smallest) smallest = ratio, worst = j;
  }
  *part = smallest;
  const bool is_rolling = worst >= n->ng;
  trm_system_label(sim->sys, is_rolling ? TRM_MU : TRM_LAM, is_rolling ? worst - n->ng : worst,
                   label);
  return smallest < singular_part;
}
