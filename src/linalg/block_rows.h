/* block_rows.h - rows of blocks as vectors of the machine, for block_kernels.h. */
#include "core/compiler.h"
#include "linalg/block.h"
#include <stdint.h>

typedef TRMI_VECTOR(double, 4) row4;
typedef TRMI_VECTOR(double, 8) row8;
typedef TRMI_VECTOR(int64_t, 4) bits4;
typedef TRMI_VECTOR(int64_t, 8) bits8;

/* While factoring, a row is a few vectors of the machine: compilers are no good at cutting
 * longer ones themselves. */
enum { WIDTH4 = BLOCK_WIDTH < 4 ? BLOCK_WIDTH : 4, PARTS4 = 4 / WIDTH4 };
enum { WIDTH8 = BLOCK_WIDTH, PARTS8 = 8 / WIDTH8 };
typedef TRMI_VECTOR(double, WIDTH4) part4;
typedef TRMI_VECTOR(double, WIDTH8) part8;
typedef TRMI_VECTOR(int64_t, WIDTH4) part_bits4;
typedef TRMI_VECTOR(int64_t, WIDTH8) part_bits8;
#define EACH_PART(LD) TRMI_UNROLL for (int w = 0; w < PARTS##LD; w++)
#define NUMBER(LD, row, j) ((row)[(j) / WIDTH##LD][(j) % WIDTH##LD])
#define PART_SIZES(LD, x) ((part##LD)((part_bits##LD)(x) & INT64_MAX))

/* Part w of row i of the unit matrix; part w of a row with zeros in columns p and p + 1, p even.
 * Nothing is written number by number: the next reader of the row would have to wait. */
static const row4 unit4[4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}};
static const row8 unit8[8] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1},
                              {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 1}};
static const bits4 other4[2] = {{0, 0, -1, -1}, {-1, -1, 0, 0}};
static const bits8 other8[4] = {{0, 0, -1, -1, -1, -1, -1, -1}, {-1, -1, 0, 0, -1, -1, -1, -1},
                                {-1, -1, -1, -1, 0, 0, -1, -1}, {-1, -1, -1, -1, -1, -1, 0, 0}};
#define UNIT(LD, i) (((const part##LD *)&unit##LD[i])[w])
#define WITHOUT(LD, x, p) \
  ((part##LD)((part_bits##LD)(x) & ((const part_bits##LD *)&other##LD[(p) / 2])[w]))
