// Forward: a block of output pixels times a few vectors of channels in registers, over the window.
#include <hwy/cache_control.h>

#include "ops/carafe/forward/general/row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/forward/general/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/forward/general/collect-inl.hpp"
#include "ops/carafe/forward/general/reassemble-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// The s² output pixels of one input pixel after the other, some at a time, with all channels of the block.
/// Divisions that only depend on the block are done once.
template <class T>
class ForwardPixels {
 public:
  using Real = Compute<T>;

  explicit ForwardPixels(const ForwardRow<T>& row)
      : row_(row),
        outputs_(row.s * row.s),
        parts_(ceil_div(outputs_, most_outputs)),
        part_(outputs_ / parts_),
        longer_parts_(outputs_ % parts_),
        pieces_{{row, forward_vectors<1>}, {row, forward_vectors<3>}, {row, forward_vectors<4>}} {
    widened_weights_ = {row.columns.begin, row.columns.begin};
    const Plan& pieces = pieces_[part_ == 4 ? 2 : part_ == 3 ? 1 : 0];
    pace_ = prefetch_pace(row.prefetch_bytes,
                          (row.columns.end - row.columns.begin) * parts_ * pieces.runs);
    row_pace_ = prefetch_pace(pace_, pieces.count * row.k);
    for (std::int64_t sy = 0; collects() && sy < row.s; ++sy) {
      collected_[sy] = {
          row.collected + sy * row.collected_pitch,
          row.output.row + sy * row.output.pitch + row.columns.begin * row.s * row.output.pixel};
    }
  }

  HWY_INLINE void run(std::int64_t w) {
    const std::int64_t r = (row_.k - 1) / 2;
    w_ = w;
    window_ = {
        row_.input.row, 0, row_.input.pixel, row_.kh_begin, row_.kh_end, HWY_MAX(r - w, 0), 0,
        row_.k};
    window_.columns = HWY_MIN(row_.columns.W + r - w, row_.k) - window_.kw_begin;
    window_.first = (w + window_.kw_begin - r - row_.input.column) * row_.input.pixel;
    if constexpr (widens) {
      if (w == widened_weights_.end) widen_weights();
    }
    widen_input(w - r - row_.input.column);
    // Equal parts of at most four, so that none is left with a single output: 1, 3 or 4.
    sy_ = sx_ = 0;
    for (std::int64_t part = 0; part < parts_; ++part) {
      const std::int64_t size = part_ + (part < longer_parts_ ? 1 : 0);
      if (size == 4) {
        run_outputs<4>(pieces_[2]);
      } else if (tuned && size == 3) {
        if constexpr (tuned) run_outputs<3>(pieces_[1]);
      } else {
        for (std::int64_t i = 0; i < size; ++i) run_outputs<1>(pieces_[0]);
      }
    }
    for (std::int64_t sy = 0; collects() && sy < row_.s; ++sy) collected_[sy].write();
  }

  /// After the last column.
  HWY_INLINE void finish() {
    widen_input(row_.next_input.count);
    for (std::int64_t sy = 0; collects() && sy < row_.s; ++sy) collected_[sy].finish();
    if (row_.output.stream || collects()) hwy::FlushStream();
  }

