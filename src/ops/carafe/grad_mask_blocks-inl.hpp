// grad_mask of four outputs at once, windows of 5, s 2; included per target.
//
// A vector holds four channels of each of several outputs, a block of 16 bytes for each, and is multiplied by
// four channels of a cell, broadcast to all blocks: what is left to add across lanes are the four of a block.
#if defined(MLUOPS_CARAFE_GRAD_MASK_BLOCKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_GRAD_MASK_BLOCKS_INL_HPP
#undef MLUOPS_CARAFE_GRAD_MASK_BLOCKS_INL_HPP
#else
#define MLUOPS_CARAFE_GRAD_MASK_BLOCKS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/lane_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

inline constexpr int block_channels = 4, block_outputs = 4, block_window = 5;

/// The outputs of a pixel: two neighbours in each of two rows.
template <class Stored>
struct PixelOutputs {
  const Stored* row[2];
  std::int64_t pixel;  // to the neighbour
};

/// Four channels from c on of the four outputs, side by side. Copies go past the units that multiply.
template <class Stored>
HWY_INLINE void pack_block(const PixelOutputs<Stored>& outputs, std::int64_t c, Stored* to) {
  constexpr std::size_t bytes = block_channels * sizeof(Stored);
  HWY_UNROLL(2)
  for (int sy = 0; sy < 2; ++sy) {
    HWY_UNROLL(2)
    for (int sx = 0; sx < 2; ++sx) {
      std::memcpy(to + (sy * 2 + sx) * block_channels, outputs.row[sy] + sx * outputs.pixel + c,
                  bytes);
    }
  }
}

/// One group of a pixel.
template <class Stored>
struct BlockProducts {
  const float* cell[block_window];  // the first cell in question of each row
  std::int64_t pixel;               // to the next cell
  std::int64_t channels;
  const Stored* packed;
  PixelOutputs<Stored> next;  // to pack meanwhile,
  Stored* next_packed;        // to here
  Lines lines;                // to fetch meanwhile
};

/// A value that the compiler does not derive from another one, nor others from it: it would keep 25 addresses.
template <class Value>
HWY_INLINE void keep(Value& value) {
#if HWY_COMPILER_GCC
  asm("" : "+r"(value));
#endif
}

/// Products of `rows` times `cells` cells and the outputs, in `parts` vectors; also packs the next pixel if `packs`.
template <bool packs, int parts, int rows, int cells, class Stored, class V>
HWY_INLINE void multiply_blocks(const BlockProducts<Stored>& products,
                                V (&sums)[parts][rows][cells], Lines& lines) {
  const hn::ScalableTag<float> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<float>()));
  const std::byte* cell[rows];
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    cell[i] = reinterpret_cast<const std::byte*>(products.cell[i]);
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      HWY_UNROLL(2)
      for (int part = 0; part < parts; ++part) sums[part][i][m] = hn::Zero(d);
    }
  }
  const Stored* packed = products.packed;
  const Stored* const end = packed + products.channels * block_outputs;
  PixelOutputs<Stored> next = products.next;
  Stored* next_packed = products.next_packed;
  std::int64_t pixel = products.pixel * std::int64_t{sizeof(float)}, three = 3 * pixel;
  for (; packed != end; packed += block_outputs * block_channels) {
    keep(pixel);
    keep(three);
    fetch_line(lines);
    V outputs[parts];
    HWY_UNROLL(2)
    for (int part = 0; part < parts; ++part) outputs[part] = load_as(d, packed + part * lanes);
    if constexpr (packs) {
      pack_block(next, 0, next_packed);
      next_packed += block_outputs * block_channels;
      next.row[0] += block_channels;
      next.row[1] += block_channels;
    }
    HWY_UNROLL(8)
    for (int i = 0; i < rows; ++i) {
      keep(cell[i]);
      HWY_UNROLL(8)
      for (int m = 0; m < cells; ++m) {
        const std::byte* const from = cell[i] + (m == 3 ? three : m * pixel);
        const auto channels = hn::LoadDup128(d, reinterpret_cast<const float*>(from));
        HWY_UNROLL(2)
        for (int part = 0; part < parts; ++part) {
          sums[part][i][m] = hn::MulAdd(channels, outputs[part], sums[part][i][m]);
        }
      }
      cell[i] += block_channels * sizeof(float);
    }
  }
}

