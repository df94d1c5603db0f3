/* sha256.c - the hash SHA-256 [FIPS180].
 *
 * A message is padded by a one bit, zeros and its length to blocks of 64 bytes. Each block updates
 * eight words H by 64 rounds, with W the block extended to 64 words and K constants:
 *   W_t = s1(W_t-2) + W_t-7 + s0(W_t-15) + W_t-16                                       (1)
 *   T1 = h + S1(e) + Ch(e,f,g) + K_t + W_t,   T2 = S0(a) + Maj(a,b,c)                    (2)
 *   (a .. h) <- (T1 + T2, a, b, c, d + T1, e, f, g)                                       (3)
 * and H += (a .. h). All words are big-endian. */
#include "core/sha256.h"
#include <string.h>

enum { ROUNDS = 64, LENGTH_BYTES = 8 };

static const uint32_t K[ROUNDS] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int bits) {
  return x >> bits | x << (32 - bits);
}

static uint32_t word_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* (2), (3) of a round with w = K_t + W_t. Instead of moving all letters on by one place, T1 + T2
 * takes the place of h, and the next round has the letters turned. */
static inline void turn_round(uint32_t w, uint32_t a, uint32_t b, uint32_t c, uint32_t *d,
                              uint32_t e, uint32_t f, uint32_t g, uint32_t *h) {
  const uint32_t S1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
  const uint32_t S0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
  const uint32_t T1 = *h + S1 + ((e & f) ^ (~e & g)) + w;
  *d += T1;
  *h = T1 + S0 + ((a & b) ^ (a & c) ^ (b & c));
}

static void take_block(trmi_sha256 *hash, const unsigned char *block) {
  const uint32_t *const v = hash->state;
  uint32_t W[ROUNDS];
  for (int t = 0; t < 16; t++) W[t] = word_at(block + 4 * t);
  for (int t = 16; t < ROUNDS; t++) { /* (1) */
    const uint32_t s0 = turn(W[t - 15], 7) ^ turn(W[t - 15], 18) ^ W[t - 15] >> 3;
    const uint32_t s1 = turn(W[t - 2], 17) ^ turn(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
  for (int t = 0; t < ROUNDS; t += 8) {
    turn_round(K[t] + W[t], a, b, c, &d, e, f, g, &h);
    turn_round(K[t + 1] + W[t + 1], h, a, b, &c, d, e, f, &g);
    turn_round(K[t + 2] + W[t + 2], g, h, a, &b, c, d, e, &f);
    turn_round(K[t + 3] + W[t + 3], f, g, h, &a, b, c, d, &e);
    turn_round(K[t + 4] + W[t + 4], e, f, g, &h, a, b, c, &d);
    turn_round(K[t + 5] + W[t + 5], d, e, f, &g, h, a, b, &c);
    turn_round(K[t + 6] + W[t + 6], c, d, e, &f, g, h, a, &b);
    turn_round(K[t + 7] + W[t + 7], b, c, d, &e, f, g, h, &a);
  }
  const uint32_t end[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) hash->state[i] += end[i];
}

void trmi_sha256_init(trmi_sha256 *hash) {
  *hash = (trmi_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void trmi_sha256_add(trmi_sha256 *hash, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  size_t used = (size_t)(hash->count % TRMI_SHA256_BLOCK);
  hash->count += count;
  while (count > 0) {
    if (used == 0 && count >= TRMI_SHA256_BLOCK) {
      take_block(hash, next);
      next += TRMI_SHA256_BLOCK, count -= TRMI_SHA256_BLOCK;
      continue;
    }
    const size_t room = TRMI_SHA256_BLOCK - used, part = count < room ? count : room;
    memcpy(hash->block + used, next, part);
    next += part, count -= part, used += part;
    if (used < TRMI_SHA256_BLOCK) continue;
    take_block(hash, hash->block);
    used = 0;
  }
}

void trmi_sha256_end(trmi_sha256 *hash, unsigned char out[TRMI_SHA256_BYTES]) {
  static const unsigned char padding[TRMI_SHA256_BLOCK] = {0x80};
  const uint64_t bits = 8 * hash->count;
  const size_t used = (size_t)(hash->count % TRMI_SHA256_BLOCK);
  const size_t full = used < TRMI_SHA256_BLOCK - LENGTH_BYTES ? TRMI_SHA256_BLOCK
                                                              : 2 * TRMI_SHA256_BLOCK;
  unsigned char length[LENGTH_BYTES];
  for (int i = 0; i < LENGTH_BYTES; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  trmi_sha256_add(hash, padding, full - LENGTH_BYTES - used);
  trmi_sha256_add(hash, length, sizeof length);
  for (int i = 0; i < TRMI_SHA256_BYTES; i++) {
    out[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
  }
}
