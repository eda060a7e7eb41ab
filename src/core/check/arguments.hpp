// Arguments of the runtime and descriptor functions: the first that is wrong is thrown as a
// Failure.
//
// Operators use Check, which knows tensors and the limits of the card; these functions need less.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/check/rule.hpp"
#include "core/status/status.hpp"

namespace mluop {

struct PointerArgument {
  const char* name;
  const void* pointer;
};

/// "queue must not be null": the pointers in the order given.
void require_present(std::initializer_list<PointerArgument> arguments,
                     Status status = MLUOP_STATUS_BAD_PARAM);

/// "dimNb must be at least 0, got -1".
void require(const std::string& name, std::int64_t value, const Rule& rule,
             Status status = MLUOP_STATUS_BAD_PARAM);

/// "spatial_scale must be finite, got nan".
void require_real(const std::string& name, float value, const Rule& rule);

/// "dimSize[2]".
std::string element_name(const char* array, std::size_t index);

/// "dimSize[2] must be at least 0, got -1": the first element that breaks the rule.
template <class Int>
void require_each(const char* name, const Int* values, std::size_t count, const Rule& rule) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!rule.holds(std::int64_t{values[i]})) require(element_name(name, i), values[i], rule);
  }
}

/// "index must be less than 2, got 5".
void require_index(const char* name, std::size_t index, std::size_t count);

/// `op must be one of a, b, got "c"`.
Failure not_one_of(std::string_view name, std::span<const char* const> choices,
                   std::string_view value);

}  // namespace mluop
