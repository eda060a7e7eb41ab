// The kernels of the four dtypes, by the type that stores them.
#pragma once

#include <type_traits>

#include "core/dtype.hpp"

namespace mluop::roiaware_pool3d {

/// One of each dtype.
template <template <class> class Kernels>
struct PerDtype {
  Kernels<float> f32;
  Kernels<double> f64;
  Kernels<Half> f16;
  Kernels<BFloat16> bf16;

  template <class T>
  const Kernels<T>& of() const noexcept {
    if constexpr (std::is_same_v<T, float>) return f32;
    if constexpr (std::is_same_v<T, double>) return f64;
    if constexpr (std::is_same_v<T, Half>) return f16;
    if constexpr (std::is_same_v<T, BFloat16>) return bf16;
  }
};

}  // namespace mluop::roiaware_pool3d
