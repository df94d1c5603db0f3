/* dmig_text.c - matrices of Nastran, DMIG cards of bulk data.
 *
 *   DMIG NAME 0 FORM TIN ..                      head; FORM 6 symmetric, 1 square; TIN 1, 2 real
 *   DMIG NAME GJ CJ .. G1 C1 A1 ..               a column, with entries (node, direction, value)
 *   continued by G2 C2 A2 ..
 * Lines have groups of four fields. If the file has several matrices, the one whose name begins
 * with the right letter is read. */
#include "io/bdf_card.h"
#include "io/matrix_internal.h"
#include <ctype.h>
#include <string.h>

enum { GROUP = 4 };

typedef struct reader {
  trmi_mesh_text       t;
  trmi_matrix_reading *r;
  char                 name[TRMI_SOLID_NAME]; /* of the matrix that is read; "": none yet */
  bool                 is_wanted;             /* the present card belongs to it */
  int                  column;
} reader;

static bool is_card(const trmi_mesh_text *t) {
  return t->length >= 4 && trmi_mesh_is((trmi_mesh_field){.text = t->at, .length = 4}, "DMIG");
}

/* The matrix to read: the only one of the file, or the first with the right letter. */
static void choose_name(reader *d, const char *text, size_t length) {
  trmi_mesh_text t = {.text = text, .end = text + length};
  char first[TRMI_SOLID_NAME] = "";
  while (trmi_mesh_next(&t)) {
    trmi_bdf_card c = {.count = 0};
    char name[TRMI_SOLID_NAME];
    trmi_bdf_strip(&t);
    if (!is_card(&t)) continue;
    trmi_bdf_take(&c, &t, true);
    trmi_mesh_copy(c.field[0], true, name);
    if (first[0] == '\0') memcpy(first, name, sizeof first);
    if (d->name[0] == '\0' && name[0] == d->r->first) memcpy(d->name, name, sizeof name);
  }
  if (d->name[0] == '\0') memcpy(d->name, first, sizeof first);
}

static bool read_head(reader *d, const trmi_bdf_card *c) {
  int form = 0, type = 0;
  if (!trmi_mesh_int(c->field[2], &form) || (form != 1 && form != 6)) {
    return trmi_mesh_fail(&d->t, "DMIG '%.40s' is neither square (1) nor symmetric (6)", d->name);
  }
  if (!trmi_mesh_int(c->field[3], &type) || type < 1 || type > 2) {
    return trmi_mesh_fail(&d->t, "DMIG '%.40s' is not real", d->name);
  }
  d->r->is_full = form == 1;
  return true;
}

/* Entries of the groups of a line, from one on. */
static bool read_groups(reader *d, const trmi_bdf_card *c, int from) {
  for (int i = GROUP * from; i + 2 < c->count; i += GROUP) {
    int node, direction, row = 0;
    double value;
    if (c->field[i].length == 0) continue;
    if (!trmi_mesh_int(c->field[i], &node) || !trmi_mesh_int(c->field[i + 1], &direction) ||
        !trmi_bdf_number(c->field[i + 2], &value)) {
      return trmi_mesh_fail(&d->t, "DMIG '%.40s': this is not node, direction and value", d->name);
    }
    if (!trmi_matrix_place(&d->t, d->r, node, direction, &row) ||
        !trmi_matrix_add(d->r, row, d->column, value)) {
      return false;
    }
  }
  return true;
}

static bool read_card(reader *d, const trmi_bdf_card *c) {
  int node, direction;
  d->is_wanted = trmi_mesh_is(c->field[0], d->name);
  if (!d->is_wanted) return true;
  if (!trmi_mesh_int(c->field[1], &node)) {
    return trmi_mesh_fail(&d->t, "DMIG '%.40s': a column needs a node", d->name);
  }
  if (node == 0) {
    d->is_wanted = false;
    return read_head(d, c);
  }
  if (!trmi_mesh_int(c->field[2], &direction)) {
    return trmi_mesh_fail(&d->t, "DMIG '%.40s': a column needs a direction", d->name);
  }
  return trmi_matrix_place(&d->t, d->r, node, direction, &d->column) && read_groups(d, c, 1);
}

bool trmi_matrix_read_dmig(const char *text, size_t length, trmi_matrix_reading *r) {
  reader d = {.t = {.text = text, .end = text + length, .fault = r->fault}, .r = r};
  choose_name(&d, text, length);
  while (trmi_mesh_next(&d.t)) {
    trmi_bdf_card c = {.count = 0};
    trmi_bdf_strip(&d.t);
    if (d.t.length == 0) continue;
    const bool is_first = is_card(&d.t);
    trmi_bdf_take(&c, &d.t, is_first);
    if (is_first) {
      if (!read_card(&d, &c)) return false;
    } else if (!trmi_bdf_continues(&d.t)) {
      d.is_wanted = false;
    } else if (d.is_wanted && !read_groups(&d, &c, 0)) {
      return false;
    }
  }
  return true;
}
