// The loops of backward, written once for every vector width and compiled per instruction set.
#include "ops/roiaware_pool3d/backward_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/backward_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/roiaware_pool3d/channels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

constexpr int index_lanes = full_lanes<std::int32_t>();

/// The bits of all lanes together.
template <class D>
HWY_INLINE std::uint32_t any_bit(D d, hn::Vec<D> value) {
  std::size_t step = 1;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) >= 4) {
    value = hn::Or(value, hn::Shuffle1032(value));
    value = hn::Or(value, hn::Shuffle2301(value));
    step = 4;
  }
#endif
  std::uint32_t lanes[index_lanes], all = 0;
  hn::StoreU(value, d, lanes);
  for (std::size_t i = 0; i < hn::MaxLanes(D()); i += step) all |= lanes[i];
  return all;
}

/// What a row of indices holds.
struct Row {
  std::uint32_t tiles = 0;
  bool bad = false;
};

/// Each index is a point, or -1 if `none_allowed`. `count` is at least the lanes of D.
template <bool none_allowed, class D>
HWY_INLINE Row row_of_vectors(D d, const std::int32_t* row, std::int64_t count,
                              const Indices& indices) {
  const hn::RebindToUnsigned<D> du;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  const auto none = hn::Set(d, -1), last = hn::Set(d, indices.last_point);
  auto tiles = hn::Zero(du);
  auto bad = hn::Zero(d);
  for (std::int64_t i = 0;; i += lanes) {
    const auto index = hn::LoadU(d, row + HWY_MIN(i, count - lanes));
    const auto is_point = hn::Gt(index, none);
    const auto low = none_allowed ? hn::Lt(index, none) : hn::Not(is_point);
    bad = hn::Or(bad, hn::VecFromMask(d, hn::Or(low, hn::Gt(index, last))));
    const auto tile = hn::ShiftRightSame(hn::BitCast(du, index), indices.tile_shift);
    const auto bit = hn::Shl(hn::Set(du, 1u), hn::Min(tile, hn::Set(du, 31u)));
    tiles = hn::Or(tiles, hn::IfThenElseZero(hn::RebindMask(du, is_point), bit));
    if (i + lanes >= count) break;
  }
  return {any_bit(du, tiles), !hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)))};
}

template <bool none_allowed, int lanes = index_lanes>
HWY_INLINE Row row_of(const std::int32_t* row, std::int64_t count, const Indices& indices) {
  if constexpr (lanes > 1) {
    if (count < lanes) return row_of<none_allowed, lanes / 2>(row, count, indices);
  }
  return row_of_vectors<none_allowed>(hn::CappedTag<std::int32_t, lanes>(), row, count, indices);
}

/// Asks for a cache line that is needed later, wherever memory ends. Into L2: with it, twice as many
/// lines are under way at a time as on the way to L1.
HWY_INLINE void prefetch(const void* base, std::int64_t bytes) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) +
                                                   static_cast<std::uintptr_t>(bytes)),
                     0, 2);
}

/// The number of leading entries that are -1, in steps of whole vectors.
HWY_INLINE std::int64_t none_until(const std::int32_t* from, std::int64_t count) {
  const hn::ScalableTag<std::int32_t> d;
  std::int64_t i = 0;
  constexpr std::int64_t ahead =
      2048;  // bytes: further than the hardware looks, which stops at pages
  for (; i + index_lanes <= count; i += index_lanes) {
    prefetch(from + i, ahead);
    if (!hn::AllTrue(d, hn::Eq(hn::LoadU(d, from + i), hn::Set(d, -1)))) break;
  }
  return i;
}

Survey survey_max(const Indices& indices, Occupied* occupied) {
  const std::int64_t C = indices.row_size, entries = indices.voxels * C;
  std::int64_t count = 0;
  for (std::int64_t voxel = 0; voxel < indices.voxels; ++voxel) {
    // Most voxels of a sparse scene are empty.
    voxel += none_until(indices.rows + voxel * C, entries - voxel * C) / C;
    if (voxel >= indices.voxels) break;
    const Row row = row_of<true>(indices.rows + voxel * C, C, indices);
    if (row.bad) return {0, 0, false, true};
    if (row.tiles != 0) occupied[count++] = {voxel, row.tiles};
  }
  return {count, count, true, true};
}

