// A part has the pairs that end in it, numbered anew; everything else of the operands stays.
#include "ops/sparse_conv/kit/convolution/operand_parts.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

namespace mluop::sparse_conv {
namespace {

using testing::HostTensor;
using testing::Part;

struct Range {
  std::int64_t begin, end;

  std::int64_t size() const { return end - begin; }
  bool contains(std::int64_t at) const { return begin <= at && at < end; }
};

/// The pairs whose row on one side of the table lies in a range, which comes first on that side.
std::shared_ptr<const PairTable> pairs_ending_in(const PairTable& table, int side, Range kept) {
  const std::size_t K = table.num.size();
  std::vector<std::vector<std::int32_t>> lists(2 * K);
  std::vector<std::int64_t> num(K);
  for (std::size_t k = 0; k < K; ++k) {
    const std::int32_t* const rows =
        table.rows().data() + 2 * static_cast<std::int64_t>(k) * table.L;
    for (std::int64_t t = 0; t < table.num[k]; ++t) {
      std::array<std::int32_t, 2> pair{rows[t], rows[table.L + t]};
      std::int32_t& end = pair[static_cast<std::size_t>(side)];
      if (!kept.contains(end)) continue;
      end -= static_cast<std::int32_t>(kept.begin);
      for (std::size_t i : {0, 1}) lists[2 * k + i].push_back(pair[i]);
    }
    num[k] = std::ssize(lists[2 * k]);
  }
  // A row that occurs more than once in an offset needs more places than there are rows.
  const std::int64_t L = side == 0 ? std::max(kept.size(), std::ranges::max(num)) : table.L;
  std::vector<std::int32_t> rows(lists.size() * static_cast<std::size_t>(L), -1);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::ranges::copy(lists[i], rows.begin() + static_cast<std::int64_t>(i) * L);
  }
  return std::make_shared<PairTable>(L, side == 1 ? kept.size() : table.Y, rows, std::move(num));
}

std::shared_ptr<const PairTable> pairs_of_offset(const PairTable& table, std::int64_t k) {
  const auto width = static_cast<std::size_t>(2 * table.L);
  return std::make_shared<PairTable>(
      table.L, table.Y, table.rows().subspan(static_cast<std::size_t>(k) * width, width),
      std::vector{table.num[static_cast<std::size_t>(k)]});
}

/// The first `count` results of a small convolution.
Part part_of(const Direction& direction, const Operands& small, const std::string& where,
             std::int64_t first, std::int64_t count) {
  Part part{direction.make_result(small).name() + ", " + where, 0, first,
            direction.reference(small), direction.plain(small)};
  part.reference.resize(static_cast<std::size_t>(count));
  part.plain.resize(static_cast<std::size_t>(count));
  return part;
}

Part rows_of(const Direction& direction, const Operands& whole, int side, Range rows,
             std::int64_t channels) {
  Operands small(pairs_ending_in(*whole.table, side, rows), whole.shape, whole.dtype(),
                 whole.inverse, whole.sub_m);
  for (const auto source : direction.sources) (small.*source).load((whole.*source).raw());
  return part_of(direction, small,
                 "rows " + std::to_string(rows.begin) + " to " + std::to_string(rows.end - 1),
                 rows.begin * channels, rows.size() * channels);
}

Part offset_of(const Direction& direction, const Operands& whole, std::int64_t k,
               std::int64_t channels) {
  reference::FilterShape shape = whole.shape;
  std::ranges::fill(shape.kernel, 1);
  shape.Ci = channels;
  Operands small(pairs_of_offset(*whole.table, k), shape, whole.dtype(), whole.inverse,
                 whole.sub_m);
  for (std::int64_t row = 0; row < whole.features.dims()[0]; ++row) {
    small.features.assign_from(row * channels,
                               whole.features.values(row * whole.shape.Ci, channels));
  }
  small.output_grad.load(whole.output_grad.raw());
  return part_of(
      direction, small,
      "channels 0 to " + std::to_string(channels - 1) + " of offset " + std::to_string(k),
      k * whole.shape.Ci * whole.shape.Co, channels * whole.shape.Co);
}

}  // namespace

std::vector<Part> parts_of(const Direction& direction, const Operands& operands) {
  std::vector<Part> parts;
  if (direction.role == Direction::Role::backward_filter) {
    const std::int64_t K = operands.shape.K();
    for (const std::int64_t k : {std::int64_t{0}, K / 2, K - 1}) {
      parts.push_back(
          offset_of(direction, operands, k, std::min<std::int64_t>(operands.shape.Ci, 16)));
    }
    return parts;
  }
  const bool to_outputs = direction.role == Direction::Role::forward;
  const std::int64_t rows = direction.make_result(operands).dims()[0];
  const std::int64_t channels = to_outputs ? operands.shape.Co : operands.shape.Ci;
  const std::int64_t some = std::min<std::int64_t>(rows, 300);
  for (const std::int64_t begin : {std::int64_t{0}, (rows - some) / 2, rows - some}) {
    parts.push_back(rows_of(direction, operands, to_outputs != operands.inverse ? 1 : 0,
                            {begin, begin + some}, channels));
  }
  return parts;
}

}  // namespace mluop::sparse_conv
