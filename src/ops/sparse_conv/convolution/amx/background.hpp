// What the AMX loop interleaves with its products, a few rows at a time: adding the sums of
// the pass before to their rows, and splitting the rows of the next block into terms.
#pragma once

#if defined(__x86_64__)

#include <iterator>

#include "ops/sparse_conv/amx/terms.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

inline constexpr std::int64_t block_pairs = 32;

/// The work interleaved with one chunk, for `added` and `split` rows. All is known before the chunk begins, and
/// the rows of a portion when it is compiled: tile loads wait until the addresses of all stores before
/// them are known, so anything that delays those delays the products.
template <class T, int added, int split>
struct Background {
  bool adding;
  float* const* target;   // where the rows are added
  const std::byte* sums;  // [row][32 columns]
  std::int64_t column;
  bool both;  // halves of the 32 columns exist

  bool splitting;
  const T* const* source;
  std::int64_t channel;
  __mmask32 mask;  // the channels that exist
  std::byte* terms;

  /// The portion after one product of terms.
  template <int product>
  HWY_INLINE void advance() const {
    constexpr int products = std::size(Terms<T>::products);
    if (adding) {
      HWY_UNROLL(8)
      for (int r = added * product / products; r < added * (product + 1) / products; ++r) add(r);
    }
    if (splitting) {
      HWY_UNROLL(8)
      for (int r = split * product / products; r < split * (product + 1) / products; ++r) {
        split_chunk(source[r] + channel, mask, terms + r * tile_row_bytes);
      }
    }
  }

  HWY_INLINE void add(std::int64_t row) const {
    float* const to = target[row] + column;
    const auto* const from = reinterpret_cast<const float*>(sums + row * 2 * tile_row_bytes);
    _mm512_store_ps(to, _mm512_add_ps(_mm512_load_ps(to), _mm512_load_ps(from)));
    if (both) {
      _mm512_store_ps(to + 16, _mm512_add_ps(_mm512_load_ps(to + 16), _mm512_load_ps(from + 16)));
    }
  }
};

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
