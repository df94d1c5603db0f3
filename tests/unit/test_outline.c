/* test_outline.c - outlines of lines and arcs: their volumes against closed forms, the order of
 * their points, and what is refused. */
#include "elements/body/outline.h"
#include "check.h"
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A plate with a round end and a round hollow, counterclockwise. */
static const double plate[] = {-.3, -.2, 0,   .3, -.2, .2,  .3, .2, 0, .15, .2, -.15,
                               -.15, .2, 0, -.3, .2, 0};

/* Half a disc of radius r has its centre 4 r/(3 pi) from its diameter. */
static void volumes_are_those_of_their_parts(void **state) {
  (void)state;
  trmi_outline_piece pieces[6];
  trmi_outline o;
  char fault[TRMI_OUTLINE_FAULT] = "";
  assert_true(trmi_outline_make(plate, 6, 1, pieces, &o, fault));
  const trmi_volume V = trmi_volume_outline(&o, .1);
  const double end = pi * .04 / 2, hole = pi * .0225 / 2, A = .24 + end - hole;
  const double x = end * (.3 + 4 * .2 / (3 * pi)) / A;
  const double y = -hole * (.2 - 4 * .15 / (3 * pi)) / A;
  CHECK_NEAR(V.volume, .1 * A, 1e-15, "volume, rounding");
  CHECK_NEAR(V.centre.x, x, 1e-14, "centre");
  CHECK_NEAR(V.centre.y, y, 1e-14, "centre");
  /* second moments about the origin, then moved */
  const double own = pi / 8 - 8 / (9 * pi), at = .3 + 4 * .2 / (3 * pi);
  const double down = .2 - 4 * .15 / (3 * pi), r4 = .2 * .2 * .2 * .2, s4 = .15 * .15 * .15 * .15;
  const double xx = .4 * .6 * .6 * .6 / 12 + own * r4 + end * at * at - pi / 8 * s4 - A * x * x;
  const double yy = .6 * .4 * .4 * .4 / 12 + pi / 8 * r4 - own * s4 - hole * down * down -
                    A * y * y;
  CHECK_NEAR(V.J[8], .1 * (xx + yy), 1e-15, "about its axis");
  CHECK_NEAR(V.J[0], .1 * yy + A * 1e-3 / 12, 1e-15, "about x");
  CHECK_NEAR(o.hollow, .15, 0.0, "its hollow");
  CHECK_NEAR(o.reach, .5, 1e-15, "its reach");
}

static void the_order_of_points_does_not_matter(void **state) {
  (void)state;
  trmi_outline_piece pieces[2][6];
  trmi_outline o[2];
  char fault[TRMI_OUTLINE_FAULT] = "";
  double back[18];
  for (int i = 0; i < 6; i++) { /* the arc of a point leads to the next one */
    memcpy(back + 3 * i, plate + 3 * (5 - i), 2 * sizeof *back);
    back[3 * i + 2] = plate[3 * ((10 - i) % 6) + 2];
  }
  assert_true(trmi_outline_make(plate, 6, 1, pieces[0], &o[0], fault));
  assert_true(trmi_outline_make(back, 6, 1, pieces[1], &o[1], fault));
  const trmi_volume a = trmi_volume_outline(&o[0], .1), b = trmi_volume_outline(&o[1], .1);
  CHECK_NEAR(a.volume, b.volume, 1e-15, "volume");
  for (int i = 0; i < 9; i++) CHECK_NEAR(a.J[i], b.J[i], 1e-15, "J[%d]", i);
}

static void faults_have_sentences(void **state) {
  (void)state;
  static const struct {
    double      rows[12];
    int         count;
    const char *sentence;
  } cases[] = {
    {{0, 0, 0, 1, 0, 0, 1, 1, 0, .9, .1, 0}, 4, "point 4 of its outline is a hollow corner"},
    {{0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0}, 4, "hollow corner"},
    {{0, 0, 0, 0, 0, 0, 1, 1, 0}, 3, "points 1 and 2 of its outline are the same"},
    {{0, 0, .4, 1, 0, 0, 1, 1, 0}, 3, "farther from each other than an arc of that radius"},
    {{0, 0, -.5, 1, 0, -.5}, 2, "crosses itself"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    trmi_outline_piece pieces[4];
    trmi_outline o;
    char fault[TRMI_OUTLINE_FAULT] = "";
    assert_false(trmi_outline_make(cases[k].rows, cases[k].count, 1, pieces, &o, fault));
    if (strstr(fault, cases[k].sentence) == NULL) fail_msg("case %d: %s", (int)k, fault);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(volumes_are_those_of_their_parts),
    cmocka_unit_test(the_order_of_points_does_not_matter),
    cmocka_unit_test(faults_have_sentences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
