#include "testing/suite/cache_lines.hpp"

#include <algorithm>
#include <cstddef>

namespace mluop::testing {

double bytes_in_lines(std::span<const std::int64_t> used, std::int64_t row_bytes) {
  constexpr std::int64_t line = 64;
  std::int64_t lines = 0, last = -1;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] == 0) continue;
    const std::int64_t begin = static_cast<std::int64_t>(i) * row_bytes;
    const std::int64_t first = std::max(begin / line, last + 1);
    last = (begin + used[i] - 1) / line;
    lines += std::max<std::int64_t>(last - first + 1, 0);
  }
  return static_cast<double>(lines * line);
}

double UsedRows::bytes_in_lines(std::int64_t row_bytes) const {
  std::vector<std::int64_t> used;
  used.reserve(used_.size());
  for (const bool one : used_) used.push_back(one ? row_bytes : 0);
  return testing::bytes_in_lines(used, row_bytes);
}

}  // namespace mluop::testing
