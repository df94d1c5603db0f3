/* tests.c - main of the tests of one folder: with the argument test_NAME it runs test_NAME.c. CMake
 * compiles `main` of each as test_NAME_main and lists the names in the header TESTS. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name##_main(void);
#include TESTS
#undef TEST

static const struct {
  const char *name;
  int (*run)(void);
} tests[] = {
#define TEST(name) {#name, name##_main},
#include TESTS
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    if (argc == 2 && strcmp(argv[1], tests[i].name) == 0) return tests[i].run();
  }
  fprintf(stderr, "usage: %s NAME, one of\n", argv[0]);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) fprintf(stderr, " %s", tests[i].name);
  fprintf(stderr, "\n");
  return 2;
}
