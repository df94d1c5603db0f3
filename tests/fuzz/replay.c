/* replay.c - feeds files, and all files of folders, to a fuzz target. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "fuzz.h"
#include <dirent.h>
#include <sys/stat.h>

static long fed = 0;

static void feed_file(const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  /* not a byte more: the sanitizer is to see a step beyond the end */
  uint8_t *data = malloc(size > 0 ? size : 1);
  FUZZ_REQUIRE(file != NULL && data != NULL && fread(data, 1, size, file) == size);
  fclose(file);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  fed++;
}

static void feed(const char *path) {
  struct stat facts;
  if (stat(path, &facts) != 0) {
    fprintf(stderr, "cannot read '%s'\n", path);
    exit(1);
  }
  if (!S_ISDIR(facts.st_mode)) {
    feed_file(path, (size_t)facts.st_size);
    return;
  }
  struct dirent **list;
  const int count = scandir(path, &list, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char inside[4096];
    snprintf(inside, sizeof inside, "%s/%s", path, list[i]->d_name);
    if (list[i]->d_name[0] != '.') feed(inside);
    free(list[i]);
  }
  free(list);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) feed(argv[i]);
  printf("%ld inputs\n", fed);
  return fed > 0 ? 0 : 1;
}
