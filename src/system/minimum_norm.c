/* minimum_norm.c - see minimum_norm.h.
 *
 * With B = [G; A] and S the squares of the scales of its rows, find z for given multipliers y:
 *   minimize z^T S z   where   B^T z = B^T y                                              (1)
 * In SI units and with scales of 1 m and 1 rad that is the sum of the squares of all reaction
 * forces in N and torques in N m. One solve without refinement, with any metric W of the
 * coordinates,
 *   [W   B^T ] [*]   [B^T y]
 *   [B  -e S ] [z] = [  0  ],      z = (B W^-1 B^T + e S)^-1 B W^-1 B^T y                   (2)
 * removes the part of y that has no effect and reduces the part of an eigenvalue s of S^-1 B W^-1
 * B^T by e/(s + e). Repeating the operation on y - z restores that loss step by step. Rounding
 * leaves 1e-16/e of the solution in parts without effect, so e is large at first, and then smaller
 * for the remainder of parts with small s, as in a nearly singular pose. Derivation:
 * docs/theory/06-start-and-rank.md. */
#include "system/minimum_norm.h"
#include "system/matrix.h"
#include <math.h>
#include <string.h>

enum { BORDERS = 3, PASSES = 6 };
static const double border[BORDERS] = {1e-5, 1e-9, 1e-13};
/* Relative tolerance of B^T y: rounding. */
static const double rounding = 1e-14;

static trm_status take_metric(trmi_minimum_norm *share, trmi_arena *arena, trm_error *err) {
  const trm_system *sys = share->sys;
  const int nv = sys->n.nv;
  trmi_sparse *W = &share->metric;
  *W = (trmi_sparse){.rows = nv, .cols = nv, .n = nv};
  W->row = TRMI_TAKE(arena, int, nv);
  W->col = TRMI_TAKE(arena, int, nv);
  W->values = TRMI_TAKE(arena, double, nv);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  for (int i = 0; i < nv; i++) {
    W->row[i] = W->col[i] = i;
    W->values[i] = 1.0 / (sys->scale_v[i] * sys->scale_v[i]);
  }
  return TRM_OK;
}

trm_status trmi_minimum_norm_init(trmi_minimum_norm *share, trm_system *sys, trmi_arena *arena,
                           trm_error *err) {
  const trmi_places at = trmi_places_of(sys);
  const int rows = at.x - at.lam;
  *share = (trmi_minimum_norm){.sys = sys};
  TRMI_TRY(err, take_metric(share, arena, err));
  trmi_term terms[5] = {{.block = &share->metric}};
  int nterms = 1;
  for (int list = 0; list < 2; list++) {
    const trm_block block = list == 0 ? TRM_G : TRM_A;
    const int place = list == 0 ? at.lam : at.mu;
    if (sys->block[block].n == 0) continue;
    TRMI_TRY(err, trmi_system_want(sys, block, err));
    terms[nterms++] = (trmi_term){.block = &sys->block[block], .row = place};
    terms[nterms++] =
        (trmi_term){.block = &sys->block[block], .col = place, .transposed = true};
  }
  TRMI_TRY(err, trmi_plan_build(&share->plan, arena, at.x, terms, nterms, (trmi_rotations){0},
                                at.lam, rows, err));
  share->rhs = TRMI_TAKE(arena, double, at.x);
  share->given = TRMI_TAKE(arena, double, rows);
  share->found = TRMI_TAKE(arena, double, rows);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  /* pivoting over the whole matrix: solutions are not refined */
  TRMI_TRY(err, trmi_linear_init(&share->lin, arena, &share->plan, trmi_solvers.general->name,
                                 &sys->tally, err));
  return TRM_OK;
}

void trmi_minimum_norm_free(trmi_minimum_norm *share) {
  trmi_linear_free(&share->lin);
}

static trm_status factor(trmi_minimum_norm *share, double e, trm_error *err) {
  const trm_system *sys = share->sys;
  const double one = 1.0;
  trmi_plan_fill(&share->plan, &one, NULL);
  for (int b = 0; b < share->plan.nborder; b++) {
    const double scale = b < sys->n.ng ? sys->scale_g[b] : sys->scale_a[b - sys->n.ng];
    share->plan.border[b] = -e * scale * scale;
  }
  return trmi_linear_factor(&share->lin, err);
}

/* B^T y into the right-hand side of (2); returns its largest part. */
static double put_effect(trmi_minimum_norm *share, const double *y) {
  const trm_system *sys = share->sys;
  const trmi_places at = trmi_places_of(sys);
  const trmi_sparse *const blocks[2] = {&sys->block[TRM_G], &sys->block[TRM_A]};
  const double *const multipliers[2] = {y, y + sys->n.ng};
  double *r = share->rhs, largest = 0.0;
  memset(r, 0, (size_t)at.x * sizeof(double));
  for (int b = 0; b < 2; b++) {
    for (int k = 0; k < blocks[b]->n; k++) {
      r[blocks[b]->col[k]] += blocks[b]->values[k] * multipliers[b][blocks[b]->row[k]];
    }
  }
  for (int i = 0; i < sys->n.nv; i++) largest = fmax(largest, fabs(r[i]) * sys->scale_v[i]);
  return largest;
}

/* (2) on the remainder until it vanishes: reduces `given` and adds to `found`. */
static trm_status find(trmi_minimum_norm *share, trm_error *err) {
  const trmi_places at = trmi_places_of(share->sys);
  const int rows = at.x - at.lam;
  const double whole = put_effect(share, share->given);
  double left = whole;
  if (!isfinite(whole)) {
    return TRMI_FAIL(err, TRM_RETRY_DOMAIN, NULL, "multipliers are not finite");
  }
  memset(share->found, 0, (size_t)rows * sizeof(double));
  for (int b = 0; b < BORDERS && left > rounding * whole; b++) {
    TRMI_TRY(err, factor(share, border[b], err));
    for (int pass = 0; pass < PASSES && left > rounding * whole; pass++) {
      share->lin.ops->solve(&share->lin, share->rhs, NULL); /* not refined: includes the border */
      for (int j = 0; j < rows; j++) {
        share->found[j] += share->rhs[at.lam + j];
        share->given[j] -= share->rhs[at.lam + j];
      }
      left = put_effect(share, share->given);
    }
  }
  return TRM_OK;
}

trm_status trmi_minimum_norm_out(trmi_minimum_norm *share, trm_state *s, double *moved,
                                 trm_error *err) {
  trm_system *sys = share->sys;
  const int ng = sys->n.ng, na = sys->n.na;
  const trmi_block_set rows = TRMI_BIT(TRM_G) | TRMI_BIT(TRM_A);
  TRMI_TRY(err, trmi_system_blocks(sys, s, rows, NULL, NULL, NULL, err));
  memcpy(share->given, s->lam, (size_t)ng * sizeof(double));
  memcpy(share->given + ng, s->mu, (size_t)na * sizeof(double));
  TRMI_TRY(err, find(share, err));
  double largest = 0.0, change = 0.0;
  for (int j = 0; j < ng + na; j++) {
    double *y = j < ng ? &s->lam[j] : &s->mu[j - ng];
    const double scale = j < ng ? sys->scale_g[j] : sys->scale_a[j - ng];
    largest = fmax(largest, fabs(share->found[j]) * scale);
    change = fmax(change, fabs(share->found[j] - *y) * scale);
    *y = share->found[j];
  }
  *moved = largest > 0.0 ? change / largest : 0.0;
  return TRM_OK;
}
