# How a folder of src/ says what it adds to the library, to the test kit and to the tests.

# mluops_part([LIBRARY FILE…] [KERNELS FILE…] [KIT FILE…] [LOOPS FILE…] [PAGES FILE…])
#   LIBRARY  sources of the library
#   KERNELS  sources of the library that are compiled once per instruction set
#   KIT      sources of the test kit: references, cases, bench; never part of the library
#   LOOPS    plain loops of the test kit: compiled as usual elsewhere, with fused multiply-adds where the level
#            has them
#   PAGES    Markdown pages that the report of `mluop accept` quotes
function(mluops_part)
  cmake_parse_arguments(PARSE_ARGV 0 part "" "" "LIBRARY;KERNELS;KIT;LOOPS;PAGES")
  target_sources(mluops_objects PRIVATE ${part_LIBRARY} ${part_KERNELS})
  if(MLUOPS_FUZZ AND part_KERNELS)
    # Unrolled loops without branches: check accesses by calls, which compile ten times as fast as
    # inline checks, and leave out coverage and arithmetic.
    set_source_files_properties(${part_KERNELS} TARGET_DIRECTORY mluops_objects PROPERTIES
      COMPILE_OPTIONS
      "-fno-sanitize=undefined,fuzzer-no-link;-mllvm;-asan-instrumentation-with-call-threshold=0")
  endif()
  if(TARGET mluops_testkit)
    target_sources(mluops_testkit PRIVATE ${part_KIT} ${part_LOOPS})
    if(part_LOOPS)
      set_source_files_properties(${part_LOOPS} TARGET_DIRECTORY mluops_testkit PROPERTIES
        COMPILE_OPTIONS -ffp-contract=fast)
    endif()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  list(TRANSFORM part_PAGES PREPEND ${folder}/)
  set_property(GLOBAL APPEND PROPERTY mluops_pages ${part_PAGES})
endfunction()

# mluops_test(NAME [LABEL LABEL] [LINK TARGET…] SOURCES FILE…): a GoogleTest program over the library's
# internals and the test kit; nothing without BUILD_TESTING. Tests are labelled unit, large if they need
# an unusual amount of memory, or process (tests/process).
function(mluops_test name)
  if(NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LABEL" "SOURCES;LINK")
  if(NOT test_LABEL)
    set(test_LABEL unit)
  endif()
  add_executable(${name} ${test_SOURCES}
    ${PROJECT_SOURCE_DIR}/src/testing/faults/pretended_cores.cpp)
  target_link_libraries(${name} PRIVATE mluops_testkit mluops_compiled_quickly
    GTest::gtest GTest::gtest_main ${test_LINK})
  # Compiled once, for the first program.
  if(TARGET core_test AND NOT name STREQUAL "core_test")
    target_precompile_headers(${name} REUSE_FROM core_test)
  else()
    target_precompile_headers(${name}
      PRIVATE <gtest/gtest.h> <functional> <memory> <span> <string> <vector>)
  endif()
  gtest_discover_tests(${name} TEST_PREFIX ${name}. NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${test_LABEL})
endfunction()
