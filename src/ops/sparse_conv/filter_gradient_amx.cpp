// The filter gradient on AMX tiles: operands as sums of bfloat16 terms.
#include "ops/sparse_conv/filter_gradient_kernels.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "core/dtype.hpp"

// GCC 12 takes the undefined operands inside its own intrinsics for a mistake of their user.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

#pragma GCC push_options
#pragma GCC target("amx-tile,amx-bf16,avx512f,avx512bw,avx512dq,avx512vl")

namespace mluop::sparse_conv {
namespace {

constexpr std::int64_t side = 16;           // rows of a tile, and dwords of its rows
constexpr std::int64_t step_pairs = 32;     // pairs that one tile product sums over
#ifndef RUNP
#define RUNP 64
#endif
constexpr std::int64_t run_pairs = RUNP;
constexpr std::int64_t steps = run_pairs / step_pairs;
constexpr std::int64_t tile_bytes = 1024;
constexpr std::int64_t most_tiles = gradient_tile / side;
constexpr std::int64_t group_pairs = 1024;

template <class T>
inline constexpr int terms_of = 3;
template <>
inline constexpr int terms_of<Half> = 2;
template <>
inline constexpr int terms_of<BFloat16> = 1;

struct Scratch {
  alignas(64) std::byte left[most_tiles * steps * 3 * tile_bytes];
  alignas(64) std::byte right[most_tiles * steps * 3 * tile_bytes];
  alignas(64) std::byte sums[most_tiles * most_tiles * tile_bytes];
  alignas(64) float rows[2][step_pairs][gradient_tile];
};

struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes_per_row[16] = {};
  std::uint8_t rows[16] = {};
};

void configure() {
  TileConfiguration all;
  for (int t = 0; t < 8; ++t) all.bytes_per_row[t] = 64, all.rows[t] = 16;
  asm volatile("" : : "r"(&all) : "memory");
  _tile_loadconfig(&all);
}

using V = __m512i;

inline V pack(V a, V b) { return _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(a, 16), b); }
/// Interleaves the terms of x (low words) and y (high words).
template <int terms>
inline void split(__m512 x, __m512 y, V (&out)[terms]) {
  const V half = _mm512_set1_epi32(0x8000), mask = _mm512_set1_epi32(static_cast<int>(0xFFFF0000));
  for (int s = 0; s < terms; ++s) {
    if (s == terms - 1) {
      out[s] = pack(_mm512_castps_si512(x), _mm512_castps_si512(y));
      break;
    }
    const V a = _mm512_add_epi32(_mm512_castps_si512(x), half);
    const V b = _mm512_add_epi32(_mm512_castps_si512(y), half);
    out[s] = pack(a, b);
    x = _mm512_sub_ps(x, _mm512_castsi512_ps(_mm512_and_si512(a, mask)));
    y = _mm512_sub_ps(y, _mm512_castsi512_ps(_mm512_and_si512(b, mask)));
  }
}

inline __m512 lo(__m512 l, __m512 r) {
      return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(l), _mm512_castps_pd(r)));
    };
inline __m512 hi(__m512 l, __m512 r) {
      return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(l), _mm512_castps_pd(r)));
    };
inline void transpose(const float* const* rows, std::int64_t c, __m512 (&out)[16]) {
  for (int q = 0; q < 4; ++q) {
    __m512 v[4];
    for (int i = 0; i < 4; ++i) {
      const std::int64_t at = c + 4 * q;
      __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(rows[i] + at));
      r = _mm512_mask_broadcast_f32x4(r, 0x00F0, _mm_loadu_ps(rows[i + 4] + at));
      r = _mm512_mask_broadcast_f32x4(r, 0x0F00, _mm_loadu_ps(rows[i + 8] + at));
      v[i] = _mm512_mask_broadcast_f32x4(r, 0xF000, _mm_loadu_ps(rows[i + 12] + at));
    }
    const __m512 a = _mm512_unpacklo_ps(v[0], v[1]), b = _mm512_unpackhi_ps(v[0], v[1]);
    const __m512 e = _mm512_unpacklo_ps(v[2], v[3]), f = _mm512_unpackhi_ps(v[2], v[3]);
    out[4 * q] = lo(a, e);
    out[4 * q + 1] = hi(a, e);
    out[4 * q + 2] = lo(b, f);
    out[4 * q + 3] = hi(b, f);
  }
}

template <int terms>
void pack_left(const float* const* rows, std::int64_t channels, std::byte* to) {
  for (std::int64_t c = 0; c < channels; c += side, to += steps * terms * tile_bytes) {
    __m512 early[16], late[16];
    transpose(rows, c, early);
    transpose(rows + 16, c, late);
    for (int i = 0; i < 16; ++i) {
      V out[terms];
      split<terms>(early[i], late[i], out);
      for (int s = 0; s < terms; ++s) _mm512_store_si512(to + s * tile_bytes + i * 64, out[s]);
    }
  }
}

