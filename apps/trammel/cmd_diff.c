/* cmd_diff.c - largest differences of the signals that two run files have in common. */
#include "commands.h"
#include "json_out.h"
#include "report.h"
#include "store.h"
#include "trammel/run_file.h"
#include <math.h>
#include <string.h>

/* Times are the same if they differ by rounding of this part of the run. */
static const double same_time = 1e-12;

/* One signal of both files. */
typedef struct difference {
  const trm_signal *signal;
  double largest, time; /* difference, and when             */
  double value;         /* largest magnitude in either file */
} difference;

typedef struct diff_run {
  trm_run *runs[2];
  long    *rows[2];    /* samples at common times          [ntimes] */
  double  *times;      /* of the first file                [ntimes] */
  long     ntimes;
  difference *list;    /* of common signals                [ncommon] */
  int      ncommon, nunits; /* nunits: of the same name, but not unit */
  int      only[2];    /* signals of one file              */
  app_store store;
} diff_run;

/* Number of the signal of the same name and group in the other file, or -1. */
static int find_same(const trm_run *run, const trm_signal *signal) {
  for (int i = 0; i < trm_run_info_of(run)->nsignals; i++) {
    const trm_signal *other = trm_run_signal(run, i);
    if (other->group == signal->group && strcmp(other->name, signal->name) == 0) return i;
  }
  return -1;
}

static trm_status read_column(diff_run *d, int file, int signal, double **values, trm_error *err) {
  const long n = trm_run_info_of(d->runs[file])->nsamples;
  *values = APP_TAKE(&d->store, double, n + 1);
  const trm_status status = app_store_check(&d->store, err);
  return status != TRM_OK ? status : trm_run_read_range(d->runs[file], signal, 0, n, *values, err);
}

/* Samples of both files at the same times, in seconds. */
static trm_status match_times(diff_run *d, trm_error *err) {
  const trm_run_info *info[2] = {trm_run_info_of(d->runs[0]), trm_run_info_of(d->runs[1])};
  double *t[2] = {NULL, NULL};
  trm_status status = read_column(d, 0, 0, &t[0], err);
  if (status == TRM_OK) status = read_column(d, 1, 0, &t[1], err);
  const long most = info[0]->nsamples;
  d->rows[0] = APP_TAKE(&d->store, long, most + 1);
  d->rows[1] = APP_TAKE(&d->store, long, most + 1);
  d->times = APP_TAKE(&d->store, double, most + 1);
  if (status == TRM_OK) status = app_store_check(&d->store, err);
  if (status != TRM_OK) return status;
  for (long i = 0, k = 0; i < info[0]->nsamples && k < info[1]->nsamples;) {
    const double a = t[0][i] * info[0]->seconds, b = t[1][k] * info[1]->seconds;
    const double span = fabs(t[0][info[0]->nsamples - 1] * info[0]->seconds);
    if (fabs(a - b) <= same_time * (fabs(a) + fabs(b) + span)) {
      d->rows[0][d->ntimes] = i++, d->rows[1][d->ntimes] = k++;
      d->times[d->ntimes] = t[0][d->rows[0][d->ntimes]];
      d->ntimes++;
    } else if (a < b) {
      i++;
    } else {
      k++;
    }
  }
  if (d->ntimes > 0) return TRM_OK;
  return app_fail(err, TRM_ERR_INPUT, NULL, "'%.100s' and '%.100s' have no time in common: run "
                  "both with the same --outputs or --output-step", info[0]->path, info[1]->path);
}

/* Zero if both are equal, also if both are NaN. */
static double distance(double a, double b) {
  if (a == b || (isnan(a) && isnan(b))) return 0.0;
  const double apart = fabs(a - b);
  return isnan(apart) ? INFINITY : apart;
}

static trm_status compare(diff_run *d, int a, int b, trm_error *err) {
  double *x = NULL, *y = NULL;
  difference *one = &d->list[d->ncommon];
  trm_status status = read_column(d, 0, a, &x, err);
  if (status == TRM_OK) status = read_column(d, 1, b, &y, err);
  if (status != TRM_OK) return status;
  *one = (difference){.signal = trm_run_signal(d->runs[0], a), .time = d->times[0]};
  for (long k = 0; k < d->ntimes; k++) {
    const double first = x[d->rows[0][k]], second = y[d->rows[1][k]];
    const double apart = distance(first, second);
    one->value = fmax(one->value, fmax(fabs(first), fabs(second)));
    if (apart > one->largest) one->largest = apart, one->time = d->times[k];
  }
  d->ncommon++;
  return TRM_OK;
}

