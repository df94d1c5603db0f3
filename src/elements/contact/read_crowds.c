/* read_crowds.c - reads the two names of a contact: a body with all its shapes, one shape, a beam
 * or a group; and the crowd of shapes defined by groups.
 *
 * Members of groups are texts, "ball*" or "cup.wall", in which * matches any letters. */
#include "elements/contact/read_contacts.h"
#include "elements/contact/contact_features.h"
#include "elements/contact/profile_feet.h"
#include "math/so3.h"
#include "trammel/nearest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

/* Does a name fit a text with * in it? After a mismatch only the last * takes one letter more: the
 * work is the product of both lengths at most. */
static bool fits(const char *text, size_t length, const char *name) {
  const char *end = text + length, *star = NULL, *resumed = NULL;
  while (*name != '\0') {
    if (text < end && *text == '*') {
      star = ++text, resumed = name;
    } else if (text < end && *text == *name) {
      text++, name++;
    } else if (star != NULL) {
      text = star, name = ++resumed;
    } else {
      return false;
    }
  }
  while (text < end && *text == '*') text++;
  return text == end;
}

/* "body" or "body.shape" */
typedef struct wanted {
  const char *body, *shape; /* shape NULL: all of them */
  size_t      body_letters, shape_letters;
} wanted;

/* An interface is a body with a point in its name, "rod.tip". */
static wanted wanted_of(const trmi_mechanism *m, const trmi_text *text) {
  size_t letters = text->length;
  while (letters > 0 && text->text[letters - 1] != '.') letters--;
  if (letters == 0 || trmi_find_body(m, text->text, text->length) >= 0) {
    return (wanted){.body = text->text, .body_letters = text->length};
  }
  const char *dot = text->text + --letters;
  return (wanted){text->text, dot + 1, letters, text->length - letters - 1};
}

/* `shape` is NULL for the node of a beam, which goes by the name of the beam. */
static bool is_wanted(const wanted *w, const trmi_body *body, const trmi_part *shape) {
  const char *name = shape != NULL ? body->name : body->beam->def->key.name;
  const size_t all = w->shape != NULL ? w->body_letters + 1 + w->shape_letters : w->body_letters;
  if (body->flexible != NULL && fits(w->body, all, name)) return true; /* "rod.*" */
  if (!fits(w->body, w->body_letters, name)) return false;
  return w->shape == NULL || (shape != NULL && fits(w->shape, w->shape_letters, shape->key.name));
}

/* The next shape of a body, at first that after NULL. */
static const trmi_part *next_shape(const trmi_body *body, const trmi_part *last) {
  const trmi_part *of = body->shaped;
  const trmi_part *p = last != NULL ? last->next : of != NULL ? of->inner : NULL;
  while (p != NULL && p->kind->group != TRMI_SHAPES) p = p->next;
  return p;
}

/* ---- ends ----------------------------------------------------------------------------------- */

static const trmi_part *find_group(const trmi_mechanism *m, const trmi_text *text) {
  const trmi_parts *groups = &m->def->parts[TRMI_GROUPS];
  for (int i = 0; i < groups->count; i++) {
    const char *name = groups->list[i].key.name;
    if (strlen(name) == text->length && memcmp(name, text->text, text->length) == 0) {
      return &groups->list[i];
    }
  }
  return NULL;
}

/* Add the shapes named by one text to an end; returns their number. */
static int add_shapes(const trmi_mechanism *m, const wanted *w, trmi_contact_end *out) {
  int found = 0;
  for (int b = 0; b < m->nbodies; b++) {
    const trmi_body *body = &m->bodies[b];
    for (const trmi_part *p = next_shape(body, NULL); p != NULL; p = next_shape(body, p)) {
      bool is_known = false;
      if (!is_wanted(w, body, p)) continue;
      found++;
      for (int i = 0; i < out->count; i++) is_known = is_known || out->shapes[i] == p;
      if (is_known) continue;
      out->bodies[out->count] = b, out->shapes[out->count++] = p;
    }
  }
  for (int i = 0; i < m->nbeams; i++) {
    if (!is_wanted(w, &m->bodies[m->beams[i].first], NULL)) continue;
    trmi_contact_add_beam(&m->beams[i], out);
    found++;
  }
  return found;
}

