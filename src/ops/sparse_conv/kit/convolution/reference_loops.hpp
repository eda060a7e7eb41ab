// The two loops behind the references, compiled once for each vector width.
#pragma once

#include <cstdint>

namespace mluop::sparse_conv::reference {

/// Columns that are computed together.
inline constexpr std::int64_t block = 32;

/// Pair t of `count` joins row first[t] of one matrix with row second[t] of another.
struct Rows {
  const std::int32_t* first;
  const std::int32_t* second;
  std::int64_t count;
};

/// Matrices are row-major with dense rows.
template <class Real>
struct Loops {
  /// target[second, j] += Σ_i source[first, i] · weights[i, j] for one block of columns j:
  /// `weights` is [channels, block], `target` points to the block's first column.
  void (*multiply)(const Rows& rows, const Real* source, std::int64_t channels, const Real* weights,
                   Real* target, std::int64_t target_pitch);
  /// sum[i, j] += a[first, i] · b[second, j], pair after pair, for i in [begin, end); `sum` points to
  /// row `begin`.
  void (*correlate)(const Rows& rows, const Real* a, std::int64_t a_channels, const Real* b,
                    std::int64_t b_channels, std::int64_t begin, std::int64_t end, Real* sum);
};

/// For float, double and long double.
template <class Real>
const Loops<Real>& loops();

}  // namespace mluop::sparse_conv::reference
