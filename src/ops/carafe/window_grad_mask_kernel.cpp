// grad_mask of small groups where the cells of a window are lanes: no sum goes across lanes, and results need
// no transposing.
//
// By channel, the rows of a window lie side by side for each column, so that a window is 25 neighbours and
// those of two pixels are 30, which two vectors hold; grad_output is broadcast. A product adds up channel by
// channel, as in transposed_grad_mask_kernel.cpp.
#include <hwy/cache_control.h>

#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/window_grad_mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/window_columns-inl.hpp"
#include "ops/carafe/window_products-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// Two pixels after the other: all their outputs and groups.
template <class T, class Stored>
class WindowGradMask {
 public:
  WindowGradMask(const GradMaskRow<T>& row, const Rows<Stored>& input, const Rows<Stored>& delta)
      : row_(row),
        windows_(row.windows),
        input_(input),
        delta_(delta),
        to_(row.grad_mask),
        to_column_(row.grad_mask_column),
        to_pitch_(row.pitch) {
    products_.groups = row.G;
    products_.channels = windows_.channels;
    products_.padded = row.padded;
    products_.pitch = windows_.pitch;
    products_.step = delta.pixel;
    products_.order = cell_orders[windows_.top];
    products_.writing = products_.writing_end = writing_;
  }

  HWY_INLINE void run() {
    const Columns& columns = row_.columns;
    pace_ = fetching_pace(row_.fetched_bytes, (columns.end - columns.begin + 1) / 2);
    if (windows_.streamed == nullptr) return run_pairs(columns.begin, columns.end);
    const std::int64_t step = streamed_columns(row_.s * cells() * std::int64_t{sizeof(T)});
    for (std::int64_t w = columns.begin; w < columns.end; w += step) {
      run_streamed(w, HWY_MIN(w + step, columns.end));
    }
    for (Writing& writing : writing_) end_writing(writing);
    hwy::FlushStream();
  }

 private:
  static constexpr int k = register_window, r = (k - 1) / 2;

  /// Of an output.
  std::int64_t cells() const { return row_.G * k * k; }

  /// The next 16 columns of the rows that are new, from x on; beyond the map, where cells are not used, its
  /// nearest.
  HWY_INLINE void place(std::int64_t x) const {
    const std::int64_t first = row_.columns.begin - r + x;
    const std::int64_t last = HWY_MIN(row_.columns.end + r, row_.columns.W) - 1;
    const bool inside = first >= 0 && first + 15 <= last;
    for (std::int64_t kh = windows_.fresh; kh < row_.kh_end; ++kh) {
      const Spreading& spreading = spreadings[(windows_.top + kh) % k];
      for (std::int64_t g = 0; g < row_.G; ++g) {
        const Stored* const from = input_.row[kh] + g * row_.padded;
        float* const to = windows_.rows + g * row_.padded * windows_.pitch + x * k;
        if (inside) {
          place_columns(from + (first - input_.column) * input_.pixel, input_.pixel,
                        windows_.channels, spreading, to, windows_.pitch);
          continue;
        }
        auto* const pixels = reinterpret_cast<Stored*>(windows_.columns);
        for (std::int64_t i = 0; i < 16; ++i) {
          const std::int64_t column = HWY_MIN(HWY_MAX(first + i, 0), last) - input_.column;
          std::memcpy(pixels + i * row_.padded, from + column * input_.pixel,
                      static_cast<std::size_t>(row_.padded) * sizeof(Stored));
        }
        place_columns(pixels, row_.padded, windows_.channels, spreading, to, windows_.pitch);
      }
    }
  }

