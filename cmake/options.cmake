# Compile options shared by every target of the project.
add_library(mluops_options INTERFACE)
target_compile_features(mluops_options INTERFACE cxx_std_20 c_std_11)
# With contraction, scalar geometry would differ between compilers and instruction sets.
target_compile_options(mluops_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
  -ffp-contract=off)
# A parent project may have no build type; the library is still to be optimised.
target_compile_options(mluops_options INTERFACE $<$<CONFIG:>:-O2>)
target_compile_definitions(mluops_options INTERFACE $<$<CONFIG:>:NDEBUG>)
if(MLUOPS_WERROR)
  target_compile_options(mluops_options INTERFACE -Werror)
endif()
if(MLUOPS_SANITIZE)
  target_compile_options(mluops_options INTERFACE -fsanitize=${MLUOPS_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(mluops_options INTERFACE -fsanitize=${MLUOPS_SANITIZE})
endif()

# Hardening without cost in the kernels; tests/hardening.sh checks it. -fstack-clash-protection is omitted: it
# slows rotated feature align, whose frames span many pages, by 2 %.
if(NOT MLUOPS_SANITIZE)
  target_compile_options(mluops_options INTERFACE -fstack-protector-strong
    $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(mluops_options INTERFACE -fcf-protection)
  endif()
  target_link_options(mluops_options INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

# For code that is not time-critical: optimising it takes longer than it saves.
add_library(mluops_compiled_quickly INTERFACE)
target_compile_options(mluops_compiled_quickly INTERFACE $<$<CONFIG:Release>:-O1>)
