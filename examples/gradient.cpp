// Forward and backward of rotated feature align from C++, in double: the backward is the transpose
// of the forward, so <forward(x), g> and <x, backward(g)> must be the same number.
#include "support.hpp"

namespace {

bool rotated_feature_align() {
  const int N = 2, H = 6, W = 5, C = 17;
  const auto handle = create(mluOpCreate);
  const auto map = describe({N, H, W, C}, MLUOP_LAYOUT_NHWC);
  const auto boxes_desc = describe({N, H, W, 5});

  const size_t size = mluOpGetTensorElementNum(map.get());
  const Numbers x = random_numbers(size), g = random_numbers(size);
  Numbers boxes = random_numbers(N * H * W * 5);
  for (int i = 0; i < N * H * W; ++i) {
    double* box = &boxes[i * 5];
    box[0] += i / W % H;  // y and x: somewhere near its pixel
    box[1] += i % W;
    box[2] += 2;  // width, height
    box[3] += 3;
    box[4] *= 3;  // angle
  }

  Numbers forward(size), backward(size);
  check(mluOpRotatedFeatureAlignForward(handle.get(), map.get(), x.data(), boxes_desc.get(),
                                        boxes.data(), 1.0f, 5, map.get(), forward.data()));
  check(mluOpRotatedFeatureAlignBackward(handle.get(), map.get(), g.data(), boxes_desc.get(),
                                         boxes.data(), 1.0f, 5, map.get(), backward.data()));

  const double left = dot(forward, g), right = dot(x, backward);
  std::printf("<forward(x), g> = %.12f\n<x, backward(g)> = %.12f\n", left, right);
  return report("backward is the transpose", std::abs(left - right)) && forward != x &&
         backward != g;
}

}  // namespace

int main() { return run_example(rotated_feature_align); }
