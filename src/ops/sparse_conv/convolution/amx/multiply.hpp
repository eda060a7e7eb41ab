// Gathered rows times a filter in tiles: the loop of the design `amx`.
//
// Blocks of 32 pairs × 32 target channels are summed in 2 × 2 tiles over up to 128 source channels.
// The tile unit takes 16 cycles for a product and looks no further ahead than a dozen tile
// instructions, so all other work is interleaved with the products in small portions (background.hpp).
// The filter is loaded from L2 with a non-temporal hint, so that the rows stay in L1.
#pragma once

#if defined(__x86_64__)

#include <algorithm>
#include <utility>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/convolution/amx/background.hpp"
#include "ops/sparse_conv/convolution/kernels.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

inline constexpr std::int64_t pass_channels = 32;

/// Chunks of source channels that are summed in the tiles before they are added.
inline constexpr std::int64_t most_chunks = 4;

/// The terms of 32 rows, or of 32 columns of the filter, for one chunk.
template <class T>
inline constexpr std::int64_t chunk_bytes = Terms<T>::count* term_bytes;

/// Some source channels of a list of pairs, and where their products are added.
template <class T>
struct Slab {
  const T* source;            // the first of the channels, in row 0
  std::int64_t row_channels;  // from row to row
  std::int64_t channels;      // at most most_chunks chunks
  const std::byte* filter;    // [pass][chunk][term][2 tiles]
  const TilePair* pairs;
  std::int64_t count;      // at least 1
  std::int64_t following;  // pairs after these that may come next
  float* tile;
  std::int64_t pitch;  // a multiple of 16
  std::byte* scratch;  // slab_scratch_bytes
};

/// The terms of two blocks, the sums of a pass, and a row for sums that belong nowhere.
template <class T>
constexpr std::int64_t slab_scratch_bytes(std::int64_t pitch) {
  return 2 * most_chunks * chunk_bytes<T> + 4 * tile_bytes +
         pitch * static_cast<std::int64_t>(sizeof(float));
}

/// The terms of a chunk: rows in tiles 4 and 5, filter in tiles 6 and 7.
struct Operands {
  const std::byte* rows;
  const std::byte* filter;
};

template <class T>
HWY_INLINE void load_first(Operands operands) {
  constexpr TermProduct first = Terms<T>::products[0];
  load<4>(operands.rows + first.row * term_bytes);
  load<5>(operands.rows + first.row * term_bytes + tile_bytes);
  load_once<6>(operands.filter + first.filter * term_bytes);
  load_once<7>(operands.filter + first.filter * term_bytes + tile_bytes);
}

/// One product of terms in 2 × 2 tiles. An operand that changes is loaded as soon as its last product
/// is under way; after the last product of a chunk both change.
template <class T, int index, class Background>
HWY_INLINE void multiply_terms(Operands now, Operands next, const Background& background) {
  constexpr bool last = index + 1 == std::size(Terms<T>::products);
  constexpr TermProduct here = Terms<T>::products[index];
  constexpr TermProduct then = Terms<T>::products[last ? 0 : index + 1];
  const std::byte* const rows = (last ? next : now).rows + then.row * term_bytes;
  const std::byte* const filter = (last ? next : now).filter + then.filter * term_bytes;
  multiply_add<0, 4, 6>();
  if constexpr (last || then.row != here.row) {
    multiply_add<1, 4, 7>();
    background.template advance<index>();
    load<4>(rows);
    multiply_add<2, 5, 6>();
    if constexpr (last) load_once<6>(filter);
    multiply_add<3, 5, 7>();
    load<5>(rows + tile_bytes);
    if constexpr (last) load_once<7>(filter + tile_bytes);
  } else {
    multiply_add<2, 5, 6>();
    load_once<6>(filter);
    background.template advance<index>();
    multiply_add<1, 4, 7>();
    multiply_add<3, 5, 7>();
    load_once<7>(filter + tile_bytes);
  }
}

