/* doubtful_numbers.c - remarks on implausible numbers: angles that look like degrees (a bare number
 * beyond a full turn), densities and moduli that no solid has, coefficients of friction in percent,
 * and the like. Numbers with a unit, expressions and numbers of C programs are not questioned,
 * except heights of steps and waves in the law of a turning motion that are usual in degrees. */
#include "elements/elements.h"
#include "elements/joint/joint_types.h"
#include "equations/remarks.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

/* From foams to the heaviest metals, with a margin [kg/m^3]. */
static const double density_least = 8.0, density_most = 3e4;

/* From jelly to diamond, with a margin [Pa]. */
static const double modulus_least = 1e3, modulus_most = 1e13;

/* Racing tyres have a coefficient of friction of 2; bristles of tyres deflect by 2 mm [m]. */
static const double friction_most = 5.0, bristle_most = 0.05;

/* Is the text a plain number? */
static bool is_bare(const trmi_text *text, double *number) {
  char *end = NULL;
  if (text->text == NULL || text->length == 0) return false;
  *number = strtod(text->text, &end);
  return end == text->text + text->length;
}

/* Beyond a full turn. */
static bool is_doubtful(const trmi_text *text, double *number) {
  return is_bare(text, number) && fabs(*number) > turn * (1.0 + 1e-3);
}

/* Are all coordinates of a joint angles? */
static bool only_turns(const trmi_mechanism *m, const trmi_part *part) {
  for (int i = 0; i < m->njoints; i++) {
    const trmi_joint *j = &m->joints[i];
    if (j->def != part) continue;
    const int count = trmi_coordinate_count(j->type);
    bool turns = count > 0;
    for (int k = 0; k < count; k++) turns = turns && trmi_joint_turns(j, k);
    return turns;
  }
  return false;
}

static bool is_angle(const trmi_mechanism *m, const trmi_part *part, const trmi_field *field) {
  const bool is_joint = part->kind->group == TRMI_JOINTS;
  if (is_joint && strcmp(field->path, "start") == 0) return only_turns(m, part);
  if (field->unit == NULL) return false;
  if (strcmp(field->unit, "rad") == 0) return true;
  const bool may_turn = field->unit_turning != NULL && strcmp(field->unit_turning, "rad") == 0;
  return may_turn && is_joint && only_turns(m, part);
}

static void doubt_part(trmi_mechanism *m, const trmi_part *part, const char *owner) {
  for (int i = 1; part->kind != NULL && i < part->kind->nfields; i++) {
    const trmi_given *given = &part->given[i];
    const trmi_field *field = &part->kind->fields[i];
    if (!given->is_given || given->texts == NULL || field->store != TRMI_STORE_NUMBERS) continue;
    double number = 0.0;
    int k = 0;
    while (k < given->count && !is_doubtful(&given->texts[k], &number)) k++;
    if (k == given->count || !is_angle(m, part, field)) continue;
    char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
    snprintf(object, sizeof object, "%s '%.24s%s%.24s'", trmi_part_group_word(part->kind->group),
             owner, owner[0] != '\0' ? "." : "", part->key.name);
    snprintf(text, sizeof text, "its %s of %g is in rad, %.3g turns: degrees are written as '%g "
             "deg'", field->path, number, number / turn, number);
    trmi_remark_add(m->b, object, text);
  }
  for (const trmi_part *inner = part->inner; inner != NULL; inner = inner->next) {
    doubt_part(m, inner, part->key.name);
  }
}

/* A bare density, and its value in SI; false: there is none. */
static bool find_density(const trmi_mechanism *m, const trmi_part *part, double *number,
                         double *si) {
  const trmi_units *u = &m->def->units;
  const trmi_given *given = part->kind != NULL ? trmi_part_find(part, "density") : NULL;
  if (given == NULL && part->kind != NULL) given = trmi_part_find(part, "material.density");
  if (given == NULL || given->texts == NULL || !is_bare(&given->texts[0], number)) return false;
  *si = *number * u->mass / (u->length * u->length * u->length);
  return true;
}

static bool is_of_solid(double si) {
  return si >= density_least && si <= density_most;
}

/* A wrong unit would affect all densities: if one of them is plausible, the others are assumed
 * intended. */
static void doubt_densities(trmi_mechanism *m) {
  const trmi_part *part = NULL;
  double number = 0.0, si = 0.0;
  for (int g = TRMI_FLEXIBLE; g >= TRMI_BODIES; g--) {
    const trmi_parts *parts = &m->def->parts[g];
    for (int i = parts->count - 1; i >= 0; i--) {
      if (!find_density(m, &parts->list[i], &number, &si)) continue;
      if (is_of_solid(si)) return;
      part = &parts->list[i];
    }
  }
  if (part == NULL) return;
  char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
  snprintf(object, sizeof object, "%s '%.40s'", trmi_part_group_word(part->kind->group),
           part->key.name);
  snprintf(text, sizeof text, "its density of %g is %.4g kg/m^3: is it in another unit? Units are "
           "written as '7.85 g/cm^3'", number, si);
  trmi_remark_add(m->b, object, text);
}