static int count_shapes(const trmi_mechanism *m) {
  int count = 0;
  for (int b = 0; b < m->nbodies; b++) {
    for (const trmi_part *p = next_shape(&m->bodies[b], NULL); p != NULL;
         p = next_shape(&m->bodies[b], p)) {
      count++;
    }
  }
  for (int i = 0; i < m->nbeams; i++) count += m->beams[i].nnodes;
  return count;
}

static bool take_shapes(trmi_mechanism *m, trmi_contact_end *out) {
  const int count = count_shapes(m);
  out->bodies = TRMI_TAKE(m->arena, int, count);
  out->shapes = TRMI_TAKE(m->arena, const trmi_part *, count);
  return !m->arena->failed;
}

static void remove_shapes(const trmi_mechanism *m, const wanted *w, trmi_contact_end *out) {
  int kept = 0;
  for (int i = 0; i < out->count; i++) {
    if (is_wanted(w, &m->bodies[out->bodies[i]], out->shapes[i])) continue;
    out->bodies[kept] = out->bodies[i], out->shapes[kept++] = out->shapes[i];
  }
  out->count = kept;
}

static bool complain_group(trmi_mechanism *m, const trmi_part *group, const char *key,
                           const trmi_text *text) {
  trmi_complain(m->complaints, trmi_part_place(group, key),
                "group '%.60s': no body with a shape%s is called '%.*s'", group->key.name,
                m->nbeams > 0 ? " or beam" : "",
                text->length < 60 ? (int)text->length : 60, text->text);
  return false;
}

static bool read_group(trmi_mechanism *m, const trmi_part *group, trmi_contact_end *out) {
  const trmi_given *members = trmi_part_find(group, "members");
  const trmi_given *except = trmi_part_find(group, "except");
  if (members == NULL || !take_shapes(m, out)) return false;
  for (int i = 0; i < members->count; i++) {
    const wanted w = wanted_of(m, &members->texts[i]);
    if (add_shapes(m, &w, out) == 0) return complain_group(m, group, "members", &members->texts[i]);
  }
  for (int i = 0; except != NULL && i < except->count; i++) {
    const wanted w = wanted_of(m, &except->texts[i]);
    const int before = out->count;
    remove_shapes(m, &w, out);
    if (out->count == before) return complain_group(m, group, "except", &except->texts[i]);
  }
  if (out->count > 0) return true;
  trmi_complain(m->complaints, trmi_part_place(group, "except"),
                "group '%.60s': 'except' leaves nobody", group->key.name);
  return false;
}

static const char *body_name(const void *self, int i) {
  return ((const trmi_mechanism *)self)->bodies[i].name;
}

static bool complain_no_body(trmi_mechanism *m, const trmi_part *part, const wanted *w) {
  char sentence[300], name[64];
  snprintf(name, sizeof name, "%.*s", w->body_letters < 60 ? (int)w->body_letters : 60, w->body);
  const char *near = trm_nearest_close(name, m, m->nbodies, body_name);
  const bool is_near = near[0] != '\0';
  snprintf(sentence, sizeof sentence, "there is no body%s%s '%s'%s%.60s%s",
           w->shape == NULL && m->nbeams > 0 ? " or beam" : "",
           w->shape == NULL && m->def->parts[TRMI_GROUPS].count > 0 ? " or group" : "", name,
           is_near ? "; did you mean '" : "", near, is_near ? "'?" : "");
  return trmi_contact_complain(m, part, "between", sentence);
}

/* A body without the shape that is wanted, or without any; those that it has are listed. */
static bool complain_no_shape(trmi_mechanism *m, const trmi_part *part, const trmi_body *body,
                              const wanted *w) {
  char sentence[400];
  size_t used = (size_t)snprintf(sentence, sizeof sentence, "body '%.60s' has no shape",
                                 body->name);
  if (w->shape != NULL) {
    used += (size_t)snprintf(sentence + used, sizeof sentence - used, " '%.*s'",
                             w->shape_letters < 60 ? (int)w->shape_letters : 60, w->shape);
  }
  const char *before = "; it has ";
  for (const trmi_part *p = next_shape(body, NULL); p != NULL; p = next_shape(body, p)) {
    if (used + 80 > sizeof sentence) break;
    used += (size_t)snprintf(sentence + used, sizeof sentence - used, "%s'%.60s'", before,
                             p->key.name);
    before = ", ";
  }
  return trmi_contact_complain(m, part, "between", sentence);
}

