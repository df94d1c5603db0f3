/* builder_kinds.c - trm_.._default and trm_add_.. of all kinds of parts, from their lists. */
#include "mechanism/builder.h"

static void clear_struct(trmi_part_group group, const char *type, void *def) {
  trmi_kind_clear(type != NULL ? trmi_kind_find(group, type) : trmi_kind_at(group, 0), def);
}

#define DEFAULT(kind, type)                     \
  trm_##kind##_def trm_##kind##_default(void) { \
    trm_##kind##_def def;                       \
    clear_struct(GROUP, type, &def);            \
    return def;                                 \
  }
#define ADD_PART(kind, LIST, type, meaning)                                                  \
  DEFAULT(kind, type)                                                                        \
  trm_status trm_add_##kind(trm_mechanism *m, const char *name, const trm_##kind##_def *def, \
                            trm_part *part, trm_error *err) {                                \
    return trmi_builder_add_part(m, GROUP, type, name, def, part, err);                      \
  }
#define ADD_INNER(kind, LIST, type, meaning)                                               \
  DEFAULT(kind, type)                                                                      \
  trm_status trm_add_##kind(trm_mechanism *m, trm_part owner, const char *name,            \
                            const trm_##kind##_def *def, trm_part *part, trm_error *err) { \
    return trmi_builder_add_inner(m, owner, GROUP, type, name, def, part, err);            \
  }

#define GROUP TRMI_BODIES
TRM_KINDS_OF_BODIES(ADD_PART)
#undef GROUP
#define GROUP TRMI_MARKERS
TRM_KINDS_OF_MARKERS(ADD_INNER)
#undef GROUP
#define GROUP TRMI_SHAPES
TRM_KINDS_OF_SHAPES(ADD_INNER)
#undef GROUP
#define GROUP TRMI_JOINTS
TRM_KINDS_OF_JOINTS(ADD_PART)
#undef GROUP
#define GROUP TRMI_MOTIONS
TRM_KINDS_OF_MOTIONS(ADD_PART)
#undef GROUP
#define GROUP TRMI_FORCES
TRM_KINDS_OF_FORCES(ADD_PART)
#undef GROUP
#define GROUP TRMI_BEAMS
TRM_KINDS_OF_BEAMS(ADD_PART)
#undef GROUP
#define GROUP TRMI_FLEXIBLE
TRM_KINDS_OF_FLEXIBLE(ADD_PART)
#undef GROUP
#define GROUP TRMI_INTERFACES
TRM_KINDS_OF_INTERFACES(ADD_INNER)
#undef GROUP
#define GROUP TRMI_MATERIALS
TRM_KINDS_OF_MATERIALS(ADD_INNER)
#undef GROUP
#define GROUP TRMI_BODY_LOADS
TRM_KINDS_OF_BODY_LOADS(ADD_INNER)
#undef GROUP
#define GROUP TRMI_CONTACTS
TRM_KINDS_OF_CONTACTS(ADD_PART)
#undef GROUP
#define GROUP TRMI_GROUPS
TRM_KINDS_OF_GROUPS(ADD_PART)
#undef GROUP
#define GROUP TRMI_COORDINATES
TRM_KINDS_OF_COORDINATES(ADD_PART)
#undef GROUP
#define GROUP TRMI_MASSES
TRM_KINDS_OF_MASSES(ADD_PART)
#undef GROUP
#define GROUP TRMI_COORDINATE_FORCES
TRM_KINDS_OF_COORDINATE_FORCES(ADD_PART)
#undef GROUP
#define GROUP TRMI_HOLONOMIC
TRM_KINDS_OF_HOLONOMIC(ADD_PART)
#undef GROUP
#define GROUP TRMI_NONHOLONOMIC
TRM_KINDS_OF_NONHOLONOMIC(ADD_PART)
#undef GROUP
#define GROUP TRMI_STATES
TRM_KINDS_OF_STATES(ADD_PART)
#undef GROUP
#define GROUP TRMI_VARIABLES
TRM_KINDS_OF_VARIABLES(ADD_PART)
#undef GROUP
#define GROUP TRMI_DISCRETE
TRM_KINDS_OF_DISCRETE(ADD_PART)
#undef GROUP
#define GROUP TRMI_EVENTS
TRM_KINDS_OF_EVENTS(ADD_PART)
#undef GROUP
#define GROUP TRMI_ASSIGNMENTS
TRM_KINDS_OF_ASSIGNMENTS(ADD_INNER)
#undef GROUP
#define GROUP TRMI_TABLES
TRM_KINDS_OF_TABLES(ADD_PART)
#undef GROUP
#define GROUP TRMI_INPUTS
TRM_KINDS_OF_INPUTS(ADD_PART)
#undef GROUP
#define GROUP TRMI_OUTPUTS
TRM_KINDS_OF_OUTPUTS(ADD_PART)
#undef GROUP
#define GROUP TRMI_DRAWN
TRM_KINDS_OF_DRAWN(ADD_PART)
#undef GROUP
#define GROUP TRMI_ENERGIES
DEFAULT(energies, NULL)
#undef GROUP
#define GROUP TRMI_WORLDS
DEFAULT(world, NULL)
