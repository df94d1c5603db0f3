/* Chains of 1000 links and more: the tip, and work and memory in proportion to the
 * number of links. */
#include "chains.h"
#include "sanitized.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZES = 3 };
static const char *const links[SIZES] = {"100", "1000", "10000"};
static const double numbers[SIZES] = {100, 1000, 10000};

/* 50 steps of a chain, without any check: it may run in a child process. */
static trm_status short_run(const char *number, const char *joint, trm_counters *counters) {
  trm_system *system = NULL;
  trm_sim *sim = NULL;
  const trm_setting settings[] = {{"links", number}, {"joint", joint}};
  const trm_options o = options_steps(0.05, 1e-3, 0.0);
  trm_status status =
      trm_problem_create(trm_problem_find("chain"), settings, 2, NULL, &system, NULL);
  if (status == TRM_OK) status = trm_sim_create(system, &o, &sim, NULL);
  if (status == TRM_OK) status = trm_sim_run(sim, NULL);
  if (status == TRM_OK) *counters = *trm_sim_counters(sim);
  trm_sim_free(sim);
  trm_system_free(system);
  return status;
}

/* The limit stands in the requirements: 40 kB a link. Comes first: a child starts with
 * the memory of its parent. */
static void ten_thousand_links_need_less_than_400_MB(void **state) {
  (void)state;
  if (IS_SANITIZED) {
    print_message("skipped: the address sanitizer has memory of its own\n");
    skip();
  }
  const pid_t child = fork();
  if (child == 0) {
    trm_counters counters;
    _exit(short_run("10000", "revolute", &counters) == TRM_OK ? 0 : 1);
  }
  assert_true(child > 0);
  int how = 0;
  struct rusage usage;
  assert_int_equal(waitpid(child, &how, 0), child);
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
  assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
  print_message("peak memory %.0f MB\n", (double)usage.ru_maxrss / 1024.0);
  CHECK_BETWEEN((double)usage.ru_maxrss / 1024.0, 1.0, 400.0, "peak memory [MB]");
}

/* Elimination along the chain makes no fill: only the ends differ, 5 % from 100 links
 * on. Iterations depend on the motion, not on the length. */
static void check_work(const char *joint) {
  double entries[SIZES], residuals[SIZES], solves[SIZES];
  for (int i = 0; i < SIZES; i++) {
    trm_counters c = {0};
    CHECK_STATUS(short_run(links[i], joint, &c), TRM_OK);
    entries[i] = (double)c.lu_entries / numbers[i];
    residuals[i] = (double)c.residuals / (double)c.steps;
    solves[i] = (double)c.solves / (double)c.steps;
    print_message("%s, %s links: %.1f entries a link, %.2f residuals and %.2f solves a step\n",
                  joint, links[i], entries[i], residuals[i], solves[i]);
  }
  for (int i = 1; i < SIZES; i++) {
    CHECK_BETWEEN(entries[i] / entries[0], 0.95, 1.05, "entries a link, %s, %s", joint, links[i]);
    CHECK_BETWEEN(residuals[i] / residuals[0], 0.8, 1.2, "residuals, %s, %s", joint, links[i]);
    CHECK_BETWEEN(solves[i] / solves[0], 0.8, 1.2, "solves, %s, %s", joint, links[i]);
  }
}

static void work_per_link_is_constant_with_revolute_joints(void **state) {
  (void)state;
  check_work("revolute");
}

static void work_per_link_is_constant_with_spherical_joints(void **state) {
  (void)state;
  check_work("spherical");
}

static void tip_of_a_thousand_links_matches_the_listed_value(void **state) {
  (void)state;
  check_tip("1000", 997.2064179589, -19.62);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ten_thousand_links_need_less_than_400_MB),
      cmocka_unit_test(work_per_link_is_constant_with_revolute_joints),
      cmocka_unit_test(work_per_link_is_constant_with_spherical_joints),
      cmocka_unit_test(tip_of_a_thousand_links_matches_the_listed_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
