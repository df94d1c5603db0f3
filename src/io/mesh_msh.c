/* mesh_msh.c - meshes of Gmsh, MSH 4.1 as text.
 *
 * Read are $MeshFormat, $PhysicalNames, $Entities, $Nodes and $Elements; other sections are
 * skipped. A physical group with a name becomes a set of its nodes, one of volumes also a set of
 * its elements. Middle nodes have another order than ours: position k of ours is `order[k]` of
 * Gmsh. */
#include "io/mesh_text.h"
#include "fem/solid_shapes.h"
#include <stdio.h>
#include <string.h>

static const struct {
  int             gmsh;
  trmi_solid_type type;
  int             order[TRMI_SOLID_NODES_MAX];
} types[] = {
  {4, TRMI_C3D4, {0, 1, 2, 3}},
  {5, TRMI_C3D8I, {0, 1, 2, 3, 4, 5, 6, 7}},
  {6, TRMI_C3D6, {0, 1, 2, 3, 4, 5}},
  {11, TRMI_C3D10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}},
  {17, TRMI_C3D20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}},
  {18, TRMI_C3D15, {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11}},
};

/* Nodes of elements of less than three dimensions, which only carry sets: lines, triangles,
 * quadrangles, points. */
static const int flat[][2] = {{15, 1}, {1, 2},  {8, 3},   {26, 4},  {2, 3},
                              {9, 6},  {3, 4},  {10, 9},  {16, 8},  {21, 10}};

typedef struct group {
  int dimension, tag, nodes, elements; /* sets of a draft, -1: none */
} group;

/* An entity belongs to a physical group. */
typedef struct belonging {
  int dimension, entity, group;
} belonging;

typedef struct reader {
  trmi_mesh_text t;
  trmi_buffer    groups, belongings;
  bool           has_format;
} reader;

/* Whole numbers of one line.
 * @return their number, -1: one is not whole */
static int take_ints(const reader *r, int *numbers, int most) {
  trmi_mesh_field field;
  size_t from = 0;
  int n = 0;
  while (n < most && trmi_mesh_field_next(&r->t, ' ', &from, &field)) {
    if (field.length == 0) continue;
    if (!trmi_mesh_int(field, &numbers[n++])) return -1;
  }
  return n;
}

static bool next_ints(reader *r, int *numbers, int needed, const char *what) {
  if (!trmi_mesh_next(&r->t)) return trmi_mesh_fail(&r->t, "the file ends within %s", what);
  if (take_ints(r, numbers, needed) < needed) {
    return trmi_mesh_fail(&r->t, "%d whole numbers of %s are needed here", needed, what);
  }
  return true;
}

static bool read_format(reader *r) {
  trmi_mesh_field field[3] = {{0}};
  size_t from = 0;
  if (!trmi_mesh_next(&r->t)) return trmi_mesh_fail(&r->t, "the file ends within $MeshFormat");
  for (int k = 0; k < 3; k++) {
    if (!trmi_mesh_field_next(&r->t, ' ', &from, &field[k])) {
      return trmi_mesh_fail(&r->t, "$MeshFormat has three numbers");
    }
  }
  if (!trmi_mesh_is(field[0], "4.1") || !trmi_mesh_is(field[1], "0")) {
    return trmi_mesh_fail(&r->t, "only MSH 4.1 as text is read: use gmsh -format msh41, without "
                          "-bin");
  }
  r->has_format = true;
  return true;
}

/* DIMENSION TAG "NAME" */
static bool read_names(reader *r) {
  int count, numbers[2];
  if (!next_ints(r, &count, 1, "$PhysicalNames")) return false;
  for (int i = 0; i < count; i++) {
    if (!next_ints(r, numbers, 2, "$PhysicalNames")) return false;
    const char *open = memchr(r->t.at, '"', r->t.length);
    const size_t left = open != NULL ? r->t.length - (size_t)(open + 1 - r->t.at) : 0;
    const char *close = open != NULL ? memchr(open + 1, '"', left) : NULL;
    if (close == NULL) return trmi_mesh_fail(&r->t, "a name in quotes is needed here");
    char name[TRMI_SOLID_NAME];
    trmi_mesh_copy((trmi_mesh_field){.text = open + 1, .length = (size_t)(close - open - 1)},
                   false, name);
    const group one = {
        .dimension = numbers[0], .tag = numbers[1],
        .nodes = trmi_draft_set(r->t.draft, name, false),
        .elements = numbers[0] == 3 ? trmi_draft_set(r->t.draft, name, true) : -1};
    trmi_buffer_add(&r->groups, &one, sizeof one);
  }
  return true;
}

