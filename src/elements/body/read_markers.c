/* read_markers.c - frames on bodies, by name or from points and directions in ground axes. */
#include "trammel/nearest.h"
#include "math/so3.h"
#include "elements/elements.h"
#include "expr/lexer.h"
#include <stdio.h>
#include <string.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

bool trmi_axes_from(trmi_vec3 z, const trmi_vec3 *x, double E[9]) {
  const double length = v3_norm(z);
  if (!(length > 0.0)) return false;
  const trmi_vec3 e_z = v3_scale(1.0 / length, z);
  trmi_vec3 e_x;
  if (x == NULL) { /* the ground axis most nearly perpendicular to z; the first one if equal */
    const double a = fabs(e_z.x), b = fabs(e_z.y), c = fabs(e_z.z);
    e_x = a <= b && a <= c ? v3(1, 0, 0) : b <= c ? v3(0, 1, 0) : v3(0, 0, 1);
  } else {
    e_x = *x;
  }
  const double before = v3_norm(e_x);
  e_x = v3_sub(e_x, v3_scale(v3_dot(e_x, e_z), e_z));
  const double after = v3_norm(e_x);
  if (!(after > 1e-8 * before)) return false;
  e_x = v3_scale(1.0 / after, e_x);
  v3_store(E, e_x);
  v3_store(E + 3, v3_cross(e_z, e_x));
  v3_store(E + 6, e_z);
  return true;
}

trmi_marker trmi_place_marker(const trmi_mechanism *m, int body, trmi_vec3 x, const double E[9]) {
  const trmi_body *b = &m->bodies[body];
  trmi_marker marker = {.body = body};
  double R[9];
  trmi_quat_matrix(b->q0 + 3, R);
  marker.s = m3_tmul(R, v3_sub(x, v3_load(b->q0)));
  for (int k = 0; k < 3; k++) v3_store(marker.E + 3 * k, m3_tmul(R, m3_row(E, k)));
  return marker;
}

void trmi_marker_at_start(const trmi_mechanism *m, const trmi_marker *marker, trmi_vec3 *x,
                          double E[9]) {
  const trmi_body *body = &m->bodies[marker->body];
  double R[9];
  trmi_quat_matrix(body->q0 + 3, R);
  *x = v3_add(v3_load(body->q0), m3_mul(R, marker->s));
  for (int k = 0; k < 3; k++) v3_store(E + 3 * k, m3_mul(R, m3_row(marker->E, k)));
}

/* ---- by name ------------------------------------------------------------------------------ */

/* "crank.end" */
static const char *join(trmi_arena *arena, const char *body, const char *name) {
  const size_t size = strlen(body) + strlen(name) + 2;
  char *text = TRMI_TAKE(arena, char, size);
  if (text != NULL) snprintf(text, size, "%s.%s", body, name);
  return text;
}

static void read_marker(trmi_mechanism *m, int body, const trmi_part *part) {
  const trmi_body *b = &m->bodies[body];
  trmi_marker *marker = &m->markers[m->nmarkers];
  *marker = (trmi_marker){.name = join(m->arena, b->name, part->key.name), .body = body};
  if (marker->name == NULL) return;
  double s[3] = {0.0, 0.0, 0.0}, p[4], R[9];
  trmi_part_numbers(part, "at", 3, s);
  trmi_read_orientation(m, part, p);
  trmi_quat_matrix(p, R);
  marker->s = v3_load(s);
  for (int k = 0; k < 3; k++) v3_store(marker->E + 3 * k, m3_column(R, k));
  if (b->kind == TRMI_CARRIER_POINT) {
    trmi_complain(m->complaints, trmi_part_place(part, "at"), "'%.60s' is a point: it carries "
                  "no further markers", b->name);
  }
  trmi_index_add(&m->marker_names, m->arena, marker->name, strlen(marker->name), m->nmarkers);
  m->nmarkers++;
}

/* Read the markers of a body; with `counts` only count them. */
static int read_markers(trmi_mechanism *m, int body, bool counts) {
  const trmi_part *part = m->bodies[body].def;
  int count = 0;
  for (const trmi_part *inner = part != NULL ? part->inner : NULL; inner != NULL;
       inner = inner->next) {
    if (inner->kind->group != TRMI_MARKERS) continue;
    if (!counts) read_marker(m, body, inner);
    count++;
  }
  return count;
}

