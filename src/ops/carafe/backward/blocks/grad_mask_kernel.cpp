// grad_mask of four outputs at once, for k = 5 and s = 2.
//
// A vector holds a block of eight channels of each of two outputs (AVX2: of one) and is multiplied by eight channels
// of a cell, broadcast to all blocks: half as many lanes are left to add as in vectors of one output, and a cell is
// loaded once for all four.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "ops/carafe/backward/blocks/grad_mask.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/blocks/grad_mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/blocks/products-inl.hpp"
#include "ops/carafe/backward/lane_sums-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

template <class T, class Stored>
class GradMaskBlocks {
 public:
  explicit GradMaskBlocks(const BlocksGradMaskRow<T, Stored>& row)
      : row_(row),
        delta_(row.delta),
        pace_(prefetch_pace(row.prefetch_bytes, (row.columns.end - row.columns.begin) * row.G)),
        packed_(reinterpret_cast<Stored*>(row.packed)),
        next_packed_(packed_ + block_outputs * row.padded),
        widened_(row.packed + block_outputs * row.padded) {}

  HWY_INLINE void run() {
    pack(outputs(row_.columns.begin, 0), packed_);
    for (std::int64_t w = row_.columns.begin; w < row_.columns.end; ++w) {
      for (std::int64_t g = 0; g < row_.G; ++g) {
        run_group(w, g);
        clear_padding(next_packed_);
        std::swap(packed_, next_packed_);
      }
    }
    if (summed_ != nullptr) store_whole();
  }

 private:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int k = block_window, reach = (k - 1) / 2, cells = k * k;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr int in_vector = static_cast<int>(lanes / block_channels);  // outputs
  static constexpr int parts = block_outputs / in_vector;

  PixelOutputs<Stored> outputs(std::int64_t w, std::int64_t g) const {
    const std::int64_t offset = (w - delta_.column) * 2 * delta_.pixel + g * row_.padded;
    return {{delta_.row[0] + offset, delta_.row[1] + offset}, delta_.pixel};
  }

  HWY_INLINE void pack(const PixelOutputs<Stored>& from, Stored* to) const {
    for (std::int64_t c = 0; c < row_.padded; c += block_channels) {
      pack_block<2>(from, c, to + c * block_outputs);
    }
    clear_padding(to);
  }

  /// Outputs that are read in place are followed by others.
  HWY_INLINE void clear_padding(Stored* packed) const {
    if (delta_.pixel >= row_.padded) return;
    for (std::int64_t c = row_.channels; c < row_.padded; ++c) {
      Stored* const block = packed + c / block_channels * block_channels * block_outputs;
      for (int p = 0; p < block_outputs; ++p) {
        block[p * block_channels + c % block_channels] = Stored{};
      }
    }
  }

