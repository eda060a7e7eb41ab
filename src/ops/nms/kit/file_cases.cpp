// The calls of mluOpNms that case files describe, whatever they say.
#include "ops/nms/kit/file_cases.hpp"

#include <utility>
#include <vector>

#include "ops/nms/kit/operation.hpp"
#include "testing/data/handle.hpp"

namespace mluop::nms {
namespace {

using testing::FileCall;
using testing::FileCase;
using testing::HostTensor;

class NmsFile final : public FileCall {
 public:
  explicit NmsFile(FileCase file) : FileCall(std::move(file)) {
    mluOpNmsDescriptor_t desc = nullptr;
    testing::expect_success(mluOpCreateNmsDescriptor(&desc), "mluOpCreateNmsDescriptor");
    desc_.reset(desc);
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    const mluOpStatus_t set = mluOpSetNmsDescriptor(
        desc_.get(), static_cast<mluOpNmsBoxPointMode_t>(params().number("box_mode")),
        static_cast<mluOpNmsOutputMode_t>(params().number("mode")),
        static_cast<mluOpNmsAlgo_t>(params().number("algo")),
        static_cast<mluOpNmsMethodMode_t>(params().number("method_mode")),
        params().real("iou_threshold"), params().real("soft_nms_sigma"),
        params().number("max_output_boxes"), params().real("confidence_threshold"),
        params().real("offset"), params().number("input_layout"),
        params().number("pad_to_max_output_size") != 0);
    if (set != MLUOP_STATUS_SUCCESS) return set;
    const HostTensor &boxes = input(0), &confidence = input(1);
    return mluOpNms(handle, desc_.get(), boxes.descriptor(), boxes.data(),
                    standing() ? nullptr : confidence.descriptor(),
                    standing() ? nullptr : confidence.data(), nullptr, 0, output(0).descriptor(),
                    output(0).data(), output(1).data());
  }
  std::vector<std::vector<double>> reference() const override {
    Setting setting;
    setting.standing = standing();
    const std::vector<std::int64_t>& dims = input(0).dims();
    if (dims.size() == 3) {
      setting.batch = dims[0];
      setting.classes = input(1).dims()[1];
    }
    setting.box_mode = static_cast<mluOpNmsBoxPointMode_t>(params().number("box_mode"));
    setting.output_mode = static_cast<mluOpNmsOutputMode_t>(params().number("mode"));
    setting.iou_threshold = params().real("iou_threshold");
    setting.confidence_threshold = params().real("confidence_threshold");
    setting.offset = params().real("offset") != 0 ? 1 : 0;
    setting.most = params().number("max_output_boxes");
    setting.input_layout = params().number("input_layout");
    return expected_kept(nms_operation, setting, input(0), setting.standing ? nullptr : &input(1),
                         output(0).count());
  }
  /// Integers and copies have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

 private:
  struct Destroy {
    void operator()(mluOpNmsDescriptor_t desc) const { mluOpDestroyNmsDescriptor(desc); }
  };

  bool standing() const {
    const std::vector<std::int64_t>& dims = input(0).dims();
    const std::size_t axis = params().number("input_layout") == 1 ? 0 : 1;
    return dims.size() == 2 && dims[axis] == 7;
  }

  std::unique_ptr<cnnlNmsStruct, Destroy> desc_;
};

}  // namespace

std::unique_ptr<FileCall> from_file(FileCase file) {
  file.params.expect_message("nms_param", file.op);
  file.expect_tensors({"boxes", "confidence"}, {"output", "output_size"});
  return std::make_unique<NmsFile>(std::move(file));
}

}  // namespace mluop::nms
