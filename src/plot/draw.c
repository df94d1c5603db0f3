/* draw.c - a figure on a canvas.
 *
 *        title
 *          - a  - b                  legend, only above panels with several series
 *          +--------------------+
 *    label |                    |    one panel; the next below shares the x axis
 *          +--------------------+
 *            0    1    2    3
 *                label                                                        */
#include "plot/canvas.h"
#include "plot/thinning.h"
#include "plot/figure.h"
#include "plot/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double WIDTH = 860, RIGHT = 22, TITLE = 30, GAP = 14, LEGEND_ROW = 18, BOTTOM = 50;
static const double TICK_SIZE = 11, LABEL_SIZE = 12, TITLE_SIZE = 15;
static const double GRAIN = 0.5; /* thinning keeps details larger than half a pixel */
static const unsigned INK = 0x333333, FRAME = 0x999999, GRID = 0xe4e4e4, FINE_GRID = 0xf2f2f2,
                      ZERO = 0xc4c4c4, PAPER = 0xffffff;

/* Where everything is. */
typedef struct layout {
  const trm_plot_figure *figure;
  const trmi_canvas *canvas;
  double     left, right;
  double     height;
  trmi_scale x, y[TRM_PLOT_PANELS_MAX];
  trmi_box   area[TRM_PLOT_PANELS_MAX]; /* inside of the axes */
} layout;

/* ---- placing ------------------------------------------------------------- */

static bool has_text(const char *text) {
  return text != NULL && text[0] != '\0';
}

static double panel_height(int npanels) {
  static const double heights[] = {380, 240, 190, 165};
  return heights[npanels <= 4 ? npanels - 1 : 3];
}

static const double LEGEND_LINE = 26, LEGEND_SPACE = 20;

/* Places of legend entries: x of each, and the number of rows. */
static int legend_rows(const layout *l, const trm_plot_panel *panel, double *x, int *row) {
  if (panel->nseries < 2) return 0;
  double at = l->left;
  int rows = 1;
  for (int j = 0; j < panel->nseries; j++) {
    char name[TRMI_TEXT_MAX];
    trmi_text_clean(name, sizeof name, panel->series[j].name);
    const double width = LEGEND_LINE + trmi_text_width(name, TICK_SIZE);
    if (at > l->left && at + width > l->right) {
      at = l->left;
      rows++;
    }
    if (x != NULL) x[j] = at, row[j] = rows - 1;
    at += width + LEGEND_SPACE;
  }
  return rows;
}

/* The left margin has room for the longest number of all panels. */
static double number_room(layout *l) {
  double room = 0;
  for (int k = 0; k < l->figure->npanels; k++) {
    const trmi_scale *y = &l->y[k];
    for (int i = 0; i < y->nticks; i++) {
      room = fmax(room, trmi_text_width(y->ticks[i].text, TICK_SIZE));
    }
  }
  return room;
}

/* As many ticks as leave room between their numbers. */
static void choose_x_ticks(layout *l) {
  for (int wanted = 10; wanted >= 2; wanted--) {
    trmi_scale_ticks(&l->x, &l->figure->x, wanted);
    double sum = 0;
    for (int i = 0; i < l->x.nticks; i++) {
      if (l->x.ticks[i].text[0] == '\0') continue;
      sum += trmi_text_width(l->x.ticks[i].text, TICK_SIZE) + 16;
    }
    if (sum < l->right - l->left) return;
  }
}

static void place(layout *l, const trm_plot_figure *figure, const trmi_extent *extent) {
  *l = (layout){.figure = figure, .right = WIDTH - RIGHT};
  const double height = panel_height(figure->npanels);
  const int wanted = height > 300 ? 8 : height > 200 ? 6 : 4;
  bool has_label = false;
  for (int k = 0; k < figure->npanels; k++) {
    trmi_scale_init(&l->y[k], &figure->panels[k].y, &extent->y[k]);
    trmi_scale_ticks(&l->y[k], &figure->panels[k].y, wanted);
    has_label = has_label || l->y[k].label[0] != '\0';
  }
  l->left = 16 + (has_label ? LABEL_SIZE + 10 : 0) + number_room(l);
  trmi_scale_init(&l->x, &figure->x, &extent->x);
  l->x.first = l->left;
  l->x.last = l->right;
  choose_x_ticks(l);
  double top = has_text(figure->title) ? TITLE + 6 : 14;
  for (int k = 0; k < figure->npanels; k++) {
    top += LEGEND_ROW * legend_rows(l, &figure->panels[k], NULL, NULL);
    l->area[k] = (trmi_box){l->left, top, l->right - l->left, height};
    l->y[k].first = top + height;
    l->y[k].last = top;
    top += height + GAP;
  }
  l->height = ceil(top - GAP + BOTTOM);
}

