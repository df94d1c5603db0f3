/* schema_meant.c - words and keys of other programs, and of readers who guess, with ours. */
#include "io/schema.h"
#include <string.h>

typedef struct meant {
  const char *other, *ours;
} meant;

const char *trmi_schema_word_meant(const trmi_field *row, const char *word) {
  static const meant words[] = {
    {"hinge", "revolute"}, {"pin", "revolute"}, {"ball", "spherical"},
    {"prismatic", "translational"}, {"slider", "translational"}, {"weld", "fixed"},
    {"cardan", "universal"}, {"hooke", "universal"}, {"rope", "spring"}, {"cable", "spring"},
    {"damper", "spring"},
    {"rk4", "explicit"}, {"rk45", "explicit"}, {"gstiff", "bdf"}, {"newmark", "alpha"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(word, words[i].other) != 0) continue;
    if (trmi_field_has_choice(row, words[i].ours)) return words[i].ours;
  }
  return "";
}

/* Sections that are elsewhere, or have another name. */
static const char *section_meant(const char *key) {
  static const meant sections[] = {
    {"states", "equations.states"}, {"variables", "equations.variables"},
    {"coordinates", "equations.coordinates"}, {"discrete", "equations.discrete"},
    {"events", "equations.events"}, {"constraints", "joints"}, {"connections", "joints"},
    {"control", "equations.states"}, {"controller", "equations.states"},
    {"controllers", "equations.states"}, {"pid", "equations.states"},
    {"flexible_bodies", "flexible"}, {"rigid_bodies", "bodies"}, {"parts", "bodies"},
    {"links", "bodies"}, {"springs", "forces"}, {"dampers", "forces"}, {"loads", "forces"},
    {"drives", "motions"}, {"actuators", "motions"}, {"motors", "motions"},
    {"constants", "parameters"}, {"solver", "simulate"}, {"settings", "simulate"},
    {"options", "simulate"}};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    if (strcmp(key, sections[i].other) == 0) return sections[i].ours;
  }
  return "";
}

const char *trmi_schema_key_meant(const trmi_field *row, const char *key) {
  static const meant keys[] = {
    {"speed", "velocity"}, {"omega", "angular_velocity"}, {"mu", "static"},
    {"coefficient", "static"}, {"diameter", "radius"}, {"position", "at"}, {"location", "at"},
    {"origin", "at"}, {"rotation", "orientation"}, {"k", "stiffness"}, {"c", "damping"},
    {"m", "mass"}, {"rho", "density"}, {"young", "E"}, {"youngs_modulus", "E"},
    {"poisson", "nu"}, {"derivative", "rate"}, {"initial", "value"}, {"rest_length", "length"},
    {"direction", "axis"}, {"time", "end"}, {"duration", "end"}, {"end_time", "end"},
    {"dt", "step"}, {"timestep", "step"}, {"min", "lower"}, {"max", "upper"},
    {"period", "every"}, {"interval", "every"}, {"angle", "position"},
    {"displacement", "position"}};
  if (row == trmi_schema_at(0)) return section_meant(key);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (strcmp(key, keys[i].other) != 0) continue;
    if (trmi_field_child(row, keys[i].ours) != NULL) return keys[i].ours;
  }
  return "";
}

const char *trmi_schema_key_advice(const trmi_field *row, const char *key) {
  const bool is_body = trmi_field_child(row, "mass") != NULL &&
                       trmi_field_child(row, "shapes") != NULL;
  if (is_body && trmi_word_find("fixed|is_fixed|locked|static|kinematic", key) >= 0) {
    return "a body that stays in place has a joint of type fixed, or is 'ground' itself, which may "
           "have shapes and markers; ";
  }
  return "";
}

const char *trmi_schema_value_advice(const trmi_field *row) {
  const bool is_of_event = strcmp(trmi_field_key(row), "do") == 0 && row->choices != NULL;
  return is_of_event ? "; the values that change at an event stand under 'set'" : "";
}
