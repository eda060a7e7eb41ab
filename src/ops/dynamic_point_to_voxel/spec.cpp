// The checks of both operators, in the order the contract gives.
#include "ops/dynamic_point_to_voxel/problem.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

constexpr DtypeSet floating_here{floating.all, bits_of(MLUOP_DTYPE_FLOAT)};

/// What the card has of on-chip memory for a point, a channel and a number.
constexpr std::int64_t on_chip_bytes = 380 << 10;

std::int32_t* integers(const Tensor& tensor) {
  return static_cast<std::int32_t*>(const_cast<void*>(tensor.data));
}

void* writable(const Tensor& tensor) { return const_cast<void*>(tensor.data); }

/// The rule of step 5 forward and 6 backward: all three reductions, of which the card has some.
void check_reduction(Check& check, mluOpReduceMode_t reduce_type, const Rule& of_card) {
  check
      .require("reduce_type", reduce_type,
               one_of(MLUOP_REDUCE_DSUM, MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DMAX))
      .on_card("reduce_type", reduce_type, of_card, MLUOP_STATUS_BAD_PARAM);
}

/// A limit of this library: points and voxels are numbered by int32.
void check_numbers(Check& check, const Dim& N) {
  check.support("feats dim 0", N, at_most(INT32_MAX));
}

/// There are no more voxels than points.
void check_rows(Check& check, const Dim& N, const Dim& R) {
  if (check.running()) check.require("feats dim 0", N, at_least(R.value()));
}

}  // namespace

void check_forward(Check& check, const ForwardArguments& call, Forward& problem) {
  const auto& [reduce_type, feats, coors, voxel_feats, voxel_coors, map, counts, voxel_num,
               workspace] = call;
  auto all = check.tensors(feats, coors, voxel_feats, voxel_coors, map, counts, voxel_num);
  all.present();
  check.tensors(feats, coors, voxel_feats, voxel_coors).rank(2);
  check.tensors(map, counts, voxel_num).rank(1);
  all.contiguous();
  check.tensors(feats).dtype(floating_here);
  check.tensors(coors, map).dtype(int32);
  check.tensors(feats, voxel_feats).same_dtype();
  check.tensors(coors, voxel_coors).same_dtype();
  check.tensors(map, counts, voxel_num).same_dtype();
  check_reduction(check, reduce_type, one_of(MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DMAX));

  Dim N{"N"}, R{"R"}, C{"C"}, D{"D"};
  check.dim(feats, 0, N).dim(coors, 0, N).dim(map, 0, N);
  check.dim(voxel_feats, 0, R).dim(voxel_coors, 0, R).dim(counts, 0, R).dim(voxel_num, 0, 1);
  check.dim(feats, 1, C).dim(voxel_feats, 1, C);
  check.dim(coors, 1, D).dim(voxel_coors, 1, D);
  check.on_card("coors dim 1", D, equal_to(3), MLUOP_STATUS_BAD_PARAM);
  check.require("coors dim 1", D, at_least(1));
  check_rows(check, N, R);
  check.tensors(feats, coors).size_limits();
  all.addressable();
  if (check.running() && (feats.desc->empty() || coors.desc->empty()) &&
      voxel_num.data != nullptr) {
    *integers(voxel_num) = 0;
  }
  check.done_if_empty(feats, coors);
  check.workspace(workspace.data, workspace.bytes, 0);
  all.data_present();
  check_numbers(check, N);
  if (!check.running()) return;
  check.no_overlap({feats, coors}, {voxel_feats, voxel_coors, map, counts, voxel_num}, workspace);
  problem = {feats.desc->dtype,
             reduce_type,
             N.value(),
             C.value(),
             D.value(),
             R.value(),
             feats.data,
             integers(coors),
             writable(voxel_feats),
             integers(voxel_coors),
             integers(map),
             integers(counts),
             integers(voxel_num)};
}

void check_backward(Check& check, const BackwardArguments& call, Backward& problem) {
  const auto& [reduce_type, grad_voxel_feats, feats, voxel_feats, map, counts, voxel_num,
               grad_feats, workspace] = call;
  auto all =
      check.tensors(grad_voxel_feats, feats, voxel_feats, map, counts, voxel_num, grad_feats);
  all.present();
  all.contiguous();
  check.tensors(grad_voxel_feats).dtype(floating_here);
  check.tensors(grad_voxel_feats, feats, voxel_feats, grad_feats).same_dtype();
  check.tensors(map, counts, voxel_num).dtype(int32);
  check.tensors(grad_voxel_feats, feats, voxel_feats).rank(2);
  check.tensors(map, counts, voxel_num).rank(1);
  check.tensors(grad_feats).rank(2);

  Dim N{"N"}, R{"R"}, C{"C"};
  check.dim(feats, 1, C).dim(grad_voxel_feats, 1, C);
  check.shape(voxel_feats, {R, C}).dim(grad_voxel_feats, 0, R);
  check.dim(feats, 0, N).dim(map, 0, N).dim(counts, 0, R).dim(voxel_num, 0, 1);
  check.shape(grad_feats, {N, C});
  check_rows(check, N, R);
  check_reduction(check, reduce_type, one_of(MLUOP_REDUCE_DMAX));
  check.tensors(grad_voxel_feats, feats).size_limits();
  if (check.running()) {
    const double bytes =
        5.0 * static_cast<double>(N.value()) + 20.0 * static_cast<double>(C.value());
    check.on_card("5 * N + 20 * C + 4", bytes + 4, at_most(on_chip_bytes), MLUOP_STATUS_BAD_PARAM);
  }
  all.addressable();
  check.done_if_empty(grad_feats);
  for (const Tensor& tensor :
       {grad_voxel_feats, feats, voxel_feats, map, counts, voxel_num, grad_feats}) {
    if (check.running() && !tensor.desc->empty()) check.tensors(tensor).data_present();
  }
  check.workspace(workspace.data, workspace.bytes, 0);
  check_numbers(check, N);
  if (!check.running()) return;
  check.no_overlap({grad_voxel_feats, feats, voxel_feats, map, counts, voxel_num}, {grad_feats},
                   workspace);
  problem = {feats.desc->dtype, reduce_type,           N.value(),           C.value(),
             R.value(),         grad_voxel_feats.data, feats.data,          voxel_feats.data,
             integers(map),     integers(counts),      integers(voxel_num), writable(grad_feats)};
}

}  // namespace mluop::dynamic_point_to_voxel