/* ---- axes ---------------------------------------------------------------- */

static void line(const layout *l, double x0, double y0, double x1, double y1, unsigned rgb) {
  l->canvas->line(l->canvas->self, (double[]){x0, y0}, (double[]){x1, y1},
                  &(trmi_pen){.rgb = rgb, .width = 1});
}

static void text(const layout *l, double x, double y, const char *words,
                 const trmi_letters *letters) {
  if (words[0] == '\0') return;
  l->canvas->text(l->canvas->self, (double[]){x, y}, words, letters);
}

static void draw_grid(const layout *l, int k) {
  const trmi_box *a = &l->area[k];
  for (int pass = 0; pass < 2; pass++) { /* fine lines below the others */
    for (int i = 0; i < l->x.nticks; i++) {
      const trmi_tick *tick = &l->x.ticks[i];
      const bool is_fine = tick->text[0] == '\0';
      if (is_fine != (pass == 0)) continue;
      const double x = trmi_scale_map(&l->x, tick->value);
      line(l, x, a->y, x, a->y + a->height, is_fine ? FINE_GRID : GRID);
    }
    for (int i = 0; i < l->y[k].nticks; i++) {
      const trmi_tick *tick = &l->y[k].ticks[i];
      const bool is_fine = tick->text[0] == '\0', is_zero = tick->value == 0;
      if (is_fine != (pass == 0)) continue;
      const double y = trmi_scale_map(&l->y[k], tick->value);
      line(l, a->x, y, a->x + a->width, y, is_fine ? FINE_GRID : is_zero ? ZERO : GRID);
    }
  }
}

static void draw_frame(const layout *l, int k) {
  const trmi_box *a = &l->area[k];
  line(l, a->x, a->y, a->x, a->y + a->height, FRAME);
  line(l, a->x, a->y + a->height, a->x + a->width, a->y + a->height, FRAME);
  const trmi_letters number = {.size = TICK_SIZE, .rgb = INK, .anchor = TRMI_END};
  for (int i = 0; i < l->y[k].nticks; i++) {
    const trmi_tick *tick = &l->y[k].ticks[i];
    const double y = trmi_scale_map(&l->y[k], tick->value);
    text(l, a->x - 7, y + 0.36 * TICK_SIZE, tick->text, &number);
  }
  text(l, 8 + LABEL_SIZE, a->y + 0.5 * a->height, l->y[k].label,
       &(trmi_letters){.size = LABEL_SIZE, .rgb = INK, .anchor = TRMI_MIDDLE, .is_upward = true});
}

static void draw_x_axis(const layout *l) {
  const trmi_box *a = &l->area[l->figure->npanels - 1];
  const double bottom = a->y + a->height;
  const trmi_letters number = {.size = TICK_SIZE, .rgb = INK, .anchor = TRMI_MIDDLE};
  for (int i = 0; i < l->x.nticks; i++) {
    const trmi_tick *tick = &l->x.ticks[i];
    text(l, trmi_scale_map(&l->x, tick->value), bottom + 18, tick->text, &number);
  }
  text(l, a->x + 0.5 * a->width, bottom + 40, l->x.label,
       &(trmi_letters){.size = LABEL_SIZE, .rgb = INK, .anchor = TRMI_MIDDLE});
}

/* ---- curves -------------------------------------------------------------- */

static trmi_pen series_pen(const trm_plot_panel *panel, int j) {
  const trm_plot_series *series = &panel->series[j];
  const int color = series->has_style ? abs(series->color % TRMI_COLORS) : j;
  const int dash = series->has_style ? series->dash : j / TRMI_COLORS;
  return (trmi_pen){.rgb = trmi_series_colors[color % TRMI_COLORS], .width = 1.4, .dash = dash};
}

/* A series while it is drawn. */
typedef struct hand {
  const layout *l;
  trmi_pen      pen;
} hand;

static void stroke_line(void *self, const double *xy, int n) {
  const hand *h = self;
  h->l->canvas->polyline(h->l->canvas->self, xy, n, &h->pen);
}

static void stroke_dots(void *self, const double *xy, int n) {
  const hand *h = self;
  for (int i = 0; i < n; i++) h->l->canvas->dot(h->l->canvas->self, xy + 2 * i, 2.6, h->pen.rgb);
}

