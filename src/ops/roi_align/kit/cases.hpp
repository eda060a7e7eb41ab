// The named cases of RoI align, the same in test and bench.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/roi_align/kit/boxes.hpp"
#include "ops/roi_align/kit/tensors.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roi_align::cases {

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  Shape shape;
  DrawBoxes boxes;
  /// What images or grads hold.
  enum class Contents { numbers, masks, some_nan, specials } contents = Contents::numbers;
  /// The only dtypes; all if empty.
  std::vector<mluOpDataType_t> dtypes = {};
};

const std::vector<Definition>& definitions();
const Definition& definition_named(const std::string& name);

/// For people: "[1,208,336,256] scale 1/4, 512 RoIs, 7x7".
std::string text_of(const Shape& shape);

/// Inputs filled, outputs poisoned. The argmax of a gradient is that of random images of the same size.
Tensors make_tensors(const Definition& definition, mluOpDataType_t dtype, bool backward);

// Sizes that users choose, or random ones.
const std::vector<testing::SizeKey>& size_keys();
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::roi_align::cases
