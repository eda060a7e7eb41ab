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
#include "ops/carafe/pin-inl.hpp"
#include "ops/carafe/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// Where the cells of one window as they are stored come from, among those of two as they are computed: of the
/// first or the second, if row kh = 0 is the one at `top`.
struct CellOrder {
  alignas(64) std::int32_t lower[16]{};  // cells 0 to 15
  alignas(64) std::int32_t upper[16]{};  // and 16 to 24

  constexpr CellOrder(int top, int second) {
    constexpr int k = register_window;
    for (int cell = 0; cell < k * k; ++cell) {
      (cell < 16 ? lower : upper)[cell % 16] = (second + cell % k) * k + (top + cell / k) % k;
    }
  }
};

inline constexpr CellOrder cell_orders[register_window][2] = {
    {{0, 0}, {0, 1}}, {{1, 0}, {1, 1}}, {{2, 0}, {2, 1}}, {{3, 0}, {3, 1}}, {{4, 0}, {4, 1}}};

/// A row of the input on its way among the others of each column: 16 columns, spread over five vectors.
struct Spreading {
  alignas(64) std::int32_t column[register_window][16]{};
  std::uint16_t lanes[register_window]{};

  constexpr explicit Spreading(int row) {
    for (int at = 0; at < register_window * 16; ++at) {
      column[at / 16][at % 16] = at / static_cast<int>(register_window);
      if (at % register_window != row) continue;
      lanes[at / 16] = static_cast<std::uint16_t>(lanes[at / 16] | 1u << at % 16);
    }
  }

  HWY_INLINE void store(const float* from, float* to) const {
    const __m512 columns = _mm512_load_ps(from);
    HWY_UNROLL(8)
    for (int i = 0; i < register_window; ++i) {
      const __m512 spread = _mm512_permutexvar_ps(_mm512_load_si512(column[i]), columns);
      _mm512_mask_storeu_ps(to + i * 16, lanes[i], spread);
    }
  }
};

inline constexpr Spreading spreadings[register_window] = {Spreading(0), Spreading(1), Spreading(2),
                                                          Spreading(3), Spreading(4)};

/// Products of some outputs of two neighbouring pixels with the cells of both windows, group by group.
template <class Stored>
struct WindowProducts {
  std::int64_t groups, channels;
  const float* windows;        // by channel
  std::int64_t pitch, padded;  // from channel to channel; from group to group, in channels
  const Stored* delta[paired_outputs];
  const CellOrder* order[paired_outputs];
  std::uint32_t used[paired_outputs];  // cells inside the map, a bit for each
  float* to[paired_outputs];           // 25 cells of each group
  Lines lines;
};

template <int outputs, class Stored>
HWY_NOINLINE void multiply_windows(const WindowProducts<Stored>& arguments) {
  const hn::ScalableTag<float> d;
  constexpr std::int64_t most = 32;         // channels of a small group
  alignas(64) float delta[outputs * most];  // a copy: one pointer for all outputs
  const float* windows = arguments.windows;
  Lines lines = arguments.lines;
  for (std::int64_t g = 0; g < arguments.groups; ++g) {
    hn::Vec<decltype(d)> sums[outputs][2];
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) sums[p][0] = sums[p][1] = hn::Zero(d);
    for (std::int64_t c = 0; c < arguments.padded; c += 16) {
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) {
        const Stored* const from = arguments.delta[p] + g * arguments.padded + c;
        hn::Store(load_as(d, from), d, delta + p * most + c);
      }
    }
    const float* window = windows;
    for (std::int64_t c = 0; c < arguments.channels; ++c, window += arguments.pitch) {
      fetch_line(lines);
      const auto lower = pinned(hn::LoadU(d, window)), upper = pinned(hn::LoadU(d, window + 16));
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) {
        const auto output = pinned(hn::Set(d, delta[p * most + c]));
        sums[p][0] = hn::MulAdd(output, lower, sums[p][0]);
        sums[p][1] = hn::MulAdd(output, upper, sums[p][1]);
      }
    }
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      const auto cells = [&](const std::int32_t* from, std::uint32_t used) HWY_ATTR {
        return _mm512_maskz_permutex2var_ps(static_cast<__mmask16>(used), sums[p][0].raw,
                                            _mm512_load_si512(from), sums[p][1].raw);
      };
      const CellOrder& order = *arguments.order[p];
      float* const to = arguments.to[p] + g * register_window * register_window;
      _mm512_storeu_ps(to, cells(order.lower, arguments.used[p] & 0xFFFF));
      _mm512_mask_storeu_ps(to + 16, 0x1FF, cells(order.upper, arguments.used[p] >> 16));
    }
    windows += arguments.padded * arguments.pitch;
  }
  while (lines.next < lines.end) fetch_line(lines);
}

/// Two pixels after the other: all their outputs and groups.
template <class T, class Stored>
class WindowGradMask {
 public:
  WindowGradMask(const GradMaskRow<T>& row, const Rows<Stored>& input, const Rows<Stored>& delta)
      : row_(row),
        windows_(row.windows),
        input_(input),
        delta_(delta),
        to_column_(row.grad_mask_column),
        to_pitch_(row.pitch) {
    products_.groups = row.G;
    products_.channels = windows_.channels;
    products_.pitch = windows_.pitch;
    products_.padded = row.padded;
  }

  HWY_INLINE void run() {
    const Columns& columns = row_.columns;
    pace_ = fetching_pace(row_.fetched_bytes, (columns.end - columns.begin + 1) / 2);
    if (windows_.streamed == nullptr) return run_pairs(columns.begin, columns.end);
    const std::int64_t step = streamed_columns(row_.s * cells() * std::int64_t{sizeof(T)});
    for (std::int64_t w = columns.begin; w < columns.end; w += step) {
      run_streamed(w, HWY_MIN(w + step, columns.end));
    }
    hwy::FlushStream();
  }

