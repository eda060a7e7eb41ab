// The gradients of the points, compiled per instruction set.
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/dynamic_point_to_voxel/kernels/backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/dynamic_point_to_voxel/kernels/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE {

/// Rows of grad_voxel_feats to points [begin, end). Points without a voxel read row 0 and store zeros, so that
/// nothing branches on them.
template <bool mean, class T>
struct SpreadPiece {
  const Spreading<T>& of;
  std::int64_t begin, end;

  template <class P>
  HWY_NOINLINE void operator()(const P piece) const {
    using A = Ahead<T, P>;
    const auto d = piece.d;
    const Spreading<T> all = of;  // a copy that no store can change
    const std::int64_t C = all.C, fetched = all.points - A::rows;
    for (std::int64_t i = begin; i < end; ++i) {
      if (i < fetched) {
        A::fetch(piece, all.grad_voxel_feats + row_of(all.map[i + A::rows]) * C);
      }
      const std::int64_t voxel = row_of(all.map[i]);
      const auto kept = if_same(d, all.map[i] >= 0);
      const T* const from = all.grad_voxel_feats + voxel * C;
      T* const to = all.grad_feats + i * C;
      HWY_UNROLL(8)
      for (int k = 0; k < P::vectors; ++k) {
        auto value = load_as(d, from + piece.at(k));
        if constexpr (mean) {
          value = hn::Div(value, hn::Set(d, static_cast<Compute<T>>(all.counts[voxel])));
        }
        store_as(d, hn::And(kept, value), to + piece.at(k));
      }
    }
  }

  static HWY_INLINE std::int64_t row_of(std::int32_t voxel) { return HWY_MAX(voxel, 0); }
};

/// The rows of whole voxels. `open` are the channels of which no point has been found yet.
template <class T>
struct SelectPiece {
  const Selection<T>& of;
  const MemberRun& run;

  template <class P>
  HWY_NOINLINE void operator()(const P piece) const {
    using A = Ahead<T, P>;
    const auto d = piece.d;
    const Selection<T> all = of;  // copies that no store can change
    const Member* const members = run.members;
    const std::int64_t C = all.C, end = run.end, fetched = run.readable - A::rows;
    hn::Vec<decltype(piece.d)> taken[P::vectors];
    HWY_UNROLL(8)
    for (int k = 0; k < P::vectors; ++k) taken[k] = hn::Zero(d);
    std::int64_t previous = -1;
    for (std::int64_t p = run.begin; p < end; ++p) {
      if (p < fetched) {
        const std::int64_t later = point_of(members[p + A::rows]) * C;
        A::fetch(piece, all.feats + later);
        A::fetch(piece, all.grad_feats + later);
      }
      const std::int64_t voxel = voxel_of(members[p]), point = point_of(members[p]);
      const auto same = if_same(d, voxel == previous);
      previous = voxel;
      HWY_UNROLL(8)
      for (int k = 0; k < P::vectors; ++k) {
        const std::int64_t c = piece.at(k);
        const auto equal = hn::VecFromMask(d, hn::Eq(load_as(d, all.feats + point * C + c),
                                                     load_as(d, all.voxel_feats + voxel * C + c)));
        const auto before = hn::And(same, taken[k]);
        const auto won = hn::AndNot(before, equal);
        const auto gradient = load_as(d, all.grad_voxel_feats + voxel * C + c);
        store_as(d, hn::And(won, gradient), all.grad_feats + point * C + c);
        taken[k] = hn::Or(before, equal);
      }
    }
  }
};

template <bool mean, class T>
void spread(const Spreading<T>& of, std::int64_t begin, std::int64_t end) {
  for_each_piece<Compute<T>>(of.C, SpreadPiece<mean, T>{of, begin, end});
}
template <class T>
void select(const Selection<T>& of, const MemberRun& run) {
  for_each_piece<Compute<T>>(of.C, SelectPiece<T>{of, run});
}

template <class T>
constexpr Gradients<T> gradients_of{spread<false, T>, spread<true, T>, select<T>};

const PerDtype<Gradients>& gradients_of_level() {
  static constexpr PerDtype<Gradients> all{gradients_of<float>, gradients_of<double>,
                                           gradients_of<Half>, gradients_of<BFloat16>};
  return all;
}

}  // namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::dynamic_point_to_voxel {

const PerIsa<const PerDtype<Gradients>& (*)()> gradients = MLUOP_PER_ISA(gradients_of_level);

}  // namespace mluop::dynamic_point_to_voxel
#endif
