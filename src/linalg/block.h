/* block.h - block LU on the graph of bodies and joints: structure and numbers.
 *
 * Nodes are dense blocks of 1 to 8 unknowns, eliminated in the order of order.c;
 * larger nodes are cut into tiles. With pivot k and its later neighbours j,
 *
 *   D_k  =  A_kk - sum_p L_kp U_pk                                           (1)
 *   U_kj =  A_kj - sum_p L_kp U_pj                                           (2)
 *   L_jk = (A_jk - sum_p L_jp U_pk) D_k^-1                                   (3)
 *
 * summed over earlier pivots p that have both nodes as neighbours (left-looking: the
 * matrix is read once and stays as it is, for refinement). Solution:
 *
 *   forward   y_j -= L_jk y_k                                                (4)
 *   backward  x_k  = D_k^-1 (y_k - sum_j U_kj x_j)                           (5)
 *
 * Storage, all blocks row by row with rows padded to 4 or 8 numbers: D_k^T and
 * V_kj = L_jk^T have, like U_kj, one row for each unknown of k. Then (1)-(3) are one
 * kernel,  C -= X^T Y  with X, Y of d_p rows:
 *   U_kj: X = V_pk, Y = U_pj;   V_kj: X = U_pk, Y = V_pj;   D_k^T: X = U_pk, Y = V_pk. (6)
 * Padding is zero everywhere and stays zero. A symmetric matrix has U_kj equal to the
 * transposed bracket of (3), so that its sums are made once: block LDL^T on the same
 * schedule.
 *
 * Where the plan says so, entries whose blocks are zero in the present matrix, as those of contacts
 * that are open, and get nothing by (2) and (3), are marked and left out by sums and solutions: a
 * body that may touch ten others touches one or two. The other ones lie in F without gaps, and
 * nodes that no entry links with others, as those of the friction of open contacts, are not visited
 * by solutions where their right-hand side is zero. Results are the same but for signs of zeros. */
#ifndef TRMI_BLOCK_H
#define TRMI_BLOCK_H
#include "linalg/linear.h"

enum { BLOCK_MAX = 8 };
/* Entries between one that a solution works with and one that it fetches. */
enum { TRMI_BLOCK_AHEAD = 6 };
/* Nodes up to this size count as full. */
enum { BLOCK_FULL = 6 };

/* One term of a sum (6): two neighbour entries of the same pivot p. */
typedef struct trmi_block_source {
  int x, y;
} trmi_block_source;

/* An entry that does not vanish, as solutions read it. */
typedef struct trmi_block_live {
  int place;           /* of the neighbour in padded vectors */
  int ld;              /* and its padded size                */
  int scaled, reduced; /* places of V_kj and U_kj            */
} trmi_block_live;

/* Nodes that no entry links with others and whose unknowns follow each other; so many at most. */
enum { TRMI_BLOCK_ALONE = 32 };
typedef struct trmi_block_alone {
  int first, end;   /* their unknowns                               */
  int nodes, count; /* the nodes: nodes .. nodes + count - 1 of a list */
} trmi_block_alone;

