// What the convolutions must read at least, in cache lines.
#pragma once

#include "ops/sparse_conv/kit/convolution/directions.hpp"

namespace mluop::sparse_conv {

/// The two rows of every pair.
double bytes_of_pairs(const Operands& operands);

/// Of features or gradients the rows that pairs name; of the filters those of offsets with pairs, and in NCDHW,
/// where offsets share lines, all of them.
double bytes_of_source(const Operands& operands, testing::HostTensor Operands::*source);

}  // namespace mluop::sparse_conv
