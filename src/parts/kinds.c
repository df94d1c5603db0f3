/* kinds.c - the tables of all kinds of parts. */
#include "parts/kinds.h"
#include "trammel/parts.h"
#include <math.h>
#include <string.h>

/* ---- words of the lists in trammel/part_fields.h ----------------------------------------- */

#define IS_MAP .types = TRMI_IS_MAP
#define NUMBER .types = TRMI_IS_NUMBER
#define COUNT .types = TRMI_IS_COUNT
#define EXPRESSION .types = TRMI_IS_EXPRESSION
#define TEXT .types = TRMI_IS_TEXT
#define WORD(words) .types = TRMI_IS_WORD, .choices = words
#define TEXTS(size) .types = TRMI_IS_TEXTS, .sizes = size
#define ANY_TEXTS .types = TRMI_IS_TEXTS
#define NUMBERS(size) .types = TRMI_IS_NUMBERS, .sizes = size
#define ANY_NUMBERS .types = TRMI_IS_NUMBERS
#define EXPRESSIONS(size) .types = TRMI_IS_EXPRESSIONS, .sizes = size
#define MATRIX(size) .types = TRMI_IS_MATRIX, .sizes = size
#define NUMBERS_OR_MATRIX(size) .types = TRMI_IS_NUMBERS | TRMI_IS_MATRIX, .sizes = size
#define NUMBER_OR_NUMBERS(size) .types = TRMI_IS_NUMBER | TRMI_IS_NUMBERS, .sizes = size
#define NUMBER_NUMBERS_OR_MATRIX(size) \
  .types = TRMI_IS_NUMBER | TRMI_IS_NUMBERS | TRMI_IS_MATRIX, .sizes = size
#define NUMBER_OR_MATRIX(size) .types = TRMI_IS_NUMBER | TRMI_IS_MATRIX, .sizes = size
#define OF_KINDS(group) .types = TRMI_IS_NAMES, .parts = group
#define ONE_OF_KINDS(group) .types = TRMI_IS_MAP, .parts = group
#define TEXT_OR_MATRIX(size) .types = TRMI_IS_TEXT | TRMI_IS_MATRIX, .sizes = size
#define NUMBERS_OR_COLUMN .types = TRMI_IS_NUMBERS | TRMI_IS_COUNT | TRMI_IS_TEXT

#define UNIT(text) .unit = text
#define EITHER_UNIT(text, turning) .unit = text, .unit_turning = turning
#define LIVE .change = TRMI_LIVE
#define DERIVED .change = TRMI_DERIVED
#define REQUIRED .is_required = true
#define INITIAL(number) .has_initial = true, .initial = number
#define POSITIVE .low = 0.0, .high = INFINITY, .open = TRMI_OPEN_LOW
#define NOT_NEGATIVE .low = 0.0, .high = INFINITY
#define BETWEEN(a, b) .low = a, .high = b
#define SEQUENCES "xyx|xyz|xzx|xzy|yxy|yxz|yzx|yzy|zxy|zxz|zyx|zyz"
/* Which coordinate a part means that does not say. */
#define ANY_COORDINATE "angle or displacement, or the only one"

/* ---- rows ------------------------------------------------------------------------------------ */

#define KEPT_D1(S, m) .store = TRMI_STORE_NUMBERS, .room = 1, .offset = offsetof(S, m),
#define KEPT_D3(S, m) .store = TRMI_STORE_NUMBERS, .room = 3, .offset = offsetof(S, m),
#define KEPT_D4(S, m) .store = TRMI_STORE_NUMBERS, .room = 4, .offset = offsetof(S, m),
#define KEPT_D6(S, m) .store = TRMI_STORE_NUMBERS, .room = 6, .offset = offsetof(S, m),
#define KEPT_D36(S, m) .store = TRMI_STORE_NUMBERS, .room = 36, .offset = offsetof(S, m),
#define KEPT_D144(S, m) .store = TRMI_STORE_NUMBERS, .room = 144, .offset = offsetof(S, m),
#define KEPT_INT(S, m) .store = TRMI_STORE_COUNT, .room = 1, .offset = offsetof(S, m),
#define KEPT_T1(S, m) .store = TRMI_STORE_TEXTS, .room = 1, .offset = offsetof(S, m),
#define KEPT_T2(S, m) .store = TRMI_STORE_TEXTS, .room = 2, .offset = offsetof(S, m),
#define KEPT_T3(S, m) .store = TRMI_STORE_TEXTS, .room = 3, .offset = offsetof(S, m),
#define KEPT_T64(S, m) .store = TRMI_STORE_TEXTS, .room = TRM_TEXTS_MAX, .offset = offsetof(S, m),
#define KEPT_LIST(S, m) .store = TRMI_STORE_LIST, .room = 1, .offset = offsetof(S, m),
#define KEPT_GROUP(S, m)
#define KEPT_PARTS(S, m)
#define ROW(S, STORE, name, key, ...) \
  {.path = key, .member = #name, KEPT_##STORE(S, name) __VA_ARGS__},

/* The table of one kind: the part itself (SELF), the key `type` of its group (TYPE), its fields. */
#define TABLE(kind, LIST, word, text)                            \
  static const trmi_field fields_##kind[] = {                    \
    {.path = "", SELF, .meaning = text},                         \
    TYPE                                                         \
    SWITCH                                                       \
    TRM_FIELDS_##LIST(ROW, trm_##kind##_def)                     \
    {.path = NULL},                                              \
  };

