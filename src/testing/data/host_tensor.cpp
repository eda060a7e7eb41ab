// Memory and descriptor of a HostTensor; rounding.cpp converts single elements.
#include "testing/data/host_tensor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "testing/data/handle.hpp"

namespace mluop::testing {
namespace {

constexpr std::byte integer_poison{0xA5};

std::int64_t product(const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) {
      throw std::invalid_argument("dims are negative or their product overflows");
    }
  }
  return count;
}

/// Elements from the first to the last, strides given.
std::int64_t reach(const std::vector<std::int64_t>& dims,
                   const std::vector<std::int64_t>& strides) {
  if (strides.size() != dims.size()) throw std::invalid_argument("one stride for each dim");
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] == 0) return 0;
    std::int64_t step = 0;
    if (strides[axis] < 0 || __builtin_mul_overflow(dims[axis] - 1, strides[axis], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      throw std::invalid_argument("strides are negative or reach too far");
    }
  }
  if (last == std::numeric_limits<std::int64_t>::max()) {
    throw std::invalid_argument("strides reach too far");
  }
  return last + 1;
}

/// The bytes of one poisoned element.
std::vector<std::byte> poison_of(mluOpDataType_t dtype) {
  std::vector<std::byte> element(encoded_size(dtype), integer_poison);
  if (is_floating(dtype)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    encode(dtype, {&nan, 1}, element.data());
  }
  return element;
}

}  // namespace

HostTensor::HostTensor(std::string name, mluOpDataType_t dtype, mluOpTensorLayout_t layout,
                       std::vector<std::int64_t> dims, std::vector<std::int64_t> strides)
    : name_(std::move(name)),
      dtype_(dtype),
      layout_(layout),
      dims_(std::move(dims)),
      strides_(std::move(strides)),
      count_(product(dims_)),
      stored_count_(strides_.empty() ? count_ : reach(dims_, strides_)),
      element_size_(encoded_size(dtype)) {
  allocate();
  poison();
  describe();
}

void HostTensor::allocate() {
  if (__builtin_mul_overflow(static_cast<std::size_t>(stored_count_), element_size_, &bytes_)) {
    throw std::bad_alloc();
  }
  memory_ = PlacedMemory(bytes_, element_size_);
}

void HostTensor::describe() {
  mluOpTensorDescriptor_t created = nullptr;
  expect_success(mluOpCreateTensorDescriptor(&created), "mluOpCreateTensorDescriptor");
  descriptor_.reset(created);
  const int rank = static_cast<int>(dims_.size());
  if (strides_.empty()) {
    expect_success(mluOpSetTensorDescriptor_v2(created, layout_, dtype_, rank, dims_.data()),
                   "mluOpSetTensorDescriptor_v2");
  } else {
    expect_success(mluOpSetTensorDescriptorEx_v2(created, layout_, dtype_, rank, dims_.data(),
                                                 strides_.data()),
                   "mluOpSetTensorDescriptorEx_v2");
  }
}

std::size_t HostTensor::place(std::int64_t index) const {
  if (strides_.empty()) return static_cast<std::size_t>(index) * element_size_;
  std::int64_t at = 0;
  for (std::size_t axis = dims_.size(); axis-- > 0; index /= dims_[axis]) {
    at += index % dims_[axis] * strides_[axis];
  }
  return static_cast<std::size_t>(at) * element_size_;
}

double HostTensor::get(std::int64_t index) const {
  double value = 0;
  decode(dtype_, memory_.data() + place(index), {&value, 1});
  return value;
}

void HostTensor::set(std::int64_t index, double value) {
  encode(dtype_, {&value, 1}, memory_.data() + place(index));
}

std::vector<double> HostTensor::values(std::int64_t first, std::int64_t count) const {
  std::vector<double> values(static_cast<std::size_t>(count));
  if (strides_.empty()) {
    decode(dtype_, memory_.data() + place(first), values);
  } else {
    for (double& value : values) value = get(first++);
  }
  return values;
}

void HostTensor::assign(std::span<const double> values) {
  if (values.size() != static_cast<std::size_t>(count_)) {
    throw std::invalid_argument(name_ + " has " + std::to_string(count_) + " elements, got " +
                                std::to_string(values.size()) + " values");
  }
  assign_from(0, values);
}

void HostTensor::assign_from(std::int64_t first, std::span<const double> values) {
  if (strides_.empty()) {
    encode(dtype_, values, memory_.data() + place(first));
  } else {
    for (const double value : values) set(first++, value);
  }
}

void HostTensor::load(std::span<const std::byte> elements) {
  if (elements.size() == bytes_) {
    std::ranges::copy(elements, memory_.data());
    return;
  }
  if (elements.size() != static_cast<std::size_t>(count_) * element_size_) {
    throw std::invalid_argument(name_ + " has " + std::to_string(count_) + " elements of " +
                                std::to_string(element_size_) + " bytes, got " +
                                std::to_string(elements.size()) + " bytes");
  }
  for (std::int64_t i = 0; i < count_; ++i) {
    const auto from = elements.subspan(static_cast<std::size_t>(i) * element_size_, element_size_);
    std::ranges::copy(from, memory_.data() + place(i));
  }
}

void HostTensor::poison() {
  if (bytes_ == 0) return;
  std::ranges::copy(poison_of(dtype_), memory_.data());
  // Doubling memcpy of the poisoned prefix, up to 32 KB at a time.
  constexpr std::size_t most = std::size_t{1} << 15;
  for (std::size_t done = element_size_; done < bytes_;) {
    const std::size_t more = std::min({done, bytes_ - done, most});
    std::memcpy(memory_.data() + done, memory_.data(), more);
    done += more;
  }
}

bool HostTensor::poisoned() const {
  return bytes_ == 0 ||
         (std::ranges::equal(poison_of(dtype_), raw().first(element_size_)) &&
          std::memcmp(memory_.data(), memory_.data() + element_size_, bytes_ - element_size_) == 0);
}

void HostTensor::DestroyDescriptor::operator()(mluOpTensorDescriptor_t desc) const {
  mluOpDestroyTensorDescriptor(desc);
}

}  // namespace mluop::testing
