// The checks of get_indice_pairs, in the order the contract gives.
#include <algorithm>
#include <limits>
#include <string>

#include "ops/sparse_conv/descriptor.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

/// Largest supported number of cells of a space.
constexpr std::int64_t most_cells = std::int64_t{1} << 62;

/// batch · Π space, saturated: the result may be larger than any tensor.
std::int64_t cells_of(const Arguments& call, int mluOpSparseConvolutionStruct::Axis::*space) {
  std::int64_t cells = call.geometry->batch;
  for (int i = 0; i < call.geometry->axis_count(); ++i) {
    const int size = call.geometry->axes[static_cast<std::size_t>(i)].*space;
    if (__builtin_mul_overflow(cells, std::int64_t{size}, &cells)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return cells;
}

std::int64_t input_cells(const Arguments& call) {
  return cells_of(call, &mluOpSparseConvolutionStruct::Axis::input_space);
}
std::int64_t output_cells(const Arguments& call) {
  return cells_of(call, &mluOpSparseConvolutionStruct::Axis::output_space);
}

template <class Use>
void each_axis(const Arguments& call, Use use) {
  for (int i = 0; i < call.geometry->axis_count(); ++i) {
    use(call.geometry->axes[static_cast<std::size_t>(i)], '[' + text_of(i) + ']');
  }
}

void check_present(Check& check, const Arguments& call) {
  check.present("sparse_conv_desc", call.geometry);
  check.tensors(call.indices, call.indice_pairs, call.out_indices, call.indice_num).present();
}

/// A descriptor that was never set, or was set when the card's limits did not apply.
void check_descriptor(Check& check, const Arguments& call) {
  if (!check.running()) return;
  check.require("sparse_conv_desc dimNb", call.geometry->dimNb, one_of(4, 5))
      .on_card("sparse_conv_desc dimNb", call.geometry->dimNb, equal_to(5), MLUOP_STATUS_BAD_PARAM)
      .on_card("sparse_conv_desc transpose", call.geometry->transpose, equal_to(0),
               MLUOP_STATUS_BAD_PARAM)
      .on_card("sparse_conv_desc inverse", call.geometry->inverse, equal_to(0),
               MLUOP_STATUS_BAD_PARAM);
}

void check_shapes(Check& check, const Arguments& call, Dim& L, Dim& K, Dim& rows) {
  check.tensors(call.indices).rank(2);
  check.tensors(call.indice_pairs).rank(3);
  check.tensors(call.out_indices).rank(2);
  check.tensors(call.indice_num).rank(1);
  if (!check.running()) return;
  const int columns = call.geometry->axis_count() + 1;
  check.shape(call.indices, {L, columns})
      .shape(call.out_indices, {rows, columns})
      .shape(call.indice_pairs, {K, 2, L})
      .shape(call.indice_num, {K});
}

/// No more rows than there can be output sites; with sub_m every row is one, equal or not.
void check_out_rows(Check& check, const Arguments& call, const Dim& L, const Dim& rows) {
  if (!check.running()) return;
  const std::int64_t cells = output_cells(call);
  const std::int64_t sites = call.geometry->sub_m != 0 ? std::max(cells, L.value()) : cells;
  check.require("out_indices dim 0", rows, at_most(sites));
}

void check_geometry(Check& check, const Arguments& call, const Dim& L, const Dim& K,
                    const Dim& rows) {
  if (!check.running()) return;
  // Equal rows are legal: there may be more rows than cells.
  check.on_card("indices dim 0", L, at_most(input_cells(call)), MLUOP_STATUS_BAD_PARAM);
  each_axis(call, [&](const auto& axis, const std::string& at) {
    if (axis.dilation == 1) return;
    check.on_card(("stride" + at + " where dilation" + at + " is not 1").c_str(), axis.stride,
                  equal_to(1), MLUOP_STATUS_BAD_PARAM);
  });
  const auto& axes = call.geometry->axes;
  Size offsets = Size{axes[0].filter_space} * axes[1].filter_space;
  if (call.geometry->axis_count() == 3) offsets = offsets * axes[2].filter_space;
  check.shape(call.indice_pairs, {offsets})
      .on_card("indice_pairs dim 0", K, at_most(4096), MLUOP_STATUS_BAD_PARAM);
  check_out_rows(check, call, L, rows);
}

void check_sub_m(Check& check, const Arguments& call) {
  if (!check.running() || call.geometry->sub_m == 0) return;
  each_axis(call, [&](const auto& axis, const std::string& at) {
    const std::string suffix = at + " with sub_m";
    check.require(("output_space" + suffix).c_str(), axis.output_space, equal_to(axis.input_space))
        .require(("stride" + suffix).c_str(), axis.stride, equal_to(1))
        .on_card(("dilation" + suffix).c_str(), axis.dilation, equal_to(1), MLUOP_STATUS_BAD_PARAM);
  });
}

/// Limits of this library: rows are int32, and linear indices are computed with room to spare.
void check_counts(Check& check, const Arguments& call, const Dim& L) {
  if (!check.running()) return;
  check.support("indices dim 0", L, at_most(std::numeric_limits<std::int32_t>::max()))
      .support("batch_size times input_space", input_cells(call), at_most(most_cells))
      .support("batch_size times output_space", output_cells(call), at_most(most_cells));
}

void fill(const Arguments& call, const Dim& L, const Dim& K, const Dim& rows, Problem& problem) {
  const mluOpSparseConvolutionStruct& geometry = *call.geometry;
  problem = {{},
             geometry.batch,
             geometry.sub_m != 0,
             geometry.transpose != 0,
             geometry.axis_count() + 1,
             L.value(),
             K.value(),
             rows.value(),
             static_cast<const std::int32_t*>(call.indices.data),
             static_cast<std::int32_t*>(const_cast<void*>(call.indice_pairs.data)),
             static_cast<std::int32_t*>(const_cast<void*>(call.out_indices.data)),
             static_cast<std::int32_t*>(const_cast<void*>(call.indice_num.data))};
  const auto count = static_cast<std::size_t>(geometry.axis_count());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& axis = geometry.axes[i];
    problem.axes[3 - count + i] = {axis.pad,         axis.stride,       axis.dilation,
                                   axis.input_space, axis.filter_space, axis.output_space};
  }
}

/// What the query and the run have in common; only a run has data. A tensor that is empty ends the
/// check.
void check_all(Check& check, const Arguments& call, bool with_data, Problem& problem) {
  Dim L{"L"}, K{"K"}, rows{"rows"};
  check_descriptor(check, call);
  check_shapes(check, call, L, K, rows);
  check_geometry(check, call, L, K, rows);
  auto all = check.tensors(call.indices, call.indice_pairs, call.out_indices, call.indice_num);
  all.contiguous();
  check.on_card("indices dim 0", L, at_most(1000000), MLUOP_STATUS_BAD_PARAM);
  all.size_limits().dtype(int32);
  check_sub_m(check, call);
  check.done_if_empty(call.indices, call.indice_pairs, call.out_indices, call.indice_num);
  if (with_data) all.data_present();
  check_counts(check, call, L);
  if (check.running()) fill(call, L, K, rows, problem);
}

}  // namespace

void check_query(Check& check, const Arguments& call, const std::size_t* workspace_size,
                 Problem& problem) {
  check_present(check, call);
  check.present("workspace_size", workspace_size);
  check.done_if_empty(call.indices, call.indice_pairs, call.out_indices, call.indice_num);
  check_all(check, call, false, problem);
}

void check_call(Check& check, const Arguments& call, Problem& problem) {
  check_present(check, call);
  check_all(check, call, true, problem);
}

void check_memory(Check& check, const Arguments& call, const Problem& problem,
                  const Region& workspace, std::size_t needed) {
  check.workspace(workspace.data, workspace.bytes, needed);
  if (problem.sub_m) {
    check.require("out_indices dim 0 with sub_m", problem.out_rows, at_least(problem.L));
  }
  check.no_overlap({call.indices}, {call.indice_pairs, call.out_indices, call.indice_num},
                   workspace);
}

}  // namespace mluop::sparse_conv::pairs
