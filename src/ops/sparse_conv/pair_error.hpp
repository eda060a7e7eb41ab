// The sentence about a pair that names a row that is not there; both runs of the family use it.
#pragma once

#include <cstdint>
#include <string>

#include "core/status.hpp"
#include "core/text.hpp"
#include "ops/sparse_conv/convolution.hpp"

namespace mluop::sparse_conv {

/// Fails the call for indice_pairs[k, side, t] = value, which should be a row of `rows`. A run names
/// the first such pair in the order (k, t, source before target), whatever the number of threads.
inline Status bad_pair(const char* function, std::int64_t k, int side, std::int64_t t,
                       std::int32_t value, const Matrix& rows) {
  return fail(MLUOP_STATUS_BAD_PARAM, std::string(function) + ": indice_pairs[" + text_of(k) + "," +
                                          text_of(side) + "," + text_of(t) +
                                          "] must be at least 0 and below " + text_of(rows.rows) +
                                          " (rows of " + rows.name + "), got " + text_of(value));
}

}  // namespace mluop::sparse_conv
