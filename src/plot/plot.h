/* plot.h - pictures of curves: series in, SVG, PNG, PDF or text out.
 *
 * A figure is a column of panels over one x axis. The caller owns all arrays and
 * texts; they are read during the call. The same figure gives the same bytes every
 * time: no date, no random name. Curves with more points than the picture has room
 * for are thinned so that it looks the same (curve.c). Numbers that are not finite,
 * or not positive on a logarithmic axis, leave gaps. */
#ifndef TRMI_PLOT_H
#define TRMI_PLOT_H
#include "core/buffer.h"
#include <stddef.h>

/* One axis. Its label is "name [unit]"; large and small numbers get a power of ten
 * or a prefix in the unit: "q1 [mm]". */
typedef struct trmi_axis {
  const char *name;      /* NULL or "": none                                   */
  const char *unit;      /* "m/s"; NULL or "": none                            */
  bool        is_log;
  bool        is_tight;  /* no margin beyond the data                          */
  double      low, high; /* ends; from the data unless low < high              */
} trmi_axis;

typedef enum trmi_look { TRMI_LINE, TRMI_DOTS, TRMI_LINE_AND_DOTS } trmi_look;

/* One curve. */
typedef struct trmi_series {
  const char   *name; /* in the legend */
  const double *x, *y;                /* [n] */
  size_t        n;
  trmi_look     look;
  bool          has_style; /* the two below are given, else they follow from the place */
  int           color;     /* number of a colour, repeating                            */
  int           dash;      /* 0: solid, 1 to 3: broken in different ways               */
} trmi_series;

/* A point with a text, for example a peak. */
typedef struct trmi_remark {
  double      x, y;
  const char *text;
  int         series; /* whose colour it has: its place in the panel */
} trmi_remark;

/* A legend stands above the panel if it has more than one series. */
typedef struct trmi_panel {
  trmi_axis          y;
  const trmi_series *series;  /* [nseries] */
  int                nseries;
  const trmi_remark *remarks; /* [nremarks] */
  int                nremarks;
} trmi_panel;

typedef struct trmi_figure {
  const char       *title;  /* NULL or "": none */
  trmi_axis         x;
  const trmi_panel *panels; /* [npanels] */
  int               npanels;
} trmi_figure;

enum { TRMI_PANELS_MAX = 32, TRMI_SERIES_MAX = 256 };

typedef enum trmi_format { TRMI_SVG, TRMI_PNG, TRMI_PDF } trmi_format;

/* The format of a file by its ending. TRM_OK, or TRM_ERR_INPUT for another ending. */
trm_status trmi_plot_format(const char *path, trmi_format *format, trm_error *err);

/* Draw a figure. `out` receives the bytes of the file.
 * TRM_OK, TRM_ERR_INPUT (nothing to show, too many panels) or TRM_ERR_MEMORY. */
trm_status trmi_plot_draw(const trmi_figure *figure, trmi_format format, trmi_buffer *out,
                          trm_error *err);

/* Draw a figure as text of `width` columns (40 to 400), each panel `rows` lines high
 * (4 to 100). Series are told apart by letters, and by colours if the terminal has them. */
typedef struct trmi_terminal {
  int  width, rows;
  bool has_colors;
} trmi_terminal;
trm_status trmi_plot_text(const trmi_figure *figure, const trmi_terminal *terminal,
                          trmi_buffer *out, trm_error *err);

#endif
