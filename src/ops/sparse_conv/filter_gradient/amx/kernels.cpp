// The design `amx` of the filter gradient: packs pairs as tiles and multiplies them.
#include "ops/sparse_conv/filter_gradient/amx/kernels.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/filter_gradient/amx/pack.hpp"
#include "ops/sparse_conv/filter_gradient/rows_ahead.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv {
namespace {

using namespace tiled;  // NOLINT(google-build-using-namespace)

/// Two by two tiles of sums: those of 32 channels of each side.
using Quad = float[4][tile_rows][tile_rows];
constexpr std::int64_t quad_side = pair_of_tiles;

template <class T>
struct Scratch {
  alignas(64) std::byte left[gradient_tile / quad_side * panel_bytes<T>];
  alignas(64) std::byte right[gradient_tile / quad_side * panel_bytes<T>];
  alignas(64) T padded[step_pairs][gradient_tile];
  alignas(64) Quad quads[2];
  alignas(64) std::byte vector_scratch[1];  // as much as the vector kernels want
};

FilterGradientKernels vector_kernels(mluOpDataType_t dtype) {
  return general_gradient_kernels[static_cast<std::size_t>(Isa::avx512)](dtype);
}

/// Pairs [first, first + count) of a tile of the problem.
struct Batch {
  const GradientTile& tile;
  std::int64_t first, count;

  std::int64_t steps() const { return ceil_div(count, step_pairs); }
  /// The same pairs for the sums from (i, j) on, `most` channels of each side.
  template <class T>
  GradientTile part(std::int64_t i, std::int64_t j, std::int64_t most) const {
    const auto channels = [&](const GradientSide& side, std::int64_t begin) {
      return GradientSide{static_cast<const T*>(side.data) + begin, side.row_pitch,
                          std::min(most, side.channels - begin), side.rows + first};
    };
    return {channels(tile.left, i), channels(tile.right, j), count,
            static_cast<float*>(tile.sum) + i * tile.pitch + j, tile.pitch};
  }
};

/// The rows of one step. Rows of any number of channels are copied between zeros, and pairs that are
/// not there are rows of zeros.
template <class T>
void find_rows(const GradientSide& side, std::int64_t first, std::int64_t count,
               T (&padded)[step_pairs][gradient_tile], const T* (&rows)[step_pairs]) {
  static constexpr T zeros[gradient_tile] = {};
  const bool whole = side.channels % quad_side == 0;
  const std::int64_t width = whole_tiles(side.channels);
  for (std::int64_t t = 0; t < step_pairs; ++t) {
    rows[t] = zeros;
    if (t >= count) continue;
    rows[t] = static_cast<const T*>(side.data) + side.rows[first + t] * side.row_pitch;
    if (whole) continue;
    std::memcpy(padded[t], rows[t], side.channels * sizeof(T));
    std::memset(padded[t] + side.channels, 0, (width - side.channels) * sizeof(T));
    rows[t] = padded[t];
  }
}

/// False if AMX would lose numbers that are too small for it.
template <class T>
bool pack(const Batch& batch, Scratch<T>& scratch) {
  SmallNumbers<T> small;
  const T* rows[step_pairs];
  for (std::int64_t s = 0; s < batch.steps(); ++s) {
    const std::int64_t first = batch.first + s * step_pairs, count = batch.count - s * step_pairs;
    const std::int64_t at = s * step_bytes<T>;
    find_rows(batch.tile.left, first, count, scratch.padded, rows);
    pack_left(rows, whole_tiles(batch.tile.left.channels), scratch.left + at, small);
    find_rows(batch.tile.right, first, count, scratch.padded, rows);
    pack_right(rows, whole_tiles(batch.tile.right.channels), scratch.right + at, small);
  }
  return !small.found();
}

/// One step into the four sums: the products of terms, an operand loaded where it changes.
template <class T, std::size_t n = 0>
HWY_INLINE void multiply_step(const std::byte* left, const std::byte* right) {
  constexpr auto& products = Terms<T>::products;
  constexpr TermProduct now = products[n], before = products[n == 0 ? 0 : n - 1];
  if constexpr (n == 0 || now.row != before.row) {
    load<4>(left + now.row * term_bytes);
    load<5>(left + now.row * term_bytes + tile_bytes);
  }
  if constexpr (n == 0 || now.filter != before.filter) {
    load<6>(right + now.filter * term_bytes);
    load<7>(right + now.filter * term_bytes + tile_bytes);
  }
  multiply_add<0, 4, 6>();
  multiply_add<1, 4, 7>();
  multiply_add<2, 5, 6>();
  multiply_add<3, 5, 7>();
  if constexpr (n + 1 < std::size(products)) multiply_step<T, n + 1>(left, right);
}

/// A quad that waits to be added to the sums at (i, j).
struct Pending {
  const Quad* quad = nullptr;
  std::int64_t i = 0, j = 0;
};

bool finite(const Quad& quad) {
  __m512 sums[4];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int i = 0; i < tile_rows; ++i) {
    // Zero times infinity or NaN is NaN.
    for (int t = 0; t < 4; ++t) {
      sums[t] = _mm512_fmadd_ps(_mm512_load_ps(quad[t][i]), _mm512_setzero_ps(), sums[t]);
    }
  }
  const __m512 sum =
      _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
  return _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q) == 0;
}