Survey survey_average(const Indices& indices, Occupied* occupied) {
  // Counts lie a whole list apart: without asking ahead, each of them is waited for.
  constexpr std::int64_t ahead = 32;
  // A longer list lies on more cache lines than its count; it may have to be read again anyway.
  constexpr std::int32_t short_list = 31;
  Survey survey{0, 0, true, true};
  for (std::int64_t voxel = 0; voxel < indices.voxels; ++voxel) {
    const std::int32_t* const list = indices.rows + voxel * indices.row_size;
    prefetch(list, 4 * ahead * indices.row_size);
    const std::int32_t count = list[0];
    if (count <= 0) continue;
    if (count >= indices.row_size) return {0, 0, false, true};
    Row row{Occupied::every_tile, false};
    if (count <= short_list) {
      row = row_of<false>(list + 1, count, indices);
    } else {
      survey.complete = false;
    }
    if (row.bad) return {0, 0, false, true};
    occupied[survey.occupied++] = {voxel, row.tiles};
    survey.rows += count;
  }
  return survey;
}

bool complete(const Indices& indices, Occupied* occupied, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (occupied[i].tiles() != Occupied::every_tile) continue;
    const std::int32_t* const list = indices.rows + occupied[i].voxel() * indices.row_size;
    const Row row = row_of<false>(list + 1, list[0], indices);
    if (row.bad) return false;
    occupied[i] = {occupied[i].voxel(), row.tiles};
  }
  return true;
}

/// The occupied voxels of a chunk with points in a tile.
class VoxelsInTile {
 public:
  HWY_INLINE VoxelsInTile(const Occupied* occupied, std::int64_t count, int tile) {
    const hn::ScalableTag<std::uint32_t> d;
    const auto wanted = hn::Set(d, 1u << tile);
    std::int64_t i = 0;
    for (; i + index_lanes <= count; i += index_lanes) {
      const auto word = hn::LoadU(d, &occupied[i].word);
      const auto here = hn::TestBit(word, wanted);
      hn::StoreU(hn::Compress(hn::ShiftRight<most_tiles>(word), here), d, voxels_ + size_);
      size_ += static_cast<std::int64_t>(hn::CountTrue(d, here));
    }
    for (; i < count; ++i) {
      if ((occupied[i].tiles() >> tile & 1u) != 0) {
        voxels_[size_++] = static_cast<std::uint32_t>(occupied[i].voxel());
      }
    }
  }

  std::int64_t size() const { return size_; }
  std::int64_t operator[](std::int64_t i) const { return voxels_[i]; }

 private:
  std::uint32_t voxels_[chunk_voxels + index_lanes];
  std::int64_t size_ = 0;
};

/// Calls visit(voxel) for the occupied voxels with points in a tile, having asked for what it reads.
template <class T, class Visit>
HWY_INLINE void for_each_in_tile(const Scatter<T>& s, int tile, Visit&& visit) {
  constexpr std::int64_t ahead = 12;
  const VoxelsInTile voxels(s.occupied, s.occupied_count, tile);
  const auto ask_for = [&](std::int64_t i) {
    __builtin_prefetch(s.rows + voxels[i] * s.row_size);
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

/// The indices of a vector of channels in lanes as wide as the gradients.
template <class D>
HWY_INLINE auto load_indices(D /*d*/, const std::int32_t* from) {
  const hn::RebindToSigned<D> di;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::int32_t, D>(), from));
  } else {
    return hn::LoadU(di, from);
  }
}

