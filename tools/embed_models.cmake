# embed_models.cmake - write a C file that holds the texts of model files.
#   cmake -DOUTPUT=shipped_models.c -DFOLDER=models -P embed_models.cmake
file(GLOB files ${FOLDER}/*.yaml)
list(TRANSFORM files REPLACE "[.]yaml$" "")
list(SORT files)
set(texts "")
set(rows "")
set(count 0)

# bundle(FILE VARIABLE): append FILE, below FOLDER, and all that it includes, as far as the text does not hold it
# already; marks of files are those of src/io/model_source.c.
function(bundle file variable)
  set(all "${${variable}}")
  file(READ ${FOLDER}/${file} text)
  if(all STREQUAL "")
    set(all "${text}")
  elseif(NOT all MATCHES "\n#-- file: ${file}\n")
    string(APPEND all "#-- file: ${file}\n${text}")
  endif()
  if(text MATCHES "\ninclude: ([^\n]*)")
    string(REGEX MATCHALL "[^][, ]+[.]yaml" included "${CMAKE_MATCH_1}")
    get_filename_component(folder ${file} DIRECTORY)
    foreach(name ${included})
      if(NOT folder STREQUAL "")
        set(name ${folder}/${name})
      endif()
      bundle(${name} all)
    endforeach()
  endif()
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file}.yaml text)
  if(text MATCHES "\ninclude: ")
    set(text "")
    bundle(${name}.yaml text)
    string(HEX "${text}" hex)
  else()
    file(READ ${file}.yaml hex HEX)
  endif()
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
