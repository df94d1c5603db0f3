/* Run files that were changed: an input is a list of changes of one good file. Some are damage
 * that checksums must find. The others go past them: contents, types and shapes are changed, and
 * the checksums of rows, checkpoints and of the end are made right again. Numbers and texts change
 * where they are in the file, types and shapes through HDF5, because HDF5 itself does not survive
 * every structure with right checksums and is not what is tested. Then what was changed is read,
 * and for some lengths of inputs everything, explained and exported: each call returns, and a
 * refusal has a sentence. The changes are made in memory, those through HDF5 by its core driver;
 * one write makes the file that is read. Datasets that no change concerns are lent from a good file
 * that stays open (lent_hdf5.h); one input of 256 is read both with and without that, with the same
 * result. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "fuzz.h"
#include "good_run.h"
#include "io/lookup3.h"
#include "lent_hdf5.h"
#include "run_reading.h"

enum {
  CHANGES = 6, /* of one input, at most */
  ROWS_EXPLAINED = 20000, ROWS_EXPORTED = 300, CONTENT_MAX = 1 << 16, RESERVED_MAX = 1 << 13,
  ROOM = 1 << 20, ALL_EVERY = 24, TWICE_EVERY = 256, SAID = 600
};

/* Parts that are read; the first five are tables, as in `contents`. */
enum { SAMPLES, STEPS, EVENTS, MESSAGE_TIMES, MESSAGES, CHECKPOINTS, USE };

/* --- the file as it is now ----------------------------------------------------------- */

static struct {
  uint8_t bytes[ROOM];
  size_t  size;
  bool    is_moved; /* HDF5 has written it: contents may be elsewhere */
  bool    is_damaged; /* no dataset may be as it was                  */
  bool    has_damage; /* somewhere, see `touched`                     */
  unsigned changed; /* a bit for each part                            */
  uint64_t touched; /* a bit for each of `contents`                   */
  hid_t   h5;       /* while HDF5 changes it, or negative             */
} now;

/* Contents that the reader asks for and the good file does not have. */
static const char *const missing[] = {"gap_names", "slip_names"};
enum { MISSING = 2 };

static const char *name_of_bit(int i) {
  return i < CONTENTS ? contents[i] : missing[i - CONTENTS];
}

/* For lent_hdf5.h: is a dataset as it was? */
static bool may_lend(const char *name) {
  for (int i = 0; i < CONTENTS + MISSING && now.touched >> i != 0; i++) {
    if ((now.touched >> i & 1) != 0 && strcmp(name_of_bit(i), name) == 0) return false;
  }
  return true;
}

static void prepare_lending(void) {
  readers.size = good.size;
  readers.of = calloc(good.size, sizeof *readers.of);
  FUZZ_REQUIRE(readers.of != NULL);
  const trmi_silence before = trmi_silence_begin(); /* some are missing */
  for (int i = 0; i < CONTENTS + MISSING; i++) readers_record(good.path, name_of_bit(i), i);
  trmi_silence_end(before);
  lent_begin(good.bytes, good.size);
}

enum { AT_FLAGS = 11, AT_CHECKSUM = 44 }; /* in the superblock, as in run_file.c */

/* HDF5's view of it, or a negative number where it was damaged before. */
static hid_t open_by_hdf5(void) {
  static hid_t fapl = -1;
  static unsigned long count;
  char name[32]; /* another one each time: HDF5 keeps a damaged file that it could not close */
  if (now.h5 >= 0) return now.h5;
  if (fapl < 0) {
    fapl = H5Pcreate(H5P_FILE_ACCESS);
    FUZZ_REQUIRE(H5Pset_fapl_core(fapl, 1 << 16, false) >= 0);
  }
  if (now.size == 0) return -1;
  FUZZ_REQUIRE(H5Pset_file_image(fapl, now.bytes, now.size) >= 0);
  snprintf(name, sizeof name, "image%lu", count++);
  now.h5 = H5Fopen(name, H5F_ACC_RDWR, fapl);
  return now.h5;
}

