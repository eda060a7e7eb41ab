#include "ops/sparse_conv/kit/convolution/cost.hpp"

#include <algorithm>
#include <vector>

#include "testing/suite/cache_lines.hpp"

namespace mluop::sparse_conv {
namespace {

double bytes_of_filters(const Operands& operands) {
  const reference::FilterShape& shape = operands.shape;
  const std::int64_t K = shape.K();
  if (operands.filters.count() == 0) return 0;
  const auto bytes = static_cast<std::int64_t>(operands.filters.bytes());
  const bool by_offset = K == 1 || shape.index(1, 0, 0) == shape.Ci * shape.Co;
  const bool rows_of_ci = shape.Ci == 1 || shape.index(0, 1, 0) == 1;
  if (!by_offset && !rows_of_ci) return static_cast<double>(bytes);
  // The offset changes from row to row: [K] rows of a filter, or [Co, K] rows of Ci channels.
  const std::int64_t rows = by_offset ? K : shape.Co * K;
  testing::UsedRows used(rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    if (operands.table->num[static_cast<std::size_t>(row % K)] > 0) used.use(row);
  }
  return used.bytes_in_lines(bytes / rows);
}

}  // namespace

double bytes_of_pairs(const Operands& operands) {
  std::vector<std::int64_t> lists;
  for (const std::int64_t count : operands.table->num) {
    for (int side = 0; side < 2; ++side) lists.push_back(4 * count);
  }
  return testing::bytes_in_lines(lists, 4 * operands.table->L);
}

double bytes_of_source(const Operands& operands, testing::HostTensor Operands::*source) {
  if (source == &Operands::filters) return bytes_of_filters(operands);
  const testing::HostTensor& tensor = operands.*source;
  const bool inputs = source == &Operands::features;
  const std::int64_t L = operands.table->L, side = inputs == operands.inverse ? 1 : 0;
  if (tensor.count() == 0) return 0;
  testing::UsedRows rows(tensor.dims()[0]);
  for (std::size_t k = 0; k < operands.table->num.size(); ++k) {
    const std::int32_t* const list =
        operands.table->rows().data() + (2 * static_cast<std::int64_t>(k) + side) * L;
    for (std::int64_t t = 0; t < operands.table->num[k]; ++t) rows.use(list[t]);
  }
  return rows.bytes_in_lines(static_cast<std::int64_t>(tensor.bytes()) / tensor.dims()[0]);
}

}  // namespace mluop::sparse_conv
