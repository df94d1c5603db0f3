# embed_page.cmake - write a C file that holds the program of the page, split where the data go.
#   cmake -DOUTPUT=page_program.c -DPAGE=page.html -P embed_page.cmake      PAGE missing: none
set(before "")
set(after "")
if(PAGE AND EXISTS ${PAGE})
  file(READ ${PAGE} hex HEX)
  string(HEX "<!--data-->" mark)
  string(FIND "${hex}" ${mark} at)
  string(SUBSTRING "${hex}" 0 ${at} before)
  string(SUBSTRING "${hex}" ${at} -1 after)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," before "${before}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," after "${after}")
endif()
file(WRITE ${OUTPUT} "/* written by tools/embed_page.cmake */
#include \"page/page_internal.h\"

const char trmi_page_before[] = {${before}0};
const char trmi_page_after[] = {${after}0};
")
