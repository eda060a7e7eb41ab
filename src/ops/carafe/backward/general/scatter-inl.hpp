// grad_input as a scatter by rows: the outputs of a row add to the rows of targets that their windows reach;
// included per target.
//
// However the map is cut, a target adds up rows of the input from top to bottom, within a row pixels from left to
// right, then the s² outputs of a pixel. In windows without a loop of their own, pixels go by threes, the right ones
// first.
#if defined(MLUOPS_CARAFE_SCATTER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_SCATTER_INL_HPP
#undef MLUOPS_CARAFE_SCATTER_INL_HPP
#else
#define MLUOPS_CARAFE_SCATTER_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "ops/carafe/backward/general/grad_input.hpp"
#include "ops/carafe/backward/general/slide-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// Targets at a time in windows without a loop of their own.
inline constexpr int widest_part = 3;

/// The targets of one row of a block of channels, piece by piece: in each, `most` neighbours at a time.
template <int most, class T, class Stored>
class Scatter {
 public:
  using Real = Compute<T>;

  Scatter(const GeneralGradInputRow<T, Stored>& row, Stored* to, std::int64_t to_pitch,
          std::int64_t to_pixel)
      : row_(row),
        delta_(row.delta),
        to_(to),
        column_begin_(HWY_MAX(row.columns.begin - reach(), 0)),
        column_end_(HWY_MIN(row.columns.end + reach(), row.columns.W)) {
    slide_.delta = row.delta.row;
    slide_.pixel = row.delta.pixel;
    slide_.strip = row.strip;
    slide_.k = row.k;
    slide_.s = row.s;
    slide_.kh_begin = row.kh_begin;
    slide_.kh_end = row.kh_end;
    slide_.sums = row.sums;
    slide_.first_row = row.first;
    slide_.last_row = row.last;
    slide_.mask = row.mask.row;
    slide_.mask_pixel = row.mask.pixel;
    slide_.to_pitch = to_pitch;
    slide_.to_pixel = to_pixel;
    slide_.zeroes_last_target = !parts();
    slide_.to = to;
    slide_.stream = row.grad_input.stream;
    slide_.prefetch = row.prefetch;
  }

  HWY_INLINE void run() {
    const std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
    const std::int64_t per_group = row_.block.padded / lanes;
    const bool one_group = per_group >= vectors || row_.block.groups == 1;
    const std::int64_t runs = one_group ? row_.block.groups : 1;
    const std::int64_t run = row_.block.groups * per_group / runs;
    const std::int64_t columns = column_end_ - column_begin_;
    const Strips strips(columns, parts() ? columns : strip());
    slide_.pace = prefetch_pace(row_.prefetch_bytes, runs * ceil_div(run, vectors) * strips.count *
                                                         (row_.kh_end - row_.kh_begin));
    for (strip_begin_ = column_begin_; strip_begin_ < column_end_; strip_begin_ = strip_end_) {
      strip_end_ = HWY_MIN(strip_begin_ + strips.step, column_end_);
      for (std::int64_t i = 0; i < runs; ++i) {
        for (std::int64_t done = 0; done < run;) {
          const std::int64_t vector = i * run + done;
          for (int v = 0; v < vectors; ++v) {
            slide_.group_of[v] = (vector + v) / per_group * row_.k * row_.k;
          }
          channel_ = vector * lanes;
          done += run_piece(run - done, one_group);
        }
      }
    }
    if (slide_.stream) hwy::FlushStream();
  }

 private:
  static constexpr int vectors = grad_input_vectors<most>;
  static constexpr auto per_slot =
      slot<Real> / static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  /// Columns whose outputs are read for all targets of all channels before the next columns. Wide vectors need
  /// fewer, so that the strip stays in L1: 12 are a little faster than 16 if outputs are read in place, but not if
  /// they are widened. A window in parts takes each part for all columns, so that the order of addition does not
  /// depend on strips.
  std::int64_t strip() const {
    constexpr std::int64_t least = many_registers && std::is_same_v<Stored, Real> ? 12 : 16;
    constexpr std::int64_t outputs = many_registers ? 4 * least : 256;
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
    static_assert(!widens_strips<most, 2, Stored, Real> ||
                  outputs * vectors * lanes <= strip_elements);
    return HWY_MAX(outputs / (row_.s * row_.s), least);
  }

