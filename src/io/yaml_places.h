/* yaml_places.h - places of the letters of a scalar, part of yaml.c. */
#ifndef TRMI_YAML_PLACES_H
#define TRMI_YAML_PLACES_H
#include "io/yaml.h"

/* The lines of a text as libyaml counts them. */
typedef struct trmi_yaml_lines {
  const char *text;
  size_t      length;
  size_t     *start; /* first byte of each line, and the length of the text [count + 1] */
  int         count;
  size_t      line, column, byte; /* the last requested position: requests ascend */
} trmi_yaml_lines;

typedef enum trmi_yaml_style {
  TRMI_YAML_PLAIN, TRMI_YAML_SINGLE, TRMI_YAML_DOUBLE
} trmi_yaml_style;

/* Find the lines; false: out of memory. */
bool trmi_yaml_lines_find(trmi_yaml_lines *lines, trmi_arena *arena);

/* Byte of a place; both count from 0, columns in letters. Fast if places ascend. */
size_t trmi_yaml_offset(trmi_yaml_lines *lines, size_t line, size_t column);

/* A scalar in its source. */
typedef struct trmi_yaml_span {
  size_t          from, to;  /* bytes: the first letter (or quote), after the last */
  size_t          line, column; /* of `from`, from 0                              */
  int             file;
  trmi_yaml_style style;     /* plain: also blocks                                */
} trmi_yaml_span;

/* Anchors of a text: one for each line of the source, and one after each escape. Writes at most
 * `size` of them and returns how many there are, at least one. */
int trmi_yaml_anchors(const trmi_yaml_lines *lines, const trmi_yaml_span *span, const char *text,
                      size_t length, trmi_anchor *anchors, int size);

#endif