/* The bytes that HDF5 made, with the mark of an open file taken away. */
static void close_by_hdf5(void) {
  if (now.h5 < 0) return;
  H5Fflush(now.h5, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(now.h5, NULL, 0);
  if (size > AT_CHECKSUM + 4 && size <= ROOM &&
      H5Fget_file_image(now.h5, now.bytes, (size_t)size) == size) {
    now.size = (size_t)size;
    now.is_moved = true;
    now.bytes[AT_FLAGS] = 0;
    const uint32_t sum = trmi_lookup3(now.bytes, AT_CHECKSUM, 0);
    memcpy(now.bytes + AT_CHECKSUM, &sum, sizeof sum);
  }
  H5Fclose(now.h5);
  now.h5 = -1;
}

static bool has_place(const place *p) {
  return p->size > 0 && p->at + p->size <= now.size;
}

/* --- changes through HDF5 -------------------------------------------------------- */

/* Bytes of a dataset in memory, and how many; NULL if it is not there, empty or too long. */
static uint8_t *read_content(hid_t id, hid_t type, size_t *size) {
  const hid_t space = H5Dget_space(id);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  const bool is_short = count > 0 && count <= CONTENT_MAX; /* products of others may overflow */
  *size = is_short ? (size_t)count * H5Tget_size(type) : 0;
  if (*size == 0 || *size > CONTENT_MAX || H5Tis_variable_str(type) > 0) return NULL;
  uint8_t *data = malloc(*size);
  FUZZ_REQUIRE(data != NULL);
  if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) return data;
  free(data);
  return NULL;
}

/* Other bytes somewhere in a dataset. */
static void change_content(hid_t file, const char *name, fuzz_input *in) {
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  const uint32_t where = fuzz_below(in, CONTENT_MAX);
  const size_t length = 1 + fuzz_byte(in);
  if (id < 0) return;
  const hid_t type = H5Dget_type(id);
  size_t size;
  uint8_t *data = read_content(id, type, &size);
  if (data != NULL) {
    const size_t at = where % size, room = size - at;
    fuzz_take(in, data + at, length < room ? length : room);
    H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    free(data);
  }
  H5Tclose(type);
  H5Dclose(id);
}

/* Numbers of all sorts, texts of fixed and of free length. The caller closes it. */
static hid_t take_type(fuzz_input *in) {
  const hid_t numbers[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT64,
                           H5T_NATIVE_UCHAR,  H5T_NATIVE_SCHAR, H5T_NATIVE_UINT32};
  const int choice = fuzz_byte(in) % 9;
  if (choice < 6) return H5Tcopy(numbers[choice]);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, choice == 8 ? H5T_VARIABLE : (size_t)(1 + fuzz_byte(in)));
  return type;
}

/* Another dataset, or none, in the place of one. */
static void replace(hid_t file, const char *name, fuzz_input *in) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const int rank = fuzz_byte(in) % 5 - 1;
  if (rank < 0) return;
  hsize_t dims[3], chunk[3], count = 1;
  for (int i = 0; i < rank; i++) {
    dims[i] = fuzz_byte(in);
    chunk[i] = dims[i] + 1;
    count *= dims[i];
  }
  const hid_t type = take_type(in);
  const size_t size = (size_t)count * H5Tget_size(type);
  const hid_t space = rank > 0 ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  if (rank > 0 && fuzz_byte(in) % 2 == 0) H5Pset_chunk(dcpl, rank, chunk);
  const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  if (id >= 0 && size > 0 && size <= CONTENT_MAX && H5Tis_variable_str(type) <= 0) {
    uint8_t *data = malloc(size);
    FUZZ_REQUIRE(data != NULL);
    fuzz_take(in, data, size);
    H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    free(data);
  }
  if (id >= 0) H5Dclose(id);
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Tclose(type);
}

/* HDF5 takes long to make a very long table short: those stay as they are. */
static bool set_size(hid_t id, const hsize_t size[2]) {
  hsize_t dims[8] = {0};
  const hid_t space = H5Dget_space(id);
  const bool is_table = H5Sget_simple_extent_dims(space, dims, NULL) > 0 && dims[0] <= CONTENT_MAX;
  H5Sclose(space);
  return is_table && H5Dset_extent(id, size) >= 0;
}

/* A table that claims other sizes than it has rows for. Checkpoints would be reserved. */
static void resize(hid_t file, const char *name, fuzz_input *in) {
  uint64_t rows;
  fuzz_take(in, &rows, sizeof rows);
  hsize_t size[2] = {rows >> fuzz_byte(in) % 64, fuzz_byte(in)};
  if (strcmp(name, "checkpoints") == 0) size[0] %= RESERVED_MAX, size[1] %= 4;
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  if (id < 0) return;
  set_size(id, size);
  H5Dclose(id);
}

