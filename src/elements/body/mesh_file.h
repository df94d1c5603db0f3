/* mesh_file.h - surfaces of triangles from the content of STL (text or binary) and OBJ files. */
#ifndef TRMI_MESH_FILE_H
#define TRMI_MESH_FILE_H
#include "elements/body/shape.h"
#include "core/arena.h"

enum { TRMI_MESH_TRIANGLES_MAX = 1000000, TRMI_MESH_FAULT = 160 };

/* Parse the content of a file; equal points are merged.
 * @param text   ends with a zero byte that does not count in `length`
 * @param fault  receives a sentence on failure
 * @return false: the text is faulty, or memory ran out (arena->failed) */
bool trmi_mesh_parse(const char *text, size_t length, bool is_obj, trmi_arena *arena,
                     trmi_mesh *mesh, char fault[TRMI_MESH_FAULT]);

/* Does every edge belong to equally many triangles in both directions? If not, a sentence. */
bool trmi_mesh_is_closed(const trmi_mesh *mesh, trmi_arena *arena, char fault[TRMI_MESH_FAULT]);

#endif
