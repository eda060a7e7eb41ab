// The inner loop of grad_input: adds the outputs of adjacent pixels of a row to the targets of another row; included
// per target.
#if defined(MLUOPS_CARAFE_SLIDE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_SLIDE_INL_HPP
#undef MLUOPS_CARAFE_SLIDE_INL_HPP
#else
#define MLUOPS_CARAFE_SLIDE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// `columns` pixels of a row from left to right, and the targets in reach of each, which move by one from pixel to
/// pixel. grad_output is read and results are written as `Stored`.
template <class Stored, class Real, int most_vectors>
struct Slide {
  std::int64_t columns;
  std::int64_t rising;   // first columns: each reaches one target more than the one before
  std::int64_t falling;  // last columns: each reaches one target less
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;  // rows of the window
  const Stored* const* delta;     // s rows
  std::int64_t offset;            // to the first output of the first pixel
  std::int64_t pixel;             // to the next output
  Real* strip;                    // to widen the outputs into, if widens_strips
  const Real* const* mask;        // s rows
  std::int64_t
      weight;  // offset in `mask` of the first output's weight for the first target, kh = 0
  std::int64_t mask_pixel;              // to that of the next output
  std::int64_t group_of[most_vectors];  // to the weights of each vector of channels
  Real* const* sums;                    // rows of them, by kh
  std::int64_t sum;                     // to that of the first target; the next one follows
  bool first_row, last_row;             // of the map
  bool zeroes_last_target;              // of each pixel, where its row of targets begins
  bool stores_first_target;             // of each pixel, where its row of targets ends
  Stored* to;                           // where complete targets go: row kh_begin
  std::int64_t to_offset;               // to the first target of the first pixel
  std::int64_t to_pitch, to_pixel;
  bool stream;
  Prefetch* prefetch;
  std::int64_t pace;  // of prefetch, for each row of targets
};

template <class D, class Stored>
HWY_INLINE void store_result(D d, hn::Vec<D> sum, Stored* to, bool stream) {
  if constexpr (std::is_same_v<Stored, hn::TFromD<D>>) {
    if (stream) return hn::Stream(sum, d, to);
  }
  store_as(d, sum, to);
}

/// Whether the first row of targets stores the widened outputs for the rows after it. Narrower vectors gain nothing
/// from that.
template <int targets, int scale, class Stored, class Real>
inline constexpr bool widens_strips =
    !std::is_same_v<Stored, Real> && many_registers && targets >= 5 && scale == 2;

/// Adds an output to the sums of its targets [first, last): a vector of grad_output is loaded once for all of them,
/// and stored to `widened` if `keep`.
template <int first, int last, bool one_group, bool keep, int targets, int vectors, class D,
          class Source, class Real>
HWY_INLINE void add_output(D d, const Source* from, Real* widened, const Real* weights,
                           const std::int64_t* group_of, hn::Vec<D> (&sums)[targets][vectors]) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  hn::Vec<D> delta[vectors];
  HWY_UNROLL(8)
  for (int v = 0; v < vectors; ++v) delta[v] = load_as(d, from + v * lanes);
  if constexpr (keep) {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) hn::Store(delta[v], d, widened + v * lanes);
  }
  HWY_UNROLL(8)
  for (int t = first; t < last; ++t) {
    const auto shared = hn::Set(d, weights[t]);
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) {
      const auto weight = one_group ? shared : hn::Set(d, weights[t + group_of[v]]);
      sums[t][v] = hn::MulAdd(weight, delta[v], sums[t][v]);
    }
  }
}

/// One row of targets, `width` elements each: its next column, and the sums in reach of that. `scale` is s, or 0 for
/// any s. `Source` is Stored, or Real to read widened outputs.
template <int targets, int vectors, bool one_group, int scale, class Source, class Stored,
          class Real, int most>
class SlidingRow {
 public:
  SlidingRow(const Slide<Stored, Real, most>& slide, std::int64_t kh)
      : slide_(slide),
        kept_(slide.sums[kh] + slide.sum),
        to_(slide.to + slide.to_offset + (kh - slide.kh_begin) * slide.to_pitch),
        weight_(slide.weight + kh * slide.k + (one_group ? slide.group_of[0] : 0)),
        begins_(slide.zeroes_last_target && (slide.first_row || kh == slide.k - 1)),
        ends_(slide.stores_first_target && (slide.last_row || kh == 0)),
        lines_(take_lines(*slide.prefetch, slide.pace)) {
    for (int sy = 0; sy < scale; ++sy) {
      if constexpr (widens_strips<targets, scale, Stored, Real>) {
        widened_[sy] = slide.strip + sy * slide.columns * scale * width;
      }
      if constexpr (in_place) {
        delta_[sy] = slide.delta[sy] + slide.offset;
      } else {
        delta_[sy] = widened_[sy];
      }
      weights_[sy] = slide.mask[sy] + weight_;
    }
  }

