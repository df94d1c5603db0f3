/* export_modal.c - reduced flexible bodies for other programs: an HDF5 file built in memory that
 * replaces an older one when complete. */
#include "core/fail.h"
#include "io/run_file.h"
#include "trammel/export.h"
#include "trammel/flexible.h"
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_MAX = 3, GROWTH = 1 << 20 };

/* A failure is stored and reported once, at the end. */
typedef struct writer {
  const trm_system *system;
  hid_t             file;
  bool              has_failed;
  char              reason[200]; /* reported by HDF5; "": out of memory */
} writer;

static herr_t keep_reason(unsigned n, const H5E_error2_t *error, void *self) {
  writer *w = self;
  if (n == 0 && error->desc != NULL) snprintf(w->reason, sizeof w->reason, "%s", error->desc);
  return 0;
}

/* The innermost error of HDF5 is its cause. */
static void fail(writer *w) {
  if (!w->has_failed) (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, w);
  w->has_failed = true;
}

/* A dataset of `rank` lengths; if one of them is 0, nothing is written. */
static void put(writer *w, hid_t group, const char *name, hid_t type, int rank,
                const hsize_t lengths[RANK_MAX], const void *data) {
  for (int i = 0; i < rank; i++) {
    if (lengths[i] == 0) return;
  }
  const hid_t space = H5Screate_simple(rank, lengths, NULL);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(dcpl, false); /* the same bytes for the same body */
  const hid_t id = H5Dcreate2(group, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  if (id < 0 || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail(w);
  if (id >= 0) H5Dclose(id);
  if (dcpl >= 0) H5Pclose(dcpl);
  if (space >= 0) H5Sclose(space);
}

static void put_numbers(writer *w, hid_t group, const char *name, int rows, int columns,
                        const double *data) {
  const hsize_t lengths[RANK_MAX] = {(hsize_t)rows, (hsize_t)columns};
  put(w, group, name, H5T_NATIVE_DOUBLE, 2, lengths, data);
}

static void put_list(writer *w, hid_t group, const char *name, int count, const double *data) {
  put(w, group, name, H5T_NATIVE_DOUBLE, 1, (const hsize_t[RANK_MAX]){(hsize_t)count}, data);
}

static void put_word(writer *w, const char *name, const char *word) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(word) + 1);
  const hid_t id = H5Acreate2(w->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0 || H5Awrite(id, type, word) < 0) fail(w);
  if (id >= 0) H5Aclose(id);
  H5Sclose(space);
  H5Tclose(type);
}

static hid_t open_group(writer *w, hid_t at, const char *name) {
  const hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) fail(w);
  return group;
}

/* Frequencies and damping, through one list with room for each. */
static void put_modes(writer *w, hid_t group, int i, double *list) {
  const trm_flexible_info body = trm_flexible_at(w->system, i);
  const double seconds = trm_system_units(w->system)->seconds;
  for (int k = 0; k < body.modes; k++) {
    list[k] = trm_flexible_mode_at(w->system, i, k).frequency / seconds;
  }
  put_list(w, group, "frequency", body.modes, list);
  for (int k = 0; k < body.modes; k++) list[k] = trm_flexible_mode_at(w->system, i, k).damping;
  put_list(w, group, "damping", body.modes, list);
  for (int k = 0; k < body.fixed; k++) list[k] = trm_flexible_fixed_at(w->system, i, k) / seconds;
  put_list(w, group, "fixed_frequency", body.fixed, list);
}

static void put_inertia(writer *w, hid_t group, int i, double *list) {
  const trm_flexible_arrays a = trm_flexible_arrays_at(w->system, i);
  const size_t square = (size_t)a.modes * (size_t)a.modes;
  put_list(w, group, "mass", 1, &a.mass);
  put_list(w, group, "first", 3, a.first);
  put_numbers(w, group, "second", 3, 3, a.second);
  put_numbers(w, group, "D", 3, a.modes, a.D);
  put_numbers(w, group, "L", 9, a.modes, a.L);
  for (int p = 0; p < 6; p++) memcpy(list + (size_t)p * square, a.N[p], square * sizeof *list);
  put(w, group, "N", H5T_NATIVE_DOUBLE, 3,
      (const hsize_t[RANK_MAX]){6, (hsize_t)a.modes, (hsize_t)a.modes}, list);
}

static void put_interfaces(writer *w, hid_t group, int i) {
  const trm_flexible_info body = trm_flexible_at(w->system, i);
  const hid_t all = open_group(w, group, "interfaces");
  for (int k = 0; k < body.interfaces && !w->has_failed; k++) {
    const trm_flexible_tie tie = trm_flexible_tie_at(w->system, i, k);
    const double *displacement, *rotation;
    trm_flexible_motion_at(w->system, i, k, &displacement, &rotation);
    const hid_t one = open_group(w, all, tie.name);
    put_list(w, one, "at", 3, tie.at);
    put_numbers(w, one, "displacement", 3, body.modes, displacement);
    put_numbers(w, one, "rotation", 3, body.modes, rotation);
    if (one >= 0) H5Gclose(one);
  }
  if (all >= 0) H5Gclose(all);
}

