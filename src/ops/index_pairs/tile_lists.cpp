// The counting sort by tiles; it also checks the pairs.
#include "ops/index_pairs/tile_lists.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/numbers/integers.hpp"
#include "ops/index_pairs/pair_check.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::index_pairs {
namespace {

/// Calls visit(which, t) for the pairs t of two pieces by turns: counters that follow each other in
/// one piece are often the same, and each increment would wait for the one before.
template <class Piece, class Visit>
void by_turns(const Piece& one, const Piece& two, Visit&& visit) {
  const std::int64_t size[] = {one.end - one.begin, two.end - two.begin};
  std::int64_t t = 0;
  for (const std::int64_t both = std::min(size[0], size[1]); t < both; ++t) {
    visit(0, one.begin + t);
    visit(1, two.begin + t);
  }
  for (std::int64_t rest = t; rest < size[0]; ++rest) visit(0, one.begin + rest);
  for (std::int64_t rest = t; rest < size[1]; ++rest) visit(1, two.begin + rest);
}

/// Whether targets ascend, as input rows do in the pairs of get_indice_pairs, and a tile has so many of
/// them that a search for the end of its run costs less than placing pairs one by one. The loop has no way
/// out, so that it becomes vectors.
template <class Piece>
bool in_long_runs(const std::int32_t* target, const Piece& piece, int shift) {
  constexpr std::int64_t long_run = 16;
  if (piece.begin == piece.end) return true;
  const std::int64_t spanned = (target[piece.end - 1] >> shift) - (target[piece.begin] >> shift);
  if (piece.end - piece.begin < long_run * spanned) return false;
  int falls = 0;
  for (std::int64_t t = piece.begin + 1; t < piece.end; ++t) falls |= target[t] < target[t - 1];
  return falls == 0;
}

/// Calls visit(tile, begin, end) for the runs of ascending targets that lie in one tile.
template <class Piece, class Visit>
void by_runs(const std::int32_t* target, const Piece& piece, int shift, Visit&& visit) {
  for (std::int64_t t = piece.begin; t < piece.end;) {
    const std::int64_t tile = target[t] >> shift;
    const std::int64_t behind = (tile + 1) << shift;
    const std::int64_t end = std::lower_bound(target + t, target + piece.end, behind) - target;
    visit(tile, t, end);
    t = end;
  }
}

}  // namespace

TileLists::TileLists(const Pairs& pairs, const Tiling& tiling, WorkspaceLayout& layout)
    : tiling_(tiling), K_(pairs.K), piece_(std::max<std::int64_t>(4096, 16 * tiling.tiles())) {
  for (std::int64_t k = 0; k < K_; ++k) piece_count_ += ceil_div(pairs.count[k], piece_);
  piece_count_ += piece_count_ % 2;
  pieces_slot_ = layout.add<Piece>(piece_count_);
  counts_slot_ = layout.add<std::int64_t>(piece_count_ * tiling.tiles());
  begins_slot_ = layout.add<std::int64_t>(K_ * tiling.tiles() + 1);
  sorted_slot_ = layout.add<TilePair>(pairs.total());
  note_plan("pairs", pairs.total());
  note_plan("tile_rows", tiling.rows());
}

void TileLists::fill_pieces(const Pairs& pairs, Piece* pieces) const {
  const Piece* const end = pieces + piece_count_;
  for (std::int64_t k = 0; k < K_; ++k) {
    for (std::int64_t begin = 0; begin < pairs.count[k]; begin += piece_) {
      *pieces++ = {k, begin, std::min(begin + piece_, pairs.count[k])};
    }
  }
  if (pieces != end) *pieces = {K_ - 1, 0, 0};
}

