/* page_scene.c - the picture of a mechanism: bodies with their shapes, beams, joints, forces,
 * contacts, each with its frames. Numbers are in the units of the model, as in the samples. A frame
 * is [body, origin, axes as rows], in axes of the body. */
#include "page/page_internal.h"
#include "elements/contact/read_contacts.h"
#include "elements/elements.h"
#include "elements/force/force_types.h"
#include "mechanism/scene.h"
#include "trammel/model.h"
#include <math.h>
#include <string.h>

/* ---- frames --------------------------------------------------------------------------------- */

static json_t *vector_of(trmi_vec3 v) {
  double numbers[3];
  v3_store(numbers, v);
  return trmi_json_numbers(numbers, 3);
}

static json_t *frame_of(const trmi_marker *marker) {
  json_t *frame = json_object();
  json_object_set_new(frame, "body", json_integer(marker->body));
  json_object_set_new(frame, "at", vector_of(marker->s));
  json_object_set_new(frame, "axes", trmi_json_numbers(marker->E, 9));
  return frame;
}

static void put_name(json_t *out, const char *name, const char *type) {
  json_object_set_new(out, "name", trmi_json_text(name));
  if (type != NULL) json_object_set_new(out, "type", trmi_json_text(type));
}

static void put_color(json_t *out, const trmi_part *def) {
  const char *color = def != NULL ? trmi_part_word(def, "color") : NULL;
  if (color != NULL) json_object_set_new(out, "color", trmi_json_text(color));
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* The triangles of a mesh or hull: points and corners. A file that is gone leaves a sentence. */
static void put_mesh(const trmi_mechanism *m, const trmi_part *part, json_t *out) {
  char fault[TRMI_MESH_FAULT] = "it has no triangles";
  trmi_arena arena;
  trmi_mesh mesh = {.npoints = 0};
  trmi_arena_init(&arena, &m->arena->allocator);
  if (!trmi_load_mesh(m, part, &arena, &mesh, fault)) mesh.npoints = 0;
  if (mesh.npoints > 0) {
    json_t *points = json_array(), *corners = json_array();
    for (int i = 0; i < mesh.npoints; i++) json_array_append_new(points, vector_of(mesh.points[i]));
    for (int i = 0; i < 3 * mesh.ntriangles; i++) {
      json_array_append_new(corners, json_integer(mesh.corners[i]));
    }
    json_object_set_new(out, "triangle_points", points);
    json_object_set_new(out, "corners", corners);
  } else {
    json_object_set_new(out, "fault", trmi_json_text(fault));
  }
  trmi_arena_clear(&arena);
}

/* A shape with everything it gives, by its keys. */
static json_t *shape_of(const trmi_mechanism *m, int body, const trmi_part *part) {
  json_t *out = json_object();
  put_name(out, part->key.name, part->kind->type);
  json_object_set_new(out, "body", json_integer(body));
  for (int i = 1; i < part->kind->nfields; i++) {
    const trmi_field *field = &part->kind->fields[i];
    int count = 0;
    const double *numbers = trmi_part_list(part, field->path, &count);
    if (numbers == NULL || !part->given[i].is_given) continue;
    json_object_set_new(out, field->path, count == 1 ? trmi_json_number(numbers[0])
                                                     : trmi_json_numbers(numbers, count));
  }
  const char *type = part->kind->type;
  if (strcmp(type, "mesh") == 0 || strcmp(type, "hull") == 0) put_mesh(m, part, out);
  return out;
}

static void put_shapes(const trmi_mechanism *m, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "shapes", list);
  for (int i = 0; i < m->nbodies; i++) {
    const trmi_part *def = m->bodies[i].shaped;
    for (const trmi_part *p = def != NULL ? def->inner : NULL; p != NULL; p = p->next) {
      if (p->kind->group == TRMI_SHAPES) json_array_append_new(list, shape_of(m, i, p));
    }
  }
}

/* ---- bodies and beams ----------------------------------------------------------------------- */

int trmi_page_signal(const trmi_page_source *source, const char *group, const char *name,
                     const char *part) {
  char label[TRM_COLUMN_MAX];
  snprintf(label, sizeof label, "%.60s.%s", name, part);
  return source->find(source->self, group, label);
}

