/* coupled.c - rows that couple coordinates of joints: screw, gear, rack, coupler.
 *
 * With coordinates c_i (angles over full turns, displacements) and factors r_i
 *   g = sum r_i c_i - k,   k = its value at the given start                            (1)
 *   screw    s - pitch phi/(2 pi)       of one joint
 *   gear     c_1 - ratio c_2
 *   rack     s_1 - radius phi_2
 *   coupler  sum ratios_i/ratios_1 c_i                                                  (2)
 * k is a memory: a constant determined by the start. All have the factor one at the first
 * coordinate, so that the multiplier is the load on it. */
#include "elements/elements.h"
#include <string.h>

enum { MOST = 3 };

/* Coordinates and their factors. */
typedef struct sum {
  trmi_joint *joint[MOST];
  int         coordinate[MOST];
  trmi_node   factor[MOST];
  int         count;
} sum;

/* (1); the scale of the row is that of its first coordinate */
static void hold_sum(trmi_mechanism *m, trmi_joint *j, const sum *s) {
  trmi_graph *g = &m->b->graph;
  const int row = m->extension.add.native_rows + j->node_row;
  const bool is_angle = trmi_joint_turns(s->joint[0], s->coordinate[0]);
  trmi_node total = 0;
  if (s->joint[0]->type->coordinates[s->coordinate[0]].kind != TRMI_OWN) {
    j->load_unit = trmi_unit_dimension(is_angle ? "N*m" : "N");
  }
  for (int i = 0; i < s->count; i++) {
    const trmi_node c = trmi_joint_coordinate(m, s->joint[i], s->coordinate[i]);
    total = trmi_add(g, total, trmi_mul(g, s->factor[i], c));
  }
  const trmi_node start = trmi_input_node(m->b, TRMI_IN_MEMORY, j->memory);
  trmi_add_entry(m->b, TRMI_RESULT_MEMORY, j->memory, 0, total);
  m->b->g[row] = trmi_sub(g, total, start);
  m->b->dimension = trmi_unit_dimension(is_angle ? "1" : "m");
  trmi_scale_row(m->b, TRM_LAM, row);
}

bool trmi_check_screw(trmi_mechanism *m, trmi_joint *j) {
  const double pitch = trmi_part_number(j->def, "pitch");
  if (pitch < 0.0 || pitch > 0.0) return true;
  trmi_complain(m->complaints, trmi_part_place(j->def, "pitch"), "joint '%.60s': a screw needs a "
                "'pitch' that is not zero, the displacement in one turn", j->def->key.name);
  return false;
}

void trmi_build_screw(trmi_mechanism *m, trmi_joint *j) {
  static const double memory = 6.28318530717958647693;
  trmi_graph *g = &m->b->graph;
  const trmi_node pitch = trmi_part_node(m, j->def, "pitch", 0.0);
  const trmi_node minus = trmi_div(g, trmi_neg(g, pitch), trmi_constant(g, memory));
  hold_sum(m, j, &(sum){.joint = {j, j},
                        .coordinate = {trmi_coordinate_named(j->type, "displacement"),
                                       trmi_coordinate_named(j->type, "angle")},
                        .factor = {trmi_constant(g, 1.0), minus}, .count = 2});
}

/* ---- between joints ------------------------------------------------------------------------- */

/* The joints of the key; `least` to `most` of them, each once. False after a complaint. */
static bool read_joints(trmi_mechanism *m, const trmi_joint *j, int least, int most, sum *s) {
  const trmi_given *names = trmi_part_find(j->def, "joints");
  if (names == NULL || names->count < least || names->count > most) {
    trmi_complain(m->complaints, trmi_part_place(j->def, "joints"), "%s '%.60s' needs %s 'joints'",
                  j->type->name, j->def->key.name, most == 2 ? "two" : "two or three");
    return false;
  }
  s->count = names->count;
  for (int i = 0; i < s->count; i++) {
    s->joint[i] = trmi_need_joint(m, &names->texts[i]);
    if (s->joint[i] == NULL) return false;
    for (int k = 0; k < i; k++) {
      if (s->joint[k] != s->joint[i]) continue;
      trmi_complain(m->complaints, names->place, "%s '%.60s': joint '%.60s' is named twice",
                    j->type->name, j->def->key.name, s->joint[i]->def->key.name);
      return false;
    }
  }
  return true;
}

/* The coordinate of each joint; `prefers_angle` if it has both and none is named. */
static bool read_coordinates(trmi_mechanism *m, const trmi_joint *j, bool prefers_angle, sum *s) {
  const trmi_given *words = trmi_part_find(j->def, "coordinates");
  if (words != NULL && words->count != s->count) {
    trmi_complain(m->complaints, words->place, "%s '%.60s': %d coordinates for %d joints",
                  j->type->name, j->def->key.name, words->count, s->count);
    return false;
  }
  for (int i = 0; i < s->count; i++) {
    const bool has_angle = trmi_coordinate_named(s->joint[i]->type, "angle") >= 0;
    const char *word = words != NULL ? words->texts[i].text
                       : prefers_angle && has_angle ? "angle"
                                                    : NULL;
    const trmi_place place = trmi_part_place(j->def, words != NULL ? "coordinates" : "joints");
    if (!trmi_choose_coordinate(m, j->def, s->joint[i], word, place, &s->coordinate[i])) {
      return false;
    }
  }
  return true;
}

