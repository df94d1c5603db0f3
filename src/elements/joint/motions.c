/* motions.c - prescribed motions of joint coordinates.
 *
 * Every motion is a row on positions, g = c - s(time), with c a coordinate of a joint, or an
 * expression of positions (`of`) for other quantities; if the velocity or the acceleration is
 * given, s is its integral (equations/laws.c). */
#include "elements/elements.h"
#include "equations/remarks.h"

static const char *const law_keys[] = {[TRMI_POSITION] = "position", [TRMI_VELOCITY] = "velocity",
                                       [TRMI_ACCELERATION] = "acceleration"};

/* ---- reading -------------------------------------------------------------------------------- */

/* The one given law. False after a complaint. */
static bool read_order(trmi_mechanism *m, trmi_motion *motion) {
  const trmi_part *part = motion->def;
  int laws = 0;
  for (int k = TRMI_POSITION; k <= TRMI_ACCELERATION; k++) {
    if (trmi_part_find(part, law_keys[k]) == NULL) continue;
    motion->order = (trmi_law_order)k;
    laws++;
  }
  if (laws != 1) {
    trmi_complain(m->complaints, part->key.place, "motion '%.60s' needs one of position, velocity "
                  "and acceleration", part->key.name);
    return false;
  }
  const char *extra = motion->order == TRMI_POSITION && trmi_part_find(part, "start") != NULL
                          ? "start"
                      : motion->order != TRMI_ACCELERATION &&
                              trmi_part_find(part, "start_velocity") != NULL
                          ? "start_velocity"
                          : NULL;
  if (extra == NULL) return true;
  trmi_complain(m->complaints, trmi_part_place(part, extra), "motion '%.60s' is given by its %s, "
                "from which its '%s' follows", part->key.name, law_keys[motion->order], extra);
  return false;
}

/* Is this the only motion of the coordinate, and of those that depend on it? */
static bool is_alone(trmi_mechanism *m, const trmi_motion *motion) {
  for (int i = 0; i < m->nmotions; i++) {
    const trmi_motion *other = &m->motions[i];
    if (other->joint != motion->joint) continue;
    const bool is_same = other->coordinate == motion->coordinate;
    if (!is_same && !motion->joint->type->is_tied) continue;
    trmi_complain(m->complaints, motion->def->key.place, "motions '%.60s' and '%.60s' both move "
                  "joint '%.60s'%s", other->def->key.name, motion->def->key.name,
                  motion->joint->def->key.name,
                  is_same ? "" : ", one of whose coordinates follows from the other");
    return false;
  }
  return true;
}

/* The driven joint, or the expression. False after a complaint. */
static bool read_mover(trmi_mechanism *m, trmi_motion *motion) {
  const trmi_part *part = motion->def;
  const trmi_text *name = trmi_part_texts(part, "joint");
  const bool has_expression = trmi_part_find(part, "of") != NULL;
  if ((name != NULL) == has_expression) {
    trmi_complain(m->complaints, part->key.place, "motion '%.60s' needs %s", part->key.name,
                  has_expression ? "a joint or 'of', not both" : "a joint, or an expression 'of'");
    return false;
  }
  if (has_expression && trmi_part_find(part, "coordinate") != NULL) {
    trmi_complain(m->complaints, trmi_part_place(part, "coordinate"), "motion '%.60s' is of an "
                  "expression: it has no 'coordinate'", part->key.name);
    return false;
  }
  if (has_expression) return true;
  motion->joint = trmi_need_joint(m, name);
  if (motion->joint == NULL || !trmi_read_coordinate(m, part, motion->joint, &motion->coordinate)) {
    return false;
  }
  return is_alone(m, motion);
}