  /// Widens the next row of the input up to column `end` of the tile. It replaces the oldest row, which is no longer
  /// read there.
  HWY_INLINE void widen_input(std::int64_t end) {
    const Widening<T>& next = row_.next_input;
    for (; widened_ < HWY_MIN(end, next.count); ++widened_) {
      widen_pixels<T>({next.from + widened_ * next.pixel,
                       next.to + widened_ * next.groups * next.padded, 1, next.pixel, next.groups,
                       next.group, next.channels, next.padded});
    }
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  static constexpr bool widens = !std::is_same_v<T, Real>;
  static constexpr std::int64_t filling = 2;  // vectors of a group that fill a piece by themselves

  /// The pieces of the block for a number of outputs: `count` of the full size, and what is left. They span
  /// groups only where a group is a single vector.
  struct Plan : Pieces {
    std::int64_t count, rest;
    bool straight;

    Plan(const ForwardRow<T>& row, std::int64_t most) : Pieces(row.block, lanes, most, filling) {
      if (tuned && one_group) {  // without vectors of padding
        run = ceil_div(row.block.channels, lanes);
        step = ceil_div(run, ceil_div(run, most));
      }
      count = run / step;
      rest = run % step;
      // Results go to memory from registers, but not where non-temporal stores would write parts of lines.
      const bool whole = std::is_same_v<T, Real> || (step % 2 == 0 && run % 2 == 0);
      straight = !row.output.staged || (row.output.stream && streams_vectors<T, 4> && whole);
    }
  };

  template <int outputs>
  HWY_INLINE void run_outputs(const Plan& pieces) {
    const Real* masks[outputs];
    T* stored[outputs];
    for (int p = 0; p < outputs; ++p) {
      masks[p] = mask();
      stored[p] = stored_pixel();
      if (++sx_ == row_.s) sx_ = 0, ++sy_;
    }
    if (pieces.straight) return run_pieces<outputs, T>(masks, stored, pieces);
    Real* staged[outputs];
    for (int p = 0; p < outputs; ++p) {
      staged[p] = row_.output.staging + p * row_.block.padded_total();
    }
    run_pieces<outputs, Real>(masks, staged, pieces);
    for (int p = 0; p < outputs; ++p) {
      stream_run(staged[p], stored[p], row_.block.padded_total());
    }
  }

  template <int outputs, class To>
  HWY_INLINE void run_pieces(const Real* const* masks, To* const* to, const Plan& pieces) {
    Outputs<To> pixels;
    for (int p = 0; p < outputs; ++p) {
      pixels.mask[p] = by_itself(masks[p]);
      pixels.to[p] = by_itself(to[p]);
    }
    pixels.stream = row_.output.stream && pieces.straight;
    pixels.weights = pixels.channel = 0;
    pixels.gap = 0;
    pixels.end = pieces.one_group ? row_.block.channels : row_.block.padded_total();
    pixels.group = HWY_MIN(row_.block.channels, lanes);
    const std::int64_t cells = row_.k * row_.k, gap = row_.block.padded - row_.block.channels;
    for (std::int64_t run = 0; run < pieces.runs; ++run) {
      if (pieces.one_group) pixels.channel = run * row_.block.padded;
      lines_ = take_lines(*row_.prefetch, pace_);
      run_some<outputs>(pixels, pieces.step, pieces.count, pieces.one_group);
      if (pieces.rest > 0) run_some<outputs>(pixels, pieces.rest, 1, pieces.one_group);
      while (lines_.next < lines_.end) prefetch_line(lines_);
      if (!pieces.one_group) continue;
      pixels.weights += cells;
      pixels.gap += gap;
      pixels.end += row_.block.padded;
    }
  }

  /// `count` pieces of some vectors; `pixels` moves on.
  template <int outputs, class To>
  HWY_INLINE void run_some(Outputs<To>& pixels, std::int64_t vectors, std::int64_t count,
                           bool one_group) {
    run_vectors<outputs, forward_vectors<outputs>>(pixels, vectors, count, one_group);
    if (!one_group) pixels.weights += vectors * count * row_.k * row_.k;
    pixels.channel += vectors * count * lanes;
  }

  /// Picks the loop for `count` pieces of some vectors, at most `most`. Groups are whole slots: if a slot is
  /// several vectors, no piece spans groups, and without tuned loops all pieces are of one size.
  template <int outputs, int most, class To>
  HWY_INLINE void run_vectors(const Outputs<To>& pixels, std::int64_t vectors, std::int64_t count,
                              bool one_group) {
    static_assert(tuned || slot<Real> / lanes % most == 0);
    if constexpr (tuned && most > 1) {
      if (vectors < most) {
        return run_vectors<outputs, most - 1>(pixels, vectors, count, one_group);
      }
    }
    if constexpr (slot<Real> / lanes < filling) {
      if (!one_group) return run_window<outputs, most, false>(pixels, count);
    }
    run_window<outputs, most, true>(pixels, count);
  }

  template <int outputs, int vectors, bool one_group, class To>
  HWY_INLINE void run_window(const Outputs<To>& pixels, std::int64_t count) {
    if constexpr (outputs == most_outputs) {
      if (row_.k == 5 && window_.columns == 5 && row_.kh_end - row_.kh_begin == 5) {
        return reassemble_whole<outputs, vectors, one_group, 5>(window_, pixels, count, lines_,
                                                                row_pace_);
      }
    }
    reassemble<outputs, vectors, one_group>(window_, pixels, count);
  }

  HWY_INLINE const T* stored_mask(std::int64_t w, std::int64_t sy, std::int64_t sx) const {
    return row_.mask[sy] + (w * row_.s + sx) * row_.mask_pixel;
  }

  HWY_INLINE const Real* mask() const {
    if constexpr (widens) {
      const std::int64_t size = row_.block.groups * row_.k * row_.k;
      const std::int64_t pixel = (w_ - widened_weights_.begin) * row_.s + sx_;
      return row_.weights + sy_ * row_.weight_run + pixel * size;
    } else {
      return stored_mask(w_, sy_, sx_);
    }
  }

  /// Five vectors at a time: the 25 cells of a window are a multiple of five.
  static HWY_INLINE void widen_weights_run(const T* from, Real* to, std::int64_t count) {
    const hn::ScalableTag<Real> d;
    std::int64_t i = 0;
    for (; i + 5 * lanes <= count; i += 5 * lanes) {
      HWY_UNROLL(5)
      for (int v = 0; v < 5; ++v) {
        hn::StoreU(load_as(d, from + i + v * lanes), d, to + i + v * lanes);
      }
    }
    if (i < count) widen_run(from + i, to + i, count - i);
  }

  /// Widens the weights of the next columns, as many as there is room for: pixel by pixel, most vectors would
  /// cross cache lines.
  HWY_INLINE void widen_weights() {
    const std::int64_t size = row_.block.groups * row_.k * row_.k;
    const std::int64_t begin = widened_weights_.end;
    widened_weights_ = {begin, HWY_MIN(begin + row_.weight_columns, row_.columns.end)};
    const std::int64_t pixels = (widened_weights_.end - begin) * row_.s;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      const T* const from = stored_mask(begin, sy, 0);
      Real* const to = row_.weights + sy * row_.weight_run;
      if (size == row_.mask_pixel) {
        widen_weights_run(from, to, pixels * size);
      } else {
        for (std::int64_t i = 0; i < pixels; ++i) {
          widen_run(from + i * row_.mask_pixel, to + i * size, size);
        }
      }
    }
  }