static void put_bodies(const trmi_mechanism *m, const trmi_page_source *source, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "bodies", list);
  for (int i = 0; i < m->nbodies; i++) {
    const trmi_body *body = &m->bodies[i];
    json_t *out = json_object();
    json_array_append_new(list, out);
    put_name(out, i > 0 ? body->name : "ground", body->beam != NULL ? "node" : "body");
    put_color(out, body->def);
    if (i == 0) continue;
    json_object_set_new(out, "turns", json_boolean(body->kind == TRMI_CARRIER_BODY));
    json_object_set_new(out, "x",
                        json_integer(trmi_page_signal(source, "coordinates", body->name, "x")));
    json_object_set_new(out, "vx",
                        json_integer(trmi_page_signal(source, "velocities", body->name, "vx")));
    if (body->beam != NULL) continue;
    json_object_set_new(out, "mass", trmi_json_number(body->inertia.mass));
    json_object_set_new(out, "com", vector_of(body->inertia.com));
  }
}

/* As in contacts, or a hundredth of the length. */
static double radius_of(const trmi_mechanism *m, const trmi_beam_part *beam) {
  const double radius = trmi_contact_beam_radius(beam);
  double length = 0.0;
  if (radius > 0.0) return radius;
  for (int i = 1; i < beam->nnodes; i++) {
    const double *a = m->bodies[beam->first + i - 1].q0, *b = m->bodies[beam->first + i].q0;
    length += v3_norm(v3_sub(v3_load(b), v3_load(a)));
  }
  return 0.01 * length;
}

static void put_beams(const trmi_mechanism *m, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "beams", list);
  for (int i = 0; i < m->nbeams; i++) {
    const trmi_beam_part *beam = &m->beams[i];
    json_t *out = json_object();
    json_array_append_new(list, out);
    put_name(out, beam->def->key.name, NULL);
    put_color(out, beam->def);
    json_object_set_new(out, "first", json_integer(beam->first));
    json_object_set_new(out, "nodes", json_integer(beam->nnodes));
    json_object_set_new(out, "radius", trmi_json_number(radius_of(m, beam)));
  }
}

/* ---- joints, forces, contacts --------------------------------------------------------------- */

static void put_joints(const trmi_mechanism *m, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "joints", list);
  for (int i = 0; i < m->njoints - m->nclamps; i++) {
    const trmi_joint *joint = &m->joints[i];
    if (joint->type->ends == TRMI_ENDS_NONE) continue; /* between other joints */
    json_t *out = json_object();
    json_array_append_new(list, out);
    put_name(out, joint->def->key.name, joint->type->name);
    json_object_set_new(out, "A", frame_of(&joint->A));
    json_object_set_new(out, "B", frame_of(&joint->B));
  }
}

static void put_forces(const trmi_mechanism *m, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "forces", list);
  for (int i = 0; i < m->nforces; i++) {
    const trmi_force *force = &m->forces[i];
    if (force->type->ends == TRMI_ON_JOINT) continue;
    json_t *out = json_object();
    json_array_append_new(list, out);
    put_name(out, force->def->key.name, force->type->name);
    json_object_set_new(out, "A", frame_of(&force->A));
    json_object_set_new(out, "B", frame_of(&force->B));
  }
}

static void put_contacts(const trmi_mechanism *m, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "contacts", list);
  for (int i = 0; i < m->ncontacts; i++) {
    json_t *out = json_object();
    json_array_append_new(list, out);
    put_name(out, m->contacts[i].name, NULL);
  }
}

/* ---- points and lines of `show` ------------------------------------------------------------- */

static void put_radius(json_t *out, const trmi_part *part) {
  const double radius = trmi_part_number(part, "radius");
  if (isfinite(radius)) json_object_set_new(out, "radius", trmi_json_number(radius));
}

/* Points are bodies without mass, after all others. */
static void put_points(const trmi_parts *drawn, const trmi_page_source *source, json_t *scene) {
  char name[TRM_COLUMN_MAX];
  for (int i = 0; i < drawn->count; i++) {
    const trmi_part *part = &drawn->list[i];
    if (trmi_part_find(part, "at") == NULL) continue;
    json_t *out = json_object();
    json_array_append_new(json_object_get(scene, "bodies"), out);
    put_name(out, part->key.name, "point");
    put_color(out, part);
    put_radius(out, part);
    snprintf(name, sizeof name, "show.%.40s", part->key.name);
    json_object_set_new(out, "x", json_integer(trmi_page_signal(source, "loads", name, "x")));
  }
}

