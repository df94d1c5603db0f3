/* run_file.c - driver of HDF5 for run files. How a file stays valid while it grows: run_file.h. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c) */
#include "io/run_file.h"
#include "io/lookup3.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offsets in a superblock of version 3. */
enum { AT_VERSION = 8, AT_OFFSET_SIZE = 9, AT_LENGTH_SIZE = 10, AT_FLAGS = 11, AT_BASE = 12,
       AT_END = 28, AT_CHECKSUM = 44 };
static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

enum { PAGE = 4096, CACHE_BYTES = 1 << 15, TRANSFER_BYTES = 1 << 14 };

/* Room is reserved in steps of an eighth of the file between these; this margin is kept for
 * structures that refer to data. */
static const haddr_t RESERVE_MIN = 1 << 16, RESERVE_MAX = 1 << 22, SLACK = 1 << 16;

/* --- plain writing and reading ---------------------------------------------- */

static bool write_all(trmi_run_file *file, haddr_t address, const void *data, size_t size) {
  const unsigned char *p = data;
  while (size > 0) {
    const ssize_t count = pwrite(file->fd, p, size, (off_t)address);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      file->reason = count < 0 ? errno : ENOSPC;
      return false;
    }
    p += count;
    address += (haddr_t)count;
    size -= (size_t)count;
  }
  file->writes++;
  return true;
}

static bool read_all(const trmi_run_file *file, haddr_t address, void *data, size_t size) {
  unsigned char *p = data;
  while (size > 0) {
    const ssize_t count = pread(file->fd, p, size, (off_t)address);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    p += count;
    address += (haddr_t)count;
    size -= (size_t)count;
  }
  return true;
}

static uint64_t get_number(const unsigned char *p) {
  uint64_t number = 0;
  for (int i = 7; i >= 0; i--) number = number << 8 | p[i];
  return number;
}

static void put_number(unsigned char *p, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) p[i] = (unsigned char)(number >> (8 * i));
}

/* --- the superblock on disk ------------------------------------------------- */

/* As given by HDF5, but closed and with this end: one write inside a page, so it reaches the disk
 * completely or not at all. */
static bool write_superblock(trmi_run_file *file, haddr_t end) {
  unsigned char block[TRMI_SUPERBLOCK_SIZE];
  memcpy(block, file->superblock, sizeof block);
  block[AT_FLAGS] = 0;
  put_number(block + AT_END, end, 8);
  put_number(block + AT_CHECKSUM, trmi_lookup3(block, AT_CHECKSUM, 0), 4);
  return write_all(file, 0, block, sizeof block);
}

/* A signal may interrupt it. */
static int allocate(const trmi_run_file *file, haddr_t size) {
  int reason;
  do {
    reason = posix_fallocate(file->fd, (off_t)file->size, (off_t)(size - file->size));
  } while (reason == EINTR);
  return reason;
}

/* Reserve room up to `end` and some more, then write it to the superblock. Returns errno. */
static int reserve(trmi_run_file *file, haddr_t end) {
  if (end <= file->size) return 0;
  haddr_t more = file->size / 8;
  more = more < RESERVE_MIN ? RESERVE_MIN : more > RESERVE_MAX ? RESERVE_MAX : more;
  haddr_t size = end > file->size + more ? end : file->size + more;
  int reason = allocate(file, size);
  if (reason != 0 && size > end) {
    size = end; /* the remaining disk space may be just enough */
    reason = allocate(file, size);
  }
  if (reason != 0) return reason;
  file->size = size;
  return !file->has_superblock || write_superblock(file, size) ? 0 : file->reason;
}

static trm_status check_superblock(const trmi_run_file *file, trm_error *err) {
  unsigned char block[TRMI_SUPERBLOCK_SIZE];
  const bool is_hdf5 = read_all(file, 0, block, sizeof block) &&
                       memcmp(block, signature, sizeof signature) == 0;
  if (!is_hdf5) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is not a run file, which 'trammel run "
                     "MODEL --out F.h5' writes", file->path);
  }
  if (block[AT_VERSION] != 3 || block[AT_OFFSET_SIZE] != 8 || block[AT_LENGTH_SIZE] != 8 ||
      get_number(block + AT_BASE) != 0) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is an HDF5 file of another program, not a "
                                            "run file",
                     file->path);
  }
  const uint32_t sum = trmi_lookup3(block, AT_CHECKSUM, 0);
  unsigned char stored[4];
  put_number(stored, sum, 4);
  if (memcmp(stored, block + AT_CHECKSUM, sizeof stored) != 0) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is damaged at its beginning", file->path);
  }
  const uint64_t end = get_number(block + AT_END);
  if (end > file->size) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "'%.200s' is cut off: %llu of %llu bytes are there",
                     file->path, (unsigned long long)file->size, (unsigned long long)end);
  }
  return TRM_OK;
}

