// The products of grad_mask in blocks: some cells of a window times two vectors of outputs; included per target.
#if defined(MLUOPS_CARAFE_BLOCKS_PRODUCTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_BLOCKS_PRODUCTS_INL_HPP
#undef MLUOPS_CARAFE_BLOCKS_PRODUCTS_INL_HPP
#else
#define MLUOPS_CARAFE_BLOCKS_PRODUCTS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/pin-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

inline constexpr int block_channels = 8, block_outputs = 4, block_window = 5;

/// The outputs of a pixel: two adjacent ones in each of two rows.
template <class Stored>
struct PixelOutputs {
  const Stored* row[2];
  std::int64_t pixel;  // to the next output of a row
};

/// Copies a block of channels from c on of the outputs of `rows` rows, one after the other. Copies do not use the
/// ports of multiply-adds.
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
  const float* cell[block_window];  // the first cell of each row
  std::int64_t pixel;               // to the next cell
  std::int64_t channels;
  const Stored* packed;
  float* widened;  // 16-bit Stored: the first cells store the outputs here for the other cells
  PixelOutputs<Stored> next;  // outputs to pack between the products
  Stored* next_packed;        // where to pack them
};

/// Hides how a value was computed, so that the compiler does not keep a separate address for each cell.
template <class Value>
HWY_INLINE void keep(Value& value) {
#if HWY_COMPILER_GCC
  asm("" : "+r"(value));
#endif
}

/// Eight channels of a cell, broadcast to each output of a vector.
template <class D>
HWY_INLINE hn::Vec<D> load_cell(D d, const float* from) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<D>{_mm512_broadcast_f32x8(_mm256_loadu_ps(from))};
#else
  return hn::LoadU(d, from);
#endif
}

/// Products of the cells [first, first + cells) of a window and two vectors of outputs, from vector `part` on. They go to
/// `partials`; those of the second vector follow `pitch` products later. If `starts`, also packs the next outputs.
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
    prefetch_line(lines);
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

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
