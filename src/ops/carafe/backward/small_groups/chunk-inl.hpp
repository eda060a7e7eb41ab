// A chunk of columns of a row, vector by vector of its lanes: both gradients; included per target.
#if defined(MLUOPS_CARAFE_CHUNK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_CHUNK_INL_HPP
#undef MLUOPS_CARAFE_CHUNK_INL_HPP
#else
#define MLUOPS_CARAFE_CHUNK_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/carafe/backward/small_groups/lanes-inl.hpp"
#include "ops/carafe/backward/small_groups/products-inl.hpp"
#include "ops/carafe/backward/small_groups/row.hpp"
#include "ops/carafe/backward/small_groups/traffic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

template <class T>
class ChunkOfRow {
 public:
  using Real = Compute<T>;

  explicit ChunkOfRow(const SmallGroupsRow<T>& row)
      : row_(row),
        r_((row.k - 1) / 2),
        cells_(row.k * row.k),
        outputs_(row.s * row.s),
        C_(row.G * row.channels),
        results_(row.results) {}

  /// Columns from w on and groups from g on; grad_mask only if `products`.
  HWY_INLINE void run(std::int64_t w, std::int64_t g, const LaneChunk& chunk, bool products) {
    w_ = w;
    g_ = g;
    if (chunk.columns != chunk_.columns || chunk.groups != chunk_.groups) set_chunk(chunk);
    const std::int64_t count = chunk.columns * chunk.groups;
    read_ahead();
    traffic_.set_steps(ceil_div(count, lanes) * steps(products));
    for (lane_ = 0; lane_ < count; lane_ += lanes) {
      valid_ = HWY_MIN(count - lane_, lanes);
      place_delta();
      if (products) run_products();
      if (row_.targets_begin < row_.targets_end) run_targets();
    }
    traffic_.finish();
    if (products && results_ != nullptr) write_results();
  }

  /// Writes the results of the last chunk.
  HWY_INLINE void finish() { traffic_.finish(); }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  /// Lane of group 0 of a column in transposed rows.
  std::int64_t lane_of(std::int64_t column) const {
    return (column - row_.sources.begin + r_) * row_.G;
  }

  /// Loops of products for a vector of lanes.
  std::int64_t steps(bool products) const {
    const std::int64_t rows = row_.targets_end - row_.targets_begin;
    std::int64_t steps = row_.k * ceil_div(row_.channels, std::int64_t{lane_factors}) *
                         ceil_div(rows, std::int64_t{lane_cells});
    if (products) {
      steps += (row_.kh_end - row_.kh_begin) * ceil_div(row_.k, std::int64_t{lane_cells}) *
               ceil_div(outputs_, std::int64_t{lane_factors});
    }
    return HWY_MAX(steps, 1);
  }

