// The panels of columns in which filters are packed, and what the loops over them share; included per target.
#if defined(MLUOPS_CONVOLUTION_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CONVOLUTION_PANELS_INL_HPP
#undef MLUOPS_CONVOLUTION_PANELS_INL_HPP
#else
#define MLUOPS_CONVOLUTION_PANELS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/convolution/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors per panel of columns, and rows per block: 24 sums of 32 registers, or 12 of 16, which hide
/// the latency of the multiply-add, so that the loop is FMA-bound.
#if HWY_TARGET == HWY_AVX3
inline constexpr int panel_vectors = 4;
#else
inline constexpr int panel_vectors = 2;
#endif
constexpr int block_rows(int vectors) { return vectors > 2 || panel_vectors == 2 ? 6 : 8; }

/// Rows of a tile are padded to whole vectors. Folded, a channel has two columns.
template <int fold, class Real>
std::int64_t tile_pitch(std::int64_t channels) {
  return round_up<std::int64_t>(fold * channels,
                                static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<Real>())));
}

/// The columns of a panel from `column` on.
template <class Real>
std::int64_t panel_width(std::int64_t pitch, std::int64_t column) {
  const hn::ScalableTag<Real> d;
  const auto widest = static_cast<std::int64_t>(panel_vectors * hn::Lanes(d));
  return std::min(widest, pitch - column);
}

/// Channels × columns of a filter that are packed and multiplied together: they stay in L2 with the rows
/// that meet them. Memory is read in runs of 512 bytes in either layout.
template <class Real>
inline constexpr std::int64_t block_channels = 128;
template <class Real>
inline constexpr std::int64_t group_columns = 512 / static_cast<std::int64_t>(sizeof(Real));

/// Calls with.operator()<vectors>() for a panel of so many columns.
template <class Real, class With>
HWY_INLINE void with_vectors(std::int64_t width, With&& with) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<Real>()));
  if constexpr (panel_vectors == 4) {
    if (width == 4 * lanes) return with.template operator()<4>();
    if (width == 3 * lanes) return with.template operator()<3>();
  }
  if (width == 2 * lanes) return with.template operator()<2>();
  with.template operator()<1>();
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
