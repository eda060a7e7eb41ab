// Index pairs for tests: drawn at random, or made from random sites by the reference.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/pairs/reference.hpp"
#include "testing/data/generators.hpp"

namespace mluop::sparse_conv::tables {

/// What may occur more than once within an offset.
enum class Repeats {
  nothing,  // as in the pairs of distinct sites
  rows,     // any row, on both sides
  pairs     // whole pairs
};

/// counts[k] random pairs for offset k, in random order, between rows below L and rows below Y. What
/// follows them is not a valid row. Without repeats every count is at most min(L, Y).
PairTable random(testing::Generator& random, std::int64_t L, std::int64_t Y,
                 const std::vector<std::int64_t>& counts, Repeats repeats = Repeats::nothing);

/// `sites` distinct active sites in random order, as indices [sites, axes + 1].
std::vector<std::int32_t> random_sites(testing::Generator& random,
                                       const reference::Geometry& geometry, std::int64_t sites);

/// `rows` active sites anywhere, equal ones among them.
std::vector<std::int32_t> any_sites(testing::Generator& random, const reference::Geometry& geometry,
                                    std::int64_t rows);

/// The pairs of a geometry as the operators take them.
PairTable from_pairs(const reference::IndexPairs& pairs);

/// The same pairs of each offset, in random order.
PairTable shuffled(testing::Generator& random, const PairTable& table);

}  // namespace mluop::sparse_conv::tables
