// A tensor beyond 2^31 elements whose pages are allocated when they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <numeric>
#include <vector>

#include "mlu_op.h"
#include "pages.hpp"

namespace mluop::testing {

/// Initially zero; elements of four bytes.
class LazyTensor {
 public:
  LazyTensor(mluOpDataType_t dtype, std::vector<std::int64_t> dims)
      : count_(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>{})),
        pages_(static_cast<std::size_t>(count_) * 4) {
    if (!pages_.mapped()) throw std::bad_alloc();
    mluOpCreateTensorDescriptor(&desc);
    mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, static_cast<int>(dims.size()),
                                dims.data());
  }
  LazyTensor(const LazyTensor&) = delete;
  LazyTensor& operator=(const LazyTensor&) = delete;
  ~LazyTensor() { mluOpDestroyTensorDescriptor(desc); }

  std::int64_t count() const { return count_; }
  float* floats() { return pages_.as<float>(); }
  std::int32_t* integers() { return pages_.as<std::int32_t>(); }
  void poison() { pages_.poison(); }

  mluOpTensorDescriptor_t desc = nullptr;

 private:
  std::int64_t count_;
  Pages pages_;
};

}  // namespace mluop::testing
