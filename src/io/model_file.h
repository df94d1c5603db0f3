/* model_file.h - the parts of reading a model, in the order they are done. */
#ifndef TRMI_MODEL_FILE_H
#define TRMI_MODEL_FILE_H
#include "io/model_source.h"
#include "io/schema.h"
#include "parts/part_values.h"
#include "trammel/model.h"

enum { TRMI_MODEL_OPTIONS_MAX = 40 };

typedef struct trmi_spare trmi_spare;

/* A model. Everything is in the arena, and constant after reading. */
struct trm_model {
  trmi_arena      arena;
  trmi_complaints complaints;
  trmi_sources    sources;
  trmi_yaml      *root;       /* all files merged, settings applied            */
  trmi_definition def;
  const char     *name, *summary, *text;
  trm_setting     options[TRMI_MODEL_OPTIONS_MAX]; /* of `simulate`, as run_options.h has them */
  int             noptions;
  trmi_spare     *spare;      /* a system built while reading, for the first caller */
};

/* Units and texts of parameters of the definition. */
void trmi_model_define_numbers(trm_model *model);

/* The parameters of the model; blocks of `repeat` become parameters and parts of the tree, which
 * is not changed any more after that. `is_whole` false: parts are missing, so continuing would only
 * cause complaints about unknown names. */
trm_status trmi_model_repeat(trm_model *model, bool *is_whole, trm_error *err);

/* Remove parts with `enabled: false` from the tree (model_enabled.c). */
void trmi_model_drop_disabled(trm_model *model);

/* Element sets below `material` of flexible bodies go to `materials` (model_materials.c). */
void trmi_model_divide_materials(trm_model *model);
/* The mapping of a section, "equations.states"; NULL: there is none. */
trmi_yaml *trmi_model_section(const trm_model *model, trmi_part_group group);

/* The rest of the tree: names, texts and words. */
void trmi_model_define(trm_model *model);

/* All parts: their names, kinds and texts; numbers are evaluated by parts/part_values.h. Called by
 * trmi_model_define. */
void trmi_model_parts(trm_model *model);

/* A reduction that cannot be read is a fault of the text. */
void trmi_model_check_measures(trm_model *model);

/* Replace arguments of measures that are expressions of parameters by numbers. Faults are
 * complaints. */
void trmi_model_resolve_measures(trm_model *model, trmi_parameters *parameters);

/* Add outputs for quantities of measures that are neither outputs nor numbers of the system built
 * without them. Returns their number; faults are complaints. */
int trmi_model_measured_outputs(trm_model *model, const trm_system_def *system);

/* Points of tables from files. */
void trmi_model_tables(trm_model *model);

/* Options of `simulate`. */
void trmi_model_simulate(trm_model *model, trmi_parameters *parameters);

/* The number of a scalar, within the range of its row. False after a complaint. */
bool trmi_model_number(trmi_parameters *parameters, const trmi_field *row, const trmi_yaml *node,
                       double *number);

/* One column of a file of comma-separated values: its name or number is `node`.
 * @param values  receives the numbers, from the arena
 * @return their number; -1 after a complaint */
int trmi_csv_column(trm_model *model, int file, const trmi_yaml *node, double **values,
                    int **lines);

#endif
