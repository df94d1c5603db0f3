/* test_repeat.c - blocks of `repeat`: what copies say, where they stand, and what is refused. */
#include "fault/memory.h"
#include "io/model_reading.h"
#include <stdio.h>
#include <stdlib.h>

static const char chain[] =
    HEAD "parameters: {n: 3}\n"
         "bodies: {base: {mass: 1, inertia: [1, 1, 1]}}\n"
         "joints: {pin: {type: fixed, bodies: [ground, base], at: [0, 0, 0]}}\n"
         "repeat:\n"
         "  links:\n"
         "    count: n\n"
         "    index: k\n"
         "    bodies:\n"
         "      link<k>: {mass: 1, inertia: [1, 1, 1], at: [<k> - 0.5, 0, 2*<k+n>],\n"
         "                markers: {e<n>: }}\n"
         "  pins:\n"
         "    count: n - 1\n"
         "    from: 2\n"
         "    joints: {'pin<i>': {type: revolute, bodies: [link<i-1>, link<i>],\n"
         "                        at: [<i-1>, 0, 8], axis: [0, 1, 0]}}\n"
         "    outputs: {'x<i>': \"link<i>.x\n"
         "                       + 1 - link<2*(i-1)-i+1>.x\"}\n";

static const trmi_given *find_value(const trmi_parts *parts, int i, const char *name,
                                        const char *path) {
  const trmi_part *part = &parts->list[i];
  assert_true(i < parts->count);
  assert_string_equal(part->key.name, name);
  const trmi_given *given = trmi_part_find(part, path);
  if (given == NULL) fail_msg("%s has no value '%s'", name, path);
  return given;
}

static void is_at(trmi_place place, int line, int column) {
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
}

/* ---- copies ---------------------------------------------------------------------------- */

static void copies_follow_what_is_written(void **state) {
  (void)state;
  trm_model *m = read_good(chain);
  const trmi_definition *d = &m->def;
  assert_int_equal(d->parts[TRMI_BODIES].count, 4);
  assert_int_equal(d->parts[TRMI_JOINTS].count, 3);
  assert_int_equal(d->parts[TRMI_OUTPUTS].count, 2);
  const trmi_given *at = find_value(&d->parts[TRMI_BODIES], 2, "link2", "at");
  assert_string_equal(at->texts[0].text, "2 - 0.5");
  assert_string_equal(at->texts[1].text, "0");
  assert_string_equal(at->texts[2].text, "2*5");
  assert_int_equal(at->texts[2].length, 3);
  assert_string_equal(find_value(&d->parts[TRMI_BODIES], 3, "link3", "mass")->texts[0].text, "1");
  assert_string_equal(d->parts[TRMI_BODIES].list[3].inner->key.name, "e3");
  const trmi_given *bodies = find_value(&d->parts[TRMI_JOINTS], 2, "pin3", "bodies");
  assert_string_equal(bodies->texts[0].text, "link2");
  assert_string_equal(bodies->texts[1].text, "link3");
  assert_string_equal(d->parts[TRMI_OUTPUTS].list[0].key.name, "x2");
  assert_string_equal(d->parts[TRMI_OUTPUTS].list[1].key.name, "x3");
  assert_string_equal(trmi_part_word(&d->parts[TRMI_OUTPUTS].list[1], "equals"),
                      "link3.x + 1 - link2.x");
  trm_model_free(m);
}

static void letters_have_the_places_of_the_template(void **state) {
  (void)state;
  trm_model *m = read_good(chain);
  const trmi_definition *d = &m->def;
  const trmi_given *at = find_value(&d->parts[TRMI_BODIES], 2, "link2", "at");
  is_at(d->parts[TRMI_BODIES].list[2].key.place, 10, 7);
  is_at(at->place, 10, 46);
  is_at(trmi_text_place(&at->texts[0], 0), 10, 51);
  is_at(trmi_text_place(&at->texts[0], 4), 10, 57); /* 0.5, of "2 - 0.5" */
  is_at(trmi_text_place(&at->texts[2], 0), 10, 65);
  const trmi_text *x = trmi_part_text(&d->parts[TRMI_OUTPUTS].list[1], "equals");
  is_at(trmi_text_place(x, 5), 17, 31);  /* the dot after the hole       */
  is_at(trmi_text_place(x, 8), 18, 24);  /* the plus in the next line    */
  is_at(trmi_text_place(x, 19), 18, 47); /* the dot after the second hole */
  trm_model_free(m);
}

