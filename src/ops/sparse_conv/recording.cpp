// Checked calls of get_indice_pairs and of the convolutions as test cases.
#include "ops/sparse_conv/recording.hpp"

#include <algorithm>

#include "ops/sparse_conv/descriptor.hpp"

namespace mluop::sparse_conv {
namespace {

using recorder::Bounds;
using recorder::Description;
using recorder::Input;
using recorder::Need;
using recorder::Parameter;
using Axis = mluOpSparseConvolutionStruct::Axis;

void add_axes(std::vector<Parameter>& parameters, const char* name,
              const mluOpSparseConvolutionStruct& geometry, int Axis::*field) {
  for (int i = 0; i < geometry.axis_count(); ++i) {
    parameters.push_back({name, text_of(geometry.axes[static_cast<std::size_t>(i)].*field)});
  }
}

std::vector<Parameter> parameters_of(const mluOpSparseConvolutionStruct& geometry) {
  std::vector<Parameter> all{{"dimnb", text_of(geometry.dimNb)},
                             {"batch", text_of(geometry.batch)}};
  add_axes(all, "pad", geometry, &Axis::pad);
  add_axes(all, "stride", geometry, &Axis::stride);
  add_axes(all, "dilation", geometry, &Axis::dilation);
  add_axes(all, "input_space", geometry, &Axis::input_space);
  add_axes(all, "filter_space", geometry, &Axis::filter_space);
  add_axes(all, "output_space", geometry, &Axis::output_space);
  all.insert(all.end(), {{"sub_m", text_of(geometry.sub_m)},
                         {"transpose", text_of(geometry.transpose)},
                         {"inverse", text_of(geometry.inverse)},
                         {"num_act_out", text_of(geometry.num_act_out)}});
  return all;
}

/// The parameters of a convolution: `first` and then what all of them have.
std::vector<Parameter> parameters_of(std::vector<Parameter> first, std::int64_t inverse,
                                     std::int64_t sub_m, const std::int64_t* indice_num,
                                     const Tensor& pairs) {
  first.insert(first.end(), {{"inverse", text_of(inverse)}, {"sub_m", text_of(sub_m)}});
  for (std::int64_t k = 0; k < pairs.desc->dim(0); ++k) {
    first.push_back({"indice_num", text_of(indice_num[k])});
  }
  return first;
}

Input values(const Tensor& tensor) { return {tensor, Need::values, {-1, 1}}; }

/// Random pairs have to name rows that both sides have.
Input index_pairs(const Tensor& pairs, const Tensor& one, const Tensor& other) {
  const std::int64_t rows = std::min(one.desc->dim(0), other.desc->dim(0));
  return {pairs, Need::structure, {0, static_cast<double>(rows)}};
}

}  // namespace

Description pairs::description_of(const Arguments& call) {
  // Other sites might have more output sites than out_indices has rows.
  return {.op = "get_indice_pairs",
          .inputs = {{call.indices, Need::always}},
          .outputs = {call.out_indices, call.indice_pairs, call.indice_num},
          .parameters_name = "get_indice_pairs_param",
          .parameters = parameters_of(*call.geometry),
          .handle = call.handle,
          .criteria = {{"DIFF3", 0}}};
}

Description forward_description(const mluOpContext& handle, const ConvolutionArguments& call) {
  return {.op = "indice_convolution_forward",
          .inputs = {values(call.source), values(call.filters),
                     index_pairs(call.pairs, call.source, call.target)},
          .outputs = {call.target},
          .parameters_name = "indice_convolution_forward_param",
          .parameters = parameters_of({{"num_active_out", text_of(call.num_act_out)}}, call.inverse,
                                      call.sub_m, call.indice_num, call.pairs),
          .handle = &handle};
}

Description backward_data_description(const mluOpContext& handle,
                                      const ConvolutionArguments& call) {
  return {.op = "indice_convolution_backward_data",
          .inputs = {values(call.source), values(call.filters),
                     index_pairs(call.pairs, call.source, call.target)},
          .outputs = {call.target},
          .parameters_name = "indice_convolution_backward_data_param",
          .parameters = parameters_of({}, call.inverse, call.sub_m, call.indice_num, call.pairs),
          .handle = &handle};
}

Description backward_filter_description(const mluOpContext& handle,
                                        const FilterGradientArguments& call, std::int64_t sub_m) {
  const Tensor& result = call.filters_grad;
  return {.op = "indice_convolution_backward_filter",
          .inputs = {values(call.features), values(call.output_grad),
                     index_pairs(call.pairs, call.features, call.output_grad)},
          .outputs = {{"diff_w", result.desc, result.data}},
          .parameters_name = "indice_convolution_backward_param",
          .parameters = parameters_of({}, call.inverse, sub_m, call.indice_num, call.pairs),
          .handle = &handle};
}

}  // namespace mluop::sparse_conv
