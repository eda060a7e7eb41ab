// The check of index data, in a form that compilers vectorise, and the search for the culprit.
#include "ops/index_pairs/pair_check.hpp"

#include <algorithm>
#include <string>

#include "core/status/text.hpp"

namespace mluop::index_pairs {
namespace {

bool outside(std::int32_t row, const Matrix& matrix) { return row < 0 || row >= matrix.rows; }

/// Fails the call for indice_pairs[k, side, t] = value, which should be a row of `rows`.
Status bad_pair(const char* function, std::int64_t k, int side, std::int64_t t, std::int32_t value,
                const Matrix& rows) {
  return fail(MLUOP_STATUS_BAD_PARAM, std::string(function) + ": indice_pairs[" + text_of(k) + "," +
                                          text_of(side) + "," + text_of(t) +
                                          "] must be at least 0 and below " + text_of(rows.rows) +
                                          " (rows of " + rows.name + "), got " + text_of(value));
}

}  // namespace

bool in_range(const std::int32_t* rows, std::int64_t count, const Matrix& matrix) {
  // `row` and `last - row` are both non-negative iff the row is in range.
  constexpr std::int64_t most_rows = std::int64_t{1} << 31;
  const auto last = static_cast<std::uint32_t>(std::min(matrix.rows, most_rows) - 1);
  std::uint32_t signs = 0;
  for (std::int64_t t = 0; t < count; ++t) {
    const auto row = static_cast<std::uint32_t>(rows[t]);
    signs |= row | (last - row);
  }
  return signs <= INT32_MAX;
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

}  // namespace mluop::index_pairs
