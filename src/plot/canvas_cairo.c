/* canvas_cairo.c - pictures as PNG and PDF, drawn by cairo.
 *
 * PNG has two pixels for each unit of length. PDF is written without a date. */
#include "core/arena.h"
#include "plot/canvas.h"
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>
#include <math.h>

static const char FONT[] = "DejaVu Sans";
enum { PNG_SCALE = 2 };

typedef struct picture {
  trmi_buffer     *out;
  cairo_surface_t *surface;
  cairo_t         *cr;
  bool             is_png;
} picture;

static void set_color(cairo_t *cr, unsigned rgb) {
  cairo_set_source_rgb(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                       (rgb & 255) / 255.0);
}

static void set_pen(cairo_t *cr, const trmi_pen *pen) {
  static const double dashes[][4] = {{0}, {7, 3, 7, 3}, {2, 2.5, 2, 2.5}, {9, 3, 2, 3}};
  set_color(cr, pen->rgb);
  cairo_set_line_width(cr, pen->width);
  cairo_set_dash(cr, dashes[pen->dash % 4], pen->dash % 4 > 0 ? 4 : 0, 0);
}

static void begin_group(void *self, const char *kind, const char *name) {
  (void)self, (void)kind, (void)name;
}

static void end_group(void *self) {
  (void)self;
}

static void clip(void *self, const trmi_box *area) {
  cairo_t *cr = ((picture *)self)->cr;
  cairo_save(cr);
  cairo_rectangle(cr, area->x, area->y, area->width, area->height);
  cairo_clip(cr);
}

static void unclip(void *self) {
  cairo_restore(((picture *)self)->cr);
}

static void box(void *self, const trmi_box *area, unsigned rgb) {
  cairo_t *cr = ((picture *)self)->cr;
  set_color(cr, rgb);
  cairo_rectangle(cr, area->x, area->y, area->width, area->height);
  cairo_fill(cr);
}

static void line(void *self, const double from[2], const double to[2], const trmi_pen *pen) {
  cairo_t *cr = ((picture *)self)->cr;
  set_pen(cr, pen);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
  cairo_move_to(cr, from[0], from[1]);
  cairo_line_to(cr, to[0], to[1]);
  cairo_stroke(cr);
}

static void polyline(void *self, const double *xy, int n, const trmi_pen *pen) {
  cairo_t *cr = ((picture *)self)->cr;
  set_pen(cr, pen);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < n; i++) cairo_line_to(cr, xy[2 * i], xy[2 * i + 1]);
  cairo_stroke(cr);
}

static void dot(void *self, const double at[2], double radius, unsigned rgb) {
  cairo_t *cr = ((picture *)self)->cr;
  set_color(cr, rgb);
  cairo_new_path(cr);
  cairo_arc(cr, at[0], at[1], radius, 0, 2 * acos(-1.0));
  cairo_fill(cr);
}

static void text(void *self, const double at[2], const char *words, const trmi_letters *letters) {
  cairo_t *cr = ((picture *)self)->cr;
  cairo_save(cr);
  set_color(cr, letters->rgb);
  cairo_select_font_face(cr, FONT, CAIRO_FONT_SLANT_NORMAL,
                         letters->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, letters->size);
  cairo_text_extents_t extents;
  cairo_text_extents(cr, words, &extents);
  cairo_translate(cr, at[0], at[1]);
  if (letters->is_upward) cairo_rotate(cr, -0.5 * acos(-1.0));
  static const double parts[] = {0, 0.5, 1};
  cairo_move_to(cr, -parts[letters->anchor] * extents.x_advance, 0);
  cairo_show_text(cr, words);
  cairo_restore(cr);
}

static cairo_status_t write_bytes(void *out, const unsigned char *bytes, unsigned count) {
  trmi_buffer_add(out, bytes, count);
  return ((trmi_buffer *)out)->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static trm_status fail_cairo(cairo_status_t status, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "the picture cannot be drawn: %s",
                   cairo_status_to_string(status));
}

/* Ends in any case with everything freed. */
static trm_status finish(void *self, trm_error *err) {
  picture *p = self;
  cairo_status_t status = cairo_status(p->cr);
  if (status == CAIRO_STATUS_SUCCESS && p->is_png) {
    status = cairo_surface_write_to_png_stream(p->surface, write_bytes, p->out);
  }
  if (!p->is_png) cairo_show_page(p->cr);
  cairo_destroy(p->cr);
  cairo_surface_finish(p->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(p->surface);
  cairo_surface_destroy(p->surface);
  trmi_buffer *out = p->out;
  trmi_release(&out->allocator, p);
  if (out->failed) return trmi_buffer_check(out, err);
  return status == CAIRO_STATUS_SUCCESS ? TRM_OK : fail_cairo(status, err);
}

/* Takes over the surface. */
static trm_status begin(trmi_canvas *canvas, cairo_surface_t *surface, bool is_png,
                        trmi_buffer *out, trm_error *err) {
  const cairo_status_t status = cairo_surface_status(surface);
  picture *p = status == CAIRO_STATUS_SUCCESS ? trmi_allocate(&out->allocator, sizeof *p) : NULL;
  if (p == NULL) {
    cairo_surface_destroy(surface);
    return fail_cairo(status == CAIRO_STATUS_SUCCESS ? CAIRO_STATUS_NO_MEMORY : status, err);
  }
  *p = (picture){.out = out, .surface = surface, .cr = cairo_create(surface), .is_png = is_png};
  if (is_png) cairo_scale(p->cr, PNG_SCALE, PNG_SCALE);
  *canvas = (trmi_canvas){.self = p, .begin_group = begin_group, .end_group = end_group,
                          .clip = clip, .unclip = unclip, .box = box, .line = line,
                          .polyline = polyline, .dot = dot, .text = text, .finish = finish};
  return TRM_OK;
}

trm_status trmi_canvas_png(trmi_canvas *canvas, double width, double height, trmi_buffer *out,
                           trm_error *err) {
  cairo_surface_t *surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, (int)(PNG_SCALE * width), (int)(PNG_SCALE * height));
  return begin(canvas, surface, true, out, err);
}

trm_status trmi_canvas_pdf(trmi_canvas *canvas, double width, double height, trmi_buffer *out,
                           trm_error *err) {
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(write_bytes, out, width, height);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return begin(canvas, surface, false, out, err);
}