void TileLists::place(std::int64_t* counts) const {
  const std::int64_t tiles = tiling_.tiles();
  std::int64_t position = 0;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    std::int64_t piece = 0;
    for (std::int64_t k = 0; k < K_; ++k) {
      begins_[tile * K_ + k] = position;
      for (; piece < piece_count_ && pieces_[piece].k == k; ++piece) {
        position += std::exchange(counts[piece * tiles + tile], position);
      }
    }
  }
  begins_[K_ * tiles] = position;
}

void TileLists::count(const Pairs& pairs, const Piece* piece, std::int64_t* counts) const {
  const std::int64_t tiles = tiling_.tiles();
  std::fill_n(counts, 2 * tiles, 0);
  const std::int32_t* const target[] = {pairs.target(piece[0].k), pairs.target(piece[1].k)};
  if (in_long_runs(target[0], piece[0], tiling_.shift) &&
      in_long_runs(target[1], piece[1], tiling_.shift)) {
    for (int which = 0; which < 2; ++which) {
      by_runs(target[which], piece[which], tiling_.shift,
              [&](std::int64_t tile, std::int64_t begin, std::int64_t end) {
                counts[which * tiles + tile] = end - begin;
              });
    }
    return;
  }
  by_turns(piece[0], piece[1], [&](int which, std::int64_t t) {
    ++counts[which * tiles + (target[which][t] >> tiling_.shift)];
  });
}

void TileLists::move(const Pairs& pairs, const Piece* piece, std::int64_t* positions) const {
  const std::int64_t tiles = tiling_.tiles();
  const std::int32_t* const source[] = {pairs.source(piece[0].k), pairs.source(piece[1].k)};
  const std::int32_t* const target[] = {pairs.target(piece[0].k), pairs.target(piece[1].k)};
  const auto row_in_tile = static_cast<std::int32_t>(tiling_.rows() - 1);
  const auto moved = [&](int which, std::int64_t t) -> TilePair {
    return {source[which][t], target[which][t] & row_in_tile};
  };
  if (in_long_runs(target[0], piece[0], tiling_.shift) &&
      in_long_runs(target[1], piece[1], tiling_.shift)) {
    for (int which = 0; which < 2; ++which) {
      by_runs(target[which], piece[which], tiling_.shift,
              [&](std::int64_t tile, std::int64_t begin, std::int64_t end) {
                TilePair* const to = sorted_ + positions[which * tiles + tile];
                for (std::int64_t t = begin; t < end; ++t) to[t - begin] = moved(which, t);
              });
    }
    return;
  }
  by_turns(piece[0], piece[1], [&](int which, std::int64_t t) {
    sorted_[positions[which * tiles + (target[which][t] >> tiling_.shift)]++] = moved(which, t);
  });
}

Status TileLists::sort(const Join& join, int threads, std::byte* workspace) {
  const Pairs& pairs = join.pairs;
  const std::int64_t tiles = tiling_.tiles();
  std::int64_t* const counts = counts_slot_.in(workspace);
  begins_ = begins_slot_.in(workspace);
  sorted_ = sorted_slot_.in(workspace);
  pieces_ = pieces_slot_.in(workspace);
  fill_pieces(pairs, pieces_slot_.in(workspace));

  std::atomic<bool> bad = false;
  const auto valid = [&](const Piece& piece) {
    const std::int64_t size = piece.end - piece.begin;
    return in_range(pairs.source(piece.k) + piece.begin, size, join.source) &&
           in_range(pairs.target(piece.k) + piece.begin, size, join.target);
  };
  parallel_for(threads, piece_count_, 2, [&](std::int64_t i, std::int64_t, int) {
    if (valid(pieces_[i]) && valid(pieces_[i + 1])) {
      count(pairs, pieces_ + i, counts + i * tiles);
    } else {
      bad = true;
    }
  });
  if (bad) return fail_at_first_bad_pair(join.function, pairs, join.source, join.target);
  place(counts);
  parallel_for(threads, piece_count_, 2, [&](std::int64_t i, std::int64_t, int) {
    move(pairs, pieces_ + i, counts + i * tiles);
  });
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::index_pairs
