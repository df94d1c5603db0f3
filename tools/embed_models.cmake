# embed_models.cmake - write a C file that holds the texts of model files.
#   cmake -DOUTPUT=shipped_models.c -DFOLDER=models -P embed_models.cmake
file(GLOB files ${FOLDER}/*.yaml)
list(TRANSFORM files REPLACE "[.]yaml$" "")
list(SORT files)
set(texts "")
set(rows "")
set(count 0)
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file}.yaml hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND texts "static const unsigned char text_${count}[] = {${bytes}0};\n")
  string(APPEND rows "  {\"${name}\", (const char *)text_${count}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* written by tools/embed_models.cmake */
#include \"io/shipped.h\"

${texts}
const trm_shipped_model trmi_shipped_models[] = {
${rows}  {0, 0},
};
const int trmi_shipped_model_count = ${count};
")
