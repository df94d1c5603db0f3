# reduction_sources.cmake - the files that decide what a reduced mesh is. `out` receives their list.
function(reduction_sources folder out)
  file(GLOB files ${folder}/fem/*.[ch] ${folder}/io/mesh_*.[ch] ${folder}/io/bdf_card.[ch]
       ${folder}/io/matrix_*.[ch] ${folder}/io/dmig_text.c ${folder}/io/flexible_*.[ch]
       ${folder}/io/reduction_cache.[ch] ${folder}/math/vec.h)
  list(SORT files)
  set(${out} ${files} PARENT_SCOPE)
endfunction()
