// Small convolutions whose results are parts of a large one's: what extended precision can afford.
#pragma once

#include <vector>

#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv {

/// Parts of the result of `direction` that stand for the whole: some rows at its begin, in its middle
/// and at its end; of a gradient of filters, some input channels of the first, middle and last offset.
std::vector<testing::Part> parts_of(const Direction& direction, const Operands& operands);

}  // namespace mluop::sparse_conv
