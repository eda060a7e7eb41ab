// The calls of rotated feature align that case files describe, whatever they say.
#include "ops/rotated_feature_align/kit/file_cases.hpp"

#include <utility>
#include <vector>

namespace mluop::rotated_feature_align {
namespace {

using testing::FileCall;
using testing::FileCase;

class AlignFile final : public FileCall {
 public:
  AlignFile(const Direction& direction, FileCase file)
      : FileCall(std::move(file)),
        direction_(direction),
        shape_{.N = 0,
               .H = 0,
               .W = 0,
               .C = 0,
               .spatial_scale = params().real("spatial_scale"),
               .points = params().number("points")} {}

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return direction_.run(handle, shape_, input(0), input(1), output(0));
  }
  std::vector<std::vector<double>> reference() const override {
    return {direction_.reference(shape(), input(0), input(1))};
  }
  std::vector<std::vector<double>> plain() const override {
    return {direction_.plain(shape(), input(0), input(1))};
  }

 private:
  reference::Shape shape() const {
    const std::vector<std::int64_t>& dims = input(0).dims();
    return {dims[0], dims[1], dims[2], dims[3], shape_.spatial_scale, shape_.points};
  }

  const Direction& direction_;
  reference::Shape shape_;  // without the sizes, which only a valid call has
};

}  // namespace

std::unique_ptr<FileCall> from_file(const Direction& direction, FileCase file) {
  file.params.expect_message(direction.op + std::string{"_param"}, file.op);
  file.expect_tensors({direction.from, "rois"}, {direction.to});
  return std::make_unique<AlignFile>(direction, std::move(file));
}

}  // namespace mluop::rotated_feature_align
