/* block_avx2.c - the block solver for machines with AVX2. */
#define BLOCK_TABLE trmi_block_avx2
#define BLOCK_NAME "avx2"
#define BLOCK_WIDTH 4
#include "linalg/block_numeric.h"
