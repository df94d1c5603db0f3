/* character_plot.c - a figure as text.
 *
 * A letter of Braille has 2 x 4 dots: curves are drawn on that grid, numbers and
 * names are next to it. Series differ by a letter at the right end of the
 * curve, and by colours if the terminal has them:
 *
 *     a angle   b rate
 *     1.0 |             a
 *     0.5 |
 *     0.0 |             b
 *         +--+----+----+
 *            0    1    2   time [s]                                            */
#include "core/arena.h"
#include "plot/thinning.h"
#include "plot/figure.h"
#include "plot/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH_MIN = 40, WIDTH_MAX = 400, ROWS_MIN = 4, ROWS_MAX = 100 };
enum { LEFT_MAX = 24, RIGHT = 3 }; /* room for numbers, for the letters of series */

/* Nearest colours of a terminal with 256 of them. */
static const unsigned char terminal_colors[TRMI_COLORS] = {33, 166, 35, 98, 178, 37, 162, 245};

typedef struct screen {
  const trm_plot_figure   *figure;
  const trm_plot_terminal *terminal;
  trmi_buffer   *out;
  int            left, columns, rows;         /* letters                                  */
  unsigned char *dots;                        /* Braille pattern of each letter [columns*rows] */
  unsigned char *owner;                       /* 1 + series that drew there last, 0 none  */
  int            series;                      /* being drawn                              */
  int            end_row[TRM_PLOT_SERIES_MAX];    /* row of its letter                        */
  double         end_x;                       /* of the dot furthest to the right         */
  trmi_scale     x, y;
} screen;

/* ---- dots ---------------------------------------------------------------- */

static void note_ends(screen *s, const double *xy, int n) {
  for (int i = 0; i < n; i++) {
    if (xy[2 * i] < s->end_x) continue;
    s->end_x = xy[2 * i];
    s->end_row[s->series] = (int)floor((xy[2 * i + 1] + 0.5) / 4);
  }
}

static void set_dot(screen *s, int x, int y) {
  static const unsigned char bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
  if (x < 0 || x >= 2 * s->columns || y < 0 || y >= 4 * s->rows) return;
  const int cell = y / 4 * s->columns + x / 2;
  s->dots[cell] |= bits[y % 4][x % 2];
  s->owner[cell] = (unsigned char)(1 + (s->series < 254 ? s->series : 254));
}

static void stroke_line(void *self, const double *xy, int n) {
  screen *s = self;
  note_ends(s, xy, n);
  for (int i = 0; i + 1 < n; i++) {
    const double *a = xy + 2 * i, *b = a + 2;
    const double length = fmax(fabs(b[0] - a[0]), fabs(b[1] - a[1]));
    const int steps = length < 10000 ? (int)ceil(length) + 1 : 10000;
    for (int k = 0; k <= steps; k++) {
      const double part = (double)k / steps;
      set_dot(s, (int)floor(a[0] + part * (b[0] - a[0]) + 0.5),
              (int)floor(a[1] + part * (b[1] - a[1]) + 0.5));
    }
  }
}

static void stroke_dots(void *self, const double *xy, int n) {
  note_ends(self, xy, n);
  for (int i = 0; i < n; i++) {
    set_dot(self, (int)floor(xy[2 * i] + 0.5), (int)floor(xy[2 * i + 1] + 0.5));
  }
}

static trm_status draw_series(screen *s, const trm_plot_panel *panel, int j, trm_error *err) {
  const trm_plot_series *series = &panel->series[j];
  const trmi_view view = {.axis_x = &s->figure->x, .axis_y = &panel->y, .x = &s->x, .y = &s->y,
                          .grain = 1};
  const bool is_line = series->look != TRM_PLOT_DOTS;
  const trmi_pen_hand hand = {.self = s, .stroke = is_line ? stroke_line : stroke_dots};
  s->series = j;
  s->end_x = -INFINITY;
  s->end_row[j] = -1;
  return (is_line ? trmi_thin_line : trmi_thin_dots)(series, &view, &hand, &s->out->allocator,
                                                       err);
}

/* ---- text ---------------------------------------------------------------- */

static void put_blanks(screen *s, int count) {
  for (int i = 0; i < count; i++) trmi_buffer_text(s->out, " ");
}

static void begin_color(screen *s, const trm_plot_panel *panel, int j) {
  if (!s->terminal->has_colors) return;
  const int color = panel->series[j].has_style ? panel->series[j].color : j;
  trmi_buffer_print(s->out, "\033[38;5;%dm", terminal_colors[color % TRMI_COLORS]);
}

static void end_color(screen *s) {
  if (s->terminal->has_colors) trmi_buffer_text(s->out, "\033[0m");
}

