// Software prefetch, some lines at a time; included per target.
#if defined(MLUOPS_CARAFE_PREFETCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_PREFETCH_INL_HPP
#undef MLUOPS_CARAFE_PREFETCH_INL_HPP
#else
#define MLUOPS_CARAFE_PREFETCH_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "ops/carafe/rows/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// Lines that a step has yet to prefetch.
struct Lines {
  const std::byte* next = nullptr;
  const std::byte* end = nullptr;
};

/// The next `bytes`, or what is left of their range.
HWY_INLINE Lines take_lines(Prefetch& prefetch, std::int64_t bytes) {
  if (prefetch.next == prefetch.end) return {};
  const Prefetch::Range& range = *prefetch.next;
  const std::int64_t end = HWY_MIN(prefetch.at + bytes, range.bytes);
  const Lines lines{range.from + prefetch.at, range.from + end};
  prefetch.at = end;
  if (end == range.bytes) ++prefetch.next, prefetch.at = 0;
  return lines;
}

HWY_INLINE void prefetch_line(Lines& lines) {
  if (lines.next >= lines.end) return;
  __builtin_prefetch(lines.next, 0, 2);
  lines.next += 64;
}

HWY_INLINE void prefetch(Prefetch& prefetch, std::int64_t bytes) {
  for (Lines lines = take_lines(prefetch, bytes); lines.next < lines.end;) prefetch_line(lines);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