/// Terms of infinity, and products that are too large, end as NaN or infinity: such sums are made by
/// the vector kernels instead.
template <class T>
void add(const Batch& batch, const Pending& pending, Scratch<T>& scratch) {
  if (pending.quad == nullptr) return;
  const GradientTile part = batch.part<T>(pending.i, pending.j, quad_side);
  if (!finite(*pending.quad)) {
    vector_kernels(Terms<T>::dtype).accumulate({&part, 1}, scratch.vector_scratch);
    return;
  }
  for (std::int64_t i = 0; i < part.left.channels; ++i) {
    const float* from = (*pending.quad)[i / tile_rows * 2][i % tile_rows];
    float* to = static_cast<float*>(part.sum) + i * part.pitch;
    for (std::int64_t j = 0; j < part.right.channels; j += tile_rows) {
      _mm512_store_ps(to + j, _mm512_add_ps(_mm512_load_ps(to + j), _mm512_load_ps(from)));
      from += tile_rows * tile_rows;
    }
  }
}

/// Quads with the same right operand follow each other: it stays in the first-level cache. A quad is
/// added while the products of the next one are under way.
template <class T>
void multiply(const Batch& batch, Scratch<T>& scratch, RowsAhead<T>& ahead) {
  const std::int64_t left = whole_tiles(batch.tile.left.channels);
  const std::int64_t right = whole_tiles(batch.tile.right.channels);
  std::int64_t portions = left / quad_side * (right / quad_side) * batch.steps();
  Pending pending;
  for (std::int64_t j = 0; j < right; j += quad_side) {
    for (std::int64_t i = 0; i < left; i += quad_side) {
      zero<0>();
      zero<1>();
      zero<2>();
      zero<3>();
      for (std::int64_t s = 0; s < batch.steps(); ++s) {
        const std::int64_t at = s * step_bytes<T>;
        multiply_step<T>(scratch.left + i / quad_side * panel_bytes<T> + at,
                         scratch.right + j / quad_side * panel_bytes<T> + at);
        ahead.prefetch(portions--);
      }
      add(batch, pending, scratch);
      Quad& quad = scratch.quads[pending.quad == &scratch.quads[0] ? 1 : 0];
      const auto to = [&](int tile) { return reinterpret_cast<std::byte*>(quad[tile]); };
      store<0>(to(0), tile_row_bytes);
      store<1>(to(1), tile_row_bytes);
      store<2>(to(2), tile_row_bytes);
      store<3>(to(3), tile_row_bytes);
      pending = {&quad, i, j};
    }
  }
  add(batch, pending, scratch);
}

/// Tiles are faster than vectors for so many channels on the two sides. Packing one side costs the same
/// for few channels as for many on the other, and padding to whole tiles is wasted; measured bounds.
template <class T>
bool fills_tiles(std::int64_t left, std::int64_t right) {
  constexpr std::int64_t least = Terms<T>::count == 3   ? 64 * 128
                                 : Terms<T>::count == 2 ? 32 * 64
                                                        : 32 * 32;
  constexpr std::int64_t most_percent = Terms<T>::count == 3   ? 130
                                        : Terms<T>::count == 2 ? 180
                                                               : 300;
  const std::int64_t sums = left * right;
  const std::int64_t computed = whole_tiles(left) * whole_tiles(right);
  return sums >= least && computed * 100 <= sums * most_percent;
}

/// Tiles round to nearest, whatever the caller's mode.
bool rounds_to_nearest() { return _MM_GET_ROUNDING_MODE() == _MM_ROUND_NEAREST; }

template <class T>
void accumulate(std::span<const GradientTile> tiles, std::byte* memory) {
  Scratch<T>& scratch = *reinterpret_cast<Scratch<T>*>(memory);
  const auto with_vectors = [&](std::span<const GradientTile> some) {
    vector_kernels(Terms<T>::dtype).accumulate(some, scratch.vector_scratch);
  };
  // All are of the same channels, which may be the last few of a side.
  if (tiles.empty() || !fills_tiles<T>(tiles[0].left.channels, tiles[0].right.channels) ||
      !rounds_to_nearest()) {
    return with_vectors(tiles);
  }
  const Tiles session;
  for (std::size_t n = 0; n < tiles.size(); ++n) {
    for (std::int64_t first = 0; first < tiles[n].count; first += batch_pairs<T>) {
      const Batch batch{tiles[n], first, std::min(batch_pairs<T>, tiles[n].count - first)};
      if (pack(batch, scratch)) {
        RowsAhead<T> ahead{tiles, n, first, batch_pairs<T>};
        multiply(batch, scratch, ahead);
      } else {
        const GradientTile part = batch.part<T>(0, 0, gradient_tile);
        with_vectors({&part, 1});
      }
    }
  }
}

template <class T>
FilterGradientKernels kernels_of() {
  FilterGradientKernels kernels = vector_kernels(Terms<T>::dtype);
  kernels.scratch_bytes += sizeof(Scratch<T>);
  kernels.accumulate = accumulate<T>;
  return kernels;
}

/// The first block of channels is the widest of the problem, and the one with the least padding.
template <class T>
bool fills_tiles(const FilterGradient& problem) {
  return fills_tiles<T>(std::min(gradient_tile, problem.features.channels),
                        std::min(gradient_tile, problem.output_grad.channels));
}

}  // namespace

bool accepts_amx(const FilterGradient& problem) {
  switch (problem.dtype) {
    case MLUOP_DTYPE_FLOAT:
      return fills_tiles<float>(problem);
    case MLUOP_DTYPE_HALF:
      return fills_tiles<Half>(problem);
    case MLUOP_DTYPE_BFLOAT16:
      return fills_tiles<BFloat16>(problem);
    default:
      return false;  // tiles have no double
  }
}

FilterGradientKernels amx_gradient_kernels(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return kernels_of<Half>();
    case MLUOP_DTYPE_BFLOAT16:
      return kernels_of<BFloat16>();
    default:
      return kernels_of<float>();
  }
}

}  // namespace mluop::sparse_conv
HWY_POP_ATTRIBUTES

#endif
