// The loops of backward where tiles of points are summed one by one.
#include "ops/roiaware_pool3d/backward_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/tile_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/roiaware_pool3d/channels-inl.hpp"
#include "ops/roiaware_pool3d/indices-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

Survey survey_max(const Indices& indices, Occupied* occupied) {
  std::int32_t found[chunk_voxels + 1];
  const std::int64_t count = with_row_vectors(indices.row_size, [&](auto vectors) HWY_ATTR {
    return find_occupied_rows<vectors>(indices, found);
  });
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t C = indices.row_size;
    const Row row = row_of<true>(indices.rows + found[i] * C, C, indices);
    if (row.bad) return {0, false};
    occupied[i] = {found[i], row.tiles};
  }
  return {count, true};
}

Survey survey_average(const Indices& indices, Occupied* occupied) {
  std::int32_t counts[chunk_voxels], found[chunk_voxels + index_lanes];
  load_counts(indices, counts);
  const std::int64_t count = find_occupied(counts, indices.voxels, found);
  for (std::int64_t i = 0; i < count; ++i) {
    if (counts[found[i]] >= indices.row_size) return {0, false};
    const std::int32_t* const list = indices.rows + found[i] * indices.row_size;
    const Row row = row_of<false>(list + 1, list[0], indices);
    if (row.bad) return {0, false};
    occupied[i] = {found[i], row.tiles};
  }
  return {count, true};
}

/// The occupied voxels of a chunk with points in a tile.
class VoxelsInTile {
 public:
  HWY_INLINE VoxelsInTile(const Occupied* occupied, std::int64_t count, int tile) {
    const hn::ScalableTag<std::uint32_t> d;
    const hn::ScalableTag<std::int32_t> d32;
    const auto wanted = hn::Set(d, 1u << tile);
    std::int64_t i = 0;
    for (; i + index_lanes <= count; i += index_lanes) {
      const auto word = hn::LoadU(d, &occupied[i].word);
      const auto voxel = hn::BitCast(d32, hn::ShiftRight<most_tiles>(word));
      size_ += append(d, voxel, hn::TestBit(word, wanted), voxels_ + size_);
    }
    for (; i < count; ++i) {
      if ((occupied[i].tiles() >> tile & 1u) != 0) {
        voxels_[size_++] = static_cast<std::int32_t>(occupied[i].voxel());
      }
    }
  }

  std::int64_t size() const { return size_; }
  std::int64_t operator[](std::int64_t i) const { return voxels_[i]; }

 private:
  std::int32_t voxels_[chunk_voxels + index_lanes];
  std::int64_t size_ = 0;
};

/// Calls visit(voxel) for the occupied voxels with points in a tile, having asked for what it reads.
template <class T, class Visit>
HWY_INLINE void for_each_in_tile(const Scatter<T>& s, int tile, Visit&& visit) {
  constexpr std::int64_t ahead = 12;
  const VoxelsInTile voxels(s.occupied, s.occupied_count, tile);
  const auto ask_for = [&](std::int64_t i) {
    __builtin_prefetch(s.indices.rows + voxels[i] * s.indices.row_size);
    __builtin_prefetch(s.grad_out + voxels[i] * s.C);
  };
  for (std::int64_t i = 0; i < HWY_MIN(ahead, voxels.size()); ++i) ask_for(i);
  for (std::int64_t i = 0; i < voxels.size(); ++i) {
    if (i + ahead < voxels.size()) ask_for(i + ahead);
    visit(voxels[i]);
  }
}

/// Adds the chosen lanes of a vector of gradients to the sums of one point.
template <class D, class Real>
HWY_INLINE void add_lanes(D d, hn::Vec<D> gradient, hn::Mask<D> chosen, Real* sums) {
  const auto before = hn::LoadU(d, sums);
  hn::StoreU(hn::IfThenElse(chosen, hn::Add(before, gradient), before), d, sums);
}

/// Channels of a voxel that share their maximum are added together: most voxels of a sparse scene hold
/// one point or two.
template <class T>
HWY_INLINE void add_max_by_point(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const row = s.indices.rows + voxel * s.indices.row_size;
  const T* const gradients = s.grad_out + voxel * s.C;
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto index = load_indices(d, row + c);
    const auto first = static_cast<hn::TFromD<decltype(di)>>(s.first_point);
    const auto end = static_cast<hn::TFromD<decltype(di)>>(s.first_point + s.points - 1);
    const auto in_tile =
        hn::And(hn::Gt(index, hn::Set(di, first - 1)), hn::Not(hn::Gt(index, hn::Set(di, end))));
    const auto gradient = load_as(d, gradients + c);
    auto left = in_tile;
    for (auto lane = hn::FindFirstTrue(di, left); lane >= 0; lane = hn::FindFirstTrue(di, left)) {
      const std::int32_t point = row[c + lane];
      const auto same = hn::Eq(index, hn::Set(di, point));
      add_lanes(d, gradient, hn::RebindMask(d, same), s.sums + (point - s.first_point) * s.C + c);
      left = hn::AndNot(same, left);
    }
  });
}

/// Adds a voxel's share to those of its points that are in the tile.
template <class T>
HWY_INLINE void add_average_by_point(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  const std::int64_t count = list[0];
  const Real weight = Real(1) / static_cast<Real>(count);
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const auto share = hn::Mul(load_as(d, s.grad_out + voxel * s.C + c), hn::Set(d, weight));
    for (std::int64_t t = 1; t <= count; ++t) {
      const std::int64_t point = list[t] - s.first_point;
      if (point < 0 || point >= s.points) continue;
      Real* const sums = s.sums + point * s.C + c;
      hn::StoreU(hn::Add(hn::LoadU(d, sums), share), d, sums);
    }
  });
}

template <class T>
void add_max_in_tile(const Scatter<T>& scatter, int tile) {
  for_each_in_tile(scatter, tile,
                   [&](std::int64_t voxel) HWY_ATTR { add_max_by_point(scatter, voxel); });
}

template <class T>
void add_average_in_tile(const Scatter<T>& scatter, int tile) {
  for_each_in_tile(scatter, tile,
                   [&](std::int64_t voxel) HWY_ATTR { add_average_by_point(scatter, voxel); });
}

template <class T>
void convert(const Compute<T>* sums, T* to, std::int64_t count) {
  using Real = Compute<T>;
  for_each_vector<Real, full_lanes<Real>()>(
      count, [&](auto d, std::int64_t i) HWY_ATTR { store_as(d, hn::LoadU(d, sums + i), to + i); });
}

template <class T>
constexpr TileKernels<T> kernels_for() {
  return {add_max_in_tile<T>, add_average_in_tile<T>, convert<T>};
}

const TileKernelSet& tile_set() {
  static constexpr TileKernelSet all{
      survey_max,
      survey_average,
      {kernels_for<float>(), kernels_for<double>(), kernels_for<Half>(), kernels_for<BFloat16>()}};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const TileKernelSet& (*)()> tile_kernels = MLUOP_PER_ISA(tile_set);

}  // namespace mluop::roiaware_pool3d
#endif
