// Whether the program runs under a sanitizer, for tests that would take too much time or memory.
#pragma once

namespace mluop::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace mluop::testing