template <int terms>
void pack_right(const float* const* rows, std::int64_t channels, std::byte* to) {
  for (int j = 0; j < 16; ++j) {
    std::byte* at = to + j * 64;
    for (std::int64_t c = 0; c < channels; c += side, at += steps * terms * tile_bytes) {
      V out[terms];
      split<terms>(_mm512_loadu_ps(rows[j] + c), _mm512_loadu_ps(rows[j + 16] + c), out);
      for (int s = 0; s < terms; ++s) _mm512_store_si512(at + s * tile_bytes, out[s]);
    }
  }
}

/// sums(ci tiles a, a+1; co tiles b, b+1) += ...
template <int terms>
void multiply_quad(const std::byte* left, const std::byte* right, std::byte* sum, bool first, [[maybe_unused]] const std::byte* next_left, [[maybe_unused]] const std::byte* next_sum) {
  constexpr std::int64_t pitch = steps * terms * tile_bytes;
  std::byte* const sum1 = sum + most_tiles * tile_bytes;
  if (first) {
    _tile_zero(0); _tile_zero(1); _tile_zero(2); _tile_zero(3);
  } else {
    _tile_loadd(0, sum, 64);
    _tile_loadd(1, sum + tile_bytes, 64);
    _tile_loadd(2, sum1, 64);
    _tile_loadd(3, sum1 + tile_bytes, 64);
  }
#define LEFT(s) _tile_loadd(4, left + s * tile_bytes, 64); _tile_loadd(5, left + pitch + s * tile_bytes, 64)
#define RIGHT(s) _tile_loadd(6, right + s * tile_bytes, 64); _tile_loadd(7, right + pitch + s * tile_bytes, 64)
#define PF(p) _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0)
#ifdef PFL
#define AHEAD(n) for (int l = 16*n; l < 16*n+16; ++l) { PF(next_left + (l / 48) * pitch + (l % 48) * 64); }
#else
#define AHEAD(n)
#endif
#define PRODUCT _tile_dpbf16ps(0, 4, 6); _tile_dpbf16ps(1, 4, 7); _tile_dpbf16ps(2, 5, 6); _tile_dpbf16ps(3, 5, 7)
  for (std::int64_t s = 0; s < steps; ++s) {
    if constexpr (terms == 3) {
      LEFT(0); RIGHT(2); PRODUCT; AHEAD(0);
      RIGHT(1); PRODUCT; AHEAD(1);
      LEFT(1); PRODUCT; AHEAD(2);
      RIGHT(0); PRODUCT; AHEAD(3);
      LEFT(2); PRODUCT; AHEAD(4);
      LEFT(0); PRODUCT; AHEAD(5);
#ifdef PFC
      for (int l = s*32/steps; l < (s+1)*32/steps; ++l) { PF(next_sum + l * 64); PF(next_sum + most_tiles * tile_bytes + l * 64); }
#endif
    } else if constexpr (terms == 2) {
      LEFT(1); RIGHT(1); PRODUCT;
      RIGHT(0); PRODUCT;
      LEFT(0); PRODUCT;
      RIGHT(1); PRODUCT;
    } else {
      LEFT(0); RIGHT(0); PRODUCT;
    }
    left += terms * tile_bytes;
    next_left += terms * tile_bytes;
    right += terms * tile_bytes;
  }
  _tile_stored(0, sum, 64);
  _tile_stored(1, sum + tile_bytes, 64);
  _tile_stored(2, sum1, 64);
  _tile_stored(3, sum1 + tile_bytes, 64);
}

template <int terms>
void multiply(const Scratch& in, std::int64_t left_tiles, std::int64_t right_tiles, std::byte* sums, bool first) {
  constexpr std::int64_t pitch = steps * terms * tile_bytes;
#ifndef NB
#define NB 1
#endif
  const std::int64_t na = left_tiles / 2, nb = right_tiles / 2;
  const auto at = [&](std::int64_t q, std::int64_t& x, std::int64_t& y) {
    const std::int64_t g = q / (na * NB), r = q % (na * NB);
    x = r / NB * 2, y = (g * NB + r % NB) * 2;
  };
  for (std::int64_t q = 0; q < na * nb; ++q) {
    std::int64_t x, y, nx = 0, ny = 0;
    at(q, x, y);
    if (q + 1 < na * nb) at(q + 1, nx, ny);
    multiply_quad<terms>(in.left + x * pitch, in.right + y * pitch,
                           sums + (x * most_tiles + y) * tile_bytes, first, in.left + nx * pitch, sums + (nx * most_tiles + ny) * tile_bytes);
  }
}

