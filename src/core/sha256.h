/* sha256.h - the hash SHA-256, which identifies contents of files. */
#ifndef TRMI_SHA256_H
#define TRMI_SHA256_H
#include <stddef.h>
#include <stdint.h>

enum { TRMI_SHA256_BYTES = 32, TRMI_SHA256_BLOCK = 64 };

typedef struct trmi_sha256 {
  uint32_t      state[8];
  uint64_t      count;                     /* bytes so far */
  unsigned char block[TRMI_SHA256_BLOCK];  /* that is not full yet */
} trmi_sha256;

void trmi_sha256_init(trmi_sha256 *hash);
void trmi_sha256_add(trmi_sha256 *hash, const void *bytes, size_t count);
/* The hash of all added bytes; afterwards it must be initialized again. */
void trmi_sha256_end(trmi_sha256 *hash, unsigned char out[TRMI_SHA256_BYTES]);

#endif