  /// Results go to a buffer in L1, and from there past the caches while the next go to another.
  HWY_INLINE void run_streamed(std::int64_t begin, std::int64_t end) {
    const std::int64_t pixel = row_.s * cells();
    to_column_ = begin;
    to_pitch_ = (end - begin) * row_.s;
    run_pairs(begin, end);
    for (Writing& writing : writing_) end_writing(writing);
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      const T* const from = to_ + sy * (end - begin) * pixel;
      T* const to = windows_.streamed + (sy * row_.columns.W + begin) * pixel;
      Writing& writing = writing_[sy % most_rows];
      end_writing(writing);
      writing =
          begin_writing(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                        (end - begin) * pixel * std::int64_t{sizeof(T)});
    }
    products_.writing_end = writing_ + HWY_MIN(row_.s, most_rows);
    to_ = to_ == row_.grad_mask ? row_.grad_mask + windows_.buffer : row_.grad_mask;
  }

  HWY_INLINE void run_pairs(std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; w += 2) {
      if (w + 1 < end) {
        run_pixels<2>(w);
      } else {
        run_pixels<1>(w);
      }
    }
  }

  /// All outputs of the pixel at w or of two of them.
  template <int pixels>
  HWY_INLINE void run_pixels(std::int64_t w) {
    const std::int64_t reached = w - row_.columns.begin + pixels + k - 1;
    for (; placed_ < reached; placed_ += 16) place(placed_);
    for (int pixel = 0; pixel < 2; ++pixel) products_.used[pixel] = used_cells(w + pixel);
    products_.windows = windows_.rows + (w - row_.columns.begin) * k;
    products_.lines = take_lines(*row_.fetching, pace_);
    if (row_.s == 2) return multiply<2, 4, pixels>(w, 0);
    const std::int64_t outputs = row_.s * row_.s;
    std::int64_t first = 0;
    for (; first + 4 <= outputs; first += 4) multiply<0, 4, pixels>(w, first);
    for (; first < outputs; ++first) multiply<0, 1, pixels>(w, first);
  }

  /// Cells of the window around column w that are inside the map.
  HWY_INLINE std::uint32_t used_cells(std::int64_t w) const {
    std::uint32_t used = (1u << k * k) - 1;
    if (row_.kh_begin == 0 && row_.kh_end == k && w >= r && w + r < row_.columns.W) return used;
    for (int cell = 0; cell < k * k; ++cell) {
      const std::int64_t kh = cell / k, column = w + cell % k - r;
      const bool row_used = kh >= row_.kh_begin && kh < row_.kh_end;
      if (!row_used || column < 0 || column >= row_.columns.W) used &= ~(1u << cell);
    }
    return used;
  }

  /// Some outputs of each pixel.
  template <int s, int outputs, int pixels>
  HWY_INLINE void multiply(std::int64_t w, std::int64_t first) {
    const std::int64_t scale = s == 2 ? 2 : row_.s;
    HWY_UNROLL(8)
    for (int p = 0; p < outputs * pixels; ++p) {
      const std::int64_t output = first + p % outputs, sy = output / scale;
      const std::int64_t x = (w + p / outputs) * scale + output % scale;
      products_.to[p] = to_ + (sy * to_pitch_ + x - to_column_ * scale) * cells();
      products_.delta[p] = delta_of(sy, x, s == 2 ? sy * 4 + x - w * 2 : p);
    }
    multiply_windows<s, outputs, pixels>(products_);
    products_.lines = {};
  }

  /// Output x of row sy, in place or widened: then with s = 2 those of a row follow each other, too.
  HWY_INLINE const float* delta_of(std::int64_t sy, std::int64_t x, std::int64_t place) const {
    const Stored* const from = delta_.row[sy] + (x - delta_.column * row_.s) * delta_.pixel;
    if constexpr (std::is_same_v<Stored, float>) {
      return from;
    } else {
      float* const widened = windows_.delta + place * delta_.pixel;
      widen_run(from, widened, delta_.pixel);
      return widened;
    }
  }

  static constexpr std::int64_t most_rows = 4;  // of results that are written meanwhile

  const GradMaskRow<T>& row_;
  const Windows<T>& windows_;
  Rows<Stored> input_, delta_;
  T* to_;
  std::int64_t to_column_, to_pitch_;  // of where results are collected
  std::int64_t pace_ = 0;              // of fetching, for each pair
  std::int64_t placed_ = 0;            // columns of the new rows
  WindowProducts<T> products_;
  Writing writing_[most_rows];
};

template <class T>
void window_grad_mask_row(const GradMaskRow<T>& row) {
  if (row.padded == row.windows.channels) {
    WindowGradMask<T, T>(row, row.stored_input, row.stored_delta).run();
  } else {
    WindowGradMask<T, float>(row, row.input, row.delta).run();
  }
}

const PerDtype<GradMaskKernel>& window_grad_mask_table() {
  static constexpr PerDtype<GradMaskKernel> all{window_grad_mask_row<float>, nullptr,
                                                window_grad_mask_row<Half>,
                                                window_grad_mask_row<BFloat16>};
  return all;
}

#else

const PerDtype<GradMaskKernel>& window_grad_mask_table() {
  static constexpr PerDtype<GradMaskKernel> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const PerIsa<const PerDtype<GradMaskKernel>& (*)()> window_grad_mask_kernels =
    MLUOP_PER_ISA(window_grad_mask_table);

}  // namespace mluop::carafe
#endif
