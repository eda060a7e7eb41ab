// Bounds of the columns, and the packing by them.
#include "ops/dynamic_point_to_voxel/forward/rows.hpp"

namespace mluop::dynamic_point_to_voxel {

using sorting::bits_below;
using sorting::Narrow;
using sorting::Wide;

void RowBounds::survey(Isa isa, int threads, std::byte* base) {
  const std::int64_t D = problem_.D;
  std::int32_t *const least = least_.in(base), *const most = most_.in(base);
  const Survey survey_chunk = row_kernels[static_cast<std::size_t>(isa)]().survey;
  valid_.survey(threads, base, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    std::fill_n(least + chunk * D, D, INT32_MAX);
    std::fill_n(most + chunk * D, D, -1);
    return survey_chunk(problem_.coors + begin * D, end - begin, D, least + chunk * D,
                        most + chunk * D);
  });
  for (std::int64_t chunk = 1; chunk < valid_.chunks(); ++chunk) {
    for (std::int64_t j = 0; j < D; ++j) {
      least[j] = std::min(least[j], least[chunk * D + j]);
      most[j] = std::max(most[j], most[chunk * D + j]);
    }
  }
  Column* const columns = columns_.in(base);
  for (std::int64_t j = 0; j < D; ++j) {
    const std::int64_t range = valid_.total() == 0 ? 1 : std::int64_t{most[j]} - least[j] + 1;
    columns[j] = {least[j], bits_below(static_cast<Wide>(range)), 0};
  }
}

Round plan_round(std::int64_t first, std::int64_t D, Column* columns, const std::uint32_t* ranks,
                 int number_bits, int rank_bits, int most_bits) {
  std::int64_t last = first;
  int bits = number_bits + rank_bits;
  while (last < D && bits + columns[last].bits <= most_bits) bits += columns[last++].bits;
  int shift = bits - rank_bits;
  const int rank_shift = shift;
  for (std::int64_t j = first; j < last; ++j) {
    shift -= columns[j].bits;
    // Entries that are all equal cancel out wherever they are, and `shift` may be the width of a row.
    columns[j].shift = columns[j].bits == 0 ? 0 : shift;
  }
  return {first, last, ranks, rank_shift, number_bits, bits - number_bits};
}

namespace {

/// Round by round, row by row; `origin` is what the sums of the entries have to start from.
void pack_wide(const Forward& p, const Round& round, const Column* columns, Wide origin,
               std::int64_t begin, std::int64_t end, Wide* to) {
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int32_t* const row = p.coors + i * p.D;
    if (std::any_of(row, row + p.D, [](std::int32_t entry) { return entry < 0; })) continue;
    Wide sum = origin + static_cast<Wide>(i);
    if (round.ranks != nullptr) sum += static_cast<Wide>(round.ranks[i]) << round.rank_shift;
    for (std::int64_t j = round.first; j < round.last; ++j) {
      sum += static_cast<Wide>(static_cast<std::uint32_t>(row[j])) << columns[j].shift;
    }
    *to++ = sum;
  }
}

}  // namespace

template <class Packed>
void pack_rows(const Forward& problem, const Round& round, const Column* columns, int* shifts,
               const ValidPoints& valid, Isa isa, int threads, Packed* to) {
  Packed origin = 0;
  for (std::int64_t j = round.first; j < round.last; ++j) {
    shifts[j] = columns[j].shift;
    origin -= static_cast<Packed>(static_cast<std::uint32_t>(columns[j].least)) << columns[j].shift;
  }
  const Pack pack = row_kernels[static_cast<std::size_t>(isa)]().pack;
  valid.for_each_chunk(threads, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    Packed* const place = to + valid.begin_of(chunk);
    if constexpr (std::is_same_v<Packed, Narrow>) {
      pack({problem.D, shifts, origin}, problem.coors + begin * problem.D, end - begin, begin,
           place, valid.begin_of(chunk + 1) - valid.begin_of(chunk));
    } else {
      pack_wide(problem, round, columns, origin, begin, end, place);
    }
  });
}

template void pack_rows(const Forward&, const Round&, const Column*, int*, const ValidPoints&, Isa,
                        int, Narrow*);
template void pack_rows(const Forward&, const Round&, const Column*, int*, const ValidPoints&, Isa,
                        int, Wide*);

}  // namespace mluop::dynamic_point_to_voxel
