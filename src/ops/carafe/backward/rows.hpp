// One row of backward: what the rows of all designs have in common, and the kernels that take them.
//
// `delta` is grad_output. Kernels read it as `Stored`: T in place, or Compute<T> where groups are padded.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// grad_mask of the pixels of row h, all groups. kh runs over rows h + kh - r of the input that exist.
template <class T>
struct GradMaskRow {
  std::int64_t G, channels, padded;  // groups, channels of each, rounded up to whole slots
  Columns columns;
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;
  std::int64_t fresh;             // from this kh on, rows of the input are new in this tile
  T* grad_mask;                   // row s·h
  std::int64_t grad_mask_column;  // of the map, where that begins
  std::int64_t pitch;             // from row to row, in pixels
  Prefetch* prefetch;
  std::int64_t prefetch_bytes;  // in the whole row
};

/// What the outputs of row h add to grad_input of rows h + kh - r, for kh in [kh_begin, kh_end).
template <class T, class Stored>
struct GradInputRow {
  ChannelBlock block;
  Columns columns;
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;
  bool first, last;  // row of the map
  Rows<Stored> delta;
  Compute<T>* const* sums;    // by kh: accumulators of a block of channels, kept from row to row
  Destination<T> grad_input;  // of kh_begin; staged results are rows of the tile's columns
  Prefetch* prefetch;
  std::int64_t prefetch_bytes;  // in the whole row

  /// Whether the sums of a row of targets begin with this row, and whether they are complete after it.
  bool begins(std::int64_t kh) const noexcept { return first || kh == k - 1; }
  bool ends(std::int64_t kh) const noexcept { return last || kh == 0; }
};

/// The kernels of a design for one dtype. For float and double both are the same.
template <template <class, class> class Row, class T>
struct KernelsOf {
  void (*in_place)(const Row<T, T>& row);
  void (*padded)(const Row<T, Compute<T>>& row);

  template <class Stored>
  auto of() const noexcept {
    if constexpr (std::is_same_v<Stored, T>) {
      return in_place;
    } else {
      return padded;
    }
  }
};

/// The kernels for the dtypes that are computed in float.
template <template <class, class> class Row>
struct FloatKernels {
  KernelsOf<Row, float> f32;
  KernelsOf<Row, Half> f16;
  KernelsOf<Row, BFloat16> bf16;

  template <class T>
  const KernelsOf<Row, T>& of() const noexcept {
    if constexpr (std::is_same_v<T, float>) return f32;
    if constexpr (std::is_same_v<T, Half>) return f16;
    if constexpr (std::is_same_v<T, BFloat16>) return bf16;
  }
};

}  // namespace mluop::carafe