/* ---- laws of motions ------------------------------------------------------------------------ */

/* The place after the bracket of a call that begins here, of a function in the list "STEP|sin";
 * 0: there is none. */
static size_t call_at(const char *text, size_t length, size_t at, const char *words) {
  char word[16] = "";
  size_t n = 0;
  while (at + n < length && n < sizeof word - 1 && isalnum((unsigned char)text[at + n])) {
    word[n] = text[at + n];
    n++;
  }
  const bool is_call = n > 0 && at + n < length && text[at + n] == '(';
  return is_call && trmi_word_find(words, word) >= 0 ? at + n + 1 : 0;
}

static size_t past_blanks(const char *text, size_t length, size_t at) {
  while (at < length && text[at] == ' ') at++;
  return at;
}

/* The bracket that encloses a place: the one that opens before it; `length`: there is none. */
static size_t opening(const char *text, size_t length, size_t at) {
  int depth = 0;
  for (size_t i = at; i-- > 0;) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (depth < 0) return i;
  }
  return length;
}

/* The same: the one that closes at it or later. */
static size_t closing(const char *text, size_t length, size_t at) {
  int depth = 0;
  for (size_t i = at; i < length; i++) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth < 0) return i;
  }
  return length;
}

/* Where the word before a bracket begins. */
static size_t word_of(const char *text, size_t bracket) {
  while (bracket > 0 && isalnum((unsigned char)text[bracket - 1])) bracket--;
  return bracket;
}

/* Is the part of a law from `first` to `last`, or what encloses it, a factor of a product? That may
 * convert it: 30*sin(time)*pi/180, pi/180*(15 + 30*sin(time)). */
static bool is_factor(const char *text, size_t length, size_t first, size_t last) {
  for (;;) {
    while (first > 0 && text[first - 1] == ' ') first--;
    last = past_blanks(text, length, last);
    if (first > 0 && strchr("*/^", text[first - 1]) != NULL) return true;
    if (last < length && strchr("*/^", text[last]) != NULL) return true;
    const size_t opens = opening(text, length, first), closes = closing(text, length, last);
    if (opens == length || closes == length) return false;
    first = word_of(text, opens), last = closes + 1;
  }
}

/* Is a number the height of a step or wave? `last`: the end of the number, then of the wave. */
static bool is_height(const char *text, size_t length, size_t *last) {
  const size_t after = past_blanks(text, length, *last);
  if (after >= length) return false;
  if (text[after] == '*') {
    const size_t from = past_blanks(text, length, after + 1);
    const size_t inside = call_at(text, length, from, "STEP|STEP5|HAVSIN|sin|cos");
    if (inside > 0) *last = closing(text, length, inside) + 1;
    return inside > 0;
  }
  if (text[after] != ')') return false;
  const size_t opens = opening(text, length, after);
  return opens < length && call_at(text, length, word_of(text, opens), "STEP|STEP5|HAVSIN") > 0;
}

/* The height of a step or wave, a bare number that is usual in degrees; false: there is none. */
static bool find_degrees(const trmi_text *law, double *height) {
  const char *text = law->text;
  const double usual = 15.0, least = 30.0, most = 720.0;
  for (size_t i = 0; text != NULL && i < law->length; i++) {
    const bool is_inside = i > 0 && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '.' ||
                                     text[i - 1] == '_');
    char *end = NULL;
    if (!isdigit((unsigned char)text[i]) || is_inside) continue;
    *height = strtod(text + i, &end);
    size_t last = (size_t)(end - text);
    if (fmod(*height, usual) != 0.0 || *height < least || *height > most) continue;
    if (is_height(text, law->length, &last) && !is_factor(text, law->length, i, last)) return true;
  }
  return false;
}

static void doubt_motions(trmi_mechanism *m) {
  for (int i = 0; i < m->nmotions; i++) {
    const trmi_motion *motion = &m->motions[i];
    const trmi_given *law = trmi_part_find(motion->def, "position");
    double height = 0.0;
    if (motion->joint == NULL || law == NULL || law->texts == NULL) continue;
    if (!trmi_joint_turns(motion->joint, motion->coordinate)) continue;
    if (!find_degrees(&law->texts[0], &height)) continue;
    char object[TRM_OBJECT_MAX], text[TRM_MESSAGE_MAX];
    snprintf(object, sizeof object, "motion '%.40s'", motion->def->key.name);
    snprintf(text, sizeof text, "the %g in its position is in rad, %.3g turns: degrees are written "
             "as '%g deg'", height, height / turn, height);
    trmi_remark_add(m->b, object, text);
  }
}

