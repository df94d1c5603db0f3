# The page: viewer/ is TypeScript, bundled by esbuild into one HTML file that becomes part of the
# library. Without node or npm, or without a network for npm, the library is built without it, and
# `trammel report` says so.
set(TRAMMEL_PAGE ${CMAKE_BINARY_DIR}/page_program.c)
find_program(TRAMMEL_NODE node)
find_program(TRAMMEL_NPM npm)
set(page_html "")
if(TRAMMEL_NODE AND TRAMMEL_NPM AND NOT TRAMMEL_FUZZ)
  set(page_html ${CMAKE_SOURCE_DIR}/viewer/dist/page.html)
  set(page_film ${CMAKE_SOURCE_DIR}/viewer/dist/film.js)
  file(GLOB page_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/viewer/src/*)
  add_custom_command(OUTPUT ${page_html} ${page_film}
    COMMAND sh ${CMAKE_SOURCE_DIR}/viewer/build ${TRAMMEL_NODE} ${TRAMMEL_NPM}
    DEPENDS ${page_sources} viewer/build viewer/bundle.mjs viewer/package-lock.json)
endif()
add_custom_command(OUTPUT ${TRAMMEL_PAGE}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${TRAMMEL_PAGE} -DPAGE=${page_html} -DFILM=${page_film}
          -P ${CMAKE_SOURCE_DIR}/tools/embed_page.cmake
  DEPENDS ${page_html} ${page_film} ${CMAKE_SOURCE_DIR}/tools/embed_page.cmake)
