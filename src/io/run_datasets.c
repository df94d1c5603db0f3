/* run_datasets.c - datasets of a run file opened for reading. Each is opened once and remains
 * open. */
#include "io/run_read_internal.h"
#include <string.h>

/* Shape and class of type. */
static void measure(dataset *d) {
  const hid_t type = H5Dget_type(d->id);
  d->space = H5Dget_space(d->id);
  d->class = type >= 0 && H5Tis_variable_str(type) <= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  if (type >= 0) H5Tclose(type);
  d->rank = d->space >= 0 ? H5Sget_simple_extent_ndims(d->space) : -1;
  const bool is_list = d->rank == 1 || d->rank == 2;
  if (is_list && H5Sget_simple_extent_dims(d->space, d->dims, NULL) != d->rank) d->rank = -1;
}

static const dataset *find(trm_run *run, const char *name) {
  for (int i = 0; i < run->ndatasets; i++) {
    const dataset *d = &run->datasets[i];
    if (d->name[0] == name[0] && strcmp(d->name, name) == 0) return d;
  }
  if (run->ndatasets == DATASETS_MAX) return NULL;
  dataset *d = &run->datasets[run->ndatasets++];
  *d = (dataset){.name = name, .id = H5Dopen2(run->h5, name, H5P_DEFAULT), .space = -1};
  d->is_there = d->id >= 0 || H5Lexists(run->h5, name, H5P_DEFAULT) > 0;
  if (d->id >= 0) measure(d);
  return d;
}

bool trmi_run_has(trm_run *run, const char *name) {
  const dataset *d = find(run, name);
  return d != NULL && d->is_there;
}

hid_t trmi_run_dataset(trm_run *run, const char *name, int rank, H5T_class_t class,
                       hsize_t dims[2]) {
  const dataset *d = find(run, name);
  if (d == NULL || d->id < 0 || d->rank != rank || d->class != class) return -1;
  for (int k = 0; k < rank; k++) dims[k] = d->dims[k];
  return d->id;
}

bool trmi_run_read_part(trm_run *run, const char *name, int rank, hid_t type,
                        const hsize_t first[2], const hsize_t count[2], void *data) {
  if (count[0] == 0) return true;
  const dataset *d = find(run, name);
  if (d == NULL || d->id < 0 || d->rank != rank || d->class != H5Tget_class(type)) return false;
  const hid_t part = H5Screate_simple(rank, count, NULL);
  const bool is_done =
      part >= 0 && H5Sselect_hyperslab(d->space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
      H5Sselect_valid(d->space) > 0 &&
      H5Dread(d->id, type, part, d->space, run->file.transfer, data) >= 0;
  if (part >= 0) H5Sclose(part);
  return is_done;
}

void trmi_run_close_datasets(trm_run *run) {
  for (int i = 0; i < run->ndatasets; i++) {
    const dataset *d = &run->datasets[i];
    if (d->space >= 0) H5Sclose(d->space);
    if (d->id >= 0) H5Dclose(d->id);
  }
  run->ndatasets = 0;
}
