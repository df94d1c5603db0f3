/* figure.c - check and measure. */
#include "plot/figure.h"
#include "plot/text.h"
#include <math.h>

/* Told apart also by people who see fewer colours, and in print. */
const unsigned trmi_series_colors[TRMI_COLORS] = {0x1f5fa8, 0xc2452d, 0x2f7d4f, 0x7a4fa3,
                                                  0xb8860b, 0x0f8b8d, 0xa8326e, 0x555555};

static void include(trmi_axis_range *range, double value) {
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
}

static trm_status fail_empty(const trm_plot_figure *figure, const trm_plot_panel *panel,
                             trm_error *err) {
  char name[TRMI_TEXT_MAX];
  trmi_text_clean(name, sizeof name, panel->nseries > 0 ? panel->series[0].name : NULL);
  if (figure->x.is_log || panel->y.is_log) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL,
                     "'%s' has no point that is positive, as a logarithmic axis needs it", name);
  }
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "'%s' has no number that can be drawn", name);
}

/* What is announced is there. */
static trm_status check_lists(const trm_plot_panel *panel, trm_error *err) {
  bool is_missing = (panel->nseries > 0 && panel->series == NULL) ||
                    (panel->nremarks > 0 && panel->remarks == NULL);
  for (int j = 0; j < panel->nseries && !is_missing; j++) {
    const trm_plot_series *s = &panel->series[j];
    is_missing = s->n > 0 && (s->x == NULL || s->y == NULL);
  }
  if (!is_missing) return TRM_OK;
  return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the curves or remarks of a panel are NULL");
}

trm_status trmi_figure_measure(const trm_plot_figure *figure, trmi_extent *extent, trm_error *err) {
  if (figure->npanels < 1 || figure->npanels > TRM_PLOT_PANELS_MAX) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "a figure of %d panels, possible are 1 to %d",
                     figure->npanels, TRM_PLOT_PANELS_MAX);
  }
  if (figure->panels == NULL) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the panels of the figure are NULL");
  }
  extent->x = (trmi_axis_range){INFINITY, -INFINITY};
  for (int k = 0; k < figure->npanels; k++) {
    const trm_plot_panel *panel = &figure->panels[k];
    trmi_axis_range *y = &extent->y[k];
    *y = (trmi_axis_range){INFINITY, -INFINITY};
    if (panel->nseries > TRM_PLOT_SERIES_MAX) {
      return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "%d curves in one panel, possible are %d",
                       panel->nseries, TRM_PLOT_SERIES_MAX);
    }
    TRMI_TRY(err, check_lists(panel, err));
    for (int j = 0; j < panel->nseries; j++) {
      const trm_plot_series *s = &panel->series[j];
      for (size_t i = 0; i < s->n; i++) {
        if (!trmi_axis_takes(&figure->x, s->x[i]) || !trmi_axis_takes(&panel->y, s->y[i])) continue;
        include(&extent->x, s->x[i]);
        include(y, s->y[i]);
      }
    }
    if (!(y->low <= y->high)) return fail_empty(figure, panel, err);
    for (int i = 0; i < panel->nremarks; i++) {
      const trm_plot_remark *remark = &panel->remarks[i];
      if (trmi_axis_takes(&panel->y, remark->y)) include(y, remark->y);
    }
  }
  return TRM_OK;
}
