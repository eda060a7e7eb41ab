// The calls of the C API behind a PairsCall.
#include "ops/sparse_conv/kit/pairs/call.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testing/data/handle.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::HostTensor;

std::span<const std::int32_t> integers(const HostTensor& tensor) {
  return {static_cast<const std::int32_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.count())};
}

HostTensor int32_tensor(const char* name, std::vector<std::int64_t> dims) {
  return {name, MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, std::move(dims)};
}

}  // namespace

GeometryDescriptor::GeometryDescriptor(const reference::Geometry& geometry) {
  mluOpSparseConvolutionDescriptor_t created = nullptr;
  testing::expect_success(mluOpCreateSparseConvolutionDescriptor(&created),
                          "mluOpCreateSparseConvolutionDescriptor");
  desc_.reset(created);
  testing::expect_success(
      mluOpSetSparseConvolutionDescriptor(
          created, geometry.axes + 2, geometry.batch, geometry.pad.data(), geometry.stride.data(),
          geometry.dilation.data(), geometry.input_space.data(), geometry.filter_space.data(),
          geometry.output_space.data(), geometry.sub_m, geometry.transpose, geometry.inverse),
      "mluOpSetSparseConvolutionDescriptor");
}

int GeometryDescriptor::num_act_out() const {
  int number = 0;
  testing::expect_success(mluOpGetSparseConvolutionNumActOut(get(), &number),
                          "mluOpGetSparseConvolutionNumActOut");
  return number;
}

void GeometryDescriptor::Destroy::operator()(mluOpSparseConvolutionDescriptor_t desc) const {
  mluOpDestroySparseConvolutionDescriptor(desc);
}

PairsCall::PairsCall(const reference::Geometry& geometry, std::span<const std::int32_t> indices,
                     std::int64_t out_rows)
    : geometry_(geometry), desc_(geometry) {
  const int columns = geometry.columns();
  const std::int64_t L = static_cast<std::int64_t>(indices.size()) / columns;
  indices_ = int32_tensor("indices", {L, columns});
  std::copy(indices.begin(), indices.end(), static_cast<std::int32_t*>(indices_.data()));
  outputs_.push_back(int32_tensor("out_indices", {out_rows, columns}));
  outputs_.push_back(int32_tensor("indice_pairs", {geometry.volume(), 2, L}));
  outputs_.push_back(int32_tensor("indice_num", {geometry.volume()}));
}

std::span<const std::int32_t> PairsCall::indices() const { return integers(indices_); }
std::span<const std::int32_t> PairsCall::output(std::size_t which) const {
  return integers(outputs_[which]);
}

Cost PairsCall::cost() const {
  Cost cost{.bytes_read = static_cast<double>(indices().size_bytes())};
  for (const testing::HostTensor& output : outputs_) {
    cost.bytes_written += static_cast<double>(output.bytes());
  }
  return cost;
}

mluOpStatus_t PairsCall::query(mluOpHandle_t handle, std::size_t* bytes) const {
  return mluOpGetIndicePairsWorkspaceSize(handle, desc_.get(), indices_.descriptor(),
                                          outputs_[1].descriptor(), outputs_[0].descriptor(),
                                          outputs_[2].descriptor(), bytes);
}

mluOpStatus_t PairsCall::run_in(mluOpHandle_t handle, void* workspace, std::size_t bytes) {
  return mluOpGetIndicePairs(handle, desc_.get(), indices_.descriptor(), indices_.data(), workspace,
                             bytes, outputs_[1].descriptor(), outputs_[1].data(),
                             outputs_[0].descriptor(), outputs_[0].data(), outputs_[2].descriptor(),
                             outputs_[2].data());
}

mluOpStatus_t PairsCall::run(mluOpHandle_t handle) {
  std::size_t bytes = 0;
  const mluOpStatus_t status = query(handle, &bytes);
  if (status != MLUOP_STATUS_SUCCESS) return status;
  const mluOpStatus_t outcome = run_in(handle, workspace_.require(bytes), bytes);
  if (!workspace_.intact()) throw std::runtime_error("the call wrote outside its workspace");
  return outcome;
}

}  // namespace mluop::sparse_conv
