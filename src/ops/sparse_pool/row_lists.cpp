// The tiles of target rows, and the counting sort within one.
#include "ops/sparse_pool/row_lists.hpp"
#include "core/numbers/integers.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace mluop::sparse_pool {
namespace {

/// A tile has 256 rows, whose lists fit L1. It has more where tiles would be so many that positions per
/// tile and offset outnumber the pairs.
index_pairs::Tiling tiling_of(const index_pairs::Pairs& pairs, std::int64_t rows) {
  constexpr std::int64_t near = 256, least_tiles = 16, most_tiles = 4096, pairs_per_offset = 8;
  const std::int64_t most =
      std::clamp(pairs.total() / (pairs_per_offset * pairs.K), least_tiles, most_tiles);
  const auto per_tile = static_cast<std::uint64_t>(std::max(near, ceil_div(rows, most)));
  return {static_cast<int>(std::bit_width(per_tile - 1)), rows};
}

}  // namespace

RowLists::RowLists(const index_pairs::Pairs& pairs, std::int64_t target_rows,
                   WorkspaceLayout& layout)
    : K_(pairs.K),
      tiling_(tiling_of(pairs, target_rows)),
      tiles_(pairs, tiling_, layout),
      sources_slot_(layout.add<std::int32_t>(pairs.total())),
      ends_slot_(layout.add<std::int64_t>(target_rows)) {}

Status RowLists::sort(const index_pairs::Join& join, int threads, std::byte* base) {
  sources_ = sources_slot_.in(base);
  ends_ = ends_slot_.in(base);
  return tiles_.sort(join, threads, base);
}

Lists RowLists::lists_of(std::int64_t tile) const {
  const std::int64_t first_row = tile << tiling_.shift;
  const std::int64_t rows = std::min(tiling_.rows(), tiling_.target_rows - first_row);
  const std::int64_t begin = tiles_.begin(tile, 0), end = tiles_.begin(tile, K_);
  const index_pairs::TilePair* const pairs = tiles_.pairs();
  std::int64_t* const ends = ends_ + first_row;
  std::fill_n(ends, rows, 0);
  for (std::int64_t p = begin; p < end; ++p) ++ends[pairs[p].target];
  std::int64_t position = begin;
  for (std::int64_t row = 0; row < rows; ++row) position += std::exchange(ends[row], position);
  for (std::int64_t p = begin; p < end; ++p) {
    sources_[ends[pairs[p].target]++] = pairs[p].source;
  }
  return {first_row, rows, begin, sources_, ends};
}

}  // namespace mluop::sparse_pool
