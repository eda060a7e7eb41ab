// The ways to compute an operator on this machine: its designs at each instruction set.
#pragma once

#include <string>
#include <vector>

#include "testing/data/handle.hpp"

namespace mluop::testing {

struct Way {
  std::string isa;     // "avx2"
  std::string design;  // "general"; empty: the first that accepts the call

  /// "avx2 general"
  std::string name() const;
  /// Makes a handle compute `op` this way.
  void apply(Handle& handle, const std::string& op) const;
};

/// Every design at every instruction set that it and this machine have, highest first. A call may be one
/// that a design does not accept.
std::vector<Way> ways(const std::string& op);

/// Whether the latest failed call of this thread failed because the forced design does not accept it.
bool not_accepted(mluOpStatus_t status);

}  // namespace mluop::testing
