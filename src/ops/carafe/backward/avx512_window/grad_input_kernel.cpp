// grad_input of small groups: a scatter by rows with the sums of a whole window in registers.
//
// Weights change with every vector or two, so a multiply-add should load nothing but its weight: the outputs of
// a pixel add to all rows of targets in reach at once. Sums add up in the order of general/scatter-inl.hpp.
#include <hwy/cache_control.h>

#include "ops/carafe/backward/avx512_window/grad_input.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/avx512_window/grad_input_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// Outputs of neighbouring pixels, one vector of channels, and `rows` rows of targets in their reach.
template <int rows, class Stored>
struct WindowSlide {
  std::int64_t columns, s;
  const Stored* delta;                    // of the first output
  std::int64_t delta_pixel, delta_pitch;  // to the next one, and to that in the next row
  const float* weights;                   // likewise
  std::int64_t weight_pixel, weight_pitch;
  float* sums[rows];        // of the first target in reach
  __mmask16 started[rows];  // all lanes if the last target in reach has sums already, else none
  std::int64_t step;        // to the next target
  Lines lines;
};

template <int rows>
using WindowSums = hn::Vec<hn::ScalableTag<float>>[rows][register_window];

/// Adds the outputs of a pixel. Its first target is in sums[][first]; the others follow cyclically.
template <int first, int rows, class Stored>
HWY_INLINE void add_pixel(WindowSlide<rows, Stored>& slide, WindowSums<rows>& sums) {
  const hn::ScalableTag<float> d;
  constexpr int k = register_window, last = (first + k - 1) % k;
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    const float* const entering = slide.sums[i] + (k - 1) * slide.step;
    sums[i][last].raw = _mm512_maskz_load_ps(slide.started[i], entering);
  }
  for (std::int64_t sy = 0; sy < slide.s; ++sy) {
    const Stored* delta = slide.delta + sy * slide.delta_pitch;
    const float* weights = slide.weights + sy * slide.weight_pitch;
    for (std::int64_t sx = 0; sx < slide.s; ++sx) {
      prefetch_line(slide.lines);
      prefetch_line(slide.lines);  // two per output: about as many as there are
      const auto output = load_as(d, delta);
      HWY_UNROLL(8)
      for (int i = 0; i < rows; ++i) {
        HWY_UNROLL(8)
        for (int t = 0; t < k; ++t) {
          auto& sum = sums[i][(first + t) % k];
          sum = hn::MulAdd(hn::Set(d, weights[i * k + t]), output, sum);
        }
      }
      delta += slide.delta_pixel;
      weights += slide.weight_pixel;
    }
  }
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    hn::Store(sums[i][first], d, slide.sums[i]);
    slide.sums[i] += slide.step;
  }
  slide.delta += slide.s * slide.delta_pixel;
  slide.weights += slide.s * slide.weight_pixel;
}

template <int rows, class Stored>
HWY_NOINLINE void slide_windows(const WindowSlide<rows, Stored>& arguments) {
  const hn::ScalableTag<float> d;
  constexpr int k = register_window;
  WindowSlide<rows, Stored> slide = arguments;
  WindowSums<rows> sums;
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    HWY_UNROLL(8)
    for (int t = 0; t + 1 < k; ++t) sums[i][t] = hn::Load(d, slide.sums[i] + t * slide.step);
  }
  for (; slide.columns >= k; slide.columns -= k) {
    add_pixel<0>(slide, sums);
    add_pixel<1>(slide, sums);
    add_pixel<2>(slide, sums);
    add_pixel<3>(slide, sums);
    add_pixel<4>(slide, sums);
  }
  for (; slide.columns > 0; --slide.columns) {
    add_pixel<0>(slide, sums);
    HWY_UNROLL(8)
    for (int i = 0; i < rows; ++i) {
      HWY_UNROLL(8)
      for (int t = 0; t + 1 < k; ++t) sums[i][t] = sums[i][t + 1];
    }
  }
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    HWY_UNROLL(8)
    for (int t = 0; t + 1 < k; ++t) hn::Store(sums[i][t], d, slide.sums[i] + t * slide.step);
  }
  while (slide.lines.next < slide.lines.end) prefetch_line(slide.lines);
}

/// The targets of one row, all groups.
template <class T, class Stored>
class WindowScatter {
 public:
  explicit WindowScatter(const WindowGradInputRow<T, Stored>& row)
      : row_(row),
        delta_(row.delta),
        step_(row.block.padded_total()),
        column_begin_(HWY_MAX(row.columns.begin - reach, 0)),
        column_end_(HWY_MIN(row.columns.end + reach, row.columns.W)) {}

