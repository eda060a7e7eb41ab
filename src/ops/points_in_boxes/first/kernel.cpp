// Finds the first box of each point, written once for every vector width and compiled per instruction set.
#include "ops/points_in_boxes/first/kernel.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/points_in_boxes/first/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/points_in_boxes/points-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::points_in_boxes::HWY_NAMESPACE {

/// Numbers of boxes in lanes as wide as those of D: double holds them exactly.
template <class D>
using Numbers = std::conditional_t<sizeof(hn::TFromD<D>) == 8, D, hn::RebindToSigned<D>>;

template <class D>
HWY_INLINE hn::Vec<Numbers<D>> load_numbers(D /*d*/, const std::int32_t* from) {
  const hn::Rebind<std::int32_t, D> d32;
  const auto numbers = hn::LoadU(d32, from);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::PromoteTo(D(), numbers);
  } else {
    return numbers;
  }
}

template <class D>
HWY_INLINE void store_numbers(D /*d*/, hn::Vec<Numbers<D>> numbers, std::int32_t* to) {
  const hn::Rebind<std::int32_t, D> d32;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    hn::StoreU(hn::DemoteTo(d32, numbers), d32, to);
  } else {
    hn::StoreU(numbers, d32, to);
  }
}

/// Axis::cell in vectors: the same operations, so the same cells.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<std::int32_t, D>> cells_of(D d, hn::Vec<D> coordinate,
                                                         const Axis<hn::TFromD<D>>& axis) {
  const hn::Rebind<std::int32_t, D> d32;
  const auto position =
      hn::Mul(hn::Sub(coordinate, hn::Set(d, axis.origin)), hn::Set(d, axis.scale));
  const auto positive = hn::IfThenElseZero(hn::Gt(position, hn::Zero(d)), position);
  const auto clamped = hn::Min(positive, hn::Set(d, axis.last));
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::DemoteTo(d32, clamped);
  } else {
    return hn::ConvertTo(d32, clamped);
  }
}

/// The boxes that the cells of a vector list, word by word.
template <class Real>
class Listed {
 public:
  HWY_INLINE Listed(const Candidates<Real>& candidates, const std::int32_t* cells, int lanes)
      : candidates_(candidates), cells_(cells), lanes_(lanes), used_(candidates.used_everywhere) {
    for (int lane = 0; lane < lanes; ++lane) used_ |= candidates.used[cells[lane]];
  }

  bool none() const { return used_ == 0; }
  unsigned used() const { return used_; }

  HWY_INLINE std::uint64_t word(int w) const {
    std::uint64_t bits = candidates_.everywhere[w];
    for (int lane = 0; lane < lanes_; ++lane) {
      const std::int64_t cell = cells_[lane];
      // Words that are not used hold anything; whether they do is hard to predict.
      const std::uint64_t is_used = candidates_.used[cell] >> w & 1u;
      bits |= candidates_.marked[cell * candidates_.words + w] & (std::uint64_t{0} - is_used);
    }
    return bits;
  }

 private:
  const Candidates<Real>& candidates_;
  const std::int32_t* cells_;
  int lanes_;
  unsigned used_;
};

/// Replaces the numbers that are negative by those of the first of the listed boxes that holds the point.
template <class D, class Real = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE hn::Vec<Numbers<D>> first_of(D d, V x, V y, V z, const BoxTable<Real>& boxes,
                                        const Listed<Real>& listed, std::int32_t first_box,
                                        hn::Vec<Numbers<D>> numbers) {
  using N = hn::TFromD<Numbers<D>>;
  const Numbers<D> dn;
  auto open = hn::Lt(numbers, hn::Zero(dn));
  for (unsigned used = listed.used(); used != 0; used &= used - 1) {
    const int w = std::countr_zero(used);
    for (std::uint64_t bits = listed.word(w); bits != 0; bits &= bits - 1) {
      const std::int64_t box = w * boxes_per_word + std::countr_zero(bits);
      const auto hit = hn::RebindMask(dn, inside(d, x, y, z, same_box(d, boxes, box)));
      const auto found = hn::And(open, hit);
      numbers = hn::IfThenElse(found, hn::Set(dn, static_cast<N>(first_box + box)), numbers);
      open = hn::AndNot(hit, open);
      if (hn::AllFalse(dn, open)) return numbers;
    }
  }
  return numbers;
}

/// Points are taken in blocks; a partial one is filled up.
inline constexpr std::int64_t block_points = 256;

/// A block of points [block_points,3]; indices has room for all of them.
template <class Real>
HWY_INLINE void search_block(const Real* points, std::int64_t count, const BoxTable<Real>& boxes,
                             const Candidates<Real>& candidates, std::int32_t first_box,
                             bool continued, std::int32_t* indices) {
  const hn::ScalableTag<Real> d;
  const Numbers<decltype(d)> dn;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  constexpr std::int64_t lanes = lanes_of<Real>;
  const auto side = hn::Set(d32, static_cast<std::int32_t>(candidates.side));
  alignas(64) std::int32_t cells[lanes];
  for (std::int64_t i = 0; i < count; i += lanes) {
    hn::Vec<decltype(d)> x, y, z;
    hn::LoadInterleaved3(d, points + 3 * i, x, y, z);
    const auto column = cells_of(d, x, candidates.x), row = cells_of(d, y, candidates.y);
    hn::Store(hn::Add(hn::Mul(row, side), column), d32, cells);
    const Listed<Real> listed(candidates, cells, static_cast<int>(lanes));
    if (continued && listed.none()) continue;
    auto numbers = continued ? load_numbers(d, indices + i) : hn::Set(dn, -1);
    if (!listed.none()) numbers = first_of(d, x, y, z, boxes, listed, first_box, numbers);
    store_numbers(d, numbers, indices + i);
  }
}

template <class T>
void search(const FirstSearch<T>& s) {
  using Real = Compute<T>;
  const Candidates<Real> candidates = *s.candidates;  // a copy that no store can change
  alignas(64) Real room[3 * block_points];
  alignas(64) std::int32_t partial[block_points];
  for (std::int64_t begin = 0; begin < s.count; begin += block_points) {
    const std::int64_t count = HWY_MIN(block_points, s.count - begin);
    const bool whole = count == block_points;
    const Real* const points = as_computed(s.points + 3 * begin, count, block_points, room);
    std::int32_t* const indices = whole ? s.indices + begin : partial;
    if (!whole && s.continued) {
      for (std::int64_t i = 0; i < block_points; ++i) {
        partial[i] = i < count ? s.indices[begin + i] : 0;
      }
    }
    search_block(points, count, s.boxes, candidates, s.first_box, s.continued, indices);
    if (!whole) {
      for (std::int64_t i = 0; i < count; ++i) s.indices[begin + i] = partial[i];
    }
  }
}

const PerDtype<FirstKernel>& first_set() {
  static constexpr PerDtype<FirstKernel> all{search<float>, search<double>, search<Half>,
                                             search<BFloat16>};
  return all;
}

}  // namespace mluop::points_in_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::points_in_boxes {

const PerIsa<const PerDtype<FirstKernel>& (*)()> first_kernels = MLUOP_PER_ISA(first_set);

}  // namespace mluop::points_in_boxes
#endif
