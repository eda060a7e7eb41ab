// What rounding may do to a convolution, element by element.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "ops/sparse_conv/kit/convolution/directions.hpp"

namespace mluop::sparse_conv {

/// The same operands without their signs.
inline Operands absolute(const Operands& operands) {
  Operands result(operands.table, operands.shape, operands.dtype(), operands.inverse,
                  operands.sub_m);
  for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
    std::vector<double> values = (operands.*tensor).values();
    for (double& value : values) value = std::abs(value);
    (result.*tensor).assign(values);
  }
  return result;
}

/// The least positive number of a dtype.
inline double smallest(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return 0x1p-24;
    case MLUOP_DTYPE_BFLOAT16:
      return 0x1p-133;
    case MLUOP_DTYPE_DOUBLE:
      return std::numeric_limits<double>::denorm_min();
    default:
      return std::numeric_limits<float>::denorm_min();
  }
}

/// How far each element may be from `baseline`, its exact value. A sum of n products has up to n
/// roundings on the way of each product, relative to the sum of the absolute values; a product of split
/// operands leaves out less than eight more; where numbers are subnormal, each of the 2n operations
/// may lose the least number there is. Storing the result adds a rounding of the dtype.
inline std::vector<double> error_bounds(const Direction& direction, const Operands& operands,
                                        const std::vector<double>& baseline) {
  const mluOpDataType_t dtype = operands.dtype();
  const mluOpDataType_t arithmetic =
      dtype == MLUOP_DTYPE_DOUBLE ? MLUOP_DTYPE_DOUBLE : MLUOP_DTYPE_FLOAT;
  const auto n = static_cast<double>(direction.longest_sum(operands));
  const double relative = (n + 8) * testing::unit_roundoff(arithmetic);
  const double absolute_part = 2 * n * smallest(arithmetic) + smallest(dtype);
  std::vector<double> bounds = direction.in_double(absolute(operands));
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    bounds[i] = relative * bounds[i] + testing::unit_roundoff(dtype) * std::abs(baseline[i]) +
                absolute_part;
  }
  return bounds;
}

}  // namespace mluop::sparse_conv
