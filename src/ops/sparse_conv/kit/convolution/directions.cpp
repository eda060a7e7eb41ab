// The arguments of each convolution, from operands to the C API and to the reference.
#include "ops/sparse_conv/kit/convolution/directions.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "mlu_op_cpu.h"
#include "ops/sparse_conv/kit/convolution/cost.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::HostTensor;

HostTensor matrix(const char* name, mluOpDataType_t dtype, std::int64_t rows,
                  std::int64_t channels) {
  return {name, dtype, MLUOP_LAYOUT_ARRAY, {rows, channels}};
}

HostTensor features_out(const Operands& o) {
  return matrix("features_out", o.dtype(), o.convolution().rows_out, o.shape.Co);
}

mluOpStatus_t forward_workspace(mluOpHandle_t handle, const Operands& o, const HostTensor& result,
                                std::size_t* bytes) {
  return mluOpGetIndiceConvolutionForwardWorkspaceSize(
      handle, o.features.descriptor(), o.filters.descriptor(), o.table->pairs.descriptor(),
      result.descriptor(), o.table->indice_num(), result.dims()[0], o.inverse, o.sub_m, bytes);
}

mluOpStatus_t forward(mluOpHandle_t handle, const Operands& o, void* workspace,
                      std::size_t workspace_bytes, HostTensor& result) {
  return mluOpIndiceConvolutionForward(
      handle, o.features.descriptor(), o.features.data(), o.filters.descriptor(), o.filters.data(),
      o.table->pairs.descriptor(), o.table->pairs.data(), o.table->indice_num(), result.dims()[0],
      o.inverse, o.sub_m, workspace, workspace_bytes, result.descriptor(), result.data());
}

HostTensor input_grad(const Operands& o) {
  return matrix("input_grad", o.dtype(), o.convolution().rows_in, o.shape.Ci);
}

mluOpStatus_t backward_data_workspace(mluOpHandle_t handle, const Operands& o,
                                      const HostTensor& result, std::size_t* bytes) {
  return mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
      handle, o.output_grad.descriptor(), o.filters.descriptor(), o.table->pairs.descriptor(),
      result.descriptor(), o.table->indice_num(), o.inverse, bytes);
}

mluOpStatus_t backward_data(mluOpHandle_t handle, const Operands& o, void* workspace,
                            std::size_t workspace_bytes, HostTensor& result) {
  return mluOpIndiceConvolutionBackwardData(
      handle, o.output_grad.descriptor(), o.output_grad.data(), o.filters.descriptor(),
      o.filters.data(), o.table->pairs.descriptor(), o.table->pairs.data(), o.table->indice_num(),
      o.inverse, o.sub_m, workspace, workspace_bytes, result.descriptor(), result.data());
}

/// Dense as [K, Ci, Co] whatever the tag says.
HostTensor filters_grad(const Operands& o) {
  std::vector<std::int64_t> dims = o.shape.kernel;
  dims.insert(dims.end(), {o.shape.Ci, o.shape.Co});
  return {"filters_grad", o.dtype(), o.shape.layout, std::move(dims)};
}

mluOpStatus_t backward_filter_workspace(mluOpHandle_t handle, const Operands& o,
                                        const HostTensor& result, std::size_t* bytes) {
  return mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(
      handle, o.features.descriptor(), o.output_grad.descriptor(), o.table->pairs.descriptor(),
      result.descriptor(), o.table->indice_num(), o.inverse, o.sub_m, bytes);
}

mluOpStatus_t backward_filter(mluOpHandle_t handle, const Operands& o, void* workspace,
                              std::size_t workspace_bytes, HostTensor& result) {
  return mluOpIndiceConvolutionBackwardFilter(handle, o.features.descriptor(), o.features.data(),
                                              o.output_grad.descriptor(), o.output_grad.data(),
                                              o.table->pairs.descriptor(), o.table->pairs.data(),
                                              o.table->indice_num(), o.inverse, o.sub_m, workspace,
                                              workspace_bytes, result.descriptor(), result.data());
}

