/* block_base.c - the block solver for the plain machine. */
#define BLOCK_TABLE trmi_block_base
#define BLOCK_NAME "base"
#define BLOCK_WIDTH 2
#include "linalg/block_numeric.h"