static bool need_factor(trmi_mechanism *m, const trmi_joint *j, const char *path,
                        trmi_node factor) {
  if (factor != 0) return true;
  trmi_complain(m->complaints, trmi_part_place(j->def, path), "%s '%.60s' needs a '%s' that is not "
                "zero", j->type->name, j->def->key.name, path);
  return false;
}

/* Of a coordinate; not known of one that a joint brings. */
static trmi_dimension dimension_of(const sum *s, int i) {
  const trmi_joint *j = s->joint[i];
  if (j->type->coordinates[s->coordinate[i]].kind == TRMI_OWN) return trmi_unit_dimension(NULL);
  return trmi_unit_dimension(trmi_joint_turns(j, s->coordinate[i]) ? "1" : "m");
}

/* Do units of ratios, where they have some, fit the coordinates? Those of `key` are factors from
 * number `first` on; a factor that is not among them is one. */
static bool check_ratios(trmi_mechanism *m, const trmi_joint *j, const sum *s, const char *key,
                         int first) {
  const trmi_given *given = trmi_part_find(j->def, key);
  const int before = m->complaints->count;
  trmi_dimension total = trmi_unit_dimension(NULL);
  bool is_good = true;
  for (int i = 0; i < s->count && given->texts != NULL && !m->is_renewed && is_good; i++) {
    trmi_dimension is = trmi_unit_dimension("1"), should = {0};
    double number;
    if (i >= first && !trmi_parameters_value(m->parameters, &given->texts[i - first], &number, &is))
      return false;
    if (i == 0) {
      if (!is.is_known) is = trmi_unit_dimension("1");
      total = trmi_dimension_product(is, dimension_of(s, 0), 1);
      continue;
    }
    should = trmi_dimension_product(total, dimension_of(s, i), -1);
    is_good = trmi_check_dimension(m->complaints, &m->def->units, &given->texts[i - first], is,
                                   should);
  }
  trmi_complaints_name(m->complaints, before, "joint", j->def->key.name);
  return is_good;
}

void trmi_build_gear(trmi_mechanism *m, trmi_joint *j) {
  trmi_graph *g = &m->b->graph;
  sum s = {.factor = {trmi_constant(g, 1.0)}};
  if (!read_joints(m, j, 2, 2, &s) || !read_coordinates(m, j, true, &s)) return;
  s.factor[1] = trmi_neg(g, trmi_part_node(m, j->def, "ratio", 0.0));
  if (!need_factor(m, j, "ratio", s.factor[1]) || !check_ratios(m, j, &s, "ratio", 1)) return;
  hold_sum(m, j, &s);
}

void trmi_build_rack(trmi_mechanism *m, trmi_joint *j) {
  trmi_graph *g = &m->b->graph;
  sum s = {.factor = {trmi_constant(g, 1.0)}};
  if (!read_joints(m, j, 2, 2, &s)) return;
  const trmi_place place = trmi_part_place(j->def, "joints");
  if (!trmi_choose_coordinate(m, j->def, s.joint[0], "displacement", place, &s.coordinate[0]) ||
      !trmi_choose_coordinate(m, j->def, s.joint[1], "angle", place, &s.coordinate[1])) {
    return;
  }
  s.factor[1] = trmi_neg(g, trmi_part_node(m, j->def, "radius", 0.0));
  if (need_factor(m, j, "radius", s.factor[1])) hold_sum(m, j, &s);
}

void trmi_build_coupler(trmi_mechanism *m, trmi_joint *j) {
  sum s = {.count = 0};
  if (!read_joints(m, j, 2, MOST, &s) || !read_coordinates(m, j, false, &s)) return;
  if (trmi_part_find(j->def, "ratios") == NULL) {
    trmi_complain(m->complaints, j->def->key.place, "coupler '%.60s' needs 'ratios', one for each "
                  "joint", j->def->key.name);
    return;
  }
  const trmi_given *ratios = trmi_part_find(j->def, "ratios");
  if (ratios->count != s.count) {
    trmi_complain(m->complaints, ratios->place, "coupler '%.60s': %d ratios for %d joints",
                  j->def->key.name, ratios->count, s.count);
    return;
  }
  int count;
  const double *factors = trmi_part_list(j->def, "ratios", &count);
  for (int i = 0; i < s.count; i++) {
    s.factor[i] = trmi_live_number(m, &factors[i]);
    if (!need_factor(m, j, "ratios", s.factor[i])) return;
  }
  if (!check_ratios(m, j, &s, "ratios", 0)) return;
  const trmi_node first = s.factor[0]; /* the multiplier is the load on the first coordinate */
  for (int i = 0; i < s.count; i++) s.factor[i] = trmi_div(&m->b->graph, s.factor[i], first);
  hold_sum(m, j, &s);
}
