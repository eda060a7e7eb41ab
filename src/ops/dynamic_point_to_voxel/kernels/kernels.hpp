// The loops of dynamic point to voxel, compiled per instruction set.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/dynamic_point_to_voxel/members.hpp"
#include "runtime/isa.hpp"

namespace mluop::dynamic_point_to_voxel {

/// Widens least[D] and most[D] to what rows of `coors` [rows, D] hold. Returns the rows without a negative
/// entry, which are the only ones that count.
using Survey = std::int64_t (*)(const std::int32_t* coors, std::int64_t rows, std::int64_t D,
                                std::int32_t* least, std::int32_t* most);

/// A packed row is origin + number of the point + the sum of its D entries, each shifted left.
struct RowFormat {
  std::int64_t D;
  const int* shifts;
  std::uint64_t origin;
};
/// Packs the `valid` rows without a negative entry among `rows` ones, of which the first has number `point`.
using Pack = void (*)(const RowFormat& format, const std::int32_t* coors, std::int64_t rows,
                      std::int64_t point, sorting::Narrow* to, std::int64_t valid);

struct RowKernels {
  Survey survey;
  Pack pack;
};

/// Members [begin, end) of whole voxels; more are readable, so that their rows can be prefetched.
struct MemberRun {
  const Member* members;
  std::int64_t begin, end, readable;
};

/// voxel_feats[v] = the maximum, the sum or the mean of feats[i] over the points i of v, in their order. All rows
/// have C channels. counts[v] is the number of the points of v.
template <class T>
struct Reduction {
  std::int64_t C;
  const T* feats;
  const std::int32_t* counts;
  T* voxel_feats;
};

/// Of a worker: room for the sums of some voxels, at least one row of most_row_bytes.
inline constexpr std::int64_t sums_bytes = 16 << 10;

template <class T>
using Reduce = void (*)(const Reduction<T>& of, const MemberRun& run, Compute<T>* sums);

template <class T>
struct Reduces {
  Reduce<T> max, sum, mean;
};

/// grad_feats[i] = grad_voxel_feats[v], or that over counts[v], v = map[i]; 0 where v is -1. There are voxels.
template <class T>
struct Spreading {
  std::int64_t C;
  const T* grad_voxel_feats;
  const std::int32_t* counts;
  const std::int32_t* map;
  std::int64_t points;
  T* grad_feats;
};
template <class T>
using Spread = void (*)(const Spreading<T>& of, std::int64_t begin, std::int64_t end);

/// grad_feats[i,c] = grad_voxel_feats[v,c] for the first point i of v with feats[i,c] == voxel_feats[v,c],
/// 0 for the other points of v.
template <class T>
struct Selection {
  std::int64_t C;
  const T* grad_voxel_feats;
  const T* feats;
  const T* voxel_feats;
  T* grad_feats;
};
template <class T>
using Select = void (*)(const Selection<T>& of, const MemberRun& run);

template <class T>
struct Gradients {
  Spread<T> sum, mean;
  Select<T> max;
};

extern const PerIsa<const RowKernels& (*)()> row_kernels;
extern const PerIsa<const PerDtype<Reduces>& (*)()> reduces;
extern const PerIsa<const PerDtype<Gradients>& (*)()> gradients;

template <class T>
const Reduces<T>& reduces_for(Isa isa) {
  return reduces[static_cast<std::size_t>(isa)]().of<T>();
}
template <class T>
const Gradients<T>& gradients_for(Isa isa) {
  return gradients[static_cast<std::size_t>(isa)]().of<T>();
}

}  // namespace mluop::dynamic_point_to_voxel