static trm_status draw_series(const layout *l, int k, int j, const trm_allocator *allocator,
                              trm_error *err) {
  const trm_plot_panel *panel = &l->figure->panels[k];
  const trm_plot_series *series = &panel->series[j];
  const trmi_view view = {.axis_x = &l->figure->x, .axis_y = &panel->y, .x = &l->x,
                          .y = &l->y[k], .grain = GRAIN};
  hand h = {.l = l, .pen = series_pen(panel, j)};
  char name[TRMI_TEXT_MAX];
  trmi_text_clean(name, sizeof name, series->name);
  l->canvas->begin_group(l->canvas->self, "series", name);
  trm_status status = TRM_OK;
  if (series->look != TRM_PLOT_DOTS) {
    const trmi_pen_hand lines = {.self = &h, .stroke = stroke_line};
    status = trmi_thin_line(series, &view, &lines, allocator, err);
  }
  if (status == TRM_OK && series->look != TRM_PLOT_LINE) {
    const trmi_pen_hand dots = {.self = &h, .stroke = stroke_dots};
    status = trmi_thin_dots(series, &view, &dots, allocator, err);
  }
  l->canvas->end_group(l->canvas->self);
  return status;
}

static void draw_legend(const layout *l, int k) {
  const trm_plot_panel *panel = &l->figure->panels[k];
  double x[TRM_PLOT_SERIES_MAX];
  int row[TRM_PLOT_SERIES_MAX];
  const int rows = legend_rows(l, panel, x, row);
  if (rows == 0) return;
  l->canvas->begin_group(l->canvas->self, "legend", NULL);
  for (int j = 0; j < panel->nseries; j++) {
    const double y = l->area[k].y - LEGEND_ROW * (rows - row[j]) + 7;
    trmi_pen pen = series_pen(panel, j);
    pen.width = 2;
    if (panel->series[j].look != TRM_PLOT_DOTS) {
      l->canvas->line(l->canvas->self, (double[]){x[j], y}, (double[]){x[j] + 21, y}, &pen);
    }
    if (panel->series[j].look != TRM_PLOT_LINE) {
      l->canvas->dot(l->canvas->self, (double[]){x[j] + 10, y}, 2.6, pen.rgb);
    }
    char name[TRMI_TEXT_MAX];
    trmi_text_clean(name, sizeof name, panel->series[j].name);
    text(l, x[j] + LEGEND_LINE, y + 0.36 * TICK_SIZE, name,
         &(trmi_letters){.size = TICK_SIZE, .rgb = INK});
  }
  l->canvas->end_group(l->canvas->self);
}

/* ---- remarks ------------------------------------------------------------- */

