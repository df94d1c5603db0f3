/* run_facts.c - datasets that never change. Small ones are in their headers, long ones
 * in one chunk: both have a checksum of HDF5. */
#include "io/run_facts.h"
#include "io/run_format.h"
#include "io/run_options.h"
#include "trammel/trammel.h"
#include <math.h>
#include <string.h>

enum { COMPACT_MAX = 1024 /* bytes */ };

void trmi_text_set(char *to, size_t size, const char *from) {
  const size_t length = strlen(from), kept = length < size ? length : size - 1;
  memcpy(to, from, kept);
  memset(to + kept, 0, size - kept);
}

static hid_t text_type(size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

/* A dataset [count] or scalar (count 0) with its values. */
static bool put(hid_t h5, const char *name, hid_t type, hsize_t count, const void *data) {
  const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(dcpl, false);
  if (count == 0 || count * H5Tget_size(type) <= COMPACT_MAX) {
    H5Pset_layout(dcpl, H5D_COMPACT);
  } else {
    H5Pset_chunk(dcpl, 1, &count);
    H5Pset_deflate(dcpl, 1);
    H5Pset_fletcher32(dcpl);
  }
  const hid_t id = H5Dcreate2(h5, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  const bool is_done = id >= 0 && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (id >= 0) H5Dclose(id);
  H5Pclose(dcpl);
  H5Sclose(space);
  return is_done;
}

bool trmi_run_place(hid_t h5, const char *name, hid_t type, size_t size, hsize_t count,
                    const void *data, haddr_t *address) {
  const hid_t own = size > 0 ? text_type(size) : H5Tcopy(type);
  const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  const hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(dcpl, false);
  H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY);
  const hid_t id = H5Dcreate2(h5, name, own, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  const bool is_done = id >= 0 && H5Dwrite(id, own, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  *address = is_done ? H5Dget_offset(id) : HADDR_UNDEF;
  if (id >= 0) H5Dclose(id);
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Tclose(own);
  return *address != HADDR_UNDEF;
}

/* Texts of `size` bytes each; count 0: one, as a scalar. */
static bool put_texts(hid_t h5, const char *name, hsize_t count, const char *texts, size_t size) {
  const hid_t type = text_type(size);
  const bool is_done = put(h5, name, type, count, texts);
  H5Tclose(type);
  return is_done;
}

static bool put_word(hid_t h5, const char *name, const char *word) {
  char text[TRMI_WORD_MAX * 2];
  trmi_text_set(text, sizeof text, word != NULL ? word : "");
  return put_texts(h5, name, 0, text, sizeof text);
}

static bool put_words(hid_t h5, const char *name, const char *const *words, int count) {
  char text[TRMI_COUNTERS][TRMI_WORD_MAX];
  for (int i = 0; i < count; i++) trmi_text_set(text[i], TRMI_WORD_MAX, words[i]);
  return put_texts(h5, name, (hsize_t)count, text[0], TRMI_WORD_MAX);
}

/* Two lists of texts, names and values; nothing for an empty list. */
static bool put_pairs(hid_t h5, const char *names, const char *values,
                      const trm_option_text *pairs, int count, trmi_arena *arena) {
  if (count == 0) return true;
  char *name = TRMI_TAKE(arena, char, (size_t)count * TRMI_WORD_MAX);
  char *value = TRMI_TAKE(arena, char, (size_t)count * TRMI_VALUE_MAX);
  if (arena->failed) return false;
  for (int i = 0; i < count; i++) {
    memcpy(name + i * TRMI_WORD_MAX, pairs[i].name, TRMI_WORD_MAX);
    memcpy(value + i * TRMI_VALUE_MAX, pairs[i].value, TRMI_VALUE_MAX);
  }
  return put_texts(h5, names, (hsize_t)count, name, TRMI_WORD_MAX) &&
         put_texts(h5, values, (hsize_t)count, value, TRMI_VALUE_MAX);
}

static bool put_parameters(hid_t h5, const trm_run_facts *facts, trmi_arena *arena) {
  trm_option_text *pairs = TRMI_TAKE(arena, trm_option_text, facts->nparameters);
  if (pairs == NULL) return false;
  for (int i = 0; i < facts->nparameters; i++) {
    trmi_text_set(pairs[i].name, TRMI_WORD_MAX, facts->parameters[i].name);
    trmi_text_set(pairs[i].value, TRMI_VALUE_MAX, facts->parameters[i].value);
  }
  return put_pairs(h5, "parameters", "parameter_values", pairs, facts->nparameters, arena);
}

/* The text of a model file, byte by byte; nothing for built-in problems. */
static bool put_model_text(hid_t h5, const char *text) {
  if (text == NULL || text[0] == '\0') return true;
  return put(h5, "model_text", H5T_STD_U8LE, strlen(text), text);
}

/* Names of event functions. */
static bool put_events(hid_t h5, const trm_system *system, trmi_arena *arena) {
  const int count = trm_system_count(system, TRM_EVENT);
  if (count == 0) return true;
  char *names = TRMI_TAKE(arena, char, (size_t)count * TRM_LABEL_MAX);
  if (names == NULL) return false;
  for (int i = 0; i < count; i++) {
    trm_label label;
    trm_system_label(system, TRM_EVENT, i, &label);
    trmi_text_set(names + i * TRM_LABEL_MAX, TRM_LABEL_MAX, label.name);
  }
  return put_texts(h5, "event_names", (hsize_t)count, names, TRM_LABEL_MAX);
}

/* Names of stops and contacts, or of frictions. */
static bool put_parts(hid_t h5, const trm_system *system, trm_quantity list, const char *key,
                      trmi_arena *arena) {
  const int count = trm_system_count(system, list);
  if (count == 0) return true;
  char *names = TRMI_TAKE(arena, char, (size_t)count * TRM_LABEL_MAX);
  if (names == NULL) return false;
  for (int i = 0; i < count; i++) {
    trm_label label;
    trm_system_label(system, list, i, &label);
    trmi_text_set(names + i * TRM_LABEL_MAX, TRM_LABEL_MAX, label.object);
  }
  return put_texts(h5, key, (hsize_t)count, names, TRM_LABEL_MAX);
}

/* Names, labels, .. of all columns, one list each. */
static bool put_columns(hid_t h5, const trmi_columns *columns, const trm_system *system,
                        const trm_options *options, trmi_arena *arena) {
  const size_t n = (size_t)columns->n;
  char *names = TRMI_TAKE(arena, char, n * TRM_COLUMN_MAX);
  char *labels = TRMI_TAKE(arena, char, n * TRM_LABEL_MAX);
  char *groups = TRMI_TAKE(arena, char, n * TRM_UNIT_MAX);
  char *units = TRMI_TAKE(arena, char, n * TRM_UNIT_MAX);
  char *objects = TRMI_TAKE(arena, char, n * TRM_OBJECT_MAX);
  signed char *kinds = TRMI_TAKE(arena, signed char, n);
  signed char *lists = TRMI_TAKE(arena, signed char, n);
  double *scales = TRMI_TAKE(arena, double, n);
  if (arena->failed) return false;
  for (size_t i = 0; i < n; i++) {
    const trmi_column *column = &columns->list[i];
    trm_label label;
    char room[TRM_UNIT_MAX];
    trmi_column_label(column, system, &label);
    trmi_text_set(names + i * TRM_COLUMN_MAX, TRM_COLUMN_MAX, column->name);
    trmi_text_set(labels + i * TRM_LABEL_MAX, TRM_LABEL_MAX, label.name);
    trmi_text_set(groups + i * TRM_UNIT_MAX, TRM_UNIT_MAX, trm_signal_group_name(column->group));
    trmi_text_set(units + i * TRM_UNIT_MAX, TRM_UNIT_MAX,
                  trmi_column_unit(column, &label, trm_system_units(system), room));
    trmi_text_set(objects + i * TRM_OBJECT_MAX, TRM_OBJECT_MAX, label.object);
    kinds[i] = (signed char)label.kind;
    lists[i] = trmi_column_has_list(column) ? (signed char)column->list : -1;
    scales[i] = lists[i] >= 0 ? label.scale : NAN;
    if (lists[i] == TRM_V && options->scales_v != NULL && options->scales_v[column->place] > 0.0) {
      scales[i] = options->scales_v[column->place];
    }
  }
  return put_texts(h5, "names", n, names, TRM_COLUMN_MAX) &&
         put_texts(h5, "labels", n, labels, TRM_LABEL_MAX) &&
         put_texts(h5, "groups", n, groups, TRM_UNIT_MAX) &&
         put_texts(h5, "units", n, units, TRM_UNIT_MAX) &&
         put_texts(h5, "objects", n, objects, TRM_OBJECT_MAX) &&
         put(h5, "kinds", H5T_STD_I8LE, n, kinds) && put(h5, "lists", H5T_STD_I8LE, n, lists) &&
         put(h5, "scales", H5T_IEEE_F64LE, n, scales);
}

bool trmi_run_facts_write(hid_t h5, const trm_run_facts *facts, const trm_system *system,
                          const trm_options *options, const trmi_columns *columns,
                          trmi_arena *arena) {
  trm_option_text texts[TRM_OPTION_TEXTS];
  const int count = trm_options_write(options, texts);
  return put_word(h5, "format", TRMI_RUN_FORMAT) && put_word(h5, "trammel", TRM_VERSION) &&
         put_word(h5, "model", trm_system_name(system)) && put_model_text(h5, facts->text) &&
         put_word(h5, "integrator", facts->integrator) &&
         put_word(h5, "formulation", facts->formulation) &&
         put_word(h5, "solver", facts->solver) &&
         put(h5, "resumed_from", H5T_IEEE_F64LE, 0, &facts->resumed_from) &&
         put(h5, "resumed_energy", H5T_IEEE_F64LE, 0, &facts->energy_initial) &&
         put_pairs(h5, "options", "option_values", texts, count, arena) &&
         put_parameters(h5, facts, arena) &&
         put_words(h5, "step_names", trmi_step_names, TRMI_STEP_COLUMNS) &&
         put_words(h5, "counter_names", trmi_counter_names, TRMI_COUNTERS) &&
         put_events(h5, system, arena) &&
         put_parts(h5, system, TRM_GAP, "gap_names", arena) &&
         put_parts(h5, system, TRM_SLIP, "slip_names", arena) &&
         put_columns(h5, columns, system, options, arena);
}

trm_run_facts trm_run_facts_default(const trm_sim *sim) {
  if (sim == NULL) return (trm_run_facts){0};
  return (trm_run_facts){
    .integrator = trm_sim_integrator(sim), .formulation = trm_sim_formulation(sim),
    .solver = trm_sim_solver(sim), .resumed_from = NAN, .energy_initial = NAN,
  };
}