bool trmi_contact_read_end(trmi_mechanism *m, const trmi_part *part, const trmi_text *text,
                           trmi_contact_end *out) {
  const trmi_part *group = find_group(m, text);
  const wanted w = wanted_of(m, text);
  *out = (trmi_contact_end){.text = text, .is_group = group != NULL};
  if (group != NULL) return read_group(m, group, out);
  const trmi_beam_part *beam = trmi_find_beam(m, text->text, text->length);
  const int body = trmi_find_body(m, w.body, w.body_letters);
  if (body < 0 && beam != NULL) {
    out->is_group = true;
    if (!take_shapes(m, out)) return false;
    trmi_contact_add_beam(beam, out);
    return true;
  }
  if (body < 0) return complain_no_body(m, part, &w);
  if (!take_shapes(m, out)) return false;
  for (const trmi_part *p = next_shape(&m->bodies[body], NULL); p != NULL;
       p = next_shape(&m->bodies[body], p)) {
    const bool is_other = w.shape != NULL && (strlen(p->key.name) != w.shape_letters ||
                                              memcmp(p->key.name, w.shape, w.shape_letters) != 0);
    if (is_other) continue;
    out->bodies[out->count] = body, out->shapes[out->count++] = p;
  }
  if (out->count > 0) return true;
  return complain_no_shape(m, part, &m->bodies[body], &w);
}

/* Its position at the start; nodes of beams rotate during bending. */
static void place_at_start(const trmi_mechanism *m, const trmi_part *part,
                           const trmi_contact_end *end, int i, trmi_contact_shape *s) {
  const trmi_body *body = &m->bodies[end->bodies[i]];
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  trmi_vec3 x = v3(0, 0, 0);
  if (body->kind != TRMI_CARRIER_GROUND) x = v3_load(body->q0);
  if (body->kind == TRMI_CARRIER_BODY) trmi_quat_matrix(body->q0 + 3, R);
  s->middle = v3_add(x, m3_mul(R, s->o));
  s->axis = m3_mul(R, m3_row(s->E, 2));
  s->is_free = body->beam != NULL || trmi_part_choice(part, "pins") == 1;
}

/* A body that cannot rotate must have its shapes at its origin. */
bool trmi_contact_read_shape(trmi_mechanism *m, const trmi_part *part, const trmi_contact_end *end,
                             int i, trmi_contact_shape *out) {
  char fault[TRMI_SHAPE_FAULT];
  if (end->shapes[i] == NULL) {
    if (!trmi_contact_read_node(m, part, end->bodies[i], out)) return false;
    place_at_start(m, part, end, i, out);
    return true;
  }
  if (!trmi_contact_shape_read(m, end->shapes[i], out, fault)) {
    return m->kept->failed ? false : trmi_contact_complain(m, part, "between", fault);
  }
  out->name = m->bodies[end->bodies[i]].name;
  place_at_start(m, part, end, i, out);
  const bool is_point = m->bodies[end->bodies[i]].kind == TRMI_CARRIER_POINT;
  if (!is_point || v3_norm(out->o) == 0.0) return true;
  return trmi_contact_complain(m, part, "between",
                               "the shape of a point mass has its middle there");
}

/* A cylinder that is not along a profile. */
static bool complain_tilted(trmi_mechanism *m, const trmi_part *part, const trmi_contact_shape *pin,
                            const trmi_contact_shape *profile) {
  const trmi_vec3 a = pin->axis, b = profile->axis;
  const double tilt = atan2(v3_norm(v3_cross(a, b)), fabs(v3_dot(a, b)));
  char sentence[400];
  snprintf(sentence, sizeof sentence, "the cylinder of '%.60s' is not known to stay along the "
           "profile of '%.60s', it lies %.3g deg against its axis: it needs a 'rounding' and a "
           "profile without hollow arcs, or make it a capsule", pin->name, profile->name,
           tilt * 180.0 / 3.14159265358979323846);
  return trmi_contact_complain(m, part, "between", sentence);
}

