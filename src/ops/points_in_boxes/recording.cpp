// Checked calls of mluOpPointsInBoxes as test cases.
#include "ops/points_in_boxes/recording.hpp"

namespace mluop::points_in_boxes {

recorder::Description description_of(const Arguments& call) {
  using recorder::Need;
  return {
      .op = "points_in_boxes",
      .inputs = {{call.points, Need::structure, {0, 100}}, {call.boxes, Need::structure, {0, 100}}},
      .outputs = {call.result},
      .parameters_name = nullptr,
      .parameters = {}};
}

}  // namespace mluop::points_in_boxes
