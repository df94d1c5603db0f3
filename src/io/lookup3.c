/* lookup3.c - Bob Jenkins' hash lookup3 of bytes, as HDF5 uses it for metadata
 * (HDF5 file format specification, "Checksum"): three words a, b, c take in 12
 * bytes at a time, little-endian on every machine. */
#include "io/lookup3.h"

static uint32_t rotate(uint32_t x, int k) {
  return (x << k) | (x >> (32 - k));
}

/* Up to four bytes as a word; missing ones are zero. */
static uint32_t word(const unsigned char *p, size_t left) {
  uint32_t w = 0;
  for (size_t i = 0; i < 4 && i < left; i++) w |= (uint32_t)p[i] << (8 * i);
  return w;
}

static void mix(uint32_t s[3]) {
  static const int turns[6] = {4, 6, 8, 16, 19, 4};
  for (int i = 0; i < 6; i++) {
    uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];
    *a -= *c;
    *a ^= rotate(*c, turns[i]);
    *c += *b;
  }
}

static void finish(uint32_t s[3]) {
  static const int turns[7] = {14, 11, 25, 16, 4, 14, 24};
  for (int i = 0; i < 7; i++) {
    uint32_t *c = &s[(i + 2) % 3];
    const uint32_t b = s[(i + 1) % 3];
    *c ^= b;
    *c -= rotate(b, turns[i]);
  }
}

uint32_t trmi_lookup3(const void *data, size_t size, uint32_t seed) {
  const unsigned char *p = data;
  const uint32_t first = 0xdeadbeef + (uint32_t)size + seed;
  uint32_t s[3] = {first, first, first};
  for (; size > 12; size -= 12, p += 12) {
    for (int i = 0; i < 3; i++) s[i] += word(p + 4 * i, 4);
    mix(s);
  }
  if (size == 0) return s[2];
  for (size_t i = 0; i < 3; i++) s[i] += 4 * i < size ? word(p + 4 * i, size - 4 * i) : 0;
  finish(s);
  return s[2];
}
