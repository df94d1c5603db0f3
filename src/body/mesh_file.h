/* mesh_file.h - surfaces of triangles from STL (text or binary) and OBJ files. */
#ifndef TRMI_MESH_FILE_H
#define TRMI_MESH_FILE_H
#include "body/shape.h"
#include "core/arena.h"

enum { TRMI_MESH_TRIANGLES_MAX = 1000000, TRMI_MESH_FAULT = 160 };

/* Read a file; equal points become one. The ending .obj makes it an OBJ file, all others are STL.
 * @param fault  receives a sentence on failure
 * @return false: the file cannot be read or is faulty, or memory ended (arena->failed) */
bool trmi_mesh_read(const char *path, trmi_arena *arena, trmi_mesh *mesh,
                    char fault[TRMI_MESH_FAULT]);
/* The same of a text in memory, which ends with a zero byte that does not count. */
bool trmi_mesh_parse(const char *text, size_t length, bool is_obj, trmi_arena *arena,
                     trmi_mesh *mesh, char fault[TRMI_MESH_FAULT]);

/* Does every edge belong to as many triangles one way round as the other? If not, a sentence. */
bool trmi_mesh_is_closed(const trmi_mesh *mesh, trmi_arena *arena, char fault[TRMI_MESH_FAULT]);

#endif