static bool overlap(const trmi_box *a, const trmi_box *b) {
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

static bool is_inside(const trmi_box *inner, const trmi_box *outer) {
  return inner->x >= outer->x && inner->x + inner->width <= outer->x + outer->width &&
         inner->y >= outer->y && inner->y + inner->height <= outer->y + outer->height;
}

/* A free place for a text near a point: above it, right, left, below, then further away.
 * False if there is none inside of the panel. */
static bool remark_place(const trmi_box *area, const double at[2], const char *words,
                         const trmi_box *taken, int ntaken, trmi_box *found) {
  const double width = trmi_text_width(words, TICK_SIZE), height = TICK_SIZE + 2;
  for (int attempt = 0; attempt < 32; attempt++) {
    const int ring = attempt / 4;
    const double right = at[0] + 7, left = at[0] - 7 - width, middle = at[0] - 0.5 * width;
    const double x[] = {middle, right, left, middle};
    const double aside = (ring % 2 == 0 ? 1 : -1) * ((ring + 1) / 2) * height - 0.5 * height;
    const double y[] = {-6 - (ring + 1) * height, aside, aside, 6 + ring * height};
    *found = (trmi_box){x[attempt % 4], at[1] + y[attempt % 4], width, height};
    bool is_free = is_inside(found, area);
    for (int i = 0; i < ntaken; i++) is_free = is_free && !overlap(found, &taken[i]);
    if (is_free) return true;
  }
  return false;
}

enum { REMARKS_MAX = 64 };

static void draw_remarks(const layout *l, int k) {
  const trm_plot_panel *panel = &l->figure->panels[k];
  trmi_box taken[2 * REMARKS_MAX];
  double at[REMARKS_MAX][2];
  int ntaken = 0;
  const int n = panel->nremarks < REMARKS_MAX ? panel->nremarks : REMARKS_MAX;
  for (int i = 0; i < n; i++) {
    const trm_plot_remark *remark = &panel->remarks[i];
    at[i][0] = at[i][1] = NAN;
    if (!trmi_axis_takes(&l->figure->x, remark->x) || !trmi_axis_takes(&panel->y, remark->y)) {
      continue;
    }
    at[i][0] = trmi_scale_map(&l->x, remark->x);
    at[i][1] = trmi_scale_map(&l->y[k], remark->y);
    l->canvas->dot(l->canvas->self, at[i], 3, series_pen(panel, remark->series).rgb);
    taken[ntaken++] = (trmi_box){at[i][0] - 3, at[i][1] - 3, 6, 6};
  }
  for (int i = 0; i < n; i++) {
    if (isnan(at[i][0])) continue;
    char words[TRMI_TEXT_MAX];
    trmi_text_clean(words, sizeof words, panel->remarks[i].text);
    trmi_box found;
    if (!remark_place(&l->area[k], at[i], words, taken, ntaken, &found)) continue;
    taken[ntaken++] = found;
    const unsigned rgb = series_pen(panel, panel->remarks[i].series).rgb;
    text(l, found.x, found.y + TICK_SIZE - 1, words,
         &(trmi_letters){.size = TICK_SIZE, .rgb = rgb});
  }
}

/* ---- figure -------------------------------------------------------------- */

static trm_status draw_panel(const layout *l, int k, const trm_allocator *allocator,
                             trm_error *err) {
  draw_grid(l, k);
  draw_legend(l, k);
  /* lines at the edge keep their full width */
  const trmi_box a = l->area[k];
  l->canvas->clip(l->canvas->self, &(trmi_box){a.x - 1, a.y - 1, a.width + 2, a.height + 2});
  trm_status status = TRM_OK;
  for (int j = 0; j < l->figure->panels[k].nseries && status == TRM_OK; j++) {
    status = draw_series(l, k, j, allocator, err);
  }
  l->canvas->unclip(l->canvas->self);
  draw_frame(l, k);
  draw_remarks(l, k);
  return status;
}

static trm_status begin_canvas(trmi_canvas *canvas, trm_plot_format format, double height,
                               trmi_buffer *out, trm_error *err) {
  switch (format) {
  case TRM_PLOT_SVG: return trmi_canvas_svg(canvas, WIDTH, height, out, err);
  case TRM_PLOT_PNG: return trmi_canvas_png(canvas, WIDTH, height, out, err);
  case TRM_PLOT_PDF: return trmi_canvas_pdf(canvas, WIDTH, height, out, err);
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "unknown format of a picture");
}

trm_status trmi_plot_draw(const trm_plot_figure *figure, trm_plot_format format, trmi_buffer *out,
                          trm_error *err) {
  trmi_extent extent;
  TRMI_TRY(err, trmi_figure_measure(figure, &extent, err));
  layout l;
  place(&l, figure, &extent);
  trmi_canvas canvas;
  TRMI_TRY(err, begin_canvas(&canvas, format, l.height, out, err));
  l.canvas = &canvas;
  canvas.box(canvas.self, &(trmi_box){0, 0, WIDTH, l.height}, PAPER);
  char title[TRMI_TEXT_MAX];
  trmi_text_clean(title, sizeof title, figure->title);
  text(&l, l.left, 24, title,
       &(trmi_letters){.size = TITLE_SIZE, .rgb = INK, .is_bold = true});
  trm_status status = TRM_OK;
  for (int k = 0; k < figure->npanels && status == TRM_OK; k++) {
    status = draw_panel(&l, k, &out->allocator, err);
  }
  draw_x_axis(&l);
  trm_error end_error;
  const trm_status end = canvas.finish(canvas.self, &end_error);
  if (status == TRM_OK && end != TRM_OK) {
    if (err != NULL) *err = end_error;
    return end;
  }
  return status;
}

trm_status trm_plot_format_of(const char *path, trm_plot_format *format, trm_error *err) {
  TRMI_NEED(err, path, format);
  static const char *const endings[] = {[TRM_PLOT_SVG] = ".svg", [TRM_PLOT_PNG] = ".png",
                                        [TRM_PLOT_PDF] = ".pdf"};
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot != NULL && i < 3; i++) {
    if (strcmp(dot, endings[i]) != 0) continue;
    *format = (trm_plot_format)i;
    return TRM_OK;
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                   "'%.200s' is not a picture: its name must end in .svg, .png or .pdf", path);
}