 private:
  static constexpr int k = register_window, r = (k - 1) / 2;

  /// Of an output.
  std::int64_t cells() const { return row_.G * k * k; }

  /// The next 16 columns of the rows that are new, from x on; beyond the map, where cells are not used, its
  /// nearest.
  HWY_INLINE void place_columns(std::int64_t x) const {
    const std::int64_t left = row_.columns.begin - r;
    const std::int64_t last = HWY_MIN(row_.columns.end + r, row_.columns.W) - 1;
    std::int64_t at[16];
    for (std::int64_t i = 0; i < 16; ++i) {
      const std::int64_t column = HWY_MIN(HWY_MAX(left + x + i, 0), last);
      at[i] = (column - input_.column) * input_.pixel;
    }
    for (std::int64_t kh = windows_.fresh; kh < row_.kh_end; ++kh) {
      const Spreading& spreading = spreadings[(windows_.top + kh) % k];
      for (std::int64_t g = 0; g < row_.G; ++g) {
        transpose_columns(input_.row[kh] + g * row_.padded, at, windows_.channels, windows_.columns,
                          16);
        float* to = windows_.rows + g * row_.padded * windows_.pitch + x * k;
        for (std::int64_t c = 0; c < windows_.channels; ++c, to += windows_.pitch) {
          spreading.store(windows_.columns + c * 16, to);
        }
      }
    }
  }

  /// Results go to a buffer in L1, and from there past the caches.
  HWY_INLINE void run_streamed(std::int64_t begin, std::int64_t end) {
    const std::int64_t pixel = row_.s * cells();
    to_column_ = begin;
    to_pitch_ = (end - begin) * row_.s;
    run_pairs(begin, end);
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      const T* const from = row_.grad_mask + sy * (end - begin) * pixel;
      T* const to = windows_.streamed + (sy * row_.columns.W + begin) * pixel;
      stream_bytes(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                   (end - begin) * pixel * std::int64_t{sizeof(T)});
    }
  }

  HWY_INLINE void run_pairs(std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; w += 2) run_pair(w, HWY_MIN(end - w, 2));
  }

  /// All outputs of the pixel at w or of two of them.
  HWY_INLINE void run_pair(std::int64_t w, std::int64_t pixels) {
    const std::uint32_t used[2] = {used_cells(w), used_cells(w + 1)};
    const std::int64_t reached = w - row_.columns.begin + pixels + k - 1;
    for (; placed_ < reached; placed_ += 16) place_columns(placed_);
    products_.windows = windows_.rows + (w - row_.columns.begin) * k;
    products_.lines = take_lines(*row_.fetching, pace_);
    std::int64_t sy = 0, x = 0;
    for (std::int64_t left = row_.s * row_.s * pixels; left > 0;) {
      const int count = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
      for (int p = 0; p < count; ++p) {
        const int second = x >= row_.s ? 1 : 0;
        products_.order[p] = &cell_orders[windows_.top][second];
        products_.used[p] = used[second];
        set_output(p, sy, w * row_.s + x);
        if (++x == pixels * row_.s) x = 0, ++sy;
      }
      multiply(count);
      products_.lines = {};
      left -= count;
    }
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

  /// Output x of row sy.
  HWY_INLINE void set_output(int p, std::int64_t sy, std::int64_t x) {
    const Stored* const from = delta_.row[sy] + (x - delta_.column * row_.s) * delta_.pixel;
    T* const to = row_.grad_mask + (sy * to_pitch_ + x - to_column_ * row_.s) * cells();
    products_.delta[p] = from;
    if constexpr (std::is_same_v<T, float>) {
      products_.to[p] = to;
    } else {
      products_.to[p] = windows_.products + p * cells();
      narrowed_[p] = to;
    }
  }

  HWY_INLINE void multiply(int count) const {
    if (count == 8) multiply_windows<8>(products_);
    if (count == 4) multiply_windows<4>(products_);
    if (count == 2) multiply_windows<2>(products_);
    if (count == 1) multiply_windows<1>(products_);
    if constexpr (!std::is_same_v<T, float>) {
      for (int p = 0; p < count; ++p) narrow_run(products_.to[p], narrowed_[p], cells());
    }
  }

  const GradMaskRow<T>& row_;
  const Windows<T>& windows_;
  Rows<Stored> input_, delta_;
  std::int64_t to_column_, to_pitch_;  // of where results are collected
  std::int64_t pace_ = 0;              // of fetching, for each pair
  std::int64_t placed_ = 0;            // columns of the new rows
  WindowProducts<Stored> products_;
  T* narrowed_[paired_outputs];
};

template <class T>
void window_grad_mask_row(const GradMaskRow<T>& row) {
  if (row.padded == row.windows.channels) {
    WindowGradMask<T, T>(row, row.stored_input, row.stored_delta).run();
  } else {
    WindowGradMask<T, float>(row, row.input, row.delta).run();
  }
}

const PerType<GradMaskKernel>& window_grad_mask_table() {
  static constexpr PerType<GradMaskKernel> all{window_grad_mask_row<float>, nullptr,
                                               window_grad_mask_row<Half>,
                                               window_grad_mask_row<BFloat16>};
  return all;
}

#else

const PerType<GradMaskKernel>& window_grad_mask_table() {
  static constexpr PerType<GradMaskKernel> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const PerIsa<const PerType<GradMaskKernel>& (*)()> window_grad_mask_kernels =
    MLUOP_PER_ISA(window_grad_mask_table);

}  // namespace mluop::carafe
#endif
