#include "ops/dynamic_point_to_voxel/kit/loops.hpp"

#include <algorithm>
#include <limits>

#include "ops/dynamic_point_to_voxel/kit/voxel_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::HostTensor;
using testing::LoopSettings;

std::int32_t* ints(HostTensor& tensor) { return static_cast<std::int32_t*>(tensor.data()); }
const std::int32_t* ints(const HostTensor& tensor) {
  return static_cast<const std::int32_t*>(tensor.data());
}

/// Sorts the valid points by their rows, and writes the outputs of integers.
PointLists sort_rows(const HostTensor& coors, Tensors& outputs) {
  const std::int64_t N = coors.dims()[0], D = coors.dims()[1];
  const std::int32_t* const rows = ints(coors);
  const auto row = [&](std::int32_t i) { return rows + i * D; };
  PointLists lists;
  std::fill_n(ints(outputs[2]), N, -1);
  for (std::int32_t i = 0; i < N; ++i) {
    if (std::all_of(row(i), row(i) + D, [](std::int32_t entry) { return entry >= 0; })) {
      lists.points.push_back(i);
    }
  }
  std::sort(lists.points.begin(), lists.points.end(), [&](std::int32_t a, std::int32_t b) {
    for (std::int64_t j = 0; j < D; ++j) {
      if (row(a)[j] != row(b)[j]) return row(a)[j] < row(b)[j];
    }
    return a < b;
  });
  for (std::size_t p = 0; p < lists.points.size(); ++p) {
    const std::int32_t i = lists.points[p];
    if (p == 0 || !std::equal(row(i), row(i) + D, row(lists.points[p - 1]))) {
      std::copy_n(row(i), D, ints(outputs[1]) + std::ssize(lists.begins) * D);
      lists.begins.push_back(static_cast<std::int64_t>(p));
    }
    ints(outputs[2])[i] = static_cast<std::int32_t>(lists.begins.size() - 1);
  }
  lists.begins.push_back(std::ssize(lists.points));
  const std::int64_t M = std::ssize(lists.begins) - 1, R = outputs[3].dims()[0];
  for (std::int64_t v = 0; v < M; ++v) {
    const auto at = static_cast<std::size_t>(v);
    ints(outputs[3])[v] = static_cast<std::int32_t>(lists.begins[at + 1] - lists.begins[at]);
  }
  std::fill(ints(outputs[1]) + M * D, ints(outputs[1]) + R * D, -1);
  std::fill(ints(outputs[3]) + M, ints(outputs[3]) + R, 0);
  *ints(outputs[4]) = static_cast<std::int32_t>(M);
  return lists;
}

/// A counting sort of the points by voxel.
PointLists lists_of(const HostTensor& map, std::int64_t M) {
  const std::int64_t N = map.count();
  PointLists lists;
  lists.begins.assign(static_cast<std::size_t>(M + 1), 0);
  for (std::int64_t i = 0; i < N; ++i) {
    if (ints(map)[i] >= 0) ++lists.begins[static_cast<std::size_t>(ints(map)[i]) + 1];
  }
  for (std::size_t v = 0; v < static_cast<std::size_t>(M); ++v)
    lists.begins[v + 1] += lists.begins[v];
  lists.points.resize(static_cast<std::size_t>(lists.begins.back()));
  std::vector<std::int64_t> next(lists.begins);
  for (std::int32_t i = 0; i < N; ++i) {
    if (ints(map)[i] < 0) continue;
    lists.points[static_cast<std::size_t>(next[static_cast<std::size_t>(ints(map)[i])]++)] = i;
  }
  return lists;
}

/// Calls visit(v, points) for each voxel.
template <class Visit>
void for_each_voxel(const PointLists& lists, std::int64_t C, int threads, Visit&& visit) {
  constexpr std::int64_t grain = 256;
  const std::int64_t M = std::ssize(lists.begins) - 1;
  parallel_for(threads, M, grain, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t v = first; v < last; ++v) {
      const auto at = static_cast<std::size_t>(v);
      const std::int64_t begin = lists.begins[at];
      visit(v, LoopPoints{lists.points.data() + begin, lists.begins[at + 1] - begin, C});
    }
  });
}

template <class Real>
Real rest_of(mluOpReduceMode_t reduce_type) {
  return reduce_type == MLUOP_REDUCE_DMAX ? -std::numeric_limits<Real>::infinity() : Real(0);
}

