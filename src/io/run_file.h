/* run_file.h - the file below HDF5: a driver that keeps it readable at every moment.
 *
 * HDF5 in its single-writer mode hands down its writes in an order that keeps the
 * structures whole: first data, then what refers to them. This driver adds what
 * is missing for a file that plain readers open after SIGKILL, between any two
 * writes:
 *   - the superblock on disk never says "open for writing";
 *   - its end of file is never before anything it refers to, and never after the
 *     end of the real file: room is reserved ahead, then the superblock says so;
 *   - room for data is reserved before HDF5 gets them, so a full disk is known
 *     while there is still room for all that refers to the data written before;
 *   - the file gets its name when all that it has at first is in it;
 *   - if a write fails nevertheless, nothing is written any more, while HDF5
 *     believes in success and can close: the file stays as it was.
 * No lock is kept that stops readers; a second writer is refused. */
#ifndef TRMI_RUN_FILE_H
#define TRMI_RUN_FILE_H
#include "core/fail.h"
#include "io/replace.h"
#include <hdf5.h>
#include <stdbool.h>

enum { TRMI_SUPERBLOCK_SIZE = 48 };

typedef struct trmi_run_file {
  const char   *path;
  int           fd;         /* -1: closed                                          */
  bool          is_writing;
  int           reason;     /* errno of the first failed write, or 0               */
  int           full;       /* errno of trmi_run_file_ensure, or 0                 */
  haddr_t       size;       /* bytes of the real file, room reserved ahead included */
  haddr_t       eoa;        /* end of what HDF5 has given out                      */
  unsigned char superblock[TRMI_SUPERBLOCK_SIZE]; /* as HDF5 wants it              */
  bool          has_superblock;
  long          writes;     /* calls of write so far                               */
  hid_t         driver;     /* what HDF5 calls, positive while it may              */
  hid_t         transfer;   /* how HDF5 reads, or H5P_DEFAULT                      */
  trmi_replace  place;      /* where it is while it is made                        */
} trmi_run_file;

/* Make a file for writing, under a hidden name: an old one stays until trmi_run_file_publish.
 * Fails if it cannot be written or another run is writing it.
 * @param path  must outlive the file
 * @param room  bytes that must be free, for everything that the file has at first */
TRM_CHECKED trm_status trmi_run_file_create(trmi_run_file *file, const char *path, haddr_t room,
                                            trm_error *err);

/* Give the file its name. To be called when all that plain readers need is in it; further calls do
 * nothing. False: it cannot be done, see `reason`. */
bool trmi_run_file_publish(trmi_run_file *file);

/* Open for reading; checks the superblock, so that HDF5 never sees foreign files. */
TRM_CHECKED trm_status trmi_run_file_open(trmi_run_file *file, const char *path, trm_error *err);

/* HDF5's view of the file, or a negative number. Called once. Its driver lives until
 * trmi_run_file_close: H5Fclose reads it after it has released its own reference. */
hid_t trmi_run_file_h5(trmi_run_file *file);

/* Reserve room for so many bytes and for what refers to them, before HDF5 is asked to write
 * them. False: the disk is full; what HDF5 has got so far can still be written. */
bool trmi_run_file_ensure(trmi_run_file *file, haddr_t bytes);

/* Close the descriptor and release the driver, after HDF5 has closed its view. A file without its
 * name is removed. */
void trmi_run_file_close(trmi_run_file *file);

/* Overwrite bytes of a dataset whose place is known: contiguous, or a raw chunk. Also after a
 * failure. */
bool trmi_run_file_patch(trmi_run_file *file, haddr_t address, const void *data, size_t size);

/* HDF5 prints its errors unless this is switched off; the former setting is restored. */
typedef struct trmi_silence {
  H5E_auto2_t function;
  void       *data;
} trmi_silence;
trmi_silence trmi_silence_begin(void);
void trmi_silence_end(trmi_silence before);

/* TRM_ERR_IO with the reason. */
trm_status trmi_run_file_fail(const trmi_run_file *file, const char *what, trm_error *err);

#endif
