/* run_table.c - datasets that grow by rows. */
#include "io/run_table.h"
#include "io/lookup3.h"
#include <stdio.h>

enum {
  COLUMNS_MIN = 16, COLUMNS_FEW = 96, COLUMNS_MAX = 256, /* of a chunk */
  DEFLATE_LEVEL = 1
};

/* Columns of a chunk, so that one signal is read fast: all if they are few, else a part that
 * divides them. Without such a part all again: a chunk that sticks out would never be full. */
static hsize_t chunk_columns(hsize_t width) {
  if (width <= COLUMNS_FEW) return width;
  for (hsize_t c = COLUMNS_FEW; c >= COLUMNS_MIN; c--) {
    if (width % c == 0) return c;
  }
  for (hsize_t c = COLUMNS_FEW + 1; c <= COLUMNS_MAX; c++) {
    if (width % c == 0) return c;
  }
  return width;
}

static hid_t create(hid_t h5, const char *name, int rank, hid_t type, hsize_t width,
                    hsize_t rows) {
  const hsize_t none[2] = {0, width}, most[2] = {H5S_UNLIMITED, width};
  const hsize_t chunk[2] = {rows, chunk_columns(width)};
  const hid_t space = H5Screate_simple(rank, none, most), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(dcpl, false);
  H5Pset_chunk(dcpl, rank, chunk);
  H5Pset_chunk_opts(dcpl, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  H5Pset_shuffle(dcpl);
  H5Pset_deflate(dcpl, DEFLATE_LEVEL);
  H5Pset_fletcher32(dcpl);
  const hid_t id = H5Dcreate2(h5, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  H5Pclose(dcpl);
  H5Sclose(space);
  return id;
}

bool trmi_table_create(trmi_table *t, hid_t h5, const char *name, int rank, trmi_arena *arena) {
  char sums[64];
  snprintf(sums, sizeof sums, "sums/%s", name);
  t->rank = rank;
  t->row = t->width * H5Tget_size(t->type);
  t->buffer = TRMI_TAKE(arena, unsigned char, t->chunk * t->row);
  t->buffer_sums = TRMI_TAKE(arena, uint32_t, t->chunk);
  t->id = create(h5, name, rank, t->type, t->width, t->chunk);
  t->sums = create(h5, sums, 1, H5T_STD_U32LE, 1, t->chunk);
  return !arena->failed && t->id >= 0 && t->sums >= 0;
}

void *trmi_table_next(const trmi_table *t) {
  return t->buffer + t->row * t->waiting;
}

bool trmi_table_add(trmi_table *t) {
  t->buffer_sums[t->waiting] = trmi_lookup3(trmi_table_next(t), t->row, 0);
  t->waiting++;
  return (t->written + t->waiting) % t->chunk != 0 || trmi_table_write(t);
}

static bool append(hid_t id, int rank, hid_t type, const hsize_t first[2], const hsize_t count[2],
                   const void *data) {
  const hsize_t size[2] = {first[0] + count[0], count[1]};
  if (H5Dset_extent(id, size) < 0) return false;
  const hid_t space = H5Dget_space(id), memory = H5Screate_simple(rank, count, NULL);
  const bool is_done =
      H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
      H5Dwrite(id, type, memory, space, H5P_DEFAULT, data) >= 0;
  H5Sclose(memory);
  H5Sclose(space);
  return is_done;
}

bool trmi_table_write(trmi_table *t) {
  if (t->waiting == 0) return true;
  /* a chunk that begins, and one that is compressed, with their sums */
  if (!trmi_run_file_ensure(t->file, 2 * t->chunk * (t->row + sizeof *t->buffer_sums))) {
    t->waiting = 0;
    return false;
  }
  const trmi_silence before = trmi_silence_begin();
  const hsize_t first[2] = {t->written, 0}, count[2] = {t->waiting, t->width};
  const bool is_done =
      append(t->sums, 1, H5T_NATIVE_UINT32, first, count, t->buffer_sums) &&
      append(t->id, t->rank, t->type, first, count, t->buffer);
  trmi_silence_end(before);
  t->written += t->waiting;
  t->waiting = 0;
  return is_done;
}

void trmi_table_close(trmi_table *t) {
  if (t->id > 0) H5Dclose(t->id);
  if (t->sums > 0) H5Dclose(t->sums);
  t->id = t->sums = -1;
}
