/* mesh_file.c - parse STL and OBJ, merge equal points, look for open edges.
 *
 * STL text: `facet .. outer loop vertex x y z (three) endloop endfacet`, from `solid` to
 * `endsolid`. STL binary: 80 bytes, the number n, then n times 12 floats and 2 bytes, little
 * endian; a file of exactly that length is binary whatever it begins with. OBJ: `v x y z` and
 * `f a b c ..` with numbers from 1 (negative: from the last), polygons as fans. */
#include "elements/body/mesh_file.h"
#include "core/buffer.h"
#include "core/index.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINARY_HEAD = 84, BINARY_FACET = 50 };

/* A mesh being read. */
typedef struct reader {
  trmi_arena *arena;
  char       *fault;
  trmi_buffer points;  /* trmi_vec3, in the order of the file   */
  trmi_buffer corners; /* int: numbers of points                */
  int         npoints, ncorners;
} reader;

static bool fail(reader *r, const char *sentence, int line) {
  if (line > 0) snprintf(r->fault, TRMI_MESH_FAULT, "line %d: %s", line, sentence);
  else snprintf(r->fault, TRMI_MESH_FAULT, "%s", sentence);
  return false;
}

static bool add_point(reader *r, const double x[3]) {
  if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) return false;
  if (r->npoints >= 3 * TRMI_MESH_TRIANGLES_MAX) return false;
  const trmi_vec3 point = {x[0] + 0.0, x[1] + 0.0, x[2] + 0.0}; /* no -0: equal points have equal
                                                                   bytes */
  trmi_buffer_add(&r->points, &point, sizeof point);
  r->npoints++;
  return true;
}

static bool add_corner(reader *r, int number) {
  if (r->ncorners >= 3 * TRMI_MESH_TRIANGLES_MAX) return false;
  trmi_buffer_add(&r->corners, &number, sizeof number);
  r->ncorners++;
  return true;
}

static const char too_many[] = "it has more than a million triangles, or a number is not finite";

/* ---- STL ------------------------------------------------------------------------------- */

static uint32_t read_u32(const unsigned char *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const unsigned char *b) {
  const uint32_t bits = read_u32(b);
  float number;
  memcpy(&number, &bits, sizeof number);
  return (double)number;
}

static bool read_binary(reader *r, const unsigned char *bytes, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const unsigned char *facet = bytes + BINARY_HEAD + (size_t)i * BINARY_FACET;
    for (int k = 0; k < 3; k++) { /* skips the normal, which is computed from the corners */
      const unsigned char *at = facet + 12 * (k + 1);
      const double x[3] = {read_float(at), read_float(at + 4), read_float(at + 8)};
      if (!add_point(r, x) || !add_corner(r, r->npoints - 1)) return fail(r, too_many, 0);
    }
  }
  return true;
}

/* A word of a text; lines are counted. */
typedef struct words {
  const char *at;
  int         line;
} words;

static bool next_word(words *w, const char **word, size_t *length) {
  for (; *w->at != '\0' && strchr(" \t\r\n", *w->at) != NULL; w->at++) w->line += *w->at == '\n';
  *word = w->at;
  *length = strcspn(w->at, " \t\r\n");
  w->at += *length;
  return *length > 0;
}

static bool is_word(const char *word, size_t length, const char *other) {
  return strlen(other) == length && memcmp(word, other, length) == 0;
}

static bool read_numbers(words *w, double x[3]) {
  for (int k = 0; k < 3; k++) {
    const char *word;
    size_t length;
    char *end;
    if (!next_word(w, &word, &length)) return false;
    x[k] = strtod(word, &end);
    if (end != word + length) return false;
  }
  return true;
}

static bool read_text(reader *r, const char *text) {
  words w = {.at = text, .line = 1};
  const char *word;
  size_t length;
  int in_loop = -1; /* vertices of the open loop, -1: none is open */
  bool is_ended = false;
  while (next_word(&w, &word, &length)) {
    if (is_word(word, length, "endsolid")) is_ended = true;
    if (is_word(word, length, "solid")) is_ended = false;
    if (is_word(word, length, "solid") || is_word(word, length, "endsolid")) {
      w.at += strcspn(w.at, "\n"); /* its name */
    } else if (is_word(word, length, "loop")) {
      if (in_loop >= 0) return fail(r, "a loop begins inside of another", w.line);
      in_loop = 0;
    } else if (is_word(word, length, "endloop")) {
      if (in_loop != 3) return fail(r, "a facet does not have three vertices", w.line);
      in_loop = -1;
    } else if (is_word(word, length, "vertex")) {
      double x[3];
      if (in_loop < 0 || in_loop > 2) return fail(r, "a vertex that belongs to no facet", w.line);
      if (!read_numbers(&w, x)) return fail(r, "a vertex needs three numbers", w.line);
      if (!add_point(r, x) || !add_corner(r, r->npoints - 1)) return fail(r, too_many, w.line);
      in_loop++;
    }
  }
  if (in_loop >= 0 || !is_ended) return fail(r, "the file ends in the middle", 0);
  return true;
}

static bool read_stl(reader *r, const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  const uint32_t n = length >= BINARY_HEAD ? read_u32(bytes + 80) : 0;
  const uint64_t size = BINARY_HEAD + (uint64_t)n * BINARY_FACET;
  if (length >= BINARY_HEAD && size == length) return read_binary(r, bytes, n);
  const size_t blanks = strspn(text, " \t\r\n");
  if (strncmp(text + blanks, "solid", 5) == 0) return read_text(r, text);
  if (length >= BINARY_HEAD && size > length) {
    snprintf(r->fault, TRMI_MESH_FAULT, "the file ends in the middle: %u triangles of a binary STL "
             "file need %llu bytes, it has %zu", (unsigned)n, (unsigned long long)size, length);
    return false;
  }
  return fail(r, "it is neither a text nor a binary STL file", 0);
}

