// Index pairs for tests.
#include "ops/sparse_conv/kit/convolution/tables.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace mluop::sparse_conv::tables {
namespace {

using testing::Generator;
using Rows = std::vector<std::int32_t>;

template <class T>
void shuffle(Generator& random, std::vector<T>& values) {
  for (std::int64_t i = std::ssize(values) - 1; i > 0; --i) {
    std::swap(values[static_cast<std::size_t>(i)],
              values[static_cast<std::size_t>(random.integer(0, i))]);
  }
}

Rows permutation(Generator& random, std::int64_t count) {
  Rows rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  shuffle(random, rows);
  return rows;
}

Rows draw_rows(Generator& random, std::int64_t rows, std::int64_t count, Repeats repeats) {
  if (repeats == Repeats::nothing) {
    Rows all = permutation(random, rows);
    all.resize(static_cast<std::size_t>(count));
    return all;
  }
  // One row in eight is drawn again and again.
  const std::int64_t last = std::max<std::int64_t>(0, rows / 8 - 1);
  Rows drawn;
  for (std::int64_t t = 0; t < count; ++t) {
    drawn.push_back(static_cast<std::int32_t>(random.integer(0, last)));
  }
  return drawn;
}

/// Nobody may read these: a reader would fault or fail.
std::int32_t no_row(std::int64_t t) {
  constexpr std::int32_t values[] = {-1, std::numeric_limits<std::int32_t>::max(),
                                     std::numeric_limits<std::int32_t>::min()};
  return values[t % 3];
}

}  // namespace

PairTable random(Generator& random, std::int64_t L, std::int64_t Y,
                 const std::vector<std::int64_t>& counts, Repeats repeats) {
  const std::int64_t K = std::ssize(counts);
  Rows rows(static_cast<std::size_t>(K * 2 * L));
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    rows[static_cast<std::size_t>(i)] = no_row(i);
  }
  for (std::int64_t k = 0; k < K; ++k) {
    const std::int64_t count = counts[static_cast<std::size_t>(k)];
    for (std::int64_t side = 0; side < 2; ++side) {
      Rows drawn = draw_rows(random, side == 0 ? L : Y, count, repeats);
      if (repeats == Repeats::pairs && count > 0) std::ranges::fill(drawn, drawn.front());
      std::ranges::copy(drawn, rows.begin() + (2 * k + side) * L);
    }
  }
  return {L, Y, rows, counts};
}

std::vector<std::int32_t> random_sites(Generator& random, const reference::Geometry& geometry,
                                       std::int64_t sites) {
  std::int64_t volume = geometry.batch;
  for (int axis = 0; axis < geometry.axes; ++axis) {
    volume *= geometry.input_space[static_cast<std::size_t>(axis)];
  }
  if (sites > volume) throw std::invalid_argument("more sites than the space has");
  const auto columns = static_cast<std::size_t>(geometry.columns());
  std::vector<std::int32_t> indices;
  for (std::int32_t site : draw_rows(random, volume, sites, Repeats::nothing)) {
    std::vector<std::int32_t> row(columns);
    for (std::size_t i = columns - 1; i > 0; --i) {
      row[i] = site % geometry.input_space[i - 1];
      site /= geometry.input_space[i - 1];
    }
    row[0] = site;
    indices.insert(indices.end(), row.begin(), row.end());
  }
  return indices;
}

std::vector<std::int32_t> any_sites(Generator& random, const reference::Geometry& geometry,
                                    std::int64_t rows) {
  std::vector<std::int32_t> indices;
  for (std::int64_t row = 0; row < rows; ++row) {
    indices.push_back(static_cast<std::int32_t>(random.integer(0, geometry.batch - 1)));
    for (int axis = 0; axis < geometry.axes; ++axis) {
      const int size = geometry.input_space[static_cast<std::size_t>(axis)];
      indices.push_back(static_cast<std::int32_t>(random.integer(0, size - 1)));
    }
  }
  return indices;
}

PairTable from_pairs(const reference::IndexPairs& pairs) {
  return {pairs.L, pairs.Y, pairs.pairs, {pairs.num.begin(), pairs.num.end()}};
}

PairTable shuffled(Generator& random, const PairTable& table) {
  Rows rows(table.rows().begin(), table.rows().end());
  for (std::int64_t k = 0; k < std::ssize(table.num); ++k) {
    const std::int64_t count = table.num[static_cast<std::size_t>(k)];
    const Rows order = permutation(random, count);
    for (std::int64_t side = 0; side < 2; ++side) {
      const std::int64_t first = (2 * k + side) * table.L;
      for (std::int64_t t = 0; t < count; ++t) {
        rows[static_cast<std::size_t>(first + t)] =
            table.rows()[static_cast<std::size_t>(first + order[static_cast<std::size_t>(t)])];
      }
    }
  }
  return {table.L, table.Y, rows, table.num};
}

}  // namespace mluop::sparse_conv::tables
