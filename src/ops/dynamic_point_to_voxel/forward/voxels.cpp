// The rounds of sorting, and what is written of their last one.
#include "ops/dynamic_point_to_voxel/forward/voxels.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "runtime/parallel.hpp"

namespace mluop::dynamic_point_to_voxel {

using sorting::Narrow;
using sorting::PackedSort;
using sorting::Wide;
using sorting::WordRange;

template <class Packed>
Voxels<Packed>::Voxels(const Forward& problem, WorkspaceLayout& layout)
    : problem_(problem),
      bounds_(problem, layout),
      sort_(problem.N, layout),
      first_voxels_(layout.add<std::int64_t>(PackedSort<Packed>::most_ranges(problem.N) + 1)),
      shifts_(layout.add<int>(problem.D)),
      ranks_(layout.add<std::uint32_t>(wide ? problem.N : 0)) {}

template <class Packed>
bool Voxels<Packed>::sort(Isa isa, int threads, std::byte* base) {
  bounds_.survey(isa, threads, base);
  constexpr int most_bits = 8 * sizeof(Packed);
  const int number_bits = sorting::bits_below(static_cast<Wide>(problem_.N));
  Column* const columns = bounds_.columns(base);
  Round round = plan_round(0, problem_.D, columns, nullptr, number_bits, 0, most_bits);
  if (!wide && round.last < problem_.D) return false;
  run_round(round, isa, threads, base);
  while (round.last < problem_.D) {
    rank_points(threads, base);
    const int rank_bits = sorting::bits_below(static_cast<Wide>(count_));
    round = plan_round(round.last, problem_.D, columns, ranks_.in(base), number_bits, rank_bits,
                       most_bits);
    run_round(round, isa, threads, base);
  }
  return true;
}

/// Also counts the voxels that start in each range, while it is in cache.
template <class Packed>
void Voxels<Packed>::run_round(const Round& round, Isa isa, int threads, std::byte* base) {
  round_ = round;
  std::int64_t* const first = first_voxels_.in(base);
  pack_rows(problem_, round, bounds_.columns(base), shifts_.in(base), bounds_.valid(), isa, threads,
            sort_.input(base));
  const Packed varying = ((static_cast<Packed>(1) << round.key_bits) - 1) << round.number_bits;
  sorted_ = sort_.run(valid_points(), varying, threads, base,
                      [&](std::int64_t r, const Packed* sorted, const WordRange& range) {
                        std::int64_t starts = range.begin == range.first ? 1 : 0;
                        for (std::int64_t i = range.begin + starts; i < range.end; ++i) {
                          starts += !same_row(sorted[i], sorted[i - 1]);
                        }
                        first[r] = starts;
                      });
  first[sorted_.ranges] = 0;
  std::exclusive_scan(first, first + sorted_.ranges + 1, first, std::int64_t{0});
  count_ = first[sorted_.ranges];
}

template <class Packed>
template <class Visit>
void Voxels<Packed>::for_each_row(int threads, std::byte* base, Visit&& visit) const {
  const Packed* const sorted = sorted_.sorted;
  const std::int64_t* const first = first_voxels_.in(base);
  parallel_for(threads, sorted_.ranges, 1, [&](std::int64_t r, std::int64_t, int) {
    const WordRange range = sort_.range(r, base);
    std::int64_t i = range.begin, end = range.end;
    const auto continues = [&](std::int64_t at) {
      return at > range.first && same_row(sorted[at], sorted[at - 1]);
    };
    while (i < end && continues(i)) ++i;  // of a voxel of an earlier range
    if (i == end) return;
    while (end < range.last && continues(end)) ++end;
    RowAt row{first[r] - 1, 0};
    Packed previous = ~sorted[i];
    for (; i < end; ++i) {
      const bool opens = !same_row(sorted[i], previous);
      previous = sorted[i];
      row.voxel += opens;
      row.points = opens ? 1 : row.points + 1;
      visit(i, row, previous);
    }
  });
}

/// For the next round: the number of the voxel, of those that this round tells apart.
template <class Packed>
void Voxels<Packed>::rank_points(int threads, std::byte* base) const {
  std::uint32_t* const ranks = ranks_.in(base);
  for_each_row(threads, base, [&](std::int64_t, const RowAt& row, Packed packed) {
    ranks[number_of(packed)] = static_cast<std::uint32_t>(row.voxel);
  });
}

/// -1 for the points of chunks that have invalid ones; the others are written later.
template <class Packed>
void Voxels<Packed>::fill_invalid(int threads) const {
  const ValidPoints& valid = bounds_.valid();
  if (valid.total() == problem_.N) return;
  valid.for_each_chunk(threads, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    if (valid.all_valid(chunk)) return;
    std::fill(problem_.point2voxel_map + begin, problem_.point2voxel_map + end, -1);
  });
}

template <class Packed>
const Member* Voxels<Packed>::write(int threads, std::byte* base) const {
  fill_invalid(threads);
  auto* const members = reinterpret_cast<Member*>(sorted_.spare);
  switch (round_.ranks == nullptr ? problem_.D : 0) {
    case 3:
      write_rows<3>(threads, base, members);
      break;
    case 4:
      write_rows<4>(threads, base, members);
      break;
    default:
      write_rows<0>(threads, base, members);
  }
  return members;
}

/// Rows of a known number of columns are unpacked for each point, which costs less than a branch that cannot be
/// predicted; others are copied from the first point of their voxel.
template <class Packed>
template <int columns>
void Voxels<Packed>::write_rows(int threads, std::byte* base, Member* members) const {
  const Forward p = problem_;  // a copy that no store can change
  std::array<Column, static_cast<std::size_t>(std::max(columns, 1))> fields;
  std::copy_n(bounds_.columns(base), columns, fields.begin());
  for_each_row(threads, base, [&, fields](std::int64_t i, const RowAt& row, Packed packed) {
    const std::int64_t point = number_of(packed);
    members[i] = member_of(row.voxel, point);
    p.point2voxel_map[point] = static_cast<std::int32_t>(row.voxel);
    p.voxel_points_count[row.voxel] = row.points;
    std::int32_t* const to = p.voxel_coors + row.voxel * p.D;
    for (std::size_t j = 0; j < columns; ++j) {
      const auto field = static_cast<std::uint32_t>(packed >> fields[j].shift);
      const std::uint32_t mask = (std::uint32_t{1} << fields[j].bits) - 1;
      to[j] = static_cast<std::int32_t>(field & mask) + fields[j].least;
    }
    if (columns == 0 && row.points == 1) std::copy_n(p.coors + point * p.D, p.D, to);
  });
}

template class Voxels<Narrow>;
template class Voxels<Wide>;

}  // namespace mluop::dynamic_point_to_voxel
