// The check of index data, in a form that compilers vectorise, and the search for the culprit.
#include "ops/sparse_conv/pair_check.hpp"

#include <algorithm>

#include "ops/sparse_conv/pair_error.hpp"

namespace mluop::sparse_conv {
namespace {

bool outside(std::int32_t row, const Matrix& matrix) { return row < 0 || row >= matrix.rows; }

}  // namespace

bool in_range(const std::int32_t* rows, std::int64_t count, const Matrix& matrix) {
  std::uint32_t largest = 0;  // a negative row is a large one
  for (std::int64_t t = 0; t < count; ++t) {
    largest = std::max(largest, static_cast<std::uint32_t>(rows[t]));
  }
  return count == 0 || (largest <= INT32_MAX && largest < matrix.rows);
}

Status fail_at_first_bad_pair(const char* function, const Pairs& pairs, const Matrix& source,
                              const Matrix& target) {
  for (std::int64_t k = 0; k < pairs.K; ++k) {
    for (std::int64_t t = 0; t < pairs.count[k]; ++t) {
      const std::int32_t from = pairs.source(k)[t], to = pairs.target(k)[t];
      if (outside(from, source)) return bad_pair(function, k, pairs.source_side, t, from, source);
      if (outside(to, target)) return bad_pair(function, k, 1 - pairs.source_side, t, to, target);
    }
  }
  return MLUOP_STATUS_INTERNAL_ERROR;
}

}  // namespace mluop::sparse_conv
