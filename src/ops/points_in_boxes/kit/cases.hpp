// The named cases of points in boxes, the same in test and bench.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ops/points_in_boxes/kit/scenes.hpp"
#include "ops/points_in_boxes/kit/variant.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::points_in_boxes::cases {

using reference::Scene;
using reference::Shape;

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  Shape shape;
  std::function<Scene(testing::Generator&, const Shape&)> draw;
};

const std::vector<Definition>& definitions();
const Definition& definition_named(const std::string& name);

/// For people: "1 x 274000 points, 75 boxes".
std::string text_of(const Shape& shape);

/// Inputs filled, the result poisoned.
struct Tensors {
  testing::HostTensor points, boxes, result;
};
/// Scenes have boxes that stand on their z; those of mluOpPointsInBoxes are lifted by half their height.
Tensors make_tensors(const Variant& variant, const Shape& shape, const Scene& scene,
                     mluOpDataType_t dtype);
Tensors make_tensors(const Variant& variant, const Definition& definition, mluOpDataType_t dtype);

// Sizes that users choose, or random ones.
const std::vector<testing::SizeKey>& size_keys();
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::points_in_boxes::cases
