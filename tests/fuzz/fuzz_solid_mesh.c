/* Bytes of a mesh of solids; the first decides the format. What is accepted has nodes that exist
 * and sets within the mesh, what is refused has a sentence. */
#include "fem/solid_shapes.h"
#include "fuzz.h"
#include "io/mesh_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[3] = {"a.inp", "a.msh", "a.bdf"};
  if (size == 0) return 0;
  char *text = malloc(size); /* its own block: reading beyond the end is seen */
  FUZZ_REQUIRE(text != NULL);
  memcpy(text, data + 1, size - 1);
  char fault[TRMI_SOLID_FAULT] = "";
  trmi_arena arena;
  trmi_solid_draft draft;
  trmi_solid_mesh mesh;
  trmi_arena_init(&arena, &(trm_allocator){0});
  trmi_solid_draft_init(&draft, NULL);
  if (trmi_mesh_read(names[data[0] % 3], text, size - 1, &draft, &arena, &mesh, fault)) {
    FUZZ_REQUIRE(mesh.nelements > 0 && mesh.nnodes > 0);
    for (int i = 0; i < mesh.nconnections; i++) {
      FUZZ_REQUIRE(mesh.connections[i] >= 0 && mesh.connections[i] < mesh.nnodes);
    }
    for (int i = 0; i < mesh.nsets; i++) {
      const int most = mesh.sets[i].of_elements ? mesh.nelements : mesh.nnodes;
      for (int k = 0; k < mesh.sets[i].count; k++) {
        FUZZ_REQUIRE(mesh.sets[i].list[k] >= 0 && mesh.sets[i].list[k] < most);
        FUZZ_REQUIRE(k == 0 || mesh.sets[i].list[k] > mesh.sets[i].list[k - 1]);
      }
    }
    for (int i = 0; i < mesh.nelements; i++) {
      FUZZ_REQUIRE(mesh.elements[i].material < mesh.nmaterials);
    }
  } else {
    FUZZ_REQUIRE(fault[0] != '\0' || trmi_solid_draft_failed(&draft));
  }
  trmi_solid_draft_free(&draft);
  trmi_arena_clear(&arena);
  free(text);
  return 0;
}
