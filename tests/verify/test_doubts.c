/* test_doubts.c - models that run but are probably not intended: each is reported. */
#include "methods.h"
#include "verify/typed.h"
#include <string.h>

typedef struct doubt {
  const char *text, *note; /* "": nothing is said */
} doubt;

#define ARM                                                                                 \
  "trammel: 1\nbodies: {arm: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0]}}\njoints:\n" \
  "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]"
#define TRAIN                                                                                     \
  "trammel: 1\nbodies: {arm: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0]}, "               \
  "disc: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [2, 0, 0]}}\njoints:\n"                          \
  "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}\n"              \
  "  wheel: {type: revolute, bodies: [ground, disc], at: [2, 0, 0], axis: [0, 1, 0], "
#define END "}\nsimulate: {end: 0.05}\n"

static const doubt doubts[] = {
  /* static friction below dynamic friction */
  {ARM ", friction: {static: 0.1, dynamic: 0.3, radius: 0.01}" END,
   "joint 'pin': its static friction is below its dynamic friction"},
  {ARM ", friction: {static: 0.3, dynamic: 0.1, radius: 0.01}" END, ""},
  {ARM ", friction: {dynamic: 0.1, radius: 0.01}" END, ""},
  /* a start beyond a stop, also where a motion is; resting on it is none */
  {ARM ", start: 0.5, limits: {upper: 0.3, stiffness: 1000, damping: 10}" END,
   "joint 'pin': its start is beyond its upper limit"},
  {ARM ", start: -0.5, limits: {lower: -0.3, upper: 1, stiffness: 1000}" END,
   "joint 'pin': its start is beyond its lower limit"},
  {ARM ", limits: {upper: 0.3, stiffness: 1000}}\n"
       "motions: {drive: {joint: pin, position: 0.4 + time}" END,
   "joint 'pin': its start is beyond its upper limit"},
  {ARM ", start: 0.3001, limits: {upper: 0.3, stiffness: 1000, damping: 10}" END, ""},
  /* a motion that passes a stop later, by itself or through a coupler; one that ends at it, or that
   * moves something else, does not */
  {ARM ", limits: {upper: 0.3, stiffness: 1000}}\nmotions: {drive: {joint: pin, position: 10*time}"
       END,
   "stop of joint 'pin' is passed at 0.03 s: motion 'drive' moves on"},
  {TRAIN "limits: {lower: -0.3, stiffness: 1000}}\n"
         "  train: {type: coupler, joints: [pin, wheel], ratios: [1, 2]}\n"
         "motions: {drive: {joint: pin, velocity: 20}" END,
   "stop of joint 'wheel' is passed at 0.03 s: motion 'drive' moves on"},
  {ARM ", limits: {upper: 0.3, stiffness: 1000}}\n"
       "motions: {drive: {joint: pin, position: \"STEP5(time, 0, 0, 0.04, 0.3)\"}" END, ""},
  {TRAIN "start_rate: -10, limits: {lower: -0.3, stiffness: 1000}}\n"
         "motions: {drive: {joint: pin, velocity: 20}" END, ""},
  /* negative stiffness */
  {ARM "}\nforces: {s: {type: joint, joint: pin, stiffness: -5}" END,
   "force 's': its stiffness is negative"},
  {ARM "}\nforces: {s: {type: bushing, bodies: [ground, arm], at: [0.5, 0, 0], "
       "stiffness: [5, 5, -5, 1, 1, 1]}" END,
   "force 's': its stiffness is negative"},
  {ARM "}\nforces: {s: {type: joint, joint: pin, stiffness: 5}" END, ""},
  /* nothing can move; a motion that begins later moves it */
  {ARM "}\n  weld: {type: fixed, bodies: [ground, arm], at: [1, 0, 0]" END, "nothing can move"},
  {ARM "}\nmotions: {drive: {joint: pin, position: \"STEP(time, 0.02, 0, 0.04, 0.1)\"}" END, ""},
  /* velocity of a motion that jumps */
  {ARM "}\nmotions: {drive: {joint: pin, position: \"if(time < 0.02, 0, 3*(time - 0.02))\"}" END,
   "motion 'drive' prescribes a velocity that jumps by 3"},
  {ARM "}\nmotions: {drive: {joint: pin, position: \"3*max(time - 0.02, 0)^2\"}" END, ""},
};

/* All notes of a run, one after another. */
static void collect(void *self, double t, const char *text) {
  char *said = self;
  (void)t;
  strncat(said, text, 2000 - strlen(said));
}

static void doubts_are_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
    trm_error err;
    char said[2001] = "";
    const trm_sink sink = {.self = said, .message = collect};
    typed m = typed_text(doubts[i].text, "doubt", NULL);
    trm_sim *sim = typed_sim(&m, i % 2 == 0 ? "hht" : "radau", 1e-5);
    CHECK_OK(trm_sim_add_sink(sim, &sink, &err), err);
    CHECK_OK(trm_sim_run(sim, &err), err);
    const bool is_said = doubts[i].note[0] != '\0';
    if ((is_said && strstr(said, doubts[i].note) == NULL) || (!is_said && said[0] != '\0')) {
      fail_msg("case %d: '%s' instead of '%s'", (int)i, said, doubts[i].note);
    }
    trm_sim_free(sim);
    typed_close(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(doubts_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
