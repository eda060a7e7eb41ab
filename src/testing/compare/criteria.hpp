// Acceptance thresholds: static by class of operator and dtype, dynamic by the error of a plain
// loop.
#pragma once

#include <span>
#include <vector>

#include "testing/compare/compare.hpp"

namespace mluop::testing {

/// The classes of the accuracy standard.
enum class OpClass {
  convolution,
  accumulation,
  activation,
  composite,
  atomic,
  arithmetic,
  pure_io,
};

/// The standard's thresholds of a class. What it leaves open: bfloat16 gets half's threshold times
/// 8, the ratio of the unit roundoffs; double gets 1e-12, far above the error of long sums and far
/// below that of a detour through float. Integer dtypes must be exact: diff3 = 0.
std::vector<Criterion> static_criteria(OpClass op_class, mluOpDataType_t dtype);

/// diff1 and diff2 for an operator that has thresholds of its own, extended to the other dtypes in
/// the same way.
std::vector<Criterion> static_criteria(double float_threshold, double half_threshold,
                                       mluOpDataType_t dtype);

/// diff1 and diff2 at max(10 × error of the plain implementation, the dtype's floor), and diff4.
/// `baseline` is the formula in double and is rounded to the dtype first; integer dtypes must be
/// exact. Throws std::domain_error for NaN or infinity and for a threshold above 0.3: such data
/// cannot tell a right result from a wrong one.
std::vector<Criterion> dynamic_criteria(std::span<const double> baseline,
                                        std::span<const double> plain, mluOpDataType_t dtype);

/// The whole acceptance of one output: `criteria` and, when baseline and plain are finite
/// everywhere, the dynamic ones, against the baseline rounded to the dtype.
Verdict judge(std::span<const double> baseline, std::span<const double> plain,
              std::span<const double> measured, mluOpDataType_t dtype,
              std::span<const Criterion> criteria);

}  // namespace mluop::testing