  HWY_INLINE bool collects() const { return row_.collected != nullptr; }

  HWY_INLINE T* stored_pixel() {
    if (collects()) return collected_[sy_].take(row_.output.pixel);
    return row_.output.row + sy_ * row_.output.pitch + (w_ * row_.s + sx_) * row_.output.pixel;
  }

  const ForwardRow<T>& row_;
  std::int64_t outputs_;
  std::int64_t parts_, part_, longer_parts_;
  Plan pieces_[3];
  Window<Real> window_;
  std::int64_t w_, sy_, sx_;
  struct {
    std::int64_t begin, end;
  } widened_weights_;         // columns whose weights are widened
  std::int64_t widened_ = 0;  // columns of the next row of the input
  std::int64_t pace_;         // of prefetch, for each run of pieces
  std::int64_t row_pace_;     // and in each row of the window
  Lines lines_;
  CollectedRow<T> collected_[most_collected_rows];
};

template <class T>
void forward_row(const ForwardRow<T>& row) {
  ForwardPixels<T> pixels{row};
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w) pixels.run(w);
  pixels.finish();
}

const PerDtype<ForwardKernel>& forward_table() {
  static constexpr PerDtype<ForwardKernel> all{forward_row<float>, forward_row<double>,
                                               forward_row<Half>, forward_row<BFloat16>};
  return all;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<ForwardKernel>> forward_kernels = MLUOP_PER_ISA(forward_table);

}  // namespace mluop::carafe
#endif
