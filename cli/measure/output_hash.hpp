// A hash of the bits of a call's outputs.
#pragma once

#include <cstdint>
#include <span>

#include "testing/data/host_tensor.hpp"

namespace mluop::cli {

/// A hash of every element in memory, in order, gaps between strided elements included. All NaNs of
/// a dtype count as the same one, because their sign and payload are not promised. Does not
/// depend on the byte order of the machine.
std::uint64_t hash_of(std::span<const testing::HostTensor> outputs);

}  // namespace mluop::cli
