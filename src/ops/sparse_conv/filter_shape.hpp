// The shape of a filter: which axis is which in its layout, and the strides that follow.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/check/check.hpp"

namespace mluop::sparse_conv {

/// Every layout of a filter, and those that forward knows on the card.
inline constexpr std::uint32_t spatial_layouts =
    bits_of(MLUOP_LAYOUT_NDHWC, MLUOP_LAYOUT_NCDHW, MLUOP_LAYOUT_ARRAY);
inline constexpr std::uint32_t filter_layouts =
    spatial_layouts | bits_of(MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NCHW, MLUOP_LAYOUT_HWCN);

/// Axes in the letters of layouts: N is Co, C is Ci; D, H and W, always neighbours, make up K.
class FilterShape {
 public:
  /// Binds the sizes. Rank and layout have been checked; layout ARRAY is dense_axes.
  FilterShape(Check& check, const Tensor& filters);
  /// Whatever the layout says.
  FilterShape(Check& check, const Tensor& filters, std::string_view axes);

  /// The axes of a filter that is dense as [K, Ci, Co].
  static std::string_view dense_axes(const Check& check, const Tensor& filters);

  Size K();
  /// Elements from one index of an axis to the next. That of K is that of W.
  std::int64_t stride(char axis) const;

  Dim Ci{"Ci"}, Co{"Co"};

 private:
  Dim& dim_of(char axis);

  Dim Kd_{"Kd"}, Kh_{"Kh"}, Kw_{"Kw"};
  const mluOpTensorStruct* desc_;
  std::string_view axes_;
};

}  // namespace mluop::sparse_conv
