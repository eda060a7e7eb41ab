// Gathered rows times a filter in tiles: the loop of the AMX implementation.
//
// Blocks of 32 pairs × 32 target channels are summed in 2 × 2 tiles over up to 128 source channels.
// The tile unit takes 16 cycles for a product and looks no further ahead than a dozen tile
// instructions, so all else is slipped between the products in small portions: the rows of the next
// block are split into terms, and the sums of the pass before are added to their rows. The filter
// streams from the second-level cache past the first one, where the rows are.
#pragma once

#if defined(__x86_64__)

#include <utility>

#include "ops/sparse_conv/amx_background.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

inline constexpr std::int64_t pass_channels = 32;

/// Chunks of source channels that are summed in the tiles before they are added.
inline constexpr std::int64_t most_chunks = 4;

/// The terms of 32 rows, or of 32 columns of the filter, for one chunk.
template <class T>
inline constexpr std::int64_t chunk_bytes = Terms<T>::count* term_bytes;

/// The terms of two blocks, and the sums of a pass.
template <class T>
inline constexpr std::int64_t slab_scratch_bytes = 2 * most_chunks* chunk_bytes<T> + 4 * tile_bytes;

/// The terms of a chunk: rows in tiles 4 and 5, filter in tiles 6 and 7.
struct Operands {
  std::byte* rows;
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
/// is under way; behind the last product of a chunk both change.
template <class T, int index>
HWY_INLINE void multiply_terms(Operands now, Operands next, Background<T>& background) {
  constexpr bool last = index + 1 == std::size(Terms<T>::products);
  constexpr TermProduct here = Terms<T>::products[index];
  constexpr TermProduct then = Terms<T>::products[last ? 0 : index + 1];
  const std::byte* const rows = (last ? next : now).rows + then.row * term_bytes;
  const std::byte* const filter = (last ? next : now).filter + then.filter * term_bytes;
  multiply_add<0, 4, 6>();
  if constexpr (last || then.row != here.row) {
    multiply_add<1, 4, 7>();
    background.advance();
    load<4>(rows);
    multiply_add<2, 5, 6>();
    if constexpr (last) load_once<6>(filter);
    multiply_add<3, 5, 7>();
    load<5>(rows + tile_bytes);
    if constexpr (last) load_once<7>(filter + tile_bytes);
  } else {
    multiply_add<2, 5, 6>();
    load_once<6>(filter);
    background.advance();
    multiply_add<1, 4, 7>();
    multiply_add<3, 5, 7>();
    load_once<7>(filter + tile_bytes);
  }
}

template <class T, int... index>
HWY_INLINE void multiply_chunk(Operands now, Operands next, Background<T>& background,
                               std::integer_sequence<int, index...> /*products*/) {
  (multiply_terms<T, index>(now, next, background), ...);
}

/// The loops over the blocks of a slab. Kept in registers: everything is inlined into multiply_slab.
template <class T>
class SlabProduct {
 public:
  explicit SlabProduct(const Slab<T>& slab)
      : slab_(slab),
        chunks_(pieces(slab.channels, chunk_channels)),
        passes_(pieces(slab.pitch, pass_channels)),
        block_(slab.scratch),
        next_block_(block_ + chunks_ * chunk_bytes<T>),
        sums_(next_block_ + chunks_ * chunk_bytes<T>),
        rows_ahead_(pieces(block_pairs, chunks_ * passes_)),
        split_rows_(pieces(block_pairs, passes_)),
        background_{{},
                    {},
                    pieces(split_rows_, Background<T>::portions),
                    pieces(block_pairs, chunks_ * Background<T>::portions)} {}

  HWY_INLINE void run() {
    for (std::int64_t c = 0; c < chunks_; ++c) {
      Split<T>(slab_, 0, c, block_ + c * chunk_bytes<T>, 0, block_pairs).advance(block_pairs);
    }
    load_first<T>({block_, slab_.filter});
    for (std::int64_t begin = 0; begin < slab_.count; begin += block_pairs) {
      for (std::int64_t pass = 0; pass < passes_; ++pass) {
        multiply_pass(begin, pass);
        finish_pass(begin, pass);
      }
      std::swap(block_, next_block_);
    }
    background_.addition.advance(block_pairs);
  }

 private:
  /// 32 target channels of a block. Each pass also splits its share of the rows of the next block.
  HWY_INLINE void multiply_pass(std::int64_t begin, std::int64_t pass) {
    const bool last = pass + 1 == passes_;
    const std::int64_t first_row = pass * split_rows_;
    zero<0>();
    zero<1>();
    zero<2>();
    zero<3>();
    Operands now{block_, slab_.filter + pass * chunks_ * chunk_bytes<T>};
    for (std::int64_t c = 0; c < chunks_; ++c) {
      prefetch(begin + 2 * block_pairs, pass * chunks_ + c);
      background_.split = Split<T>(slab_, begin + block_pairs, c, next_block_ + c * chunk_bytes<T>,
                                   first_row, std::min(first_row + split_rows_, block_pairs));
      Operands next{now.rows + chunk_bytes<T>, now.filter + chunk_bytes<T>};
      if (c + 1 == chunks_) {
        next.rows = last ? next_block_ : block_;
        if (last) next.filter = slab_.filter;
      }
      multiply_chunk<T>(now, next, background_, every_product);
      now = next;
    }
  }

  /// Hands the sums of a pass over, once those of the pass before are added.
  HWY_INLINE void finish_pass(std::int64_t begin, std::int64_t pass) {
    constexpr std::int64_t pitch = 2 * tile_row_bytes;
    background_.addition.advance(block_pairs);
    store<0>(sums_, pitch);
    store<1>(sums_ + tile_row_bytes, pitch);
    store<2>(sums_ + tile_rows * pitch, pitch);
    store<3>(sums_ + tile_rows * pitch + tile_row_bytes, pitch);
    const std::int64_t column = pass * pass_channels;
    background_.addition =
        Addition(sums_, slab_.pairs + begin, std::min(block_pairs, slab_.count - begin),
                 slab_.tile + column, slab_.pitch, slab_.pitch - column > 16);
  }

  /// Asks for a portion of the rows of a block, into the second-level cache: the few buffers of the
  /// first one are needed for the filter.
  HWY_INLINE void prefetch(std::int64_t block, std::int64_t portion) const {
    const std::int64_t begin = portion * rows_ahead_;
    const std::int64_t end =
        std::min({begin + rows_ahead_, block_pairs, slab_.count + slab_.following - block});
    for (std::int64_t r = begin; r < end; ++r) {
      const T* const row = slab_.source + slab_.pairs[block + r].source * slab_.row_channels;
      const auto* const behind = reinterpret_cast<const char*>(row + slab_.channels);
      for (const auto* line = reinterpret_cast<const char*>(row); line < behind; line += 64) {
        _mm_prefetch(line, _MM_HINT_T1);
      }
      _mm_prefetch(behind - 1, _MM_HINT_T1);
    }
  }

  static constexpr auto every_product =
      std::make_integer_sequence<int, static_cast<int>(std::size(Terms<T>::products))>{};

  Slab<T> slab_;
  std::int64_t chunks_, passes_;
  std::byte* block_;
  std::byte* next_block_;
  std::byte* sums_;
  std::int64_t rows_ahead_;  // prefetched per chunk
  std::int64_t split_rows_;  // per pass
  Background<T> background_;
};

/// tile[pairs[t].target, j] += Σ_i source[pairs[t].source, i] · filter(i, j), t ascending.
template <class T>
void multiply_slab(const Slab<T>& slab) {
  SlabProduct<T>(slab).run();
}

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
