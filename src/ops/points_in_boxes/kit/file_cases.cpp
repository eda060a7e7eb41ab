// The calls of mluOpPointsInBoxes that case files describe, whatever they say.
#include "ops/points_in_boxes/kit/file_cases.hpp"

#include <utility>
#include <vector>

#include "ops/points_in_boxes/kit/variant.hpp"

namespace mluop::points_in_boxes {
namespace {

using testing::FileCall;
using testing::FileCase;

class BoxesFile final : public FileCall {
 public:
  using FileCall::FileCall;

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return points_in_boxes_variant.run(handle, input(0), input(1), output(0));
  }
  std::vector<std::vector<double>> reference() const override {
    const std::vector<std::int64_t>&points = input(0).dims(), &boxes = input(1).dims();
    const auto expected =
        points_in_boxes_variant.expected({points[0], points[1], boxes[1]}, input(0), input(1));
    return {{expected.begin(), expected.end()}};
  }
  /// Integers have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }
};

}  // namespace

std::unique_ptr<FileCall> from_file(FileCase file) {
  file.params.expect_no_message(file.op);
  file.expect_tensors({"points", "boxes"}, {"points_indices"});
  return std::make_unique<BoxesFile>(std::move(file));
}

}  // namespace mluop::points_in_boxes
