// The calls of CARAFE that case files describe, whatever they say.
#include "ops/carafe/kit/file_cases.hpp"

#include <utility>

#include "ops/carafe/kit/calls.hpp"

namespace mluop::carafe {
namespace {

using testing::FileCall;
using testing::FileCase;

class CarafeFile : public FileCall {
 public:
  explicit CarafeFile(FileCase file)
      : FileCall(std::move(file)),
        dimnb_(params().number("dimnb")),
        k_(params().number("kernel_size")),
        G_(params().number("group_size")),
        s_(params().number("scale_factor")) {}

  mluOpStatus_t run(mluOpHandle_t handle) final {
    mluOpCarafeDescriptor_t created = nullptr;
    const mluOpStatus_t made = mluOpCreateCarafeDescriptor(&created);
    if (made != MLUOP_STATUS_SUCCESS) return made;
    const CarafeDescriptor desc{created};
    const mluOpStatus_t set = mluOpSetCarafeDescriptor(created, dimnb_, k_, G_, s_);
    return set == MLUOP_STATUS_SUCCESS ? call(handle, created) : set;
  }

 protected:
  virtual mluOpStatus_t call(mluOpHandle_t handle, mluOpCarafeDescriptor_t desc) = 0;

  reference::Shape shape() const {
    const std::vector<std::int64_t>& dims = input(0).dims();
    return {dims[0], dims[1], dims[2], dims[3], k_, G_, s_};
  }

 private:
  int dimnb_, k_, G_, s_;
};

class ForwardFile final : public CarafeFile {
 public:
  using CarafeFile::CarafeFile;

  Values reference() const override { return forward_reference(shape(), input(0), input(1)); }
  Values plain() const override { return forward_plain(shape(), input(0), input(1)); }

 private:
  mluOpStatus_t call(mluOpHandle_t handle, mluOpCarafeDescriptor_t desc) override {
    return mluOpCarafeForward(handle, desc, input(0).descriptor(), input(0).data(),
                              input(1).descriptor(), input(1).data(), output(0).descriptor(),
                              output(0).data());
  }
};

class BackwardFile final : public CarafeFile {
 public:
  using CarafeFile::CarafeFile;

  Values reference() const override {
    return backward_reference(shape(), input(0), input(1), input(2));
  }
  Values plain() const override { return backward_plain(shape(), input(0), input(1), input(2)); }

 private:
  mluOpStatus_t call(mluOpHandle_t handle, mluOpCarafeDescriptor_t desc) override {
    return mluOpCarafeBackward(handle, desc, input(0).descriptor(), input(0).data(),
                               input(1).descriptor(), input(1).data(), input(2).descriptor(),
                               input(2).data(), output(0).descriptor(), output(0).data(),
                               output(1).descriptor(), output(1).data());
  }
};

}  // namespace

std::unique_ptr<FileCall> forward_from_file(FileCase file) {
  file.params.expect_message("carafe_param", file.op);
  file.expect_tensors({"input", "mask"}, {"output"});
  return std::make_unique<ForwardFile>(std::move(file));
}

std::unique_ptr<FileCall> backward_from_file(FileCase file) {
  file.params.expect_message("carafe_param", file.op);
  file.expect_tensors({"input", "mask", "grad_output"}, {"grad_input", "grad_mask"});
  return std::make_unique<BackwardFile>(std::move(file));
}

}  // namespace mluop::carafe
