/* Files that are replaced as a whole, and paths that lead to the same file. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/replace.h"
#include "check.h"
#include "trammel/run_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int enter_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/trammel-replace-XXXXXX");
  return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return chdir("/") == 0 ? system(command) : -1; /* NOLINT(cert-env33-c) our own folder */
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void check_text(const char *path, const char *text) {
  char found[64] = "";
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  const size_t n = fread(found, 1, sizeof found - 1, file);
  found[n] = '\0';
  fclose(file);
  assert_string_equal(found, text);
}

static void paths_to_one_file_are_found(void **state) {
  (void)state;
  put("a", "a");
  put("b", "a");
  assert_int_equal(mkdir("in", 0777), 0);
  assert_int_equal(symlink("in", "door"), 0);
  assert_int_equal(link("a", "hard"), 0);
  assert_int_equal(symlink("a", "soft"), 0);
  assert_int_equal(symlink("../soft", "in/softer"), 0);
  assert_int_equal(symlink("new", "dangling"), 0);
  assert_int_equal(symlink("loop", "loop"), 0);
  char absolute[100];
  snprintf(absolute, sizeof absolute, "%s/new", folder);
  const struct {
    const char *a, *b;
    bool        is_same;
  } cases[] = {
    {"a", "a", true},         {"a", "./a", true},        {"a", "hard", true},
    {"a", "soft", true},      {"hard", "in/softer", true}, {"a", "b", false},
    {"a", "new", false},      {"new", "./new", true},    {"new", "in/../new", true},
    {"new", absolute, true},  {"new", "dangling", true}, {"new", "newer", false},
    {"in/new", "door/new", true}, {"in/new", "new", false}, {"in", "door", false},
    {"no/new", "no/new", false}, {"loop", "loop", false}, {"/dev/null", "/dev/null", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (trm_is_same_file(cases[i].a, cases[i].b) == cases[i].is_same &&
        trm_is_same_file(cases[i].b, cases[i].a) == cases[i].is_same) {
      continue;
    }
    fail_msg("'%s' and '%s' are %sthe same file", cases[i].a, cases[i].b,
             cases[i].is_same ? "" : "not ");
  }
}

static void an_old_file_stays_until_the_new_one_is_published(void **state) {
  (void)state;
  trmi_replace replace;
  int descriptor;
  put("table", "old");
  assert_int_equal(chmod("table", 0640), 0);
  assert_int_equal(symlink("table", "name"), 0);

  assert_int_equal(trmi_replace_begin(&replace, "name", &descriptor), 0);
  assert_int_equal(write(descriptor, "part", 4), 4);
  check_text("table", "old");
  trmi_replace_discard(&replace);
  close(descriptor);
  check_text("table", "old");
  assert_int_not_equal(access(".table.trammel", F_OK), 0);

  assert_int_equal(trmi_replace_begin(&replace, "name", &descriptor), 0);
  assert_int_equal(write(descriptor, "new", 3), 3);
  assert_int_equal(trmi_replace_publish(&replace), 0);
  assert_int_equal(trmi_replace_publish(&replace), 0);
  trmi_replace_discard(&replace); /* too late */
  close(descriptor);
  check_text("table", "new");
  struct stat facts;
  assert_true(lstat("name", &facts) == 0 && S_ISLNK(facts.st_mode));
  assert_true(stat("table", &facts) == 0 && (facts.st_mode & 0777) == 0640);
  assert_int_not_equal(access(".table.trammel", F_OK), 0);
}

/* What another process gets when it wants to write the same file. */
static int reason_of_another(const char *path) {
  const pid_t child = fork();
  if (child == 0) {
    trmi_replace replace;
    int descriptor;
    const int reason = trmi_replace_begin(&replace, path, &descriptor);
    trmi_replace_discard(&replace);
    _exit(reason);
  }
  int status;
  assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void two_programs_never_write_one_file(void **state) {
  (void)state;
  trmi_replace replace;
  int descriptor;
  assert_int_equal(trmi_replace_begin(&replace, "shared", &descriptor), 0);
  assert_int_equal(reason_of_another("shared"), EAGAIN);
  assert_int_equal(access(".shared.trammel", F_OK), 0);
  assert_int_equal(trmi_replace_publish(&replace), 0);
  assert_int_equal(reason_of_another("shared"), EAGAIN);
  assert_int_not_equal(access(".shared.trammel", F_OK), 0);
  close(descriptor);
  assert_int_equal(reason_of_another("shared"), 0);
}

static void drafts_of_others_are_not_touched(void **state) {
  (void)state;
  trmi_replace replace;
  int descriptor;
  put("precious", "precious");
  assert_int_equal(symlink("precious", ".x.trammel"), 0);
  assert_int_equal(trmi_replace_begin(&replace, "x", &descriptor), ELOOP);
  assert_int_equal(unlink(".x.trammel"), 0);
  assert_int_equal(link("precious", ".x.trammel"), 0);
  assert_int_equal(trmi_replace_begin(&replace, "x", &descriptor), EEXIST);
  assert_int_equal(descriptor, -1);
  check_text("precious", "precious");
  assert_int_equal(unlink(".x.trammel"), 0);
}

static void devices_and_long_names_work(void **state) {
  (void)state;
  trmi_replace replace;
  int descriptor;
  assert_int_equal(trmi_replace_begin(&replace, "/dev/null", &descriptor), 0);
  assert_int_equal(trmi_replace_publish(&replace), 0);
  close(descriptor);
  struct stat facts;
  assert_true(stat("/dev/null", &facts) == 0 && S_ISCHR(facts.st_mode));
  assert_int_equal(trmi_replace_begin(&replace, "/nonexistent/a", &descriptor), ENOENT);
  assert_int_equal(trmi_replace_begin(&replace, folder, &descriptor), EISDIR);
  char name[256];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  assert_int_equal(trmi_replace_begin(&replace, name, &descriptor), 0);
  assert_int_equal(trmi_replace_publish(&replace), 0);
  close(descriptor);
  assert_int_equal(access(name, F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(paths_to_one_file_are_found),
    cmocka_unit_test(an_old_file_stays_until_the_new_one_is_published),
    cmocka_unit_test(two_programs_never_write_one_file),
    cmocka_unit_test(drafts_of_others_are_not_touched),
    cmocka_unit_test(devices_and_long_names_work),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