/* Make the sums of the rows of a table right. */
static void fix_sums(hid_t file, const char *name) {
  char sums[64];
  snprintf(sums, sizeof sums, "sums/%s", name);
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT), sum_id = H5Dopen2(file, sums, H5P_DEFAULT);
  const hid_t type = id >= 0 ? H5Dget_type(id) : -1, space = id >= 0 ? H5Dget_space(id) : -1;
  hsize_t dims[8] = {0}, sum_dims[2] = {0, 1};
  size_t size = 0;
  uint8_t *data = NULL;
  if (sum_id >= 0 && id >= 0 && H5Sget_simple_extent_dims(space, dims, NULL) > 0) {
    data = read_content(id, type, &size);
  }
  if (data != NULL) {
    sum_dims[0] = dims[0];
    uint32_t *sum = malloc((size_t)dims[0] * sizeof *sum);
    FUZZ_REQUIRE(sum != NULL);
    const size_t row = size / (size_t)dims[0];
    for (size_t i = 0; i < dims[0]; i++) sum[i] = trmi_lookup3(data + i * row, row, 0);
    if (set_size(sum_id, sum_dims)) {
      H5Dwrite(sum_id, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, sum);
    }
    free(sum);
  }
  free(data);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (id >= 0) H5Dclose(id);
  if (sum_id >= 0) H5Dclose(sum_id);
}

/* What tells how the run ended, of which there is one sum. */
enum { END_PARTS = 5 };
static const struct {
  const char *name;
  size_t      at, size;
} end_parts[END_PARTS] = {
  {"error", offsetof(trmi_run_end, sentence), sizeof ((trmi_run_end *)0)->sentence},
  {"error_object", offsetof(trmi_run_end, object), sizeof ((trmi_run_end *)0)->object},
  {"error_code", offsetof(trmi_run_end, code), sizeof ((trmi_run_end *)0)->code},
  {"error_place", offsetof(trmi_run_end, place), sizeof ((trmi_run_end *)0)->place},
  {"counters", offsetof(trmi_run_end, counters), sizeof ((trmi_run_end *)0)->counters},
};

/* Does a sum of the end include it? */
static bool is_of_end(const char *name) {
  for (int i = 0; i < END_PARTS; i++) {
    if (strcmp(name, end_parts[i].name) == 0) return true;
  }
  return strcmp(name, "end_sum") == 0;
}

/* A change of one content, and of the sums that are made right after it, or missing with it. */
static void touch(int what) {
  static uint64_t by[CONTENTS]; /* zero: not looked at yet */
  for (int i = 0; i < CONTENTS && by[what] == 0; i++) {
    for (int k = 0; k < CONTENTS; k++) {
      const bool is_sum = strncmp(contents[k], "sums/", 5) == 0;
      if (k == i || (is_sum && strcmp(contents[k] + 5, contents[i]) == 0) ||
          (is_sum && strcmp(contents[i], "sums") == 0) ||
          (strcmp(contents[k], "end_sum") == 0 && is_of_end(contents[i]))) {
        by[i] |= (uint64_t)1 << k;
      }
    }
  }
  now.touched |= by[what];
}

static void fix_end(hid_t file) {
  trmi_run_end end = {.code = 0};
  for (int i = 0; i < END_PARTS; i++) {
    const hid_t id = H5Dopen2(file, end_parts[i].name, H5P_DEFAULT);
    if (id < 0) return;
    const hid_t type = H5Dget_type(id);
    size_t size;
    uint8_t *data = read_content(id, type, &size);
    if (size > end_parts[i].size) size = end_parts[i].size;
    if (data != NULL) memcpy((uint8_t *)&end + end_parts[i].at, data, size);
    free(data);
    H5Tclose(type);
    H5Dclose(id);
  }
  end.sentence[sizeof end.sentence - 1] = end.object[sizeof end.object - 1] = '\0';
  const uint32_t sum = trmi_lookup3(&end, sizeof end, 0);
  const hid_t id = H5Dopen2(file, "end_sum", H5P_DEFAULT);
  if (id < 0) return;
  const hid_t space = H5Dget_space(id);
  if (H5Sget_simple_extent_npoints(space) == 1) { /* not where it was replaced by a list */
    H5Dwrite(id, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &sum);
  }
  H5Sclose(space);
  H5Dclose(id);
}

/* --- changes of bytes ---------------------------------------------------------------- */

static void write_now(size_t at, const void *bytes, size_t size) {
  if (at + size > now.size) {
    FUZZ_REQUIRE(at + size <= ROOM);
    memset(now.bytes + now.size, 0, at + size - now.size);
    now.size = at + size;
  }
  memcpy(now.bytes + at, bytes, size);
}

