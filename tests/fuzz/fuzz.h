/* fuzz.h - what fuzz targets share. A target is a file fuzz_NAME.c with the function below; its
 * inputs are kept in corpus/NAME. Every build feeds them to it (replay.c), `make fuzz` looks for
 * new ones with libFuzzer. How to add one: docs/dev/fuzzing.md. */
#ifndef TRM_FUZZ_H
#define TRM_FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called with every input; returns 0. What must not happen ends in abort(). The name is
 * libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, so that the input is kept; a macro for the text and the line. */
#define FUZZ_REQUIRE(condition)                                                     \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);     \
      abort();                                                                      \
    }                                                                               \
  } while (0)

/* An input that is used up from its beginning. What is missing at its end is zero. */
typedef struct fuzz_input {
  const uint8_t *data;
  size_t         left;
} fuzz_input;

static inline void fuzz_take(fuzz_input *in, void *to, size_t size) {
  const size_t there = size < in->left ? size : in->left;
  memset(to, 0, size);
  if (there > 0) memcpy(to, in->data, there);
  in->data += there;
  in->left -= there;
}

static inline uint8_t fuzz_byte(fuzz_input *in) {
  uint8_t byte;
  fuzz_take(in, &byte, sizeof byte);
  return byte;
}

/* A number in 0 .. below - 1, from four bytes. */
static inline uint32_t fuzz_below(fuzz_input *in, uint32_t below) {
  uint32_t number;
  fuzz_take(in, &number, sizeof number);
  return number % below;
}

#endif
