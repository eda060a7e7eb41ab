// The bits of a call's outputs, to compare with those of another run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "testing/data/host_tensor.hpp"

namespace mluop::testing {

/// The bytes of each output.
using Bits = std::vector<std::vector<std::byte>>;

Bits snapshot(std::span<HostTensor> outputs);

/// The first element that is not the same as in an earlier run; empty when there is none. NaN is a
/// class: its sign and payload are not promised.
std::string first_difference(std::span<HostTensor> outputs, const Bits& earlier);

}  // namespace mluop::testing
