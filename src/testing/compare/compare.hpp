// The named error measures of MLU-OPS' accuracy standard and the verdict they give.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"

namespace mluop::testing {

/// With b the baseline, m what was measured and ε = 1e-9:
///   diff1    Σ|m−b| / (Σ|b| + ε)
///   diff2    sqrt(Σ(m−b)² / (Σb² + ε))
///   diff3    max of |m−b| where |b| is below 1e-6 (float), 1e-4 (half) or 0 (other dtypes), and of
///            |m−b| / (|b| + ε) elsewhere
///   diff3_2  max |m−b|
///   diff4    among the distinct pairs with m ≠ b, the share with m < b; −1 below 100 pairs
enum class Measure { diff1, diff2, diff3, diff3_2, diff4 };
const char* name_of(Measure measure);

/// The error of `measured` against `baseline` by one measure; all sums in double, no special
/// values. The spans have the same length.
double measure(Measure which, std::span<const double> baseline, std::span<const double> measured,
               mluOpDataType_t dtype);

/// An error up to the threshold is accepted. diff4 is not a size: it fails at exactly 0 or 1, when
/// every deviation lies on one side, whatever the threshold; a negative threshold turns it off.
struct Criterion {
  Measure measure;
  double threshold;
};

struct Measured {
  Measure measure;
  double error;
  double threshold;
  bool pass;
};

struct Verdict {
  bool pass = true;
  std::vector<Measured> measures;
  std::string reason;  // empty when it passes
};

/// Applies every criterion. Where either side is NaN or infinite, both must be NaN or the same
/// infinity, else every error is DBL_MAX; the measures are then taken over the finite positions.
/// (The standard takes them only when every threshold is 0, and then agrees with this rule.) With
/// nothing left to compare, as in an empty tensor, the criteria hold; no criterion at all fails.
Verdict evaluate(std::span<const double> baseline, std::span<const double> measured,
                 mluOpDataType_t dtype, std::span<const Criterion> criteria);

}  // namespace mluop::testing
