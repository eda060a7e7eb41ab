// The loop of `spread`, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/backward/spread/spread_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/backward/spread/spread_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/integers.hpp"
#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// What the registers have room for: with AVX-512 four sums of each, one value and four weights; with AVX2 four sums of
/// each, all values and one weight at a time.
constexpr bool weight_by_weight = HWY_TARGET == HWY_AVX2;
constexpr int most_vectors = HWY_TARGET == HWY_AVX3 ? 5 : weight_by_weight ? 3 : 2;

/// Whether columns are visited in strips: pieces of a row are so long that L1 would not keep the rows that the
/// points of a whole row of cells read. No sum depends on it.
template <class T>
constexpr bool in_strips() {
  return most_vectors * hn::MaxLanes(hn::ScalableTag<Compute<T>>()) * sizeof(T) >= 256;
}
constexpr std::int64_t strip_columns = 13;

/// `vectors` vectors of channels from `channel` on; the last one starts at `last_offset`, where it may
/// overlap its neighbour: a channel computed twice gets the same bits twice.
template <class T, int vectors>
class SpreadPiece {
 public:
  HWY_INLINE SpreadPiece(const Spread<T>& spread, std::int64_t channel, std::int64_t last_offset)
      : spread_(spread),
        image_(spread.image + channel),
        result_(spread.result + channel),
        last_offset_(last_offset) {}

  HWY_INLINE void run(std::int64_t left, std::int64_t right) const {
    if (spread_.row_begin == 0) {
      for (std::int64_t x = left; x < right; ++x) store_carried(load_row(x), x);
    } else {
      // Recompute the row above the band, only for its share of the band's first row.
      for (std::int64_t x = left; x < right; ++x) store_carried(Sums{}, x);
      spread_row<false>(spread_.row_begin - 1, left, right);
    }
    for (std::int64_t y = spread_.row_begin; y < spread_.row_end; ++y) {
      spread_row<true>(y, left, right);
    }
  }

 private:
  using Real = Compute<T>;
  using D = hn::ScalableTag<Real>;
  using V = hn::Vec<D>;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

  struct Sums {
    V of[vectors];

    HWY_INLINE Sums() {
      HWY_UNROLL(6)
      for (int k = 0; k < vectors; ++k) of[k] = hn::Zero(D());
    }
    HWY_INLINE void add(const Sums& other) {
      HWY_UNROLL(6)
      for (int k = 0; k < vectors; ++k) of[k] = hn::Add(of[k], other.of[k]);
    }
    HWY_INLINE void add(Real weight, const Sums& values) {
      const V factor = hn::Set(D(), weight);
      HWY_UNROLL(6)
      for (int k = 0; k < vectors; ++k) of[k] = hn::MulAdd(factor, values.of[k], of[k]);
    }
  };

  HWY_INLINE std::int64_t offset(int k) const {
    return k == vectors - 1 ? last_offset_ : k * lanes;
  }
  HWY_INLINE Sums load_row(std::int64_t cell) const { return load_at(image_ + cell * spread_.C); }
  HWY_INLINE Sums load_at(const T* from) const {
    Sums sums;
    HWY_UNROLL(6)
    for (int k = 0; k < vectors; ++k) sums.of[k] = load_as(D(), from + offset(k));
    return sums;
  }
  HWY_INLINE Sums load_carried(std::int64_t x) const {
    const Real* const from = spread_.carried + x * vectors * lanes;
    Sums sums;
    HWY_UNROLL(6)
    for (int k = 0; k < vectors; ++k) sums.of[k] = hn::Load(D(), from + k * lanes);
    return sums;
  }
  HWY_INLINE void store_carried(const Sums& sums, std::int64_t x) const {
    Real* const to = spread_.carried + x * vectors * lanes;
    HWY_UNROLL(6)
    for (int k = 0; k < vectors; ++k) hn::Store(sums.of[k], D(), to + k * lanes);
  }
  HWY_INLINE void store_result(const Sums& sums, std::int64_t cell) const {
    T* const to = result_ + cell * spread_.C;
    HWY_UNROLL(6)
    for (int k = 0; k < vectors; ++k) store_as(D(), sums.of[k], to + offset(k));
  }

  /// Adds the points whose low cells are in row y to the cells of columns [begin, end). The sums of the cell and its
  /// neighbours are in registers and move right with it; partial sums of the row below are carried in scratch. At the
  /// end of the map the high cells are the low ones.
  template <bool store>
  HWY_INLINE void spread_row(std::int64_t y, std::int64_t begin, std::int64_t end) const {
    const std::int64_t W = spread_.W, row = y * W;
    const bool last_row = y + 1 == spread_.H;
    Sums here = load_carried(begin), below;
    if (!last_row) below = load_row(row + W + begin);
    if (in_strips<T>() && begin > 0) {
      Sums left, below_left;  // of the strip before
      spread_points<false, true>(row + begin - 1, left, here, below_left, below);
    }
    for (std::int64_t x = begin; x < end; ++x) {
      const bool last_column = x + 1 == W;
      Sums right, below_right;
      if (x + 1 < end) {
        right = load_carried(x + 1);
        if (!last_row) below_right = load_row(row + W + x + 1);
      }
      if (!in_strips<T>() || x + 1 < end || last_column) {
        spread_points<true, true>(row + x, here, right, below, below_right);
      } else {
        spread_points<true, false>(row + x, here, right, below, below_right);
      }
      if (last_column) {
        here.add(right);
        below.add(below_right);
      }
      if (last_row) here.add(below);
      store_carried(below, x);
      if constexpr (store) store_result(here, row + x);
      here = right;
      below = below_right;
    }
  }

