/* live_page.c - the page of a run in progress: a head without samples, which are fetched. Its
 * policy allows only requests to its own server. */
#include "live/live_internal.h"
#include "core/fail.h"
#include "page/page_internal.h"
#include <stdio.h>
#include <string.h>

/* ---- signals -------------------------------------------------------------------------------- */

static int find_column(const void *self, const char *group, const char *name) {
  const trm_live *live = self;
  const trmi_columns *columns = &live->columns;
  int g = 0;
  while (g < TRM_GROUPS && strcmp(trm_signal_group_name((trm_signal_group)g), group) != 0) g++;
  for (int i = g < TRM_GROUPS ? columns->first[g] : 0; g < TRM_GROUPS && i < columns->first[g + 1];
       i++) {
    trm_label label;
    trmi_column_label(&columns->list[i], live->system, &label);
    if (strcmp(label.name, name) == 0) return i;
  }
  return -1;
}

static json_t *signals_of(const trm_live *live) {
  json_t *list = json_array();
  for (int i = 0; i < live->columns.n; i++) {
    const trmi_column *column = &live->columns.list[i];
    json_t *out = json_object();
    trm_label label;
    json_array_append_new(list, out);
    trmi_column_label(column, live->system, &label);
    char room[TRM_UNIT_MAX];
    trmi_json_put_text(out, "name", column->name);
    trmi_json_put_text(out, "unit", trmi_column_unit(column, &label,
                                                     trm_system_units(live->system), room));
    trmi_json_put_text(out, "group", trm_signal_group_name(column->group));
    trmi_json_put_text(out, "label", label.name);
    trmi_json_put_text(out, "object", label.object);
  }
  return list;
}

/* ---- the run -------------------------------------------------------------------------------- */

static json_t *pairs_of(const trm_live *live, const trm_options *options, bool of_options) {
  trm_option_text texts[TRM_OPTION_TEXTS];
  const int count = of_options ? trm_options_write(options, texts) : live->facts.nparameters;
  json_t *list = json_array();
  for (int i = 0; i < count; i++) {
    const trm_setting *parameter = of_options ? NULL : &live->facts.parameters[i];
    json_array_append_new(list, json_pack("[o, o]",
        trmi_json_text(of_options ? texts[i].name : parameter->name),
        trmi_json_text(of_options ? texts[i].value : parameter->value)));
  }
  return list;
}

/* Inputs that viewers may set, with the values of the start. */
static json_t *inputs_of(const trm_live *live) {
  json_t *list = json_array();
  for (int i = 0; i < trm_system_count(live->system, TRM_U); i++) {
    trm_label label;
    trm_system_label(live->system, TRM_U, i, &label);
    json_array_append_new(list, json_pack("{s:o, s:o}", "name", trmi_json_text(label.name), "unit",
        trmi_json_text(trm_system_unit(live->system, TRM_U, &label))));
  }
  return list;
}

static json_t *run_of(const trm_live *live, const trm_options *options) {
  json_t *out = json_object();
  trmi_json_put_text(out, "file", "");
  trmi_json_put_text(out, "model", trm_system_name(live->system));
  trmi_json_put_text(out, "text", live->facts.text);
  trmi_json_put_text(out, "version", TRM_VERSION);
  trmi_json_put_text(out, "integrator", live->facts.integrator);
  trmi_json_put_text(out, "formulation", live->facts.formulation);
  trmi_json_put_text(out, "solver", live->facts.solver);
  trmi_json_put_text(out, "status", live->status);
  trmi_json_put_text(out, "error", "");
  trmi_json_put_text(out, "object", "");
  json_object_set_new(out, "error_time", json_null());
  json_object_set_new(out, "start", json_null());
  json_object_set_new(out, "end", trmi_json_number(options->end));
  json_object_set_new(out, "tolerance", options->nsteps > 0 ? json_null()
                                                            : trmi_json_number(options->tolerance));
  json_object_set_new(out, "seconds", trmi_json_number(trm_system_units(live->system)->seconds));
  json_object_set_new(out, "parameters", pairs_of(live, options, false));
  json_object_set_new(out, "options", pairs_of(live, options, true));
  static const char *const empty[] = {"events", "messages", "steps"};
  for (int i = 0; i < 3; i++) json_object_set_new(out, empty[i], json_array());
  json_object_set_new(out, "nevents", json_integer(0));
  json_object_set_new(out, "nmessages", json_integer(0));
  json_object_set_new(out, "attempts_of_row", json_integer(1));
  json_object_set_new(out, "samples", json_integer(0));
  json_object_set_new(out, "signals", signals_of(live));
  json_object_set_new(out, "live", json_pack("{s:o}", "inputs", inputs_of(live)));
  return out;
}

static trm_status make_head(const trm_live *live, const trm_options *options, trmi_page *page,
                            trm_error *err) {
  const trmi_page_source source = {.text = live->facts.text, .self = live, .find = find_column,
                                   .model = trm_system_name(live->system),
                                   .reductions = live->reductions};
  json_t *run = run_of(live, options);
  json_t *head = json_pack("{s:s, s:f, s:[o]}", "trammel", TRM_VERSION, "resolution", 0.0, "runs",
                           run);
  trm_status status = head != NULL ? trmi_page_scene(page, &source, run, err)
                                   : TRMI_FAIL(err, TRM_ERR_MEMORY, NULL, "out of memory");
  if (status == TRM_OK) status = trmi_page_head(page, head, err);
  json_decref(head);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_live_page(const trm_live *live, const trm_options *options, trmi_buffer *html,
                          trm_error *err) {
  static const char policy[] = "default-src 'none';";
  const char *place = strstr(trmi_page_before, policy);
  if (place == NULL) return TRMI_FAIL(err, TRM_ERR_INPUT, NULL, "the page has no policy");
  place += strlen(policy);
  trmi_page page = {.resolution = 0.0};
  trmi_buffer_init(&page.html, &html->allocator);
  trmi_buffer_add(html, trmi_page_before, (size_t)(place - trmi_page_before));
  trmi_buffer_text(html, " connect-src 'self';");
  trmi_buffer_text(html, place);
  const trm_status status = make_head(live, options, &page, err);
  trmi_buffer_add(html, page.html.data, page.html.used);
  trmi_buffer_text(html, trmi_page_after);
  trmi_buffer_free(&page.html);
  TRMI_TRY(err, status);
  TRMI_TRY(err, trmi_buffer_check(html, err));
  return TRM_OK;
}