typedef struct trmi_block {
  trmi_arena arena;
  /* nodes, in the order of elimination */
  int   count;
  int  *dim, *ld;      /* unknowns of a node, padded                 [count]     */
  int  *unknown;       /* its first unknown in the matrix            [count]     */
  int  *place;         /* its place in padded vectors                [count]     */
  int  *diagonal;      /* place in A of A_kk^T; -1: zero             [count]     */
  int  *pivot;         /* place in F of D_k^-T                       [count]     */
  bool *is_diagonal;   /* D_k is: its inverse is the first row there [count]     */
  int   vector;        /* length of padded vectors                              */
  int  *padded;        /* place of an unknown in padded vectors      [n]        */
  /* neighbours: entries first[k] .. first[k+1] - 1 */
  int  *first;         /*                                            [count + 1] */
  int  *node;          /* the neighbour, a later node                [entries]   */
  int  *owner;         /* the node whose neighbour it is             [entries]   */
  int  *upper, *lower; /* places in A of A_kj and A_jk^T; -1: zero   [entries]   */
  int  *reduced;       /* place in F of U_kj: where nothing is subtracted it is the one in
                          A, which lies before F                     [entries]   */
  int  *scaled;        /* place in F of V_kj                         [entries]   */
  /* entries that do not vanish: live_first[k] .. live_first[k+1] - 1, listed with the factors if
   * some may, else once and for all */
  int  *live_first;    /*                                            [count + 1] */
  trmi_block_live *live; /* with room before and behind, for fetches [entries]   */
  /* sums: sources of the diagonal of node k, and of entry e */
  int  *source_first;  /* by entry                                   [entries + 1] */
  int  *diag_first;    /* by node                                    [count + 1] */
  trmi_block_source *source, *diag_source;
  /* those that count in the present matrix; all of them where nothing vanishes */
  int  *sum_end;       /* by entry, from source_first on             [entries]   */
  int  *diag_end;      /* by node, from diag_first on                [count]     */
  trmi_block_source *sum, *diag_sum;
  /* entries that are factored: of node k first[k] .. kept_end[k] - 1 in this list */
  int  *kept;          /* entries                                    [entries]   */
  int  *kept_end;      /*                                            [count]     */
  unsigned char *is_zero; /* by entry: U_kj and V_kj vanish; NULL: nobody asked [entries]   */
  /* where it was asked: places in F that are given away, of V_kj, of U_kj and D_k, and from the end
   * down of D_k of nodes alone */
  int  end_scaled, end_reduced, begin_alone;
  /* nodes that entries link with others, ascending, behind them those alone that a solution visits;
   * and all that are alone */
  int  nlinked, nvisited, nalone, nalone_nodes;
  int *linked;                 /* NULL: nobody asked                     [count]     */
  int *alone_node;             /*                                        [count]     */
  trmi_block_alone *alone;     /*                                        [count]     */
  int  *filled;        /* tiles that fill.h has to make before node k is factored [count] */
  int  *upper_tile, *lower_tile; /* those tiles of A_kj and A_jk^T; -1: not known [entries] */
  const unsigned char *tile_is_zero; /* marks of fill.h; NULL: there are none             */
  /* numbers */
  double *A;           /* the matrix, filled by the plan             [matrix]    */
  double *F;           /* the factors, behind A                      [factors]   */
  int     matrix, factors;
  int     first_reduced; /* place in F of the first U_kj or D_k                         */
  bool    has_many_sums; /* so many that half of them is worth a look for symmetry      */
  bool    is_symmetric; /* then the sums of U_kj also serve for V_kj                   */
  double *border;      /* what the border adds to the diagonal, padded [vector], or NULL */
  double *y[2];        /* right-hand sides                           [vector]    */
  int     eliminated;  /* so many have been through (4) while the nodes were factored   */
  double *work[3];     /* x, A x, |A| |x| of refinement              [vector]    */
  long    entries;     /* numbers in the factors, without padding               */
  int     bad_node;    /* where no pivot was found                              */
  int     bad_row;     /* and its row in there                                  */
} trmi_block;

/* What fills the matrix. */
typedef struct trmi_filling {
  const trmi_plan *plan; /* it has a program, fill.h */
  const double    *coefficient, *T;
} trmi_filling;

/* The numeric part, compiled for several machines from block_numeric.h. */
typedef struct trmi_block_ops {
  const char *name;
  /* Fills the tiles of A. */
  trmi_fill_run *fill;
  /* Is A symmetric to rounding? */
  bool (*is_symmetric)(const trmi_block *b);
  /* False: no pivot at bad_node, bad_row. With `filling` A is filled on the way, a few nodes at a
   * time, so that it is still in the cache where it is read; in any case to its end. The first
   * `known` of the right-hand sides y are eliminated by (4) node by node, as long as the blocks of
   * a node are in the cache. */
  bool (*factor)(trmi_block *b, const trmi_filling *filling, int known);
  /* Solves y[0], or y[0] and y[1] in one pass; by (5) alone those that `factor` has eliminated. */
  void (*solve)(trmi_block *b, int count, bool is_eliminated);
  /* product = A x, size = |A| |x|, padded. */
  void (*multiply)(const trmi_block *b, const double *x, double *product, double *size);
} trmi_block_ops;

/* Lists the entries of node k, whose predecessors are listed. */
static inline void trmi_block_list_live(const trmi_block *b, int k) {
  int n = b->live_first[k];
  for (int e = b->first[k]; e < b->first[k + 1]; e++) {
    if (b->is_zero != NULL && b->is_zero[e]) continue;
    const int j = b->node[e];
    b->live[n++] = (trmi_block_live){.place = b->place[j], .ld = b->ld[j],
                                     .scaled = b->scaled[e], .reduced = b->reduced[e]};
  }
  b->live_first[k + 1] = n;
}

extern const trmi_block_ops trmi_block_base, trmi_block_avx2, trmi_block_avx512;

/* Work of one refill, factorization and solution. */
typedef struct trmi_block_work {
  double numbers;    /* of the matrix and of its factors, padded                  */
  double operations; /* multiplications and additions on padded rows              */
  double sums;       /* terms of (6), each a call of the kernel                   */
  double tiles;      /* pivots: blocks to be inverted one after the other         */
} trmi_block_work;

/* Count it: order and fill of a plan, which stays as it is. */
trm_status trmi_block_count(const trmi_plan *plan, const trm_allocator *allocator,
                            trmi_block_work *work, trm_error *err);

/* Structure of a plan: order, fill, places, sums. From then on the plan fills A by the
 * kernels given; A is taken from `keep` and lives as long as the plan, even without the
 * block solver. */
trm_status trmi_block_analyze(trmi_block **block, trmi_plan *plan, const trmi_block_ops *kernels,
                              trmi_arena *keep, trm_error *err);
void trmi_block_free(trmi_block *block);

#endif