static char series_letter(int j) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return letters[j % (int)(sizeof letters - 1)];
}

static void put_legend(screen *s, const trm_plot_panel *panel) {
  if (panel->nseries < 2) return;
  int used = 0;
  for (int j = 0; j < panel->nseries; j++) {
    char name[TRMI_TEXT_MAX];
    trmi_text_clean(name, sizeof name, panel->series[j].name);
    const int width = trmi_text_count(name) + 5;
    if (used > 0 && s->left + used + width > s->terminal->width) {
      trmi_buffer_text(s->out, "\n");
      used = 0;
    }
    if (used == 0) put_blanks(s, s->left + 1);
    begin_color(s, panel, j);
    trmi_buffer_print(s->out, "%c %s", series_letter(j), name);
    end_color(s);
    if (j + 1 < panel->nseries) put_blanks(s, 3);
    used += width;
  }
  trmi_buffer_text(s->out, "\n");
}

/* The number written at a row of letters, or "". */
static const char *row_number(const screen *s, int row) {
  for (int i = 0; i < s->y.nticks; i++) {
    const double y = trmi_scale_map(&s->y, s->y.ticks[i].value) + 0.5;
    if (s->y.ticks[i].text[0] != '\0' && (int)floor(y / 4) == row) return s->y.ticks[i].text;
  }
  return "";
}

/* Letters of the series whose right end is at this row. */
static void put_ends(screen *s, const trm_plot_panel *panel, int row) {
  if (panel->nseries < 2) return;
  int used = 0;
  for (int j = 0; j < panel->nseries && used < RIGHT - 1; j++) {
    if (s->end_row[j] != row) continue;
    begin_color(s, panel, j);
    trmi_buffer_print(s->out, "%c", series_letter(j));
    end_color(s);
    used++;
  }
}

static void put_row(screen *s, const trm_plot_panel *panel, int row) {
  const char *number = row_number(s, row);
  put_blanks(s, s->left - 1 - trmi_text_count(number));
  trmi_buffer_print(s->out, "%s %s", number, number[0] != '\0' ? "┤" : "│");
  int color = 0;
  for (int i = 0; i < s->columns; i++) {
    const int cell = row * s->columns + i;
    const int owner = s->owner[cell];
    if (owner != 0 && owner != color) {
      begin_color(s, panel, owner - 1);
      color = owner;
    }
    const unsigned code = 0x2800U + s->dots[cell];
    const char braille[] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                            (char)(0x80 | (code & 63)), '\0'};
    trmi_buffer_text(s->out, s->dots[cell] != 0 ? braille : " ");
  }
  if (color != 0) end_color(s);
  put_ends(s, panel, row);
  trmi_buffer_text(s->out, "\n");
}

/* The x axis: a line with ticks, numbers below it, and the label. */
static void put_x_axis(screen *s, bool has_numbers) {
  char numbers[WIDTH_MAX + 1], marks[WIDTH_MAX + 1];
  memset(numbers, ' ', sizeof numbers);
  memset(marks, '-', sizeof marks);
  int end = 0, length = 0;
  for (int i = 0; i < s->x.nticks; i++) {
    const char *text = s->x.ticks[i].text;
    if (text[0] == '\0') continue;
    const int at = (int)floor(trmi_scale_map(&s->x, s->x.ticks[i].value) / 2 + 0.5);
    if (at >= 0 && at < s->columns) marks[at] = '+';
    /* numbers of a logarithmic axis hold raised digits: they are put as 1eN */
    char plain[32];
    snprintf(plain, sizeof plain, "%s", text);
    if (trmi_text_count(text) != (int)strlen(text)) {
      snprintf(plain, sizeof plain, "1e%.0f", log10(s->x.ticks[i].value));
    }
    const int width = (int)strlen(plain);
    int from = s->left + 1 + at - width / 2;
    if (from + width > s->terminal->width) from = s->terminal->width - width;
    if (from < end + (end > 0 ? 2 : 0)) continue;
    memcpy(numbers + from, plain, (size_t)width);
    end = length = from + width;
  }
  put_blanks(s, s->left);
  trmi_buffer_text(s->out, "└");
  for (int i = 0; i < s->columns; i++) trmi_buffer_text(s->out, marks[i] == '+' ? "┬" : "─");
  trmi_buffer_text(s->out, "\n");
  if (!has_numbers) return;
  trmi_buffer_add(s->out, numbers, (size_t)length);
  trmi_buffer_text(s->out, "\n");
  put_blanks(s, s->left + 1 + (s->columns - trmi_text_count(s->x.label)) / 2);
  trmi_buffer_print(s->out, "%s\n", s->x.label);
}

