/* Bytes of a file of points; the first byte chooses the columns. What is accepted makes curves of
 * all kinds, unless its points are not in order; what is refused has a sentence. The reader gets
 * the file without a model around it, which would take a thousand times as long to compile. */
#include "expr/spline.h"
#include "fuzz.h"
#include "io/model_file.h"

enum { KINDS = 3 };

static trmi_yaml column(const char *name, bool is_quoted, const trmi_anchor *anchor) {
  return (trmi_yaml){.kind = TRMI_YAML_SCALAR, .place = anchor->place, .is_quoted = is_quoted,
                     .text = {.text = name, .length = strlen(name),
                              .anchors = anchor, .nanchors = 1}};
}

static void make_curves(trm_model *m, const double *x, const double *y, int n) {
  bool is_ordered = n >= 2;
  for (int i = 1; i < n; i++) is_ordered = is_ordered && x[i] > x[i - 1];
  for (int kind = 0; kind < KINDS && is_ordered; kind++) {
    trmi_spline curve;
    trm_error err = {.message = ""};
    const trm_status status =
        trmi_spline_make(&curve, &m->arena, (trmi_spline_kind)kind, x, y, n, &err);
    FUZZ_REQUIRE(status == TRM_OK || err.message[0] != '\0');
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const columns[][2] = {{"1", "2"}, {"t", "f"}, {"2", "1"},
                                           {"1", "1"}, {"1", "3"}, {"a b", "2"}};
  static const trmi_anchor anchor = {.place = {.line = 1, .column = 1}};
  static trm_model m;
  if (size == 0) return 0;
  char *text = malloc(size);
  FUZZ_REQUIRE(text != NULL);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  m.complaints.count = 0;
  trmi_arena_init(&m.arena, &(trm_allocator){0});
  m.sources.list[0] = (trmi_source){.name = "points.csv", .shown = "points.csv", .text = text,
                                    .length = size - 1};
  m.sources.count = 1;
  const char *const *names = columns[data[0] % (sizeof columns / sizeof *columns)];
  const trmi_yaml nodes[2] = {column(names[0], (data[0] & 64) != 0, &anchor),
                              column(names[1], false, &anchor)};
  double *values[2] = {NULL, NULL};
  int *lines[2] = {NULL, NULL}, counts[2];
  for (int i = 0; i < 2; i++) {
    counts[i] = trmi_csv_column(&m, 0, &nodes[i], &values[i], &lines[i]);
    FUZZ_REQUIRE(counts[i] >= 0 || m.complaints.count > 0);
    for (int k = 1; k < counts[i]; k++) FUZZ_REQUIRE(lines[i][k] > lines[i][k - 1]);
  }
  for (int i = 0; i < m.complaints.count && i < TRMI_COMPLAINTS_MAX; i++) {
    FUZZ_REQUIRE(m.complaints.list[i].sentence[0] != '\0' && m.complaints.list[i].place.line > 0);
  }
  if (counts[0] >= 0 && counts[0] == counts[1]) make_curves(&m, values[0], values[1], counts[0]);
  trmi_arena_clear(&m.arena);
  free(text);
  return 0;
}
