// Asking for memory before it is needed; included per target.
#if defined(MLUOPS_CARAFE_FETCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_FETCH_INL_HPP
#undef MLUOPS_CARAFE_FETCH_INL_HPP
#else
#define MLUOPS_CARAFE_FETCH_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "ops/carafe/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// What is left to fetch of a step.
struct Lines {
  const std::byte* next = nullptr;
  const std::byte* end = nullptr;
};

/// The next `bytes`, or what is left of their stretch.
HWY_INLINE Lines take_lines(Fetching& fetching, std::int64_t bytes) {
  if (fetching.next == fetching.end) return {};
  const Fetching::Stretch& stretch = *fetching.next;
  const std::int64_t end = HWY_MIN(fetching.at + bytes, stretch.bytes);
  const Lines lines{stretch.from + fetching.at, stretch.from + end};
  fetching.at = end;
  if (end == stretch.bytes) ++fetching.next, fetching.at = 0;
  return lines;
}

HWY_INLINE void fetch_line(Lines& lines) {
  if (lines.next >= lines.end) return;
  __builtin_prefetch(lines.next, 0, 2);
  lines.next += 64;
}

HWY_INLINE void fetch(Fetching& fetching, std::int64_t bytes) {
  for (Lines lines = take_lines(fetching, bytes); lines.next < lines.end;) fetch_line(lines);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
