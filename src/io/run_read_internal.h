/* run_read_internal.h - internals of reading run files. */
#ifndef TRMI_RUN_READ_INTERNAL_H
#define TRMI_RUN_READ_INTERNAL_H
#include "core/arena.h"
#include "io/run_file.h"
#include "io/run_format.h"
#include "trammel/explain.h"

/* The tables of a file. */
enum { SAMPLES, STEPS, EVENTS, MESSAGE_TIMES, MESSAGES, TABLES };
typedef struct table_plan {
  const char *name, *sums; /* of the table, and of the sums of its rows */
  int         rank;
  H5T_class_t class;
} table_plan;
extern const table_plan trmi_table_plans[TABLES];

/* Place of a checkpoint. */
typedef struct point {
  trm_run_checkpoint facts;
  hsize_t             place;    /* of its bytes */
  uint32_t            data_sum;
} point;

/* A requested dataset: opening is slow in HDF5, so each is opened once. */
typedef struct dataset {
  const char *name;
  hid_t       id;       /* negative: it does not exist or cannot be opened */
  hid_t       space;    /* of the file                                    */
  bool        is_there;
  int         rank;
  hsize_t     dims[2];  /* where the rank is 1 or 2                       */
  H5T_class_t class;    /* H5T_NO_CLASS: texts of free length             */
} dataset;

enum { DATASETS_MAX = 64 }; /* more than there are names in a file */

struct trm_run {
  trmi_arena     arena;
  trmi_run_file  file;
  hid_t          h5;
  dataset        datasets[DATASETS_MAX]; /* requested so far [ndatasets] */
  int            ndatasets;
  trm_run_info  info;
  trm_signal   *signals;    /* [info.nsignals]     */
  signed char   *lists;      /* trm_quantity of each, or -1 */
  char         (*events)[TRM_LABEL_MAX]; /* names   [nevent_names] */
  int            nevent_names;
  char         (*gaps)[TRM_LABEL_MAX];   /* stops, contacts [ngap_names] */
  int            ngap_names;
  char         (*slips)[TRM_LABEL_MAX];  /* frictions [nslip_names] */
  int            nslip_names;
  int            step_width; /* columns of `steps`: older files have no `order` */
  point         *points;     /* [info.ncheckpoints] */
  int            points_room;
  bool           is_checked[TABLES]; /* the last rows are verified */
  const trm_explanation *explanation; /* NULL: not requested yet */
};

/* TRM_ERR_IO. */
trm_status trmi_run_damaged(const trm_run *run, const char *what, trm_error *err);

/* A dataset of this rank and class of type, negative if there is none; its dimensions go to `dims`.
 * Texts of free length are never ours. It stays open until trmi_run_close_datasets.
 * @param name  lives as long as the run */
hid_t trmi_run_dataset(trm_run *run, const char *name, int rank, H5T_class_t class,
                       hsize_t dims[2]);

/* Is there anything of that name? */
bool trmi_run_has(trm_run *run, const char *name);

/* A part of a table: rows first[0].., columns first[1]... */
bool trmi_run_read_part(trm_run *run, const char *name, int rank, hid_t type,
                        const hsize_t first[2], const hsize_t count[2], void *data);

void trmi_run_close_datasets(trm_run *run);

#endif
