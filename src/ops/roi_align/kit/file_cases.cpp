// The calls of RoI align that case files describe, whatever they say.
#include "ops/roi_align/kit/file_cases.hpp"

#include <cstddef>
#include <utility>

#include "ops/roi_align/kit/tensors.hpp"

namespace mluop::roi_align {
namespace {

using testing::FileCall;
using testing::FileCase;
using testing::HostTensor;

class AlignFile : public FileCall {
 public:
  explicit AlignFile(FileCase file)
      : FileCall(std::move(file)),
        sampling_ratio_(params().number("sampling_ratio")),
        spatial_scale_(params().real("spatial_scale")),
        aligned_(params().integer("aligned") != 0),
        pool_mode_(params().number("pool_mode")) {}

 protected:
  /// Pooled sizes are those of the bins: parameters that differ were refused.
  reference::Shape shape(const HostTensor& images, const HostTensor& bins) const {
    const std::vector<std::int64_t>&map = images.dims(), &pooled = bins.dims();
    return {map[0],    map[1],         map[2],          map[3],   pooled[0],      pooled[1],
            pooled[2], spatial_scale_, sampling_ratio_, aligned_, pool_mode_ == 0};
  }
  /// What a reference reads of a tensor of the file.
  static void copy(const HostTensor& from, HostTensor& to) { to.load(from.raw()); }

  int sampling_ratio_;
  float spatial_scale_;
  bool aligned_;
  int pool_mode_;
};

class ForwardFile final : public AlignFile {
 public:
  using AlignFile::AlignFile;

  mluOpStatus_t run(mluOpHandle_t handle) override {
    mluOpRoiAlignForwardDescriptor_t created = nullptr;
    const mluOpStatus_t made = mluOpCreateRoiAlignForwardDescriptor(&created);
    if (made != MLUOP_STATUS_SUCCESS) return made;
    const RoiAlignDescriptor desc{created};
    const mluOpStatus_t set = mluOpSetRoiAlignForwardDescriptor_v2(
        created, params().number("pooled_height"), params().number("pooled_width"), sampling_ratio_,
        spatial_scale_, pool_mode_, aligned_);
    if (set != MLUOP_STATUS_SUCCESS) return set;
    HostTensor none;
    HostTensor &argmax_x = maximum() ? output(1) : none, &argmax_y = maximum() ? output(2) : none;
    return mluOpRoiAlignForward_v2(handle, created, input(0).descriptor(), input(0).data(),
                                   input(1).descriptor(), input(1).data(), output(0).descriptor(),
                                   output(0).data(), argmax_x.descriptor(), argmax_x.data(),
                                   argmax_y.descriptor(), argmax_y.data());
  }
  Values reference() const override { return tensors().forward_reference(own_shape()); }
  Values plain() const override { return tensors().forward_plain(own_shape()); }

 private:
  bool maximum() const { return file().outputs.size() == 3; }
  reference::Shape own_shape() const { return shape(input(0), output(0)); }
  Tensors tensors() const {
    Tensors tensors(own_shape(), input(0).dtype(), false);
    copy(input(0), tensors.images);
    copy(input(1), tensors.boxes);
    return tensors;
  }
};

class BackwardFile final : public AlignFile {
 public:
  using AlignFile::AlignFile;

  mluOpStatus_t run(mluOpHandle_t handle) override {
    const HostTensor none;
    const HostTensor &argmax_x = maximum() ? input(2) : none,
                     &argmax_y = maximum() ? input(3) : none;
    return mluOpRoiAlignBackward_v2(handle, input(0).descriptor(), input(0).data(),
                                    input(1).descriptor(), input(1).data(), argmax_x.descriptor(),
                                    argmax_x.data(), argmax_y.descriptor(), argmax_y.data(),
                                    spatial_scale_, sampling_ratio_, aligned_, pool_mode_,
                                    output(0).descriptor(), output(0).data());
  }
  Values reference() const override { return tensors().backward_reference(own_shape()); }
  Values plain() const override { return tensors().backward_plain(own_shape()); }

 private:
  bool maximum() const { return file().inputs.size() == 4; }
  reference::Shape own_shape() const { return shape(output(0), input(0)); }
  Tensors tensors() const {
    Tensors tensors(own_shape(), input(0).dtype(), true);
    copy(input(0), tensors.bins[0]);
    copy(input(1), tensors.boxes);
    if (maximum()) {
      copy(input(2), tensors.bins[1]);
      copy(input(3), tensors.bins[2]);
    }
    return tensors;
  }
};

}  // namespace

std::unique_ptr<FileCall> forward_from_file(FileCase file) {
  file.params.expect_message("roialign_param", file.op);
  if (file.params.number("pool_mode") == 0) {
    file.expect_tensors({"input", "boxes"}, {"output", "argmax_x", "argmax_y"});
  } else {
    file.expect_tensors({"input", "boxes"}, {"output"});
  }
  return std::make_unique<ForwardFile>(std::move(file));
}

std::unique_ptr<FileCall> backward_from_file(FileCase file) {
  file.params.expect_message("roi_align_backward_param", file.op);
  if (file.params.number("pool_mode") == 0) {
    file.expect_tensors({"grads", "boxes", "argmax_x", "argmax_y"}, {"grads_image"});
  } else {
    file.expect_tensors({"grads", "boxes"}, {"grads_image"});
  }
  return std::make_unique<BackwardFile>(std::move(file));
}

}  // namespace mluop::roi_align
