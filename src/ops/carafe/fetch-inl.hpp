// Asking for memory before it is needed; included per target.
#if defined(MLUOPS_CARAFE_FETCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_FETCH_INL_HPP
#undef MLUOPS_CARAFE_FETCH_INL_HPP
#else
#define MLUOPS_CARAFE_FETCH_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/carafe/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// A share of what is to be fetched, a line at a time among other work.
struct FetchedLines {
  const std::byte* at;
  const std::byte* end;

  HWY_INLINE void next() {
    if (at >= end) return;
    __builtin_prefetch(at, 0, 2);
    at += 64;
  }
};

HWY_INLINE FetchedLines take_lines(Fetching& fetching, std::int64_t bytes) {
  if (fetching.next == fetching.end) return {nullptr, nullptr};
  const Fetching::Stretch& stretch = *fetching.next;
  const std::int64_t end = HWY_MIN(fetching.at + bytes, stretch.bytes);
  const FetchedLines lines{stretch.from + fetching.at, stretch.from + end};
  fetching.at = end;
  if (end == stretch.bytes) ++fetching.next, fetching.at = 0;
  return lines;
}

HWY_INLINE void fetch(Fetching& fetching, std::int64_t bytes) {
  const FetchedLines lines = take_lines(fetching, bytes);
  for (const std::byte* at = lines.at; at < lines.end; at += 64) __builtin_prefetch(at, 0, 2);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
