// Sorted rows as voxels: which points each has, and its number.
#pragma once

#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/dynamic_point_to_voxel/forward/rows.hpp"
#include "ops/sorting/packed_sort.hpp"

namespace mluop::dynamic_point_to_voxel {

/// Sorts the valid rows and numbers those that differ. Narrow: if rows and numbers of points fit in 64 bits
/// together. Wide: always, in several rounds if need be, each of which ranks the points by some more columns.
template <class Packed>
class Voxels {
 public:
  Voxels(const Forward& problem, WorkspaceLayout& layout);

  /// Writes nothing but scratch. False if the rows do not fit Packed.
  bool sort(Isa isa, int threads, std::byte* base);
  /// M.
  std::int64_t count() const noexcept { return count_; }
  std::int64_t valid_points() const noexcept { return bounds_.valid().total(); }

  /// Writes everything but voxel_feats and voxel_num. Returns the members of all voxels.
  const Member* write(int threads, std::byte* base) const;

 private:
  static constexpr bool wide = sizeof(Packed) > sizeof(sorting::Narrow);

  void run_round(const Round& round, Isa isa, int threads, std::byte* base);
  void rank_points(int threads, std::byte* base) const;
  /// The voxel of a sorted row, and how many rows it has up to this one.
  struct RowAt {
    std::int64_t voxel;
    std::int32_t points;
  };
  /// Calls visit(i, row, packed) for the sorted rows, those of a voxel on one thread.
  template <class Visit>
  void for_each_row(int threads, std::byte* base, Visit&& visit) const;
  bool same_row(Packed one, Packed other) const noexcept {
    return ((one ^ other) >> round_.number_bits) == 0;
  }
  std::int64_t number_of(Packed row) const noexcept {
    return static_cast<std::int64_t>(row & ((static_cast<Packed>(1) << round_.number_bits) - 1));
  }
  template <int columns>
  void write_rows(int threads, std::byte* base, Member* members) const;
  void fill_invalid(int threads) const;

  const Forward& problem_;
  RowBounds bounds_;
  sorting::PackedSort<Packed> sort_;
  Slot<std::int64_t> first_voxels_;  // of each range of sorted rows, and their number
  Slot<int> shifts_;
  Slot<std::uint32_t> ranks_;  // Wide only
  Round round_{};
  typename sorting::PackedSort<Packed>::Result sorted_{};
  std::int64_t count_ = 0;
};

}  // namespace mluop::dynamic_point_to_voxel
