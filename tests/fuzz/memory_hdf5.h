/* memory_hdf5.h - answers to the calls by which run files are read, from memory instead of HDF5.
 *
 * HDF5 takes milliseconds to open a file, and is not what is tested. A target that includes this
 * file defines these functions itself, and the linker takes them before those of the library.
 * Contents are datasets of numbers or texts with up to three dimensions; what a dataset claims to
 * have beyond its bytes is zero, as in HDF5. Every identifier that was opened must be closed. */
#ifndef TRM_MEMORY_HDF5_H
#define TRM_MEMORY_HDF5_H
#include "fuzz.h"
#include <hdf5.h>
#include <stdbool.h>

/* The fuzzer shall learn from the reader alone. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)
#endif

enum { MEMORY_CONTENTS = 64, MEMORY_SPACES = 64, MEMORY_TYPES = 64, MEMORY_RANK = 3 };

typedef struct memory_type {
  H5T_class_t class;
  size_t      size;        /* of one element                  */
  bool        is_signed, is_free; /* integers; texts of free length */
} memory_type;

/* One dataset. */
typedef struct memory_content {
  const char    *name;
  memory_type    type;
  int            rank;
  hsize_t        dims[MEMORY_RANK], chunk[MEMORY_RANK];
  bool           is_chunked, is_there;
  const uint8_t *bytes;
  size_t         size; /* of bytes */
} memory_content;

typedef struct memory_space {
  int     rank;
  hsize_t dims[MEMORY_RANK], first[MEMORY_RANK], count[MEMORY_RANK];
} memory_space;

/* The file as it is now, and what is open. */
static struct {
  memory_content contents[MEMORY_CONTENTS];
  int            ncontents;
  memory_space   spaces[MEMORY_SPACES];
  memory_type    types[MEMORY_TYPES];
  bool           space_used[MEMORY_SPACES], type_used[MEMORY_TYPES];
  int            nopen;
} memory;

/* Identifiers: what they are of, and its number. Types below MEMORY_FIXED always exist. */
enum { OF_CONTENT = 1 << 20, OF_SPACE = 2 << 20, OF_TYPE = 3 << 20, OF_LIST = 4 << 20,
       OF_ALL = 7 << 20, MEMORY_FIXED = 6 };

hid_t H5T_NATIVE_DOUBLE_g = OF_TYPE, H5T_NATIVE_UCHAR_g = OF_TYPE + 1,
      H5T_NATIVE_SCHAR_g = OF_TYPE + 2, H5T_NATIVE_INT64_g = OF_TYPE + 3,
      H5T_NATIVE_UINT32_g = OF_TYPE + 4, H5T_C_S1_g = OF_TYPE + 5;

static void memory_prepare(void) {
  static const memory_type fixed[MEMORY_FIXED] = {
    {H5T_FLOAT, 8, true, false},   {H5T_INTEGER, 1, false, false}, {H5T_INTEGER, 1, true, false},
    {H5T_INTEGER, 8, true, false}, {H5T_INTEGER, 4, false, false}, {H5T_STRING, 1, false, false}};
  memcpy(memory.types, fixed, sizeof fixed);
}

static int number_of(hid_t id, int kind) {
  FUZZ_REQUIRE(id > 0 && (id & OF_ALL) == kind);
  return (int)(id & ~(hid_t)OF_ALL);
}

static memory_content *content_of(hid_t id) {
  return &memory.contents[number_of(id, OF_CONTENT)];
}

static memory_space *space_of(hid_t id) {
  const int i = number_of(id, OF_SPACE);
  FUZZ_REQUIRE(memory.space_used[i]);
  return &memory.spaces[i];
}

static memory_type *type_of(hid_t id) {
  const int i = number_of(id, OF_TYPE);
  FUZZ_REQUIRE(i < MEMORY_FIXED || memory.type_used[i]);
  return &memory.types[i];
}

static hid_t open_space(const memory_space *space) {
  int i = 0;
  while (i < MEMORY_SPACES && memory.space_used[i]) i++;
  FUZZ_REQUIRE(i < MEMORY_SPACES);
  memory.space_used[i] = true;
  memory.spaces[i] = *space;
  memory.nopen++;
  return OF_SPACE + i;
}

static hid_t open_type(memory_type type) {
  int i = MEMORY_FIXED;
  while (i < MEMORY_TYPES && memory.type_used[i]) i++;
  FUZZ_REQUIRE(i < MEMORY_TYPES);
  memory.type_used[i] = true;
  memory.types[i] = type;
  memory.nopen++;
  return OF_TYPE + i;
}

