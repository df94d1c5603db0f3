/* block_mechanism.h - a matrix of a mechanism for tests of the block solver: nodes of unknowns, and
 * entries put one by one. */
#ifndef BLOCK_MECHANISM_H
#define BLOCK_MECHANISM_H
#include "check.h"
#include "linalg/block.h"
#include "linalg/linear.h"

static uint64_t seed = 1;
static double uniform(void) { /* -1 .. 1 */
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(int64_t)seed / 9223372036854775808.0;
}

enum { ENTRIES = 400000, NODES = 8000 };

/* A matrix as one sparse block, with its nodes. */
typedef struct mechanism {
  int           n, nodes, nborder, border_first;
  trmi_sparse   S;
  int           first[NODES + 1];
  unsigned char is_constraint[NODES];
} mechanism;

static mechanism mech;
static int rows_[ENTRIES], cols_[ENTRIES];
static double values_[ENTRIES];

static void begin(void) {
  mech = (mechanism){.S = {.row = rows_, .col = cols_, .values = values_}};
}

static int add_node(int size, bool is_constraint) {
  mech.is_constraint[mech.nodes] = is_constraint;
  mech.first[mech.nodes++] = mech.n;
  mech.n += size;
  mech.first[mech.nodes] = mech.n;
  return mech.nodes - 1;
}

static void put(int row, int col, double value) {
  assert_true(mech.S.n < ENTRIES);
  rows_[mech.S.n] = row;
  cols_[mech.S.n] = col;
  values_[mech.S.n++] = value;
}

/* A mass: the centre of mass is off the origin, J is between 1e-3 and 1. */
static int body(int size) {
  const int node = add_node(size, false), at = mech.first[node];
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) {
      if (i != j) put(at + i, at + j, 0.0);
    }
    put(at + i, at + i, i < 3 ? 1.0 : pow(10, 1.5 * (uniform() - 1)));
  }
  return node;
}

#endif