/* ---- OBJ ------------------------------------------------------------------------------- */

/* The corners of one `f`, a polygon, as a fan. */
static bool read_face(reader *r, words *w, size_t left) {
  const char *end = w->at + left;
  int first = -1, last = -1, n = 0;
  while (w->at < end) {
    const char *word;
    size_t length;
    char *stop;
    w->at += strspn(w->at, " \t\r");
    if (w->at >= end || !next_word(w, &word, &length)) break;
    const long number = strtol(word, &stop, 10);
    const long point = number < 0 ? r->npoints + number : number - 1;
    if (stop == word || (stop != word + length && *stop != '/')) {
      return fail(r, "a corner of a face is not a number", w->line);
    }
    if (point < 0 || point >= r->npoints) {
      return fail(r, "a face has a corner that is not there", w->line);
    }
    if (n >= 2 && (!add_corner(r, first) || !add_corner(r, last) || !add_corner(r, (int)point))) {
      return fail(r, too_many, w->line);
    }
    if (n == 0) first = (int)point;
    last = (int)point;
    n++;
  }
  return n >= 3 ? true : fail(r, "a face needs three corners", w->line);
}

static bool read_obj(reader *r, const char *text) {
  words w = {.at = text, .line = 1};
  const char *word;
  size_t length;
  while (next_word(&w, &word, &length)) {
    const size_t left = strcspn(w.at, "\n");
    const char *line_end = w.at + left;
    double x[3];
    if (is_word(word, length, "v")) {
      const int line = w.line;
      if (!read_numbers(&w, x) || w.at > line_end) {
        return fail(r, "a vertex needs three numbers", line);
      }
      if (!add_point(r, x)) return fail(r, too_many, line);
    } else if (is_word(word, length, "f")) {
      if (!read_face(r, &w, left)) return false;
    }
    w.at = line_end;
  }
  return true;
}

/* ---- merging ----------------------------------------------------------------------------- */

static bool merge(reader *r, trmi_mesh *mesh) {
  const trmi_vec3 *old = (const trmi_vec3 *)(const void *)r->points.data;
  const int *corners = (const int *)(const void *)r->corners.data;
  trmi_index index = {.size = 0};
  trmi_vec3 *points = TRMI_TAKE(r->arena, trmi_vec3, r->npoints);
  int *numbers = TRMI_TAKE(r->arena, int, r->npoints);
  int *out = TRMI_TAKE(r->arena, int, r->ncorners);
  if (r->arena->failed) return false;
  int n = 0;
  for (int i = 0; i < r->npoints && !r->arena->failed; i++) {
    points[n] = old[i];
    const char *bytes = (const char *)&points[n];
    numbers[i] = trmi_index_find(&index, bytes, sizeof *points);
    if (numbers[i] >= 0) continue;
    numbers[i] = n;
    trmi_index_add(&index, r->arena, bytes, sizeof *points, n++);
  }
  for (int i = 0; i < r->ncorners; i++) out[i] = numbers[corners[i]];
  *mesh = (trmi_mesh){.points = points, .npoints = n, .corners = out,
                      .ntriangles = r->ncorners / 3};
  return !r->arena->failed;
}

bool trmi_mesh_parse(const char *text, size_t length, bool is_obj, trmi_arena *arena,
                     trmi_mesh *mesh, char fault[TRMI_MESH_FAULT]) {
  reader r = {.arena = arena, .fault = fault};
  fault[0] = '\0';
  trmi_buffer_init(&r.points, &arena->allocator);
  trmi_buffer_init(&r.corners, &arena->allocator);
  bool is_good = is_obj ? read_obj(&r, text) : read_stl(&r, text, length);
  if (is_good && r.ncorners == 0) is_good = fail(&r, "it has no triangles", 0);
  if (r.points.failed || r.corners.failed) {
    arena->failed = true;
    is_good = false;
  }
  is_good = is_good && merge(&r, mesh);
  trmi_buffer_free(&r.points);
  trmi_buffer_free(&r.corners);
  return is_good;
}

/* ---- edges ---------------------------------------------------------------------------------- */

typedef struct edge {
  int low, high, direction; /* direction: +1 from low to high, -1 back */
} edge;

static int compare_edges(const void *x, const void *y) {
  const edge *a = x, *b = y;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

bool trmi_mesh_is_closed(const trmi_mesh *mesh, trmi_arena *arena, char fault[TRMI_MESH_FAULT]) {
  edge *edges = TRMI_TAKE(arena, edge, 3 * (size_t)mesh->ntriangles);
  int n = 0, open = 0, turned = 0;
  if (edges == NULL) return false;
  for (int i = 0; i < 3 * mesh->ntriangles; i++) {
    const int a = mesh->corners[i], b = mesh->corners[i % 3 == 2 ? i - 2 : i + 1];
    if (a != b) edges[n++] = a < b ? (edge){a, b, 1} : (edge){b, a, -1};
  }
  qsort(edges, (size_t)n, sizeof *edges, compare_edges);
  for (int i = 0, k; i < n; i = k) {
    int sum = 0;
    for (k = i; k < n && compare_edges(&edges[i], &edges[k]) == 0; k++) sum += edges[k].direction;
    if (sum != 0 && (k - i) % 2 != 0) open++;
    else if (sum != 0) turned++;
  }
  if (open > 0) {
    snprintf(fault, TRMI_MESH_FAULT, "the surface is not closed: it has %d open edges", open);
  } else if (turned > 0) {
    snprintf(fault, TRMI_MESH_FAULT, "triangles on both sides of %d edges are turned differently: "
             "inside and outside are not clear", turned);
  }
  return open == 0 && turned == 0;
}