  HWY_INLINE void run_group(std::int64_t w, std::int64_t g) {
    const std::int64_t kw_begin = HWY_MAX(reach - w, 0);
    const std::int64_t used = HWY_MIN(row_.columns.W + reach - w, k) - kw_begin;
    BlockProducts<Stored> products;
    products.pixel = row_.input.pixel;
    products.channels = row_.padded;
    products.packed = packed_;
    products.widened = widened_;
    products.next_packed = next_packed_;
    const bool last = g + 1 == row_.G && w + 1 == row_.columns.end;
    products.next = last ? outputs(w, g) : g + 1 == row_.G ? outputs(w + 1, 0) : outputs(w, g + 1);
    const std::int64_t column =
        (w - reach + kw_begin - row_.input.column) * row_.input.pixel + g * row_.padded;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      products.cell[kh - row_.kh_begin] = row_.input.row[kh] + column;
    }
    Lines lines = take_lines(*row_.prefetch, pace_);
    T* const to = row_.grad_mask + ((w - row_.grad_mask_column) * 2 * row_.G + g) * cells;
    if (used == k && row_.kh_end - row_.kh_begin == k) {
      multiply_whole(products, lines);
      if (summed_ != nullptr) store_whole();
      add_eight_lanes(row_.partials, parts * cells, row_.sums);
      summed_ = to;
    } else {
      if (summed_ != nullptr) store_whole();
      summed_ = nullptr;
      run_rows(products, used, lines, to, kw_begin);
    }
    while (lines.next < lines.end) prefetch_line(lines);
  }

  /// Stores the results of the group before: its sums are in L1, while those of the present group are still in the
  /// store queue, and a load cannot combine several pending stores.
  HWY_INLINE void store_whole() const {
    for (int p = 0; p < block_outputs; ++p) {
      narrow_run(sums_of(p, cells), result_of(summed_, p), cells);
    }
  }

  /// All cells of a window, as many at a time as fit the registers.
  HWY_INLINE void multiply_whole(const BlockProducts<Stored>& products, Lines& lines) const {
    float* const partials = row_.partials;
    if constexpr (many_registers) {
      constexpr int half = cells / 2;
      multiply_blocks<true, 0, half>(products, 0, partials, cells, lines);
      multiply_blocks<false, half, cells - half>(products, 0, partials + half * lanes, cells,
                                                 lines);
    } else {
      multiply_rows<k>(products, lines, k);
    }
  }

  /// `neighbours` adjacent cells of each of `rows` rows.
  template <int neighbours>
  HWY_INLINE void multiply_rows(const BlockProducts<Stored>& products, Lines& lines,
                                std::int64_t rows) const {
    BlockProducts<Stored> one = products;
    for (std::int64_t i = 0; i < rows; ++i) {
      one.cell[0] = products.cell[i];
      for (int part = 0; part < parts; part += 2) {
        float* const partials = row_.partials + (part * rows + i) * neighbours * lanes;
        if (i == 0) {
          multiply_blocks<true, 0, neighbours>(one, part, partials, rows * neighbours, lines);
        } else {
          multiply_blocks<false, 0, neighbours>(one, part, partials, rows * neighbours, lines);
        }
      }
    }
  }

  /// Near the borders of the map: row by row; cells outside are zero.
  HWY_INLINE void run_rows(const BlockProducts<Stored>& products, std::int64_t used, Lines& lines,
                           T* to, std::int64_t kw_begin) const {
    const std::int64_t rows = row_.kh_end - row_.kh_begin;
    multiply_cells<k>(products, used, lines, rows);
    add_eight_lanes(row_.partials, parts * rows * used, row_.sums);
    for (int p = 0; p < block_outputs; ++p) {
      T* const result = result_of(to, p);
      std::fill_n(result, cells, T{});
      for (std::int64_t i = 0; i < rows; ++i) {
        narrow_run(sums_of(p, rows * used) + i * used, result + (row_.kh_begin + i) * k + kw_begin,
                   used);
      }
    }
  }

  /// `used` cells of each row, at most `most`.
  template <int most>
  HWY_INLINE void multiply_cells(const BlockProducts<Stored>& products, std::int64_t used,
                                 Lines& lines, std::int64_t rows) const {
    if constexpr (most > 1) {
      if (used < most) return multiply_cells<most - 1>(products, used, lines, rows);
    }
    multiply_rows<most>(products, lines, rows);
  }

  /// The `count` sums of output p.
  HWY_INLINE const float* sums_of(int p, std::int64_t count) const {
    return row_.sums + p % in_vector * round_up(parts * count, 8) + p / in_vector * count;
  }

  /// Where the results of output p go, given those of the first.
  HWY_INLINE T* result_of(T* first, int p) const {
    return first + (p / 2 * row_.pitch + p % 2) * row_.G * cells;
  }

  const BlocksGradMaskRow<T, Stored>& row_;
  Rows<Stored> delta_;
  std::int64_t pace_;  // of prefetch, for each group of a pixel
  Stored* packed_;
  Stored* next_packed_;
  float* widened_;
  T* summed_ = nullptr;  // where the results in row_.sums go; null if there are none
};

template <class T, class Stored>
void blocks_grad_mask_row(const BlocksGradMaskRow<T, Stored>& row) {
  GradMaskBlocks<T, Stored>(row).run();
}

template <class T>
constexpr KernelsOf<BlocksGradMaskRow, T> kernels_of{blocks_grad_mask_row<T, T>,
                                                     blocks_grad_mask_row<T, Compute<T>>};

const FloatKernels<BlocksGradMaskRow>& blocks_grad_mask_table() {
  static constexpr FloatKernels<BlocksGradMaskRow> all{kernels_of<float>, kernels_of<Half>,
                                                       kernels_of<BFloat16>};
  return all;
}

#else

const FloatKernels<BlocksGradMaskRow>& blocks_grad_mask_table() {
  static constexpr FloatKernels<BlocksGradMaskRow> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<FloatKernels<BlocksGradMaskRow>> blocks_grad_mask_kernels =
    MLUOP_PER_ISA(blocks_grad_mask_table);

}  // namespace mluop::carafe
#endif