/* NULL: edges of both have no radius. */
static const char *sentence_of_profile(const trmi_contact_shape *a, const trmi_contact_shape *b) {
  const trmi_contact_shape *const pair[2] = {a, b};
  bool are_sharp = false;
  if (trmi_features_are_single(pair)) (void)trmi_features_fit(pair, &are_sharp);
  if (are_sharp) return NULL;
  if (trmi_features_are_single(pair) || trmi_contact_shape_is_pin(a) ||
      trmi_contact_shape_is_pin(b)) {
    return "the radius of the other shape exceeds that of a hollow arc of the profile, where two "
           "sides would touch";
  }
  return "a profile touches all shapes but tori and other profiles";
}

static const char *sentence_of(const trmi_contact_shape *a, const trmi_contact_shape *b) {
  const bool has_profile = a->core.kind == TRMI_CORE_PROFILE || b->core.kind == TRMI_CORE_PROFILE;
  const bool has_terrain = a->core.kind == TRMI_CORE_TERRAIN || b->core.kind == TRMI_CORE_TERRAIN;
  if (a->core.kind == TRMI_CORE_PLANE && b->core.kind == TRMI_CORE_PLANE) {
    return "two planes do not touch in points";
  }
  if (trmi_contact_shape_is_endless(a) && trmi_contact_shape_is_endless(b)) {
    return "a terrain does not touch a plane or a terrain in points: both are endless";
  }
  if (has_profile && !has_terrain) return sentence_of_profile(a, b);
  if (has_terrain) {
    return "the radius of a shape exceeds that of a hollow of the terrain, where it would touch "
           "twice";
  }
  if (a->core.kind == TRMI_CORE_BOX && b->core.kind == TRMI_CORE_BOX) {
    return "two boxes with sharp edges cannot touch: give one of them a 'rounding'";
  }
  return NULL;
}

bool trmi_contact_complain_pair(trmi_mechanism *m, const trmi_part *part,
                                const trmi_contact_shape *a, const trmi_contact_shape *b) {
  const char *known = sentence_of(a, b);
  char sentence[280];
  if (a->core.kind == TRMI_CORE_CYLINDER && trmi_profile_meets(b, a)) {
    return complain_tilted(m, part, a, b);
  }
  if (b->core.kind == TRMI_CORE_CYLINDER && trmi_profile_meets(a, b)) {
    return complain_tilted(m, part, b, a);
  }
  if (known != NULL) return trmi_contact_complain(m, part, "between", known);
  snprintf(sentence, sizeof sentence, "'%.60s' and '%.60s' have edges without a radius, where "
           "normals jump: give one of them a 'radius', or a box or cylinder a 'rounding'", a->name,
           b->name);
  return trmi_contact_complain(m, part, "between", sentence);
}

/* ---- crowds --------------------------------------------------------------------------------- */

/* All shapes of both ends, each once. */
static bool read_items(trmi_mechanism *m, const trmi_part *part, const trmi_contact_end ends[2],
                       trmi_contact_crowd *crowd) {
  crowd->items = TRMI_TAKE(m->arena, trmi_contact_item, ends[0].count + ends[1].count);
  if (crowd->items == NULL) return false;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < ends[k].count; i++) {
      bool is_known = false;
      for (int j = 0; j < ends[0].count && k == 1 && !is_known; j++) {
        is_known = ends[0].shapes[j] == ends[1].shapes[i] && ends[0].bodies[j] == ends[1].bodies[i];
        if (is_known) crowd->items[j].sides |= 2;
      }
      if (is_known) continue;
      trmi_contact_item *item = &crowd->items[crowd->nitems++];
      *item = (trmi_contact_item){.name = m->bodies[ends[k].bodies[i]].name,
                                  .carrier = ends[k].bodies[i], .sides = k == 0 ? 1 : 2};
      if (!trmi_contact_read_shape(m, part, &ends[k], i, &item->shape)) return false;
      item->reach = trmi_contact_shape_reach(&item->shape);
    }
  }
  return true;
}