template <class Real>
struct Rows {
  const Real *feats, *voxel_feats, *gradient;
  Real* to;
};

template <class Real>
void reduce_all(const VoxelLoops<Real>& loops, mluOpReduceMode_t reduce_type,
                const PointLists& lists, const Rows<Real>& rows, std::int64_t C, std::int64_t R,
                int threads) {
  for_each_voxel(lists, C, threads, [&](std::int64_t v, const LoopPoints& points) {
    loops.reduce(reduce_type, points, rows.feats, rows.to + v * C);
  });
  const std::int64_t M = std::ssize(lists.begins) - 1;
  std::fill(rows.to + M * C, rows.to + R * C, rest_of<Real>(reduce_type));
}

template <class Real>
void give_all(const VoxelLoops<Real>& loops, mluOpReduceMode_t reduce_type, const PointLists& lists,
              const Rows<Real>& rows, const Tensors& inputs, int threads) {
  const std::int64_t N = inputs[1].dims()[0], C = inputs[1].dims()[1];
  const std::int32_t *const map = ints(inputs[3]), *const counts = ints(inputs[4]);
  for (std::int64_t i = 0; i < N; ++i) {
    if (map[i] < 0) std::fill_n(rows.to + i * C, C, Real(0));
  }
  for_each_voxel(lists, C, threads, [&](std::int64_t v, const LoopPoints& points) {
    if (reduce_type == MLUOP_REDUCE_DMAX) {
      loops.select(points, rows.feats, rows.voxel_feats + v * C, rows.gradient + v * C, rows.to);
    } else {
      const Real divisor =
          reduce_type == MLUOP_REDUCE_DSUM ? Real(1) : static_cast<Real>(counts[v]);
      loops.share(points, rows.gradient + v * C, divisor, rows.to);
    }
  });
}

}  // namespace

template <class Real>
void VoxelLoopsRun::forward(mluOpReduceMode_t reduce_type, const Tensors& inputs, Tensors& outputs,
                            const LoopSettings& settings) {
  lists_ = sort_rows(inputs[1], outputs);
  const Rows<Real> rows{feats_.read<Real>(inputs[0], settings), nullptr, nullptr,
                        result_.write<Real>(outputs[0])};
  reduce_all(voxel_loops<Real>(settings.isa), reduce_type, lists_, rows, inputs[0].dims()[1],
             outputs[0].dims()[0], settings.threads);
}

template <class Real>
void VoxelLoopsRun::backward(mluOpReduceMode_t reduce_type, const Tensors& inputs, Tensors& outputs,
                             const LoopSettings& settings) {
  lists_ = lists_of(inputs[3], *ints(inputs[5]));
  const Rows<Real> rows{feats_.read<Real>(inputs[1], settings),
                        voxel_feats_.read<Real>(inputs[2], settings),
                        gradient_.read<Real>(inputs[0], settings), result_.write<Real>(outputs[0])};
  give_all(voxel_loops<Real>(settings.isa), reduce_type, lists_, rows, inputs, settings.threads);
}

void VoxelLoopsRun::run(const Direction& direction, mluOpReduceMode_t reduce_type,
                        const Tensors& inputs, Tensors& outputs, const LoopSettings& settings) {
  testing::in_loop_type(inputs[0].dtype(), [&]<class Real>(Real) {
    direction.backward ? backward<Real>(reduce_type, inputs, outputs, settings)
                       : forward<Real>(reduce_type, inputs, outputs, settings);
  });
  result_.store(outputs[0], settings);
}

void serial_run(const Direction& direction, mluOpReduceMode_t reduce_type, const Tensors& inputs,
                Tensors& outputs) {
  const VoxelLoops<float>& loops = voxel_loops<float>(Isa::generic);
  const auto floats = [](const HostTensor& tensor) {
    return static_cast<const float*>(tensor.data());
  };
  auto* const to = static_cast<float*>(outputs[0].data());
  if (direction.backward) {
    const Rows<float> rows{floats(inputs[1]), floats(inputs[2]), floats(inputs[0]), to};
    give_all(loops, reduce_type, lists_of(inputs[3], *ints(inputs[5])), rows, inputs, 1);
  } else {
    reduce_all(loops, reduce_type, sort_rows(inputs[1], outputs),
               {floats(inputs[0]), nullptr, nullptr, to}, inputs[0].dims()[1], outputs[0].dims()[0],
               1);
  }
}

}  // namespace mluop::dynamic_point_to_voxel
