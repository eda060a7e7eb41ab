# Installation: headers, libraries, the program mluop, and the files that find_package and
# pkg-config read. Everything is relocatable: paths are relative to the installed files.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mluops)

configure_file(cmake/refuse-sdk.cmake.in refuse-sdk.cmake @ONLY)
install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/refuse-sdk.cmake ALL_COMPONENTS)

install(FILES include/cn_api.h include/cnrt.h include/mlu_op.h include/mlu_op_cpu.h
        TYPE INCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/link_names/libcnrt.a ${PROJECT_BINARY_DIR}/link_names/libcndrv.a
        TYPE LIB)
install(TARGETS mluops EXPORT mluops-targets)
install(EXPORT mluops-targets NAMESPACE mluops:: DESTINATION ${package_dir})

# The static library is a separate component; MLUOPS_STATIC adds it to a plain install.
if(MLUOPS_STATIC)
  set(unless_static)
else()
  set(unless_static EXCLUDE_FROM_ALL)
endif()
# Only assertions call Highway; everything else of it is in headers.
set(static_dependencies Threads)
set(static_libs "-lstdc++ -lm -pthread")
if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  list(APPEND static_dependencies hwy)
  string(PREPEND static_libs "-lhwy ")
endif()
foreach(library IN LISTS static_dependencies)
  target_link_libraries(mluops_static INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:${library}::${library}>>)
endforeach()
set_target_properties(mluops_static PROPERTIES EXPORT_NAME static)
install(TARGETS mluops_static EXPORT mluops-static-targets
        ARCHIVE COMPONENT static ${unless_static})
install(EXPORT mluops-static-targets NAMESPACE mluops:: DESTINATION ${package_dir}
        COMPONENT static ${unless_static})

# What a plain install needs, and no tests.
add_custom_target(mluops_installed)
add_dependencies(mluops_installed mluops)
if(MLUOPS_STATIC)
  add_dependencies(mluops_installed mluops_static)
endif()

if(MLUOPS_TOOLS)
  add_dependencies(mluops_installed mluop)
  install(TARGETS mluop)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cli/mluop.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/mluop.bash RENAME mluop
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES completions/mluop.zsh RENAME _mluop
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES completions/mluop.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Minor versions only add to the API; the SONAME has the major version only.
configure_package_config_file(cmake/mluops-config.cmake.in mluops-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(mluops-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mluops-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/mluops-config-version.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
foreach(file IN ITEMS mluops.pc mluops-shared.pc)
  configure_file(cmake/${file}.in ${file} @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