/* --- functions called by HDF5 ----------------------------------------------- */

/* The file object of HDF5; the public part comes first. */
typedef struct driver_file {
  H5FD_t         base;
  trmi_run_file *file;
} driver_file;

static trmi_run_file *file_of(const H5FD_t *f) {
  return ((const driver_file *)(const void *)f)->file;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t fapl, haddr_t max) {
  (void)name, (void)flags, (void)max;
  trmi_run_file *const *file = H5Pget_driver_info(fapl);
  if (file == NULL || (*file)->fd < 0) return NULL;
  driver_file *f = calloc(1, sizeof *f);
  if (f == NULL) return NULL;
  f->file = *file;
  return &f->base;
}

/* HDF5 opens a new file twice: the descriptor is kept. */
static herr_t driver_close(H5FD_t *f) {
  free(f);
  return 0;
}

static herr_t driver_query(const H5FD_t *f, unsigned long *flags) {
  (void)f;
  *flags = H5FD_FEAT_SUPPORTS_SWMR_IO;
  return 0;
}

/* Allocate space at the end. Structures that fit into a page never cross a page boundary: the
 * kernel copies a page as a whole even if the process is killed during a write. */
static haddr_t driver_alloc(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, hsize_t size) {
  (void)dxpl;
  trmi_run_file *file = file_of(f);
  const haddr_t left = PAGE - file->eoa % PAGE;
  const haddr_t address = type != H5FD_MEM_DRAW && size > left ? file->eoa + left : file->eoa;
  file->eoa = address + size;
  return address;
}

static haddr_t driver_get_eoa(const H5FD_t *f, H5FD_mem_t type) {
  (void)type;
  return file_of(f)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *f, H5FD_mem_t type, haddr_t address) {
  (void)type;
  file_of(f)->eoa = address;
  return 0;
}

/* A new file is empty for HDF5, although room is reserved. */
static haddr_t driver_get_eof(const H5FD_t *f, H5FD_mem_t type) {
  (void)type;
  const trmi_run_file *file = file_of(f);
  return file->is_writing && !file->has_superblock ? 0 : file->size;
}

/* Beyond the end there are zeros: HDF5 reads whole blocks. */
static herr_t driver_read(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                          void *data) {
  (void)type, (void)dxpl;
  const trmi_run_file *file = file_of(f);
  if (address > file->size) return -1;
  const size_t there = file->size - address < size ? (size_t)(file->size - address) : size;
  memset((unsigned char *)data + there, 0, size - there);
  return read_all(file, address, data, there) ? 0 : -1;
}

static herr_t driver_write(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t size,
                           const void *data) {
  (void)type, (void)dxpl;
  trmi_run_file *file = file_of(f);
  if (file->reason == 0) file->reason = reserve(file, address + size);
  if (file->reason != 0) return 0;
  if (address > 0 || size < TRMI_SUPERBLOCK_SIZE) {
    write_all(file, address, data, size);
    return 0;
  }
  memcpy(file->superblock, data, TRMI_SUPERBLOCK_SIZE);
  file->has_superblock = true;
  const size_t rest = size - TRMI_SUPERBLOCK_SIZE;
  if (rest > 0 && !write_all(file, TRMI_SUPERBLOCK_SIZE,
                             (const unsigned char *)data + TRMI_SUPERBLOCK_SIZE, rest)) {
    return 0;
  }
  write_superblock(file, file->size);
  return 0;
}

static const H5FD_class_t driver = {
  .name = "trammel run", .maxaddr = (haddr_t)1 << 62, .fc_degree = H5F_CLOSE_STRONG,
  .fapl_size = sizeof(trmi_run_file *), .open = driver_open, .close = driver_close,
  .query = driver_query, .alloc = driver_alloc, .get_eoa = driver_get_eoa,
  .set_eoa = driver_set_eoa, .get_eof = driver_get_eof, .read = driver_read,
  .write = driver_write,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

trmi_silence trmi_silence_begin(void) {
  /* after a damaged file HDF5 would complain at the end of the process that it cannot tidy up */
  H5dont_atexit();
  trmi_silence before;
  H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return before;
}

void trmi_silence_end(trmi_silence before) {
  H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
}

/* --- open and close --------------------------------------------------------- */

trm_status trmi_run_file_fail(const trmi_run_file *file, const char *what, trm_error *err) {
  return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot %s '%.200s': %s", what, file->path,
                   file->reason != 0 ? strerror(file->reason)
                   : file->full != 0 ? strerror(file->full)
                                     : "HDF5 refuses");
}

