/* plot.h - figures of curves as SVG, PNG, PDF or text.
 *
 * A figure is a column of panels over one x axis. The caller owns all arrays and texts; they are
 * read during the call. The same figure always gives the same bytes: no date, no random name.
 * Curves with more points than the picture can show are thinned without visible change. Numbers
 * that are not finite, or not positive on a logarithmic axis, leave gaps. */
#ifndef TRM_PLOT_H
#define TRM_PLOT_H
#include "trammel/status.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One axis. Its label is "name [unit]"; large and small numbers use a power of ten or a prefix of
 *  the unit: "q1 [mm]". */
typedef struct trm_plot_axis {
  const char *name;      /**< NULL or "": none                      */
  const char *unit;      /**< "m/s"; NULL or "": none               */
  bool        is_log;    /**< logarithmic                           */
  bool        is_tight;  /**< no margin beyond the data             */
  double      low, high; /**< ends; from the data unless low < high */
} trm_plot_axis;

/** Style of a curve. */
typedef enum trm_plot_look { TRM_PLOT_LINE, TRM_PLOT_DOTS, TRM_PLOT_LINE_AND_DOTS } trm_plot_look;

/** One curve. */
typedef struct trm_plot_series {
  const char   *name;      /**< in the legend                                     */
  const double *x, *y;     /**< points                                        [n] */
  size_t        n;         /**< how many                                          */
  trm_plot_look look;      /**< line, dots or both                                */
  bool          has_style; /**< color and dash are given; otherwise they are chosen */
  int           color;     /**< number of a color, cyclic                         */
  int           dash;      /**< 0: solid, 1 to 3: different dashes                */
} trm_plot_series;

/** A point with a text, for example a peak. */
typedef struct trm_plot_remark {
  double      x, y;   /**< where                                      */
  const char *text;   /**< one line                                   */
  int         series; /**< its color: number of the series in the panel */
} trm_plot_remark;

/** One panel. With more than one series it has a legend above it. */
typedef struct trm_plot_panel {
  trm_plot_axis          y;        /**< its own axis      */
  const trm_plot_series *series;   /**< curves  [nseries] */
  int                    nseries;  /**< how many          */
  const trm_plot_remark *remarks;  /**< texts  [nremarks] */
  int                    nremarks; /**< how many          */
} trm_plot_panel;

/** A figure. */
typedef struct trm_plot_figure {
  const char           *title;   /**< NULL or "": none              */
  trm_plot_axis         x;       /**< axis of all panels            */
  const trm_plot_panel *panels;  /**< from top to bottom  [npanels] */
  int                   npanels; /**< how many                      */
} trm_plot_figure;

/** Upper bounds of a figure. */
enum { TRM_PLOT_PANELS_MAX = 32, TRM_PLOT_SERIES_MAX = 256 };

/** Form of a file. */
typedef enum trm_plot_format { TRM_PLOT_SVG, TRM_PLOT_PNG, TRM_PLOT_PDF } trm_plot_format;

/** The format of a file by its ending.
 *  @return TRM_OK, or TRM_ERR_INPUT for an unknown ending */
TRM_API TRM_CHECKED trm_status trm_plot_format_of(const char *path, trm_plot_format *format,
                                                  trm_error *err);

/** Draw a figure to a file, in the format of its ending. An older file is kept until the new one is
 *  complete.
 *  @return TRM_OK, TRM_ERR_INPUT (unknown ending, nothing to show, too many panels), TRM_ERR_IO or
 *          TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_plot_write(const trm_plot_figure *figure, const char *path,
                                              trm_error *err);

/** Size of a figure drawn as text. */
typedef struct trm_plot_terminal {
  int  width;      /**< columns, 40 to 400                                            */
  int  rows;       /**< lines of each panel, 4 to 100                                 */
  bool has_colors; /**< series differ by letters, and if true also by colors          */
} trm_plot_terminal;

/** Draw a figure as text.
 *  @param write  receives the text
 *  @param self   first argument of `write`
 *  @return TRM_OK, TRM_ERR_INPUT (nothing to show, too many panels) or TRM_ERR_MEMORY */
TRM_API TRM_CHECKED trm_status trm_plot_text(const trm_plot_figure *figure,
                                             const trm_plot_terminal *terminal, trm_writer *write,
                                             void *self, trm_error *err);

#ifdef __cplusplus
}
#endif
#endif
