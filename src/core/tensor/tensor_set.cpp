// Positions and sizes of the members of a tensor set.
#include "core/tensor/tensor_set.hpp"

#include <limits>

#include "core/check/arguments.hpp"
#include "core/numbers/dtype.hpp"

using namespace mluop;  // NOLINT(google-build-using-namespace): a struct of the C API is global

namespace {

constexpr std::int64_t largest = std::numeric_limits<int>::max();

/// The bytes of a member: the largest number if they overflow, as with negative sizes.
std::int64_t bytes_of(const mluOpTensorStruct& member) {
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(member.element_count, size_of(member.dtype), &bytes);
  return overflows ? std::numeric_limits<std::int64_t>::max() : bytes;
}

}  // namespace

mluOpTensorSetStruct::mluOpTensorSetStruct(int dimNb, const int* dimSize) {
  require("setDimNb", dimNb, at_least(1));
  require_each("setDimSize", dimSize, static_cast<std::size_t>(dimNb), at_least(1));
  dims.assign(dimSize, dimSize + dimNb);
  std::int64_t count = 1;
  for (const std::int64_t size : dims) {
    count *= size;  // two ints at most: the rule comes before the next factor
    require("the product of setDimSize", count, at_most(largest));
  }
  members.resize(static_cast<std::size_t>(count));
}

std::size_t mluOpTensorSetStruct::position_of(int setDimNb, const int* tensorIndex) const {
  require("setDimNb", setDimNb, equal_to(static_cast<std::int64_t>(dims.size())));
  require_each("tensorIndex", tensorIndex, dims.size(), at_least(0));
  std::int64_t position = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    require(element_name("tensorIndex", i), tensorIndex[i], at_most(dims[i] - 1));
    position = position * dims[i] + tensorIndex[i];
  }
  return static_cast<std::size_t>(position);
}

int mluOpTensorSetStruct::bytes_of_first(std::size_t count, const char* what) const {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (__builtin_add_overflow(bytes, bytes_of(members[i]), &bytes)) {
      bytes = std::numeric_limits<std::int64_t>::max();
    }
    require(what, bytes, at_most(largest));
  }
  return static_cast<int>(bytes);
}
