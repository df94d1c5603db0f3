/* canvas_svg.c - pictures as SVG text.
 *
 * Written by hand, as cairo turns letters into outlines: here texts stay texts, curves
 * are polylines, and a series is a group with its name, so that a page can be searched
 * and a style sheet can find them. */
#include "core/arena.h"
#include "plot/canvas.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char FONT[] = "DejaVu Sans, Verdana, Arial, sans-serif";

typedef struct svg {
  trmi_buffer *out;
  int          clips;
} svg;

/* Two decimals, without zeros at the end. */
static void put_number(trmi_buffer *out, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.2f", number);
  char *end = text + strlen(text);
  while (end[-1] == '0') *--end = '\0';
  if (end[-1] == '.') *--end = '\0';
  trmi_buffer_text(out, strcmp(text, "-0") == 0 ? "0" : text);
}

static void put_attribute(trmi_buffer *out, const char *name, double number) {
  trmi_buffer_print(out, " %s=\"", name);
  put_number(out, number);
  trmi_buffer_text(out, "\"");
}

static void put_escaped(trmi_buffer *out, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    switch (*c) {
    case '&': trmi_buffer_text(out, "&amp;"); break;
    case '<': trmi_buffer_text(out, "&lt;"); break;
    case '>': trmi_buffer_text(out, "&gt;"); break;
    case '"': trmi_buffer_text(out, "&quot;"); break;
    default: trmi_buffer_add(out, c, 1);
    }
  }
}

static void put_pen(trmi_buffer *out, const trmi_pen *pen) {
  static const char *const dashes[] = {"", "7 3", "2 2.5", "9 3 2 3"};
  trmi_buffer_print(out, " stroke=\"#%06x\"", pen->rgb);
  put_attribute(out, "stroke-width", pen->width);
  if (pen->dash > 0) trmi_buffer_print(out, " stroke-dasharray=\"%s\"", dashes[pen->dash % 4]);
}

static void begin_group(void *self, const char *kind, const char *name) {
  trmi_buffer *out = ((svg *)self)->out;
  trmi_buffer_print(out, "<g class=\"%s\"", kind);
  if (name != NULL) {
    trmi_buffer_text(out, " data-name=\"");
    put_escaped(out, name);
    trmi_buffer_text(out, "\"");
  }
  trmi_buffer_text(out, ">\n");
}

static void end_group(void *self) {
  trmi_buffer_text(((svg *)self)->out, "</g>\n");
}

static void put_box(trmi_buffer *out, const trmi_box *box) {
  put_attribute(out, "x", box->x);
  put_attribute(out, "y", box->y);
  put_attribute(out, "width", box->width);
  put_attribute(out, "height", box->height);
}

static void clip(void *self, const trmi_box *box) {
  svg *s = self;
  trmi_buffer_print(s->out, "<clipPath id=\"clip%d\"><rect", s->clips);
  put_box(s->out, box);
  trmi_buffer_print(s->out, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", s->clips);
  s->clips++;
}

static void unclip(void *self) {
  trmi_buffer_text(((svg *)self)->out, "</g>\n");
}

static void box(void *self, const trmi_box *area, unsigned rgb) {
  trmi_buffer *out = ((svg *)self)->out;
  trmi_buffer_text(out, "<rect");
  put_box(out, area);
  trmi_buffer_print(out, " fill=\"#%06x\"/>\n", rgb);
}

static void line(void *self, const double from[2], const double to[2], const trmi_pen *pen) {
  trmi_buffer *out = ((svg *)self)->out;
  trmi_buffer_text(out, "<line");
  put_attribute(out, "x1", from[0]);
  put_attribute(out, "y1", from[1]);
  put_attribute(out, "x2", to[0]);
  put_attribute(out, "y2", to[1]);
  put_pen(out, pen);
  trmi_buffer_text(out, "/>\n");
}

static void polyline(void *self, const double *xy, int n, const trmi_pen *pen) {
  trmi_buffer *out = ((svg *)self)->out;
  trmi_buffer_text(out, "<polyline fill=\"none\" stroke-linejoin=\"round\" "
                        "stroke-linecap=\"round\"");
  put_pen(out, pen);
  trmi_buffer_text(out, " points=\"");
  for (int i = 0; i < n; i++) {
    if (i > 0) trmi_buffer_text(out, i % 8 == 0 ? "\n" : " ");
    put_number(out, xy[2 * i]);
    trmi_buffer_text(out, ",");
    put_number(out, xy[2 * i + 1]);
  }
  trmi_buffer_text(out, "\"/>\n");
}

static void dot(void *self, const double at[2], double radius, unsigned rgb) {
  trmi_buffer *out = ((svg *)self)->out;
  trmi_buffer_text(out, "<circle");
  put_attribute(out, "cx", at[0]);
  put_attribute(out, "cy", at[1]);
  put_attribute(out, "r", radius);
  trmi_buffer_print(out, " fill=\"#%06x\"/>\n", rgb);
}

static void text(void *self, const double at[2], const char *words, const trmi_letters *letters) {
  static const char *const anchors[] = {"start", "middle", "end"};
  trmi_buffer *out = ((svg *)self)->out;
  trmi_buffer_text(out, "<text");
  if (letters->is_upward) {
    trmi_buffer_print(out, " transform=\"translate(%.2f %.2f) rotate(-90)\"", at[0], at[1]);
  } else {
    put_attribute(out, "x", at[0]);
    put_attribute(out, "y", at[1]);
  }
  put_attribute(out, "font-size", letters->size);
  trmi_buffer_print(out, " fill=\"#%06x\"", letters->rgb);
  if (letters->anchor != TRMI_START) {
    trmi_buffer_print(out, " text-anchor=\"%s\"", anchors[letters->anchor]);
  }
  if (letters->is_bold) trmi_buffer_text(out, " font-weight=\"bold\"");
  trmi_buffer_text(out, ">");
  put_escaped(out, words);
  trmi_buffer_text(out, "</text>\n");
}

static trm_status finish(void *self, trm_error *err) {
  svg *s = self;
  trmi_buffer *out = s->out;
  trmi_buffer_text(out, "</svg>\n");
  trmi_release(&out->allocator, s);
  return trmi_buffer_check(out, err);
}

trm_status trmi_canvas_svg(trmi_canvas *canvas, double width, double height, trmi_buffer *out,
                           trm_error *err) {
  svg *s = trmi_allocate(&out->allocator, sizeof *s);
  if (s == NULL) return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory for a picture");
  *s = (svg){.out = out};
  *canvas = (trmi_canvas){.self = s, .begin_group = begin_group, .end_group = end_group,
                          .clip = clip, .unclip = unclip, .box = box, .line = line,
                          .polyline = polyline, .dot = dot, .text = text, .finish = finish};
  trmi_buffer_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                         "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"%s\">\n",
                    width, height, width, height, FONT);
  return TRM_OK;
}