/* ---- moduli, friction, damping -------------------------------------------------------------- */

static void remark_on(trmi_mechanism *m, const trmi_part *part, const char *text) {
  char object[TRM_OBJECT_MAX];
  snprintf(object, sizeof object, "%s '%.40s'", trmi_part_group_word(part->kind->group),
           part->key.name);
  trmi_remark_add(m->b, object, text);
}

/* A bare number given by a part for a key. */
static bool find_bare(const trmi_part *part, const char *key, double *number) {
  const trmi_given *given = part->kind != NULL ? trmi_part_find(part, key) : NULL;
  return given != NULL && given->texts != NULL && is_bare(&given->texts[0], number);
}

static void doubt_modulus(trmi_mechanism *m, const trmi_part *part) {
  const trmi_units *u = &m->def->units;
  char text[TRM_MESSAGE_MAX];
  double number = 0.0;
  if (!find_bare(part, "E", &number) && !find_bare(part, "material.E", &number)) return;
  const double si = number * u->force / (u->length * u->length);
  if (si >= modulus_least && si <= modulus_most) return;
  snprintf(text, sizeof text, "its E of %g is %.4g N/m^2: is it in another unit? Units are written "
           "as '210 GPa'", number, si);
  remark_on(m, part, text);
}

static void doubt_friction(trmi_mechanism *m, const trmi_part *part) {
  static const char *const keys[] = {"friction.static", "friction.dynamic"};
  char text[TRM_MESSAGE_MAX];
  double number = 0.0;
  if (part->kind->group == TRMI_JOINTS && trmi_part_has(part, "friction") &&
      trmi_part_find(part, keys[0]) == NULL && trmi_part_find(part, keys[1]) == NULL &&
      trmi_part_find(part, "friction.viscous") == NULL) {
    remark_on(m, part, "its friction has neither 'static', 'dynamic' nor 'viscous': it does "
                       "nothing");
  }
  for (int i = 0; i < 2; i++) {
    if (!find_bare(part, keys[i], &number) || !(number > friction_most)) continue;
    snprintf(text, sizeof text, "its %s of %g is %g times the normal force: is it in percent?",
             keys[i], number, number);
    remark_on(m, part, text);
  }
  if (find_bare(part, "friction.depth", &number) &&
      number * m->def->units.length > bristle_most) {
    snprintf(text, sizeof text, "its friction.depth of %g is %g m: is it in another unit? Units "
             "are written as '10 um'", number, number * m->def->units.length);
    remark_on(m, part, text);
  }
  if (trmi_part_find(part, keys[0]) == NULL || trmi_part_find(part, keys[1]) == NULL) return;
  const double rest = trmi_part_number(part, keys[0]), motion = trmi_part_number(part, keys[1]);
  if (!(motion > rest)) return;
  snprintf(text, sizeof text, "its friction.dynamic, %g, is larger than its friction.static, %g: "
           "are they exchanged?", motion, rest);
  remark_on(m, part, text);
}

static void doubt_damping(trmi_mechanism *m, const trmi_part *part) {
  const trmi_given *given = part->kind != NULL ? trmi_part_find(part, "damping") : NULL;
  const bool has_rows = given != NULL && given->count > 1; /* [frequency, ratio] */
  char text[TRM_MESSAGE_MAX];
  for (int k = has_rows ? 1 : 0; given != NULL && k < given->count; k += 2) {
    double number = 0.0;
    if (!is_bare(&given->texts[k], &number) || !(number > 1.0)) continue;
    snprintf(text, sizeof text, "its damping of %g is %g times the critical one: is it in percent? "
             "5 %% are 0.05", number, number);
    remark_on(m, part, text);
    return;
  }
}

void trmi_doubt_numbers(trmi_mechanism *m) {
  if (m->is_renewed) return; /* it was said */
  for (int g = TRMI_BODIES; g <= TRMI_CONTACTS; g++) {
    const trmi_parts *parts = &m->def->parts[g];
    for (int i = 0; i < parts->count; i++) {
      const trmi_part *part = &parts->list[i];
      doubt_part(m, part, "");
      if (g == TRMI_BEAMS || g == TRMI_FLEXIBLE) doubt_modulus(m, part);
      if (g == TRMI_FLEXIBLE) doubt_damping(m, part);
      if (g == TRMI_JOINTS || g == TRMI_CONTACTS) doubt_friction(m, part);
    }
  }
  doubt_densities(m);
  doubt_motions(m);
}
