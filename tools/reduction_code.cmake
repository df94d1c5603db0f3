# reduction_code.cmake - write a C file with the hash of all that reduces meshes: sources and build.
#   cmake -DOUTPUT=reduction_code.c -DFOLDER=src "-DBUILD=GNU 13.2 Release x86_64" -P reduction_code.cmake
include(${CMAKE_CURRENT_LIST_DIR}/reduction_sources.cmake)
reduction_sources(${FOLDER} files)
set(sums "${BUILD}")
foreach(file ${files})
  file(SHA256 ${file} sum)
  string(APPEND sums "\n${sum}")
endforeach()
string(SHA256 code "${sums}")
file(WRITE ${OUTPUT} "/* written by tools/reduction_code.cmake */
#include \"io/reduction_cache.h\"

const char trmi_reduction_code[] = \"${code}\";
")
