/* matrix.h - Newton matrices over the unknowns of a system, written as tables.
 *
 * Rows and columns are in the same order: v, lam, mu, x, w; the rows of v are
 * the equations of motion, those of lam and mu the constraints, those of x and w
 * equations (4) and (5) of trammel/system.h. A line of the table gives a block, its position and
 * its coefficient; the ones of the rows of w are added automatically. */
#ifndef TRMI_MATRIX_H
#define TRMI_MATRIX_H
#include "linalg/linear.h"
#include "system/system.h"

typedef struct trmi_line {
  trm_quantity row, col; /* TRM_V, TRM_LAM, TRM_MU, TRM_X, TRM_W */
  trm_block    block;
  int          slot;
  bool         transposed, times_T;
} trmi_line;

/* First index of each list, and their number. */
typedef struct trmi_places {
  int v, lam, mu, x, w, n;
} trmi_places;

static inline trmi_places trmi_places_of(const trm_system *sys) {
  const trm_sizes *n = &sys->n;
  trmi_places at = {.v = 0, .lam = n->nv};
  at.mu = at.lam + n->ng;
  at.x = at.mu + n->na;
  at.w = at.x + n->nx;
  at.n = at.w + n->nw;
  return at;
}

/* v', lam, mu, x', w of a state as one vector [n], and back. */
void trmi_unknowns_gather(const trm_system *sys, const trm_state *s, double *vector);
void trmi_unknowns_scatter(const trm_system *sys, const double *vector, trm_state *s);

typedef struct trmi_matrix {
  trmi_plan      plan;
  trmi_linear    lin;
  trmi_block_set blocks;   /* all blocks of the table                         */
  trmi_sparse    identity; /* ones of the rows of w                           */
  int           *diagonal; /* index of each diagonal entry of v, or -1  [nv]  */
  trmi_kept_matrix *kept;  /* its memory if patterns may change; NULL: the caller's */
} trmi_matrix;

/* What to build. */
typedef struct trmi_matrix_spec {
  const trmi_line *lines;
  int              nlines;
  int              slot_one;  /* slot whose coefficient is one, for the ones of w */
  unsigned         ones;      /* bits of other slots with the coefficient one: they become that
                                 slot, so that G^T is recognized as the transpose of G */
  bool             kinematic; /* only v, lam, mu: no rows of x and w              */
  bool             bordered;  /* multipliers have a border, which makes redundant constraints
                                 solvable */
  bool             iterated;  /* solutions are corrections of an iteration        */
  bool             simplified; /* omits weak entries of blocks, for an iteration whose residual
                                  contains them (trmi_pattern_arrow) */
  bool             scaled;    /* the solver receives it scaled by `lin`           */
  bool             staged;    /* solutions are stages of a step, whose error is estimated */
  const char      *solver;
} trmi_matrix_spec;

/* Merge the blocks of a table for the present epoch, or reuse a freed matrix with the same patterns
 * (kept_matrices.c). */
trm_status trmi_matrix_build(trmi_matrix *matrix, trm_system *sys, trmi_arena *arena,
                             const trmi_matrix_spec *spec, trm_error *err);
/* From now on solutions are stages of a step, of which few are measured. */
void trmi_matrix_set_staged(trmi_matrix *matrix);
void trmi_matrix_free(trmi_matrix *matrix);

/* Call before factoring at positions that violate g by `off`, the largest over the scales: sets the
 * border of redundant rows, (2) of matrix.c, up to `most` times the usual one. */
static const double trmi_border_most = 1e8;
void trmi_matrix_set_off(trmi_matrix *matrix, double off, double most);

/* Fill from the present values of the blocks and factor. A missing pivot is
 * reported by the name of its equation, as TRM_RETRY_SINGULAR. */
trm_status trmi_matrix_factor(trmi_matrix *matrix, const trm_system *sys, const double *coefficient,
                              const double *T, trm_error *err);

/* The same with the values already in the plan. */
trm_status trmi_matrix_factor_filled(trmi_matrix *matrix, const trm_system *sys, trm_error *err);
/* The error if column `bad` of such a matrix has no pivot. */
trm_status trmi_matrix_singular(const trm_system *sys, int bad, trm_error *err);

/* List and index of an unknown by its position in such a matrix. */
void trmi_place_unknown(const trm_system *sys, int place, trm_quantity *list, int *index);

#endif
