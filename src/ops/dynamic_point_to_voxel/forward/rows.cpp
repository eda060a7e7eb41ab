// Bounds of the columns, and the packing by them.
#include "ops/dynamic_point_to_voxel/forward/rows.hpp"

namespace mluop::dynamic_point_to_voxel {

using sorting::bits_below;
using sorting::Narrow;
using sorting::Wide;

void RowBounds::survey(Isa isa, int threads, std::byte* base) {
  const std::int64_t D = problem_.D;
  std::int32_t *const least = least_.in(base), *const most = most_.in(base);
  const Survey survey_chunk = surveys[static_cast<std::size_t>(isa)];
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
  for (std::int64_t j = first; j < last; ++j) columns[j].shift = shift -= columns[j].bits;
  return {first, last, ranks, rank_shift, number_bits, bits - number_bits};
}

namespace {

/// A packed row is a sum of its entries, each times the weight of its column; `columns` is their number if
/// it is known when this is compiled, else 0.
template <int columns, class Packed>
struct PackRows {
  const Forward& problem;
  const Round& round;
  const Packed* weights;  // of the columns of the round
  Packed origin;          // what the sums have to start from

  std::int64_t count() const { return columns > 0 ? columns : round.last - round.first; }

  Packed packed(std::int64_t point, const std::int32_t* row) const {
    Packed sum = origin + static_cast<Packed>(point);
    if (round.ranks != nullptr) sum += static_cast<Packed>(round.ranks[point]) << round.rank_shift;
    for (std::int64_t j = 0; j < count(); ++j) {
      sum += static_cast<Packed>(static_cast<std::uint32_t>(row[j])) * weights[j];
    }
    return sum;
  }

  void all(std::int64_t begin, std::int64_t end, Packed* to) const {
    const std::int32_t* row = problem.coors + begin * problem.D + round.first;
    for (std::int64_t i = begin; i < end; ++i, row += problem.D) *to++ = packed(i, row);
  }

  void valid_ones(std::int64_t begin, std::int64_t end, Packed* to) const {
    const std::int32_t* row = problem.coors + begin * problem.D;
    for (std::int64_t i = begin; i < end; ++i, row += problem.D) {
      if (std::any_of(row, row + problem.D, [](std::int32_t entry) { return entry < 0; })) continue;
      *to++ = packed(i, row + round.first);
    }
  }

  void run(const ValidPoints& valid, int threads, Packed* to) const {
    valid.for_each_chunk(threads, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
      Packed* const place = to + valid.begin_of(chunk);
      valid.all_valid(chunk) ? all(begin, end, place) : valid_ones(begin, end, place);
    });
  }
};

}  // namespace

template <class Packed>
void pack_rows(const Forward& problem, const Round& round, const Column* columns,
               const ValidPoints& valid, Packed* weights, int threads, Packed* to) {
  Packed origin = 0;
  for (std::int64_t j = round.first; j < round.last; ++j) {
    const Packed weight = static_cast<Packed>(1) << columns[j].shift;
    weights[j - round.first] = weight;
    origin -= static_cast<Packed>(static_cast<std::uint32_t>(columns[j].least)) * weight;
  }
  switch (round.last - round.first) {
    case 3:
      return PackRows<3, Packed>{problem, round, weights, origin}.run(valid, threads, to);
    case 4:
      return PackRows<4, Packed>{problem, round, weights, origin}.run(valid, threads, to);
    default:
      return PackRows<0, Packed>{problem, round, weights, origin}.run(valid, threads, to);
  }
}

template void pack_rows(const Forward&, const Round&, const Column*, const ValidPoints&, Narrow*,
                        int, Narrow*);
template void pack_rows(const Forward&, const Round&, const Column*, const ValidPoints&, Wide*, int,
                        Wide*);

}  // namespace mluop::dynamic_point_to_voxel
