// The named cases of each operator, the same in test and bench.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/nms/kit/scenes.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::nms::cases {

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  std::string shape;  // for people
  double pairs;       // of boxes, of all problems
  Setting setting;
  std::function<Scene(testing::Generator&)> draw;
  std::vector<mluOpDataType_t> dtypes = {};
};

const std::vector<Definition>& definitions(const Operation& operation);
const Definition& definition_named(const Operation& operation, const std::string& name);

Tensors make_tensors(const Operation& operation, const Definition& definition,
                     mluOpDataType_t dtype);

// Sizes that users choose, or random ones.
const std::vector<testing::SizeKey>& size_keys();
Definition sized(const Operation& operation, const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::nms::cases