void trmi_read_markers(trmi_mechanism *m) {
  int most = 0;
  for (int i = 0; i < m->nbodies; i++) most += read_markers(m, i, true);
  m->markers = TRMI_TAKE(m->arena, trmi_marker, most);
  if (m->markers == NULL) return;
  for (int i = 0; i < m->nbodies; i++) (void)read_markers(m, i, false);
}

const trmi_marker *trmi_find_marker(const trmi_mechanism *m, const char *name, size_t length,
                                    trmi_marker *made) {
  const int marker = trmi_index_find(&m->marker_names, name, length);
  if (marker >= 0) return &m->markers[marker];
  const int body = trmi_find_body(m, name, length);
  if (body < 0) return NULL;
  *made = (trmi_marker){.name = m->bodies[body].name, .body = body};
  memcpy(made->E, identity, sizeof identity);
  return made;
}

static const char *known_marker(const void *self, int i) {
  const trmi_mechanism *m = self;
  if (i < m->nbodies) return m->bodies[i].name;
  i -= m->nbodies;
  return i < m->nmarkers ? m->markers[i].name : NULL;
}

/* For "rod.end" of a beam "rod": a complaint that lists its nodes. False: not such a name. */
static bool complain_node(trmi_mechanism *m, const trmi_text *name) {
  const char *dot = memchr(name->text, '.', name->length);
  const size_t length = dot != NULL ? (size_t)(dot - name->text) : 0;
  for (int i = 0; i < m->nbeams && length > 0; i++) {
    const char *key = m->beams[i].def->key.name;
    if (strlen(key) != length || memcmp(key, name->text, length) != 0) continue;
    trmi_complain(m->complaints, trmi_text_place(name, 0), "beam '%.40s' has no node '%.40s': its "
                  "nodes are %.40s.first, %.40s.last and %.40s.1 to %.40s.%d", key, dot + 1, key,
                  key, key, key, m->beams[i].nnodes);
    return true;
  }
  return false;
}

/* Is it a frame on a flexible body that could not be built? This was already reported. */
static bool is_missed(const trmi_mechanism *m, const trmi_text *name) {
  const trmi_parts *parts = &m->def->parts[TRMI_FLEXIBLE];
  for (int i = 0; i < parts->count && m->nflexible < parts->count; i++) {
    const size_t length = strlen(parts->list[i].key.name);
    if (m->complaints->count > 0 && name->length > length && name->text[length] == '.' &&
        memcmp(name->text, parts->list[i].key.name, length) == 0) {
      return true;
    }
  }
  return false;
}

bool trmi_need_marker(trmi_mechanism *m, const trmi_text *name, trmi_marker *out) {
  const trmi_marker *found = trmi_find_marker(m, name->text, name->length, out);
  if (found != NULL) {
    const trmi_marker copy = *found;
    *out = copy;
    return true;
  }
  if (is_missed(m, name) || complain_node(m, name)) return false;
  const char *near = trm_nearest_close(name->text, m, m->nbodies + m->nmarkers, known_marker);
  static const char fixed[] = "|world|base|earth|inertial|fixed|World|Base|environment|none|";
  char word[32];
  snprintf(word, sizeof word, "|%.24s|", name->text);
  if (near[0] == '\0' && strstr(fixed, word) != NULL) near = "ground";
  const bool is_near = near[0] != '\0';
  trmi_complain(m->complaints, trmi_text_place(name, 0),
                "there is no body or marker '%.60s'%s%s%.60s%s", name->text,
                trmi_odd_quotes(name->text), is_near ? "; did you mean '" : "", near,
                is_near ? "'?" : "");
  return false;
}

/* Allows rounding of positions of this size. */
bool trmi_check_point(trmi_mechanism *m, const trmi_part *part, const trmi_marker *marker) {
  const trmi_body *body = &m->bodies[marker->body];
  const double *x = body->q0;
  if (body->kind != TRMI_CARRIER_POINT) return true;
  if (v3_norm(marker->s) <= 1e-9 * (v3_norm(marker->s) + v3_norm(v3_load(x)))) return true;
  trmi_complain(m->complaints, part->key.place, "%s '%.60s': '%.60s' is a point at [%g, %g, "
                "%g] at the start, and nothing else belongs to it: put this end there",
                trmi_part_group_word(part->kind->group), part->key.name, body->name, x[0], x[1],
                x[2]);
  return false;
}

/* ---- ends of joints and forces -------------------------------------------------------------- */

