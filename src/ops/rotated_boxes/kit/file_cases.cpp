// The calls of rotated boxes that case files describe, whatever they say.
#include "ops/rotated_boxes/kit/file_cases.hpp"

#include <utility>
#include <vector>

#include "ops/rotated_boxes/kit/cases.hpp"

namespace mluop::rotated_boxes {
namespace {

using testing::FileCall;
using testing::FileCase;

class IouFile final : public FileCall {
 public:
  explicit IouFile(FileCase file)
      : FileCall(std::move(file)),
        mode_(params().number("mode")),
        aligned_(params().integer("aligned") != 0) {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return mluOpBoxIouRotated(handle, mode_, aligned_, input(0).descriptor(), input(0).data(),
                              input(1).descriptor(), input(1).data(), output(0).descriptor(),
                              output(0).data());
  }
  std::vector<std::vector<double>> reference() const override {
    const reference::Pairs pairs{input(0).dims()[0], input(1).dims()[0], mode_ == 1, aligned_};
    return {reference::ious(pairs, {input(0).values(), input(1).values()}, input(0).dtype(), 0,
                            pairs.count())};
  }
  /// The formula has one answer in each arithmetic.
  std::vector<std::vector<double>> plain() const override { return reference(); }

 private:
  int mode_;
  bool aligned_;
};

class NmsFile final : public FileCall {
 public:
  explicit NmsFile(FileCase file)
      : FileCall(std::move(file)), threshold_(params().real("iou_threshold")) {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return cases::run(handle, threshold_, input(0), input(1), output(0), output(1));
  }
  std::vector<std::vector<double>> reference() const override {
    const reference::Kept kept = reference::nms(input(0).values(), input(0).dims()[1],
                                                input(1).values(), threshold_, input(0).dtype());
    return {{kept.output.begin(), kept.output.end()}, {static_cast<double>(kept.count)}};
  }
  /// Integers have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

 private:
  float threshold_;
};

}  // namespace

std::unique_ptr<FileCall> iou_from_file(FileCase file) {
  file.params.expect_message("box_iou_rotated_param", file.op);
  file.expect_tensors({"box1", "box2"}, {"ious"});
  return std::make_unique<IouFile>(std::move(file));
}

std::unique_ptr<FileCall> nms_from_file(FileCase file) {
  file.params.expect_message("nms_rotated_param", file.op);
  file.expect_tensors({"boxes", "scores"}, {"output", "result_num"});
  return std::make_unique<NmsFile>(std::move(file));
}

}  // namespace mluop::rotated_boxes
