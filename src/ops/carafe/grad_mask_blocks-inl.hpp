// grad_mask of four outputs at once, windows of 5, s 2; included per target.
//
// A vector holds eight channels of each of two outputs (of one with AVX2), a block for each, and is multiplied by
// eight channels of a cell, broadcast to all blocks: half as many lanes are left to add as in vectors of one output,
// and a cell is loaded once for all four.
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
#include <type_traits>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/lane_sums-inl.hpp"
#include "ops/carafe/pin-inl.hpp"
#include "ops/carafe/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

inline constexpr int block_channels = 8, block_outputs = 4, block_window = 5;

/// The outputs of a pixel: two neighbours in each of two rows.
template <class Stored>
struct PixelOutputs {
  const Stored* row[2];
  std::int64_t pixel;  // to the neighbour
};

/// A block from channel c on of the outputs of `rows` rows, side by side. Copies go past the units that multiply.
template <int rows, class Stored>
HWY_INLINE void pack_block(const PixelOutputs<Stored>& outputs, std::int64_t c, Stored* to) {
  constexpr std::size_t bytes = block_channels * sizeof(Stored);
  HWY_UNROLL(2)
  for (int sy = 0; sy < rows; ++sy) {
    HWY_UNROLL(2)
    for (int sx = 0; sx < 2; ++sx) {
      std::memcpy(to + (sy * 2 + sx) * block_channels, outputs.row[sy] + sx * outputs.pixel + c,
                  bytes);
    }
  }
}

/// Some cells of one group of a pixel.
template <class Stored>
struct BlockProducts {
  const float* cell[block_window];  // the first cell in question of each row
  std::int64_t pixel;               // to the next cell
  std::int64_t channels;
  const Stored* packed;
  float* widened;  // where the first cells put them for the others, if Stored is narrower
  PixelOutputs<Stored> next;  // to pack meanwhile,
  Stored* next_packed;        // to here
};

/// A value that the compiler does not derive from another one, nor others from it: it would keep an address for
/// each cell.
template <class Value>
HWY_INLINE void keep(Value& value) {
#if HWY_COMPILER_GCC
  asm("" : "+r"(value));
#endif
}

/// Channels of a cell for each output of a vector.
template <class D>
HWY_INLINE hn::Vec<D> load_cell(D d, const float* from) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<D>{_mm512_broadcast_f32x8(_mm256_loadu_ps(from))};
#else
  return hn::LoadU(d, from);
#endif
}

/// Products of the cells [first, first + cells) of a window and two vectors of outputs, from the one at `part` on, to
/// `partials`, those of the second vector `pitch` products on. The first cells of a pixel also pack the next one.
template <bool starts, int first, int cells, class Stored>
HWY_NOINLINE void multiply_blocks(const BlockProducts<Stored>& products, std::int64_t part,
                                  float* partials, std::int64_t pitch, Lines& remaining) {
  const hn::ScalableTag<float> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<float>()));
  constexpr int top = first / block_window, rows = (first + cells - 1) / block_window - top + 1;
  constexpr bool in_place = std::is_same_v<Stored, float>, widens = starts && !in_place;
  using Source = std::conditional_t<starts || in_place, Stored, float>;
  using V = hn::Vec<decltype(d)>;
  V sums[2][cells];
  HWY_UNROLL(16)
  for (int m = 0; m < cells; ++m) sums[0][m] = sums[1][m] = hn::Zero(d);
  const std::byte* cell[rows];
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    cell[i] = reinterpret_cast<const std::byte*>(products.cell[top + i]);
  }
  const Source* packed;
  if constexpr (starts || in_place) {
    packed = products.packed + part * lanes;
  } else {
    packed = products.widened + part * lanes;
  }
  const Source* const end = packed + products.channels * block_outputs;
  [[maybe_unused]] float* widened = products.widened + part * lanes;
  constexpr int packed_rows = static_cast<int>(lanes / block_channels);  // of outputs
  PixelOutputs<Stored> next = products.next;
  if constexpr (packed_rows == 1) next.row[0] = next.row[part / 2];
  Stored* next_packed = products.next_packed + part * lanes;
  Lines lines = remaining;
  std::int64_t pixel = products.pixel * std::int64_t{sizeof(float)}, three = 3 * pixel;
  for (; packed != end; packed += block_outputs * block_channels) {
    keep(pixel);
    keep(three);
    fetch_line(lines);
    const V lower = pinned(load_as(d, packed)), upper = pinned(load_as(d, packed + lanes));
    if constexpr (widens) {
      hn::Store(lower, d, widened);
      hn::Store(upper, d, widened + lanes);
      widened += block_outputs * block_channels;
    }
    if constexpr (starts) {
      pack_block<packed_rows>(next, 0, next_packed);
      next_packed += block_outputs * block_channels;
      next.row[0] += block_channels;
      next.row[1] += block_channels;
    }
    HWY_UNROLL(16)
    for (int m = 0; m < cells; ++m) {
      constexpr int width = block_window;
      const int row = (first + m) / width - top, column = (first + m) % width;
      if (m == 0 || column == 0) keep(cell[row]);
      const std::byte* const from = cell[row] + (column == 3 ? three : column * pixel);
      const V channels = pinned(load_cell(d, reinterpret_cast<const float*>(from)));
      sums[0][m] = hn::MulAdd(channels, lower, sums[0][m]);
      sums[1][m] = hn::MulAdd(channels, upper, sums[1][m]);
    }
    HWY_UNROLL(8)
    for (int i = 0; i < rows; ++i) cell[i] += block_channels * sizeof(float);
  }
  remaining = lines;
  HWY_UNROLL(16)
  for (int m = 0; m < cells; ++m) {
    hn::Store(sums[0][m], d, partials + m * lanes);
    hn::Store(sums[1][m], d, partials + (pitch + m) * lanes);
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
        next_packed_(packed_ + block_outputs * row.padded),
        widened_(row.packed + block_outputs * row.padded) {}

  HWY_INLINE void run() {
    pack(outputs(row_.columns.begin, 0), packed_);
    for (std::int64_t w = row_.columns.begin; w < row_.columns.end; ++w) {
      for (std::int64_t g = 0; g < row_.G; ++g) {
        run_group(w, g);
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
    Lines lines = take_lines(*row_.fetching, pace_);
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
    while (lines.next < lines.end) fetch_line(lines);
  }

  /// The results of an earlier group, whose sums are no longer on their way to L1 as those of the present one are:
  /// a load cannot take parts of several stores from there.
  HWY_INLINE void store_whole() const {
    for (int p = 0; p < block_outputs; ++p) {
      narrow_run(sums_of(p, cells), result_of(summed_, p), cells);
    }
  }

  /// All cells of a window: as many at a time as registers hold sums of.
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

  /// `neighbours` cells of each of `rows` rows.
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

  /// Near the borders of the map: row by row, zeros for what is beyond.
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

  /// The sums of output p, of which there are `count`.
  HWY_INLINE const float* sums_of(int p, std::int64_t count) const {
    return row_.sums + p % in_vector * eights(parts * count) + p / in_vector * count;
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
  float* widened_;
  T* summed_ = nullptr;  // where results go whose sums are in row_.sums
};

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
