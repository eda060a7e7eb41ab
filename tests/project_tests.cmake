# Tests from the point of view of users: headers, exported symbols, installation, documentation and the
# program. Each is a shell script; its environment is set here.
if(MLUOPS_SANITIZE)
  return()  # programs that users compile do not link the sanitizers
endif()

# project_test(PATH [PROPERTY VALUE]…): runs tests/PATH.sh; PATH is a name, or FOLDER/NAME for FOLDER_NAME. Tests of the
# program (program/NAME) are called NAME.
function(project_test path)
  string(REGEX REPLACE "^program/" "" name ${path})
  string(REPLACE "/" "_" name ${name})
  add_test(NAME project.${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/${path}.sh
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(project.${name} PROPERTIES
    LABELS project TIMEOUT 1200  # ends what hangs; on a busy machine some take minutes
    ENVIRONMENT "\
CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER};NM=${CMAKE_NM};READELF=${CMAKE_READELF};\
CMAKE=${CMAKE_COMMAND};CTEST=${CMAKE_CTEST_COMMAND};BUILD=${PROJECT_BINARY_DIR};\
LIBRARY=$<TARGET_FILE:mluops>;SONAME=$<TARGET_SONAME_FILE_NAME:mluops>;\
PREFIX=${CMAKE_CURRENT_BINARY_DIR}/prefix;\
PKG_CONFIG_PATH=${CMAKE_CURRENT_BINARY_DIR}/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig;\
LIBDIR=${CMAKE_CURRENT_BINARY_DIR}/prefix/${CMAKE_INSTALL_LIBDIR};\
PYTHON_ENV=${PROJECT_SOURCE_DIR}/build/python/venv;\
WORK=${CMAKE_CURRENT_BINARY_DIR}/${name}"
    ${ARGN})
endfunction()

project_test(headers)
project_test(functions)
project_test(client)
project_test(docs SKIP_RETURN_CODE 77)
project_test(links)
project_test(pages)
project_test(commit SKIP_RETURN_CODE 77)
project_test(figures)
project_test(symbols)
if(CMAKE_BUILD_TYPE STREQUAL "Release")  # sizes of one body differ with other options
  project_test(one_definition)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")  # the script asks GCC what the headers declare
  project_test(exports)
endif()

project_test(install/prefix FIXTURES_SETUP prefix)
project_test(install/c FIXTURES_REQUIRED prefix)
project_test(install/cpp FIXTURES_REQUIRED prefix)
project_test(install/link_line FIXTURES_REQUIRED prefix)
project_test(install/subproject)  # compiles the library for one instruction set
project_test(readme FIXTURES_REQUIRED prefix)

project_test(python_install FIXTURES_REQUIRED prefix SKIP_RETURN_CODE 77)
# Compiles the library again, unless ccache has it from this build.
project_test(python_wheel TIMEOUT 1500 SKIP_RETURN_CODE 77)

if(TARGET mluop)
  set(mluop_path "MLUOP=set:$<TARGET_FILE:mluop>")
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    project_test(hardening ENVIRONMENT_MODIFICATION ${mluop_path})
  endif()
  project_test(program/cli ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/sweep ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/encoder ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/accept ENVIRONMENT_MODIFICATION ${mluop_path} RUN_SERIAL ON SKIP_RETURN_CODE 77)
  set_property(TEST project.accept APPEND PROPERTY ENVIRONMENT_MODIFICATION
    "MLUOP_SLOW=set:$<TARGET_FILE:mluop_slow>")
  project_test(program/bits ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/mluop_page ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/completion ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/manual ENVIRONMENT_MODIFICATION ${mluop_path})
  # Has the machine to itself: it interrupts runs at certain moments.
  project_test(program/progress RUN_SERIAL TRUE ENVIRONMENT_MODIFICATION ${mluop_path} SKIP_RETURN_CODE 77)
  project_test(program/report FIXTURES_SETUP report ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/report_data FIXTURES_REQUIRED report SKIP_RETURN_CODE 77)
  project_test(program/report_browser ENVIRONMENT_MODIFICATION ${mluop_path} SKIP_RETURN_CODE 77)
  set_property(TEST project.report_browser APPEND PROPERTY ENVIRONMENT "SAMPLE=$<TARGET_FILE:report_sample>")
  project_test(program/run ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/gen ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/scene ENVIRONMENT_MODIFICATION ${mluop_path})
  project_test(program/replay FIXTURES_REQUIRED prefix ENVIRONMENT_MODIFICATION ${mluop_path})
endif()
