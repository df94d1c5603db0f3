/* thinning.h - the points of a series in the picture, no more than it can show. */
#ifndef TRMI_THINNING_H
#define TRMI_THINNING_H
#include "plot/axis.h"

/* Where the pieces of a curve go: points x, y, x, y, ..; n counts points. */
typedef struct trmi_pen_hand {
  void *self;
  void (*stroke)(void *self, const double *xy, int n);
} trmi_pen_hand;

/* How a series meets its picture. */
typedef struct trmi_view {
  const trm_plot_axis  *axis_x, *axis_y;
  const trmi_scale *x, *y;
  double            grain; /* smallest distance that can be seen */
} trmi_view;

/* Draw the line of a series: one stroke for each stretch without gaps. */
trm_status trmi_thin_line(const trm_plot_series *series, const trmi_view *view,
                           const trmi_pen_hand *hand, const trm_allocator *allocator,
                           trm_error *err);

/* Its points, one stroke for all; of those that fall on one spot only the first. */
trm_status trmi_thin_dots(const trm_plot_series *series, const trmi_view *view,
                           const trmi_pen_hand *hand, const trm_allocator *allocator,
                           trm_error *err);

#endif
