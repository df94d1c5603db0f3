/* Events that come and go within one step: bands that are crossed there and back, peaks just above
 * a threshold, against closed forms. With TRM_LONG in the environment a hundred random cases of
 * each, without it a few. */
#include "methods.h"
#include "verify/typed.h"
#include <math.h>
#include <stdlib.h>


static int cases(void) {
  return getenv("TRM_LONG") != NULL ? 100 : 3;
}

static double random_between(uint32_t *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (double)(*seed >> 8) / 16777216.0;
}

/* Run a text with a method and a tolerance; the end of it. */
static void run(const char *text, const char *method, double tolerance, point *end) {
  typed m = typed_text(text, "crossings", NULL);
  trm_options o = m.options;
  o.integrator = method;
  o.formulation = NULL;
  o.tolerance = tolerance;
  trm_sim *sim = kit_sim(m.system, &o);
  kit_run(sim);
  point_clear(end);
  trmi_state_copy(m.system, trm_sim_state(sim), &end->s);
  trm_sim_free(sim);
  typed_close(&m);
}

/* A wheel turns steadily, so that a step has several periods of the teeth that pass a sensor. Parts
 * of a step as long as a period seemed to rest next to zero: radau missed teeth of 30 wheels of 40,
 * hht of 18. */
static void all_teeth_of_a_wheel_count(void **state) {
  (void)state;
  static const struct {
    int    teeth;
    double level; /* of the sensor */
  } wheels[] = {{20, -0.5}, {25, 0.9323}, {31, 0.9323}, {37, 0.9323}, {40, -0.5}, {54, -0.5}};
  const double speed = 7.0, phase = 3.0;
  for (size_t w = 0; w < sizeof wheels / sizeof *wheels; w++) {
    const double after = speed * wheels[w].teeth - phase + acos(wheels[w].level);
    const double right = floor(after / 6.283185307179586) + 1.0;
    char text[400];
    snprintf(text, sizeof text,
             "trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: %g}}\n"
             "  mass: {x: 1}\n  discrete: {n: 0}\n"
             "  events: {tooth: {when: \"cos(%d*x - %g) > %g\", set: {n: n + 1}}}\n"
             "simulate: {end: 1}\n", speed, wheels[w].teeth, phase, wheels[w].level);
    for (int m = 0; m < all_methods(); m++) {
      point end;
      run(text, methods[m], 1e-6, &end);
      CHECK_NEAR(end.s.z[0], right, 0.0, "%d teeth by %s", wheels[w].teeth, methods[m]);
    }
  }
}

/* v^2 falls by 2 a b in a band of width b; what is too slow turns back and leaves as it came. */
static void bands_of_all_widths_are_found(void **state) {
  (void)state;
  uint32_t seed = 7;
  for (int k = 0; k < cases(); k++) {
    for (int w = 1; w <= 6; w++) {
      const double width = pow(10.0, -w), v = random_between(&seed, 0.5, 3.0);
      const double loss = random_between(&seed, 0.2, 1.8), at = random_between(&seed, 0.5, 5.0);
      const double a = 0.5 * loss * v * v / width;
      char text[400];
      snprintf(text, sizeof text,
               "trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: %.17g}}\n"
               "  mass: {x: 1}\n  forces: {x: \"if(x > %.17g, if(x < %.17g, -%.17g, 0), 0)\"}\n"
               "simulate: {end: 20}\n", v, at, at + width, a);
      const double right = loss < 1.0 ? v * sqrt(1.0 - loss) : -v;
      for (int m = 0; m < all_methods(); m++) {
        for (int p = 3; p <= 8; p++) {
          if (k < 3 && getenv("TRM_LONG") == NULL && (p + w + m) % 3 != k) continue;
          point end;
          run(text, methods[m], pow(10.0, -p), &end);
          if (fabs(end.s.v[0] - right) < 1e-6 * v / fabs(1.0 - loss)) continue;
          fail_msg("band %g at %g, v %g, loss %g, %s 1e-%d: %.9g, not %.9g", width, at, v, loss,
                   methods[m], p, end.s.v[0], right);
        }
      }
    }
  }
}