  /// Equal parts, so that none is shorter than the reach of its borders.
  struct Strips {
    std::int64_t count, step;
    Strips(std::int64_t columns, std::int64_t most_columns)
        : count(ceil_div(columns, most_columns)), step(ceil_div(columns, count)) {}
  };

  bool parts() const { return most == widest_part && row_.k != most; }

  std::int64_t reach() const { return (row_.k - 1) / 2; }

  /// Runs the next vectors of `left`; returns their number.
  HWY_INLINE std::int64_t run_piece(std::int64_t left, bool one_group) {
    if (left >= vectors) {
      run_groups<vectors>(one_group);
      return vectors;
    }
    if constexpr (vectors > 3) {
      if (left >= vectors / 2) {
        run_groups<vectors / 2>(one_group);
        return vectors / 2;
      }
    }
    if constexpr (vectors > 1 && per_slot % vectors != 0) run_vectors<1, true>();
    return 1;
  }

  /// Groups are whole slots: if a slot is at least `vectors` vectors, no piece spans groups.
  template <int count>
  HWY_INLINE void run_groups(bool one_group) {
    if constexpr (per_slot < vectors) {
      if (!one_group) return run_vectors<count, false>();
    }
    run_vectors<count, true>();
  }

  template <int count, bool one_group>
  HWY_NOINLINE void run_vectors() {
    if (strip_begin_ == column_begin_) begin_first<count>();
    if (parts()) {
      if constexpr (most == widest_part) run_parts<count, one_group>();
    } else {
      run_columns<count, one_group>(strip_begin_, strip_end_);
    }
    if (parts() || strip_end_ == row_.columns.W) write_last<count>();
  }

  /// Columns [w, end) and their targets in the tile.
  template <int count, bool one_group>
  HWY_INLINE void run_columns(std::int64_t w, std::int64_t end) {
    const std::int64_t rising = HWY_MAX(row_.columns.begin + reach() - w, 0);
    const std::int64_t falling = HWY_MAX(end - (row_.columns.end - reach()), 0);
    if (!slides_to_borders<one_group>(row_.s) || rising + falling > end - w ||
        row_.columns.end - row_.columns.begin < row_.k - 1) {
      return run_all_targets<count, one_group>(w, end);
    }
    slide_.columns = end - w;
    slide_.rising = rising;
    slide_.falling = falling;
    slide_.stores_first_target = true;
    slide_.to_offset = (w - reach() - row_.columns.begin) * slide_.to_pixel + channel_;
    slide<most, count, one_group>(w, 0);
  }

  /// Columns [w, end) and all their targets: those outside the tile are summed and dropped.
  template <int count, bool one_group>
  HWY_INLINE void run_all_targets(std::int64_t w, std::int64_t end) {
    slide_.rising = slide_.falling = 0;
    while (w < end) {
      const std::int64_t left = w - reach();
      const bool inside = left >= row_.columns.begin && left < row_.columns.end;
      const std::int64_t alike = inside ? row_.columns.end - left : row_.columns.begin - left;
      slide_.columns = alike > 0 ? HWY_MIN(end - w, alike) : end - w;
      slide_.stores_first_target = inside;
      slide_.to_offset = (left - row_.columns.begin) * slide_.to_pixel + channel_;
      slide<most, count, one_group>(w, 0);
      w += slide_.columns;
    }
  }

  /// A window in parts: of each, the columns that have targets of it in the tile.
  template <int count, bool one_group>
  HWY_INLINE void run_parts() {
    slide_.stores_first_target = false;
    slide_.to_offset = 0;
    slide_.rising = slide_.falling = 0;
    for (std::int64_t t = 0, targets; t < row_.k; t += targets) {
      targets = row_.k - t < most ? 1 : most;
      const std::int64_t w = HWY_MAX(row_.columns.begin + reach() - t - targets + 1, column_begin_);
      slide_.columns = HWY_MIN(row_.columns.end + reach() - t, column_end_) - w;
      if (slide_.columns <= 0) continue;
      targets == most ? slide<most, count, one_group>(w, t) : slide<1, count, one_group>(w, t);
    }
  }

  /// The columns of slide_ from w on, for `targets` cells of the window from t on.
  template <int targets, int count, bool one_group>
  HWY_INLINE void slide(std::int64_t w, std::int64_t t) {
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
    slide_.offset = (w - delta_.column) * row_.s * delta_.pixel + channel_;
    slide_.weight = (w - row_.mask.column) * row_.s * row_.mask.pixel + t;
    slide_.sum = sums_offset() + (w - column_begin_ + t) * count * lanes;
    slide_any_scale<targets, count, one_group>(slide_);
  }

