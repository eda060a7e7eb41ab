// Memory that nobody may touch although it lies inside a block: AddressSanitizer watches it. Without
// that sanitizer there is none.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define MLUOPS_GUARDED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MLUOPS_GUARDED 1
#endif
#endif

#if defined(MLUOPS_GUARDED)
#include <sanitizer/asan_interface.h>
#endif

namespace mluop {

#if defined(MLUOPS_GUARDED)
/// What a guard takes behind each region of a block.
inline constexpr std::size_t guard_bytes = 64;

inline void forbid_memory(const void* begin, std::size_t bytes) noexcept {
  __asan_poison_memory_region(begin, bytes);
}
inline void allow_memory(const void* begin, std::size_t bytes) noexcept {
  __asan_unpoison_memory_region(begin, bytes);
}
#else
inline constexpr std::size_t guard_bytes = 0;

inline void forbid_memory(const void*, std::size_t) noexcept {}
inline void allow_memory(const void*, std::size_t) noexcept {}
#endif

}  // namespace mluop
