/* run_table.h - datasets of a run file that grow by rows, and the waiting rows.
 *
 * The rows of a chunk stay in memory until it is full; then it goes to the file,
 * compressed. If rows are needed in the file earlier, the chunk is written raw and marked as raw in
 * the index; further rows are written directly to their positions, and the size of the dataset is
 * updated. The raw chunk remains as unused space when the compressed one replaces it in the index.
 * So each structure of HDF5 is consistent before and after its change, and a table needs at most
 * twice the size of its numbers.
 *
 * (HDF5's own way of leaving chunks at the edge raw depends on the size of the dataset,
 * which is stored apart from the index: a process killed between the two writes leaves
 * a chunk that is read wrongly.)
 *
 * Compressed chunks have a checksum of HDF5; a checksum of each row is in `sums/NAME`. */
#ifndef TRMI_RUN_TABLE_H
#define TRMI_RUN_TABLE_H
#include "core/arena.h"
#include "io/run_file.h"
#include "io/run_pack.h"
#include <stdint.h>

/* One dataset. */
typedef struct trmi_table_rows {
  /* given */
  trmi_run_file *file;
  trmi_packer   *packer;
  hid_t    type;     /* of an entry, in memory and in the file */
  int      rank;     /* 1: a row is one entry                */
  hsize_t  width;    /* entries of a row                     */
  hsize_t  chunk;    /* rows of a chunk                      */
  /* set by trmi_table_create */
  hid_t    id;
  hsize_t  part;     /* entries of a row in one chunk, divides width */
  size_t   entry;    /* bytes                                */
  hsize_t  before;   /* rows of full chunks                  */
  hsize_t  filled;   /* rows of the present chunk                         */
  hsize_t  saved;    /* of those, in the file                */
  unsigned char *buffer; /* the present chunk     [chunk * width * entry] */
  unsigned char *piece;  /* a part of it          [chunk * part * entry]  */
  unsigned char *packed; /* the same, compressed                          */
  haddr_t *places;       /* of raw chunks         [width / part]          */
} trmi_table_rows;

/* A dataset and the checksums of its rows. */
typedef struct trmi_table {
  trmi_table_rows rows, sums;
} trmi_table;

/* Create the datasets NAME and sums/NAME; the group `sums` must exist. `rows` has the given
 * members. */
bool trmi_table_create(trmi_table *t, hid_t h5, const char *name, trmi_arena *arena);

/* Address for the next row, which is counted. A full chunk is written. */
void *trmi_table_next(const trmi_table *t);
bool trmi_table_add(trmi_table *t);

/* Number of rows not yet in the file. */
hsize_t trmi_table_waiting(const trmi_table *t);

/* Write them; false on failure, see file. */
bool trmi_table_write(trmi_table *t);

void trmi_table_close(trmi_table *t);

#endif
