/* run_table.c - datasets that grow by rows. */
#include "io/run_table.h"
#include "io/lookup3.h"
#include <stdio.h>
#include <string.h>

enum {
  PART_MIN = 16, PART_FEW = 96, PART_MAX = 256, /* columns of a chunk */
  DEFLATE_LEVEL = 1, /* recorded in the file; performed by run_pack.c */
  SKIP_FILTERS = 7 /* a bit for each of shuffle, deflate, checksum */
};

/* Columns of a chunk, so that one signal is read fast: all if they are few, otherwise a divisor of
 * their number, or all if there is none. */
static hsize_t choose_part(hsize_t width) {
  if (width <= PART_FEW) return width;
  for (hsize_t c = PART_FEW; c >= PART_MIN; c--) {
    if (width % c == 0) return c;
  }
  for (hsize_t c = PART_FEW + 1; c <= PART_MAX; c++) {
    if (width % c == 0) return c;
  }
  return width;
}

/* Both dimensions may grow: for those HDF5 keeps the index in small nodes that are never
 * changed in place, each inside a page. */
static bool create(trmi_table_rows *r, hid_t h5, const char *name, trmi_arena *arena) {
  static const hsize_t most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  r->part = choose_part(r->width);
  r->entry = H5Tget_size(r->type);
  r->buffer = TRMI_TAKE(arena, unsigned char, r->chunk * r->width * r->entry);
  r->piece = TRMI_TAKE(arena, unsigned char, r->chunk * r->part * r->entry);
  r->packed = TRMI_TAKE(arena, unsigned char, trmi_pack_room(r->chunk * r->part * r->entry));
  r->places = TRMI_TAKE(arena, haddr_t, r->width / r->part);
  const hsize_t none[2] = {0, r->width}, chunk[2] = {r->chunk, r->part};
  const hid_t space = H5Screate_simple(r->rank, none, most);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(dcpl, false);
  H5Pset_chunk(dcpl, r->rank, chunk);
  H5Pset_shuffle(dcpl);
  H5Pset_deflate(dcpl, DEFLATE_LEVEL);
  H5Pset_fletcher32(dcpl);
  r->id = H5Dcreate2(h5, name, r->type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  H5Pclose(dcpl);
  H5Sclose(space);
  return r->id >= 0 && !arena->failed;
}

static bool set_size(const trmi_table_rows *r) {
  const hsize_t size[2] = {r->before + r->filled, r->width};
  return H5Dset_extent(r->id, size) >= 0;
}

/* Pack a part of rows first .. filled-1 in `piece`. Returns its size. */
static size_t pack(const trmi_table_rows *r, hsize_t part, hsize_t first) {
  const size_t row = r->width * r->entry, bytes = r->part * r->entry;
  for (hsize_t i = first; i < r->filled; i++) {
    memcpy(r->piece + (i - first) * bytes, r->buffer + i * row + part * bytes, bytes);
  }
  return (size_t)(r->filled - first) * bytes;
}

/* Write the present chunk raw for the first time. */
static bool place_raw(trmi_table_rows *r) {
  if (!set_size(r)) return false;
  const size_t bytes = r->chunk * r->part * r->entry;
  for (hsize_t k = 0; k < r->width / r->part; k++) {
    const hsize_t at[2] = {r->before, k * r->part};
    unsigned mask;
    hsize_t size;
    const size_t used = pack(r, k, 0);
    memset(r->piece + used, 0, bytes - used);
    if (H5Dwrite_chunk(r->id, H5P_DEFAULT, SKIP_FILTERS, at, bytes, r->piece) < 0 ||
        H5Dget_chunk_info_by_coord(r->id, at, &mask, &r->places[k], &size) < 0 ||
        r->places[k] == HADDR_UNDEF || size != bytes) {
      return false;
    }
  }
  return true;
}

/* Write more rows of it: first the rows, then the size that includes them. */
static bool extend_raw(trmi_table_rows *r) {
  for (hsize_t k = 0; k < r->width / r->part && r->file->reason == 0; k++) {
    const size_t bytes = pack(r, k, r->saved);
    const haddr_t place = r->places[k] + r->saved * r->part * r->entry;
    if (!trmi_run_file_patch(r->file, place, r->piece, bytes)) return false;
  }
  return set_size(r);
}

/* Write the full chunk, compressed. */
static bool write_full(trmi_table_rows *r) {
  if (!set_size(r)) return false;
  const size_t row = r->width * r->entry, part = r->part * r->entry;
  for (hsize_t k = 0; k < r->width / r->part; k++) {
    for (hsize_t i = 0; i < r->chunk; i++) {
      trmi_pack_shuffle(r->buffer + i * row + k * part, r->part, r->entry,
                        r->piece + i * r->part, r->chunk * r->part);
    }
    const hsize_t at[2] = {r->before, k * r->part};
    const size_t bytes = trmi_pack(r->packer, r->piece, r->chunk * part, r->packed);
    if (H5Dwrite_chunk(r->id, H5P_DEFAULT, 0, at, bytes, r->packed) < 0) return false;
  }
  return true;
}

static bool save(trmi_table_rows *r) {
  if (r->saved == r->filled) return true;
  const bool is_full = r->filled == r->chunk;
  /* raw or compressed, it takes no more than this */
  bool is_done = trmi_run_file_ensure(r->file, 2 * r->chunk * r->width * r->entry);
  if (is_done) is_done = is_full ? write_full(r) : r->saved == 0 ? place_raw(r) : extend_raw(r);
  r->saved = r->filled;
  if (is_full) {
    r->before += r->chunk;
    r->filled = r->saved = 0;
  }
  return is_done && r->file->reason == 0;
}

/* --- with checksums ----------------------------------------------------------- */

bool trmi_table_create(trmi_table *t, hid_t h5, const char *name, trmi_arena *arena) {
  char sums[64];
  snprintf(sums, sizeof sums, "sums/%s", name);
  t->sums = (trmi_table_rows){.file = t->rows.file, .packer = t->rows.packer, .type = H5T_STD_U32LE,
                        .rank = 2, .width = 1, .chunk = t->rows.chunk};
  return create(&t->rows, h5, name, arena) && create(&t->sums, h5, sums, arena);
}

void *trmi_table_next(const trmi_table *t) {
  return t->rows.buffer + t->rows.filled * t->rows.width * t->rows.entry;
}

bool trmi_table_add(trmi_table *t) {
  trmi_table_rows *r = &t->rows;
  const uint32_t sum = trmi_lookup3(trmi_table_next(t), r->width * r->entry, 0);
  memcpy(t->sums.buffer + t->sums.filled * sizeof sum, &sum, sizeof sum);
  r->filled++;
  t->sums.filled++;
  return r->filled < r->chunk || trmi_table_write(t);
}

hsize_t trmi_table_waiting(const trmi_table *t) {
  return t->rows.filled - t->rows.saved;
}

bool trmi_table_write(trmi_table *t) {
  const trmi_silence before = trmi_silence_begin();
  bool is_done = save(&t->sums);
  is_done = save(&t->rows) && is_done;
  trmi_silence_end(before);
  return is_done;
}

void trmi_table_close(trmi_table *t) {
  if (t->rows.id > 0) H5Dclose(t->rows.id);
  if (t->sums.id > 0) H5Dclose(t->sums.id);
  t->rows.id = t->sums.id = -1;
}