HostTensor filters_grad_by_layout(const Operands& o) {
  return {"filters_grad", o.dtype(), o.shape.layout, o.shape.dims()};
}

mluOpStatus_t backward_filter_by_layout_workspace(mluOpHandle_t handle, const Operands& o,
                                                  const HostTensor& result, std::size_t* bytes) {
  return mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize(
      handle, o.features.descriptor(), o.output_grad.descriptor(), o.table->pairs.descriptor(),
      result.descriptor(), o.table->indice_num(), o.inverse, o.sub_m, bytes);
}

mluOpStatus_t backward_filter_by_layout(mluOpHandle_t handle, const Operands& o, void* workspace,
                                        std::size_t workspace_bytes, HostTensor& result) {
  return mluOpCpuIndiceConvolutionBackwardFilter(
      handle, o.features.descriptor(), o.features.data(), o.output_grad.descriptor(),
      o.output_grad.data(), o.table->pairs.descriptor(), o.table->pairs.data(),
      o.table->indice_num(), o.inverse, o.sub_m, workspace, workspace_bytes, result.descriptor(),
      result.data());
}

template <class Real>
std::vector<double> forward_in(const Operands& o) {
  return reference::forward<Real>(o.convolution(), o.features.values(), o.filters.values());
}

template <class Real>
std::vector<double> backward_data_in(const Operands& o) {
  return reference::backward_data<Real>(o.convolution(), o.output_grad.values(),
                                        o.filters.values());
}

template <class Real>
std::vector<double> backward_filter_in(const Operands& o) {
  return reference::backward_filter<Real>(o.convolution(), o.features.values(),
                                          o.output_grad.values());
}

template <class Real>
std::vector<double> backward_filter_by_layout_in(const Operands& o) {
  const std::vector<double> dense = backward_filter_in<Real>(o);
  std::vector<double> moved(dense.size());
  std::size_t i = 0;
  for (std::int64_t k = 0; k < o.shape.K(); ++k) {
    for (std::int64_t ci = 0; ci < o.shape.Ci; ++ci) {
      for (std::int64_t co = 0; co < o.shape.Co; ++co) {
        moved[static_cast<std::size_t>(o.shape.index(k, ci, co))] = dense[i++];
      }
    }
  }
  return moved;
}

/// Pairs that end in the row that has most of them.
std::int64_t most_pairs(const reference::Convolution& c, bool of_inputs) {
  std::vector<std::int64_t> pairs(static_cast<std::size_t>(of_inputs ? c.rows_in : c.rows_out));
  for (std::int64_t k = 0; k < c.filters.K(); ++k) {
    for (std::int64_t t = 0; t < c.indice_num[static_cast<std::size_t>(k)]; ++t) {
      ++pairs[static_cast<std::size_t>(of_inputs ? c.in(k, t) : c.out(k, t))];
    }
  }
  return std::ranges::max(pairs);
}

std::int64_t forward_terms(const Operands& o) {
  return most_pairs(o.convolution(), false) * o.shape.Ci;
}

std::int64_t backward_data_terms(const Operands& o) {
  return most_pairs(o.convolution(), true) * o.shape.Co;
}

std::int64_t backward_filter_terms(const Operands& o) { return std::ranges::max(o.table->num); }

}  // namespace

PairTable::PairTable(std::int64_t inputs, std::int64_t outputs, std::span<const std::int32_t> rows,
                     std::vector<std::int64_t> counts)
    : L(inputs),
      Y(outputs),
      pairs("indice_pairs", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {std::ssize(counts), 2, inputs}),
      num(std::move(counts)),
      num_argument("indice_num", MLUOP_DTYPE_INT64, MLUOP_LAYOUT_ARRAY, {std::ssize(num)}) {
  num_argument.load(std::as_bytes(std::span(num)));
  if (std::ssize(rows) != pairs.count()) throw std::invalid_argument("pairs must be [K, 2, L]");
  std::memcpy(pairs.data(), rows.data(), rows.size_bytes());
}

