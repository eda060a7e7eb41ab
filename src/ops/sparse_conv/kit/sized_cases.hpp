// Cases of this family of sizes that are not in the tables: chosen by users, or drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/pairs/cases.hpp"

namespace mluop::sparse_conv {

/// A geometry and its sites, anywhere in the space or as a laser scanner sees them.
namespace pairs_cases {
const std::vector<testing::SizeKey>& size_keys();
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);
}  // namespace pairs_cases

/// The same, with channels.
namespace cases {
const std::vector<testing::SizeKey>& size_keys();
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);
}  // namespace cases

}  // namespace mluop::sparse_conv
