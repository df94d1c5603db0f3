/* canvas.h - the surface that a picture is drawn on: SVG text, or cairo for PNG and PDF.
 *
 * Lengths are points of 1/72 inch (PDF) or pixels; y points down. */
#ifndef TRMI_CANVAS_H
#define TRMI_CANVAS_H
#include "core/buffer.h"

typedef struct trmi_box {
  double x, y, width, height;
} trmi_box;

typedef struct trmi_pen {
  unsigned rgb; /* 0xRRGGBB */
  double   width;
  int      dash; /* 0: solid, 1 to 3: broken in different ways */
} trmi_pen;

typedef enum trmi_text_anchor { TRMI_START, TRMI_MIDDLE, TRMI_END } trmi_text_anchor;

typedef struct trmi_letters {
  double      size;
  unsigned    rgb;
  trmi_text_anchor anchor; /* which part of the text is at the given place */
  bool        is_bold;
  bool        is_upward; /* turned by 90 degrees to the left             */
} trmi_letters;

typedef struct trmi_canvas {
  void *self;
  /* Things that belong together, "series" and its name; not nested. */
  void (*begin_group)(void *self, const char *kind, const char *name);
  void (*end_group)(void *self);
  /* Draw only inside of a box until `unclip`; not nested. */
  void (*clip)(void *self, const trmi_box *box);
  void (*unclip)(void *self);
  void (*box)(void *self, const trmi_box *box, unsigned rgb); /* filled */
  void (*line)(void *self, const double from[2], const double to[2], const trmi_pen *pen);
  void (*polyline)(void *self, const double *xy, int n, const trmi_pen *pen);
  void (*dot)(void *self, const double at[2], double radius, unsigned rgb);
  /* `text` is clean UTF-8; y is the base line of its letters. */
  void (*text)(void *self, const double at[2], const char *text, const trmi_letters *letters);
  /* Write the rest to the buffer and free the canvas. Called exactly once. */
  trm_status (*finish)(void *self, trm_error *err);
} trmi_canvas;

/* Begin a picture of this size; `out` must outlive it. */
trm_status trmi_canvas_svg(trmi_canvas *canvas, double width, double height, trmi_buffer *out,
                           trm_error *err);
trm_status trmi_canvas_png(trmi_canvas *canvas, double width, double height, trmi_buffer *out,
                           trm_error *err);
trm_status trmi_canvas_pdf(trmi_canvas *canvas, double width, double height, trmi_buffer *out,
                           trm_error *err);

#endif