Operands::Operands(std::shared_ptr<const PairTable> pairs, reference::FilterShape filter_shape,
                   mluOpDataType_t dtype, bool is_inverse, bool is_sub_m)
    : table(std::move(pairs)),
      shape(std::move(filter_shape)),
      inverse(is_inverse),
      sub_m(is_sub_m),
      features(matrix("features", dtype, convolution().rows_in, shape.Ci)),
      filters("filters", dtype, shape.layout, shape.dims()),
      output_grad(matrix("output_grad", dtype, convolution().rows_out, shape.Co)) {}

reference::Convolution Operands::convolution() const {
  return {.filters = shape,
          .rows_in = inverse ? table->Y : table->L,
          .rows_out = inverse ? table->L : table->Y,
          .indice_pairs = table->rows(),
          .indice_num = table->num,
          .inverse = inverse};
}

HostTensor Direction::compute(mluOpHandle_t handle, const Operands& operands) const {
  HostTensor result = make_result(operands);
  std::size_t bytes = 0;
  testing::expect_success(workspace_size(handle, operands, result, &bytes), function);
  HostTensor workspace("workspace", MLUOP_DTYPE_UINT8, MLUOP_LAYOUT_ARRAY,
                       {static_cast<std::int64_t>(bytes)});
  testing::expect_success(run(handle, operands, workspace.data(), bytes, result), function);
  for (const HostTensor* written : {&workspace, &result}) {
    if (!written->intact()) {
      throw std::runtime_error(std::string{function} + " wrote outside its " + written->name());
    }
  }
  return result;
}

Cost Direction::cost(const Operands& operands, const HostTensor& result) const {
  const auto pairs = static_cast<double>(operands.convolution().total());
  const auto filter = static_cast<double>(operands.shape.Ci * operands.shape.Co);
  double bytes_read = bytes_of_pairs(operands);
  for (const auto source : sources) bytes_read += bytes_of_source(operands, source);
  return {.flops = 2 * pairs * filter,
          .bytes_read = bytes_read,
          .bytes_written = static_cast<double>(result.bytes())};
}

const Direction forward_direction{Direction::Role::forward,
                                  "indice_convolution_forward",
                                  "mluOpIndiceConvolutionForward",
                                  {&Operands::features, &Operands::filters},
                                  features_out,
                                  forward_workspace,
                                  forward,
                                  forward_in<float>,
                                  forward_in<double>,
                                  forward_in<long double>,
                                  forward_terms};
const Direction backward_data_direction{Direction::Role::backward_data,
                                        "indice_convolution_backward_data",
                                        "mluOpIndiceConvolutionBackwardData",
                                        {&Operands::output_grad, &Operands::filters},
                                        input_grad,
                                        backward_data_workspace,
                                        backward_data,
                                        backward_data_in<float>,
                                        backward_data_in<double>,
                                        backward_data_in<long double>,
                                        backward_data_terms};
const Direction backward_filter_direction{Direction::Role::backward_filter,
                                          "indice_convolution_backward_filter",
                                          "mluOpIndiceConvolutionBackwardFilter",
                                          {&Operands::features, &Operands::output_grad},
                                          filters_grad,
                                          backward_filter_workspace,
                                          backward_filter,
                                          backward_filter_in<float>,
                                          backward_filter_in<double>,
                                          backward_filter_in<long double>,
                                          backward_filter_terms};

const Direction backward_filter_by_layout_direction{Direction::Role::backward_filter,
                                                    "indice_convolution_backward_filter",
                                                    "mluOpCpuIndiceConvolutionBackwardFilter",
                                                    {&Operands::features, &Operands::output_grad},
                                                    filters_grad_by_layout,
                                                    backward_filter_by_layout_workspace,
                                                    backward_filter_by_layout,
                                                    backward_filter_by_layout_in<float>,
                                                    backward_filter_by_layout_in<double>,
                                                    backward_filter_by_layout_in<long double>,
                                                    backward_filter_terms};

std::span<const Direction* const> directions() {
  static constexpr const Direction* all[] = {&forward_direction, &backward_data_direction,
                                             &backward_filter_direction};
  return all;
}

}  // namespace mluop::sparse_conv