  HWY_INLINE void run() {
    const std::int64_t strips = ceil_div(column_end_ - column_begin_, weight_columns);
    pace_ = prefetch_pace(row_.prefetch_bytes, strips * (step_ / lanes));
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      if (row_.begins(kh)) begin_row(kh);
    }
    for (std::int64_t w = column_begin_; w < column_end_; w += weight_columns) {
      run_strip(w, HWY_MIN(column_end_ - w, weight_columns));
      write_strip(w);
    }
    if (row_.grad_input.stream) hwy::FlushStream();
  }

 private:
  static constexpr int k = register_window, reach = (k - 1) / 2;
  static constexpr std::int64_t lanes = slot<float>;

  /// A strip of columns, whose weights stay in L1 for all groups: a cache line can hold weights of two groups.
  HWY_INLINE void run_strip(std::int64_t w, std::int64_t columns) {
    set_weights(w, columns);
    for (std::int64_t channel = 0; channel < step_; channel += lanes) {
      const Lines lines = take_lines(*row_.prefetch, pace_);
      switch (row_.kh_end - row_.kh_begin) {
        case 1:
          slide<1>(w, columns, channel, lines);
          break;
        case 2:
          slide<2>(w, columns, channel, lines);
          break;
        case 3:
          slide<3>(w, columns, channel, lines);
          break;
        case 4:
          slide<4>(w, columns, channel, lines);
          break;
        default:
          slide<5>(w, columns, channel, lines);
      }
    }
  }

  /// Sets the weights of the columns from w on, in place or widened.
  HWY_INLINE void set_weights(std::int64_t w, std::int64_t columns) {
    const Rows<T>& mask = row_.mask;
    const std::int64_t from = (w - mask.column) * row_.s * mask.pixel;
    if constexpr (std::is_same_v<T, float>) {
      weights_ = mask.row[0] + from;
      weight_pitch_ = row_.s > 1 ? mask.row[1] - mask.row[0] : 0;
    } else {
      weights_ = row_.weights;
      weight_pitch_ = columns * row_.s * mask.pixel;
      for (std::int64_t sy = 0; sy < row_.s; ++sy) {
        widen_run(mask.row[sy] + from, row_.weights + sy * weight_pitch_, weight_pitch_);
      }
    }
  }

  /// One vector of channels, and all `rows` rows of targets.
  template <int rows>
  HWY_INLINE void slide(std::int64_t w, std::int64_t columns, std::int64_t channel,
                        const Lines& lines) const {
    const std::int64_t kh = row_.kh_begin;
    WindowSlide<rows, Stored> slide;
    slide.columns = columns;
    slide.s = row_.s;
    slide.delta = delta_.row[0] + (w - delta_.column) * row_.s * delta_.pixel + channel;
    slide.delta_pixel = delta_.pixel;
    slide.delta_pitch = row_.s > 1 ? delta_.row[1] - delta_.row[0] : 0;
    slide.weights = weights_ + (channel / row_.block.padded * k + kh) * k;
    slide.weight_pixel = row_.mask.pixel;
    slide.weight_pitch = weight_pitch_;
    for (int i = 0; i < rows; ++i) {
      slide.sums[i] = row_.sums[kh + i] + (w - column_begin_) * step_ + channel;
      slide.started[i] = row_.begins(kh + i) ? 0 : 0xFFFF;
    }
    slide.step = step_;
    slide.lines = lines;
    slide_windows(slide);
  }

  /// Zeroes the targets in reach of the first pixel, except the last.
  HWY_INLINE void begin_row(std::int64_t kh) const {
    const hn::ScalableTag<float> d;
    const std::int64_t count = (k - 1) * step_;
    for (std::int64_t i = 0; i < count; i += lanes) hn::Store(hn::Zero(d), d, row_.sums[kh] + i);
  }

  /// Writes the targets that no column after the strip at w reaches, while they are in L1.
  HWY_INLINE void write_strip(std::int64_t w) const {
    const std::int64_t next = w + weight_columns;
    const std::int64_t begin = HWY_MAX(w - reach, row_.columns.begin);
    const std::int64_t end = next < column_end_ ? next - reach : row_.columns.end;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      if (row_.ends(kh)) write_targets(kh, begin, end);
    }
  }

  HWY_INLINE void write_targets(std::int64_t kh, std::int64_t begin, std::int64_t end) const {
    const Destination<T>& results = row_.grad_input;
    const float* from = row_.sums[kh] + (begin + reach - column_begin_) * step_;
    T* to = results.row + (kh - row_.kh_begin) * results.pitch + begin * results.pixel;
    if (step_ == results.pixel) {
      const std::int64_t count = (end - begin) * step_;
      return results.stream ? stream_run(from, to, count) : narrow_run(from, to, count);
    }
    for (std::int64_t w = begin; w < end; ++w, to += results.pixel) {
      for (std::int64_t g = 0; g < row_.block.groups; ++g, from += row_.block.padded) {
        narrow_run(from, to + g * results.group, row_.block.channels);
      }
    }
  }

  const WindowGradInputRow<T, Stored>& row_;
  Rows<Stored> delta_;
  std::int64_t step_;                       // from target to target
  std::int64_t column_begin_, column_end_;  // columns whose outputs reach targets of the tile
  std::int64_t pace_ = 0;                   // of prefetch, for each vector of a strip
  const float* weights_ = nullptr;
  std::int64_t weight_pitch_ = 0;
};

template <class T, class Stored>
void window_grad_input_row(const WindowGradInputRow<T, Stored>& row) {
  WindowScatter<T, Stored>(row).run();
}

template <class T>
constexpr KernelsOf<WindowGradInputRow, T> kernels_of{window_grad_input_row<T, T>,
                                                      window_grad_input_row<T, Compute<T>>};

const FloatKernels<WindowGradInputRow>& window_grad_input_table() {
  static constexpr FloatKernels<WindowGradInputRow> all{kernels_of<float>, kernels_of<Half>,
                                                        kernels_of<BFloat16>};
  return all;
}

#else

const FloatKernels<WindowGradInputRow>& window_grad_input_table() {
  static constexpr FloatKernels<WindowGradInputRow> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<FloatKernels<WindowGradInputRow>> window_grad_input_kernels =
    MLUOP_PER_ISA(window_grad_input_table);

}  // namespace mluop::carafe
#endif
