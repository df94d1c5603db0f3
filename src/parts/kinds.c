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
#define NUMBERS(size) .types = TRMI_IS_NUMBERS, .sizes = size
#define ANY_NUMBERS .types = TRMI_IS_NUMBERS
#define EXPRESSIONS(size) .types = TRMI_IS_EXPRESSIONS, .sizes = size
#define MATRIX(size) .types = TRMI_IS_MATRIX, .sizes = size
#define NUMBERS_OR_MATRIX(size) .types = TRMI_IS_NUMBERS | TRMI_IS_MATRIX, .sizes = size
#define NUMBER_OR_MATRIX(size) .types = TRMI_IS_NUMBER | TRMI_IS_MATRIX, .sizes = size
#define OF_KINDS(group) .types = TRMI_IS_NAMES, .names = TRMI_NAME_PART, .parts = group
#define ONE_OF_KINDS(group) .types = TRMI_IS_MAP, .parts = group

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
#define KEPT_LIST(S, m) .store = TRMI_STORE_LIST, .room = 1, .offset = offsetof(S, m),
#define KEPT_GROUP(S, m)
#define KEPT_PARTS(S, m)
#define ROW(S, STORE, member, key, ...) {.path = key, KEPT_##STORE(S, member) __VA_ARGS__},

/* The table of one kind: the part, the key `type` of its group (TYPE), its fields. */
#define TABLE(kind, LIST, word, text)                            \
  static const trmi_field fields_##kind[] = {                    \
    {.path = "", IS_MAP, RULES .meaning = text},                 \
    TYPE                                                         \
    TRM_FIELDS_##LIST(ROW, trm_##kind##_def)                     \
    {.path = NULL},                                              \
  };

static const char *body_type(int i);
static const char *joint_type(int i);
static const char *force_type(int i);

/* clang-format off */
#define TYPE
#define RULES
TRM_KINDS_OF_WORLDS(TABLE)
TRM_KINDS_OF_MARKERS(TABLE)
TRM_KINDS_OF_SHAPES(TABLE)
#undef RULES
#define RULES .one_of = "position|velocity|acceleration",
TRM_KINDS_OF_MOTIONS(TABLE)
#undef RULES
#define RULES .one_of = "markers|points", .not_both = "mass|density",
TRM_KINDS_OF_BEAMS(TABLE)
#undef TYPE
#undef RULES
#define RULES .not_both = "mass|density",
#define TYPE {.path = "type", .types = TRMI_IS_WORD, .choice_at = body_type, .fallback = "rigid", \
              .meaning = "Kind of body."},
TRM_KINDS_OF_BODIES(TABLE)
#undef TYPE
#undef RULES
#define RULES .not_both = "bodies|markers",
#define TYPE {.path = "type", .types = TRMI_IS_WORD, REQUIRED, .choice_at = joint_type, \
              .meaning = "What it leaves free."},
TRM_KINDS_OF_JOINTS(TABLE)
#undef TYPE
#undef RULES
#define RULES .not_both = "bodies|markers|marker|body",
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
#define GROUP TRMI_BODIES
static const trmi_kind bodies[] = {TRM_KINDS_OF_BODIES(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_MARKERS
static const trmi_kind markers[] = {TRM_KINDS_OF_MARKERS(KIND) {.fields = NULL}};
#undef GROUP
#define GROUP TRMI_SHAPES
static const trmi_kind shapes[] = {TRM_KINDS_OF_SHAPES(KIND) {.fields = NULL}};
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
#define GROUP TRMI_BEAMS
static const trmi_kind beams[] = {TRM_KINDS_OF_BEAMS(KIND) {.fields = NULL}};
/* clang-format on */

/* ---- groups ---------------------------------------------------------------------------------- */

static const struct {
  const char      *word;
  const trmi_kind *kinds; /* the last has no fields */
} groups[TRMI_GROUPS_OF_PARTS] = {
  [TRMI_WORLDS] = {"model", worlds},    [TRMI_BODIES] = {"body", bodies},
  [TRMI_MARKERS] = {"marker", markers}, [TRMI_SHAPES] = {"shape", shapes},
  [TRMI_JOINTS] = {"joint", joints},    [TRMI_MOTIONS] = {"motion", motions},
  [TRMI_FORCES] = {"force", forces},    [TRMI_BEAMS] = {"beam", beams},
};

const trmi_kind *trmi_kind_at(trmi_group group, int i) {
  const trmi_kind *kind = groups[group].kinds;
  while (i > 0 && kind->fields != NULL) kind++, i--;
  return kind->fields != NULL ? kind : NULL;
}

const trmi_kind *trmi_kind_find(trmi_group group, const char *type) {
  for (const trmi_kind *kind = groups[group].kinds; kind->fields != NULL; kind++) {
    if (kind->type != NULL && strcmp(kind->type, type) == 0) return kind;
  }
  return NULL;
}

static const char *type_at(trmi_group group, int i) {
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

const char *trmi_group_word(trmi_group group) {
  return groups[group].word;
}

bool trmi_group_has_types(trmi_group group) {
  return group == TRMI_BODIES || group == TRMI_JOINTS || group == TRMI_FORCES;
}

bool trmi_group_needs_type(trmi_group group) {
  return group == TRMI_JOINTS || group == TRMI_FORCES;
}
