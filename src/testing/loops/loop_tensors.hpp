// Tensors as the plain loops of a kit take them: float and double in place, half and bfloat16 as float.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "mlu_op.h"
#include "runtime/isa.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::testing {

/// What a handle allows its calls.
struct LoopSettings {
  int threads;
  Isa isa;  // of vector kernels

  explicit LoopSettings(mluOpHandle_t handle);

  /// One of the functions that were compiled for each level.
  template <class Function>
  Function of(const PerIsa<Function>& functions) const {
    return functions[static_cast<std::size_t>(isa)];
  }
};

/// A tensor whose elements loops read or write as Real, double for DOUBLE and else float. The memory of
/// converted elements is kept from run to run.
class LoopTensor {
 public:
  /// The elements.
  template <class Real>
  const Real* read(const HostTensor& tensor, const LoopSettings& settings) {
    if (is_in_place(tensor)) return static_cast<const Real*>(tensor.data());
    widen(tensor, settings);
    if constexpr (std::is_same_v<Real, float>) return converted_.data();
    return nullptr;
  }

  /// Where elements are written; `store` puts them into the tensor.
  template <class Real>
  Real* write(HostTensor& tensor) {
    if (is_in_place(tensor)) return static_cast<Real*>(tensor.data());
    converted_.resize(static_cast<std::size_t>(tensor.count()));
    if constexpr (std::is_same_v<Real, float>) return converted_.data();
    return nullptr;
  }
  void store(HostTensor& tensor, const LoopSettings& settings) const;

 private:
  static bool is_in_place(const HostTensor& tensor) {
    return tensor.dtype() == MLUOP_DTYPE_FLOAT || tensor.dtype() == MLUOP_DTYPE_DOUBLE;
  }
  void widen(const HostTensor& tensor, const LoopSettings& settings);

  std::vector<float> converted_;
};

/// Calls compute(Real{}) with what loops compute in.
template <class Compute>
void in_loop_type(mluOpDataType_t dtype, Compute&& compute) {
  if (dtype == MLUOP_DTYPE_DOUBLE) {
    compute(double{});
  } else {
    compute(float{});
  }
}

}  // namespace mluop::testing
