// Cases of CARAFE of sizes that are not in the table: chosen by users, or drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/carafe/kit/cases.hpp"

namespace mluop::carafe::cases {

const std::vector<testing::SizeKey>& size_keys();
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::carafe::cases
