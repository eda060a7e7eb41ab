# Writes a C++ source with the commit of the tree: cmake -D GIT=… -D ROOT=… -D OUTPUT=… -P commit.cmake
# Runs in every build, because a commit or a change alters no file that a build depends on. The source is
# replaced only if its text changes, so that nothing is compiled in vain.
cmake_minimum_required(VERSION 3.25)
set(commit "")
if(GIT)
  # A tree without .git may lie inside another repository, whose commits say nothing about it.
  execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${ROOT}" root)
  if(top STREQUAL root)
    execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --short=12 HEAD
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                    RESULT_VARIABLE failed)
    execute_process(COMMAND ${GIT} -C ${ROOT} --no-optional-locks status --porcelain
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(failed)  # no commit yet
      set(commit "")
    elseif(changes)
      string(APPEND commit " with changes")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "// Made by cmake/commit.cmake.
#include \"measure/host.hpp\"

namespace mluop::cli {

std::string_view commit() { return \"${commit}\"; }

}  // namespace mluop::cli
")
