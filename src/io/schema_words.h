/* schema_words.h - short words for the rows of the tables, for the two files that hold them. */
#ifndef TRMI_SCHEMA_WORDS_H
#define TRMI_SCHEMA_WORDS_H
#include "io/schema.h"
#include <math.h>

enum {
  MAP = TRMI_IS_MAP, NAMES = TRMI_IS_NAMES,
  NUMBER = TRMI_IS_NUMBER, COUNT = TRMI_IS_COUNT, WORD = TRMI_IS_WORD, TEXT = TRMI_IS_TEXT,
  NUMBERS = TRMI_IS_NUMBERS, TEXTS = TRMI_IS_TEXTS, EXPRESSIONS = TRMI_IS_EXPRESSIONS,
  MATRIX = TRMI_IS_MATRIX, PARTS = TRMI_IS_PARTS
};

/* Bounds of a number. */
#define POSITIVE .low = 0.0, .high = INFINITY, .open = TRMI_OPEN_LOW
#define NOT_NEGATIVE .low = 0.0, .high = INFINITY
#define BETWEEN(a, b) .low = (a), .high = (b)
#define COUNT_MAX 1e9

#endif
