/* test_plot.c - pictures of made-up series: axes, curves, thinning, formats, text. */
#include "check.h"
#include "plot/axis.h"
#include "plot/thinning.h"
#include "plot/plot.h"
#include "plot/text.h"
#include "unit/kit.h"

/* ---- axes ------------------------------------------------------------------- */

static trmi_scale scale_of(const trm_plot_axis *axis, double low, double high, int wanted) {
  trmi_scale scale;
  trmi_scale_init(&scale, axis, &(trmi_axis_range){low, high});
  trmi_scale_ticks(&scale, axis, wanted);
  return scale;
}

static void check_ticks(const trmi_scale *scale, const char *expected) {
  char found[512] = "";
  for (int i = 0; i < scale->nticks; i++) {
    if (scale->ticks[i].text[0] == '\0') continue;
    const size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? " " : "",
             scale->ticks[i].text);
  }
  assert_string_equal(found, expected);
}

static void ticks_are_round_numbers(void **state) {
  (void)state;
  const trm_plot_axis tight = {.name = "x", .unit = "m", .is_tight = true};
  trmi_scale s = scale_of(&tight, 0, 10, 5);
  check_ticks(&s, "0 2 4 6 8 10");
  s = scale_of(&tight, -0.31, 0.27, 5);
  check_ticks(&s, "-0.2 0.0 0.2");
  assert_string_equal(s.label, "x [m]");
  s = scale_of(&tight, 1000.5, 1003.5, 4);
  check_ticks(&s, "1001 1002 1003");
  s = scale_of(&tight, 0, 0.0024, 5);
  check_ticks(&s, "0.0 0.5 1.0 1.5 2.0");
  assert_string_equal(s.label, "x [mm]");
  CHECK_NEAR(s.ticks[1].value, 0.0005, 0, "value of a tick");
  s = scale_of(&tight, 0, 3e7, 4);
  check_ticks(&s, "0 10 20 30");
  assert_string_equal(s.label, "x [10⁶ m]");
}

