/* block_avx512.c - the block solver for machines with AVX-512. */
#define BLOCK_TABLE trmi_block_avx512
#define BLOCK_NAME "avx512"
#define BLOCK_WIDTH 8
#include "linalg/block_numeric.h"