trm_status trmi_run_file_create(trmi_run_file *file, const char *path, haddr_t room,
                                trm_error *err) {
  *file = (trmi_run_file){.path = path, .fd = -1, .is_writing = true};
  struct stat facts;
  if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.200s': it is not a plain file", path);
  }
  file->reason = trmi_replace_begin(&file->place, path, &file->fd);
  if (file->reason == EAGAIN) {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot write '%.200s': another run is writing it",
                     path);
  }
  if (file->reason == 0) file->reason = reserve(file, room);
  if (file->reason != 0) {
    trmi_run_file_close(file);
    return trmi_run_file_fail(file, "write", err);
  }
  return TRM_OK;
}

bool trmi_run_file_publish(trmi_run_file *file) {
  const int reason = trmi_replace_publish(&file->place);
  if (reason != 0 && file->reason == 0) file->reason = reason;
  return reason == 0;
}

trm_status trmi_run_file_open(trmi_run_file *file, const char *path, trm_error *err) {
  *file = (trmi_run_file){.path = path};
  file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts;
  if (file->fd < 0 || fstat(file->fd, &facts) != 0) {
    file->reason = errno;
    trmi_run_file_close(file);
    return trmi_run_file_fail(file, "read", err);
  }
  file->size = S_ISREG(facts.st_mode) ? (haddr_t)facts.st_size : 0;
  const trm_status status = check_superblock(file, err);
  if (status != TRM_OK) trmi_run_file_close(file);
  return status;
}

/* No chunk is cached by HDF5, and its metadata cache does not grow with the file. */
static bool set_caches(hid_t fapl) {
  H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pset_cache(fapl, 0, 1, 0, 1.0) < 0 || H5Pget_mdc_config(fapl, &config) < 0) return false;
  config.set_initial_size = true;
  config.initial_size = config.min_size = config.max_size = CACHE_BYTES;
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(fapl, &config) >= 0;
}

/* HDF5 clears its whole buffer for every read that converts texts, by default a megabyte. */
static hid_t transfer_list(void) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  if (list < 0) return H5P_DEFAULT;
  if (H5Pset_buffer(list, TRANSFER_BYTES, NULL, NULL) >= 0) return list;
  H5Pclose(list);
  return H5P_DEFAULT;
}

hid_t trmi_run_file_h5(trmi_run_file *file) {
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  const hid_t fcpl = file->is_writing ? H5Pcreate(H5P_FILE_CREATE) : -1;
  hid_t h5 = -1;
  file->driver = H5FDregister(&driver);
  file->transfer = file->is_writing ? H5P_DEFAULT : transfer_list();
  if (fcpl >= 0) {
    H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_NONE, false, 1);
  }
  if (file->driver > 0 && fapl >= 0 && H5Pset_driver(fapl, file->driver, &file) >= 0 &&
      H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
      (!file->is_writing || set_caches(fapl))) {
    h5 = file->is_writing ? H5Fcreate(file->path, H5F_ACC_TRUNC, fcpl, fapl)
                          : H5Fopen(file->path, H5F_ACC_RDONLY, fapl);
  }
  if (fcpl >= 0) H5Pclose(fcpl);
  if (fapl >= 0) H5Pclose(fapl);
  return h5;
}

bool trmi_run_file_ensure(trmi_run_file *file, haddr_t bytes) {
  if (file->full == 0) file->full = reserve(file, file->eoa + bytes + SLACK);
  return file->full == 0 && file->reason == 0;
}

void trmi_run_file_close(trmi_run_file *file) {
  if (file->driver > 0) H5FDunregister(file->driver);
  file->driver = 0;
  if (file->transfer > 0) H5Pclose(file->transfer);
  file->transfer = H5P_DEFAULT;
  trmi_replace_discard(&file->place);
  if (file->fd < 0) return;
  /* release unused reserved space */
  if (file->is_writing && file->reason == 0 && file->has_superblock && file->eoa < file->size &&
      write_superblock(file, file->eoa) && ftruncate(file->fd, (off_t)file->eoa) != 0) {
    file->reason = errno;
  }
  if (close(file->fd) != 0 && file->reason == 0) file->reason = errno;
  file->fd = -1;
}

bool trmi_run_file_patch(trmi_run_file *file, haddr_t address, const void *data, size_t size) {
  if (file->fd < 0 || address + size > file->size) return false;
  const int reason = file->reason;
  const bool is_done = write_all(file, address, data, size);
  if (reason != 0) file->reason = reason;
  return is_done;
}
