// How to record a call.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "recorder/description.hpp"

namespace mluop::recorder {

/// Format of data: decimals or, for floating dtypes, hexadecimal bit patterns.
enum class Notation { text, bits };

struct Order {
  /// Inputs whose need is up to this value keep their contents; others become random numbers.
  Need kept = Need::always;
  /// Inputs of at most this many elements always keep their contents.
  std::uint64_t kept_elements = 0;
  Notation notation = Notation::bits;
  /// Larger data goes to a side file.
  std::uint64_t inline_bytes = std::numeric_limits<std::uint64_t>::max();
  /// The format of the results, if they are recorded.
  std::optional<Notation> outputs = std::nullopt;

  bool operator==(const Order&) const = default;
};

}  // namespace mluop::recorder
