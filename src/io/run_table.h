/* run_table.h - a dataset of a run file that grows by rows, and the rows that wait.
 *
 * Rows wait in memory until their chunk is full or somebody asks to write them. The
 * last chunk of a dataset is written over and over while it fills: it is not
 * compressed and keeps its place; when it is full, it is compressed into a new one.
 * Full chunks have a checksum of HDF5; for the rows of the last one a checksum of
 * each row stands in `sums/NAME`. */
#ifndef TRMI_RUN_TABLE_H
#define TRMI_RUN_TABLE_H
#include "core/arena.h"
#include "io/run_file.h"
#include <stdint.h>

typedef struct trmi_table {
  /* given */
  trmi_run_file *file;
  hid_t    type;     /* of an entry in memory                */
  hsize_t  width;    /* entries of a row                     */
  hsize_t  chunk;    /* rows of a chunk and of the buffer    */
  /* set by trmi_table_create */
  hid_t    id, sums; /* datasets                             */
  int      rank;     /* 1: the table has no columns          */
  size_t   row;      /* bytes of a row                       */
  hsize_t  written, waiting; /* rows                         */
  unsigned char *buffer;     /* [chunk * row]                */
  uint32_t *buffer_sums;     /* [chunk]                      */
} trmi_table;

/* Make the datasets NAME and sums/NAME; the group `sums` must be there. */
bool trmi_table_create(trmi_table *t, hid_t h5, const char *name, int rank, trmi_arena *arena);

/* Where the next row is to be put; then it counts. A full chunk leaves memory. */
void *trmi_table_next(const trmi_table *t);
bool trmi_table_add(trmi_table *t);

/* Rows that wait go to HDF5; false if that is not possible, see file. */
bool trmi_table_write(trmi_table *t);

void trmi_table_close(trmi_table *t);

#endif