static void add_apart(trmi_mechanism *m, trmi_contact_crowd *crowd, int a, int b, int *room) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  for (int k = 0; k < crowd->napart; k++) {
    if (crowd->apart[k].low == low && crowd->apart[k].high == high) return;
  }
  if (crowd->napart == *room) {
    trmi_carrier_pair *more = TRMI_TAKE(m->arena, trmi_carrier_pair, 2 * *room + 16);
    if (more == NULL) return;
    if (*room > 0) memcpy(more, crowd->apart, (size_t)*room * sizeof *more);
    crowd->apart = more;
    *room = 2 * *room + 16;
  }
  crowd->apart[crowd->napart++] = (trmi_carrier_pair){low, high};
}

/* "arm hand": two names with a blank between them. */
static bool read_exception(trmi_mechanism *m, const trmi_part *part, const trmi_text *text,
                           trmi_contact_crowd *crowd, int *room) {
  const char *blank = memchr(text->text, ' ', text->length);
  const size_t letters = blank != NULL ? (size_t)(blank - text->text) : 0;
  bool is_any = false;
  for (int i = 0; i < crowd->nitems && blank != NULL; i++) {
    const trmi_contact_item *A = &crowd->items[i];
    if (!fits(text->text, letters, A->name)) continue;
    for (int k = 0; k < crowd->nitems; k++) {
      const trmi_contact_item *B = &crowd->items[k];
      const bool is_meant = fits(blank + 1, text->length - letters - 1, B->name);
      if (!is_meant || A->carrier == B->carrier) continue;
      add_apart(m, crowd, A->carrier, B->carrier, room);
      is_any = true;
    }
  }
  char sentence[200];
  if (is_any) return true;
  snprintf(sentence, sizeof sentence, "'%.*s' names no two of its bodies: an exception is two "
           "names with a blank between them", text->length < 60 ? (int)text->length : 60,
           text->text);
  return trmi_contact_complain(m, part, "except", sentence);
}

static bool read_apart(trmi_mechanism *m, const trmi_part *part, bool has_group,
                       trmi_contact_crowd *crowd) {
  const trmi_given *except = trmi_part_find(part, "except");
  const bool skips_joined = has_group && trmi_part_choice(part, "joined") == 0;
  int room = 0;
  for (int i = 0; i < m->njoints && skips_joined; i++) {
    const trmi_joint *j = &m->joints[i];
    if (j->A.body != j->B.body) add_apart(m, crowd, j->A.body, j->B.body, &room);
  }
  for (int i = 0; except != NULL && i < except->count; i++) {
    if (!read_exception(m, part, &except->texts[i], crowd, &room)) return false;
  }
  for (int i = 0; i < crowd->nitems; i++) {
    const trmi_contact_item *A = &crowd->items[i];
    for (int k = i + 1; k < crowd->nitems; k++) {
      const trmi_contact_item *B = &crowd->items[k];
      if (!trmi_contact_are_neighbours(m, A->carrier, B->carrier)) break;
      add_apart(m, crowd, A->carrier, B->carrier, &room);
    }
    for (int k = i + 1; k < crowd->nitems && has_group; k++) {
      const int a = crowd->items[i].carrier, b = crowd->items[k].carrier;
      const trmi_flexible_part *body = m->bodies[a].flexible; /* interfaces of one body */
      if (body != NULL && a != b && m->bodies[b].flexible == body) {
        add_apart(m, crowd, a, b, &room);
      }
    }
  }
  return !m->arena->failed;
}

/* Maximum number of contact points of two items; 0: they cannot touch, which is reported unless
 * they are excluded. */
