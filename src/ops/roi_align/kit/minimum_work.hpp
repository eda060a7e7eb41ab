// The arithmetic and traffic that averages and maxima of given boxes need.
#pragma once

#include <cstdint>
#include <span>

#include "ops/roi_align/kit/reference.hpp"
#include "testing/suite/cache_lines.hpp"

namespace mluop::roi_align {

/// Weights are products, so an average may merge the samples of a bin into a weight for each row and column of
/// cells, and combine rows or columns first: the cheapest of the three ways counts for each box. A sample of a
/// maximum is four products, three sums and a comparison.
class MinimumWork {
 public:
  MinimumWork(const reference::Shape& shape, std::span<const double> boxes);

  double flops() const { return flops_; }
  /// Bytes of the cache lines that hold the cells, of `cell` bytes, that samples touch.
  double bytes_of_cells(std::int64_t cell) const { return used_.bytes_in_lines(cell); }

 private:
  double flops_ = 0;
  testing::UsedRows used_;
};

}  // namespace mluop::roi_align
