/* export_vtu.c - pieces of files of ParaView. */
#include "io/export_vtu.h"
#include <string.h>

void trmi_vtu_begin(trmi_out *out, int points, int cells) {
  const unsigned one = 1;
  const bool is_little = *(const unsigned char *)&one == 1;
  trmi_out_print(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" "
                      "version=\"0.1\" byte_order=\"%s\">\n<UnstructuredGrid>\n"
                      "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
                 is_little ? "LittleEndian" : "BigEndian", points, cells);
}

void trmi_vtu_array(trmi_out *out, const char *type, const char *name, int components) {
  trmi_out_print(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                      "format=\"ascii\">\n", type, name, components);
}

void trmi_vtu_end(trmi_out *out) {
  trmi_out_print(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

/* Text for an attribute of XML. */
static void put_escaped(trmi_out *out, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    switch (*c) {
    case '&': trmi_out_print(out, "&amp;"); break;
    case '<': trmi_out_print(out, "&lt;"); break;
    case '"': trmi_out_print(out, "&quot;"); break;
    default: trmi_out_print(out, "%c", *c);
    }
  }
}

void trmi_pvd_add(trmi_out *list, const trmi_pvd_place *place, double t, int part,
                  const char *path) {
  trmi_out_print(list, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"", t, part);
  put_escaped(list, place->base);
  trmi_out_print(list, "/");
  put_escaped(list, strrchr(path, '/') + 1);
  trmi_out_print(list, "\"/>\n");
}