  /// What follows this chunk in the rows of grad_output and mask; at their end, the start of the next row.
  HWY_INLINE void read_ahead() {
    const bool whole = chunk_.groups == row_.G;
    std::int64_t column = w_ + (whole ? chunk_.columns : 0), group = whole ? 0 : g_ + chunk_.groups;
    std::int64_t y = 0;
    if (group >= row_.G) group = 0, ++column;
    if (column >= row_.sources.end) {
      if (row_.last) return;
      column = row_.sources.begin;
      y = row_.s * row_.W * row_.s;  // pixels from this row to the next
    }
    const std::int64_t columns = HWY_MIN(chunk_.columns, row_.sources.end - column);
    const std::int64_t runs = whole ? 1 : row_.s;
    const std::int64_t lanes_in_run = columns * chunk_.groups * row_.s / runs;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < runs; ++sx) {
        const std::int64_t lane = (y + column * row_.s + sx) * row_.G + group;
        if (row_.targets_begin < row_.targets_end) {
          traffic_.read(row_.mask[sy] + lane * cells_, lanes_in_run * cells_);
        }
        traffic_.read(row_.delta[sy] + lane * row_.channels, lanes_in_run * row_.channels);
      }
    }
  }

  /// Where the lanes of a chunk are; those that fill its last vector repeat the last one.
  HWY_INLINE void set_chunk(const LaneChunk& chunk) {
    chunk_ = chunk;
    const std::int64_t count = chunk.columns * chunk.groups, padded = round_up(count, lanes);
    std::int64_t column = 0, group = 0;
    for (std::int64_t i = 0; i < padded; ++i) {
      row_.delta_at[i] = column * row_.s * C_ + group * row_.channels;
      row_.mask_at[i] = (column * row_.s * row_.G + group) * cells_;
      if (i + 1 < count && ++group == chunk.groups) group = 0, ++column;
    }
  }

  /// Calls step(sy, sx, p) for each output p of a pixel.
  template <class Step>
  HWY_INLINE void for_outputs(const Step& step) const {
    std::int64_t p = 0;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < row_.s; ++sx, ++p) step(sy, sx, p);
    }
  }

  HWY_INLINE void place_delta() const {
    const std::int64_t first = w_ * row_.s * C_ + g_ * row_.channels;
    for_outputs([&](std::int64_t sy, std::int64_t sx, std::int64_t p) HWY_ATTR {
      to_lanes(row_.delta[sy] + first + sx * C_, row_.delta_at + lane_, row_.channels,
               row_.delta_lanes + p * row_.channels * lanes, lanes);
    });
  }

  HWY_INLINE void run_products() {
    LaneProducts<Real> products;
    products.output = row_.channels * lanes;
    products.step = row_.G;
    products.pitch = row_.pitch;
    products.channels = row_.channels;
    products.results = cells_ * lanes;
    const std::int64_t lane = lane_of(w_ - r_) + g_ + lane_;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      for (std::int64_t kw = 0, count; kw < row_.k; kw += count) {
        count = next_part(row_.k - kw, lane_cells);
        products.cell = row_.input_lanes[kh] + lane + kw * row_.G;
        for (std::int64_t p = 0, size; p < outputs_; p += size) {
          size = next_part(outputs_ - p, lane_factors);
          products.delta = row_.delta_lanes + p * products.output;
          products.products = row_.products + p * products.results + (kh * row_.k + kw) * lanes;
          pick_loop<lane_factors, lane_cells>(products, size, count);
          traffic_.step();
        }
      }
    }
    clear_unused();
    for_outputs([&](std::int64_t sy, std::int64_t sx, std::int64_t p) HWY_ATTR {
      from_lanes(row_.products + p * products.results, lanes, cells_, valid_, result_of(sy, sx),
                 row_.mask_at + lane_);
    });
  }

  /// Sets cells outside the map to zero.
  HWY_INLINE void clear_unused() const {
    const hn::ScalableTag<Real> d;
    const auto clear = [&](std::int64_t kh, std::int64_t kw, std::int64_t begin,
                           std::int64_t end) HWY_ATTR {  // all lanes but [begin, end)
      const auto used = hn::AndNot(hn::FirstN(d, static_cast<std::size_t>(begin)),
                                   hn::FirstN(d, static_cast<std::size_t>(end)));
      for (std::int64_t p = 0; p < outputs_; ++p) {
        Real* const to = row_.products + (p * cells_ + kh * row_.k + kw) * lanes;
        hn::Store(hn::IfThenElseZero(used, hn::Load(d, to)), d, to);
      }
    };
    const auto in_vector = [&](std::int64_t column) HWY_ATTR {  // its first lane
      return HWY_MAX(HWY_MIN((column - w_) * chunk_.groups - lane_, lanes), 0);
    };
    for (std::int64_t kw = 0; kw < row_.k; ++kw) {
      const std::int64_t begin = in_vector(r_ - kw), end = in_vector(row_.W + r_ - kw);
      for (std::int64_t kh = 0; kh < row_.k; ++kh) {
        if (kh < row_.kh_begin || kh >= row_.kh_end) {
          clear(kh, kw, 0, 0);
        } else if (begin > 0 || end < valid_) {
          clear(kh, kw, begin, end);
        }
      }
    }
  }

  /// The results of an output, from the first lane of the chunk on.
  HWY_INLINE T* result_of(std::int64_t sy, std::int64_t sx) const {
    if (results_ != nullptr) {
      const std::int64_t pixel = chunk_.groups * cells_;
      return results_ + (sy * chunk_.columns * row_.s + sx) * pixel;
    }
    return stored_result(sy, sx);
  }
  HWY_INLINE T* stored_result(std::int64_t sy, std::int64_t sx) const {
    const std::int64_t x = (sy * row_.W + w_) * row_.s + sx;
    return row_.grad_mask + (x * row_.G + g_) * cells_;
  }

  /// The results of this chunk are written while the next one is computed, into the other buffer.
  HWY_INLINE void write_results() {
    const bool whole = chunk_.groups == row_.G;  // the outputs of a row are adjacent
    const std::int64_t runs = whole ? 1 : row_.s;
    const std::int64_t run = chunk_.columns * row_.s * chunk_.groups * cells_ / runs;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < runs; ++sx) {
        traffic_.write(results_ + (sy * runs + sx) * run, stored_result(sy, sx), run);
      }
    }
    results_ = results_ == row_.results ? row_.results + row_.buffer : row_.results;
  }

  HWY_INLINE void place_mask() const {
    const std::int64_t first = (w_ * row_.s * row_.G + g_) * cells_;
    for_outputs([&](std::int64_t sy, std::int64_t sx, std::int64_t p) HWY_ATTR {
      to_lanes(row_.mask[sy] + first + sx * row_.G * cells_, row_.mask_at + lane_, cells_,
               row_.mask_lanes + p * cells_ * lanes, lanes);
    });
  }

  /// Each column of targets adds the outputs of the pixels to its left before those to its right.
  HWY_INLINE void run_targets() {
    place_mask();
    LaneTargets<Real> targets;
    targets.outputs = outputs_;
    targets.output = row_.channels * lanes;
    targets.window = cells_ * lanes;
    targets.row = row_.k * lanes;
    targets.pitch = row_.pitch;
    targets.valid = valid_;
    const std::int64_t lane = lane_of(w_ - r_) + g_ + lane_;
    for (std::int64_t kw = row_.k - 1; kw >= 0; --kw) {
      for (std::int64_t c = 0, factors; c < row_.channels; c += factors) {
        factors = next_part(row_.channels - c, lane_factors);
        targets.delta = row_.delta_lanes + c * lanes;
        for (std::int64_t kh = row_.targets_begin, count; kh < row_.targets_end; kh += count) {
          count = next_part(row_.targets_end - kh, lane_cells);
          targets.mask = row_.mask_lanes + (kh * row_.k + kw) * lanes;
          for (std::int64_t i = 0; i < count; ++i) {
            targets.sums[i] = row_.sums[kh + i] + c * row_.pitch + lane + kw * row_.G;
          }
          pick_loop<lane_factors, lane_cells>(targets, factors, count);
          traffic_.step();
        }
      }
    }
  }

  const SmallGroupsRow<T>& row_;
  std::int64_t r_, cells_, outputs_, C_;
  T* results_;  // of the present chunk, if they are buffered
  Traffic traffic_;
  LaneChunk chunk_{0, 0};
  std::int64_t w_ = 0, g_ = 0;         // of the first lane of the chunk
  std::int64_t lane_ = 0, valid_ = 0;  // of the vector: its first in the chunk, and their number
};

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