  HWY_INLINE void run() {
    HWY_UNROLL(8)
    for (int t = 0; t + 1 < targets; ++t) {
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) {
        sums_[t][v] =
            t < slide_.rising ? hn::Zero(d_) : hn::Load(d_, kept_ + t * width + v * lanes);
      }
    }
    rise<targets - 1>();
    const std::int64_t whole = slide_.columns - slide_.rising - slide_.falling;
    for (const Real* const end = kept_ + whole * width; kept_ != end;) step<0, targets>();
    fall<targets - 1>();
    HWY_UNROLL(8)
    for (int t = 0; t + 1 < targets; ++t) {
      if (t + 1 >= targets - slide_.falling) break;
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) hn::Store(sums_[t][v], d_, kept_ + t * width + v * lanes);
    }
    while (lines_.next < lines_.end) prefetch_line(lines_);
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  static constexpr std::int64_t width = vectors * lanes;
  static constexpr bool in_place = std::is_same_v<Source, Stored>;
  static constexpr bool widens = in_place && widens_strips<targets, scale, Stored, Real>;

  /// The column that reaches targets from `first` on, then the one that reaches one more, and so on.
  template <int first>
  HWY_INLINE void rise() {
    if constexpr (scale != 0 && first > 0) {
      if (slide_.rising >= first) step<first, targets>();
      rise<first - 1>();
    }
  }

  template <int last>
  HWY_INLINE void fall() {
    if constexpr (scale != 0 && last > 0) {
      if (slide_.falling >= targets - last) step<0, last>();
      fall<last - 1>();
    }
  }

  /// Adds a column that reaches targets [first, last), and moves to the next.
  template <int first, int last>
  HWY_INLINE void step() {
    if constexpr (last == targets) {
      HWY_UNROLL(8)
      for (int v = 0; v < vectors; ++v) {
        sums_[targets - 1][v] =
            begins_ ? hn::Zero(d_) : hn::Load(d_, kept_ + (targets - 1) * width + v * lanes);
      }
    }
    if constexpr (scale == 0) {
      add_any_outputs();
    } else {
      add_outputs<first, last>();
    }
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) {
      if constexpr (first == 0) {
        if (ends_) {
          store_result(d_, sums_[0][v], to_ + v * lanes, stream_);
        } else {
          hn::Store(sums_[0][v], d_, kept_ + v * lanes);
        }
      }
      HWY_UNROLL(8)
      for (int t = first > 0 ? first : 1; t < last; ++t) sums_[t - 1][v] = sums_[t][v];
    }
    kept_ += width;
    to_ += to_pixel_;
  }

  /// All scale² outputs of a pixel. Lines are prefetched one by one: fill buffers are few.
  template <int first, int last>
  HWY_INLINE void add_outputs() {
    HWY_UNROLL(2)
    for (int sy = 0; sy < scale; ++sy) {
      prefetch_line(lines_);
      HWY_UNROLL(2)
      for (int sx = 0; sx < scale; ++sx) {
        add_output<first, last, one_group, widens>(d_, delta_[sy], widened_[sy], weights_[sy],
                                                   slide_.group_of, sums_);
        delta_[sy] += in_place ? pixel_ : width;
        if constexpr (widens) widened_[sy] += width;
        weights_[sy] += mask_pixel_;
      }
    }
  }

  /// All s² outputs of a pixel, for any s.
  HWY_INLINE void add_any_outputs() {
    for (std::int64_t sy = 0; sy < slide_.s; ++sy) {
      prefetch_line(lines_);
      const Source* from = slide_.delta[sy] + offset_;
      const Real* weights = slide_.mask[sy] + weight_;
      for (std::int64_t sx = 0; sx < slide_.s; ++sx) {
        add_output<0, targets, one_group, false>(d_, from, slide_.strip, weights, slide_.group_of,
                                                 sums_);
        from += pixel_;
        weights += mask_pixel_;
      }
    }
    offset_ += slide_.s * pixel_;
    weight_ += slide_.s * mask_pixel_;
  }

  const hn::ScalableTag<Real> d_{};
  const Slide<Stored, Real, most>& slide_;
  Real* kept_;
  Stored* to_;
  // Copies, so that stores cannot change them and they stay in registers.
  const std::int64_t pixel_ = slide_.pixel, mask_pixel_ = slide_.mask_pixel;
  const std::int64_t to_pixel_ = slide_.to_pixel;
  const bool stream_ = slide_.stream;
  std::int64_t offset_ = slide_.offset, weight_;
  // The rows of the outputs of the next column, if scale is not 0.
  const Source* delta_[scale == 0 ? 1 : scale];
  Real* widened_[scale == 0 ? 1 : scale] = {};
  const Real* weights_[scale == 0 ? 1 : scale];
  bool begins_, ends_;
  Lines lines_;  // to prefetch
  hn::Vec<hn::ScalableTag<Real>> sums_[targets][vectors];
};

template <int targets, int vectors, bool one_group, int scale, class Stored, class Real, int most>
HWY_NOINLINE void slide_rows(const Slide<Stored, Real, most>& arguments) {
  using Local =
      std::conditional_t<scale == 0, Slide<Stored, Real, most>, const Slide<Stored, Real, most>&>;
  const Local slide = arguments;  // for any scale, a copy: it is read for each pixel
  constexpr bool widens = widens_strips<targets, scale, Stored, Real>;
  using Widened = std::conditional_t<widens, Real, Stored>;
  std::int64_t kh = slide.kh_begin;
  if constexpr (widens) {
    SlidingRow<targets, vectors, one_group, scale, Stored, Stored, Real, most>(slide, kh++).run();
  }
  for (; kh < slide.kh_end; ++kh) {
    SlidingRow<targets, vectors, one_group, scale, Widened, Stored, Real, most>(slide, kh).run();
  }
}

/// Whether columns near the borders of a tile have their own loops, for fewer targets.
template <bool one_group>
constexpr bool slides_to_borders(std::int64_t s) {
  return tuned && one_group && s == 2;
}

template <int targets, int vectors, bool one_group, class Arguments>
HWY_INLINE void slide_any_scale(const Arguments& arguments) {
  if constexpr (slides_to_borders<one_group>(2)) {
    if (arguments.s == 2) return slide_rows<targets, vectors, one_group, 2>(arguments);
  }
  slide_rows<targets, vectors, one_group, 0>(arguments);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
