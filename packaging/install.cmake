# install.cmake - what `make install` and `make deb` put where. Paths in the .pc files and in the CMake
# package are relative, so that `cmake --install build --prefix ANYWHERE` works without configuring anew.
include(CMakePackageConfigHelpers)
set(TRAMMEL_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/Trammel)

# names in other projects: Trammel::trammel, Trammel::io, and the archives with _static
set_target_properties(trammel_shared PROPERTIES EXPORT_NAME trammel)
set_target_properties(trammel_io_shared PROPERTIES EXPORT_NAME io)
set_target_properties(trammel PROPERTIES EXPORT_NAME trammel_static)
set_target_properties(trammel_io PROPERTIES EXPORT_NAME io_static)
# the libraries stand side by side, wherever that is
set_target_properties(trammel_io_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS trammel_shared trammel_io_shared trammel trammel_io EXPORT TrammelTargets)
install(EXPORT TrammelTargets NAMESPACE Trammel:: DESTINATION ${TRAMMEL_PACKAGE})
if(TARGET trammel_program)
  install(TARGETS trammel_program)
endif()
install(DIRECTORY include/trammel TYPE INCLUDE)
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/trammel/models
        FILES_MATCHING PATTERN "*.yaml")
install(FILES docs/schema/trammel-1.json DESTINATION ${CMAKE_INSTALL_DATADIR}/trammel)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(packaging/TrammelConfig.cmake.in TrammelConfig.cmake
                              INSTALL_DESTINATION ${TRAMMEL_PACKAGE})
# 0.x: another minor version is another interface
write_basic_package_version_file(TrammelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TrammelConfig.cmake ${CMAKE_BINARY_DIR}/TrammelConfigVersion.cmake
        DESTINATION ${TRAMMEL_PACKAGE})

file(RELATIVE_PATH TRAMMEL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TRAMMEL_PC_PREFIX "${TRAMMEL_PC_PREFIX}")
list(TRANSFORM TRAMMEL_CORE_NEEDS PREPEND -l OUTPUT_VARIABLE TRAMMEL_PC_NEEDS)
list(TRANSFORM TRAMMEL_IO_NEEDS PREPEND -l OUTPUT_VARIABLE TRAMMEL_PC_IO_NEEDS)
list(JOIN TRAMMEL_PC_NEEDS " " TRAMMEL_PC_NEEDS)
list(JOIN TRAMMEL_PC_IO_NEEDS " " TRAMMEL_PC_IO_NEEDS)
foreach(name trammel trammel-io)
  configure_file(packaging/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# `make deb`: one package with the program, both libraries and everything to build with them
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trammel)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "flexible multibody dynamics: program and C library")
set(CPACK_PACKAGE_DESCRIPTION "Simulates mechanisms of bodies, joints, forces and beams, or typed equations with constraints:
motion, loads, equilibrium and vibrations, with control of the error. Contains the program trammel, the
libraries libtrammel and libtrammel-io, headers, pkg-config files, a CMake package and model files.")
set(CPACK_PACKAGE_CONTACT "Trammel developers <trammel@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # and the trigger of ldconfig
# to link with the archives
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsuitesparse-dev, libarpack2-dev, libmumps-seq-dev, liblapacke-dev, \
libopenblas-dev, libcairo2-dev, libhdf5-dev, libdeflate-dev, libyaml-dev, libcivetweb-dev")
include(CPack)

# everything that is installed
add_custom_target(trammel_installed DEPENDS trammel_shared trammel_io_shared trammel trammel_io)
if(TARGET trammel_program)
  add_dependencies(trammel_installed trammel_program)
endif()