  /// Zeroes the targets that begin with the first column: all in reach of it except the last. Of a window in parts,
  /// all.
  template <int count>
  HWY_INLINE void begin_first() const {
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      if (!row_.begins(kh)) continue;
      Real* const sums = row_.sums[kh] + sums_offset();
      const std::int64_t targets = row_.k - 1 + (parts() ? column_end_ - column_begin_ : 0);
      for (std::int64_t i = 0; i < targets * count * lanes; ++i) sums[i] = 0;
    }
  }

  /// Writes the targets that only the border of the map completes; of a window in parts, all.
  template <int count>
  HWY_INLINE void write_last() const {
    const hn::ScalableTag<Real> d;
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
    const Columns& columns = row_.columns;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      if (!row_.ends(kh)) continue;
      Stored* const to = to_ + (kh - row_.kh_begin) * slide_.to_pitch + channel_;
      const Real* const sums = row_.sums[kh] + sums_offset();
      const std::int64_t begin =
          parts() ? columns.begin : HWY_MAX(columns.W - reach(), columns.begin);
      for (std::int64_t j = begin; j < columns.end; ++j) {
        const Real* const sum = sums + (j + reach() - column_begin_) * count * lanes;
        for (int v = 0; v < count; ++v) {
          store_result(d, hn::Load(d, sum + v * lanes),
                       to + (j - columns.begin) * slide_.to_pixel + v * lanes, slide_.stream);
        }
      }
    }
  }

  /// Offset of the sums of the present piece. Layout: pieces, columns from the first target in reach on, channels.
  std::int64_t sums_offset() const { return channel_ * (column_end_ - column_begin_ + row_.k - 1); }

  const GeneralGradInputRow<T, Stored>& row_;
  Rows<Stored> delta_;
  Stored* to_;
  std::int64_t column_begin_, column_end_;  // columns whose outputs reach targets of the tile
  std::int64_t strip_begin_ = 0, strip_end_ = 0;
  std::int64_t channel_ = 0;
  Slide<Stored, Real, vectors> slide_;
};

template <class T, class Stored>
HWY_INLINE void scatter(const GeneralGradInputRow<T, Stored>& row, Stored* to,
                        std::int64_t to_pitch, std::int64_t to_pixel) {
  if constexpr (tuned) {
    if (row.k == 1) return Scatter<1, T, Stored>(row, to, to_pitch, to_pixel).run();
    if (row.k == 7) return Scatter<7, T, Stored>(row, to, to_pitch, to_pixel).run();
    if (row.k == 5) return Scatter<5, T, Stored>(row, to, to_pitch, to_pixel).run();
  }
  Scatter<widest_part, T, Stored>(row, to, to_pitch, to_pixel).run();
}

/// Results go to `staging` in Real, and from there without padding to memory.
template <class T>
HWY_INLINE void scatter_staged(const GeneralGradInputRow<T, Compute<T>>& row, T* stored) {
  const Destination<T>& to = row.grad_input;
  const std::int64_t pixel = row.block.padded_total();
  const std::int64_t columns = row.columns.end - row.columns.begin;
  scatter(row, to.staging, columns * pixel, pixel);
  for (std::int64_t kh = row.kh_begin; kh < row.kh_end; ++kh) {
    if (!row.ends(kh)) continue;
    const Compute<T>* from = to.staging + (kh - row.kh_begin) * columns * pixel;
    T* const results = stored + (kh - row.kh_begin) * to.pitch;
    for (std::int64_t w = 0; w < columns; ++w) {
      for (std::int64_t g = 0; g < row.block.groups; ++g, from += row.block.padded) {
        narrow_run(from, results + w * to.pixel + g * to.group, row.block.channels);
      }
    }
  }
}

template <class T, class Stored>
void grad_input_row(const GeneralGradInputRow<T, Stored>& row) {
  const Destination<T>& to = row.grad_input;
  T* const stored = to.row + row.columns.begin * to.pixel;
  if constexpr (std::is_same_v<Stored, T>) {
    if (!to.staged) return scatter(row, stored, to.pitch, to.pixel);
  }
  if constexpr (std::is_same_v<Stored, Compute<T>>) scatter_staged(row, stored);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