static void read_motion(trmi_mechanism *m, const trmi_part *part) {
  trmi_motion *motion = &m->motions[m->nmotions];
  *motion = (trmi_motion){.def = part, .memory = -1};
  if (!read_mover(m, motion) || !read_order(m, motion)) return;
  trmi_additions *add = &m->extension.add;
  motion->row = add->rows++;
  if (motion->order != TRMI_POSITION) {
    motion->memory = add->memories;
    add->memories += TRMI_LAW_MEMORY;
    add->laws++;
  }
  m->nmotions++;
}

trmi_load_kind trmi_motion_load(const trmi_motion *motion) {
  if (motion->joint == NULL) return TRMI_LOAD_ANY;
  if (trmi_joint_turns(motion->joint, motion->coordinate)) return TRMI_LOAD_TORQUE;
  const bool is_own = motion->joint->type->coordinates[motion->coordinate].kind == TRMI_OWN;
  return is_own ? TRMI_LOAD_ANY : TRMI_LOAD_FORCE;
}

void trmi_read_motions(trmi_mechanism *m) {
  const trmi_parts *parts = &m->def->parts[TRMI_MOTIONS];
  m->motions = TRMI_TAKE(m->arena, trmi_motion, parts->count);
  if (m->motions == NULL) return;
  for (int i = 0; i < parts->count; i++) read_motion(m, &parts->list[i]);
}

/* ---- building ------------------------------------------------------------------------------- */

/* Set a number of the memory at the start, for the last step and the present time of the law. */
static void begin_at(trmi_mechanism *m, const trmi_motion *motion, int k, trmi_node node) {
  trmi_add_entry(m->b, TRMI_RESULT_MEMORY, motion->memory + k, 0, node);
  trmi_add_entry(m->b, TRMI_RESULT_MEMORY, motion->memory + TRMI_LAW_NOW + k, 0, node);
}

/* Unit of a law of that order, NULL: an expression of any dimension. */
static const char *unit_of(const trmi_motion *motion, trmi_law_order order) {
  static const char *const units[2][3] = {
    {[TRMI_POSITION] = "m", [TRMI_VELOCITY] = "m/s", [TRMI_ACCELERATION] = "m/s^2"},
    {[TRMI_POSITION] = "1", [TRMI_VELOCITY] = "rad/s", [TRMI_ACCELERATION] = "rad/s^2"}};
  const trmi_load_kind kind = trmi_motion_load(motion);
  return kind == TRMI_LOAD_ANY ? NULL : units[kind == TRMI_LOAD_TORQUE][order];
}

/* An angle counts its turns from a value at the start. */
static void count_from(trmi_mechanism *m, const trmi_motion *motion, trmi_node start) {
  const int memory = motion->joint != NULL ? motion->joint->freedom[motion->coordinate].memory : -1;
  if (memory >= 0) trmi_add_entry(m->b, TRMI_RESULT_MEMORY, memory, 0, start);
}

/* Start of an integrated law; position and velocity are those of the joint if not given. */
static void begin_law(trmi_mechanism *m, const trmi_motion *motion, trmi_node position) {
  const bool has_start = trmi_part_find(motion->def, "start") != NULL;
  const bool has_velocity = trmi_part_find(motion->def, "start_velocity") != NULL;
  const trmi_load_kind load = trmi_motion_load(motion);
  const bool turns = load == TRMI_LOAD_TORQUE;
  if (load != TRMI_LOAD_ANY) {
    (void)trmi_part_check_turning(motion->def, turns, &m->def->units, m->complaints);
  }
  const trmi_node start = trmi_part_node(m, motion->def, "start", 0.0);
  const trmi_node velocity = trmi_part_node(m, motion->def, "start_velocity", 0.0);
  begin_at(m, motion, 0, m->b->first[TRMI_IN_TIME]);
  begin_at(m, motion, 1, has_start ? start : position);
  begin_at(m, motion, 2, has_velocity ? velocity : trmi_velocity_of(m, position));
  if (has_start) count_from(m, motion, start);
}

