// Rows of coordinates packed into integers that are ordered as the rows are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"
#include "ops/dynamic_point_to_voxel/members.hpp"
#include "ops/dynamic_point_to_voxel/problem.hpp"
#include "ops/sorting/packed.hpp"

namespace mluop::dynamic_point_to_voxel {

/// The field of a column in a packed row: `entry - least`, in `bits` bits from `shift` on.
struct Column {
  std::int32_t least;
  int bits, shift;
};

/// What the valid rows hold, found in one pass over them.
class RowBounds {
 public:
  RowBounds(const Forward& problem, WorkspaceLayout& layout)
      : problem_(problem),
        valid_(problem.N, layout),
        least_(layout.add<std::int32_t>(valid_.chunks() * problem.D)),
        most_(layout.add<std::int32_t>(valid_.chunks() * problem.D)),
        columns_(layout.add<Column>(problem.D)) {}

  void survey(Isa isa, int threads, std::byte* base);

  const ValidPoints& valid() const noexcept { return valid_; }
  /// Shifts are those of a packed row of all columns, with the number of the point below them.
  Column* columns(std::byte* base) const noexcept { return columns_.in(base); }

 private:
  const Forward& problem_;
  ValidPoints valid_;
  Slot<std::int32_t> least_, most_;  // of each chunk
  Slot<Column> columns_;
};

/// Columns [first, last) of the rows, and what earlier columns decided: the rank of each point.
struct Round {
  std::int64_t first, last;
  const std::uint32_t* ranks;  // null in the first round
  int rank_shift;
  int number_bits;
  int key_bits;  // above the number
};

/// Cuts columns from `first` on into a round of at most `most_bits` bits, and places their fields.
Round plan_round(std::int64_t first, std::int64_t D, Column* columns, const std::uint32_t* ranks,
                 int number_bits, int rank_bits, int most_bits);

/// The valid rows, one after the other, each with the number of its point below. `shifts` has room for D of them.
template <class Packed>
void pack_rows(const Forward& problem, const Round& round, const Column* columns, int* shifts,
               const ValidPoints& valid, Isa isa, int threads, Packed* to);

}  // namespace mluop::dynamic_point_to_voxel
