/* checkpoint_sum.h - a checkpoint ends with a sum of its bytes, so that one that was altered or
 * damaged is refused and never loaded. */
#ifndef TRMI_CHECKPOINT_SUM_H
#define TRMI_CHECKPOINT_SUM_H
#include "core/fail.h"
#include <stddef.h>

/* Write the sum into the last eight of `size` bytes. */
void trmi_checkpoint_seal(void *data, size_t size);

/* TRM_ERR_INPUT if the sum is not that of the bytes. */
trm_status trmi_checkpoint_check(const void *data, size_t size, trm_error *err);

#endif