static trm_status compare_all(diff_run *d, trm_error *err) {
  const int count = trm_run_info_of(d->runs[0])->nsignals;
  const int others = trm_run_info_of(d->runs[1])->nsignals;
  int shared = 1; /* the time */
  d->list = APP_TAKE(&d->store, difference, count);
  trm_status status = app_store_check(&d->store, err);
  for (int i = 1; i < count && status == TRM_OK; i++) {
    const trm_signal *signal = trm_run_signal(d->runs[0], i);
    const int other = find_same(d->runs[1], signal);
    if (other < 0) {
      d->only[0]++;
      continue;
    }
    shared++;
    if (strcmp(signal->unit, trm_run_signal(d->runs[1], other)->unit) != 0) d->nunits++;
    else status = compare(d, i, other, err);
  }
  d->only[1] = others - shared;
  if (status == TRM_OK && d->ncommon == 0) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "the files have no signal of the same name and unit "
                    "in common");
  }
  return status;
}

static trm_status print_json(const diff_run *d, trm_error *err) {
  json_t *root = json_object(), *files = json_array(), *signals = json_object();
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "files", files);
  for (int k = 0; k < 2; k++) {
    json_array_append_new(files, app_json_text(trm_run_info_of(d->runs[k])->path));
  }
  app_json_put(root, "times", json_integer(d->ntimes));
  app_json_put(root, "signals", signals);
  for (int i = 0; i < d->ncommon; i++) {
    const difference *one = &d->list[i];
    json_t *entry = json_object();
    app_json_put(entry, "unit", app_json_text(one->signal->unit));
    app_json_put(entry, "difference", app_json_number(one->largest));
    app_json_put(entry, "time", app_json_number(one->time));
    app_json_put(entry, "largest", app_json_number(one->value));
    app_json_put(signals, one->signal->name, entry);
  }
  app_json_put(root, "only_in_first", json_integer(d->only[0]));
  app_json_put(root, "only_in_second", json_integer(d->only[1]));
  app_json_put(root, "other_units", json_integer(d->nunits));
  return app_json_print(root, err);
}

static void print_text(const diff_run *d) {
  const trm_run_info *info[2] = {trm_run_info_of(d->runs[0]), trm_run_info_of(d->runs[1])};
  printf("%s and %s: %d common signal%s at %ld common time%s of %ld and %ld\n", info[0]->path,
         info[1]->path, d->ncommon, d->ncommon == 1 ? "" : "s", d->ntimes,
         d->ntimes == 1 ? "" : "s", info[0]->nsamples, info[1]->nsamples);
  printf("  %-24s %-8s %16s %14s %14s\n", "signal", "unit", "difference", "at time",
         "largest value");
  for (int i = 0; i < d->ncommon; i++) {
    const difference *one = &d->list[i];
    printf("  %-24s %-8s %16.6g ", one->signal->name, one->signal->unit, one->largest);
    if (one->largest > 0.0) printf("%14.6g", one->time);
    else printf("%14s", "");
    printf(" %14.6g\n", one->value);
  }
  for (int k = 0; k < 2; k++) {
    if (d->only[k] > 0) printf("  %d only in %s\n", d->only[k], info[k]->path);
  }
  if (d->nunits > 0) printf("  %d with another unit, not compared\n", d->nunits);
}

trm_status app_diff(const app_options *options, trm_error *err) {
  diff_run d = {.ntimes = 0};
  if (options->nwords != 1) {
    return app_fail(err, TRM_ERR_INPUT, NULL, "two run files are compared: trammel diff A.h5 B.h5");
  }
  trm_status status = trm_run_open(options->model, NULL, &d.runs[0], err);
  if (status == TRM_OK) status = trm_run_open(options->words[0], NULL, &d.runs[1], err);
  if (status == TRM_OK) status = match_times(&d, err);
  if (status == TRM_OK) status = compare_all(&d, err);
  if (status == TRM_OK && options->json) {
    status = print_json(&d, err);
  } else if (status == TRM_OK) {
    print_text(&d);
  }
  trm_run_close(d.runs[1]);
  trm_run_close(d.runs[0]);
  app_store_clear(&d.store);
  return status;
}