static bool is_named(const char *name, const char *other) {
  while (*name != '\0' && *name == *other) name++, other++;
  return *name == *other;
}

static int find_content(const char *name) {
  for (int i = 0; i < memory.ncontents; i++) {
    if (memory.contents[i].is_there && is_named(memory.contents[i].name, name)) return i;
  }
  return -1;
}

/* ---- files, errors, lists of properties: there is one of each ------------------------------- */

herr_t H5open(void) { return 0; }
herr_t H5dont_atexit(void) { return 0; }
herr_t H5Eget_auto2(hid_t id, H5E_auto2_t *function, void **data) {
  (void)id;
  *function = NULL;
  *data = NULL;
  return 0;
}
herr_t H5Eset_auto2(hid_t id, H5E_auto2_t function, void *data) {
  (void)id, (void)function, (void)data;
  return 0;
}
hid_t H5P_CLS_FILE_ACCESS_ID_g = OF_LIST, H5P_CLS_FILE_CREATE_ID_g = OF_LIST;
hid_t H5P_CLS_DATASET_XFER_ID_g = OF_LIST;
hid_t H5Pcreate(hid_t class) { (void)class; return OF_LIST; }
herr_t H5Pclose(hid_t id) { (void)number_of(id, OF_LIST); return 0; }
herr_t H5Pset_driver(hid_t id, hid_t driver, const void *facts) {
  (void)id, (void)driver, (void)facts;
  return 0;
}
herr_t H5Pset_libver_bounds(hid_t id, H5F_libver_t low, H5F_libver_t high) {
  (void)id, (void)low, (void)high;
  return 0;
}
herr_t H5Pset_file_space_strategy(hid_t id, H5F_fspace_strategy_t s, hbool_t keep, hsize_t size) {
  (void)id, (void)s, (void)keep, (void)size;
  return 0;
}
herr_t H5Pset_buffer(hid_t id, size_t size, void *conversion, void *background) {
  (void)id, (void)size, (void)conversion, (void)background;
  return 0;
}
hid_t H5FDregister(const H5FD_class_t *driver) { (void)driver; return OF_LIST; }
herr_t H5FDunregister(hid_t id) { (void)id; return 0; }
hid_t H5Fopen(const char *path, unsigned flags, hid_t list) {
  (void)path, (void)flags, (void)list;
  memory.nopen++;
  return OF_ALL;
}
herr_t H5Fclose(hid_t id) { (void)id; memory.nopen--; return 0; }

/* ---- types and spaces ------------------------------------------------------------------------ */

hid_t H5Tcopy(hid_t id) { return open_type(*type_of(id)); }
herr_t H5Tclose(hid_t id) {
  const int i = number_of(id, OF_TYPE);
  FUZZ_REQUIRE(i >= MEMORY_FIXED && memory.type_used[i]);
  memory.type_used[i] = false;
  memory.nopen--;
  return 0;
}
herr_t H5Tset_size(hid_t id, size_t size) { type_of(id)->size = size; return 0; }
size_t H5Tget_size(hid_t id) { return type_of(id)->size; }
H5T_class_t H5Tget_class(hid_t id) { return type_of(id)->class; }
htri_t H5Tis_variable_str(hid_t id) { return type_of(id)->is_free ? 1 : 0; }

hid_t H5Screate_simple(int rank, const hsize_t dims[], const hsize_t most[]) {
  (void)most;
  memory_space space = {.rank = rank};
  for (int i = 0; i < rank; i++) space.dims[i] = space.count[i] = dims[i];
  return open_space(&space);
}
herr_t H5Sclose(hid_t id) {
  (void)space_of(id);
  memory.space_used[number_of(id, OF_SPACE)] = false;
  memory.nopen--;
  return 0;
}
int H5Sget_simple_extent_ndims(hid_t id) { return space_of(id)->rank; }
int H5Sget_simple_extent_dims(hid_t id, hsize_t dims[], hsize_t most[]) {
  (void)most;
  const memory_space *space = space_of(id);
  for (int i = 0; i < space->rank; i++) dims[i] = space->dims[i];
  return space->rank;
}
herr_t H5Sselect_hyperslab(hid_t id, H5S_seloper_t op, const hsize_t first[],
                           const hsize_t stride[], const hsize_t count[], const hsize_t block[]) {
  (void)op, (void)stride, (void)block;
  memory_space *space = space_of(id);
  for (int i = 0; i < space->rank; i++) space->first[i] = first[i], space->count[i] = count[i];
  return 0;
}
htri_t H5Sselect_valid(hid_t id) {
  const memory_space *space = space_of(id);
  for (int i = 0; i < space->rank; i++) {
    if (space->first[i] > space->dims[i]) return 0;
    if (space->count[i] > space->dims[i] - space->first[i]) return 0;
  }
  return 1;
}