template <class T, class Background, int... index>
HWY_INLINE void multiply_chunk(Operands now, Operands next, const Background& background,
                               std::integer_sequence<int, index...> /*products*/) {
  (multiply_terms<T, index>(now, next, background), ...);
}

/// Writes four tiles of sums as [32 pairs][32 columns].
HWY_INLINE void store_sums(std::byte* sums) {
  constexpr std::int64_t pitch = 2 * tile_row_bytes;
  store<0>(sums, pitch);
  store<1>(sums + tile_row_bytes, pitch);
  store<2>(sums + tile_rows * pitch, pitch);
  store<3>(sums + tile_rows * pitch + tile_row_bytes, pitch);
}

/// Prefetches the rows of pairs [begin, end), as far as they are known, into L2: the line fill buffers of
/// L1 are needed for the filter.
template <class T>
HWY_INLINE void prefetch_rows(const Slab<T>& slab, std::int64_t begin, std::int64_t end) {
  end = std::min(end, slab.count + slab.following);
  for (std::int64_t t = begin; t < end; ++t) {
    const T* const row = slab.source + slab.pairs[t].source * slab.row_channels;
    const auto* const behind = reinterpret_cast<const char*>(row + slab.channels);
    for (const auto* line = reinterpret_cast<const char*>(row); line < behind; line += 64) {
      _mm_prefetch(line, _MM_HINT_T1);
    }
    _mm_prefetch(behind - 1, _MM_HINT_T1);
  }
}

/// Where the rows of a block are. Pairs that a block lacks read any row and write to `nowhere`.
template <class T>
struct BlockRows {
  const T* source[block_pairs];
  float* target[block_pairs];

  HWY_INLINE void find_sources(const Slab<T>& slab, std::int64_t begin) {
    const std::int64_t last = slab.count - begin - 1;
    for (std::int64_t r = 0; r < block_pairs; ++r) {
      source[r] = slab.source + slab.pairs[begin + std::min(r, last)].source * slab.row_channels;
    }
  }
  HWY_INLINE void find_targets(const Slab<T>& slab, std::int64_t begin, float* nowhere) {
    const std::int64_t count = std::min(block_pairs, slab.count - begin);
    for (std::int64_t r = 0; r < count; ++r) {
      target[r] = slab.tile + slab.pairs[begin + r].target * slab.pitch;
    }
    std::fill(target + count, target + block_pairs, nowhere);
  }
};

/// The loops over a slab. With each chunk `added` rows are added, with each pass `split` are split.
/// Inlined into multiply_slab, and without the arrays, so that its members live in registers.
template <class T, int added, int split>
class SlabProduct {
 public:
  SlabProduct(const Slab<T>& slab, BlockRows<T>* rows, BlockRows<T>* other_rows)
      : slab_(slab),
        chunks_(ceil_div(slab.channels, chunk_channels)),
        passes_(ceil_div(slab.pitch, pass_channels)),
        rows_ahead_(ceil_div(block_pairs, chunks_ * passes_)),
        rows_(rows),
        other_rows_(other_rows),
        block_(slab.scratch),
        next_block_(block_ + most_chunks * chunk_bytes<T>),
        sums_(next_block_ + most_chunks * chunk_bytes<T>),
        nowhere_(reinterpret_cast<float*>(sums_ + 4 * tile_bytes)) {}

  HWY_INLINE void run() {
    std::fill_n(nowhere_, slab_.pitch, 0.0F);
    split_first();
    load_first<T>({block_, slab_.filter});
    for (std::int64_t begin = 0; begin < slab_.count; begin += block_pairs) {
      rows_->find_targets(slab_, begin, nowhere_);
      const bool more = begin + block_pairs < slab_.count;
      if (more) other_rows_->find_sources(slab_, begin + block_pairs);
      for (std::int64_t pass = 0; pass < passes_; ++pass) multiply_pass(begin, pass, more);
      std::swap(block_, next_block_);
      std::swap(rows_, other_rows_);
    }
    const auto last = beside(0, passes_, false);
    for (std::int64_t r = 0; r < block_pairs; ++r) last.add(r);
  }