static const char *body_type(int i);
static const char *joint_type(int i);
static const char *force_type(int i);

/* Parts that can be left out of the model, see io/model_enabled.c. */
#define ENABLED                                                                            \
  {.path = "enabled", .types = TRMI_IS_WORD, .choices = "true|false", .fallback = "true",  \
   .meaning = "false: the model is read as if this part were not there."},

/* clang-format off */
#define TYPE
#define SWITCH
#define SELF IS_MAP
TRM_KINDS_OF_WORLDS(TABLE)
TRM_KINDS_OF_ENERGIES(TABLE)
TRM_KINDS_OF_MARKERS(TABLE)
TRM_KINDS_OF_SHAPES(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "nodes|numbers|cylinder|box|plane"
TRM_KINDS_OF_INTERFACES(TABLE)
#undef SELF
#define SELF IS_MAP
TRM_KINDS_OF_MATERIALS(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "pressure|temperature", \
             .not_both = "nodes|numbers|cylinder|box|plane"
TRM_KINDS_OF_BODY_LOADS(TABLE)
#undef SELF
#define SELF IS_MAP
#undef SWITCH
#define SWITCH ENABLED
TRM_KINDS_OF_TABLES(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "position|velocity|acceleration"
TRM_KINDS_OF_MOTIONS(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "markers|points|arc", .not_both = "mass|density"
TRM_KINDS_OF_BEAMS(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "mesh|matrices|box|rod|tube|frame"
TRM_KINDS_OF_FLEXIBLE(TABLE)
#undef SELF
#define SELF IS_MAP, .not_both = "restitution|damping|impact"
TRM_KINDS_OF_CONTACTS(TABLE)
TRM_KINDS_OF_GROUPS(TABLE)
#undef SELF
#define SELF .types = TRMI_IS_MAP | TRMI_IS_NUMBER, .shorthand = "value", .not_both = "value|guess"
TRM_KINDS_OF_COORDINATES(TABLE)
#undef SELF
#define SELF .types = TRMI_IS_MAP | TRMI_IS_NUMBER, .shorthand = "value"
TRM_KINDS_OF_INPUTS(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "rate|residual"
TRM_KINDS_OF_STATES(TABLE)
#undef SELF
#define SELF .types = TRMI_IS_MAP | TRMI_IS_EXPRESSION, .shorthand = "equals"
TRM_KINDS_OF_VARIABLES(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "at|between"
TRM_KINDS_OF_DRAWN(TABLE)
#undef SELF
#define SELF IS_MAP, .one_of = "when|every"
TRM_KINDS_OF_EVENTS(TABLE)
#undef SELF
#undef SWITCH
#define SWITCH
#define SELF NUMBER, .shorthand = "value"
TRM_KINDS_OF_DISCRETE(TABLE)
#undef SELF
#define SELF EXPRESSION, .shorthand = "equals"
TRM_KINDS_OF_MASSES(TABLE)
TRM_KINDS_OF_COORDINATE_FORCES(TABLE)
TRM_KINDS_OF_HOLONOMIC(TABLE)
TRM_KINDS_OF_NONHOLONOMIC(TABLE)
TRM_KINDS_OF_ASSIGNMENTS(TABLE)
TRM_KINDS_OF_OUTPUTS(TABLE)
#undef TYPE
#undef SELF
#undef SWITCH
#define SWITCH ENABLED
#define SELF IS_MAP, .not_both = "mass|density"
#define TYPE {.path = "type", .types = TRMI_IS_WORD, .choice_at = body_type, .fallback = "rigid", \
              .meaning = "Kind of body."},
TRM_KINDS_OF_BODIES(TABLE)
#undef TYPE
#undef SELF
#define SELF IS_MAP, .not_both = "bodies|markers"
#define TYPE {.path = "type", .types = TRMI_IS_WORD, REQUIRED, .choice_at = joint_type, \
              .meaning = "The motions it leaves free."},
TRM_KINDS_OF_JOINTS(TABLE)
#undef TYPE
#undef SELF
#define SELF IS_MAP, .not_both = "bodies|markers|marker|body"
#define TYPE {.path = "type", .types = TRMI_IS_WORD, REQUIRED, .choice_at = force_type, \
              .meaning = "Its law."},
TRM_KINDS_OF_FORCES(TABLE)

#define KIND(kind, LIST, word, text)                                                        \
  {.name = #kind, .type = word, .meaning = text, .group = GROUP,                            \
   .size = sizeof(trm_##kind##_def),                                                        \
   .fields = fields_##kind, .nfields = (int)(sizeof fields_##kind / sizeof(trmi_field)) - 1},
#define GROUP TRMI_WORLDS
static const trmi_kind worlds[] = {TRM_KINDS_OF_WORLDS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_ENERGIES
static const trmi_kind energies[] = {TRM_KINDS_OF_ENERGIES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_MARKERS
static const trmi_kind markers[] = {TRM_KINDS_OF_MARKERS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_SHAPES
static const trmi_kind shapes[] = {TRM_KINDS_OF_SHAPES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_INTERFACES
static const trmi_kind interfaces[] = {TRM_KINDS_OF_INTERFACES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_MATERIALS
static const trmi_kind materials[] = {TRM_KINDS_OF_MATERIALS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_BODY_LOADS
static const trmi_kind body_loads[] = {TRM_KINDS_OF_BODY_LOADS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_ASSIGNMENTS
static const trmi_kind assignments[] = {TRM_KINDS_OF_ASSIGNMENTS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_BODIES
static const trmi_kind bodies[] = {TRM_KINDS_OF_BODIES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_BEAMS
static const trmi_kind beams[] = {TRM_KINDS_OF_BEAMS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_FLEXIBLE
static const trmi_kind flexible[] = {TRM_KINDS_OF_FLEXIBLE(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_JOINTS
static const trmi_kind joints[] = {TRM_KINDS_OF_JOINTS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_MOTIONS
static const trmi_kind motions[] = {TRM_KINDS_OF_MOTIONS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_FORCES
static const trmi_kind forces[] = {TRM_KINDS_OF_FORCES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_CONTACTS
static const trmi_kind contacts[] = {TRM_KINDS_OF_CONTACTS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_GROUPS
static const trmi_kind groups_of_shapes[] = {TRM_KINDS_OF_GROUPS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_TABLES
static const trmi_kind tables[] = {TRM_KINDS_OF_TABLES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_COORDINATES
static const trmi_kind coordinates[] = {TRM_KINDS_OF_COORDINATES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_MASSES
static const trmi_kind masses[] = {TRM_KINDS_OF_MASSES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_COORDINATE_FORCES
static const trmi_kind coordinate_forces[] = {
  TRM_KINDS_OF_COORDINATE_FORCES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_HOLONOMIC
static const trmi_kind holonomic[] = {TRM_KINDS_OF_HOLONOMIC(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_NONHOLONOMIC
static const trmi_kind nonholonomic[] = {TRM_KINDS_OF_NONHOLONOMIC(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_STATES
static const trmi_kind states[] = {TRM_KINDS_OF_STATES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_VARIABLES
static const trmi_kind variables[] = {TRM_KINDS_OF_VARIABLES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_DISCRETE
static const trmi_kind discrete[] = {TRM_KINDS_OF_DISCRETE(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_EVENTS
static const trmi_kind events[] = {TRM_KINDS_OF_EVENTS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_INPUTS
static const trmi_kind inputs[] = {TRM_KINDS_OF_INPUTS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_OUTPUTS
static const trmi_kind outputs[] = {TRM_KINDS_OF_OUTPUTS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_DRAWN
static const trmi_kind drawn[] = {TRM_KINDS_OF_DRAWN(KIND) {.fields = NULL}};
/* clang-format on */

/* ---- groups ---------------------------------------------------------------------------------- */

/* clang-format off */
static const struct {
  const char      *word;
  const char      *section; /* of a model file; NULL: its parts are inside of others */
  const trmi_kind *kinds;   /* the last has no fields */
  trmi_name_rule   names;
  bool             is_known; /* to expressions, so that its names mean nothing else */
} groups[TRMI_PART_GROUPS] = {
  [TRMI_WORLDS] = {"model", NULL, worlds, TRMI_NAME_TEXT, false},
  [TRMI_ENERGIES] = {"model", NULL, energies, TRMI_NAME_TEXT, false},
  [TRMI_MARKERS] = {"marker", NULL, markers, TRMI_NAME_PART, false},
  [TRMI_SHAPES] = {"shape", NULL, shapes, TRMI_NAME_PART, false},
  [TRMI_INTERFACES] = {"interface", NULL, interfaces, TRMI_NAME_PART, false},
  [TRMI_MATERIALS] = {"material", NULL, materials, TRMI_NAME_TEXT, false},
  [TRMI_BODY_LOADS] = {"load", NULL, body_loads, TRMI_NAME_PART, false},
  [TRMI_ASSIGNMENTS] = {"assignment", NULL, assignments, TRMI_NAME_TEXT, false},
  [TRMI_BODIES] = {"body", "bodies", bodies, TRMI_NAME_PART, true},
  [TRMI_BEAMS] = {"beam", "beams", beams, TRMI_NAME_PART, true},
  [TRMI_FLEXIBLE] = {"flexible body", "flexible", flexible, TRMI_NAME_PART, true},
  [TRMI_JOINTS] = {"joint", "joints", joints, TRMI_NAME_PART, true},
  [TRMI_MOTIONS] = {"motion", "motions", motions, TRMI_NAME_PART, true},
  [TRMI_FORCES] = {"force", "forces", forces, TRMI_NAME_PART, true},
  [TRMI_CONTACTS] = {"contact", "contacts", contacts, TRMI_NAME_PART, true},
  [TRMI_GROUPS] = {"group", "groups", groups_of_shapes, TRMI_NAME_PART, false},
  [TRMI_TABLES] = {"table", "tables", tables, TRMI_NAME_WORD, false},
  [TRMI_COORDINATES] = {"coordinate", "equations.coordinates", coordinates, TRMI_NAME_WORD, true},
  [TRMI_MASSES] = {"mass", "equations.mass", masses, TRMI_NAME_TEXT, false},
  [TRMI_COORDINATE_FORCES] = {"force", "equations.forces", coordinate_forces, TRMI_NAME_WORD,
                              false},
  [TRMI_HOLONOMIC] = {"constraint", "equations.constraints", holonomic, TRMI_NAME_WORD, true},
  [TRMI_NONHOLONOMIC] = {"constraint", "equations.nonholonomic", nonholonomic, TRMI_NAME_WORD,
                         true},
  [TRMI_STATES] = {"state", "equations.states", states, TRMI_NAME_WORD, true},
  [TRMI_VARIABLES] = {"variable", "equations.variables", variables, TRMI_NAME_WORD, true},
  [TRMI_DISCRETE] = {"discrete value", "equations.discrete", discrete, TRMI_NAME_WORD, true},
  [TRMI_EVENTS] = {"event", "equations.events", events, TRMI_NAME_TEXT, false},
  [TRMI_INPUTS] = {"input", "inputs", inputs, TRMI_NAME_WORD, true},
  [TRMI_OUTPUTS] = {"output", "outputs", outputs, TRMI_NAME_TEXT, false},
  [TRMI_DRAWN] = {"drawn part", "show", drawn, TRMI_NAME_PART, false},
};
/* clang-format on */

const trmi_kind *trmi_kind_at(trmi_part_group group, int i) {
  const trmi_kind *kind = groups[group].kinds;
  while (i > 0 && kind->fields != NULL) kind++, i--;
  return kind->fields != NULL ? kind : NULL;
}

const trmi_kind *trmi_kind_find(trmi_part_group group, const char *type) {
  for (const trmi_kind *kind = groups[group].kinds; kind->fields != NULL; kind++) {
    if (kind->type != NULL && strcmp(kind->type, type) == 0) return kind;
  }
  return NULL;
}

static const char *type_at(trmi_part_group group, int i) {
  const trmi_kind *kind = trmi_kind_at(group, i);
  return kind != NULL ? kind->type : NULL;
}

static const char *body_type(int i) {
  return type_at(TRMI_BODIES, i);
}

static const char *joint_type(int i) {
  return type_at(TRMI_JOINTS, i);
}

static const char *force_type(int i) {
  return type_at(TRMI_FORCES, i);
}

const char *trmi_part_group_word(trmi_part_group group) {
  return groups[group].word;
}

const char *trmi_part_group_section(trmi_part_group group) {
  return groups[group].section;
}

trmi_name_rule trmi_part_group_names(trmi_part_group group) {
  return groups[group].names;
}

trmi_name_rule trmi_field_names(const trmi_field *row) {
  return row->parts != TRMI_NO_PARTS ? groups[row->parts].names : row->names;
}

bool trmi_part_group_is_known(trmi_part_group group) {
  return groups[group].is_known;
}

bool trmi_part_group_has_types(trmi_part_group group) {
  return group == TRMI_BODIES || group == TRMI_JOINTS || group == TRMI_FORCES;
}

bool trmi_part_group_needs_type(trmi_part_group group) {
  return group == TRMI_JOINTS || group == TRMI_FORCES;
}
