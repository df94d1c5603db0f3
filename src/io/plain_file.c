/* plain_file.c - opens without waiting, then checks the kind of the file. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/plain_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *trmi_plain_file_open(const char *path, const char **reason) {
  struct stat facts;
  FILE *file = NULL;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0 && fstat(descriptor, &facts) == 0) {
    if (S_ISREG(facts.st_mode)) file = fdopen(descriptor, "rb");
    else errno = S_ISDIR(facts.st_mode) ? EISDIR : 0;
  }
  *reason = errno != 0 ? strerror(errno) : "it is not a plain file";
  if (file == NULL && descriptor >= 0) close(descriptor);
  return file;
}
