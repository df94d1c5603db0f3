/* run_file.h - the file below HDF5: a driver that keeps it readable at all times.
 *
 * HDF5 in its single-writer mode orders its writes so that structures remain consistent: first
 * data, then references to them. This driver adds the rest for plain readers that open the file
 * after SIGKILL between any two writes:
 *   - the superblock on disk never says "open for writing";
 *   - its end of file is never before anything it refers to, and never after the
 *     end of the real file: space is reserved first, then recorded in the superblock;
 *   - space for data is reserved before HDF5 receives them, so a full disk is
 *     detected while there is still space for all references to earlier data;
 *   - the file gets its name after its initial content is written;
 *   - if a write fails nevertheless, nothing more is written, while HDF5 sees success
 *     and can close: the file is unchanged.
 * No lock blocks readers; a second writer is refused. */
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
  haddr_t       size;       /* bytes of the real file, including reserved space    */
  haddr_t       eoa;        /* end of the space allocated by HDF5                  */
  unsigned char superblock[TRMI_SUPERBLOCK_SIZE]; /* as given by HDF5              */
  bool          has_superblock;
  long          writes;     /* calls of write so far                               */
  hid_t         driver;     /* what HDF5 calls, positive while it may              */
  hid_t         transfer;   /* how HDF5 reads, or H5P_DEFAULT                      */
  trmi_replace  place;      /* the draft                                           */
} trmi_run_file;

/* Create a file for writing under a hidden name: an old one is kept until trmi_run_file_publish.
 * Fails if it cannot be written or another run is writing it.
 * @param path  must outlive the file
 * @param room bytes that must be free, for the initial content of the file */
TRM_CHECKED trm_status trmi_run_file_create(trmi_run_file *file, const char *path, haddr_t room,
                                            trm_error *err);

/* Give the file its name. To be called when it contains all that plain readers need; further calls
 * do nothing. False: it failed, see `reason`. */
bool trmi_run_file_publish(trmi_run_file *file);

/* Open for reading; checks the superblock, so that HDF5 never sees foreign files. */
TRM_CHECKED trm_status trmi_run_file_open(trmi_run_file *file, const char *path, trm_error *err);

/* HDF5's view of the file, or a negative number. Called once. Its driver lives until
 * trmi_run_file_close: H5Fclose reads it after it has released its own reference. */
hid_t trmi_run_file_h5(trmi_run_file *file);

/* Reserve space for this number of bytes and for references to them, before they are passed to
 * HDF5. False: the disk is full; earlier data can still be written. */
bool trmi_run_file_ensure(trmi_run_file *file, haddr_t bytes);

/* Close the descriptor and release the driver, after HDF5 has closed its view. A file without its
 * name is removed. */
void trmi_run_file_close(trmi_run_file *file);

/* Overwrite bytes of a dataset at a known address: contiguous, or a raw chunk. Works even after a
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
