// CARAFE from C++, in double: forward compared with its formula, both gradients with finite differences.
#include "support.hpp"

namespace {

const int H = 4, W = 3, C = 6;  // the input map
const int k = 3, G = 2, s = 2;  // side of the window, groups of channels, scale

// The formula: pixel (y, x) of the output is a weighted sum of the window around pixel (y / s, x / s) of the
// input. The weights are the k * k channels of the mask for the group of the channel.
Numbers formula(const Numbers& input, const Numbers& mask) {
  Numbers output;
  for (int y = 0; y < s * H; ++y) {
    for (int x = 0; x < s * W; ++x) {
      for (int c = 0; c < C; ++c) {
        double sum = 0;
        for (int i = 0; i < k * k; ++i) {
          const int row = y / s + i / k - k / 2, column = x / s + i % k - k / 2;
          if (row < 0 || row >= H || column < 0 || column >= W) continue;  // outside the map
          const int group = c / (C / G);
          sum +=
              mask[((y * s * W + x) * G + group) * k * k + i] * input[(row * W + column) * C + c];
        }
        output.push_back(sum);
      }
    }
  }
  return output;
}

bool carafe() {
  const auto handle = create(mluOpCreate);
  const auto desc = create(mluOpCreateCarafeDescriptor);
  check(mluOpSetCarafeDescriptor(desc.get(), 4, k, G, s));
  const auto input_desc = describe({1, H, W, C}, MLUOP_LAYOUT_NHWC);
  const auto mask_desc = describe({1, s * H, s * W, G * k * k}, MLUOP_LAYOUT_NHWC);
  const auto output_desc = describe({1, s * H, s * W, C}, MLUOP_LAYOUT_NHWC);

  const Numbers input = random_numbers(H * W * C);
  const Numbers mask = random_numbers(s * H * s * W * G * k * k);
  const Numbers grad_output = random_numbers(s * H * s * W * C);

  const auto forward = [&](const Numbers& from, const Numbers& weights) {
    Numbers output(grad_output.size());
    check(mluOpCarafeForward(handle.get(), desc.get(), input_desc.get(), from.data(),
                             mask_desc.get(), weights.data(), output_desc.get(), output.data()));
    return output;
  };
  Numbers grad_input(input.size()), grad_mask(mask.size());
  check(mluOpCarafeBackward(handle.get(), desc.get(), input_desc.get(), input.data(),
                            mask_desc.get(), mask.data(), output_desc.get(), grad_output.data(),
                            input_desc.get(), grad_input.data(), mask_desc.get(),
                            grad_mask.data()));

  // The loss <output, grad_output> is linear in the input, and in the mask.
  const auto of_input = [&](const Numbers& x) { return dot(forward(x, mask), grad_output); };
  const auto of_mask = [&](const Numbers& x) { return dot(forward(input, x), grad_output); };
  bool right = report("forward", difference(forward(input, mask), formula(input, mask)));
  right &=
      report("gradient of the input", difference(grad_input, finite_differences(of_input, input)));
  right &= report("gradient of the mask", difference(grad_mask, finite_differences(of_mask, mask)));
  return right;
}

}  // namespace

int main() { return run_example(carafe); }