  /// Adds the points of a low cell to that cell and the one below it, to the two right of them, or to all four.
  template <bool to_left, bool to_right>
  HWY_INLINE void spread_points(std::int64_t cell, Sums& here, Sums& right, Sums& below,
                                Sums& below_right) const {
    const D d;
    const auto* point = spread_.points + spread_.first[cell];
    const auto* const end = spread_.points + spread_.last[cell];
    for (; point != end; ++point) {
      prefetch_row(point[items_ahead].cell);
      const T* from = image_ + point->cell * spread_.C;
      asm("" : "+r"(from));  // indexed addresses would take more front-end slots
      if constexpr (weight_by_weight) {
        const Sums values = load_at(from);
        if constexpr (to_left) here.add(point->weights[0], values);
        if constexpr (to_right) right.add(point->weights[1], values);
        if constexpr (to_left) below.add(point->weights[2], values);
        if constexpr (to_right) below_right.add(point->weights[3], values);
        continue;
      }
      const V weights[4] = {hn::Set(d, point->weights[0]), hn::Set(d, point->weights[1]),
                            hn::Set(d, point->weights[2]), hn::Set(d, point->weights[3])};
      HWY_UNROLL(6)
      for (int k = 0; k < vectors; ++k) {
        const V value = load_as(d, from + offset(k));
        if constexpr (to_left) {
          here.of[k] = hn::MulAdd(weights[0], value, here.of[k]);
          below.of[k] = hn::MulAdd(weights[2], value, below.of[k]);
        }
        if constexpr (to_right) {
          right.of[k] = hn::MulAdd(weights[1], value, right.of[k]);
          below_right.of[k] = hn::MulAdd(weights[3], value, below_right.of[k]);
        }
      }
    }
  }

  /// Prefetches the piece of a row that a later point reads: the number of points per cell is unpredictable, so the
  /// loads after each mispredicted loop end would start late.
  HWY_INLINE void prefetch_row(std::int64_t cell) const {
    const T* const from = image_ + cell * spread_.C;
    constexpr std::int64_t line = 64 / sizeof(T);
    HWY_UNROLL(6)
    for (std::int64_t c = 0; c < vectors * lanes; c += line) __builtin_prefetch(from + c, 0);
  }

  const Spread<T>& spread_;
  const T* image_;
  T* result_;
  std::int64_t last_offset_;
};

/// Channels [channel, channel + width), which fill at least one vector and at most `vectors`, of columns
/// [left, right).
template <class T, int vectors>
HWY_INLINE void spread_piece(const Spread<T>& spread, std::int64_t channel, std::int64_t width,
                             std::int64_t left, std::int64_t right) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return spread_piece<T, vectors - 1>(spread, channel, width, left, right);
    }
  }
  SpreadPiece<T, vectors>{spread, channel, width - lanes}.run(left, right);
}

/// All channels of columns [left, right), piece by piece, while the rows they read are in L2.
template <class T>
HWY_INLINE void spread_columns(const Spread<T>& spread, std::int64_t left, std::int64_t right) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  static_assert(most_vectors * lanes * sizeof(Compute<T>) <= carried_bytes);
  const std::int64_t width = spread.channel_end - spread.channel_begin;
  const std::int64_t vectors = ceil_div(width, lanes);
  const std::int64_t step = ceil_div(vectors, ceil_div(vectors, most_vectors)) * lanes;
  for (std::int64_t done = 0; done < width; done += step) {
    // A remainder narrower than a vector reaches back into the piece before it.
    const std::int64_t back = HWY_MAX(lanes - (width - done), 0);
    spread_piece<T, most_vectors>(spread, spread.channel_begin + done - back,
                                  HWY_MIN(width - done + back, step), left, right);
  }
}

template <class T>
void spread_rows(const Spread<T>& spread) {
  const std::int64_t columns = in_strips<T>() ? strip_columns : spread.W;
  for (std::int64_t left = 0; left < spread.W; left += columns) {
    spread_columns(spread, left, HWY_MIN(left + columns, spread.W));
  }
}

const PerDtype<SpreadKernel>& spreads() {
  static constexpr PerDtype<SpreadKernel> all{spread_rows<float>, spread_rows<double>,
                                              spread_rows<Half>, spread_rows<BFloat16>};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const PerDtype<SpreadKernel>& (*)()> spread_kernels = MLUOP_PER_ISA(spreads);

}  // namespace mluop::rotated_feature_align
#endif
