// The calls of RoI-aware pooling that case files describe, whatever they say.
#include "ops/roiaware_pool3d/kit/file_cases.hpp"

#include <utility>
#include <vector>

#include "ops/roiaware_pool3d/kit/calls.hpp"

namespace mluop::roiaware_pool3d {
namespace {

using testing::FileCall;
using testing::FileCase;
using Values = std::vector<std::vector<double>>;

/// The numbers that both directions have.
struct Numbers {
  explicit Numbers(const testing::FileParams& params)
      : pool_method(params.number("pool_method")),
        boxes(params.number("boxes_num")),
        channels(params.number("channels")),
        T(params.number("max_pts_each_voxel")),
        X(params.number("out_x")),
        Y(params.number("out_y")),
        Z(params.number("out_z")) {}

  Shape shape(std::int64_t points) const {
    return {boxes, X, Y, Z, T, channels, points, pool_method == 1};
  }

  int pool_method, boxes, channels, T, X, Y, Z;
};

class ForwardFile final : public FileCall {
 public:
  explicit ForwardFile(FileCase file)
      : FileCall(std::move(file)), numbers_(params()), points_(params().number("pts_num")) {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    const auto& n = numbers_;
    return mluOpRoiAwarePool3dForward(
        handle, n.pool_method, n.boxes, points_, n.channels, input(0).descriptor(), input(0).data(),
        input(1).descriptor(), input(1).data(), input(2).descriptor(), input(2).data(), nullptr, 0,
        n.T, n.X, n.Y, n.Z, output(0).descriptor(), output(0).data(), output(1).descriptor(),
        output(1).data(), output(2).descriptor(), output(2).data());
  }

  Values reference() const override { return values(pooled_reference); }
  Values plain() const override { return values(pooled_plain); }

 private:
  Values values(decltype(&pooled_reference) pooled) const {
    const Shape shape = numbers_.shape(points_);
    const Indices indices = indices_of(shape, input(0), input(1), input(2));
    return {{indices.argmax.begin(), indices.argmax.end()},
            {indices.lists.begin(), indices.lists.end()},
            pooled(shape, indices, input(2))};
  }

  Numbers numbers_;
  int points_;
};

class BackwardFile final : public FileCall {
 public:
  explicit BackwardFile(FileCase file) : FileCall(std::move(file)), numbers_(params()) {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    const auto& n = numbers_;
    return mluOpRoiAwarePool3dBackward(
        handle, n.pool_method, n.boxes, n.X, n.Y, n.Z, n.channels, n.T, input(0).descriptor(),
        input(0).data(), input(1).descriptor(), input(1).data(), input(2).descriptor(),
        input(2).data(), output(0).descriptor(), output(0).data());
  }

  Values reference() const override { return {gradient_reference(shape(), indices(), input(2))}; }
  Values plain() const override { return {gradient_plain(shape(), indices(), input(2))}; }

 private:
  Shape shape() const { return numbers_.shape(output(0).dims()[0]); }
  Indices indices() const {
    const auto lists = integers(input(0)), argmax = integers(input(1));
    return {{lists.begin(), lists.end()}, {argmax.begin(), argmax.end()}};
  }

  Numbers numbers_;
};

}  // namespace

std::unique_ptr<FileCall> forward_from_file(FileCase file) {
  file.params.expect_message("roiaware_pool3d_forward_param", file.op);
  file.expect_tensors({"rois", "pts", "pts_feature"},
                      {"argmax", "pts_idx_of_voxels", "pooled_features"});
  return std::make_unique<ForwardFile>(std::move(file));
}

std::unique_ptr<FileCall> backward_from_file(FileCase file) {
  file.params.expect_message("roiaware_pool3d_backward_param", file.op);
  file.expect_tensors({"pts_idx_of_voxels", "argmax", "grad_out"}, {"grad_in"});
  return std::make_unique<BackwardFile>(std::move(file));
}

}  // namespace mluop::roiaware_pool3d
