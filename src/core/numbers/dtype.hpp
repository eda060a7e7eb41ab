// Element types: names, sizes, and the C++ types behind the dtypes that kernels compute on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mlu_op.h"

namespace mluop {

/// Bytes per element; 0 for INVALID and for values outside the enumeration.
std::size_t size_of(mluOpDataType_t dtype) noexcept;

/// "FLOAT", "HALF", …; "unknown" for values outside the enumeration.
const char* name_of(mluOpDataType_t dtype) noexcept;
const char* name_of(mluOpTensorLayout_t layout) noexcept;

/// IEEE binary16 and bfloat16 as storage; arithmetic happens in float.
struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

float to_float(Half value) noexcept;
float to_float(BFloat16 value) noexcept;
inline float to_float(float value) noexcept { return value; }

/// The type a kernel computes in: double for double, float for everything else.
template <class Stored>
struct ComputeOf {
  using type = float;
};
template <>
struct ComputeOf<double> {
  using type = double;
};
template <class Stored>
using Compute = typename ComputeOf<Stored>::type;

template <class Stored>
Compute<Stored> to_compute(Stored value) noexcept {
  if constexpr (sizeof(Stored) == sizeof(double)) {
    return value;
  } else {
    return to_float(value);
  }
}

/// Calls visit(T{}) with the stored type of a floating dtype that a check has already accepted.
template <class Visit>
decltype(auto) with_floating(mluOpDataType_t dtype, Visit&& visit) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return visit(Half{});
    case MLUOP_DTYPE_BFLOAT16:
      return visit(BFloat16{});
    case MLUOP_DTYPE_DOUBLE:
      return visit(double{});
    default:
      return visit(float{});
  }
}

}  // namespace mluop