static void large_and_small_numbers_move_into_the_unit(void **state) {
  (void)state;
  const struct {
    const char *unit;
    double      size;
    const char *label;
  } cases[] = {{"N", 2e5, "f [kN]"},          {"N m", 2e-4, "f [µN m]"},
               {"m/s^2", 5e-3, "f [mm/s^2]"}, {"m^2", 5e-3, "f [10⁻³ m^2]"},
               {"kg", 5e-3, "f [10⁻³ kg]"},   {"", 5e-3, "f [10⁻³]"},
               {"s", 3e6, "f [10⁶ s]"},       {"rad", 0.5, "f [rad]"},
               {"J", 1e-30, "f [10⁻³⁰ J]"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trm_plot_axis axis = {.name = "f", .unit = cases[i].unit};
    const trmi_scale s = scale_of(&axis, -cases[i].size, cases[i].size, 5);
    assert_string_equal(s.label, cases[i].label);
  }
}

static void ranges_without_width_are_widened(void **state) {
  (void)state;
  const trm_plot_axis axis = {.name = "f"};
  const double cases[][2] = {{0, 0}, {5, 5}, {5, 5 + 1e-15}, {-3e-310, 3e-310}, {1e308, 1e308},
                             {-1e308, 1e308}, {-5e-324, 5e-324}, {1e300, 1.0000000001e300}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const trmi_scale s = scale_of(&axis, cases[i][0], cases[i][1], 5);
    assert_true(s.high > s.low && isfinite(s.high - s.low));
    CHECK_BETWEEN(s.nticks, 2, 20, "ticks of case %zu", i);
  }
}

static void logarithmic_axes_show_powers_of_ten(void **state) {
  (void)state;
  const trm_plot_axis axis = {.name = "e", .is_log = true, .is_tight = true};
  trmi_scale s = scale_of(&axis, 2e-5, 3e2, 8);
  check_ticks(&s, "10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰ 10¹ 10²");
  s = scale_of(&axis, 1e-200, 1e200, 5);
  CHECK_BETWEEN(s.nticks, 3, 7, "ticks of 400 decades");
  s = scale_of(&axis, 0.1, 3, 5);
  check_ticks(&s, "0.1 0.2 0.5 1 2");
  s = scale_of(&axis, 2.1, 2.9, 5);
  check_ticks(&s, "2.2 2.4 2.6 2.8");
  s = scale_of(&axis, 7, 7, 5);
  assert_true(s.high > s.low);
  s.first = 0, s.last = 100;
  CHECK_NEAR(trmi_scale_map(&s, 7), 50, 1e-9, "the middle"); /* rounding of a logarithm */
}

static void any_bytes_become_clean_text(void **state) {
  (void)state;
  const struct {
    const char *in, *out;
  } cases[] = {{"plain", "plain"},         {"\xc3\xa9 \xe2\x81\xbb", "\xc3\xa9 \xe2\x81\xbb"},
               {"a\x01\x1b[31m", "a??[31m"}, {"\xff\xc3", "??"},
               {"\xed\xa0\x80", "???"},    {"\xc0\x80x", "??x"},
               {"\xf0\x9f", "??"},         {"\xc2\x9b", "??"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char out[32];
    trmi_text_clean(out, sizeof out, cases[i].in);
    assert_string_equal(out, cases[i].out);
  }
  char small[4];
  trmi_text_clean(small, sizeof small, "ab\xe2\x81\xbb"); /* cut between letters */
  assert_string_equal(small, "ab");
}

/* ---- curves ------------------------------------------------------------------- */

typedef struct tally {
  long   strokes, points;
  double low[101], high[101]; /* of y in each of 100 columns */
} tally;

static void count_stroke(void *self, const double *xy, int n) {
  tally *c = self;
  c->strokes++;
  c->points += n;
  for (int i = 0; i < n; i++) {
    const int column = (int)floor(xy[2 * i]);
    if (column < 0 || column > 100) continue;
    c->low[column] = fmin(c->low[column], xy[2 * i + 1]);
    c->high[column] = fmax(c->high[column], xy[2 * i + 1]);
  }
}

static tally draw(const trm_plot_series *series, double x_high) {
  trm_error err;
  static const trm_plot_axis axis = {.is_tight = true};
  trmi_scale x = scale_of(&axis, 0, x_high, 5), y = scale_of(&axis, -1, 1, 5);
  x.first = y.first = 0, x.last = y.last = 100;
  const trmi_view view = {.axis_x = &axis, .axis_y = &axis, .x = &x, .y = &y, .grain = 1};
  tally c = {.strokes = 0};
  for (int i = 0; i <= 100; i++) c.low[i] = INFINITY, c.high[i] = -INFINITY;
  const trmi_pen_hand hand = {.self = &c, .stroke = count_stroke};
  CHECK_OK(trmi_thin_line(series, &view, &hand, &(trm_allocator){0}, &err), err);
  return c;
}

enum { MANY = 500000 };

static void thinning_keeps_the_extremes_of_every_column(void **state) {
  (void)state;
  double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
  double low[100], high[100];
  uint64_t seed = 3;
  for (int i = 0; i < 100; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (int i = 0; i < MANY; i++) {
    x[i] = (double)i / MANY;
    y[i] = kit_random(&seed) * (i % 977 == 0 ? 1 : 0.3); /* rare spikes */
    const int column = (int)floor(100 * x[i]);
    low[column] = fmin(low[column], 50 * (y[i] + 1));
    high[column] = fmax(high[column], 50 * (y[i] + 1));
  }
  const tally c = draw(&(trm_plot_series){.x = x, .y = y, .n = MANY}, 1);
  assert_int_equal(c.strokes, 1);
  CHECK_BETWEEN((double)c.points, 200, 404, "points of 101 columns");
  for (int i = 0; i < 100; i++) {
    CHECK_NEAR(c.low[i], low[i], 1e-12, "lowest of column %d", i); /* rounding of the map */
    CHECK_NEAR(c.high[i], high[i], 1e-12, "highest of column %d", i);
  }
  free(x);
  free(y);
}

static void thinning_of_an_orbit_is_bounded_by_the_picture(void **state) {
  (void)state;
  double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
  for (int i = 0; i < MANY; i++) {
    x[i] = 0.5 + 0.4 * cos(1e-3 * i);
    y[i] = 0.8 * sin(1e-3 * i);
  }
  /* 80 turns on the same circle, about 130 cells of two units along it */
  const tally c = draw(&(trm_plot_series){.x = x, .y = y, .n = MANY}, 1);
  CHECK_BETWEEN((double)c.points, 60, 1000, "points of a circle");
  /* the circle reaches 10 and 90 in both directions; points are two cells apart */
  double low = INFINITY, high = -INFINITY;
  for (int i = 45; i <= 55; i++) low = fmin(low, c.low[i]), high = fmax(high, c.high[i]);
  CHECK_NEAR(low, 10, 1, "lower end");
  CHECK_NEAR(high, 90, 1, "upper end");
  free(x);
  free(y);
}

static void numbers_that_cannot_be_drawn_leave_gaps(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0.5, NAN, 1, INFINITY, -1, 0};
  const tally c = draw(&(trm_plot_series){.x = x, .y = y, .n = 7}, 6);
  assert_int_equal(c.strokes, 3); /* two points, one alone, two points */
  assert_int_equal(c.points, 6);
}

static void points_beyond_the_picture_are_left_out(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  static double x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; i++) x[i] = i, y[i] = sin(i);
  const tally c = draw(&(trm_plot_series){.x = x, .y = y, .n = COUNT}, 10);
  assert_int_equal(c.strokes, 1);
  assert_int_equal(c.points, 11 + 2); /* 0 to 10, the next, the last */
  for (int i = 0; i < COUNT; i++) y[i] = i % 2 == 0 ? 5 : -5; /* across it again and again */
  assert_int_equal(draw(&(trm_plot_series){.x = x, .y = y, .n = COUNT}, COUNT).points, COUNT);
}

/* ---- figures ------------------------------------------------------------------ */

enum { N = 200 };
static double t[N], a[N], b[N];

static void fill(void) {
  for (int i = 0; i < N; i++) {
    t[i] = 0.01 * i;
    a[i] = sin(10 * t[i]);
    b[i] = 2e3 * cos(7 * t[i]);
  }
}

/* Two curves in one panel, one in the other. */
static trm_plot_figure sample_figure(void) {
  static const trm_plot_series up[] = {{.name = "first <&>", .x = t, .y = a, .n = N},
                                   {.name = "second", .x = t, .y = t, .n = N}};
  static const trm_plot_series down[] = {{.name = "load", .x = t, .y = b, .n = N}};
  static const trm_plot_remark remark[] = {{.x = 0.5, .y = 100, .text = "a remark"}};
  static const trm_plot_panel panels[] = {
    {.y = {.unit = "m"}, .series = up, .nseries = 2},
    {.y = {.name = "load", .unit = "N"}, .series = down, .nseries = 1, .remarks = remark,
     .nremarks = 1}};
  fill();
  return (trm_plot_figure){.title = "A title", .x = {.name = "time", .unit = "s", .is_tight = true},
                       .panels = panels, .npanels = 2};
}

static int occurrences(const char *text, const char *word) {
  int count = 0;
  for (const char *c = text; (c = strstr(c, word)) != NULL; c += strlen(word)) count++;
  return count;
}

static void svg_has_every_curve_and_label(void **state) {
  (void)state;
  trm_error err;
  const trm_plot_figure figure = sample_figure();
  trmi_buffer out;
  trmi_buffer_init(&out, NULL);
  CHECK_OK(trmi_plot_draw(&figure, TRM_PLOT_SVG, &out, &err), err);
  assert_int_equal(occurrences(out.data, "<polyline"), 3);
  assert_int_equal(occurrences(out.data, "<g class=\"series\""), 3);
  assert_int_equal(occurrences(out.data, "<g class=\"legend\""), 1);
  const char *const texts[] = {">A title<", ">first &lt;&amp;&gt;<", ">second<", ">[m]<",
                               ">load [N]<", ">time [s]<", ">a remark<", ">1.0<", ">2000<"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (occurrences(out.data, texts[i]) == 0) fail_msg("no text %s", texts[i]);
  }
  trmi_buffer_free(&out);
}

static void the_same_figure_gives_the_same_bytes(void **state) {
  (void)state;
  trm_error err;
  const trm_plot_figure figure = sample_figure();
  for (int format = TRM_PLOT_SVG; format <= TRM_PLOT_PDF; format++) {
    trmi_buffer one, two;
    trmi_buffer_init(&one, NULL);
    trmi_buffer_init(&two, NULL);
    CHECK_OK(trmi_plot_draw(&figure, (trm_plot_format)format, &one, &err), err);
    CHECK_OK(trmi_plot_draw(&figure, (trm_plot_format)format, &two, &err), err);
    assert_int_equal(one.used, two.used);
    assert_memory_equal(one.data, two.data, one.used);
    trmi_buffer_free(&one);
    trmi_buffer_free(&two);
  }
}

static void png_and_pdf_are_what_they_say(void **state) {
  (void)state;
  trm_error err;
  const trm_plot_figure figure = sample_figure();
  trmi_buffer out;
  trmi_buffer_init(&out, NULL);
  CHECK_OK(trmi_plot_draw(&figure, TRM_PLOT_PNG, &out, &err), err);
  assert_memory_equal(out.data, "\x89PNG\r\n\x1a\n", 8);
  assert_memory_equal(out.data + out.used - 8, "IEND\xae\x42\x60\x82", 8);
  trmi_buffer_free(&out);
  trmi_buffer_init(&out, NULL);
  CHECK_OK(trmi_plot_draw(&figure, TRM_PLOT_PDF, &out, &err), err);
  assert_memory_equal(out.data, "%PDF-1.", 7);
  assert_memory_equal(out.data + out.used - 6, "%%EOF\n", 6);
  for (size_t i = 0; i + 12 < out.used; i++) {
    if (memcmp(out.data + i, "CreationDate", 12) == 0) fail_msg("the PDF holds a date");
  }
  trmi_buffer_free(&out);
}

static void text_is_as_wide_as_the_terminal(void **state) {
  (void)state;
  trm_error err;
  const trm_plot_figure figure = sample_figure();
  for (int width = 40; width <= 200; width += 40) {
    trmi_buffer out;
    trmi_buffer_init(&out, NULL);
    CHECK_OK(trmi_plot_text(&figure, &(trm_plot_terminal){.width = width, .rows = 10}, &out, &err),
             err);
    int longest = 0, lines = 0;
    for (char *line = strtok(out.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
      longest = trmi_text_count(line) > longest ? trmi_text_count(line) : longest;
      lines++;
    }
    CHECK_BETWEEN(longest, width - 3, width, "longest line");
    /* title, labels, legend, rows, axes, numbers, label, remark */
    assert_int_equal(lines, 1 + 2 + 1 + 20 + 2 + 1 + 1 + 1);
    trmi_buffer_free(&out);
  }
}

static void a_straight_line_is_straight_in_text(void **state) {
  (void)state;
  trm_error err;
  const double x[] = {0, 1};
  const trm_plot_series series = {.name = "s", .x = x, .y = x, .n = 2};
  const trm_plot_panel panel = {.y = {.is_tight = true}, .series = &series, .nseries = 1};
  const trm_plot_figure figure = {.x = {.is_tight = true}, .panels = &panel, .npanels = 1};
  trmi_buffer out;
  trmi_buffer_init(&out, NULL);
  CHECK_OK(trmi_plot_text(&figure, &(trm_plot_terminal){.width = 47, .rows = 10}, &out, &err), err);
  /* 40 columns, 10 rows: each row holds 4 letters, further right the higher it is */
  int row = 0;
  for (char *line = strtok(out.data, "\n"); line != NULL && row < 10; row++) {
    int first = -1, last = -1, place = 0;
    for (const char *c = line; *c != '\0'; c += trmi_text_letter(c), place++) {
      if ((unsigned char)c[0] != 0xE2 || ((unsigned char)c[1] & 0xFC) != 0xA0) continue;
      if (first < 0) first = place;
      last = place;
    }
    const int begin = place > 0 ? first - 4 * (9 - row) : 0;
    CHECK_BETWEEN(begin, 3, 7, "first letter of row %d", row);
    CHECK_BETWEEN(last - first, 3, 4, "letters of row %d", row);
    line = strtok(NULL, "\n");
  }
  assert_int_equal(row, 10);
  trmi_buffer_free(&out);
}

static void colors_only_where_there_are_some(void **state) {
  (void)state;
  trm_error err;
  const trm_plot_figure figure = sample_figure();
  for (int has_colors = 0; has_colors < 2; has_colors++) {
    trmi_buffer out;
    trmi_buffer_init(&out, NULL);
    const trm_plot_terminal terminal = {.width = 80, .rows = 10, .has_colors = has_colors == 1};
    CHECK_OK(trmi_plot_text(&figure, &terminal, &out, &err), err);
    assert_int_equal(occurrences(out.data, "\033[") > 0, has_colors);
    trmi_buffer_free(&out);
  }
}

/* ---- failures ------------------------------------------------------------------ */

static void what_cannot_be_drawn_gets_a_sentence(void **state) {
  (void)state;
  trm_error err;
  trmi_buffer out;
  trmi_buffer_init(&out, NULL);
  const double x[] = {0, 1}, y[] = {NAN, NAN}, z[] = {-1, 0};
  trm_plot_series series = {.name = "q7", .x = x, .y = y, .n = 2};
  trm_plot_panel panel = {.series = &series, .nseries = 1};
  trm_plot_figure figure = {.panels = &panel, .npanels = 1};
  CHECK_STATUS(trmi_plot_draw(&figure, TRM_PLOT_SVG, &out, &err), TRM_ERR_INPUT);
  assert_string_equal(err.message, "'q7' has no number that can be drawn");
  series.y = z, panel.y.is_log = true;
  CHECK_STATUS(trmi_plot_text(&figure, &(trm_plot_terminal){.width = 80, .rows = 9}, &out, &err),
               TRM_ERR_INPUT);
  assert_non_null(strstr(err.message, "positive"));
  figure.npanels = 0;
  CHECK_STATUS(trmi_plot_draw(&figure, TRM_PLOT_PNG, &out, &err), TRM_ERR_INPUT);
  trm_plot_format format;
  CHECK_STATUS(trm_plot_format_of("a.gif", &format, &err), TRM_ERR_INPUT);
  CHECK_STATUS(trm_plot_format_of("svg", &format, &err), TRM_ERR_INPUT);
  CHECK_OK(trm_plot_format_of("a.b/c.pdf", &format, &err), err);
  assert_int_equal(format, TRM_PLOT_PDF);
  assert_int_equal(out.used, 0);
  trmi_buffer_free(&out);
}

/* An allocator that fails at the n-th call. */
static void *alloc_until(void *self, size_t bytes) {
  int *left = self;
  return (*left)-- > 0 ? malloc(bytes) : NULL;
}

static void release(void *self, void *block) {
  (void)self;
  free(block);
}

static void memory_may_run_out_at_any_time(void **state) {
  (void)state;
  const trm_plot_figure figure = sample_figure();
  for (int format = TRM_PLOT_SVG; format <= TRM_PLOT_PDF + 1; format++) {
    trm_status status = TRM_ERR_MEMORY;
    int calls = 0;
    for (; status != TRM_OK && calls < 200; calls++) {
      trm_error err = {.status = TRM_OK};
      int left = calls;
      trmi_buffer out;
      trmi_buffer_init(&out, &(trm_allocator){&left, alloc_until, release});
      status = format <= TRM_PLOT_PDF
                   ? trmi_plot_draw(&figure, (trm_plot_format)format, &out, &err)
                   : trmi_plot_text(&figure, &(trm_plot_terminal){.width = 80, .rows = 9}, &out,
                                    &err);
      if (status != TRM_OK) assert_int_equal(status, TRM_ERR_MEMORY);
      if (status != TRM_OK) assert_true(err.message[0] != '\0');
      trmi_buffer_free(&out);
    }
    CHECK_BETWEEN(calls, 5, 199, "allocations of format %d", format);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ticks_are_round_numbers),
    cmocka_unit_test(large_and_small_numbers_move_into_the_unit),
    cmocka_unit_test(ranges_without_width_are_widened),
    cmocka_unit_test(logarithmic_axes_show_powers_of_ten),
    cmocka_unit_test(any_bytes_become_clean_text),
    cmocka_unit_test(thinning_keeps_the_extremes_of_every_column),
    cmocka_unit_test(thinning_of_an_orbit_is_bounded_by_the_picture),
    cmocka_unit_test(numbers_that_cannot_be_drawn_leave_gaps),
    cmocka_unit_test(points_beyond_the_picture_are_left_out),
    cmocka_unit_test(svg_has_every_curve_and_label),
    cmocka_unit_test(the_same_figure_gives_the_same_bytes),
    cmocka_unit_test(png_and_pdf_are_what_they_say),
    cmocka_unit_test(text_is_as_wide_as_the_terminal),
    cmocka_unit_test(a_straight_line_is_straight_in_text),
    cmocka_unit_test(colors_only_where_there_are_some),
    cmocka_unit_test(what_cannot_be_drawn_gets_a_sentence),
    cmocka_unit_test(memory_may_run_out_at_any_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
