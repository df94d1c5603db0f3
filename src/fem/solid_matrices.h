/* solid_matrices.h - stiffness and mass of a whole mesh, symmetric and sparse. */
#ifndef TRMI_SOLID_MATRICES_H
#define TRMI_SOLID_MATRICES_H
#include "fem/solid_element.h"

/* Row i of the lower triangle, by nodes: columns column[first[i]] .. ascending, the last is i. The
 * mass is m times the unit matrix of three directions. */
typedef struct trmi_fem {
  int     n;      /* nodes */
  int    *first;  /* [n + 1] */
  int    *column;
  double *K;      /* blocks of nine, row major */
  double *m;
  double *M;      /* blocks of nine of the mass, of matrices with rotations; NULL: m decides */
  trmi_arena *of_K; /* has K alone, which can be released and made again; NULL: K stays */
} trmi_fem;

/* Matrices of all elements; materials must be complete.
 * @param has_exact_mass  see trmi_solid_tables_make
 * @param of_K   an arena for K alone, which can then be released; NULL: K stays in `arena`
 * @param fault  a sentence with the numbers of elements that are inside out
 * @return false: see `fault`, or memory ran out */
bool trmi_fem_assemble(const trmi_solid_mesh *mesh, bool has_exact_mass, trmi_arena *arena,
                       trmi_arena *of_K, trmi_fem *fem, char fault[TRMI_SOLID_FAULT]);

/* K goes back to the system while a factor takes its memory, and is made again with the same bits.
 * Without an arena of its own it stays.
 * @return false: memory ran out */
void trmi_fem_release_stiffness(trmi_fem *fem);
bool trmi_fem_restore_stiffness(const trmi_solid_mesh *mesh, trmi_fem *fem);

/* Stiffness by the stress of the field u [n 3], in place of `m`: that of motion across the stress,
 * the same for all directions.
 * @param tables  of each type */
void trmi_fem_geometric(const trmi_solid_mesh *mesh, const trmi_fem *fem,
                        const trmi_solid_tables *tables, const double *u, double *k);

/* out = K u, out = M u for `count` fields [count][n 3]. */
void trmi_fem_stiffness(const trmi_fem *fem, int count, const double *u, double *out);
void trmi_fem_mass(const trmi_fem *fem, int count, const double *u, double *out);

/* Entry of two nodes in either order, or -1. */
int trmi_fem_entry(const trmi_fem *fem, int a, int b);

/* Parts without an entry between them. @return how many there are; `part` of each node [n] */
int trmi_fem_parts(const trmi_fem *fem, int *part);

#endif
