// Folding, for narrow targets: how vectors hold two source channels at once; included per target.
#if defined(MLUOPS_CONVOLUTION_FOLD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CONVOLUTION_FOLD_INL_HPP
#undef MLUOPS_CONVOLUTION_FOLD_INL_HPP
#else
#define MLUOPS_CONVOLUTION_FOLD_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "ops/sparse_conv/convolution/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `fold` neighbouring source channels, broadcast as a group.
template <int fold, class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> repeat(D d, const Real* from) {
  static_assert(fold == 1 || fold == 2);
  if constexpr (fold == 1) {
    return hn::Set(d, *from);
  } else if constexpr (sizeof(Real) == sizeof(float)) {
    const hn::RepartitionToWide<D> wide;
    double both;
    std::memcpy(&both, from, sizeof(both));
    return hn::BitCast(d, hn::Set(wide, both));
  } else {
    return hn::LoadDup128(d, from);
  }
}

/// The sums of the columns from j on: their two halves are neighbours if folded.
template <int fold, class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> finished(D d, const Real* row, [[maybe_unused]] std::int64_t pitch,
                               std::int64_t j) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (fold == 2) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto first = hn::Load(d, row + 2 * j);
    const auto second = 2 * j + lanes < pitch ? hn::Load(d, row + 2 * j + lanes) : hn::Zero(d);
    return hn::Add(hn::ConcatEven(d, second, first), hn::ConcatOdd(d, second, first));
  }
#endif
  return hn::Load(d, row + j);
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
