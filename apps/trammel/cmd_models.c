/* cmd_models.c - list the built-in models, describe one, or print its file. */
#include "commands.h"
#include "load_model.h"
#include "report.h"
#include <stdio.h>
#include <string.h>

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* The text of `summary:`, or the first comment, without signs and quotes. */
static void print_summary(const char *text) {
  const char *line = strstr(text, "\nsummary:");
  if (line != NULL) {
    line += strlen("\nsummary:");
  } else {
    line = text[0] == '#' ? text : strstr(text, "\n#");
  }
  if (line == NULL) line = "a model file";
  line += strspn(line, "\n# \"'");
  int length = (int)strcspn(line, "\r\n");
  while (length > 0 && strchr(" \"'", line[length - 1]) != NULL) length--;
  printf("%.*s\n", length, line);
}

static void list_models(void) {
  int width = 0;
  for (int i = 0; i < trm_problem_count(); i++) {
    width = larger(width, (int)strlen(trm_problem_at(i)->name));
  }
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    width = larger(width, (int)strlen(trm_shipped_model_at(i)->name));
  }
  for (int i = 0; i < trm_problem_count(); i++) {
    const trm_problem *problem = trm_problem_at(i);
    printf("%-*s  %s\n", width, problem->name, problem->summary);
  }
  for (int i = 0; i < trm_shipped_model_count(); i++) {
    const trm_shipped_model *model = trm_shipped_model_at(i);
    printf("%-*s  ", width, model->name);
    print_summary(model->text);
  }
}

static void describe(const trm_problem *problem) {
  printf("%s: %s\n", problem->name, problem->summary);
  printf("usual end: %g s\n", problem->end);
  if (problem->nparameters == 0) {
    puts("no parameters");
    return;
  }
  int width = 0;
  for (int i = 0; i < problem->nparameters; i++) {
    const trm_parameter *p = &problem->parameters[i];
    width = larger(width, (int)(strlen(p->name) + strlen(p->value)) + 1);
  }
  puts("parameters, changed by --set NAME=VALUE:");
  for (int i = 0; i < problem->nparameters; i++) {
    const trm_parameter *p = &problem->parameters[i];
    const int used = printf("  %s=%s", p->name, p->value);
    printf("%*s  %s", width + 2 - used, "", p->meaning);
    if (p->choices != NULL) printf(" (%s)", p->choices);
    putchar('\n');
  }
}

static void print_bytes(void *self, const char *bytes, size_t count) {
  fwrite(bytes, 1, count, self);
}

/* A model file, shipped or not, as a program or as one file. */
static trm_status print_as(const app_options *options, trm_error *err) {
  trm_model *model = NULL;
  const bool is_c = strcmp(options->as, "c") == 0;
  if (!is_c && strcmp(options->as, "yaml") != 0) {
    return app_fail(err, TRM_ERR_INPUT, "--as", "'%.40s' is not a language; known are c and yaml",
                    options->as);
  }
  trm_status status = app_model_read(options, &model, err);
  if (status == TRM_OK) {
    status = is_c ? trm_model_write_c(model, print_bytes, stdout, err)
                  : trm_model_write_yaml(model, print_bytes, stdout, err);
  }
  trm_model_free(model);
  return status;
}

trm_status app_models(const app_options *options, trm_error *err) {
  if (options->model == NULL) {
    list_models();
    return TRM_OK;
  }
  if (options->as != NULL) return print_as(options, err);
  const trm_shipped_model *shipped = trm_shipped_model_find(options->model);
  if (shipped != NULL) {
    fputs(shipped->text, stdout);
    return TRM_OK;
  }
  const trm_problem *problem;
  const trm_status status = app_model_find(options->model, &problem, err);
  if (status == TRM_OK) describe(problem);
  return status;
}
