// The three convolutions as data: one set of operands serves them all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "ops/sparse_conv/kit/convolution/reference.hpp"
#include "runtime/cost.hpp"
#include "testing/data/handle.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::sparse_conv {

/// Pairs as the operators take them. Rows on side 0 are below L, on side 1 below Y.
struct PairTable {
  std::int64_t L = 0, Y = 0;
  testing::HostTensor pairs;         // indice_pairs [K, 2, L]
  std::vector<std::int64_t> num;     // indice_num [K]
  testing::HostTensor num_argument;  // the same in memory that is placed as tensors are

  PairTable(std::int64_t inputs, std::int64_t outputs, std::span<const std::int32_t> rows,
            std::vector<std::int64_t> counts);

  const std::int64_t* indice_num() const {
    return static_cast<const std::int64_t*>(num_argument.data());
  }
  std::span<const std::int32_t> rows() const {
    return {static_cast<const std::int32_t*>(pairs.data()),
            static_cast<std::size_t>(pairs.count())};
  }
};

/// A convolution, and everything that it or one of its gradients reads.
struct Operands {
  std::shared_ptr<const PairTable> table;
  reference::FilterShape shape;
  bool inverse = false, sub_m = false;
  testing::HostTensor features, filters, output_grad;

  /// With NaN in all tensors.
  Operands(std::shared_ptr<const PairTable> pairs, reference::FilterShape filter_shape,
           mluOpDataType_t dtype, bool is_inverse = false, bool is_sub_m = false);

  mluOpDataType_t dtype() const { return features.dtype(); }
  reference::Convolution convolution() const;
};

/// One of the three operators.
struct Direction {
  enum class Role { forward, backward_data, backward_filter };

  Role role;
  const char* op;        // as in the table of implementations
  const char* function;  // of the C API

  /// The tensors that are read, besides the pairs.
  std::array<testing::HostTensor Operands::*, 2> sources;
  /// The result of such a call, poisoned.
  testing::HostTensor (*make_result)(const Operands& operands);
  mluOpStatus_t (*workspace_size)(mluOpHandle_t handle, const Operands& operands,
                                  const testing::HostTensor& result, std::size_t* bytes);
  mluOpStatus_t (*run)(mluOpHandle_t handle, const Operands& operands, void* workspace,
                       std::size_t workspace_bytes, testing::HostTensor& result);
  /// The formula in three precisions.
  std::vector<double> (*in_float)(const Operands& operands);
  std::vector<double> (*in_double)(const Operands& operands);
  std::vector<double> (*in_long_double)(const Operands& operands);
  /// The most products behind one element of the result.
  std::int64_t (*longest_sum)(const Operands& operands);

  /// "forward", "backward_data" or "backward_filter".
  std::string name() const {
    return std::string{op}.substr(std::string{"indice_convolution_"}.size());
  }

  /// With a workspace of its own; throws unless the call succeeds and leaves the memory around its
  /// workspace and its result alone.
  testing::HostTensor compute(mluOpHandle_t handle, const Operands& operands) const;

  /// A multiply-add for each pair and each element of its filter. The cache lines of the pairs, of the rows
  /// that they name and of the filters of offsets with pairs are read once; the result is written once.
  Cost cost(const Operands& operands, const testing::HostTensor& result) const;

  /// Computed at least one precision above the dtype, so that its own error does not count.
  std::vector<double> reference(const Operands& operands) const {
    return operands.dtype() == MLUOP_DTYPE_DOUBLE ? in_long_double(operands) : in_double(operands);
  }
  /// Computed as kernels have to, in double for double and else in float, and stored.
  std::vector<double> plain(const Operands& operands) const {
    return testing::rounded_to(operands.dtype(), operands.dtype() == MLUOP_DTYPE_DOUBLE
                                                     ? in_double(operands)
                                                     : in_float(operands));
  }
};

extern const Direction forward_direction, backward_data_direction, backward_filter_direction;
/// The filter gradient by layout: the same numbers as backward_filter_direction, each where the filters
/// have it.
extern const Direction backward_filter_by_layout_direction;
/// The three of MLU-OPS, in the order of the header.
std::span<const Direction* const> directions();

}  // namespace mluop::sparse_conv
