/* cmd_modal.c - reduces the meshes of flexible bodies; prints modes, masses and interfaces. */
#include "commands.h"
#include "json_out.h"
#include "load_model.h"
#include "output_files.h"
#include "report.h"
#include "trammel/trammel.h"
#include <stdio.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

static void print_head(const trm_flexible_info *b, const trm_unit_names *u) {
  printf("flexible body '%s'\n", b->name);
  printf("  mesh         %d nodes, %d elements, %d unknowns\n", b->nodes, b->elements,
         3 * b->nodes);
  printf("  mass         %.9g %s, centre [%.9g, %.9g, %.9g] %s\n", b->mass, u->mass, b->centre[0],
         b->centre[1], b->centre[2], u->length);
  printf("  inertia      [%.9g, %.9g, %.9g, %.9g, %.9g, %.9g] %s %s^2 about the centre\n",
         b->inertia[0], b->inertia[1], b->inertia[2], b->inertia[3], b->inertia[4], b->inertia[5],
         u->mass, u->length);
  if (b->interfaces > 0) {
    printf("  modes        %d = %d of interfaces + %d fixed-interface + %d of loads - 6 rigid "
           "- %d dependent\n", b->modes, b->constraint, b->fixed, b->statics, b->dropped);
  } else {
    printf("  modes        %d = %d vibrations + %d of loads - %d dependent; no interface, it moves "
           "freely\n", b->modes, b->fixed, b->statics, b->dropped);
  }
  printf("  rigid motion strains by %.1e of the first frequency\n", b->rigid_ratio);
}

/* Effect of one unit of a load. */
static void print_load(const trm_system *system, int i, int k) {
  const trm_unit_names *u = trm_system_units(system);
  const trm_flexible_load load = trm_flexible_load_at(system, i, k);
  printf("  %-12s %s.%s: %s", k == 0 ? "loads" : "", trm_flexible_at(system, i).name, load.name,
         load.is_heat ? "temperature\n" : "pressure");
  if (load.is_heat) return;
  printf(", 1 %s/%s^2 is the force [%.6g, %.6g, %.6g] %s\n", u->force, u->length, load.force[0],
         load.force[1], load.force[2], u->force);
}

