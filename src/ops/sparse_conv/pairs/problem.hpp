// get_indice_pairs: the problem that the check builds and the designs run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "mlu_op.h"

namespace mluop::sparse_conv::pairs {

struct Arguments {
  const mluOpContext* handle;
  const mluOpSparseConvolutionStruct* geometry;
  Tensor indices;
  Tensor indice_pairs;
  Tensor out_indices;
  Tensor indice_num;
};

/// One axis of a convolution.
struct Axis {
  std::int64_t pad = 0, stride = 1, dilation = 1, input = 1, filter = 1, output = 1;
};

/// A checked call. Rows of indices and out_indices are (batch, coordinates); an image is a volume of
/// depth 1 whose rows lack the depth. Whether coordinates lie in the input is not known yet.
struct Problem {
  std::array<Axis, 3> axes;  // D, H, W
  std::int64_t batch;
  bool sub_m, transpose;
  int columns;                  // per row: 4, or 3 for images
  std::int64_t L, K;            // input sites, kernel offsets
  std::int64_t out_rows;        // room for output sites
  const std::int32_t* indices;  // [L, columns]
  std::int32_t* indice_pairs;   // [K, 2, L]
  std::int32_t* out_indices;    // [out_rows, columns]
  std::int32_t* indice_num;     // [K]

  /// Whether pairs are written with non-temporal stores. Not if they are few: the next call then reads
  /// them from the caches, and lists end inside cache lines, which are slow to write in parts.
  bool streams() const noexcept { return L > most_cached / (2 * K); }

 private:
  static constexpr std::int64_t most_cached = (std::int64_t{2} << 20) / sizeof(std::int32_t);
};

/// Each leaves the check running unless a rule failed or a tensor is empty; in both cases the call is done
/// and `problem` is not filled. check_query takes a call without its data, check_call one with them.
void check_query(Check& check, const Arguments& call, const std::size_t* workspace_size,
                 Problem& problem);
void check_call(Check& check, const Arguments& call, Problem& problem);

/// The rules about memory, once the design and so the bytes that it needs are known.
void check_memory(Check& check, const Arguments& call, const Problem& problem,
                  const Region& workspace, std::size_t needed);

}  // namespace mluop::sparse_conv::pairs

namespace mluop::sparse_conv {

extern const OperatorInfo get_indice_pairs_operator;

}  // namespace mluop::sparse_conv
