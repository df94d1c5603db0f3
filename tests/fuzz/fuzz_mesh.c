/* Bytes of a file of triangles; the first decides whether it is OBJ or STL. What is accepted has
 * corners that exist, what is refused has a sentence. */
#include "elements/body/mesh_file.h"
#include "fuzz.h"

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
  } else {
    FUZZ_REQUIRE(fault[0] != '\0');
  }
  trmi_arena_clear(&arena);
  free(text);
  return 0;
}