/* ---- panels -------------------------------------------------------------- */

static trm_status put_panel(screen *s, int k, const trmi_axis_range *range, trm_error *err) {
  const trm_plot_panel *panel = &s->figure->panels[k];
  const size_t cells = (size_t)s->columns * (size_t)s->rows;
  memset(s->dots, 0, cells);
  memset(s->owner, 0, cells);
  trmi_scale_init(&s->y, &panel->y, range);
  trmi_scale_ticks(&s->y, &panel->y, s->rows / 3);
  s->y.first = 4.0 * s->rows - 1;
  s->y.last = 0;
  for (int j = 0; j < panel->nseries; j++) TRMI_TRY(err, draw_series(s, panel, j, err));
  if (s->y.label[0] != '\0') {
    put_blanks(s, s->left + 1);
    trmi_buffer_print(s->out, "%s\n", s->y.label);
  }
  put_legend(s, panel);
  for (int row = 0; row < s->rows; row++) put_row(s, panel, row);
  put_x_axis(s, k + 1 == s->figure->npanels);
  for (int i = 0; i < panel->nremarks; i++) {
    char words[TRMI_TEXT_MAX];
    trmi_text_clean(words, sizeof words, panel->remarks[i].text);
    put_blanks(s, s->left + 1);
    trmi_buffer_print(s->out, "* %s\n", words);
  }
  return TRM_OK;
}

/* The left margin has room for the longest number of all panels. */
static int number_room(const screen *s, const trmi_extent *extent) {
  int room = 1;
  for (int k = 0; k < s->figure->npanels; k++) {
    trmi_scale y;
    trmi_scale_init(&y, &s->figure->panels[k].y, &extent->y[k]);
    trmi_scale_ticks(&y, &s->figure->panels[k].y, s->rows / 3);
    for (int i = 0; i < y.nticks; i++) {
      const int count = trmi_text_count(y.ticks[i].text);
      if (count > room) room = count;
    }
  }
  return room < LEFT_MAX ? room + 1 : LEFT_MAX + 1;
}

static int limited(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

static trm_status put_figure(screen *s, trmi_arena *arena, const trmi_extent *extent,
                             trm_error *err) {
  const size_t cells = (size_t)s->columns * (size_t)s->rows;
  s->dots = TRMI_TAKE(arena, unsigned char, cells);
  s->owner = TRMI_TAKE(arena, unsigned char, cells);
  TRMI_TRY(err, trmi_arena_check(arena, err));
  trmi_scale_init(&s->x, &s->figure->x, &extent->x);
  trmi_scale_ticks(&s->x, &s->figure->x, limited(s->columns / 11, 2, 12));
  s->x.last = 2.0 * s->columns - 1;
  char title[TRMI_TEXT_MAX];
  trmi_text_clean(title, sizeof title, s->figure->title);
  if (title[0] != '\0') {
    put_blanks(s, s->left + 1);
    trmi_buffer_print(s->out, "%s\n", title);
  }
  for (int k = 0; k < s->figure->npanels; k++) {
    TRMI_TRY(err, put_panel(s, k, &extent->y[k], err));
  }
  return trmi_buffer_check(s->out, err);
}

trm_status trmi_plot_text(const trm_plot_figure *figure, const trm_plot_terminal *terminal,
                          trmi_buffer *out, trm_error *err) {
  trmi_extent extent;
  TRMI_TRY(err, trmi_figure_measure(figure, &extent, err));
  trm_plot_terminal limits = *terminal;
  limits.width = limited(terminal->width, WIDTH_MIN, WIDTH_MAX);
  screen s = {.figure = figure, .terminal = &limits, .out = out,
              .rows = limited(terminal->rows, ROWS_MIN, ROWS_MAX)};
  s.left = number_room(&s, &extent);
  s.columns = limits.width - s.left - 1 - RIGHT;
  trmi_arena arena;
  trmi_arena_init(&arena, &out->allocator);
  const trm_status status = put_figure(&s, &arena, &extent, err);
  trmi_arena_clear(&arena);
  return status;
}

trm_status trm_plot_text(const trm_plot_figure *figure, const trm_plot_terminal *terminal,
                         trm_writer *write, void *self, trm_error *err) {
  TRMI_NEED(err, figure, terminal);
  if (write == NULL) return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%s: 'write' is NULL", __func__);
  trmi_buffer buffer;
  trmi_buffer_init(&buffer, NULL);
  const trm_status status = trmi_plot_text(figure, terminal, &buffer, err);
  if (status == TRM_OK) write(self, buffer.data, buffer.used);
  trmi_buffer_free(&buffer);
  return status;
}