/* ---- datasets ------------------------------------------------------------------------------- */

htri_t H5Lexists(hid_t file, const char *name, hid_t list) {
  (void)file, (void)list;
  return find_content(name) >= 0 ? 1 : 0;
}
hid_t H5Dopen2(hid_t file, const char *name, hid_t list) {
  (void)file, (void)list;
  const int i = find_content(name);
  if (i < 0) return -1;
  memory.nopen++;
  return OF_CONTENT + i;
}
herr_t H5Dclose(hid_t id) { (void)content_of(id); memory.nopen--; return 0; }
hid_t H5Dget_type(hid_t id) { return open_type(content_of(id)->type); }
hid_t H5Dget_space(hid_t id) {
  const memory_content *c = content_of(id);
  memory_space space = {.rank = c->rank};
  for (int i = 0; i < c->rank; i++) space.dims[i] = space.count[i] = c->dims[i];
  return open_space(&space);
}
hid_t H5Dget_create_plist(hid_t id) { return OF_LIST + number_of(id, OF_CONTENT); }
int H5Pget_chunk(hid_t id, int rank, hsize_t dims[]) {
  const memory_content *c = &memory.contents[number_of(id, OF_LIST)];
  if (!c->is_chunked) return -1;
  for (int i = 0; i < rank && i < c->rank; i++) dims[i] = c->chunk[i];
  return c->rank;
}

/* A number of the file; what is missing is zero. */
static double number_at(const memory_content *c, size_t place) {
  uint8_t raw[8] = {0};
  const size_t size = c->type.size < 8 ? c->type.size : 8;
  if (place < c->size && c->size - place >= size) memcpy(raw, c->bytes + place, size);
  if (c->type.class == H5T_FLOAT) {
    float small;
    double large;
    memcpy(&small, raw, sizeof small);
    memcpy(&large, raw, sizeof large);
    return size == 4 ? (double)small : large;
  }
  int64_t number = 0;
  memcpy(&number, raw, size);
  const bool is_negative = c->type.is_signed && size < 8 && (raw[size - 1] & 0x80) != 0;
  if (is_negative) number -= (int64_t)1 << 8 * size;
  return (double)number;
}

static void put_element(const memory_content *c, size_t place, const memory_type *type,
                        uint8_t *to) {
  const bool is_same = type->class == c->type.class && type->size == c->type.size;
  if (is_same || type->class == H5T_STRING) { /* also integers of more digits than a double has */
    const size_t left = place < c->size ? c->size - place : 0;
    size_t size = type->size < c->type.size ? type->size : c->type.size;
    if (size > left) size = left;
    memset(to, 0, type->size);
    if (size > 0) memcpy(to, c->bytes + place, size);
    return;
  }
  const double number = number_at(c, place);
  if (type->class == H5T_FLOAT) {
    const float small = (float)fmax(-3e38, fmin(3e38, number));
    memcpy(to, type->size == 4 ? (const void *)&small : (const void *)&number, type->size);
    return;
  }
  const double most = ldexp(1.0, 8 * (int)type->size - (type->is_signed ? 1 : 0)) / 2;
  const int64_t whole = (int64_t)fmax(type->is_signed ? -most : 0.0, fmin(most, number));
  memcpy(to, &whole, type->size);
}

herr_t H5Dread(hid_t id, hid_t type_id, hid_t memory_id, hid_t space_id, hid_t list, void *data) {
  (void)list, (void)memory_id;
  const memory_content *c = content_of(id);
  const memory_type *type = type_of(type_id);
  if (c->type.class != type->class || c->type.is_free) return -1;
  const memory_space *part = space_id > 0 ? space_of(space_id) : NULL;
  hsize_t first[2] = {0, 0}, count[2] = {1, 1}, width = c->rank == 2 ? c->dims[1] : 1;
  for (int i = 0; i < c->rank && i < 2; i++) {
    first[i] = part != NULL ? part->first[i] : 0;
    count[i] = part != NULL ? part->count[i] : c->dims[i];
  }
  uint8_t *to = data;
  for (hsize_t row = 0; row < count[0]; row++) {
    for (hsize_t col = 0; col < count[1]; col++, to += type->size) {
      put_element(c, ((first[0] + row) * width + first[1] + col) * c->type.size, type, to);
    }
  }
  return 0;
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
