/* figure.h - what drawing on a canvas and drawing as text share. */
#ifndef TRMI_FIGURE_H
#define TRMI_FIGURE_H
#include "plot/axis.h"

/* Colours and kinds of lines of series, repeating. */
enum { TRMI_COLORS = 8 };
extern const unsigned trmi_series_colors[TRMI_COLORS];

/* Ranges of the data of a checked figure. */
typedef struct trmi_extent {
  trmi_axis_range x;
  trmi_axis_range y[TRM_PLOT_PANELS_MAX];
} trmi_extent;

/* Check a figure and measure its data. A panel without any point that can be shown
 * is TRM_ERR_INPUT with the names of its series. */
trm_status trmi_figure_measure(const trm_plot_figure *figure, trmi_extent *extent, trm_error *err);

#endif
