/* plot_file.c - figures as files. */
#include "io/export_file.h"
#include "plot/plot.h"

trm_status trm_plot_write(const trm_plot_figure *figure, const char *path, trm_error *err) {
  TRMI_NEED(err, figure, path);
  trm_plot_format format;
  trmi_out out;
  trmi_buffer buffer;
  TRMI_TRY(err, trm_plot_format_of(path, &format, err));
  trmi_buffer_init(&buffer, NULL);
  trm_status status = trmi_plot_draw(figure, format, &buffer, err);
  if (status == TRM_OK) status = trmi_out_open(&out, path, err);
  if (status == TRM_OK) {
    trmi_out_bytes(&out, buffer.data, buffer.used);
    status = trmi_out_close(&out, TRM_OK, err);
  }
  trmi_buffer_free(&buffer);
  return status;
}
