// get_indice_pairs: what its check hands to its run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/check.hpp"
#include "core/handle.hpp"
#include "core/implementation.hpp"
#include "mlu_op.h"

namespace mluop::sparse_conv::pairs {

struct Arguments {
  const char* function;
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
};

/// What a call comes to: SUCCESS with `run` false means that a tensor is empty and nothing is written.
struct Verdict {
  Status status;
  bool run;
};

/// Checks a call without its data, as the workspace query does, and a whole one.
Verdict check_query(const Arguments& arguments, const std::size_t* workspace_size,
                    Problem& problem);
Verdict check_run(const Arguments& arguments, const void* workspace, std::size_t workspace_size,
                  Problem& problem);

}  // namespace mluop::sparse_conv::pairs

namespace mluop::sparse_conv {

extern const OperatorInfo get_indice_pairs_operator;

}  // namespace mluop::sparse_conv
