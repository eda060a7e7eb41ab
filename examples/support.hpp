// What the C++ examples share: statuses as exceptions, objects that destroy themselves, random data, and a
// check of gradients.
#pragma once

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

using Numbers = std::vector<double>;

inline void check(mluOpStatus_t status) {
  if (status != MLUOP_STATUS_SUCCESS) throw std::runtime_error(mluOpCpuGetLastError());
}

struct Destroy {
  void operator()(mluOpHandle_t handle) const { mluOpDestroy(handle); }
  void operator()(mluOpTensorDescriptor_t desc) const { mluOpDestroyTensorDescriptor(desc); }
  void operator()(mluOpCarafeDescriptor_t desc) const { mluOpDestroyCarafeDescriptor(desc); }
  void operator()(mluOpSparseConvolutionDescriptor_t desc) const {
    mluOpDestroySparseConvolutionDescriptor(desc);
  }
};

// A handle or a descriptor; get() is what the functions of MLU-OPS take.
template <class T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Destroy>;

// create(mluOpCreate), create(mluOpCreateCarafeDescriptor), …
template <class T>
Owned<T> create(mluOpStatus_t (*function)(T*)) {
  T created = nullptr;
  check(function(&created));
  return Owned<T>{created};
}

inline Owned<mluOpTensorDescriptor_t> describe(const std::vector<int>& dims,
                                               mluOpTensorLayout_t layout = MLUOP_LAYOUT_ARRAY,
                                               mluOpDataType_t dtype = MLUOP_DTYPE_DOUBLE) {
  auto desc = create(mluOpCreateTensorDescriptor);
  check(mluOpSetTensorDescriptor(desc.get(), layout, dtype, static_cast<int>(dims.size()),
                                 dims.data()));
  return desc;
}

inline Numbers random_numbers(size_t count) {
  static std::mt19937 random{7};
  std::uniform_real_distribution<double> unit{-1.0, 1.0};
  Numbers numbers(count);
  for (double& number : numbers) number = unit(random);
  return numbers;
}

inline double dot(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline double difference(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

// The gradient of a loss that is linear in x, by finite differences: adding 1 to x[i] adds the derivative
// with respect to x[i].
template <class Loss>
Numbers finite_differences(Loss loss, Numbers x) {
  const double before = loss(x);
  Numbers gradient;
  for (double& value : x) {
    const double old = value;
    value += 1;
    gradient.push_back(loss(x) - before);
    value = old;
  }
  return gradient;
}

// Prints one line and returns whether it holds. Sums of a few thousand terms of size 1 in double: the
// rounding errors stay below 1e-10, a wrong term does not.
inline bool report(const char* what, double error) {
  const bool right = error <= 1e-10;
  std::printf("%-34s error %.1e%s\n", what, error, right ? "" : " is too large");
  return right;
}

inline int run_example(bool (*example)()) {
  try {
    return example() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
