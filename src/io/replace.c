/* replace.c - drafts of files. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/replace.h"
#include "trammel/run_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, TRIES_MAX = 10, NAME_KEPT = 200 /* of at most 255 letters */ };

/* ---- targets of paths ---------------------------------------------------------- */

/* Letters of the folder in a path, with its last slash. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Replace the last part of a path, or all of it, by `name`; false: too long. */
static bool set_last(char path[TRMI_PATH_MAX], const char *name) {
  const size_t folder = name[0] == '/' ? 0 : folder_length(path);
  const size_t length = strlen(name);
  if (folder + length >= TRMI_PATH_MAX) return false;
  memcpy(path + folder, name, length + 1);
  return true;
}

/* Follow the links at the end of a path. Returns 0 or errno; *is_device: it goes through /proc,
 * where a link is not a path. */
static int follow(const char *path, char target[TRMI_PATH_MAX], bool *is_device) {
  *is_device = false;
  if (strlen(path) >= TRMI_PATH_MAX) return ENAMETOOLONG;
  memcpy(target, path, strlen(path) + 1);
  for (int i = 0; i < LINKS_MAX; i++) {
    struct stat about;
    *is_device = *is_device || strncmp(target, "/proc/", strlen("/proc/")) == 0;
    if (*is_device || lstat(target, &about) != 0 || !S_ISLNK(about.st_mode)) return 0;
    char name[TRMI_PATH_MAX];
    const ssize_t length = readlink(target, name, sizeof name - 1);
    if (length < 0) return errno;
    name[length] = '\0';
    if (!set_last(target, name)) return ENAMETOOLONG;
  }
  return ELOOP;
}

/* The folder of a path, "." if it names none. */
static bool folder_facts(const char *path, struct stat *facts) {
  char folder[TRMI_PATH_MAX];
  const size_t length = folder_length(path);
  memcpy(folder, path, length);
  memcpy(folder + length, ".", sizeof ".");
  return stat(folder, facts) == 0;
}

static bool is_same_place(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool trm_is_same_file(const char *a, const char *b) {
  struct stat facts_a, facts_b;
  if (a == NULL || b == NULL) return false;
  const bool has_a = stat(a, &facts_a) == 0, has_b = stat(b, &facts_b) == 0;
  if (has_a != has_b) return false;
  if (has_a) return S_ISREG(facts_a.st_mode) && is_same_place(&facts_a, &facts_b);
  char target_a[TRMI_PATH_MAX], target_b[TRMI_PATH_MAX];
  bool is_device;
  if (follow(a, target_a, &is_device) != 0 || follow(b, target_b, &is_device) != 0 ||
      strlen(target_a) + 2 > TRMI_PATH_MAX || strlen(target_b) + 2 > TRMI_PATH_MAX) {
    return false;
  }
  return strcmp(target_a + folder_length(target_a), target_b + folder_length(target_b)) == 0 &&
         folder_facts(target_a, &facts_a) && folder_facts(target_b, &facts_b) &&
         is_same_place(&facts_a, &facts_b);
}

/* ---- drafts ---------------------------------------------------------------------- */

/* False: another process has the file. File systems without locks have none. */
static bool lock(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Lock and empty what was opened. Returns 0 or errno. */
static int take(int descriptor, const struct stat *facts) {
  if (!S_ISREG(facts->st_mode)) return 0;
  if (!lock(descriptor)) return EAGAIN;
  return ftruncate(descriptor, 0) == 0 ? 0 : errno;
}

/* Only the writing end of a pipe: a reader that closes it must be noticed. */
static int open_in_place(const trmi_replace *replace, bool is_plain, int *descriptor) {
  struct stat facts;
  const int mode = is_plain ? O_RDWR | O_CREAT : O_WRONLY;
  *descriptor = open(replace->target, mode | O_CLOEXEC, 0666);
  if (*descriptor < 0 || fstat(*descriptor, &facts) != 0) return errno;
  return take(*descriptor, &facts);
}

/* Another program may publish its draft between opening and locking: try again. */
static int open_draft(const trmi_replace *replace, int *descriptor) {
  for (int i = 0; i < TRIES_MAX; i++) {
    struct stat mine, named;
    *descriptor = open(replace->draft, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (*descriptor < 0 || fstat(*descriptor, &mine) != 0) return errno;
    if (!lock(*descriptor)) return EAGAIN;
    if (lstat(replace->draft, &named) == 0 && is_same_place(&mine, &named)) {
      /* not made by us */
      if (!S_ISREG(mine.st_mode) || mine.st_nlink != 1) return EEXIST;
      return take(*descriptor, &mine);
    }
    close(*descriptor);
    *descriptor = -1;
  }
  return EAGAIN;
}

/* If another program is writing the old file, it keeps the lock. */
static bool is_being_written(const char *path) {
  const int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_free = lock(descriptor);
  close(descriptor);
  return !is_free;
}

/* The rights of the old file; its owner if we may. */
static void take_rights(int descriptor, const struct stat *old) {
  if (fchown(descriptor, old->st_uid, old->st_gid) != 0) errno = 0;
  if (fchmod(descriptor, old->st_mode & 0777) != 0) errno = 0;
}

static void name_draft(trmi_replace *replace) {
  const size_t folder = folder_length(replace->target);
  snprintf(replace->draft, sizeof replace->draft, "%.*s.%.*s.trammel", (int)folder,
           replace->target, NAME_KEPT, replace->target + folder);
}

int trmi_replace_begin(trmi_replace *replace, const char *path, int *descriptor) {
  bool is_device;
  struct stat old;
  *descriptor = -1;
  replace->target[0] = replace->draft[0] = '\0';
  int reason = follow(path, replace->target, &is_device);
  if (reason != 0) return reason;
  if (strlen(replace->target) + sizeof "..trammel" > TRMI_PATH_MAX) return ENAMETOOLONG;
  const bool has_old = stat(replace->target, &old) == 0;
  if (has_old && access(replace->target, W_OK) != 0) return errno;
  if (is_device || (has_old && !S_ISREG(old.st_mode))) {
    reason = open_in_place(replace, !has_old || S_ISREG(old.st_mode), descriptor);
  } else {
    name_draft(replace);
    reason = open_draft(replace, descriptor);
    if (reason != 0) replace->draft[0] = '\0'; /* it is not ours */
    if (reason == 0 && has_old && is_being_written(replace->target)) reason = EAGAIN;
    if (reason == 0 && has_old) take_rights(*descriptor, &old);
  }
  if (reason == 0) return 0;
  trmi_replace_discard(replace);
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
  return reason;
}

int trmi_replace_publish(trmi_replace *replace) {
  if (replace->draft[0] == '\0') return 0;
  if (rename(replace->draft, replace->target) != 0) return errno;
  replace->draft[0] = '\0';
  return 0;
}

void trmi_replace_discard(trmi_replace *replace) {
  if (replace->draft[0] != '\0') unlink(replace->draft);
  replace->draft[0] = '\0';
}
