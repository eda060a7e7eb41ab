// Two checks of a gradient that need no reference for it: finite differences and the adjoint
// identity.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"

namespace mluop::testing {

using VectorFunction = std::function<std::vector<double>(std::span<const double>)>;

/// The component of a gradient that fits the finite differences worst.
struct GradientError {
  double relative = 0;
  std::size_t index = 0;
  double analytic = 0;
  double numeric = 0;

  std::string describe() const;
};

/// Compares `analytic`, the vector-Jacobian product gᵀ·f'(x), with central differences of <f(x), g>
/// in double. The relative error is what rounding in the differences does not explain, over the
/// larger of both values, but at least over 1/1000 of the gradient's largest component. Costs two
/// evaluations of f per component; f must be smooth within `step` · max(1, |x_i|) of x.
GradientError finite_difference_error(const VectorFunction& f, std::span<const double> x,
                                      std::span<const double> g, std::span<const double> analytic,
                                      double step = 1e-5);

/// Both sides of <F·x, g> = <x, Fᵀ·g> for a linear map F, and how far rounding may part them.
struct AdjointError {
  double left = 0;
  double right = 0;
  double bound = 0;

  bool pass() const;
  std::string describe() const;
};

/// A linear operator as it was computed in `dtype`: `Fx` from `x` and `Ftg` from `g`.
struct AdjointPair {
  std::span<const double> x, Fx, g, Ftg;
  mluOpDataType_t dtype;
  /// The longest sum behind one element of Fx or Ftg.
  double terms;
  /// |g|ᵀ·|F|·|x|, which is <F|x|, |g|> when F has no negative entries. Without it the larger of
  /// Σ|Fx·g| and Σ|x·Ftg| stands in, which is too small where terms cancel within an element.
  std::optional<double> magnitude = std::nullopt;
};

/// The bound is 2 · (u + (terms + 2) · v) · magnitude, with u the unit roundoff of the dtype, v
/// that of the arithmetic behind it (float for half and bfloat16, and two roundings for the weight
/// in every term), plus what underflow in the dtype may lose.
AdjointError adjoint_error(const AdjointPair& pair);

}  // namespace mluop::testing