static bool count_points(trmi_mechanism *m, const trmi_part *part, const trmi_contact_crowd *crowd,
                         const trmi_contact_item *A, const trmi_contact_item *B, int *count) {
  const trmi_contact_shape *const pair[2] = {&A->shape, &B->shape};
  const int bodies[2] = {0, 0};
  trmi_touch_point points[TRMI_PAIR_POINTS];
  bool are_sharp;
  *count = trmi_features_are_single(pair) ? trmi_features_fit(pair, &are_sharp)
                                          : trmi_contact_shape_points(pair, bodies, points);
  const bool are_planes = pair[0]->core.kind == TRMI_CORE_PLANE &&
                          pair[1]->core.kind == TRMI_CORE_PLANE;
  if (*count > 0 || are_planes) return true;
  if (trmi_contact_are_apart(crowd, A->carrier, B->carrier)) return true;
  return trmi_contact_complain_pair(m, part, pair[0], pair[1]);
}

/* Every shape of one end must be able to touch every shape of the other: two sharp boxes are not,
 * even if other boxes of the group are rounded. */
static bool read_width(trmi_mechanism *m, const trmi_part *part, const trmi_contact_crowd *crowd,
                       int *width) {
  bool is_any = false;
  for (int i = 0; i < crowd->nitems; i++) {
    for (int k = 0; k < crowd->nitems; k++) {
      const trmi_contact_item *A = &crowd->items[i], *B = &crowd->items[k];
      int count;
      if ((A->sides & 1) == 0 || (B->sides & 2) == 0 || A->carrier == B->carrier) continue;
      if (!count_points(m, part, crowd, A, B, &count)) return false;
      *width = count > *width ? count : *width;
      is_any = is_any || count > 0;
    }
  }
  if (is_any) return true;
  return trmi_contact_complain(m, part, "between", "it has no two bodies that touch each other");
}

/* Columns of all bodies with shapes, in the order of the bodies. */
static bool number_columns(trmi_mechanism *m, trmi_contact_crowd *crowd) {
  crowd->columns = TRMI_TAKE(m->arena, int, m->nbodies);
  if (crowd->columns == NULL) return false;
  crowd->nbodies = m->nbodies;
  for (int b = 0; b < m->nbodies; b++) crowd->columns[b] = -1;
  for (int i = 0; i < crowd->nitems; i++) crowd->columns[crowd->items[i].carrier] = 0;
  for (int b = 0; b < m->nbodies; b++) {
    if (crowd->columns[b] < 0) continue;
    crowd->columns[b] = crowd->ncolumns;
    crowd->ncolumns += trmi_body_columns(&m->bodies[b], TRMI_IN_Q, NULL);
  }
  return true;
}

/* Corners of surfaces that may touch, and pairs of edges. */
static double count_single(const trmi_contact_crowd *crowd) {
  double count = 0.0;
  for (int i = 0; i < crowd->nitems; i++) {
    const trmi_contact_item *A = &crowd->items[i];
    for (int k = 0; k < crowd->nitems && (A->sides & 1) != 0; k++) {
      const trmi_contact_item *B = &crowd->items[k];
      const trmi_contact_shape *const pair[2] = {&A->shape, &B->shape};
      if ((B->sides & 2) == 0 || A->carrier == B->carrier) continue;
      if (trmi_features_are_single(pair)) count += trmi_features_count(pair);
    }
  }
  return count;
}

bool trmi_contact_read_crowd(trmi_mechanism *m, const trmi_part *part,
                             const trmi_contact_end ends[2], trmi_contact *c) {
  trmi_contact_crowd *crowd = TRMI_TAKE(m->arena, trmi_contact_crowd, 1);
  if (crowd == NULL || !read_items(m, part, ends, crowd)) return false;
  const bool has_group = ends[0].is_group || ends[1].is_group;
  if (!read_apart(m, part, has_group, crowd)) return false;
  if (!read_width(m, part, crowd, &c->npoints)) return false;
  if (!number_columns(m, crowd)) return false;
  const bool is_own = crowd->items[0].sides == 3 && ends[0].count == ends[1].count;
  const double n = ends[0].count, all = is_own ? 0.5 * n * (n - 1.0) : n * ends[1].count;
  const double single = count_single(crowd);
  const double usual = fmax(fmin(all, 16.0 + 8.0 * crowd->nitems), 1.0) + fmin(single, 64.0);
  crowd->places = (int)trmi_part_number_or(part, "places", usual);
  c->crowd = crowd;
  return true;
}