static void print_body(const trm_system *system, int i) {
  const trm_unit_names *u = trm_system_units(system);
  const trm_flexible_info b = trm_flexible_at(system, i);
  print_head(&b, u);
  for (int k = 0; k < b.interfaces; k++) {
    const trm_flexible_tie tie = trm_flexible_tie_at(system, i, k);
    printf("  %-12s %s.%s at [%.6g, %.6g, %.6g] %s: %s of %d nodes\n",
           k == 0 ? "interfaces" : "", b.name, tie.name, tie.at[0], tie.at[1], tie.at[2],
           u->length, tie.is_rigid ? "rigid, all" : "average", tie.nodes);
  }
  for (int k = 0; k < b.loads; k++) print_load(system, i, k);
  for (int k = 0; k < b.fixed && b.interfaces > 0; k++) {
    printf("%s%.6g", k == 0 ? "  held [Hz]    " : k % 8 == 0 ? "\n               " : "  ",
           trm_flexible_fixed_at(system, i, k) / u->seconds);
  }
  if (b.fixed > 0 && b.interfaces > 0) putchar('\n');
  printf("  %6s %16s %10s %22s   %s\n", "free", "frequency [Hz]", "damping",
         "energy in x, y, z [%]", "largest displacement at node");
  for (int k = 0; k < b.modes; k++) {
    const trm_flexible_mode m = trm_flexible_mode_at(system, i, k);
    printf("  %6d %16.8g %10.4g %8.0f %6.0f %6.0f   %d at [%.4g, %.4g, %.4g]\n", k + 1,
           m.frequency / u->seconds, m.damping, 100.0 * m.share[0], 100.0 * m.share[1],
           100.0 * m.share[2], m.node, m.place[0], m.place[1], m.place[2]);
  }
  printf("  cache        %s\n", b.kept != NULL ? b.kept : "none");
  for (const char *line = b.notes; line != NULL && *line != '\0';) {
    const int length = (int)strcspn(line, "\n");
    printf("  note         %.*s\n", length, line);
    line += length + (line[length] == '\n' ? 1 : 0);
  }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *numbers(const double *list, int count) {
  json_t *array = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(array, app_json_number(list[i]));
  return array;
}

static json_t *loads_object(const trm_system *system, int i) {
  json_t *root = json_object();
  for (int k = 0; k < trm_flexible_at(system, i).loads; k++) {
    const trm_flexible_load load = trm_flexible_load_at(system, i, k);
    json_t *entry = json_object();
    app_json_put(entry, "type", json_string(load.is_heat ? "temperature" : "pressure"));
    app_json_put(entry, "force", numbers(load.force, 3));
    app_json_put(entry, "moment", numbers(load.moment, 3));
    app_json_put(root, load.name, entry);
  }
  return root;
}

static json_t *body_object(const trm_system *system, int i) {
  const double seconds = trm_system_units(system)->seconds;
  const trm_flexible_info b = trm_flexible_at(system, i);
  json_t *root = json_object(), *modes = json_array(), *fixed = json_array(), *ties = json_object();
  app_json_put(root, "nodes", json_integer(b.nodes));
  app_json_put(root, "elements", json_integer(b.elements));
  app_json_put(root, "mass", app_json_number(b.mass));
  app_json_put(root, "centre", numbers(b.centre, 3));
  app_json_put(root, "inertia", numbers(b.inertia, 6));
  app_json_put(root, "rigid_ratio", app_json_number(b.rigid_ratio));
  app_json_put(root, "interfaces", ties);
  app_json_put(root, "fixed_hz", fixed);
  app_json_put(root, "modes", modes);
  app_json_put(root, "notes", app_json_text(b.notes));
  app_json_put(root, "cache", b.kept != NULL ? app_json_text(b.kept) : json_null());
  for (int k = 0; k < b.interfaces; k++) {
    const trm_flexible_tie tie = trm_flexible_tie_at(system, i, k);
    json_t *entry = json_object();
    app_json_put(entry, "type", json_string(tie.is_rigid ? "rigid" : "average"));
    app_json_put(entry, "nodes", json_integer(tie.nodes));
    app_json_put(entry, "at", numbers(tie.at, 3));
    app_json_put(ties, tie.name, entry);
  }
  app_json_put(root, "loads", loads_object(system, i));
  for (int k = 0; k < b.fixed; k++) {
    json_array_append_new(fixed, app_json_number(trm_flexible_fixed_at(system, i, k) / seconds));
  }
  for (int k = 0; k < b.modes; k++) {
    const trm_flexible_mode m = trm_flexible_mode_at(system, i, k);
    json_t *entry = json_object();
    app_json_put(entry, "frequency_hz", app_json_number(m.frequency / seconds));
    app_json_put(entry, "damping", app_json_number(m.damping));
    app_json_put(entry, "energy", numbers(m.share, 3));
    app_json_put(entry, "node", json_integer(m.node));
    app_json_put(entry, "place", numbers(m.place, 3));
    json_array_append_new(modes, entry);
  }
  return root;
}

static trm_status print_json(const trm_system *system, trm_error *err) {
  json_t *root = json_object(), *bodies = json_object();
  app_json_put(root, "trammel", json_string(TRM_VERSION));
  app_json_put(root, "model", app_json_text(trm_system_name(system)));
  app_json_put(root, "status", json_string("ok"));
  app_json_put(root, "flexible", bodies);
  for (int i = 0; i < trm_flexible_count(system); i++) {
    app_json_put(bodies, trm_flexible_at(system, i).name, body_object(system, i));
  }
  return app_json_print(root, err);
}

trm_status app_modal(const app_options *options, trm_error *err) {
  trm_system *system = NULL;
  trm_status status = app_model_create(options, &system, err);
  if (status == TRM_OK && trm_flexible_count(system) == 0) {
    status = app_fail(err, TRM_ERR_INPUT, NULL, "the model has no flexible bodies; "
                      "meshes are under flexible:");
  }
  if (status == TRM_OK && options->out != NULL) {
    status = app_check_ending("--out", options->out, ".h5", err);
    if (status == TRM_OK) status = trm_export_modal(system, options->out, err);
  }
  if (status == TRM_OK && options->json) {
    status = print_json(system, err);
  } else if (status == TRM_OK && !options->quiet) {
    printf("%s\n", trm_system_name(system));
    for (int i = 0; i < trm_flexible_count(system); i++) print_body(system, i);
  }
  trm_system_free(system);
  return status;
}
