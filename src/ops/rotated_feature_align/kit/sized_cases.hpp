// Cases of rotated feature align of sizes that are not in the table: chosen by users, or drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/rotated_feature_align/kit/cases.hpp"

namespace mluop::rotated_feature_align::cases {

const std::vector<testing::SizeKey>& size_keys();
/// Boxes lie near their pixels.
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::rotated_feature_align::cases
