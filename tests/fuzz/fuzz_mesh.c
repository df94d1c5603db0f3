/* Bytes of a file of triangles; the first decides whether it is OBJ or STL. What is accepted has
 * corners that exist, what is refused has a sentence; so do surfaces of contacts, which have finite
 * distances with a unit normal. */
#include "elements/body/mesh_file.h"
#include "elements/contact/core_distance.h"
#include "fuzz.h"
#include <math.h>

/* Numbers that overflow when they are multiplied have no distances worth asking for. */
static bool is_moderate(const trmi_mesh *mesh) {
  for (int i = 0; i < mesh->npoints; i++) {
    const double size = v3_norm(mesh->points[i]);
    if (!(size < 1e30) || (size > 0.0 && size < 1e-30)) return false;
  }
  return true;
}

static void try_surface(const trmi_mesh *mesh, trmi_arena *arena) {
  char fault[TRMI_SURFACE_FAULT] = "";
  trmi_surface s;
  if (mesh->ntriangles > 200 || !is_moderate(mesh)) return;
  if (!trmi_surface_make(mesh, arena, &s, fault)) {
    FUZZ_REQUIRE(fault[0] != '\0');
    return;
  }
  FUZZ_REQUIRE(s.npatches > 0 && 2 * s.nedges == 3 * s.mesh.ntriangles);
  for (int k = 0; k < 8; k++) {
    const double a = s.reach * (k - 3.3);
    const trmi_vec3 p = v3(a, -.7 * a, .2 * s.reach * k);
    const int patch = k < 4 ? TRMI_SURFACE_ANY : k % s.npatches;
    const trmi_distance at = trmi_surface_distance(&s, patch, p);
    FUZZ_REQUIRE(isfinite(at.d) && fabs(v3_norm(at.n) - 1.0) < 1e-9);
    for (int i = 0; i < 9; i++) FUZZ_REQUIRE(!isnan(at.H[i]));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  char *text = malloc(size);
  FUZZ_REQUIRE(text != NULL);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  char fault[TRMI_MESH_FAULT] = "";
  trmi_arena arena;
  trmi_mesh mesh;
  trmi_arena_init(&arena, &(trm_allocator){0});
  if (trmi_mesh_parse(text, size - 1, data[0] == 'o', &arena, &mesh, fault)) {
    FUZZ_REQUIRE(mesh.ntriangles > 0 && mesh.npoints > 0);
    for (int i = 0; i < 3 * mesh.ntriangles; i++) {
      FUZZ_REQUIRE(mesh.corners[i] >= 0 && mesh.corners[i] < mesh.npoints);
    }
    const trmi_volume all = trmi_volume_mesh(&mesh);
    FUZZ_REQUIRE(!(all.volume < 0.0));
    const bool is_closed = trmi_mesh_is_closed(&mesh, &arena, fault);
    FUZZ_REQUIRE(is_closed || fault[0] != '\0');
    try_surface(&mesh, &arena);
  } else {
    FUZZ_REQUIRE(fault[0] != '\0');
  }
  trmi_arena_clear(&arena);
  free(text);
  return 0;
}
