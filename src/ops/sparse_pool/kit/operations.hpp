// The four operators as data: one set of operands serves them all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/sparse_pool/kit/reference.hpp"
#include "ops/sparse_pool/kit/tables.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::sparse_pool {

/// Everything that one of the operators reads. features_out are those of maximum pooling in this mode.
struct Operands {
  std::shared_ptr<const PairTable> table;
  std::int64_t C;
  mluOpCpuMaxPoolMode_t mode;
  testing::HostTensor features, features_out, output_grad;

  /// With NaN in all tensors.
  Operands(std::shared_ptr<const PairTable> pairs, std::int64_t channels, mluOpDataType_t dtype,
           mluOpCpuMaxPoolMode_t pool_mode);

  mluOpDataType_t dtype() const { return features.dtype(); }
  bool exact() const { return mode == MLUOP_CPU_MAXPOOL_EXACT; }
  reference::Layer layer() const { return {table->L, table->Y, C, table->rows(), table->num}; }
  /// Fills features_out from the features.
  void pool_features();
};

struct Operation {
  const char* op;        // as in the table of implementations
  const char* function;  // of the C API
  bool maximum, backward;

  /// The tensors that are read, besides the pairs.
  std::vector<testing::HostTensor Operands::*> sources() const;
  /// The result of such a call, poisoned.
  testing::HostTensor make_result(const Operands& operands) const;
  mluOpStatus_t run(mluOpHandle_t handle, const Operands& operands,
                    testing::HostTensor& result) const;
  /// Throws unless the call succeeds and leaves the memory around its result alone.
  testing::HostTensor compute(mluOpHandle_t handle, const Operands& operands) const;
  /// Computed at least one precision above the dtype, so that its own error does not count.
  std::vector<double> reference(const Operands& operands) const;
  /// Computed as kernels have to, in double for double and else in float, and stored.
  std::vector<double> plain(const Operands& operands) const;
};

inline constexpr Operation max_forward{"indice_maxpool_forward", "mluOpCpuIndiceMaxPoolForward",
                                       true, false};
inline constexpr Operation max_backward{"indice_maxpool_backward", "mluOpCpuIndiceMaxPoolBackward",
                                        true, true};
inline constexpr Operation avg_forward{"indice_avgpool_forward", "mluOpCpuIndiceAvgPoolForward",
                                       false, false};
inline constexpr Operation avg_backward{"indice_avgpool_backward", "mluOpCpuIndiceAvgPoolBackward",
                                        false, true};
/// In the order of the header.
std::span<const Operation* const> operations();

/// The loop that mmcv has for the operator, in float on one thread; average pooling as it would have it.
void serial_loop(const Operation& operation, const Operands& operands, std::vector<float>& result);

}  // namespace mluop::sparse_pool
