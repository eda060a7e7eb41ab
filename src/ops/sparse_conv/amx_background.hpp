// What the AMX loop does beside its products, a few rows at a time: splitting and adding.
#pragma once

#if defined(__x86_64__)

#include <algorithm>
#include <iterator>

#include "ops/sparse_conv/amx_terms.hpp"
#include "ops/sparse_conv/convolution_kernels.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

inline constexpr std::int64_t block_pairs = 32;

constexpr std::int64_t pieces(std::int64_t size, std::int64_t piece) {
  return (size + piece - 1) / piece;
}

/// Some source channels of a list of pairs, and where their products are added.
template <class T>
struct Slab {
  const T* source;            // the first of the channels, in row 0
  std::int64_t row_channels;  // from row to row
  std::int64_t channels;      // at most most_chunks chunks
  const std::byte* filter;    // [pass][chunk][term][2 tiles]
  const TilePair* pairs;
  std::int64_t count;
  std::int64_t following;  // pairs behind these that may come next
  float* tile;
  std::int64_t pitch;  // a multiple of 16
  std::byte* scratch;  // slab_scratch_bytes
};

/// Splits one chunk of the rows of a block into terms.
template <class T>
class Split {
 public:
  Split() = default;
  /// Rows [first, last) of the block.
  Split(const Slab<T>& slab, std::int64_t begin, std::int64_t chunk, std::byte* to,
        std::int64_t first, std::int64_t last)
      : source_(slab.source + chunk * chunk_channels),
        row_channels_(slab.row_channels),
        mask_(chunk_mask(slab.channels - chunk * chunk_channels)),
        pairs_(slab.pairs + begin),
        count_(std::min(last, slab.count - begin)),
        done_(first),
        to_(to) {}

  HWY_INLINE void advance(std::int64_t rows) {
    const std::int64_t end = std::min(done_ + rows, count_);
    for (; done_ < end; ++done_) {
      split_chunk(source_ + pairs_[done_].source * row_channels_, mask_,
                  to_ + done_ * tile_row_bytes);
    }
  }

 private:
  const T* source_ = nullptr;
  std::int64_t row_channels_ = 0;
  __mmask32 mask_ = 0;
  const TilePair* pairs_ = nullptr;
  std::int64_t count_ = 0, done_ = 0;
  std::byte* to_ = nullptr;
};

/// Adds the sums of a pass to their rows, in the order of the pairs.
class Addition {
 public:
  Addition() = default;
  /// The sums are [32 pairs][32 columns], of which the last 16 columns count if `both`.
  Addition(const std::byte* sums, const TilePair* pairs, std::int64_t count, float* tile,
           std::int64_t pitch, bool both)
      : sums_(sums), pairs_(pairs), count_(count), tile_(tile), pitch_(pitch), both_(both) {}

  HWY_INLINE void advance(std::int64_t rows) {
    const std::int64_t end = std::min(done_ + rows, count_);
    for (; done_ < end; ++done_) {
      float* const to = tile_ + pairs_[done_].target * pitch_;
      const std::byte* const from = sums_ + done_ * 2 * tile_row_bytes;
      add(from, to);
      if (both_) add(from + tile_row_bytes, to + 16);
    }
  }

 private:
  static HWY_INLINE void add(const std::byte* from, float* to) {
    const __m512 sum = _mm512_load_ps(reinterpret_cast<const float*>(from));
    _mm512_store_ps(to, _mm512_add_ps(_mm512_load_ps(to), sum));
  }

  const std::byte* sums_ = nullptr;
  const TilePair* pairs_ = nullptr;
  std::int64_t count_ = 0, done_ = 0;
  float* tile_ = nullptr;
  std::int64_t pitch_ = 0;
  bool both_ = false;
};

/// Both, in the portions that fit between two products.
template <class T>
struct Background {
  /// Portions per chunk: one for each product of terms.
  static constexpr std::int64_t portions = std::size(Terms<T>::products);

  Split<T> split;
  Addition addition;
  std::int64_t rows_to_split, rows_to_add;

  HWY_INLINE void advance() {
    split.advance(rows_to_split);
    addition.advance(rows_to_add);
  }
};

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
