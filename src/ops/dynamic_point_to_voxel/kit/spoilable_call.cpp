// From spoilt arguments to the C API.
#include "ops/dynamic_point_to_voxel/kit/spoilable_call.hpp"

#include <algorithm>

namespace mluop::dynamic_point_to_voxel::checks {
namespace {

struct Descriptors {
  explicit Descriptors(const Args& args)
      : feats(args.feats.make_descriptor()),
        coors(args.coors.make_descriptor()),
        voxel_feats(args.voxel_feats.make_descriptor()),
        voxel_coors(args.voxel_coors.make_descriptor()),
        map(args.map.make_descriptor()),
        counts(args.counts.make_descriptor()),
        voxel_num(args.voxel_num.make_descriptor()),
        grad_voxel_feats(args.grad_voxel_feats.make_descriptor()),
        grad_feats(args.grad_feats.make_descriptor()) {}
  testing::Descriptor feats, coors, voxel_feats, voxel_coors, map, counts, voxel_num,
      grad_voxel_feats, grad_feats;
};

template <class Element>
bool only(const std::vector<Element>& values, double value) {
  return std::ranges::all_of(values,
                             [value](Element one) { return one == static_cast<Element>(value); });
}

}  // namespace

void Args::prepare(const Direction& direction) {
  forward_ = !direction.backward;
  if (!forward_) return;
  std::ranges::fill(voxel_feats_data, sentinel);
  for (auto* written : {&map_data, &counts_data, &voxel_num_data}) {
    std::ranges::fill(*written, static_cast<std::int32_t>(sentinel));
  }
}

bool Args::outputs_untouched() const {
  if (!forward_) return only(grad_feats_data, sentinel);
  return only(voxel_feats_data, sentinel) && only(voxel_coors_data, sentinel) &&
         only(map_data, sentinel) && only(counts_data, sentinel) && only(voxel_num_data, sentinel);
}

void Args::sizes(std::int64_t N, std::int64_t C, std::int64_t R) {
  feats.dims = grad_feats.dims = {N, C};
  voxel_feats.dims = grad_voxel_feats.dims = {R, C};
  coors.dims[0] = map.dims[0] = N;
  voxel_coors.dims[0] = counts.dims[0] = R;
}

void Args::data(bool present) {
  for (const Direction* direction : directions) {
    for (const Named& named : tensors_of(*direction)) (this->*named.tensor).has_data = present;
  }
}

mluOpStatus_t call(const Direction& direction, Args& args) {
  testing::Handle own;
  own.limits(args.limits).threads(args.threads);
  const Descriptors desc(args);
  const mluOpHandle_t handle = args.has_handle ? own.get() : nullptr;
  const auto reduce_type = static_cast<mluOpReduceMode_t>(args.reduce_type);
  void* const feats = args.feats.data(args.feats_data);
  void* const voxel_feats = args.voxel_feats.data(args.voxel_feats_data);
  void* const map = args.map.data(args.map_data);
  void* const counts = args.counts.data(args.counts_data);
  void* const voxel_num = args.voxel_num.data(args.voxel_num_data);
  if (direction.backward) {
    return mluOpDynamicPointToVoxelBackward(
        handle, reduce_type, desc.grad_voxel_feats.get(),
        args.grad_voxel_feats.data(args.grad_voxel_feats_data), desc.feats.get(), feats,
        desc.voxel_feats.get(), voxel_feats, desc.map.get(), map, desc.counts.get(), counts,
        desc.voxel_num.get(), voxel_num, args.workspace, args.workspace_size, desc.grad_feats.get(),
        args.grad_feats.data(args.grad_feats_data));
  }
  return mluOpDynamicPointToVoxelForward(
      handle, reduce_type, desc.feats.get(), feats, desc.coors.get(),
      args.coors.data(args.coors_data), args.workspace, args.workspace_size, desc.voxel_feats.get(),
      voxel_feats, desc.voxel_coors.get(), args.voxel_coors.data(args.voxel_coors_data),
      desc.map.get(), map, desc.counts.get(), counts, desc.voxel_num.get(), voxel_num);
}

mluOpStatus_t query(const Direction& direction, Args& args, bool has_size) {
  testing::Handle own;
  own.limits(args.limits);
  const Descriptors desc(args);
  const mluOpHandle_t handle = args.has_handle ? own.get() : nullptr;
  std::size_t* const size = has_size ? &args.workspace_size : nullptr;
  if (!direction.backward) {
    return mluOpGetDynamicPointToVoxelForwardWorkspaceSize(handle, desc.feats.get(),
                                                           desc.coors.get(), size);
  }
  return mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(
      handle, static_cast<mluOpReduceMode_t>(args.reduce_type), desc.grad_voxel_feats.get(),
      desc.feats.get(), desc.voxel_feats.get(), desc.map.get(), desc.counts.get(),
      desc.voxel_num.get(), size);
}

std::vector<Named> tensors_of(const Direction& direction) {
  if (direction.backward) {
    return {{"grad_voxel_feats", &Args::grad_voxel_feats},
            {"feats", &Args::feats},
            {"voxel_feats", &Args::voxel_feats},
            {"point2voxel_map", &Args::map},
            {"voxel_points_count", &Args::counts},
            {"voxel_num", &Args::voxel_num},
            {"grad_feats", &Args::grad_feats}};
  }
  return {{"feats", &Args::feats},
          {"coors", &Args::coors},
          {"voxel_feats", &Args::voxel_feats},
          {"voxel_coors", &Args::voxel_coors},
          {"point2voxel_map", &Args::map},
          {"voxel_points_count", &Args::counts},
          {"voxel_num", &Args::voxel_num}};
}

void BadCalls::expect_refused(mluOpCpuLimits_t limits) const {
  const auto make_valid = [this, limits] {
    Args args;
    args.limits = limits;
    args.prepare(direction_);
    return args;
  };
  table.expect_refused(direction_.function, testing::mode_of(limits), make_valid,
                       [this](Args& args) { return call(direction_, args); });
}

}  // namespace mluop::dynamic_point_to_voxel::checks
