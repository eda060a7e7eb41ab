// A call of mluOpGetIndicePairs with its descriptors, tensors and workspace; for tests and bench.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mlu_op.h"
#include "ops/sparse_conv/kit/pairs/reference.hpp"
#include "runtime/cost.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/data/workspace.hpp"

namespace mluop::sparse_conv {

/// The descriptor of a geometry; destroys itself.
class GeometryDescriptor {
 public:
  /// Throws std::runtime_error if the geometry is refused.
  explicit GeometryDescriptor(const reference::Geometry& geometry);

  mluOpSparseConvolutionDescriptor_t get() const { return desc_.get(); }
  int num_act_out() const;

 private:
  struct Destroy {
    void operator()(mluOpSparseConvolutionDescriptor_t desc) const;
  };
  std::unique_ptr<mluOpSparseConvolutionStruct, Destroy> desc_;
};

/// The outputs and workspace of a call.
class PairsCall {
 public:
  /// `out_rows` rows of out_indices.
  PairsCall(const reference::Geometry& geometry, std::span<const std::int32_t> indices,
            std::int64_t out_rows);

  /// Asks for the workspace, then calls the operator.
  mluOpStatus_t run(mluOpHandle_t handle);
  /// Each of them alone.
  mluOpStatus_t query(mluOpHandle_t handle, std::size_t* bytes) const;
  mluOpStatus_t run_in(mluOpHandle_t handle, void* workspace, std::size_t bytes);

  const reference::Geometry& geometry() const { return geometry_; }
  std::span<const std::int32_t> indices() const;
  /// out_indices, indice_pairs, indice_num.
  std::span<testing::HostTensor> outputs() { return outputs_; }
  std::span<const std::int32_t> output(std::size_t which) const;
  int num_act_out() const { return desc_.num_act_out(); }
  std::size_t workspace_bytes() const { return workspace_.bytes(); }
  /// The sites are read once, the outputs written once.
  Cost cost() const;

 private:
  reference::Geometry geometry_;
  GeometryDescriptor desc_;
  testing::HostTensor indices_;
  std::vector<testing::HostTensor> outputs_;
  testing::CallWorkspace workspace_;
};

}  // namespace mluop::sparse_conv
