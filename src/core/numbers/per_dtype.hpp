// One of a thing for each dtype that kernels compute on, by the type that stores it.
#pragma once

#include <type_traits>

#include "core/numbers/dtype.hpp"

namespace mluop {

template <template <class> class Of>
struct PerDtype {
  Of<float> f32;
  Of<double> f64;
  Of<Half> f16;
  Of<BFloat16> bf16;

  template <class T>
  const Of<T>& of() const noexcept {
    if constexpr (std::is_same_v<T, float>) return f32;
    if constexpr (std::is_same_v<T, double>) return f64;
    if constexpr (std::is_same_v<T, Half>) return f16;
    if constexpr (std::is_same_v<T, BFloat16>) return bf16;
  }
};

}  // namespace mluop
