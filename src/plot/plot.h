/* plot.h - draw figures of trammel/plot.h to memory. */
#ifndef TRMI_PLOT_H
#define TRMI_PLOT_H
#include "core/buffer.h"
#include "trammel/plot.h"

/* Draw a figure; `out` receives the bytes of the file. Statuses as of trm_plot_write, but for
 * TRM_ERR_IO. */
TRM_CHECKED trm_status trmi_plot_draw(const trm_plot_figure *figure, trm_plot_format format,
                                      trmi_buffer *out, trm_error *err);

/* As trm_plot_text. */
TRM_CHECKED trm_status trmi_plot_text(const trm_plot_figure *figure,
                                      const trm_plot_terminal *terminal, trmi_buffer *out,
                                      trm_error *err);

#endif