/* Position of a law f of velocity or acceleration, (3) of laws.c */
static trmi_node integrated(trmi_mechanism *m, const trmi_motion *motion, trmi_node f) {
  trmi_graph *g = &m->b->graph;
  trmi_equations *eq = m->b->eq;
  const int now = motion->memory + TRMI_LAW_NOW;
  const trmi_node t = trmi_input_node(m->b, TRMI_IN_MEMORY, now), half = trmi_constant(g, 0.5);
  const trmi_node S = t + 1, V = t + 2, dt = trmi_sub(g, m->b->first[TRMI_IN_TIME], t);
  const bool is_acceleration = motion->order == TRMI_ACCELERATION;
  const trmi_node first = is_acceleration ? V : f;
  const trmi_node second = is_acceleration ? f : trmi_neg(g, trmi_velocity_of(m, f));
  trmi_add_entry(m->b, TRMI_RESULT_LAW, eq->nlaws, 0, f);
  eq->laws[eq->nlaws++] =
      (trmi_law){.memory = motion->memory, .is_acceleration = is_acceleration};
  const trmi_node bend = trmi_mul(g, trmi_mul(g, half, second), trmi_mul(g, dt, dt));
  return trmi_add(g, S, trmi_add(g, trmi_mul(g, first, dt), bend));
}

/* A coordinate; points have no rotations. */
static trmi_node moved_coordinate(trmi_mechanism *m, const trmi_motion *motion) {
  const trmi_joint *j = motion->joint;
  const trmi_node node = trmi_joint_coordinate(m, motion->joint, motion->coordinate);
  trmi_columns_of(m->b, node, TRMI_IN_Q);
  if (m->b->ncolumns == 0) {
    trmi_complain(m->complaints, motion->def->key.place, "motion '%.60s': %s of joint '%.60s' "
                  "cannot change, because neither of its bodies turns", motion->def->key.name,
                  j->type->coordinates[motion->coordinate].name, j->def->key.name);
  }
  return node;
}

/* The quantity prescribed by the law. */
static trmi_node moved(trmi_mechanism *m, const trmi_motion *motion) {
  if (motion->joint != NULL) return moved_coordinate(m, motion);
  const int faults = m->complaints->count;
  const trmi_text *text = trmi_part_texts(motion->def, "of");
  if (text == NULL) return 0;
  const trmi_node node = trmi_read_expression(m->b, text, TRMI_FOR_CONSTRAINT, NULL);
  trmi_scale_row(m->b, TRM_LAM, m->extension.add.native_rows + motion->row);
  trmi_columns_of(m->b, node, TRMI_IN_Q);
  if (m->b->ncolumns == 0 && m->complaints->count == faults) {
    trmi_complain(m->complaints, trmi_text_place(text, 0), "motion '%.60s': nothing in this "
                  "expression moves", motion->def->key.name);
  }
  return node;
}

static void build_motion(trmi_mechanism *m, const trmi_motion *motion) {
  const trmi_node position = moved(m, motion);
  const trmi_text *law = trmi_part_texts(motion->def, law_keys[motion->order]);
  if (law == NULL) return;
  const char *unit = unit_of(motion, motion->order);
  const trmi_purpose purpose = motion->order == TRMI_POSITION ? TRMI_FOR_MOTION
                               : motion->order == TRMI_VELOCITY ? TRMI_FOR_SPEED
                                                                : TRMI_FOR_ACCELERATION;
  const char *key = law_keys[motion->order];
  trmi_node wanted = trmi_part_expression(m, motion->def, key, 0, purpose, unit);
  if (motion->order == TRMI_POSITION) {
    count_from(m, motion, wanted);
  } else {
    begin_law(m, motion, position);
    wanted = integrated(m, motion, wanted);
  }
  const int row = m->extension.add.native_rows + motion->row;
  m->b->g[row] = trmi_sub(&m->b->graph, position, wanted);
  trmi_remark_add_asked(m->b, row, wanted);
}

void trmi_build_motions(trmi_mechanism *m) {
  for (int i = 0; i < m->nmotions; i++) build_motion(m, &m->motions[i]);
}
