// The products of grad_mask for small groups, where lanes are the cells of a window; included per target.
#if defined(MLUOPS_CARAFE_WINDOW_PRODUCTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_WINDOW_PRODUCTS_INL_HPP
#undef MLUOPS_CARAFE_WINDOW_PRODUCTS_INL_HPP
#else
#define MLUOPS_CARAFE_WINDOW_PRODUCTS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ops/carafe/backward/avx512_window/window.hpp"
#include "ops/carafe/backward/writing-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/pin-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// For each cell of a window in stored order, its lane in the two vectors of sums, which hold the windows of two
/// pixels: of the first pixel or the second, if row kh = 0 is the one at `top`.
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

/// Selects the cells of one window, in stored order, from the sums of two windows.
struct CellSelection {
  __m512i lower, upper;
  __mmask16 lower_used, upper_used;  // cells inside the map; others are zero

  /// `used` has a bit for each cell.
  HWY_INLINE CellSelection(const CellOrder& order, std::uint32_t used)
      : lower(in_register(order.lower)),
        upper(in_register(order.upper)),
        lower_used(static_cast<__mmask16>(used)),
        upper_used(static_cast<__mmask16>(used >> 16)) {}

  template <class V, class T>
  HWY_INLINE void store(const V (&sums)[2], T* to) const {
    const auto cells = [&](__mmask16 used, __m512i order) HWY_ATTR {
      return _mm512_maskz_permutex2var_ps(used, sums[0].raw, order, sums[1].raw);
    };
    store_cells(cells(lower_used, lower), to);
    store_cells<0x1FF>(cells(upper_used, upper), to + 16);
  }

 private:
  HWY_INLINE static __m512i in_register(const std::int32_t* order) {
    return pinned(hn::Load(hn::ScalableTag<std::int32_t>(), order)).raw;
  }

  template <__mmask16 stored = 0xFFFF, class T>
  HWY_INLINE static void store_cells(__m512 cells, T* to) {
    if constexpr (std::is_same_v<T, float>) {
      _mm512_mask_storeu_ps(to, stored, cells);
    } else {
      alignas(32) T narrowed[16];
      const hn::ScalableTag<float> d;
      store_as(d, hn::Vec<decltype(d)>{cells}, narrowed);
      _mm256_mask_storeu_epi16(to, stored,
                               _mm256_load_si256(reinterpret_cast<const __m256i*>(narrowed)));
    }
  }
};

/// Outputs of two neighbouring pixels: some of the first, and as many of the second.
template <class T>
struct WindowProducts {
  std::int64_t groups, channels;
  std::int64_t padded, pitch;  // from group to group, in channels; from channel to channel
  const float* windows;        // of the first channel
  const CellOrder* order;      // of both pixels
  std::uint32_t used[2];       // their cells inside the map, a bit for each
  const float* delta[paired_outputs];
  std::int64_t step;      // from output to output of a row
  T* to[paired_outputs];  // 25 cells of each group
  Lines lines;
  Writing *writing, *writing_end;  // rows of earlier results, written between the products
};

/// `outputs` outputs of each pixel. With s = 2 these are all outputs, and one pointer for each row of them saves
/// registers.
template <int s, int outputs, int pixels, class T>
HWY_NOINLINE void multiply_windows(const WindowProducts<T>& products) {
  const hn::ScalableTag<float> d;
  constexpr int all = outputs * pixels;
  const CellSelection selections[2] = {{products.order[0], products.used[0]},
                                       {products.order[1], products.used[1]}};
  const float* windows = products.windows;
  const std::int64_t pitch = products.pitch, step = products.step;
  Lines lines = products.lines;
  Writing* row = products.writing;
  for (std::int64_t g = 0; g < products.groups; ++g) {
    while (row != products.writing_end && row->done()) ++row;
    Writing writing = row == products.writing_end ? Writing{} : *row;
    hn::Vec<decltype(d)> sums[all][2];
    const float* delta[all];
    HWY_UNROLL(8)
    for (int p = 0; p < all; ++p) {
      sums[p][0] = sums[p][1] = hn::Zero(d);
      delta[p] = products.delta[p] + g * products.padded;
    }
    const float* window = windows;
    for (std::int64_t c = 0; c < products.channels; ++c, window += pitch) {
      prefetch_line(lines);
      write_line(writing);
      const auto lower = pinned(hn::LoadU(d, window)), upper = pinned(hn::LoadU(d, window + 16));
      HWY_UNROLL(8)
      for (int p = 0; p < all; ++p) {
        const float* const from =
            s == 2 ? delta[p % 4 / 2 * 2] + (p / 4 * 2 + p % 2) * step : delta[p] + c;
        const auto output = pinned(hn::Set(d, *from));
        sums[p][0] = hn::MulAdd(output, lower, sums[p][0]);
        sums[p][1] = hn::MulAdd(output, upper, sums[p][1]);
      }
      if constexpr (s == 2) ++delta[0], ++delta[2];
    }
    if (row != products.writing_end) *row = writing;
    HWY_UNROLL(8)
    for (int p = 0; p < all; ++p) {
      selections[p / outputs].store(sums[p],
                                    products.to[p] + g * register_window * register_window);
    }
    windows += products.padded * pitch;
  }
  while (lines.next < lines.end) prefetch_line(lines);
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
