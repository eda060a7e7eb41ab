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

HWY_INLINE void fetch(Fetching& fetching, std::int64_t bytes) {
  if (fetching.next == fetching.end) return;
  const Fetching::Stretch& stretch = *fetching.next;
  const std::int64_t end = HWY_MIN(fetching.at + bytes, stretch.bytes);
  for (std::int64_t at = fetching.at; at < end; at += 64) {
    __builtin_prefetch(stretch.from + at, 0, 2);
  }
  fetching.at = end;
  if (end == stretch.bytes) ++fetching.next, fetching.at = 0;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
