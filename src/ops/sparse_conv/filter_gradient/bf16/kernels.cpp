// The design `bf16` of the filter gradient: packs the rows of two pairs together and multiplies them.
#include "ops/sparse_conv/filter_gradient/bf16/kernels.hpp"

#if defined(__x86_64__)

#include <algorithm>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/bf16/products.hpp"
#include "ops/sparse_conv/filter_gradient/rows_ahead.hpp"

HWY_PUSH_ATTRIBUTES(MLUOP_BF16_ATTRIBUTES)
namespace mluop::sparse_conv {
namespace bf16 {
namespace {

/// Pairs that are packed at a time and summed in one chain, which is then added to the sums, as many as in
/// `general`, so that errors are no larger. Two of them make a step. The panels stay in L1.
constexpr std::int64_t batch_pairs = 64, batch_steps = batch_pairs / 2;

/// Dwords from one step of a panel to the next: an odd number of cache lines, so that a column uses all
/// cache sets.
constexpr std::int64_t panel_pitch = gradient_tile + lanes;

/// A batch of one side as [step][channel] pairs, zeros beyond the channels up to whole vectors.
struct Panel {
  alignas(64) std::int32_t pairs[batch_steps][panel_pitch];
};

struct Scratch {
  Panel left, right;
};

/// Packs pairs [first, first + count) of a side; an odd last one is paired with zeros.
void pack(const GradientSide& side, std::int64_t first, std::int64_t count, Panel& panel,
          SmallNumbers& small) {
  static constexpr BFloat16 zeros[gradient_tile] = {};
  const auto row = [&](std::int64_t t) {
    return t < count
               ? static_cast<const BFloat16*>(side.data) + side.rows[first + t] * side.row_pitch
               : zeros;
  };
  SmallNumbers seen = small;  // in a register: stores might change what is in memory
  for (std::int64_t t = 0; t < count; t += 2) {
    const BFloat16 *const low = row(t), *const high = row(t + 1);
    std::int32_t* const to = panel.pairs[t / 2];
    for (std::int64_t c = 0; c < side.channels; c += lanes) {
      const __m512i pairs = pair_up(low + c, high + c, side.channels - c);
      seen.see(pairs);
      _mm512_store_si512(to + c, pairs);
    }
  }
  small = seen;
}

/// Sums of a tile from channel (i, j) on, over the steps of a batch.
struct Block {
  const Scratch& scratch;
  std::int64_t steps;
  std::int64_t i, j;
  float* sum;
  std::int64_t pitch;
};

template <class Products, int rows, int vectors>
void multiply_block(const Block& block) {
  __m512 sums[rows][vectors];
  HWY_UNROLL(6)
  for (int r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  const std::int32_t* left = block.scratch.left.pairs[0] + block.i;
  const std::int32_t* right = block.scratch.right.pairs[0] + block.j;
  for (std::int64_t s = 0; s < block.steps; ++s, left += panel_pitch, right += panel_pitch) {
    __m512i columns[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) columns[v] = _mm512_load_si512(right + v * lanes);
    HWY_UNROLL(6)
    for (int r = 0; r < rows; ++r) {
      const __m512i value = repeat(left + r);
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) {
        sums[r][v] = Products::multiply_add(sums[r][v], value, columns[v]);
      }
    }
  }
  HWY_UNROLL(6)
  for (int r = 0; r < rows; ++r) {
    float* const to = block.sum + (block.i + r) * block.pitch + block.j;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      _mm512_store_ps(to + v * lanes, _mm512_add_ps(_mm512_load_ps(to + v * lanes), sums[r][v]));
    }
  }
}

/// All rows against `vectors` vectors of columns.
template <class Products, int vectors>
void multiply_columns(Block block, std::int64_t rows, std::int64_t& portions,
                      RowsAhead<BFloat16>& ahead) {
  constexpr int most = 6;
  for (block.i = 0; block.i + most <= rows; block.i += most) {
    multiply_block<Products, most, vectors>(block);
    ahead.prefetch(portions--);
  }
  const auto rest = [&]<int some>() {
    for (; block.i + some <= rows; block.i += some) {
      multiply_block<Products, some, vectors>(block);
    }
  };
  rest.template operator()<4>();
  rest.template operator()<2>();
  rest.template operator()<1>();
}

template <class Products>
void multiply(const GradientTile& tile, std::int64_t steps, const Scratch& scratch,
              RowsAhead<BFloat16> ahead) {
  const std::int64_t width = round_up(tile.right.channels, gradient_columns);
  const std::int64_t rows = tile.left.channels;
  std::int64_t portions = std::max<std::int64_t>(1, rows / 6 * ceil_div(width, 4 * lanes));
  Block block{scratch, steps, 0, 0, static_cast<float*>(tile.sum), tile.pitch};
  const auto columns = [&]<int vectors>() {
    for (; block.j + vectors * lanes <= width; block.j += vectors * lanes) {
      multiply_columns<Products, vectors>(block, rows, portions, ahead);
    }
  };
  columns.template operator()<4>();
  columns.template operator()<2>();
  columns.template operator()<1>();
}

template <class Products>
void accumulate(std::span<const GradientTile> tiles, std::byte* memory) {
  Scratch& scratch = *reinterpret_cast<Scratch*>(memory);
  const bool nearest = rounds_to_nearest();
  for (std::size_t n = 0; n < tiles.size(); ++n) {
    const GradientTile& tile = tiles[n];
    for (std::int64_t first = 0; first < tile.count; first += batch_pairs) {
      const std::int64_t count = std::min(batch_pairs, tile.count - first);
      SmallNumbers small;
      pack(tile.left, first, count, scratch.left, small);
      pack(tile.right, first, count, scratch.right, small);
      const RowsAhead<BFloat16> ahead{tiles, n, first, batch_pairs};
      const std::int64_t steps = ceil_div(count, std::int64_t{2});
      if (small.found() || !nearest) {
        multiply<FloatProducts>(tile, steps, scratch, ahead);
      } else {
        multiply<Products>(tile, steps, scratch, ahead);
      }
    }
  }
}

template <class Products>
FilterGradientKernels kernels_with() {
  FilterGradientKernels kernels =
      general_gradient_kernels[static_cast<std::size_t>(Isa::avx512)](MLUOP_DTYPE_BFLOAT16);
  kernels.scratch_bytes = sizeof(Scratch);
  kernels.accumulate = accumulate<Products>;
  return kernels;
}

}  // namespace
}  // namespace bf16

FilterGradientKernels bf16_gradient_kernels() { return bf16::kernels_with<bf16::DotProducts>(); }

FilterGradientKernels bf16_gradient_kernels_by_float_products() {
  return bf16::kernels_with<bf16::FloatProducts>();
}

}  // namespace mluop::sparse_conv
HWY_POP_ATTRIBUTES

namespace mluop::sparse_conv {

bool accepts_bf16(const FilterGradient& problem) { return problem.dtype == MLUOP_DTYPE_BFLOAT16; }

}  // namespace mluop::sparse_conv

#endif
