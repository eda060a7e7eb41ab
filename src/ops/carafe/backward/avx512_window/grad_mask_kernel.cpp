// grad_mask of small groups with the cells of a window as lanes: there are no sums across lanes, and results
// are not transposed.
//
// For each channel and column, the rows of a window are adjacent in scratch: a window is 25 adjacent floats, the
// windows of two pixels are 30, which fit two vectors; grad_output is broadcast. A product adds up channel by
// channel, as in transposed/grad_mask_kernel.cpp.
#include <hwy/cache_control.h>

#include "ops/carafe/backward/avx512_window/grad_mask.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/avx512_window/grad_mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/avx512_window/columns-inl.hpp"
#include "ops/carafe/backward/avx512_window/products-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// One pair of pixels after the other: all their outputs and groups.
template <class T, class Stored>
class WindowPixels {
 public:
  explicit WindowPixels(const WindowGradMaskRow<T, Stored>& row)
      : row_(row),
        input_(row.input),
        delta_(row.delta),
        to_(row.grad_mask),
        to_column_(row.grad_mask_column),
        to_pitch_(row.pitch) {
    products_.groups = row.G;
    products_.channels = row.channels;
    products_.padded = row.padded;
    products_.pitch = row.windows_pitch;
    products_.step = row.delta.pixel;
    products_.order = cell_orders[row.top];
    products_.writing = products_.writing_end = writing_;
  }

  HWY_INLINE void run() {
    const Columns& columns = row_.columns;
    pace_ = prefetch_pace(row_.prefetch_bytes, ceil_div(columns.end - columns.begin, 2));
    if (!row_.streams) return run_pairs(columns.begin, columns.end);
    const std::int64_t step = streamed_columns(row_.s * cells() * std::int64_t{sizeof(T)});
    for (std::int64_t w = columns.begin; w < columns.end; w += step) {
      run_streamed(w, HWY_MIN(w + step, columns.end));
    }
    for (Writing& writing : writing_) end_writing(writing);
    hwy::FlushStream();
  }

 private:
  static constexpr int k = register_window, r = (k - 1) / 2;

  /// Cells of an output, all groups.
  std::int64_t cells() const { return row_.G * k * k; }

  /// Places the next 16 columns of the new rows, from x on. Columns outside the map, whose cells are not used, are
  /// copies of the nearest one.
  HWY_INLINE void place(std::int64_t x) const {
    const std::int64_t first = row_.columns.begin - r + x;
    const std::int64_t last = HWY_MIN(row_.columns.end + r, row_.columns.W) - 1;
    const bool inside = first >= 0 && first + 15 <= last;
    for (std::int64_t kh = row_.fresh; kh < row_.kh_end; ++kh) {
      const Spreading& spreading = spreadings[(row_.top + kh) % k];
      for (std::int64_t g = 0; g < row_.G; ++g) {
        const Stored* const from = input_.row[kh] + g * row_.padded;
        float* const to = row_.windows + g * row_.padded * row_.windows_pitch + x * k;
        if (inside) {
          place_columns(from + (first - input_.column) * input_.pixel, input_.pixel, row_.channels,
                        spreading, to, row_.windows_pitch);
          continue;
        }
        Stored* const pixels = row_.border;
        for (std::int64_t i = 0; i < 16; ++i) {
          const std::int64_t column = HWY_MIN(HWY_MAX(first + i, 0), last) - input_.column;
          std::memcpy(pixels + i * row_.padded, from + column * input_.pixel,
                      static_cast<std::size_t>(row_.padded) * sizeof(Stored));
        }
        place_columns(pixels, row_.padded, row_.channels, spreading, to, row_.windows_pitch);
      }
    }
  }

  /// Results go to a buffer in L1, and from there to memory with non-temporal stores while the next results go to
  /// the other buffer.
  HWY_INLINE void run_streamed(std::int64_t begin, std::int64_t end) {
    const std::int64_t pixel = row_.s * cells();
    to_column_ = begin;
    to_pitch_ = (end - begin) * row_.s;
    run_pairs(begin, end);
    for (Writing& writing : writing_) end_writing(writing);
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      const T* const from = to_ + sy * (end - begin) * pixel;
      T* const to = row_.streamed + (sy * row_.columns.W + begin) * pixel;
      Writing& writing = writing_[sy % most_rows];
      end_writing(writing);
      writing =
          begin_writing(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                        (end - begin) * pixel * std::int64_t{sizeof(T)});
    }
    products_.writing_end = writing_ + HWY_MIN(row_.s, most_rows);
    to_ = to_ == row_.grad_mask ? row_.grad_mask + row_.buffer : row_.grad_mask;
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
    products_.windows = row_.windows + (w - row_.columns.begin) * k;
    products_.lines = take_lines(*row_.prefetch, pace_);
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

  /// Output x of row sy, in place or widened. With s = 2 the outputs of a row are adjacent in either case.
  HWY_INLINE const float* delta_of(std::int64_t sy, std::int64_t x, std::int64_t place) const {
    const Stored* const from = delta_.row[sy] + (x - delta_.column * row_.s) * delta_.pixel;
    if constexpr (std::is_same_v<Stored, float>) {
      return from;
    } else {
      float* const widened = row_.widened + place * delta_.pixel;
      widen_run(from, widened, delta_.pixel);
      return widened;
    }
  }

  static constexpr std::int64_t most_rows = 4;  // of results written between the products

  const WindowGradMaskRow<T, Stored>& row_;
  Rows<Stored> input_, delta_;
  T* to_;
  std::int64_t to_column_, to_pitch_;  // of where results are collected
  std::int64_t pace_ = 0;              // of prefetch, for each pair
  std::int64_t placed_ = 0;            // columns of the new rows
  WindowProducts<T> products_;
  Writing writing_[most_rows];
};

template <class T, class Stored>
void window_grad_mask_row(const WindowGradMaskRow<T, Stored>& row) {
  WindowPixels<T, Stored>(row).run();
}

template <class T>
constexpr KernelsOf<WindowGradMaskRow, T> kernels_of{window_grad_mask_row<T, T>,
                                                     window_grad_mask_row<T, Compute<T>>};

const FloatKernels<WindowGradMaskRow>& window_grad_mask_table() {
  static constexpr FloatKernels<WindowGradMaskRow> all{kernels_of<float>, kernels_of<Half>,
                                                       kernels_of<BFloat16>};
  return all;
}

#else

const FloatKernels<WindowGradMaskRow>& window_grad_mask_table() {
  static constexpr FloatKernels<WindowGradMaskRow> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<FloatKernels<WindowGradMaskRow>> window_grad_mask_kernels =
    MLUOP_PER_ISA(window_grad_mask_table);

}  // namespace mluop::carafe
#endif