static void damage(fuzz_input *in) {
  const uint32_t at = fuzz_below(in, (uint32_t)good.size);
  uint8_t bytes[64];
  const size_t length = 1 + fuzz_byte(in) % sizeof bytes;
  fuzz_take(in, bytes, length);
  for (size_t i = 0; i < length && at + i < now.size; i++) bytes[i] ^= now.bytes[at + i];
  write_now(at, bytes, length);
  now.touched |= readers_of(at, length);
  now.has_damage = true;
  if (now.is_moved) now.is_damaged = true;
}

/* A head of a checkpoint with other numbers and a right sum. */
static void change_point(fuzz_input *in) {
  const size_t at = good.points[fuzz_byte(in) % POINTS];
  trmi_checkpoint_head head;
  memcpy(&head, good.bytes + at, sizeof head);
  const int what = fuzz_byte(in);
  if ((what & 1) != 0) fuzz_take(in, &head.t, sizeof head.t);
  if ((what & 2) != 0) fuzz_take(in, &head.steps, sizeof head.steps);
  if ((what & 4) != 0) fuzz_take(in, &head.size, sizeof head.size);
  if ((what & 8) != 0) fuzz_take(in, &head.data_sum, sizeof head.data_sum);
  head.head_sum = trmi_lookup3(&head, offsetof(trmi_checkpoint_head, head_sum), 0);
  write_now(at, &head, sizeof head);
}

/* Sums of the rows that are not compressed. */
static void fix_plain_sums(int what) {
  const place *rows = &good.places[what], *sums = &good.sums[what];
  if (!has_place(rows) || !has_place(sums)) return;
  for (size_t i = 0; i * rows->row < rows->size; i++) {
    const uint32_t sum = trmi_lookup3(now.bytes + rows->at + i * rows->row, rows->row, 0);
    memcpy(now.bytes + sums->at + i * sizeof sum, &sum, sizeof sum);
  }
}

static const place *place_of(const char *name) {
  for (int i = 0; i < CONTENTS; i++) {
    if (strcmp(contents[i], name) == 0) return &good.places[i];
  }
  abort();
}

static void fix_plain_end(void) {
  trmi_run_end end = {.code = 0};
  for (int i = 0; i < END_PARTS; i++) {
    const place *p = place_of(end_parts[i].name);
    if (!has_place(p)) return;
    const size_t size = end_parts[i].size;
    memcpy((uint8_t *)&end + end_parts[i].at, now.bytes + p->at, p->size < size ? p->size : size);
  }
  end.sentence[sizeof end.sentence - 1] = end.object[sizeof end.object - 1] = '\0';
  const uint32_t sum = trmi_lookup3(&end, sizeof end, 0);
  const place *p = place_of("end_sum");
  if (has_place(p)) memcpy(now.bytes + p->at, &sum, sizeof sum);
}

/* Other bytes somewhere in what is not compressed; false: there is no such place. */
static bool change_plain(int what, bool is_fixed, fuzz_input *in) {
  const place *p = &good.places[what];
  if (now.is_moved || now.h5 >= 0 || !has_place(p)) return false;
  const size_t at = fuzz_below(in, CONTENT_MAX) % p->size;
  const size_t length = 1 + fuzz_byte(in), room = p->size - at;
  fuzz_take(in, now.bytes + p->at + at, length < room ? length : room);
  if (is_fixed && what < TABLES) fix_plain_sums(what);
  if (is_fixed && is_of_end(contents[what])) fix_plain_end();
  return true;
}

/* --- everything a file says ------------------------------------------------------------ */

/* Explain it, and export it in one of the forms; not if it claims to be long. */
static void use(trm_run *run, size_t choice) {
  trm_error err;
  const trm_explanation *explanation;
  if (trm_run_info_of(run)->nsteps > ROWS_EXPLAINED) return;
  require_sentence(trm_run_explain(run, &explanation, &err), &err);
  if (trm_run_info_of(run)->nsamples > ROWS_EXPORTED) return;
  const char *const forms[] = {good.csv, good.mat, good.pvd};
  require_sentence(trm_export(run, forms[choice % 3], 3, &err), &err);
}

/* HDF5 takes long for all of it: what was changed, and one part more. */
static void read_parts(trm_run *run, size_t choice) {
  const bool is_all = choice % ALL_EVERY == 0;
  const unsigned parts = is_all ? ~0u : now.changed | 1u << choice % USE;
  const long most = is_all ? 20 : 2;
  if (parts >> SAMPLES & 1) read_signals(run, is_all ? 7 : 1);
  if (parts >> STEPS & 1) read_steps(run);
  if (parts >> EVENTS & 1) read_events(run, most);
  if (parts >> MESSAGES & 1) read_messages(run, most);
  if (parts >> CHECKPOINTS & 1) read_points(run, 100 * good.size);
  if (parts >> USE & 1) use(run, choice / ALL_EVERY);
}

