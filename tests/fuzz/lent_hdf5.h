/* lent_hdf5.h - datasets that an input leaves alone are lent from a good file that stays open.
 *
 * HDF5 takes most of the time of an input to open and close some 40 datasets, of which an input
 * changes one to six. A target that is linked with --wrap for the calls below therefore hands the
 * reader the unchanged ones from the good file, where they stay open, and remembers what reading
 * them as a whole gave. The reader makes the same calls and gets the same answers; what was changed
 * still goes through HDF5 from the file of the input. Which bytes of the good file HDF5 reads for
 * a content is recorded once, so that damage elsewhere does not concern it. */
#ifndef TRM_LENT_HDF5_H
#define TRM_LENT_HDF5_H
#include "fuzz.h"
#include "io/run_file.h"
#include <hdf5.h>
#include <stdbool.h>
#include <unistd.h>

/* The fuzzer shall learn from the reader alone. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)
#endif

enum { LENT_MAX = 64, LENT_NAME = 40 };

typedef struct lent_content {
  char   name[LENT_NAME];
  const char *asked;            /* the address of the name, by which it is found soon */
  hid_t  id, type, space, list; /* negative: the good file has no such content */
  void  *data;                  /* as it was read, NULL: not yet               */
  size_t size, element;         /* of the data and of one element in memory    */
} lent_content;

/* Contents that were asked for, and whether a name may be answered by them now. */
static struct {
  hid_t        file;
  lent_content contents[LENT_MAX];
  int          count;
  bool       (*may_lend)(const char *name); /* NULL: lend nothing */
} lent;

/* The calls of the library (the names are those of the linker). */
hid_t  __real_H5Dopen2(hid_t file, const char *name, hid_t list);
htri_t __real_H5Lexists(hid_t file, const char *name, hid_t list);
hid_t  __real_H5Dget_type(hid_t id);
hid_t  __real_H5Dget_space(hid_t id);
hid_t  __real_H5Dget_create_plist(hid_t id);
herr_t __real_H5Dread(hid_t id, hid_t type, hid_t memory, hid_t space, hid_t list, void *data);
herr_t __real_H5Dclose(hid_t id);
herr_t __real_H5Tclose(hid_t id);
herr_t __real_H5Sclose(hid_t id);
herr_t __real_H5Pclose(hid_t id);
ssize_t __real_pread(int fd, void *data, size_t size, off_t at);

hid_t  __wrap_H5Dopen2(hid_t file, const char *name, hid_t list);
htri_t __wrap_H5Lexists(hid_t file, const char *name, hid_t list);
hid_t  __wrap_H5Dget_type(hid_t id);
hid_t  __wrap_H5Dget_space(hid_t id);
hid_t  __wrap_H5Dget_create_plist(hid_t id);
herr_t __wrap_H5Dread(hid_t id, hid_t type, hid_t memory, hid_t space, hid_t list, void *data);
herr_t __wrap_H5Dclose(hid_t id);
herr_t __wrap_H5Tclose(hid_t id);
herr_t __wrap_H5Sclose(hid_t id);
herr_t __wrap_H5Pclose(hid_t id);
ssize_t __wrap_pread(int fd, void *data, size_t size, off_t at);

/* Keep these bytes of a good file open. */
static void lent_begin(const void *bytes, size_t size) {
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  FUZZ_REQUIRE(H5Pset_fapl_core(fapl, 1 << 16, false) >= 0);
  FUZZ_REQUIRE(H5Pset_file_image(fapl, (void *)(uintptr_t)bytes, size) >= 0);
  lent.file = H5Fopen("lent", H5F_ACC_RDONLY, fapl);
  FUZZ_REQUIRE(lent.file >= 0);
  H5Pclose(fapl);
}

static lent_content *lent_find(const char *name) {
  for (int i = 0; i < lent.count; i++) {
    const lent_content *c = &lent.contents[i]; /* strings of the reader may share an address */
    if (c->asked == name && strcmp(c->name, name) == 0) return &lent.contents[i];
  }
  for (int i = 0; i < lent.count; i++) {
    if (strcmp(lent.contents[i].name, name) == 0) return &lent.contents[i];
  }
  FUZZ_REQUIRE(lent.count < LENT_MAX && strlen(name) < LENT_NAME);
  lent_content *c = &lent.contents[lent.count++];
  *c = (lent_content){.asked = name, .id = -1, .type = -1, .space = -1, .list = -1};
  memcpy(c->name, name, strlen(name) + 1);
  if (__real_H5Lexists(lent.file, name, H5P_DEFAULT) <= 0) return c;
  c->id = __real_H5Dopen2(lent.file, name, H5P_DEFAULT);
  if (c->id < 0) return c;
  c->type = __real_H5Dget_type(c->id);
  c->space = __real_H5Dget_space(c->id);
  c->list = __real_H5Dget_create_plist(c->id);
  return c;
}

