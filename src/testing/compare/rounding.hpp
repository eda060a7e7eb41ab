// Doubles into the bits of a dtype and back, written apart from the library's own conversions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::testing {

bool is_floating(mluOpDataType_t dtype);

/// Half the distance from 1 to the next larger number: 2^-11 for half, 2^-8 for bfloat16, 2^-24 for
/// float, 2^-53 for double. Throws std::invalid_argument for other dtypes.
double unit_roundoff(mluOpDataType_t dtype);

/// Stores values as elements of `dtype`, each rounded once from double, to nearest, ties to even.
/// Integers beyond 2^53 are not exact. BOOL stores whether the value is non-zero. Throws
/// std::range_error for a value an integer dtype cannot hold, std::invalid_argument for a dtype
/// without an encoding (INVALID, INT31, complex).
void encode(mluOpDataType_t dtype, std::span<const double> values, std::byte* elements);

/// Reads `values.size()` elements.
void decode(mluOpDataType_t dtype, const std::byte* elements, std::span<double> values);

/// Bytes per element; throws as encode does.
std::size_t encoded_size(mluOpDataType_t dtype);

/// A value as it reads back after being stored as `dtype`.
double rounded_to(mluOpDataType_t dtype, double value);
std::vector<double> rounded_to(mluOpDataType_t dtype, std::span<const double> values);

}  // namespace mluop::testing