/// Channels of a voxel that share their maximum are added together: most voxels of a sparse scene hold
/// one point or two.
template <class T>
HWY_INLINE void add_max_by_point(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const row = s.rows + voxel * s.row_size;
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

/// Where channels mostly have maxima of their own, one at a time is faster.
template <class T>
HWY_INLINE void add_max_by_channel(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const row = s.rows + voxel * s.row_size;
  const T* const gradients = s.grad_out + voxel * s.C;
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto index = load_indices(d, row + c);
    const auto gradient = load_as(d, gradients + c);
    const std::int32_t point = row[c];
    if (point >= 0 && hn::AllTrue(di, hn::Eq(index, hn::Set(di, point)))) {
      Real* const sums = s.sums + point * s.C + c;
      hn::StoreU(hn::Add(hn::LoadU(d, sums), gradient), d, sums);
      return;
    }
    Real lanes[full_lanes<Real>()];
    hn::StoreU(gradient, d, lanes);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      const std::int64_t at = row[c + static_cast<std::int64_t>(i)];
      if (at >= 0) s.sums[at * s.C + c + static_cast<std::int64_t>(i)] += lanes[i];
    }
  });
}

template <bool in_tile, class T>
HWY_INLINE void add_average_of(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const list = s.rows + voxel * s.row_size;
  const std::int64_t count = list[0];
  const Real weight = Real(1) / static_cast<Real>(count);
  const T* const gradients = s.grad_out + voxel * s.C;
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const auto share = hn::Mul(load_as(d, gradients + c), hn::Set(d, weight));
    for (std::int64_t t = 1; t <= count; ++t) {
      const std::int64_t point = list[t] - s.first_point;
      if (in_tile && static_cast<std::uint64_t>(point) >= static_cast<std::uint64_t>(s.points)) {
        continue;
      }
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
                   [&](std::int64_t voxel) HWY_ATTR { add_average_of<true>(scatter, voxel); });
}

template <class T>
bool add_max(const Scatter<T>& scatter) {
  for (std::int64_t i = 0; i < scatter.occupied_count; ++i) {
    add_max_by_channel(scatter, scatter.occupied[i].voxel());
  }
  return true;
}

/// Asks for what is needed some voxels later: first the line of the count, then, when that has arrived,
/// the lines of the points. Left alone, reading lists takes as long as adding up.
template <class T>
HWY_INLINE void prefetch_voxels(const Scatter<T>& s, std::int64_t i) {
  constexpr std::int64_t first = 16, second = 6, line = 16;
  if (i + first >= s.occupied_count) return;
  const std::int64_t voxel = s.occupied[i + first].voxel();
  prefetch(s.rows + voxel * s.row_size, 0);
  prefetch(s.grad_out + voxel * s.C, 0);
  const std::int32_t* const list = s.rows + s.occupied[i + second].voxel() * s.row_size;
  for (std::int64_t t = line; t <= list[0]; t += line) prefetch(list + t, 0);
}

template <class T>
bool add_average(const Scatter<T>& scatter) {
  const Indices indices{scatter.rows, scatter.row_size, 0, scatter.last_point, 0};
  for (std::int64_t i = 0; i < scatter.occupied_count; ++i) {
    prefetch_voxels(scatter, i);
    const std::int64_t voxel = scatter.occupied[i].voxel();
    const std::int32_t* const list = scatter.rows + voxel * scatter.row_size;
    if (row_of<false>(list + 1, list[0], indices).bad) return false;
    add_average_of<false>(scatter, voxel);
  }
  return true;
}

template <class T>
void collect(const Compute<T>* sums, std::int64_t pitch, std::int64_t parts, T* to,
             std::int64_t count) {
  using Real = Compute<T>;
  for_each_vector<Real, full_lanes<Real>()>(count, [&](auto d, std::int64_t i) HWY_ATTR {
    auto sum = hn::LoadU(d, sums + i);
    for (std::int64_t part = 1; part < parts; ++part) {
      sum = hn::Add(sum, hn::LoadU(d, sums + part * pitch + i));
    }
    store_as(d, sum, to + i);
  });
}

template <class T>
constexpr BackwardKernels<T> kernels_for() {
  return {add_max_in_tile<T>, add_average_in_tile<T>, add_max<T>, add_average<T>, collect<T>};
}

const BackwardKernelSet& backward_set() {
  static constexpr BackwardKernelSet all{survey_max,
                                         survey_average,
                                         complete,
                                         kernels_for<float>(),
                                         kernels_for<double>(),
                                         kernels_for<Half>(),
                                         kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const BackwardKernelSet& (*)()> backward_kernels = MLUOP_PER_ISA(backward_set);

}  // namespace mluop::roiaware_pool3d
#endif