static int number_of_point(const json_t *scene, const char *name) {
  const json_t *bodies = json_object_get(scene, "bodies");
  int i = (int)json_array_size(bodies) - 1;
  while (i > 0) {
    const json_t *body = json_array_get(bodies, (size_t)i);
    if (strcmp(json_string_value(json_object_get(body, "name")), name) == 0) break;
    i--;
  }
  return i;
}

static void put_lines(const trmi_parts *drawn, json_t *scene) {
  json_t *list = json_array();
  json_object_set_new(scene, "lines", list);
  for (int i = 0; i < drawn->count; i++) {
    const trmi_part *part = &drawn->list[i];
    const trmi_given *between = trmi_part_find(part, "between");
    const trm_drawn_def *def = part->def;
    if (between == NULL) continue;
    json_t *out = json_object(), *points = json_array();
    json_array_append_new(list, out);
    put_name(out, part->key.name, NULL);
    put_color(out, part);
    put_radius(out, part);
    json_object_set_new(out, "points", points);
    for (int k = 0; k < between->count; k++) {
      json_array_append_new(points, json_integer(number_of_point(scene, def->between[k])));
    }
  }
}

static json_t *scene_of(const trmi_mechanism *m, const trmi_page_source *source) {
  json_t *scene = json_object();
  json_object_set_new(scene, "gravity", vector_of(m->gravity));
  put_bodies(m, source, scene);
  put_shapes(m, scene);
  put_beams(m, scene);
  put_joints(m, scene);
  put_forces(m, scene);
  put_contacts(m, scene);
  put_points(&m->def->parts[TRMI_DRAWN], source, scene);
  put_lines(&m->def->parts[TRMI_DRAWN], scene);
  return scene;
}

/* ---- the model ------------------------------------------------------------------------------ */

static trm_status put_system(trmi_page *page, const trmi_page_source *source,
                             const trm_model *model, json_t *scene, trm_error *err) {
  trm_system *system = NULL;
  trm_status status = trm_model_create_system(model, NULL, &system, err);
  if (status == TRM_ERR_INPUT) return TRM_OK; /* a plug-in, say: its parts are seen all the same */
  if (status == TRM_OK) status = trmi_page_flexible(page, source, system, scene, err);
  if (status == TRM_OK) status = trmi_page_modes(page, source, system, scene, err);
  trm_system_free(system);
  TRMI_TRY(err, status);
  return TRM_OK;
}

static trm_status read_scene(trmi_page *page, const trm_model *model,
                             const trmi_page_source *source, json_t *out, trm_error *err) {
  trm_mechanism *mechanism = NULL;
  trmi_scene scene;
  TRMI_TRY(err, trm_model_mechanism(model, NULL, &mechanism, err));
  trm_mechanism_allow_files(mechanism); /* meshes */
  trm_mechanism_use_plugins(mechanism, TRM_PLUGINS_SKIPPED);
  trm_status status = trmi_scene_read(mechanism, &scene, err);
  if (status == TRM_OK && (scene.m->nbodies > 1 || scene.m->def->parts[TRMI_DRAWN].count > 0)) {
    json_t *made = scene_of(scene.m, source);
    json_object_set_new(out, "scene", made);
    status = put_system(page, source, model, made, err);
    trmi_scene_free(&scene);
  } else if (status == TRM_OK) {
    trmi_scene_free(&scene);
  }
  trm_mechanism_free(mechanism);
  TRMI_TRY(err, status);
  return TRM_OK;
}

trm_status trmi_page_scene(trmi_page *page, const trmi_page_source *source, json_t *out,
                           trm_error *err) {
  trm_model *model = NULL;
  if (source->text == NULL) return TRM_OK;
  const trm_model_source stored = {.text = source->text, .name = source->model,
                                   .has_meshes = true, .reductions = source->reductions};
  trm_status status = trm_model_read(&stored, NULL, &model, err);
  if (status == TRM_OK) status = read_scene(page, model, source, out, err);
  trm_model_free(model);
  if (status != TRM_ERR_INPUT) {
    TRMI_TRY(err, status);
    return TRM_OK;
  }
  /* curves can be shown all the same, with the reason */
  json_object_set_new(out, "scene_fault", trmi_json_text(err != NULL ? err->message : "?"));
  return TRM_OK;
}
