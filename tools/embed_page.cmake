# embed_page.cmake - write a C file that holds the program of the page, split where the data go.
#   cmake -DOUTPUT=page_program.c -DPAGE=dist/page.html -DFILM=dist/film.js -P embed_page.cmake
# Without PAGE both are empty.
set(before "")
set(after "")
set(film "")
if(PAGE AND EXISTS ${PAGE})
  file(READ ${PAGE} hex HEX)
  string(HEX "<!--data-->" mark)
  string(FIND "${hex}" ${mark} at)
  if(at LESS 0) # npm had no network
    set(at 0)
    set(hex "")
  endif()
  string(SUBSTRING "${hex}" 0 ${at} before)
  string(SUBSTRING "${hex}" ${at} -1 after)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," before "${before}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," after "${after}")
  file(READ ${FILM} film HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," film "${film}")
endif()
file(WRITE ${OUTPUT} "/* written by tools/embed_page.cmake */
#include \"page/page_internal.h\"

const char trmi_page_before[] = {${before}0};
const char trmi_page_after[] = {${after}0};
const char trmi_page_film[] = {${film}0};
")