static bool complain_end(trmi_mechanism *m, const trmi_part *part, const char *path,
                         const char *sentence) {
  trmi_complain(m->complaints, trmi_part_place(part, path), "%s '%.60s': %s",
                trmi_part_group_word(part->kind->group), part->key.name, sentence);
  return false;
}

/* Has an end a place of its own: a marker, a point, a node of a beam, an interface? */
static bool has_place(const trmi_mechanism *m, const trmi_marker *end) {
  const trmi_body *body = &m->bodies[end->body];
  return end->name != body->name || body->kind == TRMI_CARRIER_POINT || body->beam != NULL ||
         body->flexible != NULL;
}

/* The point 'at', else that of the end that has a place, else the origin of the second body. */
static bool read_place(trmi_mechanism *m, const trmi_part *part, const trmi_marker *A,
                       const trmi_marker *B, double at[3]) {
  if (trmi_part_find(part, "at") != NULL) return trmi_part_numbers(part, "at", 3, at);
  memcpy(at, m->bodies[B->body].q0, 3 * sizeof *at);
  if (part->kind->group == TRMI_JOINTS &&
      trmi_word_find("fixed|orientation", part->kind->type) >= 0) {
    return true;
  }
  const bool has_A = has_place(m, A), has_B = has_place(m, B);
  if (!has_A && !has_B) {
    return complain_end(m, part, "bodies", "with bodies the point 'at' is needed");
  }
  trmi_vec3 x[2];
  double E[9];
  trmi_marker_at_start(m, A, &x[0], E);
  trmi_marker_at_start(m, B, &x[1], E);
  v3_store(at, x[has_B ? 1 : 0]);
  /* places from the text of a mesh have six digits or more */
  const double apart = v3_norm(v3_sub(x[1], x[0])), size = v3_norm(x[0]) + v3_norm(x[1]);
  if (has_A && has_B && apart > 1e-6 * size + 1e-9 / m->def->units.length) {
    trmi_complain(m->complaints, trmi_part_place(part, "bodies"), "the two ends of %s '%.60s' are "
                  "%.3g apart: the point 'at' is needed",
                  trmi_part_group_word(part->kind->group), part->key.name, apart);
    return false;
  }
  return true;
}

static bool read_ends_by_bodies(trmi_mechanism *m, const trmi_part *part,
                                const trmi_text *names, bool needs_axis, trmi_marker *A,
                                trmi_marker *B) {
  double at[3], axis[3], x[3], E[9];
  if (!trmi_need_marker(m, &names[0], A) || !trmi_need_marker(m, &names[1], B)) return false;
  if (!read_place(m, part, A, B, at)) return false;
  memcpy(E, identity, sizeof E);
  if (trmi_part_find(part, "axis") != NULL) {
    const bool has_x = trmi_part_find(part, "x") != NULL;
    if (!trmi_part_numbers(part, "axis", 3, axis)) return false;
    if (has_x && !trmi_part_numbers(part, "x", 3, x)) return false;
    const trmi_vec3 e_x = has_x ? v3_load(x) : v3(0, 0, 0);
    if (!trmi_axes_from(v3_load(axis), has_x ? &e_x : NULL, E)) {
      return complain_end(m, part, "axis", has_x ? "the axis is zero, or x is parallel to it"
                                                 : "the axis is zero");
    }
  } else if (needs_axis) {
    return complain_end(m, part, "bodies", "with bodies an 'axis' is needed");
  }
  *A = trmi_place_marker(m, A->body, v3_load(at), E);
  *B = trmi_place_marker(m, B->body, v3_load(at), E);
  return true;
}

bool trmi_read_ends(trmi_mechanism *m, const trmi_part *part, bool needs_axis, trmi_marker *A,
                    trmi_marker *B) {
  const bool by_markers = trmi_part_find(part, "markers") != NULL;
  const char *path = by_markers ? "markers" : "bodies";
  if (by_markers == (trmi_part_find(part, "bodies") != NULL)) {
    return complain_end(m, part, path, by_markers ? "it has bodies and markers: give one of them"
                                                  : "it needs 'bodies' or 'markers'");
  }
  const trmi_text *names = trmi_part_texts(part, path);
  if (names == NULL) return false;
  const bool is_good = by_markers ? trmi_need_marker(m, &names[0], A) &&
                                        trmi_need_marker(m, &names[1], B)
                                  : read_ends_by_bodies(m, part, names, needs_axis, A, B);
  if (is_good && A->body == B->body) {
    return complain_end(m, part, path, "both ends are on the same body");
  }
  return is_good;
}