template <class T, class Stored>
class GradMaskBlocks {
 public:
  GradMaskBlocks(const GradMaskRow<T>& row, const Rows<Stored>& delta)
      : row_(row),
        delta_(delta),
        pace_(fetching_pace(row.fetched_bytes, (row.columns.end - row.columns.begin) * row.G)),
        packed_(reinterpret_cast<Stored*>(row.packed)),
        next_packed_(packed_ + block_outputs * row.padded) {}

  HWY_INLINE void run() {
    pack(outputs(row_.columns.begin, 0), packed_);
    for (std::int64_t w = row_.columns.begin; w < row_.columns.end; ++w) {
      for (std::int64_t g = 0; g < row_.G; ++g) {
        run_group(w, g);
        std::swap(packed_, next_packed_);
      }
    }
  }

 private:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr int k = block_window, reach = (k - 1) / 2;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr int parts = static_cast<int>(block_outputs * block_channels / lanes);
  static constexpr int cells = k * k, sets = (cells - 1) / block_channels + 1;

  PixelOutputs<Stored> outputs(std::int64_t w, std::int64_t g) const {
    const std::int64_t offset = (w - delta_.column) * 2 * delta_.pixel + g * row_.padded;
    return {{delta_.row[0] + offset, delta_.row[1] + offset}, delta_.pixel};
  }

  HWY_INLINE void pack(const PixelOutputs<Stored>& from, Stored* to) const {
    for (std::int64_t c = 0; c < row_.padded; c += block_channels) {
      pack_block(from, c, to + c * block_outputs);
    }
  }

