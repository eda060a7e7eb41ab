// The filter gradient on AMX tiles, which multiply bfloat16 and sum in float.
#include "ops/sparse_conv/filter_gradient_kernels.hpp"

#if defined(__x86_64__)

#include <algorithm>

#include "ops/sparse_conv/filter_gradient_ahead.hpp"
#include "ops/sparse_conv/filter_gradient_amx_pack.hpp"

#pragma GCC push_options
#pragma GCC target("amx-tile,amx-bf16,avx512f,avx512bw,avx512dq,avx512vl")
// As in filter_gradient_amx_pack.hpp.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace mluop::sparse_conv {
namespace {

using namespace amx;  // NOLINT(google-build-using-namespace)

/// Two by two tiles of sums: those of 32 channels of each side.
using Quad = float[4][tile_side][tile_side];
constexpr std::int64_t quad_side = 2 * tile_side;

template <class T>
struct Scratch {
  alignas(64) std::byte left[gradient_tile / tile_side * panel_bytes<T>];
  alignas(64) std::byte right[gradient_tile / tile_side * panel_bytes<T>];
  alignas(64) T padded[step_pairs][gradient_tile];
  alignas(64) Quad quads[2];
  alignas(64) std::byte vector_scratch[1];  // as much as the vector kernels want
};

const FilterGradientKernels& vector_kernels(mluOpDataType_t dtype) {
  return filter_gradient_kernels[static_cast<std::size_t>(vector_isa(Isa::amx))](dtype);
}
template <class T>
constexpr mluOpDataType_t dtype_of = MLUOP_DTYPE_FLOAT;
template <>
constexpr mluOpDataType_t dtype_of<Half> = MLUOP_DTYPE_HALF;
template <>
constexpr mluOpDataType_t dtype_of<BFloat16> = MLUOP_DTYPE_BFLOAT16;

/// Tiles are configured while this lives.
class TileSession {
 public:
  TileSession() {
    struct alignas(64) {
      std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
      std::uint16_t row_bytes[16] = {};
      std::uint8_t rows[16] = {};
    } tiles;
    std::fill_n(tiles.row_bytes, 8, 64);
    std::fill_n(tiles.rows, 8, tile_side);
    asm volatile("" : : "r"(&tiles) : "memory");  // or GCC 12 drops the stores
    _tile_loadconfig(&tiles);
  }
  ~TileSession() { _tile_release(); }
  TileSession(const TileSession&) = delete;
  TileSession& operator=(const TileSession&) = delete;
};

/// Pairs [first, first + count) of a tile of the problem.
struct Run {
  const GradientTile& tile;
  std::int64_t first, count;

  std::int64_t steps() const { return (count + step_pairs - 1) / step_pairs; }
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
  const std::int64_t width = tiles_of(side.channels) * tile_side;
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
bool pack(const Run& run, Scratch<T>& scratch) {
  SmallNumbers<T> small;
  const T* rows[step_pairs];
  for (std::int64_t s = 0; s < run.steps(); ++s) {
    const std::int64_t first = run.first + s * step_pairs, count = run.count - s * step_pairs;
    const std::int64_t at = s * terms_of<T> * tile_bytes;
    find_rows(run.tile.left, first, count, scratch.padded, rows);
    pack_left(rows, tiles_of(run.tile.left.channels) * tile_side, scratch.left + at, small);
    find_rows(run.tile.right, first, count, scratch.padded, rows);
    pack_right(rows, tiles_of(run.tile.right.channels) * tile_side, scratch.right + at, small);
  }
  return !small.found();
}

/// Two tiles of each operand, of one term.
template <class T, int term>
void load_left(const std::byte* left) {
  _tile_loadd(4, left + term * tile_bytes, 64);
  _tile_loadd(5, left + term * tile_bytes + panel_bytes<T>, 64);
}
template <class T, int term>
void load_right(const std::byte* right) {
  _tile_loadd(6, right + term * tile_bytes, 64);
  _tile_loadd(7, right + term * tile_bytes + panel_bytes<T>, 64);
}
void multiply_tiles() {
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(1, 4, 7);
  _tile_dpbf16ps(2, 5, 6);
  _tile_dpbf16ps(3, 5, 7);
}

/// One step into the four sums. Products of terms that float could not hold beside the others are
/// left out; the order changes one operand at a time.
template <class T>
void multiply_step(const std::byte* left, const std::byte* right) {
  load_left<T, 0>(left);
  if constexpr (terms_of<T> == 3) {
    load_right<T, 2>(right);
    multiply_tiles();
    load_right<T, 1>(right);
    multiply_tiles();
    load_left<T, 1>(left);
    multiply_tiles();
    load_right<T, 0>(right);
    multiply_tiles();
    load_left<T, 2>(left);
    multiply_tiles();
    load_left<T, 0>(left);
  } else if constexpr (terms_of<T> == 2) {
    load_right<T, 1>(right);
    multiply_tiles();
    load_left<T, 1>(left);
    multiply_tiles();
    load_right<T, 0>(right);
    multiply_tiles();
    load_left<T, 0>(left);
  } else {
    load_right<T, 0>(right);
  }
  multiply_tiles();
}

/// A quad that waits to be added to the sums at (i, j).
struct Pending {
  const Quad* quad = nullptr;
  std::int64_t i = 0, j = 0;
};

bool finite(const Quad& quad) {
  // Zero times anything else is NaN.
  __m512 sums[4];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int i = 0; i < tile_side; ++i) {
    for (int t = 0; t < 4; ++t)
      sums[t] = _mm512_fmadd_ps(_mm512_load_ps(quad[t][i]), _mm512_setzero_ps(), sums[t]);
  }
  const __m512 sum =
      _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
  return _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q) == 0;
}