void flush(const std::byte* sums, const GradientTile& tile) {
  for (std::int64_t i = 0; i < tile.left.channels; ++i) {
    const std::byte* from = sums + (i / side * most_tiles) * tile_bytes + i % side * 64;
    float* const to = static_cast<float*>(tile.sum) + i * tile.pitch;
    for (std::int64_t j = 0; j < tile.right.channels; j += side, from += tile_bytes) {
      _mm512_store_ps(to + j, _mm512_add_ps(_mm512_load_ps(to + j), _mm512_load_ps(from)));
    }
  }
}

template <class T>
void rows_of(const GradientSide& from, std::int64_t first, std::int64_t pairs, float (*buffer)[gradient_tile],
             const float** rows) {
  static const float zeros[gradient_tile] = {};
  for (std::int64_t t = 0; t < step_pairs; ++t) {
    if (t >= pairs) { rows[t] = zeros; continue; }
    const T* const row = static_cast<const T*>(from.data) + from.rows[first + t] * from.row_pitch;
    if constexpr (std::is_same_v<T, float>) {
      rows[t] = row;
    } else {
      rows[t] = buffer[t];
      for (std::int64_t c = 0; c < from.channels; c += 16) {
        const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + c));
        if constexpr (std::is_same_v<T, Half>) _mm512_store_ps(buffer[t] + c, _mm512_cvtph_ps(bits));
        else _mm512_store_si512(buffer[t] + c, _mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
      }
    }
  }
}

template <class T>
void prefetch(const GradientSide& from, std::int64_t begin, std::int64_t end) {
  for (std::int64_t t = begin; t < end; ++t) {
    const T* const row = static_cast<const T*>(from.data) + from.rows[t] * from.row_pitch;
    for (std::int64_t c = 0; c < from.channels; c += 64 / sizeof(T)) _mm_prefetch(reinterpret_cast<const char*>(row + c), _MM_HINT_T1);
  }
}

#ifndef MODE
#define MODE 0
#endif
template <class T>
void accumulate(const GradientTile& tile) {
  constexpr int terms = terms_of<T>;
  Scratch& scratch = *reinterpret_cast<Scratch*>(tile.scratch);
  const std::int64_t left_tiles = (tile.left.channels + side - 1) / side, right_tiles = (tile.right.channels + side - 1) / side;
  configure();
  for (std::int64_t group = 0; group < tile.count; group += group_pairs) {
    const std::int64_t end = std::min(group + group_pairs, tile.count);
    for (std::int64_t first = group; first < end; first += run_pairs) {
      if (MODE != 2 || first == 0)
      for (std::int64_t s = 0; s < steps; ++s) {
        const float* rows[step_pairs];
        const std::int64_t at = first + s * step_pairs;
        rows_of<T>(tile.left, at, end - at, scratch.rows[0], rows);
        pack_left<terms>(rows, tile.left.channels, scratch.left + s * terms * tile_bytes);
        rows_of<T>(tile.right, at, end - at, scratch.rows[1], rows);
        pack_right<terms>(rows, tile.right.channels, scratch.right + s * terms * tile_bytes);
      }
      if (MODE == 0) prefetch<T>(tile.left, std::min(first + run_pairs, tile.count), std::min(first + 2 * run_pairs, tile.count));
      if (MODE == 0) prefetch<T>(tile.right, std::min(first + run_pairs, tile.count), std::min(first + 2 * run_pairs, tile.count));
      if (MODE != 1) multiply<terms>(scratch, left_tiles, right_tiles, scratch.sums, first == group);
    }
    flush(scratch.sums, tile);
  }
  _tile_release();
}

const FilterGradientKernels& vector_kernels(mluOpDataType_t dtype) {
  return filter_gradient_kernels[static_cast<std::size_t>(Isa::avx512)](dtype);
}

}  // namespace

const FilterGradientKernels& filter_gradient_amx(mluOpDataType_t dtype) {
  static const FilterGradientKernels f{sizeof(Scratch), accumulate<float>, vector_kernels(MLUOP_DTYPE_FLOAT).reduce};
  static const FilterGradientKernels h{sizeof(Scratch), accumulate<Half>, vector_kernels(MLUOP_DTYPE_HALF).reduce};
  static const FilterGradientKernels b{sizeof(Scratch), accumulate<BFloat16>, vector_kernels(MLUOP_DTYPE_BFLOAT16).reduce};
  return dtype == MLUOP_DTYPE_FLOAT ? f : dtype == MLUOP_DTYPE_HALF ? h : dtype == MLUOP_DTYPE_BFLOAT16 ? b : vector_kernels(dtype);
}

}  // namespace mluop::sparse_conv

#pragma GCC pop_options

#endif
