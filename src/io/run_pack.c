/* run_pack.c - chunks in the format of HDF5's filters. */
#include "io/run_pack.h"
#include <libdeflate.h>
#include <stdint.h>

enum { LEVEL = 1, SUM_BYTES = 4, SUM_BLOCK = 360 /* words whose sums fit into 32 bits */ };

trmi_packer *trmi_packer_create(void) {
  return libdeflate_alloc_compressor(LEVEL);
}

void trmi_packer_free(trmi_packer *packer) {
  if (packer != NULL) libdeflate_free_compressor(packer);
}

size_t trmi_pack_room(size_t bytes) {
  return libdeflate_zlib_compress_bound(NULL, bytes) + SUM_BYTES;
}

void trmi_pack_shuffle(const unsigned char *row, size_t count, size_t entry, unsigned char *to,
                       size_t stride) {
  for (size_t b = 0; b < entry; b++) {
    for (size_t i = 0; i < count; i++) to[b * stride + i] = row[i * entry + b];
  }
}

static uint32_t fold(uint32_t sum) {
  return (sum & 0xffff) + (sum >> 16);
}

/* Fletcher's sum of words of two bytes, the first one high; an odd byte is a word's first. */
static uint32_t fletcher32(const unsigned char *data, size_t bytes) {
  uint32_t a = 0, b = 0;
  for (size_t word = 0; 2 * word < bytes; word++) {
    const size_t i = 2 * word;
    a += (uint32_t)data[i] << 8 | (i + 1 < bytes ? data[i + 1] : 0);
    b += a;
    if (word % SUM_BLOCK == SUM_BLOCK - 1) {
      a = fold(a);
      b = fold(b);
    }
  }
  a = fold(fold(a));
  b = fold(fold(b));
  return b << 16 | a;
}

size_t trmi_pack(trmi_packer *packer, const unsigned char *shuffled, size_t bytes,
                 unsigned char *packed) {
  const size_t room = libdeflate_zlib_compress_bound(NULL, bytes);
  const size_t used = libdeflate_zlib_compress(packer, shuffled, bytes, packed, room);
  const uint32_t sum = fletcher32(packed, used);
  for (int i = 0; i < SUM_BYTES; i++) packed[used + (size_t)i] = (unsigned char)(sum >> (8 * i));
  return used + SUM_BYTES;
}