/* The event counts at both crossings of the threshold, or at none. */
static void peaks_just_above_a_threshold_count_twice(void **state) {
  (void)state;
  uint32_t seed = 11;
  for (int k = 0; k < 10 * cases(); k++) {
    const double v = random_between(&seed, 1.0, 9.0), g = random_between(&seed, 2.0, 12.0);
    const double most = k % 2 == 0 ? -7.0 : -1.0, peak = 0.5 * v * v / g;
    const double off = pow(10.0, random_between(&seed, -9.0, most)) * peak;
    const bool is_above = random_between(&seed, 0.0, 1.0) < 0.6;
    const double threshold = is_above ? peak - off : peak + off;
    char text[400];
    snprintf(text, sizeof text,
             "trammel: 1\nequations:\n  coordinates: {y: {value: 0, velocity: %.17g}}\n"
             "  mass: {y: 1}\n  forces: {y: -%.17g}\n  discrete: {n: 0, up: 0}\n"
             "  events:\n    pass: {when: y - %.17g, set: {n: n + 1}}\n"
             "    rise: {when: y - %.17g, direction: rising, set: {up: up + 1}}\n"
             "simulate: {end: %.17g}\n", v, g, threshold, threshold,
             random_between(&seed, 2.0, 6.0) * v / g);
    for (int m = 0; m < all_methods(); m++) {
      for (int p = 3; p <= 8; p++) {
        point end;
        run(text, methods[m], pow(10.0, -p), &end);
        const double y = end.s.t * (v - 0.5 * g * end.s.t);
        if (end.s.z[0] != (is_above ? 2.0 : 0.0) || end.s.z[1] != (is_above ? 1.0 : 0.0) ||
            fabs(end.s.q[0] - y) > 1e-9 * (1.0 + peak + fabs(y))) {
          fail_msg("v %g, g %g, %g %s, %s 1e-%d: %g passes, %g up, y off by %.1e", v, g, off,
                   is_above ? "above" : "below", methods[m], p, end.s.z[0], end.s.z[1],
                   end.s.q[0] - y);
        }
      }
    }
  }
}

/* Five nanometres above the threshold, for 70 microseconds of a step of 86 ms that begins there. */
static void a_step_that_begins_at_a_grazing_crossing_finds_the_way_back(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {y: {value: 0, velocity: 7.2768864631652832}}\n"
      "  mass: {y: 1}\n  forces: {y: -8.2556689977645874}\n  discrete: {n: 0}\n"
      "  events: {pass: {when: y - 3.2070736199682606, set: {n: n + 1}}}\n"
      "simulate: {end: 5.1948395469010178}\n";
  for (int m = 0; m < all_methods(); m++) {
    for (int p = 3; p <= 8; p++) {
      point end;
      run(text, methods[m], pow(10.0, -p), &end);
      CHECK_NEAR(end.s.z[0], 2.0, 0.0, "%s 1e-%d: passes", methods[m], p);
    }
  }
}

/* With drag and a wave in the event function: the count of a run at 1e-11. Peaks lie farther from
 * the threshold than ten times what the method is off. */
static void bent_flights_have_the_same_count_for_all(void **state) {
  (void)state;
  uint32_t seed = 5;
  for (int k = 0; k < 2 * cases(); k++) {
    char text[500];
    snprintf(text, sizeof text,
             "trammel: 1\nequations:\n  coordinates: {y: {value: 0, velocity: %.17g}}\n"
             "  mass: {y: 1}\n  forces: {y: -9.81 - %.17g*y'}\n  discrete: {n: 0}\n"
             "  events: {pass: {when: y + .2*sin(%.17g*y) - %.17g, set: {n: n + 1}}}\n"
             "simulate: {end: 2}\n", random_between(&seed, 4.0, 9.0),
             random_between(&seed, 0.0, 1.0), random_between(&seed, 2.0, 15.0),
             random_between(&seed, 0.3, 1.3));
    point right, end;
    run(text, "radau", 1e-11, &right);
    for (int m = 0; m < all_methods(); m++) {
      for (int p = 3; p <= 8; p++) {
        run(text, methods[m], pow(10.0, -p), &end);
        if (end.s.z[0] == right.s.z[0]) continue;
        fail_msg("%s: %s 1e-%d: %g, not %g", text, methods[m], p, end.s.z[0], right.s.z[0]);
      }
    }
  }
}

/* Silent events are told as often as they happen. */
static void silent_events_are_told_each_time(void **state) {
  (void)state;
  static const char text[] =
      "trammel: 1\nequations:\n  coordinates: {x: {value: 0, velocity: 1}}\n  mass: {x: 1}\n"
      "  events: {wave: {when: sin(3*x)}}\nsimulate: {end: 10}\n";
  for (int m = 0; m < all_methods(); m++) {
    kit_record record;
    typed model = typed_text(text, "wave", NULL);
    trm_options o = model.options;
    o.integrator = methods[m];
    trm_sim *sim = kit_sim(model.system, &o);
    kit_listen(sim, &record);
    kit_run(sim);
    trm_sim_free(sim);
    typed_close(&model);
    assert_int_equal(record.nevents, 9); /* 3 x = pi .. 9 pi */
    for (int k = 0; k < 9; k++) {
      CHECK_NEAR(record.event_t[k], (k + 1) * 3.14159265358979323846 / 3.0, 1e-9, "time");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_of_all_widths_are_found),
      cmocka_unit_test(peaks_just_above_a_threshold_count_twice),
      cmocka_unit_test(a_step_that_begins_at_a_grazing_crossing_finds_the_way_back),
      cmocka_unit_test(bent_flights_have_the_same_count_for_all),
      cmocka_unit_test(silent_events_are_told_each_time),
      cmocka_unit_test(all_teeth_of_a_wheel_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
