// Forward and backward of rotated feature align from C++, in double: the backward is the transpose
// of the forward, so <forward(x), g> and <x, backward(g)> must be the same number.
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace {

void check(mluOpStatus_t status) {
  if (status != MLUOP_STATUS_SUCCESS) throw std::runtime_error(mluOpCpuGetLastError());
}

struct Destroy {
  void operator()(mluOpHandle_t handle) const { mluOpDestroy(handle); }
  void operator()(mluOpTensorDescriptor_t desc) const { mluOpDestroyTensorDescriptor(desc); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<mluOpHandle_t>, Destroy>;
using Descriptor = std::unique_ptr<std::remove_pointer_t<mluOpTensorDescriptor_t>, Destroy>;

Handle create_handle() {
  mluOpHandle_t handle = nullptr;
  check(mluOpCreate(&handle));
  return Handle{handle};
}

Descriptor describe(std::initializer_list<int> dims) {
  mluOpTensorDescriptor_t created = nullptr;
  check(mluOpCreateTensorDescriptor(&created));
  Descriptor desc{created};
  check(mluOpSetTensorDescriptor(desc.get(), MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_DOUBLE,
                                 static_cast<int>(dims.size()), dims.begin()));
  return desc;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

int run() {
  const int N = 2, H = 6, W = 5, C = 17;
  const Handle handle = create_handle();
  const Descriptor map = describe({N, H, W, C});
  const Descriptor boxes_desc = describe({N, H, W, 5});

  std::mt19937 random{7};
  std::uniform_real_distribution<double> unit{-1.0, 1.0};
  std::vector<double> x(mluOpGetTensorElementNum(map.get())), g(x.size());
  for (double& value : x) value = unit(random);
  for (double& value : g) value = unit(random);
  std::vector<double> boxes;
  for (int i = 0; i < N * H * W; ++i) {
    const double y = i / W % H + unit(random), column = i % W + unit(random);
    boxes.insert(boxes.end(), {y, column, 2 + unit(random), 3 + unit(random), 3 * unit(random)});
  }

  std::vector<double> forward(x.size()), backward(x.size());
  check(mluOpRotatedFeatureAlignForward(handle.get(), map.get(), x.data(), boxes_desc.get(),
                                        boxes.data(), 1.0f, 5, map.get(), forward.data()));
  check(mluOpRotatedFeatureAlignBackward(handle.get(), map.get(), g.data(), boxes_desc.get(),
                                         boxes.data(), 1.0f, 5, map.get(), backward.data()));

  const double left = dot(forward, g), right = dot(x, backward);
  std::printf("<forward(x), g> = %.12f\n<x, backward(g)> = %.12f\n", left, right);
  // About 6,000 products of size 1 or so, each rounded to 1e-16.
  const bool equal = std::abs(left - right) <= 1e-12;
  return equal && forward != x && backward != g ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