 private:
  HWY_INLINE void split_first() {
    rows_->find_sources(slab_, 0);
    for (std::int64_t c = 0; c < chunks_; ++c) {
      const std::int64_t channel = c * chunk_channels;
      const __mmask32 mask = chunk_mask(slab_.channels - channel);
      for (std::int64_t r = 0; r < block_pairs; ++r) {
        split_chunk(rows_->source[r] + channel, mask,
                    block_ + c * chunk_bytes<T> + r * tile_row_bytes);
      }
    }
  }

  HWY_INLINE void multiply_pass(std::int64_t begin, std::int64_t pass, bool more) {
    constexpr auto every_product =
        std::make_integer_sequence<int, static_cast<int>(std::size(Terms<T>::products))>{};
    const bool last = pass + 1 == passes_;
    zero<0>();
    zero<1>();
    zero<2>();
    zero<3>();
    Operands now{block_, slab_.filter + pass * chunks_ * chunk_bytes<T>};
    for (std::int64_t c = 0; c < chunks_; ++c) {
      const std::int64_t ahead = begin + 2 * block_pairs + (pass * chunks_ + c) * rows_ahead_;
      prefetch_rows(slab_, ahead, std::min(ahead + rows_ahead_, begin + 3 * block_pairs));
      Operands next{now.rows + chunk_bytes<T>, now.filter + chunk_bytes<T>};
      if (c + 1 == chunks_) {
        next.rows = last ? next_block_ : block_;
        if (last) next.filter = slab_.filter;
      }
      multiply_chunk<T>(now, next, beside(c, pass, more), every_product);
      now = next;
    }
    store_sums(sums_);
    pending_ = rows_->target;
  }

  /// What is interleaved with a chunk: the sums of the pass before are pending.
  HWY_INLINE Background<T, added, split> beside(std::int64_t c, std::int64_t pass,
                                                bool more) const {
    const std::int64_t column = (pass == 0 ? passes_ - 1 : pass - 1) * pass_channels;
    return {.adding = pending_ != nullptr && (c * added < block_pairs),
            .target = pending_ + c * added,
            .sums = sums_ + c * added * 2 * tile_row_bytes,
            .column = column,
            .both = slab_.pitch - column > 16,
            .splitting = more && pass * split < block_pairs,
            .source = other_rows_->source + pass * split,
            .channel = c * chunk_channels,
            .mask = chunk_mask(slab_.channels - c * chunk_channels),
            .terms = next_block_ + c * chunk_bytes<T> + pass * split * tile_row_bytes};
  }

  Slab<T> slab_;
  std::int64_t chunks_, passes_;
  std::int64_t rows_ahead_;  // prefetched per chunk
  BlockRows<T>* rows_;
  BlockRows<T>* other_rows_;  // the targets of the block before, the sources of the next one
  std::byte* block_;
  std::byte* next_block_;
  std::byte* sums_;
  float* nowhere_;
  float* const* pending_ = nullptr;
};

template <class T, int added, int split>
void multiply_slab(const Slab<T>& slab) {
  BlockRows<T> rows, other_rows;
  SlabProduct<T, added, split>(slab, &rows, &other_rows).run();
}

template <class T, int added>
void multiply_slab(const Slab<T>& slab) {
  const std::int64_t passes = ceil_div(slab.pitch, pass_channels);
  if (passes >= 4) return multiply_slab<T, added, block_pairs / 4>(slab);
  if (passes >= 2) return multiply_slab<T, added, block_pairs / 2>(slab);
  return multiply_slab<T, added, block_pairs>(slab);
}

/// tile[pairs[t].target, j] += Σ_i source[pairs[t].source, i] · filter(i, j), t ascending.
template <class T>
void multiply_slab(const Slab<T>& slab) {
  const std::int64_t chunks = ceil_div(slab.channels, chunk_channels);
  if (chunks >= 4) return multiply_slab<T, block_pairs / 4>(slab);
  if (chunks >= 2) return multiply_slab<T, block_pairs / 2>(slab);
  return multiply_slab<T, block_pairs>(slab);
}

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
