// Pairs sorted by where they are written: one list per tile of target rows.
#pragma once

#include <cstdint>

#include "core/memory/workspace.hpp"
#include "core/status/status.hpp"
#include "ops/index_pairs/pairs.hpp"

namespace mluop::index_pairs {

/// One pair of a tile: a row of the source, and a row of the tile.
struct TilePair {
  std::int32_t source;
  std::int32_t target;
};

/// Pairs and what they join. The function is the C entry, for messages.
struct Join {
  const char* function;
  const Pairs& pairs;
  const Matrix& source;
  const Matrix& target;
};

/// Tiles of 2^shift target rows, the last one possibly smaller. A function of the problem alone.
struct Tiling {
  int shift;
  std::int64_t target_rows;

  std::int64_t rows() const noexcept { return std::int64_t{1} << shift; }
  std::int64_t tiles() const noexcept { return ((target_rows - 1) >> shift) + 1; }
};

/// A stable counting sort by tile: within a tile by offset, within an offset in the order given, so
/// that each target row receives its terms in the order of the formula. Pieces of an offset are
/// counted and placed in parallel.
class TileLists {
 public:
  TileLists(const Pairs& pairs, const Tiling& tiling, WorkspaceLayout& layout);

  /// Sorts into `workspace`. BAD_PARAM, naming the first pair with an out-of-range row.
  Status sort(const Join& join, int threads, std::byte* workspace);

  /// The pairs of offset k that write to a tile: [begin(tile, k), begin(tile, k + 1)) of pairs().
  std::int64_t begin(std::int64_t tile, std::int64_t k) const noexcept {
    return begins_[tile * K_ + k];
  }
  const TilePair* pairs() const noexcept { return sorted_; }

 private:
  struct Piece {
    std::int64_t k, begin, end;
  };
  void fill_pieces(const Pairs& pairs, Piece* pieces) const;
  /// The pairs of two neighbouring pieces, each per tile.
  void count(const Pairs& pairs, const Piece* piece, std::int64_t* counts) const;
  /// Turns counts [piece, tile] into positions, tile by tile.
  void place(std::int64_t* counts) const;
  void move(const Pairs& pairs, const Piece* piece, std::int64_t* positions) const;

  Tiling tiling_;
  std::int64_t K_;
  std::int64_t piece_;  // pairs at most per piece
  std::int64_t piece_count_ = 0;
  Slot<Piece> pieces_slot_;
  Slot<std::int64_t> counts_slot_, begins_slot_;
  Slot<TilePair> sorted_slot_;
  std::int64_t* begins_ = nullptr;
  TilePair* sorted_ = nullptr;
  const Piece* pieces_ = nullptr;
};

}  // namespace mluop::index_pairs