static void put_surface(writer *w, hid_t group, int i) {
  const trm_flexible_surface s = trm_flexible_surface_at(w->system, i);
  const hsize_t points = (hsize_t)s.points;
  const hid_t at = open_group(w, group, "surface");
  put(w, at, "node", H5T_NATIVE_INT, 1, (const hsize_t[RANK_MAX]){points}, s.numbers);
  put_numbers(w, at, "place", s.points, 3, s.places);
  put(w, at, "displacement", H5T_NATIVE_FLOAT, 3,
      (const hsize_t[RANK_MAX]){points, 3, (hsize_t)s.modes}, s.displacement);
  put(w, at, "stress", H5T_NATIVE_FLOAT, 3,
      (const hsize_t[RANK_MAX]){points, 6, (hsize_t)s.columns}, s.stress);
  if (at >= 0) H5Gclose(at);
}

/* All data of body i; false: no memory. */
static bool put_body(writer *w, int i) {
  const trm_flexible_info body = trm_flexible_at(w->system, i);
  const size_t modes = (size_t)body.modes, room = 6 * modes * modes + (size_t)body.fixed + 1;
  double *list = malloc(room * sizeof *list);
  if (list == NULL) return false;
  const hid_t group = open_group(w, w->file, body.name);
  put_modes(w, group, i, list);
  put_inertia(w, group, i, list);
  put_interfaces(w, group, i);
  put_surface(w, group, i);
  if (group >= 0) H5Gclose(group);
  free(list);
  return true;
}

/* The finished file as bytes, which the caller frees; NULL: no memory, or HDF5 failed. */
static void *image_of(writer *w, size_t *size) {
  const bool is_flushed = H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
  const ssize_t bytes = is_flushed ? H5Fget_file_image(w->file, NULL, 0) : -1;
  if (bytes <= 0) {
    fail(w);
    return NULL;
  }
  void *image = malloc((size_t)bytes);
  if (image != NULL && H5Fget_file_image(w->file, image, (size_t)bytes) != bytes) {
    fail(w);
    free(image);
    return NULL;
  }
  *size = (size_t)bytes;
  return image;
}

static void *make_image(const trm_system *system, size_t *size, char reason[200]) {
  const trm_unit_names *u = trm_system_units(system);
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  void *image = NULL;
  if (fapl >= 0 && H5Pset_fapl_core(fapl, GROWTH, false) >= 0) {
    writer w = {.system = system, .file = H5Fcreate("modal", H5F_ACC_TRUNC, H5P_DEFAULT, fapl)};
    if (w.file >= 0) {
      put_word(&w, "format", "trammel modal 1");
      put_word(&w, "model", trm_system_name(system));
      put_word(&w, "unit_length", u->length);
      put_word(&w, "unit_mass", u->mass);
      put_word(&w, "unit_time", u->time);
      put_word(&w, "unit_force", u->force);
      for (int i = 0; i < trm_flexible_count(system) && !w.has_failed; i++) {
        if (!put_body(&w, i)) w.has_failed = true; /* memory */
      }
      if (!w.has_failed) image = image_of(&w, size);
      H5Fclose(w.file);
    } else {
      fail(&w);
    }
    snprintf(reason, sizeof w.reason, "%s", w.reason);
  }
  if (fapl >= 0) H5Pclose(fapl);
  return image;
}

trm_status trm_export_modal(const trm_system *system, const char *path, trm_error *err) {
  TRMI_NEED(err, system, path);
  if (trm_flexible_count(system) == 0) {
    return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the model has no flexible bodies");
  }
  size_t size = 0;
  char reason[200] = "";
  const trmi_silence before = trmi_silence_begin();
  void *image = make_image(system, &size, reason);
  trmi_silence_end(before);
  if (image == NULL && reason[0] != '\0') {
    return TRMI_FAIL(err, TRM_ERR_IO, NULL, "cannot make '%.200s': HDF5: %s", path, reason);
  }
  if (image == NULL) {
    return TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory for the file '%.200s'", path);
  }
  trm_new_file *file = NULL;
  trm_status status = trm_new_file_open(path, &file, err);
  if (status == TRM_OK) {
    fwrite(image, 1, size, trm_new_file_stream(file)); /* its errors are those of the stream */
    status = trm_new_file_close(file, TRM_OK, err);
  }
  free(image);
  return status;
}
