/* axis.h - the ends of an axis, its ticks, its label, and the map to pixels. */
#ifndef TRMI_AXIS_H
#define TRMI_AXIS_H
#include "plot/plot.h"

enum { TRMI_TICKS_MAX = 128, TRMI_TEXT_MAX = 128 };

typedef struct trmi_tick {
  double value;
  char   text[32]; /* empty: a minor tick of a logarithmic axis */
} trmi_tick;

/* An axis ready to draw. */
typedef struct trmi_scale {
  bool      is_log;
  double    low, high;       /* ends; decimal logarithms if is_log     */
  double    first, last;     /* their places in the picture            */
  int       exponent;        /* numbers at ticks are values / 10^exponent */
  trmi_tick ticks[TRMI_TICKS_MAX];
  int       nticks;
  char      label[2 * TRMI_TEXT_MAX]; /* "q1 [mm]"                     */
} trmi_scale;

/* Smallest and largest number that can be shown. */
typedef struct trmi_axis_range {
  double low, high; /* low > high: none yet */
} trmi_axis_range;

/* Can a number be shown on an axis: finite, positive if it is logarithmic. */
bool trmi_axis_takes(const trm_plot_axis *axis, double value);

/* Ends from the range of the data, or fixed by the axis. A range without width is
 * widened. */
void trmi_scale_init(trmi_scale *scale, const trm_plot_axis *axis, const trmi_axis_range *range);
/* About `wanted` labelled ticks, and the label. */
void trmi_scale_ticks(trmi_scale *scale, const trm_plot_axis *axis, int wanted);
/* The place of a value that the axis takes. */
double trmi_scale_map(const trmi_scale *scale, double value);

#endif
