// The named cases of RoI-aware pooling: shapes, scenes and features, the same in test and bench.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ops/roiaware_pool3d/kit/calls.hpp"
#include "testing/data/generators.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::roiaware_pool3d::cases {

using DrawScene = std::function<Scene(testing::Generator&, const Shape&)>;

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  Shape shape;
  DrawScene draw;
  /// Backward on lists of any length with any points, beyond what forward makes of a scene.
  bool random_indices = false;
  /// Sprinkled over features and gradients.
  std::vector<double> specials = {};
  /// Features are whole numbers up to this, so that many are equal; 0 for any numbers.
  int levels = 0;
};

/// Each scene with maximum and with average pooling.
const std::vector<Definition>& definitions();

/// For people: "128 boxes of 12x12x12, 16000 points, T 128, C 16".
std::string text_of(const Shape& shape);

/// Features in [-1, 1], with the case's specials.
std::vector<double> features_of(const Definition& definition);

ForwardCall make_forward(const Definition& definition, mluOpDataType_t dtype);
/// What backward is given: the indices that the reference makes of the scene in this dtype, or random
/// ones.
Indices indices_of(const Definition& definition, mluOpDataType_t dtype);
/// Gradients in [-1, 1], with the case's specials.
BackwardCall make_backward(const Definition& definition, mluOpDataType_t dtype,
                           const Indices& indices);

}  // namespace mluop::roiaware_pool3d::cases
