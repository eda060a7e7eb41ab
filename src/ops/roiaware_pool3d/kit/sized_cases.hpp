// Cases of RoI-aware pooling of sizes that are not in the table: chosen by users, or drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/roiaware_pool3d/kit/cases.hpp"

namespace mluop::roiaware_pool3d::cases {

const std::vector<testing::SizeKey>& size_keys();
/// Points and boxes are those of a scanned street.
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::roiaware_pool3d::cases