static void parameters_and_settings_decide_how_many(void **state) {
  (void)state;
  static const struct {
    trm_setting setting;
    int bodies, joints;
  } cases[] = {
    {{"n", "1"}, 2, 1},
    {{"n", "40"}, 41, 40},
    {{"repeat.links.bodies.link<k>.mass", "2"}, 4, 3},
    {{"repeat.pins.count", "1 + 1"}, 4, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trm_model *m = read_with(chain, &cases[i].setting, 1);
    assert_int_equal(m->def.parts[TRMI_BODIES].count, cases[i].bodies);
    assert_int_equal(m->def.parts[TRMI_JOINTS].count, cases[i].joints);
    trm_model *again = read_good(trm_model_text(m));
    assert_string_equal(trm_model_text(again), trm_model_text(m));
    assert_int_equal(again->def.parts[TRMI_BODIES].count, cases[i].bodies);
    trm_model_free(again);
    trm_model_free(m);
  }
}

static const char sums[] =
    HEAD "parameters: {n: 3, m0: 1}\n"
         "repeat:\n"
         "  rows: {count: n, parameters: {m<i>: 'm<i-1> + <i>'},\n"
         "         bodies: {b<i>: {type: point, mass: m<i>, at: [<m1>, 0, 0]}}}\n"
         "  more: {count: m1, bodies: {c<i>: {type: point, mass: m<n>}}}\n";

static void parameters_are_copied_before_parts(void **state) {
  (void)state;
  trm_model *m = read_good(sums);
  const trmi_parts *bodies = &m->def.parts[TRMI_BODIES];
  assert_int_equal(m->def.parameters.count, 5);
  assert_int_equal(bodies->count, 3 + 2); /* m1 = 2 copies of the second block */
  static const double masses[] = {2, 4, 7, 7, 7};
  for (int i = 0; i < bodies->count; i++) {
    assert_true(trmi_part_number(&bodies->list[i], "mass") == masses[i]);
  }
  assert_string_equal(find_value(bodies, 0, "b1", "at")->texts[0].text, "2");
  /* n and m1 decide which parts there are; what m0 does to m1 is seen when it is set */
  static const bool is_fixed[] = {true, false, true, false, false};
  for (int i = 0; i < 5; i++) assert_int_equal(m->def.is_fixed[i], is_fixed[i]);
  trm_model_free(m);
}

static void the_text_keeps_the_template(void **state) {
  (void)state;
  trm_model *m = read_good(chain);
  assert_string_equal(trm_model_text(m), chain);
  trm_model_free(m);
}

static void blocks_come_from_several_files(void **state) {
  (void)state;
  trm_model *m = read_good(
      HEAD "include: part.yaml\nrepeat: {a: {bodies: {b<i>: {type: point, mass: <i>}}}}\n"
           "#-- file: part.yaml\n"
           "repeat: {a: {count: 2, from: -1}, c: {count: 1, bodies: {c: {type: point, mass: 2}}}}\n"
           "#-- set: repeat.a.from=4\n");
  assert_int_equal(m->def.parts[TRMI_BODIES].count, 3);
  assert_string_equal(find_value(&m->def.parts[TRMI_BODIES], 1, "b5", "mass")->texts[0].text, "5");
  trm_model_free(m);
}

static void comparisons_are_no_holes(void **state) {
  (void)state;
  trm_model *m = read_good(
      HEAD "repeat: {a: {count: 2, bodies: {b<i>: {type: point, mass: 1}}, outputs:\n"
           "  {o<i>: 'IF(b<i>.x < b1.y and b1.y > 2, 1, 2) + IF(b1.x<b2.x, 1, 2)'}}}\n");
  assert_string_equal(trmi_part_word(&m->def.parts[TRMI_OUTPUTS].list[1], "equals"),
                      "IF(b2.x < b1.y and b1.y > 2, 1, 2) + IF(b1.x<b2.x, 1, 2)");
  trm_model_free(m);
}

static void many_copies_share_what_is_equal(void **state) {
  (void)state;
  enum { MANY = 3000 };
  const trm_setting setting = {"n", "3000"};
  trm_model *m = read_with(chain, &setting, 1);
  const trmi_parts *bodies = &m->def.parts[TRMI_BODIES];
  assert_int_equal(bodies->count, MANY + 1);
  assert_string_equal(find_value(bodies, MANY, "link3000", "at")->texts[0].text, "3000 - 0.5");
  assert_ptr_equal(find_value(bodies, MANY, "link3000", "inertia")->texts[0].text,
                   find_value(bodies, 1, "link1", "inertia")->texts[0].text);
  trm_model_free(m);
}

/* ---- faults ---------------------------------------------------------------------------- */

#define BLOCK(inside) HEAD "parameters: {a: 1.5, c: 2}\n" \
                           "repeat: {r: {" inside "}}\n"
#define POINTS "bodies: {p<i>: {type: point, mass: 1}}"

static void faults_of_blocks(void **state) {
  (void)state;
  refuses(HEAD "repeat: [1]\n", 2, 9, "repeat must be a mapping of names, not a list");
  refuses(BLOCK(POINTS), 3, 10, "repeat.r has no 'count'");
  refuses(BLOCK("count: 2, bodys: {}"), 3, 24, "did you mean 'bodies'?");
  refuses(BLOCK("count: 2, bodies: [1]"), 3, 32, "repeat.r.bodies must be a mapping of names");
  refuses(BLOCK("count: -1, " POINTS), 3, 21, "must be at least 0 and at most 1e+06");
  refuses(BLOCK("count: 1e6 + 1, " POINTS), 3, 21, "at most 1e+06");
  refuses(BLOCK("count: a, " POINTS), 3, 21, "1.5 is not a whole number");
  refuses(BLOCK("count: 2 m, " POINTS), 3, 21, "dimension");
  refuses(BLOCK("count: none, " POINTS), 3, 21, "'none'");
  refuses(BLOCK("count: 2, from: 0.5, " POINTS), 3, 30, "not a whole number");
  refuses(BLOCK("count: 2, index: c, " POINTS), 3, 31, "is also the name of a parameter");
  refuses(BLOCK("count: 2, index: 2c, " POINTS), 3, 31, "cannot be the name of an index");
  refuses(BLOCK("count: 600000, bodies: {p<i>: {type: point, mass: <i>, at: [<i>, 0, 0]}}"), 3, 21,
          "repeat.r: 600000 copies make more than 2 million nodes");
}

/* Rows of rows: quotients are rounded down, remainders are never negative. */
static void holes_divide(void **state) {
  (void)state;
  trm_model *m = read_good(HEAD "parameters: {n: 3}\n"
                                "repeat: {r: {count: 4, from: -1, bodies: {'p<i+1>': {type: point, "
                                "mass: <i/n+2>, at: [<i%n>, <2*(i%n)+i/n*n>, <7/2*2%4>]}}}}\n");
  static const char *const wanted[4][4] = {{"1", "2", "1", "2"}, {"2", "0", "0", "2"},
                                           {"2", "1", "2", "2"}, {"2", "2", "4", "2"}};
  for (int i = 0; i < 4; i++) {
    char name[8];
    snprintf(name, sizeof name, "p%d", i);
    const trmi_parts *bodies = &m->def.parts[TRMI_BODIES];
    assert_string_equal(find_value(bodies, i, name, "mass")->texts[0].text, wanted[i][0]);
    for (int k = 0; k < 3; k++) {
      assert_string_equal(find_value(bodies, i, name, "at")->texts[k].text, wanted[i][k + 1]);
    }
  }
  trm_model_free(m);
}

static void faults_of_holes(void **state) {
  (void)state;
#define MASS(text) BLOCK("count: 2, from: 7, bodies: {p<i>: {type: point, mass: " text "}}")
  refuses(MASS("<j>"), 3, 68, "<j>: 'j' is neither the index 'i' nor a parameter (index 7)");
  refuses(MASS("1 + <i*a>"), 3, 72, "<i*a>: the parameter 'a' is 1.5, not a whole number");
  refuses(MASS("<i+>"), 3, 68, "a number or a name is missing");
  refuses(MASS("<(i>"), 3, 68, "a ')' is missing");
  refuses(MASS("<i)>"), 3, 68, "')' has no meaning here");
  refuses(MASS("<*i>"), 3, 68, "missing before '*'");
  refuses(MASS("<i/(i-7)>"), 3, 68, "<i/(i-7)>: division by zero (index 7)");
  refuses(MASS("<i%0>"), 3, 68, "division by zero");
  refuses(MASS("<i*1000000000000000>"), 3, 68, "is too large");
  refuses(MASS("<i> m"), 3, 68, "dimension m, not kg (index 7)");
  refuses(MASS("<i-8>"), 3, 68, "-1 is out of range: it must be greater than 0 (index 7)");
  refuses(MASS("<8-i>"), 3, 68, "0 is out of range: it must be greater than 0 (index 8)");
}

static void faults_of_names(void **state) {
  (void)state;
  refuses(BLOCK("count: 2, bodies: {p: {type: point, mass: 1}}"), 3, 33,
          "the name 'p' is the same in all copies: put the index in it, like 'p<i>'");
  refuses(BLOCK("count: 2, bodies: {p<0*i>: {type: point, mass: 1}}"), 3, 33,
          "the name 'p0' is made twice (index 2)");
  refuses(BLOCK("count: 2, from: -1, bodies: {p<i>: {type: point, mass: 1}}"), 3, 43,
          "'p-1' cannot be a name");
  refuses(BLOCK("count: 2, " POINTS ", joints: {p<i>: {type: fixed}}"), 3, 73, "used twice");
  refuses(BLOCK("count: 2, " POINTS) "bodies: {p2: {type: point, mass: 1}}\n", 3, 33,
          "the name 'p2' is made twice (index 2)");
  refuses(BLOCK("count: 2, parameters: {a<i-1>: 3, a: 4}"), 3, 48, "the same in all copies");
  refuses(BLOCK("count: 2, parameters: {x<0*i>: 3}"), 3, 37, "the name 'x0' is made twice");
  refuses(BLOCK("count: 2, parameters: {x<j>: 3}"), 3, 38, "'j' is neither the index");
  refuses(BLOCK("count: x1, parameters: {x<i>: 3}"), 3, 21, "'x1'"); /* not copied yet */
  refuses(BLOCK("count: 2, parameters: {x<i>: x<i+1>}"), 3, 43, "'x3'");
  refuses(BLOCK("count: 2, parameters: {x<i>: 'x<3-i>'}"), 3, 44, "depend on each other");
  refuses(BLOCK("count: 2, bodies: {p<i>: {tipe: point}}"), 3, 40, "in bodies.p1; did you mean");
}

static void exhaust(const char *text) {
  for (long at = 1;; at++) {
    meter m = {.fail_at = at};
    const trm_allocator allocator = meter_allocator(&m);
    trm_model *model;
    trm_error err;
    const trm_status status =
        trm_model_read_text(text, "m", NULL, 0, &allocator, &model, &err);
    trm_model_free(model);
    assert_int_equal(m.live, 0);
    if (m.refused == 0) {
      CHECK_OK(status, err);
      assert_true(at > 3);
      return;
    }
    CHECK_STATUS(status, TRM_ERR_MEMORY);
  }
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  exhaust(chain);
  exhaust(sums);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_follow_what_is_written),
    cmocka_unit_test(letters_have_the_places_of_the_template),
    cmocka_unit_test(parameters_and_settings_decide_how_many),
    cmocka_unit_test(parameters_are_copied_before_parts),
    cmocka_unit_test(the_text_keeps_the_template),
    cmocka_unit_test(blocks_come_from_several_files),
    cmocka_unit_test(comparisons_are_no_holes),
    cmocka_unit_test(many_copies_share_what_is_equal),
    cmocka_unit_test(faults_of_blocks),
    cmocka_unit_test(holes_divide),
    cmocka_unit_test(faults_of_holes),
    cmocka_unit_test(faults_of_names),
    cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
