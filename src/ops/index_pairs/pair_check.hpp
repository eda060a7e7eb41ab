// Whether pairs name rows that exist.
#pragma once

#include <cstdint>

#include "core/status/status.hpp"
#include "ops/index_pairs/pairs.hpp"

namespace mluop::index_pairs {

/// All of rows[0..count) are rows of the matrix.
bool in_range(const std::int32_t* rows, std::int64_t count, const Matrix& matrix);

/// Fails for the first pair, in the order (k, t, source before target), that is out of range; there
/// is one.
Status fail_at_first_bad_pair(const char* function, const Pairs& pairs, const Matrix& source,
                              const Matrix& target);

}  // namespace mluop::index_pairs
