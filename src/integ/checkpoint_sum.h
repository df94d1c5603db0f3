/* checkpoint_sum.h - the checksum at the end of a checkpoint; altered or damaged checkpoints are
 * refused. */
#ifndef TRMI_CHECKPOINT_SUM_H
#define TRMI_CHECKPOINT_SUM_H
#include "core/fail.h"
#include <stddef.h>

/* Write the checksum into the last eight of `size` bytes. */
void trmi_checkpoint_seal(void *data, size_t size);

/* TRM_ERR_INPUT if the checksum does not match the bytes. */
trm_status trmi_checkpoint_check(const void *data, size_t size, trm_error *err);

#endif
