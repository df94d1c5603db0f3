/* checkpoint_sum.c - the checksum of a checkpoint, over words w of eight bytes (the last one padded
 * with zeros):
 *   h <- (h xor w) * odd;  h <- h xor (h >> 32)                                    (1)
 * Both operations of (1) are invertible, so a change within one word always changes the
 * checksum. */
#include "integ/checkpoint_sum.h"
#include <stdint.h>
#include <string.h>

static uint64_t sum_of(const unsigned char *bytes, size_t count) {
  uint64_t h = count;
  for (size_t i = 0; i < count; i += sizeof h) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, count - i < sizeof word ? count - i : sizeof word);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* (1) */
    h ^= h >> 32;
  }
  return h;
}

void trmi_checkpoint_seal(void *data, size_t size) {
  unsigned char *bytes = data;
  const uint64_t sum = sum_of(bytes, size - sizeof sum);
  memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
}

trm_status trmi_checkpoint_check(const void *data, size_t size, trm_error *err) {
  const unsigned char *bytes = data;
  const uint64_t sum = sum_of(bytes, size - sizeof sum);
  if (memcmp(bytes + size - sizeof sum, &sum, sizeof sum) == 0) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the bytes of the checkpoint are not those that were "
                   "saved");
}