  HWY_INLINE void run_group(std::int64_t w, std::int64_t g) {
    const std::int64_t kw_begin = HWY_MAX(reach - w, 0);
    const std::int64_t used = HWY_MIN(row_.columns.W + reach - w, k) - kw_begin;
    BlockProducts<Stored> products;
    products.pixel = row_.input.pixel;
    products.channels = row_.padded;
    products.packed = packed_;
    products.next_packed = next_packed_;
    const bool last = g + 1 == row_.G && w + 1 == row_.columns.end;
    products.next = last ? outputs(w, g) : g + 1 == row_.G ? outputs(w + 1, 0) : outputs(w, g + 1);
    const std::int64_t column =
        (w - reach + kw_begin - row_.input.column) * row_.input.pixel + g * row_.padded;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      products.cell[kh - row_.kh_begin] = row_.input.row[kh] + column;
    }
    products.lines = take_lines(*row_.fetching, pace_);
    T* const to = row_.grad_mask + ((w - row_.grad_mask_column) * 2 * row_.G + g) * cells;
    if (used == k && row_.kh_end - row_.kh_begin == k) return run_whole(products, to);
    run_rows(products, used, to, kw_begin);
  }

  /// All cells of a window, in the order of the results.
  HWY_INLINE void run_whole(const BlockProducts<Stored>& products, T* to) const {
    T* const sums = reinterpret_cast<T*>(row_.sums);
    Lines lines = products.lines;
    if constexpr (parts == 1) {
      V products_of[1][k][k];
      multiply_blocks<true>(products, products_of, lines);
      store_sets<cells>(&products_of[0][0][0], sums);
    } else {
      multiply_by_rows(products, lines, sums);
    }
    while (lines.next < lines.end) fetch_line(lines);
    for (int p = 0; p < block_outputs; ++p) {
      T* const result = result_of(to, p);
      const T* const from = sums + p * block_channels;
      HWY_UNROLL(8)
      for (int set = 0; set + 1 < sets; ++set) {
        std::memcpy(result + set * block_channels, from + set * block_channels * block_outputs,
                    block_channels * sizeof(T));
      }
      result[cells - 1] = from[(sets - 1) * block_channels * block_outputs];
    }
  }

  /// The same where registers hold the sums of one row of cells only.
  static HWY_INLINE void multiply_by_rows(const BlockProducts<Stored>& products, Lines& lines,
                                          T* sums) {
    V partials[parts][cells];
    for (int kh = 0; kh < k; ++kh) {
      BlockProducts<Stored> one = products;
      one.cell[0] = products.cell[kh];
      V products_of[parts][1][k];
      if (kh == 0) {
        multiply_blocks<true>(one, products_of, lines);
      } else {
        multiply_blocks<false>(one, products_of, lines);
      }
      HWY_UNROLL(2)
      for (int part = 0; part < parts; ++part) {
        HWY_UNROLL(8)
        for (int m = 0; m < k; ++m) partials[part][kh * k + m] = products_of[part][0][m];
      }
    }
    for (int part = 0; part < parts; ++part) store_sets<cells>(partials[part], sums + part * lanes);
  }

  /// Sums across the lanes of blocks: by fours of `count` cells, those of all outputs side by side.
  template <int count>
  static HWY_INLINE void store_sets(const V* partials, T* sums) {
    const D d;
    HWY_UNROLL(8)
    for (int first = 0; first < count; first += block_channels) {
      V four[block_channels];
      HWY_UNROLL(4)
      for (int m = 0; m < block_channels; ++m) four[m] = partials[HWY_MIN(first + m, count - 1)];
      store_as(d, add_within_blocks(d, four), sums + first * block_outputs);
    }
  }

  /// Near the borders of the map: row by row, zeros for what is beyond.
  HWY_INLINE void run_rows(const BlockProducts<Stored>& products, std::int64_t used, T* to,
                           std::int64_t kw_begin) const {
    pack(products.next, products.next_packed);
    for (int p = 0; p < block_outputs; ++p) std::fill_n(result_of(to, p), cells, T{});
    Lines lines = products.lines;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      BlockProducts<Stored> one = products;
      one.cell[0] = products.cell[kh - row_.kh_begin];
      run_cells<k>(one, used, lines, to + kh * k + kw_begin);
    }
    while (lines.next < lines.end) fetch_line(lines);
  }

  /// `used` cells of one row, at most `most`.
  template <int most>
  HWY_INLINE void run_cells(const BlockProducts<Stored>& products, std::int64_t used, Lines& lines,
                            T* to) const {
    if constexpr (most > 1) {
      if (used < most) return run_cells<most - 1>(products, used, lines, to);
    }
    row_cells<most>(products, lines, to);
  }

  template <int count>
  HWY_NOINLINE void row_cells(const BlockProducts<Stored>& products, Lines& lines, T* to) const {
    V products_of[parts][1][count];
    multiply_blocks<false>(products, products_of, lines);
    T* const sums = reinterpret_cast<T*>(row_.sums);
    HWY_UNROLL(2)
    for (int part = 0; part < parts; ++part) {
      store_sets<count>(products_of[part][0], sums + part * lanes);
    }
    for (int p = 0; p < block_outputs; ++p) {
      T* const result = result_of(to, p);
      for (int m = 0; m < count; ++m) {
        result[m] =
            sums[(m / block_channels * block_outputs + p) * block_channels + m % block_channels];
      }
    }
  }

  /// Where results of output p go, from those of the first.
  HWY_INLINE T* result_of(T* first, int p) const {
    return first + (p / 2 * row_.pitch + p % 2) * row_.G * cells;
  }

  const GradMaskRow<T>& row_;
  Rows<Stored> delta_;
  std::int64_t pace_;  // of fetching, for each group of a pixel
  Stored* packed_;
  Stored* next_packed_;
};

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
