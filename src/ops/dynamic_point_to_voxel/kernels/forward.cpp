// The reductions over the points of a voxel, compiled per instruction set.
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/dynamic_point_to_voxel/kernels/forward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/greater-inl.hpp"
#include "ops/dynamic_point_to_voxel/kernels/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::greater;

struct Max {
  template <class D>
  static HWY_INLINE hn::Vec<D> start(D d) {
    return hn::Neg(hn::Inf(d));
  }
  template <class V>
  static HWY_INLINE V add(V so_far, V row) {
    return greater(row, so_far);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> finish(D /*d*/, hn::Vec<D> all, std::int32_t /*count*/) {
    return all;
  }
};

struct Sum {
  template <class D>
  static HWY_INLINE hn::Vec<D> start(D d) {
    return hn::Zero(d);
  }
  template <class V>
  static HWY_INLINE V add(V so_far, V row) {
    return hn::Add(so_far, row);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> finish(D /*d*/, hn::Vec<D> all, std::int32_t /*count*/) {
    return all;
  }
};

struct Mean : Sum {
  template <class D>
  static HWY_INLINE hn::Vec<D> finish(D d, hn::Vec<D> all, std::int32_t count) {
    return hn::Div(all, hn::Set(d, static_cast<hn::TFromD<D>>(count)));
  }
};

/// One piece of the rows. Nothing branches on how many points a voxel has, which cannot be predicted: each point
/// stores what its voxel has so far, and the last one stores all of it.
template <class Fold, class T>
struct ReducePiece {
  const Reduction<T>& of;
  const MemberRun& run;
  Compute<T>* sums;

  template <class P>
  HWY_NOINLINE void operator()(const P piece) const {
    constexpr std::int64_t rows =
        sums_bytes / static_cast<std::int64_t>(sizeof(Compute<T>)) / P::pitch;
    std::int64_t p = run.begin;
    while (p < run.end) {
      const std::int64_t first = voxel_of(run.members[p]);
      std::int64_t last = first;
      p = fold_tile(piece, p, first, first + rows, last);
      finish_tile(piece, first, last);
    }
  }

  /// From member p on, those of voxels before `limit`; returns the member after them, and the last voxel.
  template <class P>
  HWY_INLINE std::int64_t fold_tile(const P& piece, std::int64_t p, std::int64_t first,
                                    std::int64_t limit, std::int64_t& last) const {
    using A = Ahead<T, P>;
    const auto d = piece.d;
    const Member* const members = run.members;
    const T* const feats = of.feats;
    Compute<T>* const to = sums;
    const std::int64_t C = of.C, end = run.end, fetched = run.readable - A::rows;
    const auto start = Fold::start(d);
    hn::Vec<decltype(piece.d)> so_far[P::vectors];
    HWY_UNROLL(8)
    for (int k = 0; k < P::vectors; ++k) so_far[k] = start;
    std::int64_t previous = first;
    for (; p < end; ++p) {
      if (p < fetched) {
        A::fetch(piece, feats + point_of(members[p + A::rows]) * C);
      }
      const std::int64_t voxel = voxel_of(members[p]);
      if (voxel >= limit) break;
      const T* const row = feats + point_of(members[p]) * C;
      const auto same = if_same(d, voxel == previous);
      previous = voxel;
      HWY_UNROLL(8)
      for (int k = 0; k < P::vectors; ++k) {
        so_far[k] =
            Fold::add(hn::IfVecThenElse(same, so_far[k], start), load_as(d, row + piece.at(k)));
        hn::StoreU(so_far[k], d, to + (voxel - first) * P::pitch + k * P::lanes);
      }
    }
    last = previous;
    return p;
  }

  template <class P>
  HWY_INLINE void finish_tile(const P& piece, std::int64_t first, std::int64_t last) const {
    const auto d = piece.d;
    const std::int64_t C = of.C;
    const std::int32_t* const counts = of.counts;
    T* const to = of.voxel_feats;
    const Compute<T>* from = sums;
    for (std::int64_t voxel = first; voxel <= last; ++voxel, from += P::pitch) {
      const std::int32_t count = counts[voxel];
      HWY_UNROLL(8)
      for (int k = 0; k < P::vectors; ++k) {
        const auto all = hn::LoadU(d, from + k * P::lanes);
        store_as(d, Fold::finish(d, all, count), to + voxel * C + piece.at(k));
      }
    }
  }
};

template <class Fold, class T>
void reduce(const Reduction<T>& of, const MemberRun& run, Compute<T>* sums) {
  for_each_piece<Compute<T>>(of.C, ReducePiece<Fold, T>{of, run, sums});
}

template <class T>
constexpr Reduces<T> reduces_of{reduce<Max, T>, reduce<Sum, T>, reduce<Mean, T>};

const PerDtype<Reduces>& reduces_of_level() {
  static constexpr PerDtype<Reduces> all{reduces_of<float>, reduces_of<double>, reduces_of<Half>,
                                         reduces_of<BFloat16>};
  return all;
}

}  // namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::dynamic_point_to_voxel {

const PerIsa<const PerDtype<Reduces>& (*)()> reduces = MLUOP_PER_ISA(reduces_of_level);

}  // namespace mluop::dynamic_point_to_voxel
#endif