/* The content with this identifier, NULL: it is one of the library. */
static lent_content *lent_of(hid_t id) {
  for (int i = 0; i < lent.count && id >= 0; i++) {
    lent_content *c = &lent.contents[i];
    if (id == c->id || id == c->type || id == c->space || id == c->list) return c;
  }
  return NULL;
}

static bool is_lent(const char *name) {
  return lent.may_lend != NULL && lent.may_lend(name);
}

hid_t __wrap_H5Dopen2(hid_t file, const char *name, hid_t list) {
  return is_lent(name) ? lent_find(name)->id : __real_H5Dopen2(file, name, list);
}

htri_t __wrap_H5Lexists(hid_t file, const char *name, hid_t list) {
  return is_lent(name) ? lent_find(name)->id >= 0 : __real_H5Lexists(file, name, list);
}

/* A part of a content that is lent, else what the library says. */
static hid_t lent_part(hid_t id, size_t member, hid_t (*real)(hid_t)) {
  const lent_content *c = lent_of(id);
  return c != NULL ? *(const hid_t *)((const char *)c + member) : real(id);
}

hid_t __wrap_H5Dget_type(hid_t id) {
  return lent_part(id, offsetof(lent_content, type), __real_H5Dget_type);
}

hid_t __wrap_H5Dget_space(hid_t id) {
  return lent_part(id, offsetof(lent_content, space), __real_H5Dget_space);
}

hid_t __wrap_H5Dget_create_plist(hid_t id) {
  return lent_part(id, offsetof(lent_content, list), __real_H5Dget_create_plist);
}

/* A whole content is read once for each size of its elements in memory: texts, by their room. */
herr_t __wrap_H5Dread(hid_t id, hid_t type, hid_t memory, hid_t space, hid_t list, void *data) {
  lent_content *c = memory == H5S_ALL && space == H5S_ALL ? lent_of(id) : NULL;
  if (c == NULL) return __real_H5Dread(id, type, memory, space, list, data);
  const size_t element = H5Tget_size(type);
  if (c->data != NULL && c->element == element) {
    memcpy(data, c->data, c->size);
    return 0;
  }
  const herr_t status = __real_H5Dread(id, type, memory, space, list, data);
  const size_t size = (size_t)H5Sget_simple_extent_npoints(c->space) * element;
  if (status < 0 || size == 0) return status;
  free(c->data);
  c->data = malloc(size);
  FUZZ_REQUIRE(c->data != NULL);
  memcpy(c->data, data, size);
  c->size = size;
  c->element = element;
  return status;
}

/* What is lent stays open. */
static herr_t lent_close(hid_t id, herr_t (*real)(hid_t)) {
  return lent_of(id) != NULL ? 0 : real(id);
}

herr_t __wrap_H5Dclose(hid_t id) { return lent_close(id, __real_H5Dclose); }
herr_t __wrap_H5Tclose(hid_t id) { return lent_close(id, __real_H5Tclose); }
herr_t __wrap_H5Sclose(hid_t id) { return lent_close(id, __real_H5Sclose); }
herr_t __wrap_H5Pclose(hid_t id) { return lent_close(id, __real_H5Pclose); }

/* ---- which contents a byte of the good file belongs to -------------------------------------- */

static struct {
  uint64_t *of;   /* for each byte a bit for each content that is read from it */
  size_t    size; /* of the file                                               */
  uint64_t  now;  /* the content that is read; 0: nothing is recorded          */
} readers;

ssize_t __wrap_pread(int fd, void *data, size_t size, off_t at) {
  const ssize_t count = __real_pread(fd, data, size, at);
  for (ssize_t i = 0; readers.now != 0 && i < count && (size_t)(at + i) < readers.size; i++) {
    readers.of[at + i] |= readers.now;
  }
  return count;
}

/* All contents that bytes of the good file concern. */
static uint64_t readers_of(size_t at, size_t count) {
  uint64_t found = 0;
  for (size_t i = at; i < at + count && i < readers.size; i++) found |= readers.of[i];
  return found;
}

/* Read a content of the good file as a new process would, and record from where.
 * @param bit  of its name */
static void readers_record(const char *path, const char *name, int bit) {
  trmi_run_file file;
  trm_error err;
  readers.now = (uint64_t)1 << bit;
  FUZZ_REQUIRE(trmi_run_file_open(&file, path, &err) == TRM_OK);
  const hid_t h5 = trmi_run_file_h5(&file);
  FUZZ_REQUIRE(h5 >= 0);
  const hid_t id = __real_H5Dopen2(h5, name, H5P_DEFAULT);
  (void)__real_H5Lexists(h5, name, H5P_DEFAULT);
  if (id >= 0) {
    const hid_t type = __real_H5Dget_type(id), space = __real_H5Dget_space(id);
    void *data = malloc((size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type) + 1);
    FUZZ_REQUIRE(data != NULL);
    FUZZ_REQUIRE(__real_H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    free(data);
    __real_H5Sclose(space);
    __real_H5Tclose(type);
    __real_H5Dclose(id);
  }
  H5Fclose(h5);
  trmi_run_file_close(&file);
  readers.now = 0;
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
