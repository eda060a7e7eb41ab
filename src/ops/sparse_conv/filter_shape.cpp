// Axes of filters, by layout and rank.
#include "ops/sparse_conv/filter_shape.hpp"

#include "core/numbers/dtype.hpp"

namespace mluop::sparse_conv {
namespace {

std::string_view axes_of(const Check& check, const Tensor& filters) {
  if (!check.running() || filters.desc->layout == MLUOP_LAYOUT_ARRAY) {
    return FilterShape::dense_axes(check, filters);
  }
  return name_of(filters.desc->layout);
}

}  // namespace

std::string_view FilterShape::dense_axes(const Check& check, const Tensor& filters) {
  return check.running() && filters.desc->rank() == 4 ? "HWCN" : "DHWCN";
}

FilterShape::FilterShape(Check& check, const Tensor& filters)
    : FilterShape(check, filters, axes_of(check, filters)) {}

FilterShape::FilterShape(Check& check, const Tensor& filters, std::string_view axes)
    : desc_(filters.desc), axes_(axes) {
  for (int axis = 0; char letter : axes) check.dim(filters, axis++, dim_of(letter));
}

Dim& FilterShape::dim_of(char axis) {
  switch (axis) {
    case 'N':
      return Co;
    case 'C':
      return Ci;
    case 'D':
      return Kd_;
    case 'H':
      return Kh_;
    default:
      return Kw_;
  }
}

Size FilterShape::K() {
  return axes_.size() == 4 ? Size{Kh_} * Size{Kw_} : Size{Kd_} * Size{Kh_} * Size{Kw_};
}

std::int64_t FilterShape::stride(char axis) const {
  return dense_strides(desc_->dims)[axes_.find(axis)];
}

}  // namespace mluop::sparse_conv
