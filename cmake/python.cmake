# The component `python`. In a wheel (scikit-build-core sets SKBUILD) it is only the library, as one file:
# scikit-build-core adds the Python files. Otherwise it is the package and its metadata, for the interpreter
# MLUOPS_PYTHON; that package uses the library of the system.
if(SKBUILD)
  # A wheel cannot contain links, so the file has the SONAME as its name.
  set_target_properties(mluops PROPERTIES VERSION ${PROJECT_VERSION_MAJOR})
  install(TARGETS mluops LIBRARY DESTINATION mluops_cpu/_lib COMPONENT python NAMELINK_SKIP)
  return()
endif()

set(MLUOPS_PYTHON python3 CACHE STRING "The Python that the component `python` is installed for")
set(MLUOPS_PYTHON_DIR "" CACHE STRING
  "Where the component `python` goes; empty: the site-packages or dist-packages of MLUOPS_PYTHON")

configure_file(cmake/python-metadata.in python-metadata @ONLY)
# The interpreter is needed at installation, not for the build.
configure_file(cmake/install-python.cmake.in install-python.cmake @ONLY)
install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/install-python.cmake COMPONENT python EXCLUDE_FROM_ALL)
