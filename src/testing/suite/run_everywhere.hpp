// Runs a case with every design, at every level, with several thread counts, and demands accuracy and
// equal bits.
#pragma once

#include <string>
#include <vector>

#include "testing/faults/sanitized.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::testing {

/// Two thread counts under sanitizers: more find nothing new and cost minutes.
inline const std::vector<int> thread_counts =
    sanitized ? std::vector{1, 7} : std::vector{1, 2, 3, 7};

/// What is wrong with the case, one sentence per problem, each naming operator, case, dtype, level, design
/// and threads; empty when all is well.
///
/// Every design that accepts the case is forced in turn, at every level that this machine and the design
/// have, with each of the thread counts, each on fresh data. Runs must succeed, leave the memory around the
/// outputs alone, repeat their bits, and have the same bits for every thread count; only NaN may differ from
/// NaN. AVX2 and AVX-512 must have the same bits, for each design and for the library's own choice.
/// Results must satisfy the suite's criteria and, where all values are finite, the dynamic ones.
std::vector<std::string> run_everywhere(const Suite& suite, const Case& test_case,
                                        mluOpDataType_t dtype);

}  // namespace mluop::testing