/// Terms of infinity, and products that are too large, end as NaN or infinity: such sums are made by
/// the vector kernels instead.
template <class T>
void add(const Run& run, const Pending& pending, Scratch<T>& scratch) {
  if (pending.quad == nullptr) return;
  const GradientTile part = run.part<T>(pending.i, pending.j, quad_side);
  if (!finite(*pending.quad)) {
    vector_kernels(dtype_of<T>).accumulate({&part, 1}, scratch.vector_scratch);
    return;
  }
  for (std::int64_t i = 0; i < part.left.channels; ++i) {
    const float* from = (*pending.quad)[i / tile_side * 2][i % tile_side];
    float* to = static_cast<float*>(part.sum) + i * part.pitch;
    for (std::int64_t j = 0; j < part.right.channels; j += tile_side) {
      _mm512_store_ps(to + j, _mm512_add_ps(_mm512_load_ps(to + j), _mm512_load_ps(from)));
      from += tile_side * tile_side;
    }
  }
}

/// Quads with the same right operand follow each other: it stays in the first-level cache. A quad is
/// added while the products of the next one are under way.
template <class T>
void multiply(const Run& run, Scratch<T>& scratch, RowsAhead<T>& ahead) {
  const std::int64_t left = tiles_of(run.tile.left.channels) * tile_side;
  const std::int64_t right = tiles_of(run.tile.right.channels) * tile_side;
  std::int64_t portions = left / quad_side * (right / quad_side) * run.steps();
  Pending pending;
  for (std::int64_t j = 0; j < right; j += quad_side) {
    for (std::int64_t i = 0; i < left; i += quad_side) {
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
      for (std::int64_t s = 0; s < run.steps(); ++s) {
        const std::int64_t at = s * terms_of<T> * tile_bytes;
        multiply_step<T>(scratch.left + i / tile_side * panel_bytes<T> + at,
                         scratch.right + j / tile_side * panel_bytes<T> + at);
        ahead.ask(portions--);
      }
      add(run, pending, scratch);
      Quad& quad = scratch.quads[pending.quad == &scratch.quads[0] ? 1 : 0];
      _tile_stored(0, quad[0], 64);
      _tile_stored(1, quad[1], 64);
      _tile_stored(2, quad[2], 64);
      _tile_stored(3, quad[3], 64);
      pending = {&quad, i, j};
    }
  }
  add(run, pending, scratch);
}

/// Whether tiles are faster than vectors. Packing costs the same for few channels as for many on the
/// other side, and channels that only fill up tiles are wasted; the bounds are measured.
template <class T>
bool worthwhile(const GradientTile& tile) {
  constexpr std::int64_t least = terms_of<T> == 3 ? 64 * 128 : terms_of<T> == 2 ? 32 * 64 : 32 * 32;
  constexpr std::int64_t most_percent = terms_of<T> == 3 ? 130 : terms_of<T> == 2 ? 180 : 300;
  const std::int64_t sums = tile.left.channels * tile.right.channels;
  const std::int64_t tiles = tiles_of(tile.left.channels) * tiles_of(tile.right.channels);
  return sums >= least && tiles * tile_side * tile_side * 100 <= sums * most_percent;
}

/// Tiles round to nearest, whatever the caller's mode.
bool rounds_to_nearest() { return _MM_GET_ROUNDING_MODE() == _MM_ROUND_NEAREST; }

template <class T>
void accumulate(std::span<const GradientTile> tiles, std::byte* memory) {
  Scratch<T>& scratch = *reinterpret_cast<Scratch<T>*>(memory);
  const auto with_vectors = [&](std::span<const GradientTile> some) {
    vector_kernels(dtype_of<T>).accumulate(some, scratch.vector_scratch);
  };
  if (tiles.empty() || !worthwhile<T>(tiles[0]) || !rounds_to_nearest()) {
    return with_vectors(tiles);
  }
  const TileSession session;
  for (std::size_t n = 0; n < tiles.size(); ++n) {
    for (std::int64_t first = 0; first < tiles[n].count; first += run_pairs) {
      const Run run{tiles[n], first, std::min(run_pairs, tiles[n].count - first)};
      if (pack(run, scratch)) {
        RowsAhead<T> ahead{tiles, n, first, run_pairs};
        multiply(run, scratch, ahead);
      } else {
        const GradientTile part = run.part<T>(0, 0, gradient_tile);
        with_vectors({&part, 1});
      }
    }
  }
}

template <class T>
const FilterGradientKernels& kernels_of() {
  static const FilterGradientKernels kernels = [] {
    FilterGradientKernels all = vector_kernels(dtype_of<T>);
    all.scratch_bytes += sizeof(Scratch<T>);
    all.accumulate = accumulate<T>;
    return all;
  }();
  return kernels;
}

}  // namespace

const FilterGradientKernels& filter_gradient_amx(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return kernels_of<Half>();
    case MLUOP_DTYPE_BFLOAT16:
      return kernels_of<BFloat16>();
    case MLUOP_DTYPE_FLOAT:
      return kernels_of<float>();
    default:
      return vector_kernels(dtype);  // tiles have no double
  }
}

}  // namespace mluop::sparse_conv

#pragma GCC pop_options

#endif