/* @param said  receives what opening it said */
static void read_file(size_t choice, char said[SAID]) {
  trm_run *run = NULL;
  trm_error err;
  const trm_status status = trm_run_open(good.path, NULL, &run, &err);
  require_sentence(status, &err);
  FUZZ_REQUIRE((run != NULL) == (status == TRM_OK));
  snprintf(said, SAID, "%d: %s", status, run == NULL ? err.message : "");
  if (run == NULL) return;
  const trm_run_info *info = trm_run_info_of(run);
  snprintf(said, SAID, "%ld samples, %ld steps, %ld events, %ld messages, %d points, %d signals",
           info->nsamples, info->nsteps, info->nevents, info->nmessages, info->ncheckpoints,
           info->nsignals);
  read_options(info);
  read_parts(run, choice);
  trm_run_close(run);
}

static void write_file(void) {
  FUZZ_REQUIRE(pwrite(good.fd, now.bytes, now.size, 0) == (ssize_t)now.size);
  FUZZ_REQUIRE(ftruncate(good.fd, (off_t)now.size) == 0);
}

/* --- one input --------------------------------------------------------------------------- */

enum { CHANGE_CONTENT, REPLACE, RESIZE, DAMAGE, CHANGE_POINT, CUT, FOREIGN, KINDS };

static void change_content_or_shape(int kind, fuzz_input *in) {
  const int what = fuzz_byte(in) % CONTENTS, how = fuzz_byte(in);
  touch(what);
  if (what < TABLES) now.changed |= 1u << (what == MESSAGE_TIMES ? MESSAGES : what);
  if (strcmp(contents[what], "checkpoints") == 0) now.changed |= 1u << CHECKPOINTS;
  const bool is_fixed = how % 8 != 7, is_by_hdf5 = how / 8 == 31; /* also compressed rows */
  if (kind == CHANGE_CONTENT && !is_by_hdf5 && change_plain(what, is_fixed, in)) return;
  const hid_t file = open_by_hdf5();
  if (file < 0) return; /* it was damaged before */
  if (now.has_damage) now.is_damaged = true; /* HDF5 may have written elsewhere */
  if (kind == CHANGE_CONTENT) change_content(file, contents[what], in);
  if (kind == REPLACE) replace(file, contents[what], in);
  if (kind == RESIZE) resize(file, contents[what], in);
  if (is_fixed && what < TABLES) fix_sums(file, contents[what]);
  if (is_fixed && is_of_end(contents[what])) fix_end(file);
}

static void change(fuzz_input *in) {
  const int kind = fuzz_byte(in) % KINDS;
  if (kind <= RESIZE) {
    change_content_or_shape(kind, in);
    return;
  }
  close_by_hdf5();
  if (kind == DAMAGE) damage(in);
  if (kind == CHANGE_POINT) {
    change_point(in);
    touch((int)(place_of("checkpoints") - good.places));
    if (now.is_moved) now.is_damaged = true;
    now.changed |= 1u << CHECKPOINTS;
  }
  if (kind == CUT) {
    const uint32_t size = fuzz_below(in, (uint32_t)good.size);
    if (size < now.size) now.size = size;
    now.is_damaged = true;
  }
  if (kind == FOREIGN) {
    now.size = in->left < ROOM ? in->left : ROOM;
    memcpy(now.bytes, in->data, now.size);
    in->left = 0;
    now.is_damaged = true;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (good.bytes == NULL) {
    prepare();
    prepare_lending();
  }
  memcpy(now.bytes, good.bytes, good.size);
  now.size = good.size;
  now.is_moved = now.is_damaged = now.has_damage = false;
  now.changed = 0;
  now.touched = 0;
  now.h5 = -1;
  const trmi_silence before = trmi_silence_begin();
  fuzz_input in = {data, size};
  for (int i = 0; i < CHANGES && in.left > 0; i++) change(&in);
  close_by_hdf5();
  trmi_silence_end(before);
  write_file();
  lent.may_lend = now.is_damaged ? NULL : may_lend;
  char said[SAID], again[SAID];
  read_file(size, said);
  lent.may_lend = NULL;
  if (trmi_lookup3(data, size, 0) % TWICE_EVERY != 0) return 0;
  read_file(size, again);
  if (strcmp(said, again) != 0) fprintf(stderr, "lent: %s\nread: %s\n", said, again);
  FUZZ_REQUIRE(strcmp(said, again) == 0);
  return 0;
}
