// The named cases of rotated feature align: shapes, boxes and features, the same in test and bench.
#pragma once

#include <string>
#include <vector>

#include "ops/rotated_feature_align/kit/boxes.hpp"
#include "ops/rotated_feature_align/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::rotated_feature_align::cases {

/// Interpolation is continuous except at the map's outer edges, and a coordinate in float32 differs
/// from the exact one, so the boxes of a case keep their samples `margin` cells away from
enum class Clear {
  of_edges,   // −1, H and W;
  of_cells,   // every whole number: where features hold infinities, a weight of 0 matters too;
  of_nothing  // they may sit on an edge, because angle 0 and dyadic numbers make them exact.
};
inline constexpr double margin = 1e-3;

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  Shape shape;
  DrawBox draw;
  Clear clear = Clear::of_edges;
  /// Sprinkled over the features.
  std::vector<double> specials = {};
};

const std::vector<Definition>& definitions();

/// For people: "[2,50,50,600] scale 1/8, 5 points".
std::string text_of(const Shape& shape);

/// Boxes [N,H,W,5] whose samples keep their margin in every dtype.
testing::HostTensor make_boxes(const Definition& definition, mluOpDataType_t dtype);
/// Features [N,H,W,C] in [−1, 1], sprinkled with the specials; `name` as in messages.
testing::HostTensor make_features(const Definition& definition, mluOpDataType_t dtype,
                                  const std::string& name);
/// Poisoned, of the same shape.
testing::HostTensor make_output(const Definition& definition, mluOpDataType_t dtype,
                                const std::string& name);

}  // namespace mluop::rotated_feature_align::cases