static int find_group(const reader *r, int dimension, int tag) {
  const group *groups = (const group *)(const void *)r->groups.data;
  for (int i = 0; i < (int)(r->groups.used / sizeof(group)); i++) {
    if (groups[i].dimension == dimension && groups[i].tag == tag) return i;
  }
  return -1;
}

/* TAG, a box of 3 or 6 numbers, the count of groups and their tags. */
static bool read_entity(reader *r, int dimension) {
  trmi_mesh_field field;
  size_t from = 0;
  int entity = 0, count = 0, tag;
  const int box = dimension == 0 ? 3 : 6;
  if (!trmi_mesh_next(&r->t)) return trmi_mesh_fail(&r->t, "the file ends within $Entities");
  for (int k = 0; k < box + 2; k++) {
    if (!trmi_mesh_field_next(&r->t, ' ', &from, &field) ||
        (k == 0 && !trmi_mesh_int(field, &entity)) ||
        (k == box + 1 && !trmi_mesh_int(field, &count))) {
      return trmi_mesh_fail(&r->t, "a line of $Entities has a tag, a box and physical groups");
    }
  }
  for (int i = 0; i < count; i++) {
    if (!trmi_mesh_field_next(&r->t, ' ', &from, &field) || !trmi_mesh_int(field, &tag)) {
      return trmi_mesh_fail(&r->t, "%d physical groups are needed here", count);
    }
    const belonging one = {.dimension = dimension, .entity = entity,
                           .group = find_group(r, dimension, tag)};
    if (one.group >= 0) trmi_buffer_add(&r->belongings, &one, sizeof one);
  }
  return true;
}

static bool read_entities(reader *r) {
  int counts[4];
  if (!next_ints(r, counts, 4, "$Entities")) return false;
  for (int d = 0; d < 4; d++) {
    for (int i = 0; i < counts[d]; i++) {
      if (!read_entity(r, d)) return false;
    }
  }
  return true;
}

/* Blocks of numbers, then of their places. */
static bool read_nodes(reader *r) {
  int head[4], block[4];
  if (!next_ints(r, head, 4, "$Nodes")) return false;
  for (int b = 0; b < head[0]; b++) {
    trmi_mesh_text numbers;
    if (!next_ints(r, block, 4, "$Nodes")) return false;
    numbers = r->t;
    for (int i = 0; i < block[3]; i++) {
      if (!trmi_mesh_next(&r->t)) return trmi_mesh_fail(&r->t, "the file ends within $Nodes");
    }
    for (int i = 0; i < block[3]; i++) {
      trmi_mesh_field field;
      size_t from = 0;
      double x[3];
      int number;
      (void)trmi_mesh_next(&numbers);
      const reader there = {.t = numbers};
      if (take_ints(&there, &number, 1) != 1) {
        return trmi_mesh_fail(&numbers, "the number of a node is needed here");
      }
      if (!trmi_mesh_next(&r->t)) return trmi_mesh_fail(&r->t, "the file ends within $Nodes");
      for (int k = 0; k < 3; k++) {
        if (!trmi_mesh_field_next(&r->t, ' ', &from, &field) || !trmi_mesh_number(field, &x[k])) {
          return trmi_mesh_fail(&r->t, "node %d: three coordinates are needed here", number);
        }
      }
      trmi_draft_node(r->t.draft, number, x, r->t.line);
    }
  }
  return true;
}

/* Number of nodes of a type of Gmsh, and its entry in `types` or -1; 0: not known. */
static int nodes_of(int gmsh, int *type) {
  *type = -1;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (types[i].gmsh != gmsh) continue;
    *type = (int)i;
    return trmi_solid_infos[types[i].type].nodes;
  }
  for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
    if (flat[i][0] == gmsh) return flat[i][1];
  }
  return 0;
}

/* The nodes of an element join the sets of its entity. */
static void join_sets(reader *r, const int *block, const int *numbers, int n, bool is_solid) {
  const belonging *list = (const belonging *)(const void *)r->belongings.data;
  const group *groups = (const group *)(const void *)r->groups.data;
  for (int i = 0; i < (int)(r->belongings.used / sizeof *list); i++) {
    if (list[i].dimension != block[0] || list[i].entity != block[1]) continue;
    const group *one = &groups[list[i].group];
    for (int k = 0; k < n && one->nodes >= 0; k++) {
      trmi_draft_member(r->t.draft, one->nodes, numbers[1 + k]);
    }
    if (is_solid && one->elements >= 0) trmi_draft_member(r->t.draft, one->elements, numbers[0]);
  }
}

static bool read_block(reader *r, const int *block) {
  int type, numbers[1 + TRMI_SOLID_NODES_MAX], nodes[TRMI_SOLID_NODES_MAX];
  const int n = nodes_of(block[2], &type);
  if (n == 0) trmi_mesh_note(&r->t, "elements of Gmsh's type %d are left out", block[2]);
  if (type >= 0 && trmi_solid_infos[types[type].type].is_stiff) {
    trmi_mesh_note(&r->t, "elements %s bend 7 to 50 %% too stiff: use those with middle nodes",
                   trmi_solid_infos[types[type].type].name);
  }
  if (type >= 0 && types[type].type == TRMI_C3D8I) {
    trmi_mesh_note(&r->t, "hexahedra with 8 nodes are taken as C3D8I");
  }
  for (int i = 0; i < block[3]; i++) {
    if (!next_ints(r, numbers, n + 1, "$Elements")) return false;
    if (type >= 0) {
      for (int k = 0; k < n; k++) nodes[k] = numbers[1 + types[type].order[k]];
      trmi_draft_element(r->t.draft, types[type].type, numbers[0], nodes, -1, r->t.line);
    }
    join_sets(r, block, numbers, n, type >= 0);
  }
  return true;
}

static bool read_elements(reader *r) {
  int head[4], block[4];
  if (!next_ints(r, head, 4, "$Elements")) return false;
  for (int b = 0; b < head[0]; b++) {
    if (!next_ints(r, block, 4, "$Elements") || !read_block(r, block)) return false;
    if (trmi_solid_draft_failed(r->t.draft)) return false;
  }
  return true;
}

static bool read_sections(reader *r) {
  static const struct {
    const char *name;
    bool (*read)(reader *r);
  } sections[] = {{"$MeshFormat", read_format}, {"$PhysicalNames", read_names},
                  {"$Entities", read_entities}, {"$Nodes", read_nodes},
                  {"$Elements", read_elements}};
  while (trmi_mesh_next(&r->t)) {
    trmi_mesh_field name;
    size_t from = 0;
    if (!trmi_mesh_field_next(&r->t, ' ', &from, &name)) continue;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
      if (!trmi_mesh_is(name, sections[i].name)) continue;
      if (i > 0 && !r->has_format) {
        return trmi_mesh_fail(&r->t, "the file does not begin with $MeshFormat");
      }
      if (!sections[i].read(r)) return false;
      break;
    }
  }
  return r->has_format || trmi_mesh_fail(&r->t, "there is no $MeshFormat");
}

bool trmi_mesh_read_msh(const char *text, size_t length, trmi_solid_draft *draft,
                        char fault[TRMI_SOLID_FAULT]) {
  reader r = {.t = {.text = text, .end = text + length, .draft = draft, .fault = fault}};
  trmi_buffer_init(&r.groups, &draft->nodes.allocator);
  trmi_buffer_init(&r.belongings, &draft->nodes.allocator);
  bool is_read = read_sections(&r);
  if (r.groups.failed || r.belongings.failed) {
    draft->sets.failed = true;
    is_read = false;
  }
  trmi_buffer_free(&r.groups);
  trmi_buffer_free(&r.belongings);
  return is_read;
}
